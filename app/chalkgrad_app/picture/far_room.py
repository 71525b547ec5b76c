"""Room for names beside what is seen from afar: what is free of marks, wires and titles."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF

from chalkgrad_app.picture.far_wires import far_lines
from chalkgrad_app.picture.node_arrays import Key
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.wires import COARSE, flatten
from chalkgrad_app.style import theme

SIZE = 11.0
"""Height of a name, in pixels at 100% text size."""
LONGEST = 18
"""A name of more letters loses its end."""
CELL, MOST_CELLS = 2.0, 500_000
"""What is taken is known for squares so wide, in pixels; wider ones in a picture that would need more of them."""
EDGE, LINE, FULL = 1, 2, 3
"""What a name may cross where there is no other way, the edge of a frame rather than a wire, and what it may not."""


class Thing(NamedTuple):
    """Something that has a name, a card or a node, with its middle and half its size in pixels."""

    of: int | Key
    text: str
    middle: tuple[float, float]
    half: tuple[float, float]


class Room(NamedTuple):
    """A place that a name takes, and what lies there: nothing, or what it may cross."""

    rect: QRectF
    level: int


class Taken:
    """Where something is painted that a name would hide, in squares of the picture."""

    def __init__(self, picture: Picture, zoom: float, things: Sequence[Thing]) -> None:
        boxes = np.array([[x - w, y - h, x + w, y + h] for _, _, (x, y), (w, h) in things])
        self._boxes = boxes = boxes.reshape(-1, 4)
        room = np.array([LONGEST * SIZE, 3 * SIZE]) * theme.text_size() / 100
        around = np.array([rect.getCoords() for rect in grounds(picture)]).reshape(-1, 4) * zoom
        all_of_it = np.concatenate([boxes, around])
        self._start = all_of_it[:, :2].min(axis=0) - room
        extent = all_of_it[:, 2:].max(axis=0) + room - self._start
        self._cell = max(CELL, sqrt(float(extent.prod()) / MOST_CELLS))
        self._squares = np.zeros((np.ceil(extent / self._cell).astype(int) + 1)[::-1], np.uint8)
        self._draw(_edges(picture, zoom), EDGE)
        self._draw(_lines(picture, zoom), LINE)
        for left, top, right, bottom in [*boxes.tolist(), *_filled(picture, zoom)]:
            self._squares[self._span(left, top, right, bottom)] = FULL

    def open_among(self, places: np.ndarray) -> list[list[QRectF]]:
        """Of each row of places (left, top, width, height) those in which nothing is yet that a name may not hide."""
        full = np.zeros((self._squares.shape[0] + 1, self._squares.shape[1] + 1), np.int32)
        full[1:, 1:] = (self._squares == FULL).cumsum(axis=0, dtype=np.int32).cumsum(axis=1)
        (x, y), (height, width) = self._start, self._squares.shape
        left, top, right, bottom = (
            places[..., 0],
            places[..., 1],
            places[..., 0] + places[..., 2],
            places[..., 1] + places[..., 3],
        )
        first, last = self._cells(left - x), self._cells(right - x) + 1
        upper, lower = self._cells(top - y), self._cells(bottom - y) + 1
        first, last = first.clip(0, width), last.clip(0, width)
        upper, lower = upper.clip(0, height), lower.clip(0, height)
        inside = full[lower, last] - full[upper, last] - full[lower, first] + full[upper, first]
        return [[QRectF(*place) for place in row[free].tolist()] for row, free in zip(places, inside == 0, strict=True)]

    def _cells(self, ways: np.ndarray) -> np.ndarray:
        return np.asarray((ways / self._cell).astype(np.intp))

    def take_one(self, places: Sequence[QRectF], worst: int, number: int | None = None) -> Room | None:
        """Take the first of these places where nothing is, else where nothing worse than that is; None without one.

        Those alone to which the thing with this ``number`` is nearer than any other: else it names another.
        """
        there: list[int] = []
        for most in range(worst + 1):
            for at, place in enumerate(places):
                if at == len(there):
                    there.append(int(self._squares[self._span_of(place)].max(initial=0)))
                if there[at] > most:
                    continue
                if number is not None and not self._is_nearest(place, number):  # which takes longest, so last
                    there[at] = FULL
                    continue
                self._squares[self._span_of(place)] = FULL
                return Room(place, there[at])
        return None

    def _is_nearest(self, place: QRectF, number: int) -> bool:
        """True where the thing with this number is nearer to a place than any other."""
        left, top, right, bottom = self._boxes.T
        across = np.maximum(place.left() - right, left - place.right())
        down = np.maximum(place.top() - bottom, top - place.bottom())
        distances = np.hypot(np.maximum(across, 0.0), np.maximum(down, 0.0))
        own = float(distances[number])
        distances[number] = np.inf
        return own < float(distances.min())

    def take_over(self, rect: QRectF, number: int) -> Room | None:
        """Take a place over the thing with this number and the lines beside it, where there is nothing else."""
        left, top, right, bottom = self._boxes[number].tolist()
        own = self._span(left, top, right, bottom)
        whole = self._span_of(rect)
        mine = self._squares[own].copy()
        self._squares[own] = np.minimum(mine, LINE)
        level = int(self._squares[whole].max(initial=0))
        self._squares[own] = mine
        if level > LINE:
            return None
        self._squares[whole] = FULL
        return Room(rect, level)

    def _span_of(self, rect: QRectF) -> tuple[slice, slice]:
        return self._span(rect.left(), rect.top(), rect.right(), rect.bottom())

    def _span(self, left: float, top: float, right: float, bottom: float) -> tuple[slice, slice]:
        x, y = self._start
        rows = slice(max(0, int((top - y) / self._cell)), max(0, int((bottom - y) / self._cell) + 1))
        return rows, slice(max(0, int((left - x) / self._cell)), max(0, int((right - x) / self._cell) + 1))

    def _draw(self, lines: np.ndarray, level: int) -> None:
        """Mark what lines (rows x1, y1, x2, y2) run through."""
        if not len(lines):
            return
        steps = np.ceil(np.abs(lines[:, 2:] - lines[:, :2]).max(axis=1) / self._cell).astype(int) + 1
        begins, ways = (lines[:, :2] - self._start) / self._cell, (lines[:, 2:] - lines[:, :2]) / self._cell
        along = (np.arange(steps.sum()) - (np.cumsum(steps) - steps).repeat(steps)) / steps.repeat(steps)
        x, y = (
            (begins[:, axis].repeat(steps) + along * ways[:, axis].repeat(steps)).astype(np.intp) for axis in (0, 1)
        )
        height, width = self._squares.shape
        inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        if not inside.all():
            x, y = x[inside], y[inside]
        self._squares.reshape(-1)[y * width + x] = level


def grounds(picture: Picture) -> list[QRectF]:
    """Frames, and the bands of gradients' graphs: only their titles and edges are in the way."""
    return [frame.rect for frame in picture.frames] + [band.rect for band in picture.gradients.bands]


