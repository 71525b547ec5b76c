"""Which part of a still picture has to be painted again after the picture was brought up to date."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF

from chalkgrad_app.picture.paint import REACH, is_loose
from chalkgrad_app.picture.picture import Picture

BESIDE_WIRE = 3.0
"""How far a wire may reach beyond its curve, in canvas units."""


class Shown(NamedTuple):
    """How the cards of a picture lie, how its wires look, where they begin and end, and the boxes around them."""

    lying: np.ndarray
    looks: np.ndarray
    ends: np.ndarray
    boxes: np.ndarray


def shown(picture: Picture) -> Shown:
    """How they do now; it stays so when the picture is brought up to date."""
    lying = np.stack([picture.x, picture.y, picture.w, picture.h])
    looks = np.stack([picture.thick, picture.dotted, picture.faulty])
    return Shown(lying, looks, picture.ends.copy(), picture.boxes.copy())


def damage(picture: Picture, before: Shown, ids: Collection[int] | None) -> QRectF | None:
    """What of the canvas looks otherwise than ``before``, where at most these cards do; None: any part of it may."""
    if ids is None or len(picture.tagged) or picture.drawing.shows_functions or not is_loose(picture):
        return None
    now = shown(picture)
    if not np.array_equal(now.lying, before.lying) or now.looks.shape != before.looks.shape:
        return None
    boxes = np.concatenate([_around_cards(picture, now, ids), _around_wires(picture, now, before)])
    if not len(boxes):
        return QRectF()
    (left, top), (right, bottom) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
    return QRectF(left, top, right - left, bottom - top)


def _around_cards(picture: Picture, now: Shown, ids: Collection[int]) -> np.ndarray:
    x, y, w, h = now.lying[:, [row for row in picture.rows_of(ids).tolist() if not picture.hidden[row]]]
    left, top, right, bottom = REACH
    return np.stack([x - left, y - top, x + w + right, y + h + bottom], axis=1)


def _around_wires(picture: Picture, now: Shown, before: Shown) -> np.ndarray:
    """Around the wires that look or run otherwise, where they run and where they ran."""
    other = (now.looks != before.looks).any(axis=0)
    other |= (now.ends != before.ends).any(axis=1) | (now.boxes != before.boxes).any(axis=1)
    other &= ~picture.wire_hidden
    beside = np.array([-BESIDE_WIRE, -BESIDE_WIRE, BESIDE_WIRE, BESIDE_WIRE])
    around: np.ndarray = np.concatenate([before.boxes[other], now.boxes[other]]) + beside
    return around
