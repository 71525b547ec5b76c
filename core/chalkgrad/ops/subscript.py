"""``x[...]`` and ``x[...] = v`` as operators: the index is a text, in which ``_`` stands for each tensor of indices."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from chalkgrad.engine import indexing
from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.ops.samples import M23, V3

PLACE = "_"
"""Stands in an index for a tensor."""

INDEX = Attribute("index", "index", "0")
INDEX_AT = Attribute("index", "index", PLACE)


def index_of(text: str, tensors: Iterable[Any] = ()) -> Any:
    """What ``x[text]`` hands to ``x``, ``tensors`` in the places kept for them; ValueError for what is no index."""
    try:
        return _value(_parsed(text), iter(tensors))
    except (SyntaxError, StopIteration, RecursionError, MemoryError):
        raise ValueError(f"not an index: {text}") from None


@lru_cache(maxsize=256)
def _parsed(text: str) -> ast.expr:
    tree = ast.parse(f"{PLACE}[{text}]", mode="eval").body
    if not isinstance(tree, ast.Subscript) or not isinstance(tree.value, ast.Name):
        raise ValueError(f"not an index: {text}")
    return tree.slice


def _value(node: ast.expr | None, tensors: Iterator[Any]) -> Any:
    match node:
        case None:
            return None
        case ast.Constant(value=bool() | int() | None as value):
            return value
        case ast.Constant(value=value) if value is Ellipsis:
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -value
        case ast.Slice(lower=lower, upper=upper, step=step):
            return slice(_value(lower, tensors), _value(upper, tensors), _value(step, tensors))
        case ast.Tuple(elts=members):
            return tuple([_value(member, tensors) for member in members])
        case ast.List(elts=members):
            return [_value(member, tensors) for member in members]
        case ast.Name(id=name) if name == PLACE:
            return next(tensors)
    raise ValueError(f"not an index: {ast.unparse(node)}")


def _read(o: Any, self: Any, index: str) -> Any:
    return indexing.read(self, index_of(index))


def _read_at(o: Any, self: Any, indices: tuple[Any, ...], index: str) -> Any:
    return indexing.read(self, index_of(index, indices))


def _write(o: Any, self: Any, value: Any, index: str) -> Any:
    indexing.write(self, index_of(index), value)
    return self


def _write_at(o: Any, self: Any, value: Any, indices: tuple[Any, ...], index: str) -> Any:
    indexing.write(self, index_of(index, indices), value)
    return self


def _taken(self: np.ndarray, indices: tuple[np.ndarray, ...] = (), index: str = "0") -> np.ndarray:
    return np.asarray(self[index_of(index, indices)])


def _put(self: np.ndarray, value: Any, indices: tuple[np.ndarray, ...] = (), index: str = "0") -> np.ndarray:
    changed = self.copy()
    changed[index_of(index, indices)] = value
    return changed


register(
    Record(
        name="getitem",
        inputs=("self",),
        attributes=(INDEX,),
        promotes="none",
        forward=lambda self, index: _taken(self, index=index),
        compose=_read,
        style="operator",
        section="index",
        hidden=True,
        latex=r"\self[\cdot]",
        derivatives={"self": r"[j = \mathrm{index}_i]"},
        samples=(((M23,), {"index": "1"}), ((M23,), {"index": ":, 1:"}), ((V3,), {"index": "None, ..."})),
    )
)

register(
    Record(
        name="getitem_at",
        inputs=("self", "indices"),
        attributes=(INDEX_AT,),
        promotes="none",
        forward=_taken,
        compose=_read_at,
        style="operator",
        section="index",
        hidden=True,
        part_of="getitem",
        latex=r"\self[\indices]",
    )
)

register(
    Record(
        name="setitem_",
        inputs=("self", "value"),
        attributes=(INDEX,),
        numbers=frozenset({"value"}),
        writes="self",
        promotes="none",
        forward=lambda self, value, index: _put(self, value, index=index),
        compose=_write,
        style="operator",
        section="in-place",
        hidden=True,
        latex=r"\self[\cdot] \leftarrow \value",
    )
)

register(
    Record(
        name="setitem_at_",
        inputs=("self", "value", "indices"),
        attributes=(INDEX_AT,),
        numbers=frozenset({"value"}),
        writes="self",
        promotes="none",
        forward=_put,
        compose=_write_at,
        style="operator",
        section="in-place",
        hidden=True,
        part_of="setitem_",
        latex=r"\self[\indices] \leftarrow \value",
    )
)
