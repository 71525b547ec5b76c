"""Linear equations, and Cholesky's factor of square matrices."""

# ruff: noqa: N803  PyTorch calls matrices A and B

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import broadcast
from chalkgrad.ops.contraction import check_square
from chalkgrad.ops.linear_algebra import (
    A22,
    A33,
    LinAlgError,
    by_columns,
    check_floating,
    check_matrices,
    each_matrix,
    square,
    turned,
    zero_pivot,
)
from chalkgrad.ops.samples import V2, V3

Shape = tuple[int, ...]


# Linear equations


def _is_vector(A: Shape, B: Shape) -> bool:
    """True where ``B`` holds one vector, not one matrix, for each matrix."""
    return len(B) == 1 or (len(A) - 1 == len(B) and A[:-1] == B)


def _solve_shape(A: Shape, B: Shape, left: bool = True) -> Shape:
    check_square("linalg.solve", A)
    vector = _is_vector(A, B)
    if vector and not left:
        raise RuntimeError(
            "linalg.solve: Vector broadcasting of the left hand side is not supported for left=False. In this case "
            "linalg.solve is equivalent to B / A.squeeze(-1)"
        )
    right = (*B, 1) if vector else B
    if (right[-2] if left else right[-1]) != A[-1]:
        raise RuntimeError(
            f"linalg.solve: Incompatible shapes of A and B for the equation {'AX' if left else 'XA'} = B "
            f"({A[-2]}x{A[-1]} and {right[-2]}x{right[-1]})"
        )
    shape = (*broadcast(A[:-2], right[:-2]), *right[-2:])
    return shape[:-1] if vector else shape


def _solve(A: np.ndarray, B: np.ndarray, left: bool = True) -> np.ndarray:
    check_floating("linalg.solve", A)
    if A.dtype != B.dtype:
        first, second = dtype_of(A).scalar_type, dtype_of(B).scalar_type
        raise RuntimeError(
            f"linalg.solve: Expected A and B to have the same dtype, but found A of type {first} and B of type "
            f"{second} instead"
        )
    try:
        if not left:
            return np.ascontiguousarray(np.linalg.solve(A.swapaxes(-1, -2), B.swapaxes(-1, -2)).swapaxes(-1, -2))
        if _is_vector(A.shape, B.shape):
            return np.linalg.solve(A, B[..., None])[..., 0]
        return by_columns(np.linalg.solve(A, B))
    except np.linalg.LinAlgError:
        failed = [place for place, (_, one) in enumerate(each_matrix(A)) if zero_pivot(one)]
        batch = f"(Batch element {failed[0]}): " if A.ndim > 2 else ""
        raise LinAlgError(
            f"torch.linalg.solve: {batch}The solver failed because the input matrix is singular."
        ) from None


def _solve_gradient(o: Any, g: Any, A: Any, left: bool) -> Any:
    """The derivative by the right-hand side."""
    if len(g.shape) < len(A.shape):  # one vector for each matrix
        return o.squeeze_dim(o.linalg_solve(turned(o, A), o.unsqueeze(g, -1), left=left), -1)
    return o.linalg_solve(turned(o, A), g, left=left)


def _matrix_gradient(o: Any, g: Any, A: Any, result: Any, left: bool) -> Any:
    right = _solve_gradient(o, g, A, left)
    if len(g.shape) < len(A.shape):
        return o.neg(o.matmul(o.unsqueeze(right, -1), o.unsqueeze(result, -2)))
    if left:
        return o.neg(o.matmul(right, turned(o, result)))
    return o.neg(o.matmul(turned(o, result), right))


register(
    Record(
        name="linalg_solve",
        inputs=("A", "B"),
        attributes=(Attribute("left", "bool", True, positional=False),),
        promotes="none",
        forward=_solve,
        vjps={
            "A": lambda o, g, A, result, left: _matrix_gradient(o, g, A, result, left),
            "B": lambda o, g, A, left: _solve_gradient(o, g, A, left),
        },
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


# Cholesky


def _cholesky(name: str, array: np.ndarray, upper: bool) -> np.ndarray:
    check_matrices(name, array)
    lower = np.zeros_like(array, order="C")
    for place, one in each_matrix(array):
        for order in range(1, len(one) + 1):
            row = one[order - 1, :order] if not upper or name != "cholesky" else one[:order, order - 1]
            head = lower[place][: order - 1, : order - 1]
            known = np.linalg.solve(head, row[:-1]) if order > 1 else row[:-1]
            rest = row[-1] - known @ known
            if not rest > 0:
                batch = f"(Batch element {int(np.ravel_multi_index(place, array.shape[:-2]))}): " if place else ""
                raise LinAlgError(
                    f"{name}: {batch}The factorization could not be completed because the input is not "
                    f"positive-definite (the leading minor of order {order} is not positive-definite)."
                )
            lower[place][order - 1, : order - 1] = known
            lower[place][order - 1, order - 1] = np.sqrt(rest)
    return by_columns(lower.swapaxes(-1, -2) if upper else lower)


def _cholesky_gradient(o: Any, g: Any, factor: Any, upper: bool) -> Any:
    """The symmetric derivative by the matrix, of which only one triangle was read."""
    lower, g = (turned(o, factor), turned(o, g)) if upper else (factor, g)
    inner = o.matmul(turned(o, lower), g)
    half = o.mul_number(o.diag_embed(o.diagonal(inner, 0, -2, -1)), 0.5)
    inverse = o.linalg_inv_ex(lower)[0]
    whole = o.matmul(turned(o, inverse), o.matmul(o.sub(o.tril(inner), half), inverse))
    return o.mul_number(o.add(whole, turned(o, whole)), 0.5)


register(
    Record(
        name="linalg_cholesky",
        inputs=("self",),
        attributes=(Attribute("upper", "bool", False, positional=False),),
        promotes="none",
        forward=lambda self, upper=False: _cholesky("linalg.cholesky", self, upper),
        vjps={"self": lambda o, g, result, upper: _cholesky_gradient(o, g, result, upper)},
        grad_fn="LinalgCholeskyExBackward0",
        function="torch.linalg.cholesky",
        signatures=("linalg_cholesky(Tensor input, *, bool upper=False, Tensor out=None)",),
        shape=square("linalg.cholesky"),
        section="matrix",
        hidden=True,
        part_of="inverse",
    )
)
register(
    Record(
        name="cholesky",
        inputs=("self",),
        attributes=(Attribute("upper", "bool", False),),
        promotes="none",
        forward=lambda self, upper=False: _cholesky("cholesky", self, upper),
        vjps={"self": lambda o, g, result, upper: _cholesky_gradient(o, g, result, upper)},
        grad_fn="CholeskyBackward0",
        function="torch.cholesky",
        method="cholesky",
        signatures=("cholesky(Tensor input, bool upper=False, *, Tensor out=None)",),
        shape=square("cholesky"),
        section="matrix",
        hidden=True,
        part_of="inverse",
    )
)
