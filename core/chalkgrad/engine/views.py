"""Views that were written in place: the nodes by which PyTorch keeps the gradient of their base right."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from chalkgrad.engine import messages
from chalkgrad.engine.anomaly import note_origin
from chalkgrad.engine.base import TensorBase, new_tensor, rare_of, state
from chalkgrad.engine.device import contiguous_format
from chalkgrad.engine.graph import Node, edge_of
from chalkgrad.engine.places import OVERLAP
from chalkgrad.engine.rules import ARRAYS, NODE_CLASSES, TENSORS
from chalkgrad.engine.shapes import check_reach, sum_to
from chalkgrad.engine.storage import as_strided, geometry_of, overlaps_itself, owner

Geometry = tuple[tuple[int, ...], tuple[int, ...], int, int]
"""Sizes, strides, offset, and the number of elements of the storage; all counted in elements."""


class CopySlices(Node):
    """What a tensor's grad_fn becomes when a view of it is written.

    Gradients pass, but for the view's part, which goes through ``fn``, the node of the operator that wrote. Its first
    edge leads to what the tensor was before, the others to the further inputs of ``fn``.
    """

    __slots__ = ("base_geometry", "fn", "view_geometry", "written")
    cxx_name = "torch::autograd::CopySlices"

    def __init__(self, base: TensorBase, view: np.ndarray, fn: Node) -> None:
        super().__init__((edge_of(base), *fn.edges[1:]), (), (), base.array.shape, base.array.dtype)
        others = fn.ports or (0,) * len(fn.edges)
        if base.output_nr or any(others[1:]):
            self.ports = (base.output_nr, *others[1:])
        self.fn: Node | None = fn
        self.written = (2, *fn._writes[1:])
        self.base_geometry = geometry_of(base.array)
        self.view_geometry = geometry_of(view)
        rare_of(self)  # what it has to let go of is not in ``saved``

    @property
    def _writes(self) -> tuple[int, ...]:  # type: ignore[override]
        """Twice into what goes on to the tensor, and what ``fn`` writes into the others."""
        return self.written

    def run(self, g: Any, edges: tuple[Node | None, ...]) -> list[Any]:
        """Gradients as arrays."""
        fn = self._written_by()
        size, stride, offset, _ = self.view_geometry
        whole = _empty_like(self.base_geometry, g.dtype)
        whole[...] = g
        begin = offset - self.base_geometry[2]
        check_reach(size, stride, begin, whole.itemsize, owner(whole).nbytes)
        part = as_strided(whole, size, stride, begin)
        found = fn.run(part.copy(), self._edges_of_fn(fn, edges))
        if edges[0] is None:
            return [None, *found[1:]]
        if overlaps_itself(part):
            raise RuntimeError(OVERLAP)
        part[...] = 0 if found[0] is None else sum_to(ARRAYS, found[0], size)
        return [whole, *found[1:]]

    def run_recorded(self, g: Any, edges: tuple[Node | None, ...]) -> list[Any]:
        """Gradients as tensors, by PyTorch's own steps, which are recorded: the whole is copied, its part written."""
        fn = self._written_by()
        size, stride, offset, _ = self.view_geometry
        whole = new_tensor(_empty_like(self.base_geometry, g.array.dtype))
        if state.observer is not None:
            state.observer.tensor_made(whole)
        TENSORS.copy_(whole, g)
        part = TENSORS.as_strided(whole, size, stride, offset - self.base_geometry[2])
        given = TENSORS.contiguous(part, memory_format=contiguous_format)  # always a copy
        found = fn.run_recorded(given, self._edges_of_fn(fn, edges))
        if edges[0] is None:
            return [None, *found[1:]]
        TENSORS.copy_(part, TENSORS.zeros_of(g, size) if found[0] is None else found[0])
        return [whole, *found[1:]]

    def release(self) -> bool:
        """Let go of the written operator; unlike other nodes this one can never run twice."""
        had, self.fn = self.fn is not None, None
        return had

    def _written_by(self) -> Node:
        if self.fn is None:
            raise messages.freed(self)
        return self.fn

    @staticmethod
    def _edges_of_fn(fn: Node, edges: tuple[Node | None, ...]) -> tuple[Node | None, ...]:
        """The written operator's own edges, as far as their gradients are wanted."""
        return (None if edges[0] is None else fn.edges[0] or edges[0], *edges[1:])


def _empty_like(geometry: Geometry, dtype: Any) -> np.ndarray:
    """New memory in which elements lie as ``geometry`` says, from the beginning of it; RuntimeError where two share."""
    size, stride, _, _ = geometry
    reach = 0 if 0 in size else 1 + sum((length - 1) * step for length, step in zip(size, stride, strict=True))
    if reach == math.prod(size):  # without gaps it is an array of its own, so that what else comes is added into it
        made = np.ndarray(size, dtype, strides=[step * np.dtype(dtype).itemsize for step in stride])
    else:
        made = as_strided(np.zeros(reach, dtype), size, stride, 0)
    if overlaps_itself(made):
        raise RuntimeError(OVERLAP)
    return made


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
