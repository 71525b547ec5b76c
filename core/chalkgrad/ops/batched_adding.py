"""Products of batches of matrices added to a tensor: ``beta * self + alpha * product``."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.shapes import size_at
from chalkgrad.ops.adding import (
    SCALES,
    adding,
    by_blas,
    check_depth,
    check_expands,
    check_same_size,
    dtype_names,
    plus,
    without_products,
)
from chalkgrad.ops.arithmetic import times
from chalkgrad.ops.expanding import expanded
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.products import batch_shape, check_batches, into_dtype
from chalkgrad.ops.samples import ones

Shape = tuple[int, ...]

into_dtype("baddbmm", "self", "batch1", "batch2", attributes=SCALES)


def _check_3d(batch1: Shape, batch2: Shape) -> None:
    for number, batch in enumerate((batch1, batch2), 1):
        if len(batch) != 3:
            raise RuntimeError(f"batch{number} must be a 3D tensor")


def _product_shape(batch1: Shape, batch2: Shape) -> Shape:
    return size_at(batch1, 0), size_at(batch1, 1), size_at(batch2, 2)


def _baddbmm_shape(self: Shape, batch1: Shape, batch2: Shape, **_: Any) -> Shape:
    check_expands(self, _product_shape(batch1, batch2))
    _check_3d(batch1, batch2)
    return batch_shape(batch1, batch2)


def _check_baddbmm(self: np.ndarray, batch1: np.ndarray, batch2: np.ndarray) -> None:
    shape = _product_shape(batch1.shape, batch2.shape)
    check_depth(self, shape)
    expanded(self.shape, shape)
    if self.dtype != batch1.dtype:
        names = [dtype_of(array).cpp for array in (self, batch1, batch2)]
        raise RuntimeError(
            f"Input dtypes must be the same, got: input {names[0]}, batch1: {names[1]}, batch2: {names[2]}"
        )


def _check_baddbmm_in_place(self: np.ndarray, batch1: np.ndarray, batch2: np.ndarray) -> None:
    _check_baddbmm(self, batch1, batch2)
    shape = _baddbmm_shape(self.shape, batch1.shape, batch2.shape)
    if self.dtype != batch2.dtype:
        raise RuntimeError(
            f"Bad in-place call: input tensor dtype {dtype_of(self).cpp} and output tensor dtype "
            f"{dtype_of(batch2).cpp} should match"
        )
    check_same_size(self.shape, shape)


def _baddbmm(self: np.ndarray, batch1: np.ndarray, batch2: np.ndarray, beta: Any = 1, alpha: Any = 1) -> np.ndarray:
    shape = batch_shape(batch1.shape, batch2.shape)
    if 0 in shape:  # of nothing PyTorch takes any dtypes
        return np.zeros(shape, batch2.dtype)
    if batch1.dtype.kind != "f" and not batch1.shape[2]:
        return without_products(self, shape, beta)
    if batch1.dtype.kind == "b":
        raise not_implemented("baddbmm", batch1.dtype)
    check_batches(batch1, batch2)
    return plus(self, np.matmul(batch1, batch2), beta, alpha)


adding(
    "baddbmm",
    ("self", "batch1", "batch2"),
    _baddbmm,
    {
        "self": lambda o, g, beta: times(o, g, beta),
        "batch1": lambda o, g, batch2, alpha: times(o, o.bmm(g, o.transpose(batch2, 1, 2)), alpha),
        "batch2": lambda o, g, batch1, alpha: times(o, o.bmm(o.transpose(batch1, 1, 2), g), alpha),
    },
    _baddbmm_shape,
    in_place={"check": _check_baddbmm_in_place},
    check=_check_baddbmm,
    samples=(((ones(2, 2, 2), ones(2, 2, 3), ones(2, 3, 2)), {"beta": 0.5, "alpha": 2}),),
)


def _addbmm_shape(self: Shape, batch1: Shape, batch2: Shape, **_: Any) -> Shape:
    shape = (size_at(batch1, 1), size_at(batch2, 2))
    check_expands(self, shape)
    _check_3d(batch1, batch2)
    if batch1[0] != batch2[0]:
        raise RuntimeError(f"batch1 and batch2 must have same number of batches, got {batch1[0]} and {batch2[0]}")
    if batch1[2] != batch2[1]:
        raise RuntimeError(f"Incompatible matrix sizes for bmm ({batch1[1]}x{batch1[2]} and {batch2[1]}x{batch2[2]})")
    return shape


def _check_addbmm(self: np.ndarray, batch1: np.ndarray, batch2: np.ndarray) -> None:
    check_depth(self, (size_at(batch1.shape, 1), size_at(batch2.shape, 2)))


def _addbmm(self: np.ndarray, batch1: np.ndarray, batch2: np.ndarray, beta: Any = 1, alpha: Any = 1) -> np.ndarray:
    if self.dtype != batch2.dtype:
        first, second = dtype_names(self, batch2)
        raise RuntimeError(f"self and mat2 must have the same dtype, but got {first} and {second}")
    if batch1.dtype != batch2.dtype:
        first, second = dtype_names(batch1, batch2)
        raise RuntimeError(f"mat1 and mat2 must have the same dtype, but got {first} and {second}")
    if batch1.dtype.kind != "f":
        shape = (batch1.shape[1], batch2.shape[2])
        if not (batch1.size and batch2.size):
            once = without_products(self, shape, beta)
            return once if len(batch1) < 2 else without_products(once, shape, 1)  # once for each of the batch
        if batch1.dtype.kind == "b":
            raise not_implemented("addmm_impl_cpu_", batch1.dtype)
    product = np.matmul(batch1, batch2).sum(0, dtype=batch1.dtype)
    return plus(self, by_blas(product, beta, alpha), beta, alpha)


def _spread(o: Any, g: Any, *size: int) -> Any:
    return o.expand(o.unsqueeze(g, 0), size)


adding(
    "addbmm",
    ("self", "batch1", "batch2"),
    _addbmm,
    {
        "self": lambda o, g, beta: times(o, g, beta),
        "batch1": lambda o, g, batch2, batch1_sym_argsize_0, batch1_sym_argsize_1, batch2_sym_argsize_2, alpha: times(
            o,
            o.bmm(
                _spread(o, g, batch1_sym_argsize_0, batch1_sym_argsize_1, batch2_sym_argsize_2),
                o.transpose(batch2, 1, 2),
            ),
            alpha,
        ),
        "batch2": lambda o, g, batch1, batch1_sym_argsize_0, batch1_sym_argsize_1, batch2_sym_argsize_2, alpha: times(
            o,
            o.bmm(
                o.transpose(batch1, 1, 2),
                _spread(o, g, batch1_sym_argsize_0, batch1_sym_argsize_1, batch2_sym_argsize_2),
            ),
            alpha,
        ),
    },
    _addbmm_shape,
    check=_check_addbmm,
    samples=(((ones(2, 2), ones(2, 2, 3), ones(2, 3, 2)), {"beta": 0.5, "alpha": 2}),),
)
