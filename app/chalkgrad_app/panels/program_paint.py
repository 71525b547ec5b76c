"""How a row of the program panel is painted: gutter, code, and the first line of an error under it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetrics, QPainter, QPalette, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from chalkgrad.session.state import Status
from chalkgrad_app.document import Document
from chalkgrad_app.panels.program_rows import ROW, ProgramRows, Row
from chalkgrad_app.style import theme
from chalkgrad_app.widgets import highlight

MARKS = {Status.OK: "✓", Status.FAILED: "✗", Status.NOT_REACHED: "…", Status.WAITING: "#", Status.TO_COME: ""}
INDENT = 4


class ProgramDelegate(QStyledItemDelegate):
    """Paints rows with the theme's colours."""

    def __init__(self, document: Document, rows: ProgramRows, parent: QWidget) -> None:
        super().__init__(parent)
        self._document = document
        self._rows = rows

    def gutter(self, metrics: QFontMetrics) -> int:
        """Width of arrow, number and mark, in pixels."""
        digits = len(str(max(self._document.program.lines.values(), default=1)))
        return metrics.horizontalAdvance("0") * (digits + 6)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """A line each, and one more for an error."""
        row: Row = index.data(ROW)
        lines = row.text.count("\n") + 1 + bool(self._rows.error(row))
        longest = max(option.fontMetrics.horizontalAdvance(text) for text in (*row.text.split("\n"), self._rows.error(row)))
        height = option.fontMetrics.lineSpacing() * lines + 6
        return QSize(self.gutter(option.fontMetrics) + longest + 4 * option.fontMetrics.averageCharWidth() * (row.indent + 1), height)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """One row."""
        row: Row = index.data(ROW)
        painter.save()
        try:
            self._paint_ground(painter, option)
            self._paint_gutter(painter, option, row)
            self._paint_code(painter, option, row)
        finally:
            painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(option.rect, option.palette.brush(QPalette.ColorRole.Highlight))

    def _paint_gutter(self, painter: QPainter, option: QStyleOptionViewItem, row: Row) -> None:
        if row.statement is None:
            return
        look = theme.current()
        advance = option.fontMetrics.horizontalAdvance("0")
        baseline = option.rect.top() + 3 + option.fontMetrics.ascent()
        width = self.gutter(option.fontMetrics)
        status = self._rows.status(row)
        here = self._document.cursor_line == row.statement and self._document.is_past
        painter.setPen(look.color("muted"))
        painter.drawText(
            QRect(option.rect.left(), option.rect.top() + 3, width - 3 * advance, option.fontMetrics.lineSpacing()),
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
            str(row.number),
        )
        if here:
            painter.setPen(look.color("ink"))
            painter.drawText(option.rect.left() + advance // 2, baseline, "▶")
        painter.setPen(look.color("error" if status is Status.FAILED else "muted"))
        painter.drawText(option.rect.left() + width - 2 * advance, baseline, MARKS[status])

    def _paint_code(self, painter: QPainter, option: QStyleOptionViewItem, row: Row) -> None:
        look = theme.current()
        advance = option.fontMetrics.horizontalAdvance("0")
        left = option.rect.left() + self.gutter(option.fontMetrics) + advance + row.indent * INDENT * advance
        top = option.rect.top() + 3
        status = self._rows.status(row)
        faint = status in (Status.TO_COME, Status.NOT_REACHED, Status.WAITING)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if selected else QPalette.ColorRole.Text
        ink = look.color("muted") if faint and not selected else option.palette.color(role)
        for text in row.text.split("\n"):
            _draw_code(painter, option.font, left, top, text, ink, plain=faint or selected)
            top += option.fontMetrics.lineSpacing()
        error = self._rows.error(row)
        if error:
            painter.setPen(ink if selected else look.color("error"))
            painter.drawText(left, top + option.fontMetrics.ascent(), error)


def code_font(parent: QWidget) -> QFont:
    """The monospace font in the size of the parent's text."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(max(parent.font().pointSizeF(), 1.0))
    return font


def _draw_code(painter: QPainter, font: QFont, left: int, top: int, text: str, ink: QColor, plain: bool) -> None:
    layout = QTextLayout(text, font)
    formats = [] if plain else [_format(*span) for span in highlight.spans(text)]
    layout.setFormats(formats)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(1e6)
    layout.endLayout()
    painter.setPen(ink)
    layout.draw(painter, QPointF(left, top))


def _format(start: int, length: int, role: str) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length = start, length
    look = QTextCharFormat()
    look.setForeground(theme.current().color(role))
    made.format = look
    return made
