"""The one floating editor of the canvas: names, values, numbers in ports, notes, titles of frames.

It shows a field of :mod:`chalkgrad_app.canvas.fields` over the card, writes what is typed as one edit, and follows the
card when the canvas is panned or zoomed. Everything typed until it closes is one undo step.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from chalkgrad.program.statement import Kind, Statement
from chalkgrad.session.misfits import misfit
from chalkgrad_app.canvas import fields
from chalkgrad_app.canvas.edit_fields import FlagField, LineField, LinesField
from chalkgrad_app.canvas.fields import Field, Part
from chalkgrad_app.document import Document, new_gesture
from chalkgrad_app.editors.pasted import TablePaste
from chalkgrad_app.editors.scrubbing import Scrub, number_in, stepped
from chalkgrad_app.editors.unfinished import is_unfinished
from chalkgrad_app.i18n import sentence, translate
from chalkgrad_app.naming import changing, changing_input, changing_value, renaming
from chalkgrad_app.widgets.code_font import scaled
from chalkgrad_app.widgets.later import Later
from chalkgrad_app.widgets.message_edit import PAUSE_MS, FieldMessage, mark_wrong

LEAST_WIDTH = 96
LINES_SIZE = QSize(360, 190)
WHERE = Callable[[Field], QRect]
"""Tells where a field lies, in the canvas widget's coordinates."""


NOTE_SIZE = QSize(280, 140)
"""The least size of the field for a note's text."""
LONGEST_CHECKED = 20_000
"""Longer texts are read only when they are entered."""
EDGE = 4
"""Pixels between the field and the edge of the canvas."""


