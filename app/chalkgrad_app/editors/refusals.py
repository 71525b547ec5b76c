"""What the core raises for something that a person asked for and that can't be done, and the sentence for it."""

from __future__ import annotations

from chalkgrad.errors import ChalkgradError
from chalkgrad.program.program import ProgramError
from chalkgrad.source.problem import SourceError
from chalkgrad.text import Text, render
from chalkgrad_app.i18n import language

REFUSALS = (ChalkgradError, SourceError, ProgramError)


def sentence(error: Exception) -> str:
    """The sentence of a refusal, in the language in use where the error knows it."""
    text = getattr(error, "text", None)
    return render(text, language()) if isinstance(text, Text) else str(error)
