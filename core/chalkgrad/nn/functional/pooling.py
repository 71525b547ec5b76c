"""Pooling: each window over lines, images or volumes becomes its largest element, its mean, or its norm."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.functional.making import operator
from chalkgrad.ops.windows import expanded

Pool = Callable[..., Any]

avg_pool1d = operator("avg_pool1d")
avg_pool2d = operator("avg_pool2d")
avg_pool3d = operator("avg_pool3d")
adaptive_avg_pool1d = operator("adaptive_avg_pool1d")
_AVERAGE2, _AVERAGE3 = operator("adaptive_avg_pool2d"), operator("adaptive_avg_pool3d")


def _named(name: str, function: Pool) -> Pool:
    function.__name__ = function.__qualname__ = name
    return function


def _over_windows(name: str, compute: Pool) -> Pool:
    """``compute`` as the function ``name`` over windows of a given size."""

    def pool(
        input: Tensor,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Any:
        """The largest of each window."""
        return compute(input, kernel_size, stride, padding, dilation, ceil_mode)

    return _named(name, pool)


def _to_size(name: str, compute: Pool) -> Pool:
    """``compute`` as the function ``name`` over as many windows as asked for."""

    def pool(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
        """The largest of as many windows as asked for; None keeps a size."""
        return compute(input, output_size)

    return _named(name, pool)


def _joined(name: str, place: int, spelled: Callable[[str, Pool], Pool], alone: Pool, both: Pool) -> tuple[Pool, Pool]:
    """The function ``name`` and its twin that gives the places, too.

    As in PyTorch there are two functions behind the name, ``return_indices``, its argument at ``place``, says which is
    called, and that one speaks in errors.
    """
    largest, with_places = spelled(f"_{name}", alone), spelled(f"{name}_with_indices", both)

    def pool(*args: Any, **kwargs: Any) -> Any:
        """The largest of each window, with their places where ``return_indices``."""
        asked = kwargs["return_indices"] if "return_indices" in kwargs else place < len(args) and args[place]
        return with_places(*args, **kwargs) if asked else largest(*args, **kwargs)

    return _named(name, pool), with_places


def _max_pool(name: str) -> tuple[Pool, Pool]:
    return _joined(name, 6, _over_windows, operator(name), operator(f"{name}_with_indices"))


max_pool1d, max_pool1d_with_indices = _max_pool("max_pool1d")
max_pool2d, max_pool2d_with_indices = _max_pool("max_pool2d")
max_pool3d, max_pool3d_with_indices = _max_pool("max_pool3d")


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


def _adaptive_max_pool(name: str, *, keeps: bool) -> tuple[Pool, Pool]:
    """The two functions behind ``name``; ``keeps`` where None keeps a size."""
    largest = operator(name)

    def both(input: Tensor, output_size: Any) -> Any:
        return largest(input, _whole_sizes(input, output_size) if keeps else output_size)

    return _joined(name, 2, _to_size, lambda input, output_size: both(input, output_size)[0], both)


adaptive_max_pool1d, adaptive_max_pool1d_with_indices = _adaptive_max_pool("adaptive_max_pool1d", keeps=False)
adaptive_max_pool2d, adaptive_max_pool2d_with_indices = _adaptive_max_pool("adaptive_max_pool2d", keeps=True)
adaptive_max_pool3d, adaptive_max_pool3d_with_indices = _adaptive_max_pool("adaptive_max_pool3d", keeps=True)


def lp_pool1d(input: Tensor, norm_type: float, kernel_size: int, stride: Any = None, ceil_mode: bool = False) -> Tensor:
    """The norm of each window of lines."""
    extreme = _extreme(input, norm_type, max_pool1d, kernel_size, stride, ceil_mode)
    if extreme is not None:
        return extreme
    mean = avg_pool1d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    return _root(mean, kernel_size, norm_type)


def lp_pool2d(input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Tensor:
    """The same of images."""
    extreme = _extreme(input, norm_type, max_pool2d, kernel_size, stride, ceil_mode)
    if extreme is not None:
        return extreme
    mean = avg_pool2d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    return _root(mean, math.prod(expanded(kernel_size, 2)), norm_type)


def lp_pool3d(input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Tensor:
    """The same of volumes."""
    extreme = _extreme(input, norm_type, max_pool3d, kernel_size, stride, ceil_mode)
    if extreme is not None:
        return extreme
    mean = avg_pool3d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    return _root(mean, math.prod(expanded(kernel_size, 3)), norm_type)


def _extreme(input: Tensor, norm_type: Any, pool: Pool, *window: Any) -> Tensor | None:
    """The largest or least size in each window, for a norm of infinite order; None for another."""
    if not isinstance(norm_type, int | float) or not math.isinf(norm_type):
        return None
    kernel_size, stride, ceil_mode = window
    sizes = input.abs() if norm_type > 0 else -input.abs()
    found: Tensor = pool(sizes, kernel_size, stride, 0, 1, ceil_mode)
    return found if norm_type > 0 else -found


def _root(mean: Tensor, count: int, norm_type: float) -> Tensor:
    """The norm of windows of ``count`` elements, of whose powers ``mean`` is the mean."""
    result: Tensor = (mean.sign() * mean.abs().relu()).mul(count).pow(1.0 / norm_type)
    return result
