"""What a hit means to a gesture: the port or output to wire, the wire, the field to edit; and where ports lie."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QPointF, QRectF

from chalkgrad.program.building import is_gradient
from chalkgrad.program.statement import Kind, Ref
from chalkgrad_app.canvas.fields import Field, Part
from chalkgrad_app.canvas.hit import Hit, HitKind, cards_in, name_rect, value_rect
from chalkgrad_app.canvas.wiring import Plug
from chalkgrad_app.covering import Cover, Question
from chalkgrad_app.picture.anatomy import ROW
from chalkgrad_app.picture.board_paint import label_rect
from chalkgrad_app.picture.card_parts import FIELD_HEIGHT
from chalkgrad_app.picture.picture import Picture, Port

ON_CARD = frozenset(
    {
        HitKind.CARD,
        HitKind.NAME,
        HitKind.FLAGS,
        HitKind.ATTRIBUTE,
        HitKind.VALUE,
        HitKind.GRAD,
        HitKind.PORT,
        HitKind.FIELD,
        HitKind.OUTPUT,
        HitKind.GRAD_PORT,
    }
)
THINGS = frozenset(
    {
        HitKind.CARD,
        HitKind.NAME,
        HitKind.FLAGS,
        HitKind.ATTRIBUTE,
        HitKind.VALUE,
        HitKind.GRAD,
        HitKind.NOTE,
        HitKind.CORNER,
        HitKind.FRAME,
        HitKind.BLOCK,
        HitKind.FOLD,
    }
)
"""What is selected by a click and moved by a drag."""

FIELD_WIDTH = 56.0


def port_at(hit: Hit) -> Plug | None:
    """The input port that was hit."""
    if hit.kind in (HitKind.PORT, HitKind.FIELD) and hit.id is not None:
        return Plug(hit.id, hit.port)
    return None


def wire_at(hit: Hit) -> Plug | None:
    """The port in which the wire ends that was hit."""
    if hit.kind in (HitKind.WIRE, HitKind.TAG) and hit.id is not None:
        return Plug(hit.id, hit.port)
    return None


def output_port_at(hit: Hit) -> Ref | None:
    """The tensor whose port was hit: an output, or its gradient."""
    if hit.kind is HitKind.OUTPUT and hit.id is not None:
        return Ref(hit.id, hit.port)
    if hit.kind is HitKind.GRAD_PORT and hit.id is not None:
        return Ref(hit.id, hit.port, ("grad",))
    return None


def output_at(hit: Hit) -> Ref | None:
    """The tensor that a wire let go here would come from: the port hit, else the row, else the card's first output."""
    port = output_port_at(hit)
    if port is not None or hit.kind not in ON_CARD or hit.id is None:
        return port
    if hit.kind is HitKind.GRAD:
        return Ref(hit.id, hit.port, ("grad",))
    return Ref(hit.id, hit.port if hit.kind is HitKind.VALUE else 0)


def question_at(picture: Picture, hit: Hit) -> Question | None:
    """What one is asked who clicks a cover: over a gradient, over what tells leaf and requires_grad."""
    if hit.id is None or hit.id not in picture.program:
        return None
    if hit.kind is HitKind.FLAGS:
        return Question(Cover.FLAGS, Ref(hit.id))
    is_value = hit.kind is HitKind.VALUE and is_gradient(picture.program[hit.id])
    if hit.kind is not HitKind.GRAD and not is_value:
        return None
    tensor = picture.state.tensor(hit.id, hit.port)
    covered = tensor is not None and picture.state.is_covered(tensor)
    return Question(Cover.GRADIENTS, Ref(hit.id, hit.port)) if covered else None


def text_field_at(picture: Picture, hit: Hit) -> Field | None:
    """The field that was hit: the name, or the value of a leaf."""
    if hit.id is None or hit.id not in picture.program:
        return None
    statement = picture.program[hit.id]
    if hit.kind is HitKind.NAME and statement.targets:
        return Field(Part.NAME, hit.id, max(hit.port, 0))
    if hit.kind is HitKind.VALUE and statement.kind is Kind.LEAF:
        return Field(Part.VALUE, hit.id)
    return None


def output_point(picture: Picture, ref: Ref) -> QPointF:
    """Where the port of a tensor, or of its gradient, lies in canvas units."""
    made = picture.program.maker(ref) if ref.statement not in picture.index else ref
    kind = "grad" if "grad" in made.path else "value"
    return _port_point(picture, made.statement, kind, made.output)


