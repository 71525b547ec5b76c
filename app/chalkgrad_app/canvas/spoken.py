"""What screen readers say of a card, a note or a frame: its name, its value, and the rest as a description."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from chalkgrad.program.building import is_gradient
from chalkgrad.session.state import Status, TensorState
from chalkgrad_app.canvas import reach
from chalkgrad_app.i18n import language, translate
from chalkgrad_app.picture.folding import Fold
from chalkgrad_app.picture.node_arrays import Key
from chalkgrad_app.picture.node_face import node_face

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas


def contents(canvas: GraphCanvas) -> str:
    """How many things of each kind there are."""
    picture = canvas.picture
    counts = (
        (translate("Accessible", "cards: {n}"), len(picture.ids)),
        (translate("Accessible", "notes: {n}"), len(picture.notes)),
        (translate("Accessible", "frames: {n}"), len(picture.frames) + len(picture.folds)),
        (translate("Accessible", "nodes of backward graphs: {n}"), len(canvas.nodes.keys())),
    )
    return ", ".join(words.format(n=count) for place, (words, count) in enumerate(counts) if count or not place)


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
    mine = document.program[id_].block
    blocks = [document.program.blocks[block].heading for block in document.program.chain(mine)]
    if blocks:
        parts.append(translate("Accessible", "in {names}").format(names=", ".join(map(_plain, blocks))))
    return _joined([*parts, *_wired(canvas, [id_])])


def frame_value(canvas: GraphCanvas, id_: int) -> str:
    """What a frame or a block holds: the names of its cards."""
    fold = _fold(canvas, id_)
    cards = fold.cards if fold is not None else _inside(canvas, id_)
    return ", ".join(dict.fromkeys(_card(canvas, card) for card in cards))


def frame_description(canvas: GraphCanvas, id_: int) -> str:
    """What wires lead into a folded frame and out of it."""
    fold = _fold(canvas, id_)
    return _joined(_wired(canvas, fold.cards)) if fold is not None else ""


def node_value(canvas: GraphCanvas, key: Key) -> str:
    """The value of a node of the gradient's graph, as it shows it."""
    row = canvas.picture.gradients.index.get(key)
    return node_face(canvas.picture, row).value if row is not None else ""


def node_description(canvas: GraphCanvas, key: Key) -> str:
    """The line that a node came from, and which nodes and cards its edges lead to."""
    arrays = canvas.nodes.arrays(key)
    if arrays is None:
        return ""
    row = arrays.index[key]
    parts = [translate("Accessible", "from line {n}").format(n=canvas.document.program.lines.get(arrays.cards[row], 0))]
    if arrays is canvas.picture.functions:  # it stands beside that card, no edge leads there
        parts.append(translate("Accessible", "belongs to {name}").format(name=_short(canvas, arrays.cards[row])))
    sides = (1, translate("Accessible", "from {names}")), (-1, translate("Accessible", "to {names}"))
    for side, words in sides:
        names = [canvas.nodes.words(arrays.keys[other]).split("   ")[0] for other in arrays.joined(row, side)]
        card = arrays.card_beyond(row, side) if arrays is not canvas.picture.functions else None
        names += [_short(canvas, card)] if card is not None else []
        if names:
            parts.append(words.format(names=", ".join(dict.fromkeys(names))))
    return _joined(parts)


def _wired(canvas: GraphCanvas, ids: Collection[int]) -> list[str]:
    """What some cards read that is none of them, and what reads them."""
    picture, parts = canvas.picture, []
    sources = [source for id_ in ids for source in reach.read_by(picture, id_) if source not in ids]
    readers = [reader for id_ in ids for reader in reach.readers(picture, id_) if reader not in ids]
    if sources:
        parts.append(translate("Accessible", "from {names}").format(names=_names(canvas, sources)))
    if readers:
        parts.append(translate("Accessible", "to {names}").format(names=_names(canvas, readers)))
    return parts


def _joined(parts: Collection[str]) -> str:
    """As sentences; a number that ends with its point has that alone."""
    return " ".join(part if part.endswith(".") else f"{part}." for part in parts).removesuffix(".")


def _plain(heading: str) -> str:
    """The line that opens a block, as it is called: ``no_grad``, ``for step in range(5)``."""
    return heading.removeprefix("with torch.").removesuffix(":").removesuffix("()")


def _fold(canvas: GraphCanvas, id_: int) -> Fold | None:
    return next((fold for fold in canvas.picture.folds if fold.id == id_), None)


def _inside(canvas: GraphCanvas, id_: int) -> Sequence[int]:
    """The cards of a block, or on a frame, in the order of their lines."""
    frame = next((frame for frame in canvas.picture.frames if frame.id == id_), None)
    return [card for card in canvas.picture.ids if card in frame.cards] if frame is not None else ()


def _board_name(canvas: GraphCanvas, id_: int) -> str:
    """What a note says, or the title of a frame or block, with how many cards it hides where it is folded."""
    document = canvas.document
    if id_ in document.board.notes:
        return document.board.notes[id_].text(language())
    if id_ in document.program.blocks:
        title = _plain(document.program.blocks[id_].heading)
        title = translate("Accessible", "block {title}").format(title=title)
    else:
        title = translate("Accessible", "frame {title}").format(title=document.board.frames[id_].title)
    fold = _fold(canvas, id_)
    if fold is None:
        return title
    return ", ".join((title, translate("Accessible", "folded, {n} cards").format(n=len(fold.cards))))


def _gradient(canvas: GraphCanvas, tensor: TensorState) -> str:
    if canvas.document.state.is_covered(tensor):
        return translate("Accessible", "gradient covered")
    text = tensor.grad.short if tensor.grad is not None else "None"
    return translate("Accessible", "gradient {value}").format(value=text)


def _names(canvas: GraphCanvas, ids: Iterable[int]) -> str:
    return ", ".join(dict.fromkeys(_short(canvas, id_) for id_ in ids))


def _short(canvas: GraphCanvas, id_: int) -> str:
    """What a card is called; a folded frame where it is hidden in one."""
    shown = reach.shown_as(canvas.picture, id_)
    return _board_name(canvas, shown) if shown != id_ else _card(canvas, id_)


def _card(canvas: GraphCanvas, id_: int) -> str:
    """The name of a card, or its expression where it has none."""
    statement = canvas.document.program[id_]
    return statement.name or canvas.picture.face(id_).expression or statement.call


def _status_word(status: Status) -> str:
    words = {
        Status.FAILED: translate("Accessible", "failed"),
        Status.WAITING: translate("Accessible", "waiting"),
        Status.NOT_REACHED: translate("Accessible", "not reached"),
        Status.TO_COME: translate("Accessible", "to come"),
    }
    return words.get(status, "")
