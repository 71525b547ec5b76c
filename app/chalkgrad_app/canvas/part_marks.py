"""The cards that play a part in a conflict of versions, each with a line of its own shape and words beside it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QRegion

from chalkgrad_app.canvas.clearance import said_beside, written
from chalkgrad_app.picture.brush import measure, write
from chalkgrad_app.picture.look import Level
from chalkgrad_app.picture.paint import visible_cards
from chalkgrad_app.picture.part_lines import BETWEEN, WAVE, part_line
from chalkgrad_app.pointing import PlayedPart
from chalkgrad_app.style import theme
from chalkgrad_app.style.fonts import ui_font

if TYPE_CHECKING:
    from chalkgrad_app.canvas.view import Canvas

GAP, WIDTH = 5.0, 2.0
"""Between a card and its line, and how wide the line is, in pixels on the screen."""
HIGH, PAD = 18.0, 6.0
"""Height of a word's ground and room at its sides, in pixels at 100% text size."""
LARGEST = 1.5
"""So many times larger words grow with the text size, and no more: they would hide the cards."""
REACH = 24.0
"""Cards so near may lie under a line, in pixels."""
AND = " · "
"""Between the words of two parts that one card plays."""
DEARER = 20.0
"""What each further place at a card costs, in pixels of names and values that a word hides."""
EDGE = 4.0
"""Between a word and the edge of the canvas, in pixels."""


class PartMarks(QObject):
    """Paints the parts of :attr:`Document.pointed_out`, as large on the screen at every zoom."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.placed: list[QRectF] = []
        """Where words were painted last, in pixels of the canvas."""
        canvas.overlay_painters.append(self._paint)

    def _paint(self, painter: QPainter) -> None:
        picture = self._canvas.picture
        by_card: defaultdict[int, list[PlayedPart]] = defaultdict(list)
        for played in self._canvas.document.pointed_out.parts:
            if played.card in picture.index and not picture.hidden[picture.index[played.card]]:
                by_card[played.card].append(played)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        words: list[tuple[QRectF, str]] = []
        for card, parts in by_card.items():
            rect = QRectF()
            for each in self._said_by(card):
                rect = rect.united(each)
            painter.save()
            painter.setClipRegion(self._free_of_others(rect, card))
            around = self._paint_lines(painter, rect, parts)
            painter.restore()
            words.append((around, AND.join(played.words for played in parts)))
        self.placed = []
        for around, text in words:
            self.placed.append(self._paint_word(painter, around, text))

    def _said_by(self, card: int) -> list[QRectF]:
        """Where a card is, and what it says beside itself, in pixels: a line through that would hide it."""
        picture, view = self._canvas.picture, self._canvas.viewport
        rect = picture.rect(card)
        near = self._canvas.look().level is Level.NEAR
        beside = said_beside(picture, picture.index[card]) if near else ()
        return [
            view.rect_to_view(each) for each in (rect, *(QRectF(*box).translated(rect.topLeft()) for box in beside))
        ]

    def _free_of_others(self, rect: QRectF, card: int) -> QRegion:
        """Where no other card near ``rect`` is or says anything: lines go on behind those."""
        picture, canvas = self._canvas.picture, self._canvas
        near = rect.adjusted(-REACH, -REACH, REACH, REACH)
        free = QRegion(canvas.rect())
        for row in visible_cards(picture, canvas.look().to_scene(near)).tolist():
            for each in self._said_by(picture.ids[row]) if picture.ids[row] != card else ():
                free -= QRegion(each.toAlignedRect())
        return free

    def _paint_lines(self, painter: QPainter, rect: QRectF, parts: list[PlayedPart]) -> QRectF:
        """The lines of one card from the inner one outwards; returns all the room that they take."""
        look = theme.current()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for part in dict.fromkeys(played.part for played in parts):
            rect = rect.adjusted(-GAP, -GAP, GAP, GAP)
            for color, width in ((look.color("canvas"), WIDTH + 3), (look.color("text"), WIDTH)):
                pen = QPen(color, width)
                pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
                painter.setPen(pen)
                painter.drawPath(part_line(part, rect))
        beside = max(WAVE, BETWEEN) + 2
        return rect.adjusted(0, -beside, 0, beside)

    def _paint_word(self, painter: QPainter, around: QRectF, words: str) -> QRectF:
        """A word on a ground of its own at its card, where it hides the least; returns where."""
        look, grown = theme.current(), min(theme.text_size() / 100, LARGEST)
        font = ui_font(12 * grown, True)
        width, height = measure(font).horizontalAdvance(words) + 2 * PAD * grown, HIGH * grown
        ground = self._place(around, width, height)
        painter.setPen(QPen(look.color("text"), 1.0))
        painter.setBrush(look.color("base"))
        painter.drawRect(ground)
        write(painter, words, font, look.color("text"), ground.left() + PAD * grown, ground.center().y())
        return ground

    def _place(self, around: QRectF, width: float, height: float) -> QRectF:
        """Above its card, below or beside it, within the canvas; beside other words if it must be."""
        low, high = max(self._canvas.width() - width - EDGE, EDGE), max(self._canvas.height() - height - EDGE, EDGE)
        lefts, tops = (around.left(), around.right() - width), (around.top() - height, around.bottom())
        levels = (around.center().y() - height / 2, around.top(), around.bottom() - height)
        beside = (around.right() + EDGE, around.left() - EDGE - width)
        wanted = [*((x, y) for y in tops for x in lefts), *((x, y) for y in levels for x in beside)]
        corners = [(min(max(x, EDGE), low), min(max(y, EDGE), high)) for x, y in wanted]
        boxes = np.array([(x, y, x + width, y + height) for x, y in corners])
        clear = written(self._canvas)
        found = clear.best(boxes, DEARER * np.arange(len(boxes)), self.placed)
        if found is not None:
            return found
        ground = QRectF(boxes[0][0], boxes[0][1], width, height)
        for other in sorted(self.placed, key=QRectF.left):
            if ground.intersects(other):
                ground.moveLeft(other.right() + 2)
        return ground
