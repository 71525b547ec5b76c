"""The form that makes a training loop: which loss, which update, how many rounds; and the lines it would make."""

from __future__ import annotations

from PySide6.QtCore import QLocale, QSignalBlocker, QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QListView,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from chalkgrad.program import training
from chalkgrad.program.change import Change
from chalkgrad.program.optimizers import NAMES
from chalkgrad.program.program import Program, ProgramError
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Kind, Ref
from chalkgrad.program.training import BY_HAND, TrainingPlan
from chalkgrad.program.vocabulary import MOST_ROUNDS
from chalkgrad.source import emit
from chalkgrad.stepwise import Steps, Work
from chalkgrad_app.document import Document, new_gesture
from chalkgrad_app.i18n import sentence
from chalkgrad_app.widgets.code_font import SMALL, code_font, scaled
from chalkgrad_app.widgets.later import Later
from chalkgrad_app.widgets.slices import SLICE_MS
from chalkgrad_app.widgets.spin_room import give_room

LR, ROUNDS = 0.1, 20
ADAPTIVE_LR = 0.01
"""What the learning rate of an optimiser that scales its steps begins with."""

MOST, MANY = 40, 1000
"""So many lines of a loop are shown, of a longer one its first and last lines; and of more lines than these none."""

BY_GRADIENT = (BY_HAND, "SGD", "ASGD")


class RateField(QDoubleSpinBox):
    """A learning rate, without zeros that say nothing."""

    def textFromValue(self, value: float) -> str:
        """The number as a program has it."""
        return f"{value:.5f}".rstrip("0").rstrip(".") or "0"


