"""Distances between all rows of one matrix and all rows of another, and between all pairs of rows of one."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import broadcast
from chalkgrad.ops.composing import array_in, in_sequence, of_arrays, through
from chalkgrad.ops.overloads import not_derivable
from chalkgrad.ops.samples import M32, V2
from chalkgrad.ops.slopes import of_pdist

Shape = tuple[int, ...]

P, MODE = Attribute("p", "float", 2.0), Attribute("compute_mode", "int", None)
_APART = M32 * 0.5 + 1
MANY_ROWS = 25
"""With more rows than this, distances in the norm 2 are made of a product of matrices, unless told otherwise."""


def _check(x1: np.ndarray, x2: np.ndarray) -> None:
    for number, array in enumerate((x1, x2), 1):
        if array.ndim < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, X{number} got: {array.ndim}D")
    if x1.shape[-1] != x2.shape[-1]:
        raise RuntimeError(f"X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2: {x2.shape[-1]}")
    for number, array in enumerate((x1, x2), 1):
        if array.dtype.kind != "f":
            raise RuntimeError(
                f"cdist only supports floating-point dtypes, X{number} got: {dtype_of(array).scalar_type}"
            )


def _check_same(x1: np.ndarray, x2: np.ndarray) -> None:
    if x1.dtype != x2.dtype:
        names = [dtype_of(array).scalar_type for array in (x1, x2)]
        raise RuntimeError(f"expected scalar type {names[0]} but found {names[1]}")


def _cdist(x1: np.ndarray, x2: np.ndarray, p: float = 2.0, compute_mode: int | None = None) -> np.ndarray:
    shape = _shape(x1.shape, x2.shape)
    if 0 in (*shape, x1.shape[-1]):
        return np.zeros(shape, x1.dtype)
    _check_same(x1, x2)
    return _norms(np.abs(x1[..., :, None, :] - x2[..., None, :, :]), p)


def _norms(apart: np.ndarray, p: float) -> np.ndarray:
    """How long the rows of ``apart`` are, which is nowhere negative."""
    if p == 0:
        return np.asarray((apart != 0).sum(-1), apart.dtype)
    if p == np.inf:
        return np.asarray(apart.max(-1, initial=0))
    if p == 1:
        return np.asarray(apart.sum(-1))
    if p == 2:
        return np.asarray(np.sqrt((apart * apart).sum(-1)))
    return np.asarray((apart**p).sum(-1) ** (1 / p), apart.dtype)


def _shape(x1: Shape, x2: Shape, **_: Any) -> Shape:
    return (*broadcast(x1[:-2], x2[:-2]), x1[-2], x2[-2])


def _cdist_by_x2(o: Any, g: Any, x1: Any, x2: Any, p: float, result: Any) -> Any:
    """Derivative of distances by the second list: by the first of those that are turned round."""
    distances = _in_rows(o, o.transpose(result, -1, -2))  # PyTorch's compiler works out the last argument first
    return o._cdist_backward(_in_rows(o, o.transpose(g, -1, -2)), x2, x1, distances, p)


def _in_rows(o: Any, x: Any) -> Any:
    """``x``, or a copy where its elements don't lie in the order of C."""
    return x if array_in(x).flags.c_contiguous else o.contiguous(x)


def _cdist_backward(grad: np.ndarray, x1: np.ndarray, x2: np.ndarray, cdist: np.ndarray, p: float) -> np.ndarray:
    """The derivative by ``x1``; 0 where a distance is 0."""
    part = _slopes(grad[..., None], x1[..., :, None, :] - x2[..., None, :, :], cdist[..., None], p)
    return np.asarray(part.sum(-2), x1.dtype)


