"""How a row of the program panel is painted: gutter with arrow, number and mark, then the code."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QIcon, QPainter, QPalette, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from chalkgrad.session.events import EventKind
from chalkgrad.session.state import Status
from chalkgrad_app.document import Document
from chalkgrad_app.panels.program_rows import Part, ProgramRows, Row
from chalkgrad_app.panels.row_list import ROW, Index, is_selected
from chalkgrad_app.style import icons, theme
from chalkgrad_app.widgets import highlight
from chalkgrad_app.widgets.code_font import code_font, scaled

MARKS = {Status.OK: "✓", Status.FAILED: "✗", Status.NOT_REACHED: "…", Status.WAITING: "#", Status.TO_COME: ""}
EVENT_MARKS = {
    EventKind.NODE_READY: "○",
    EventKind.HOOK_RAN: "λ",
    EventKind.NODE_RAN: "●",
    EventKind.SUMMED: "Σ",
    EventKind.CAPTURED: "+",
    EventKind.ACCUMULATED: "+",
    EventKind.RETAINED: "+",
    EventKind.FREED: "◌",
    EventKind.FAILED: "✗",
}
ARROW = "▶"
INDENT = 4
PLAIN = (Part.ERROR, Part.EVENT)
FAINT = frozenset({Status.TO_COME, Status.NOT_REACHED, Status.WAITING})


class ProgramDelegate(QStyledItemDelegate):
    """Paints rows with the theme's colours."""

    def __init__(self, document: Document, rows: ProgramRows, parent: QWidget) -> None:
        super().__init__(parent)
        self._document = document
        self._rows = rows
        self.restyle()

    def restyle(self) -> None:
        """Take the font of the text size in use."""
        self._font = code_font()
        self._metrics = QFontMetrics(self._font)
        self._advance = self._metrics.horizontalAdvance("0")

    def gutter(self) -> int:
        """Width of arrow, number and mark, in pixels."""
        digits = max(2, len(str(len(self._document.program))))
        return self._advance * (digits + 6)

    def row_height(self) -> int:
        """Height of every row, in pixels."""
        return self._metrics.height() + scaled(5)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows are equally high; what is too long is elided, and whole in the tooltip."""
        return QSize(scaled(120), self.row_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row."""
        row: Row | None = index.data(ROW)
        if row is None:
            return
        painter.save()
        try:
            painter.setFont(self._font)
            self._paint_ground(painter, option, row)
            if row.part is Part.FIRST:
                self._paint_gutter(painter, option.rect, row, is_selected(option))
            elif row.part is Part.EVENT:
                self._paint_event(painter, option.rect, row)
            self._paint_text(painter, option, row)
        finally:
            painter.restore()

    def arrow_rect(self, rect: QRect, row: Row) -> QRect:
        """Where the arrow lies that unfolds a line, in a row that lies in ``rect``."""
        advance = self._advance
        return QRect(
            rect.left() + self.gutter() + row.indent * INDENT * advance, rect.top(), 2 * advance, rect.height()
        )

    def is_here(self, row: Row) -> bool:
        """True for the line that the cursor stands in, the last one now, and for the event that happened last."""
        if row.position is not None:
            return self._document.is_past and row.position == self._document.cursor
        line = self._document.cursor_line if self._document.is_past else self._last()
        return row.statement is not None and row.statement == line

    def _last(self) -> int | None:
        lines = self._rows.rows.lines
        return lines[-1].statement if lines else None

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, row: Row) -> None:
        if is_selected(option):
            painter.fillRect(option.rect, option.palette.brush(QPalette.ColorRole.Highlight))
        elif self._document.is_past and self.is_here(row):
            painter.fillRect(option.rect, theme.current().color("code_current"))

    def _paint_gutter(self, painter: QPainter, rect: QRect, row: Row, selected: bool) -> None:
        look = theme.current()
        advance, width = self._advance, self.gutter()
        status = self._rows.status(row)
        light = look.color("highlight_text") if selected else None
        if row.part is Part.FIRST and self.is_here(row):
            painter.setPen(light or look.color("ink" if self._document.is_past else "muted"))
            painter.drawText(_cell(rect, advance // 2, 2 * advance), Qt.AlignmentFlag.AlignVCenter, ARROW)
        painter.setPen(light or look.color("muted"))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(_cell(rect, advance, width - 4 * advance), right, str(row.number))
        painter.setPen(light or look.color("error_ink" if status is Status.FAILED else "muted"))
        painter.drawText(
            _cell(rect, width - 5 * advance // 2, 2 * advance), Qt.AlignmentFlag.AlignCenter, MARKS[status]
        )

    def _paint_event(self, painter: QPainter, rect: QRect, row: Row) -> None:
        """The arrow at what happened last, and what kind of event it is."""
        look, advance = theme.current(), self._advance
        if self.is_here(row):
            painter.setPen(look.color("ink"))
            painter.drawText(_cell(rect, advance // 2, 2 * advance), Qt.AlignmentFlag.AlignVCenter, ARROW)
        kind = self._rows.kind(row)
        roles = {EventKind.ACCUMULATED: "grad_ink", EventKind.RETAINED: "grad_ink", EventKind.FAILED: "error_ink"}
        painter.setPen(look.color("muted" if self._rows.status(row) in FAINT else roles.get(kind, "muted")))
        place = _cell(rect, self.gutter() - advance + row.indent * INDENT * advance, 2 * advance)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, EVENT_MARKS.get(kind, "·"))

    def _paint_text(self, painter: QPainter, option: QStyleOptionViewItem, row: Row) -> None:
        look = theme.current()
        metrics, advance = self._metrics, self._advance
        left = option.rect.left() + self.gutter() + advance // 2 + row.indent * INDENT * advance
        if row.part is Part.FIRST and self._rows.unfoldable(row.statement):
            name = "chevron-down" if self._rows.is_unfolded(row.statement) else "chevron-right"
            mode = QIcon.Mode.Selected if is_selected(option) else QIcon.Mode.Normal
            icons.icon(name).paint(painter, self.arrow_rect(option.rect, row), Qt.AlignmentFlag.AlignCenter, mode)
            left += 2 * advance
        elif row.part is Part.EVENT:
            left += advance
        counter = self._rows.counter(row)
        room = option.rect.right() - left - advance * (len(counter) + 3 if counter else 1)
        text = metrics.elidedText(self._rows.text(row), Qt.TextElideMode.ElideRight, max(room, 4 * advance))
        selected = is_selected(option)
        faint = self._rows.status(row) in FAINT
        role = "error_ink" if row.part is Part.ERROR else "muted" if faint else "text"
        ink = look.color("highlight_text" if selected else role)
        top = option.rect.top() + (option.rect.height() - metrics.height()) / 2
        _draw_code(painter, QPointF(left, top), text, ink, plain=faint or selected or row.part in PLAIN)
        if counter:
            painter.setPen(ink)
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(option.rect.adjusted(0, 0, -advance, 0), right, counter)


def _cell(rect: QRect, left: int, width: int) -> QRect:
    return QRect(rect.left() + left, rect.top(), width, rect.height())


def _draw_code(painter: QPainter, at: QPointF, text: str, ink: QColor, plain: bool) -> None:
    painter.setPen(ink)
    if plain:
        painter.drawText(at + QPointF(0, painter.fontMetrics().ascent()), text)
        return
    layout = QTextLayout(text, QFont(painter.font()))
    layout.setFormats([_format(*span) for span in highlight.spans(text)])
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(1e6)
    layout.endLayout()
    layout.draw(painter, at)


def _format(start: int, length: int, role: str) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length = start, length
    look = QTextCharFormat()
    look.setForeground(theme.current().color(role))
    made.format = look
    return made