class InlineEditor(QFrame):
    """The floating editor; one for a canvas, hidden while nothing is edited."""

    opened = Signal()
    closed = Signal()

    def __init__(self, canvas: QWidget, where: WHERE) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.setObjectName("canvas.editor")
        self.setAutoFillBackground(True)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._where = where
        self._document: Document | None = None
        self._gesture = 0
        self._is_new = False
        self._scrub: Scrub | None = None
        self.field: Field | None = None
        self.line = LineField(self)
        self.line.setObjectName("canvas.editor.line")
        TablePaste(self.line).refused.connect(self._say)
        self.flag = FlagField("requires_grad", self)
        self.flag.setObjectName("canvas.editor.flag")
        self.lines = LinesField(self)
        self.lines.setObjectName("canvas.editor.lines")
        self.message = FieldMessage(self)
        self.message.setObjectName("canvas.editor.message")
        self.message.setContentsMargins(4, 2, 4, 4)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        for widget in (self.line, self.flag, self.lines, self.message):
            layout.addWidget(widget)
        self._checking = Later(self, self._check, PAUSE_MS)
        self._connect()
        self.hide()

    # ------------------------------------------------------------ read

    @property
    def is_open(self) -> bool:
        """True while something is edited."""
        return self.field is not None

    # ------------------------------------------------------------ open and close

    def edit(self, document: Document, field: Field, gesture: int = 0) -> None:
        """Open over ``field``; what is typed joins the undo step of ``gesture``, if given."""
        self.finish()
        self._document = document
        self._gesture = gesture or new_gesture()
        self._is_new = bool(gesture)
        self._show(field)
        self.opened.emit()

    def finish(self) -> bool:
        """Write what was typed and close; what can't be read is said and given up. False then."""
        if self.field is None:
            return True
        written = self._write()
        if not written and self._document is not None:
            self._document.told.emit(self.message.text())
        self.close_editor()
        return written

    def accept(self) -> None:
        """Write what was typed and close; stay open with a message when it can't be read."""
        if self._write():
            self.close_editor()

    def close_editor(self) -> None:
        """Close; what was not written yet is given up."""
        if self.field is None:
            return
        self.field = None
        self._checking.stop()
        self._end_scrub()
        had_focus = self.isAncestorOf(self._focused())
        self.hide()
        if had_focus:
            self._canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        self.closed.emit()

    def give_up(self) -> None:
        """Close without what was typed since the editor opened here; a number that was stepped is as it was."""
        scrub, self._scrub = self._scrub, None
        if scrub is not None:
            scrub.cancel()
        self.close_editor()

    def follow(self) -> None:
        """Lie where the field lies now; close when what was edited is gone."""
        if self.field is None or self._document is None:
            return
        if self._exists(self._document, self.field):
            self._lie()
        else:
            self.close_editor()

    def go(self, by: int) -> None:
        """Write this field and go to the card's next (+1) or previous (-1) one; past the last the editor closes."""
        field, document = self.field, self._document
        if field is None or document is None or not self._write() or not self.is_open:  # the edit may have closed it
            return
        row = self._row(document, field)
        here = row.index(field) if field in row else -1
        there = here + by
        if 0 <= there < len(row) and here >= 0:
            self._show(row[there])
        else:
            self.close_editor()

    # ------------------------------------------------------------ inside

    def _connect(self) -> None:
        for widget in (self.line, self.lines):
            widget.ended.connect(self.accept)
            widget.left.connect(self._on_left)
        self.line.escaped.connect(self.give_up)
        self.lines.escaped.connect(self._on_lines_escaped)
        self.flag.ended.connect(self.close_editor)
        self.flag.left.connect(self._on_left)
        self.line.tabbed.connect(self.go)
        self.line.stepped.connect(self._on_stepped)
        self.flag.tabbed.connect(self.go)
        self.line.textEdited.connect(self._on_edited)
        self.lines.textChanged.connect(self._on_edited)
        self.flag.clicked.connect(self._on_flag_clicked)

    def _show(self, field: Field) -> None:
        document = self._document
        if document is None:
            return
        self._end_scrub()
        self.field = None  # moving the focus between the fields is not leaving
        self._say("")
        text = "" if field.part is Part.REQUIRES_GRAD else fields.text(document.sheet, field)
        self.line.setVisible(False)
        self.lines.is_note = field.part is Part.NOTE
        self.flag.setVisible(field.part is Part.REQUIRES_GRAD)
        self.lines.setVisible(field.has_lines or "\n" in text)
        self.line.setVisible(not self.flag.isVisibleTo(self) and not self.lines.isVisibleTo(self))
        self.line.setText(text)
        self.lines.setPlainText(text)
        if field.part is Part.REQUIRES_GRAD:
            self.flag.setChecked(document.program[field.id].option("requires_grad") is True)
        self._name(field)
        self._checking.stop()
        widget = self._focused_field(field)
        self.show()
        self.raise_()
        widget.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field = field
        if widget is self.line:
            self.line.selectAll()
        elif widget is self.lines and (self._is_new or field.part is Part.VALUE):
            self.lines.selectAll()
        self._lie()

    def _focused_field(self, field: Field) -> QWidget:
        if field.part is Part.REQUIRES_GRAD:
            return self.flag
        return self.lines if self.lines.isVisibleTo(self) else self.line

    def _lie(self) -> None:
        if self.field is None:
            return
        place = self._where(self.field)
        if self.field.part is Part.PORT:
            place = self._beside_port(place)
        if self.lines.isVisibleTo(self):
            size = LINES_SIZE if self.field.part is not Part.NOTE else self._note_size(place.size())
        else:
            least = 0 if self.field.part is Part.PORT else LEAST_WIDTH
            size = QSize(max(place.width(), least), self.line.sizeHint().height() + 4)
        if self.message.isVisibleTo(self):
            size.setWidth(max(size.width(), 260))
            size.setHeight(size.height() + self.message.heightForWidth(size.width() - 4) + 2)
        rect = QRect(place.topLeft(), size)
        if self.lines.isVisibleTo(self) or self._canvas.rect().intersects(place):  # it may be larger than what it edits
            room = self._canvas.rect().adjusted(EDGE, EDGE, -EDGE, -EDGE)
            rect.moveTo(min(rect.left(), room.right() - rect.width()), min(rect.top(), room.bottom() - rect.height()))
            rect.moveTo(max(rect.left(), room.left()), max(rect.top(), room.top()))
            if self.field.part is Part.NOTE:
                _leave_room(rect, room)
        self.setGeometry(rect)

    def _note_size(self, size: QSize) -> QSize:
        """As large as the note, with room for all that is written, as far as the canvas has it."""
        size = size.expandedTo(NOTE_SIZE * (scaled(100) / 100))
        room = self._canvas.size() - QSize(2 * EDGE, 2 * EDGE)
        width = min(size.width(), room.width() // 2)  # the rest is for the preview
        return QSize(width, min(max(size.height(), self.lines.height_for(width)), room.height()))

    def _beside_port(self, place: QRect) -> QRect:
        """The field of a port: its end where ``place`` has it, its middle too, and as wide as the hint needs."""
        width = max(place.width(), self.line.width_for(self.line.placeholderText()))
        height = self.line.sizeHint().height() + 4
        return QRect(place.right() + 1 - width, place.center().y() + 1 - height // 2, width, height)

    def _write(self) -> bool:
        """Make the edit; False, with the reason shown, when what was typed can't be read."""
        field, document = self.field, self._document
        if field is None or document is None or field.part is Part.REQUIRES_GRAD:
            return True
        typed = self._typed()
        if typed == fields.text(document.sheet, field):
            return True
        try:
            change = fields.change(document.sheet, field, typed)
            document.do(change, self._step(document, field), self._gesture)
        except (ValueError, SyntaxError) as error:
            self._say(sentence(error))
            return False
        return True

    def _typed(self) -> str:
        return self.lines.toPlainText() if self.lines.isVisibleTo(self) else self.line.text()

    def _on_flag_clicked(self) -> None:
        field, document = self.field, self._document
        if field is None or document is None:
            return
        statement = fields.toggled_requires_grad(document.program[field.id])
        label = changing(document.sheet, field.id, "requires_grad")
        document.do(fields.put(document.sheet, statement), label, self._gesture)

    def _on_stepped(self, by: int, keys: Qt.KeyboardModifier) -> None:
        """Step the number in the field, with everything downstream worked out live."""
        field, document = self.field, self._document
        if field is None or document is None or field.part not in (Part.VALUE, Part.PORT):
            return
        port = field.index if field.part is Part.PORT else None
        if not self._write() or not self.is_open or number_in(document.program[field.id], port) is None:
            return
        if self._scrub is None:
            self._scrub = Scrub(document, field.id, port, self._step(document, field), self._gesture)
        self._scrub.to(stepped(self._scrub.value, by, keys))
        self.line.setText(fields.text(document.sheet, field))
        self.line.selectAll()

    def _end_scrub(self) -> None:
        scrub, self._scrub = self._scrub, None
        if scrub is not None:
            scrub.end()

    def _on_lines_escaped(self) -> None:
        """Give up numbers; what was written in a note stays, for it is long, and undo takes it back."""
        if self.field is not None and self.field.part is Part.NOTE:
            self.accept()
        else:
            self.give_up()

    def _on_left(self) -> None:
        if self.field is not None and not self.isAncestorOf(self._focused()):
            self.finish()

    def _on_edited(self) -> None:
        if self.message.isVisibleTo(self):
            self._say("")
            self._lie()
        self._checking.schedule()

    def _check(self) -> None:
        """Say what can't be read of numbers that are typed, or PyTorch will refuse, before somebody enters them."""
        field, document = self.field, self._document
        if field is None or document is None or field.part not in (Part.VALUE, Part.PORT):
            return
        typed = self._typed()
        if len(typed) > LONGEST_CHECKED or not typed.strip() or typed == fields.text(document.sheet, field):
            return
        try:
            change = fields.change(document.sheet, field, typed)
        except (ValueError, SyntaxError) as error:
            if not (isinstance(error, ValueError) and is_unfinished(error, typed)):
                self._say(sentence(error))
            return
        _, made = change.entries.get(("statements", field.id), (None, None))
        if isinstance(made, Statement) and (refusal := misfit(made)):
            self._say(refusal)

    def _say(self, text: str) -> None:
        self.message.say(text)
        for field in (self.line, self.lines):
            mark_wrong(field, text)
        self._lie()

    def _focused(self) -> QWidget:
        return self.window().focusWidget() or self._canvas

    def _row(self, document: Document, field: Field) -> list[Field]:
        """The fields that Tab goes through."""
        if field.id not in document.program or field.part in (Part.NOTE, Part.TITLE, Part.ROUNDS):
            return [field]
        statement = document.program[field.id]
        name = [Field(Part.NAME, field.id, index) for index in range(len(statement.targets))]
        if statement.kind is Kind.LEAF:
            return [*name, Field(Part.VALUE, field.id), Field(Part.REQUIRES_GRAD, field.id)]
        return [*name, *(Field(Part.PORT, field.id, port) for port in fields.number_ports(statement))]

    def _exists(self, document: Document, field: Field) -> bool:
        if field.part is Part.NOTE:
            return field.id in document.board.notes
        if field.part is Part.TITLE:
            return field.id in document.board.frames
        if field.part is Part.ROUNDS:
            return field.id in document.program.blocks
        if field.id not in document.program:
            return False
        return field.part is not Part.PORT or field.index < len(document.program[field.id].ports())

    def _step(self, document: Document, field: Field) -> str:
        """What the undo step of an edit is called: it tells what is edited."""
        if field.part is Part.NAME:
            return renaming(document.sheet, field.id, field.index)
        if field.part is Part.VALUE:
            return changing_value(document.sheet, field.id)
        if field.part is Part.PORT:
            return changing_input(document.sheet, field.id, field.index)
        return self._label(field)

    def _label(self, field: Field) -> str:
        if field.part is Part.ROUNDS:
            return self.tr("Rounds of the loop")
        labels = {
            Part.NAME: self.tr("Rename"),
            Part.VALUE: self.tr("Edit value"),
            Part.PORT: self.tr("Edit operand"),
            Part.NOTE: self.tr("Edit note"),
            Part.TITLE: self.tr("Edit title"),
            Part.LABEL: self.tr("Edit label"),
        }
        return labels.get(field.part, "")

    def _name(self, field: Field) -> None:
        """Say to screen readers, and in the empty field, what is edited."""
        label = self._label(field)
        self.line.setAccessibleName(label)
        self.lines.setAccessibleName(label)
        hint = self.tr("Ctrl+Enter ends, Esc gives up. Tables and printed arrays can be pasted.")
        of_note = self.tr("Ctrl+Enter or Esc ends. Ctrl+B: bold, Ctrl+I: italic, Ctrl+E: code, Tab: moves a point in.")
        self.lines.setToolTip(of_note if field.part is Part.NOTE else hint)
        written = self.tr("Text, # title, - list, **bold**, `code`, $formula$")
        self.lines.setPlaceholderText(written if field.part is Part.NOTE else "")
        in_port = translate("Fields", "A Python number or the name of a tensor goes here")
        self.line.setToolTip(in_port if field.part is Part.PORT else "")
        self.line.setPlaceholderText(self.tr("2 or x") if field.part is Part.PORT else "")


def _leave_room(field: QRect, room: QRect) -> None:
    """Move the field of a note to the nearer side where neither side of it has room for a preview as wide."""
    left, right = field.left() - room.left(), room.right() - field.right()
    if max(left, right) < min(field.width(), left + right):
        field.moveLeft(room.left() if left < right else room.right() + 1 - field.width())
