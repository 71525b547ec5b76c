"""Modules of the kind that first networks are made of."""

from __future__ import annotations

import math
from typing import Any

from chalkgrad.engine.base import counter_of
from chalkgrad.engine.generator import default_generator
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn import functional
from chalkgrad.nn.module import Module
from chalkgrad.nn.parameter import Parameter
from chalkgrad.ops.create import made


def _uniform(shape: tuple[int, ...], bound: float) -> Parameter:
    """A parameter drawn evenly from -bound to bound, as PyTorch draws it."""
    drawn = default_generator.rand(shape)
    parameter = Parameter(made((drawn * drawn.dtype.type(2 * bound) - drawn.dtype.type(bound)).astype(drawn.dtype)))
    counter_of(parameter).version = 1  # PyTorch fills an empty parameter in place
    return parameter


class Linear(Module):
    """``input @ weight.T + bias`` with weights drawn at random."""

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        bound = 1 / math.sqrt(in_features) if in_features else 0.0
        self.weight = _uniform((out_features, in_features), bound)
        if bias:
            self.bias = _uniform((out_features,), bound)
        else:
            self.register_parameter("bias", None)

    def forward(self, input: Tensor) -> Tensor:
        """The weighted sums of the input's last dimension."""
        return functional.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        """Sizes, and whether there is a bias."""
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Sequential(Module):
    """Modules run one after the other."""

    def __init__(self, *modules: Module) -> None:
        super().__init__()
        for index, module in enumerate(modules):
            self.add_module(str(index), module)

    def forward(self, input: Any) -> Any:
        """The last module's output."""
        output = input
        for module in self.children():
            output = module(output)
        return output

    def __len__(self) -> int:
        """How many modules there are."""
        return len(list(self.children()))

    def __getitem__(self, index: int) -> Module:
        """Module number ``index``."""
        return list(self.children())[index]


class Identity(Module):
    """Gives back what it gets."""

    def forward(self, input: Any) -> Any:
        """The input."""
        return input


class ReLU(Module):
    """The larger of each element and 0."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.relu`."""
        return functional.relu(input)


class Tanh(Module):
    """The hyperbolic tangent of each element."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.tanh`."""
        return functional.tanh(input)


class Sigmoid(Module):
    """The logistic function of each element."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.sigmoid`."""
        return functional.sigmoid(input)


class Softmax(Module):
    """Exponentials along a dimension, divided by their sum."""

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.softmax`."""
        return functional.softmax(input, self.dim)

    def extra_repr(self) -> str:
        """The dimension."""
        return f"dim={self.dim}"


class Flatten(Module):
    """All dimensions from the second on put into one."""

    def forward(self, input: Tensor) -> Tensor:
        """One row for each element of the first dimension."""
        return input.reshape(input.array.shape[0], -1)

    def extra_repr(self) -> str:
        """The dimensions that are put together."""
        return "start_dim=1, end_dim=-1"


class MSELoss(Module):
    """The mean (or sum, or each) of the squared differences."""

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        self.reduction = reduction

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """:func:`functional.mse_loss`."""
        return functional.mse_loss(input, target, self.reduction)


for _module in (Linear, Sequential, Identity, ReLU, Tanh, Sigmoid, Softmax, Flatten, MSELoss, Module):
    _module.__module__ = "torch.nn.modules"
