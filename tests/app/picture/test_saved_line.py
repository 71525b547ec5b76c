"""What an operator saves is told by names, smaller or shorter before it is cut, and whole in its tooltip."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF
from support.drawn import Drawn

from chalkgrad_app.canvas.hit import hit
from chalkgrad_app.canvas.hovering import tooltip
from chalkgrad_app.picture.autograd_paint import SAVED_SIZES, saved_line
from chalkgrad_app.picture.autograd_shape import operator_box
from chalkgrad_app.picture.brush import measure

ROOM = 176.0


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("w", "ctx.save_for_backward(w, v)"),
        ("feat", "save_for_backward(feat, v)"),
        ("features_of_it", "(features_of_it, v)"),
        ("features_of_the_whole_picture", "(features_of_the_whole_pictu…"),
    ],
)
def test_names_are_cut_last(qapp, name, written):
    drawn = Drawn(f"{name} = torch.tensor([1.], requires_grad=True)\nv = {name} * 2\ny = {name} * v\n")
    text, font = saved_line(drawn.face("y"), ROOM)
    assert text == written
    assert measure(font).horizontalAdvance(text) <= ROOM
    assert font.pixelSize() in SAVED_SIZES


def test_the_tooltip_of_the_operator_says_all_of_it(qapp):
    name = "features_of_the_whole_picture"
    drawn = Drawn(f"{name} = torch.tensor([1.], requires_grad=True)\nv = {name} * 2\ny = {name} * v\n")
    row = drawn.picture.index[drawn.id("y")]
    box = operator_box(drawn.picture.anatomy(drawn.id("y")))
    at = QPointF(drawn.picture.x[row] + box.left + box.width / 2, drawn.picture.y[row] + box.height / 2)
    assert tooltip(drawn.picture, hit(drawn.picture, at)) == f"ctx.save_for_backward({name}, v)"
