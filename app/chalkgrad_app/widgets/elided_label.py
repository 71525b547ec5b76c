"""A label in one line, or in a few: what has no room is elided and stands whole in the tooltip."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QTextLayout, QTextOption
from PySide6.QtWidgets import QLabel, QStyle, QStyleOption, QWidget


class ElidedLabel(QLabel):
    """A label that may be narrower than its text, which is broken into at most ``lines`` lines."""

    def __init__(self, parent: QWidget | None = None, lines: int = 1) -> None:
        super().__init__(parent)
        self._lines = lines

    def minimumSizeHint(self) -> QSize:
        """A few characters, or the text where it is shorter."""
        hint = self.sizeHint()
        return QSize(min(self.fontMetrics().averageCharWidth() * 4, hint.width()), hint.height())

    def sizeHint(self) -> QSize:
        """As wide as the text, as high as the lines."""
        margins = self.contentsMargins()
        return QSize(super().sizeHint().width(), self.fontMetrics().height() * self._lines + margins.top() * 2)

    def paintEvent(self, _event: object) -> None:
        """Paint the text, elided at its end."""
        option = QStyleOption()
        option.initFrom(self)
        painter = QPainter(self)
        try:
            rect = self.contentsRect()
            lines = elided_lines(self.text(), self, rect.width(), self._lines)
            self.setToolTip("" if "".join(lines).replace(" ", "") == self.text().replace(" ", "") else self.text())
            place = QStyle.visualAlignment(self.layoutDirection(), self.alignment())
            self.style().drawItemText(
                painter, rect, place, option.palette, self.isEnabled(), "\n".join(lines), self.foregroundRole()
            )
        finally:
            painter.end()


class GrowingLabel(ElidedLabel):
    """One that is as high as its text needs at its width, and is elided only where ``lines`` are too few."""

    def hasHeightForWidth(self) -> bool:
        """Narrower ones are higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """As many lines as the text fills, at most those there are."""
        margins = self.contentsMargins()
        inside = width - margins.left() - margins.right()
        filled = min(max(1, len(_line_begins(self.text(), self, inside))), self._lines)
        return self.fontMetrics().height() * filled + margins.top() + margins.bottom()

    def sizeHint(self) -> QSize:
        """As wide as the text, as high as one line: more are asked for once the width is known."""
        return QSize(super().sizeHint().width(), self.fontMetrics().height() + 2 * self.contentsMargins().top())


def elided_lines(text: str, widget: QWidget, width: int, lines: int) -> list[str]:
    """A text in at most ``lines`` lines of ``width`` in the font of a widget, the last one elided."""
    begins = _line_begins(text, widget, width) if lines > 1 else [0]
    found = [text[a:b].rstrip() for a, b in pairwise(begins)][: lines - 1]
    rest = text[begins[min(len(found), len(begins) - 1)] :] if begins else ""
    return [*found, widget.fontMetrics().elidedText(rest, Qt.TextElideMode.ElideRight, width)]


def _line_begins(text: str, widget: QWidget, width: int) -> list[int]:
    """Where in a text the lines begin that are no wider than ``width``."""
    layout = QTextLayout(text, widget.font(), widget)
    layout.setTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
    layout.beginLayout()
    found = []
    line = layout.createLine()
    while line.isValid():
        line.setLineWidth(max(width, 1))
        line.setPosition(QPointF())
        found.append(line.textStart())
        line = layout.createLine()
    layout.endLayout()
    return found
