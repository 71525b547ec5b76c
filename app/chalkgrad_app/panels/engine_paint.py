"""How a row of the panel Engine is painted: a mark, the node, how many gradients have come, and details under it."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QStyleOptionViewItem

from chalkgrad_app.panels.engine_rows import EngineRow, Stage
from chalkgrad_app.panels.row_list import ROW, WRAP, Index, RowDelegate, is_selected, row_width, wrapped_height
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.code_font import SMALL, code_font, scaled

FAINT = frozenset({Stage.TO_COME, Stage.DONE})
EDGE, MARK, BAR = 8, 22, 3
"""Room at the sides, for the mark, and the bar at the node at work, in pixels at 100% text size."""


class EngineDelegate(RowDelegate):
    """Paints rows with the theme's colours; rows are as high as what they say."""

    def restyle(self) -> None:
        """Take the fonts of the text size in use."""
        self._title, self._code = code_font(), code_font(ratio=SMALL)
        self._heading = QFont(self._view.font())
        self._heading.setBold(True)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As high as the node and its details."""
        row: EngineRow = index.data(ROW)
        if row.node is None:
            return QSize(scaled(120), QFontMetrics(self._heading).height() + scaled(8))
        metrics = QFontMetrics(self._code)
        heights = [wrapped_height(metrics, self._room(), line) for line in row.details]
        return QSize(scaled(120), self._title_height(row) + sum(heights) + scaled(6))

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """A heading or a node."""
        row: EngineRow = index.data(ROW)
        if row.node is None:
            self._paint_heading(painter, option.rect, row)
        else:
            self._paint_node(painter, option, row)

    def _paint_heading(self, painter: QPainter, rect: QRect, row: EngineRow) -> None:
        painter.setFont(self._heading)
        painter.setPen(theme.current().color("muted"))
        painter.drawText(rect.adjusted(scaled(EDGE), 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, row.title)

    def _paint_node(self, painter: QPainter, option: QStyleOptionViewItem, row: EngineRow) -> None:
        look, rect = theme.current(), option.rect
        if row.stage is Stage.NOW:
            painter.fillRect(QRect(rect.left(), rect.top(), scaled(BAR), rect.height()), look.color("grad"))
        ink = option.palette.color(QPalette.ColorRole.HighlightedText) if is_selected(option) else None
        self._paint_title(painter, rect, row, ink)
        top = rect.top() + scaled(3) + self._title_height(row)
        painter.setFont(self._code)
        painter.setPen(ink or look.color("muted" if row.stage in FAINT else "text"))
        for line in row.details:
            place = QRect(rect.left() + scaled(EDGE + MARK), top, self._room(), rect.height())
            painter.drawText(place, WRAP, line)
            top += wrapped_height(painter.fontMetrics(), self._room(), line)

    def _paint_title(self, painter: QPainter, rect: QRect, row: EngineRow, ink: QColor | None) -> None:
        look = theme.current()
        painter.setFont(self._title)
        line = QRect(rect.left() + scaled(EDGE), rect.top() + scaled(3), self._room() + scaled(MARK), rect.height())
        painter.setPen(ink or look.color("grad_ink" if row.stage is Stage.NOW else "muted"))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft, row.mark)
        painter.drawText(line, Qt.AlignmentFlag.AlignRight, row.came)
        painter.setPen(ink or look.color("muted" if row.stage in FAINT else "text"))
        line.setLeft(line.left() + scaled(MARK))
        line.setWidth(self._title_room(row))
        painter.drawText(line, WRAP, row.title)

    def _title_room(self, row: EngineRow) -> int:
        """Pixels that a line of the node's name has, beside how many gradients have come."""
        came = QFontMetrics(self._title).horizontalAdvance(row.came) + scaled(EDGE) if row.came else 0
        return self._room() - came

    def _title_height(self, row: EngineRow) -> int:
        return wrapped_height(QFontMetrics(self._title), self._title_room(row), row.title)

    def _room(self) -> int:
        """Pixels that a line of the details has."""
        return max(row_width(self._view) - scaled(2 * EDGE + MARK), scaled(80))
