"""Names beside what is seen from afar, as on a map: each where it hides nothing, or a piece of a line, or nowhere."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFont, QPainter

from chalkgrad.source import emit
from chalkgrad_app.naming import cut_short
from chalkgrad_app.picture.brush import DOTS, measure, pen, write
from chalkgrad_app.picture.card import short_function_name
from chalkgrad_app.picture.far_wires import far_lines
from chalkgrad_app.picture.frames import FrameShape
from chalkgrad_app.picture.function_layer import ACCUMULATES
from chalkgrad_app.picture.look import Look
from chalkgrad_app.picture.marks import side_of
from chalkgrad_app.picture.node_arrays import NODE, Key
from chalkgrad_app.picture.node_face import node_face
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.wires import COARSE, flatten
from chalkgrad_app.style import theme
from chalkgrad_app.style.fonts import mono_font, ui_font

MOST = 400
"""Of more cards and nodes none is named: side by side they leave no room."""
SIZE = 11.0
"""Height of a name, in pixels at 100% text size."""
GAP, AROUND, WITHIN = 6.0, 1.0, 3.0
"""From a mark to its name (beyond a ring), what is free around a name, from a frame's edge to its title, in pixels."""
PLATE = 0.8
"""How much of a line is hidden below a name that it runs through."""
ASIDE = 4.0
"""From the name of a node that is wider than this to the end of its plate, in pixels."""
LONGEST = 18
"""A name of more letters loses its end."""
CELL, MOST_CELLS = 2.0, 500_000
"""What is taken is known for squares so wide, in pixels; wider ones in a picture that would need more of them."""
EDGE, LINE, FULL = 1, 2, 3
"""What a name may cross where there is no other way, the edge of a frame rather than a wire, and what it may not."""
CORNERS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
ACROSS = ((0, 1), (0, -1), (1, 0), (-1, 0), *CORNERS)
DOWN = ((1, 0), (-1, 0), (0, 1), (0, -1), *CORNERS)
"""At which side of its mark a name stands, the best first: wires run to the right, or down."""
ROUND = 0.6
"""At a corner a name stands nearer, so far up or down, in halves of the mark."""


class Thing(NamedTuple):
    """Something that has a name, a card or a node, with its middle and half its size in pixels."""

    of: int | Key
    text: str
    middle: tuple[float, float]
    half: tuple[float, float]


class FarName(NamedTuple):
    """The name of a card, a folded frame (its id) or a node that has found room, and its middle, in pixels."""

    of: int | Key
    text: str
    rect: QRectF
    middle: tuple[float, float]
    inside: bool = False
    """True for a name that stands on the node itself."""
    frame: FrameShape | None = None
    """The frame whose title it is."""
    crosses: bool = False
    """True where a line runs through it: it has a plate of its own, in the colour of a node where it is inside."""


class FarNames:
    """The names of a picture at one zoom: they keep their places until something lies elsewhere."""

    def __init__(self) -> None:
        self.found: list[FarName] = []
        self._key: object = None

    def extent(self, picture: Picture, zoom: float, ids: Collection[int] | None = None) -> QRectF:
        """The rectangle around all names at a zoom, or those of ``ids``, in canvas units; empty where none are."""
        self._place(picture, zoom)
        found = QRectF()
        for name in self.found:
            if ids is None or name.of in ids:
                found = found.united(name.rect)
        return QRectF(found.topLeft() / zoom, found.size() / zoom)

    def paint(self, painter: QPainter, picture: Picture, look: Look, rect: QRectF) -> None:
        """Paint the names of what is not lifted that touch ``rect``."""
        self._place(picture, look.zoom)
        left, top = look.origin[0] * look.zoom, look.origin[1] * look.zoom
        for name in self.found:
            shown = name.rect.translated(-left, -top)
            lifted = name.of in look.lifted if name.frame is None else name.frame.moves_with(look.lifted)
            if shown.intersects(rect) and not lifted and _is_wanted(name, look.only):
                _write(painter, picture, look, name, shown)

    def _place(self, picture: Picture, zoom: float) -> None:
        """Find places for the names, unless all is as it was."""
        key = _key(picture, zoom)
        if key != self._key:
            self._key = key
            self.found = [] if key is None else list(_placed(picture, zoom, side_of(zoom)))

    def paint_lifted(self, painter: QPainter, picture: Picture, look: Look) -> None:
        """Paint the names of lifted cards where these are now, as they stood beside them."""
        for name in self.found:
            if isinstance(name.of, int) and name.of in look.lifted and name.of in picture.index:
                middle = picture.rect(name.of).center()
                x, y = (middle.x() - look.origin[0]) * look.zoom, (middle.y() - look.origin[1]) * look.zoom
                _write(painter, picture, look, name, name.rect.translated(x - name.middle[0], y - name.middle[1]))


