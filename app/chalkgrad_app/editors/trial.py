"""Which option is to blame where a line fails after one was changed."""

from __future__ import annotations

from typing import NamedTuple

WHOLE = "line"
"""What was changed where that was more than one option: another factory, another optimiser."""


class Trial(NamedTuple):
    """Which option was changed last, what the line failed with before, and which option was to blame for that."""

    name: str = ""
    before: str = ""
    blamed: str = ""

    def culprit(self, failure: str) -> str:
        """The option that is to blame for what the line fails with now; nothing where that is none of those changed."""
        if not failure:
            return ""
        return self.blamed if failure == self.before else self.name
