"""``matmul``, which chooses among the products by the number of dimensions, as PyTorch does."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import counter_of
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.record import Record
from chalkgrad.engine.shapes import broadcast
from chalkgrad.engine.storage import element_strides
from chalkgrad.ops.products import dot_shape, mm_shape, mv_shape
from chalkgrad.ops.reshaping import in_order
from chalkgrad.ops.samples import M23, M32, V2, V3, ones

Shape = tuple[int, ...]


def _matmul_shape(self: Shape, other: Shape) -> Shape:
    if not self or not other:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {len(self)}D and {len(other)}D"
        )
    if len(self) == 1 and len(other) == 1:
        return dot_shape(self, other)
    if len(self) == 2 and len(other) == 1:
        return mv_shape(self, other)
    if len(self) <= 2 and len(other) == 2:
        rows = mm_shape(self if len(self) == 2 else (1, *self), other)
        return rows if len(self) == 2 else rows[1:]
    return _batched_shape(self, other)


def _batched_shape(self: Shape, other: Shape) -> Shape:
    if len(self) == 1:
        turned = (*other[:-2], other[-1], other[-2])
        return _batched_shape(turned, self)
    left = self
    right = (*other, 1) if len(other) == 1 else other
    if len(right) <= 2:
        rows = 1
        for size in left[:-1]:
            rows *= size
        if len(other) == 1:
            mv_shape((rows, left[-1]), other)
        mm_shape((rows, left[-1]), right)
    batch = broadcast(left[:-2], right[:-2])
    if left[-1] != right[-2]:
        count = 1
        for size in batch:
            count *= size
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{count}, {left[-1]}] but got: "
            f"[{count}, {right[-2]}]."
        )
    ends = (left[-2], *(() if len(other) == 1 else (right[-1],)))
    return (*batch, *ends)


def _matmul(o: Any, self: Any, other: Any) -> Any:
    left, right = self.array.shape, other.array.shape
    if not left or not right:
        _matmul_shape(left, right)
    if len(left) == 1 and len(right) == 1:
        return o.dot(self, other)
    if len(left) == 2 and len(right) == 1:
        return o.mv(self, other)
    if len(left) == 1 and len(right) == 2:
        return _without_rows(o, o.mm(o.unsqueeze(self, 0), other))
    if len(left) == 2 and len(right) == 2:
        return o.mm(self, other)
    if _is_folded(self, other):
        return _folded(o, self, other)
    return _batched(o, self, other)


def _is_folded(self: Any, other: Any) -> bool:
    """True where PyTorch puts the rows of many matrices under each other rather than multiply them one by one."""
    larger, smaller = (self, other) if self.array.ndim >= other.array.ndim else (other, self)
    if smaller.array.ndim > 2:
        return False
    if requires_grad_of(smaller):
        return True
    if self.array.ndim == 2:
        return False
    array = larger.array if larger is self else larger.array.swapaxes(-1, -2)
    return array.size == 0 or _rows_in_order(array)


def _rows_in_order(array: np.ndarray) -> bool:
    """True when all dimensions but the last can be seen as one without copying."""
    strides, sizes = element_strides(array), array.shape
    return all(strides[axis] == strides[axis + 1] * sizes[axis + 1] for axis in range(array.ndim - 2))


def _without_rows(o: Any, product: Any) -> Any:
    """A product of one row as a vector; PyTorch squeezes it in place, which counts as a write."""
    result = o.squeeze_in_place(product, 0)
    counter_of(result).version += 1
    return result


def _folded(o: Any, self: Any, other: Any) -> Any:
    """Many matrices times one matrix or vector, or the other way round, as one product."""
    if self.array.ndim >= other.array.ndim:
        return _many_rows(o, self, other)
    turned = o.transpose(other, -2, -1)
    if self.array.ndim == 1:
        return _many_rows(o, turned, self)
    return in_order(o, o.transpose(_many_rows(o, turned, o.t(self)), -2, -1))


def _many_rows(o: Any, many: Any, one: Any) -> Any:
    """Many matrices times one matrix or vector: their rows are put under each other."""
    shape = many.array.shape
    rows = o.reshape(many, (prod(shape[:-1]), shape[-1]))
    if one.array.ndim == 1:
        return o.unsafe_view(o.mv(rows, one), shape[:-1])
    return o.unsafe_view(o.mm(rows, one), (*shape[:-1], one.array.shape[-1]))


def _batched(o: Any, self: Any, other: Any) -> Any:
    """Matrices multiplied one by one, their batches broadcast."""
    left, right = self.array.shape, other.array.shape
    if len(left) == len(right) == 3 and left[0] != right[0]:  # a batch of one is multiplied like a single matrix
        if left[0] == 1 and requires_grad_of(self):
            return _matmul(o, o.squeeze_dim(self, 0), other)
        if right[0] == 1 and requires_grad_of(other):
            return _matmul(o, self, o.squeeze_dim(other, 0))
    batch = broadcast(left[:-2], right[:-2])
    count = prod(batch)
    rows = left[-2:] if len(left) > 1 else (1, *left)
    first = o.reshape(o.expand(self, (*batch, *rows)), (count, *rows))
    shape = (*batch, *left[-2:-1], *(right[-1:] if len(right) > 1 else ()))
    if len(right) == 1:
        second = o.unsqueeze(o.reshape(o.expand(other, (*batch, *right)), (count, *right)), 2)
        return o.unsafe_view(o.squeeze_dim(o.bmm(first, second), -1), shape)
    second = o.reshape(o.expand(other, (*batch, *right[-2:])), (count, *right[-2:]))
    return o.unsafe_view(o.bmm(first, second), shape)


register(
    Record(
        name="matmul",
        said=("matrix multiplication",),
        inputs=("self", "other"),
        promotes="none",
        forward=np.matmul,
        compose=_matmul,
        grad_fn="MmBackward0",
        function="torch.matmul",
        method="matmul",
        signatures=("matmul(Tensor input, Tensor other, *, Tensor out=None)",),
        symbol="@",
        shape=_matmul_shape,
        section="matrix",
        latex=r"\self \, \other",
        derivatives={"self": r"g \, \other^{\top}", "other": r"\self^{\top} g"},
        samples=(
            ((M23, M32), {}),
            ((M23, V3), {}),
            ((V2, M23), {}),
            ((V3, V3), {}),
            ((ones(2, 2, 3), M32), {}),
            ((ones(2, 2, 3), ones(2, 3, 2)), {}),
        ),
        bad_samples=(
            ((M23, M23), {}, "RuntimeError", "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"),
            ((M23, V2), {}, "RuntimeError", "size mismatch, got input (2), mat (2x3), vec (2)"),
            (
                (V2, np.array(1.0)),
                {},
                "RuntimeError",
                "both arguments to matmul need to be at least 1D, but they are 1D and 0D",
            ),
            (
                (ones(2, 2, dtype="float32"), ones(2, 2)),
                {},
                "RuntimeError",
                "expected m1 and m2 to have the same dtype, but got: float != double",
            ),
        ),
    )
)
