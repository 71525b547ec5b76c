from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

from chalkgrad.program.board import Board, Frame, Note, Place
from chalkgrad.program.program import Program
from chalkgrad.program.statement import EMPTY, Kind, Ref, Statement
from chalkgrad.session import Session
from chalkgrad.session.state import State
from chalkgrad.source.read import read_source
from chalkgrad_app.canvas.hit import HitKind, card_at, cards_in, hit, notes_in, wire_at
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.tags import tag_rect

SOURCE = """import torch
w = torch.tensor([1.], requires_grad=True)
x = torch.tensor([2.])
a = w + x
b = w + 1
d = a.detach() * 2
"""


@pytest.fixture
def picture(qapp) -> Picture:
    program = read_source(SOURCE)
    spots = {"w": (0, 0), "x": (0, 160), "a": (300, 100), "b": (300, 260), "d": (640, 100)}
    places = {("cards", s.id): Place(*spots[s.name]) for s in program if s.name}
    board = Board(places, {70: Note(70, (("", "n"),), 0, 400)}, {80: Frame(80, "f", -40, -60, 260, 320)})
    session = Session(program)
    session.finish()
    made = Picture()
    made.update(program, board, session.trace.state())
    return made


def at(picture: Picture, x: float, y: float, zoom: float = 1.0) -> tuple[HitKind, str, int]:
    found = hit(picture, QPointF(x, y), zoom)
    name = picture.program[found.id].name if found.id in picture.program else str(found.id)
    return found.kind, name, found.port


def test_the_parts_of_a_card(picture: Picture) -> None:
    assert at(picture, 30, 14) == (HitKind.NAME, "w", -1)
    assert at(picture, 150, 14) == (HitKind.CARD, "w", -1)
    assert at(picture, 30, 40) == (HitKind.VALUE, "w", 0)
    assert at(picture, 60, 64) == (HitKind.GRAD, "w", 0)
    assert at(picture, 400, 100 + 86) == (HitKind.CARD, "a", -1)


def test_ports_reach_beyond_their_card_and_come_first(picture: Picture) -> None:
    assert at(picture, 176, 40) == (HitKind.OUTPUT, "w", 0)
    assert at(picture, 181, 42) == (HitKind.OUTPUT, "w", 0)
    assert at(picture, 178, 64) == (HitKind.GRAD_PORT, "w", 0)
    assert at(picture, 296, 140) == (HitKind.PORT, "a", 0)
    assert at(picture, 303, 164) == (HitKind.PORT, "a", 1)


def test_the_number_in_a_port_is_a_field(picture: Picture) -> None:
    kind, name, port = at(picture, 300 - 17, 260 + 64)
    assert (kind, name, port) == (HitKind.FIELD, "b", 1)


def test_the_box_beside_an_open_port_is_a_field() -> None:
    lines = {
        1: Statement(1, Kind.LEAF, "ones", ("w",), (1,)),
        2: Statement(2, Kind.OP, "add", ("a",), (Ref(1), EMPTY)),
    }
    picture = Picture()
    picture.update(Program(lines, (1, 2)), Board({("cards", 2): Place(300, 100)}), State(0, {}))
    port = next(port for port in picture.ports(2) if (port.kind, port.index) == ("input", 1))
    found = hit(picture, QPointF(port.x - 20, port.y))
    assert (found.kind, found.id, found.port) == (HitKind.FIELD, 2, 1)
    wired = next(port for port in picture.ports(2) if (port.kind, port.index) == ("input", 0))
    assert not hit(picture, QPointF(wired.x - 20, wired.y - 6), tolerance=1.0)


def test_wires_and_tags(picture: Picture) -> None:
    row = next(i for i, w in enumerate(picture.wires) if picture.program[w.target].name == "a" and w.port == 1)
    middle = (picture.ends[row, :2] + picture.ends[row, 2:]) / 2
    assert at(picture, *middle) == (HitKind.WIRE, "a", 1)
    tagged = int(picture.tagged[0])
    center = tag_rect(picture, tagged).center()
    assert at(picture, center.x(), center.y()) == (HitKind.TAG, "d", 0)


def test_a_wire_is_hit_within_the_tolerance_only(picture: Picture) -> None:
    row = next(i for i, w in enumerate(picture.wires) if picture.program[w.target].name == "a" and w.port == 1)
    x, y = picture.ends[row, :2]
    assert wire_at(picture, QPointF(x + 20, y + 4), 7.0) == row
    assert wire_at(picture, QPointF(x + 20, y + 40), 7.0) is None


def test_notes_frames_and_nothing(picture: Picture) -> None:
    assert at(picture, 20, 420)[:2] == (HitKind.NOTE, "70")
    assert at(picture, 100, -50)[:2] == (HitKind.FRAME, "80")
    assert at(picture, 198, 130)[0] is HitKind.NOTHING
    assert not hit(picture, QPointF(2000, 2000))


def test_from_afar_a_card_has_no_parts(picture: Picture) -> None:
    assert at(picture, 30, 14, 0.4) == (HitKind.CARD, "w", -1)
    assert at(picture, 176, 40, 0.2)[0] is HitKind.CARD
    assert at(picture, 176, 40, 0.4)[0] is HitKind.OUTPUT


def test_the_topmost_card_is_hit(picture: Picture) -> None:
    picture.shift([picture.ids[1]], 0.0, -150.0)
    assert card_at(picture, QPointF(90, 40)) == picture.ids[1]
    assert hit(picture, QPointF(90, 40)).id == picture.ids[1]


def test_rubber_band(picture: Picture) -> None:
    names = [picture.program[id_].name for id_ in cards_in(picture, QRectF(100, 60, 260, 130))]
    assert names == ["w", "x", "a"]
    assert cards_in(picture, QRectF(1000, 1000, 5, 5)) == []
    assert notes_in(picture, QRectF(0, 390, 50, 20)) == [70]


def test_hits_agree_with_rectangles_everywhere(picture: Picture) -> None:
    rng = np.random.default_rng(0)
    for x, y in rng.uniform((-100, -100), (900, 500), (300, 2)):
        inside = [id_ for id_ in picture.ids if picture.rect(id_).contains(QPointF(x, y))]
        assert card_at(picture, QPointF(x, y)) == (inside[-1] if inside else None)
