"""Windows of images as columns of a matrix (``unfold`` of ``nn.functional``), and their sum as an image (``fold``)."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import size_at
from chalkgrad.engine.size import brackets
from chalkgrad.engine.storage import reshaped
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.windows import Sizes, gathered, padded, scattered, unframed

_SETTINGS = tuple(Attribute(name, "size", required=True) for name in ("kernel_size", "dilation", "padding", "stride"))
_TAIL = "int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride, *, Tensor out=None)"


def check_pair(name: str, sizes: Sizes) -> None:
    """RuntimeError for what is not one number for the height and one for the width."""
    if len(sizes) != 2:
        raise RuntimeError(f"It is expected {name} equals to 2, but got size {len(sizes)}")


def _check(kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes, back: bool = False) -> None:
    """RuntimeError for windows that make no sense; on the way ``back`` PyTorch looks at the stride before."""
    given = {"kernel_size": kernel_size, "dilation": dilation, "padding": padding, "stride": stride}
    for name, sizes in given.items():
        check_pair(name, sizes)
    limits = [
        (kernel_size, "kernel size should be greater than zero", 1, "kernel"),
        (dilation, "dilation should be greater than zero", 1, "dilation"),
        (padding, "padding should be non-negative", 0, "pad"),
        (stride, "stride should be greater than zero", 1, "stride"),
    ]
    if back:
        limits.insert(1, limits.pop())
    for sizes, title, least, names in limits:
        if min(sizes) < least:
            raise RuntimeError(f"{title}, but got {names}_height: {sizes[0]} {names}_width: {sizes[1]}")


def _counts(sizes: Sizes, kernel: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes) -> Sizes:
    """How many windows there are along height and width."""
    found = zip(sizes, kernel, dilation, padding, stride, strict=True)
    return tuple((size + 2 * p - d * (k - 1) - 1) // s + 1 for size, k, d, p, s in found)


def _pair(sizes: Sizes) -> str:
    return f"({', '.join(str(size) for size in sizes)})"


def _columns_shape(self: Sizes, kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes) -> Sizes:
    _check(kernel_size, dilation, padding, stride)
    filled = size_at(self, 1) and size_at(self, 2)
    if not (filled and ((len(self) == 3 and self[0]) or (len(self) == 4 and self[3]))):
        raise RuntimeError(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for "
            f"input, but got: {brackets(self)}"
        )
    counts = _counts(self[-2:], kernel_size, dilation, padding, stride)
    if min(counts) < 1:
        raise RuntimeError(
            f"Given input with spatial size {_pair(self[-2:])}, kernel_size={_pair(kernel_size)}, "
            f"dilation={_pair(dilation)}, padding={_pair(padding)}, calculated shape of the array of sliding blocks "
            f"as {_pair(counts)}, but its components must be at least one."
        )
    return (*self[:-3], self[-3] * prod(kernel_size), prod(counts))


def _columns(self: np.ndarray, kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes) -> Any:
    if self.dtype.kind in "iu":
        raise not_implemented("im2col_out_cpu", self.dtype)
    counts = _counts(self.shape[-2:], kernel_size, dilation, padding, stride)
    windows = gathered(padded(self, padding), kernel_size, counts, stride, dilation)
    if windows.base is not None:  # what windows show may lie as it lies in the image
        windows = windows.copy()
    return reshaped(windows, (*self.shape[:-3], self.shape[-3] * prod(kernel_size), prod(counts)))


def _image_shape(
    self: Sizes, output_size: Sizes, kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes
) -> Sizes:
    check_pair("output_size", output_size)
    _check(kernel_size, dilation, padding, stride, back=True)
    if len(self) not in (2, 3) or 0 in self[-2:]:
        raise RuntimeError(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for "
            f"input, but got: {brackets(self)}"
        )
    rows, blocks, area = self[-2], self[-1], prod(kernel_size)
    if rows % area:
        raise RuntimeError(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
            f"input.size(1)={rows} and kernel_size={_pair(kernel_size)}."
        )
    counts = _counts(output_size, kernel_size, dilation, padding, stride)
    given = (
        f"Given output_size={_pair(output_size)}, kernel_size={_pair(kernel_size)}, dilation={_pair(dilation)}, "
        f"padding={_pair(padding)}, stride={_pair(stride)}, "
    )
    if blocks != prod(counts):
        raise RuntimeError(
            f"{given}expected size of input's dimension 2 to match the calculated number of sliding blocks "
            f"{counts[0]} * {counts[1]} = {prod(counts)}, but got input.size(2)={blocks}."
        )
    if min(counts) < 1:
        raise RuntimeError(
            f"{given}calculated shape of the array of sliding blocks as ({counts[0]}, {counts[1]}), which is too small "
            "(non-positive)"
        )
    return (*self[:-2], rows // area, *output_size)


def _image(
    self: np.ndarray, output_size: Sizes, kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes
) -> Any:
    if self.dtype.kind in "iu":
        raise not_implemented("col2im_out_cpu", self.dtype)
    counts = _counts(output_size, kernel_size, dilation, padding, stride)
    lead = (*self.shape[:-2], self.shape[-2] // prod(kernel_size))
    framed = tuple(size + 2 * p for size, p in zip(output_size, padding, strict=True))
    windows = self.reshape(*lead, *kernel_size, *counts)
    return unframed(scattered(windows, framed, counts, stride, dilation), padding, output_size)


def columns_gradient(
    o: Any,
    g: Any,
    self_sym_argsize_minus_2: Any,
    self_sym_argsize_minus_1: Any,
    kernel_size: Any,
    dilation: Any,
    padding: Any,
    stride: Any,
) -> Any:
    """Derivative of im2col."""
    size = (self_sym_argsize_minus_2, self_sym_argsize_minus_1)
    return o.col2im(g, size, kernel_size, dilation, padding, stride)


_COLUMNS = np.linspace(-1.0, 1.0, 18).reshape(1, 2, 3, 3) ** 3
_WINDOWS = ((2, 2), (1, 1), (0, 0), (1, 1))
register(
    Record(
        name="im2col",
        inputs=("self",),
        attributes=_SETTINGS,
        promotes="none",
        forward=_columns,
        vjps={"self": columns_gradient},
        grad_fn="Im2ColBackward0",
        shape=_columns_shape,
        section="layer",
        latex=r"\operatorname{windows}(\self)",
        derivatives={"self": "1"},
        signatures=(f"im2col(Tensor input, {_TAIL}",),
        function="torch.nn.functional.unfold",
        hidden=True,
        samples=(((_COLUMNS, *_WINDOWS), {}), ((_COLUMNS, (2, 2), (1, 1), (1, 1), (2, 2)), {})),
    )
)
register(
    Record(
        name="col2im",
        inputs=("self",),
        attributes=(Attribute("output_size", "size", required=True), *_SETTINGS),
        promotes="none",
        forward=_image,
        vjps={
            "self": lambda o, g, kernel_size, dilation, padding, stride: o.im2col(
                g, kernel_size, dilation, padding, stride
            )
        },
        grad_fn="Col2ImBackward0",
        shape=_image_shape,
        section="layer",
        latex=r"\sum \operatorname{windows}",
        derivatives={"self": "1"},
        signatures=(f"col2im(Tensor input, SymInt[2] output_size, {_TAIL}",),
        function="torch.nn.functional.fold",
        hidden=True,
        samples=(((np.linspace(-1.0, 1.0, 16).reshape(1, 4, 4) ** 3, (3, 3), *_WINDOWS), {}),),
    )
)
