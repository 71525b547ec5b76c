"""A label in one line: what has no room is elided and stands whole in the tooltip."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLabel, QStyle, QStyleOption


class ElidedLabel(QLabel):
    """A label that may be narrower than its text."""

    def minimumSizeHint(self) -> QSize:
        """A few characters."""
        return QSize(self.fontMetrics().averageCharWidth() * 4, super().minimumSizeHint().height())

    def paintEvent(self, _event: object) -> None:
        """Paint the text, elided at its end."""
        option = QStyleOption()
        option.initFrom(self)
        painter = QPainter(self)
        try:
            rect = self.contentsRect()
            text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, rect.width())
            self.setToolTip("" if text == self.text() else self.text())
            place = QStyle.visualAlignment(self.layoutDirection(), self.alignment()) | Qt.TextFlag.TextSingleLine
            self.style().drawItemText(
                painter, rect, place, option.palette, self.isEnabled(), text, self.foregroundRole()
            )
        finally:
            painter.end()