def _write(painter: QPainter, picture: Picture, look: Look, name: FarName, rect: QRectF) -> None:
    font = _font() if name.frame is None else _title_font(name.frame)
    role = _role(picture, name)
    if name.crosses and name.inside:
        is_there = role == "function_text"
        painter.setPen(pen(look.theme.color("function_edge" if is_there else "ghost"), 0, None if is_there else DOTS))
        painter.setBrush(look.theme.color("function" if is_there else "canvas"))
        painter.drawRect(rect.toAlignedRect())
        rect = rect.adjusted(ASIDE, 0, -ASIDE, 0)
    elif name.crosses:
        plate = QColor(look.theme.color("canvas"))
        plate.setAlphaF(PLATE)
        painter.fillRect(rect, plate)
    write(painter, name.text, font, look.theme.color(role), rect.left() + AROUND, rect.center().y())


def _role(picture: Picture, name: FarName) -> str:
    """In which colour a name is written."""
    if name.frame is not None:
        return "frame_text"
    if isinstance(name.of, int):
        return "ink"
    layer = next((layer for layer in picture.beside if name.of in layer), None)
    if layer is None or layer.to_come[layer.index[name.of]]:
        return "muted"
    return "function_text" if name.inside else "function_ink"


def _font() -> QFont:
    return ui_font(SIZE * theme.text_size() / 100)


def _title_font(frame: FrameShape) -> QFont:
    size = SIZE * theme.text_size() / 100
    return mono_font(size) if frame.block else ui_font(size, True)


def _is_wanted(name: FarName, only: Collection[int] | None) -> bool:
    return only is None or name.of in only


def are_named(picture: Picture) -> bool:
    """True where names stand beside what is seen from afar."""
    return len(picture.ids) + sum(map(len, picture.beside)) <= MOST


def _key(picture: Picture, zoom: float) -> object:
    """All that places hang on; None where nothing is named."""
    if not are_named(picture):
        return None
    arrays = [picture.x, picture.y, picture.hidden, picture.cubics, picture.function_ways.far, picture.gradients.cubics]
    for layer in picture.beside:
        arrays += [layer.x, layer.y, layer.w, layer.h]
    lying = [array.tobytes() for array in arrays]
    titles = [*(frame.title for frame in picture.frames), *(fold.title for fold in picture.folds)]
    return picture.program, picture.drawing.name, zoom, theme.text_size(), lying, _grounds(picture), titles


def _grounds(picture: Picture) -> list[QRectF]:
    """Frames, and the bands of gradients' graphs: only their titles and edges are in the way."""
    return [frame.rect for frame in picture.frames] + [band.rect for band in picture.gradients.bands]


# ---------------------------------------------------------------- places


def _placed(picture: Picture, zoom: float, side: float) -> Iterator[FarName]:
    """The names that find room: titles of frames first, then those of cards; last those that cross lines."""
    things = [*_folds(picture, zoom), *_cards(picture, zoom, side), *_nodes(picture, zoom)]
    if not things and not picture.frames:
        return
    metrics = measure(_font())
    height = metrics.capHeight() + metrics.descent() + 2 * AROUND
    taken = Taken(picture, zoom, things)
    for frame in picture.frames:
        text = cut_short(frame.title, LONGEST)
        found = taken.take_one(_at_frame(frame, measure(_title_font(frame)).horizontalAdvance(text), height, zoom), 0)
        if found is not None and text:
            yield FarName(frame.id, text, found.rect, (0.0, 0.0), frame=frame)
    left_out: list[tuple[int, float]] = []
    for number, thing in enumerate(things):
        width = metrics.horizontalAdvance(thing.text) + 2 * AROUND
        is_card = isinstance(thing.of, int)
        if not is_card and width <= 2 * thing.half[0] and height <= 2 * thing.half[1]:
            yield FarName(thing.of, thing.text, _at(thing, width, height, 0, 0), thing.middle, inside=True)
            continue
        found = taken.take_one(_around(picture, thing, width, height), EDGE if is_card else 0, number)
        if found is not None:
            yield FarName(thing.of, thing.text, found.rect, thing.middle, crosses=found.level == EDGE)
        elif is_card or thing.text != ACCUMULATES:  # of which each leaf has one, lower than a name
            left_out.append((number, width))
    for number, width in left_out:
        thing = things[number]
        if isinstance(thing.of, int):
            found = taken.take_one(_around(picture, thing, width, height), LINE, number)
        else:
            high = max(height, 2 * thing.half[1])  # as if the node were wider
            found = taken.take_over(_at(thing, width + 2 * ASIDE, high, 0, 0), number)
        if found is not None:
            yield FarName(thing.of, thing.text, found.rect, thing.middle, not isinstance(thing.of, int), crosses=True)


def _around(picture: Picture, thing: Thing, width: float, height: float) -> list[QRectF]:
    """Where a name may stand, the best first."""
    sides = DOWN if picture.drawing.down else ACROSS
    return [_at(thing, width, height, aside, below) for aside, below in sides]


def _at(thing: Thing, width: float, height: float, aside: int, below: int) -> QRectF:
    """A name's room at one side or corner of what it names, or in its middle."""
    (x, y), (across, down) = thing.middle, thing.half
    x += aside * (across + GAP + width / 2)
    y += below * ((ROUND if aside else 1.0) * down + GAP + height / 2)
    return QRectF(x - width / 2, y - height / 2, width, height)