def input_point(picture: Picture, plug: Plug) -> QPointF:
    """Where an input port lies in canvas units."""
    return _port_point(picture, plug.consumer, "input", plug.port)


def is_nearer_start(picture: Picture, start: Ref, plug: Plug, point: QPointF) -> bool:
    """True where a wire is taken nearer to the port that it begins at."""
    to_start, to_end = output_point(picture, start) - point, input_point(picture, plug) - point
    return QPointF.dotProduct(to_start, to_start) < QPointF.dotProduct(to_end, to_end)


def ports_in(picture: Picture, rect: QRectF, inputs: bool, but: Collection[int]) -> list[QPointF]:
    """The input ports, or the outputs, within ``rect`` of all cards except ``but``."""
    return [
        QPointF(port.x, port.y)
        for id_ in cards_in(picture, rect)
        if id_ not in but
        for port in picture.ports(id_)
        if (port.kind == "input") == inputs
    ]


def field_rect(picture: Picture, field: Field) -> QRectF:
    """Where a field lies in canvas units; an empty rectangle when what it belongs to is not there."""
    if field.part in (Part.NOTE, Part.TITLE, Part.ROUNDS):
        return _thing_rect(picture, field)
    if field.id not in picture.index:
        return QRectF()
    if field.part is Part.LABEL:
        return label_rect(picture, field.id)
    if field.part is Part.PORT:
        return _port_field(picture, field)
    header = name_rect(picture, field.id, field.index if field.part is Part.NAME else 0)
    if field.part is Part.NAME and picture.drawing.down:
        return header.adjusted(32, 3, -32, -3)
    if field.part is Part.NAME:
        return QRectF(header.left() + 20, header.top() + 2, max(96.0, header.width() / 2), header.height() - 4)
    if field.part is Part.VALUE:
        return value_rect(picture, field.id).adjusted(4, 0, -4, 0)
    return QRectF(header.left() + 4, value_rect(picture, field.id).bottom(), header.width() - 8, ROW)


def _thing_rect(picture: Picture, field: Field) -> QRectF:
    rect = picture.rect_of(field.id)
    if rect is None:
        return QRectF()
    folded = next((fold for fold in picture.folds if fold.id == field.id), None)
    if folded is not None:
        return QRectF(rect.left() + 8, rect.top() + folded.above + 2, rect.width() - 16, 24)
    return rect if field.part is Part.NOTE else QRectF(rect.left() + 8, rect.top() + 2, 200, 24)


def _port_field(picture: Picture, field: Field) -> QRectF:
    """Where a number is typed that goes into an input port: left of the port, above or under it."""
    at = input_point(picture, Plug(field.id, field.index))
    if field.index in picture.anatomy(field.id).under:
        return QRectF(at.x() - FIELD_WIDTH / 2, at.y(), FIELD_WIDTH, FIELD_HEIGHT)
    if picture.drawing.down:
        return QRectF(at.x() - FIELD_WIDTH / 2, at.y() - FIELD_HEIGHT - 8, FIELD_WIDTH, FIELD_HEIGHT)
    return QRectF(at.x() - FIELD_WIDTH - 8, at.y() - FIELD_HEIGHT / 2, FIELD_WIDTH, FIELD_HEIGHT)


def _port_point(picture: Picture, id_: int, kind: str, index: int) -> QPointF:
    in_fold = _fold_port(picture, id_, kind, index)
    if in_fold is not None:
        return in_fold
    found = [port for port in picture.ports(id_) if port.kind == kind] if id_ in picture.index else []
    best: Port | None = next((port for port in found if port.index == index), found[0] if found else None)
    if best is not None:
        return QPointF(best.x, best.y)
    rect = picture.rect_of(id_) or QRectF()
    return rect.topLeft() if kind == "input" else rect.topRight()


def _fold_port(picture: Picture, id_: int, kind: str, index: int) -> QPointF | None:
    """The port of the folded node that stands for a hidden card."""
    fold = next((fold for fold in picture.folds if id_ in fold.hides), None)
    if fold is None:
        return None
    wanted = (id_, index, kind == "grad")
    for port in () if kind == "input" else fold.outputs:
        if port.outlet == wanted:
            return fold.rect.topLeft() + QPointF(*port.at)
    return fold.rect.topLeft() if kind == "input" else fold.rect.topRight()
