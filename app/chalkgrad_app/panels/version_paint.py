"""How a row of a version history is painted: a sign on a rail, what happened, and the line under it."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import QStyleOptionViewItem

from chalkgrad.session.versions import Deed
from chalkgrad_app.panels.row_list import ROW, WRAP, Index, RowDelegate, is_selected, row_width, wrapped_height
from chalkgrad_app.panels.version_rows import VersionRow
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.code_font import SMALL, code_font, scaled

RAIL, SIGN, EDGE = 26, 5.0, 4
"""Where the text begins, half the size of a sign, room above and below, in pixels at 100% text size."""
BAD = frozenset({Deed.REFUSED, Deed.READ_OTHER_VALUES})


class VersionDelegate(RowDelegate):
    """Paints rows in the theme's colours; what is to come is faint."""

    def restyle(self) -> None:
        """Take the font of the text size in use."""
        self._code = code_font(ratio=SMALL)
        self._heights: dict[tuple[int, str], int] = {}  # long histories say the same again and again

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As high as the words, and one line of code."""
        row: VersionRow = index.data(ROW)
        words = self._bounds(QFontMetrics(option.font), row.words).height()
        return QSize(scaled(120), words + QFontMetrics(self._code).height() + 2 * scaled(EDGE))

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """A sign on the rail, what happened, and the line."""
        row: VersionRow = index.data(ROW)
        look, rect, chosen = theme.current(), option.rect, is_selected(option)
        ink = look.color("muted") if row.is_to_come else look.color("error_ink" if row.entry.deed in BAD else "text")
        ink = option.palette.color(QPalette.ColorRole.HighlightedText) if chosen else ink
        ground = option.palette.color(QPalette.ColorRole.Highlight) if chosen else look.color("base")
        is_first, is_last = index.row() == 0, index.row() == index.model().rowCount() - 1
        self._paint_rail(painter, rect, row.entry.deed, (ink, ground), is_first, is_last)
        painter.setFont(option.font)
        painter.setPen(ink)
        words = self._bounds(painter.fontMetrics(), row.words).translated(rect.left(), rect.top() + scaled(EDGE))
        painter.drawText(words, WRAP, row.words)
        painter.setFont(self._code)
        painter.setPen(ink if chosen else look.color("muted"))
        metrics = painter.fontMetrics()
        code = metrics.elidedText(f"{row.line}  {row.code}", Qt.TextElideMode.ElideRight, words.width())
        painter.drawText(QRect(words.left(), words.bottom() + 1, words.width(), metrics.height()), 0, code)

    def _paint_rail(
        self, painter: QPainter, rect: QRect, deed: Deed, hues: tuple[QColor, QColor], is_first: bool, is_last: bool
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        half = QFontMetrics(self._code).height() / 2
        middle = QPointF(rect.left() + scaled(RAIL) / 2, rect.top() + scaled(EDGE) + half)
        top = middle.y() if is_first else rect.top()
        bottom = middle.y() if is_last else rect.bottom() + 1
        painter.setPen(QPen(theme.current().color("border"), scaled(2)))
        painter.drawLine(QLineF(middle.x(), top, middle.x(), bottom))
        side = SIGN * theme.text_size() / 100
        ink, ground = hues
        painter.setPen(QPen(ink, max(scaled(2) * 0.75, 1.0)))
        painter.setBrush(ink if deed in (Deed.WROTE, Deed.SAVED) else ground)
        paint_sign(painter, deed, middle, side)

    def _bounds(self, metrics: QFontMetrics, words: str) -> QRect:
        """Where wrapped words stand in a row."""
        left = scaled(RAIL)
        width = max(row_width(self._view) - left - scaled(8), scaled(80))
        height = self._heights.get((width, words))
        if height is None:
            height = wrapped_height(metrics, width, words)
            self._heights[width, words] = height
        return QRect(left, 0, width, height)


def paint_sign(painter: QPainter, deed: Deed, middle: QPointF, side: float) -> None:
    """A tab for writes, a disc for what is saved, a square for tensors, a cross for what went wrong."""
    box = QRectF(middle.x() - side, middle.y() - side, 2 * side, 2 * side)
    if deed in (Deed.WROTE, Deed.WROTE_UNSEEN):
        notch = QPointF(box.left() + side * 0.7, middle.y())
        painter.drawPolygon(QPolygonF([box.topLeft(), box.topRight(), box.bottomRight(), box.bottomLeft(), notch]))
    elif deed in (Deed.SAVED, Deed.READ, Deed.FREED):
        if deed is Deed.FREED:
            pen = painter.pen()
            pen.setStyle(Qt.PenStyle.DashLine)
            painter.setPen(pen)
        painter.drawEllipse(box)
        if deed is Deed.READ:
            painter.drawPoint(middle)
    elif deed in BAD:
        painter.drawEllipse(box)
        painter.drawLine(QLineF(box.topLeft(), box.bottomRight()))
        painter.drawLine(QLineF(box.bottomLeft(), box.topRight()))
    else:
        painter.drawRect(box)
