"""Quick-add: a field at the pointer with a list of what can be placed; an expression typed into it builds its graph."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from chalkgrad.program.statement import Ref
from chalkgrad_app import catalogue
from chalkgrad_app.i18n import language

WIDTH = 340
ROWS = 9
NAME = Qt.ItemDataRole.UserRole


class SearchField(QLineEdit):
    """The field of the list: its arrow keys move in the list below it, and keys meant for the canvas stay here."""

    moved = Signal(int)
    left = Signal()
    escaped = Signal()

    def event(self, event: QEvent) -> bool:
        """Keep plain keys from being taken as shortcuts of the canvas."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            plain = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
            if not plain.value:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down move in the list; Escape closes it."""
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: ROWS, Qt.Key.Key_PageUp: -ROWS}
        if event.key() in steps:
            self.moved.emit(steps[Qt.Key(event.key())])
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Say so, unless a menu or another window took the focus for a moment."""
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self.left.emit()


class QuickAdd(QFrame):
    """The list at the pointer. It only says what was chosen; the canvas places it."""

    chosen = Signal(str)
    expression = Signal(str)
    closed = Signal()

    def __init__(self, canvas: QWidget) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.setObjectName("canvas.quickAdd")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.source: Ref | None = None
        self.at = QPoint()
        self.field = SearchField(self)
        self.field.setObjectName("canvas.quickAdd.field")
        self.message = QLabel(self)
        self.message.setWordWrap(True)
        self.message.setTextFormat(Qt.TextFormat.PlainText)
        self.rows = QListWidget(self)
        self.rows.setObjectName("canvas.quickAdd.list")
        self.rows.setUniformItemSizes(True)
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.setSpacing(4)
        for widget in (self.field, self.message, self.rows):
            layout.addWidget(widget)
        self.field.textChanged.connect(self._on_text_changed)
        self.field.returnPressed.connect(self.accept)
        self.field.moved.connect(self._move)
        self.field.escaped.connect(self.dismiss)
        self.field.left.connect(self.dismiss)
        self.rows.itemClicked.connect(self._on_clicked)
        self.hide()

    # ------------------------------------------------------------ open and close

    def open_at(self, point: QPoint, source: Ref | None = None) -> None:
        """Show the list at ``point`` of the canvas; with ``source``, only what can follow that tensor."""
        self.source = source
        self.at = QPoint(point)
        self._retranslate()
        self.field.clear()
        self.show_message("")
        self._fill()
        self.resize(self._wanted_size())
        self.move(self._inside(point))
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def dismiss(self) -> None:
        """Close without placing anything."""
        if self.isVisible():
            had_focus = self.field.hasFocus()
            self.hide()
            if had_focus:
                self._canvas.setFocus(Qt.FocusReason.OtherFocusReason)
            self.closed.emit()

    def accept(self) -> None:
        """Take the expression typed, else the row chosen."""
        typed = self.field.text()
        if self.source is None and catalogue.is_expression(typed):
            self.expression.emit(typed)
            return
        item = self.rows.currentItem()
        if item is None:
            self.show_message(self.tr("Nothing is called that"))
            return
        self.dismiss()
        self.chosen.emit(str(item.data(NAME)))

    def show_message(self, text: str) -> None:
        """Say what is wrong with what was typed; the list stays open."""
        self.message.setText(text)
        self.message.setVisible(bool(text))
        if self.isVisible():
            self.resize(self._wanted_size())

    # ------------------------------------------------------------ inside

    def _fill(self) -> None:
        found = catalogue.search(self.field.text(), language(), self.source is not None)
        self.rows.clear()
        for entry in found:
            item = QListWidgetItem(entry.title)
            item.setData(NAME, entry.name)
            item.setToolTip(entry.title)
            self.rows.addItem(item)
        self.rows.setCurrentRow(0)

    def _move(self, by: int) -> None:
        last = self.rows.count() - 1
        self.rows.setCurrentRow(max(0, min(last, self.rows.currentRow() + by)))

    def _on_text_changed(self) -> None:
        self.show_message("")
        self._fill()
        if self.source is None and catalogue.is_expression(self.field.text()):
            self.message.setText(self.tr("Enter builds the graph of this expression"))
            self.message.show()
            self.rows.setCurrentRow(-1)

    def _on_clicked(self, item: QListWidgetItem) -> None:
        self.rows.setCurrentItem(item)
        self.dismiss()
        self.chosen.emit(str(item.data(NAME)))

    def _wanted_size(self) -> QSize:
        row = max(20, self.fontMetrics().height() + 6)
        height = self.field.sizeHint().height() + ROWS * row + 24
        if self.message.text():
            height += self.message.heightForWidth(WIDTH - 12) + 4
        canvas = self._canvas.size()
        scale = max(1.0, self.fontMetrics().height() / 16)
        return QSize(min(round(WIDTH * scale), canvas.width()), min(height, canvas.height()))

    def _inside(self, point: QPoint) -> QPoint:
        """The place nearest to ``point`` at which the whole list is seen."""
        room = self._canvas.size() - self.size()
        return QPoint(max(0, min(point.x(), room.width())), max(0, min(point.y(), room.height())))

    def _retranslate(self) -> None:
        self.field.setPlaceholderText(
            self.tr("What can follow") if self.source is not None else self.tr("Operator, or y = (x + w) * (w + 1)")
        )
        self.field.setAccessibleName(self.tr("Quick add"))
        self.rows.setAccessibleName(self.tr("What can be placed"))
