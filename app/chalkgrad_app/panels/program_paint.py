"""How a row of the program panel is painted: gutter with arrow, number and mark, then the code."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QIcon, QPainter, QPalette, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from chalkgrad.program.inlining import line_of
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
    EventKind.DROPPED: "∅",
    EventKind.RETAINED: "+",
    EventKind.FREED: "◌",
    EventKind.FAILED: "✗",
}
ARROW = "▶"
INDENT = 4
PLAIN = (Part.ERROR, Part.EVENT)
FAINT = frozenset({Status.TO_COME, Status.NOT_REACHED, Status.WAITING})
MIDDLE = Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTER = Qt.AlignmentFlag.AlignCenter


class Painted(NamedTuple):
    """A row while it is painted: where it lies, whether it is selected and stands at the cursor, how far it came."""

    row: Row
    rect: QRect
    selected: bool
    here: bool
    status: Status


class ProgramDelegate(QStyledItemDelegate):
    """Paints rows with the theme's colours."""

    def __init__(self, document: Document, rows: ProgramRows, parent: QWidget) -> None:
        super().__init__(parent)
        self._document = document
        self._rows = rows
        self.restyle()

    def restyle(self) -> None:
        """Take the font of the text size and the colours of the theme in use."""
        self._font = code_font()
        self._metrics = QFontMetrics(self._font)
        self._advance = self._metrics.horizontalAdvance("0")
        self._inks = {role: _ink(theme.current().color(role)) for role in highlight.COLOURED}

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
        painted = Painted(row, option.rect, is_selected(option), self.is_here(row), self._rows.status(row))
        painter.save()
        try:
            painter.setFont(self._font)
            self._paint_ground(painter, option, painted)
            if row.part is Part.FIRST:
                self._paint_gutter(painter, painted)
            elif row.part is Part.EVENT:
                self._paint_event(painter, painted)
            self._paint_text(painter, painted)
        finally:
            painter.restore()

    def arrow_rect(self, rect: QRect, row: Row) -> QRect:
        """Where the arrow lies that unfolds a line, in a row that lies in ``rect``."""
        advance = self._advance
        return QRect(
            rect.left() + self.gutter() + row.indent * INDENT * advance, rect.top(), 2 * advance, rect.height()
        )

    def is_here(self, row: Row) -> bool:
        """True for the line that the cursor stands in, or that ran last now, and for the event that happened last."""
        if row.position is not None:
            return self._document.is_past and row.position == self._document.cursor
        line = self._document.cursor_line if self._document.is_past else self._last()
        return row.statement is not None and line is not None and row.statement == line_of(self._document.program, line)

    def _last(self) -> int | None:
        """The last line, or where the run waits, the one that ran last."""
        lines, waits_at = self._rows.rows.lines, self._document.waits_at
        if waits_at is not None:
            return line_of(self._document.program, waits_at)
        return lines[-1].statement if lines else None

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, painted: Painted) -> None:
        if painted.selected:
            painter.fillRect(painted.rect, option.palette.brush(QPalette.ColorRole.Highlight))
        elif painted.here and self._document.is_past:
            painter.fillRect(painted.rect, theme.current().color("code_current"))

    def _paint_gutter(self, painter: QPainter, painted: Painted) -> None:
        look, advance, width, rect = theme.current(), self._advance, self.gutter(), painted.rect
        light = look.color("highlight_text") if painted.selected else None
        if painted.here:
            painter.setPen(light or look.color("ink" if self._document.is_past else "muted"))
            painter.drawText(_cell(rect, advance // 2, 2 * advance), MIDDLE, ARROW)
        painter.setPen(light or look.color("muted"))
        painter.drawText(_cell(rect, advance, width - 4 * advance), RIGHT, str(painted.row.number))
        mark = MARKS[painted.status]
        if mark:
            painter.setPen(light or look.color("error_ink" if painted.status is Status.FAILED else "muted"))
            painter.drawText(_cell(rect, width - 5 * advance // 2, 2 * advance), CENTER, mark)

    def _paint_event(self, painter: QPainter, painted: Painted) -> None:
        """The arrow at what happened last, and what kind of event it is."""
        look, advance, row = theme.current(), self._advance, painted.row
        if painted.here:
            painter.setPen(look.color("ink"))
            painter.drawText(_cell(painted.rect, advance // 2, 2 * advance), MIDDLE, ARROW)
        kind = self._rows.kind(row)
        roles = {EventKind.ACCUMULATED: "grad_ink", EventKind.RETAINED: "grad_ink", EventKind.FAILED: "error_ink"}
        painter.setPen(look.color("muted" if painted.status in FAINT else roles.get(kind, "muted")))
        place = _cell(painted.rect, self.gutter() - advance + row.indent * INDENT * advance, 2 * advance)
        painter.drawText(place, CENTER, EVENT_MARKS.get(kind, "·"))

    def _paint_text(self, painter: QPainter, painted: Painted) -> None:
        look, metrics, advance, row, rect = theme.current(), self._metrics, self._advance, painted.row, painted.rect
        left = rect.left() + self.gutter() + advance // 2 + row.indent * INDENT * advance
        if row.part is Part.FIRST and self._rows.unfoldable(row.statement):
            name = "chevron-down" if self._rows.is_unfolded(row.statement) else "chevron-right"
            mode = QIcon.Mode.Selected if painted.selected else QIcon.Mode.Normal
            icons.icon(name).paint(painter, self.arrow_rect(rect, row), CENTER, mode)
            left += 2 * advance
        elif row.part is Part.EVENT:
            left += advance
        counter = self._rows.counter(row)
        room = max(rect.right() - left - advance * (len(counter) + 3 if counter else 1), 4 * advance)
        text = self._fitted(row, room)
        is_at_work = painted.here and painted.status is Status.TO_COME
        faint = painted.status in FAINT and not is_at_work
        role = "error_ink" if row.part is Part.ERROR else "muted" if faint else "text"
        ink = look.color("highlight_text" if painted.selected else role)
        top = rect.top() + (rect.height() - metrics.height()) / 2
        self._draw_code(painter, QPointF(left, top), text, ink, faint or painted.selected or row.part in PLAIN)
        if counter:
            painter.setPen(ink)
            painter.drawText(rect.adjusted(0, 0, -advance, 0), RIGHT, counter)

    def _fitted(self, row: Row, room: int) -> str:
        """What a row says in so many pixels: who did it stays, values make way to shapes before anything is cut."""
        text = self._rows.text(row)
        if text.isascii() and len(text) * self._advance <= room:
            return text
        if row.part is Part.EVENT and self._metrics.horizontalAdvance(text) > room:
            text = self._rows.text(row, in_brief=True)
        if text.isascii():  # all equally wide: a long line is not measured to its end
            text = text[: room // self._advance + 2]
        return self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)

    def _draw_code(self, painter: QPainter, at: QPointF, text: str, ink: QColor, plain: bool) -> None:
        painter.setPen(ink)
        if plain:
            painter.drawText(at + QPointF(0, self._metrics.ascent()), text)
            return
        layout = QTextLayout(text, self._font)
        layout.setFormats([_range(start, length, self._inks[role]) for start, length, role in highlight.spans(text)])
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(1e6)
        layout.endLayout()
        layout.draw(painter, at)


def _cell(rect: QRect, left: int, width: int) -> QRect:
    return QRect(rect.left() + left, rect.top(), width, rect.height())


def _ink(colour: QColor) -> QTextCharFormat:
    look = QTextCharFormat()
    look.setForeground(colour)
    return look


def _range(start: int, length: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length, made.format = start, length, look
    return made
