"""The tuples that operators with several outputs return: ``torch.return_types.max(values=..., indices=...)``."""

from __future__ import annotations

from functools import cache
from operator import itemgetter
from typing import Any


class ReturnType(tuple[Any, ...]):
    """A tuple whose members have names too; subclasses say which."""

    __slots__ = ()
    names: tuple[str, ...] = ()

    def __repr__(self) -> str:
        members = ",\n".join(f"{name}={value!r}" for name, value in zip(self.names, self, strict=True))
        return f"torch.return_types.{type(self).__name__}(\n{members})"


@cache
def return_type(name: str, names: tuple[str, ...]) -> type[ReturnType]:
    """The class ``torch.return_types.<name>`` with members ``names``."""
    members: dict[str, Any] = {member: property(itemgetter(number)) for number, member in enumerate(names)}
    members |= {"__slots__": (), "__module__": "torch.return_types", "names": names, "n_fields": len(names)}
    return type(name, (ReturnType,), members)
