"""Linear equations, and Cholesky's factor of square matrices."""

# ruff: noqa: N803, N806  PyTorch calls matrices A, B, L, U

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.results import return_type
from chalkgrad.engine.shapes import broadcast
from chalkgrad.ops.composing import array_in, through, warn_once
from chalkgrad.ops.contraction import check_square
from chalkgrad.ops.factors import by_columns, each_matrix, factorised, first_failed, solved, substituted
from chalkgrad.ops.linear_algebra import (
    A22,
    A33,
    CHECK_ERRORS,
    LinAlgError,
    check_floating,
    check_matrices,
    refuse_inversion,
    square,
    turned,
)
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.samples import V2, V3

Shape = tuple[int, ...]


# Linear equations


def _is_vector(A: Shape, B: Shape) -> bool:
    """True where ``B`` holds one vector, not one matrix, for each matrix."""
    return len(B) == 1 or (len(A) - 1 == len(B) and A[:-1] == B)


def _solve_shape(A: Shape, B: Shape, left: bool = True) -> Shape:
    check_square("linalg.solve", A)
    vector = _is_vector(A, B)
    right = (*B, 1) if vector else B
    if len(right) < 2:
        raise RuntimeError("linalg.solve: The input tensor B must have at least 2 dimensions.")
    if (right[-2] if left else right[-1]) != A[-1]:
        raise RuntimeError(
            f"linalg.solve: Incompatible shapes of A and B for the equation {'AX' if left else 'XA'} = B "
            f"({A[-2]}x{A[-1]} and {right[-2]}x{right[-1]})"
        )
    if vector and not left:
        raise RuntimeError(
            "linalg.solve: Vector broadcasting of the left hand side is not supported for left=False. In this case "
            "linalg.solve is equivalent to B / A.squeeze(-1)"
        )
    shape = (*broadcast(A[:-2], right[:-2]), *right[-2:])
    return shape[:-1] if vector else shape


def _check_solve(A: np.ndarray, B: np.ndarray) -> None:
    check_floating("linalg.solve", A)
    if A.dtype != B.dtype:
        first, second = dtype_of(A).scalar_type, dtype_of(B).scalar_type
        raise RuntimeError(
            f"linalg.solve: Expected A and B to have the same dtype, but found A of type {first} and B of type "
            f"{second} instead"
        )


def _solve(A: np.ndarray, B: np.ndarray, left: bool = True) -> tuple[np.ndarray, ...]:
    LU, pivots, info = factorised(A)
    vector = _is_vector(A.shape, B.shape)
    found = solved(LU, pivots, B[..., None] if vector else B, left)
    return found[..., 0] if vector else found, LU, pivots, info


def _solve_gradient(o: Any, g: Any, A: Any, LU: Any, pivots: Any, left: bool) -> Any:
    """The derivative by the right-hand side: from the factors at hand, or, to be differentiated, from A itself."""
    vector = len(g.shape) < len(A.shape)
    g = o.unsqueeze(g, -1) if vector else g
    if isinstance(A, np.ndarray):
        found = o.linalg_lu_solve(LU, pivots, g, left=left, adjoint=True)
    else:
        found = o.linalg_solve(turned(o, A), g, left=left)
    return o.squeeze_dim(found, -1) if vector else found


def _matrix_gradient(o: Any, g: Any, A: Any, LU: Any, pivots: Any, result: Any, left: bool) -> Any:
    right = _solve_gradient(o, g, A, LU, pivots, left)
    if len(g.shape) < len(A.shape):
        return o.neg(o.matmul(o.unsqueeze(right, -1), turned(o, o.unsqueeze(result, -1))))
    if left:
        return o.neg(o.matmul(right, turned(o, result)))
    return o.neg(o.matmul(turned(o, result), right))


_LEFT = Attribute("left", "bool", True, positional=False)

