"""What a node of the gradient's graph says: the operator with what it was given, its value, its grad_fn."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from chalkgrad.session.state import Saved, State, TensorState
from chalkgrad_app.picture.card import short_function_name
from chalkgrad_app.picture.function_face import function_words
from chalkgrad_app.picture.look import card_words
from chalkgrad_app.picture.node_arrays import Key
from chalkgrad_app.picture.values import Form, form_of, shape_text

if TYPE_CHECKING:
    from chalkgrad.explain.recorded import RecordedNames
    from chalkgrad_app.picture.picture import Picture

COVERED = "?"
_known: WeakKeyDictionary[Picture, tuple[State, tuple[object, ...], RecordedNames]] = WeakKeyDictionary()


class NodeFace(NamedTuple):
    """Everything that a node shows. ``gradient`` is what it is the gradient of: ``dy/dc``, empty for a step between.

    ``mark`` tells it from all others, and is what formulas call it that have no better name: ``#5``.
    """

    number: int
    mark: str
    title: str
    value: str
    shape: str
    function: str
    gradient: str
    order: int
    saved: Saved
    to_come: bool


def node_face(picture: Picture, row: int) -> NodeFace:
    """What the node in a row of the picture's gradient layer says."""
    layer, state = picture.gradients, picture.state
    node = layer.nodes[row]
    record = state.nodes[node.number]
    made = record.outputs[0] if record.outputs else None
    tensor = None if made is None or layer.to_come[row] else state.object(made)
    graph, names = layer.graphs[row], names_in(picture)
    return NodeFace(
        number=node.number,
        mark=names.count(node),
        title=names.title(node),
        value="" if tensor is None else value_text(state, tensor, names.target(graph, made)),
        shape="" if tensor is None or not tensor.shape else shape_text(tensor.shape),
        function=short_function_name(record.name).removesuffix("Backwards"),
        gradient=names.gradient(graph, made).plain or names.kept_as(made),
        order=int(layer.orders[row]),
        saved=Saved.NOTHING if tensor is None else tensor.saved,
        to_come=bool(layer.to_come[row]),
    )


def node_words(picture: Picture, key: Key) -> str:
    """What a node is, in a line: ``dy/dc * x   [96., 324.]   MulBackward0   1st derivative``."""
    function, row = picture.functions.index.get(key), picture.gradients.index.get(key)
    if function is not None:
        return function_words(picture, function, card_words())
    name = picture.state.nodes[key[1]].name
    if row is None:
        return name
    face, words = node_face(picture, row), card_words()
    said = (f"{face.mark} = {face.title}", face.value, name, face.gradient, words.derivative(face.order))
    return "   ".join(part for part in (*said, words.to_come if face.to_come else "") if part)


def names_in(picture: Picture) -> RecordedNames:
    """What is called what in the gradient's own graph, on the canvas; worked out once for what is shown."""
    graphs = picture.state.graphs
    newest = len(graphs[-1].nodes) if graphs else 0
    shown = (picture.drawing.name, len(picture.index), len(graphs), newest)
    known = _known.get(picture)
    if known is None or known[0] is not picture.state or known[1] != shown:
        known = _known[picture] = picture.state, shown, _names_in(picture)
    return known[2]


def forget_names(picture: Picture) -> None:
    """Let go of what was worked out for a state that is no longer shown, and so of its trace."""
    known = _known.get(picture)
    if known is not None and known[0] is not picture.state:
        del _known[picture]


def _names_in(picture: Picture) -> RecordedNames:
    from chalkgrad.explain.recorded import names_of

    return names_of(picture.program, picture.state, picture.index)


def value_text(state: State, tensor: TensorState, target: int | None) -> str:
    """The value on one line, or the shape of a large one; nothing while gradients are covered."""
    of = None if target is None else state.object(target)
    if state.covered is not None and (of is None or state.is_covered(of)):
        return COVERED
    if form_of(tensor.shape) is Form.LARGE:
        return " x ".join(map(str, tensor.shape))
    return " ".join(tensor.short.split())
