"""What an error came of in this very program, and the ways to mend it."""

from __future__ import annotations

from dataclasses import dataclass

from chalkgrad.program.program import ProgramError
from chalkgrad.program.sheet import Sheet
from chalkgrad.session.mending.case import Case
from chalkgrad.session.mending.remedies import REMEDIES, Remedy, last_resort
from chalkgrad.session.mending.stories import STORIES
from chalkgrad.session.state import Problem, State
from chalkgrad.text import Text

__all__ = ["Lesson", "Remedy", "lesson"]


@dataclass(frozen=True, slots=True)
class Lesson:
    """What happened here, sentence by sentence with this program's names, and the remedies, the best first."""

    story: tuple[Text, ...]
    remedies: tuple[Remedy, ...]


def lesson(problem: Problem, sheet: Sheet, state: State) -> Lesson:
    """What to say about a problem of ``sheet`` beyond its one sentence, and what can be done about it."""
    key = "" if problem.plain is None else problem.plain.key.removeprefix("error.")
    if problem.statement not in sheet.program:
        return Lesson((), ())
    case = Case(problem, sheet, state)
    story = tuple(STORIES[key](case)) if key in STORIES else ()
    found = [remedy for remedy in REMEDIES[key](case) if _works(remedy, sheet)] if key in REMEDIES else []
    return Lesson(story, (*found, *last_resort(case)))


def _works(remedy: Remedy, sheet: Sheet) -> bool:
    """False for an edit that this program does not allow, such as a line moved before one that it needs."""
    try:
        return bool(sheet.apply(remedy.edit(sheet)) != sheet)
    except (ProgramError, LookupError):
        return False
