"""Distances between all rows of one matrix and all rows of another."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import broadcast
from chalkgrad.ops.overloads import underivable

Shape = tuple[int, ...]


def _check(x1: np.ndarray, x2: np.ndarray) -> None:
    for number, array in enumerate((x1, x2), 1):
        if array.dtype.kind != "f":
            raise RuntimeError(
                f"cdist only supports floating-point dtypes, X{number} got: {dtype_of(array).scalar_type}"
            )
    for number, array in enumerate((x1, x2), 1):
        if array.ndim < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, X{number} got: {array.ndim}D")
    if x1.shape[-1] != x2.shape[-1]:
        raise RuntimeError(f"X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2: {x2.shape[-1]}")
    if x1.dtype != x2.dtype:
        names = [dtype_of(array).scalar_type for array in (x1, x2)]
        raise RuntimeError(f"expected scalar type {names[0]} but found {names[1]}")


def _cdist(x1: np.ndarray, x2: np.ndarray, p: float = 2.0, compute_mode: int | None = None) -> np.ndarray:
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")
    apart = np.abs(x1[..., :, None, :] - x2[..., None, :, :])
    if p == 0:
        return np.asarray((apart != 0).sum(-1), x1.dtype)
    if p == np.inf:
        return np.asarray(apart.max(-1, initial=0))
    if p == 1:
        return np.asarray(apart.sum(-1))
    if p == 2:
        return np.asarray(np.sqrt((apart * apart).sum(-1)))
    return np.asarray((apart**p).sum(-1) ** (1 / p), x1.dtype)


def _shape(x1: Shape, x2: Shape, **_: Any) -> Shape:
    return (*broadcast(x1[:-2], x2[:-2]), x1[-2], x2[-2])


def _cdist_backward(grad: np.ndarray, x1: np.ndarray, x2: np.ndarray, cdist: np.ndarray, p: float) -> np.ndarray:
    """The derivative by ``x1``; 0 where a distance is 0."""
    apart = x1[..., :, None, :] - x2[..., None, :, :]
    g, far = grad[..., None], cdist[..., None]
    if p == 0:
        part = np.zeros_like(apart)
    elif p == 1:
        part = g * np.sign(apart)
    elif p == np.inf:
        part = g * np.sign(apart) * (np.abs(apart) == far)
    else:
        part = np.sign(apart) * np.abs(apart) ** (p - 1) * g / far ** (p - 1)
        part = np.where((far == 0) | ((apart == 0) & (p < 1)), 0, part)
    return np.asarray(part.sum(-2), x1.dtype)


register(
    Record(
        name="cdist",
        inputs=("x1", "x2"),
        attributes=(Attribute("p", "float", 2.0), Attribute("compute_mode", "int", None)),
        promotes="none",
        check=_check,
        forward=_cdist,
        vjps={
            "x1": lambda o, g, x1, x2, p, result: o.cdist_backward(g, x1, x2, result, p),
            "x2": lambda o, g, x1, x2, p, result: o.cdist_backward(
                o.transpose(g, -1, -2), x2, x1, o.transpose(result, -1, -2), p
            ),
        },
        grad_fn="CdistBackward0",
        signatures=("cdist(Tensor x1, Tensor x2, float p=2, int? compute_mode=None)",),
        shape=_shape,
        section="matrix",
        hidden=True,
    )
)
register(
    Record(
        name="cdist_backward",
        inputs=("grad", "x1", "x2", "cdist"),
        attributes=(Attribute("p", "float", required=True),),
        promotes="none",
        forward=_cdist_backward,
        vjps={name: underivable("_cdist_backward") for name in ("grad", "x1", "x2", "cdist")},
        grad_fn="CdistBackwardBackward0",
        section="matrix",
        hidden=True,
        part_of="cdist",
    )
)
