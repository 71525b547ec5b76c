"""``torch.nn.init``: parameters filled with the numbers that training starts from."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine.generator import Generator, default_generator
from chalkgrad.engine.inplace import overwrite
from chalkgrad.engine.modes import no_grad
from chalkgrad.engine.tensor import Tensor

__all__ = [
    "calculate_gain",
    "constant",
    "constant_",
    "dirac",
    "dirac_",
    "eye",
    "eye_",
    "kaiming_normal",
    "kaiming_normal_",
    "kaiming_uniform",
    "kaiming_uniform_",
    "normal",
    "normal_",
    "ones_",
    "orthogonal",
    "orthogonal_",
    "sparse",
    "sparse_",
    "trunc_normal_",
    "uniform",
    "uniform_",
    "xavier_normal",
    "xavier_normal_",
    "xavier_uniform",
    "xavier_uniform_",
    "zeros_",
]

PLAIN = ("linear", *(f"conv{kind}{n}d" for kind in ("", "_transpose") for n in (1, 2, 3)), "sigmoid")
"""What keeps the spread of its inputs as it is."""

NO_ELEMENTS = "Initializing zero-element tensors is a no-op"


def calculate_gain(nonlinearity: str, param: Any = None) -> float:
    """By how much weights should be larger before this activation; ValueError for one it doesn't know."""
    if nonlinearity in PLAIN:
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        if param is None:
            param = 0.01
        elif isinstance(param, bool) or not isinstance(param, int | float):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + param**2))
    if nonlinearity == "selu":
        return 3.0 / 4
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


# Filled evenly, normally, or with one number


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Numbers drawn evenly from ``a`` to ``b``."""
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Normal numbers."""
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def constant_(tensor: Tensor, val: float) -> Tensor:
    """One number everywhere."""
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    """Ones everywhere."""
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Zeros everywhere."""
    with no_grad():
        return tensor.zero_()


def eye_(tensor: Tensor) -> Tensor:
    """Ones on the diagonal of a matrix, zeros elsewhere."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    overwrite(tensor, np.eye(*tensor.array.shape))
    return tensor


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """A convolution's weights that hand their input on."""
    shape = tensor.array.shape
    if len(shape) not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if shape[0] % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    share = shape[0] // groups
    middle = tuple(size // 2 for size in shape[2:])
    with no_grad():
        tensor.zero_()
        for group in range(groups):
            for channel in range(min(share, shape[1])):
                tensor[(group * share + channel, channel, *middle)] = 1
    return tensor


# Scaled to the size of the layer


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    shape = tensor.array.shape
    if len(shape) < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    mode = mode.lower()
    modes = ["fan_in", "fan_out"]
    if mode not in modes:
        raise ValueError(f"Mode {mode} not supported, please use one of {modes}")
    return _calculate_fan_in_and_fan_out(tensor)[modes.index(mode)]


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Even numbers, spread by the mean of fan in and fan out."""
    bound = math.sqrt(3.0) * _xavier_std(tensor, gain)
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Normal numbers, spread by the mean of fan in and fan out."""
    return normal_(tensor, 0.0, _xavier_std(tensor, gain), generator)


def _xavier_std(tensor: Tensor, gain: float) -> float:
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return gain * math.sqrt(2.0 / float(fan_in + fan_out))


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """Even numbers, spread so that ``nonlinearity`` keeps the variance."""
    if 0 in tensor.array.shape:
        warnings.warn(NO_ELEMENTS, stacklevel=2)
        return tensor
    bound = math.sqrt(3.0) * _kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """Normal numbers, spread so that ``nonlinearity`` keeps the variance."""
    if 0 in tensor.array.shape:
        warnings.warn(NO_ELEMENTS, stacklevel=2)
        return tensor
    return normal_(tensor, 0, _kaiming_std(tensor, a, mode, nonlinearity), generator)


def _kaiming_std(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    fan = _calculate_correct_fan(tensor, mode)
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


# Drawn with more care


def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Generator | None = None,
) -> Tensor:
    """Normal numbers of which those outside ``a`` to ``b`` are drawn again."""
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be "
            "incorrect.",
            stacklevel=2,
        )
    share = _normal_cdf((b - mean) / std) - _normal_cdf((a - mean) / std)
    if share > 0.3:
        return _drawn_again_where_outside(tensor, mean, std, a, b, generator)
    return _drawn_again_where_unlikely(tensor, mean, std, a, b, generator)


