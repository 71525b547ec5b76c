"""Pooling to a given size, and resizing: each result is a mean, a largest, or a mixture of neighbours."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from chalkgrad.engine import memory_format
from chalkgrad.engine.apply import register
from chalkgrad.engine.device import contiguous_format
from chalkgrad.engine.memory_format import check_size
from chalkgrad.engine.record import Record
from chalkgrad.engine.size import brackets
from chalkgrad.engine.storage import reshaped
from chalkgrad.ops.composing import in_format, of_arrays
from chalkgrad.ops.overloads import no_gradient_by_self, not_implemented
from chalkgrad.ops.pooling import IMAGE, LINE, OUTPUT_SIZE, pooled_again
from chalkgrad.ops.pools import as_row, check_line, check_ones, row
from chalkgrad.ops.windows import Sizes, expanded


def _spans(size: int, count: int) -> list[tuple[int, int]]:
    """From where to where each of ``count`` windows over ``size`` elements reaches."""
    return [(number * size // count, -((-(number + 1) * size) // count)) for number in range(count)]


@cache
def _means(size: int, count: int) -> np.ndarray:
    """The matrix that takes the means."""
    made = np.zeros((count, size))
    for number, (start, end) in enumerate(_spans(size, count)):
        made[number, start:end] = 1 / (end - start)
    return made


def _mixed(self: np.ndarray, matrices: Sequence[np.ndarray]) -> Any:
    """What the matrices make of ``self``, each along one of its last dimensions."""
    if len(matrices) == 2:
        first, second = (matrix.astype(self.dtype) for matrix in matrices)
        return np.matmul(np.matmul(first, self), second.T)
    *others, last = matrices
    for axis, matrix in enumerate(others, -len(matrices)):
        self = np.moveaxis(np.matmul(np.moveaxis(self, axis, -1), matrix.T.astype(self.dtype)), -1, axis)
    return np.matmul(self, last.T.astype(self.dtype))  # a tensor of its own, no view of one


def check_filled(name: str, shape: Sizes, what: str = "input", start: int = 1) -> None:
    """RuntimeError for a dimension without elements from ``start`` on; the batch may be empty."""
    if 0 in shape[start:]:
        raise RuntimeError(
            f"{name}(): Expected {what} to have non-zero size for non-batch dimensions, but {what} has sizes "
            f"{brackets(shape)} with dimension {shape.index(0, start)} being empty"
        )


def _windows(sizes: Sizes, counts: Sizes) -> Iterator[tuple[Any, Any]]:
    """The place of each window among the windows, and its elements as slices."""
    spans = [_spans(size, count) for size, count in zip(sizes, counts, strict=True)]
    for place in itertools.product(*(range(count) for count in counts)):
        yield place, tuple(slice(*span[at]) for at, span in zip(place, spans, strict=True))


def adaptive_avg(self: np.ndarray, output_size: Sizes) -> Any:
    """The means of as many windows as asked for, over as many of the last dimensions."""
    dims = len(output_size)
    shape = (*self.shape[:-dims], *output_size)
    check_size(shape, self.itemsize)
    if dims == 2 and 0 in shape:  # of images PyTorch asks for the dtype once there is something to compute
        return np.zeros(shape, self.dtype)
    if self.dtype.kind != "f":
        raise not_implemented("adaptive_avg_pool2d" if dims == 2 else "adaptive_avg_pool3d_cpu", self.dtype)
    sizes = self.shape[-dims:]
    found: np.ndarray = _mixed(self, [_means(*pair) for pair in zip(sizes, output_size, strict=True)])
    if not np.isfinite(found).all():  # 0 times infinity has spoilt windows that don't reach it
        axes = tuple(range(-dims, 0))
        for place, slices in _windows(sizes, output_size):
            found[(..., *place)] = self[(..., *slices)].mean(axes)
    return found


def adaptive_avg_backward(grad_output: np.ndarray, self: np.ndarray, dims: int = 2) -> Any:
    """The share that each element had in the means."""
    check_filled(f"adaptive_avg_pool{dims}d_backward", grad_output.shape, "grad_output")
    sizes, counts = self.shape[-dims:], grad_output.shape[-dims:]
    found = _mixed(grad_output, [_means(*pair).T for pair in zip(sizes, counts, strict=True)])
    if not np.isfinite(found).all():  # the same of what they don't come from
        found = np.zeros(found.shape, found.dtype)
        for place, slices in _windows(sizes, counts):
            window = found[(..., *slices)]
            window += grad_output[(..., *place, *(None,) * dims)] / np.asarray(
                math.prod(window.shape[-dims:]), found.dtype
            )
    return found


def adaptive_shape(self: Sizes, output_size: Sizes, dims: int = 2) -> Sizes:
    """As many windows as asked for along each of the last ``dims`` dimensions."""
    return (*self[:-dims], *expanded(output_size, dims))


def mean_shape(self: Sizes, output_size: Sizes, dims: int = 2) -> Sizes:
    """The shape rule of means of images, or volumes; RuntimeError for what PyTorch refuses, in its order for each."""
    name = f"adaptive_avg_pool{dims}d"
    if dims == 3:
        check_filled(name, self)
    _check_batch(name, self, dims)
    if dims == 2:
        check_filled(name, self, start=len(self) - 2)
    return adaptive_shape(self, output_size, dims)


def largest_shape(self: Sizes, output_size: Sizes, dims: int = 2) -> Sizes:
    """The shape rule of the largest elements of images, or volumes; RuntimeError for what PyTorch refuses."""
    name = f"adaptive_max_pool{dims}d"
    _check_batch(name, self, dims, ":")
    check_filled(name, self)
    if len(output_size) != dims:
        raise RuntimeError(f"{name}(): internal error: output_size.size() must be {dims}")
    return adaptive_shape(self, output_size, dims)


def _check_batch(name: str, shape: Sizes, dims: int, mark: str = "") -> None:
    """RuntimeError for what is neither ``dims`` dimensions of channels nor a batch of these."""
    if len(shape) not in (dims + 1, dims + 2):
        raise RuntimeError(f"{name}(): Expected {dims + 1}D or {dims + 2}D tensor, but got{mark} {brackets(shape)}")


register(
    Record(
        name="_adaptive_avg_pool2d",
        inputs=("self",),
        attributes=(OUTPUT_SIZE,),
        promotes="none",
        forward=in_format(adaptive_avg),
        vjps={"self": lambda o, g, self: o._adaptive_avg_pool2d_backward(g, self)},
        grad_fn="AdaptiveAvgPool2DBackward0",
        shape=mean_shape,
        section="layer",
        hidden=True,
        samples=(((IMAGE, (2, 3)), {}),),
    )
)
register(
    Record(
        name="_adaptive_avg_pool2d_backward",
        inputs=("grad_output", "self"),
        promotes="none",
        forward=in_format(adaptive_avg_backward, 1),
        vjps={
            "grad_output": lambda o, g, grad_output_sym_argsize_minus_2, grad_output_sym_argsize_minus_1: (
                o._adaptive_avg_pool2d(g, (grad_output_sym_argsize_minus_2, grad_output_sym_argsize_minus_1))
            ),
            "self": no_gradient_by_self,
        },
        fills={"self": 1},
        grad_fn="AdaptiveAvgPool2DBackwardBackward0",
        section="layer",
        hidden=True,
    )
)


def adaptive_max(self: np.ndarray, output_size: Sizes) -> tuple[np.ndarray, np.ndarray]:
    """The largest elements, and where in the image, or the volume, each stands."""
    dims = len(output_size)
    check_size((*self.shape[:-dims], *output_size), self.itemsize)
    if self.dtype.kind != "f":
        raise not_implemented("adaptive_max_pool2d" if dims == 2 else "adaptive_max_pool3d_cpu", self.dtype)
    sizes = self.shape[-dims:]
    values = np.empty((*self.shape[:-dims], *output_size), self.dtype)
    places = np.empty(values.shape, np.int64)
    numbers = np.arange(math.prod(sizes)).reshape(sizes)
    for place, slices in _windows(sizes, output_size):
        inside = numbers[slices].ravel()
        window = self[(..., *slices)].reshape(*self.shape[:-dims], inside.size)
        winner = window.argmax(-1)
        values[(..., *place)] = np.take_along_axis(window, winner[..., None], -1)[..., 0]
        places[(..., *place)] = inside[winner]
    return values, places


def adaptive_max_backward(grad_output: np.ndarray, self: np.ndarray, indices: np.ndarray, dims: int = 2) -> Any:
    """Each gradient where its element stands."""
    check_filled(f"adaptive_max_pool{dims}d_backward", grad_output.shape, "grad_output")
    made = np.zeros((*self.shape[:-dims], math.prod(self.shape[-dims:])), grad_output.dtype)
    if not made.size:
        return reshaped(made, self.shape)
    flat = made.reshape(-1, made.shape[-1])
    lines = np.arange(len(flat))[:, None]
    np.add.at(flat, (lines, indices.reshape(len(flat), -1)), grad_output.reshape(len(flat), -1))
    return reshaped(made, self.shape)


register(
    Record(
        name="adaptive_max_pool2d",
        inputs=("self",),
        attributes=(OUTPUT_SIZE,),
        promotes="none",
        forward=in_format(adaptive_max),
        vjps={"self": lambda o, g, self, result1: o.adaptive_max_pool2d_backward(g, self, result1)},
        grad_fn="AdaptiveMaxPool2DBackward0",
        outputs=("result0", "result1"),
        not_differentiable=frozenset({"result1"}),
        shape=largest_shape,
        section="layer",
        hidden=True,
        signatures=("adaptive_max_pool2d(Tensor input, int[2] output_size, *, Tensor[2] out=None)",),
    )
)
register(
    Record(
        name="adaptive_max_pool2d_backward",
        inputs=("grad_output", "self", "indices"),
        promotes="none",
        forward=in_format(adaptive_max_backward, 1),
        vjps={"grad_output": lambda o, g, indices: pooled_again(o, g, indices), "self": no_gradient_by_self},
        fills={"self": 1},
        grad_fn="AdaptiveMaxPool2DBackwardBackward0",
        section="layer",
        hidden=True,
    )
)


def _asked_sizes(output_size: Any, dims: int) -> Sizes:
    """How many means along each of ``dims`` dimensions are asked for; RuntimeError for what PyTorch refuses."""
    sizes: Sizes = expanded(output_size, dims) if isinstance(output_size, int) else output_size
    if len(sizes) != dims:
        raise RuntimeError(f"adaptive_avg_pool{dims}d: output_size must be {dims}")
    if any(size < 0 for size in sizes):
        first, *others = sizes
        raise RuntimeError(
            f"adaptive_avg_pool{dims}d: elements of output_size must be greater than or equal to 0 but received "
            f"{{{first}, {','.join(map(str, others))}}}"
        )
    return sizes


def mean_to_size(dims: int) -> Callable[..., Any]:
    """Means of as many windows as asked for along each of ``dims`` dimensions."""
    name = f"_adaptive_avg_pool{dims}d"

    def mean(o: Any, self: Any, output_size: Any) -> Any:
        sizes = _asked_sizes(output_size, dims)
        return _mean_of_all(o, self, dims) if set(sizes) == {1} else getattr(o, name)(self, sizes)

    return mean


def _mean_of_all(o: Any, self: Any, dims: int) -> Any:
    """The mean over the last ``dims`` dimensions, which stay; where channels come last PyTorch says so of it."""
    found = o.mean(self, tuple(range(-1, -dims - 1, -1)), True)
    if self.array.ndim != dims + 2 or memory_format.suggested(self.array) is contiguous_format:
        return found
    channels = self.array.shape[1]
    return o.as_strided_(found, found.array.shape, (channels, 1, *(channels,) * dims))


def _avg_line_to_size(o: Any, self: Any, output_size: Any) -> Any:
    check_line("adaptive_avg_pool1d", self.array.shape)
    check_ones("adaptive_avg_pool1d", output_size=output_size)
    return o.squeeze_dim(mean_to_size(2)(o, as_row(o, self), row(output_size, 1)), -2)


def _max_line_to_size(o: Any, self: Any, output_size: Any) -> Any:
    check_line("adaptive_max_pool1d", self.array.shape)
    check_ones("adaptive_max_pool1d", output_size=output_size)
    check_filled("adaptive_max_pool1d", self.array.shape)
    values, places = o.adaptive_max_pool2d(as_row(o, self), row(output_size, 1))
    return o.squeeze_dim(values, -2), o.squeeze_dim(places, -2)


register(
    Record(
        name="adaptive_max_pool1d",
        inputs=("self",),
        attributes=(OUTPUT_SIZE,),
        promotes="none",
        forward=of_arrays("adaptive_max_pool1d"),
        compose=_max_line_to_size,
        grad_fn="SqueezeBackward1",
        shape=partial(adaptive_shape, dims=1),
        section="layer",
        hidden=True,
        outputs=("result0", "result1"),
        not_differentiable=frozenset({"result1"}),
        signatures=("adaptive_max_pool1d(Tensor input, int[1] output_size)",),
    )
)
for _name, _compose, _shaped, _node, _x, _size, _text in (
    (
        "adaptive_avg_pool2d",
        mean_to_size(2),
        adaptive_shape,
        "AdaptiveAvgPool2DBackward0",
        IMAGE,
        (2, 3),
        "adaptive_avg_pool2d(Tensor input, SymInt[2] output_size, *, Tensor out=None)",
    ),
    (
        "adaptive_avg_pool1d",
        _avg_line_to_size,
        partial(adaptive_shape, dims=1),
        "SqueezeBackward1",
        LINE,
        (4,),
        "adaptive_avg_pool1d(Tensor input, int[1] output_size)",
    ),
):
    register(
        Record(
            name=_name,
            inputs=("self",),
            attributes=(OUTPUT_SIZE,),
            promotes="none",
            forward=of_arrays(_name),
            compose=_compose,
            grad_fn=_node,
            function=f"torch.nn.functional.{_name}",
            shape=_shaped,
            section="layer",
            latex=r"\operatorname{mean}_{\text{window}} \self",
            derivatives={"self": r"\frac{1}{n}"},
            signatures=(_text,),
            samples=(((_x, _size), {}),),
        )
    )