class TrainingForm(QWidget):
    """Fields for a plan, the lines it means, and the button that makes them: one undo step."""

    looped = Signal(int)  # the gesture in which a loop was made: its cards may have grown

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("training.form")
        self._document = document
        self._losses: list[int] = []
        self._shown: tuple[Program, frozenset[int]] | None = None
        self._previewed: tuple[Program, TrainingPlan] | None = None
        self._preview = Work(_no_lines())
        self._writing = Later(self, self._write_preview)
        self.loss = self._combo("training.loss")
        self._names = QStringListModel(self.loss)
        self.loss.setModel(self._names)
        if isinstance(drops_down := self.loss.view(), QListView):
            drops_down.setUniformItemSizes(True)  # else thousands are measured whenever the style changes
        self.update_rule = self._combo("training.update")
        for name in (BY_HAND, *NAMES):
            self.update_rule.addItem(name or "w -= lr * w.grad", name)
        self.update_rule.setCurrentIndex(1)
        self.lr = RateField(self)
        self.lr.setObjectName("training.lr")
        self.lr.setLocale(QLocale.c())
        self.lr.setDecimals(5)
        self.lr.setRange(0.0, 1e6)
        self.lr.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
        self.lr.setValue(LR)
        self.rounds = QSpinBox(self)
        self.rounds.setObjectName("training.rounds")
        self.rounds.setRange(1, MOST_ROUNDS)
        self.rounds.setValue(ROUNDS)
        for box in (self.lr, self.rounds):
            give_room(box)
        self.zeroes = QCheckBox(self)
        self.zeroes.setObjectName("training.zeroes")
        self.zeroes.setChecked(True)
        self.words = QLabel(self)
        self.words.setWordWrap(True)
        self.preview = QLabel(self)
        self.preview.setObjectName("training.preview")
        self.preview.setTextFormat(Qt.TextFormat.PlainText)
        self.preview.setWordWrap(True)
        self.preview.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.preview.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.make = QPushButton(self)
        self.make.setObjectName("training.make")
        self.make.clicked.connect(self._make)
        self._arrange()
        self.update_rule.activated.connect(self._on_update)
        for signal in (self.loss.activated, self.lr.valueChanged, self.rounds.valueChanged, self.zeroes.toggled):
            signal.connect(self._show_preview)

    def plan(self) -> TrainingPlan | None:
        """What the fields say; None where there is nothing that could be a loss."""
        if not self._losses:
            return None
        loss = Ref(self._losses[max(0, self.loss.currentIndex())])
        if loss.statement not in self._document.program:  # deleted just now: the list follows in its turn
            return None
        lr = round(self.lr.value(), 5)
        return TrainingPlan(loss, self.update_rule.currentData(), lr, self.rounds.value(), self.zeroes.isChecked())

    def follow(self) -> None:
        """Show the results that may be a loss."""
        program = self._document.program
        shown = (program, frozenset(self._document.selected_statements))
        if shown == self._shown:
            return
        self._shown = shown
        chosen = self._losses[self.loss.currentIndex()] if 0 <= self.loss.currentIndex() < len(self._losses) else None
        self._losses = training.losses(program)
        places = {id_: place for place, id_ in enumerate(self._losses)}
        selected = [id_ for id_ in self._document.selected_statements if id_ in places]
        wanted = selected[-1] if selected else chosen if chosen in places else _likeliest(program, self._losses)
        with QSignalBlocker(self.loss):
            self._names.setStringList([program[id_].name for id_ in self._losses])
            self.loss.setCurrentIndex(-1 if wanted is None else places[wanted])
        self._show_preview()

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        for field, words in (
            (self.loss, self.tr("Loss")),
            (self.update_rule, self.tr("Update")),
            (self.lr, self.tr("Learning rate")),
            (self.rounds, self.tr("Rounds")),
        ):
            field.setAccessibleName(words)
            label = self._rows.labelForField(field)
            if isinstance(label, QLabel):
                label.setText(words)
        self.zeroes.setText(self.tr("Zero the gradients in each round"))
        self.make.setText(self.tr("Make the training loop"))
        self._show_preview()

    def restyle(self) -> None:
        """Sizes of the text size in use."""
        self.preview.setFont(code_font(ratio=SMALL))
        self._rows.setHorizontalSpacing(scaled(8))
        self._rows.setVerticalSpacing(scaled(4))

    # ------------------------------------------------------------ inside

    def _combo(self, name: str) -> QComboBox:
        combo = QComboBox(self)
        combo.setObjectName(name)
        combo.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        return combo

    def _arrange(self) -> None:
        self._rows = QFormLayout()
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        for field in (self.loss, self.update_rule, self.lr, self.rounds):
            label = QLabel(self)
            label.setBuddy(field)
            self._rows.addRow(label, field)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(scaled(6))
        column.addWidget(self.words)
        column.addLayout(self._rows)
        column.addWidget(self.zeroes)
        column.addWidget(self.make)
        column.addWidget(self.preview)
        column.addStretch(1)

    def _on_update(self) -> None:
        """An optimiser that scales its steps begins with a smaller rate, unless somebody chose one."""
        if self.lr.value() in (LR, ADAPTIVE_LR):
            self.lr.setValue(LR if self.update_rule.currentData() in BY_GRADIENT else ADAPTIVE_LR)
        self._show_preview()

    def _show_preview(self, *_: object) -> None:
        plan, is_large = self.plan(), len(self._document.program) > MANY
        self.make.setEnabled(plan is not None)
        self.preview.setVisible(plan is not None and not is_large)
        self.words.setText(
            self.tr("A loop runs forward, backward and update again and again, and the loss is plotted.")
            if plan is not None
            else self.tr("There is nothing to train yet: make a result that depends on a tensor that requires grad.")
        )
        if plan is None or is_large or self._previewed == (self._document.program, plan):
            return
        self._previewed = (self._document.program, plan)
        self._preview = Work(_previewing(self._document.sheet, plan))
        self._writing.schedule()

    def _write_preview(self) -> None:
        """Go on with the lines of the plan, and show them when they are there."""
        try:
            if not self._preview.advance(SLICE_MS):
                self._writing.schedule()
                return
        except ProgramError:
            self.make.setEnabled(False)
        self.preview.setText(self._preview.result or "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter, in whichever field, does what the button does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.make.click()
        else:
            super().keyPressEvent(event)

    def _make(self) -> None:
        plan = self.plan()
        if plan is None:
            return

        def made(sheet: Sheet) -> Change:
            return training.training_loop(sheet, plan)

        try:
            gesture = new_gesture()
            if self._document.do(made, self.tr("Training loop"), gesture):
                self.looped.emit(gesture)
        except ProgramError as error:
            self._document.told.emit(sentence(error))


def _no_lines() -> Steps[str]:
    yield from ()
    return ""


def _previewing(sheet: Sheet, plan: TrainingPlan) -> Steps[str]:
    """The lines that a plan would make, in steps: of many statements they take long."""
    change = training.training_loop(sheet, plan)
    yield
    after = sheet.apply(change).program
    yield
    return loop_text(after)


def loop_text(program: Program) -> str:
    """The newest loop of a program as text, and the optimiser that it uses before it; of many lines first and last."""
    loop = max(id_ for id_ in program.bodies)
    places = program.bodies[loop]
    inside = [program[id_] for id_ in program.order[places.start : places.stop] if not program.is_inline(id_)]
    used = {ref.statement for statement in inside for ref in statement.refs()}
    last = inside[-MOST // 2 :]
    lines = [emit.shown_line(program, s.id) for s in program if s.kind is Kind.OPTIMIZER and s.id in used]
    lines.append(program.blocks[loop].heading)
    around: tuple[int, ...] = (loop,)
    for statement in inside if len(inside) <= MOST else inside[: MOST // 2] + last:
        if statement is last[0] and len(inside) > MOST:
            lines.append("    ...")
        chain = program.chain(statement.block)
        lines += ["    " * depth + program.blocks[id_].heading for depth, id_ in enumerate(chain) if id_ not in around]
        around = chain
        lines += ["    " * len(chain) + text for text in emit.shown_line(program, statement.id).split("\n")]
    return "\n".join(lines)


def _likeliest(program: Program, losses: list[int]) -> int | None:
    """The first result that nothing but prints and backwards read, else the first."""
    reading = {Kind.OP, Kind.ALIAS, Kind.GRAD}
    ends = (id_ for id_ in losses if not any(program[user].kind in reading for user in program.users.get(id_, ())))
    return next(ends, losses[0] if losses else None)
