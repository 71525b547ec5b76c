"""Fuzzy matching: how well a few typed letters mean a word, so that what is listed can be ranked."""

from __future__ import annotations

import re
from collections.abc import Iterable

EXACT, PREFIX, WORD_START, INSIDE, LETTERS = range(5)
"""The kinds of a match, best first: the word itself, its beginning, a word's beginning in it, inside, its letters."""

Match = tuple[int, int]
"""Kind of a match, then how far apart its letters stand: the smaller the better."""


def match(typed: str, text: str) -> Match | None:
    """How ``typed`` is found in ``text``, both folded to lower case by the caller; None where it isn't.

    ``lr`` finds ``leaky_relu`` by its letters: they come in that order, the first one at the beginning of a word.
    """
    if typed == text:
        return EXACT, 0
    at = text.find(typed)
    if at == 0:
        return PREFIX, len(text)
    if at > 0:
        inside = next(
            (found.start() for found in re.finditer(re.escape(typed), text) if _begins(text, found.start())), -1
        )
        return (WORD_START, inside) if inside >= 0 else (INSIDE, at)
    spread = _spread(typed.replace(" ", ""), text)
    return None if spread is None else (LETTERS, spread)


def best(typed: str, texts: Iterable[str]) -> Match | None:
    """The best match of ``typed`` among several texts."""
    return min((found for text in texts if (found := match(typed, text)) is not None), default=None)


def _begins(text: str, at: int) -> bool:
    """True where a word begins: after a sign, and at every Chinese character."""
    return not text[at].isascii() or at == 0 or not text[at - 1].isalnum() or not text[at - 1].isascii()


def _spread(typed: str, text: str) -> int | None:
    """How far apart the letters typed stand, at the least; None unless they come in that order from a word's start."""
    spreads = []
    for start in range(len(text)):
        if typed and text[start] == typed[0] and _begins(text, start):
            at = start
            for letter in typed[1:]:
                at = text.find(letter, at + 1)
                if at < 0:
                    break
            else:
                spreads.append(at - start)
    return min(spreads, default=None)
