"""A button for a line of code: the whole line in its tooltip where there is no room for it.

Of several statements the first is shown then; one that is too long by itself goes on below where the button may be
higher, and is elided in the middle where that is not enough.
"""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QToolButton, QWidget

from chalkgrad_app.widgets.code_font import RESTYLED, SMALL, code_font, scaled

EDGE, LEAST_EDGE, ARROW = 20, 18, 18
"""Pixels beside the text at 100% text size: the button's own edge, at least where there is little room, and the arrow
of a menu."""

RATIOS = (SMALL, 11 / 13, 10 / 13)
"""Heights of the text beside the window's other text: the first at which the whole line fits, else the last."""

BREAKS = re.compile(r"(?<=[ (])|(?=\.)")
"""Where a line may go on below: after a space or an opening bracket, or before a dot."""

SMALLEST = 48
"""A button may shrink to so many pixels at 100% text size."""


def least_width(characters: int) -> int:
    """How wide a button must be to show a line of so many characters in one, in its smallest font."""
    return QFontMetrics(code_font(ratio=RATIOS[-1])).horizontalAdvance("x" * characters) + scaled(LEAST_EDGE)


def _briefly(line: str) -> str:
    """The first of several statements."""
    first, and_more, _ = line.partition("; ")
    return f"{first}; …" if and_more else line


def _elided(row: str, metrics: QFontMetrics, room: int) -> str:
    """A row with its middle elided where it is too wide: what is as wide as the room Qt would take for too wide."""
    is_whole = metrics.horizontalAdvance(row) <= room
    return row if is_whole else metrics.elidedText(row, Qt.TextElideMode.ElideMiddle, room)


class ElidedButton(QToolButton):
    """A tool button whose text is code in a monospace font."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._line = ""
        self._shown = ""
        self._words = ""
        self._room = 0
        self._height, self._most = 0, 1
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setFont(code_font(ratio=SMALL))

    def line(self) -> str:
        """The whole line, as it was set."""
        return self._line

    def least_width(self) -> int:
        """How wide it must be to show its line, or the first of several statements, in one row."""
        return least_width(len(_briefly(self._line)))

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

    def set_height(self, pixels: int, most: int) -> None:
        """Be so high, in pixels at 100% text size; higher where the line goes on below, in ``most`` rows."""
        self._height, self._most = pixels, most
        self._elide()

    def height_of(self, rows: int) -> int:
        """How high it is with its line in so many rows."""
        return scaled(self._height) + (rows - 1) * QFontMetrics(code_font(ratio=RATIOS[-1])).height()

    def sizeHint(self) -> QSize:
        """As wide as the whole line; where there is no room for it as wide as what is shown, or as the room."""
        text = self._shown if self._room else self._line
        width = QFontMetrics(code_font(ratio=SMALL)).horizontalAdvance(text) + self._frame()
        return QSize(min(width, scaled(self._room)) if self._room else width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """A button may shrink to a few characters."""
        return QSize(scaled(SMALLEST), super().minimumSizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Down opens its menu, where it has one."""
        if event.key() == Qt.Key.Key_Down and self.menu() is not None:
            self.showMenu()
        else:
            super().keyPressEvent(event)

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
        if font == code_font(ratio=RATIOS[-1]):
            room += scaled(EDGE - LEAST_EDGE)
        if "; " in text and QFontMetrics(font).horizontalAdvance(text) > room:
            text = _briefly(text)
            font = self._fitting(text, room)
        self._shown = text
        if font != self.font():
            self.setFont(font)
        metrics = QFontMetrics(font)
        rows = [_elided(row, metrics, room) for row in self._rows(text, metrics, room)]
        super().setText("\n".join(rows).replace("&", "&&"))
        if self._height:
            self.setFixedHeight(self.height_of(len(rows)))

    def _rows(self, text: str, metrics: QFontMetrics, room: int) -> list[str]:
        """A line in as few rows as it has room in; all that is left is in the last that it may have."""
        rows = [""]
        for part in BREAKS.split(text):
            grown = rows[-1] + part
            is_full = len(rows) < self._most and metrics.horizontalAdvance(grown.rstrip()) > room
            if is_full and rows[-1]:
                rows.append(part)
            else:
                rows[-1] = grown
        return [row.rstrip() for row in rows]

    def _fitting(self, text: str, room: int) -> QFont:
        """The largest font in which all of a text fits, else the smallest."""
        fonts = [code_font(ratio=ratio) for ratio in RATIOS]
        fitting = (font for font in fonts if QFontMetrics(font).horizontalAdvance(text) <= room)
        return next(fitting, fonts[-1])

    def _set_tip(self) -> None:
        super().setToolTip("\n".join(part for part in (self._line, self._words) if part))