def _filled(picture: Picture, zoom: float) -> list[list[float]]:
    """Notes, folded cards and titles of bands, as corners."""
    notes = [QRectF(note.x, note.y, note.width, note.height) for note in picture.notes]
    bands = [band.title for band in picture.gradients.bands]
    rects = [*notes, *(fold.rect for fold in picture.folds), *bands]
    return [[r.left() * zoom, r.top() * zoom, r.right() * zoom, r.bottom() * zoom] for r in rects]


def _lines(picture: Picture, zoom: float) -> np.ndarray:
    """Wires and arrows."""
    middles = np.stack([picture.x + picture.w / 2, picture.y + picture.h / 2], axis=1)
    wires = far_lines(picture, np.flatnonzero(~picture.wire_hidden), middles)
    layer = picture.gradients
    points = flatten(layer.cubics[layer.pieces_of(list(range(len(layer.links))))], COARSE)
    links = np.concatenate([points[:, :-1], points[:, 1:]], axis=2).reshape(-1, 4)
    return np.concatenate([wires, picture.function_ways.far, links]) * zoom


def _edges(picture: Picture, zoom: float) -> np.ndarray:
    """The edges of frames and bands."""
    found = []
    for rect in grounds(picture):
        left, top, right, bottom = rect.left(), rect.top(), rect.right(), rect.bottom()
        found += [(left, y, right, y) for y in (top, bottom)] + [(x, top, x, bottom) for x in (left, right)]
    return np.array(found, float).reshape(-1, 4) * zoom
