"""Values of a file's JSON, checked one by one: what they must be, and the error with its place where they aren't."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from chalkgrad.errors import ChalkgradError
from chalkgrad.text import Text, render

T = TypeVar("T")

DEEPEST = 32
"""How deep lists may be nested."""

HALF_PAIR = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair, which is no character by itself."""

LARGEST_ID = 2**31
FARTHEST = 1e9
"""Canvas units; nothing lies farther out."""


class Place:
    """A place in a file: ``statements[3].operands[0]``.

    Each value of a file has one, and nearly none is ever told: it knows its last step and the place around.
    """

    __slots__ = ("_around", "_step")

    def __init__(self, step: str | int = "", around: Place | None = None) -> None:
        self._step = step
        self._around = around

    def __getitem__(self, step: str | int) -> Place:
        return Place(step, self)

    def __str__(self) -> str:
        around = "" if self._around is None else str(self._around)
        if isinstance(self._step, int):
            return f"{around}[{self._step}]"
        return f"{around}.{self._step}" if around else self._step


class FileError(ChalkgradError):
    """A file that holds no sheet: ``place`` in it, and ``text``, the reason, in every language."""

    def __init__(self, text: Text, place: Place) -> None:
        super().__init__(text)
        self.message = render(text, "en")
        self.place = str(place)

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


def no_constant(name: str) -> object:
    """Refuse ``NaN`` and ``Infinity``, which are no JSON."""
    raise FileError(Text("file.no_number", value=name), Place())


def as_table(value: object, place: Place, make: Callable[[dict[str, object], Place], T]) -> dict[int, T]:
    """A list of objects as a table by id."""
    table: dict[int, T] = {}
    for index, member in enumerate(as_list(value, place)):
        entry = as_object(member, place[index])
        id_ = as_id(entry, place[index])
        if id_ in table:
            raise FileError(Text("file.twice", id=id_), place[index]["id"])
        table[id_] = make(entry, place[index])
    return table


def kept(value: object, place: Place, depth: int = 0) -> object:
    """A value that isn't known, as it is; numbers that JSON can't write again are refused."""
    if depth > DEEPEST:
        raise FileError(Text("file.too_deep"), place)
    if isinstance(value, float) and not math.isfinite(value):
        raise FileError(Text("file.no_number", value=value), place)
    if isinstance(value, list):
        return [kept(member, place[index], depth + 1) for index, member in enumerate(value)]
    if isinstance(value, dict):
        return {key: kept(member, place[key], depth + 1) for key, member in value.items()}
    return value


def as_object(value: object, place: Place) -> dict[str, object]:
    """An object."""
    if not isinstance(value, dict):
        raise FileError(Text("file.no_object"), place)
    return value


def as_list(value: object, place: Place) -> list[object]:
    """A list."""
    if not isinstance(value, list):
        raise FileError(Text("file.no_list"), place)
    return value


def as_text(value: object, place: Place) -> str:
    """A text that UTF-8 can write again."""
    if not isinstance(value, str):
        raise FileError(Text("file.no_text"), place)
    if HALF_PAIR.search(value):
        raise FileError(Text("file.no_text"), place)
    return value


def as_choice(value: object, place: Place, choices: Sequence[str]) -> str:
    """One of a few texts."""
    text = as_text(value, place)
    if text not in choices:
        raise FileError(Text("file.unknown_choice", value=text[:40]), place)
    return text


def as_integer(value: object, place: Place, least: int, most: int) -> int:
    """A whole number from ``least`` on, below ``most``."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise FileError(Text("file.no_integer"), place)
    if not least <= value < most:
        raise FileError(Text("file.number_range"), place)
    return value


def as_flag(value: object, place: Place) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise FileError(Text("file.no_flag"), place)
    return value


def as_number(value: object, place: Place) -> float:
    """A finite number."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise FileError(Text("file.no_number", value=str(value)[:40]), place)
    number = float(value) if abs(value) < 2**1000 else math.inf
    if not math.isfinite(number):
        raise FileError(Text("file.number_range"), place)
    return number


def as_coordinate(value: object, place: Place) -> float:
    """A number of canvas units, none of them too far out."""
    number = as_number(value, place)
    if abs(number) > FARTHEST:
        raise FileError(Text("file.number_range"), place)
    return number


def as_id(value: Mapping[str, object], place: Place) -> int:
    """The id of an object."""
    return as_integer(value.get("id"), place["id"], 1, LARGEST_ID)
