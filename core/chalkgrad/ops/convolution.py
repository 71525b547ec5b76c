"""Convolutions, of any number of dimensions: the operator that all are, its two transposes, and their public forms."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.size import brackets
from chalkgrad.ops.composing import of_arrays
from chalkgrad.ops.windows import Sizes, expanded, gathered, padded, scattered, unframed

STRIDE = Attribute("stride", "size", (1,))
PADDING = Attribute("padding", "size", (0,))
DILATION = Attribute("dilation", "size", (1,))
GROUPS = Attribute("groups", "int", 1)
OUTPUT_PADDING = Attribute("output_padding", "size", (0,))
SIZES = Attribute("sizes", "size", required=True)
SETTINGS = (
    STRIDE,
    PADDING,
    DILATION,
    Attribute("transposed", "bool", False),
    OUTPUT_PADDING,
    GROUPS,
)


def _counts(sizes: Sizes, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> Sizes:
    """How many windows fit along each dimension."""
    found = zip(sizes, kernel, stride, padding, dilation, strict=True)
    return tuple((s + 2 * p - d * (k - 1) - 1) // step + 1 for s, k, step, p, d in found)


def _correlate(x: np.ndarray, weight: np.ndarray, stride: Sizes, padding: Sizes, dilation: Sizes, groups: int) -> Any:
    """The convolution itself: every window times the weight."""
    kernel, count = weight.shape[2:], len(x)
    counts = _counts(x.shape[2:], kernel, stride, padding, dilation)
    columns = gathered(padded(x, padding), kernel, counts, stride, dilation)
    columns = columns.reshape(count, groups, weight.shape[1] * prod(kernel), prod(counts))
    rows = weight.reshape(groups, weight.shape[0] // groups, -1)
    return np.matmul(rows, columns).reshape(count, weight.shape[0], *counts)


def _spread(
    g: np.ndarray, weight: np.ndarray, sizes: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, groups: int
) -> Any:
    """Its transpose by the input, of shape (N, C, sizes...)."""
    kernel, counts, count = weight.shape[2:], g.shape[2:], len(g)
    rows = weight.reshape(groups, weight.shape[0] // groups, -1)
    grouped = g.reshape(count, groups, weight.shape[0] // groups, prod(counts))
    columns = np.matmul(rows.transpose(0, 2, 1), grouped)
    columns = columns.reshape(count, groups * weight.shape[1], *kernel, *counts)
    framed = tuple(s + 2 * p for s, p in zip(sizes, padding, strict=True))
    return unframed(scattered(columns, framed, counts, stride, dilation), padding, sizes)


def _weighed(
    g: np.ndarray, x: np.ndarray, sizes: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, groups: int
) -> Any:
    """Its transpose by the weight, which has all ``sizes``."""
    kernel, counts, count = sizes[2:], g.shape[2:], len(g)
    columns = gathered(padded(x, padding), kernel, counts, stride, dilation)
    columns = columns.reshape(count, groups, sizes[1] * prod(kernel), prod(counts))
    grouped = g.reshape(count, groups, sizes[0] // groups, prod(counts))
    return np.matmul(grouped, columns.transpose(0, 1, 3, 2)).sum(axis=0).reshape(sizes)


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
    if transposed:
        sizes = _transposed_sizes(input.shape[2:], weight.shape[2:], stride, padding, dilation, output_padding)
        found = _spread(input, weight, sizes, stride, padding, dilation, groups)
    else:
        found = _correlate(input, weight, stride, padding, dilation, groups)
    if bias is not None:
        found += bias.reshape(-1, *[1] * (found.ndim - 2))
    return found


def _transposed_sizes(
    sizes: Sizes, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, output_padding: Sizes
) -> Sizes:
    found = zip(sizes, kernel, stride, padding, dilation, output_padding, strict=True)
    return tuple((s - 1) * step - 2 * p + d * (k - 1) + more + 1 for s, k, step, p, d, more in found)


# Refused


def _check_sizes(name: str, sizes: Sizes, dims: int, called: str = "convolution") -> None:
    if len(sizes) != dims:
        raise RuntimeError(
            f"expected {name} to be a single integer value or a list of {dims} values to match the convolution "
            f"dimensions, but got {name}={brackets(sizes)}"
        )


def _check_dtypes(input: np.ndarray, weight: np.ndarray, bias: np.ndarray | None) -> None:
    if bias is not None and input.dtype != bias.dtype:
        raise RuntimeError(
            f"Input type ({dtype_of(input).cpp}) and bias type ({dtype_of(bias).cpp}) should be the same"
        )
    if input.dtype != weight.dtype:
        raise RuntimeError(
            f"expected scalar type {dtype_of(input).scalar_type} but found {dtype_of(weight).scalar_type}"
        )


def _shape(
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
    dims = len(weight) - 2
    if dims < 1:
        raise RuntimeError("weight should have at least three dimensions")
    if any(size < 0 for size in padding):
        raise RuntimeError("negative padding is not supported")
    if any(size < 0 for size in output_padding):
        raise RuntimeError("negative output_padding is not supported")
    if any(size <= 0 for size in stride):
        raise RuntimeError("non-positive stride is not supported")
    if any(size <= 0 for size in dilation):
        raise RuntimeError("dilation should be greater than zero")
    if groups <= 0:
        raise RuntimeError("expected groups to be greater than 0, but got groups=" + str(groups))
    if len(input) != len(weight):
        raise RuntimeError(
            f"Expected {len(weight)}-dimensional input for {len(weight)}-dimensional weight {brackets(weight)}, "
            f"but got {len(input)}-dimensional input of size {brackets(input)} instead"
        )
    _check_groups(weight, groups)
    if transposed:
        _check_transposed(input, weight, bias, groups)
        sizes = _transposed_sizes(input[2:], weight[2:], stride, padding, dilation, output_padding)
        return (input[0], weight[1] * groups, *sizes)
    _check_channels(input, weight, bias, groups)
    framed = tuple(s + 2 * p for s, p in zip(input[2:], padding, strict=True))
    reach = tuple(d * (k - 1) + 1 for d, k in zip(dilation, weight[2:], strict=True))
    if any(r > f for r, f in zip(reach, framed, strict=True)):
        raise RuntimeError(
            f"Calculated padded input size per channel: ({_times(framed)}). Kernel size: ({_times(reach)}). "
            "Kernel size can't be greater than actual input size"
        )
    return (input[0], weight[0], *_counts(input[2 : 2 + dims], weight[2:], stride, padding, dilation))


def _times(sizes: Sizes) -> str:
    return " x ".join(str(size) for size in sizes)


def _check_groups(weight: Sizes, groups: int) -> None:
    for fits, what in (
        (weight[0] >= groups, f"at least {groups}"),
        (weight[0] % groups == 0, f"divisible by {groups}"),
    ):
        if not fits:
            raise RuntimeError(
                f"Given groups={groups}, expected weight to be {what} at dimension 0, but got weight of size "
                f"{brackets(weight)} instead"
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
        found = _correlate(grad_output, weight, stride, padding, dilation, groups)
        return found[(..., *(slice(size) for size in sizes))]  # output_padding may make room for one more window
    return _spread(grad_output, weight, sizes, stride, padding, dilation, groups)


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
    return _weighed(grad_output, input, sizes, stride, padding, dilation, groups)


def by_input(
    o: Any,
    g: Any,
    input: Any,
    weight: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: Any,
    output_padding: Any,
    groups: Any,
) -> Any:
    """Derivative of a convolution by what it convolves."""
    settings = (stride, padding, dilation, transposed, output_padding, groups)
    return o.convolution_by_input(g, weight, tuple(input.shape)[2:], *settings)


def by_weight(
    o: Any,
    g: Any,
    input: Any,
    weight: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: Any,
    output_padding: Any,
    groups: Any,
) -> Any:
    """Derivative of a convolution by its weight."""
    settings = (stride, padding, dilation, transposed, output_padding, groups)
    return o.convolution_by_weight(g, input, tuple(weight.shape), *settings)


_IMAGE = np.linspace(-1.0, 1.0, 32).reshape(1, 2, 4, 4) ** 3 + 0.3
_KERNEL = np.linspace(0.9, -0.7, 24).reshape(3, 2, 2, 2)
_LINE = np.linspace(-1.0, 1.0, 10).reshape(1, 2, 5) ** 3 + 0.3
_PAIR = np.linspace(0.9, -0.7, 12).reshape(3, 2, 2)
_SHIFT = np.array([0.1, -0.2, 0.3])
_PLAIN = ((1, 1), (0, 0), (1, 1), False, (0, 0), 1)


def _piece(name: str, inputs: tuple[str, ...], forward: Any, vjps: dict[str, Any], **fields: Any) -> None:
    defaults: dict[str, Any] = {
        "attributes": (SIZES, *SETTINGS),
        "grad_fn": "ConvolutionBackwardBackward0",
        "promotes": "none",
        "section": "layer",
        "hidden": True,
    }
    register(Record(name=name, inputs=inputs, forward=forward, vjps=vjps, **{**defaults, **fields}))


_piece(
    "convolution",
    ("input", "weight", "bias"),
    _convolution,
    {
        "input": by_input,
        "weight": by_weight,
        "bias": lambda o, g, input, weight: o.convolution_by_bias(g),
    },
    attributes=SETTINGS,
    grad_fn="ConvolutionBackward0",
    optional=frozenset({"bias"}),
    function="torch.convolution",
    shape=_shape,
    check=_check_dtypes,
    signatures=(
        (
            "convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, "
            "SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups)"
        ),
    ),
    samples=(((_IMAGE, _KERNEL, _SHIFT, *_PLAIN), {}),),
)
_piece(
    "convolution_by_input",
    ("grad_output", "weight"),
    _grad_input,
    {
        "grad_output": lambda o, g, weight, stride, padding, dilation, transposed, output_padding, groups: (
            o.convolution(g, weight, None, stride, padding, dilation, transposed, output_padding, groups)
        ),
        "weight": lambda o, g, grad_output, weight, stride, padding, dilation, transposed, output_padding, groups: (
            o.convolution_by_weight(
                grad_output, g, tuple(weight.shape), stride, padding, dilation, transposed, output_padding, groups
            )
        ),
    },
    samples=(((np.ones((1, 3, 3, 3)) + _SHIFT, _KERNEL, (4, 4), *_PLAIN), {}),),
)
_piece(
    "convolution_by_weight",
    ("grad_output", "input"),
    _grad_weight,
    {
        "grad_output": lambda o, g, input, stride, padding, dilation, transposed, output_padding, groups: o.convolution(
            input, g, None, stride, padding, dilation, transposed, output_padding, groups
        ),
        "input": lambda o, g, grad_output, input, stride, padding, dilation, transposed, output_padding, groups: (
            o.convolution_by_input(
                grad_output, g, tuple(input.shape)[2:], stride, padding, dilation, transposed, output_padding, groups
            )
        ),
    },
    samples=(((np.ones((1, 3, 3, 3)) + _SHIFT, _IMAGE, (3, 2, 2, 2), *_PLAIN), {}),),
)
_piece(
    "convolution_by_bias",
    ("grad_output",),
    lambda grad_output: grad_output.sum(axis=(0, *range(2, grad_output.ndim))),
    {
        "grad_output": lambda o, g, grad_output_sym_sizes: o.expand(
            o.view(g, (-1, *[1] * (len(grad_output_sym_sizes) - 2))), grad_output_sym_sizes
        )
    },
    attributes=(),
    samples=(((np.ones((1, 3, 3, 3)),), {}),),
)


# What people call


def _batched(o: Any, self: Any, dims: int, name: str) -> tuple[Any, bool]:
    """The input with a batch dimension, and whether it had to be given one."""
    have = self.array.ndim
    if have not in (dims + 1, dims + 2):
        raise RuntimeError(
            f"Expected {dims + 1}D (unbatched) or {dims + 2}D (batched) input to {name}, but got input of size: "
            f"{brackets(self.array.shape)}"
        )
    return (o.unsqueeze(self, 0), True) if have == dims + 1 else (self, False)


def _same_padding(o: Any, input: Any, weight: Any, stride: Sizes, dilation: Sizes) -> tuple[Any, Sizes]:
    """The input framed where the two sides differ, and the padding that is left to do."""
    if any(step != 1 for step in stride):
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    totals = tuple(d * (k - 1) for d, k in zip(dilation, weight.array.shape[2:], strict=True))
    if any(total % 2 for total in totals):
        frame = tuple(size for total in reversed(totals) for size in (0, total % 2))
        input = o.constant_pad_nd(input, frame, 0)
    return input, tuple(total // 2 for total in totals)


def _forward(dims: int, name: str) -> Any:
    def compose(
        o: Any, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int
    ) -> Any:
        if isinstance(padding, str) and padding not in ("valid", "same"):
            raise RuntimeError(f"Invalid padding string: '{padding}'")
        stride, dilation = expanded(stride, dims), expanded(dilation, dims)
        whole, alone = _batched(o, input, dims, name)
        if padding == "same":
            whole, padding = _same_padding(o, whole, weight, stride, dilation)
        padding = expanded(0 if padding == "valid" else padding, dims)
        for title, sizes in (("stride", stride), ("padding", padding), ("dilation", dilation)):
            _check_sizes(title, sizes, dims)
        found = o.convolution(whole, weight, bias, stride, padding, dilation, False, (0,) * dims, groups)
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
        stride, padding = expanded(stride, dims), expanded(padding, dims)
        dilation, output_padding = expanded(dilation, dims), expanded(output_padding, dims)
        found = o.convolution(whole, weight, bias, stride, padding, dilation, True, output_padding, groups)
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
        found = _shape(whole, weight, bias, stride, padding, dilation, transposed, more, groups)
        return found if whole is input else found[1:]

    return shape


def _public(name: str, dims: int, transposed: bool, *signatures: str, **fields: Any) -> None:
    further = (OUTPUT_PADDING, GROUPS, DILATION) if transposed else (DILATION, GROUPS)
    compose = (_transposed if transposed else _forward)(dims, name)
    register(
        Record(
            name=name,
            inputs=("input", "weight", "bias"),
            attributes=(STRIDE, PADDING, *further),
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
_SLOPES = {"input": r"\weight^{\top} \star", "weight": r"\input^{\top} \star", "bias": "1"}
for _dims, _x, _w in ((1, _LINE, _PAIR), (2, _IMAGE, _KERNEL)):
    _public(
        f"conv{_dims}d",
        _dims,
        False,
        *_signatures(f"conv{_dims}d", _dims),
        latex=_LATEX,
        derivatives=_SLOPES,
        samples=(
            ((_x, _w, _SHIFT), {}),
            ((_x, _w, _SHIFT), {"stride": (2,) * _dims, "padding": (1,) * _dims}),
        ),
        bad_samples=(
            (
                (_x[:, :1], _w, _SHIFT),
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
        derivatives=_SLOPES,
        samples=(
            ((_x, np.swapaxes(_w, 0, 1).copy(), _SHIFT), {}),
            ((_x, np.swapaxes(_w, 0, 1).copy(), _SHIFT), {"stride": (2,) * _dims}),
        ),
    )
_public("conv3d", 3, False, *_signatures("conv3d", 3), hidden=True)
_public("conv_transpose3d", 3, True, _transposed_signature("conv_transpose3d", 3), hidden=True)
