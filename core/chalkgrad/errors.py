"""What can go wrong in a program, its text or its file: one base, which says it in a sentence for people."""

from __future__ import annotations

from typing import TypeVar

from chalkgrad.text import Text, render

ErrorT = TypeVar("ErrorT", bound=Exception)


class ChalkgradError(ValueError):
    """Something a person asked for that can't be done; ``text`` says why, and where, in every language."""

    def __init__(self, text: Text) -> None:
        super().__init__(render(text, "en"))
        self.text = text


def blame(error: ErrorT, **at_fault: object) -> ErrorT:
    """``error`` with what is at fault as attributes: ``node``, ``tensor``, ``name`` of a saved value.

    Of a saved value that was written also the ``version`` it has and the one that was ``expected``, and the node of
    the operator that wrote it as ``writer``, None where that was not recorded.

    The engine raises PyTorch's own exception types with PyTorch's own texts; this says beside them what they are about.
    """
    for name, value in at_fault.items():
        setattr(error, name, value)
    return error
