"""Activations as modules: each computes the function of its name in ``functional``."""

from __future__ import annotations

import warnings
from typing import Any

from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn import functional, init
from chalkgrad.nn.module import Module
from chalkgrad.nn.modules.making import empty_parameter


class _Plain(Module):
    """An activation without settings."""

    def extra_repr(self) -> str:
        """Nothing."""
        return ""


class _Switchable(Module):
    """An activation whose only setting is whether it overwrites its input."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def extra_repr(self) -> str:
        """Whether it overwrites its input."""
        return "inplace=True" if self.inplace else ""


def _in_place(module: Any) -> str:
    return ", inplace=True" if module.inplace else ""


class Tanh(_Plain):
    """The hyperbolic tangent of each element."""

    def forward(self, input: Tensor) -> Tensor:
        """``tanh(input)``."""
        result: Tensor = TENSORS.tanh(input)
        return result


class Sigmoid(_Plain):
    """The logistic function of each element."""

    def forward(self, input: Tensor) -> Tensor:
        """``sigmoid(input)``."""
        result: Tensor = TENSORS.sigmoid(input)
        return result


class LogSigmoid(_Plain):
    """The logarithm of the logistic function of each element."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.logsigmoid`."""
        return functional.logsigmoid(input)


class Softsign(_Plain):
    """Each element divided by 1 plus its size."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.softsign`."""
        return functional.softsign(input)


class Tanhshrink(_Plain):
    """Each element minus its hyperbolic tangent."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.tanhshrink`."""
        return functional.tanhshrink(input)


class Softmax2d(_Plain):
    """Softmax over the channels of an image."""

    def forward(self, input: Tensor) -> Tensor:
        """Softmax along the third dimension from the end; ValueError unless there are 3 or 4."""
        if input.ndim not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.ndim}D instead")
        return functional.softmax(input, -3)


class ReLU(_Switchable):
    """The larger of each element and 0."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.relu`."""
        return functional.relu(input, inplace=self.inplace)


class SELU(_Switchable):
    """The exponential unit that keeps mean and variance."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.selu`."""
        return functional.selu(input, self.inplace)


class SiLU(_Switchable):
    """Each element times its logistic function."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.silu`."""
        return functional.silu(input, inplace=self.inplace)


class Mish(_Switchable):
    """Each element times the hyperbolic tangent of its softplus."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.mish`."""
        return functional.mish(input, inplace=self.inplace)


class Hardsigmoid(_Switchable):
    """The logistic function drawn with three straight lines."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.hardsigmoid`."""
        return functional.hardsigmoid(input, self.inplace)

    extra_repr = _Plain.extra_repr


class Hardswish(_Switchable):
    """Each element times its hard sigmoid."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.hardswish`."""
        return functional.hardswish(input, self.inplace)

    extra_repr = _Plain.extra_repr


class Hardtanh(Module):
    """Each element brought between two bounds."""

    def __init__(
        self,
        min_val: float = -1.0,
        max_val: float = 1.0,
        inplace: bool = False,
        min_value: float | None = None,
        max_value: float | None = None,
    ) -> None:
        super().__init__()
        if min_value is not None:
            warnings.warn(
                "keyword argument `min_value` is deprecated and rename to `min_val`", FutureWarning, stacklevel=2
            )
            min_val = min_value
        if max_value is not None:
            warnings.warn(
                "keyword argument `max_value` is deprecated and rename to `max_val`", FutureWarning, stacklevel=2
            )
            max_val = max_value
        self.min_val, self.max_val, self.inplace = min_val, max_val, inplace
        if self.max_val <= self.min_val:
            raise AssertionError(f"max_val ({self.max_val}) must be greater than min_val ({self.min_val})")

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.hardtanh`."""
        return functional.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self) -> str:
        """The bounds."""
        return f"min_val={self.min_val}, max_val={self.max_val}{_in_place(self)}"


class ReLU6(Hardtanh):
    """Each element brought between 0 and 6."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)

    extra_repr = _Switchable.extra_repr


class Threshold(Module):
    """Each element where it is larger than ``threshold``, ``value`` elsewhere."""

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__()
        self.threshold, self.value, self.inplace = threshold, value, inplace

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.threshold`."""
        return functional.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self) -> str:
        """Threshold and value."""
        return f"threshold={self.threshold}, value={self.value}{_in_place(self)}"


class LeakyReLU(Module):
    """Each element, negative ones times a small slope."""

    def __init__(self, negative_slope: float = 1e-2, inplace: bool = False) -> None:
        super().__init__()
        self.negative_slope, self.inplace = negative_slope, inplace

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.leaky_relu`."""
        return functional.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self) -> str:
        """The slope."""
        return f"negative_slope={self.negative_slope}{_in_place(self)}"


