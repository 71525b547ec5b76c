"""Data and edges: tensors are nodes, an operator is one label where the edges from its inputs join."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import fields, replace
from functools import lru_cache
from itertools import accumulate
from math import sqrt

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from chalkgrad.engine.record import OPS
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.session.state import Problem, State, StatementState, Status, TensorState
from chalkgrad.source import emit
from chalkgrad_app.naming import cut_short
from chalkgrad_app.picture import data_paint
from chalkgrad_app.picture.anatomy import (
    BOTTOM,
    CHARACTER,
    GRAD_LABEL,
    GRAD_MARKS,
    GRID,
    PAD,
    ROW,
    SMALL_CHARACTER,
    Anatomy,
    Box,
    Point,
    RowExtent,
    RowPlace,
    value_extent,
)
from chalkgrad_app.picture.card import CardFace, hue_of, input_ports
from chalkgrad_app.picture.card_parts import field_rect
from chalkgrad_app.picture.data_face import BAND, DataAnatomy, DataFace, NodeFace
from chalkgrad_app.picture.drawings.cards import CardDrawing
from chalkgrad_app.picture.line_numbers import NumberPlace
from chalkgrad_app.picture.look import Level, Look
from chalkgrad_app.picture.values import Form, form_of

NODE = 128.0
"""Least width of a node: a number has room in it."""
EMPTY_NODE, GRAD_NODE = RowExtent(NODE), RowExtent(NODE, grad=ROW)
"""Nodes with a number, or without one, and with its gradient."""
ERROR_NODE = RowExtent(176.0, 64.0)
"""Room for the first words of an error on a node without a value."""
LABEL = 28.0
"""Height of a label, and the least width: that of a disc."""
LABEL_PITCH = 18.0
"""Room for each edge that joins in a label."""
LONGEST_LABEL = 20
"""Characters of a label; the rest is elided."""
UNDER, UNDER_PITCH = 5.0, 20.0
"""Room between a label and the number under it, and from there to the next."""
STUB = 26.0
"""Length of the edge from a label to its node."""
NODE_GAP = 16.0
AROUND_VERSION = 36.0
"""Room for the tab with a version around its number: that is written larger from some distance."""


class DataDrawing(CardDrawing):
    """The drawing of the course notes: node = tensor, edge = operator."""

    name = "data"
    handle_at = 0.94
    is_wired_by_hand = False

    def anatomy(self, statement: Statement, state: StatementState, inputs: int | None = None) -> Anatomy:
        """Size and parts: the label at the left, a node for each output at the right."""
        found = tuple(_extent(tensor) for tensor in state.outputs if tensor is not None)
        if statement.kind is Kind.LEAF:
            return _leaf(found)
        spare = ERROR_NODE if state.status is Status.FAILED else EMPTY_NODE
        joins = tuple([isinstance(operand, Ref) for _, operand in input_ports(statement)])
        return _joined(found, spare, joins, _label_width(operator_label(statement)))

    def blank(self, inputs: int) -> Anatomy:
        """Size and parts of a node without a value."""
        return _joined((), EMPTY_NODE, (True,) * inputs, LABEL) if inputs else _leaf(())

    def face(
        self,
        program: Program,
        state: State,
        id_: int,
        blame: Mapping[int, Problem],
        shape: Anatomy | None = None,
        worded: CardFace | None = None,
    ) -> CardFace:
        """What the label and the nodes say."""
        card = super().face(program, state, id_, blame, shape, worded)
        nodes = tuple(
            NodeFace(_title(program, card, output), hue_of(tensor), tensor.requires_grad)
            for output, tensor in enumerate(state.statement(id_).outputs)
            if tensor is not None
        )
        said = {field.name: getattr(card, field.name) for field in fields(CardFace)}
        return DataFace(
            **said, label=operator_label(program[id_]), nodes=nodes or (NodeFace(_title(program, card, 0)),)
        )

    def written(self, card: CardFace, program: Program, state: State) -> CardFace:
        """The same in another program: lines and names may differ."""
        again = super().written(card, program, state)
        assert isinstance(again, DataFace)
        nodes = tuple(node._replace(name=_title(program, again, at)) for at, node in enumerate(again.nodes))
        return replace(again, label=operator_label(program[card.id]), nodes=nodes)

    def extent(self, card: CardFace) -> QRectF:
        """Everything that painting touches: numbers may stand below a low node."""
        found = super().extent(card).adjusted(-data_paint.GROWN, 0, 0, 0)
        for field in card.fields:
            found = found.united(field_rect(card.anatomy, field.port, field.text).adjusted(-2, -2, 2, 2))
        return found

    def paint(self, painter: QPainter, card: CardFace, look: Look) -> None:
        """Paint the label, the edges from it and the nodes."""
        assert isinstance(card, DataFace)
        data_paint.paint(painter, card, look)

    def still(self, card: CardFace, look: Look) -> Hashable | None:
        """A node is painted with its value, in the middle of which everything stands."""
        return None

    def numbers(self, card: CardFace, look: Look) -> tuple[NumberPlace, ...]:
        """On each node seen near."""
        assert isinstance(card, DataFace)
        return data_paint.number_places(card, look) if look.level is Level.NEAR else ()


def operator_label(statement: Statement) -> str:
    """An operator as it stands on an edge: its sign, or its name with its attributes; nothing for a leaf."""
    if statement.kind is Kind.LEAF:
        return ""
    if statement.kind is Kind.GRAD:
        return "autograd.grad"
    record = OPS.get(statement.call)
    if record is None or statement.kind is not Kind.OP:
        return "="
    if record.symbol and len(record.inputs) > 1:
        return record.symbol
    first = statement.operands[0] if statement.operands else None
    if len(record.inputs) != 1 or not isinstance(first, Ref) or len(list(statement.refs())) != 1:
        return statement.call
    if len(statement.operands) == 1 and not statement.options:
        return _bare_label(statement.call, statement.style)
    return _unary_label(statement)


@lru_cache(1024)
def _bare_label(call: str, style: str) -> str:
    """The label of an operator without attributes: the same wherever it stands."""
    return _unary_label(Statement(0, Kind.OP, call, ("",), (Ref(0),), style=style))


def _unary_label(statement: Statement) -> str:
    return cut_short(emit.tag(statement).removeprefix(".").removesuffix("()"), LONGEST_LABEL)


def _title(program: Program, card: CardFace, output: int) -> str:
    """What a node is called: by its name; by what it is where the statement has none."""
    name = _name(program, card.id, output)
    return name if name or any(program[card.id].targets) else card.title


def _name(program: Program, id_: int, output: int) -> str:
    """The name of a node: that of the tensor itself where the statement writes in place."""
    statement = program[id_]
    first = statement.operands[0] if statement.operands else None
    if program.writes(statement) and isinstance(first, Ref):
        made = program.maker(first)
        statement, output = program[made.statement], made.output
    return statement.targets[output] if output < len(statement.targets) else ""


# ---------------------------------------------------------------- anatomy


def _extent(tensor: TensorState) -> RowExtent:
    plain = tensor.dtype == "float32" and tensor.version == 0 and form_of(tensor.shape) is Form.NUMBER
    if plain and (tensor.grad is None or form_of(tensor.grad.shape) is Form.NUMBER):
        return GRAD_NODE if tensor.requires_grad or tensor.grad is not None else EMPTY_NODE
    width, height = value_extent(tensor)
    width += 2 * PAD
    if form_of(tensor.shape) is not Form.LARGE:
        width += (len(str(tensor.version)) + 1) * SMALL_CHARACTER + AROUND_VERSION if tensor.version else 0.0
        width += (len(tensor.dtype) + 1) * SMALL_CHARACTER if tensor.dtype != "float32" else 0.0
    if not tensor.requires_grad and tensor.grad is None:
        return RowExtent(max(NODE, width), height)
    grad_width, grad_height = value_extent(tensor.grad) if tensor.grad is not None else (0.0, ROW)
    return RowExtent(max(NODE, width, grad_width + 2 * PAD + GRAD_LABEL + GRAD_MARKS), height, grad_height)


def _label_width(label: str) -> float:
    width = max(LABEL, len(label) * CHARACTER + 16.0)
    return -(-width // GRID) * GRID


@lru_cache(1024)
def _leaf(extents: tuple[RowExtent, ...]) -> Anatomy:
    """A node alone."""
    extent = extents[0] if extents else EMPTY_NODE
    node = _node(0.0, 0.0, extent)
    row = _row(node, extent)
    return DataAnatomy(node.width, node.height, _band(node), (), (row,) if extents else (), row, nodes=(node,))


@lru_cache(4096)
def _joined(extents: tuple[RowExtent, ...], spare: RowExtent, joins: tuple[bool, ...], label_width: float) -> Anatomy:
    """A label at the left, and at the right a node for each output, or a ``spare`` one.

    Inputs for which ``joins`` is True come as edges, the others are numbers and stand under the label.
    """
    stack = extents or (spare,)
    heights = [_node(0.0, 0.0, extent).height for extent in stack]
    width = label_width + STUB + max(extent.width for extent in stack)
    label_height = max(LABEL, LABEL_PITCH * sum(joins) - 8.0)
    height = max(label_height, sum(heights) + NODE_GAP * (len(stack) - 1))
    label = Box(0.0, (height - label_height) / 2, label_width, label_height)
    first = (height - sum(heights) - NODE_GAP * (len(stack) - 1)) / 2
    tops = accumulate([first, *(one + NODE_GAP for one in heights[:-1])])
    nodes = tuple(_node(label_width + STUB, top, extent) for top, extent in zip(tops, stack, strict=True))
    rows = tuple(_row(node, extent) for node, extent in zip(nodes, stack, strict=True))
    under = frozenset(port for port, join in enumerate(joins) if not join)
    ports, band, there = _ports(label, joins), _band(nodes[0]), rows if extents else ()
    return DataAnatomy(width, height, band, ports, there, rows[0], under=under, label=label, nodes=nodes)


def _node(left: float, top: float, extent: RowExtent) -> Box:
    return Box(left, top, extent.width, BAND + extent.value + extent.grad + BOTTOM)


def _band(node: Box) -> Box:
    return Box(node.left, node.top, node.width, BAND)


def _row(node: Box, extent: RowExtent) -> RowPlace:
    right, top = node.left + node.width, node.top + BAND
    port = (right, node.top + node.height / 2)
    value = Box(node.left, top, node.width, extent.value)
    if not extent.grad:
        return RowPlace(value, None, port, port)
    below = top + extent.value
    return RowPlace(value, Box(node.left, below, node.width, extent.grad), port, (right, below + ROW / 2))


def _ports(label: Box, joins: tuple[bool, ...]) -> tuple[Point, ...]:
    """Where the edges meet the round left side of a label, and where below it the numbers stand."""
    found: list[Point] = []
    edges, below = sum(joins), label.top + label.height
    for joining in joins:
        if joining:
            number = sum(1 for port in found if port[0] < LABEL / 2)
            found.append(_joint(label, (number - (edges - 1) / 2) * LABEL_PITCH))
        else:
            found.append((label.left + label.width / 2, below + UNDER))
            below += UNDER_PITCH
    return tuple(found)


def _joint(label: Box, away: float) -> Point:
    """Where an edge meets the left side of a label, so far from its middle."""
    radius = LABEL / 2
    past = max(0.0, abs(away) - (label.height / 2 - radius))
    return radius - sqrt(max(0.0, radius**2 - past**2)), label.top + label.height / 2 + away
