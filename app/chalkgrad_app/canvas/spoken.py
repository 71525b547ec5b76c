"""What screen readers say of a card, a note or a frame: its name, its value, and the rest as a description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chalkgrad.program.building import is_gradient
from chalkgrad.session.state import Status, TensorState
from chalkgrad_app.canvas import reach
from chalkgrad_app.i18n import language, translate

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas


def thing_name(canvas: GraphCanvas, id_: int) -> str:
    """What a card, a note or a frame is called."""
    return card_name(canvas, id_) if id_ in canvas.document.program else _board_name(canvas, id_)


def card_name(canvas: GraphCanvas, id_: int) -> str:
    """What a card is: ``y = a * b, intermediate, requires grad``."""
    document = canvas.document
    statement = document.program[id_]
    shown = canvas.picture.face(id_)
    words = [
        f"{shown.name} = {shown.expression}" if shown.name and shown.expression else shown.name or shown.expression
    ]
    tensor = document.state.tensor(id_)
    if tensor is not None:
        kind = translate("Accessible", "leaf") if tensor.is_leaf else translate("Accessible", "intermediate")
        words.append(kind if tensor.has_flags else translate("Accessible", "leaf or not: covered"))
        if tensor.requires_grad:
            words.append("requires_grad")
    status = document.state.statement(id_).status
    if status is not Status.OK:
        words.append(_status_word(status))
    return ", ".join(word for word in words if word) or statement.call


def card_value(canvas: GraphCanvas, id_: int) -> str:
    """The value as the card shows it: ``[6.]``."""
    state = canvas.document.state
    tensor = state.tensor(id_)
    if tensor is None:
        return ""
    if is_gradient(canvas.document.program[id_]) and state.is_covered(tensor):
        return translate("Accessible", "gradient covered")
    return tensor.short


def card_description(canvas: GraphCanvas, id_: int) -> str:
    """Line, gradient, error, and what the card is wired to."""
    document = canvas.document
    parts = [translate("Accessible", "line {n}").format(n=document.program.lines[id_])]
    tensor = document.state.tensor(id_)
    if tensor is not None:
        parts.append(translate("Accessible", "shape {shape}").format(shape=tensor.shape))
    at = document.state.statement(id_)
    if at.problem is not None:
        parts.append(at.problem.printed)
    if tensor is not None and (tensor.requires_grad or tensor.grad is not None):
        parts.append(_gradient(canvas, tensor))
    sources = [_short(canvas, source) for source in reach.read_by(canvas.picture, id_)]
    readers = [_short(canvas, reader) for reader in reach.readers(canvas.picture, id_)]
    if sources:
        parts.append(translate("Accessible", "from {names}").format(names=", ".join(sources)))
    if readers:
        parts.append(translate("Accessible", "to {names}").format(names=", ".join(readers)))
    return ". ".join(parts)


def _board_name(canvas: GraphCanvas, id_: int) -> str:
    """What a note says, or the title of a frame, with how many cards it hides where it is folded."""
    document = canvas.document
    if id_ in document.board.notes:
        return document.board.notes[id_].text(language())
    title = translate("Accessible", "frame {title}").format(title=document.board.frames[id_].title)
    fold = next((fold for fold in canvas.picture.folds if fold.id == id_), None)
    if fold is None:
        return title
    return ", ".join((title, translate("Accessible", "folded, {n} cards").format(n=len(fold.cards))))


def _gradient(canvas: GraphCanvas, tensor: TensorState) -> str:
    if canvas.document.state.is_covered(tensor):
        return translate("Accessible", "gradient covered")
    text = tensor.grad.short if tensor.grad is not None else "None"
    return translate("Accessible", "gradient {value}").format(value=text)


def _short(canvas: GraphCanvas, id_: int) -> str:
    statement = canvas.document.program[id_]
    return statement.name or statement.call


def _status_word(status: Status) -> str:
    words = {
        Status.FAILED: translate("Accessible", "failed"),
        Status.WAITING: translate("Accessible", "waiting"),
        Status.NOT_REACHED: translate("Accessible", "not reached"),
        Status.TO_COME: translate("Accessible", "to come"),
    }
    return words.get(status, "")
