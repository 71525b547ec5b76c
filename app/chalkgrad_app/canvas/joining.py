"""What a card would be joined to where it is dragged: the wire that it lies on, or a port near one of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPalette, QPen

from chalkgrad.engine.record import OPS
from chalkgrad.program import arranging, edits, rewiring
from chalkgrad.program.change import NOTHING, Change
from chalkgrad.program.program import ProgramError
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad.program.statement import Empty, Ref
from chalkgrad_app.canvas import targets, wiring
from chalkgrad_app.canvas.arrange import COLUMN_GAP, snapped
from chalkgrad_app.canvas.hit import cards_in, wire_at
from chalkgrad_app.canvas.overlay import curve, wire_paths
from chalkgrad_app.canvas.room import free_corner, room_in_wire
from chalkgrad_app.canvas.wiring import Plug
from chalkgrad_app.i18n import translate
from chalkgrad_app.naming import counted
from chalkgrad_app.picture.look import Level
from chalkgrad_app.picture.picture import Picture, Port

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

MAGNET = 28.0
"""How far from each other, in canvas units, two ports join when a card is let go."""
ON_WIRE = 30.0
"""How far from the middle of a card a wire runs at most that the card is put into."""
NEAR_WIRE = 16.0
"""The same for the pointer that drags a new card."""
NEW = -1
LIT = 5.0


@dataclass(frozen=True, slots=True)
class Joint:
    """The wire (by the port that it ends in) that a card would stand in, or the tensor and the port to be joined.

    ``line`` is where the wire would be drawn that joins them.
    """

    wire: Plug | None = None
    start: Ref | None = None
    plug: Plug | None = None
    line: tuple[QPointF, QPointF] = field(default=(QPointF(), QPointF()), compare=False)

    def __bool__(self) -> bool:
        """False where nothing would be joined."""
        return self.wire is not None or self.plug is not None

    @property
    def reads(self) -> bool:
        """True where a new card would read ``start``; else what ``plug`` belongs to would read the new card."""
        return self.plug is not None and self.plug.consumer == NEW


NOWHERE = Joint()


def joint_of(picture: Picture, id_: int, rect: QRectF, freed: bool = False) -> Joint:
    """What one card would be joined to if it were let go at ``rect``; ``freed``: without the wires that it has."""
    if id_ not in picture.index or id_ not in picture.program:
        return NOWHERE
    program = picture.program
    single = rewiring.record_of(program, id_) is not None
    if single and (freed or (not program.users.get(id_) and rewiring.free_port(program, id_) is not None)):
        wire = wire_under(picture, rect.center(), id_)
        if wire is not None:
            return Joint(wire=wire)
    way = rect.topLeft() - picture.rect(id_).topLeft()  # the picture may already show it on its way
    mine = [Port(port.kind, port.index, port.x + way.x(), port.y + way.y()) for port in picture.ports(id_)]
    return nearest(picture, id_, rect, mine)


def joint_of_new(picture: Picture, name: str, corner: QPointF, pointer: QPointF) -> Joint:
    """What a new card called ``name`` would be joined to; in the joint its id is :data:`NEW`."""
    record = OPS.get(name)
    inputs = len(record.inputs) if record is not None else 0
    if record is not None and inputs and not record.writes:
        wire = wire_under(picture, pointer, reach=NEAR_WIRE)
        if wire is not None:
            return Joint(wire=wire)
    shape = picture.drawing.blank(inputs)
    mine = [Port("input", index, corner.x() + x, corner.y() + y) for index, (x, y) in enumerate(shape.inputs)]
    if record is None or not record.writes:
        x, y = shape.spare.value_port
        mine.append(Port("value", 0, corner.x() + x, corner.y() + y))
    rect = QRectF(corner.x(), corner.y(), shape.width, shape.height)
    found = nearest(picture, NEW, rect, [*mine, *_towards_pointer(mine, pointer)])
    return replace(found, line=_line(found, mine)) if found else NOWHERE


def _towards_pointer(mine: Iterable[Port], pointer: QPointF) -> list[Port]:
    """The first port on each side, again and again between its place and the pointer, which is what people aim with."""
    found = []
    for port in mine:
        if port.index == 0:
            steps = ceil(abs(port.x - pointer.x()) / MAGNET)
            across = [pointer.x() + (port.x - pointer.x()) * step / max(1, steps) for step in range(steps + 1)]
            found += [Port(port.kind, 0, x, pointer.y()) for x in across]
    return found


def _line(joint: Joint, mine: Iterable[Port]) -> tuple[QPointF, QPointF]:
    """The line of the joint of a new card, from or to where its port is."""
    kind = "input" if joint.reads else "value"
    if joint.reads and joint.plug is not None:
        index = joint.plug.port
    else:
        index = joint.start.output if joint.start is not None else 0
    here = next(QPointF(port.x, port.y) for port in mine if (port.kind, port.index) == (kind, index))
    return (joint.line[0], here) if joint.reads else (here, joint.line[1])


def wire_under(picture: Picture, point: QPointF, but: int | None = None, reach: float = ON_WIRE) -> Plug | None:
    """The wire that passes a point, by the port in which it ends; not one of card ``but``."""
    row = wire_at(picture, point, reach)
    if row is None:
        return None
    wire = picture.wires[row]
    return None if but in (wire.source, wire.target) else Plug(wire.target, wire.port)


def nearest(picture: Picture, id_: int, rect: QRectF, mine: Iterable[Port]) -> Joint:
    """The nearest pair of an output and an open input, one of them the card's own, that may be wired by hand."""
    if not picture.drawing.is_wired_by_hand:
        return NOWHERE
    program = picture.program
    around = rect.adjusted(-MAGNET, -MAGNET, MAGNET, MAGNET)
    others = [(other, port) for other in cards_in(picture, around) if other != id_ for port in picture.ports(other)]
    found: list[tuple[float, Joint]] = []
    for port in mine:
        for other, there in others:
            away = QPointF(port.x - there.x, port.y - there.y)
            distance = away.x() ** 2 + away.y() ** 2
            pair = _pair(id_, port, other, there) if distance <= MAGNET**2 else NOWHERE
            if pair.plug is not None and isinstance(wiring.plugged(program, pair.plug), Empty):
                found.append((distance, pair))
    for _, pair in sorted(found, key=lambda entry: entry[0]):
        plug, start = pair.plug, pair.start
        if plug is not None and start is not None and plug.consumer not in wiring.forbidden_consumers(program, start):
            return pair
    return NOWHERE


