"""Pooling as people call it: over images, and over lines, which are images of one row."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import counter_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.size import brackets
from chalkgrad.ops.composing import of_arrays
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.pooling import (
    CEIL,
    COUNTED,
    IMAGE,
    KERNEL,
    LINE,
    PADDING,
    STRIDE,
    checked_settings,
    largest_alone,
    max_settings,
    max_shape,
    pool_shape,
    pooled_size,
)
from chalkgrad.ops.windows import Sizes, expanded


def as_row(o: Any, self: Any) -> Any:
    """Lines as images of one row."""
    return o.unsqueeze(self, -2)


def row(sizes: Any, other: int) -> Sizes:
    """Sizes for an image of one row."""
    return (other, *expanded(sizes, 1)) if sizes != () else ()


def _max_pool1d_with_indices(
    o: Any, self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> Any:
    """The largest of each window of a line, and their places."""
    check_line("max_pool1d", self.array.shape)
    stride = stride or kernel_size
    check_ones("max_pool1d", kernel_size=kernel_size, stride=stride, padding=padding, dilation=dilation)
    sizes = (row(kernel_size, 1), row(stride, 1), row(padding, 0), row(dilation, 1))
    values, places = o.max_pool2d_with_indices(as_row(o, self), *sizes, ceil_mode)
    return o.squeeze_dim(values, -2), o.squeeze_dim(places, -2)


def check_line(name: str, shape: Sizes) -> None:
    """RuntimeError for what is neither a line of channels nor a batch of these."""
    if len(shape) not in (2, 3):
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {len(shape)}-dimensional tensor for argument #1 'self' (while "
            f"checking arguments for {name})"
        )


def check_ones(name: str, **settings: Sizes) -> None:
    """RuntimeError for settings of a line that are not one number each, in the words of what passes it on to images."""
    for setting, sizes in settings.items():
        if len(sizes) != 1:
            raise RuntimeError(f"{name}() argument '{setting}' should contain one int (got {len(sizes)})")


def _check_settings(kernel_size: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> None:
    """RuntimeError for settings of a line that are not one number each."""
    for name, kinds, sizes in (
        ("kernel_size", "an int, list of ints or", kernel_size),
        ("stride", "None, an int, list of ints, or", stride or (0,)),
        ("padding", "an int, list of ints, or", padding),
        ("dilation", "an int, list of ints or", dilation),
    ):
        if len(sizes) != 1:
            raise RuntimeError(f"max_pool1d() {name} must be {kinds} tuple of ints of size 1 but got size {len(sizes)}")


def _check_line(
    shape: Sizes, kernel_size: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, ceil_mode: bool
) -> None:
    """What PyTorch refuses for lines, in the words it has for them."""
    if len(shape) not in (2, 3) or 0 in shape[-2:]:
        raise RuntimeError(
            "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but "
            f"got:{brackets(shape)}"
        )
    _check_settings(kernel_size, stride, padding, dilation)
    (kernel,), (pad,), (step,) = kernel_size, padding, dilation
    (move,) = stride or kernel_size
    for name, size in (("kernel_size", kernel), ("stride", move)):
        if size <= 0:
            raise RuntimeError(f"max_pool1d() {name} must be greater than zero, but got {size}")
    if pad < 0:
        raise RuntimeError(f"max_pool1d() padding must be non-negative, but got {pad}")
    if pad > kernel // 2:
        raise RuntimeError(
            f"max_pool1d() padding should be at most half of kernel size, but got padding={pad} and "
            f"kernel_size={kernel}"
        )
    if step <= 0:
        raise RuntimeError(f"max_pool1d() dilation must be greater than zero, but got {step}")
    count = pooled_size(shape[-1], kernel, move, pad, step, ceil_mode)
    if count <= 0:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {count}")


def _max_pool1d(o: Any, self: Any, **settings: Any) -> Any:
    shape, dtype = self.array.shape, self.array.dtype
    _check_line(shape, **settings)
    if dtype.kind != "f":
        raise not_implemented("max_pool1d_impl", dtype)
    found = _max_pool1d_with_indices(o, self, **settings)[0]
    if found.requires_grad:
        return found
    copied = o.clone(found)  # PyTorch then computes it without making a view, and takes away the batch in place
    if len(shape) == 2:
        counter_of(copied).version += 1
    return copied


def _avg_pool1d(
    o: Any, self: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool, count_include_pad: bool
) -> Any:
    check_line("avg_pool1d", self.array.shape)
    check_ones("avg_pool1d", kernel_size=kernel_size, stride=stride or kernel_size, padding=padding)
    sizes = (row(kernel_size, 1), row(stride or kernel_size, 1), row(padding, 0))
    return o.squeeze_dim(o.avg_pool2d(as_row(o, self), *sizes, ceil_mode, count_include_pad), -2)


def _line_shape(self: Sizes, kernel_size: Sizes, stride: Any = (), padding: Any = (0,), **settings: Any) -> Sizes:
    dilation = row(settings.get("dilation", (1,)), 1)
    whole = (*self[:-1], 1, self[-1])
    sizes = (row(kernel_size, 1), row(stride or kernel_size, 1), row(padding, 0), dilation)
    found = pool_shape(whole, checked_settings("max_pool2d", whole, *sizes), settings.get("ceil_mode", False))
    return (*self[:-1], found[-1])


def _public(name: str, compose: Any, attributes: tuple[Attribute, ...], signature: str, **fields: Any) -> None:
    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=attributes,
            promotes="none",
            forward=of_arrays(name),
            compose=compose,
            function=f"torch.nn.functional.{name}",
            section="layer",
            signatures=(signature,),
            **fields,
        )
    )


_LARGEST = r"\max_{\text{window}} \self"
_public(
    "max_pool2d",
    largest_alone(2),
    max_settings(2),
    "max_pool2d(Tensor input, int[2] kernel_size, int[2] stride=None, int[2] padding=0, int[2] dilation=1, bool "
    "ceil_mode=False)",
    grad_fn="MaxPool2DWithIndicesBackward0",
    shape=max_shape,
    latex=_LARGEST,
    derivatives={"self": r"[\self = \max]"},
    samples=(((IMAGE, (2, 2)), {}), ((IMAGE, (3, 3), (2, 2), (1, 1)), {})),
    bad_samples=(((IMAGE, (2, 2), (0, 0)), {}, "RuntimeError", "stride should not be zero"),),
)
register(
    Record(
        name="max_pool1d_with_indices",
        inputs=("self",),
        attributes=max_settings(1),
        promotes="none",
        forward=of_arrays("max_pool1d_with_indices"),
        compose=_max_pool1d_with_indices,
        grad_fn="SqueezeBackward1",
        shape=_line_shape,
        section="layer",
        hidden=True,
        outputs=("result0", "result1"),
        not_differentiable=frozenset({"result1"}),
        signatures=(
            (
                "max_pool1d_with_indices(Tensor input, int[1] kernel_size, int[1] stride=None, int[1] padding=0, "
                "int[1] dilation=1, bool ceil_mode=False)"
            ),
        ),
    )
)
_public(
    "max_pool1d",
    _max_pool1d,
    max_settings(1),
    "max_pool1d(Tensor input, int[1] kernel_size, int[1] stride=None, int[1] padding=0, int[1] dilation=1, bool "
    "ceil_mode=False)",
    grad_fn="SqueezeBackward1",
    shape=_line_shape,
    latex=_LARGEST,
    derivatives={"self": r"[\self = \max]"},
    samples=(((LINE, (2,)), {}), ((LINE, (3,), (2,), (1,)), {})),
)
_public(
    "avg_pool1d",
    _avg_pool1d,
    (KERNEL, STRIDE, PADDING, CEIL, COUNTED),
    "avg_pool1d(Tensor input, int[1] kernel_size, int[1] stride=None, int[1] padding=0, bool ceil_mode=False, bool "
    "count_include_pad=True)",
    grad_fn="SqueezeBackward1",
    shape=_line_shape,
    latex=r"\operatorname{mean}_{\text{window}} \self",
    derivatives={"self": r"\frac{1}{n}"},
    samples=(((LINE, (2,)), {}), ((LINE, (3,), (2,), (1,)), {})),
)