class RReLU(Module):
    """Each element, negative ones times a slope drawn at random while training."""

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False) -> None:
        super().__init__()
        self.lower, self.upper, self.inplace = lower, upper, inplace

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.rrelu`."""
        return functional.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self) -> str:
        """The bounds of the slope."""
        return f"lower={self.lower}, upper={self.upper}{_in_place(self)}"


class PReLU(Module):
    """Each element, negative ones times a slope that is learned."""

    def __init__(self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None) -> None:
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        self.weight = empty_parameter((num_parameters,), device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set the slopes to where they began."""
        init.constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.prelu`."""
        return functional.prelu(input, self.weight)

    def extra_repr(self) -> str:
        """How many slopes there are."""
        return f"num_parameters={self.num_parameters}"


class _Exponential(Module):
    """An exponential unit: ``alpha`` is how far below zero it goes."""

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha, self.inplace = alpha, inplace

    def extra_repr(self) -> str:
        """``alpha``."""
        return f"alpha={self.alpha}{_in_place(self)}"


class ELU(_Exponential):
    """Each element, negative ones as exponentials minus 1."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.elu`."""
        return functional.elu(input, self.alpha, self.inplace)


class CELU(_Exponential):
    """The exponential unit whose slope has no step."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.celu`."""
        return functional.celu(input, self.alpha, self.inplace)


class GELU(Module):
    """Each element times the share of normal numbers below it."""

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.gelu`."""
        return functional.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        """How it is approximated."""
        return f"approximate={self.approximate!r}"


class Softplus(Module):
    """A smooth ReLU."""

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta, self.threshold = beta, threshold

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.softplus`."""
        return functional.softplus(input, self.beta, self.threshold)

    def extra_repr(self) -> str:
        """Sharpness, and from where on it is the identity."""
        return f"beta={self.beta}, threshold={self.threshold}"


class _Shrinking(Module):
    """Zero for elements of a size up to ``lambd``."""

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def extra_repr(self) -> str:
        """The size."""
        return str(self.lambd)


class Softshrink(_Shrinking):
    """Each element moved towards zero by ``lambd``."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.softshrink`."""
        return functional.softshrink(input, self.lambd)


class Hardshrink(_Shrinking):
    """Each element that is larger than ``lambd`` in size, zero elsewhere."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.hardshrink`."""
        return functional.hardshrink(input, self.lambd)


class _AlongDim(Module):
    """An activation along a dimension."""

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def extra_repr(self) -> str:
        """The dimension."""
        return f"dim={self.dim}"


class Softmax(_AlongDim):
    """Exponentials along a dimension, divided by their sum."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.softmax`."""
        return functional.softmax(input, self.dim, _stacklevel=5)


class Softmin(_AlongDim):
    """Softmax of the negative."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.softmin`."""
        return functional.softmin(input, self.dim, _stacklevel=5)


class LogSoftmax(_AlongDim):
    """The logarithm of softmax."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.log_softmax`."""
        return functional.log_softmax(input, self.dim, _stacklevel=5)


class GLU(_AlongDim):
    """One half of a dimension times the logistic function of the other."""

    def __init__(self, dim: int = -1) -> None:
        super().__init__(dim)

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.glu`."""
        return functional.glu(input, self.dim or 0)
