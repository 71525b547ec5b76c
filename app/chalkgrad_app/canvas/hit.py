"""What lies under a point of the canvas: pure functions over the picture."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag, StrEnum
from functools import reduce
from operator import or_

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from chalkgrad_app.picture.anatomy import ERROR_STRIP, Box
from chalkgrad_app.picture.autograd_shape import ROWS as ASKED_FOR
from chalkgrad_app.picture.card_parts import FLAGS, PORT, field_rect
from chalkgrad_app.picture.frames import FrameShape
from chalkgrad_app.picture.look import Level, level_at
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.tags import tag_rect
from chalkgrad_app.picture.wires import SEGMENTS, flatten

NAME_END = 96.0
"""How far from the left the name reaches that can be clicked, where an expression follows it."""
FRAME_EDGE, FRAME_TOP = 16.0, 40.0
"""How broad the edge of a frame is by which it is moved, and how high the row of its title, where no card lies."""
GRIP_LINES, GRIP_INSET = (5.0, 9.0, 13.0), 3.0
"""How long the lines across a lower right corner are that show it as a grip, and how far from the edges they end."""
OUTSIDE = 3.0
"""So far outside a frame it is still hit."""
PORT_REACH = 8.5
"""How far from its centre a port is hit, in pixels of the screen."""


class HitKind(StrEnum):
    """What was hit."""

    NOTHING = "nothing"
    CARD = "card"
    NAME = "name"
    FLAGS = "flags"  # the cover over what tells leaf and requires_grad
    VALUE = "value"  # the value row of output ``port``
    GRAD = "grad"  # the grad row of output ``port``
    ATTRIBUTE = "attribute"  # the row of output ``port`` for another attribute, ``part``
    LINE = "line"  # the line of statement ``id``, written beside the cards
    PORT = "port"  # input port number ``port``
    FIELD = "field"  # the box for a Python number at input port ``port``
    OUTPUT = "output"  # the port of output ``port``'s value
    GRAD_PORT = "grad port"  # the port of output ``port``'s gradient
    WIRE = "wire"  # the wire into input ``port`` of card ``id``; ``wire`` is its number in the picture
    TAG = "tag"  # a tag on it
    NOTE = "note"
    CORNER = "corner"  # an edge or corner of a note or a plain frame; ``port`` says which, as :class:`Edge` bits
    FRAME = "frame"
    BLOCK = "block"  # the frame of a mode block of the program
    FOLD = "fold"  # a folded node
    NODE = "node"  # backward node ``node`` of the trace, which lies beside the board
    BAND = "band"  # the title of the graph of the gradient that backward ``id`` made


class Edge(IntFlag):
    """Edges by which a note or frame is resized; two of them are a corner."""

    LEFT = 1
    TOP = 2
    RIGHT = 4
    BOTTOM = 8


@dataclass(frozen=True, slots=True)
class Hit:
    """What was hit: the id of its card, note, frame or block, the port or output, the number of the wire or node.

    ``part`` is the name of an attribute.
    """

    kind: HitKind = HitKind.NOTHING
    id: int | None = None
    port: int = -1
    wire: int = -1
    node: int = -1
    part: str = ""

    def __bool__(self) -> bool:
        """False for empty canvas."""
        return self.kind is not HitKind.NOTHING


NOTHING = Hit()


def hit(picture: Picture, point: QPointF, zoom: float = 1.0, text_scale: float = 1.0, tolerance: float = 7.0) -> Hit:
    """What lies at ``point`` (canvas units); ``tolerance`` is in pixels of the screen, of which a unit has ``zoom``.

    Ports come before tags, tags before cards, cards before what lies beside them, that before wires, notes and frames
    last. Below 60% a card has no parts but ports, below 25% not even those.
    """
    reach, level = tolerance / zoom, level_at(zoom / text_scale)
    fold = _fold_at(picture, point, zoom, level)
    if fold:
        return fold
    if level is not Level.FAR:
        found = _port_at(picture, point, max(PORT_REACH / zoom, PORT + 3))
        if found:
            return found
    if level is Level.NEAR:
        found = _tag_at(picture, point)
        if found:
            return found
    card = card_at(picture, point)
    if card is not None:
        return _part_of(picture, card, point) if level is Level.NEAR else Hit(HitKind.CARD, card)
    told = _error_at(picture, point) if level is Level.NEAR else None
    if told is not None:
        return Hit(HitKind.CARD, told)
    return _beside(picture, point) or _wire_at(picture, point, reach) or _note_or_frame_at(picture, point, reach)


def card_at(picture: Picture, point: QPointF) -> int | None:
    """Id of the topmost card at a point."""
    x, y = point.x(), point.y()
    inside = np.flatnonzero(
        ~picture.hidden
        & (picture.x <= x)
        & (x <= picture.x + picture.w)
        & (picture.y <= y)
        & (y <= picture.y + picture.h)
    )
    return picture.ids[int(picture.from_below(inside)[-1])] if len(inside) else None


def is_at_wire(picture: Picture, hit: Hit, point: QPointF) -> bool:
    """True where somebody who wants to draw a wire may begin: at a wire, or at a port, whether it is shown or not."""
    if hit.kind in (HitKind.WIRE, HitKind.TAG, HitKind.OUTPUT, HitKind.GRAD_PORT):
        return True
    ports = picture.ports(hit.id) if hit.id is not None and hit.id in picture.index else ()
    return any(np.hypot(port.x - point.x(), port.y - point.y()) <= PORT_REACH for port in ports)


def _error_at(picture: Picture, point: QPointF) -> int | None:
    """Id of the card that says below itself, at this point, what went wrong."""
    x, y = point.x(), point.y()
    bottom = picture.y + picture.h
    within = (picture.x <= x) & (x <= picture.x + picture.w) & (bottom <= y) & (y <= bottom + ERROR_STRIP)
    found = np.flatnonzero(within & picture.below & ~picture.hidden)
    return picture.ids[int(found[-1])] if len(found) else None


def cards_in(picture: Picture, rect: QRectF) -> list[int]:
    """Ids of the cards that touch a rectangle, in program order."""
    touching = np.flatnonzero(
        ~picture.hidden
        & (picture.x <= rect.right())
        & (picture.x + picture.w >= rect.left())
        & (picture.y <= rect.bottom())
        & (picture.y + picture.h >= rect.top())
    )
    return [picture.ids[row] for row in touching.tolist()]


def notes_in(picture: Picture, rect: QRectF) -> list[int]:
    """Ids of the notes that touch a rectangle."""
    return [n.id for n in picture.notes if rect.intersects(QRectF(n.x, n.y, n.width, n.height))]


def wire_at(picture: Picture, point: QPointF, reach: float) -> int | None:
    """Number of the wire that passes within ``reach`` of a point, the nearest one, or None."""
    x, y = point.x(), point.y()
    boxes = picture.boxes
    near = np.flatnonzero(
        ~picture.wire_hidden
        & (boxes[:, 0] - reach <= x)
        & (x <= boxes[:, 2] + reach)
        & (boxes[:, 1] - reach <= y)
        & (y <= boxes[:, 3] + reach)
    )
    if not len(near):
        return None
    pieces = picture.pieces_of(near)
    points = flatten(picture.cubics[pieces], SEGMENTS)
    distances = _distances(points[:, :-1], points[:, 1:], np.array([x, y])).min(axis=1)
    best = int(distances.argmin())
    return int(picture.piece_wire[pieces[best]]) if distances[best] <= reach else None


# ---------------------------------------------------------------- inside


def _distances(starts: np.ndarray, ends: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Distance of a point from each segment."""
    along = ends - starts
    length = np.maximum((along**2).sum(axis=-1), 1e-9)
    at = np.clip(((point - starts) * along).sum(axis=-1) / length, 0.0, 1.0)
    gap = starts + at[..., None] * along - point
    return np.asarray(np.sqrt((gap**2).sum(axis=-1)))


