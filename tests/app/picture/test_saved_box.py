"""The box round what is saved, in the foot of a card: clear of its edges, or left out where letters are large."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QImage, QPainter
from support.drawn import Drawn

from chalkgrad.program.board import Board
from chalkgrad_app.picture.look import NEAR, Look

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("zoom", [NEAR, 0.75, 1.0, 1.5])
def test_no_edge_of_the_box_touches_those_of_the_foot(zoom: float) -> None:
    drawn = Drawn("w = torch.tensor([1., 2.], requires_grad=True)\na = w.exp()", Board(drawing="cards"))
    id_ = drawn.id("a")
    shape = drawn.picture.anatomy(id_)
    image = QImage(8 * round(shape.width), 8 * round(shape.height), QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.scale(8, 8)
    drawn.picture.drawing.paint(painter, drawn.picture.face(id_), Look(zoom=zoom))
    painter.end()
    blue = image.pixelColor(8 * 30, 8 * round(shape.foot) + 8)
    rows = range(8 * round(shape.foot) + 8, image.height() - 8 * 4)
    upright = 0  # of the edge of the box, or of letters
    for x in range(image.width() // 2, image.width() - 8 * 4):
        light = [image.pixelColor(x, y).lightness() > blue.lightness() + 60 for y in rows]
        upright = max(upright, sum(light))
    assert upright < len(rows) - 8, "clear of both edges"
