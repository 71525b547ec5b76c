"""The saved values of a node as its attributes: ``_saved_self``, and handles on them, ``_raw_saved_self``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from chalkgrad.engine import messages
from chalkgrad.engine.saved import Packed, PackedList, TensorList, plain_members, saved_value

if TYPE_CHECKING:
    from chalkgrad.engine.graph import Node


class RawSaved:
    """A handle on one saved value, as ``_raw_saved_self`` gives it."""

    __slots__ = ("_index", "_member", "_node")

    _node: Node
    _index: int
    _member: int | None

    def __init__(self) -> None:
        raise RuntimeError("Trying to create a SavedTensor object from Python is forbidden.")

    @classmethod
    def of(cls, node: Node, index: int, member: int | None = None) -> RawSaved:
        """The handle on what ``node`` saved in that place, of a list on that member of it."""
        made = object.__new__(cls)
        made._node, made._index, made._member = node, index, member
        return made

    def register_hooks(self, *hooks: Callable[..., Any], **named: object) -> None:
        """Let the first of two ``hooks`` take the saved tensor, and the second give it back whenever it is needed."""
        if len(hooks) != 2 or named or not all(map(callable, hooks)):
            raise TypeError(_wrong_hooks((self, *hooks), named))
        kept = self._node._values_kept()
        if kept is None:
            raise messages.freed_before_hooks(self._node)
        value = kept[self._index]
        if self._member is None:
            changed: Any = self._packed(value, *hooks)
        else:
            members = [*plain_members(value)]
            members[self._member] = self._packed(members[self._member], *hooks)
            changed = PackedList(members)
        self._node._keep((*kept[: self._index], changed, *kept[self._index + 1 :]))

    @property
    def data(self) -> Any:
        """What is kept: the tensor, what a hook made of it, or None once it is freed."""
        value = self._value()
        return value.value if isinstance(value, Packed) else None if value is None else self._node._unpacked(value)

    @property
    def unpack_hook(self) -> Callable[..., Any] | None:
        """The second of the hooks, None where there are none."""
        value = self._value()
        return value.unpack if isinstance(value, Packed) else None

    def unpack(self) -> Any:
        """The tensor as the backward gets it."""
        if self._node._values_kept() is None:
            raise messages.freed(self._node)
        value = self._value()
        return None if value is None else self._node._unpacked(value)

    def _value(self) -> Any:
        kept = self._node._values_kept()
        value = None if kept is None else kept[self._index]
        return value if self._member is None or value is None else plain_members(value)[self._member]

    def _packed(self, value: Any, pack: Callable[..., Any], unpack: Callable[..., Any]) -> Packed:
        if isinstance(value, Packed):
            raise RuntimeError(messages.SECOND_HOOKS)
        if value is None:
            raise RuntimeError("Calling register_hooks on a saved tensor with value None is forbidden")
        return Packed(self._node, self._node._unpacked(value), pack, unpack, detached=True)


RawSaved.__module__ = "torch._C._autograd"
RawSaved.__name__ = RawSaved.__qualname__ = "SavedTensor"


def saved_properties(tensors: tuple[str, ...], constants: tuple[str, ...]) -> dict[str, property]:
    """``_saved_self``, ``_raw_saved_self`` and their kin for a node class that saves under these names.

    They are properties of each class because a ``__getattr__`` would make every read of a node's attributes slow.
    """
    found = {f"_saved_{name}": _saved_property(name) for name in (*tensors, *constants)}
    return found | {f"_raw_saved_{name}": _raw_saved_property(name) for name in tensors}


def _saved_property(name: str) -> property:
    return property(lambda node: saved_value(node, name), unwritable(f"_saved_{name}"))


def _raw_saved_property(name: str) -> property:
    return property(lambda node: _raw_saved(node, name), unwritable(f"_raw_saved_{name}"))


_OF_LISTS = frozenset({"IndexBackward0", "IndexPutBackward0"})
"""Nodes that save a list, of which there is nothing to give a handle on once it is freed."""


def _raw_saved(node: Node, name: str) -> Any:
    """The handle on one saved value; of a list those on its members."""
    index = node.saved_names.index(name)
    if node.saved is None and type(node).__name__ in _OF_LISTS:
        raise messages.freed(node, name)
    value = None if node.saved is None else node.saved[index]
    if isinstance(value, TensorList | PackedList):
        return tuple(RawSaved.of(node, index, member) for member in range(len(value)))
    return RawSaved.of(node, index)


def _wrong_hooks(given: tuple[object, ...], named: dict[str, object]) -> str:
    invoked = ", ".join(map(repr, given))
    more = f"; kwargs: {', '.join(f'{name}={value!r}' for name, value in named.items())}" if named else ""
    return (
        "register_hooks(): incompatible function arguments. The following argument types are supported:\n"
        "    1. (self: torch._C._autograd.SavedTensor, arg0: collections.abc.Callable, arg1: "
        f"collections.abc.Callable) -> None\n\nInvoked with: {invoked}{more}"
    )


def unwritable(name: str) -> Callable[[Node, object], None]:
    """The setter of an attribute that can't be set."""

    def refuse(node: Node, value: object) -> None:
        raise AttributeError(f"attribute '{name}' of '{type(node).__name__}' objects is not writable")

    return refuse
