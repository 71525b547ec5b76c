"""What wires keep clear of: cards, numbers at ports, titles and corners of frames, notes, what stands between strips.

Of each there are rectangles (left, top, right, bottom), of all together the boxes among which a router finds ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from chalkgrad.layout import Box, Room
from chalkgrad.layout.boxes import meeting
from chalkgrad_app.picture.anatomy import ERROR_STRIP
from chalkgrad_app.picture.card import fields_of
from chalkgrad_app.picture.card_parts import field_rect
from chalkgrad_app.picture.frames import CORNER, FrameShape, title_rect
from chalkgrad_app.picture.strips import taken
from chalkgrad_app.picture.wires import turned

if TYPE_CHECKING:
    from chalkgrad_app.picture.wire_arrays import WireArrays

NOBODY = -1
"""The id of what is no card."""


def things(picture: WireArrays) -> np.ndarray:
    """Left, top, right and bottom of all but numbers: of each card by its row, and then of what else there is."""
    cards = _cards(picture)
    notes, corners = _clear(_notes(picture), cards), _clear(_corners(picture), cards)
    return np.concatenate([cards, _titles(picture), notes, corners, taken(picture)])


def _cards(picture: WireArrays) -> np.ndarray:
    """The same of each card, with the line with its error below it; of a folded node its pile."""
    below = picture.h + picture.below * ERROR_STRIP
    rects = np.stack([picture.x, picture.y, picture.x + picture.w, picture.y + below], axis=1)
    for fold in picture.folding.folds:
        rects[[picture.index[id_] for id_ in fold.cards if id_ in picture.index]] = fold.pile.getCoords()
    return rects


def _titles(picture: WireArrays) -> np.ndarray:
    """The same of the titles of frames that stand on them."""
    return np.array([title_rect(frame).getCoords() for frame in _seen_frames(picture)]).reshape(-1, 4)


def _corners(picture: WireArrays) -> np.ndarray:
    """The same of the round corners of frames, but for those at which their titles stand."""
    found = []
    edges = np.array([frame.rect.getCoords() for frame in _seen_frames(picture)]).reshape(-1, 4)
    for left, top, right, bottom in edges.tolist():
        found += [(x, bottom - CORNER, x + CORNER, bottom) for x in (left, right - CORNER)]
        found += [(right - CORNER, top, right, top + CORNER)]
    return np.array(found).reshape(-1, 4)


def _seen_frames(picture: WireArrays) -> list[FrameShape]:
    """The frames that are painted."""
    return [frame for frame in picture.frames if not (frame.block and picture.drawing.shows_functions)]


def _notes(picture: WireArrays) -> np.ndarray:
    """The same of notes."""
    found = [(note.x, note.y, note.x + note.width, note.y + note.height) for note in picture.notes]
    return np.array(found).reshape(-1, 4)


def _clear(rects: np.ndarray, cards: np.ndarray) -> np.ndarray:
    """Those of these that lie on no card and under none: there wires could not reach it."""
    return rects[[not meeting(cards, rect[:2], rect[2:]).any() for rect in rects]] if len(rects) else rects


def rails(picture: WireArrays) -> list[Box]:
    """The edges of frames along which wires might run."""
    edges = np.array([frame.rect.getCoords() for frame in picture.frames]).reshape(-1, 4)
    edges = turned(edges) if picture.drawing.down else edges
    found = []
    for left, top, right, bottom in edges.tolist():
        found += [Box(NOBODY, left, y, right, y) for y in (top, bottom)]
        found += [Box(NOBODY, x, top, x, bottom) for x in (left, right)]
    return found


def rooms(picture: WireArrays) -> list[Room]:
    """The blocks, which wires of other lines pass beside them; a folded node stands for all that is in it."""
    blocks = [frame for frame in picture.frames if frame.block]
    edges = np.array([frame.rect.getCoords() for frame in blocks]).reshape(-1, 4)
    known = shown_as(picture)
    cards = [frozenset(known.get(id_, id_) for id_ in frame.cards) for frame in blocks]
    lying = (turned(edges) if picture.drawing.down else edges).tolist()
    found = zip(lying, cards, strict=True)
    return [Room(left, top, right, bottom, inside) for (left, top, right, bottom), inside in found]


def boxes(picture: WireArrays, rects: np.ndarray, rows: np.ndarray) -> Iterator[Box]:
    """The boxes of these rows of all things, and of the numbers at their ports; lying where wires run down."""
    known, ids = shown_as(picture), picture.ids
    lying = turned(rects[rows]) if picture.drawing.down else rects[rows]
    for row, rect in zip(rows.tolist(), lying.tolist(), strict=True):
        id_ = ids[row] if row < len(ids) else NOBODY - row
        yield Box(known.get(id_, id_), *rect)
    fields = _fields(picture, [row for row in rows.tolist() if row < len(ids)])
    for at, (left, top, right, bottom) in enumerate(fields):
        sides = (top, left, bottom, right) if picture.drawing.down else (left, top, right, bottom)
        yield Box(NOBODY - len(rects) - at, *sides)


def numbers(picture: WireArrays, rows: Iterable[int]) -> np.ndarray:
    """Left, top, right and bottom of the fields for numbers at the ports of these cards, where they are seen."""
    return np.array(list(_fields(picture, rows))).reshape(-1, 4)


def _fields(picture: WireArrays, rows: Iterable[int]) -> Iterator[tuple[float, float, float, float]]:
    """The same one by one."""
    for row in rows:
        fields = () if picture.hidden[row] else fields_of(picture.program[picture.ids[row]])
        for field in fields:
            rect = field_rect(picture.anatomy(picture.ids[row]), field.port, field.text)
            rect.translate(picture.x[row], picture.y[row])
            yield rect.left(), rect.top(), rect.right(), rect.bottom()


def shown_as(picture: WireArrays) -> dict[int, int]:
    """The folded nodes that cards are hidden in."""
    return {card: fold.id for fold in picture.folding.folds for card in fold.cards}
