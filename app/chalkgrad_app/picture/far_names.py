"""Names beside what is seen from afar, as on a map: each where it hides nothing, or a piece of a line, or nowhere."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFont, QPainter

from chalkgrad.source import emit
from chalkgrad_app.naming import cut_short
from chalkgrad_app.picture.brush import DOTS, measure, pen, width_of, write
from chalkgrad_app.picture.card import short_function_name
from chalkgrad_app.picture.far_room import EDGE, LINE, LONGEST, SIZE, Taken, Thing, grounds
from chalkgrad_app.picture.frames import FrameShape
from chalkgrad_app.picture.function_layer import ACCUMULATES
from chalkgrad_app.picture.look import Look
from chalkgrad_app.picture.marks import side_of
from chalkgrad_app.picture.node_arrays import NODE, Key
from chalkgrad_app.picture.node_face import node_face
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.style import theme
from chalkgrad_app.style.fonts import mono_font, ui_font

MOST = 400
"""Of more cards and nodes none is named: side by side they leave no room."""
GAP, AROUND, WITHIN = 6.0, 1.0, 3.0
"""From a mark to its name (beyond a ring), what is free around a name, from a frame's edge to its title, in pixels."""
PLATE = 0.8
"""How much of a line is hidden below a name that it runs through."""
ASIDE = 4.0
"""From the name of a node that is wider than this to the end of its plate, in pixels."""
CORNERS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
ACROSS = ((0, 1), (0, -1), (1, 0), (-1, 0), *CORNERS)
DOWN = ((1, 0), (-1, 0), (0, 1), (0, -1), *CORNERS)
"""At which side of its mark a name stands, the best first: wires run to the right, or down."""
ROUND = 0.6
"""At a corner a name stands nearer, so far up or down, in halves of the mark."""


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
    return picture.program, picture.drawing.name, zoom, theme.text_size(), lying, grounds(picture), titles


# ---------------------------------------------------------------- places


def _placed(picture: Picture, zoom: float, side: float) -> Iterator[FarName]:
    """The names that find room: titles of frames first, then those of cards; last those that cross lines."""
    things = [*_folds(picture, zoom), *_cards(picture, zoom, side), *_nodes(picture, zoom)]
    if not things and not picture.frames:
        return
    font = _font()
    metrics = measure(font)
    height = metrics.capHeight() + metrics.descent() + 2 * AROUND
    widths = [width_of(thing.text, font) + 2 * AROUND for thing in things]
    taken = Taken(picture, zoom, things)
    places = taken.open_among(_around(picture, things, widths, height))
    for frame in picture.frames:
        text = cut_short(frame.title, LONGEST)
        found = taken.take_one(_at_frame(frame, measure(_title_font(frame)).horizontalAdvance(text), height, zoom), 0)
        if found is not None and text:
            yield FarName(frame.id, text, found.rect, (0.0, 0.0), frame=frame)
    left_out = []
    for number, (thing, width) in enumerate(zip(things, widths, strict=True)):
        is_card = isinstance(thing.of, int)
        if not is_card and width <= 2 * thing.half[0] and height <= 2 * thing.half[1]:
            yield FarName(thing.of, thing.text, _over(thing, width, height), thing.middle, inside=True)
            continue
        found = taken.take_one(places[number], EDGE if is_card else 0, number)
        if found is not None:
            yield FarName(thing.of, thing.text, found.rect, thing.middle, crosses=found.level == EDGE)
        elif is_card or thing.text != ACCUMULATES:  # of which each leaf has one, lower than a name
            left_out.append(number)
    for number in left_out:
        thing, width = things[number], widths[number]
        if isinstance(thing.of, int):
            found = taken.take_one(places[number], LINE, number)
        else:
            high = max(height, 2 * thing.half[1])  # as if the node were wider
            found = taken.take_over(_over(thing, width + 2 * ASIDE, high), number)
        if found is not None:
            yield FarName(thing.of, thing.text, found.rect, thing.middle, not isinstance(thing.of, int), crosses=True)


def _around(picture: Picture, things: Sequence[Thing], widths: Sequence[float], height: float) -> np.ndarray:
    """Where the name of each thing may stand, the best first: rows left, top, width, height."""
    sides = np.array(DOWN if picture.drawing.down else ACROSS)
    middles = np.array([thing.middle for thing in things]).reshape(-1, 1, 2)
    halves = np.array([thing.half for thing in things]).reshape(-1, 1, 2)
    wide, (aside, below) = np.array(widths)[:, None], sides.T
    found = np.empty((len(things), len(sides), 4))
    found[..., 0] = middles[..., 0] + aside * (halves[..., 0] + GAP + wide / 2) - wide / 2
    nearer = np.where(aside != 0, ROUND, 1.0)
    found[..., 1] = middles[..., 1] + below * (nearer * halves[..., 1] + GAP + height / 2) - height / 2
    found[..., 2], found[..., 3] = wide, height
    return found


def _over(thing: Thing, width: float, height: float) -> QRectF:
    """A name's room in the middle of what it names."""
    x, y = thing.middle
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
