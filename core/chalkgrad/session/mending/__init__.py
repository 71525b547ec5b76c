"""What an error came of in this very program, and the ways to mend it."""

from __future__ import annotations

from itertools import islice

from chalkgrad.program.sheet import Sheet
from chalkgrad.session.mending.case import Case, key_of
from chalkgrad.session.mending.remedies import REMEDIES, last_resort
from chalkgrad.session.mending.remedy import Remedy, works
from chalkgrad.session.mending.stories import STORIES
from chalkgrad.session.state import Problem, State
from chalkgrad.text import Text

__all__ = ["Remedy", "remedies", "story"]

MOST = 8
"""So many remedies are offered; more would be a list to search."""


def story(problem: Problem, sheet: Sheet, state: State) -> tuple[Text, ...]:
    """What happened here, sentence by sentence with this program's names; nothing where the error says it all."""
    key = key_of(problem)
    known = problem.statement in sheet.program and key in STORIES
    return tuple(STORIES[key](Case(sheet, state, problem))) if known else ()


def remedies(problem: Problem, sheet: Sheet, state: State) -> tuple[Remedy, ...]:
    """What can be done about a problem of ``sheet``, the best first."""
    if problem.statement not in sheet.program:
        return ()
    key, case = key_of(problem), Case(sheet, state, problem)
    working = (remedy for remedy in REMEDIES[key](case) if works(remedy, sheet)) if key in REMEDIES else iter(())
    found = list(islice(working, MOST))
    return (*found, *last_resort(case, bool(found)))
