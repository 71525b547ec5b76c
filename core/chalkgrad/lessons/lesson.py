"""The examples that ship with Chalkgrad: documents that explain themselves in a note."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import NamedTuple

from chalkgrad.program import files
from chalkgrad.program.sheet import Sheet

FALLBACK = "en"


class Example(NamedTuple):
    """One example: its id, its title by language, and the document that it opens as."""

    id: str
    title: Mapping[str, str]

    def title_in(self, language: str) -> str:
        """The title in ``language``, else in English."""
        return self.title.get(language, self.title[FALLBACK])

    @property
    def sheet(self) -> Sheet:
        """What the example opens as, read when first asked for; FileError where its file is damaged."""
        return _sheet(self.id)


@cache
def examples() -> tuple[Example, ...]:
    """All examples in the order of the menu."""
    listed = json.loads((_folder() / "examples.json").read_text("utf-8"))
    return tuple(Example(entry["id"], MappingProxyType(entry["title"])) for entry in listed)


def example(id_: str) -> Example:
    """The example with this id; KeyError where there is none."""
    for found in examples():
        if found.id == id_:
            return found
    raise KeyError(id_)


@cache
def _sheet(id_: str) -> Sheet:
    return files.load((_folder() / f"{id_}.chalk").read_text("utf-8"))


def _folder() -> Traversable:
    return resources.files("chalkgrad_resources") / "examples"
