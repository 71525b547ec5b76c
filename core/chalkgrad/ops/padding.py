"""Frames around tensors: constant, mirrored, continued; and resizing by the same means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of, exact
from chalkgrad.engine.memory_format import copied
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.size import brackets
from chalkgrad.ops.composing import in_format
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.samples import M23, V3
from chalkgrad.ops.slopes import of_pad
from chalkgrad.ops.windows import Sizes, put_back

_PAD = Attribute("pad", "size", required=True)
_PADDING = Attribute("padding", "size", required=True)


def _constant_shape(self: Sizes, pad: Sizes, value: float = 0) -> Sizes:
    if len(pad) % 2:
        raise RuntimeError(f"Length of pad must be even but instead it equals {len(pad)}")
    if len(pad) > 2 * len(self):
        raise RuntimeError(
            "Length of pad should be no more than twice the number of dimensions of the input. "
            f"Pad length is {len(pad)}while the input has {len(self)}dimensions."
        )
    sizes = list(self)
    for place in range(len(pad) // 2):
        axis = len(self) - 1 - place
        before, after = pad[2 * place], pad[2 * place + 1]
        if sizes[axis] + min(before, 0) + min(after, 0) < 0:  # all that is taken away is so before anything is added
            raise RuntimeError("narrow(): length must be non-negative.")
        sizes[axis] += before + after
    return tuple(sizes)


def _cloned(part: np.ndarray) -> np.ndarray:
    """A copy of ``part``; of a single element that was spread it takes over the stride, which is 0."""
    if part.size != 1 or 0 not in part.strides:
        return copied(part, part.dtype)
    made = np.ndarray(part.shape, part.dtype, strides=part.strides)
    made[...] = part
    return made


def _cut(self: np.ndarray, pad: Sizes) -> np.ndarray:
    """The part of ``self`` that is left where ``pad`` takes away; a view."""
    source = [slice(None)] * self.ndim
    for place in range(len(pad) // 2):
        axis = self.ndim - 1 - place
        before, after = pad[2 * place], pad[2 * place + 1]
        source[axis] = slice(max(-before, 0), self.shape[axis] - max(-after, 0))
    return self[tuple(source)]


@in_format
def _framed(self: np.ndarray, pad: Sizes, value: float) -> np.ndarray:
    """``self``, or what is left of it, in a frame of ``value``."""
    shape = _constant_shape(self.shape, pad)
    made = np.full(shape, exact(value, dtype_of(self)), self.dtype)
    _cut(made, tuple(-size for size in pad))[...] = _cut(self, pad)
    return made


def _constant(self: np.ndarray, pad: Sizes, value: float = 0) -> np.ndarray:
    """What only loses elements is copied, and so lies in memory as it did."""
    _constant_shape(self.shape, pad)
    return _cloned(_cut(self, pad)) if all(size <= 0 for size in pad) else _framed(self, pad, value)


register(
    Record(
        name="constant_pad_nd",
        inputs=("self",),
        attributes=(_PAD, Attribute("value", "number", 0)),
        promotes="none",
        forward=_constant,
        vjps={"self": lambda o, g, pad: o.constant_pad_nd(g, tuple(-size for size in pad), 0)},
        grad_fn="ConstantPadNdBackward0",
        function="torch.constant_pad_nd",
        shape=_constant_shape,
        section="layer",
        latex=r"\operatorname{pad}(\self)",
        varying=of_pad,
        signatures=("constant_pad_nd(Tensor input, SymInt[] pad, Scalar value=0)",),
        samples=(((V3, (1, 2)), {}), ((M23, (1, -1, 0, 1), 2.5), {})),
        bad_samples=(((V3, (1,)), {}, "RuntimeError", "Length of pad must be even but instead it equals 1"),),
    )
)


# Frames made of the tensor's own elements


def _reflected(size: int, before: int, after: int) -> np.ndarray:
    places = np.abs(np.arange(-before, size + after))
    return np.where(places >= size, 2 * (size - 1) - places, places)


def _replicated(size: int, before: int, after: int) -> np.ndarray:
    return np.clip(np.arange(-before, size + after), 0, size - 1)


_PLACES: dict[str, Callable[[int, int, int], np.ndarray]] = {"reflection": _reflected, "replication": _replicated}


def _taken(self: np.ndarray, padding: Sizes, kind: str) -> Any:
    """``self`` continued along its last dimensions."""
    if self.dtype.kind == "b":
        raise not_implemented(f"{kind}_pad{len(padding) // 2}d", self.dtype)
    for place in range(len(padding) // 2):
        axis = self.ndim - 1 - place
        places = _PLACES[kind](self.shape[axis], padding[2 * place], padding[2 * place + 1])
        self = self.take(places, axis)
    return np.ascontiguousarray(self)


def _given_back(grad_output: np.ndarray, self: np.ndarray, padding: Sizes, kind: str) -> Any:
    """Its transpose: what came from one element is added up there."""
    for place in range(len(padding) // 2):
        axis = self.ndim - 1 - place
        places = _PLACES[kind](self.shape[axis], padding[2 * place], padding[2 * place + 1])
        grad_output = put_back(grad_output, places, axis, self.shape[axis])
    return grad_output


def _framed_shape(kind: str, dims: int) -> Any:
    def shape(self: Sizes, padding: Sizes) -> Sizes:
        if len(self) not in (dims + 1, dims + 2) or 0 in self[len(self) - dims - 1 :]:
            raise RuntimeError(
                f"Expected {dims + 1}D or {dims + 2}D (batch mode) tensor with possibly 0 batch size and other "
                f"non-zero dimensions for input, but got: {brackets(self)}"
            )
        sizes = list(self)
        for place in range(dims):
            axis = len(self) - 1 - place
            before, after = padding[2 * place], padding[2 * place + 1]
            if kind == "reflection" and (before >= self[axis] or after >= self[axis]):
                raise RuntimeError(
                    "Argument #4: Padding size should be less than the corresponding input dimension, but got: "
                    f"padding ({before}, {after}) at dimension {axis} of input {brackets(self)}"
                )
            sizes[axis] += before + after
        return tuple(sizes)

    return shape


def _frame(kind: str, dims: int, sample: np.ndarray) -> None:
    name = f"{kind}_pad{dims}d"
    title = f"{kind.title()}Pad{dims}DBackward"
    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=(_PADDING,),
            promotes="none",
            forward=in_format(lambda self, padding: _taken(self, padding, kind)),
            vjps={"self": lambda o, g, self, padding: getattr(o, f"{name}_backward")(g, self, padding)},
            grad_fn=f"{title}0",
            shape=_framed_shape(kind, dims),
            section="layer",
            hidden=True,
            samples=(((sample, (1, 2) * dims), {}),),
        )
    )
    register(
        Record(
            name=f"{name}_backward",
            inputs=("grad_output", "self"),
            attributes=(_PADDING,),
            promotes="none",
            forward=in_format(lambda grad_output, self, padding: _given_back(grad_output, self, padding, kind), 1),
            vjps={
                "grad_output": lambda o, g, padding: getattr(o, name)(g, padding),
                "self": lambda o, g, self: o.zeros_of(self, tuple(self.shape)),
            },
            fills={"self": 1},
            grad_fn=f"{title}Backward0",
            section="layer",
            hidden=True,
        )
    )


for _kind in _PLACES:
    for _dims in (1, 2, 3):
        _frame(_kind, _dims, np.linspace(-1, 1, 3**_dims).reshape(1, *(3,) * _dims) ** 3)


def _circular_sizes(sizes: Sizes, padding: Sizes) -> Sizes:
    """The sizes of all dimensions once framed; RuntimeError where the tensor is too small for its frame."""
    found = list(sizes)
    for place in range(len(padding) // 2):
        axis = len(sizes) - 1 - place
        before, after = padding[2 * place], padding[2 * place + 1]
        if before > sizes[axis] or after > sizes[axis]:
            raise RuntimeError("Padding value causes wrapping around more than once.")
        found[axis] += before + after
        if found[axis] < 0:
            raise RuntimeError("Negative padding value is resulting in an empty dimension")
    return tuple(found)


def circular(o: Any, self: Any, padding: Sizes) -> Any:
    """``self`` continued from its other end along its last dimensions, copied piece by piece into a new tensor."""
    ndim, sizes = self.array.ndim, self.array.shape
    whole = _circular_sizes(sizes, padding)
    out = o.zeros_of(self, whole)
    target, source = out, self
    for place in range(len(padding) // 2):
        axis = ndim - 1 - place
        before, after = padding[2 * place], padding[2 * place + 1]
        target = o.slice(target, axis, max(before, 0), whole[axis] - max(after, 0), 1)
        source = o.slice(source, axis, max(-before, 0), sizes[axis] - max(-after, 0), 1)
    o.copy_(target, source)
    for place in reversed(range(len(padding) // 2)):
        axis, size = ndim - 1 - place, whole[ndim - 1 - place]
        before, after = padding[2 * place], padding[2 * place + 1]
        if before > 0:
            start = size - before - max(after, 0)
            o.copy_(o.slice(out, axis, 0, before, 1), o.slice(out, axis, start, start + before, 1))
        if after > 0:
            start = max(before, 0)
            o.copy_(o.slice(out, axis, size - after, size, 1), o.slice(out, axis, start, start + after, 1))
    return out


def pad(o: Any, self: Any, pad: Sizes, mode: str = "constant", value: float | None = None) -> Any:
    """``self`` framed in one of four ways; RuntimeError and NotImplementedError for what PyTorch refuses."""
    if mode not in ("constant", "reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * self.array.ndim:
        raise RuntimeError(
            f"Padding length should be less than or equal to two times the input dimension but got padding length "
            f"{len(pad)} and input of dimension {self.array.ndim}"
        )
    if mode == "constant":
        return o.constant_pad_nd(self, pad, 0.0 if value is None else value)
    if value is not None and value != 0:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    dims = len(pad) // 2
    if dims not in (1, 2, 3) or self.array.ndim not in (dims + 1, dims + 2):
        raise NotImplementedError(
            f"Padding size {len(pad)} is not supported for {self.array.ndim}D input tensor.\n"
            "Supported combinations for non-constant padding:\n"
            "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
            "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
            "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"
        )
    if mode == "circular":
        return circular(o, self, pad)
    kind = {"reflect": "reflection", "replicate": "replication"}[mode]
    return getattr(o, f"{kind}_pad{dims}d")(self, pad)
