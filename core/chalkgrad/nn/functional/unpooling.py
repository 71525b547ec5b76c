"""Max pooling turned round, of lines, images and volumes."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.tensor import Tensor
from chalkgrad.ops.windows import Sizes, expanded


def _whole_size(input: Tensor, kernel: Sizes, stride: Sizes, padding: Sizes, output_size: Any) -> Sizes:
    """The size of what was pooled: as given, if pooling may have come from it, or the smallest one."""
    count = len(kernel)
    if min(input.dim(), len(stride), len(padding)) < count:
        raise IndexError("tuple index out of range")
    usual = tuple(
        (size - 1) * step + reach - 2 * pad
        for size, step, reach, pad in zip(input.shape[-count:], stride, kernel, padding, strict=False)
    )
    if output_size is None:
        return usual
    if len(output_size) == count + 2:
        output_size = output_size[2:]
    if len(output_size) != count:
        raise ValueError(
            f"output_size should be a sequence containing {count} or {count + 2} elements, but it has a length of "
            f"'{len(output_size)}'"
        )
    for dim, (size, middle, step) in enumerate(zip(output_size, usual, stride, strict=True)):
        if not middle - step < size < middle + step:
            raise ValueError(
                f'invalid output_size "{output_size}" (dim {dim} must be between {middle - step} and {middle + step})'
            )
    return tuple(output_size)


def _settings(count: int, kernel_size: Any, stride: Any, padding: Any) -> tuple[Sizes, Sizes, Sizes]:
    kernel = _each(kernel_size, count)
    return kernel, kernel if stride is None else _each(stride, count), _each(padding, count)


def _each(given: Any, count: int) -> Sizes:
    """One number for each dimension; what is several already stays as many as it is."""
    return expanded(given, count) if isinstance(given, int) else tuple(given)


def _check_count(size: Sizes, count: int, wanted: str) -> None:
    if len(size) != count:
        raise RuntimeError(f"There should be exactly {wanted} in output_size, but got {len(size)} elements.")


def max_unpool1d(
    input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """The elements of lines back in their places."""
    size = _whole_size(input, *_settings(1, kernel_size, stride, padding), output_size)
    result: Tensor = TENSORS.max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), (*size, 1)).squeeze(-1)
    return result


def max_unpool2d(
    input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """The same of images."""
    size = _whole_size(input, *_settings(2, kernel_size, stride, padding), output_size)
    _check_count(size, 2, "two elements (height, width)")
    result: Tensor = TENSORS.max_unpool2d(input, indices, size)
    return result


def max_unpool3d(
    input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """The same of volumes."""
    kernel, steps, frame = _settings(3, kernel_size, stride, padding)
    size = _whole_size(input, kernel, steps, frame, output_size)
    _check_count(size, 3, "three elements (depth, height, width)")
    result: Tensor = TENSORS.max_unpool3d(input, indices, size, steps, frame)
    return result
