"""Cholesky's factor of square matrices, and what is solved and inverted by it."""

# ruff: noqa: N803  PyTorch calls matrices A, B, L, U

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import broadcast
from chalkgrad.engine.warning import warn_once
from chalkgrad.ops.chains import check_square
from chalkgrad.ops.composing import array_in, through
from chalkgrad.ops.factors import by_columns, each_matrix, first_failed, substituted
from chalkgrad.ops.linear_algebra import (
    CHECK_ERRORS,
    LinAlgError,
    check_matrices,
    refuse_inversion,
    square,
    turned,
)
from chalkgrad.ops.overloads import not_implemented

Shape = tuple[int, ...]


def _cholesky(name: str, array: np.ndarray, upper: bool) -> tuple[np.ndarray, np.ndarray]:
    """The factors, and for each matrix the order of the first minor that is not positive; 0 where all are."""
    check_matrices(name, array)
    lower = np.tril(array.swapaxes(-1, -2) if upper else array)
    info = np.zeros(array.shape[:-2], np.int32)
    for place, one in each_matrix(lower):
        for step in range(len(one)):
            one[step, step] -= one[step, :step] @ one[step, :step]
            if not one[step, step] > 0:
                info[place] = step + 1
                break
            one[step, step] = np.sqrt(one[step, step])
            one[step + 1 :, step] -= one[step + 1 :, :step] @ one[step, :step]
            one[step + 1 :, step] /= one[step, step]
    return by_columns(lower.swapaxes(-1, -2) if upper else lower), info


def _cholesky_gradient(o: Any, g: Any, factor: Any, upper: bool) -> Any:
    """The symmetric derivative by the matrix, of which only one triangle was read."""
    if len(tuple(factor.shape)) == 1:  # what has no elements need not be a matrix before
        raise RuntimeError("tensor.mH is only supported on matrices or batches of matrices. Got 1-D tensor.")
    lower, g = (turned(o, factor), turned(o, g)) if upper else (factor, g)
    inner = o.matmul(turned(o, lower), g)
    inner = o.tril(inner)
    both = o.mul_number(o.add(inner, turned(o, o.tril(inner, -1))), 0.5)
    check_square("linalg.solve_triangular", tuple(turned(o, lower).shape))
    right = o.linalg_solve_triangular(turned(o, lower), both, upper=True)
    return o.linalg_solve_triangular(lower, right, upper=False, left=False)


def _refuse_indefinite(name: str, info: np.ndarray) -> None:
    failed = first_failed(info)
    if failed is not None:
        batch, order = failed
        raise LinAlgError(
            f"{name}: {batch}The factorization could not be completed because the input is not positive-definite (the "
            f"leading minor of order {order} is not positive-definite)."
        )


def _cholesky_ex(self: np.ndarray, upper: bool = False, check_errors: bool = False) -> tuple[np.ndarray, np.ndarray]:
    found = _cholesky("linalg.cholesky", self, upper)
    if check_errors:
        _refuse_indefinite("linalg.cholesky_ex", found[1])
    return found


_UPPER = Attribute("upper", "bool", False, positional=False)

register(
    Record(
        name="linalg_cholesky_ex",
        inputs=("self",),
        attributes=(_UPPER, CHECK_ERRORS),
        promotes="none",
        forward=_cholesky_ex,
        vjps={"self": lambda o, g, L, upper: _cholesky_gradient(o, g, L, upper)},
        grad_fn="LinalgCholeskyExBackward0",
        outputs=("L", "info"),
        not_differentiable=frozenset({"info"}),
        returns="linalg_cholesky_ex",
        function="torch.linalg.cholesky_ex",
        signatures=(
            "linalg_cholesky_ex(Tensor input, *, bool upper=False, bool check_errors=False, Tensor[2] out=None)",
        ),
        section="matrix",
        hidden=True,
        part_of="inverse",
    )
)


def _checked_cholesky(o: Any, self: Any, upper: bool = False) -> Any:
    factor, info = o.linalg_cholesky_ex(self, upper=upper)
    _refuse_indefinite("linalg.cholesky", array_in(info))
    return factor


register(
    Record(
        name="linalg_cholesky",
        inputs=("self",),
        attributes=(_UPPER,),
        promotes="none",
        forward=through(_checked_cholesky),
        compose=_checked_cholesky,
        grad_fn="LinalgCholeskyExBackward0",
        function="torch.linalg.cholesky",
        signatures=("linalg_cholesky(Tensor input, *, bool upper=False, Tensor out=None)",),
        shape=square("linalg.cholesky"),
        section="matrix",
        hidden=True,
        part_of="inverse",
    )
)

_OLD_CHOLESKY = (
    "torch.cholesky is deprecated in favor of torch.linalg.cholesky and will be removed in a future PyTorch release.\n"
    "L = torch.cholesky(A)\nshould be replaced with\nL = torch.linalg.cholesky(A)\nand\nU = torch.cholesky(A, "
    "upper=True)\nshould be replaced with\nU = torch.linalg.cholesky(A).mH\nThis transform will produce equivalent "
    "results for all valid (symmetric positive definite) inputs."
)


def _old_cholesky_shape(self: Shape, upper: bool = False) -> Shape:
    if 0 not in self:
        check_square("cholesky", self)
    return self


def _old_cholesky(self: np.ndarray, upper: bool = False) -> np.ndarray:
    if not self.size:
        return self.copy()
    if self.dtype.kind != "f":
        raise not_implemented("cholesky_cpu", self.dtype)
    factor, info = _cholesky("cholesky", self, upper)
    _refuse_indefinite("cholesky", info)
    return factor


