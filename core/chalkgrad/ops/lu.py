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
from chalkgrad.ops.composing import array_in, of_arrays
from chalkgrad.ops.contraction import check_square
from chalkgrad.ops.linear_algebra import (
    A22,
    A33,
    LinAlgError,
    by_columns,
    check_dimensions,
    check_floating,
    each_matrix,
    turned,
)
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.samples import M23, M32

Shape = tuple[int, ...]
Factors = tuple[np.ndarray, np.ndarray, np.ndarray]


# On arrays


def factorised(A: np.ndarray, pivot: bool = True) -> Factors:
    """L below and U on and above the diagonal, the rows exchanged at each step counted from 1, and the first zero."""
    LU = np.array(A, order="C")
    count = min(A.shape[-2:])
    pivots = np.empty((*A.shape[:-2], count), np.int32)
    info = np.zeros(A.shape[:-2], np.int32)
    for place, one in each_matrix(LU):
        for step in range(count):
            best = step + int(np.argmax(np.abs(one[step:, step]))) if pivot else step
            pivots[(*place, step)] = best + 1
            if one[best, step] == 0:
                info[place] = info[place] or step + 1
                continue
            one[[step, best]] = one[[best, step]]
            one[step + 1 :, step] /= one[step, step]
            one[step + 1 :, step + 1 :] -= np.outer(one[step + 1 :, step], one[step, step + 1 :])
    return by_columns(LU), pivots, info


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
        return solved(LU, pivots, B.swapaxes(-1, -2), True, not adjoint).swapaxes(-1, -2)
    order = order_of_rows(pivots, LU.shape[-1])[..., None]
    shape = (*broadcast(LU.shape[:-2], B.shape[:-2]), *B.shape[-2:])
    B, order = np.broadcast_to(B, shape), np.broadcast_to(order, (*shape[:-1], 1))
    if not adjoint:
        return by_columns(substituted(LU, substituted(LU, np.take_along_axis(B, order, -2), False, True), True))
    LUt = LU.swapaxes(-1, -2)
    inner = substituted(LUt, substituted(LUt, B, False), True, True)
    return by_columns(np.take_along_axis(inner, np.argsort(order, -2), -2))


# Factors


def _factor_ex(A: np.ndarray, pivot: bool = True, check_errors: bool = False) -> Factors:
    check_dimensions("torch.lu_factor", A.shape)
    if A.dtype.kind != "f":
        raise not_implemented("lu_cpu", A.dtype)
    if not pivot:
        raise RuntimeError("linalg.lu_factor: LU without pivoting is not implemented on the CPU")
    found = factorised(A)
    if check_errors:
        refuse_singular("torch.linalg.lu_factor_ex", found[2])
    return found
