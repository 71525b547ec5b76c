"""Which round of a loop is looked at, at the top of its frame or before its line, with arrows to other rounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPen, QPolygonF

from chalkgrad_app.picture.board_paint import title_end
from chalkgrad_app.picture.code_lines import LINE
from chalkgrad_app.picture.counter_room import ARROW, GAP, counter_size
from chalkgrad_app.picture.folding import MARGIN, TITLE
from chalkgrad_app.picture.frames import FrameShape
from chalkgrad_app.picture.line_paint import are_read
from chalkgrad_app.picture.look import Level
from chalkgrad_app.style import theme
from chalkgrad_app.style.fonts import mono_font
from chalkgrad_app.training import round_number

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

BESIDE = 3
"""From a counter to the side of its frame."""


class Counter(NamedTuple):
    """One counter on the widget: its loop, its text, and where the text and the two arrows lie."""

    loop: int
    text: str
    back: QRectF
    words: QRectF
    on: QRectF


class LoopCounters(QObject):
    """The counters of one canvas: an overlay painter; a click on an arrow asks for another round."""

    stepped = Signal(int, int)  # a loop; +1 or -1

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        canvas.overlay_painters.append(self.paint)
        canvas.installEventFilter(self)

    def counters(self) -> Iterator[Counter]:
        """Those that are shown."""
        canvas = self._canvas
        document, look = canvas.document, canvas.look()
        if not document.program.bodies or look.level is Level.FAR:
            return
        for frame in canvas.picture.frames:
            loop = document.program.blocks.get(frame.id)
            if not frame.block or loop is None or not loop.is_loop:
                continue
            text = f"{round_number(document, loop.id)} / {loop.rounds}"
            if self._is_written(frame) and not self._is_read:  # what it counts would stand nowhere near
                text = f"{loop.name} {text}"
            total, height = counter_size(text, look).toTuple()
            corner = self._corner(frame, total, height)
            if corner is None:
                continue
            left, top = self._kept_inside(frame, corner, total, height).toTuple()
            back = QRectF(left, top, ARROW * height, height)
            words = QRectF(back.right(), top, total - 2 * ARROW * height, height)
            yield Counter(loop.id, text, back, words, QRectF(words.right(), top, ARROW * height, height))

    @property
    def _is_read(self) -> bool:
        """True where lines of code that stand beside cards can be read."""
        look = self._canvas.look()
        return are_read(look.zoom / look.text_scale)

    def _is_written(self, frame: FrameShape) -> bool:
        """True for a loop whose line stands beside the cards and not in its frame."""
        return (LINE, frame.id) in self._canvas.picture.lines

    def _corner(self, frame: FrameShape, width: float, height: float) -> QPointF | None:
        """Where a counter of this size goes: before the loop's line if there is room, else right of the frame's title.

        Where it has no room there, it stands on the upper edge of the frame. Where a line beside the cards can't be
        read, what fits into no corner goes beside the frame, or below it.
        """
        canvas = self._canvas
        rect, lines = canvas.viewport.rect_to_view(frame.rect), canvas.picture.lines
        if self._is_written(frame) and self._is_read:
            row = lines.index[LINE, frame.id]
            line = canvas.viewport.rect_to_view(lines.rect(lines.keys[row]))
            text = line.right() - lines.text_width(row) * canvas.viewport.scale
            before = min(line.left(), text - width - GAP)
            if before >= BESIDE or width > rect.width():
                return QPointF(before, line.center().y() - height / 2)
        if width <= rect.width():
            look, left = canvas.look(), rect.right() - width - GAP
            above_cards = (MARGIN + TITLE) * look.zoom
            has_room = height <= above_cards and rect.left() + title_end(frame, look) + GAP <= left
            if has_room and not self._is_written(frame):
                return QPointF(left, rect.top() + (above_cards - height) / 2)
            return QPointF(left, rect.top() - height)
        if not self._is_written(frame):
            return None
        left = rect.left() - width - BESIDE
        return QPointF(left, rect.top()) if left >= 0 else QPointF(rect.left(), rect.bottom() + BESIDE)

    def _kept_inside(self, frame: FrameShape, corner: QPointF, width: float, height: float) -> QPointF:
        """Where it goes so that both arrows can be clicked: at the edge of the canvas, while its frame is in view.

        Where it would come over the frame's title there, it stands on the upper edge of the frame.
        """
        shown, rect = QRectF(self._canvas.rect()), self._canvas.viewport.rect_to_view(frame.rect)
        if not shown.intersects(rect):
            return corner
        left = max(min(corner.x(), shown.right() - width - BESIDE), BESIDE)
        top = corner.y()
        hides_title = top >= rect.top() and left < rect.left() + title_end(frame, self._canvas.look()) + GAP
        if hides_title and not self._is_written(frame) and rect.top() - height >= BESIDE:
            top = rect.top() - height
        is_cut = -height < top < BESIDE  # what has gone is not brought back: it would hide cards
        return QPointF(left, BESIDE if is_cut else top)

    def paint(self, painter: QPainter) -> None:
        """Text and arrows, on a plate of the frame's colour."""
        look = theme.current()
        for counter in self.counters():
            plate = counter.back.united(counter.on)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(look.color("tag_edge"), 1))
            painter.setBrush(look.color("tag"))
            painter.drawRoundedRect(plate, 4, 4)
            painter.setFont(mono_font(round(plate.height() - 4)))
            painter.setPen(look.color("tag_text"))
            painter.drawText(counter.words, Qt.AlignmentFlag.AlignCenter, counter.text)
            for rect, way in ((counter.back, -1), (counter.on, 1)):
                _paint_arrow(painter, rect, way)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take presses on the arrows before the canvas does."""
        kinds = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
        if isinstance(event, QMouseEvent) and event.type() in kinds and event.button() == Qt.MouseButton.LeftButton:
            for counter in self.counters():
                if counter.back.contains(event.position()):
                    self.stepped.emit(counter.loop, -1)
                    return True
                if counter.on.contains(event.position()):
                    self.stepped.emit(counter.loop, 1)
                    return True
        return super().eventFilter(watched, event)


def _paint_arrow(painter: QPainter, rect: QRectF, way: int) -> None:
    half = rect.height() * 0.22
    centre = rect.center()
    tip, back = QPointF(centre.x() + way * half, centre.y()), centre.x() - way * half
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.current().color("tag_text"))
    painter.drawPolygon(QPolygonF([tip, QPointF(back, centre.y() - half), QPointF(back, centre.y() + half)]))
