"""The number of its line is painted apart from a card: what it moves by alone is not painted anew, and is right."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from chalkgrad.program.board import Board, Place
from chalkgrad.program.program import Program
from chalkgrad.program.removing import remove
from chalkgrad.program.sheet import Sheet
from chalkgrad.session import Session
from chalkgrad.source.read import read_source
from chalkgrad_app.picture.brushes import Brushes
from chalkgrad_app.picture.look import Look
from chalkgrad_app.picture.paint import paint
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.sprites import Sprites

pytestmark = pytest.mark.usefixtures("qapp")

LINES = 12
AREA = QRectF(0, 0, 1100, 1100)


def program_of(lines: int) -> Program:
    """Leaves, of which an operator with two results reads the first."""
    leaves = "".join(f"t{number} = torch.tensor([{number}.0], requires_grad=True)\n" for number in range(lines))
    return read_source(f"import torch\n{leaves}a, b = t0.repeat(2).split(1)\n")


@pytest.fixture(params=["cards", "data", "autograd"])
def board(request) -> Board:
    places = {(request.param, id_): Place(260.0 * (id_ % 4), 260.0 * (id_ // 4)) for id_ in range(1, LINES + 3)}
    return Board(places, drawing=request.param)


@pytest.fixture
def painted(monkeypatch) -> list[int]:
    """The ids of the cards that were painted anew."""
    found: list[int] = []
    make = Sprites._made

    def noting(self, drawing, card, look):
        found.append(card.id)
        return make(self, drawing, card, look)

    monkeypatch.setattr(Sprites, "_made", noting)
    return found


def image_of(picture: Picture, brushes: Brushes, zoom: float) -> QImage:
    image = QImage(AREA.size().toSize(), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    try:
        paint(painter, picture, Look(zoom=zoom), AREA, brushes)
    finally:
        painter.end()
    return image


def shown(picture: Picture, program: Program, board: Board) -> Picture:
    session = Session(program)
    session.finish()
    picture.update(program, board, session.trace.state())
    picture.find_ways(np.arange(len(picture.wires)), 10.0)
    return picture


def without(program: Program, board: Board, id_: int) -> Program:
    return program.apply(remove(Sheet(program, board), [id_]).change)


@pytest.mark.parametrize("zoom", [1.0, 1.3, 0.45])
def test_lines_that_move_up_have_their_numbers_and_nothing_else_painted(board, painted, zoom):
    picture, brushes, program = Picture(), Brushes(), program_of(LINES)
    before = image_of(shown(picture, program, board), brushes, zoom)
    second, near = program.order[1], zoom > 0.6
    painted.clear()
    fewer = without(program, board, second)
    after = image_of(shown(picture, fewer, board), brushes, zoom)
    ten = next(id_ for id_, line in program.lines.items() if line == 10)
    if near:
        assert after != before
    assert set(painted) == {ten}, "its number has a digit less, which leaves more room for its name"
    assert after == image_of(shown(Picture(), fewer, board), Brushes(), zoom)


def test_what_an_undo_and_a_redo_bring_back_is_not_painted_anew(board, painted):
    picture, brushes, program = Picture(), Brushes(), program_of(LINES)
    fewer = without(program, board, program.order[0])  # which what reads it waits for
    before = image_of(shown(picture, program, board), brushes, 1.0)
    after = image_of(shown(picture, fewer, board), brushes, 1.0)
    assert after != before
    painted.clear()
    for _ in range(2):
        assert image_of(shown(picture, program, board), brushes, 1.0) == before
        assert image_of(shown(picture, fewer, board), brushes, 1.0) == after
    assert painted == []


def test_the_number_is_seen_on_every_card_of_a_line(board, monkeypatch):
    picture, program = Picture(), program_of(LINES)
    shown(picture, program, board)
    look, places = Look(), []
    for id_ in picture.ids:
        places += picture.drawing.numbers(picture.face(id_), look)
    assert len(places) == len(picture.ids) + (board.drawing == "data"), "on each node, and a line may have two"
    image = image_of(picture, Brushes(), 1.0)
    monkeypatch.setattr("chalkgrad_app.picture.sprites.paint_number", lambda *_: None)
    assert image_of(picture, Brushes(), 1.0) != image


def test_a_value_that_changes_again_and_again_is_painted_as_it_would_be_anew(board):
    picture, brushes = Picture(), Brushes()
    for number in (1.0, 2.0, 3.0, 4.0):
        program = read_source(f"import torch\nw = torch.tensor([{number}], requires_grad=True)\ny = w * 2\n")
        image = image_of(shown(picture, program, board), brushes, 1.0)
        assert image == image_of(shown(Picture(), program, board), Brushes(), 1.0)


def test_very_many_numbers_are_not_kept(board, monkeypatch):
    monkeypatch.setattr("chalkgrad_app.picture.sprites.MOST_NUMBERS", 5)
    brushes, picture = Brushes(), shown(Picture(), program_of(LINES), board)
    first = image_of(picture, brushes, 1.0)
    assert len(brushes.sprites._numbers) <= 5
    assert image_of(picture, brushes, 1.0) == first
