"""Normalisation by mean and variance: of each channel over the batch, and of groups of channels."""

# ruff: noqa: N803  PyTorch calls sizes N, C, HxW

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record, integers
from chalkgrad.engine.shapes import size_at
from chalkgrad.engine.size import brackets
from chalkgrad.ops.composing import of_arrays
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.windows import Sizes

EPS = Attribute("eps", "float", 1e-5)
IMAGE = (np.linspace(-1.0, 1.0, 24).reshape(2, 4, 3) * 7.3) % 1.1
_WEIGHT = np.array([0.5, 1.5, -1.0, 2.0])
_BIAS = np.array([0.1, -0.2, 0.3, 0.4])

NORMAL = r"\frac{\self - \mu}{\sigma} \cdot \weight + \bias"
_SPREAD = r"\frac{\weight}{\sigma} (I - \frac{1}{n} \mathbf{1} \mathbf{1}^{\top} - \frac{1}{n} \hat{x} \hat{x}^{\top})"
"""By the input: mean and deviation are made of it, too."""
SLOPES = {"self": _SPREAD, "weight": r"\frac{\self - \mu}{\sigma}", "bias": "1"}


def _along_channels(values: Any, ndim: int) -> Any:
    """One value for each channel, to be used with tensors of ``ndim`` dimensions."""
    return values.reshape(1, -1, *[1] * (ndim - 2))


def statistics(x: np.ndarray, axes: Sizes, eps: float) -> tuple[Any, Any]:
    """Mean, and 1 by standard deviation, over ``axes``, which are kept."""
    mean = x.mean(axis=axes, keepdims=True)
    centred = x - mean
    spread = np.square(centred).mean(axis=axes, keepdims=True)
    return mean, (1 / np.sqrt(spread + eps)).astype(x.dtype)


def affine(x: Any, weight: Any, bias: Any) -> Any:
    """Scaled and moved, where there is a weight and a bias."""
    x = x if weight is None else x * weight
    return x if bias is None else x + bias


def backward_over(o: Any, g: Any, x: Any, axes: Sizes, eps: Any) -> Any:
    """Derivative of ``(x - mean) / deviation`` by ``x``, the two taken over ``axes``."""
    normal, scale = normal_and_scale(o, x, axes, eps)
    shared = o.add(o.mean(g, axes, True), o.mul(normal, o.mean(o.mul(g, normal), axes, True)))
    return o.mul(o.sub(g, shared), scale)


def normal_and_scale(o: Any, x: Any, axes: Sizes, eps: Any) -> tuple[Any, Any]:
    """``(x - mean) / deviation``, and 1 by the deviation; ``eps`` is a number, or a tensor to be added in its place."""
    centred = o.sub(x, o.mean(x, axes, True))
    spread = o.mean(o.mul(centred, centred), axes, True)
    scale = o.rsqrt((o.add_number if isinstance(eps, float) else o.add)(spread, eps))
    return o.mul(centred, scale), scale


# Over the batch


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
    axes, ndim = _batch_axes(input.ndim), input.ndim
    empty = np.zeros(0, input.dtype)
    if training:
        mean, scale = statistics(input, axes, eps)
        _follow(running_mean, running_var, input, mean, axes, momentum)
        saved = (mean.reshape(-1), scale.reshape(-1))
    else:
        mean = _along_channels(running_mean, ndim)
        scale, saved = 1 / np.sqrt(_along_channels(running_var, ndim) + np.asarray(eps, input.dtype)), (empty, empty)
    whole = None if weight is None else _along_channels(weight, ndim)
    found = affine((input - mean) * scale, whole, None if bias is None else _along_channels(bias, ndim))
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


def _batch_scaled(o: Any, g: Any, weight: Any) -> Any:
    if weight is None:
        return g
    return o.mul(g, o.reshape(weight, (1, -1, *[1] * (len(tuple(g.shape)) - 2))))


def batch_by_input(
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
) -> Any:
    """Derivative of batch normalisation by its input: mean and deviation are made anew, to have derivatives too."""
    g = _batch_scaled(o, g, weight)
    if training:
        return backward_over(o, g, input, _batch_axes(len(tuple(g.shape))), eps)
    return _batch_scaled(o, g, o.rsqrt(o.add_number(running_var, eps)))


