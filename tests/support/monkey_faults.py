"""What led to a fault, kept in a file, and made as short as it gets by doing parts of it again."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from chalkgrad.program import files
from chalkgrad.program.sheet import Sheet

BACK = (5, 25, 100, 400)
"""So many acts before the fault one begins again; the first that leads there serves."""
LONGEST = BACK[-1]
PATIENCE_S = 600


@dataclass(frozen=True)
class Fault:
    """The numbers of the acts of a seed that led to a fault; ``sheets`` are those before some of them, by number."""

    seed: int
    last: int
    sheets: dict[int, str]

    def write(self) -> Path:
        """Keep it in a file among those that are kept for a while; returns which."""
        path = Path(tempfile.gettempdir()) / f"monkey-{self.seed}-{self.last}.json"
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")
        return path

    @staticmethod
    def read(path: Path) -> Fault:
        """What was written."""
        kept = json.loads(path.read_text(encoding="utf-8"))
        return Fault(kept["seed"], kept["last"], {int(number): text for number, text in kept["sheets"].items()})

    def shrunk(self, command: Sequence[str]) -> str:
        """Leave out what it happens without; what the ``command``, which does acts again, says of those that remain."""
        for first in sorted(self.sheets, reverse=True):
            acts, sheet = list(range(first, self.last + 1)), self.sheets[first]
            said = self._said(command, sheet, acts)
            if said is not None:
                return self._shorter(command, sheet, acts, said)
        return "It does not happen again from there: what was done before, or how long it took, is a part of it."

    def _shorter(self, command: Sequence[str], sheet: str, acts: list[int], said: str) -> str:
        """Leave out ever smaller parts of the acts, as long as the fault remains."""
        size = len(acts) // 2
        while size:
            for start in reversed(range(0, len(acts), size)):
                fewer = acts[:start] + acts[start + size :]
                found = self._said(command, sheet, fewer)
                if found is not None:
                    acts, said = fewer, found
            size //= 2
        return f"seed {self.seed}, acts {acts} on\n{sheet}\n{said}"

    def _said(self, command: Sequence[str], sheet: str, acts: Sequence[int]) -> str | None:
        """What is said when these acts are done; None when all is well."""
        given = json.dumps([self.seed, sheet, acts])
        done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        return done.stdout + done.stderr if done.returncode else None


def fault_of(seed: int, recent: Sequence[tuple[int, Sheet]]) -> Fault:
    """The fault after the acts ``recent``, each with the sheet before it."""
    begun = [recent[-min(back, len(recent))] for back in BACK]
    return Fault(seed, recent[-1][0], {number: files.save(sheet) for number, sheet in begun})
