"""Where the gradients on the wires of a canvas stand: on their wire or beside it, and there they stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF

from chalkgrad.layout.boxes import meeting
from chalkgrad_app.canvas.clearance import Written, around, outside

PARTS = (0.26, 0.34, 0.42, 0.5, 0.58, 0.66, 0.74)
"""How far along the end of its wire a pill may stand,"""
MIDDLE = PARTS.index(0.5)
ABOVE = (0.0, 0.6, -0.6, 1.1, -1.1, 1.7, -1.7, 2.4, -2.4, 3.2, -3.2)
BESIDE = (0.6, -0.6, 1.1, -1.1)
"""and how far above or below it in heights of the pill, or beside it in widths."""
STEPS = np.array([*((0.0, above) for above in ABOVE), *((beside, 0.0) for beside in BESIDE)])
ALONG, OFF = 0.3, 3.0
"""What a pixel along the wire and one beside it cost, in pixels of names and values that a pill hides."""

Key = tuple[bool, int]


class Wanted(NamedTuple):
    """A pill that is to stand somewhere: which one, the points at :data:`PARTS` of its wire, its width and height.

    Points are in pixels of the picture, which don't differ when it is panned.
    """

    key: Key
    way: np.ndarray
    size: tuple[float, float]
    is_last: bool


class Standing(NamedTuple):
    """A pill that stands: along which points, how large, and where: left, top, right, bottom.

    All in pixels of the picture.
    """

    way: np.ndarray
    size: tuple[float, float]
    box: np.ndarray


class PillPlaces:
    """Remembers where pills stand, so that none of them jumps because another one came."""

    def __init__(self) -> None:
        self._of: tuple[object, ...] = ()
        self._seen: tuple[object, ...] = ()
        self._standing: dict[Key, Standing] = {}

    def forget(self) -> None:
        """No pill stands any more."""
        self._standing = {}

    def of(
        self,
        wanted: Sequence[Wanted],
        of: tuple[object, ...],
        area: QRectF,
        origin: np.ndarray,
        clear: Callable[[], Written],
    ) -> list[QRectF | None]:
        """Where in an ``area`` each of the ``wanted`` stands, None for lack of room; in pixels from ``origin`` on.

        One that stands goes with the picture and stays, until its wire runs elsewhere, the picture is another (``of``)
        or it is panned out of the area. ``clear`` says what can be hidden.
        """
        seen = (area, *origin.tolist())
        if self._of != of:
            self._of, self._standing = of, {}
        shift = np.tile(origin, 2)
        kept = {one.key: self._standing[one.key] for one in wanted if self._stays(one, area, shift, seen == self._seen)}
        self._seen = seen
        if len(kept) < len(wanted):
            kept = self._find(wanted, kept, area, shift, clear())
        self._standing = kept
        return [_rect(kept[one.key].box - shift) if one.key in kept else None for one in wanted]

    def _stays(self, one: Wanted, area: QRectF, shift: np.ndarray, rests: bool) -> bool:
        """True for a pill that stands where it may go on standing; while the view ``rests``, partly outside of it."""
        before = self._standing.get(one.key)
        if before is None or before.size != one.size or not np.array_equal(before.way, one.way):
            return False
        return rests or area.contains(_rect(before.box - shift))

    def _find(
        self, wanted: Sequence[Wanted], kept: dict[Key, Standing], area: QRectF, shift: np.ndarray, clear: Written
    ) -> dict[Key, Standing]:
        """Places for all that don't stand yet; what was sent last is read, and the others give way where they must."""
        new = sorted((one for one in wanted if one.key not in kept), key=lambda one: not one.is_last)
        boxes, costs = _choices(new)
        seen = boxes - shift
        costs = costs + outside(seen, area) + np.array([clear.hidden_by(group) for group in seen])
        for standing in kept.values():
            costs[meeting(boxes, standing.box[:2], standing.box[2:])] = np.inf
        found = dict(kept)
        for row, one in enumerate(new):
            best = int(costs[row].argmin())
            if costs[row, best] < np.inf:
                found[one.key] = Standing(one.way, one.size, boxes[row, best])
                costs[row + 1 :][meeting(boxes[row + 1 :], boxes[row, best, :2], boxes[row, best, 2:])] = np.inf
            elif one.is_last and kept:
                return self._find(wanted, {}, area, shift, clear)
        return found


def _choices(wanted: Sequence[Wanted]) -> tuple[np.ndarray, np.ndarray]:
    """For each pill the boxes where it could stand, along its wire or beside it, and what each of them costs."""
    ways, sizes = np.array([one.way for one in wanted]), np.array([one.size for one in wanted])
    steps = STEPS * sizes[:, None]
    moved = np.linalg.norm(ways - ways[:, MIDDLE, None], axis=2)
    costs = ALONG * moved[:, None] + OFF * np.abs(steps).sum(axis=2)[..., None]
    centres = (ways[:, None] + steps[:, :, None]).reshape(len(wanted), -1, 2)
    return around(centres, sizes[:, None]), costs.reshape(len(wanted), -1)


def _rect(box: np.ndarray) -> QRectF:
    left, top, right, bottom = box.tolist()
    return QRectF(left, top, right - left, bottom - top)
