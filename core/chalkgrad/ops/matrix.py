"""Products of matrices and vectors; ``matmul`` chooses among them by the number of dimensions, as PyTorch does."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import counter_of
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import broadcast
from chalkgrad.engine.size import brackets
from chalkgrad.ops.arithmetic import times
from chalkgrad.ops.samples import M23, M32, V2, V3, ones, vector
from chalkgrad.ops.shape import expanded

Shape = tuple[int, ...]

_UNEQUAL = (
    "inconsistent tensor size, expected tensor [2] and src [3] to have the same number of elements, but got 2 and 3 "
    "elements respectively"
)


def _mm_shape(self: Shape, mat2: Shape) -> Shape:
    if len(self) != 2:
        raise RuntimeError("self must be a matrix")
    if len(mat2) != 2:
        raise RuntimeError("mat2 must be a matrix")
    if self[1] != mat2[0]:
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({self[0]}x{self[1]} and {mat2[0]}x{mat2[1]})")
    return self[0], mat2[1]


def _mv_shape(self: Shape, vec: Shape) -> Shape:
    if len(self) != 2 or len(vec) != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {len(self)}, {len(vec)}")
    if self[1] != vec[0]:
        raise RuntimeError(f"size mismatch, got input ({self[0]}), mat ({self[0]}x{self[1]}), vec ({vec[0]})")
    return (self[0],)


def _dot_shape(self: Shape, tensor: Shape) -> Shape:
    if len(self) != 1 or len(tensor) != 1:
        raise RuntimeError(f"1D tensors expected, but got {len(self)}D and {len(tensor)}D tensors")
    if self != tensor:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor {brackets(self)} and src {brackets(tensor)} to have the same "
            f"number of elements, but got {self[0]} and {tensor[0]} elements respectively"
        )
    return ()


def _matmul_shape(self: Shape, other: Shape) -> Shape:
    if not self or not other:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {len(self)}D and {len(other)}D"
        )
    if len(self) == 1 and len(other) == 1:
        return _dot_shape(self, other)
    if len(self) == 2 and len(other) == 1:
        return _mv_shape(self, other)
    if len(self) <= 2 and len(other) == 2:
        rows = _mm_shape(self if len(self) == 2 else (1, *self), other)
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
            _mv_shape((rows, left[-1]), other)
        _mm_shape((rows, left[-1]), right)
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


def _mm(self: np.ndarray, mat2: np.ndarray) -> np.ndarray:
    if self.dtype != mat2.dtype:
        raise RuntimeError(
            f"expected m1 and m2 to have the same dtype, but got: {dtype_of(self).cpp} != {dtype_of(mat2).cpp}"
        )
    if self.dtype.kind == "b":
        raise NotImplementedError("\"addmm_impl_cpu_\" not implemented for 'Bool'")
    return np.asarray(np.matmul(self, mat2))


def _mv(self: np.ndarray, vec: np.ndarray) -> np.ndarray:
    if self.dtype != vec.dtype:
        first, second = dtype_of(self).scalar_type, dtype_of(vec).scalar_type
        raise RuntimeError(f"addmv input tensors must have the same dtype, but got {second}, {first}, and {second}")
    return np.asarray(np.matmul(self, vec))


def _check_dot(self: np.ndarray, tensor: np.ndarray) -> None:
    if self.dtype != tensor.dtype:
        first, second = dtype_of(self).scalar_type, dtype_of(tensor).scalar_type
        raise RuntimeError(f"dot : expected both vectors to have same dtype, but found {first} and {second}")
    if self.dtype.kind == "b":
        raise NotImplementedError("\"dot\" not implemented for 'Bool'")


def _bmm(self: np.ndarray, mat2: np.ndarray) -> np.ndarray:
    if self.dtype != mat2.dtype:
        raise RuntimeError(f"expected scalar type {dtype_of(self).scalar_type} but found {dtype_of(mat2).scalar_type}")
    return np.asarray(np.matmul(self, mat2))


def _matmul(o: Any, self: Any, other: Any) -> Any:
    left, right = self.array.shape, other.array.shape
    if not left or not right or (len(left) > 1 and len(right) > 2):
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
    if smaller.array.ndim == 1 or requires_grad_of(smaller):
        return True
    return smaller is other and _rows_in_order(larger.array)


def _rows_in_order(array: np.ndarray) -> bool:
    """True when all dimensions but the last can be seen as one without copying."""
    strides, sizes = array.strides, array.shape
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
    return o.contiguous(o.transpose(_many_rows(o, turned, o.t(self)), -2, -1))


def _many_rows(o: Any, many: Any, one: Any) -> Any:
    """Many matrices times one matrix or vector: their rows are put under each other."""
    shape = many.array.shape
    rows = o.reshape(many, (int(np.prod(shape[:-1])), shape[-1]))
    if one.array.ndim == 1:
        return o.unsafe_view(o.mv(rows, one), shape[:-1])
    return o.unsafe_view(o.mm(rows, one), (*shape[:-1], one.array.shape[-1]))


def _batched(o: Any, self: Any, other: Any) -> Any:
    left, right = self.array.shape, other.array.shape
    a, b = left, right
    batch = broadcast(a[:-2], b[:-2])
    count = int(np.prod(batch))
    first = o.reshape(o.expand(self, (*batch, *a[-2:])), (count, *a[-2:]))
    second = o.reshape(o.expand(other, (*batch, *b[-2:])), (count, *b[-2:]))
    return o.unsafe_view(o.bmm(first, second), _matmul_shape(left, right))


register(
    Record(
        name="matmul",
        inputs=("self", "other"),
        promotes="none",
        forward=np.matmul,
        compose=_matmul,
        grad_fn="MmBackward0",
        function="torch.matmul",
        method="matmul",
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


def mm_left_gradient(o: Any, g: Any, mat2: Any) -> Any:
    """Derivative of ``self @ mat2`` by ``self``."""
    return o.mm(g, o.t(mat2))


def mm_right_gradient(o: Any, g: Any, self: Any) -> Any:
    """Derivative of ``self @ mat2`` by ``mat2``."""
    return o.mm(o.t(self), g)


register(
    Record(
        name="mm",
        inputs=("self", "mat2"),
        promotes="none",
        forward=_mm,
        # PyTorch decides by sizes and strides which of two equal products is faster, and so saves them
        vjps={
            "self": lambda o, g, mat2, self_sym_sizes, self_sym_strides: mm_left_gradient(o, g, mat2),
            "mat2": lambda o, g, self, mat2_sym_sizes, mat2_sym_strides: mm_right_gradient(o, g, self),
        },
        grad_fn="MmBackward0",
        function="torch.mm",
        method="mm",
        shape=_mm_shape,
        section="matrix",
        latex=r"\self \, \mat2",
        derivatives={"self": r"g \, \mat2^{\top}", "mat2": r"\self^{\top} g"},
        samples=(((M23, M32), {}),),
        bad_samples=(((V2, V2), {}, "RuntimeError", "self must be a matrix"),),
    )
)

register(
    Record(
        name="mv",
        inputs=("self", "vec"),
        promotes="none",
        forward=_mv,
        vjps={
            "self": lambda o, g, vec: o.mul(o.view(g, (g.shape[0], 1)), vec),
            "vec": lambda o, g, self: o.mv(o.t(self), g),
        },
        grad_fn="MvBackward0",
        function="torch.mv",
        method="mv",
        shape=_mv_shape,
        section="matrix",
        latex=r"\self \, \vec",
        derivatives={"self": r"g \, \vec^{\top}", "vec": r"\self^{\top} g"},
        samples=(((M23, V3), {}),),
        bad_samples=(((M23, V2), {}, "RuntimeError", "size mismatch, got input (2), mat (2x3), vec (2)"),),
    )
)

register(
    Record(
        name="dot",
        inputs=("self", "tensor"),
        promotes="none",
        forward=np.dot,
        check=_check_dot,
        vjps={"self": lambda o, g, tensor: o.mul(g, tensor), "tensor": lambda o, g, self: o.mul(g, self)},
        grad_fn="DotBackward0",
        function="torch.dot",
        method="dot",
        shape=_dot_shape,
        section="matrix",
        latex=r"\self \cdot \tensor",
        derivatives={"self": r"\tensor", "tensor": r"\self"},
        samples=(((V3, vector(1.0, 0.25, -2.0)), {}),),
        bad_samples=(
            (
                (V2, V3),
                {},
                "RuntimeError",
                _UNEQUAL,
            ),
        ),
    )
)

register(
    Record(
        name="bmm",
        inputs=("self", "mat2"),
        promotes="none",
        forward=_bmm,
        vjps={
            "self": lambda o, g, mat2: o.bmm(g, o.transpose(mat2, 1, 2)),
            "mat2": lambda o, g, self: o.bmm(o.transpose(self, 1, 2), g),
        },
        grad_fn="BmmBackward0",
        shape=lambda self, mat2: (self[0], self[1], mat2[2]),
        section="matrix",
        latex=r"\self \, \mat2",
        derivatives={"self": r"g \, \mat2^{\top}", "mat2": r"\self^{\top} g"},
        hidden=True,
        part_of="matmul",
        samples=(((ones(2, 2, 3), ones(2, 3, 2)), {}),),
    )
)


def _addmm_shape(self: Shape, mat1: Shape, mat2: Shape, **_: Any) -> Shape:
    shape = _mm_shape(mat1, mat2)
    expanded(self, shape)
    return shape


register(
    Record(
        name="addmm",
        inputs=("self", "mat1", "mat2"),
        attributes=(
            Attribute("beta", "number", 1, positional=False),
            Attribute("alpha", "number", 1, positional=False),
        ),
        promotes="none",
        forward=lambda self, mat1, mat2, beta=1, alpha=1: (
            np.multiply(_mm(mat1, mat2), np.asarray(alpha, mat1.dtype))
            + np.multiply(self, np.asarray(beta, self.dtype))
        ),
        vjps={
            "self": lambda o, g, beta: times(o, g, beta),
            "mat1": lambda o, g, mat2, mat1_sym_sizes, mat1_sym_strides, alpha: times(
                o, mm_left_gradient(o, g, mat2), alpha
            ),
            "mat2": lambda o, g, mat1, mat2_sym_sizes, mat2_sym_strides, alpha: times(
                o, mm_right_gradient(o, g, mat1), alpha
            ),
        },
        grad_fn="AddmmBackward0",
        function="torch.addmm",
        method="addmm",
        shape=_addmm_shape,
        section="matrix",
        latex=r"\self + \mat1 \, \mat2",
        derivatives={"self": "1", "mat1": r"g \, \mat2^{\top}", "mat2": r"\mat1^{\top} g"},
        hidden=True,
        part_of="matmul",
        samples=(((V2, M23, M32), {}), ((V2, M23, M32), {"beta": 0.5, "alpha": 2})),
    )
)