def _drawn_again_where_outside(
    tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Generator | None
) -> Tensor:
    low, high = tensor.array.dtype.type(a), tensor.array.dtype.type(b)
    values = normal_(tensor, mean, std, generator).array
    outside = (values < low) | (values > high)
    if outside.any():
        while outside.any():
            values = np.where(outside, normal_(_scratch(tensor), mean, std, generator).array, values)
            outside = (values < low) | (values > high)
        overwrite(tensor, values)
    return tensor


def _drawn_again_where_unlikely(
    tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Generator | None
) -> Tensor:
    """Even numbers, each kept with the likelihood that a normal number has there."""
    number = tensor.array.dtype.type
    peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2

    def refused(candidates: np.ndarray) -> np.ndarray:
        likelihood = ((candidates - number(mean)) / number(std)) ** 2 * number(-0.5) - number(peak)
        refusals: np.ndarray = np.log(uniform_(_scratch(tensor), generator=generator).array) > likelihood
        return refusals

    values = uniform_(tensor, a, b, generator).array
    pending = refused(values)
    if pending.any():
        while pending.any():
            candidates = uniform_(_scratch(tensor), a, b, generator).array
            values = np.where(pending, candidates, values)
            pending &= refused(candidates)
        overwrite(tensor, values)
    return tensor


def _scratch(tensor: Tensor) -> Tensor:
    """A tensor of the same shape and dtype to draw into."""
    return Tensor().to(tensor.dtype).new_empty(tensor.array.shape)


def _normal_cdf(x: float) -> float:
    return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Generator | None = None) -> Tensor:
    """Rows, or columns, at right angles to one another."""
    shape = tensor.array.shape
    if len(shape) < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.array.size == 0:
        return tensor
    flat = normal_(_scratch(tensor), 0, 1, generator).array.reshape(shape[0], -1)
    wide = flat.shape[0] < flat.shape[1]
    q, r = np.linalg.qr(flat.T if wide else flat)
    q = q * np.sign(np.diag(r))
    overwrite(tensor, (q.T if wide else q).reshape(shape))
    with no_grad():
        return tensor.mul_(gain)


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Generator | None = None) -> Tensor:
    """Normal numbers, in each column of which a share is set to zero."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.array.shape
    normal_(tensor, 0, std, generator)
    for column in range(columns):
        zeroed = default_generator.randperm(rows)[: math.ceil(sparsity * rows)]
        values = tensor.array.copy()
        values[zeroed, column] = 0
        overwrite(tensor, values)
    return tensor


def _deprecated(new: Callable[..., Any]) -> Callable[..., Any]:
    """The function under its old name, without the underscore."""
    old = new.__name__[:-1]

    def call(*args: Any, **kwargs: Any) -> Any:
        warnings.warn(
            f"`nn.init.{old}` is now deprecated in favor of `nn.init.{new.__name__}`.", FutureWarning, stacklevel=2
        )
        return new(*args, **kwargs)

    call.__name__ = call.__qualname__ = old
    return call


uniform, normal, constant = _deprecated(uniform_), _deprecated(normal_), _deprecated(constant_)
eye, dirac = _deprecated(eye_), _deprecated(dirac_)
xavier_uniform, xavier_normal = _deprecated(xavier_uniform_), _deprecated(xavier_normal_)
kaiming_uniform, kaiming_normal = _deprecated(kaiming_uniform_), _deprecated(kaiming_normal_)
orthogonal, sparse = _deprecated(orthogonal_), _deprecated(sparse_)
