"""Cards dragged into blocks and out of them: frames show what letting go will do, and little else moves."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from support.desk import calm, settle
from support.hands import Hands

from chalkgrad.program import edits

SOURCE = """import torch
x = torch.tensor([1.])
t = torch.tensor([1.], requires_grad=True)
c = torch.relu(x)
with torch.no_grad():
    w = torch.tensor([1.], requires_grad=True)
    d = c @ w
e = d - t
f = e ** 2
loss = f.mean()
"""
LOOP = """import torch
x = torch.tensor([1.])
for step in range(3):
    y = x * 2
    z = y + 1
"""


@pytest.fixture
def opened(window, open_text, still):
    """Hands at a window with a text, all of it in view."""

    def at(text: str) -> Hands:
        open_text(text)
        window.canvas.fit_all()
        calm(window)
        return Hands(window.canvas)

    return at


def hold(hands: Hands, name: str, way: QPoint) -> QPoint:
    """Drag a card without letting go; where it is held."""
    grip = hands.header(name)
    hands.press(grip)
    for part in (0.1, 0.5, 1.0):
        hands.move(grip + way * part)
    hands.canvas.grab()
    return grip + way


def drag(hands: Hands, name: str, way: QPoint) -> None:
    hands.release(hold(hands, name, way))
    hands.document.finish()
    for _ in range(3):
        settle(hands.canvas.window())
    calm(hands.canvas.window())


def frame(hands: Hands):
    return next(shape.rect for shape in hands.canvas.picture.frames if shape.block)


def onto(hands: Hands, name: str, other: str) -> QPoint:
    return hands.centre(other) - hands.centre(name)


def names(hands: Hands) -> list[str]:
    return [statement.name for statement in hands.document.program]


def corners(hands: Hands, *but: str) -> dict[str, tuple[float, float]]:
    return {name: hands.rect(name).topLeft().toTuple() for name in names(hands) if name not in but}


def is_clear(hands: Hands, name: str) -> bool:
    return not any(hands.rect(name).intersects(hands.rect(other)) for other in names(hands) if other != name)


class TestOut:
    def test_the_frame_lets_go_of_the_card_while_it_is_dragged(self, opened):
        hands = opened(SOURCE)
        at = hold(hands, "d", onto(hands, "d", "e") + QPoint(60, 0))
        held = frame(hands)
        assert held.contains(hands.rect("w"))
        assert not held.intersects(hands.rect("d"))
        hands.release(at)
        assert frame(hands) == held

    def test_over_its_frame_it_is_still_in_it(self, opened):
        hands = opened(SOURCE)
        at = hold(hands, "d", QPoint(10, 10))
        assert frame(hands).contains(hands.rect("d"))
        hands.release(at)
        assert hands.document.undo_stack.undoText() == "Move d"

    def test_nothing_else_moves_and_the_zoom_stays(self, opened):
        hands = opened(SOURCE)
        zoom, before = hands.canvas.viewport.zoom, corners(hands, "d")
        drag(hands, "d", onto(hands, "d", "e") + QPoint(60, 0))
        assert hands.document.program[hands.id("d")].block is None
        assert hands.canvas.viewport.zoom == zoom
        assert corners(hands, "d") == before
        assert is_clear(hands, "d")

    def test_what_makes_room_for_it_changes_no_zoom(self, opened):
        hands = opened(SOURCE)
        zoom = hands.canvas.viewport.zoom
        rect = hands.canvas.node_rect("loss")
        drag(hands, "d", QPoint(rect.center().x(), rect.top() - 50) - hands.centre("d"))
        assert hands.document.program[hands.id("d")].block is None
        assert hands.canvas.viewport.zoom == zoom

    def test_the_step_says_so_and_redo_leads_to_the_same(self, opened):
        hands = opened(SOURCE)
        before = corners(hands)
        drag(hands, "d", onto(hands, "d", "e") + QPoint(60, 0))
        after = corners(hands)
        assert hands.document.undo_stack.undoText() == "Move d out of no_grad"
        hands.document.undo_stack.undo()
        calm(hands.canvas.window())
        assert corners(hands) == before
        hands.document.undo_stack.redo()
        calm(hands.canvas.window())
        assert corners(hands) == after

    def test_out_of_a_loop(self, opened):
        hands = opened(LOOP)
        drag(hands, "z", QPoint(0, 200))
        assert hands.document.undo_stack.undoText() == "Move z out of for step in range(3)"


class TestIn:
    def test_a_card_gets_room_and_nothing_else_moves(self, opened):
        hands = opened(SOURCE)
        zoom, before = hands.canvas.viewport.zoom, corners(hands, "t")
        drag(hands, "t", onto(hands, "t", "w") + QPoint(50, 20))
        assert hands.document.program[hands.id("t")].block is not None
        assert hands.document.undo_stack.undoText() == "Move t into no_grad"
        assert is_clear(hands, "t")
        assert frame(hands).contains(hands.rect("t"))
        assert corners(hands, "t") == before
        assert hands.canvas.viewport.zoom == zoom

    def test_where_the_frame_has_room_it_goes_there(self, opened):
        hands = opened(SOURCE)
        left, top = hands.place("w")
        hands.document.do(edits.place(hands.board, {hands.id("d"): (left + 440.0, top)}), "apart")
        hands.canvas.fit_all()
        calm(hands.canvas.window())
        before = frame(hands)
        drag(hands, "t", onto(hands, "t", "w") + QPoint(50, 10))
        assert before.adjusted(-8, -8, 8, 8).contains(frame(hands))
        assert is_clear(hands, "t")

    def test_into_a_loop(self, opened):
        hands = opened(LOOP)
        drag(hands, "x", onto(hands, "x", "y"))
        assert hands.document.undo_stack.undoText() == "Move x into for step in range(3)"

    def test_in_chinese(self, opened, chinese):
        hands = opened(SOURCE)
        drag(hands, "t", onto(hands, "t", "w") + QPoint(50, 20))
        assert hands.document.undo_stack.undoText() == "把 t 移入 no_grad"
        drag(hands, "d", onto(hands, "d", "e") + QPoint(60, 0))
        assert hands.document.undo_stack.undoText() == "把 d 移出 no_grad"
