"""Which values there are: unique and unique_consecutive."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import new_tensor
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.shapes import wrap_dim
from chalkgrad.engine.signature import Parser
from chalkgrad.ops.composing import as_method
from chalkgrad.ops.overloads import not_derivable

Three = tuple[np.ndarray, np.ndarray, np.ndarray]

INVERSE = Attribute("return_inverse", "bool", False)
COUNTS = Attribute("return_counts", "bool", False)
_FEW = 16
"""So many slices PyTorch sorts by insertion, which decides where a nan comes to stand."""

_FOUND = "bool return_inverse=False, bool return_counts=False"


def _axis(self: np.ndarray, dim: int | None) -> int | None:
    if dim is not None and not self.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return None if dim is None else wrap_dim(dim, self.ndim)


def _check_sizes(self: np.ndarray, axis: int | None) -> None:
    """RuntimeError for slices without elements, which can't be told apart."""
    if axis is None or 0 not in self.shape:
        return
    if self.shape[axis]:
        raise RuntimeError("There are 0 sized dimensions, and they aren't selected, so unique cannot be applied")
    if self.shape.count(0) > 1:
        raise RuntimeError("Number of zero sized dimensions is more than one, so unique cannot be applied ")


def _unique(self: np.ndarray, dim: int | None = None) -> Three:
    axis = _axis(self, dim)
    _check_sizes(self, axis)
    if axis is not None and self.shape[axis] <= _FEW and np.isnan(self).any():
        return _unique_beside_nan(self, axis)
    values, inverse, counts = np.unique(self, return_inverse=True, return_counts=True, axis=axis, equal_nan=False)
    return values, inverse.reshape(self.shape if axis is None else -1).astype(np.int64), counts.astype(np.int64)


def _unique_beside_nan(self: np.ndarray, axis: int) -> Three:
    """Slices one by one put behind those that they are not less than; a nan is neither less nor more than a number."""
    slices = [part.reshape(-1) for part in np.moveaxis(self, axis, 0)]
    order: list[int] = []
    for new, part in enumerate(slices):
        place = len(order)
        while place and _is_less(part, slices[order[place - 1]]):
            place -= 1
        order.insert(0 if order and _is_less(part, slices[order[0]]) else place, new)
    values, runs, counts = _unique_consecutive(self.take(order, axis), axis)
    inverse = np.empty_like(runs)
    inverse[order] = runs
    return values, inverse, counts


def _is_less(one: np.ndarray, other: np.ndarray) -> bool:
    """True where the first elements that are less or more are less."""
    apart = np.flatnonzero((one < other) | (one > other))
    return bool(apart.size and one[apart[0]] < other[apart[0]])


def _unique_consecutive(self: np.ndarray, dim: int | None = None) -> Three:
    axis = _axis(self, dim)
    _check_sizes(self, axis)
    count = self.size if axis is None else self.shape[axis]
    lines = (self if axis is None else np.moveaxis(self, axis, 0)).reshape(count, self.size // max(count, 1))
    starts = np.append(np.ones(min(len(lines), 1), bool), (lines[1:] != lines[:-1]).any(axis=1))
    places = np.flatnonzero(starts)
    values = self.reshape(-1)[places] if axis is None else _taken(self, places, axis)
    inverse = (np.cumsum(starts) - 1).astype(np.int64)
    counts = np.diff(np.append(places, len(lines))).astype(np.int64)
    return values, inverse.reshape(self.shape) if axis is None else inverse, counts


def _taken(self: np.ndarray, places: np.ndarray, axis: int) -> np.ndarray:
    """The slices at ``places``, one after the other in memory, as PyTorch leaves them."""
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(self, axis, 0)[places]), 0, axis)


def _three(name: str, attributes: tuple[Attribute, ...], forward: Any, grad_fn: str, refused: str) -> None:
    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=attributes,
            promotes="none",
            forward=forward,
            outputs=("result0", "result1", "result2"),
            not_differentiable=frozenset({"result1", "result2"}),
            vjps={"self": not_derivable(refused)},
            grad_fn=grad_fn,
            section="reduce",
            hidden=True,
            part_of="unique",
        )
    )


_ALONG = Attribute("dim", "int", required=True)
_three("unique2", (), _unique, "Unique2Backward0", "_unique2")
_three("unique_dim", (_ALONG,), _unique, "UniqueDimBackward0", "unique_dim")
_three(
    "unique_runs",
    (Attribute("dim", "int", None),),
    _unique_consecutive,
    "UniqueConsecutiveBackward0",
    "unique_consecutive",
)


def _wanted(found: Any, return_inverse: bool, return_counts: bool) -> Any:
    """The values, with what else was asked for."""
    result = [found[0], *([found[1]] if return_inverse else []), *([found[2]] if return_counts else [])]
    return tuple(result) if len(result) > 1 else result[0]


