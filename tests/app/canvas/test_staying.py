"""Cards that the drawing placed by itself stay where they were seen, whatever is done to others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from support.desk import key, settle
from support.hands import CTRL, Hands, Host, discard, open_host

from chalkgrad.program.sheet import Sheet
from chalkgrad.source.read import read_source

TEXT = """import torch
x = torch.tensor([1., 2.])
w = torch.tensor([0.5], requires_grad=True)
a = x * w
b = a + 1
c = b.exp()
loss = c.sum()
"""


@pytest.fixture
def host(qapp, still) -> Iterator[Host]:
    made = open_host(Sheet(read_source(TEXT)))
    made.canvas.fit_all()
    settle()
    yield made
    discard(made)


def places(hands: Hands) -> dict[str, QPointF]:
    return {name: hands.rect(name).topLeft() for name in ("x", "w", "a", "b", "c", "loss")}


def test_a_card_that_is_dragged_moves_alone(host):
    hands = Hands(host.canvas)
    before = places(hands)
    hands.drag(hands.header("a"), hands.header("a") - QPoint(0, 60))
    after = places(hands)
    assert [name for name in before if after[name] != before[name]] == ["a"]
    hands.document.undo_stack.undo()
    assert places(hands) == before
    hands.document.undo_stack.redo()
    assert places(hands) == after


def test_a_new_card_moves_none(host):
    hands = Hands(host.canvas)
    before = places(hands)
    hands.drop("tensor", hands.free(30, host.canvas.height() - 20))
    settle()
    assert places(hands) == before


def test_a_nudge_by_keys_moves_that_card_alone(host):
    hands = Hands(host.canvas)
    before = places(hands)
    hands.click(hands.header("b"))
    hands.key(Qt.Key.Key_Right, CTRL)
    after = places(hands)
    assert [name for name in before if after[name] != before[name]] == ["b"]


@pytest.mark.parametrize("other", [Qt.Key.Key_2, Qt.Key.Key_3])
def test_another_drawing_and_back_leaves_all_where_they_were(host, other):
    hands = Hands(host.canvas)
    before = places(hands)
    host.canvas.setFocus()
    key(host, other, CTRL)
    settle()
    assert host.canvas.document.drawing != "cards"
    key(host, Qt.Key.Key_1, CTRL)
    settle()
    assert host.canvas.document.drawing == "cards"
    assert places(hands) == before


def test_there_is_nothing_to_undo_for_it(host):
    assert not host.canvas.document.undo_stack.count()
    assert len(host.canvas.document.board.places) == 6
