"""``torch.nn.grad``: the gradients of a convolution by what it convolves and by its weight, without a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.size import brackets
from chalkgrad.engine.tensor import Tensor
from chalkgrad.ops.create import empty
from chalkgrad.ops.windows import expanded
from chalkgrad.torch.functions import absent as _absent

__all__ = ["conv1d_input", "conv1d_weight", "conv2d_input", "conv2d_weight", "conv3d_input", "conv3d_weight"]


def _gradient(
    grad_output: Tensor, input: Tensor, weight: Tensor, dims: int, settings: tuple[Any, ...], by_weight: bool
) -> Tensor:
    *places, groups = settings
    wanted = weight.dim() - 2
    given = [expanded(place, dims) for place in places]
    for name, values in zip(("stride", "padding", "dilation"), given, strict=True):
        if len(values) != wanted:
            raise RuntimeError(
                f"expected {name} to be a single integer value or a list of {wanted} values to match the convolution "
                f"dimensions, but got {name}={brackets(values)}"
            )
    sizes = (*given, False, (0,) * dims, groups)
    mask = (not by_weight, by_weight, False)
    found: Tensor = TENSORS.convolution_backward(grad_output, input, weight, *sizes, mask)[int(by_weight)]
    return found


def _by_input(dims: int) -> Callable[..., Tensor]:
    def gradient(
        input_size: Sequence[int],
        weight: Tensor,
        grad_output: Tensor,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> Tensor:
        input = empty(tuple(input_size), dtype=grad_output.dtype)
        return _gradient(grad_output, input, weight, dims, (stride, padding, dilation, groups), by_weight=False)

    gradient.__name__ = gradient.__qualname__ = f"conv{dims}d_input"
    gradient.__doc__ = f"The gradient of ``conv{dims}d`` by an input of size ``input_size``."
    return gradient


def _by_weight(dims: int) -> Callable[..., Tensor]:
    def gradient(
        input: Tensor,
        weight_size: Sequence[int],
        grad_output: Tensor,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> Tensor:
        weight = empty(tuple(weight_size), dtype=grad_output.dtype)
        return _gradient(grad_output, input, weight, dims, (stride, padding, dilation, groups), by_weight=True)

    gradient.__name__ = gradient.__qualname__ = f"conv{dims}d_weight"
    gradient.__doc__ = f"The gradient of ``conv{dims}d`` by a weight of size ``weight_size``."
    return gradient


conv1d_input, conv2d_input, conv3d_input = (_by_input(dims) for dims in (1, 2, 3))
conv1d_weight, conv2d_weight, conv3d_weight = (_by_weight(dims) for dims in (1, 2, 3))

__getattr__ = _absent("torch.nn.grad")
