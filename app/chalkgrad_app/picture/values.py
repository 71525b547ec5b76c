"""How a value is shown on a card: the number, the vector, the grid, or shape, statistics and a thumbnail."""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from chalkgrad.engine.printing import scalar_text
from chalkgrad.session.state import TensorState

LONGEST_ROW = 6
LARGEST_GRID = 4
LINE_CHARACTERS = 30
THUMBNAIL = (32, 20)
"""Largest thumbnail, in cells across and down."""
NARROWEST = 8
"""Of what is long and narrow a thumbnail shows so many cells the short way, where it has them."""


class Form(IntEnum):
    """The manner in which a value is shown, by its size."""

    UNKNOWN = 0  # only shape and flags are known
    NUMBER = 1
    VECTOR = 2
    GRID = 3
    LARGE = 4


class Thumbnail(NamedTuple):
    """A grey heat map: ``data`` holds ``width * height`` bytes, 0 the least value and 255 the greatest."""

    width: int
    height: int
    data: bytes


class Shown(NamedTuple):
    """A value as a card shows it.

    ``lines`` are for numbers and vectors, ``cells`` for grids, ``stats`` and ``thumbnail`` for what is larger.
    """

    form: Form
    lines: tuple[str, ...] = ()
    cells: tuple[tuple[str, ...], ...] = ()
    stats: str = ""
    shape: str = ""
    thumbnail: Thumbnail | None = None


def form_of(shape: tuple[int, ...]) -> Form:
    """The form that a tensor of this shape is shown in."""
    size = 1
    for length in shape:
        size *= length
    if size <= 1:
        return Form.NUMBER
    if size <= LONGEST_ROW and size == shape[-1]:
        return Form.VECTOR
    if len(shape) == 2 and max(shape) <= LARGEST_GRID:
        return Form.GRID
    return Form.LARGE


def shown(tensor: TensorState, pictures: bool = True) -> Shown:
    """What a card shows of a tensor's value; without ``pictures`` no thumbnail is made."""
    if tensor.value is None:
        return Shown(Form.UNKNOWN, lines=("?",), shape=shape_text(tensor.shape))
    form = form_of(tensor.shape)
    shape = shape_text(tensor.shape)
    if form is Form.NUMBER:
        return Shown(form, lines=(tensor.short,), shape=shape)
    if form is Form.VECTOR:
        return Shown(form, lines=vector_lines(tensor.short), shape=shape)
    if form is Form.GRID:
        return Shown(form, cells=grid_cells(tensor.short), shape=shape)
    return Shown(form, stats=statistics(tensor.value), shape=shape, thumbnail=thumbnail(tensor.value, pictures))


@lru_cache(1024)
def shape_text(shape: tuple[int, ...]) -> str:
    """A shape as Python writes the tuple: ``(1,)``, ``(64, 784)``, ``()``."""
    return str(tuple(int(length) for length in shape))


def vector_lines(text: str) -> tuple[str, ...]:
    """PyTorch's text of a short vector on as many lines as keep each readable on a card."""
    flat = " ".join(text.split())
    if len(flat) <= LINE_CHARACTERS:
        return (flat,)
    parts = flat.split(", ")
    half = (len(parts) + 1) // 2
    return (", ".join(parts[:half]) + ",", " " + ", ".join(parts[half:]))


def grid_cells(text: str) -> tuple[tuple[str, ...], ...]:
    """The numbers in PyTorch's text of a matrix, row by row."""
    rows = text.replace("\n", " ").strip("[] ").split("],")
    return tuple(tuple(cell.strip(" []") for cell in row.split(",")) for row in rows)


def statistics(value: np.ndarray) -> str:
    """``min -2.1  mean 0.0  max 2.3``; NaN and infinities show themselves."""
    if value.size == 0:
        return ""
    numbers = value.astype(np.float64)
    with np.errstate(all="ignore"):
        least, mean, most = numbers.min(), numbers.mean(), numbers.max()
    return f"min {_brief(float(least))}  mean {_mean(float(mean), float(most - least))}  max {_brief(float(most))}"


def _mean(mean: float, spread: float) -> str:
    """A mean no finer than matters among numbers that are ``spread`` so far."""
    if not np.isfinite(spread) or spread < 1 or mean == 0 or abs(mean) >= 0.0995:
        return _brief(mean)
    return f"{mean:.2f}" if abs(mean) >= 0.005 else "≈0"


def thumbnail(value: np.ndarray, wanted: bool = True) -> Thumbnail | None:
    """A grey heat map of at most :data:`THUMBNAIL` cells, as wide for its height as the matrix.

    Leading dimensions are stacked.
    """
    if not wanted or value.size == 0:
        return None
    flat = value.reshape(1, -1) if value.ndim < 2 else value.reshape(-1, value.shape[-1])
    coarser = max(flat.shape[1] / THUMBNAIL[0], flat.shape[0] / THUMBNAIL[1], 1.0)
    rows, columns = (_picks(length, max(round(length / coarser), NARROWEST)) for length in flat.shape)
    cells = flat[np.ix_(rows, columns)].astype(np.float64)
    finite = np.isfinite(cells)
    low, high = (cells[finite].min(), cells[finite].max()) if finite.any() else (0.0, 0.0)
    scaled = (np.where(finite, cells, low) - low) / (high - low) if high > low else np.full(cells.shape, 0.5)
    return Thumbnail(cells.shape[1], cells.shape[0], np.ascontiguousarray(scaled * 255, np.uint8).tobytes())


def _picks(length: int, most: int) -> np.ndarray:
    """Indices of at most ``most`` evenly spread entries."""
    return np.linspace(0, length - 1, min(length, most)).round().astype(np.intp)


def _brief(number: float) -> str:
    """A number in at most about seven characters."""
    if not np.isfinite(number):
        return scalar_text(number)
    size = abs(number)
    if number == 0 or 0.001 <= size < 10000:
        return f"{number:.1f}" if number == 0 or size >= 0.0995 else f"{number:.3f}"
    return f"{number:.1e}"
