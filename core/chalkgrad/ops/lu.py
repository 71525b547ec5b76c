"""LU factors of matrices, and linear equations solved with them or with one triangle."""

# ruff: noqa: N803, N806  PyTorch calls matrices A, B, L, U

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.results import return_type
from chalkgrad.engine.shapes import broadcast
from chalkgrad.engine.size import brackets
from chalkgrad.ops.chains import check_square
from chalkgrad.ops.composing import array_in, made_of_others
from chalkgrad.ops.factors import Factors, by_columns, factorised, first_failed, order_of_rows, solved, substituted
from chalkgrad.ops.linear_algebra import A22, A33, CHECK_ERRORS, check_floating, turned
from chalkgrad.ops.lu_gradient import lu_gradient
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.samples import M32

Shape = tuple[int, ...]


# Factors


def check_factors(name: str, A: np.ndarray, pivot: bool) -> None:
    """RuntimeError for what can't be factorised."""
    if A.ndim < 2:
        raise RuntimeError(f"{name}: Expected tensor with 2 or more dimensions. Got size: {brackets(A.shape)} instead")
    if A.dtype.kind != "f" and A.size:
        raise not_implemented("lu_cpu", A.dtype)
    if not pivot and A.size:
        raise RuntimeError("linalg.lu_factor: LU without pivoting is not implemented on the CPU")


def _factor_ex(A: np.ndarray, pivot: bool = True, check_errors: bool = False) -> Factors:
    check_factors("torch.lu_factor", A, pivot)
    found = factorised(A)
    if check_errors:
        _refuse_zeros("torch.linalg.lu_factor_ex", found[2])
    return found


def _refuse_zeros(name: str, info: np.ndarray) -> None:
    failed = first_failed(info)
    if failed is not None:
        batch, number = failed
        raise RuntimeError(
            f"{name}: {batch}U[{number},{number}] is zero and using it on lu_solve would result in a division by zero. "
            "If you still want to perform the factorization, consider calling linalg.lu(A, pivot) or "
            "linalg.lu_factor_ex(A, pivot)"
        )


