"""Pooling of volumes: what :mod:`pooling` and :mod:`adaptive` do, over three dimensions."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Record
from chalkgrad.ops.adaptive import (
    adaptive_avg,
    adaptive_avg_backward,
    adaptive_max,
    adaptive_max_backward,
    adaptive_shape,
    largest_shape,
    mean_shape,
    mean_to_size,
)
from chalkgrad.ops.composing import in_format, in_sequence, of_arrays
from chalkgrad.ops.mean_pooling import (
    avg_pool,
    avg_pool_again,
    avg_pool_backward,
    avg_pool_gradient,
    check_divisor,
    mean_settings,
)
from chalkgrad.ops.overloads import no_gradient_by_self
from chalkgrad.ops.pooling import (
    OUTPUT_SIZE,
    by_side,
    check_batch,
    check_lengths,
    checked_settings,
    largest_alone,
    max_pool,
    max_pool_backward,
    max_pool_gradient,
    max_settings,
    max_shape,
    pool_shape,
    pooled_again,
)
from chalkgrad.ops.windows import Sizes

VOLUME = (np.linspace(-1.0, 1.0, 64).reshape(1, 1, 4, 4, 4) * 7.3) % 1.1


def _avg_shape(
    self: Sizes,
    kernel_size: Sizes,
    stride: Sizes = (),
    padding: Sizes = (0,),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Sizes:
    check_lengths("avg_pool3d", kernel_size, stride, padding, dims=3, must="must be")
    check_batch(self, 3)
    check_divisor(divisor_override)
    settings = checked_settings("avg_pool3d", self, kernel_size, stride, padding, (1,), 3)
    kernel = settings[0]
    if any(size < reach for size, reach in zip(self[-3:], kernel, strict=True)):  # whatever the frame
        raise RuntimeError(f"input image ({by_side('', self[-3:])}) smaller than kernel size ({by_side('k', kernel)})")
    return pool_shape(self, settings, ceil_mode)


_WINDOWS = "Tensor input, int[3] kernel_size, int[3] stride=None, int[3] padding=0"

_MEANS = (
    f"avg_pool3d({_WINDOWS}, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, Tensor "
    "out=None)"
)

register(
    Record(
        name="max_pool3d_with_indices",
        inputs=("self",),
        attributes=max_settings(3),
        promotes="none",
        forward=in_format(partial(max_pool, dims=3)),
        vjps={"self": max_pool_gradient(3)},
        grad_fn="MaxPool3DWithIndicesBackward0",
        shape=partial(max_shape, dims=3),
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
        attributes=max_settings(3),
        promotes="none",
        forward=in_format(partial(max_pool_backward, dims=3), 1),
        vjps={"grad_output": lambda o, g, indices: pooled_again(o, g, indices, 3), "self": no_gradient_by_self},
        fills={"self": 1},
        grad_fn="MaxPool3DWithIndicesBackwardBackward0",
        section="layer",
        hidden=True,
    )
)


register(
    Record(
        name="avg_pool3d",
        inputs=("self",),
        attributes=mean_settings(3),
        promotes="none",
        forward=in_sequence(partial(avg_pool, dims=3)),
        vjps={"self": avg_pool_gradient(3)},
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
        vjps={"grad_output": avg_pool_again(3), "self": no_gradient_by_self},
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
        shape=partial(mean_shape, dims=3),
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


register(
    Record(
        name="adaptive_max_pool3d",
        inputs=("self",),
        attributes=(OUTPUT_SIZE,),
        promotes="none",
        forward=in_sequence(adaptive_max),
        vjps={"self": lambda o, g, self, result1: o.adaptive_max_pool3d_backward(g, self, result1)},
        grad_fn="AdaptiveMaxPool3DBackward0",
        outputs=("result0", "result1"),
        not_differentiable=frozenset({"result1"}),
        shape=partial(largest_shape, dims=3),
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


register(
    Record(
        name="adaptive_avg_pool3d",
        inputs=("self",),
        attributes=(OUTPUT_SIZE,),
        promotes="none",
        forward=of_arrays("adaptive_avg_pool3d"),
        compose=mean_to_size(3),
        grad_fn="AdaptiveAvgPool3DBackward0",
        function="torch.nn.functional.adaptive_avg_pool3d",
        shape=partial(adaptive_shape, dims=3),
        section="layer",
        latex=r"\operatorname{mean}_{\text{window}} \self",
        derivatives={"self": r"\frac{1}{n}"},
        signatures=("adaptive_avg_pool3d(Tensor input, SymInt[3] output_size, *, Tensor out=None)",),
        samples=(((VOLUME, (2, 3, 1)), {}),),
    )
)


register(
    Record(
        name="max_pool3d",
        inputs=("self",),
        attributes=max_settings(3),
        promotes="none",
        forward=of_arrays("max_pool3d"),
        compose=largest_alone(3),
        grad_fn="MaxPool3DWithIndicesBackward0",
        function="torch.nn.functional.max_pool3d",
        shape=partial(max_shape, dims=3),
        section="layer",
        latex=r"\max_{\text{window}} \self",
        derivatives={"self": r"[\self = \max]"},
        signatures=(f"max_pool3d({_WINDOWS}, int[3] dilation=1, bool ceil_mode=False)",),
        samples=(((VOLUME, (2, 2, 2)), {}), ((VOLUME, (3, 3, 2), (2, 2, 2), (1, 1, 1)), {})),
        bad_samples=(((VOLUME, (2, 2, 2), (0, 0, 0)), {}, "RuntimeError", "stride should not be zero"),),
    )
)