def _unique_composed(
    o: Any,
    self: Any,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """PyTorch sorts on the CPU, asked or not."""
    found = o.unique2(self) if dim is None else o.unique_dim(self, dim)
    return _wanted(found, return_inverse, return_counts)


def _consecutive_composed(
    o: Any, self: Any, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    return _wanted(o.unique_runs(self, dim), return_inverse, return_counts)


register(
    Record(
        name="unique",
        inputs=("self",),
        attributes=(Attribute("sorted", "bool", True), INVERSE, COUNTS, Attribute("dim", "int", None)),
        promotes="none",
        forward=lambda self, dim=None, **_: _unique(self, dim)[0],
        compose=_unique_composed,
        signatures=(f"unique(Tensor input, bool sorted=True, {_FOUND}, int? dim=None)",),
        function="torch.unique",
        method="unique",
        style="method",
        section="reduce",
        latex=r"\operatorname{unique} \self",
        samples=(((np.array([2, 1, 2]),), {}),),
    )
)
register(
    Record(
        name="unique_consecutive",
        inputs=("self",),
        attributes=(INVERSE, COUNTS, Attribute("dim", "int", None)),
        promotes="none",
        forward=lambda self, dim=None, **_: _unique_consecutive(self, dim)[0],
        compose=_consecutive_composed,
        signatures=(f"unique_consecutive(Tensor input, {_FOUND}, int? dim=None)",),
        function="torch.unique_consecutive",
        method="unique_consecutive",
        style="method",
        section="reduce",
        hidden=True,
    )
)


# As PyTorch calls them: Python functions, one for each combination of the two flags, that call the parsed ones

_unique2, _unique_dim, _runs = (
    Parser.of(text)
    for text in (
        f"_unique2(Tensor input, bool sorted=True, {_FOUND})",
        f"unique_dim(Tensor input, int dim, bool sorted=True, {_FOUND})",
        f"unique_consecutive(Tensor input, {_FOUND}, int? dim=None)",
    )
)


def _parsed_unique(
    input: Any, sorted: Any = True, return_inverse: Any = False, return_counts: Any = False, dim: Any = None
) -> Any:
    flags = {"sorted": sorted, "return_inverse": return_inverse, "return_counts": return_counts}
    if dim is None:
        found = TENSORS.unique2(_unique2.parse((input,), flags)[1]["input"])
    else:
        given = _unique_dim.parse((input, dim), flags)[1]
        found = TENSORS.unique_dim(given["input"], given["dim"])
    return found


def _parsed_consecutive(input: Any, return_inverse: Any = False, return_counts: Any = False, dim: Any = None) -> Any:
    flags = {"return_inverse": return_inverse, "return_counts": return_counts, "dim": dim}
    given = _runs.parse((input,), flags)[1]
    dim = given.get("dim")
    values, inverse, counts = TENSORS.unique_runs(given["input"], dim)
    if dim is not None and (dim or given["input"].array.ndim != 1):
        return values, inverse, counts  # along a dimension, but the first of a vector, all three are made anyway
    nothing = new_tensor(np.empty(0, np.int64))
    return values, inverse if return_inverse else nothing, counts if return_counts else nothing


def _named(function: Any, start: str) -> dict[tuple[bool, bool], Callable[..., Any]]:
    """``function`` under the names that PyTorch's Python functions have in TypeErrors, by the two flags."""
    made: dict[tuple[bool, bool], Callable[..., Any]] = {}
    for flags, end in (
        ((False, False), "output"),
        ((True, False), "inverse"),
        ((False, True), "counts"),
        ((True, True), "inverse_and_counts"),
    ):
        copy = FunctionType(function.__code__, globals(), f"{start}_{end}", function.__defaults__)
        copy.__qualname__ = copy.__name__
        made[flags] = copy
    return made


def _flag(name: str, place: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    return bool(kwargs[name] if name in kwargs else place < len(args) and args[place])


_UNIQUE = _named(_parsed_unique, "_return")
_CONSECUTIVE = _named(_parsed_consecutive, "_consecutive_return")


def unique(*args: Any, **kwargs: Any) -> Any:
    """The values of ``input`` in order, or its different slices along ``dim``, with where they are and how often."""
    flags = _flag("return_inverse", 2, args, kwargs), _flag("return_counts", 3, args, kwargs)
    return _wanted(_UNIQUE[flags](*args, **kwargs), *flags)


def unique_consecutive(*args: Any, **kwargs: Any) -> Any:
    """``input`` without elements that are equal to the one before, with where they are and how often.

    PyTorch looks for the two flags in each other's place when it decides what to return; one that is given by place
    and was not found there comes back empty.
    """
    flags = _flag("return_inverse", 2, args, kwargs), _flag("return_counts", 1, args, kwargs)
    return _wanted(_CONSECUTIVE[flags](*args, **kwargs), *flags)


def _unique_method(
    self: Any, sorted: Any = True, return_inverse: Any = False, return_counts: Any = False, dim: Any = None
) -> Any:
    """:func:`unique` as a method."""
    return unique(self, sorted=sorted, return_inverse=return_inverse, return_counts=return_counts, dim=dim)


def _consecutive_method(self: Any, return_inverse: Any = False, return_counts: Any = False, dim: Any = None) -> Any:
    """:func:`unique_consecutive` as a method."""
    return unique_consecutive(self, return_inverse=return_inverse, return_counts=return_counts, dim=dim)


as_method(_unique_method, "unique")
as_method(_consecutive_method, "unique_consecutive")