def _at_frame(frame: FrameShape, width: float, height: float, zoom: float) -> list[QRectF]:
    """Where the title of a frame may stand: in a corner of it, above, below or beside it."""
    rect = QRectF(frame.rect.topLeft() * zoom, frame.rect.size() * zoom)
    across, wide = (rect.left() + WITHIN, rect.right() - WITHIN - width), width + 2 * AROUND
    inside = wide + 2 * WITHIN <= rect.width() and height + 2 * WITHIN <= rect.height()
    downs = [rect.top() + WITHIN, rect.bottom() - WITHIN - height] if inside else []
    downs += [rect.top() - WITHIN - height, rect.bottom() + WITHIN]
    beside = [QRectF(left, rect.top(), wide, height) for left in (rect.right() + WITHIN, rect.left() - WITHIN - wide)]
    return [*(QRectF(left, top, wide, height) for top in downs for left in across), *beside]


def _folds(picture: Picture, zoom: float) -> Iterator[Thing]:
    """Folded frames, which show no title of their own from afar."""
    for fold in picture.folds:
        middle, size = fold.rect.center() * zoom, fold.rect.size() * zoom / 2
        if fold.title:
            text = cut_short(fold.title, LONGEST)
            yield Thing(fold.id, text, (middle.x(), middle.y()), (size.width(), size.height()))


def _cards(picture: Picture, zoom: float, side: float) -> Iterator[Thing]:
    """The cards, those with a name before those of expressions."""
    middles = np.stack([picture.x + picture.w / 2, picture.y + picture.h / 2], axis=1) * zoom
    found: list[tuple[bool, Thing]] = []
    for id_, (x, y), hidden in zip(picture.ids, middles.tolist(), picture.hidden.tolist(), strict=True):
        name = ", ".join(filter(None, picture.program[id_].targets))
        text = name or emit.expression(picture.program, id_, short=True)
        if text and not hidden:
            found.append((not name, Thing(id_, cut_short(text, LONGEST), (x, y), (side / 2, side / 2))))
    found.sort(key=lambda entry: entry[0])
    return (thing for _, thing in found)


def _nodes(picture: Picture, zoom: float) -> Iterator[Thing]:
    """What lies beside the cards: Functions by their names, nodes of a gradient's graph by what they compute."""
    for layer in picture.beside:
        for row, key in enumerate(layer.keys):
            rect = layer.rect(key)
            at = rect.center().x() * zoom, rect.center().y() * zoom
            if key[0] == NODE:
                text = node_face(picture, row).title if layer is picture.gradients else _function(picture, key)
                yield Thing(key, cut_short(text, LONGEST), at, (rect.width() * zoom / 2, rect.height() * zoom / 2))


def _function(picture: Picture, key: Key) -> str:
    return short_function_name(picture.state.nodes[key[1]].name)


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
        grounds = np.array([rect.getCoords() for rect in _grounds(picture)]).reshape(-1, 4) * zoom
        all_of_it = np.concatenate([boxes, grounds])
        self._start = all_of_it[:, :2].min(axis=0) - room
        extent = all_of_it[:, 2:].max(axis=0) + room - self._start
        self._cell = max(CELL, sqrt(float(extent.prod()) / MOST_CELLS))
        self._squares = np.zeros((np.ceil(extent / self._cell).astype(int) + 1)[::-1], np.uint8)
        self._draw(_edges(picture, zoom), EDGE)
        self._draw(_lines(picture, zoom), LINE)
        for left, top, right, bottom in [*boxes.tolist(), *_filled(picture, zoom)]:
            self._squares[self._span(left, top, right, bottom)] = FULL

    def take_one(self, places: Sequence[QRectF], worst: int, number: int | None = None) -> Room | None:
        """Take the first of these places where nothing is, else where nothing worse than that is; None without one.

        Those alone to which the thing with this ``number`` is nearer than any other: else it names another.
        """
        spans = [self._span(rect.left(), rect.top(), rect.right(), rect.bottom()) for rect in places]
        there = [int(self._squares[span].max(initial=0)) for span in spans]
        for most in range(worst + 1):
            for at, found in enumerate(there):
                if found > most:
                    continue
                if number is not None and not self._is_nearest(places[at], number):  # which takes longest, so last
                    there[at] = FULL
                    continue
                self._squares[spans[at]] = FULL
                return Room(places[at], found)
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
        whole = self._span(rect.left(), rect.top(), rect.right(), rect.bottom())
        mine = self._squares[own].copy()
        self._squares[own] = np.minimum(mine, LINE)
        level = int(self._squares[whole].max(initial=0))
        self._squares[own] = mine
        if level > LINE:
            return None
        self._squares[whole] = FULL
        return Room(rect, level)

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
    for rect in _grounds(picture):
        left, top, right, bottom = rect.left(), rect.top(), rect.right(), rect.bottom()
        found += [(left, y, right, y) for y in (top, bottom)] + [(x, top, x, bottom) for x in (left, right)]
    return np.array(found, float).reshape(-1, 4) * zoom
