"""What stands in brackets, row by row, put together from the pictures of its entries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from chalkgrad_app.widgets.formula import FormulaPicture

Rows = list[list["FormulaPicture | Rows"]]
"""Entries, row by row; what stands in brackets itself is one of them."""

ACROSS, DOWN, BETWEEN = 0.7, 0.35, 0.6
"""Between columns, between rows and between slices, in heights of a letter."""
FOOT, SIDE, STROKE = 0.22, 0.25, 0.06
"""A bracket's foot, what is free beside the line of it, and how thick this is, in heights of a letter."""
AXIS = 0.25
"""How far above the baseline the middle lies."""


def in_brackets(rows: Rows, ink: str, pixels: int) -> FormulaPicture:
    """Entries on the baselines of their rows, in the middles of their columns, which all slices share, in brackets."""
    return _in_brackets(rows, _widths(rows), ink, pixels)


def _in_brackets(rows: Rows, widths: list[int], ink: str, pixels: int) -> FormulaPicture:
    made = [[_cell(cell, widths, ink, pixels) for cell in cells] for cells in rows]
    if any(isinstance(cell, list) for cells in rows for cell in cells):
        return _painted(made, _columns(made), BETWEEN * pixels, ink, pixels)
    return _painted(made, widths, DOWN * pixels, ink, pixels)


def _cell(cell: FormulaPicture | Rows, widths: list[int], ink: str, pixels: int) -> FormulaPicture:
    return _in_brackets(cell, widths, ink, pixels) if isinstance(cell, list) else cell


def _painted(
    rows: list[list[FormulaPicture]], widths: Sequence[int], gap: float, ink: str, pixels: int
) -> FormulaPicture:
    """Pictures in columns of these widths, with a gap between two rows."""
    lefts, width = _places(widths, ACROSS * pixels)
    rises = [max(cell.rise for cell in cells) for cells in rows]
    falls = [max(cell.image.height() - cell.rise for cell in cells) for cells in rows]
    tops, height = _places([rise + fall for rise, fall in zip(rises, falls, strict=True)], gap)
    stroke = max(1.0, STROKE * pixels)
    aside, above = stroke + SIDE * pixels, 2 * stroke
    image = QImage(round(width + 2 * aside), round(height + 2 * above), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    try:
        for cells, top, rise in zip(rows, tops, rises, strict=True):
            for cell, left, room in zip(cells, lefts, widths, strict=True):
                at = QPointF(aside + left + (room - cell.image.width()) / 2, above + top + rise - cell.rise)
                painter.drawImage(at.toPoint(), cell.image)
        painter.setPen(QPen(QColor(ink), stroke, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawLines(list(_brackets(image.width(), image.height(), stroke, FOOT * pixels)))
    finally:
        painter.end()
    return FormulaPicture(image, image.height() / 2 + AXIS * pixels)


def _widths(rows: Rows) -> list[int]:
    """How wide the columns of the innermost rows are."""
    inner = [_widths(cell) for cells in rows for cell in cells if isinstance(cell, list)]
    if inner:
        return [max(found) for found in zip(*inner, strict=True)]
    return _columns([[cell for cell in cells if not isinstance(cell, list)] for cells in rows])


def _columns(rows: Sequence[Sequence[FormulaPicture]]) -> list[int]:
    return [max(cell.image.width() for cell in cells) for cells in zip(*rows, strict=True)]


def _places(sizes: Sequence[float], gap: float) -> tuple[list[float], float]:
    """Where each begins when they stand in a row with a gap between two, and how long that is."""
    *begins, end = accumulate((size + gap for size in sizes), initial=0.0)
    return begins, end - gap


def _brackets(width: float, height: float, stroke: float, foot: float) -> Iterator[QLineF]:
    for edge, inward in ((stroke / 2, foot), (width - stroke / 2, -foot)):
        yield QLineF(edge, 0, edge, height)
        for end in (stroke / 2, height - stroke / 2):
            yield QLineF(edge, end, edge + inward, end)
