"""Pooling of volumes: what :mod:`pooling` and :mod:`adaptive` do, over three dimensions."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.memory_format import check_size
from chalkgrad.engine.record import Record
from chalkgrad.engine.size import brackets
from chalkgrad.ops.adaptive import (
    adaptive_avg,
    adaptive_avg_backward,
    adaptive_max,
    adaptive_max_backward,
    mean_of_all,
)
from chalkgrad.ops.composing import in_format, in_sequence, of_arrays
from chalkgrad.ops.mean_pooling import avg_pool, avg_pool_backward, mean_settings
from chalkgrad.ops.overloads import no_gradient_by_self
from chalkgrad.ops.pooling import (
    MAX,
    OUTPUT_SIZE,
    check_padding,
    full_settings,
    max_pool,
    max_pool_backward,
    pooled_again,
    window_counts,
)
from chalkgrad.ops.windows import Sizes, expanded

VOLUME = (np.linspace(-1.0, 1.0, 64).reshape(1, 1, 4, 4, 4) * 7.3) % 1.1
_TRIPLE = "a single int, or a tuple of three ints"


def _sides(letters: str, sizes: Sizes) -> str:
    return " ".join(f"{letters}{side}: {size}" for side, size in zip("THW", sizes, strict=True))


def _check(name: str, shape: Sizes, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> None:
    """RuntimeError for windows and volumes that PyTorch refuses."""
    check_padding(kernel, stride, padding, dilation)
    settings = ("kernel size", "k", kernel), ("stride", "d", stride), ("dilation", "dilation", dilation)
    for setting, letters, sizes in settings:
        if any(size <= 0 for size in sizes):
            raise RuntimeError(f"{setting} should be greater than zero, but got {_sides(letters, sizes)}")
    if 0 in shape[-4:]:
        raise RuntimeError(
            f"{name}(): Expected input's non-batch dimensions to have positive length, but input has a shape of "
            f"{brackets(shape)} and non-batch dimension {shape[shape.index(0, len(shape) - 4)]} has length zero!"
        )


def _counts(shape: Sizes, settings: tuple[Sizes, Sizes, Sizes, Sizes], ceil_mode: bool) -> Sizes:
    """How many windows there are; RuntimeError where there is none."""
    counts = window_counts(shape, *settings, ceil_mode)
    if any(count < 1 for count in counts):
        before, after = ("x".join(map(str, (shape[-4], *sizes))) for sizes in (shape[-3:], counts))
        raise RuntimeError(f"Given input size: ({before}). Calculated output size: ({after}). Output size is too small")
    return (*shape[:-3], *counts)


def _check_dims(shape: Sizes) -> None:
    if len(shape) not in (4, 5):
        raise RuntimeError("non-empty 4D or 5D (batch mode) tensor expected for input")


def _max_shape(
    self: Sizes,
    kernel_size: Sizes,
    stride: Sizes = (),
    padding: Sizes = (0,),
    dilation: Sizes = (1,),
    ceil_mode: bool = False,
) -> Sizes:
    for setting, must, sizes in (
        ("kernel_size", "must either be", kernel_size),
        ("stride", "must either be omitted,", stride or (1,)),
        ("padding", "must either be", padding),
        ("dilation", "must be either", dilation),
    ):
        if len(sizes) not in (1, 3):
            raise RuntimeError(f"max_pool3d: {setting} {must} {_TRIPLE}")
    _check_dims(self)
    settings = full_settings(kernel_size, stride, padding, dilation, 3)
    _check("max_pool3d_with_indices_out_cpu_template", self, *settings)
    return _counts(self, settings, ceil_mode)


def _avg_shape(
    self: Sizes,
    kernel_size: Sizes,
    stride: Sizes = (),
    padding: Sizes = (0,),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Sizes:
    for setting, must, sizes in (
        ("kernel_size", "must be", kernel_size),
        ("stride", "must be omitted,", stride or (1,)),
        ("padding", "must be", padding),
    ):
        if len(sizes) not in (1, 3):
            raise RuntimeError(f"avg_pool3d: {setting} {must} {_TRIPLE}")
    _check_dims(self)
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")
    settings = full_settings(kernel_size, stride, padding, (1,), 3)
    kernel, _, frame, _ = settings
    _check("avg_pool3d", self, *settings)
    if any(size + 2 * pad < reach for size, pad, reach in zip(self[-3:], frame, kernel, strict=True)):
        raise RuntimeError(f"input image ({_sides('', self[-3:])}) smaller than kernel size ({_sides('k', kernel)})")
    return _counts(self, settings, ceil_mode)


def _max_gradient(
    o: Any, g: Any, self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: Any, result1: Any
) -> Any:
    return o.max_pool3d_with_indices_backward(g, self, result1, kernel_size, stride, padding, dilation, ceil_mode)


_WINDOWS = "Tensor input, int[3] kernel_size, int[3] stride=None, int[3] padding=0"

_MEANS = (
    f"avg_pool3d({_WINDOWS}, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, Tensor "
    "out=None)"
)

register(
    Record(
        name="max_pool3d_with_indices",
        inputs=("self",),
        attributes=MAX,
        promotes="none",
        forward=in_format(partial(max_pool, dims=3)),
        vjps={"self": _max_gradient},
        grad_fn="MaxPool3DWithIndicesBackward0",
        shape=_max_shape,
        section="layer",
        hidden=True,
        outputs=("result0", "result1"),
        not_differentiable=frozenset({"result1"}),
        signatures=(
            f"max_pool3d_with_indices({_WINDOWS}, int[3] dilation=1, bool ceil_mode=False, *, Tensor[2] out=None)",
        ),
    )
)
register(
    Record(
        name="max_pool3d_with_indices_backward",
        inputs=("grad_output", "self", "indices"),
        attributes=MAX,
        promotes="none",
        forward=in_format(partial(max_pool_backward, dims=3), 1),
        vjps={"grad_output": lambda o, g, indices: pooled_again(o, g, indices, 3), "self": no_gradient_by_self},
        fills={"self": 1},
        grad_fn="MaxPool3DWithIndicesBackwardBackward0",
        section="layer",
        hidden=True,
    )
)


def _avg_gradient(
    o: Any,
    g: Any,
    self: Any,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: Any,
    count_include_pad: Any,
    divisor_override: Any,
) -> Any:
    settings = (kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    return o.avg_pool3d_backward(g, self, *settings)


def _avg_again(
    o: Any,
    g: Any,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: Any,
    count_include_pad: Any,
    divisor_override: Any,
) -> Any:
    return o.avg_pool3d(g, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


register(
    Record(
        name="avg_pool3d",
        inputs=("self",),
        attributes=mean_settings(3),
        promotes="none",
        forward=in_sequence(partial(avg_pool, dims=3)),
        vjps={"self": _avg_gradient},
        grad_fn="AvgPool3DBackward0",
        function="torch.nn.functional.avg_pool3d",
        shape=_avg_shape,
        section="layer",
        latex=r"\operatorname{mean}_{\text{window}} \self",
        derivatives={"self": r"\frac{1}{n}"},
        signatures=(_MEANS,),
        samples=(((VOLUME, (2, 2, 2)), {}), ((VOLUME, (3, 2, 3), (2, 2, 2), (1, 1, 1), True), {})),
        bad_samples=(((VOLUME, (2, 2, 2), (0, 0, 0)), {}, "RuntimeError", "stride should not be zero"),),
    )
)
register(
    Record(
        name="avg_pool3d_backward",
        inputs=("grad_output", "self"),
        attributes=mean_settings(3),
        promotes="none",
        forward=in_sequence(partial(avg_pool_backward, dims=3)),
        vjps={"grad_output": _avg_again, "self": no_gradient_by_self},
        fills={"self": 1},
        grad_fn="AvgPool3DBackwardBackward0",
        section="layer",
        hidden=True,
    )
)
register(
    Record(
        name="_adaptive_avg_pool3d",
        inputs=("self",),
        attributes=(OUTPUT_SIZE,),
        promotes="none",
        forward=in_sequence(adaptive_avg),
        vjps={"self": lambda o, g, self: o._adaptive_avg_pool3d_backward(g, self)},
        grad_fn="AdaptiveAvgPool3DBackward0",
        section="layer",
        hidden=True,
        samples=(((VOLUME, (2, 3, 1)), {}),),
    )
)


def _mean_again(
    o: Any,
    g: Any,
    grad_output_sym_argsize_minus_3: int,
    grad_output_sym_argsize_minus_2: int,
    grad_output_sym_argsize_minus_1: int,
) -> Any:
    sizes = (grad_output_sym_argsize_minus_3, grad_output_sym_argsize_minus_2, grad_output_sym_argsize_minus_1)
    return o._adaptive_avg_pool3d(g, sizes)


register(
    Record(
        name="_adaptive_avg_pool3d_backward",
        inputs=("grad_output", "self"),
        promotes="none",
        forward=in_sequence(partial(adaptive_avg_backward, dims=3)),
        vjps={
            "grad_output": _mean_again,
            "self": no_gradient_by_self,
        },
        fills={"self": 1},
        grad_fn="AdaptiveAvgPool3DBackwardBackward0",
        section="layer",
        hidden=True,
    )
)


def _adaptive_max_shape(self: Sizes, output_size: Sizes) -> Sizes:
    sizes = expanded(output_size, 3)
    if len(sizes) != 3:
        raise RuntimeError("adaptive_max_pool3d(): internal error: output_size.size() must be 3")
    if len(self) not in (4, 5):
        raise RuntimeError(f"adaptive_max_pool3d(): Expected 4D or 5D tensor, but got: {brackets(self)}")
    return (*self[:-3], *sizes)


def _adaptive_shape(self: Sizes, output_size: Sizes) -> Sizes:
    return (*self[:-3], *expanded(output_size, 3))


register(
    Record(
        name="adaptive_max_pool3d",
        inputs=("self",),
        attributes=(OUTPUT_SIZE,),
        promotes="none",
        forward=in_sequence(lambda self, output_size: adaptive_max(self, expanded(output_size, 3))),
        vjps={"self": lambda o, g, self, result1: o.adaptive_max_pool3d_backward(g, self, result1)},
        grad_fn="AdaptiveMaxPool3DBackward0",
        outputs=("result0", "result1"),
        not_differentiable=frozenset({"result1"}),
        shape=_adaptive_max_shape,
        section="layer",
        hidden=True,
        signatures=("adaptive_max_pool3d(Tensor input, int[3] output_size, *, Tensor[2] out=None)",),
    )
)
register(
    Record(
        name="adaptive_max_pool3d_backward",
        inputs=("grad_output", "self", "indices"),
        promotes="none",
        forward=in_sequence(partial(adaptive_max_backward, dims=3)),
        vjps={"grad_output": lambda o, g, indices: pooled_again(o, g, indices, 3), "self": no_gradient_by_self},
        fills={"self": 1},
        grad_fn="AdaptiveMaxPool3DBackwardBackward0",
        section="layer",
        hidden=True,
    )
)


def _avg_to_size(o: Any, self: Any, output_size: Any) -> Any:
    sizes = expanded(output_size, 3) if isinstance(output_size, int) else output_size
    if len(sizes) != 3:
        raise RuntimeError("adaptive_avg_pool3d: output_size must be 3")
    if any(size < 0 for size in sizes):
        first, second, third = sizes
        raise RuntimeError(
            "adaptive_avg_pool3d: elements of output_size must be greater than or equal to 0 but received "
            f"{{{first}, {second},{third}}}"
        )
    shape = self.array.shape
    if sizes == (1, 1, 1):
        return mean_of_all(o, self, 3)
    if len(shape) not in (4, 5):
        raise RuntimeError(f"adaptive_avg_pool3d(): Expected 4D or 5D tensor, but got {brackets(shape)}")
    check_size((*shape[:-3], *sizes), self.array.itemsize)
    return o._adaptive_avg_pool3d(self, sizes)


register(
    Record(
        name="adaptive_avg_pool3d",
        inputs=("self",),
        attributes=(OUTPUT_SIZE,),
        promotes="none",
        forward=of_arrays("adaptive_avg_pool3d"),
        compose=_avg_to_size,
        grad_fn="AdaptiveAvgPool3DBackward0",
        function="torch.nn.functional.adaptive_avg_pool3d",
        shape=_adaptive_shape,
        section="layer",
        latex=r"\operatorname{mean}_{\text{window}} \self",
        derivatives={"self": r"\frac{1}{n}"},
        signatures=("adaptive_avg_pool3d(Tensor input, SymInt[3] output_size, *, Tensor out=None)",),
        samples=(((VOLUME, (2, 3, 1)), {}),),
    )
)


def _max_pool3d(o: Any, self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool) -> Any:
    return o.max_pool3d_with_indices(self, kernel_size, stride or (), padding, dilation, ceil_mode)[0]


register(
    Record(
        name="max_pool3d",
        inputs=("self",),
        attributes=MAX,
        promotes="none",
        forward=of_arrays("max_pool3d"),
        compose=_max_pool3d,
        grad_fn="MaxPool3DWithIndicesBackward0",
        function="torch.nn.functional.max_pool3d",
        shape=_max_shape,
        section="layer",
        latex=r"\max_{\text{window}} \self",
        derivatives={"self": r"[\self = \max]"},
        signatures=(f"max_pool3d({_WINDOWS}, int[3] dilation=1, bool ceil_mode=False)",),
        samples=(((VOLUME, (2, 2, 2)), {}), ((VOLUME, (3, 3, 2), (2, 2, 2), (1, 1, 1)), {})),
        bad_samples=(((VOLUME, (2, 2, 2), (0, 0, 0)), {}, "RuntimeError", "stride should not be zero"),),
    )
)
