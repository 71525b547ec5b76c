"""What led to a fault, kept in a file, and made as short as it gets by doing parts of it again."""

from __future__ import annotations

import base64
import json
import pickle
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple
from weakref import WeakMethod

from PySide6.QtGui import QUndoStack

from chalkgrad.program import files
from chalkgrad.program.change import Change
from chalkgrad.program.sheet import Sheet
from chalkgrad_app.commands import EditCommand
from chalkgrad_app.document import Document

BACK = (5, 25, 100, 400)
"""So many acts before the fault one begins again; the first that leads there serves."""
LONGEST = BACK[-1]
PATIENCE_S = 600


@dataclass(frozen=True)
class Fault:
    """The numbers of the acts of a seed that led to a fault.

    ``sheets`` are those before some of them, by number, and ``steps`` what there was to be undone and done again then.
    """

    seed: int
    last: int
    sheets: dict[int, str]
    steps: dict[int, str]

    def write(self) -> Path:
        """Keep it in a file among those that are kept for a while; returns which."""
        path = Path(tempfile.gettempdir()) / f"monkey-{self.seed}-{self.last}.json"
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")
        return path

    @staticmethod
    def read(path: Path) -> Fault:
        """What was written."""
        kept = json.loads(path.read_text(encoding="utf-8"))
        sheets, steps = ({int(number): text for number, text in kept[name].items()} for name in ("sheets", "steps"))
        return Fault(kept["seed"], kept["last"], sheets, steps)

    def shrunk(self, command: Sequence[str]) -> str:
        """Leave out what it happens without; what the ``command``, which does acts again, says of those that remain."""
        for first in sorted(self.sheets, reverse=True):
            acts = list(range(first, self.last + 1))
            said = self._said(command, first, acts)
            if said is not None:
                return self._shorter(command, first, acts, said)
        return "It does not happen again from there: what was done before, or how long it took, is a part of it."

    def _shorter(self, command: Sequence[str], first: int, acts: list[int], said: str) -> str:
        """Leave out ever smaller parts of the acts, as long as the fault remains."""
        size = len(acts) // 2
        while size:
            for start in reversed(range(0, len(acts), size)):
                fewer = acts[:start] + acts[start + size :]
                found = self._said(command, first, fewer)
                if found is not None:
                    acts, said = fewer, found
            size //= 2
        return f"seed {self.seed}, acts {acts} on\n{self.sheets[first]}\n{said}"

    def _said(self, command: Sequence[str], first: int, acts: Sequence[int]) -> str | None:
        """What is said when these acts are done; None when all is well."""
        given = json.dumps([self.seed, self.sheets[first], acts, self.steps[first]])
        done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        return done.stdout + done.stderr if done.returncode else None


class Before(NamedTuple):
    """What there was before an act: its number, the sheet, and the steps that can be undone or done again."""

    number: int
    sheet: Sheet
    index: int
    steps: list[tuple[Change, str, str]]


def before(number: int, document: Document) -> Before:
    """What there is before an act."""
    stack = document.undo_stack
    steps = [(step.change, step.text(), step.drawing) for step in _steps(stack)]
    return Before(number, document.sheet, stack.index(), steps)


def bring_back(document: Document, kept: str) -> None:
    """Have a document undo and redo what could be, where its sheet is the one that there was."""
    index, steps = pickle.loads(base64.b64decode(kept))
    stack, asleep = document.undo_stack, _Asleep()
    for change, text, drawing in steps:
        stack.push(EditCommand(change, text, drawing, asleep.apply))
    stack.setIndex(index)
    for step in _steps(stack):
        step._apply = WeakMethod(document._apply)


def fault_of(seed: int, recent: Sequence[Before]) -> Fault:
    """The fault after the last of some acts, with what there was before each."""
    begun = [recent[-min(back, len(recent))] for back in BACK]
    sheets = {done.number: files.save(done.sheet) for done in begun}
    steps = {done.number: base64.b64encode(pickle.dumps((done.index, done.steps))).decode() for done in begun}
    return Fault(seed, recent[-1].number, sheets, steps)


class _Asleep:
    """Does nothing where a document would do a step."""

    def apply(self, change: Change, again_in: str) -> None:
        pass


def _steps(stack: QUndoStack) -> list[EditCommand]:
    return [step for at in range(stack.count()) if isinstance(step := stack.command(at), EditCommand)]
