"""The double ring around selected cards: painted once for each size, stamped from then on."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from chalkgrad.program.board import Board, Place
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Statement
from chalkgrad.session.state import State
from chalkgrad_app.picture import sprites
from chalkgrad_app.picture.anatomy import ERROR_STRIP
from chalkgrad_app.picture.brushes import Brushes
from chalkgrad_app.picture.card_parts import paint_error_below
from chalkgrad_app.picture.look import Look
from chalkgrad_app.picture.paint import paint
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.rings import RING_REACH
from chalkgrad_app.style.theme import load

pytestmark = pytest.mark.usefixtures("qapp")

LEFT = {1: 0.0, 2: 256.0, 3: 512.0}
AROUND = 20.0


def painted(brushes: Brushes, ids: set[int], zoom: float = 1.0) -> np.ndarray:
    """Three cards of one size, some of them selected: rows of pixels, blue, green, red, alpha."""
    program = Program({id_: Statement(id_, Kind.LEAF, "tensor", ("x",), (1.0,)) for id_ in LEFT}, tuple(LEFT))
    picture = Picture()
    picture.update(program, Board({("cards", id_): Place(left, 0.0) for id_, left in LEFT.items()}), State(0, {}))
    image = QImage(int(740 * zoom), int(120 * zoom), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    try:
        look = Look(zoom=zoom, origin=(-AROUND, -AROUND), selection=frozenset(ids))
        paint(painter, picture, look, QRectF(image.rect()), brushes)
    finally:
        painter.end()
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4).copy()


@pytest.fixture
def strokes(monkeypatch) -> list[QRectF]:
    """The rings that were painted, not stamped."""
    found: list[QRectF] = []
    paint_ring = sprites.paint_ring

    def noting(painter, rect, radius, look):
        found.append(rect)
        paint_ring(painter, rect, radius, look)

    monkeypatch.setattr(sprites, "paint_ring", noting)
    return found


@pytest.mark.parametrize("zoom", [0.7, 1.0, 2.0])
def test_a_ring_is_painted_once_for_each_size_and_zoom(strokes, zoom):
    brushes = Brushes()
    first = painted(brushes, {1, 2}, zoom)
    assert len(strokes) == 1
    assert np.array_equal(painted(brushes, {1, 2}, zoom), first)
    assert len(strokes) == 1
    assert np.array_equal(painted(Brushes(), {1, 2}, zoom), first)
    painted(brushes, {1, 2}, 1.5 * zoom)
    assert len(strokes) == 3


@pytest.mark.parametrize("zoom", [0.7, 1.0, 2.0])
def test_two_lines_stand_on_each_side_of_what_is_selected_alone(zoom):
    plain, ringed = painted(Brushes(), set(), zoom), painted(Brushes(), {1, 3}, zoom)
    row = round((AROUND + 30) * zoom)
    lit = np.flatnonzero((plain[row] != ringed[row]).any(axis=1)) / zoom - AROUND
    for id_, left in LEFT.items():
        for distance in (3.0, 6.5):
            is_there = bool((np.abs(lit - (left - distance)) < 1.5 / min(zoom, 1.0)).any())
            assert is_there == (id_ != 2)


@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_a_ring_around_very_much_is_stroked_each_time_and_looks_the_same(strokes, monkeypatch, zoom):
    stamped = painted(Brushes(), {1, 2, 3}, zoom)
    monkeypatch.setattr(sprites, "LARGE_RING", 0)
    strokes.clear()
    brushes = Brushes()
    assert np.abs(painted(brushes, {1, 2, 3}, zoom).astype(int) - stamped).max() <= 3
    assert len(strokes) == 3
    painted(brushes, {1, 2, 3}, zoom)
    assert len(strokes) == 6


def test_rings_of_very_many_sizes_are_not_kept(monkeypatch):
    monkeypatch.setattr(sprites, "MOST_RINGS", 1)
    brushes, look, drawing = Brushes(), Look(zoom=1.0), Picture().drawing
    image = QImage(300, 300, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    try:
        for side in (40.0, 50.0, 60.0):
            brushes.sprites.stamp_ring(painter, drawing, QRectF(20, 20, side, side), 8.0, look)
    finally:
        painter.end()
    assert len(brushes.sprites._rings) == 1


@pytest.mark.parametrize("least", [0, 18])
def test_the_line_with_an_error_is_clear_of_the_rings_and_within_its_strip(least: int) -> None:
    image = QImage(800, 400, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.scale(4, 4)
    paint_error_below(painter, "one of the variables", QRectF(0, 0, 200, 10), load("contrast"), least)
    painter.end()
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(400, 800, 4)
    rows = np.flatnonzero((pixels != 255).any(axis=(1, 2)))
    assert rows[0] >= 4 * (10 + RING_REACH + 3)
    assert rows[-1] <= 4 * (10 + ERROR_STRIP)