def _port_at(picture: Picture, point: QPointF, reach: float) -> Hit:
    """The port, or the number field at one, at a point: nearest first among cards close by.

    Where nothing is wired by hand there are fields alone.
    """
    room = reach + 64.0
    around = QRectF(point.x() - room, point.y() - room, 2 * room, 2 * room)
    best, distance = NOTHING, reach
    for id_ in reversed(cards_in(picture, around)):
        for port in picture.ports(id_) if picture.drawing.is_wired_by_hand else ():
            away = float(np.hypot(port.x - point.x(), port.y - point.y()))
            if away < distance and not _is_covered(picture, id_, point):
                kind = {"input": HitKind.PORT, "value": HitKind.OUTPUT, "grad": HitKind.GRAD_PORT}[port.kind]
                best, distance = Hit(kind, id_, port.index), away
        if not best and not _is_covered(picture, id_, point):
            best = _field_of(picture, id_, point)
            distance = 0.0 if best else distance
    return best


def _is_covered(picture: Picture, id_: int, point: QPointF) -> bool:
    """True where another card lies above the card at a point."""
    top = card_at(picture, point)
    return top is not None and picture.ids[int(picture.from_below(picture.rows_of({id_, top}))[-1])] != id_


def _field_of(picture: Picture, id_: int, point: QPointF) -> Hit:
    fields = picture.face(id_).fields
    if not fields:
        return NOTHING
    shape, on_card = picture.anatomy(id_), point - picture.rect(id_).topLeft()
    for field in fields:
        if field_rect(shape, field.port, field.text).adjusted(0, 0, PORT, 0).contains(on_card):
            return Hit(HitKind.FIELD, id_, field.port)
    return NOTHING


