"""Letting go of a run in pieces: a long one has some hundred thousand objects, and to free them all takes a moment."""

from __future__ import annotations

import gc
from collections.abc import Iterable

from chalkgrad.stepwise import Steps

PORTION = 250
"""So many members of a list or a table go at each step; before that so many things are looked through at each."""


def letting_go(things: Iterable[object]) -> Steps[int]:
    """Free what ``things`` alone hold, a portion at each step, what came last first. What others hold stays as it is.

    What is large are the lists and tables of a run: their members are held until it is their turn. Returns how many
    these were.
    """
    pending, seen, members = list(things), dict[int, object](), list[list[object]]()
    del things
    while pending:
        thing = pending.pop()
        if id(thing) in seen:
            continue
        seen[id(thing)] = thing
        if len(seen) % PORTION == 0:
            yield
        if isinstance(thing, list | tuple | dict):
            if len(thing) > PORTION:
                members.append(list(thing.values() if isinstance(thing, dict) else thing))
            else:
                pending += gc.get_referents(thing)
        elif type(thing).__module__.startswith("chalkgrad.session."):
            pending += gc.get_referents(thing)
    thing, count = None, sum(map(len, members))
    seen.clear()
    yield
    while members:
        del members[-1][-PORTION:]
        if not members[-1]:
            members.pop()
        yield
    return count
