"""The form in which one says what is hidden before it is shown: an answer, hints that unfold, giving up."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from chalkgrad.explain.guessing import Hint, Verdict
from chalkgrad_app.covering import Cover, Question
from chalkgrad_app.document import Document
from chalkgrad_app.editors.guess_answers import ANSWERS, FormButton, GradientAnswer
from chalkgrad_app.i18n import in_a_row, translate
from chalkgrad_app.pointing import PointedOut, along
from chalkgrad_app.predicting import reveal
from chalkgrad_app.running_sheet import SLICE_MS
from chalkgrad_app.style.tint import tint
from chalkgrad_app.widgets.code_font import scaled
from chalkgrad_app.widgets.column_area import column_area
from chalkgrad_app.widgets.formula_row import FormulaRow, set_some

SIGNS = {Verdict.RIGHT: "✓", Verdict.NEARLY: "≈", Verdict.WRONG: "✗", Verdict.UNREADABLE: ""}
INKS = {Verdict.RIGHT: "ink", Verdict.NEARLY: "ink", Verdict.WRONG: "error_ink", Verdict.UNREADABLE: "muted"}
LEAST_SAID = 60
"""In pixels at 100% text size."""


class Said(QWidget):
    """What a form has said, from top to bottom: whether the answer is right, why, and hints."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(scaled(6))

    def minimumSizeHint(self) -> QSize:
        """No height: that of lines that break is known of a width alone, and is far too much of the least."""
        return QSize(super().minimumSizeHint().width(), 0)


