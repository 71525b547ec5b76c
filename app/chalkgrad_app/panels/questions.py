"""The questions that can be asked of a fact of a tensor, and their answers: why None, why a leaf, why requires_grad."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from chalkgrad.program.statement import Ref
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import QT_TRANSLATE_NOOP, in_a_row, translate
from chalkgrad_app.panels.advice import Advice
from chalkgrad_app.panels.pointer import Pointer
from chalkgrad_app.pointing import PointedOut

if TYPE_CHECKING:
    from chalkgrad.session.mending import Remedy
    from chalkgrad.session.reasons import Reason, Subject

ASKED = ("grad", "is_leaf", "requires_grad")
"""The facts of a tensor that can be asked about."""

QUESTIONS = {
    ("grad", True): QT_TRANSLATE_NOOP("Questions", "Why is {name}.grad None?"),
    ("is_leaf", True): QT_TRANSLATE_NOOP("Questions", "Why is {name} a leaf?"),
    ("is_leaf", False): QT_TRANSLATE_NOOP("Questions", "Why is {name} not a leaf?"),
    ("requires_grad", True): QT_TRANSLATE_NOOP("Questions", "Why does {name} require grad?"),
    ("requires_grad", False): QT_TRANSLATE_NOOP("Questions", "Why does {name} not require grad?"),
}


def subject(document: Document, ref: Ref) -> Subject | None:
    """The tensor that a reference means at the cursor."""
    from chalkgrad.session.reasons import Subject  # imported when it is asked: the first window needn't wait for it

    return Subject.of(document.sheet, document.session.trace, document.bare_state, ref)


def title(document: Document, ref: Ref, fact: str) -> str:
    """The question about a fact in full; empty where it can't be asked."""
    found = subject(document, ref)
    if found is None or (fact == "grad" and found.asked.grad is not None):
        return ""
    value = fact == "grad" or bool(getattr(found.asked, fact))
    return translate("Questions", QUESTIONS[fact, value]).format(name=found.called)


def answer(document: Document, ref: Ref, fact: str) -> Reason:
    """Why a fact of a tensor is as it is; nothing where there is no such tensor."""
    from chalkgrad.session import reasons

    asked = {"grad": reasons.why_no_grad, "is_leaf": reasons.why_leaf, "requires_grad": reasons.why_requires_grad}
    found = subject(document, ref)
    return reasons.Reason() if found is None else asked[fact](found)


def remedies(document: Document, ref: Ref, fact: str) -> Sequence[Remedy]:
    """What can be done about a fact of a tensor, as the program is now."""
    return answer(document, ref, fact).remedies


class Answer(Pointer):
    """An answer with its remedies; the lines that it speaks of are lit while one looks at it."""

    def __init__(self, document: Document, ref: Ref, fact: str, name: str, parent: QWidget | None = None) -> None:
        found = answer(document, ref, fact)
        text = in_a_row(found.sentences)
        super().__init__(PointedOut(found.lines), text, parent)
        self.setObjectName(f"inspector.{name}Answer")
        self.add(Advice(document, text, partial(remedies, document, ref, fact), name, self))
        self.looked_at.connect(document.point_out)
