"""Nodes that let no gradient through: one raises, one makes nothing of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chalkgrad.engine.base import TensorBase, meta_of, new_tensor, state
from chalkgrad.engine.graph import Node, edge_of
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.memory_format import copied
from chalkgrad.engine.recording import announce_node


class Error(Node):
    """Refuses every gradient that comes; its one constant is the text of the error."""

    __slots__ = ()
    cxx_name = "torch::autograd::Error"
    many = True

    def run(self, g: Any, edges: tuple[Node | None, ...]) -> list[Any]:
        """Refused."""
        raise RuntimeError(self.constants[0])

    run_recorded = run


class UndefinedGradBackward(Node):
    """Passes on that there is no gradient, whatever comes."""

    __slots__ = ()
    cxx_name = "torch::autograd::UndefinedGradBackward"
    many = True

    def run(self, g: Any, edges: tuple[Node | None, ...]) -> list[Any]:
        """None for each edge."""
        return [None] * len(edges)

    run_recorded = run


class DelayedError:
    """A function that hands tensors on, ``count`` of them, and raises ``text`` where gradients come back."""

    def __init__(self, text: str, count: int) -> None:
        self._text = text
        self._count = count

    def __call__(self, *tensors: TensorBase) -> Any:
        """The tensors; one alone is no tuple."""
        if len(tensors) != self._count:
            raise TypeError(f"expected {self._count} arguments, got {len(tensors)} instead")
        found = handed_on(tensors, Error, (self._text,))
        return found[0] if len(found) == 1 else found


class UndefinedGrad:
    """A function that copies a tensor, and drops the gradient that comes back."""

    def __call__(self, *tensors: TensorBase) -> Any:
        """The copy of the one tensor."""
        if len(tensors) != 1:
            raise TypeError(f"expected 1 arguments, got {len(tensors)} instead")
        (found,) = handed_on(tensors, UndefinedGradBackward, ())
        found.array = copied(found.array, found.array.dtype)
        return found


def handed_on(tensors: Sequence[Any], kind: type[Node], constants: tuple[Any, ...]) -> tuple[Any, ...]:
    """``tensors`` on the same memory, as results of one new node of that kind if one requires grad; None stays."""
    arrays = [tensor.array if isinstance(tensor, TensorBase) else None for tensor in tensors]
    node = None
    if state.grad and any(isinstance(tensor, TensorBase) and requires_grad_of(tensor) for tensor in tensors):
        edges = tuple(edge_of(tensor) if isinstance(tensor, TensorBase) else None for tensor in tensors)
        shapes = tuple(() if array is None else array.shape for array in arrays)
        node = kind(edges, (), constants, shapes, tuple(None if array is None else array.dtype for array in arrays))
        if any(tensor.output_nr for tensor in tensors if isinstance(tensor, TensorBase)):
            node.ports = tuple(getattr(tensor, "output_nr", 0) for tensor in tensors)
    found = []
    for place, (tensor, array) in enumerate(zip(tensors, arrays, strict=True)):
        if array is None:
            found.append(tensor)
            continue
        made = new_tensor(array)
        made.node = node
        if place and node is not None:
            meta_of(made).output_nr = place
        found.append(made)
    if node is not None and state.watched:
        inputs = tuple(tensor for tensor in tensors if isinstance(tensor, TensorBase))
        announce_node(node, inputs, tuple(made for made in found if isinstance(made, TensorBase)))
    return tuple(found)


for _class in (Error, UndefinedGradBackward):
    _class.__module__ = "builtins"
for _function in (DelayedError, UndefinedGrad):
    _function.__module__ = "torch._C._functions"
