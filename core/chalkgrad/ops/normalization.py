"""Normalisation of each channel by its mean and variance over the batch."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import size_at
from chalkgrad.engine.size import Size
from chalkgrad.engine.storage import reshaped
from chalkgrad.ops.composing import in_format, made_of_others, of_arrays
from chalkgrad.ops.normalizing import (
    BIAS,
    EPS,
    IMAGE,
    SPREAD,
    WEIGHT,
    affine,
    along_channels,
    check_dtypes,
    existing,
    lies_in_order,
    statistics,
    stretched,
)
from chalkgrad.ops.normalizing_twice import Moments, added, by_gradient, one_of
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.samples import ones
from chalkgrad.ops.windows import Sizes

_ONE_VALUE = "Expected more than 1 value per channel when training, got input size torch.Size([1, 3])"


def _batch_axes(ndim: int) -> Sizes:
    return (0, *range(2, ndim))


def _batch_norm(
    input: np.ndarray,
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The output, and mean and 1 by deviation of the batch; those seen so far are brought up to date in place."""
    if input.dtype.kind != "f":
        raise not_implemented("batch_norm", input.dtype)
    check_dtypes(input, weight, bias, running_mean, running_var)
    axes, ndim = _batch_axes(input.ndim), input.ndim
    empty = np.zeros(0, input.dtype)
    if training:
        mean, scale = statistics(input, axes, eps)
        if not eps:
            scale[np.isinf(scale)] = 0  # where nothing deviates
        _follow(running_mean, running_var, input, mean, axes, momentum)
        saved = (mean.reshape(-1), scale.reshape(-1))
    else:
        mean = along_channels(running_mean, ndim)
        scale, saved = 1 / np.sqrt(along_channels(running_var, ndim) + np.asarray(eps, input.dtype)), (empty, empty)
    weight, bias = (None if one is None else along_channels(one, ndim) for one in (weight, bias))
    if lies_in_order(input):
        found = stretched(input, mean, scale, weight, bias)
    else:
        found = affine((input - mean) * scale, weight, bias)
    return found.astype(input.dtype, copy=False), *saved


def _follow(
    running_mean: Any, running_var: Any, input: np.ndarray, mean: np.ndarray, axes: Sizes, momentum: float
) -> None:
    """Move the running statistics towards those of this batch."""
    count = input.size // max(input.shape[1], 1)
    if running_mean is not None:
        running_mean *= 1 - momentum
        running_mean += momentum * mean.reshape(-1)
    if running_var is not None:
        spread = np.square(input - mean).sum(axis=axes) / (count - 1 if count > 1 else np.nan)
        running_var *= 1 - momentum
        running_var += momentum * spread


def _batch_backward(
    grad_out: np.ndarray,
    input: np.ndarray,
    weight: Any,
    running_mean: Any,
    running_var: Any,
    save_mean: np.ndarray,
    save_invstd: np.ndarray,
    train: bool,
    eps: float,
    output_mask: tuple[bool, ...],
) -> tuple[np.ndarray, ...]:
    sizes, axes = (1, -1, *[1] * (input.ndim - 2)), _batch_axes(input.ndim)
    mean = (save_mean if train else running_mean).reshape(sizes)
    scale = save_invstd if train else 1 / np.sqrt(running_var + np.asarray(eps, running_var.dtype))
    scale, away = scale.reshape(sizes), input - mean
    along = (away * grad_out).sum(axes, keepdims=True)
    found = (
        _by_batch(grad_out, away, scale, along, weight, train) if output_mask[0] else None,
        reshaped(along * scale, input.shape[1:2]) if output_mask[1] else None,
        grad_out.sum(axes) if output_mask[2] else None,
    )
    return existing(found, grad_out)


def _by_batch(grad: np.ndarray, away: np.ndarray, scale: np.ndarray, along: Any, weight: Any, train: bool) -> Any:
    """By the input, ``away`` from its mean, on which the gradient lies ``along``; the weight comes last."""
    found = grad
    if train:
        axes, count = _batch_axes(grad.ndim), grad.size // max(grad.shape[1], 1)
        found = grad - grad.mean(axes, keepdims=True) - away * (along * scale * scale / count)
    found = found * scale
    return found if weight is None else found * along_channels(weight, grad.ndim)


def batch_backward(
    o: Any,
    g: Any,
    input: Any,
    weight: Any,
    running_mean: Any,
    running_var: Any,
    result1: Any,
    result2: Any,
    training: bool,
    eps: float,
    *,
    grad_input_mask: tuple[bool, ...],
) -> Any:
    """Derivatives of batch normalisation by its input, by weight and by bias."""
    return o.native_batch_norm_backward(
        g, input, weight, running_mean, running_var, result1, result2, training, eps, grad_input_mask
    )


