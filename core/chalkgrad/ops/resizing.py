"""Images, lines and volumes of another size: each element is taken from the nearest, or mixed of several."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Formula, Record
from chalkgrad.engine.size import brackets
from chalkgrad.ops.composing import in_format, in_sequence
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.windows import Sizes, put_back

_SIZE = Attribute("output_size", "size", required=True)
_INPUT_SIZE = Attribute("input_size", "size", required=True)
_ALIGN = Attribute("align_corners", "bool", required=True)
_AXES = ("D", "H", "W")


def _nearest(size: int, count: int, scale: float | None, exact: bool) -> np.ndarray:
    """Which element each of ``count`` is taken from."""
    places: np.ndarray = np.arange(count)
    if exact or count not in (size, 2 * size):
        step = np.float32(1 / scale if scale else size / count)
        middle = np.float32(0.5 if exact else 0)
        places = np.floor((places.astype(np.float32) + middle) * step).astype(np.int64)
        places[places >= size] = size - 1
        return places
    return places if count == size else places >> 1


def _sources(size: int, count: int, scale: float | None, align: bool, dtype: Any) -> np.ndarray:
    """Where between the elements each of ``count`` stands."""
    places: np.ndarray = np.arange(count).astype(dtype)
    if align:
        places *= np.asarray((size - 1) / (count - 1) if count > 1 else 0, dtype)
        return places
    step, half = np.asarray(1 / scale if scale else size / count, dtype), np.asarray(0.5, dtype)
    places += half
    places *= step
    places -= half
    return places


def _linear(size: int, count: int, scale: float | None, align: bool, dtype: Any) -> np.ndarray:
    """The matrix that mixes two neighbours."""
    sources = np.maximum(_sources(size, count, scale, align, dtype), 0)
    low = np.minimum(sources.astype(np.int64), size - 1)
    part = np.clip(sources - low, 0, 1).astype(dtype)
    made = np.zeros((count, size), dtype)
    rows = np.arange(count)
    np.add.at(made, (rows, low), 1 - part)
    np.add.at(made, (rows, np.minimum(low + 1, size - 1)), part)
    return made


def _cubic(size: int, count: int, scale: float | None, align: bool, dtype: Any) -> np.ndarray:
    """The matrix that mixes four neighbours."""
    sources = _sources(size, count, scale, align, dtype)
    low = np.floor(sources).astype(np.int64)
    part = (sources - low).astype(dtype)
    made = np.zeros((count, size), dtype)
    sharp = -0.75
    for shift in (-1, 0, 1, 2):
        x = np.abs(part - shift)
        near = ((sharp + 2) * x - (sharp + 3)) * x * x + 1
        far = ((sharp * x - 5 * sharp) * x + 8 * sharp) * x - 4 * sharp
        weights = np.where(x <= 1, near, far).astype(dtype)
        np.add.at(made, (np.arange(count), np.clip(low + shift, 0, size - 1)), weights)
    return made


def _mixed(x: np.ndarray, matrices: list[np.ndarray]) -> np.ndarray:
    """``x`` multiplied by one matrix along each of its last dimensions."""
    for place, matrix in enumerate(matrices):
        axis = x.ndim - len(matrices) + place
        x = np.matmul(np.moveaxis(x, axis, -1), matrix.T)
        x = x if axis == x.ndim - 1 else np.moveaxis(x, -1, axis)
    return np.ascontiguousarray(x)


class _Resize:
    """One way to resize tensors of ``dims`` dimensions after batch and channels."""

    def __init__(self, name: str, dims: int, kind: str) -> None:
        self.name, self.dims, self.kind = name, dims, kind
        self.aligned = kind in ("linear", "cubic")

    def kernel(self) -> str:
        """What PyTorch calls its kernel in refusals of dtypes."""
        if self.dims == 2 and self.kind != "cubic":
            return f"upsample_{'bilinear' if self.kind == 'linear' else 'nearest'}2d_channels_last"
        return f"compute_indices_weights_{'nearest' if self.kind == 'exact' else self.kind}"

    def matrices(self, sizes: Sizes, output_size: Sizes, settings: tuple[Any, ...], dtype: Any) -> list[np.ndarray]:
        """The matrix of each dimension."""
        align, scales = settings[0], settings[1:]
        make = _linear if self.kind == "linear" else _cubic
        found = zip(sizes[2:], output_size, scales, strict=True)
        return [make(size, count, scale, align, dtype) for size, count, scale in found]

    def places(self, sizes: Sizes, output_size: Sizes, scales: tuple[Any, ...]) -> list[np.ndarray]:
        """From where each element is taken, by dimension."""
        found = zip(sizes[2:], output_size, scales, strict=True)
        return [_nearest(size, count, scale, self.kind == "exact") for size, count, scale in found]

    def forward(self, self_: np.ndarray, output_size: Sizes, *settings: Any) -> Any:
        """The resized array."""
        plain = self.kind == "linear" and self.dims != 2  # these have no kernel for bytes
        if self_.dtype.kind != "f" and (plain or self_.dtype != np.uint8):
            raise not_implemented(self.kernel(), self_.dtype)
        if self.aligned:
            values = self_ if self_.dtype.kind == "f" else self_.astype(np.float64)
            found = _mixed(values, self.matrices(self_.shape, output_size, settings, values.dtype))
            return found if values is self_ else np.clip(np.rint(found), 0, 255).astype(self_.dtype)
        for place, places in enumerate(self.places(self_.shape, output_size, settings)):
            self_ = self_.take(places, 2 + place)
        return self_

    def backward(self, grad_output: np.ndarray, output_size: Sizes, input_size: Sizes, *settings: Any) -> Any:
        """Its transpose."""
        if self.aligned:
            matrices = self.matrices(input_size, output_size, settings, grad_output.dtype)
            return _mixed(grad_output, [matrix.T for matrix in matrices])
        for place, places in enumerate(self.places(input_size, output_size, settings)):
            grad_output = put_back(grad_output, places, 2 + place, input_size[2 + place])
        return grad_output

    def shape(self, self_: Sizes, output_size: Sizes, **_: Any) -> Sizes:
        """The resized shape; RuntimeError for sizes that PyTorch refuses."""
        if min((*self_[2:], *output_size)) <= 0:
            titles = _AXES[-self.dims :]
            before, after = (
                ", ".join(f"{title}: {size}" for title, size in zip(titles, sizes, strict=True))
                for sizes in (self_[2:], output_size)
            )
            between = " and" if self.dims == 1 else ""
            raise RuntimeError(
                f"Input and output sizes should be greater than 0, but got input ({before}){between} output ({after})"
            )
        if not self_[1]:
            raise RuntimeError(
                f"Non-empty {self.dims + 2}D data tensor expected but got a tensor with sizes {brackets(self_)}"
            )
        return (*self_[:2], *output_size)


class _Reading:
    """A formula that takes all it reads by position, and reads what ``names`` say."""

    def __init__(self, formula: Formula, names: tuple[str, ...]) -> None:
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        self.formula = formula
        self.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in ("o", "g", *names)])

    def __call__(self, o: Any, g: Any, *values: Any) -> Any:
        return self.formula(o, g, *values)


def _resizing(name: str, dims: int, kind: str, node: str) -> None:
    resize, back = _Resize(name, dims, kind), f"{name}_backward"
    scales = ("scales",) if dims == 1 else tuple(f"scales_{axis.lower()}" for axis in _AXES[-dims:])
    settings = (_ALIGN,) * resize.aligned + tuple(Attribute(scale, "float") for scale in scales)
    read = ("output_size", "self_sym_sizes", *(attribute.name for attribute in settings))
    sample = np.linspace(-1.0, 1.0, 2 * 3**dims).reshape(1, 2, *(3,) * dims) ** 3
    align = "bool align_corners, " * resize.aligned
    tail = ", ".join(f"float? {scale}=None" for scale in scales)
    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=(_SIZE, *settings),
            promotes="none",
            forward=in_format(
                lambda self, output_size, *given, **named: resize.forward(self, output_size, *given, *named.values())
            ),
            vjps={"self": _Reading(lambda o, g, *values: getattr(o, back)(g, *values), read)},
            grad_fn=f"{node}Backward0",
            shape=resize.shape,
            section="layer",
            hidden=True,
            signatures=(f"{name}(Tensor input, SymInt[{dims}] output_size, {align}{tail}, *, Tensor out=None)",),
            samples=(((sample, (5,) * dims, *(False,) * resize.aligned, *(None,) * dims), {}),),
        )
    )
    register(
        Record(
            name=back,
            inputs=("grad_output",),
            attributes=(_SIZE, _INPUT_SIZE, *settings),
            promotes="none",
            forward=(in_sequence if kind == "cubic" else in_format)(
                lambda grad_output, output_size, input_size, *given, **named: resize.backward(
                    grad_output, output_size, input_size, *given, *named.values()
                )
            ),
            vjps={
                "grad_output": _Reading(
                    lambda o, g, output_size, *given: getattr(o, name)(g, output_size, *given),
                    ("output_size", *read[2:]),
                )
            },
            grad_fn=f"{node}BackwardBackward0",
            section="layer",
            hidden=True,
        )
    )


for _dims in (1, 2, 3):
    _resizing(f"upsample_nearest{_dims}d", _dims, "nearest", f"UpsampleNearest{_dims}D")
    _resizing(f"_upsample_nearest_exact{_dims}d", _dims, "exact", f"UpsampleNearestExact{_dims}D")
for _dims, _name in ((1, "linear"), (2, "bilinear"), (3, "trilinear")):
    _resizing(f"upsample_{_name}{_dims}d", _dims, "linear", f"Upsample{_name.title()}{_dims}D")
_resizing("upsample_bicubic2d", 2, "cubic", "UpsampleBicubic2D")
