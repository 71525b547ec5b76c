"""Nested tuples, lists and dicts taken apart and put together again, as PyTorch's ``tree_flatten`` does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple


class Spec(NamedTuple):
    """How values are nested: the class of a collection, what names its members, and how each of them is nested.

    ``kind`` is None for a leaf, which is everything but a collection.
    """

    kind: type | None = None
    context: Any = None
    children: tuple[Spec, ...] = ()

    @property
    def leaves(self) -> int:
        """How many leaves there are."""
        return 1 if self.kind is None else sum(child.leaves for child in self.children)

    def __repr__(self) -> str:
        return self.indented(0)

    def indented(self, depth: int) -> str:
        """As PyTorch writes it, ``depth`` spaces further in."""
        if self.kind is None:
            return "*"
        inner = (",\n" + " " * (depth + 2)).join(child.indented(depth + 2) for child in self.children)
        return f"TreeSpec({self.kind.__name__}, {self.context}, [{inner}])"

    def sketched(self) -> str:
        """The collection itself with a star in each leaf's place."""
        return "*" if self.kind is None else repr(unflatten([_STAR] * self.leaves, self))


class _Star:
    def __repr__(self) -> str:
        return "*"


_STAR = _Star()
LEAF = Spec()


def _members(value: Any) -> tuple[Any, Sequence[Any]] | None:
    """What names the members of a collection, and these; None for a leaf."""
    if isinstance(value, dict):
        return list(value), list(value.values())
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value), value
    return (None, value) if type(value) in (tuple, list) else None


def flatten(value: Any) -> tuple[list[Any], Spec]:
    """The leaves of ``value``, and how they are nested."""
    found = _members(value)
    if found is None:
        return [value], LEAF
    context, members = found
    parts = [flatten(member) for member in members]
    leaves = [leaf for part, _ in parts for leaf in part]
    return leaves, Spec(type(value), context, tuple(spec for _, spec in parts))


def unflatten(leaves: Sequence[Any], spec: Spec) -> Any:
    """The collection with these leaves."""
    return _built(iter(leaves), spec)


def _built(leaves: Iterator[Any], spec: Spec) -> Any:
    if spec.kind is None:
        return next(leaves)
    members = [_built(leaves, child) for child in spec.children]
    make: Any = spec.kind
    if issubclass(make, dict):
        return make(zip(spec.context, members, strict=True))
    return make(*members) if hasattr(make, "_fields") else make(members)


def mapped(function: Callable[[Any], Any], value: Any) -> Any:
    """The same collection with what ``function`` gives for each leaf."""
    leaves, spec = flatten(value)
    return unflatten([function(leaf) for leaf in leaves], spec)


def broadcast(value: Any, spec: Spec) -> list[Any] | None:
    """A leaf of ``value`` for each leaf of ``spec``, one for all members of a collection; None where they don't fit."""
    found = _members(value)
    if found is None:
        return [value] * spec.leaves
    context, members = found
    if type(value) is not spec.kind or context != spec.context or len(members) != len(spec.children):
        return None
    parts = [broadcast(member, child) for member, child in zip(members, spec.children, strict=True)]
    return None if any(part is None for part in parts) else [leaf for part in parts for leaf in part or ()]
