"""Convolutions of any number of dimensions: the operator that all are, and its derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of, result_type
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.size import brackets
from chalkgrad.ops.composing import of_arrays
from chalkgrad.ops.convolution_kernels import check_kernel
from chalkgrad.ops.convolution_layout import with_channels
from chalkgrad.ops.convolved_again import double_backward
from chalkgrad.ops.correlation import convolved, correlate, spread, transposed_sizes, weigh, window_counts
from chalkgrad.ops.windows import Sizes, expanded

STRIDE = Attribute("stride", "size", (1,))
PADDING = Attribute("padding", "size", (0,))
DILATION = Attribute("dilation", "size", (1,))
GROUPS = Attribute("groups", "int", 1)
OUTPUT_PADDING = Attribute("output_padding", "size", (0,))
SETTINGS = (
    STRIDE,
    PADDING,
    DILATION,
    Attribute("transposed", "bool", False),
    OUTPUT_PADDING,
    GROUPS,
)


# Refused


def _expanded(name: str, sizes: Sizes, dims: int) -> Sizes:
    """One of ``sizes`` for each dimension; RuntimeError where that can't be."""
    sizes = expanded(sizes, dims)
    if len(sizes) != dims:
        raise RuntimeError(
            f"expected {name} to be a single integer value or a list of {dims} values to match the convolution "
            f"dimensions, but got {name}={brackets(sizes)}"
        )
    return sizes


def _dims_of(weight: Sizes, groups: int) -> int:
    """How many dimensions it slides along."""
    if len(weight) < 3:
        raise RuntimeError("weight should have at least three dimensions")
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    return len(weight) - 2


def check_bias(input: np.ndarray, bias: np.ndarray) -> None:
    """RuntimeError unless the bias has the input's dtype, which only convolutions that people call ask for."""
    if input.dtype != bias.dtype:
        raise RuntimeError(
            f"Input type ({dtype_of(input).cpp}) and bias type ({dtype_of(bias).cpp}) should be the same"
        )


def _convolution(
    input: np.ndarray,
    weight: np.ndarray,
    bias: np.ndarray | None,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool = False,
    output_padding: Sizes = (0,),
    groups: int = 1,
) -> Any:
    """The operator's forward; the bias takes the result's dtype."""
    dims = input.ndim - 2
    stride, padding = expanded(stride, dims), expanded(padding, dims)
    dilation, output_padding = expanded(dilation, dims), expanded(output_padding, dims)
    settings = (stride, padding, dilation, transposed, output_padding, groups)
    check_kernel(input, weight, bias, *settings)
    if not input.size:
        return _of_nothing(input, weight, convolution_shape(input.shape, weight.shape, None, *settings))
    return convolved(input, weight, None if bias is None else bias.astype(input.dtype, copy=False), *settings)


def _of_nothing(input: np.ndarray, weight: np.ndarray, shape: Sizes) -> np.ndarray:
    """Nothing, of the dtype of one product; without channels even where the weight would make some."""
    if input.shape[1]:
        return np.zeros(shape, result_type((input, np.zeros((), weight.dtype))).numpy)
    return np.zeros((shape[0], 0, *shape[2:]), result_type((input, weight)).numpy)


def convolve(
    o: Any,
    input: Any,
    weight: Any,
    bias: Any,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool,
    output_padding: Sizes,
    groups: int,
) -> Any:
    """A convolution with one size of each kind, or as many as there are dimensions."""
    return o.convolution_native(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)