register(
    Record(
        name="linalg_solve_lu",
        inputs=("A", "B"),
        attributes=(_LEFT,),
        promotes="none",
        check=_check_solve,
        forward=_solve,
        vjps={
            "A": lambda o, g, A, LU, pivots, result, left: _matrix_gradient(o, g, A, LU, pivots, result, left),
            "B": lambda o, g, A, LU, pivots, result, left: _solve_gradient(o, g, A, LU, pivots, left),
        },
        grad_fn="LinalgSolveExBackward0",
        outputs=("result", "LU", "pivots", "info"),
        not_differentiable=frozenset({"LU", "pivots", "info"}),
        shape=_solve_shape,
        section="matrix",
        hidden=True,
        part_of="inverse",
    )
)


def _refuse_singular(name: str, info: np.ndarray) -> None:
    failed = first_failed(info)
    if failed is not None:
        raise LinAlgError(f"{name}: {failed[0]}The solver failed because the input matrix is singular.")


def _checked_solve(o: Any, A: Any, B: Any, left: bool = True) -> Any:
    result, _, _, info = o.linalg_solve_lu(A, B, left=left)
    _refuse_singular("torch.linalg.solve", array_in(info))
    return result


def _solve_ex(o: Any, A: Any, B: Any, left: bool = True, check_errors: bool = False) -> Any:
    result, _, _, info = o.linalg_solve_lu(A, B, left=left)
    if check_errors:
        _refuse_singular("torch.linalg.solve_ex", array_in(info))
    return return_type("linalg_solve_ex", ("result", "info"))((result, info))


register(
    Record(
        name="linalg_solve",
        inputs=("A", "B"),
        attributes=(_LEFT,),
        promotes="none",
        forward=through(_checked_solve),
        compose=_checked_solve,
        grad_fn="LinalgSolveExBackward0",
        function="torch.linalg.solve",
        signatures=("linalg_solve(Tensor A, Tensor B, *, bool left=True, Tensor out=None)",),
        shape=_solve_shape,
        section="matrix",
        hidden=True,
        part_of="inverse",
        samples=(((A22, V2), {}), ((A33, A33 + 1), {}), ((A33, V3), {}), ((A22, A22 + 1), {"left": False})),
    )
)
register(
    Record(
        name="linalg_solve_ex",
        inputs=("A", "B"),
        attributes=(_LEFT, CHECK_ERRORS),
        promotes="none",
        forward=through(_solve_ex),
        compose=_solve_ex,
        outputs=("result", "info"),
        returns="linalg_solve_ex",
        function="torch.linalg.solve_ex",
        signatures=(
            "linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False, Tensor[2] out=None)",
        ),
        section="matrix",
        hidden=True,
        part_of="inverse",
    )
)


# Cholesky


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
    lower, g = (turned(o, factor), turned(o, g)) if upper else (factor, g)
    inner = o.matmul(turned(o, lower), g)
    both = o.mul_number(o.add(o.tril(inner), turned(o, o.tril(inner, -1))), 0.5)
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
    if self.dtype.kind != "f":
        raise not_implemented("cholesky_cpu", self.dtype)
    if not self.size:
        return self.copy()
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


def _factor_gradient(o: Any, g: Any, input2: Any, result: Any, upper: bool) -> Any:
    half = o.matmul(o.cholesky_solve(g, input2, upper), turned(o, result))
    both = o.add(half, turned(o, half))
    return o.neg(o.matmul(input2, both) if upper else o.matmul(both, input2))


register(
    Record(
        name="cholesky_solve",
        inputs=("self", "input2"),
        attributes=(Attribute("upper", "bool", False),),
        promotes="none",
        check=_check_cholesky_solve,
        forward=_cholesky_solve,
        vjps={
            "self": lambda o, g, self, input2, result, upper: o.cholesky_solve(g, input2, upper),
            "input2": lambda o, g, self, input2, result, upper: _factor_gradient(o, g, input2, result, upper),
        },
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
    return _cholesky_solve(np.broadcast_to(np.eye(self.shape[-1], dtype=self.dtype), self.shape), self, upper)


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