class GuessForm(QWidget):
    """Asks one question. Right at the first try and without hints counts as right."""

    settled = Signal()
    """It is answered, or given up, and shown."""
    ended = Signal()
    """Nobody needs the form any more."""
    grown = Signal()
    """It needs more room, or less."""

    def __init__(self, document: Document, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.question = question
        self._tries = 0
        self._hinted = 0
        self._rows: list[FormulaRow] = []
        self.is_settled = False
        self.begun: QWidget | None = None
        self.newest: QWidget | None = None
        """Where the newest of what was said begins, and where it ends."""
        self.answer = ANSWERS[question.about](document, question, self)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(scaled(6))
        self._title = self._label("guess.title", self.answer.title())
        self._said = Said(self)
        self._area: QScrollArea | None = None
        self._feedback = self._label("guess.feedback", "")
        self._said.column.addWidget(self._feedback)
        self._said.hide()
        self._feedback.hide()
        self._check = self._button("check", translate("Guess", "Check"), self.check)
        self._hint = self._button("hint", translate("Guess", "Hint"), self.show_hint)
        self._show = self._button("show", translate("Guess", "Show it"), self.give_up)
        for widget in (self._title, self.answer):
            self._column.addWidget(widget)
        buttons = QHBoxLayout()
        buttons.setSpacing(scaled(4))
        self._check.setVisible(question.about not in FINAL)  # its answers are buttons
        for button in (self._check, self._hint, self._show):
            buttons.addWidget(button)
        self._column.addLayout(buttons)
        self._column.addWidget(self._said)
        self.answer.given.connect(self.check)
        self.setFocusProxy(self.answer)
        self._working = QTimer(self)
        self._working.setInterval(0)
        self._working.timeout.connect(self._work_on)
        self._working.start()
        document.finished.connect(self._on_finished)
        self._waits = self._wants_hint = False

    @property
    def field(self) -> QLineEdit | None:
        """Where the answer is typed; None where it is chosen."""
        return self.answer.field if isinstance(self.answer, GradientAnswer) else None

    def lend_field(self, holder: QWidget) -> None:
        """Let the field stand elsewhere."""
        if self.field is not None:
            self.field.setParent(holder)
            self.answer.hide()
            QWidget.setTabOrder(self.field, self._check)

    def take_field_back(self) -> None:
        """Let it stand under the question again."""
        if self.field is not None:
            self.answer.column.addWidget(self.field)
            self.field.show()
            self.answer.show()
            QWidget.setTabOrder(self.field, self._check)

    def scroll_said(self) -> QScrollArea:
        """Let what is said scroll where there is too little room, under a question and buttons that stay."""
        area = self._area = column_area(self)
        area.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self._column.replaceWidget(self._said, area)
        self._column.setStretchFactor(area, 1)
        area.setWidget(self._said)
        area.hide()
        return area

    def height_at(self, width: int) -> int:
        """How high it is when all is seen."""
        margins = self._column.contentsMargins()
        said = self._said.column.totalHeightForWidth(width - margins.left() - margins.right())
        return self._height_with(said, width)

    def lowest_at(self, width: int) -> int:
        """How high it is where no more than some lines of what is said are seen at a time."""
        return self._height_with(scaled(LEAST_SAID), width)

    # ------------------------------------------------------------ what buttons do

    @Slot()
    def check(self) -> None:
        """Say what the answer is worth; where it is right, show what was hidden."""
        if self.is_settled:
            self.ended.emit()
            return
        found = self.answer.judged()
        self._waits = found is None
        if found is None:
            self._say(Verdict.UNREADABLE, translate("Guess", "The program is still running..."))
            return
        words = in_a_row([found.said])
        if found.verdict is Verdict.RIGHT:
            self._settle(found.verdict, words, self._tries == 0 and not self._hinted)
            return
        self._tries += found.verdict is not Verdict.UNREADABLE
        if self.question.about in FINAL and found.verdict is not Verdict.UNREADABLE:
            self._settle(found.verdict, words, False)
        else:
            self._say(found.verdict, words)

    @Slot()
    def show_hint(self) -> None:
        """Unfold the next hint; where it is still being worked out, as soon as it is there."""
        self._wants_hint = not self.answer.work_on()
        if self._wants_hint:
            return
        known = self.answer.hints()
        if self._hinted < len(known):
            self._add_hint(known[self._hinted])
            self._hinted += 1
        if self._hinted == len(known):
            if self._hint.hasFocus():
                self.answer.setFocus()  # or Qt hands it to the button that shows what is to be said
            self._hint.setEnabled(False)
        self.grown.emit()

    @Slot()
    def give_up(self) -> None:
        """Show what was hidden."""
        if self.is_settled:
            self.ended.emit()
        else:
            self._settle(Verdict.UNREADABLE, "", False)

    # ------------------------------------------------------------ Qt events

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing is pointed at by a form that nobody sees."""
        super().hideEvent(event)
        if self._hinted:
            self._document.point_out(PointedOut())

    # ------------------------------------------------------------ inside

    def _settle(self, verdict: Verdict, words: str, is_right: bool) -> None:
        why = self.answer.told()
        self.is_settled = True
        self.answer.accept_no_more()
        self._hint.hide()
        self._check.hide()
        self._show.setText(translate("Guess", "Close"))
        self._show.setFocus()
        self._say(verdict, words)
        if why:
            self._said.column.insertWidget(1, self._label("guess.why", why))
            self.grown.emit()
        self._document.told.emit(words)
        self._document.covers.count(is_right)
        self.settled.emit()
        reveal(self._document, self.question)

    def _say(self, verdict: Verdict, words: str) -> None:
        tint(self._feedback, INKS[verdict])
        self._feedback.setText(f"{SIGNS[verdict]} {words}".strip())
        self._feedback.setVisible(bool(words))
        self._show_said()
        self.begun = self.newest = self._feedback
        self.grown.emit()

    def _add_hint(self, hint: Hint) -> None:
        self.begun = self.newest = self._label("guess.hintText", in_a_row([hint.said]))
        self._said.column.addWidget(self.newest)
        for pieces in hint.rows:
            self.newest = FormulaRow(pieces, self)
            self._rows.append(self.newest)
            self._said.column.addWidget(self.newest)
        self._show_said()
        if self._rows:
            self._working.start()
        if hint.trail.stops:
            self._document.point_out(along(hint.trail))

    def _height_with(self, said: int, width: int) -> int:
        self._column.activate()
        is_scrolled = self._area is not None and not self._area.isHidden()
        return self._column.totalHeightForWidth(width) + (said if is_scrolled else 0)

    def _show_said(self) -> None:
        self._said.show()
        if self._area is not None:
            self._area.show()

    def _work_on(self) -> None:
        """Prepare the hints, then set their formulas, some in each turn."""
        if not self.answer.work_on():
            return
        if self._wants_hint:
            self.show_hint()
        if self._rows:
            left = len(self._rows)
            set_some(self._rows, SLICE_MS)
            if len(self._rows) < left:
                self.grown.emit()
        else:
            self._working.stop()

    def _on_finished(self) -> None:
        if self._waits:
            self.check()

    def _label(self, name: str, text: str) -> QLabel:
        label = QLabel(text, self)
        label.setObjectName(name)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        return label

    def _button(self, name: str, text: str, call: Callable[[], None]) -> QPushButton:
        button = FormButton(text, self)
        button.setObjectName(f"guess.{name}")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves somebody who types in the field
        button.clicked.connect(call)
        return button


FINAL = frozenset({Cover.OUTCOMES})
"""Questions of which the wrong answer leaves nothing to guess."""
