"""The path through the graph that a panel points out: its cards and the wires between them, above the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from chalkgrad_app.picture.card_parts import ROUND
from chalkgrad_app.picture.curves import wire_path
from chalkgrad_app.picture.marks import Fact
from chalkgrad_app.style import theme

if TYPE_CHECKING:
    from chalkgrad_app.canvas.view import Canvas

AROUND, ALONG = 4.0, 6.0
"""Widths of the lines around a card and along a wire, in pixels."""
GAP = 5.0
"""Between a card and the line around it, in canvas units."""


class PathMarks(QObject):
    """Paints what :attr:`Document.pointed_out` names."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        canvas.overlay_painters.append(self._paint)

    def _paint(self, painter: QPainter) -> None:
        picture = self._canvas.picture
        cards = [id_ for id_ in self._canvas.document.pointed_out.cards if id_ in picture.index]
        if not cards:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(self._canvas.to_view(QPointF(0, 0)))
        painter.scale(self._canvas.viewport.scale, self._canvas.viewport.scale)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        colour = QColor(theme.current().color("grad"))
        painter.setPen(_pen(colour, AROUND))
        for id_ in cards:
            if picture.hidden[picture.index[id_]]:
                continue
            rect = picture.rect(id_).adjusted(-GAP, -GAP, GAP, GAP)
            is_round = bool(picture.facts[picture.index[id_]] & Fact.ROUND)
            painter.drawRoundedRect(rect, ROUND + GAP, ROUND + GAP) if is_round else painter.drawRect(rect)
        colour.setAlphaF(0.6)
        painter.setPen(_pen(colour, ALONG))
        for path in self._wires():
            painter.drawPath(path)

    def _wires(self) -> list[QPainterPath]:
        """The curves of the wires between cards that are linked; several may run between the same two."""
        picture, links = self._canvas.picture, self._card_links()
        rows = picture.wires_of({id_ for link in links for id_ in link}).tolist()
        shown = [row for row in rows if (picture.wires[row].target, picture.wires[row].source) in links]
        return [wire_path(picture.cubics[picture.pieces_of(np.array([row]))]) for row in shown]

    def _card_links(self) -> set[tuple[int, int]]:
        """The links from card to card: operators that are a tag on a wire have none and are passed."""
        sources: dict[int, list[int]] = {}
        for made, of in self._canvas.document.pointed_out.links:
            sources.setdefault(made, []).append(of)
        found: set[tuple[int, int]] = set()
        index = self._canvas.picture.index
        for made in sources:
            pending = list(sources[made]) if made in index else []
            while pending:
                of = pending.pop()
                if of in index:
                    found.add((made, of))
                else:
                    pending += sources.get(of, ())
        return found


def _pen(colour: QColor, width: float) -> QPen:
    pen = QPen(colour, width)
    pen.setCosmetic(True)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    return pen
