"""What a node of the gradient's graph says: the operator with what it was given, its value, its grad_fn."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

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


class NodeFace(NamedTuple):
    """Everything that a node shows. ``gradient`` is what it is the gradient of: ``dy/dc``, empty for a step between."""

    number: int
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
        title=names.title(node),
        value="" if tensor is None else value_text(state, tensor, names.target(graph, made)),
        shape="" if tensor is None or not tensor.shape else shape_text(tensor.shape),
        function=short_function_name(record.name).removesuffix("Backwards"),
        gradient=names.gradient(graph, made) or names.kept_as(made),
        order=int(layer.orders[row]),
        saved=Saved.NOTHING if tensor is None else tensor.saved,
        to_come=bool(layer.to_come[row]),
    )


def node_words(picture: Picture, key: Key) -> str:
    """What a node is, in a line: ``dy/dc * x   [96., 324.]   MulBackward0   1st derivative``."""
    row, name = picture.gradients.index.get(key), picture.state.nodes[key[1]].name
    if row is None:
        function = picture.functions.index.get(key)
        return name if function is None else function_words(picture, function, card_words())
    face, words = node_face(picture, row), card_words()
    said = (face.title, face.value, name, face.gradient, words.derivative(face.order))
    return "   ".join(part for part in (*said, words.to_come if face.to_come else "") if part)


def names_in(picture: Picture) -> RecordedNames:
    """What is called what in the gradient's own graph, on the canvas."""
    from chalkgrad.explain.recorded import RecordedNames

    state = picture.state

    def constant(number: int) -> str:
        tensor = state.object(number) if state.covered is None else None  # most are derivatives that came out a number
        is_one = tensor is not None and tensor.node is None and tensor.value is not None and tensor.value.size == 1
        return tensor.short.strip("[]") if is_one and tensor is not None else ""

    return RecordedNames(picture.program, state, picture.index, constant)


def value_text(state: State, tensor: TensorState, target: int | None) -> str:
    """The value on one line, or the shape of a large one; nothing while gradients are covered."""
    of = None if target is None else state.object(target)
    if state.covered is not None and (of is None or state.is_covered(of)):
        return COVERED
    if form_of(tensor.shape) is Form.LARGE:
        return " x ".join(map(str, tensor.shape))
    return " ".join(tensor.short.split())
