"""What somebody sees who is asked before it is shown."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel
from support.panels import id_of

from chalkgrad_app.editors.guess import GuessForm


def form_of(window) -> GuessForm:
    """The question that is asked on the canvas."""
    form = window.canvas.asking.form
    assert form is not None
    return form


def says(form, name) -> str:
    """What a label of the question says; nothing while it is hidden."""
    label = form.findChild(QLabel, f"guess.{name}")
    return "" if label is None or label.isHidden() else label.text()


def shown_gradient(window, name):
    """The gradient as the card of ``name`` has it."""
    return window.canvas.picture.face(id_of(window.document, name)).rows[0].grad