def batch_by_weight(
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
) -> Any:
    """The same by its weight."""
    ndim = len(tuple(g.shape))
    axes = _batch_axes(ndim)
    if training:
        normal = normal_and_scale(o, input, axes, eps)[0]
    else:
        mean = o.reshape(running_mean, (1, -1, *[1] * (ndim - 2)))
        normal = _batch_scaled(o, o.sub(input, mean), o.rsqrt(o.add_number(running_var, eps)))
    return o.sum(o.mul(g, normal), axes)


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
        promotes="none",
        forward=_batch_norm,
        vjps={
            "input": batch_by_input,
            "weight": batch_by_weight,
            "bias": lambda o, g: o.sum(g, _batch_axes(len(tuple(g.shape)))),
        },
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


# Over groups of channels


def _in_groups(shape: Sizes, group: int) -> Sizes:
    return (shape[0], group, shape[1] // group * prod(shape[2:]))


def _group_norm(input: np.ndarray, weight: Any, bias: Any, N: int, C: int, HxW: int, group: int, eps: float) -> Any:
    if input.dtype.kind != "f":
        raise not_implemented("GroupNormKernelImpl", input.dtype)
    mean, scale = statistics(input.reshape(_in_groups(input.shape, group)), (2,), eps)
    normal = ((input.reshape(_in_groups(input.shape, group)) - mean) * scale).reshape(input.shape)
    weight = None if weight is None else _along_channels(weight, input.ndim)
    bias = None if bias is None else _along_channels(bias, input.ndim)
    return affine(normal, weight, bias), mean[..., 0], scale[..., 0]


def group_by_input(
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
) -> Any:
    """Derivative of group normalisation by its input."""
    shape = tuple(input.shape)
    parts = _in_groups(shape, group)
    found = backward_over(o, o.reshape(_batch_scaled(o, g, weight), parts), o.reshape(input, parts), (2,), eps)
    return o.reshape(found, shape)


def group_by_weight(
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
) -> Any:
    """The same by its weight."""
    shape = tuple(input.shape)
    normal = o.reshape(normal_and_scale(o, o.reshape(input, _in_groups(shape, group)), (2,), eps)[0], shape)
    return o.sum(o.mul(g, normal), _batch_axes(len(shape)))


register(
    Record(
        name="native_group_norm",
        inputs=("input", "weight", "bias"),
        attributes=(*integers("N", "C", "HxW", "group"), EPS),
        optional=frozenset({"weight", "bias"}),
        promotes="none",
        forward=_group_norm,
        vjps={
            "input": group_by_input,
            "weight": group_by_weight,
            "bias": lambda o, g: o.sum(g, _batch_axes(len(tuple(g.shape)))),
        },
        grad_fn="NativeGroupNormBackward0",
        outputs=("result0", "result1", "result2"),
        not_differentiable=frozenset({"result1", "result2"}),
        section="layer",
        hidden=True,
    )
)


def _public_group(o: Any, self: Any, weight: Any, bias: Any, num_groups: int, eps: float, **_: Any) -> Any:
    shape = self.array.shape
    if len(shape) < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {len(shape)}")
    channels = shape[1]
    if num_groups <= 0:
        raise RuntimeError(f"Expected num groups to be greater than 0, got {num_groups}")
    if channels % num_groups:
        raise RuntimeError(
            f"Expected number of channels in input to be divisible by num_groups, but got input of shape "
            f"{brackets(shape)} and num_groups={num_groups}"
        )
    for name, value in (("weight", weight), ("bias", bias)):
        if value is not None and value.array.shape != (channels,):
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of "
                f"shape {brackets(value.array.shape)} and input of shape {brackets(shape)}"
            )
    return o.native_group_norm(self, weight, bias, shape[0], channels, prod(shape[2:]), num_groups, eps)[0]


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
        shape=_batch_shape,
        section="layer",
        latex=NORMAL,
        derivatives=SLOPES,
        hidden=True,
        signatures=(
            (
                "group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, "
                "bool cudnn_enabled=True)"
            ),
        ),
        samples=(((IMAGE, _WEIGHT, _BIAS, 2), {}),),
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
    if not training and (running_mean is None or running_var is None):
        missing = "running_mean" if running_mean is None else "running_var"
        raise RuntimeError(f"{missing} must be defined in evaluation mode")
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
            "input": _SPREAD,
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
        samples=(((IMAGE, _WEIGHT, _BIAS, None, None, True), {}),),
    )
)
