"""Sprites: cards painted once into pixmaps and stamped from then on."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QPainter, QPixmap

from chalkgrad_app.picture.brush import pen
from chalkgrad_app.picture.card import CardFace
from chalkgrad_app.picture.card_paint import Rooms
from chalkgrad_app.picture.drawings import Drawing
from chalkgrad_app.picture.look import Look
from chalkgrad_app.style.theme import Theme

BUDGET = 96 * 1024 * 1024
"""Memory that sprites may take, in bytes."""


MOST_STILL = 200
"""So many cards are remembered without their values, which is for those whose values change again and again."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Still:
    """A card without its values: what it says, and once that was asked for again, a pixmap and where values go."""

    what: Hashable
    pixmap: QPixmap = field(default_factory=QPixmap)
    rooms: Rooms = ()


class Sprites:
    """The sprites of one canvas; when zoom, pixel ratio, theme, language or drawing change, all are made anew."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, int], QPixmap] = OrderedDict()
        self._offsets: dict[int, tuple[float, float]] = {}
        self._stills: OrderedDict[int, Still] = OrderedDict()
        self._key: tuple[object, ...] = ()
        self._bytes = 0

    def stamp(
        self, painter: QPainter, drawing: Drawing, card: CardFace, serial: int, look: Look, x: float, y: float
    ) -> None:
        """Paint ``card`` with its top left corner at (x, y) of the painter."""
        key = _key(drawing, look)
        if key != self._key:
            self.clear()
            self._key = key
        pixmap = self._kept.get((card.id, serial))
        if pixmap is None:
            pixmap = self._make(drawing, card, serial, look)
        left, top = self._offsets[serial]
        dpr = look.dpr
        painter.drawPixmap(QPointF(round((x + left) * dpr) / dpr, round((y + top) * dpr) / dpr), pixmap)

    def has(self, drawing: Drawing, card: CardFace, serial: int, look: Look) -> bool:
        """True when stamping this card takes no time."""
        return (card.id, serial) in self._kept and _key(drawing, look) == self._key

    def clear(self) -> None:
        """Forget all sprites."""
        self._kept.clear()
        self._stills.clear()
        self._offsets.clear()
        self._bytes = 0

    def _make(self, drawing: Drawing, card: CardFace, serial: int, look: Look) -> QPixmap:
        zoom, dpr = look.zoom, look.dpr
        extent = drawing.extent(card)
        left, top = math.floor(extent.left() * zoom), math.floor(extent.top() * zoom)
        width = math.ceil(extent.right() * zoom) - left + 1
        height = math.ceil(extent.bottom() * zoom) - top + 1
        pixmap = QPixmap(math.ceil(width * dpr), math.ceil(height * dpr))
        pixmap.setDevicePixelRatio(dpr)
        pixmap.fill(Qt.GlobalColor.transparent)

        def painted(ground: QPixmap, paint: Callable[[QPainter], T]) -> T:
            painter = QPainter(ground)
            try:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
                painter.translate(-left, -top)
                painter.scale(zoom, zoom)
                return paint(painter)
            finally:
                painter.end()

        what = drawing.still(card, look)
        known = self._stills.get(card.id)
        if what is None or known is None or known.what != what:
            painted(pixmap, lambda painter: drawing.paint(painter, card, look))
            if what is not None:
                self._note(card.id, Still(what))
        else:  # only its values are others, as when somebody drags a number
            if known.pixmap.isNull():
                rooms = painted(pixmap, lambda painter: drawing.paint_still(painter, card, look))
                known = self._note(card.id, Still(what, pixmap, rooms))
            pixmap, rooms = QPixmap(known.pixmap), known.rooms
            painted(pixmap, lambda painter: drawing.paint_values(painter, card, rooms, look))
        self._keep((card.id, serial), pixmap, (float(left), float(top)))
        return pixmap

    def _note(self, id_: int, still: Still) -> Still:
        """Remember what is still of a card; of very many cards only of the newest."""
        self._stills[id_] = still
        self._stills.move_to_end(id_)
        if len(self._stills) > MOST_STILL:
            self._stills.popitem(last=False)
        return still

    def _keep(self, key: tuple[int, int], pixmap: QPixmap, offset: tuple[float, float]) -> None:
        self._kept[key] = pixmap
        self._offsets[key[1]] = offset
        self._bytes += 4 * pixmap.width() * pixmap.height()
        while self._bytes > BUDGET and len(self._kept) > 1:
            old, dropped = self._kept.popitem(last=False)
            self._offsets.pop(old[1], None)
            self._bytes -= 4 * dropped.width() * dropped.height()


def _key(drawing: Drawing, look: Look) -> tuple[object, ...]:
    return look.zoom, look.dpr, look.theme.name, look.words, look.level, drawing


def paint_card(painter: QPainter, drawing: Drawing, card: CardFace, look: Look) -> None:
    """Paint a card in its own coordinates at the look's level of detail."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    drawing.paint(painter, card, look)


@lru_cache(8)
def dot(radius: float, dpr: float, theme: Theme) -> QPixmap:
    """A gradient on its way: a dot in the colour of gradients, with an edge that shows on every ground."""
    side = math.ceil((2 * radius + 2) * dpr)
    pixmap = QPixmap(side, side)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    try:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(side / 2, side / 2)
        painter.scale(dpr, dpr)
        painter.setPen(pen(theme.color("card"), 1.5))
        painter.setBrush(QBrush(theme.color("grad")))
        painter.drawEllipse(QPointF(0, 0), radius, radius)
    finally:
        painter.end()
    return pixmap
