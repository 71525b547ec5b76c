"""What one can answer to a question about something hidden: a gradient, two flags, whether a line fails.

Each kind of answer says what a guess is worth, has hints that come one after another, and shows what was hidden.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QFormLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from chalkgrad.explain import Account, why, why_results
from chalkgrad.explain.guessing import Hint, Judgement, Verdict, hints, judge, judge_flags
from chalkgrad.program.building import is_gradient
from chalkgrad.program.statement import Kind, Ref
from chalkgrad.session import mending, reasons
from chalkgrad.session.reasons import Subject
from chalkgrad.session.state import TensorState
from chalkgrad.source import emit
from chalkgrad.stepwise import Work
from chalkgrad.text import Text
from chalkgrad_app.covering import Cover, Question, flags_of
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import QT_TRANSLATE_NOOP, in_a_row, translate
from chalkgrad_app.running_sheet import SLICE_MS
from chalkgrad_app.widgets.code_font import code_font, scaled

ERRORS = {
    "second_backward": QT_TRANSLATE_NOOP("Guess", "its saved values were freed by an earlier backward"),
    "inplace_saved": QT_TRANSLATE_NOOP("Guess", "a saved tensor was changed in place since"),
    "no_requires_grad": QT_TRANSLATE_NOOP("Guess", "there is no graph: nothing requires grad"),
    "not_scalar": QT_TRANSLATE_NOOP("Guess", "it starts from several numbers, without weights"),
    "gradient_shape": QT_TRANSLATE_NOOP("Guess", "the weights have another shape"),
    "unused_input": QT_TRANSLATE_NOOP("Guess", "one of its inputs is not in the graph"),
}
"""Errors that one may name, by the ends of their keys."""


class FormButton(QPushButton):
    """A button that Enter presses, too, as in a dialog."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is a click."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


class Answer(QWidget):
    """The part of the form that differs; ``given`` says that somebody has answered."""

    given = Signal()

    def __init__(self, document: Document, question: Question, parent: QWidget) -> None:
        super().__init__(parent)
        self.document = document
        self.question = question
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(scaled(4))

    def title(self) -> str:
        """The question."""
        raise NotImplementedError

    def judged(self) -> Judgement | None:
        """What the answer is worth; None where it can't be said yet."""
        raise NotImplementedError

    def hints(self) -> Sequence[Hint]:
        """What helps, step by step."""
        raise NotImplementedError

    def told(self) -> str:
        """What there is to say when it is shown: why it is so."""
        return ""

    def work_on(self) -> bool:
        """Prepare the hints a little; True when there is nothing left to prepare."""
        return True

    def accept_no_more(self) -> None:
        """It is answered."""
        self.setEnabled(False)


