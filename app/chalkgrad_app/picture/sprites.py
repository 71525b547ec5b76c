"""Sprites: cards painted once into pixmaps and stamped from then on."""

from __future__ import annotations

import math
from collections import OrderedDict
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPixmap

from chalkgrad_app.picture.anatomy import ERROR_STRIP
from chalkgrad_app.picture.brush import pen
from chalkgrad_app.picture.card import CardFace
from chalkgrad_app.picture.card_paint import PORT, field_width, paint_near
from chalkgrad_app.picture.look import Level, Look
from chalkgrad_app.picture.middle_paint import paint_middle
from chalkgrad_app.style.theme import Theme

BUDGET = 96 * 1024 * 1024
"""Memory that sprites may take, in bytes."""


class Sprites:
    """The sprites of one canvas; when zoom, pixel ratio, theme or language change, all are made anew."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, int], QPixmap] = OrderedDict()
        self._offsets: dict[int, tuple[float, float]] = {}
        self._key: tuple[object, ...] = ()
        self._bytes = 0

    def stamp(self, painter: QPainter, card: CardFace, serial: int, look: Look, x: float, y: float) -> None:
        """Paint ``card`` with its top left corner at (x, y) of the painter."""
        key = (look.zoom, look.dpr, look.theme.name, look.words, look.level)
        if key != self._key:
            self.clear()
            self._key = key
        pixmap = self._kept.get((card.id, serial))
        if pixmap is None:
            pixmap = self._make(card, serial, look)
        left, top = self._offsets[serial]
        dpr = look.dpr
        painter.drawPixmap(QPointF(round((x + left) * dpr) / dpr, round((y + top) * dpr) / dpr), pixmap)

    def clear(self) -> None:
        """Forget all sprites."""
        self._kept.clear()
        self._offsets.clear()
        self._bytes = 0

    def _make(self, card: CardFace, serial: int, look: Look) -> QPixmap:
        zoom, dpr = look.zoom, look.dpr
        extent = card_extent(card)
        left, top = math.floor(extent.left() * zoom), math.floor(extent.top() * zoom)
        width = math.ceil(extent.right() * zoom) - left + 1
        height = math.ceil(extent.bottom() * zoom) - top + 1
        pixmap = QPixmap(math.ceil(width * dpr), math.ceil(height * dpr))
        pixmap.setDevicePixelRatio(dpr)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        try:
            painter.translate(-left, -top)
            painter.scale(zoom, zoom)
            paint_card(painter, card, look)
        finally:
            painter.end()
        self._keep((card.id, serial), pixmap, (float(left), float(top)))
        return pixmap

    def _keep(self, key: tuple[int, int], pixmap: QPixmap, offset: tuple[float, float]) -> None:
        self._kept[key] = pixmap
        self._offsets[key[1]] = offset
        self._bytes += 4 * pixmap.width() * pixmap.height()
        while self._bytes > BUDGET and len(self._kept) > 1:
            old, dropped = self._kept.popitem(last=False)
            self._offsets.pop(old[1], None)
            self._bytes -= 4 * dropped.width() * dropped.height()


def paint_card(painter: QPainter, card: CardFace, look: Look) -> None:
    """Paint a card in its own coordinates at the look's level of detail."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    if look.level is Level.NEAR:
        paint_near(painter, card, look.theme, look.words)
    else:
        paint_middle(painter, card, look.theme, look.words)


def card_extent(card: CardFace) -> QRectF:
    """Everything that painting a card touches, in its own coordinates: ports, fields, hatching, the error strip."""
    left = PORT + 2 + max((field_width(field.text) + PORT for field in card.fields), default=0.0)
    below = ERROR_STRIP if card.error and card.rows else 4.0
    around = 10.0 if card.error else 0.0
    width, height = card.anatomy.width, card.anatomy.height
    card_rect = QRectF(0, 0, width, height)
    return card_rect.adjusted(-max(left, around), -12.0, PORT + 10 + around, below + around)


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
