"""Linear equations: the solution, with the factors that it was found with."""

# ruff: noqa: N803, N806  PyTorch calls matrices A, B, L, U

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.results import return_type
from chalkgrad.engine.shapes import broadcast
from chalkgrad.ops.chains import check_square
from chalkgrad.ops.composing import array_in, through
from chalkgrad.ops.factors import by_columns, factorised, first_failed, solved
from chalkgrad.ops.linear_algebra import A22, A33, CHECK_ERRORS, LinAlgError, check_floating, is_vector, turned
from chalkgrad.ops.samples import V2, V3

Shape = tuple[int, ...]


def _solve_shape(A: Shape, B: Shape, left: bool = True) -> Shape:
    check_square("linalg.solve", A)
    vector = is_vector(A, B)
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
    vector = is_vector(A.shape, B.shape)
    found = solved(LU, pivots, B[..., None] if vector else B, left)
    if vector:
        found = found[..., 0]
        found = by_columns(found) if found.ndim > 1 else found  # as if the last of the matrices were rows
    return found, LU, pivots, info


def _solve_gradient(o: Any, g: Any, A: Any, LU: Any, pivots: Any, left: bool) -> Any:
    """The derivative by the right-hand side: from the factors at hand, or, to be differentiated, from A itself."""
    if isinstance(A, np.ndarray):
        return o.linalg_lu_solve(LU, pivots, g, left=left, adjoint=True)
    return o.linalg_solve(turned(o, A), g, left=left)


def _both_gradients(
    o: Any, g: Any, A: Any, LU: Any, pivots: Any, result: Any, left: bool, *, grad_input_mask: tuple[bool, ...]
) -> Any:
    vector = len(g.shape) < len(A.shape)
    right = _solve_gradient(o, o.unsqueeze(g, -1) if vector else g, A, LU, pivots, left)
    of_matrix = None
    if grad_input_mask[0]:
        across = turned(o, o.unsqueeze(result, -1) if vector else result)
        of_matrix = o.neg(o.matmul(right, across) if left else o.matmul(across, right))
    return of_matrix, o.squeeze_dim(right, -1) if vector and grad_input_mask[1] else right


_LEFT = Attribute("left", "bool", True, positional=False)

register(
    Record(
        name="linalg_solve_lu",
        inputs=("A", "B"),
        attributes=(_LEFT,),
        promotes="none",
        check=_check_solve,
        forward=_solve,
        vjps=dict.fromkeys(("A", "B"), _both_gradients),
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
