"""Chinese names found as they sound: ``qiuhe``, or by initials ``qh``, is 求和. The table is made when translating."""

from __future__ import annotations

import json
from functools import cache

from chalkgrad_app import assets, fuzzy

SHORTEST = 2
"""Fewer letters mean anything."""


def best(typed: str, texts: tuple[str, ...]) -> fuzzy.Match | None:
    """How well ``typed``, in lower case, is the beginning of how one of ``texts`` sounds, or of a part of it."""
    letters = typed.replace(" ", "")
    if len(letters) < SHORTEST or not letters.isascii() or not letters.isalpha():
        return None
    return min((found for text in texts if (found := _match(letters, text)) is not None), default=None)


def _match(letters: str, text: str) -> fuzzy.Match | None:
    syllables = _syllables().get(text, ())
    for start in range(len(syllables)):
        sounds = "".join(syllables[start:]), "".join(syllable[0] for syllable in syllables[start:])
        if start == 0 and letters in sounds:
            return fuzzy.EXACT, len(text)
        if any(sound.startswith(letters) for sound in sounds):
            return (fuzzy.WORD_START if start else fuzzy.PREFIX), start + len(text)
    return None


@cache
def _syllables() -> dict[str, tuple[str, ...]]:
    """The syllables of each text, read when somebody looks for something."""
    table: dict[str, str] = json.loads(assets.text("messages/pinyin.json"))
    return {text: tuple(sounds.split()) for text, sounds in table.items()}
