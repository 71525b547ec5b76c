"""What somebody may watch while the engine works: a trace, a picture, a log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

    from chalkgrad.engine.base import TensorBase
    from chalkgrad.engine.graph import Node

    Gradient: TypeAlias = np.ndarray | TensorBase | None

Notice: TypeAlias = "tuple[Any, ...] | None"
"""What happened to a node in a backward.

``READY``: all gradients for it have come in. ``LET_GO``: of what it had saved. A gradient and a list of gradients: of
the one that came it made the others, one for each of its edges. Two gradients: the first was added to what had come
before, the second is their sum.
"""

READY: Notice = None
LET_GO: Notice = ()


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

    def result_made(self, node: Node, inputs: tuple[TensorBase | bool | int | float, ...], output: TensorBase) -> None:
        """``output`` was born of an operator that recorded ``node``, its one result: the three notices above in one."""
        self.tensor_made(output)
        self.node_made(node, inputs, (output,))
        kept = kept_names(node)
        if kept:
            self.saved(node, kept)

    def about_to_write(self, tensor: TensorBase) -> None:
        """The memory of ``tensor`` is going to be written, whichever way; its old values are still there."""

    def wrote(self, tensor: TensorBase) -> None:
        """The memory of ``tensor`` has been written; where PyTorch counts the write, ``_version`` has grown."""

    def flags_changed(self, tensor: TensorBase) -> None:
        """One of ``requires_grad``, ``retains_grad``, ``is_leaf``, ``grad_fn`` or which tensor is ``grad`` changed.

        Where a backward gives a tensor its ``grad``, :meth:`accumulated` and :meth:`retained` say so instead.
        """

    def backward_began(self, roots: Sequence[TensorBase], gradients: Sequence[Gradient]) -> None:
        """A backward starts at ``roots`` with ``gradients``."""

    def node_began(self, node: Node, joins: bool) -> None:
        """A backward that records itself is at work for ``node``: what is recorded until the next notice belongs to it.

        ``joins`` while what came to it along several paths is added up. No other backward tells this.
        """

    def backward_planned(self, waiting: Mapping[Node, int], roots: Sequence[Node]) -> None:
        """The backward that began comes by these nodes, each of which waits for so many gradients. Not to be kept.

        ``roots`` are those that the first gradients go to.
        """

    def gradients_met(self, node: Node, port: int, gradient: Gradient, total: Gradient) -> None:
        """``gradient`` was added to what had come to output ``port`` of ``node`` before: that is ``total`` now."""

    def node_ready(self, node: Node) -> None:
        """All gradients for ``node`` have come in."""

    def node_ran(self, node: Node, incoming: tuple[Gradient, ...], outgoing: tuple[Gradient, ...]) -> None:
        """``node`` turned ``incoming``, one for each output, into ``outgoing``, one for each of its edges."""

    def accumulated(self, node: Node, tensor: TensorBase, gradient: Gradient, first: bool) -> None:
        """``gradient`` went into ``tensor.grad``; ``first`` when that was None before."""

    def dropped(self, node: Node, gradient: Gradient) -> None:
        """A leaf added nothing: it no longer requires grad, or ``gradient`` is None."""

    def captured(self, node: Node, port: int, gradient: Gradient) -> None:
        """What came to output ``port`` of ``node`` was asked for (``torch.autograd.grad``): it goes no further."""

    def hook_ran(self, node: Node, hook: str, before: Sequence[Gradient], after: Sequence[Gradient]) -> None:
        """A hook called ``hook`` got ``before`` at ``node``, and ``after`` is what goes on."""

    def retained(self, tensor: TensorBase, gradient: TensorBase) -> None:
        """The non-leaf ``tensor`` got ``gradient`` as its ``.grad``, because it was asked to keep it."""

    def freed(self, node: Node) -> None:
        """``node`` let go of what it had saved."""

    def backward_went(self, nodes: list[Node], notices: list[Notice]) -> None:
        """What happened, one after the other, in a stretch of a backward in which nothing but the usual did.

        Of each of the ``nodes`` there is one notice. The gradients are those that the backward goes on with, no copies:
        one of them may become a ``.grad`` that is written into some day. Who keeps them has to mind
        :meth:`about_to_write`.
        """
        for node, notice in zip(nodes, notices, strict=True):
            if notice is None:
                self.node_ready(node)
            elif notice is LET_GO:
                self.freed(node)
            elif isinstance(notice[1], list):
                self.node_ran(node, (notice[0].copy(),), tuple([_copy(gradient) for gradient in notice[1]]))
            else:
                self.gradients_met(node, 0, notice[0].copy(), notice[1].copy())

    def backward_ended(self) -> None:
        """The backward is over, finished or failed."""


def _copy(gradient: np.ndarray | None) -> np.ndarray | None:
    return None if gradient is None else gradient.copy()


def kept_names(node: Node) -> tuple[str, ...]:
    """The names of the values that a node keeps for its backward."""
    return tuple([name for name, value in zip(node.saved_names, node.saved or (), strict=False) if value is not None])