class GradientAnswer(Answer):
    """A number, a list or None, typed."""

    def __init__(self, document: Document, question: Question, parent: QWidget) -> None:
        super().__init__(document, question, parent)
        made = document.program.maker(question.ref)
        self._tensor = self.document.bare_state.tensor(made.statement, made.output)
        self._statement = document.program[made.statement]
        self._is_result = is_gradient(self._statement)
        self._work = self._explanation()
        self._account: Account | None = None
        self.field = QLineEdit(self)
        self.field.setObjectName("guess.field")
        self.field.setFont(code_font())
        example = _example(() if self._tensor is None else self._tensor.shape)
        self.field.setPlaceholderText(example if self._is_result else f"{example} / None")
        self.field.setToolTip(translate("Guess", "a number, [1., 2.] or None"))
        self.field.setAccessibleName(self.title())
        self.field.returnPressed.connect(self.given)
        self.column.addWidget(self.field)
        self.setFocusProxy(self.field)

    def title(self) -> str:
        """``w.grad = ?``"""
        name = _name(self.document, self.question.ref)
        return translate("Guess", "What is {name}?").format(name=name if self._is_result else f"{name}.grad")

    def judged(self) -> Judgement:
        """Compared with what the trace recorded."""
        tensor, truth = self._tensor, self._gradient()
        parts = [] if tensor is None else [part.value for part in tensor.sum_of]
        return judge(self.field.text(), None if truth is None else truth.value, parts, self._account)

    def hints(self) -> Sequence[Hint]:
        """The chain rule; of a gradient that is None, who keeps one."""
        if self._account is not None:
            return hints(self._account)
        return (Hint(Text("hint.who_keeps")),) if self._gradient() is None else ()

    def told(self) -> str:
        """Why it is None, where it is."""
        if self._tensor is None or self._gradient() is not None:
            return ""
        document = self.document
        subject = Subject.of(document.sheet, document.session.trace, document.bare_state, self.question.ref)
        return "" if subject is None else in_a_row(reasons.why_no_grad(subject).sentences)

    def work_on(self) -> bool:
        """Work the chain rule out."""
        if self._work is not None and self._work.advance(SLICE_MS):
            self._account, self._work = self._work.result, None
        return self._work is None

    def accept_no_more(self) -> None:
        """The field may stand elsewhere."""
        super().accept_no_more()
        self.field.setEnabled(False)

    def _gradient(self) -> TensorState | None:
        if self._tensor is None or self._is_result:
            return self._tensor
        return self._tensor.grad

    def _explanation(self) -> Work[Account] | None:
        program, trace, found = self.document.program, self.document.session.trace, self._gradient()
        if self._tensor is None or found is None or found.value is None:
            return None
        if self._statement.kind is Kind.GRAD:
            made = self._statement.id
            return why_results(program, trace, made, self.document.bare_state.statement(made).outputs)
        return None if self._is_result else why(program, trace, self._tensor)


class FlagsAnswer(Answer):
    """Two lists: is_leaf and requires_grad, each True or False."""

    def __init__(self, document: Document, question: Question, parent: QWidget) -> None:
        super().__init__(document, question, parent)
        form = QFormLayout()
        self._lists: dict[str, QComboBox] = {}
        for flag in ("is_leaf", "requires_grad"):
            made = self._lists[flag] = QComboBox(self)
            made.setObjectName(f"guess.{flag}")
            made.setAccessibleName(f"{self.title()} {flag}")
            made.addItems(["?", "True", "False"])
            label = QLabel(flag, self)
            label.setFont(code_font())
            form.addRow(label, made)
        self.column.addLayout(form)
        self.setFocusProxy(self._lists["is_leaf"])

    def title(self) -> str:
        """``Is a a leaf, and does it require grad?``"""
        name = _name(self.document, self.question.ref)
        return translate("Guess", "What kind of tensor is {name}?").format(name=name)

    def judged(self) -> Judgement:
        """Compared with the recorded flags; both have to be said."""
        texts = {flag: found.currentText() for flag, found in self._lists.items()}
        tensor = self._tensor()
        if "?" in texts.values() or tensor is None:
            return Judgement(Verdict.UNREADABLE, Text("guess.both"))
        return judge_flags({flag: text == "True" for flag, text in texts.items()}, flags_of(tensor))

    def hints(self) -> Sequence[Hint]:
        """What the words mean."""
        return Hint(Text("hint.leaf")), Hint(Text("hint.requires"))

    def told(self) -> str:
        """Why it is a leaf or none."""
        document = self.document
        subject = Subject.of(document.sheet, document.session.trace, document.bare_state, self.question.ref)
        return "" if subject is None else in_a_row(reasons.why_leaf(subject).sentences)

    def _tensor(self) -> TensorState | None:
        made = self.document.program.maker(self.question.ref)
        return self.document.bare_state.tensor(made.statement, made.output)


