"""The fields of the floating editor: one line, a flag, several lines. Each tells when it ends, is given up or left."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QWheelEvent
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPlainTextEdit, QStyle, QStyleOptionFrame

from chalkgrad_app.canvas import note_keys


def is_plain(event: QEvent) -> bool:
    """True for the announcement of a key without Ctrl or Alt, which a field wants for itself."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    kept = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
    return not (event.modifiers() & ~kept).value


def selects_all(event: QEvent) -> bool:
    """True for the announcement of Ctrl+A, which speaks of the field with the focus, if of anything."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    return event.matches(QKeySequence.StandardKey.SelectAll)


def tab_way(event: QEvent) -> int:
    """1 for a Tab, -1 for Shift+Tab, 0 for everything else."""
    if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
        return 0
    return _TABS.get(Qt.Key(event.key()), 0)


def is_for_good(event: QFocusEvent) -> bool:
    """False where a menu or another window takes the focus for a moment."""
    return event.reason() not in _PASSING


class LineField(QLineEdit):
    """The field of one line. Up, Down and the wheel step the number in it; Shift makes it coarse, Alt fine."""

    stepped = Signal(int, Qt.KeyboardModifier)
    tabbed = Signal(int)
    ended = Signal()
    escaped = Signal()
    left = Signal()

    def width_for(self, text: str) -> int:
        """How wide the field must be to show all of ``text`` and the cursor behind it."""
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        inner = QSize(self.fontMetrics().horizontalAdvance(text) + 8, self.fontMetrics().height())
        return self.style().sizeFromContents(QStyle.ContentsType.CT_LineEdit, option, inner, self).width()

    def event(self, event: QEvent) -> bool:
        """Tab goes to the card's next field; plain keys are no shortcuts of the canvas while one types."""
        if is_plain(event):
            event.accept()
            return True
        way = tab_way(event)
        if way:
            self.tabbed.emit(way)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter ends, Escape gives up what was typed."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.ended.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif event.key() in _STEPS:
            self.stepped.emit(_STEPS[Qt.Key(event.key())], event.modifiers())
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Away from oneself is more; with Alt the wheel turns sideways."""
        way = event.angleDelta().y() or event.angleDelta().x()
        if way:
            self.stepped.emit(1 if way > 0 else -1, event.modifiers())
        event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell that the focus went elsewhere, for good."""
        super().focusOutEvent(event)
        if is_for_good(event):
            self.left.emit()


class FlagField(QCheckBox):
    """The field for ``requires_grad``: Space switches it, Enter, Tab and Escape end."""

    tabbed = Signal(int)
    ended = Signal()
    left = Signal()

    def event(self, event: QEvent) -> bool:
        """As in :class:`LineField`."""
        if is_plain(event):
            event.accept()
            return True
        way = tab_way(event)
        if way:
            self.tabbed.emit(way)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Escape end; the flag stays as it is."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            self.ended.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell that the focus went elsewhere, for good."""
        super().focusOutEvent(event)
        if is_for_good(event):
            self.left.emit()


class LinesField(QPlainTextEdit):
    """The field of several lines: Enter is a new line, Ctrl+Enter ends. ``is_note``: it has the keys of a note, too."""

    ended = Signal()
    escaped = Signal()
    left = Signal()
    is_note = False

    def event(self, event: QEvent) -> bool:
        """Plain keys are no shortcuts of the canvas while one types, nor are those that mark words of a note."""
        is_wanted = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if is_plain(event) or (is_wanted and self.is_note and note_keys.is_mark(cast("QKeyEvent", event))):
            event.accept()
            return True
        return super().event(event)

    def height_for(self, width: int) -> int:
        """How high the field must be to show all its lines, ``width`` wide."""
        frame = 2 * self.frameWidth() + 2 * int(self.document().documentMargin())
        bar = self.verticalScrollBar().sizeHint().width()
        metrics, wrap = self.fontMetrics(), Qt.TextFlag.TextWordWrap.value | Qt.TextFlag.TextWrapAnywhere.value
        room = QRect(0, 0, max(1, width - frame - bar), 1_000_000)
        lines = (metrics.boundingRect(room, wrap, line or " ").height() for line in self.toPlainText().split("\n"))
        return sum(lines) + metrics.lineSpacing() + frame

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter ends, Escape is told."""
        if self.is_note and note_keys.handle(self, event):
            return
        ends = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if ends and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.ended.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell that the focus went elsewhere, for good."""
        super().focusOutEvent(event)
        if is_for_good(event):
            self.left.emit()


_STEPS = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
_TABS = {Qt.Key.Key_Tab: 1, Qt.Key.Key_Backtab: -1}
_PASSING = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