def _slopes(g: np.ndarray, apart: np.ndarray, far: np.ndarray, p: float) -> np.ndarray:
    """What ``apart`` gets of the gradient ``g`` of its rows' lengths ``far``."""
    if p == 0:
        return np.zeros_like(apart)
    if p == 1:
        return np.asarray(g * np.sign(apart))
    if p == np.inf:
        return np.asarray(g * np.sign(apart) * (np.abs(apart) == far))
    part = np.sign(apart) * np.abs(apart) ** (p - 1) * g / far ** (p - 1)
    return np.where((far == 0) | ((apart == 0) & (p < 1)), 0, part)


def _composed(o: Any, x1: Any, x2: Any, p: float = 2.0, compute_mode: int | None = None) -> Any:
    arrays = array_in(x1), array_in(x2)
    _check(*arrays)
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")
    shape = _shape(arrays[0].shape, arrays[1].shape)
    many = compute_mode == 1 or (not compute_mode and max(shape[-2:]) > MANY_ROWS)
    if not (p == 2 and many) or 0 in (*shape, arrays[0].shape[-1]):
        return o._cdist_forward(x1, x2, p, compute_mode)
    lead, count = shape[:-2], prod(shape[:-2])
    if count != 1:
        x1, x2 = (_batches(o, x, lead, count) for x in (x1, x2))
    return o.view(o._euclidean_dist(x1, x2), shape)


def _batches(o: Any, x: Any, lead: Shape, count: int) -> Any:
    """``x`` for each of the ``count`` places in ``lead``."""
    rest = array_in(x).shape[-2:]
    return o.view(o.to_contiguous(o.expand(x, (*lead, *rest))), (count, *rest))


register(
    Record(
        name="cdist",
        inputs=("x1", "x2"),
        attributes=(P, MODE),
        promotes="none",
        forward=of_arrays("cdist"),
        compose=_composed,
        grad_fn="CdistBackward0",
        signatures=("cdist(Tensor x1, Tensor x2, float p=2, int? compute_mode=None)",),
        shape=_shape,
        section="matrix",
        hidden=True,
        samples=(((M32, _APART), {}), ((M32, _APART), {"p": 1.0}), ((M32, _APART), {"compute_mode": 1})),
    )
)
register(
    Record(
        name="_cdist_forward",
        inputs=("x1", "x2"),
        attributes=(P, MODE),
        promotes="none",
        forward=in_sequence(_cdist),
        vjps={
            "x1": lambda o, g, x1, x2, p, result: o._cdist_backward(g, x1, x2, result, p),
            "x2": _cdist_by_x2,
        },
        grad_fn="CdistBackward0",
        shape=_shape,
        section="matrix",
        hidden=True,
        part_of="cdist",
    )
)
register(
    Record(
        name="_cdist_backward",
        inputs=("grad", "x1", "x2", "cdist"),
        attributes=(Attribute("p", "float", required=True),),
        promotes="none",
        forward=in_sequence(_cdist_backward),
        vjps={name: not_derivable("_cdist_backward") for name in ("grad", "x1", "x2", "cdist")},
        grad_fn="CdistBackwardBackward0",
        section="matrix",
        hidden=True,
        part_of="cdist",
    )
)


def _euclidean(x1: np.ndarray, x2: np.ndarray) -> np.ndarray:
    """Roots of sums of squares and a product, which PyTorch adds up within one product of matrices."""
    if x1.ndim == 2 and x1.dtype != x2.dtype:  # then it is the product of two matrices that refuses
        names = [dtype_of(array).cpp for array in (x1, x2)]
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {names[0]} != {names[1]}")
    _check_same(x1, x2)
    one, other = (np.square(x).sum(-1, keepdims=True) for x in (x1, x2))
    left = np.concatenate((x1 * -2, one, np.ones_like(one)), -1)
    right = np.concatenate((x2, np.ones_like(other), other), -1)
    return np.asarray(np.sqrt(np.maximum(np.matmul(left, np.swapaxes(right, -1, -2)), 0)))


