"""A training loop frames cards, which grow: where they have no room they are laid out anew, in the same undo step."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtCore import Qt
from support.desk import key, settle
from support.panels import CTRL, child, click

from chalkgrad.program import edits

LINEAR = """import torch
x = torch.tensor([1., 2., 3.])
t = torch.tensor([2., 4., 6.])
w = torch.tensor(0., requires_grad=True)
b = torch.tensor(0., requires_grad=True)
pred = x * w + b
loss = ((pred - t) ** 2).mean()
"""


@pytest.fixture
def linear(window, tmp_path):
    """The window with a linear fit in it, laid out as a file is that was opened."""
    path = tmp_path / "linear.py"
    path.write_text(LINEAR, encoding="utf-8")
    window.filing.load(path)
    window.document.finish()
    settle()
    return window


def rects(window):
    picture = window.canvas.picture
    return {id_: picture.rect_of(id_) for id_ in picture.ids}


def make_loop(window):
    window.canvas.setFocus()
    key(window, Qt.Key.Key_L, CTRL)
    click(child(window.docks.training, "training.make"))
    window.document.finish()
    settle(window)


def overlapping(window):
    """What lies on something else: pairs of cards, and cards that lie in the loop and don't belong there."""
    found = rects(window)
    program = window.document.program
    (loop,) = (frame for frame in window.canvas.picture.frames if frame.block)
    outside = {id_ for id_ in found if loop.id not in program.chain(program[id_].block)}
    assert len(outside) == 4
    pairs = [pair for pair in combinations(found, 2) if found[pair[0]].intersects(found[pair[1]])]
    return pairs + [(loop.id, id_) for id_ in outside if loop.rect.intersects(found[id_])]


def test_nothing_lies_on_anything_in_the_loop(linear, qtbot):
    make_loop(linear)
    qtbot.waitUntil(lambda: not overlapping(linear))


def test_one_undo_step_takes_loop_and_places_back(linear):
    before = rects(linear)
    make_loop(linear)
    assert rects(linear) != before
    linear.document.undo_stack.undo()
    linear.document.finish()
    settle(linear)
    assert rects(linear) == before
    assert not linear.document.undo_stack.canUndo()


def test_who_has_room_stays_where_he_is(linear):
    document = linear.document
    far = {id_: (rect.x() * 3, rect.y() * 3 + 800 * (id_ < 5)) for id_, rect in rects(linear).items()}
    document.do(edits.place(document.board, far), "moved")
    make_loop(linear)
    assert {id_: (rect.x(), rect.y()) for id_, rect in rects(linear).items()} == far
