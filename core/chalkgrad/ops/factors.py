"""LU factors of arrays, and equations solved with them."""

# ruff: noqa: N803, N806  PyTorch calls matrices A, B, L, U

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from chalkgrad.engine.ordering import laid_out
from chalkgrad.engine.shapes import broadcast

Shape = tuple[int, ...]
Factors = tuple[np.ndarray, np.ndarray, np.ndarray]


def by_columns(matrices: np.ndarray) -> np.ndarray:
    """The same matrices with each column in one piece of memory, as LAPACK leaves them."""
    ndim = matrices.ndim
    made = laid_out(matrices.shape, (*range(ndim - 2), ndim - 1, ndim - 2), matrices.dtype)
    np.copyto(made, matrices)
    return made


def each_matrix(array: np.ndarray) -> Iterator[tuple[Shape, np.ndarray]]:
    """The single matrices of a batch with their places in it."""
    return ((place, array[place]) for place in np.ndindex(array.shape[:-2]))


def first_failed(info: np.ndarray) -> tuple[str, int] | None:
    """How an error about the first matrix whose ``info`` is not 0 begins, and that number; None where all are 0."""
    failed = np.flatnonzero(info)
    if not failed.size:
        return None
    return f"(Batch element {failed[0]}): " if info.ndim else "", int(info.reshape(-1)[failed[0]])


def factorised(A: np.ndarray, pivot: bool = True) -> Factors:
    """L below and U on and above the diagonal, the rows exchanged at each step counted from 1, and the first zero."""
    LU = np.array(A, order="C")
    count = min(A.shape[-2:])
    pivots = np.empty((*A.shape[:-2], count), np.int32)
    info = np.zeros(A.shape[:-2], np.int32)
    for place, one in each_matrix(LU):
        for step in range(count):
            best = step + _largest(one[step:, step]) if pivot else step
            pivots[(*place, step)] = best + 1
            if one[best, step] == 0:
                info[place] = info[place] or step + 1
                continue
            one[[step, best]] = one[[best, step]]
            one[step + 1 :, step] /= one[step, step]
            one[step + 1 :, step + 1 :] -= np.outer(one[step + 1 :, step], one[step, step + 1 :])
    return by_columns(LU), pivots, info


def _largest(column: np.ndarray) -> int:
    """Where the largest magnitude is; as in BLAS a NaN is not larger than anything, and nothing larger than it."""
    sizes = np.abs(column)
    return 0 if np.isnan(sizes[0]) else int(np.nanargmax(sizes))


def order_of_rows(pivots: np.ndarray, rows: int) -> np.ndarray:
    """For each row of ``L @ U``, which row of the matrix it is."""
    order = np.broadcast_to(np.arange(rows), (*pivots.shape[:-1], rows)).copy()
    for place in np.ndindex(pivots.shape[:-1]):
        for step, other in enumerate(pivots[place] - 1):
            order[place][[step, other]] = order[place][[other, step]]
    return order


def substituted(A: np.ndarray, B: np.ndarray, upper: bool, unit: bool = False) -> np.ndarray:
    """X with ``A @ X = B``, where only one triangle of A is read."""
    shape = broadcast(A.shape[:-2], B.shape[:-2])
    X = np.array(np.broadcast_to(B, (*shape, *B.shape[-2:])), order="C")
    rows = range(A.shape[-1])
    for row in reversed(rows) if upper else rows:
        known = slice(row + 1, None) if upper else slice(0, row)
        X[..., row, :] -= (A[..., row, None, known] @ X[..., known, :])[..., 0, :]
        if not unit:
            X[..., row, :] /= A[..., row, row, None]
    return X


def solved(LU: np.ndarray, pivots: np.ndarray, B: np.ndarray, left: bool = True, adjoint: bool = False) -> np.ndarray:
    """X with ``A @ X = B`` for the matrix that was factorised; of its transpose, or from the right."""
    if not left:
        found = solved(LU, pivots, B.swapaxes(-1, -2), True, not adjoint)
        return found.swapaxes(-1, -2).copy(order="K")  # no view
    order = order_of_rows(pivots, LU.shape[-1])[..., None]
    shape = (*broadcast(LU.shape[:-2], B.shape[:-2]), *B.shape[-2:])
    B, order = np.broadcast_to(B, shape), np.broadcast_to(order, (*shape[:-1], 1))
    if not adjoint:
        return by_columns(substituted(LU, substituted(LU, np.take_along_axis(B, order, -2), False, True), True))
    LUt = LU.swapaxes(-1, -2)
    inner = substituted(LUt, substituted(LUt, B, False), True, True)
    return by_columns(np.take_along_axis(inner, np.argsort(order, -2), -2))