def joined(sheet: Sheet, id_: int, joint: Joint) -> Change:
    """The edit that joins a card; nothing where no order of the lines would do."""
    try:
        if joint.wire is not None:
            return rewiring.splice(sheet, id_, joint.wire.consumer, joint.wire.port)
        if joint.plug is not None and joint.start is not None:
            return wiring.connect(sheet, joint.plug, joint.start)
    except ProgramError:
        return NOTHING
    return NOTHING


def corner_joined(picture: Picture, id_: int, joint: Joint, rect: QRectF) -> QPointF:
    """Where a card goes that is joined at ``rect``: where it is, or across from the other port to give the wire room.

    ``id_`` is :data:`NEW` for a card that isn't there yet.
    """
    if joint.plug is None or joint.start is None:
        return rect.topLeft()
    reads = joint.plug.consumer == id_
    card = picture.rect_of(joint.start.statement if reads else joint.plug.consumer)
    if card is None or not card.intersects(rect.adjusted(-COLUMN_GAP / 2, 0, COLUMN_GAP / 2, 0)):
        return rect.topLeft()
    across = card.right() + COLUMN_GAP if reads else card.left() - COLUMN_GAP - rect.width()
    here, there = joint.line[::-1] if reads else joint.line  # its port, and that of the other card
    wanted = QPointF(*snapped(across, rect.top() + there.y() - here.y()))
    return free_corner(picture, wanted, (rect.width(), rect.height()), id_)


