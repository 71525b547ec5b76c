"""The pointer over the canvas: its shape, and what its tooltip says."""

from __future__ import annotations

from textwrap import fill

from PySide6.QtGui import Qt

from chalkgrad.engine.record import OPS
from chalkgrad.program.building import is_gradient
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Ref
from chalkgrad.session.state import State, TensorState
from chalkgrad_app.canvas import targets, wiring
from chalkgrad_app.canvas.hit import Edge, Hit, HitKind
from chalkgrad_app.canvas.wiring import Plug
from chalkgrad_app.i18n import translate
from chalkgrad_app.picture.autograd_face import AutogradFace
from chalkgrad_app.picture.autograd_paint import saving
from chalkgrad_app.picture.card import blamed
from chalkgrad_app.picture.node_arrays import NODE
from chalkgrad_app.picture.node_face import node_words
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.values import Form, form_of

CURSORS = {
    HitKind.PORT: Qt.CursorShape.CrossCursor,
    HitKind.OUTPUT: Qt.CursorShape.CrossCursor,
    HitKind.GRAD_PORT: Qt.CursorShape.CrossCursor,
    HitKind.FIELD: Qt.CursorShape.IBeamCursor,
    HitKind.WIRE: Qt.CursorShape.PointingHandCursor,
    HitKind.BAND: Qt.CursorShape.PointingHandCursor,
    HitKind.TAG: Qt.CursorShape.PointingHandCursor,
}
MOST_NAMES = 12
LETTERS = 80
"""So many letters of an error stand in a line: Qt breaks no line of plain words."""
EDGE_CURSORS = {
    Edge.LEFT: Qt.CursorShape.SizeHorCursor,
    Edge.RIGHT: Qt.CursorShape.SizeHorCursor,
    Edge.TOP: Qt.CursorShape.SizeVerCursor,
    Edge.BOTTOM: Qt.CursorShape.SizeVerCursor,
    Edge.LEFT | Edge.TOP: Qt.CursorShape.SizeFDiagCursor,
    Edge.RIGHT | Edge.BOTTOM: Qt.CursorShape.SizeFDiagCursor,
    Edge.RIGHT | Edge.TOP: Qt.CursorShape.SizeBDiagCursor,
    Edge.LEFT | Edge.BOTTOM: Qt.CursorShape.SizeBDiagCursor,
}


def cursor_for(hit: Hit) -> Qt.CursorShape:
    """The pointer's shape over what was hit."""
    if hit.kind is HitKind.LINE or hit.part == "grad_fn":
        return Qt.CursorShape.PointingHandCursor
    if hit.kind is HitKind.CORNER:
        return EDGE_CURSORS.get(Edge(hit.port), Qt.CursorShape.SizeAllCursor)
    return CURSORS.get(hit.kind, Qt.CursorShape.ArrowCursor)


def tooltip(picture: Picture, hit: Hit) -> str:
    """What the tooltip says of what was hit; nothing where the card says it all."""
    program, state = picture.program, picture.state
    plug = targets.wire_at(hit)
    if plug is not None:
        return wire_text(program, state, plug)
    port = targets.port_at(hit)
    if port is not None:
        return port_text(program, port)
    if hit.kind is HitKind.NODE:
        return node_words(picture, (NODE, hit.node))
    if hit.kind in (HitKind.NOTE, HitKind.FOLD):
        return _note_text(picture, hit) if hit.kind is HitKind.NOTE else _fold_text(picture, hit)
    if hit.id not in program or hit.id is None:
        return ""
    tensor = state.tensor(hit.id, max(hit.port, 0))
    if hit.kind in (HitKind.GRAD, HitKind.GRAD_PORT):
        return _value_text(tensor.grad) if tensor is not None and not state.is_covered(tensor) else ""
    problem = state.statement(hit.id).problem or blamed(program, state).get(hit.id)
    if problem is not None and hit.kind is not HitKind.VALUE:
        return "\n".join(fill(line, LETTERS) for line in problem.printed.split("\n"))
    if hit.kind is HitKind.CARD and isinstance(face := picture.face(hit.id), AutogradFace) and face.saves:
        return saving(face)
    if tensor is not None and is_gradient(program[hit.id]) and state.is_covered(tensor):
        return ""
    return _value_text(tensor) if hit.kind in (HitKind.VALUE, HitKind.OUTPUT) else ""


def _note_text(picture: Picture, hit: Hit) -> str:
    """Where the links of a note lead, and what is wrong with its formulas."""
    note = next((note for note in picture.notes if note.id == hit.id), None)
    if note is None:
        return ""
    from chalkgrad_app.picture.note_text import broken_formulas, links_in  # with the first note, as in its picture

    text = note.text(picture.language)
    broken = [f"{formula.latex}: {why}" for formula, why in broken_formulas(text)]
    hint = [translate("Hovering", "This formula can't be read"), *broken] if broken else []
    return "\n".join([*links_in(text), *hint])


def _fold_text(picture: Picture, hit: Hit) -> str:
    """What a folded node holds, and how to open it."""
    fold = next((fold for fold in picture.folds if fold.id == hit.id), None)
    if fold is None:
        return ""
    names = [picture.program[id_].name or picture.program[id_].call for id_ in fold.cards]
    shown = ", ".join(names[:MOST_NAMES]) + (", ..." if len(names) > MOST_NAMES else "")
    hint = translate("Hovering", "Double click opens it")
    return f"{shown}\n{hint}" if shown else hint


def plain(words: str) -> str:
    """The words such that a tooltip shows them as they are, and reads no markup in what a person typed."""
    return Qt.convertFromPlainText(words) if Qt.mightBeRichText(words) else words


def wire_text(program: Program, state: State, plug: Plug) -> str:
    """``a → y.other   (1,) float32``."""
    start = wiring.source(program, plug)
    if start is None or start.statement not in program:
        return ""
    made = program.maker(start)
    name = program[made.statement].name or program[made.statement].call
    ends = f"{name} → {port_name(program, plug)}"
    tensor = state.tensor(made.statement, made.output)
    if tensor is not None and "grad" in made.path:
        tensor = None if state.is_covered(tensor) else tensor.grad
    return f"{ends}   {tensor.shape} {tensor.dtype}" if tensor is not None else ends


def port_text(program: Program, plug: Plug) -> str:
    """A port's name, and what an open one waits for."""
    if isinstance(wiring.plugged(program, plug), Ref):
        return port_name(program, plug)
    hint = translate("Hovering", "click to type a number, or drag a wire here")
    return f"{port_name(program, plug)}: {hint}"


def port_name(program: Program, plug: Plug) -> str:
    """The name of a port as PyTorch calls the argument: ``y.other``."""
    statement = program[plug.consumer]
    record = OPS.get(statement.call)
    owner = statement.name or statement.call
    if record is not None and plug.port < len(record.inputs) and record.inputs != ("tensors",):
        return f"{owner}.{record.inputs[plug.port]}"
    return f"{owner}[{plug.port}]"


def _value_text(tensor: TensorState | None) -> str:
    """PyTorch's text of a value too big for the card; nothing for one that the card shows whole."""
    if tensor is None or form_of(tensor.shape) is not Form.LARGE:
        return ""
    return tensor.text
