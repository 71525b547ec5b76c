"""In a large picture no wire runs through a card either, however far it reaches, in any drawing."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from support.ways import through

from chalkgrad.layout.detours import touched
from chalkgrad.program.board import Board, Place
from chalkgrad.session import Session
from chalkgrad.source.read import read_source
from chalkgrad_app.picture import routing
from chalkgrad_app.picture.picture import Picture

ROW = 30
"""Cards that stand beside each other."""


def program_text(count: int) -> str:
    """A long chain, of which lines all along read the leaves at its beginning, and some what lies far behind."""
    lines = ["import torch", *(f"w{n} = torch.tensor({n}.5, requires_grad=True)" for n in range(4)), "h0 = w0 * w1"]
    for n in range(1, count):
        other = f"h{n - 60}" if n % 20 == 0 and n > 60 else f"w{n % 4}"
        lines.append(f"h{n} = h{n - 1} * {other}" if n % 3 else f"h{n} = torch.tanh(h{n - 1})")
    return "\n".join(lines) + "\n"


def picture_of(drawing: str, in_rows: bool) -> Picture:
    """Such a program, larger than what is led all at once: as it is laid out first, or in rows."""
    program = read_source(program_text(routing.MOST + 20))
    session = Session(program)
    session.finish()
    places = {}
    for number, id_ in enumerate(program.order if in_rows else ()):
        across, down = number % ROW, number // ROW
        places[drawing, id_] = Place(560.0 * across + 40 * (down % 3), 260.0 * down + 20 * (across % 4))
    picture = Picture()
    picture.update(program, Board(places, drawing=drawing), session.trace.state())
    return picture


def led(picture: Picture) -> None:
    wires = np.arange(len(picture.wires))
    while not picture.has_ways(wires):
        picture.find_ways(wires, 0.05)


def entered(picture: Picture) -> list[tuple[int, int]]:
    """The wires that run through the rectangle of a card that they don't join, and those cards; by their numbers."""
    rects = np.stack([picture.x, picture.y, picture.x + picture.w, picture.y + picture.h], axis=1)
    found = []
    for row in range(len(picture.wires)):
        pieces = picture.cubics[picture.pieces_of(np.array([row]))]
        hit = touched(tuple(map(tuple, [pieces[0, :2], *pieces[:, 2:].reshape(-1, 2)])), rects)
        hit[[picture.wire_source[row], picture.wire_target[row]]] = False
        found += [(row, card) for card in np.flatnonzero(hit).tolist()]
    return found


@pytest.mark.parametrize(
    ("drawing", "in_rows"), [("cards", False), ("cards", True), ("data", True), ("autograd", False)]
)
def test_wires_that_reach_far_run_through_nothing(qapp: QApplication, drawing: str, in_rows: bool) -> None:
    picture = picture_of(drawing, in_rows)
    reach = np.abs(picture.ends[:, :2] - picture.ends[:, 2:]).sum(axis=1)
    assert (reach > routing.FAR).sum() > 10
    led(picture)
    assert entered(picture) == []
    assert through(picture) == []