def _part_of(picture: Picture, id_: int, point: QPointF) -> Hit:
    """Which row of a card a point is on."""
    shape, on_card = picture.anatomy(id_), point - picture.rect(id_).topLeft()
    if _holds(shape.header, on_card):
        if on_card.x() > sum(shape.header[::2]) - FLAGS and picture.face(id_).asks:
            return Hit(HitKind.FLAGS, id_)
        named = bool(picture.program[id_].name)
        on_name = named and (shape.down or on_card.x() - shape.header.left < NAME_END)
        return Hit(HitKind.NAME if on_name else HitKind.CARD, id_)
    for output, row in enumerate(shape.rows):
        if _holds(shape.band(output), on_card):
            return Hit(HitKind.NAME, id_, output)
        if _holds(row.value, on_card):
            return Hit(HitKind.VALUE, id_, output)
        if row.grad is not None and _holds(row.grad, on_card):
            return Hit(HitKind.GRAD, id_, output)
        for name, box in row.others:
            if _holds(box, on_card):
                asks = name in ASKED_FOR and picture.face(id_).asks
                return Hit(HitKind.FLAGS, id_) if asks else Hit(HitKind.ATTRIBUTE, id_, output, part=name)
    return Hit(HitKind.CARD, id_)


def _holds(box: Box, point: QPointF) -> bool:
    left, top, width, height = box
    return left <= point.x() <= left + width and top <= point.y() < top + height


def _beside(picture: Picture, point: QPointF) -> Hit:
    """A node of the trace, or the title of a graph of them."""
    for arrays in picture.beside:
        key = arrays.at(point)
        if key is not None:
            return Hit(HitKind.NODE, node=key[1])
    line = picture.lines.at(point)
    if line is not None:
        return Hit(HitKind.BLOCK if line[1] in picture.program.blocks else HitKind.LINE, line[1])
    band = picture.gradients.band_at(point.x(), point.y())
    return NOTHING if band is None else Hit(HitKind.BAND, band.statement)


def _wire_hit(picture: Picture, kind: HitKind, row: int) -> Hit:
    wire = picture.wires[row]
    return Hit(kind, wire.target, wire.port, row)


def _tag_at(picture: Picture, point: QPointF) -> Hit:
    for row in picture.tagged.tolist():
        if not picture.wire_hidden[row] and tag_rect(picture, row).contains(point):
            return _wire_hit(picture, HitKind.TAG, row)
    return NOTHING


def _wire_at(picture: Picture, point: QPointF, reach: float) -> Hit:
    row = wire_at(picture, point, reach)
    return NOTHING if row is None else _wire_hit(picture, HitKind.WIRE, row)