def convolution_shape(
    input: Sizes,
    weight: Sizes,
    bias: Sizes | None,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool = False,
    output_padding: Sizes = (0,),
    groups: int = 1,
) -> Sizes:
    """The shape of a convolution's result; RuntimeError for what PyTorch refuses."""
    dims = _dims_of(weight, groups)
    stride, padding = _expanded("stride", stride, dims), _expanded("padding", padding, dims)
    dilation = _expanded("dilation", dilation, dims)
    output_padding = _expanded("output_padding", output_padding, dims)
    if any(size < 0 for size in padding):
        raise RuntimeError("negative padding is not supported")
    if any(size < 0 for size in output_padding):
        raise RuntimeError("negative output_padding is not supported")
    if any(size <= 0 for size in stride):
        raise RuntimeError("non-positive stride is not supported")
    if any(size < 0 for size in dilation):
        raise RuntimeError("dilation should be greater than zero")
    if len(input) != len(weight):
        raise RuntimeError(
            f"Expected {len(weight)}-dimensional input for {len(weight)}-dimensional weight {brackets(weight)}, "
            f"but got {len(input)}-dimensional input of size {brackets(input)} instead"
        )
    _check_groups(weight, groups)
    if transposed:
        _check_transposed(input, weight, bias, groups)
        sizes = transposed_sizes(input[2:], weight[2:], stride, padding, dilation, output_padding)
        return (input[0], weight[1] * groups, *sizes)
    _check_channels(input, weight, bias, groups)
    framed = tuple(s + 2 * p for s, p in zip(input[2:], padding, strict=True))
    reach = tuple(d * (k - 1) + 1 for d, k in zip(dilation, weight[2:], strict=True))
    if any(r > f for r, f in zip(reach, framed, strict=True)):
        raise RuntimeError(
            f"Calculated padded input size per channel: ({_times(framed)}). Kernel size: ({_times(reach)}). "
            "Kernel size can't be greater than actual input size"
        )
    return (input[0], weight[0], *window_counts(input[2:], weight[2:], stride, padding, dilation))


def _times(sizes: Sizes) -> str:
    return " x ".join(str(size) for size in sizes)


def _check_groups(weight: Sizes, groups: int) -> None:
    for fits, what, shown in (
        (weight[0] >= groups, f"at least {groups}", brackets(weight)),
        (weight[0] % groups == 0, f"divisible by {groups}", f"[{brackets(weight)}]"),
    ):
        if not fits:
            raise RuntimeError(
                f"Given groups={groups}, expected weight to be {what} at dimension 0, but got weight of size "
                f"{shown} instead"
            )


def _check_channels(input: Sizes, weight: Sizes, bias: Sizes | None, groups: int) -> None:
    if input[1] != weight[1] * groups:
        raise RuntimeError(
            f"Given groups={groups}, weight of size {brackets(weight)}, expected input{brackets(input)} to have "
            f"{weight[1] * groups} channels, but got {input[1]} channels instead"
        )
    if bias is not None and bias != (weight[0],):
        raise RuntimeError(
            f"Given weight of size {brackets(weight)}, expected bias to be 1-dimensional with {weight[0]} elements, "
            f"but got bias of size {brackets(bias)} instead"
        )


def _check_transposed(input: Sizes, weight: Sizes, bias: Sizes | None, groups: int) -> None:
    if input[1] != weight[0]:
        raise RuntimeError(
            f"Given transposed=1, weight of size {brackets(weight)}, expected input{brackets(input)} to have "
            f"{weight[0]} channels, but got {input[1]} channels instead"
        )
    if bias is not None and bias != (weight[1] * groups,):
        raise RuntimeError(
            f"Given transposed=1, weight of size {brackets(weight)}, expected bias to be 1-dimensional with "
            f"{weight[1] * groups} elements, but got bias of size {brackets(bias)} instead"
        )


# The operator and its transposes


def _grad_input(
    grad_output: np.ndarray,
    weight: np.ndarray,
    sizes: Sizes,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool,
    output_padding: Sizes,
    groups: int,
) -> Any:
    if transposed:
        found = correlate(grad_output, weight, stride, padding, dilation, groups)
        if found.shape[2:] == sizes:
            return found
        return found[(..., *(slice(size) for size in sizes))].copy()  # output_padding made room for one more window
    return spread(grad_output, weight, sizes, stride, padding, dilation, groups)


def _grad_weight(
    grad_output: np.ndarray,
    input: np.ndarray,
    sizes: Sizes,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool,
    output_padding: Sizes,
    groups: int,
) -> Any:
    if transposed:
        grad_output, input = input, grad_output
    return weigh(grad_output, input, sizes, stride, padding, dilation, groups)


