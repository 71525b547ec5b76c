"""Convolutions as people call them: along lines, over images and through volumes, with paddings that have names."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Record
from chalkgrad.engine.size import brackets
from chalkgrad.engine.warning import warn_once
from chalkgrad.ops.composing import of_arrays
from chalkgrad.ops.convolution import (
    DILATION,
    GROUPS,
    IMAGE,
    KERNEL,
    LINE,
    OUTPUT_PADDING,
    PADDING,
    PAIR,
    SHIFT,
    STRIDE,
    check_bias,
    convolution_shape,
)
from chalkgrad.ops.windows import Sizes, expanded


def _batched(o: Any, self: Any, dims: int, name: str) -> tuple[Any, bool]:
    """The input with a batch dimension, and whether it had to be given one."""
    have = self.array.ndim
    if have not in (dims + 1, dims + 2):
        raise RuntimeError(
            f"Expected {dims + 1}D (unbatched) or {dims + 2}D (batched) input to {name}, but got input of size: "
            f"{brackets(self.array.shape)}"
        )
    return (o.unsqueeze(self, 0), True) if have == dims + 1 else (self, False)


def _sizes(value: Any, dims: int) -> Sizes:
    """A number stands for one size along each dimension; a tuple is taken, and shown by ``grad_fn``, as it is."""
    return (value,) * dims if isinstance(value, int) else tuple(value)


def _check_same(input: Sizes, weight: Sizes, stride: Sizes, dilation: Sizes, groups: int) -> None:
    """What PyTorch refuses before it works out how much padding is needed."""
    if len(weight) < 3:
        raise RuntimeError("weight should have at least three dimensions")
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    if len(input) != len(weight):
        raise RuntimeError(
            f"Expected {len(weight)}-dimensional input for {len(weight)}-dimensional weight{brackets(weight)}, but got "
            f"{len(input)}-dimensional input of size {brackets(input)} instead"
        )
    for name, sizes in (("stride", stride), ("dilation", dilation)):
        if len(sizes) not in (1, len(weight) - 2):
            raise RuntimeError(f"{name} cannot broadcast to {len(weight) - 2} dimensions")


def _same_padding(o: Any, input: Any, weight: Any, stride: Sizes, dilation: Sizes) -> tuple[Any, Sizes]:
    """The input framed where the two sides differ, and the padding that is left to do."""
    if any(step != 1 for step in stride):
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    kernel = weight.array.shape[2:]
    totals = tuple(d * (k - 1) for d, k in zip(expanded(dilation, len(kernel)), kernel, strict=True))
    sides = tuple(int(total / 2) for total in totals)  # towards 0: of a window of no size the frame is negative
    rest = tuple(total - 2 * side for total, side in zip(totals, sides, strict=True))
    if any(rest):
        warn_once(
            "Using padding='same' with even kernel lengths and odd dilation may require a zero-padded copy of the "
            "input be created"
        )
        input = o.constant_pad_nd(input, tuple(size for more in reversed(rest) for size in (0, more)), 0)
    return input, sides


def _forward(dims: int, name: str) -> Any:
    def compose(
        o: Any, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int
    ) -> Any:
        stride, dilation, more = _sizes(stride, dims), _sizes(dilation, dims), (0,) * dims
        if not isinstance(padding, str) and bias is not None:
            check_bias(input.array, bias.array)
        whole, alone = _batched(o, input, dims, name)
        if padding == "same":
            _check_same(whole.array.shape, weight.array.shape, stride, dilation, groups)
            whole, padding = _same_padding(o, whole, weight, stride, dilation)
        elif padding == "valid":
            padding = more = (0,)
        elif isinstance(padding, str):
            raise RuntimeError(f"Invalid padding string: '{padding}'")
        found = o.convolution_native(whole, weight, bias, stride, _sizes(padding, dims), dilation, False, more, groups)
        return o.squeeze_dim(found, 0) if alone else found

    return compose


def _transposed(dims: int, name: str) -> Any:
    def compose(
        o: Any,
        input: Any,
        weight: Any,
        bias: Any,
        stride: Any,
        padding: Any,
        output_padding: Any,
        groups: int,
        dilation: Any,
    ) -> Any:
        whole, alone = _batched(o, input, dims, name)
        settings = _sizes(stride, dims), _sizes(padding, dims), _sizes(dilation, dims)
        found = o.convolution_native(whole, weight, bias, *settings, True, _sizes(output_padding, dims), groups)
        return o.squeeze_dim(found, 0) if alone else found

    return compose


def _shape_of(dims: int, transposed: bool) -> Any:
    def shape(
        input: Sizes,
        weight: Sizes,
        bias: Sizes | None = None,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        output_padding: Any = 0,
    ) -> Sizes:
        whole = input if len(input) == dims + 2 else (1, *input)
        dilation, stride = expanded(dilation, dims), expanded(stride, dims)
        sizes = whole[2:]
        if padding == "same":
            return (*input[: -dims - 1], weight[0], *sizes)
        padding = expanded(0 if padding == "valid" else padding, dims)
        more = expanded(output_padding, dims)
        found = convolution_shape(whole, weight, bias, stride, padding, dilation, transposed, more, groups)
        return found if whole is input else found[1:]

    return shape


def _public(name: str, dims: int, transposed: bool, *signatures: str, **fields: Any) -> None:
    stride, padding, more, dilation = (
        attribute._replace(default=attribute.default * dims)
        for attribute in (STRIDE, PADDING, OUTPUT_PADDING, DILATION)
    )
    further = (more, GROUPS, dilation) if transposed else (dilation, GROUPS)
    compose = (_transposed if transposed else _forward)(dims, name)
    register(
        Record(
            name=name,
            inputs=("input", "weight", "bias"),
            attributes=(stride, padding, *further),
            optional=frozenset({"bias"}),
            promotes="none",
            forward=of_arrays(name),
            compose=compose,
            grad_fn="ConvolutionBackward0",
            function=f"torch.nn.functional.{name}",
            shape=_shape_of(dims, transposed),
            section="layer",
            signatures=signatures,
            **fields,
        )
    )


def _signatures(name: str, dims: int) -> tuple[str, ...]:
    head = f"{name}(Tensor input, Tensor weight, Tensor? bias=None, SymInt[{dims}] stride=1, "
    tail = f"SymInt[{dims}] dilation=1, SymInt groups=1)"
    return f"{head}SymInt[{dims}] padding=0, {tail}", f'{head}str padding="valid", {tail}'


def _transposed_signature(name: str, dims: int) -> str:
    return (
        f"{name}(Tensor input, Tensor weight, Tensor? bias=None, SymInt[{dims}] stride=1, SymInt[{dims}] padding=0, "
        f"SymInt[{dims}] output_padding=0, SymInt groups=1, SymInt[{dims}] dilation=1)"
    )


_LATEX = r"\weight \star \input + \bias"
_SLOPES = {"input": r"\weight^{\top} \star g", "weight": r"\input^{\top} \star g", "bias": r"\sum g"}
for _dims, _x, _w in ((1, LINE, PAIR), (2, IMAGE, KERNEL)):
    _public(
        f"conv{_dims}d",
        _dims,
        False,
        *_signatures(f"conv{_dims}d", _dims),
        latex=_LATEX,
        derivatives=_SLOPES,
        samples=(
            ((_x, _w, SHIFT), {}),
            ((_x, _w, SHIFT), {"stride": (2,) * _dims, "padding": (1,) * _dims}),
        ),
        bad_samples=(
            (
                (_x[:, :1], _w, SHIFT),
                {},
                "RuntimeError",
                (
                    f"Given groups=1, weight of size {brackets(_w.shape)}, expected "
                    f"input{brackets(_x[:, :1].shape)} to have 2 channels, but got 1 channels instead"
                ),
            ),
        ),
    )
    _public(
        f"conv_transpose{_dims}d",
        _dims,
        True,
        _transposed_signature(f"conv_transpose{_dims}d", _dims),
        latex=r"\weight^{\top} \star \input + \bias",
        derivatives=_SLOPES | {"input": r"\weight \star g"},
        samples=(
            ((_x, np.swapaxes(_w, 0, 1).copy(), SHIFT), {}),
            ((_x, np.swapaxes(_w, 0, 1).copy(), SHIFT), {"stride": (2,) * _dims}),
        ),
    )
_public("conv3d", 3, False, *_signatures("conv3d", 3), hidden=True)
_public("conv_transpose3d", 3, True, _transposed_signature("conv_transpose3d", 3), hidden=True)
