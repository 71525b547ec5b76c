"""What somebody may watch while the engine works: a trace, a picture, a log."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from chalkgrad.engine.base import TensorBase
    from chalkgrad.engine.graph import Node

    Gradient: TypeAlias = np.ndarray | TensorBase | None


class Observer:
    """Notices of everything the engine does; each method does nothing until a subclass says otherwise.

    Gradients are arrays, or tensors while a backward records its own graph (``create_graph``). They may be kept: the
    engine never writes into one it has handed out. An observer must not compute with tensors while it is called.
    """

    __slots__ = ()

    def tensor_made(self, tensor: TensorBase) -> None:
        """``tensor`` was born: a result, a factory's, ``detach()``, ``.data``, or a ``.grad``."""

    def node_made(
        self, node: Node, inputs: tuple[TensorBase | bool | int | float, ...], outputs: tuple[TensorBase, ...]
    ) -> None:
        """``node`` was recorded for an operator on ``inputs``; Python numbers stand among them as themselves."""

    def saved(self, node: Node, names: tuple[str, ...]) -> None:
        """``node`` keeps the values called ``names`` for its backward."""

    def about_to_write(self, tensor: TensorBase) -> None:
        """The memory of ``tensor`` is going to be written, whichever way; its old values are still there."""

    def wrote(self, tensor: TensorBase) -> None:
        """The memory of ``tensor`` has been written; where PyTorch counts the write, ``_version`` has grown."""

    def flags_changed(self, tensor: TensorBase) -> None:
        """One of ``requires_grad``, ``retains_grad``, ``is_leaf``, ``grad_fn`` or which tensor is ``grad`` changed."""

    def backward_began(self, roots: Sequence[TensorBase], gradients: Sequence[Gradient]) -> None:
        """A backward starts at ``roots`` with ``gradients``."""

    def node_ready(self, node: Node) -> None:
        """All gradients for ``node`` have come in."""

    def node_ran(self, node: Node, incoming: tuple[Gradient, ...], outgoing: tuple[Gradient, ...]) -> None:
        """``node`` turned ``incoming``, one for each output, into ``outgoing``, one for each of its edges."""

    def accumulated(self, node: Node, tensor: TensorBase, gradient: Gradient, first: bool) -> None:
        """``gradient`` went into ``tensor.grad``; ``first`` when that was None before."""

    def retained(self, tensor: TensorBase, gradient: TensorBase) -> None:
        """The non-leaf ``tensor`` got ``gradient`` as its ``.grad``, because it was asked to keep it."""

    def freed(self, node: Node) -> None:
        """``node`` let go of what it had saved."""

    def backward_ended(self) -> None:
        """The backward is over, finished or failed."""