def batch_double_backward(
    o: Any,
    g: Any,
    grad_out: Any,
    input: Any,
    weight: Any,
    running_mean: Any,
    running_var: Any,
    save_mean: Any,
    save_invstd: Any,
    train: bool,
    eps: float,
    *,
    grad_input_mask: tuple[bool, ...],
) -> Any:
    """Derivatives of these by the gradient, by the input and by the weight.

    As in PyTorch mean and scale are those of the forward, which have no derivatives of their own.
    """
    sizes = tuple(input.shape)
    of_input, of_weight, of_bias = g
    weight, of_weight, of_bias = (_beside(o, one, sizes) for one in (weight, of_weight, of_bias))
    beside = (1, -1, *[1] * (len(sizes) - 2))
    mean = o.reshape(save_mean if train else running_mean, beside)
    scale = o.reshape(save_invstd if train else o.rsqrt(o.add_number(running_var, eps)), beside)
    count = prod(sizes) // max(sizes[1], 1)
    known = Moments(o, o.sub(input, mean), scale, count, lambda values: _by_channel(o, values, True))
    wide = one_of(o, input, ()) if weight is None else weight
    by_input, by_weight, by_grad = None, None, None
    if grad_input_mask[1]:
        by_input = _twice_by_input(known, grad_out, wide, of_input, of_weight, train)
    if grad_input_mask[2] and of_input is not None:
        by_weight = _by_channel(o, _twice_by_weight(known, grad_out, of_input, one_of(o, input, ()), train), False)
    if grad_input_mask[0]:
        passed = None
        if of_input is not None:
            passed = known.passed_on(of_input, wide) if train else o.mul(o.mul(of_input, scale), wide)
        by_grad = by_gradient(known, passed, weight, of_weight, of_bias)
    return by_grad, by_input, by_weight, None, None


def _beside(o: Any, values: Any, sizes: Sizes) -> Any:
    """One value for each channel, for all that belongs to it."""
    if values is None:
        return None
    for _ in sizes[2:]:
        values = o.unsqueeze(values, 1)
    return o.expand(values, sizes)


def _by_channel(o: Any, values: Any, keepdim: bool) -> Any:
    """The sum over all but the channels, one dimension after the other as PyTorch does."""
    ndim = len(tuple(values.shape))
    found = o.sum(values, (0,), keepdim)
    for axis in range(ndim - 1, 1, -1):
        found = o.sum(found, (axis if keepdim else axis - 1,), keepdim)
    return found


def _twice_by_input(known: Moments, grad: Any, weight: Any, of_input: Any, of_weight: Any, train: bool) -> Any:
    """The derivative by the input, of what came for the gradients by input and by weight."""
    o, found = known.o, None
    if not train:
        return None if of_weight is None else o.mul(o.mul(of_weight, known.scale), grad)
    along, whole = known.along(grad), known.total(grad)
    if of_input is not None:
        found = o.mul(weight, known.bent(grad, along, whole, of_input, lambda: o.mul(grad, of_input)))
    if of_weight is not None:
        found = added(o, found, o.mul(of_weight, known.by_weight(lambda: grad, whole)))
    return found


def _twice_by_weight(known: Moments, grad: Any, of_input: Any, one: Any, train: bool) -> Any:
    o = known.o
    if train:
        return o.mul(of_input, known.passed_on(grad, one))
    return o.mul(o.mul(of_input, grad), known.scale)


def _written(came: Sequence[Any], train: bool) -> tuple[int, ...]:
    """How often PyTorch writes the second derivative by the input: it adds what comes by the weight to the rest."""
    of_input, of_weight, _ = (one is not None for one in came)
    return 0, train and of_input and of_weight, 0, 0, 0


def _batch_shape(input: Sizes, *_: Any, **__: Any) -> Sizes:
    return input


register(
    Record(
        name="native_batch_norm",
        inputs=("input", "weight", "bias", "running_mean", "running_var"),
        attributes=(
            Attribute("training", "bool", required=True),
            Attribute("momentum", "float", 0.1),
            EPS,
        ),
        optional=frozenset({"weight", "bias", "running_mean", "running_var"}),
        no_gradient=frozenset({"running_mean", "running_var"}),
        promotes="none",
        forward=in_format(_batch_norm),
        vjps=dict.fromkeys(("input", "weight", "bias"), batch_backward),
        grad_fn="NativeBatchNormBackward0",
        outputs=("result0", "result1", "result2"),
        not_differentiable=frozenset({"result1", "result2"}),
        section="layer",
        hidden=True,
        signatures=(
            (
                "native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
                "Tensor? running_var, bool training, float momentum, float eps, *, Tensor[3] out=None)"
            ),
        ),
    )
)
register(
    Record(
        name="native_batch_norm_backward",
        inputs=("grad_out", "input", "weight", "running_mean", "running_var", "save_mean", "save_invstd"),
        attributes=(
            Attribute("train", "bool", required=True),
            EPS,
            Attribute("output_mask", "choice", required=True),
        ),
        optional=frozenset({"weight", "running_mean", "running_var"}),
        promotes="none",
        forward=in_format(_batch_backward, 1),
        vjps=dict.fromkeys(("grad_out", "input", "weight", "running_mean", "running_var"), batch_double_backward),
        fills=_written,
        grad_fn="NativeBatchNormBackwardBackward0",
        outputs=("result0", "result1", "result2"),
        section="layer",
        hidden=True,
    )
)


