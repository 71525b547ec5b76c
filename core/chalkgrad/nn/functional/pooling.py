"""Pooling: each window over lines, images or volumes becomes its largest element, its mean, or its norm."""

from __future__ import annotations

import math
from typing import Any

from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.functional.making import operator
from chalkgrad.ops.adaptive import max_line_to_size
from chalkgrad.ops.pools import max_pool1d_with_indices as _max_line
from chalkgrad.ops.windows import expanded

avg_pool1d = operator("avg_pool1d")
avg_pool2d = operator("avg_pool2d")
avg_pool3d = operator("avg_pool3d")
adaptive_avg_pool1d = operator("adaptive_avg_pool1d")
_AVERAGE2, _AVERAGE3 = operator("adaptive_avg_pool2d"), operator("adaptive_avg_pool3d")
_MAX1, _MAX2, _MAX3 = operator("max_pool1d"), operator("max_pool2d"), operator("max_pool3d")
_MAX2_BOTH, _MAX3_BOTH = operator("max_pool2d_with_indices"), operator("max_pool3d_with_indices")
_ADAPTIVE2, _ADAPTIVE3 = operator("adaptive_max_pool2d"), operator("adaptive_max_pool3d")


def max_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest of each window of lines, with their places where ``return_indices``."""
    stride = () if stride is None else stride
    if not return_indices:
        return _MAX1(input, kernel_size, stride, padding, dilation, ceil_mode)
    if input.ndim not in (2, 3):
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {input.ndim}-dimensional tensor for argument #1 'self' (while "
            "checking arguments for max_pool1d)"
        )
    moves = stride if stride == () else expanded(stride, 1)
    sizes = [expanded(size, 1) for size in (kernel_size, padding, dilation)]
    return _max_line(TENSORS, input, sizes[0], moves, sizes[1], sizes[2], ceil_mode)


def max_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The same of images."""
    chosen = _MAX2_BOTH if return_indices else _MAX2
    return chosen(input, kernel_size, () if stride is None else stride, padding, dilation, ceil_mode)


def max_pool3d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The same of volumes."""
    chosen = _MAX3_BOTH if return_indices else _MAX3
    return chosen(input, kernel_size, () if stride is None else stride, padding, dilation, ceil_mode)


for _function in (max_pool1d, max_pool2d, max_pool3d):
    _function.__qualname__ = f"_{_function.__name__}"  # as PyTorch's TypeErrors call them


def max_pool1d_with_indices(*args: Any, **kwargs: Any) -> Any:
    """:func:`max_pool1d` with places."""
    return max_pool1d(*args, **{**kwargs, "return_indices": True})


def max_pool2d_with_indices(*args: Any, **kwargs: Any) -> Any:
    """:func:`max_pool2d` with places."""
    return max_pool2d(*args, **{**kwargs, "return_indices": True})


def max_pool3d_with_indices(*args: Any, **kwargs: Any) -> Any:
    """:func:`max_pool3d` with places."""
    return max_pool3d(*args, **{**kwargs, "return_indices": True})


def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest of as many windows as asked for."""
    found = max_line_to_size(TENSORS, input, output_size)
    return found if return_indices else found[0]


def _whole_sizes(input: Tensor, output_size: Any) -> Any:
    """The sizes asked for, those of the input where they are None."""
    have = input.size()
    if isinstance(output_size, int):
        return output_size
    if len(have) <= len(output_size):
        raise ValueError(f"Input dimension should be at least {len(output_size) + 1}")
    have = have[len(have) - len(output_size) :]
    return tuple(old if size is None else size for size, old in zip(output_size, have, strict=True))


def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """The means of as many windows as asked for; None keeps a size."""
    result: Tensor = _AVERAGE2(input, _whole_sizes(input, output_size))
    return result


def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """The same of volumes."""
    result: Tensor = _AVERAGE3(input, _whole_sizes(input, output_size))
    return result


def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest of as many windows as asked for; None keeps a size."""
    if isinstance(output_size, tuple | list) and len(output_size) != 2:
        raise RuntimeError("adaptive_max_pool2d(): internal error: output_size.size() must be 2")
    found = _ADAPTIVE2(input, _whole_sizes(input, output_size))
    return found if return_indices else found[0]


def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The same of volumes."""
    if isinstance(output_size, tuple | list) and len(output_size) != 3:
        raise RuntimeError("adaptive_max_pool3d(): internal error: output_size.size() must be 3")
    found = _ADAPTIVE3(input, _whole_sizes(input, output_size))
    return found if return_indices else found[0]


def adaptive_max_pool1d_with_indices(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """:func:`adaptive_max_pool1d` with places."""
    return adaptive_max_pool1d(input, output_size, True)


def adaptive_max_pool2d_with_indices(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """:func:`adaptive_max_pool2d` with places."""
    return adaptive_max_pool2d(input, output_size, True)


def adaptive_max_pool3d_with_indices(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """:func:`adaptive_max_pool3d` with places."""
    return adaptive_max_pool3d(input, output_size, True)


def lp_pool1d(input: Tensor, norm_type: float, kernel_size: int, stride: Any = None, ceil_mode: bool = False) -> Tensor:
    """The norm of each window of lines."""
    mean = avg_pool1d(input.pow(norm_type), kernel_size, () if stride is None else stride, 0, ceil_mode)
    return _root(mean, kernel_size, norm_type)


def lp_pool2d(input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Tensor:
    """The same of images."""
    mean = avg_pool2d(input.pow(norm_type), kernel_size, () if stride is None else stride, 0, ceil_mode)
    return _root(mean, math.prod(expanded(kernel_size, 2)), norm_type)


def lp_pool3d(input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Tensor:
    """The same of volumes."""
    mean = avg_pool3d(input.pow(norm_type), kernel_size, () if stride is None else stride, 0, ceil_mode)
    return _root(mean, math.prod(expanded(kernel_size, 3)), norm_type)


def _root(mean: Tensor, count: int, norm_type: float) -> Tensor:
    """The norm of windows of ``count`` elements, of whose powers ``mean`` is the mean."""
    result: Tensor = (mean.sign() * mean.abs().relu()).mul(count).pow(1.0 / norm_type)
    return result