def _triangles(LU: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = LU.shape[-2:]
    count = min(rows, columns)
    LU = np.ascontiguousarray(LU)  # PyTorch unpacks into tensors that lie row by row
    lower = np.tril(LU[..., :count], -1) + np.eye(rows, count, dtype=LU.dtype)
    return lower, np.triu(LU[..., :count, :])


def _lu(A: np.ndarray, pivot: bool = True) -> Factors:
    check_factors("linalg.lu", A, pivot)
    LU, pivots, _ = factorised(A)
    if not pivot:  # there is no P; what has elements was refused
        return np.empty(0, A.dtype), *_triangles(LU)
    order = order_of_rows(pivots, A.shape[-2])
    permutation = np.eye(A.shape[-2], dtype=A.dtype)[order].swapaxes(-1, -2)
    return np.ascontiguousarray(permutation), *_triangles(LU)


def _factors_gradient(o: Any, g: Any, LU: Any, pivots: Any, pivot: bool) -> Any:
    P, L, U = o.lu_unpack(LU, pivots)
    count = min(LU.shape[-2:])
    return lu_gradient(o, o.slice(g, -1, 0, count, 1), o.slice(g, -2, 0, count, 1), P if pivot else None, L, U)


_PIVOT = Attribute("pivot", "bool", True, positional=False)

register(
    Record(
        name="linalg_lu_factor_ex",
        inputs=("A",),
        attributes=(_PIVOT, CHECK_ERRORS),
        promotes="none",
        forward=_factor_ex,
        vjps={"A": lambda o, g, LU, pivots, pivot: _factors_gradient(o, g, LU, pivots, pivot)},
        grad_fn="LinalgLuFactorExBackward0",
        outputs=("LU", "pivots", "info"),
        not_differentiable=frozenset({"pivots", "info"}),
        returns="linalg_lu_factor_ex",
        function="torch.linalg.lu_factor_ex",
        signatures=("linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False, Tensor[3] out=None)",),
        section="matrix",
        hidden=True,
        part_of="inverse",
        samples=(((A33,), {}), ((M32,), {})),
    )
)


def _composed(name: str, inputs: tuple[str, ...], compose: Any, *signatures: str, **more: Any) -> None:
    """An operator of ``torch.linalg`` made of others."""
    function = f"torch.linalg.{name.removeprefix('linalg_')}"
    places: dict[str, Any] = {"function": function, "section": "matrix", "hidden": True, "part_of": "inverse"}
    made_of_others(name, inputs, compose, *signatures, **places, **more)


def _checked_factors(o: Any, A: Any, pivot: bool = True) -> Any:
    LU, pivots, info = o.linalg_lu_factor_ex(A, pivot=pivot)
    _refuse_zeros("torch.linalg.lu_factor", array_in(info))
    return return_type("linalg_lu_factor", ("LU", "pivots"))((LU, pivots))


_composed(
    "linalg_lu_factor",
    ("A",),
    _checked_factors,
    "linalg_lu_factor(Tensor A, *, bool pivot=True, Tensor[2] out=None)",
    attributes=(_PIVOT,),
)
register(
    Record(
        name="linalg_lu",
        inputs=("A",),
        attributes=(_PIVOT,),
        promotes="none",
        forward=_lu,
        vjps={"A": lambda o, g, P, L, U, pivot: lu_gradient(o, g[0], g[1], P if pivot else None, L, U)},
        grad_fn="LinalgLuBackward0",
        outputs=("P", "L", "U"),
        not_differentiable=frozenset({"P"}),
        returns="linalg_lu",
        function="torch.linalg.lu",
        signatures=("linalg_lu(Tensor A, *, bool pivot=True, Tensor[3] out=None)",),
        section="matrix",
        hidden=True,
        part_of="inverse",
    )
)


def _check_packed(LU_data: np.ndarray, LU_pivots: np.ndarray) -> None:
    if LU_data.ndim < 2:
        raise RuntimeError(
            f"torch.lu_unpack: Expected tensor with 2 or more dimensions. Got size: {brackets(LU_data.shape)} instead"
        )


def _unpacked(
    LU_data: np.ndarray, LU_pivots: np.ndarray, unpack_data: bool = True, unpack_pivots: bool = True
) -> Factors:
    if unpack_pivots and LU_pivots.dtype != np.int32:
        raise RuntimeError(
            "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.\n"
            "Note: this function is intended to be used with the output produced by torch.linalg.lu_factor"
        )
    nothing = np.empty(0, LU_data.dtype)
    permutation, lower, upper = nothing, nothing, nothing
    if unpack_pivots:
        rows = LU_data.shape[-2]
        if ((LU_pivots < 1) | (LU_pivots > rows)).any():
            raise RuntimeError(
                "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive."
                "Did you properly pass the result of lu_factor?"
            )
        permutation = np.eye(rows, dtype=LU_data.dtype)[order_of_rows(LU_pivots, rows)].swapaxes(-1, -2)
    if unpack_data:
        lower, upper = _triangles(LU_data)
    return np.ascontiguousarray(permutation), lower, upper


def _packed(o: Any, g: Any, columns: int, rows: int) -> Any:
    """The gradients of both triangles in one matrix; what lies beside its square part joins at the end."""
    gL, gU = g
    wide, high, count = columns > rows, rows > columns, min(rows, columns)
    if gU is None:
        below = o.tril(gL, -1)
        return o.cat([below, o.zeros_of(gL, (*gL.shape[:-1], columns - rows))], -1) if wide else below
    if gL is None:
        above = o.triu(gU)
        return o.cat([above, o.zeros_of(gU, (*gU.shape[:-2], rows - columns, columns))], -2) if high else above
    above = o.triu(o.narrow(gU, -1, 0, count) if wide else gU)
    square = o.add(o.tril(o.narrow(gL, -2, 0, count) if high else gL, -1), above)
    if high:
        return o.cat([square, o.narrow(gL, -2, count, rows - count)], -2)
    return o.cat([square, o.narrow(gU, -1, count, columns - count)], -1) if wide else square


register(
    Record(
        name="lu_unpack",
        inputs=("LU_data", "LU_pivots"),
        attributes=(Attribute("unpack_data", "bool", True), Attribute("unpack_pivots", "bool", True)),
        promotes="none",
        check=_check_packed,
        forward=_unpacked,
        vjps={
            "LU_data": lambda o, g, LU_data_sym_argsize_minus_1, LU_data_sym_argsize_minus_2: _packed(
                o, g, LU_data_sym_argsize_minus_1, LU_data_sym_argsize_minus_2
            )
        },
        grad_fn="LuUnpackBackward0",
        outputs=("P", "L", "U"),
        not_differentiable=frozenset({"P"}),
        returns="lu_unpack",
        function="torch.lu_unpack",
        signatures=(
            (
                "lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True, *, "
                "Tensor[3] out=None)"
            ),
        ),
        section="matrix",
        hidden=True,
        part_of="inverse",
    )
)


# Equations


def check_sides(name: str, A: Shape, B: Shape, left: bool) -> Shape:
    """The shape of what solves ``A @ X = B``, or ``X @ A = B``; RuntimeError where they don't fit."""
    check_square(name, A)
    if len(B) < 2:
        raise RuntimeError(f"{name.removeprefix('torch.')}: The input tensor B must have at least 2 dimensions.")
    if B[-2 if left else -1] != A[-1]:
        raise RuntimeError(
            f"{name.removeprefix('torch.')}: Incompatible shapes of A and B for the equation {'AX' if left else 'XA'} "
            f"= B ({A[-2]}x{A[-1]} and {B[-2]}x{B[-1]})"
        )
    return (*broadcast(A[:-2], B[:-2]), *B[-2:])


def check_lu_solve(LU: np.ndarray, pivots: np.ndarray, B: np.ndarray) -> None:
    """RuntimeError for factors, their pivots and a right side that don't go together by dtype."""
    check_floating("torch.linalg.lu_solve", LU)
    if LU.dtype != B.dtype:
        raise RuntimeError(
            f"linalg.lu_solve: Expected LU and B to have the same dtype, but found LU of type "
            f"{dtype_of(LU).scalar_type} and B of type {dtype_of(B).scalar_type} instead"
        )
    if pivots.dtype != np.int32:
        raise RuntimeError("linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32")


def _lu_solve(
    LU: np.ndarray, pivots: np.ndarray, B: np.ndarray, left: bool = True, adjoint: bool = False
) -> np.ndarray:
    if LU.shape[-1] != pivots.shape[-1]:
        raise RuntimeError("linalg.lu_solve: Number of pivots per batch should be same as the dimension of the matrix")
    return solved(LU, pivots, B, left, adjoint)


def _lu_solve_gradient(o: Any, g: Any, LU: Any, pivots: Any, result: Any, left: bool, adjoint: bool) -> Any:
    """The derivative by the factors, in PyTorch's steps."""
    P, L, U = o.lu_unpack(LU, pivots, unpack_pivots=left == adjoint)
    if left != adjoint:
        whole = o.neg(o.matmul(g, turned(o, result)) if left else o.matmul(turned(o, g), result))
        upper = o.linalg_solve_triangular(turned(o, U), whole, upper=False)
        right = o.matmul(upper, turned(o, U))
        lower = o.linalg_solve_triangular(turned(o, L), right, upper=True, unitriangular=True)
        return o.add(o.tril(lower, -1), o.triu(upper))
    whole = o.matmul(turned(o, P), result if left else turned(o, result))
    whole = o.neg(o.matmul(o.matmul(whole, turned(o, g) if left else g), P))
    lower = o.linalg_solve_triangular(turned(o, L), whole, upper=True, left=False, unitriangular=True)
    right = o.matmul(turned(o, L), lower)
    upper = o.triu(o.linalg_solve_triangular(turned(o, U), right, upper=False, left=False))
    return o.add(o.tril(lower, -1), upper)


register(
    Record(
        name="linalg_lu_solve",
        inputs=("LU", "pivots", "B"),
        attributes=(Attribute("left", "bool", True, positional=False), Attribute("adjoint", "bool", False)),
        promotes="none",
        check=check_lu_solve,
        no_gradient=frozenset({"pivots"}),
        forward=_lu_solve,
        vjps={
            "LU": lambda o, g, LU, pivots, result, left, adjoint: _lu_solve_gradient(
                o, g, LU, pivots, result, left, adjoint
            ),
            "B": lambda o, g, LU, pivots, left, adjoint: o.linalg_lu_solve(
                LU, pivots, g, left=left, adjoint=not adjoint
            ),
        },
        grad_fn="LinalgLuSolveBackward0",
        function="torch.linalg.lu_solve",
        signatures=(
            (
                "linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False, "
                "Tensor out=None)"
            ),
        ),
        shape=lambda LU, pivots, B, left=True, adjoint=False: check_sides("torch.linalg.lu_solve", LU, B, left),
        section="matrix",
        hidden=True,
        part_of="inverse",
    )
)


def _solve_triangular(
    self: np.ndarray, B: np.ndarray, upper: bool, left: bool = True, unitriangular: bool = False
) -> np.ndarray:
    if self.dtype.kind != "f":
        raise not_implemented("triangular_solve_cpu", self.dtype)
    B = B.astype(self.dtype, copy=False)
    if left:
        return by_columns(substituted(self, B, upper, unitriangular))
    found = substituted(self.swapaxes(-1, -2), B.swapaxes(-1, -2), not upper, unitriangular)
    return by_columns(found.swapaxes(-1, -2))


def _triangular_gradients(
    o: Any,
    g: Any,
    self: Any,
    result: Any,
    upper: bool,
    left: bool,
    unitriangular: bool,
    *,
    grad_input_mask: tuple[bool, ...],
) -> Any:
    right = o.linalg_solve_triangular(turned(o, self), g, upper=not upper, left=left, unitriangular=unitriangular)
    if not grad_input_mask[0]:
        return None, right
    whole = o.neg(o.matmul(right, turned(o, result)) if left else o.matmul(turned(o, result), right))
    return o.triu(whole, int(unitriangular)) if upper else o.tril(whole, -int(unitriangular)), right


register(
    Record(
        name="linalg_solve_triangular",
        inputs=("self", "B"),
        attributes=(
            Attribute("upper", "bool", required=True, positional=False),
            Attribute("left", "bool", True, positional=False),
            Attribute("unitriangular", "bool", False, positional=False),
        ),
        promotes="none",
        forward=_solve_triangular,
        vjps=dict.fromkeys(("self", "B"), _triangular_gradients),
        grad_fn="LinalgSolveTriangularBackward0",
        function="torch.linalg.solve_triangular",
        signatures=(
            (
                "linalg_solve_triangular(Tensor input, Tensor B, *, bool upper, bool left=True, "
                "bool unitriangular=False, Tensor out=None)"
            ),
        ),
        shape=lambda self, B, upper, left=True, unitriangular=False: check_sides(
            "linalg.solve_triangular", self, B, left
        ),
        section="matrix",
        hidden=True,
        part_of="inverse",
        samples=(((A22, A22 + 1), {"upper": True}), ((A33, M32), {"upper": False, "unitriangular": True})),
    )
)
