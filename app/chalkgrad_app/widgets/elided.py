"""A button for a line of code: the whole line in its tooltip where there is no room for it.

Of several statements the first is shown then; one that is too long by itself is elided in the middle.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QToolButton, QWidget

from chalkgrad_app.widgets.code_font import RESTYLED, SMALL, code_font, scaled

EDGE, ARROW = 20, 18
"""Pixels beside the text at 100% text size: the button's own edge, and the arrow of a menu."""

RATIOS = (SMALL, 11 / 13, 10 / 13)
"""Heights of the text beside the window's other text: the first at which the whole line fits, else the last."""

SMALLEST = 48
"""A button may shrink to so many pixels at 100% text size."""


def least_width(characters: int) -> int:
    """How wide a button must be to show a line of so many characters, in its smallest font."""
    return QFontMetrics(code_font(ratio=RATIOS[-1])).horizontalAdvance("x" * characters) + scaled(EDGE)


class ElidedButton(QToolButton):
    """A tool button whose text is code in a monospace font."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._line = ""
        self._shown = ""
        self._words = ""
        self._room = 0
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setFont(code_font(ratio=SMALL))

    def line(self) -> str:
        """The whole line, as it was set."""
        return self._line

    def setText(self, text: str) -> None:
        """Show a line of code."""
        if text == self._line:
            return
        self._line = text
        self.setAccessibleName(text)
        self._elide()
        self._set_tip()
        self.updateGeometry()

    def setToolTip(self, text: str) -> None:
        """Say in words what the line does; the line itself stands above them."""
        self._words = text
        self.setAccessibleDescription(text)
        self._set_tip()

    def set_room(self, pixels: int) -> None:
        """The width to keep to, in pixels at 100% text size; 0: whatever the layout gives."""
        self._room = pixels
        self._elide()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """As wide as the whole line; where there is no room for it as wide as what is shown, or as the room."""
        text = self._shown if self._room else self._line
        width = QFontMetrics(code_font(ratio=SMALL)).horizontalAdvance(text) + self._frame()
        return QSize(min(width, scaled(self._room)) if self._room else width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """A button may shrink to a few characters."""
        return QSize(scaled(SMALLEST), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elide anew."""
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of the text size."""
        if event.type() in RESTYLED:
            self._elide()
            self.updateGeometry()
        super().changeEvent(event)

    def _frame(self) -> int:
        return scaled(EDGE + (ARROW if self.menu() else 0))

    def _elide(self) -> None:
        width = scaled(self._room) if self._room else self.width()
        room = max(width - self._frame(), scaled(SMALLEST - EDGE))
        text = self._line
        font = self._fitting(text, room)
        if "; " in text and QFontMetrics(font).horizontalAdvance(text) > room:
            text = f"{text.partition('; ')[0]}; …"
            font = self._fitting(text, room)
        self._shown = text
        if font != self.font():
            self.setFont(font)
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideMiddle, room)
        super().setText(shown.replace("&", "&&"))

    def _fitting(self, text: str, room: int) -> QFont:
        """The largest font in which all of a text fits, else the smallest."""
        fonts = [code_font(ratio=ratio) for ratio in RATIOS]
        fitting = (font for font in fonts if QFontMetrics(font).horizontalAdvance(text) <= room)
        return next(fitting, fonts[-1])

    def _set_tip(self) -> None:
        super().setToolTip("\n".join(part for part in (self._line, self._words) if part))