def _corner_at(picture: Picture, point: QPointF, reach: float) -> Hit:
    """The edge or corner by which a note or a plain frame is resized; the upper edge of a frame moves it."""
    shapes = [(note.id, QRectF(note.x, note.y, note.width, note.height)) for note in picture.notes]
    shapes += [(frame.id, frame.rect) for frame in picture.frames if not frame.block]
    for id_, rect in reversed(shapes):
        edges = _edges_at(rect, point, min(reach, rect.width() / 4, rect.height() / 4))
        if _is_on_grip(rect, point):
            edges = Edge.RIGHT | Edge.BOTTOM
        if edges:
            return Hit(HitKind.CORNER, id_, int(edges))
    return NOTHING


def _is_on_grip(rect: QRectF, point: QPointF) -> bool:
    """True on the lines across the lower right corner, and beyond them."""
    away = rect.bottomRight() - point
    return rect.contains(point) and away.x() + away.y() <= GRIP_LINES[-1] + 3 * GRIP_INSET


def _edges_at(rect: QRectF, point: QPointF, reach: float) -> Edge:
    """The edges that a point is on; near a corner those of both sides."""
    if not rect.adjusted(-reach / 2, -reach / 2, reach / 2, reach / 2).contains(point):
        return Edge(0)
    away = {
        Edge.LEFT: point.x() - rect.left(),
        Edge.TOP: point.y() - rect.top(),
        Edge.RIGHT: rect.right() - point.x(),
        Edge.BOTTOM: rect.bottom() - point.y(),
    }
    near = [edge for edge, distance in away.items() if distance <= reach]
    if len(near) > 1:
        return reduce(or_, near)
    return near[0] if near and away[near[0]] <= reach / 2 else Edge(0)


def _fold_at(picture: Picture, point: QPointF, zoom: float, level: Level) -> Hit:
    """The folded node at a point, or the port where a tensor comes out of it."""
    reach = PORT_REACH / zoom
    for fold in reversed(picture.folds):
        for port in fold.outputs if level is not Level.FAR else ():
            away = fold.rect.topLeft() + QPointF(*port.at) - point
            if float(np.hypot(away.x(), away.y())) <= reach:
                statement, output, of_grad = port.outlet
                return Hit(HitKind.GRAD_PORT if of_grad else HitKind.OUTPUT, statement, output)
        if fold.rect.contains(point):
            return Hit(HitKind.FOLD, fold.id)
    return NOTHING


def _note_or_frame_at(picture: Picture, point: QPointF, reach: float) -> Hit:
    corner = _corner_at(picture, point, reach)
    if corner:
        return corner
    for note in reversed(picture.notes):
        if QRectF(note.x, note.y, note.width, note.height).contains(point):
            return Hit(HitKind.NOTE, note.id)
    for frame in reversed(picture.frames):
        if _on_frame(frame, point, max(reach, FRAME_EDGE)):
            return Hit(HitKind.BLOCK if frame.block else HitKind.FRAME, frame.id)
    return NOTHING


def _on_frame(frame: FrameShape, point: QPointF, edge: float) -> bool:
    """A frame is taken by the row of its title or its edge; within it one works on the canvas."""
    edge = min(edge, frame.rect.width() / 4, frame.rect.height() / 4)
    if not frame.rect.adjusted(-OUTSIDE, -OUTSIDE, OUTSIDE, OUTSIDE).contains(point):
        return False
    inner = frame.rect.adjusted(edge, min(FRAME_TOP, frame.rect.height() / 2), -edge, -edge)
    return not inner.contains(point)


def value_rect(picture: Picture, id_: int, output: int = 0) -> QRectF:
    """The rectangle of a value row in canvas units; the place where it will be, for a card without a value."""
    return QRectF(*picture.anatomy(id_).row(output).value).translated(picture.rect(id_).topLeft())


def name_rect(picture: Picture, id_: int, output: int = 0) -> QRectF:
    """The rectangle of a card's header in canvas units; that of the node of one output where each has its own."""
    return QRectF(*picture.anatomy(id_).band(output)).translated(picture.rect(id_).topLeft())
