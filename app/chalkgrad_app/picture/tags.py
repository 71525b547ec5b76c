"""Tags on wires, ``.T`` and the like: each in the middle of its wire, or beside it where others pass there."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QBrush, QPainter

from chalkgrad.layout.boxes import meeting
from chalkgrad_app.picture.brush import measure, pen, write
from chalkgrad_app.picture.look import Look
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.wires import FINE, SEGMENTS, flatten
from chalkgrad_app.style.fonts import mono_font

HEIGHT = 18.0
INSET = 6.0
BESIDE = 3.0
"""So near to a tag no other wire passes, where there is such a place."""
PARTS = np.array([0.5, *(0.5 + side * 0.05 * step for step in range(1, 9) for side in (-1, 1))])
"""The places on its wire that a tag may have, as parts of the way; those first are better."""
COVERED = 100
"""A card under a tag is as bad as so many wires."""


def paint_tags(painter: QPainter, picture: Picture, look: Look, wires: np.ndarray) -> None:
    """Paint the tags of those of these wires that have some."""
    if not len(picture.tagged):
        return
    font = mono_font(12)
    for row in np.intersect1d(wires, picture.tagged).tolist():
        rect = tag_rect(picture, row)
        painter.save()
        try:
            painter.translate(look.point(rect.center().x(), rect.center().y()))
            painter.scale(look.zoom, look.zoom)
            plate = rect.translated(-rect.center())
            painter.setPen(pen(look.theme.color("tag_edge"), 1.0))
            painter.setBrush(QBrush(look.theme.color("tag")))
            painter.drawRoundedRect(plate, 4, 4)
            text = " ".join(picture.wires[row].tags)
            write(painter, text, font, look.theme.color("tag_text"), plate.left() + INSET, 0)
        finally:
            painter.restore()


def tag_width(tags: tuple[str, ...]) -> float:
    """How wide the tags of one wire are together."""
    return measure(mono_font(12)).horizontalAdvance(" ".join(tags)) + 2 * INSET


def tag_rect(picture: Picture, row: int) -> QRectF:
    """Where the tag of wire number ``row`` lies, in canvas units."""
    width = tag_width(picture.wires[row].tags)
    place = picture.tag_places.get(row)
    if place is None:
        place = picture.tag_places[row] = _place(picture, row, width)
    return QRectF(place[0] - width / 2, place[1] - HEIGHT / 2, width, HEIGHT)


def _place(picture: Picture, row: int, width: float) -> tuple[float, float]:
    """The middle of a tag: as near as can be to that of its wire where it covers neither other wires nor cards."""
    points = flatten(picture.cubics[picture.pieces_of(np.array([row]))], FINE).reshape(-1, 2)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    middles = np.stack([np.interp(PARTS * along[-1], along, points[:, axis]) for axis in (0, 1)], axis=1)
    half = np.array([width / 2 + BESIDE, HEIGHT / 2 + BESIDE])
    rects = np.concatenate([middles - half, middles + half], axis=1)
    bad = _wires_met(picture, row, rects) + COVERED * _cards_met(picture, rects)
    x, y = middles[int(bad.argmin())].tolist()
    return x, y


def _wires_met(picture: Picture, row: int, rects: np.ndarray) -> np.ndarray:
    """How many lines of other wires each rectangle meets."""
    others = ~picture.wire_hidden & meeting(picture.boxes, rects[:, :2].min(axis=0), rects[:, 2:].max(axis=0))
    others[row] = False
    points = flatten(picture.cubics[picture.pieces_of(np.flatnonzero(others))], SEGMENTS)
    ends = np.concatenate([points[:, :-1], points[:, 1:]], axis=2).reshape(-1, 4)
    lines = np.concatenate([np.minimum(ends[:, :2], ends[:, 2:]), np.maximum(ends[:, :2], ends[:, 2:])], axis=1)
    return _met(lines, rects)


def _cards_met(picture: Picture, rects: np.ndarray) -> np.ndarray:
    """How many cards each rectangle meets."""
    cards = np.stack([picture.x, picture.y, picture.x + picture.w, picture.y + picture.h], axis=1)
    return _met(cards[~picture.hidden], rects)


def _met(boxes: np.ndarray, rects: np.ndarray) -> np.ndarray:
    """How many of these boxes each rectangle meets; a level or an upright line is a box, too."""
    near = boxes[meeting(boxes, rects[:, :2].min(axis=0), rects[:, 2:].max(axis=0))]
    return np.asarray(meeting(near, rects.T[:2, :, None], rects.T[2:, :, None]).sum(axis=1))
