"""Nodes of the data drawing: numbers stand clear of the operator, versions clear of values and edges."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from support.drawn import Drawn

from chalkgrad.program.board import Board, Place
from chalkgrad_app.picture import data_paint
from chalkgrad_app.picture.card_parts import THICK, field_rect
from chalkgrad_app.picture.data_face import DataAnatomy, DataFace
from chalkgrad_app.picture.data_paint import lettered
from chalkgrad_app.picture.look import NEAR, Look, card_words
from chalkgrad_app.picture.wires import FINE, flatten

pytestmark = pytest.mark.usefixtures("qapp")

SOURCE = """w = torch.tensor([3.72, 8.39], requires_grad=True)
a = w + 1
c = torch.clamp(w, min=0, max=5)
with torch.no_grad():
    w.mul_(2)
"""


def drawn() -> Drawn:
    return Drawn(SOURCE, Board(drawing="data"))


def test_numbers_under_an_operator_touch_neither_it_nor_each_other() -> None:
    made = drawn()
    for name in "ac":
        shape, face = made.picture.anatomy(made.id(name)), made.picture.face(made.id(name))
        label = QRectF(*shape.label)
        boxes = [field_rect(shape, field.port, field.text) for field in face.fields]
        assert boxes
        for above, below in zip([label, *boxes], boxes, strict=False):
            assert below.top() >= above.bottom() + 4


@pytest.mark.parametrize("zoom", [0.25, 0.3, 0.36, 0.48, 0.55, NEAR])
def test_the_plate_of_an_operator_covers_no_wire_that_passes_it_in_a_narrow_gap(zoom: float) -> None:
    source = "x = torch.ones(5, 8)\nw = torch.ones(8, 8)\np = torch.softmax(w, dim=-1)\nq = torch.exp(x)\n"
    made = Drawn(source, Board(drawing="data"))
    beside = made.picture.rect(made.id("w")).width() + 14
    places = {"x": (0.0, 0.0), "w": (0.0, 160.0), "p": (beside, 160.0), "q": (beside, 480.0)}
    made.board = Board({("data", made.id(name)): Place(*at) for name, at in places.items()}, drawing="data")
    made.look(made.session.trace.state())
    picture, id_ = made.picture, made.id("p")
    face, shape = picture.face(id_), picture.anatomy(id_)
    assert isinstance(face, DataFace)
    assert isinstance(shape, DataAnatomy)
    _, _, plate = lettered(face.label, QRectF(*shape.label), Look(zoom=zoom))
    plate = plate.translated(picture.rect(id_).topLeft())
    (row,) = (row for row, wire in enumerate(picture.wires) if wire.target == made.id("q"))
    points = flatten(picture.cubics[picture.pieces_of(np.array([row]))], FINE).reshape(-1, 2)
    beside = points[(points[:, 1] > plate.top()) & (points[:, 1] < plate.bottom())]
    assert len(beside)
    assert (plate.left() - beside[:, 0] >= 1).all()


@pytest.mark.parametrize("zoom", [NEAR, 0.75, 1.0, 1.5])
def test_a_version_stands_clear_of_the_edge_and_of_the_value(zoom: float) -> None:
    made = drawn()
    picture, id_ = made.picture, made.id("w")
    face, row = picture.face(id_), picture.anatomy(id_).row(0).value
    assert face.rows[0].version == 1
    image = QImage(1200, 400, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.scale(4, 4)
    picture.drawing.paint(painter, face, Look(zoom=zoom))
    painter.end()
    rows = range(round(4 * (row.top + 3)), round(4 * (row.top + row.height - 3)))
    within = range(round(4 * THICK) + 4, round(4 * (row.width - THICK)) - 4)
    white = image.pixel(within[-1], rows[0])
    free = [x for x in within if all(image.pixel(x, y) == white for y in rows)]
    at_left = next(x for x in within if x not in free)
    at_right = next(x for x in reversed(within) if x not in free)
    assert at_left >= 4 * 7
    assert at_right <= 4 * (row.width - 9)
    taken = [x for x in within if x not in free]
    assert max(right - left for left, right in pairwise(taken)) >= 4 * 5, "between the value and its version"


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("zoom", [0.45, 0.5, 0.59, NEAR, 1.0])
def test_that_a_line_was_not_reached_is_said_in_full(monkeypatch, zoom, language) -> None:
    made = Drawn("x = torch.ones(2, 2)\ny = torch.ones(3, 3)\nbad = x @ y\nafter = bad + 1\n", Board(drawing="data"))
    picture, said, words = made.picture, [], card_words(language)
    monkeypatch.setattr(data_paint, "write", lambda _painter, text, *_: said.append(text))
    image = QImage(400, 200, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    picture.drawing.paint(painter, picture.face(made.id("after")), Look(zoom=zoom, words=words))
    painter.end()
    assert words.not_reached in said