class OutcomeAnswer(Answer):
    """It runs, or it fails, and for which reason."""

    def __init__(self, document: Document, question: Question, parent: QWidget) -> None:
        super().__init__(document, question, parent)
        self._fails: bool | None = None
        self._buttons = [
            self._button("runs", translate("Guess", "It runs")),
            self._button("fails", translate("Guess", "It fails")),
        ]
        self._which = QComboBox(self)
        self._which.setObjectName("guess.which")
        self._which.setAccessibleName(translate("Guess", "Why it fails"))
        self._which.addItem(translate("Guess", "It fails because ..."), "")
        for key, text in ERRORS.items():
            self._which.addItem(translate("Guess", text), key)
        self._which.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._which.activated.connect(self._on_chosen)
        row = QHBoxLayout()
        row.setSpacing(scaled(4))
        for button in self._buttons:
            row.addWidget(button)
        self.column.addLayout(row)
        self.column.addWidget(self._which)
        self.setFocusProxy(self._buttons[0])

    def title(self) -> str:
        """``Will line 7 fail?``"""
        line = self.document.program.lines.get(self.question.ref.statement, 0)
        return translate("Guess", "Will line {line} fail?").format(line=line)

    def judged(self) -> Judgement | None:
        """Compared with what happened; None while the program runs."""
        if self.document.is_running:
            return None
        if self._fails is None:
            return Judgement(Verdict.UNREADABLE, Text("guess.choose"))
        problem = self.document.session.trace.state().statement(self.question.ref.statement).problem
        if problem is None or problem.warning:
            return Judgement(*((Verdict.WRONG, Text("guess.ran_after_all")) if self._fails else (_RIGHT, _RAN)))
        if not self._fails:
            return Judgement(Verdict.WRONG, Text("guess.failed_after_all"))
        named = self._which.currentData()
        if not named:
            return Judgement(_RIGHT, Text("guess.fails"))
        is_it = problem.plain is not None and problem.plain.key == f"error.{named}"
        return (
            Judgement(_RIGHT, Text("guess.fails_so"))
            if is_it
            else Judgement(Verdict.NEARLY, Text("guess.fails_otherwise"))
        )

    def hints(self) -> Sequence[Hint]:
        """What to look at."""
        return (Hint(Text("hint.fails")),)

    def told(self) -> str:
        """Which error it is, in plain words, and how it came to it."""
        state = self.document.session.trace.state()
        problem = state.statement(self.question.ref.statement).problem
        if problem is None:
            return ""
        plain = () if problem.plain is None else (problem.plain,)
        return f"{problem.type}: " + in_a_row((*plain, *mending.story(problem, self.document.sheet, state)))

    def _button(self, name: str, text: str) -> QPushButton:
        button = FormButton(text, self)
        button.setObjectName(f"guess.{name}")
        button.clicked.connect(self._on_clicked)
        return button

    @Slot()
    def _on_clicked(self) -> None:
        sender = self.sender()
        self._fails = sender is not None and sender.objectName() == "guess.fails"
        self.given.emit()

    @Slot()
    def _on_chosen(self) -> None:
        self._fails = True
        if self._which.currentData():
            self.given.emit()


def _example(shape: tuple[int, ...]) -> str:
    """What a gradient of that shape looks like, short enough for the field."""
    if not shape:
        return "1."
    row = {1: "[1.]", 2: "[1., 2.]"}.get(shape[-1], "[1., ...]")
    return row if len(shape) == 1 else f"[{row}, ...]"


def _name(document: Document, ref: Ref) -> str:
    """What the text calls a tensor; of an unnamed one, its expression."""
    statement = document.program[ref.statement]
    named = statement.targets[ref.output] if ref.output < len(statement.targets) else ""
    return named or f"({emit.expression(document.program, statement.id, short=True)})"


_RIGHT, _RAN = Verdict.RIGHT, Text("guess.runs")

ANSWERS: dict[Cover, type[Answer]] = {
    Cover.GRADIENTS: GradientAnswer,
    Cover.FLAGS: FlagsAnswer,
    Cover.OUTCOMES: OutcomeAnswer,
}