def _euclidean_gradients(
    o: Any, g: Any, x1: Any, x2: Any, result: Any, *, grad_input_mask: tuple[bool, ...]
) -> tuple[Any, Any]:
    share = o.masked_fill_number(o.div(g, result), o.eq(result, 0), 0)
    of_x1 = of_x2 = None
    if grad_input_mask[0]:
        others = o.matmul(share, x2)  # PyTorch's compiler works out the last operand first
        of_x1 = o.sub(o.mul(x1, o.sum(share, (-1,), True)), others)
    if grad_input_mask[1]:
        others = o.matmul(o.transpose(share, -1, -2), x1)
        total = o.unsqueeze(o.sum(share, (-2,), False), -1)
        of_x2 = o.sub(o.mul(x2, total), others)
    return of_x1, of_x2


register(
    Record(
        name="_euclidean_dist",
        inputs=("x1", "x2"),
        promotes="none",
        forward=_euclidean,
        vjps={"x1": _euclidean_gradients, "x2": _euclidean_gradients},
        grad_fn="EuclideanDistBackward0",
        shape=_shape,
        section="matrix",
        hidden=True,
        part_of="cdist",
        samples=(((M32, _APART), {}),),
    )
)


# pdist: the rows of one matrix


def _pdist_forward(self: np.ndarray, p: float = 2.0) -> np.ndarray:
    one, other = np.triu_indices(len(self), 1)
    return _norms(np.abs(self[one] - self[other]), p)


def _pdist_backward(grad: np.ndarray, self: np.ndarray, pdist: np.ndarray, p: float) -> np.ndarray:
    """The derivative by ``self``; 0 where a distance is 0."""
    one, other = np.triu_indices(len(self), 1)
    part = _slopes(grad[:, None], self[one] - self[other], pdist[:, None], p)
    found = np.zeros(self.shape, self.dtype)
    np.add.at(found, one, part)
    np.subtract.at(found, other, part)
    return found


def _pdist(o: Any, self: Any, p: float = 2.0) -> Any:
    values = array_in(self)
    if values.ndim != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {values.ndim}D")
    if values.dtype.kind != "f":
        raise RuntimeError("pdist only supports floating-point dtypes")
    if not p >= 0:
        raise RuntimeError("pdist only supports non-negative p values")
    return o._pdist_forward(o.to_contiguous(self), p)


def _pdist_shape(self: Shape, **_: Any) -> Shape:
    return (self[0] * (self[0] - 1) // 2,)


register(
    Record(
        name="pdist",
        inputs=("self",),
        attributes=(P,),
        promotes="none",
        forward=through(_pdist),
        compose=_pdist,
        grad_fn="PdistBackward0",
        signatures=("pdist(Tensor input, float p=2)",),
        function="torch.pdist",
        shape=_pdist_shape,
        section="matrix",
        latex=r"\|{\self}_i - {\self}_j\|",
        varying=of_pdist,
        samples=(((M32,), {}), ((M32, 1.0), {}), ((M32,), {"p": 3.0})),
        bad_samples=(((V2,), {}, "RuntimeError", "pdist only supports 2D tensors, got: 1D"),),
    )
)
register(
    Record(
        name="_pdist_forward",
        inputs=("self",),
        attributes=(P,),
        promotes="none",
        forward=_pdist_forward,
        vjps={"self": lambda o, g, self, p, result: o._pdist_backward(g, self, result, p)},
        grad_fn="PdistBackward0",
        shape=_pdist_shape,
        section="matrix",
        hidden=True,
        part_of="pdist",
    )
)
register(
    Record(
        name="_pdist_backward",
        inputs=("grad", "self", "pdist"),
        attributes=(Attribute("p", "float", required=True),),
        promotes="none",
        forward=_pdist_backward,
        vjps={name: not_derivable("_pdist_backward") for name in ("grad", "self", "pdist")},
        grad_fn="PdistBackwardBackward0",
        section="matrix",
        hidden=True,
        part_of="pdist",
    )
)
