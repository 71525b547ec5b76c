"""What the kernels refuse that PyTorch chooses for a convolution, in the order in which they look."""

from __future__ import annotations

from math import prod

import numpy as np

from chalkgrad.engine.dtype import can_cast, dtype_of
from chalkgrad.engine.size import brackets
from chalkgrad.ops.correlation import transposed_sizes
from chalkgrad.ops.windows import Sizes

_LARGE = 20480
"""Elements of the input from which on oneDNN is worth its preparations."""
_NAMES = ("depth", "height", "width")
_NO_PRIMITIVE = (
    "could not create a primitive descriptor for the {}convolution forward propagation primitive. Run workload with "
    "environment variable ONEDNN_VERBOSE=all to get additional diagnostic information."
)


def check_kernel(
    input: np.ndarray,
    weight: np.ndarray,
    bias: np.ndarray | None,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool,
    output_padding: Sizes,
    groups: int,
) -> None:
    """Raise for what the kernel can't do that would be chosen for such a convolution."""
    if not input.size:
        _check_empty(input.shape, weight)
        return
    sizes = None
    if transposed:
        sizes = transposed_sizes(input.shape[2:], weight.shape[2:], stride, padding, dilation, output_padding)
    if is_by_onednn(input, weight, stride, transposed, output_padding, groups):
        _check_onednn(input, weight, bias, dilation, sizes)
        return
    shape = (weight.shape[0] // groups, *weight.shape[1:])
    if sizes is None:
        _check_slow(input, shape, dilation)
    else:
        _check_slow_transposed(input, shape, sizes, stride, dilation, output_padding)
    _check_dtypes(input, weight, bias, transposed)


def _check_empty(input: Sizes, weight: np.ndarray) -> None:
    if input[0] and input[1]:
        raise RuntimeError(
            f"Only zero batch or zero channel inputs are supported, but got input shape: {brackets(_flat(input, 2))}"
        )
    if input[1] and not weight.size:
        raise IndexError("select(): index 0 out of range for tensor of size [0] at dimension 0")


def _flat(sizes: Sizes, before: int = 0, value: int = 1) -> Sizes:
    """``sizes`` as they are along two dimensions at least: lines are images of one row."""
    return sizes if len(sizes) - before > 1 else (*sizes[:before], value, *sizes[before:])


def is_by_onednn(
    input: np.ndarray, weight: np.ndarray, stride: Sizes, transposed: bool, output_padding: Sizes, groups: int
) -> bool:
    """True for a convolution that PyTorch leaves to oneDNN."""
    if input.dtype != np.float32:
        return False
    if transposed and any(more >= step for more, step in zip(output_padding, stride, strict=True)):
        return False
    large = len(weight.shape) > 3 and min(weight.shape[-2:]) > 3
    return groups > 1 or large or len(input) > 1 or prod(_flat(input.shape, 2)[:4]) > _LARGE


def _check_onednn(
    input: np.ndarray, weight: np.ndarray, bias: np.ndarray | None, dilation: Sizes, sizes: Sizes | None
) -> None:
    for name, other in (("weight", weight), ("bias", bias)):
        if other is not None and other.dtype != input.dtype:
            raise RuntimeError(
                f"Input type (torch.FloatTensor) and {name} type ({_type_of(other)}) should be the same or input "
                f"should be a MKLDNN tensor and {name} is a dense tensor"
            )
    if sizes is None and 0 in dilation:
        raise RuntimeError("non-positive dilation is not supported")
    if sizes is not None and min(sizes) < 0:
        raise RuntimeError("could not construct a memory descriptor using a format tag")
    if 0 in dilation or not weight.size or (sizes is not None and 0 in sizes):
        raise RuntimeError(_NO_PRIMITIVE.format("" if sizes is None else "de"))


def _type_of(array: np.ndarray) -> str:
    """The dtype in the words of C++'s tensors."""
    return "CPUBoolType" if array.dtype == np.bool_ else f"torch.{dtype_of(array).scalar_type}Tensor"


def _check_slow(input: np.ndarray, weight: Sizes, dilation: Sizes) -> None:
    kernel = weight[2:]
    if any(step != 1 for step in dilation):
        for name, sizes in (("kernel size", kernel), ("dilation", dilation)):
            if 0 in sizes:
                raise RuntimeError(f"{name} should be greater than zero, but got {brackets(_flat(sizes))}")
    elif 0 in kernel:
        raise RuntimeError(f"kernel size should be greater than zero, but got{_kernel_told(kernel)}")
    own = dtype_of(input)
    if own.is_floating_point or own.name == "int64":
        return
    if any(step != 1 for step in dilation):
        name = "slow_conv_dilated<>"
    elif own.name == "bool":
        name = "compute_columns3d" if len(kernel) == 3 else "slow_conv2d_cpu"
    else:
        return
    raise NotImplementedError(f"\"{name}\" not implemented for '{own.scalar_type}'")


def _kernel_told(kernel: Sizes) -> str:
    if len(kernel) == 3:
        return f": {' x '.join(str(size) for size in kernel)} (TxHxW)"
    return " " + _told("kernel", kernel)


def _told(what: str, sizes: Sizes, between: str = " ", value: int = 1) -> str:
    """``sizes``, each with its name."""
    sizes = _flat(sizes, value=value)
    return between.join(f"{what}_{name}: {size}" for name, size in zip(_NAMES[-len(sizes) :], sizes, strict=True))


def _check_slow_transposed(
    input: np.ndarray, weight: Sizes, sizes: Sizes, stride: Sizes, dilation: Sizes, output_padding: Sizes
) -> None:
    kernel = weight[2:]
    if 0 in kernel and len(kernel) < 3:
        raise RuntimeError(f"kernel size should be greater than zero, but got{_kernel_told(kernel)}")
    if 0 in dilation:
        raise RuntimeError(f"dilation should be greater than zero, but got {_told('dilation', dilation, ', ')}")
    if any(more >= max(both) for more, *both in zip(output_padding, stride, dilation, strict=True)):
        told = (_told("output_padding", output_padding, value=0), _told("stride", stride), _told("dilation", dilation))
        raise RuntimeError(f"output padding must be smaller than either stride or dilation, but got {' '.join(told)}")
    if 0 in weight:
        raise RuntimeError(f"{_form_of(kernel)}, but got: {brackets(_flat(weight, 2))}")
    if min(sizes) < 1:
        given, found = (" x ".join(str(size) for size in _flat(side)) for side in (input.shape[2:], sizes))
        raise RuntimeError(
            f"Given input size per channel: ({given}). Calculated output size per channel: ({found}). Output size is "
            "too small"
        )
    own = dtype_of(input)
    if not own.is_floating_point and own.name != "int64":
        kind = f"slow_conv_transpose{max(len(kernel), 2)}d_out_cpu"
        raise NotImplementedError(f"\"{kind}\" not implemented for '{own.scalar_type}'")


def _form_of(kernel: Sizes) -> str:
    if len(kernel) < 3:
        return "non-empty 2D or 4D weight tensor expected"
    return (
        "non-empty 5D (n_output_plane x n_input_plane x kernel_depth x kernel_height x kernel_width) tensor expected "
        "for weight"
    )


def _check_dtypes(input: np.ndarray, weight: np.ndarray, bias: np.ndarray | None, transposed: bool) -> None:
    """The weight has the input's dtype; a bias is cast, if it can be where it is added at the end."""
    own, volume = dtype_of(input), input.ndim == 5
    for other in (weight, bias if transposed and volume else None):
        if other is not None and other.dtype != input.dtype:
            raise RuntimeError(f"expected scalar type {own.scalar_type} but found {dtype_of(other).scalar_type}")
    if bias is not None and transposed and not can_cast(dtype_of(bias), own):
        raise RuntimeError(
            f"result type {dtype_of(bias).scalar_type} can't be cast to the desired output type {own.scalar_type}"
        )
