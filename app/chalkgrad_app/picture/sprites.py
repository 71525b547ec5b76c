"""Sprites: cards painted once into pixmaps and stamped from then on, and the numbers of their lines beside them."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple, TypeVar

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPixmap

from chalkgrad_app.picture.brush import pen
from chalkgrad_app.picture.card import CardFace
from chalkgrad_app.picture.card_paint import Rooms
from chalkgrad_app.picture.drawings import Drawing
from chalkgrad_app.picture.faces import Known
from chalkgrad_app.picture.line_numbers import NumberPlace, number_extent, paint_number
from chalkgrad_app.picture.look import Look
from chalkgrad_app.picture.rings import RING_REACH, paint_ring
from chalkgrad_app.style.theme import Theme

BUDGET = 96 * 1024 * 1024
"""Memory that sprites may take, in bytes."""


MOST_STILL = 200
"""So many cards are remembered without their values, which is for those whose values change again and again."""
MOST_NUMBERS = 2000
"""When there are so many numbers of lines, all are painted anew."""

MOST_RINGS = 30
"""Cards have few sizes; when there are so many rings, all are painted anew."""
LARGE_RING = 500_000
"""Rings with more device pixels within are painted each time: nearly all of such a sprite would be empty."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Still:
    """A card without its values: what it says, and once that was asked for again, a pixmap and where values go."""

    what: Hashable
    pixmap: QPixmap = field(default_factory=QPixmap)
    rooms: Rooms = ()


class Sprite(NamedTuple):
    """A pixmap, where its upper left corner lies on the card, and where the number of its line goes on it."""

    pixmap: QPixmap
    left: float
    top: float
    numbers: tuple[NumberPlace, ...] = ()

    def stamp(self, painter: QPainter, x: float, y: float, dpr: float) -> None:
        """Paint it on a card that has its corner at (x, y) of the painter, on whole device pixels."""
        corner = QPointF(round((x + self.left) * dpr) / dpr, round((y + self.top) * dpr) / dpr)
        painter.drawPixmap(corner, self.pixmap)


