"""What the functions of ``torch.nn.functional`` share."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

from chalkgrad.engine.record import OPS
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.signature import Parser
from chalkgrad.engine.spelling import function
from chalkgrad.engine.tensor import Tensor
from chalkgrad.ops.loss import reduction_code

Function = Callable[..., Tensor]


def operator(name: str, spelling: str | None = None) -> Function:
    """The operator ``name``, of one result, as a function whose calls are read as PyTorch's parser reads them."""
    return function(OPS[name], spelling or name)


def reads(signature: str) -> Callable[..., tuple[Any, ...]]:
    """What reads the arguments of a call as PyTorch's parser does, which refuses what doesn't fit.

    All of them are given, and come in their order, numbers as such where tensors held them.
    """
    parser = Parser.of(signature)
    return lambda *args: tuple(parser.parse(args, {})[1].values())


def legacy_reduction(size_average: bool | None, reduce: bool | None, reduction: str) -> str:
    """``reduction``, or what the two old arguments mean, with PyTorch's warning."""
    if size_average is None and reduce is None:
        return reduction
    averages, reduces = size_average is None or size_average, reduce is None or reduce
    found = "mean" if averages and reduces else "sum" if reduces else "none"
    warnings.warn(
        f"size_average and reduce args will be deprecated, please use reduction='{found}' instead.",
        stacklevel=2,
    )
    return found


def code_of(reduction: str) -> int:
    """PyTorch's number for ``reduction``; ValueError for one it doesn't know."""
    if reduction == "elementwise_mean":
        warnings.warn("reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.", stacklevel=3)
        return 1
    return reduction_code(reduction)


def plus(tensor: Tensor, number: float) -> Tensor:
    """``tensor + number`` as PyTorch's own code adds, where a floating-point tensor is not joined by a second one."""
    result: Tensor = TENSORS.add_number(tensor, number) if tensor.array.dtype.kind == "f" else tensor + number
    return result


def pair(value: Any) -> tuple[int, ...]:
    """Two sizes from one, or those that it holds."""
    return tuple(value) if isinstance(value, Iterable) else (value, value)
