"""The anatomy of a statement in the autograd drawing: the operator's box, below it a card with rows for each tensor."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from chalkgrad.program.statement import Kind, Statement
from chalkgrad.session.state import Saved, StatementState, TensorState
from chalkgrad_app.picture.anatomy import CHARACTER, GRID, ROW, Anatomy, Box, Point, RowPlace, value_extent
from chalkgrad_app.picture.values import Form, form_of

WIDTH, HEADER = 208.0, 32.0
INSET, PAD = 8.0, 8.0
"""Between a card's edge and its rows, and between the edge of a row and its text."""
BOTTOM = 8.0
OPERATOR, WITH_SAVED = 36.0, 64.0
"""Height of an operator's box, without and with the row that says what it saves."""
ARROW = 32.0
"""From the operator's box down to its result."""
BESIDE = 16.0
"""Between the cards of several outputs."""
NARROW, PORT_PITCH = 96.0, 56.0
SAVED_TOP, SAVED_HEIGHT = 30.0, 26.0
SMALL = 7.3
"""Width of a character of a row's text."""
WIDEST = 320.0
ROWS = ("grad_fn", "is_leaf", "requires_grad")
MORE = ("retains_grad", "_version", "shape", "dtype")
"""Rows that are shown when somebody asks for more."""


class Extent(NamedTuple):
    """What the rows of one tensor need: room for its value and gradient, and how long the other rows are."""

    value: Point = (0.0, ROW)
    grad: Point = (0.0, ROW)
    longest: int = 0


PLAIN = Extent()


@dataclass(frozen=True, slots=True)
class StatementShape(Anatomy):
    """The anatomy of a statement of this drawing: an operator's box may stand above the card."""

    @property
    def body(self) -> Box:
        """The card, without the operator's box."""
        top = self.header.top
        return Box(0.0, top, self.width, self.height - top)


def extent_of(tensor: TensorState) -> Extent:
    """What the rows of a tensor need."""
    grad = (0.0, ROW) if tensor.grad is None else _room_for(tensor.grad)
    return Extent(_room_for(tensor), grad, len("grad_fn = ") + len(tensor.grad_fn or ""))


def _room_for(tensor: TensorState) -> Point:
    """Width and height of a value; one number has room on every card, so nobody need write it to know."""
    return (0.0, ROW) if form_of(tensor.shape) is Form.NUMBER else value_extent(tensor)


def statement_shape(statement: Statement, state: StatementState, inputs: int, more: bool) -> Anatomy:
    """The anatomy of a statement with so many input ports."""
    tensors = [tensor for tensor in state.outputs if tensor is not None]
    saves = statement.kind is Kind.OP and any(tensor.saved in (Saved.KEPT, Saved.FREED) for tensor in tensors)
    extents = tuple(map(extent_of, tensors)) or (PLAIN,) * max(len(statement.targets), 1)
    return shape(extents, bool(tensors), inputs, statement.kind is Kind.LEAF, saves, more)


@lru_cache(4096)
def shape(
    extents: tuple[Extent, ...], there: bool, inputs: int, is_leaf: bool, saves: bool, more: bool = False
) -> Anatomy:
    """The anatomy for tensors of these extents; those of a statement that is not ``there`` yet are all alike."""
    widths = [_width(extent) for extent in extents]
    width = sum(widths) + BESIDE * (len(widths) - 1)
    top = 0.0 if is_leaf else (WITH_SAVED if saves else OPERATOR) + ARROW
    places, height, left = [], 0.0, 0.0
    for extent, own in zip(extents, widths, strict=True):
        place, bottom = _row_place(extent, left, own, top + HEADER, more)
        places.append(place)
        height = max(height, bottom + BOTTOM)
        left += own + BESIDE
    header = Box(0.0, top, width, HEADER)
    rows = tuple(places) if there else ()
    return StatementShape(width, height, header, _input_ports(width, inputs, saves), rows, places[0], down=True)


def operator_box(card: Anatomy) -> Box | None:
    """Where the operator's box is; None for a leaf, which has none."""
    if card.header.top <= 0.0:
        return None
    height = card.header.top - ARROW
    width = operator_width(card.width, len(card.inputs), height == WITH_SAVED)
    return Box((card.width - width) / 2, 0.0, width, height)


def operator_width(width: float, inputs: int, saves: bool) -> float:
    """How wide an operator's box is on a card of this width."""
    return min(width, WIDTH) if saves else min(width, max(NARROW, PORT_PITCH * inputs))


def _width(extent: Extent) -> float:
    text = extent.longest * SMALL
    value = len("data = ") * CHARACTER + extent.value[0] + 5 * CHARACTER
    grad = len("grad = ") * CHARACTER + extent.grad[0] + 6 * CHARACTER
    needed = min(max(text, value, grad), max(WIDEST, extent.value[0] + 80.0)) + 2 * (INSET + PAD)
    return max(WIDTH, -(-needed // GRID) * GRID)


def _row_place(extent: Extent, left: float, width: float, top: float, more: bool) -> tuple[RowPlace, float]:
    """The rows of one tensor from ``top`` on, and how far down they reach."""
    inner, across = left + INSET, width - 2 * INSET
    value = Box(inner, top, across, extent.value[1])
    grad = Box(inner, top + value.height, across, extent.grad[1])
    down = grad.top + grad.height
    others = []
    for name in ROWS + MORE if more else ROWS:
        others.append((name, Box(inner, down, across, ROW)))
        down += ROW
    value_port = (left + width / 2, down + BOTTOM)
    return RowPlace(value, grad, value_port, (left + width, grad.top + ROW / 2), tuple(others)), down


def _input_ports(width: float, inputs: int, saves: bool) -> tuple[Point, ...]:
    box = operator_width(width, inputs, saves)
    pitch = box / max(inputs, 1)
    return tuple(((width - box) / 2 + (index + 0.5) * pitch, 0.0) for index in range(inputs))