def _backward(
    grad_output: np.ndarray,
    input: np.ndarray,
    weight: np.ndarray,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool,
    output_padding: Sizes,
    groups: int,
    output_mask: tuple[bool, ...],
) -> tuple[np.ndarray, ...]:
    """Gradients of a convolution by what it convolves, by weight and by bias; nothing for those not in the mask."""
    dims = input.ndim - 2
    stride, padding = expanded(stride, dims), expanded(padding, dims)
    dilation, output_padding = expanded(dilation, dims), expanded(output_padding, dims)
    settings = (stride, padding, dilation, transposed, output_padding, groups)
    if not transposed and any(output_padding):  # which the convolution itself takes no notice of
        told = " ".join(map(str, output_padding))
        raise RuntimeError(f"output_padding is not supported for non-transposed convolutions; got: {told}")
    found = [np.zeros(0, grad_output.dtype)] * 3
    if output_mask[0]:
        found[0] = _grad_input(grad_output, weight, input.shape[2:], *settings)
    if output_mask[1]:
        found[1] = _grad_weight(grad_output, input, weight.shape, *settings)
    if output_mask[2]:
        found[2] = grad_output.sum(axis=(0, *range(2, grad_output.ndim)))
    return tuple(found)


def backward(
    o: Any,
    g: Any,
    input: Any,
    weight: Any,
    bias_sym_sizes_opt: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: Any,
    output_padding: Any,
    groups: Any,
    *,
    grad_input_mask: tuple[bool, ...],
) -> Any:
    """Derivatives of a convolution by what it convolves, by its weight and by its bias."""
    settings = (stride, padding, dilation, transposed, output_padding, groups)
    return o.convolution_backward(g, input, weight, *settings, grad_input_mask)


IMAGE = np.linspace(-1.0, 1.0, 32).reshape(1, 2, 4, 4) ** 3 + 0.3
KERNEL = np.linspace(0.9, -0.7, 24).reshape(3, 2, 2, 2)
LINE = np.linspace(-1.0, 1.0, 10).reshape(1, 2, 5) ** 3 + 0.3
PAIR = np.linspace(0.9, -0.7, 12).reshape(3, 2, 2)
SHIFT = np.array([0.1, -0.2, 0.3])
_PLAIN = ((1, 1), (0, 0), (1, 1), False, (0, 0), 1)


def _piece(name: str, inputs: tuple[str, ...], forward: Any, vjps: dict[str, Any], **fields: Any) -> None:
    defaults: dict[str, Any] = {
        "grad_fn": "ConvolutionBackwardBackward0",
        "promotes": "none",
        "section": "layer",
        "hidden": True,
    }
    register(Record(name=name, inputs=inputs, forward=forward, vjps=vjps, **{**defaults, **fields}))


_piece(
    "convolution_native",
    ("input", "weight", "bias"),
    with_channels(_convolution, 0),
    dict.fromkeys(("input", "weight", "bias"), backward),
    attributes=SETTINGS,
    grad_fn="ConvolutionBackward0",
    optional=frozenset({"bias"}),
    shape=convolution_shape,
    part_of="convolution",
    samples=(((IMAGE, KERNEL, SHIFT, *_PLAIN), {}),),
)
_piece(
    "convolution",
    ("input", "weight", "bias"),
    of_arrays("convolution"),
    {},
    attributes=SETTINGS,
    grad_fn="ConvolutionBackward0",
    optional=frozenset({"bias"}),
    function="torch.convolution",
    compose=convolve,
    signatures=(
        (
            "convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, "
            "SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups)"
        ),
    ),
    samples=(((IMAGE, KERNEL, SHIFT, *_PLAIN), {}),),
)
_piece(
    "convolution_backward",
    ("grad_output", "input", "weight"),
    with_channels(_backward, 1),
    dict.fromkeys(("grad_output", "input", "weight"), double_backward),
    attributes=(*SETTINGS, Attribute("output_mask", "choice", required=True)),
    outputs=("result0", "result1", "result2"),
    samples=(((np.ones((1, 3, 3, 3)) + SHIFT, IMAGE, KERNEL, *_PLAIN, (True, True, True)), {}),),
)
