"""Editors for what a statement's line says beside its wires: an operator's attributes, how a leaf is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLabel, QLineEdit, QToolButton, QWidget

from chalkgrad.engine.record import Attribute
from chalkgrad.errors import ChalkgradError
from chalkgrad.program import edits
from chalkgrad.program.optimizers import NAMES, settings_of
from chalkgrad.program.shapes import problem_of
from chalkgrad.program.statement import Dtype, Kind, Operand, Statement
from chalkgrad.program.vocabulary import DTYPES, FACTORIES
from chalkgrad.session.misfits import misfit
from chalkgrad.session.state import Status
from chalkgrad.source.literals import shape_text
from chalkgrad_app.document import Document, new_gesture
from chalkgrad_app.editors import leaves, shapes
from chalkgrad_app.editors.attributes import attributes_of, missing, with_option
from chalkgrad_app.editors.option_texts import BadOptionError, typed
from chalkgrad_app.editors.pasted import TablePaste
from chalkgrad_app.editors.retyped import SHAPE, default, with_text
from chalkgrad_app.editors.trial import WHOLE, Trial
from chalkgrad_app.editors.unfinished import is_unfinished
from chalkgrad_app.i18n import sentence
from chalkgrad_app.naming import changing
from chalkgrad_app.widgets.choice_list import ChoiceList
from chalkgrad_app.widgets.code_font import SMALL, code_font, scaled
from chalkgrad_app.widgets.message_edit import FieldMessage, MessageEdit, StepField
from chalkgrad_app.widgets.wrapping_form import WrappingForm

PREFIX = "option."
NO_STEPS = "", 0
"""The field in which a number is stepped and the gesture that its steps are, while there is none."""
STEPPED = ("int", "dim")
"""Kinds of attributes that are stepped by arrows."""

LONGEST = 2_000
"""Values whose text is longer are edited on the canvas, in the grid."""


class OptionsEditor(QWidget):
    """A field for each option of one statement; what can't be read is said at the field and changes nothing."""

    entered = Signal()  # Enter was pressed in a field, and what stands there was taken

    def __init__(
        self, document: Document, id_: int, parent: QWidget | None = None, before: OptionsEditor | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("inspector.options")
        self._document = document
        self._id = id_
        self._trial: Trial = before._trial if before is not None and before._id == id_ else Trial()
        self._stepping: tuple[str, int] = before._stepping if before is not None and before._id == id_ else NO_STEPS
        self._refusal: FieldMessage | None = None
        self._returned: QLineEdit | None = None
        self._fields: dict[str, MessageEdit] = {}
        self._form = WrappingForm(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(scaled(12))
        self._form.setVerticalSpacing(scaled(4))
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        statement = document.program[id_]
        if statement.kind is Kind.LEAF:
            self._add_leaf(statement)
        if statement.kind is Kind.OPTIMIZER:
            self._add_choice("optimizer", NAMES, statement.call, self._set_optimizer)
        for attribute in attributes_of(statement).values():
            self._add_attribute(attribute, statement.option(attribute.name, attribute.default))
        for name in missing(statement):
            if name in self._fields:
                self._fields[name].field.setPlaceholderText(self.tr("needed"))
        document.changed.connect(self._on_changed)
        document.finished.connect(self._say_what_failed)
        self._say_what_failed()

    def is_empty(self) -> bool:
        """True when there is nothing to edit."""
        return self._form.rowCount() == 0

    def show_values(self) -> None:
        """Show the values of the statement as it is now; it has the same fields as before."""
        statement = self._statement()
        if statement.kind is not Kind.LEAF:
            return
        texts = {name: leaves.argument_text(statement, name) for name in leaves.arguments(statement)}
        if SHAPE in self._fields and statement.call == "tensor":
            texts[SHAPE] = self._shape_text()
        for name, text in texts.items():
            if self._fields[name].field.text() != text:
                _write(self._fields[name], text)

    def unread(self) -> str:
        """Why what stands in a field can't be read and was not entered; nothing where all was."""
        return next((edit.message.text() for edit in self._fields.values() if edit.field.isModified()), "")

    def says_wrong(self) -> bool:
        """True while something is said to be wrong with a value."""
        said = [edit.message.text() for edit in self._fields.values()]
        return any(said) or (self._refusal is not None and bool(self._refusal.text()))

    def give_up(self) -> None:
        """Forget what was typed and not entered yet."""
        for edit in self._fields.values():
            edit.give_up()
        self._say_what_failed()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape gives up what was typed, before the field is left for it, which would enter that."""
        if event.key() == Qt.Key.Key_Escape:
            self.give_up()
        super().keyPressEvent(event)

    # ------------------------------------------------------------ build

    def _add_leaf(self, statement: Statement) -> None:
        self._add_choice("factory", leaves.EDITABLE, statement.call, self._set_factory)
        for name in leaves.arguments(statement):
            self._add_field(name, leaves.argument_text(statement, name), leaves.argument_kind(name))
        if statement.call == "tensor":
            self._add_field(SHAPE, self._shape_text())
        dtype = statement.option("dtype")
        self._add_dtype(dtype)
        self._add_check("requires_grad", statement.option("requires_grad") is True)
        if statement.call in FACTORIES and FACTORIES[statement.call].random:
            self._add_field("seed", typed("int", statement.option("seed")), "int")
            self._add_die()

    def _add_attribute(self, attribute: Attribute, value: Operand) -> None:
        if attribute.kind == "bool":
            self._add_check(attribute.name, bool(value))
        elif attribute.kind == "dtype":
            self._add_dtype(value)
        elif attribute.choices:
            self._add_choice(attribute.name, attribute.choices, str(value), self._set_choice)
        else:
            self._add_field(attribute.name, typed(attribute.kind, value), attribute.kind)

    def _add_dtype(self, value: Operand) -> None:
        combo = self._add_choice("dtype", ("", *(f"torch.{name}" for name in DTYPES)), "", self._set_dtype)
        combo.setItemText(0, self.tr("by its values"))
        combo.setCurrentIndex(DTYPES.index(value.name) + 1 if isinstance(value, Dtype) else 0)

    def _add_choice(self, name: str, choices: tuple[str, ...], chosen: str, slot: Callable[[int], None]) -> ChoiceList:
        combo = ChoiceList(self)
        combo.addItems(choices if chosen in choices else (chosen, *choices))
        combo.setCurrentText(chosen)
        combo.setFont(code_font(ratio=SMALL))
        combo.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        combo.setMinimumContentsLength(8)
        combo.setSizeAdjustPolicy(ChoiceList.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.chosen.connect(slot)
        self._add_row(name, combo)
        return combo

    def _add_check(self, name: str, on: bool) -> None:
        check = QCheckBox(self)
        check.setChecked(on)
        check.clicked.connect(self._set_flag)
        self._add_row(name, check)

    def _add_field(self, name: str, text: str, kind: str = "") -> None:
        edit = MessageEdit(PREFIX + name, self, StepField(self) if kind in STEPPED else None)
        if isinstance(edit.field, StepField):
            edit.field.stepped.connect(self._set_stepped)
            edit.field.allows = partial(self._may_step, name)
        edit.field.setPlaceholderText("None")
        _write(edit, text)
        edit.field.returnPressed.connect(self._on_return)
        edit.field.editingFinished.connect(self._set_field)
        edit.field.textEdited.connect(self._check_field)
        TablePaste(edit.field).refused.connect(edit.say)
        self._fields[name] = edit
        self._add_row(name, edit, edit.field)

    def _add_die(self) -> None:
        """A button beside the seed: other random numbers."""
        button = QToolButton(self)
        button.setObjectName(f"{PREFIX}nextSeed")
        button.setText(self.tr("Draw again"))
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setToolTip(self.tr("Take the next seed"))
        button.clicked.connect(self._draw_again)
        self._form.addRow("", button)

    def _add_row(self, name: str, widget: QWidget, named: QWidget | None = None) -> None:
        label = QLabel(name, self)
        label.setFont(code_font(ratio=SMALL))
        label.setBuddy(named or widget)
        (named or widget).setObjectName(PREFIX + name)
        (named or widget).setAccessibleName(name)
        self._form.addRow(label, widget)

    # ------------------------------------------------------------ slots

    def _name(self) -> str:
        sender = self.sender()
        return sender.objectName().removeprefix(PREFIX) if sender is not None else ""

    def _on_return(self) -> None:
        """Enter was pressed: the field says next that it was edited."""
        field = self.sender()
        self._returned = field if isinstance(field, QLineEdit) else None

    def _set_field(self) -> None:
        field, returned = self.sender(), self._returned
        self._returned = None
        if not isinstance(field, QLineEdit) or self._is_gone():
            return
        is_taken = not field.isModified() or self._take(field)
        if is_taken and returned is field:
            self.entered.emit()

    def _take(self, field: QLineEdit) -> bool:
        """Write what stands in a field; False where that can't be read, which is said."""
        name = field.objectName().removeprefix(PREFIX)
        edit = self._fields[name]
        try:
            made = with_text(self._statement(), name, edit.text())
        except (ChalkgradError, BadOptionError) as error:
            edit.say(sentence(error))
            return False
        edit.keep()
        self._put(made, name)
        return True

    def _check_field(self, text: str) -> None:
        """Say at the field, as one types, what can't be read or PyTorch will refuse; nothing is changed yet."""
        name = self._name()
        if self._is_gone():
            return
        self._fields[name].say(self._why_not(name, text))

    def _why_not(self, name: str, text: str) -> str:
        """What can't be read of a text, or PyTorch would refuse; a field that needs a value is about to be filled."""
        plain = text.strip()
        try:
            made = with_text(self._statement(), name, plain)
        except (ChalkgradError, BadOptionError) as error:
            is_begun = not plain or (isinstance(error, ValueError) and is_unfinished(error, plain))
            if name == SHAPE:
                is_begun = shapes.is_begun(plain)
            return "" if is_begun else sentence(error)
        found = self._problem(name, made)
        if found or missing(made):
            return found
        found = misfit(made) or ""
        return "" if found == misfit(self._statement()) else found

    def _may_step(self, name: str, text: str) -> bool:
        """Steps avoid what PyTorch would refuse, unless it refuses what stands there already."""
        return not self._why_not(name, text) or bool(self._why_not(name, self._fields[name].text()))

    def _set_stepped(self) -> None:
        field = self.sender()
        if isinstance(field, QLineEdit) and not self._is_gone():
            name = self._name()
            self._stepping = self._stepping if self._stepping[0] == name else (name, new_gesture())
            self._put(with_text(self._statement(), name, field.text()), name, gesture=self._stepping[1])

    def _draw_again(self) -> None:
        self._put(leaves.drawn_again(self._statement()), label=self.tr("Draw again"))

    def _set_flag(self, on: bool) -> None:
        usual = default(self._statement(), self._name())
        self._put(with_option(self._statement(), self._name(), on, bool(usual)), self._name())

    def _set_choice(self, _index: int) -> None:
        combo = self.sender()
        if isinstance(combo, ChoiceList) and not self._is_gone():
            name = self._name()
            self._put(with_option(self._statement(), name, combo.currentText(), default(self._statement(), name)), name)

    def _set_dtype(self, index: int) -> None:
        value = Dtype(DTYPES[index - 1]) if index else None
        if not self._is_gone():
            self._put(with_option(self._statement(), "dtype", value, None), "dtype")

    def _set_factory(self, _index: int) -> None:
        combo = self.sender()
        if isinstance(combo, ChoiceList) and not self._is_gone():
            tensor = self._document.state.tensor(self._id)
            self._put(leaves.made_by(self._statement(), combo.currentText(), tensor))

    def _set_optimizer(self, _index: int) -> None:
        """Another optimiser of the same tensors, with those of the settings that it has, too."""
        combo = self.sender()
        if isinstance(combo, ChoiceList) and not self._is_gone():
            name, statement = combo.currentText(), self._statement()
            kept = tuple((key, value) for key, value in statement.options if key in settings_of(name))
            self._put(replace(statement, call=name, options=kept))

    # ------------------------------------------------------------ inside

    def _statement(self) -> Statement:
        return self._document.program[self._id]

    @Slot()
    def _on_changed(self) -> None:
        """Nothing can be done with the fields of a line that is gone."""
        self.setEnabled(not self._is_gone())

    @Slot()
    def _say_what_failed(self) -> None:
        """Say at the fields of a line that failed which of them PyTorch refuses; else at what was changed last."""
        if self._is_gone():
            return
        failure, said = self._failure(), False
        wanted = missing(self._statement())[:1]
        for name, edit in self._fields.items() if failure else ():
            if not edit.field.isModified():
                problem = failure if name in wanted else self._problem(name, self._statement())
                edit.say(problem)
                said = said or bool(problem)
        name = self._trial.culprit(failure)
        self._blame(name, failure if name and not said else "")

    def _failure(self) -> str:
        """What PyTorch says of the line, which failed; nothing where it did not."""
        state = self._document.state.statement(self._id)
        return state.problem.message if state.status is Status.FAILED and state.problem is not None else ""

    def _blame(self, name: str, failure: str) -> None:
        """Say at the field ``name``, or below all where that is no field to type in, why the line fails."""
        edit = self._fields.get(name)
        if edit is not None:
            if failure and not edit.field.isModified():
                edit.say(failure)
            failure = ""
        if self._refusal is None and failure:
            self._refusal = FieldMessage(self)
            self._refusal.setObjectName(f"{PREFIX}refusal")
            self._form.addRow(self._refusal)
        if self._refusal is not None:
            self._refusal.say(failure)

    def _is_gone(self) -> bool:
        """True when the line was deleted while its fields still stand: those who show them follow a little later."""
        return self._id not in self._document.program

    def _problem(self, name: str, statement: Statement) -> str:
        """PyTorch's message about what the line says for ``name``; nothing where it would be the same without that."""
        program, ran = self._document.program, self._document.state.known
        if missing(statement):  # of which it speaks then
            return ""
        found = problem_of(program, statement, ran)
        if found is None or found == problem_of(program, statement.without_option(name), ran):
            return ""
        return found

    def _shape_text(self) -> str:
        array = leaves.values(self._statement())
        return "" if array is None else shape_text(tuple(int(size) for size in array.shape))

    def _put(self, statement: Statement, part: str = "", label: str = "", gesture: int = 0) -> None:
        """Make the edit; the undo step tells which card's ``part`` it changed, unless it has a ``label``.

        Edits of one ``gesture`` are one step.
        """
        if not gesture:
            self._stepping = NO_STEPS
        said = label or changing(self._document.sheet, self._id, part)
        failure = self._failure()
        self._trial = Trial(part or WHOLE, failure, self._trial.culprit(failure))
        self._document.do(lambda sheet: edits.put(sheet.program, statement), said, gesture)


def _write(edit: MessageEdit, text: str) -> None:
    edit.write(text)
    edit.field.setEnabled(len(text) <= LONGEST and leaves.DOTS not in text)
