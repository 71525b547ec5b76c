"""The largest elements of windows that lie at random, so that sizes shrink by less than a whole number."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.size import brackets
from chalkgrad.ops.adaptive import adaptive_max_backward
from chalkgrad.ops.overloads import no_gradient_by_self
from chalkgrad.ops.pooling import pooled_again
from chalkgrad.ops.windows import Sizes

_AXES = {2: ("height", "width"), 3: ("time", "height", "width")}
_SETTINGS = (Attribute("kernel_size", "size", required=True), Attribute("output_size", "size", required=True))


def _check_sizes(name: str, self: Sizes, kernel_size: Sizes, output_size: Sizes, dims: int) -> None:
    called = name if dims == 2 else f"{name}_out"
    for setting, sizes in (("kernel_size", kernel_size), ("output_size", output_size)):
        if len(sizes) != dims:
            count = "" if dims == 2 else "three "
            raise RuntimeError(f"{name}: {setting} must either be a single Int or tuple of {count}Ints")
    if len(self) not in (dims + 1, dims + 2):
        raise RuntimeError(
            f"non-empty {dims + 1}D or {dims + 2}D (batch mode) tensor expected for input, but got: {brackets(self)}"
        )
    for place in range(len(self) - dims - 1, len(self)):
        if not self[place]:
            raise RuntimeError(
                f"{called}(): Expected input to have non-zero size for non-batch dimensions, but got{brackets(self)} "
                f"with dimension {place} being empty."
            )
    for axis, size, kernel, output in zip(_AXES[dims], self[-dims:], kernel_size, output_size, strict=True):
        if output + kernel - 1 > size:
            raise RuntimeError(f"{called}(): pool {axis} {kernel} too large relative to input {axis} {size}")


def _check_samples(self: np.ndarray, samples: np.ndarray, dims: int) -> None:
    if samples.dtype != self.dtype:
        raise RuntimeError("Expect _random_samples to have the same dtype as input")
    if samples.ndim != 3:
        raise RuntimeError(f"Expect _random_samples to have 3 dimensions, got {samples.ndim}")
    batch = self.shape[0] if self.ndim == dims + 2 else 1
    if samples.shape[0] < batch:
        raise RuntimeError("Expect _random_samples.size(0) no less then input batch size.")
    if samples.shape[1] != self.shape[-dims - 1]:
        raise RuntimeError("Expect _random_samples.size(1) equals to input channel size.")
    if samples.shape[2] != dims:
        raise RuntimeError(f"Expect _random_samples.size(2) equals to {dims}; got {samples.shape[2]}.")


def _starts(sample: Any, size: int, count: int, kernel: int) -> np.ndarray:
    """Where ``count`` windows begin, with steps of two lengths in an order that ``sample`` says."""
    found = np.full(count, size - kernel, np.int64)
    if count > 1:
        step = sample.dtype.type(size - kernel) / sample.dtype.type(count - 1)
        numbers = np.arange(count - 1).astype(sample.dtype)
        found[:-1] = ((numbers + sample) * step).astype(np.int64) - int(sample * step)
    return found


def _windows(samples: np.ndarray, sizes: Sizes, kernel_size: Sizes, output_size: Sizes) -> np.ndarray:
    """The numbers of the elements in each window of one plane, those of a window along the last dimension."""
    dims = len(sizes)
    whole = np.zeros((1,) * (2 * dims), np.int64)
    for axis in range(dims):
        sample = samples[axis] if dims == 3 else samples[1 - axis]  # PyTorch has the width first in images alone
        starts = _starts(sample, sizes[axis], output_size[axis], kernel_size[axis])
        inside = starts[:, None] + np.arange(kernel_size[axis])
        shape = [1] * (2 * dims)
        shape[axis], shape[dims + axis] = inside.shape
        whole = whole + inside.reshape(shape) * math.prod(sizes[axis + 1 :])
    return whole.reshape(*output_size, -1)


def _fractional_max(
    self: np.ndarray, _random_samples: np.ndarray, kernel_size: Sizes, output_size: Sizes, dims: int
) -> tuple[np.ndarray, np.ndarray]:
    name = f"fractional_max_pool{dims}d"
    _check_sizes(name, self.shape, kernel_size, output_size, dims)
    _check_samples(self, _random_samples, dims)
    sizes, outer = self.shape[-dims:], self.shape[:-dims]
    planes = self.reshape(math.prod(outer), math.prod(sizes))
    values = np.full((len(planes), *output_size), -np.inf, self.dtype)
    places = np.zeros(values.shape, np.int64)
    if 0 not in kernel_size:
        for number, (plane, samples) in enumerate(zip(planes, _random_samples.reshape(-1, dims), strict=False)):
            windows = _windows(samples, sizes, kernel_size, output_size)
            winner = plane[windows].argmax(-1)[..., None]
            places[number] = np.take_along_axis(windows, winner, -1)[..., 0]
            values[number] = plane[places[number]]
    return values.reshape(*outer, *output_size), places.reshape(*outer, *output_size)


def _register(dims: int) -> None:
    name, node = f"fractional_max_pool{dims}d", f"FractionalMaxPool{dims}DBackward"
    sizes = f"int[{dims}] kernel_size, int[{dims}] output_size"
    register(
        Record(
            name=name,
            inputs=("self", "_random_samples"),
            attributes=_SETTINGS,
            promotes="none",
            forward=lambda self, _random_samples, kernel_size, output_size: _fractional_max(
                self, _random_samples, kernel_size, output_size, dims
            ),
            vjps={
                "self": lambda o, g, self, result1, kernel_size, output_size: getattr(o, f"{name}_backward")(
                    g, self, result1, kernel_size, output_size
                )
            },
            grad_fn=f"{node}0",
            outputs=("result0", "result1"),
            not_differentiable=frozenset({"result1"}),
            shape=lambda self, _random_samples, kernel_size, output_size: ((*self[:-dims], *output_size),) * 2,
            section="layer",
            hidden=True,
            signatures=(f"{name}(Tensor input, {sizes}, Tensor _random_samples, *, Tensor[2] out=None)",),
        )
    )
    register(
        Record(
            name=f"{name}_backward",
            inputs=("grad_output", "self", "indices"),
            attributes=_SETTINGS,
            promotes="none",
            forward=lambda grad_output, self, indices, kernel_size, output_size: adaptive_max_backward(
                grad_output, self, indices, dims
            ),
            vjps={
                "grad_output": lambda o, g, indices: pooled_again(o, g, indices, dims),
                "self": no_gradient_by_self,
            },
            fills={"self": 1},
            grad_fn=f"{node}Backward0",
            section="layer",
            hidden=True,
        )
    )


_register(2)
_register(3)
