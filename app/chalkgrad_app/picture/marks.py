"""Far marks (below 25%): every combination of facts drawn once, then stamped by the thousand in one call."""

from __future__ import annotations

from enum import IntEnum
from itertools import compress

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPixmap

from chalkgrad.program.building import is_gradient
from chalkgrad.program.statement import Kind, Statement
from chalkgrad.session.state import Saved, State, StatementState, Status
from chalkgrad_app.picture.batch import draw_fragments
from chalkgrad_app.picture.brush import octagon, pen
from chalkgrad_app.picture.card import Hue, faces_tensor, hue_of
from chalkgrad_app.style.theme import Theme

UNITS = 96.0
"""Side of a mark in canvas units."""
LEAST = 5.0
ERROR_SIZE = 14.0
DOTTED = (Status.TO_COME, Status.NOT_REACHED, Status.WAITING)


class Fact(IntEnum):
    """Bits of what a far mark shows; the two lowest bits are the hue."""

    THICK = 4
    GRAD = 8
    COVERED = 16
    FOOT = 32
    FREED = 64
    GHOST = 128
    ROUND = 256
    ERROR = 512


WITHOUT_TENSOR = tuple(map(int, (Fact.THICK, Fact.ROUND, Fact.GHOST, Fact.ERROR)))


def side_of(zoom: float) -> float:
    """How wide marks are at a zoom, in pixels."""
    return max(LEAST, UNITS * zoom)


class Marks:
    """The marks in one theme and size, in one pixmap that grows as new combinations come up."""

    def __init__(self, theme: Theme, zoom: float, dpr: float) -> None:
        self.theme, self.zoom, self.dpr = theme, zoom, dpr
        self.side = side_of(zoom)
        self._cell = int(np.ceil((max(self.side, ERROR_SIZE) + 4) * dpr))
        self._columns: dict[int, int] = {}
        self._table = np.zeros(1024, np.intp)
        self._sheet = QPixmap()

    def stamp(self, painter: QPainter, centers: np.ndarray, facts: np.ndarray) -> None:
        """Paint a mark at each of ``centers`` (rows x, y in the painter's pixels)."""
        if not len(centers):
            return
        kinds = np.flatnonzero(np.bincount(facts, minlength=1))
        self._draw_missing([int(kind) for kind in kinds])
        fragments = np.empty((len(centers), 10))
        # Whole device pixels keep squares crisp.
        fragments[:, 0:2] = np.round(centers * self.dpr) / self.dpr
        fragments[:, 2] = self._table[facts] * self._cell
        fragments[:, 3] = 0
        fragments[:, 4:6] = self._cell
        fragments[:, 6:8] = 1.0 / self.dpr
        fragments[:, 8] = 0
        fragments[:, 9] = 1
        draw_fragments(painter, fragments, self._sheet)

    def _draw_missing(self, kinds: list[int]) -> None:
        new = [kind for kind in kinds if kind not in self._columns]
        if not new:
            return
        for kind in new:
            self._columns[kind] = self._table[kind] = len(self._columns)
        self._sheet = QPixmap(self._cell * len(self._columns), self._cell)
        self._sheet.fill(Qt.GlobalColor.transparent)
        painter = QPainter(self._sheet)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for kind, column in self._columns.items():
                painter.resetTransform()
                painter.translate((column + 0.5) * self._cell, 0.5 * self._cell)
                painter.scale(self.dpr, self.dpr)
                _paint_mark(painter, kind, self.side, self.theme)
        finally:
            painter.end()


def _paint_mark(painter: QPainter, kind: int, side: float, theme: Theme) -> None:
    """One mark around (0, 0): square or disc, thick or thin, with arrowhead, dot and octagon."""
    role = ("plain", "leaf", "leaf_grad", "intermediate")[kind & 3]
    width = min(side * 0.2, 2.4 if kind & Fact.THICK else 1.0)
    half = (side - width) / 2
    outline = QRectF(-half, -half, 2 * half, 2 * half)
    ghost = bool(kind & Fact.GHOST)
    painter.setBrush(QBrush() if ghost else QBrush(theme.color(role)))
    painter.setPen(pen(theme.color("ghost"), 1.0, (1.0, 1.6)) if ghost else pen(theme.color(f"{role}_edge"), width))
    if kind & Fact.ROUND:
        painter.drawEllipse(outline)
    else:
        painter.drawRect(outline)
    if kind & Fact.FOOT and side >= 8:
        _paint_arrowhead(painter, bool(kind & Fact.FREED), half, theme)
    if kind & (Fact.GRAD | Fact.COVERED):
        _paint_dot(painter, bool(kind & Fact.COVERED), side, theme)
    if kind & Fact.ERROR:
        octagon(painter, QPointF(0, 0), ERROR_SIZE, theme.color("error"), theme.color("error_text"))


def _paint_arrowhead(painter: QPainter, freed: bool, half: float, theme: Theme) -> None:
    """The grad_fn: an arrowhead to the left at the lower edge, hollow when what it saved was freed."""
    size = half * 0.62
    points = [QPointF(-half, half - size / 2), QPointF(-half + size, half - size), QPointF(-half + size, half)]
    painter.setPen(pen(theme.color("function_edge"), 1.0))
    painter.setBrush(QBrush(theme.color("card" if freed else "function_edge")))
    painter.drawPolygon(points)


def _paint_dot(painter: QPainter, covered: bool, side: float, theme: Theme) -> None:
    radius = max(1.2, side * 0.17)
    painter.setPen(pen(theme.color("card"), max(0.6, side * 0.06)))
    painter.setBrush(QBrush(theme.color("cover" if covered else "grad")))
    spot = QPointF(side * 0.2, -side * 0.02)
    if covered:
        painter.drawRect(QRectF(spot.x() - radius, spot.y() - radius, 2 * radius, 2 * radius))
    else:
        painter.drawEllipse(spot, radius, radius)


def facts(hue: Hue, *, thick: bool, round_: bool, ghost: bool, error: bool) -> int:
    """The facts that need no tensor; :class:`Fact` bits of the gradient and the foot are added to them."""
    return sum(compress(WITHOUT_TENSOR, (thick, round_, ghost, error)), int(hue))


def facts_of(at: StatementState, state: State, statement: Statement, blamed_: bool) -> int:
    """All facts of a card, as :class:`Fact` bits."""
    tensor = faces_tensor(at)
    hue = hue_of(tensor)
    found = facts(
        hue,
        thick=tensor is not None and tensor.requires_grad,
        round_=hue is Hue.INTERMEDIATE or (hue is Hue.NONE and statement.kind is not Kind.LEAF),
        ghost=at.status in DOTTED,
        error=at.status is Status.FAILED or blamed_,
    )
    if tensor is None:
        return found
    if tensor.grad_fn is not None:
        found |= Fact.FOOT | (Fact.FREED if tensor.saved is Saved.FREED else 0)
    if (tensor.requires_grad or is_gradient(statement)) and state.is_covered(tensor):
        found |= Fact.COVERED
    elif tensor.grad is not None:
        found |= Fact.GRAD
    return found
