"""What a node of the gradient's graph says: the operator with what it was given, its value, its grad_fn."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chalkgrad.engine.record import OPS
from chalkgrad.explain.writing import in_words, number
from chalkgrad.session.derived import DerivedNode, GradientGraph
from chalkgrad.session.state import Saved, State, TensorState
from chalkgrad.source.emit import expression
from chalkgrad_app.picture.card import short_function_name
from chalkgrad_app.picture.function_face import function_words
from chalkgrad_app.picture.gradient_layer import outlet_of
from chalkgrad_app.picture.look import card_words
from chalkgrad_app.picture.node_arrays import Key
from chalkgrad_app.picture.values import Form, form_of, shape_text

if TYPE_CHECKING:
    from chalkgrad_app.picture.picture import Picture

NAMELESS = "·"
"""Stands for what another node of the layer made: its edge shows which."""
SAYS_NOTHING = re.compile(r"\\\w+")
GRADIENT = re.compile(r"d(\w+|\(.*\))/d(\w+|\(.*\))")
PRODUCTS = {"mm": "@", "bmm": "@", "mv": "@"}
"""Operators that are written with a sign under another name."""
OPERANDS = ("other", "exponent")
"""Numbers that are operands."""
LONGEST = 14
COVERED = "?"


@dataclass(frozen=True, slots=True)
class NodeFace:
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
    graph = layer.graphs[row]
    return NodeFace(
        number=node.number,
        title=title_of(picture, node),
        value="" if tensor is None else value_text(state, tensor, _target(state, graph, made)),
        shape="" if tensor is None or not tensor.shape else shape_text(tensor.shape),
        function=short_function_name(record.name).removesuffix("Backwards"),
        gradient=gradient_name(picture, graph, made) or _kept_as(picture, made),
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


def title_of(picture: Picture, node: DerivedNode) -> str:
    """The operator with what it was given: ``c ** 2``, ``dy/dc * x``, ``sum(dy/dc)``."""
    made = picture.state.nodes[node.number]
    record = OPS.get(node.call)
    if record is None:
        return short_function_name(made.name)
    given = [object_name(picture, number) for number in made.inputs]
    constants = {name: number(value).plain for name, value in node.constants}
    symbol = PRODUCTS.get(record.name) or record.symbol or OPS[record.part_of or record.name].symbol
    operands = [*given, *(constants[name] for name in OPERANDS if name in constants)]
    if symbol and len(operands) == 2 and constants.get("alpha", "1") == "1":
        return f"{_operand(operands[0])} {symbol} {_operand(operands[1])}"
    if not record.latex or SAYS_NOTHING.fullmatch(record.latex) or record.variadic:
        called = (record.part_of or record.name).removesuffix("_")
        return f"{called}({', '.join(given[-1:] if node.call == 'copy_' else given)})"
    names = {name: f"{{{_operand(text)}}}" for name, text in zip(record.inputs, given, strict=False)}
    return in_words(record.formula(names | constants))


def object_name(picture: Picture, number: int | None) -> str:
    """What an object is called: a name of the program, ``dy/dc`` for a gradient, its number for a constant."""
    if number is None:
        return NAMELESS
    state = picture.state
    name = _kept_as(picture, number)
    if name:
        return name
    for graph in state.graphs:
        if number in graph.gradients:
            found = gradient_name(picture, graph, number)
            if found:
                return found
    tensor = state.object(number)
    is_constant = tensor is not None and tensor.node is None and tensor.value is not None and tensor.value.size == 1
    return tensor.short.strip("[]") if is_constant and tensor is not None else NAMELESS


def gradient_name(picture: Picture, graph: GradientGraph, number: int | None) -> str:
    """``dy/dc`` for all of the gradient that came to ``c``; empty for what is on its way, or has no name."""
    if number is None or number not in graph.gradients or len(graph.roots) != 1 or graph.roots[0] is None:
        return ""
    target = _target(picture.state, graph, number)
    root, by = (None if each is None else outlet_of(picture, each) for each in (graph.roots[0], target))
    if root is None or by is None:
        return ""
    return f"d{_atom(_card_name(picture, *root))}/d{_atom(_card_name(picture, *by))}"


def value_text(state: State, tensor: TensorState, target: int | None) -> str:
    """The value on one line, or the shape of a large one; nothing while gradients are covered."""
    of = None if target is None else state.object(target)
    if state.covered is not None and (of is None or state.is_covered(of)):
        return COVERED
    if form_of(tensor.shape) is Form.LARGE:
        return " x ".join(map(str, tensor.shape))
    return " ".join(tensor.short.split())


def _kept_as(picture: Picture, number: int | None) -> str:
    """What the program calls an object: a name, ``x.grad``; empty for what it has no name for."""
    if number is None:
        return ""
    name, _ = picture.state.calling(number)
    outlet = outlet_of(picture, number)
    return name or ("" if outlet is None else _card_name(picture, *outlet))


def _target(state: State, graph: GradientGraph, number: int | None) -> int | None:
    """The object whose gradient an object is."""
    found = None if number is None else graph.gradients.get(number)
    if found is None:
        return None
    record = state.nodes[found[0]]
    numbers = record.inputs if record.name == "AccumulateGrad" else record.outputs
    return numbers[found[1]] if found[1] < len(numbers) else None


def _card_name(picture: Picture, statement: int, output: int) -> str:
    targets = picture.program[statement].targets
    if output < len(targets) and targets[output]:
        return targets[output]
    text = expression(picture.program, statement)
    return text if len(text) <= LONGEST else picture.program[statement].call


def _atom(text: str) -> str:
    return text if text.isidentifier() else f"({text})"


def _operand(text: str) -> str:
    """A name within a formula: an expression in parentheses."""
    return f"({text})" if " " in text and not GRADIENT.fullmatch(text) else text
