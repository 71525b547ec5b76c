"""What can go wrong in a program, its text or its file: one base, which says it in a sentence for people."""

from __future__ import annotations

from chalkgrad.text import Text, render


class ChalkgradError(ValueError):
    """Something a person asked for that can't be done; ``text`` says why, and where, in every language."""

    def __init__(self, text: Text) -> None:
        super().__init__(render(text, "en"))
        self.text = text
