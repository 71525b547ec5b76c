"""A button for a line of code: elided in the middle where there is no room, the whole line in its tooltip."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QToolButton, QWidget


class ElidedButton(QToolButton):
    """A tool button whose text is code in a monospace font."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._line = ""
        self._words = ""
        self._room = 0
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self._use_font()

    def line(self) -> str:
        """The whole line, as it was set."""
        return self._line

    def setText(self, text: str) -> None:
        """Show a line of code."""
        self._line = text
        self.setAccessibleName(text)
        self._elide()
        self._set_tip()

    def setToolTip(self, text: str) -> None:
        """Say in words what the line does; the line itself stands above them."""
        self._words = text
        self._set_tip()

    def set_room(self, pixels: int) -> None:
        """The width to keep to, in pixels at 100% text size; 0: whatever the layout gives."""
        self._room = pixels
        self._elide()

    def sizeHint(self) -> QSize:
        """As wide as the shown text, or as the room."""
        hint = super().sizeHint()
        return QSize(min(hint.width(), self._pixels()) if self._room else hint.width(), hint.height())

    def minimumSizeHint(self) -> QSize:
        """A button may shrink to a few characters."""
        return QSize(48, super().minimumSizeHint().height())

    def resizeEvent(self, event: object) -> None:
        """Elide anew."""
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of the text size."""
        if event.type() == QEvent.Type.ApplicationFontChange:
            self._use_font()
        super().changeEvent(event)

    def _use_font(self) -> None:
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        size = self.window().font().pointSizeF() if self.parent() else -1.0
        if size > 0:
            font.setPointSizeF(size)
        self.setFont(font)
        self._elide()

    def _pixels(self) -> int:
        return round(self._room * self.fontMetrics().height() / 17)

    def _elide(self) -> None:
        frame = 40 if self.menu() else 20
        room = (self._pixels() if self._room else self.width()) - frame
        shown = self.fontMetrics().elidedText(self._line, Qt.TextElideMode.ElideMiddle, max(room, 40))
        super().setText(shown.replace("&", "&&"))

    def _set_tip(self) -> None:
        super().setToolTip("\n".join(part for part in (self._line, self._words) if part))
