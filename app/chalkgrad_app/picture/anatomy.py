"""The anatomy of a card: its size, where its rows lie and where its ports are, from what it shows.

All lengths are canvas units (1 unit = 1 px at 100%), from the card's top left corner. Nothing here asks a font: the
size of a card is the same on every machine, and text that needs more is elided.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from chalkgrad.session.state import TensorState
from chalkgrad_app.picture.values import Form, form_of, grid_cells, vector_lines

WIDTH, HEIGHT = 176.0, 96.0
HEADER, ROW, FOOT = 28.0, 24.0, 20.0
LINE = 18.0
LARGE = 60.0
PAD = 12.0
BOTTOM = 4.0
"""Room below the last row of a card without a foot."""
ERROR_STRIP = 32.0
"""Room that the line with an error takes below a card that has a value."""
GRID = 8.0
CHARACTER, SMALL_CHARACTER = 7.9, 6.8
"""Width of a character of numbers, and of the shape beside them; a little more than the fonts need."""
CELL_GAP = 10.0
STATS_CHARACTERS = 33
GRAD_LABEL = 34.0
GRAD_MARKS = 44.0
PORT_PITCH = 24.0
LEAST_PITCH = 16.0


class RowExtent(NamedTuple):
    """Width and height that the value row and the grad row of one output need; a grad height of 0 means no grad row."""

    width: float = 0.0
    value: float = ROW
    grad: float = 0.0


Point = tuple[float, float]


class Box(NamedTuple):
    """A rectangle on a card."""

    left: float
    top: float
    width: float
    height: float


class RowPlace(NamedTuple):
    """Where the value and the gradient of one output are written and where their ports are.

    ``grad`` is None where there is no grad row; its port is the value's then. ``others`` are the rows of other
    attributes, by PyTorch's names of them.
    """

    value: Box
    grad: Box | None
    value_port: Point
    grad_port: Point
    others: tuple[tuple[str, Box], ...] = ()


@dataclass(frozen=True, slots=True)
class Anatomy:
    """Size, header, input ports, rows and foot (how far down it is, 0 where there is none) of a card.

    ``spare`` is where the first row will be on a card that has none yet. On a card that is read ``down``, inputs are
    on its upper edge; on others left. The number at a port stands before it, at the ports ``under`` under it.
    """

    width: float
    height: float
    header: Box
    inputs: tuple[Point, ...]
    rows: tuple[RowPlace, ...]
    spare: RowPlace
    foot: float = 0.0
    down: bool = False
    under: frozenset[int] = frozenset()

    @property
    def body(self) -> Box:
        """The part that is a card in every drawing: what its header is the top of."""
        return Box(0.0, self.header.top, self.width, self.height - self.header.top)

    def band(self, output: int) -> Box:
        """Where the name of an output is written."""
        return self.header

    @property
    def places(self) -> tuple[RowPlace, ...]:
        """The rows, or where the first will be."""
        return self.rows or (self.spare,)

    def row(self, output: int) -> RowPlace:
        """The row of an output; the last one where there are fewer."""
        rows = self.rows
        if output < len(rows):  # asked of every wire several times: no more than needed
            return rows[output]
        return rows[-1] if rows else self.spare

    def input(self, port: int) -> Point:
        """Where a wire into ``port`` ends; where the value's row begins on a card without input ports."""
        inputs = self.inputs
        if port < len(inputs):
            return inputs[port]
        return inputs[-1] if inputs else (0.0, self.spare.value_port[1])


PLAIN_ROW = RowExtent()
GRAD_ROW = RowExtent(grad=ROW)


@lru_cache(4096)
def anatomy(rows: tuple[RowExtent, ...], inputs: int, foot: bool) -> Anatomy:
    """The anatomy of a card with these rows, number of input ports and foot; without rows it has the base size."""
    width = max([WIDTH, *(_on_grid(row.width) for row in rows)])
    places, top = [], HEADER
    for row in rows:
        places.append(_row_place(width, top, row))
        top += row.value + row.grad
    body = max(top, HEIGHT) if not rows else top
    body = max(body, HEADER + LEAST_PITCH * inputs, HEADER + PORT_PITCH * min(inputs, 2))
    pitch = min(PORT_PITCH, (body - HEADER) / inputs) if inputs else 0.0
    below = FOOT if foot else BOTTOM if rows else 0.0
    ports = tuple((0.0, HEADER + (index + 0.5) * pitch) for index in range(inputs))
    header, spare = Box(0.0, 0.0, width, HEADER), _row_place(width, HEADER, PLAIN_ROW)
    return Anatomy(width, body + below, header, ports, tuple(places), spare, body if foot else 0.0)


def _row_place(width: float, top: float, row: RowExtent) -> RowPlace:
    value_port = (width, top + ROW / 2)
    if not row.grad:
        return RowPlace(Box(0.0, top, width, row.value), None, value_port, value_port)
    grad_top = top + row.value
    grad = Box(0.0, grad_top, width, row.grad)
    return RowPlace(Box(0.0, top, width, row.value), grad, value_port, (width, grad_top + ROW / 2))


def row_extent(tensor: TensorState, named: str = "") -> RowExtent:
    """What the rows of one output need; ``named`` is the label that a card of several outputs puts before the value."""
    plain = tensor.dtype == "float32" and tensor.version == 0 and not named
    grad = tensor.grad
    if plain and form_of(tensor.shape) is Form.NUMBER and (grad is None or form_of(grad.shape) is Form.NUMBER):
        return GRAD_ROW if tensor.requires_grad or grad is not None else PLAIN_ROW
    width, height = value_extent(tensor)
    width += 2 * PAD + meta_width(tensor) + (len(named) * CHARACTER + PAD if named else 0.0)
    if not tensor.requires_grad and grad is None:
        return RowExtent(width, height)
    grad_width, grad_height = value_extent(grad) if grad is not None else (0.0, ROW)
    return RowExtent(max(width, grad_width + 2 * PAD + GRAD_LABEL + GRAD_MARKS), height, grad_height)


def value_extent(tensor: TensorState) -> tuple[float, float]:
    """Width and height of a value alone, by the size rule."""
    form = form_of(tensor.shape)
    if form is Form.LARGE:
        return STATS_CHARACTERS * SMALL_CHARACTER, LARGE
    if tensor.value is None:
        return CHARACTER, ROW
    if form is Form.GRID:
        cells = grid_cells(tensor.short)
        widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
        return sum(widths) * CHARACTER + (len(widths) + 1) * CELL_GAP, lines_height(len(cells))
    if form is Form.VECTOR:
        lines = vector_lines(tensor.short)
        return max(map(len, lines)) * CHARACTER, lines_height(len(lines))
    return min(len(tensor.short), 16) * CHARACTER, ROW


def lines_height(lines: int) -> float:
    """Height of a row with so many lines of text."""
    return ROW if lines == 1 else 6.0 + LINE * lines


def meta_width(tensor: TensorState) -> float:
    """Width of what stands right of a value: shape, dtype when not float32, version from v1."""
    if form_of(tensor.shape) is Form.LARGE:
        return 0.0
    shape = len(str(tensor.shape)) * SMALL_CHARACTER
    dtype = (len(tensor.dtype) + 1) * SMALL_CHARACTER if tensor.dtype != "float32" else 0.0
    version = (len(str(tensor.version)) + 1) * SMALL_CHARACTER + 14 if tensor.version else 0.0
    return 8.0 + shape + dtype + version


def _on_grid(length: float) -> float:
    return -(-length // GRID) * GRID
