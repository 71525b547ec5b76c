"""``reshape`` and ``expand`` under other names, and the same memory read as another dtype."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.device import contiguous_format
from chalkgrad.engine.dtype import DType, dtype_of
from chalkgrad.engine.record import OPS, Attribute, Record
from chalkgrad.engine.shapes import inferred, wrap_dim
from chalkgrad.engine.size import brackets
from chalkgrad.engine.spelling import method
from chalkgrad.engine.storage import element_strides, storage_offset
from chalkgrad.ops.composing import array_in, as_method, made_of_others, through
from chalkgrad.ops.expanding import expanded
from chalkgrad.ops.samples import M23, ones

Shape = tuple[int, ...]


def _flattened(self: Shape, start_dim: int = 0, end_dim: int = -1) -> Shape:
    first, last = wrap_dim(start_dim, len(self)), wrap_dim(end_dim, len(self))
    if first > last:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    return (*self[:first], prod(self[first : last + 1]), *self[last + 1 :])


def _flatten(o: Any, self: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    shape = _flattened(tuple(self.shape), start_dim, end_dim)
    if self.shape and len(shape) == len(self.shape):
        return self
    return o.reshape(self, shape)


register(
    Record(
        name="flatten",
        inputs=("self",),
        attributes=(Attribute("start_dim", "int", 0), Attribute("end_dim", "int", -1)),
        promotes="none",
        forward=through(_flatten),
        compose=_flatten,
        grad_fn="ViewBackward0",
        function="torch.flatten",
        method="flatten",
        signatures=("flatten(Tensor input, int start_dim=0, int end_dim=-1)",),
        style="method",
        shape=_flattened,
        section="shape",
        latex=r"\operatorname{flatten}(\self)",
        derivatives={"self": "1"},
        samples=(((M23,), {}), ((ones(2, 3, 2), 1), {}), ((ones(2, 1, 2), 0, 1), {})),
        bad_samples=(
            (
                (M23, 1, 0),
                {},
                "RuntimeError",
                "flatten() has invalid args: start_dim cannot come after end_dim",
            ),
        ),
    )
)


def in_order(o: Any, self: Any) -> Any:
    """``self`` if its elements lie in memory in order, else a copy in which they do."""
    return self if array_in(self).flags.c_contiguous else o.contiguous(self, memory_format=contiguous_format)


def _ravel(o: Any, self: Any) -> Any:
    return o.view(in_order(o, self), (-1,))


_UNEXPECTED = "unflatten got an unexpected error:\n"


def _unflattened(self: Shape, dim: int, sizes: Shape) -> Shape:
    if not self:
        place = wrap_dim(dim, 1)
        raise RuntimeError(f"{_UNEXPECTED}Dimension specified as {place} but tensor has no dimensions")
    axis = wrap_dim(dim, len(self))
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    if sizes.count(-1) > 1:
        raise RuntimeError(f"{_UNEXPECTED}only one dimension can be inferred")
    if not self[axis] and {-1, 0} <= set(sizes):
        raise RuntimeError(
            f"{_UNEXPECTED}cannot reshape tensor of 0 elements into shape {brackets(sizes)} because the unspecified "
            "dimension size -1 can be any value and is ambiguous"
        )
    try:
        inner = inferred((self[axis],), sizes)
    except RuntimeError:
        raise RuntimeError(
            f"unflatten: Provided sizes {brackets(sizes)} don't multiply up to the size of dim {axis} ({self[axis]}) "
            "in the input tensor"
        ) from None
    return (*self[:axis], *inner, *self[axis + 1 :])


def _composed(name: str, inputs: tuple[str, ...], compose: Any, part_of: str, *signatures: str, **more: Any) -> None:
    """An operator that is another one in other words."""
    places: dict[str, Any] = {"method": name, "style": "method", "section": "shape", "hidden": True, "part_of": part_of}
    made_of_others(name, inputs, compose, *signatures, **places, **more)


_composed("ravel", ("self",), _ravel, "flatten", "ravel(Tensor input)", function="torch.ravel")
_composed(
    "unflatten",
    ("self",),
    lambda o, self, dim, sizes: o.view(self, _unflattened(tuple(self.shape), dim, sizes)),
    "reshape",
    "unflatten(Tensor input, int dim, SymInt[] sizes)",
    function="torch.unflatten",
    attributes=(Attribute("dim", "int", required=True), Attribute("sizes", "size", required=True)),
    shape=_unflattened,
    samples=(((M23, 1, (3, 1)), {}),),
)
_unflatten = method(OPS["unflatten"])


def _unflatten_method(self: Any, dim: int, sizes: Any) -> Any:
    """``self`` with dimension ``dim`` taken apart into ``sizes``; a view."""
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    return _unflatten(self, dim, sizes)


as_method(_unflatten_method, "unflatten")
_composed(
    "view_as",
    ("self", "other"),
    lambda o, self, other: o.view(self, tuple(other.shape)),
    "view",
    "Tensor.view_as(Tensor other)",
)
_composed(
    "reshape_as",
    ("self", "other"),
    lambda o, self, other: o.reshape(self, tuple(other.shape)),
    "reshape",
    "Tensor.reshape_as(Tensor other)",
)
_composed(
    "expand_as",
    ("self", "other"),
    lambda o, self, other: o.expand(self, tuple(other.shape)),
    "expand",
    "Tensor.expand_as(Tensor other)",
)
_composed(
    "broadcast_to",
    ("self",),
    lambda o, self, size: o.expand(self, size),
    "expand",
    "broadcast_to(Tensor input, SymInt[] size)",
    function="torch.broadcast_to",
    attributes=(Attribute("size", "size", required=True),),
    shape=expanded,
    samples=(((M23, (2, 2, 3)), {}),),
)


def _summed_to(o: Any, self: Any, size: Shape) -> Any:
    shape = tuple(self.shape)
    pairs = zip(reversed(size), reversed(shape), strict=False)
    if len(size) > len(shape) or any(one not in (1, other) for one, other in pairs):
        raise RuntimeError(f"size {{{brackets(size)}}} is not expandable to size {{{brackets(shape)}}}.")
    return o.sum_to(self, size) if size else o.sum_all(self)


_composed(
    "sum_to_size",
    ("self",),
    _summed_to,
    "sum",
    "Tensor.sum_to_size(SymInt[] size)",
    attributes=(Attribute("size", "size", required=True),),
    shape=lambda self, size: size,
    samples=(((M23, (2, 1)), {}), ((M23, (3,)), {})),
)


# Another dtype


def _view_dtype(self: np.ndarray, dtype: DType) -> np.ndarray:
    have, want = self.itemsize, dtype.numpy.itemsize
    if have == want:
        return self.view(dtype.numpy)
    _check_elements(self, dtype)
    if self.size:
        return self.view(dtype.numpy)
    # NumPy would forget the strides of what has no elements
    shape = (*self.shape[:-1], self.shape[-1] * have // want)
    strides = [stride * have for stride in element_strides(self)[:-1]]
    return np.lib.stride_tricks.as_strided(self.view(dtype.numpy), shape, (*strides, want))


def _check_elements(self: np.ndarray, dtype: DType) -> None:
    """Raise PyTorch's errors where elements of another size can't be cut from the last dimension."""
    end = f" to view {dtype_of(self).scalar_type} as {dtype.scalar_type} (different element sizes)"
    have, want = self.itemsize, dtype.numpy.itemsize
    if not self.ndim:
        raise RuntimeError(f"self.dim() cannot be 0{end}")
    strides = element_strides(self)
    if strides[-1] != 1:
        raise RuntimeError(f"self.stride(-1) must be 1{end}, but got {strides[-1]}")
    if have > want:
        return
    ratio = want // have
    if self.shape[-1] % ratio:
        raise RuntimeError(f"self.size(-1) must be divisible by {ratio}{end}, but got {self.shape[-1]}")
    if storage_offset(self) % ratio:
        raise RuntimeError(f"self.storage_offset() must be divisible by {ratio}{end}, but got {storage_offset(self)}")
    for axis, stride in enumerate(strides[:-1]):
        if stride % ratio:
            raise RuntimeError(f"self.stride({axis}) must be divisible by {ratio}{end}, but got {stride}")


register(
    Record(
        name="view_dtype",
        inputs=("self",),
        attributes=(Attribute("dtype", "dtype", required=True),),
        promotes="none",
        forward=_view_dtype,
        section="shape",
        view=True,
        hidden=True,
        part_of="view",
    )
)
