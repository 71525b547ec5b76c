"""Questions to a window that open something beside what they are about: what went wrong, why a fact is as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QRect

from chalkgrad_app.panels import questions
from chalkgrad_app.panels.mend_menu import AnswerMenu, MendMenu, problem_in_question

if TYPE_CHECKING:
    from chalkgrad_app.main_window import MainWindow


class Answering(QObject):
    """What the actions call by which one asks."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    def show_remedies(self) -> None:
        """Say what went wrong where one looks, and offer the ways to mend it."""
        document = self._window.document
        problem = problem_in_question(document)
        if problem is not None:
            at = self._beside(problem.statement, *problem.at_fault)
            MendMenu(document, problem, self._window).popup(at)

    def show_answer(self, fact: str) -> None:
        """Say why a fact of the selected tensor is as it is."""
        document = self._window.document
        ref = next(iter(document.selected_tensors[-1:]), None)
        if ref is not None and questions.title(document, ref, fact):
            AnswerMenu(document, ref, fact, self._window).popup(self._beside(ref.statement))

    def show_differences(self) -> None:
        """Bring the inspector forward with finite differences beside the gradient."""
        self._window.docks.show_panel("inspector")
        self._window.docks.give_room("inspector")
        self._window.docks.inspector.show_differences()

    def _beside(self, *ids: int) -> QPoint:
        """Where a menu opens: under the first of some cards that is in view, else in the middle of the canvas."""
        canvas = self._window.canvas
        for id_ in ids:
            rect = canvas.view_rect_of(id_) if canvas.picture.rect_of(id_) is not None else QRect()
            if not rect.isEmpty() and canvas.rect().contains(rect.center()):
                return canvas.mapToGlobal(rect.bottomLeft())
        return canvas.mapToGlobal(canvas.rect().center())