class Joining:
    """The joint of what is dragged, looked for at each step; with Alt it first comes out of the wires that it has."""

    def __init__(self, canvas: GraphCanvas, rects: Mapping[int, QRectF]) -> None:
        self.canvas = canvas
        self.rects = rects
        self.cards = frozenset(id_ for id_ in rects if id_ in canvas.document.program)
        self.joint = NOWHERE
        self.freed = False
        self._bypass: tuple[tuple[Ref, Plug], ...] = ()

    def over(self, offset: QPointF, freed: bool, joins: bool) -> None:
        """What is dragged lies ``offset`` from where it was; ``joins`` is False where nothing shall attract it."""
        if freed != self.freed:
            self.freed = freed
            self._bypass = _bypass(self.canvas.document.sheet, self.cards) if freed else ()
        self.joint = NOWHERE
        if joins and len(self.rects) == 1 and self.canvas.viewport.level is not Level.FAR:
            for id_ in self.cards:
                self.joint = joint_of(self.canvas.picture, id_, self.rects[id_].translated(offset), freed)

    def follow(self, draft: Draft, offset: QPointF) -> None:
        """Add to the edit what becomes of the wires, and the places of what has to make room."""
        if self.freed:
            draft.apply(rewiring.pull_out(draft.sheet, self.cards))
        for id_ in self.cards if self.joint else ():
            draft.apply(joined(draft.sheet, id_, self.joint))
            if self.joint.wire is not None:
                self._make_room(draft, id_, self.joint.wire, self.rects[id_].translated(offset))
            elif not self.canvas.picture.drawing.lays_out:
                corner = corner_joined(self.canvas.picture, id_, self.joint, self.rects[id_].translated(offset))
                draft.apply(edits.place(draft.board, {id_: (corner.x(), corner.y())}))

    def label(self, moved: str) -> str:
        """What the undo step is called; ``moved`` where no wire changes."""
        if self.joint.wire is not None:
            words = translate("Joining", "Put {what} into a wire")
        elif self.joint:
            words = translate("Joining", "Move and wire {what}")
        elif self.freed and self.cards:
            words = translate("Joining", "Pull out {what}")
        else:
            return moved
        return words.format(what=counted(self.canvas.document.sheet, self.cards))

    def paint(self, painter: QPainter) -> None:
        """Paint the wires that join what the cards come out of, and the joint."""
        picture, palette = self.canvas.picture, self.canvas.palette()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(palette.highlight().color(), LIT / 2))
        for start, plug in self._bypass:
            ends = targets.output_point(picture, start), targets.input_point(picture, plug)
            painter.drawPath(curve(*ends, picture.drawing.down))
        paint_joint(painter, picture, self.joint, palette)

    def _make_room(self, draft: Draft, id_: int, wire: Plug, rect: QRectF) -> None:
        """Put the card behind that at which the wire begins, and what comes after behind the card."""
        picture = self.canvas.picture
        if picture.drawing.lays_out:
            draft.apply(arranging.give_back(draft.board, [id_]))
            return
        start = wiring.source(picture.program, wire)
        begin = start.statement if start is not None else id_
        size = rect.width(), rect.height()
        top = picture.rect(id_).top()
        down = next(port.y - top for port in picture.ports(id_) if port.kind == "input")
        corner, push = room_in_wire(picture, begin, rect.topLeft(), [wire.consumer], size, {id_}, down)
        draft.apply(edits.place(draft.board, {id_: corner, **push.places()}))


def paint_joint(painter: QPainter, picture: Picture, joint: Joint, palette: QPalette) -> None:
    """Light up the wire that a card would stand in, or draw the one that it would get, in scene coordinates."""
    painter.setPen(QPen(palette.highlight().color(), LIT, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if joint.wire is not None:
        for path in wire_paths(picture, joint.wire):
            painter.drawPath(path)
    elif joint.plug is not None:
        painter.drawPath(curve(*joint.line, picture.drawing.down))


def _bypass(sheet: Sheet, ids: frozenset[int]) -> tuple[tuple[Ref, Plug], ...]:
    """The wires that would join what cards come out of."""
    before = sheet.program
    after = before.apply(rewiring.pull_out(sheet, ids))
    return tuple(
        (operand, Plug(statement.id, port))
        for statement in after
        if statement.id not in ids and statement != before[statement.id]
        for port, operand in enumerate(statement.ports())
        if isinstance(operand, Ref) and operand != before[statement.id].ports()[port]
    )


def _pair(id_: int, port: Port, other: int, there: Port) -> Joint:
    """An output of the one card and an input of the other."""
    here, away = QPointF(port.x, port.y), QPointF(there.x, there.y)
    if port.kind == "input" and there.kind == "value":
        return Joint(start=Ref(other, there.index), plug=Plug(id_, port.index), line=(away, here))
    if port.kind == "value" and there.kind == "input":
        return Joint(start=Ref(id_, port.index), plug=Plug(other, there.index), line=(here, away))
    return NOWHERE
