"""Sentences for people: a key with values, written out in the reader's language when it is shown.

The sentences are flat JSON catalogues, one per language, with ``{name}`` fields. PyTorch's own words are never among
them: its errors, names and printed tensors stay as they are in every language.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

LANGUAGES = ("en", "zh_CN")
FALLBACK = "en"

strict = False
"""Whether a sentence or a value that is missing raises KeyError instead of being made do without; for tests."""

_FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, init=False)
class Text:
    """One sentence not yet written out: its key in the catalogues and the values of its fields.

    A value may be a text itself and is then written in the same language.
    """

    key: str
    values: Mapping[str, object]

    def __init__(self, key: str, /, **values: object) -> None:
        object.__setattr__(self, "key", key)
        object.__setattr__(self, "values", values)

    def __hash__(self) -> int:
        return hash((self.key, frozenset(self.values)))


def render(text: Text, language: str) -> str:
    """``text`` in ``language``: in English where that has no such sentence, as its bare key where nobody has."""
    sentence = _sentence(text.key, language)

    def value(field: re.Match[str]) -> str:
        name = field[1]
        if name not in text.values:
            if strict:
                raise KeyError(f"{text.key!r} was given no value for {name!r}")
            return field[0]
        found = text.values[name]
        return render(found, language) if isinstance(found, Text) else str(found)

    return _FIELD.sub(value, sentence)


def fields(sentence: str) -> frozenset[str]:
    """Names of the fields in a sentence of a catalogue."""
    return frozenset(_FIELD.findall(sentence))


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """All sentences of one language by key; FileNotFoundError for a language there is none of."""
    source = resources.files("chalkgrad_resources").joinpath("messages", f"{language}.json")
    sentences: dict[str, str] = json.loads(source.read_text(encoding="utf-8"))
    return sentences


def _sentence(key: str, language: str) -> str:
    """The sentence for ``key``, or what stands in for it."""
    if strict:
        return catalogue(language)[key]
    for code in (language, FALLBACK):
        if code in LANGUAGES and key in catalogue(code):
            return catalogue(code)[key]
    return key
