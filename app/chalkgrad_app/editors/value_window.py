"""The window with a tensor's numbers in a grid: a leaf's to edit, a result's and a gradient's to look at.

What is edited in it is written into the leaf's line at once, so that everything downstream is worked out live. Esc in a
cell or in the shape field gives up what is typed there; the window keeps what was edited, however it is closed, and all
of that is one undo step of the document. Inside, every edit is a step of its own.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Slot
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QStyle,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from chalkgrad.program import edits
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Statement
from chalkgrad.session.state import TensorState
from chalkgrad.source.literals import shape_text
from chalkgrad.source.values import LARGE
from chalkgrad_app.document import Document, new_gesture
from chalkgrad_app.editors import leaves
from chalkgrad_app.editors.shapes import MOST, is_begun, read_shape, worked_out
from chalkgrad_app.editors.slice_boxes import SliceBoxes
from chalkgrad_app.editors.tensor_grid import TensorGrid
from chalkgrad_app.editors.tensor_model import TensorModel
from chalkgrad_app.naming import changing_value
from chalkgrad_app.widgets.code_font import SMALL, code_font, scaled
from chalkgrad_app.widgets.later import Later
from chalkgrad_app.widgets.message_edit import PAUSE_MS, FieldMessage, mark_wrong
from chalkgrad_app.widgets.tab_focus import go_on
from chalkgrad_app.widgets.working import Slicing

TITLE_BAR = QStyle.PixelMetric.PM_TitleBarHeight
LARGEST = QSize(720, 520)
PLACE = Callable[[QSize], QPoint]
"""Tells where on the screen a window of a size is to open."""
GRAD = "grad"


class ValueWindow(QDialog):
    """One tensor in a grid. It stays open beside the canvas and follows the document."""

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("valueEditor")
        self.document = document
        self._home = parent
        self.tensor = TensorModel(self)
        self.grid = TensorGrid(self.tensor, self)
        self._id = 0
        self._output = 0
        self._of_grad = False
        self._gesture = 0
        self._written: Statement | None = None
        self._build()
        self.tensor.edited.connect(self._write)
        self.tensor.refused.connect(self.message.say)
        self.tensor.modelReset.connect(self._show_shape)
        self.tensor.modelReset.connect(self._grow)
        self.message.installEventFilter(self)
        self._checking = Later(self, self._check_shape, PAUSE_MS)
        for signal in (document.traced, document.moved, document.covering, document.changed):
            signal.connect(self._follow)

    # ------------------------------------------------------------ open and close

    def open_at(self, id_: int, output: int = 0, of_grad: bool = False, place: PLACE | None = None) -> bool:
        """Show the value of a tensor, or its gradient, at a ``place``; False where there is none."""
        if self.isVisible():
            self.close()
        self._id, self._output, self._of_grad = id_, output, of_grad
        array = self._array()
        if array is None:
            return False
        statement = self.document.program[id_]
        self._gesture, self._written = new_gesture(), statement
        self._look_at(statement, array)
        self._name()
        self.tensor.load(array, statement.option("dtype") is not None, statement.option("requires_grad") is True)
        self.grid.go_to(0, 0)
        self._say_of_shape("")
        self.resize(self._fitting())
        if place is not None:
            frame = max(self.frameGeometry().height() - self.height(), self.style().pixelMetric(TITLE_BAR))
            self.move(place(self.size() + QSize(0, frame)))
        self.show()
        self.raise_()
        self.activateWindow()
        self.grid.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def reject(self) -> None:
        """Esc: what is copied, pasted or typed into the shape field is given up; failing that, the window closes."""
        if self.grid.transfer.is_active:
            self.grid.transfer.give_up()
        elif self.shape.isModified():
            self._say_of_shape("")
            self._show_shape()
        else:
            self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing keeps what was edited."""
        self._end()
        event.accept()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes through the window as it stands on the screen."""
        return go_on(self, forward) or super().focusNextPrevChild(forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter closes and keeps; Enter in the shape field sets the shape and nothing else."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.close()
            return
        super().keyPressEvent(event)

    # ------------------------------------------------------------ build

    def _build(self) -> None:
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(scaled(8), scaled(8), scaled(8), scaled(8))
        column.setSpacing(scaled(6))
        column.addLayout(self._top())
        self.slices = SliceBoxes(self)
        self.slices.chosen.connect(self._choose)
        column.addWidget(self.slices)
        column.addWidget(self.grid, 1)
        self.message = FieldMessage(self)
        self.message.setObjectName("valueEditor.message")
        column.addWidget(self.message)
        self.note = self._words("valueEditor.note")
        column.addWidget(self.note)
        self.working = Slicing(self.grid.transfer, self)
        column.addWidget(self.working)
        column.addLayout(self._tools())
        self.hint = self._words("valueEditor.hint")
        column.addWidget(self.hint)

    def _top(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self._shape_label = QLabel(self.tr("Shape"), self)
        self.shape = QLineEdit(self)
        self.shape.setObjectName("valueEditor.shape")
        self.shape.setAccessibleName(self.tr("Shape"))
        self.shape.setFont(code_font(ratio=SMALL))
        self.shape.setMinimumWidth(scaled(90))
        self.shape.returnPressed.connect(self._set_shape)
        self.shape.editingFinished.connect(self._set_shape)
        self.shape.textEdited.connect(self._on_shape_edited)
        self.shape.installEventFilter(self)
        self._shape_label.setBuddy(self.shape)
        self._dtype = QLabel(self)
        self._dtype.setObjectName("valueEditor.dtype")
        self._dtype.setFont(code_font(ratio=SMALL))
        self.map = QCheckBox(self.tr("Grey map"), self)
        self.map.setObjectName("valueEditor.map")
        self.map.toggled.connect(self.tensor.show_map)
        row.addWidget(self._shape_label)
        row.addWidget(self.shape, 1)
        row.addWidget(self._dtype)
        row.addStretch(1)
        row.addWidget(self.map)
        return row

    def _tools(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(scaled(4))
        self._buttons = []
        for name, text, tip, slot in (
            ("insertRow", self.tr("+ Row"), self.tr("Insert row"), self.grid.insert_row),
            ("insertColumn", self.tr("+ Column"), self.tr("Insert column"), self.grid.insert_column),
            ("removeRows", self.tr("- Row"), self.tr("Delete rows"), self.grid.remove_rows),
            ("removeColumns", self.tr("- Column"), self.tr("Delete columns"), self.grid.remove_columns),
            ("fill", self.tr("Fill"), self.tr("Fill the selection with the current number (Ctrl+D)"), self.grid.fill),
        ):
            button = QToolButton(self)
            button.setObjectName(f"valueEditor.{name}")
            button.setText(text)
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            button.clicked.connect(slot)
            row.addWidget(button)
            self._buttons.append(button)
        row.addStretch(1)
        return row

    def _words(self, name: str) -> QLabel:
        """A label for something worth knowing, as high as that needs."""
        label = QLabel(self)
        label.setObjectName(name)
        label.setWordWrap(True)
        label.setEnabled(False)
        return label

    def _name(self) -> None:
        """Title, and which tools there are."""
        statement = self.document.program[self._id]
        names = statement.targets
        name = (names[self._output] if self._output < len(names) else statement.name) or statement.call
        self.setWindowTitle(f"{name}.grad" if self._of_grad else name)
        self.grid.setAccessibleName(self.tr("Numbers of {name}").format(name=self.windowTitle()))
        editable = self.tensor.is_editable
        self.shape.setReadOnly(not editable)
        for button in self._buttons:
            button.setVisible(editable)
        keys = self.tr("Ctrl+Tab leaves the cells. Esc closes.")
        if editable:
            keys = self.tr(
                "Ctrl+Z takes an edit back. Ctrl+Tab leaves the cells. Esc closes and keeps what was edited."
            )
        self.hint.setText(keys)
        self.grid.setAccessibleDescription(" ".join(filter(None, (self.note.text(), keys))))

    def _look_at(self, statement: Statement, array: np.ndarray) -> None:
        """Tell whether the numbers can be edited, and what an edit makes of a line that says how they are made."""
        many, call = array.size > LARGE and statement.call != "tensor", statement.call
        count, most = f"{array.size:,}", f"{MOST:,}"
        note = locked = ""
        if statement.kind is not Kind.LEAF or self._of_grad:
            locked = self.tr("These numbers are computed. Those of leaves can be changed.")
        elif many and array.size > MOST:
            words = self.tr("Only to look at: an edit would write all {count} numbers that {call} makes into the line.")
            words += " " + self.tr("Up to {most} can be edited: give it a smaller size, or paste a tensor.")
            note = locked = words.format(count=count, call=call, most=most)
        elif many:
            note = self.tr("An edit writes all {count} numbers into the line, in place of {call}.")
            note = note.format(count=count, call=call)
        self.tensor.locked = locked
        self.note.setText(note)
        self.note.setVisible(bool(note))

    def _fitting(self) -> QSize:
        """As large as the numbers need, within reason."""
        column = self._column
        column.activate()
        most = LARGEST * (scaled(100) / 100)
        numbers, few = self.grid.sizeHint(), self.grid.minimumSizeHint()
        least = column.totalMinimumSize()
        width = max(least.width(), min(least.width() - few.width() + numbers.width(), most.width()))
        least.setHeight(column.minimumHeightForWidth(max(width, self.width() if self.isVisible() else 0)))
        height = least.height() - few.height() + numbers.height()
        return QSize(width, min(height, most.height())).expandedTo(least)

    def _grow(self) -> None:
        """Numbers that came get their room; what somebody made larger stays so."""
        if self.isVisible():
            self.resize(self.size().expandedTo(self._fitting()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What is said gets its room below the numbers; undo in the shape field goes on to the steps before."""
        if watched is self.message and event.type() == QEvent.Type.Show:
            self._grow()
        if watched is self.shape and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._takes_back(event) or super().eventFilter(watched, event)
        return super().eventFilter(watched, event)

    # ------------------------------------------------------------ follow

    def _tensor_state(self) -> TensorState | None:
        state = self.document.state
        if self._id not in self.document.program:
            return None
        tensor = state.tensor(self._id, self._output)
        if tensor is None or not self._of_grad:
            return tensor
        return None if state.is_covered(tensor) else tensor.grad

    def _array(self) -> np.ndarray | None:
        tensor = self._tensor_state()
        return None if tensor is None else tensor.value

    @Slot()
    def _follow(self) -> None:
        """Show what the tensor is now; an own edit is there already."""
        program: Program = self.document.program
        if not self.isVisible():
            return
        if self._id not in program:
            self._end()
            self.hide()
            return
        if self.tensor.is_editable and program[self._id] == self._written:
            return
        array = self._array()
        if self.document.is_running:
            return
        self.message.say("" if array is not None else self.tr("There is no value here now"))
        if array is not None:
            if self.tensor.is_editable:
                self._written = program[self._id]
                self._gesture = new_gesture()
            chosen = self.grid.currentIndex()
            leaf = program[self._id]
            self._look_at(leaf, array)
            self._name()
            self.tensor.load(array, leaf.option("dtype") is not None, leaf.option("requires_grad") is True)
            self.grid.go_to(chosen.row(), chosen.column())

    def _show_shape(self) -> None:
        """The shape in its field, the dtype beside it, and a box for each dimension before the last two."""
        array = self.tensor.array
        self.shape.setText(shape_text(tuple(int(size) for size in array.shape)))
        self.shape.setCursorPosition(0)
        self._dtype.setText(f"torch.{array.dtype.name}")
        self.slices.show_slice(self.windowTitle(), array.shape[:-2], self.tensor.chosen)

    # ------------------------------------------------------------ slots

    @Slot(tuple)
    def _choose(self, indices: tuple[int, ...]) -> None:
        if len(indices) == len(self.tensor.chosen) and indices != self.tensor.chosen:
            self.tensor.choose(indices)
            self.grid.go_to(0, 0)

    def _set_shape(self) -> None:
        if not self.shape.isModified():
            return
        self.shape.setModified(False)
        try:
            self.tensor.reshape(read_shape(self.shape.text()))
        except ValueError as error:
            self._say_of_shape(str(error))
            return
        self._say_of_shape("")
        self._show_shape()

    def _on_shape_edited(self) -> None:
        self._say_of_shape("")
        self._checking.schedule()

    def _check_shape(self) -> None:
        """Say what is wrong with a shape that is typed, before somebody enters it, unless it is only begun."""
        if self.shape.isModified() and not is_begun(self.shape.text()):
            try:
                worked_out(self.tensor.array.size, read_shape(self.shape.text()))
            except ValueError as error:
                self._say_of_shape(str(error))

    def _say_of_shape(self, words: str) -> None:
        mark_wrong(self.shape, words)
        self.message.say(words)

    def _takes_back(self, event: QKeyEvent) -> bool:
        """Undo, or redo, a step of the numbers where the shape field itself has nothing to undo or redo."""
        steps, keys = self.tensor.undo_stack, QKeySequence.StandardKey
        if event.matches(keys.Undo) and not self.shape.isUndoAvailable():
            steps.undo()
        elif event.matches(keys.Redo) and not self.shape.isRedoAvailable():
            steps.redo()
        else:
            return False
        return True

    def _write(self) -> None:
        """Write the array into the leaf's line."""
        self.message.say("")
        self.note.hide()
        if self.tensor.is_editable and self._id in self.document.program:
            statement = leaves.with_values(self.document.program[self._id], self.tensor.array, self.tensor.keeps_dtype)
            statement = leaves.with_flag(statement, self.tensor.requires_grad)
            if statement != self.document.program[self._id]:
                self._put(statement)

    def _put(self, statement: Statement) -> None:
        self._written = statement
        label = changing_value(self.document.sheet, self._id)
        self.document.do(edits.put(self.document.program, statement), label, self._gesture)

    def _end(self) -> None:
        self._written = None
        self.grid.transfer.give_up_editing()
        self._home.activateWindow()
