"""Normalisation of each example by its mean and variance over the last dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.size import brackets
from chalkgrad.ops.composing import in_sequence, of_arrays
from chalkgrad.ops.normalizing import (
    EPS,
    IMAGE,
    NORMAL,
    SLOPES,
    affine,
    check_dtypes,
    check_mixed,
    existing,
    of_moments,
    statistics,
)
from chalkgrad.ops.normalizing_twice import Moments, added, by_gradient, one_of
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.windows import Sizes


def check_layer(input: Sizes, sizes: Sizes, weight: Sizes | None, bias: Sizes | None, gap: str = ", ") -> None:
    """RuntimeError unless ``input`` ends in ``sizes``, and weight and bias have them."""
    if not sizes:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
            f"normalized_shape = {brackets(sizes)}"
        )
    for name, given in (("weight", weight), ("bias", bias)):
        if given is not None and given != sizes:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape {brackets(given)} "
                f"and normalized_shape = {brackets(sizes)}"
            )
    if input[-len(sizes) :] != sizes:
        stars = gap + ", ".join(str(size) for size in sizes)
        raise RuntimeError(
            f"Given normalized_shape={brackets(sizes)}, expected input with shape [*{stars}], but got input of size"
            f"{brackets(input)}"
        )


def _layer_axes(ndim: int, normalized_shape: Sizes) -> Sizes:
    return tuple(range(ndim - len(normalized_shape), ndim))


def _layer_norm(input: np.ndarray, weight: Any, bias: Any, normalized_shape: Sizes, eps: float) -> Any:
    sizes, shifts = (None if value is None else value.shape for value in (weight, bias))
    check_mixed(input, weight, bias)
    check_layer(input.shape, normalized_shape, sizes, shifts)
    if input.dtype.kind != "f":
        raise not_implemented("LayerNormKernelImpl", input.dtype)
    check_dtypes(input, weight, bias)
    mean, scale = statistics(input, _layer_axes(input.ndim, normalized_shape), eps)
    return affine((input - mean) * scale, weight, bias), mean, scale


def _layer_backward(
    grad_out: np.ndarray,
    input: np.ndarray,
    mean: np.ndarray,
    rstd: np.ndarray,
    weight: Any,
    bias: Any,
    normalized_shape: Sizes,
    output_mask: tuple[bool, ...],
) -> tuple[np.ndarray, ...]:
    lead = tuple(range(input.ndim - len(normalized_shape)))
    found = (
        _by_rows(grad_out, input, mean, rstd, weight, normalized_shape) if output_mask[0] else None,
        (grad_out * (rstd * input - rstd * mean)).sum(lead) if output_mask[1] else None,
        grad_out.sum(lead) if output_mask[2] else None,
    )
    return existing(found, grad_out)


def _by_rows(
    grad: np.ndarray, x: np.ndarray, mean: np.ndarray, scale: np.ndarray, weight: Any, normalized_shape: Sizes
) -> np.ndarray:
    """By the input: the gradient, the input and a number, each with a factor, as PyTorch adds them up."""
    axes = _layer_axes(x.ndim, normalized_shape)
    scaled = grad if weight is None else grad * weight
    ds, db = (one.sum(axes, keepdims=True) for one in (scaled * x, scaled))
    of_input, constant = of_moments(mean, scale, ds, db, x.dtype.type(1 / max(prod(normalized_shape), 1)))
    found = scale * grad
    return np.asarray((found if weight is None else found * weight) + of_input * x + constant)


def layer_backward(
    o: Any,
    g: Any,
    input: Any,
    weight: Any,
    bias: Any,
    result1: Any,
    result2: Any,
    normalized_shape: Sizes,
    *,
    grad_input_mask: tuple[bool, ...],
) -> Any:
    """Derivatives of layer normalisation by its input, by weight and by bias."""
    return o.native_layer_norm_backward(g, input, result1, result2, weight, bias, normalized_shape, grad_input_mask)


def layer_double_backward(
    o: Any,
    g: Any,
    grad_out: Any,
    input: Any,
    mean: Any,
    rstd: Any,
    weight: Any,
    normalized_shape: Sizes,
    *,
    grad_input_mask: tuple[bool, ...],
) -> Any:
    """Derivatives of these by the gradient, by the input and by the weight.

    As in PyTorch mean and scale are those of the forward, which have no derivatives of their own. It computes on rows:
    what it returns are views of these.
    """
    count = prod(normalized_shape)
    rows = prod(tuple(input.shape)[: len(tuple(input.shape)) - len(normalized_shape)])
    whole, column, line = (rows, count), (rows, 1), (1, count)
    input_rows, grad_rows = o.reshape(input, whole), o.reshape(grad_out, whole)
    mean, rstd = o.reshape(mean, column), o.reshape(rstd, column)
    weight_row, of_weight, of_bias = (None if one is None else o.reshape(one, line) for one in (weight, *g[1:]))
    wide = one_of(o, input, (1,)) if weight is None else weight_row
    of_input = None if g[0] is None else o.reshape(g[0], whole)
    known = Moments(o, o.sub(input_rows, mean), rstd, count, lambda values: o.sum(values, (1,), True))
    by_input = _by_input(known, grad_rows, wide, of_input, of_weight) if grad_input_mask[1] else None
    by_input = None if by_input is None else o.reshape(by_input, tuple(input.shape))
    by_weight, by_grad = None, None
    if of_input is not None and weight is not None and grad_input_mask[4]:
        passed = known.passed_on(of_input, one_of(o, input, (1,)))
        by_weight = o.reshape(o.sum(o.mul(grad_rows, passed), (0,)), tuple(weight.shape))
    if grad_input_mask[0]:
        passed = None if of_input is None else known.passed_on(of_input, wide)
        by_grad = by_gradient(known, passed, weight, of_weight, of_bias)
        if by_grad is not None:
            by_grad = o.reshape(o.expand(by_grad, whole), tuple(grad_out.shape))
    return by_grad, by_input, None, None, by_weight, None


def _by_input(known: Moments, grad: Any, weight: Any, of_input: Any, of_weight: Any) -> Any:
    """The derivative by the input, of what came for the gradients by input and by weight."""
    o, found = known.o, None
    if of_input is not None:
        scaled = o.mul(grad, weight)
        along, whole = known.along(scaled), known.total(scaled)
        found = known.bent(scaled, along, whole, of_input, lambda: o.mul(of_input, scaled))
    if of_weight is not None:
        found = added(o, found, known.by_weight(lambda: o.mul(grad, of_weight)))
    return found


def _written(came: Sequence[Any]) -> tuple[int, ...]:
    """How often PyTorch writes the second derivative by the input: it adds up the parts of it in the first of them."""
    of_input, of_weight, _ = (one is not None for one in came)
    return 0, (3 if of_input else 1) + of_weight if of_input or of_weight else 0, 0, 0, 0, 0


register(
    Record(
        name="native_layer_norm",
        inputs=("input", "weight", "bias"),
        attributes=(Attribute("normalized_shape", "size", required=True), EPS),
        optional=frozenset({"weight", "bias"}),
        promotes="none",
        forward=in_sequence(_layer_norm),
        vjps=dict.fromkeys(("input", "weight", "bias"), layer_backward),
        grad_fn="NativeLayerNormBackward0",
        outputs=("result0", "result1", "result2"),
        not_differentiable=frozenset({"result1", "result2"}),
        section="layer",
        hidden=True,
        signatures=(
            "native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps)",
        ),
    )
)
register(
    Record(
        name="native_layer_norm_backward",
        inputs=("grad_out", "input", "mean", "rstd", "weight", "bias"),
        attributes=(
            Attribute("normalized_shape", "size", required=True),
            Attribute("output_mask", "choice", required=True),
        ),
        optional=frozenset({"weight", "bias"}),
        promotes="none",
        forward=in_sequence(_layer_backward),
        vjps=dict.fromkeys(("grad_out", "input", "mean", "rstd", "weight", "bias"), layer_double_backward),
        fills=_written,
        grad_fn="NativeLayerNormBackwardBackward0",
        outputs=("result0", "result1", "result2"),
        section="layer",
        hidden=True,
    )
)


def _public_layer(o: Any, self: Any, weight: Any, bias: Any, normalized_shape: Sizes, eps: float, **_: Any) -> Any:
    return o.native_layer_norm(self, weight, bias, normalized_shape, eps)[0]


def _layer_shape(self: Sizes, weight: Sizes | None, bias: Sizes | None, normalized_shape: Sizes, **_: Any) -> Sizes:
    check_layer(self, normalized_shape, weight, bias)
    return self


register(
    Record(
        name="layer_norm",
        inputs=("self", "weight", "bias"),
        attributes=(
            Attribute("normalized_shape", "size", required=True),
            EPS,
            Attribute("cudnn_enable", "bool", True),
        ),
        optional=frozenset({"weight", "bias"}),
        promotes="none",
        forward=of_arrays("layer_norm"),
        compose=_public_layer,
        grad_fn="NativeLayerNormBackward0",
        function="torch.layer_norm",
        shape=_layer_shape,
        section="layer",
        latex=NORMAL,
        derivatives=SLOPES,
        signatures=(
            (
                "layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float "
                "eps=1e-05, bool cudnn_enable=True)"
            ),
        ),
        samples=(((IMAGE, np.linspace(0.5, 2, 3), np.array([0.1, 0.2, 0.3]), (3,)), {}),),
    )
)
