"""Normalisation of groups of channels by their mean and variance."""

# ruff: noqa: N803, N806  PyTorch calls sizes N, C, HxW and tensors X, Y

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from chalkgrad.engine import memory_format
from chalkgrad.engine.apply import register
from chalkgrad.engine.device import MemoryFormat, contiguous_format
from chalkgrad.engine.record import Attribute, Record, integers
from chalkgrad.engine.rules import ARRAYS
from chalkgrad.engine.shapes import size_at
from chalkgrad.engine.size import brackets
from chalkgrad.engine.storage import reshaped
from chalkgrad.ops.composing import in_format, of_arrays
from chalkgrad.ops.normalizing import (
    BIAS,
    EPS,
    IMAGE,
    NORMAL,
    SLOPES,
    WEIGHT,
    check_dtypes,
    check_mixed,
    existing,
    of_moments,
    statistics,
    stretched,
)
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.windows import Sizes

Pair = tuple[np.ndarray, np.ndarray]


def _in_groups(shape: Sizes, group: int) -> Sizes:
    return (shape[0], group, shape[1] // group * prod(shape[2:]))


def _group_norm(input: np.ndarray, weight: Any, bias: Any, N: int, C: int, HxW: int, group: int, eps: float) -> Any:
    check_mixed(input, weight, bias)
    if input.dtype.kind != "f":
        raise not_implemented("GroupNormKernelImpl", input.dtype)
    check_dtypes(input, weight, bias)
    grouped = input.reshape(_in_groups(input.shape, group))
    mean, scale = statistics(grouped, (2,), eps)
    saved = mean[..., 0], scale[..., 0]
    if weight is None and bias is None:
        return reshaped((grouped - mean) * scale, input.shape), *saved
    by_channel = (N, group, C // group, HxW)
    weight, bias = (None if one is None else one.reshape(1, group, -1, 1) for one in (weight, bias))
    found = stretched(input.reshape(by_channel), mean[..., None], scale[..., None], weight, bias)
    return reshaped(found, input.shape), *saved


def _group_backward(
    grad_out: np.ndarray,
    input: np.ndarray,
    mean: np.ndarray,
    rstd: np.ndarray,
    weight: Any,
    N: int,
    C: int,
    HxW: int,
    group: int,
    eps: float,
    output_mask: tuple[bool, ...],
) -> tuple[np.ndarray, ...]:
    if output_mask[2] and weight is None:
        raise RuntimeError("tensor does not have a device")  # PyTorch makes room by the weight
    grad, x = (one.reshape(N, group, C // group, HxW) for one in (grad_out, input))
    mean, scale = mean[..., None, None], rstd[..., None, None]
    ds, db = (grad * x).sum(3, keepdims=True), grad.sum(3, keepdims=True)
    found = (
        _by_groups(_by_group(grad, x, (mean, scale), (ds, db), weight), input) if output_mask[0] else None,
        reshaped(((ds - db * mean) * scale).sum(0), (C,)) if output_mask[1] else None,
        reshaped(db.sum(0), (C,)) if output_mask[2] else None,
    )
    return existing(found, grad_out)


def _by_group(grad: np.ndarray, x: np.ndarray, moments: Pair, sums: Pair, weight: Any) -> np.ndarray:
    """By the input: the gradient, the input and a number, each with a factor, as PyTorch adds them up.

    ``sums`` are, for each channel, that of the gradient times the input and that of the gradient.
    """
    mean, scale = moments
    gamma = None if weight is None else weight.reshape(1, x.shape[1], -1, 1)
    ds, db = ((one if gamma is None else one * gamma).sum(2, keepdims=True) for one in sums)
    of_input, constant = of_moments(mean, scale, ds, db, 1 / max(x.shape[2] * x.shape[3], 1))
    return np.asarray((scale if gamma is None else scale * gamma) * grad + of_input * x + constant)


def _by_groups(found: np.ndarray, input: np.ndarray) -> np.ndarray:
    """What was found for each group, in the shape of the input; no view, as PyTorch makes it."""
    return reshaped(np.asarray(found, order="C"), input.shape)


def group_backward(
    o: Any,
    g: Any,
    input: Any,
    weight: Any,
    result1: Any,
    result2: Any,
    N: int,
    C: int,
    HxW: int,
    group: int,
    eps: float,
    *,
    grad_input_mask: tuple[bool, ...],
) -> Any:
    """Derivatives of group normalisation by its input, by weight and by bias.

    Where they are recorded, or mean and deviation have gradients of their own because they once were, they are made of
    operators that have all derivatives.
    """
    sizes = (N, C, HxW, group)
    if o is ARRAYS and g[1] is None and g[2] is None:
        return o.native_group_norm_backward(g[0], input, result1, result2, weight, *sizes, eps, grad_input_mask)
    return _recorded(o, g, input, weight, result1, result2, sizes, grad_input_mask)


def _recorded(
    o: Any, g: Any, X: Any, gamma: Any, mean: Any, rstd: Any, sizes: tuple[int, ...], mask: tuple[bool, ...]
) -> tuple[Any, Any, Any]:
    N, C, HxW, G = sizes
    D = C // G
    dY, dmean, drstd = g
    parts, ones = (N, G, D, HxW), (N, G, 1, 1)
    whole, mean, rstd = o.reshape(X, parts), o.reshape(mean, ones), o.reshape(rstd, ones)
    grad, ds, db = None, None, None
    if dY is not None:
        grad = o.reshape(dY, parts)
        ds = o.unsqueeze_(o.sum_dim(o.mul(grad, whole), (3,)), -1)
        db = o.unsqueeze_(o.sum_dim(grad, (3,)), -1)
    dX, dgamma, dbeta = None, None, None
    if mask[0]:
        weight = None if gamma is None else o.reshape(gamma, (1, G, D, 1))
        cube = o.mul(o.mul(rstd, rstd), rstd)
        dvar = None
        if dmean is not None and drstd is not None:
            of_rstd = o.reshape(drstd, ones)  # the last operand first, as PyTorch's compiler does
            dvar = o.mul(o.mul_number(cube, -0.5), of_rstd)
        if dY is not None:
            dX = _by_input(o, grad, whole, mean, rstd, cube, ds, db, weight)
        if dvar is not None:
            rest = _by_statistics(o, o.reshape(dmean, ones), dvar, whole)
            dX = rest if dX is None else o.add(dX, rest)
        dX = None if dX is None else o.reshape(dX, tuple(X.shape))
    if mask[1] and dY is not None:
        dgamma = o.reshape(o.sum_dim(o.mul(o.sub(ds, o.mul(db, mean)), rstd), (0,)), (C,))
    if mask[2] and dY is not None:
        dbeta = o.reshape(o.sum_dim(db, (0,)), (0,) if gamma is None else (C,))  # PyTorch takes the weight's shape
    return dX, dgamma, dbeta


def _by_input(o: Any, grad: Any, whole: Any, mean: Any, rstd: Any, cube: Any, ds: Any, db: Any, gamma: Any) -> Any:
    """By the input, in the steps that PyTorch takes."""
    share = 1 / (whole.shape[2] * whole.shape[3])
    a = rstd if gamma is None else o.mul(rstd, gamma)
    b, c = (o.unsqueeze_(o.sum_dim(one if gamma is None else o.mul(one, gamma), (2,)), -2) for one in (ds, db))
    b = o.mul_number(o.mul(o.sub(o.mul(c, mean), b), cube), share)
    subtracted = o.mul_number(o.mul(c, rstd), share)  # PyTorch's compiler works out the last operand first
    c = o.sub(o.mul(o.neg(b), mean), subtracted)
    of_input = o.mul(b, whole)
    return o.add(o.add(o.mul(a, grad), of_input), c)


def _by_statistics(o: Any, dmean: Any, dvar: Any, whole: Any) -> Any:
    """By the input, of gradients of mean and variance; how far it lies from the mean is worked out anew."""
    count = whole.shape[2] * whole.shape[3]
    away = o.sub(whole, o.mean(whole, (2, 3), True))
    spread = o.mul(o.mul_number(dvar, 2 / count), away)
    return o.add(spread, o.div_number(o.expand(dmean, tuple(whole.shape)), count))


register(
    Record(
        name="native_group_norm",
        inputs=("input", "weight", "bias"),
        attributes=(*integers("N", "C", "HxW", "group"), EPS),
        optional=frozenset({"weight", "bias"}),
        promotes="none",
        forward=in_format(_group_norm),
        vjps=dict.fromkeys(("input", "weight", "bias"), group_backward),
        grad_fn="NativeGroupNormBackward0",
        outputs=("result0", "result1", "result2"),
        section="layer",
        hidden=True,
    )
)
register(
    Record(
        name="native_group_norm_backward",
        inputs=("grad_out", "input", "mean", "rstd", "weight"),
        attributes=(
            *integers("N", "C", "HxW", "group"),
            EPS,
            Attribute("output_mask", "choice", required=True),
        ),
        optional=frozenset({"weight"}),
        promotes="none",
        forward=in_format(_group_backward, 1),
        outputs=("result0", "result1", "result2"),
        section="layer",
        hidden=True,
    )
)


def _same_shape(input: Sizes, *_: Any, **__: Any) -> Sizes:
    return input


def _laid(o: Any, x: Any, form: MemoryFormat) -> Any:
    """``x``, or a copy where its elements don't lie one after the other in that memory format."""
    return x if memory_format.is_contiguous(x.array, form) else o.contiguous(x, memory_format=form)


def _public_group(o: Any, self: Any, weight: Any, bias: Any, num_groups: int, eps: float, **_: Any) -> Any:
    shape = self.array.shape
    size_at(shape, 0)  # which is asked for first
    channels = size_at(shape, 1)
    if num_groups <= 0:
        raise RuntimeError(f"Expected num groups to be greater than 0, got {num_groups}")
    if channels % num_groups:
        raise RuntimeError(
            f"Expected number of channels in input to be divisible by num_groups, but got input of shape "
            f"{brackets(shape)} and num_groups={num_groups}"
        )
    for name, value in (("weight", weight), ("bias", bias)):
        if value is not None and value.array.shape != (channels,):
            told = (0,) if weight is None else weight.array.shape  # whichever it is
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of "
                f"shape {brackets(told)} and input of shape {brackets(shape)}"
            )
    laid = _laid(o, self, memory_format.suggested(self.array))
    weight, bias = (value if value is None else _laid(o, value, contiguous_format) for value in (weight, bias))
    return o.native_group_norm(laid, weight, bias, shape[0], channels, prod(shape[2:]), num_groups, eps)[0]


register(
    Record(
        name="group_norm",
        inputs=("self", "weight", "bias"),
        attributes=(
            Attribute("num_groups", "int", required=True),
            EPS,
            Attribute("cudnn_enabled", "bool", True),
        ),
        optional=frozenset({"weight", "bias"}),
        promotes="none",
        forward=of_arrays("group_norm"),
        compose=_public_group,
        grad_fn="NativeGroupNormBackward0",
        function="torch.group_norm",
        shape=_same_shape,
        section="layer",
        latex=NORMAL,
        derivatives=SLOPES,
        signatures=(
            (
                "group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, "
                "bool cudnn_enabled=True)"
            ),
        ),
        samples=(((IMAGE, WEIGHT, BIAS, 2), {}),),
    )
)
