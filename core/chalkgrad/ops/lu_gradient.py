"""The derivative of LU factors by the matrix that they are of."""

# ruff: noqa: N803  PyTorch calls matrices P, L, U

from __future__ import annotations

from typing import Any

from chalkgrad.ops.linear_algebra import difference, turned


def lu_gradient(o: Any, gL: Any, gU: Any, P: Any, L: Any, U: Any) -> Any:
    """The derivative by the matrix, in PyTorch's steps; what lies beside the square part of L or U joins at the end.

    ``P`` is None where no rows were exchanged.
    """
    rows, columns = L.shape[-2], U.shape[-1]
    count = min(rows, columns)
    if rows > columns:
        above = None if gU is None else o.matmul(gU, turned(o, U))
        below = None if gL is None else o.matmul(turned(o, L), o.tril(gL, -1))
    else:
        below = None if gL is None else o.matmul(turned(o, L), gL)
        below = _part(o, "tril", below, -1) if rows == columns else below
        above = None if gU is None else o.matmul(o.triu(gU) if rows < columns else gU, turned(o, U))
    if rows == columns:
        inner = _sum(o, below, _part(o, "triu", above, 0))
        inner = o.linalg_solve_triangular(turned(o, U), inner, upper=False, left=False)
        inner = o.linalg_solve_triangular(turned(o, L), inner, upper=True, unitriangular=True)
    elif rows < columns:
        inner = _part(o, "tril", difference(o, below, above), -1)
        square = turned(o, o.slice(U, -1, 0, count, 1))
        inner = o.linalg_solve_triangular(square, inner, upper=False, left=False)
        if gU is not None:
            inner = o.add(inner, o.triu(o.slice(gU, -1, 0, count, 1)))
            inner = o.cat([inner, o.slice(gU, -1, count, columns, 1)], -1)
        inner = o.linalg_solve_triangular(turned(o, L), inner, upper=True, unitriangular=True)
        if gU is None:
            inner = o.cat([inner, o.zeros_of(inner, (*inner.shape[:-1], columns - count))], -1)
    else:
        inner = _part(o, "triu", difference(o, above, below), 0)
        square = turned(o, o.slice(L, -2, 0, count, 1))
        inner = o.linalg_solve_triangular(square, inner, upper=True, unitriangular=True)
        if gL is not None:
            inner = o.add(inner, o.tril(o.slice(gL, -2, 0, count, 1), -1))
            inner = o.cat([inner, o.slice(gL, -2, count, rows, 1)], -2)
        inner = o.linalg_solve_triangular(turned(o, U), inner, upper=False, left=False)
        if gL is None:
            inner = o.cat([inner, o.zeros_of(inner, (*inner.shape[:-2], rows - count, count))], -2)
    return inner if P is None else o.matmul(P, inner)


def _part(o: Any, triangle: str, square: Any, diagonal: int) -> Any:
    return None if square is None else getattr(o, triangle)(square, diagonal)


def _sum(o: Any, first: Any, second: Any) -> Any:
    return second if first is None else first if second is None else o.add(first, second)
