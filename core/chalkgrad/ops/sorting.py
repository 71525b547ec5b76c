"""Sorted elements and their places: all, the first few, the middle one, the most frequent one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.ordering import laid_as
from chalkgrad.engine.record import Attribute, Formula, Record
from chalkgrad.engine.shapes import reduced, wrap_dim
from chalkgrad.ops.composing import through
from chalkgrad.ops.extremes import OF_CHOSEN, check_line, chosen, evenly, selecting, to_chosen
from chalkgrad.ops.orders import kth_places, sort_order, sorted_places, top_places
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.reduce import KEEPDIM
from chalkgrad.ops.samples import M23, V3, S

LAST = Attribute("dim", "int", -1)
DESCENDING = Attribute("descending", "bool", False)
_OPTIONS = "int dim=-1, bool descending=False"
Pair = tuple[np.ndarray, np.ndarray]


def _in_lines(self: np.ndarray, axis: int, find: Callable[[np.ndarray], np.ndarray], count: int) -> np.ndarray:
    """The ``count`` places that ``find`` gives for each of the lines along ``axis``, which it gets as rows."""
    lines = np.moveaxis(self, axis, -1)
    if not lines.size:
        return np.zeros((*self.shape[:axis], count, *self.shape[axis + 1 :]), np.int64)
    places = find(lines.reshape(-1, lines.shape[-1])).reshape(*lines.shape[:-1], count)
    return np.moveaxis(places, -1, axis).astype(np.int64, order="C")


# sort

_OF_SORTED: dict[str, Formula] = {
    "self": lambda o, g, self_sym_sizes, indices, dim: to_chosen(o, g, indices, self_sym_sizes, dim, True)
}


def _sort(self: np.ndarray, dim: int = -1, descending: bool = False, stable: bool | None = False) -> Pair:
    axis = wrap_dim(dim, self.ndim)
    if not self.ndim:
        return self.copy(), np.zeros((), np.int64)
    places = _in_lines(self, axis, lambda rows: sorted_places(rows, descending, bool(stable)), self.shape[axis])
    return laid_as(np.take_along_axis(self, places, axis), self), laid_as(places, self)


def _sort_record(name: str, grad_fn: str, attributes: tuple[Attribute, ...], forward: Any) -> None:
    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=attributes,
            promotes="none",
            forward=forward,
            outputs=("values", "indices"),
            returns="sort",
            not_differentiable=frozenset({"indices"}),
            vjps=_OF_SORTED,
            fills=2,
            signatures=()
            if name == "sort_stable"
            else (
                f"sort(Tensor input, *, bool? stable, {_OPTIONS}, Tensor[2] out=None) -> sort_stable",
                f"sort(Tensor input, {_OPTIONS}, *, Tensor[2] out=None)",
            ),
            grad_fn=grad_fn,
            function=None if name == "sort_stable" else "torch.sort",
            method=None if name == "sort_stable" else "sort",
            style="method",
            section="reduce",
            hidden=name == "sort_stable",
            part_of="sort" if name == "sort_stable" else None,
            latex=r"\operatorname{sort} \self",
            derivatives={"self": r"[j = {\indices}_i]"},
            samples=(((M23, 0), {}), ((M23, 1), {"descending": True}), ((V3,), {})),
        )
    )


_sort_record("sort", "SortBackward0", (LAST, DESCENDING), _sort)
_sort_record(
    "sort_stable", "SortBackward1", (LAST, DESCENDING, Attribute("stable", "bool", None, positional=False)), _sort
)


def _argsort(o: Any, self: Any, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    return (o.sort_stable(self, dim, descending, stable=stable) if stable else o.sort(self, dim, descending))[1]


register(
    Record(
        name="argsort",
        inputs=("self",),
        attributes=(LAST, DESCENDING, Attribute("stable", "bool", False, positional=False)),
        promotes="none",
        forward=through(_argsort),
        compose=_argsort,
        signatures=(
            "argsort(Tensor input, *, bool stable, int dim=-1, bool descending=False, Tensor out=None)",
            "argsort(Tensor input, int dim=-1, bool descending=False)",
        ),
        function="torch.argsort",
        method="argsort",
        style="method",
        shape=lambda self, **_: self,
        section="reduce",
        latex=r"\operatorname{argsort} \self",
        samples=(((M23,), {}), ((M23, 0, True), {}), ((V3,), {})),
    )
)


def _msort(o: Any, self: Any) -> Any:
    return o.sort(self, 0, False)[0]


register(
    Record(
        name="msort",
        inputs=("self",),
        promotes="none",
        forward=through(_msort),
        compose=_msort,
        signatures=("msort(Tensor input, *, Tensor out=None)",),
        grad_fn="SortBackward0",
        function="torch.msort",
        method="msort",
        style="method",
        shape=lambda self: self,
        section="reduce",
        latex=r"\operatorname{sort} \self",
        derivatives={"self": "1"},
        samples=(((M23,), {}), ((V3,), {})),
    )
)


# topk


def _topk(self: np.ndarray, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Pair:
    axis = wrap_dim(dim, self.ndim)
    if not 0 <= k <= (self.shape[axis] if self.ndim else 1):
        raise RuntimeError("selected index k out of range")
    if self.dtype == np.bool_:
        raise RuntimeError("topk does not support bool dtypes on CPU")
    if not self.ndim:
        return self.copy(), np.zeros((), np.int64)
    places = _in_lines(self, axis, lambda rows: top_places(rows, k, largest, sorted), k)
    return np.take_along_axis(self, places, axis), places


register(
    Record(
        name="topk",
        inputs=("self",),
        attributes=(
            Attribute("k", "int", required=True),
            LAST,
            Attribute("largest", "bool", True),
            Attribute("sorted", "bool", True),
        ),
        promotes="none",
        forward=_topk,
        outputs=("values", "indices"),
        returns="topk",
        not_differentiable=frozenset({"indices"}),
        vjps=_OF_SORTED,
        fills=2,
        signatures=(
            "topk(Tensor input, SymInt k, int dim=-1, bool largest=True, bool sorted=True, *, Tensor[2] out=None)",
        ),
        grad_fn="TopkBackward0",
        function="torch.topk",
        method="topk",
        style="method",
        section="reduce",
        latex=r"\operatorname{top}_k \self",
        derivatives={"self": r"[j = {\indices}_i]"},
        samples=(((M23, 2), {}), ((M23, 1, 0, False), {}), ((V3, 3), {})),
    )
)


# kthvalue, median, mode


def _refuse_bool(kernel: str, self: np.ndarray) -> None:
    if self.dtype == np.bool_:
        raise not_implemented(kernel, self.dtype)


def _one_each(self: np.ndarray, axis: int, find: Callable[[np.ndarray], np.ndarray], keepdim: bool) -> Pair:
    """Value and place that ``find`` chooses of each line, which it gets as rows."""
    if not self.ndim:
        return self.copy(), np.zeros((), np.int64)
    return chosen(self, _in_lines(self, axis, find, 1), axis, keepdim)


def _kthvalue(self: np.ndarray, k: int, dim: int = -1, keepdim: bool = False) -> Pair:
    axis = check_line("kthvalue", self.shape, dim)
    if not 1 <= k <= (self.shape[axis] if self.ndim else 1):
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {axis}")
    if self.ndim:
        _refuse_bool("kthvalue_cpu", self)
    return _one_each(self, axis, lambda rows: kth_places(rows, k - 1), keepdim)


register(
    Record(
        name="kthvalue",
        inputs=("self",),
        attributes=(Attribute("k", "int", required=True), LAST, KEEPDIM),
        promotes="none",
        forward=_kthvalue,
        outputs=("values", "indices"),
        returns="kthvalue",
        not_differentiable=frozenset({"indices"}),
        vjps=OF_CHOSEN,
        fills=2,
        signatures=("kthvalue(Tensor input, SymInt k, int dim=-1, bool keepdim=False, *, Tensor[2] out=None)",),
        grad_fn="KthvalueBackward0",
        function="torch.kthvalue",
        method="kthvalue",
        style="method",
        section="reduce",
        latex=r"\self_{(k)}",
        derivatives={"self": r"[j = {\indices}_i]"},
        samples=(((M23, 2), {}), ((M23, 1, 0, True), {})),
    )
)


def _median_places(rows: np.ndarray, skip_nan: bool) -> np.ndarray:
    """The lower of the two in the middle of each row; a NaN wins unless those are left out."""
    missing = rows != rows
    counts = rows.shape[1] - np.count_nonzero(missing, axis=1)
    middle = np.maximum(counts - 1, 0) // 2
    found = np.take_along_axis(np.argsort(rows, axis=1, kind="stable"), middle[:, None], 1)[:, 0]
    return found if skip_nan else np.where(missing.any(axis=1), missing.argmax(axis=1), found)


def _median_dim(name: str, skip_nan: bool) -> Any:
    def forward(self: np.ndarray, dim: int, keepdim: bool = False) -> Pair:
        axis = check_line("median", self.shape, dim)
        _refuse_bool("median_out", self)
        return _one_each(self, axis, lambda rows: _median_places(rows, skip_nan), keepdim)

    return forward


def _median_all(skip_nan: bool) -> Any:
    def forward(self: np.ndarray) -> np.ndarray:
        if not self.size:
            return np.asarray(np.nan if self.dtype.kind in "fb" else np.iinfo(self.dtype).min).astype(self.dtype)
        _refuse_bool("median_cpu", self)
        flat = self.reshape(-1)
        return np.asarray(flat[_median_places(flat[None], skip_nan)[0]])

    return forward


def _median(name: str, skip_nan: bool) -> None:
    register(
        Record(
            name=name,
            inputs=("self",),
            promotes="none",
            forward=_median_all(skip_nan),
            vjps={"self": lambda o, g, self, result: evenly(o, g, self, result)},
            fills=1,
            signatures=(
                f"{name}(Tensor input)",
                f"{name}(Tensor input, int dim, bool keepdim=False, *, Tensor[2] out=None) -> {name}_dim",
            ),
            grad_fn=f"{name.capitalize()}Backward0",
            function=f"torch.{name}",
            method=name,
            style="method",
            shape=reduced,
            section="reduce",
            latex=r"\operatorname{median} \self",
            derivatives={"self": r"[\self = \operatorname{median} \self]"},
            samples=(((M23,), {}), ((V3,), {}), ((S,), {})),
        )
    )
    selecting(name, _median_dim(name, skip_nan), f"{name.capitalize()}Backward1")


_median("median", skip_nan=False)
_median("nanmedian", skip_nan=True)


def _inserted(row: np.ndarray) -> np.ndarray:
    """The order in which C++ sorts a short row by ``<`` alone: NaN is less than nothing and nothing is less than it."""
    order: list[int] = []
    for place, value in enumerate(row):
        end = 0 if order and value < row[order[0]] else len(order)
        while end and value < row[order[end - 1]]:
            end -= 1
        order.insert(end, place)
    return np.array(order)


def _mode_place(row: np.ndarray) -> int:
    """Of the most frequent value, the smallest such, the element that sorting puts last."""
    order = _inserted(row) if row.dtype.kind == "f" and np.isnan(row).any() else sort_order(row)
    values = row[order]
    ends = np.flatnonzero(np.append(values[1:] != values[:-1], True))
    lengths = np.diff(ends, prepend=-1)
    return int(order[ends[lengths.argmax()]])


def _mode(self: np.ndarray, dim: int = -1, keepdim: bool = False) -> Pair:
    axis = check_line("mode", self.shape, dim)
    return _one_each(self, axis, lambda rows: np.array([_mode_place(row) for row in rows]), keepdim)


register(
    Record(
        name="mode",
        inputs=("self",),
        attributes=(LAST, KEEPDIM),
        promotes="none",
        forward=_mode,
        outputs=("values", "indices"),
        returns="mode",
        not_differentiable=frozenset({"indices"}),
        vjps=OF_CHOSEN,
        fills=2,
        signatures=("mode(Tensor input, int dim=-1, bool keepdim=False, *, Tensor[2] out=None)",),
        grad_fn="ModeBackward0",
        function="torch.mode",
        method="mode",
        style="method",
        section="reduce",
        latex=r"\operatorname{mode} \self",
        derivatives={"self": r"[j = {\indices}_i]"},
        samples=(((M23,), {}), ((M23, 0, True), {})),
    )
)