def _batch_of_nothing(o: Any, input: Any, weight: Any, bias: Any) -> Any:
    found = o.clone(input)
    if weight is not None:
        found = o.mul(found, o.select(weight, 0, 0))
    return found if bias is None else o.add(found, o.select(bias, 0, 0))


def _public_batch(
    o: Any,
    input: Any,
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    training: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool = True,
) -> Any:
    if not input.array.size:
        return _batch_of_nothing(o, input, weight, bias)
    shape = input.array.shape
    channels = shape[1] if len(shape) > 1 else 0
    for name, value in (
        ("running_mean", running_mean),
        ("running_var", running_var),
        ("weight", weight),
        ("bias", bias),
    ):
        if value is not None and value.array.size != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {value.array.size}")
        if value is None and not training and name.startswith("running"):
            raise RuntimeError(f"{name} must be defined in evaluation mode")
    size_at(shape, 1)
    return o.native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)[0]


register(
    Record(
        name="batch_norm",
        inputs=("input", "weight", "bias", "running_mean", "running_var"),
        attributes=(
            Attribute("training", "bool", required=True),
            Attribute("momentum", "float", 0.1),
            EPS,
            Attribute("cudnn_enabled", "bool", True),
        ),
        optional=frozenset({"weight", "bias", "running_mean", "running_var"}),
        promotes="none",
        forward=of_arrays("batch_norm"),
        compose=_public_batch,
        grad_fn="NativeBatchNormBackward0",
        function="torch.batch_norm",
        shape=_batch_shape,
        section="layer",
        latex=r"\frac{\input - \mu}{\sigma} \cdot \weight + \bias",
        derivatives={
            "input": SPREAD,
            "weight": r"\frac{\input - \mu}{\sigma}",
            "bias": "1",
        },
        hidden=True,
        signatures=(
            (
                "batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, "
                "bool training, float momentum, float eps, bool cudnn_enabled)"
            ),
        ),
        samples=(((IMAGE, WEIGHT, BIAS, None, None, True), {}),),
    )
)


def _batch_of_function(
    o: Any,
    input: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any,
    bias: Any,
    training: bool,
    momentum: float,
    eps: float,
) -> Any:
    if training:
        several_values(input.array.shape)
    check_eps(training, eps)
    return o.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, True)


def check_eps(training: bool, eps: float) -> None:
    """What ``torch.nn.functional.batch_norm`` refuses of ``eps`` before it calls the operator."""
    if training and eps <= 0.0:
        raise ValueError(f"batch_norm eps must be positive during training, but got {eps}")
    if eps < 0.0:
        raise ValueError(f"batch_norm eps must be non-negative, but got {eps}")


def several_values(shape: Sequence[int]) -> None:
    """ValueError for one value a channel, whose deviation is 0."""
    if prod((shape[0], *shape[2:])) == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {Size(shape)}")


made_of_others(
    "functional_batch_norm",
    ("input", "running_mean", "running_var", "weight", "bias"),
    _batch_of_function,
    "batch_norm(Tensor input, Tensor? running_mean, Tensor? running_var, Tensor? weight=None, Tensor? bias=None, "
    "bool training=False, float momentum=0.1, float eps=1e-05)",
    attributes=(Attribute("training", "bool", False), Attribute("momentum", "float", 0.1), EPS),
    optional=frozenset({"weight", "bias", "running_mean", "running_var"}),
    forward=of_arrays("functional_batch_norm"),
    function="torch.nn.functional.batch_norm",
    shape=lambda input, *_, **__: input,
    section="layer",
    latex=r"\frac{\input - \mu}{\sigma} \cdot \weight + \bias",
    derivatives={"input": SPREAD, "weight": r"\frac{\input - \mu}{\sigma}", "bias": "1"},
    samples=(
        ((IMAGE, None, None, WEIGHT, BIAS), {"training": True}),
        ((IMAGE, None, None), {"training": True, "eps": 0.01}),
    ),
    bad_samples=(
        ((IMAGE, None, None), {}, "RuntimeError", "running_mean must be defined in evaluation mode"),
        ((ones(1, 3), None, None), {"training": True}, "ValueError", _ONE_VALUE),
    ),
)
