"""Views that were written in place: the nodes by which PyTorch keeps the gradient of their base right."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine import messages
from chalkgrad.engine.anomaly import note_origin
from chalkgrad.engine.base import TensorBase, rare_of, state
from chalkgrad.engine.graph import Node, edge_of
from chalkgrad.engine.rules import ARRAYS, NODE_CLASSES, TENSORS, Operators, count_writes
from chalkgrad.engine.shapes import sum_to
from chalkgrad.engine.storage import geometry_of

"""Sizes, strides, offset, and the number of elements of the storage; all counted in elements."""


class CopySlices(Node):
    """What a tensor's grad_fn becomes when a view of it is written.

    Gradients pass, but for the view's part, which goes through ``fn``, the node of the operator that wrote. Its first
    edge leads to what the tensor was before, the others to the further inputs of ``fn``.
    """

    __slots__ = ("base_geometry", "fn", "view_geometry")
    cxx_name = "torch::autograd::CopySlices"
    writes = (2,)

    def __init__(self, base: TensorBase, view: np.ndarray, fn: Node) -> None:
        super().__init__((edge_of(base), *fn.edges[1:]), (), (), base.array.shape, base.array.dtype)
        others = fn.ports or (0,) * len(fn.edges)
        if base.output_nr or any(others[1:]):
            self.ports = (base.output_nr, *others[1:])
        self.fn: Node | None = fn
        self.base_geometry = geometry_of(base.array)
        self.view_geometry = geometry_of(view)
        rare_of(self)  # what it has to let go of is not in ``saved``

    def run(self, g: Any, edges: tuple[Node | None, ...]) -> list[Any]:
        """Gradients as arrays."""
        fn = self._written_by()
        part = ARRAYS.take_strided(g, self.base_geometry, self.view_geometry)
        return self._whole(ARRAYS, g, edges, fn.run(part, self._edges_of_fn(fn, edges)))

    def run_recorded(self, g: Any, edges: tuple[Node | None, ...]) -> list[Any]:
        """Gradients as tensors, recorded."""
        fn = self._written_by()
        part = TENSORS.take_strided(g, self.base_geometry, self.view_geometry)
        found = self._whole(TENSORS, g, edges, fn.run_recorded(part, self._edges_of_fn(fn, edges)))
        return count_writes(found, self.writes)

    def release(self) -> bool:
        """Let go of the written operator; unlike other nodes this one can never run twice."""
        had, self.fn = self.fn is not None, None
        return had

    def _written_by(self) -> Node:
        if self.fn is None:
            raise messages.freed(self)
        return self.fn

    def _whole(self, o: Operators, g: Any, edges: tuple[Node | None, ...], found: list[Any]) -> list[Any]:
        """``found``, the gradients of the written operator, with the first one put in its place in ``g``."""
        if edges[0] is None:
            return [None, *found[1:]]
        part = o.zeros_of(g, self.view_geometry[0]) if found[0] is None else sum_to(o, found[0], self.view_geometry[0])
        return [o.as_strided_scatter(g, part, self.base_geometry, self.view_geometry), *found[1:]]

    @staticmethod
    def _edges_of_fn(fn: Node, edges: tuple[Node | None, ...]) -> tuple[Node | None, ...]:
        """The written operator's own edges, as far as their gradients are wanted."""
        return (None if edges[0] is None else fn.edges[0] or edges[0], *edges[1:])


def regenerated(view: TensorBase, base: TensorBase) -> Node:
    """The grad_fn that ``view`` has after its memory was written: a strided piece of its base."""
    size, stride, offset, _ = geometry_of(view.array)
    cls = NODE_CLASSES["as_strided"]
    values = {"size": size, "stride": stride, "storage_offset": offset, "self_args_geometry": geometry_of(base.array)}
    constants = tuple(values[name] for name in cls.constant_names)
    node = cls((edge_of(base),), (), constants, view.array.shape, view.array.dtype)
    if base.output_nr:
        node.ports = (base.output_nr,)
    rare_of(node)  # it writes into what it makes, as CopySlices does
    if state.anomaly:
        note_origin(node)
    return node


CopySlices.__module__ = "builtins"
state.regenerated = regenerated