class Sprites:
    """The sprites of one canvas; when zoom, pixel ratio, theme, language or drawing change, all are made anew."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, Sprite] = OrderedDict()
        self._numbers: dict[tuple[int, NumberPlace], Sprite] = {}
        self._rings: dict[tuple[float, float, float], Sprite] = {}
        self._stills: OrderedDict[int, Still] = OrderedDict()
        self._key: tuple[object, ...] = ()
        self._look: Look | None = None
        self._drawing: Drawing | None = None
        self._bytes = 0

    def stamp(
        self, painter: QPainter, drawing: Drawing, known: Known, line: int, look: Look, x: float, y: float
    ) -> None:
        """Paint the card of a ``line`` with its top left corner at (x, y) of the painter."""
        self._follow(drawing, look)
        sprite = self._kept.get(known.serial)
        if sprite is None:
            sprite = self._made(drawing, known.face, look)
            self._keep(known.serial, sprite)
        sprite.stamp(painter, x, y, look.dpr)
        for place in sprite.numbers:
            self._number(line, place, look).stamp(painter, x, y, look.dpr)

    def stamp_ring(self, painter: QPainter, drawing: Drawing, rect: QRectF, radius: float, look: Look) -> None:
        """Paint the ring around what is selected and has this rectangle of the canvas."""
        if look.vector or rect.width() * rect.height() * (look.zoom * look.dpr) ** 2 > LARGE_RING:
            paint_ring(painter, rect, radius, look)
            return
        self._follow(drawing, look)
        (left, top), zoom = look.origin, look.zoom
        ring = self._ring(rect.width(), rect.height(), radius, look)
        ring.stamp(painter, (rect.left() - left) * zoom, (rect.top() - top) * zoom, look.dpr)

    def has(self, drawing: Drawing, serial: int, look: Look) -> bool:
        """True when stamping the card with this serial takes no time."""
        return serial in self._kept and _key(drawing, look) == self._key

    def clear(self) -> None:
        """Forget all sprites."""
        self._kept.clear()
        self._numbers.clear()
        self._rings.clear()
        self._stills.clear()
        self._bytes = 0

    def _made(self, drawing: Drawing, card: CardFace, look: Look) -> Sprite:
        sprite = _blank(drawing.extent(card), look)._replace(numbers=drawing.numbers(card, look))
        what = drawing.still(card, look)
        known = self._stills.get(card.id)
        if what is None or known is None or known.what != what:
            _paint_on(sprite, look, lambda painter: drawing.paint(painter, card, look))
            if what is not None:
                self._note(card.id, Still(what))
            return sprite
        if known.pixmap.isNull():  # only its values are others, as when somebody drags a number
            rooms = _paint_on(sprite, look, lambda painter: drawing.paint_still(painter, card, look))
            known = self._note(card.id, Still(what, sprite.pixmap, rooms))
        sprite = sprite._replace(pixmap=QPixmap(known.pixmap))
        _paint_on(sprite, look, lambda painter: drawing.paint_values(painter, card, known.rooms, look))
        return sprite

    def _number(self, line: int, place: NumberPlace, look: Look) -> Sprite:
        """The number of a line."""
        found = self._numbers.get((line, place))
        if found is None:
            if len(self._numbers) >= MOST_NUMBERS:
                self._numbers.clear()
            found = self._numbers[line, place] = _blank(number_extent(line, place), look)
            _paint_on(found, look, lambda painter: paint_number(painter, line, place, look.theme))
        return found

    def _ring(self, width: float, height: float, radius: float, look: Look) -> Sprite:
        """The ring around a card of this size."""
        found = self._rings.get((width, height, radius))
        if found is None:
            if len(self._rings) >= MOST_RINGS:
                self._rings.clear()
            around, at_corner = QRectF(0, 0, width, height), replace(look, origin=(0.0, 0.0))
            reach = RING_REACH + 1 / look.zoom
            found = self._rings[width, height, radius] = _blank(around.adjusted(-reach, -reach, reach, reach), look)

            def paint(painter: QPainter) -> None:
                painter.scale(1 / look.zoom, 1 / look.zoom)  # the line is as wide as the look says
                paint_ring(painter, around, radius, at_corner)

            _paint_on(found, look, paint)
        return found

    def _follow(self, drawing: Drawing, look: Look) -> None:
        """All is painted anew for another zoom, theme, language or drawing."""
        if look is self._look and drawing is self._drawing:  # asked for every card of a frame
            return
        self._look, self._drawing = look, drawing
        key = _key(drawing, look)
        if key != self._key:
            self.clear()
            self._key = key

    def _note(self, id_: int, still: Still) -> Still:
        """Remember what is still of a card; of very many cards only of the newest."""
        self._stills[id_] = still
        self._stills.move_to_end(id_)
        if len(self._stills) > MOST_STILL:
            self._stills.popitem(last=False)
        return still

    def _keep(self, serial: int, sprite: Sprite) -> None:
        self._kept[serial] = sprite
        self._bytes += _bytes(sprite)
        while self._bytes > BUDGET and len(self._kept) > 1:
            self._bytes -= _bytes(self._kept.popitem(last=False)[1])


def _bytes(sprite: Sprite) -> int:
    return 4 * sprite.pixmap.width() * sprite.pixmap.height()


def _blank(extent: QRectF, look: Look) -> Sprite:
    """A transparent sprite for what a card has in this rectangle."""
    zoom, dpr = look.zoom, look.dpr
    left, top = math.floor(extent.left() * zoom), math.floor(extent.top() * zoom)
    width = math.ceil(extent.right() * zoom) - left + 1
    height = math.ceil(extent.bottom() * zoom) - top + 1
    pixmap = QPixmap(math.ceil(width * dpr), math.ceil(height * dpr))
    pixmap.setDevicePixelRatio(dpr)
    pixmap.fill(Qt.GlobalColor.transparent)
    return Sprite(pixmap, float(left), float(top))


def _paint_on(sprite: Sprite, look: Look, paint: Callable[[QPainter], T]) -> T:
    """Have something painted on a sprite, in the card's own coordinates."""
    painter = QPainter(sprite.pixmap)
    try:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        painter.translate(-sprite.left, -sprite.top)
        painter.scale(look.zoom, look.zoom)
        return paint(painter)
    finally:
        painter.end()


def _key(drawing: Drawing, look: Look) -> tuple[object, ...]:
    return look.zoom, look.dpr, look.theme.name, look.words, look.level, drawing


def paint_card(painter: QPainter, drawing: Drawing, card: CardFace, line: int, look: Look) -> None:
    """Paint the card of a ``line`` in its own coordinates at the look's level of detail."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    drawing.paint(painter, card, look)
    for place in drawing.numbers(card, look):
        paint_number(painter, line, place, look.theme)


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