register(
    Record(
        name="cholesky",
        inputs=("self",),
        attributes=(Attribute("upper", "bool", False),),
        promotes="none",
        check=lambda self: warn_once(_OLD_CHOLESKY),
        forward=_old_cholesky,
        vjps={"self": lambda o, g, result, upper: _cholesky_gradient(o, g, result, upper)},
        grad_fn="CholeskyBackward0",
        function="torch.cholesky",
        method="cholesky",
        signatures=("cholesky(Tensor input, bool upper=False, *, Tensor out=None)",),
        shape=_old_cholesky_shape,
        section="matrix",
        hidden=True,
        part_of="inverse",
    )
)


def _cholesky_solve_shape(self: Shape, input2: Shape, upper: bool = False) -> Shape:
    rows, columns = input2[-2:]
    if rows != columns:
        raise RuntimeError(f"A must be batches of square matrices, but they are {rows} by {columns} matrices")
    if rows != self[-2]:
        raise RuntimeError(
            f"Incompatible matrix sizes for cholesky_solve: each A matrix is {rows} by {columns} but each b matrix is "
            f"{self[-2]} by {self[-1]}"
        )
    return (*broadcast(self[:-2], input2[:-2]), *self[-2:])


def _check_cholesky_solve(self: np.ndarray, input2: np.ndarray) -> None:
    for name, array in (("b", self), ("u", input2)):
        if array.ndim < 2:
            raise RuntimeError(f"{name} should have at least 2 dimensions, but has {array.ndim} dimensions instead")
    if self.dtype != input2.dtype:
        first, second = dtype_of(self).scalar_type, dtype_of(input2).scalar_type
        raise RuntimeError(
            f"Expected b and A to have the same dtype, but found b of type {first} and A of type {second} instead."
        )


def _cholesky_solve(self: np.ndarray, input2: np.ndarray, upper: bool = False) -> np.ndarray:
    if self.dtype.kind != "f":
        raise not_implemented("cholesky_solve_cpu", self.dtype)
    lower = input2.swapaxes(-1, -2) if upper else input2
    inner = substituted(lower, self, upper=False)
    return by_columns(substituted(lower.swapaxes(-1, -2), inner, upper=True))


def _solve_gradients(
    o: Any, g: Any, self: Any, input2: Any, result: Any, upper: bool, *, grad_input_mask: tuple[bool, ...]
) -> Any:
    right = o.cholesky_solve(g, input2, upper)
    if not grad_input_mask[1]:
        return right, None
    half = o.matmul(right, turned(o, result))
    both = o.add(half, turned(o, half))
    return right, o.neg(o.matmul(input2, both) if upper else o.matmul(both, input2))


register(
    Record(
        name="cholesky_solve",
        inputs=("self", "input2"),
        attributes=(Attribute("upper", "bool", False),),
        promotes="none",
        check=_check_cholesky_solve,
        forward=_cholesky_solve,
        vjps=dict.fromkeys(("self", "input2"), _solve_gradients),
        grad_fn="CholeskySolveBackward0",
        function="torch.cholesky_solve",
        method="cholesky_solve",
        signatures=("cholesky_solve(Tensor input, Tensor input2, bool upper=False, *, Tensor out=None)",),
        shape=_cholesky_solve_shape,
        section="matrix",
        hidden=True,
        part_of="inverse",
    )
)


def _cholesky_inverse(self: np.ndarray, upper: bool = False) -> np.ndarray:
    if self.dtype.kind != "f":
        raise not_implemented("cholesky_inverse_out_cpu", self.dtype)
    zero = np.diagonal(self, axis1=-2, axis2=-1) == 0
    refuse_inversion("cholesky_inverse", np.where(zero.any(-1), zero.argmax(-1) + 1, 0) if zero.size else zero)
    return by_columns(_inverse_of_product(self.swapaxes(-1, -2) if upper else self))


def _inverse_of_product(lower: np.ndarray) -> np.ndarray:
    """The inverse of ``lower @ lower.T``; as LAPACK's, no element is made of more than what lies in the triangle."""
    count = lower.shape[-1]
    inverse, made = np.zeros_like(lower), np.zeros_like(lower)
    for column in range(count):
        inverse[..., column:, column] = substituted(
            lower[..., column:, column:], np.eye(count - column, 1, dtype=lower.dtype), upper=False
        )[..., 0]
    for row in range(count):
        for column in range(row + 1):
            part = (inverse[..., row:, row] * inverse[..., row:, column]).sum(-1)
            made[..., row, column] = made[..., column, row] = part
    return made


def _inverse_gradient(o: Any, g: Any, self: Any, result: Any, upper: bool) -> Any:
    both = o.matmul(result, o.matmul(o.add(g, turned(o, g)), result))
    return o.neg(o.matmul(self, both) if upper else o.matmul(both, self))


register(
    Record(
        name="cholesky_inverse",
        inputs=("self",),
        attributes=(Attribute("upper", "bool", False),),
        promotes="none",
        forward=_cholesky_inverse,
        vjps={"self": lambda o, g, self, result, upper: _inverse_gradient(o, g, self, result, upper)},
        grad_fn="CholeskyInverseBackward0",
        function="torch.cholesky_inverse",
        method="cholesky_inverse",
        signatures=("cholesky_inverse(Tensor input, bool upper=False, *, Tensor out=None)",),
        shape=square("cholesky_inverse"),
        section="matrix",
        hidden=True,
        part_of="inverse",
    )
)
