"""Activations, and softmax with its guess of the dimension."""

from __future__ import annotations

import warnings
from typing import Any

from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.functional.making import Function, operator


def _switched(name: str, **defaults: Any) -> Function:
    """The operator ``name`` with an ``inplace`` option after its own parameters."""
    plain = operator(name)
    written = operator(f"{name}_")
    names = (*defaults, "inplace")

    def call(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        if not args and not kwargs:
            return plain(input, *defaults.values())
        if len(args) > len(names):
            raise TypeError(
                f"{name}() takes from 1 to {len(names) + 1} positional arguments but {len(args) + 1} were given"
            )
        given = dict(zip(names, args, strict=False))
        for key, value in kwargs.items():
            if key in given:
                raise TypeError(f"{name}() got multiple values for argument '{key}'")
            if key not in names:
                raise TypeError(f"{name}() got an unexpected keyword argument '{key}'")
            given[key] = value
        values = {**defaults, "inplace": False, **given}
        result: Tensor = (written if values.pop("inplace") else plain)(input, *values.values())
        return result

    call.__name__ = call.__qualname__ = name
    return call


relu = _switched("relu")
_HARDTANH = _switched("hardtanh", min_val=-1.0, max_val=1.0)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """Elements below ``min_val`` and above ``max_val`` are made these."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    result: Tensor = _HARDTANH(input, min_val, max_val, inplace)
    return result


relu6 = _switched("relu6")
elu = _switched("elu", alpha=1.0)
selu = _switched("selu")
celu = _switched("celu", alpha=1.0)
leaky_relu = _switched("leaky_relu", negative_slope=0.01)
silu = _switched("silu")
mish = _switched("mish")
hardswish = _switched("hardswish")
hardsigmoid = _switched("hardsigmoid")
threshold = _switched("threshold", threshold=0, value=0)


def rrelu(
    input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False
) -> Tensor:
    """Leaky ReLU whose slope is drawn anew for each element while training."""
    result: Tensor = (_RRELU_ if inplace else _RRELU)(input, lower, upper, training)
    return result


_RRELU, _RRELU_ = operator("rrelu"), operator("rrelu_")
_GLU = operator("glu")


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """One half of the input times the sigmoid of the other."""
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    result: Tensor = _GLU(input, dim)
    return result


def tanhshrink(input: Tensor) -> Tensor:
    """What tanh takes away."""
    return input - input.tanh()


def softsign(input: Tensor) -> Tensor:
    """Each element divided by 1 more than its size."""
    return input / (input.abs() + 1)


def tanh(input: Tensor) -> Tensor:
    """The hyperbolic tangent of each element."""
    return input.tanh()


def sigmoid(input: Tensor) -> Tensor:
    """The logistic function of each element."""
    return input.sigmoid()


def _softmax_dim(name: str, ndim: int, stacklevel: int) -> int:
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        stacklevel=stacklevel,
    )
    return 0 if ndim in (0, 1, 3) else 1


def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """Exponentials along ``dim``, divided by their sum."""
    if dim is None:
        dim = _softmax_dim("softmax", input.ndim, _stacklevel)
    return input.softmax(dim, dtype=dtype)


def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """Softmax of the negated input."""
    if dim is None:
        dim = _softmax_dim("softmin", input.ndim, _stacklevel)
    return (-input).softmax(dim, dtype=dtype)


def log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """The logarithm of softmax."""
    if dim is None:
        dim = _softmax_dim("log_softmax", input.ndim, _stacklevel)
    return input.log_softmax(dim, dtype=dtype)


def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    """Softmax of the scores with Gumbel noise; ``hard`` makes it one-hot while gradients stay those of softmax."""
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)
    gumbels = -TENSORS.exponential_(TENSORS.zero_(logits.detach().clone())).log()
    soft: Tensor = ((logits + gumbels) / tau).softmax(dim)
    if not hard:
        return soft
    place = soft.max(dim, keepdim=True)[1]
    chosen: Tensor = TENSORS.zero_(soft.detach().clone()).scatter_(dim, place, 1.0)
    return chosen - soft.detach() + soft


logsigmoid = operator("logsigmoid", "log_sigmoid")
gelu = operator("gelu")
hardshrink = operator("hardshrink")
softshrink = operator("softshrink")
softplus = operator("softplus")
prelu = operator("prelu")
relu_ = operator("relu_")
elu_ = operator("elu_")
selu_ = operator("selu_")
celu_ = operator("celu_")
rrelu_ = operator("rrelu_")
threshold_ = operator("threshold_")
hardtanh_ = operator("hardtanh_")
leaky_relu_ = operator("leaky_relu_")
