"""Saying what came of an edit: screen readers hear results, gradients and errors as soon as the run is over."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, QTimer

from chalkgrad.program.cards import has_card
from chalkgrad.program.change import Change
from chalkgrad.source import emit
from chalkgrad_app.canvas import accessible, spoken
from chalkgrad_app.canvas.graph_canvas import GraphCanvas
from chalkgrad_app.i18n import translate

WAIT_MS = 150
"""What changes faster than this (a slider, typing) is said once, when it rests."""
MOST = 4
"""No more than so many lines are read out at a time."""


class Announcer(QObject):
    """Follows the document of a canvas and announces what its new lines did."""

    def __init__(self, canvas: GraphCanvas, parent: QObject) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._fresh: list[int] = []
        self._told = ""
        self._failing: frozenset[int] = frozenset()
        self._gradients: Mapping[str, str] = {}
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(WAIT_MS)
        self._wait.timeout.connect(self._say)
        document = canvas.document
        document.changed.connect(self._on_changed)
        document.told.connect(self._on_told)
        document.moved.connect(self._on_moved)
        document.finished.connect(self._on_finished)

    def words(self, gradients: Mapping[str, str]) -> str:
        """What there is to say: what was told, each changed line, each that now fails, and which gradients are new."""
        document, parts = self._canvas.document, [self._told] if self._told else []
        failing = sorted(self._failures() - self._failing)
        lines = [id_ for id_ in dict.fromkeys((*failing, *self._fresh)) if id_ in document.program]
        parts += [self._line_words(id_) for id_ in lines[:MOST]]
        if len(lines) > MOST:
            parts.append(translate("Announcing", "and {n} more lines").format(n=len(lines) - MOST))
        if self._fresh:
            parts += self._new(gradients)
        return ". ".join(parts)

    def _failures(self) -> frozenset[int]:
        return frozenset(problem.statement for problem in self._canvas.document.state.problems if not problem.warning)

    def _line_words(self, id_: int) -> str:
        canvas, document = self._canvas, self._canvas.document
        problem = document.state.statement(id_).problem
        statement = document.program[id_]
        if problem is not None:
            return f"{emit.shown_line(document.program, id_)}: {problem.printed}"
        if not has_card(document.program, statement):
            return emit.shown_line(document.program, id_)
        return " ".join((spoken.card_name(canvas, id_), spoken.card_value(canvas, id_)))

    def _new(self, gradients: Mapping[str, str]) -> list[str]:
        """The gradients that are not what they were after the edit before."""
        state = self._canvas.document.state
        new = [(name, short) for name, short in gradients.items() if self._gradients.get(name) != short]
        return [f"{name}.grad {short}" for name, short in new if not state.is_covered(state.names[name])][:MOST]

    def _shown_gradients(self) -> Mapping[str, str]:
        state = self._canvas.document.state
        grads = {name: state.names[name].grad for name in state.owners()}
        return {name: grad.short for name, grad in grads.items() if grad is not None}

    def _on_changed(self, change: object) -> None:
        if isinstance(change, Change) and change.touches_program:
            self._fresh += sorted(key for key in change.keys("statements") if isinstance(key, int))

    def _on_told(self, words: str) -> None:
        self._told = words
        self._wait.start()

    def _on_moved(self, _position: object) -> None:
        """The line that is looked at now."""
        document = self._canvas.document
        id_ = document.cursor_line if document.is_past else None
        if id_ is None:
            self._on_told(translate("Announcing", "Back to now"))
            return
        line = translate("Announcing", "Looking at line {n}").format(n=document.program.lines[id_])
        self._on_told(f"{line}. {emit.shown_line(document.program, id_)}")

    def _on_finished(self) -> None:
        if self._fresh:
            self._wait.start()

    def _say(self) -> None:
        if self._canvas.document.is_running:
            return  # it is said when the run is over
        gradients = self._shown_gradients() if self._fresh else self._gradients
        words, self._gradients = self.words(gradients), gradients
        self._fresh, self._told, self._failing = [], "", self._failures()
        if words:
            accessible.announce(self._canvas, words)
        card = self._canvas.keyboard.card
        if card is not None:
            accessible.value_changed(self._canvas, card)
