"""What was wholly in view stays so when an edit makes it larger or moves it; nobody is led away by that."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from support.desk import CTRL, LEFT, PLAIN, SHIFT, calm, choose, key, settle
from support.hands import Hands

from chalkgrad.program import edits
from chalkgrad_app import settings

SHIFT_ALT = SHIFT | Qt.KeyboardModifier.AltModifier
MIDDLE = Qt.MouseButton.MiddleButton
SOURCE = """import torch
x = torch.tensor([2., 3.])
a = x * 2
b = a + 1
"""


@pytest.fixture
def spread(window, tmp_path, still):
    """A window in which b is seen at the right edge, and a far above it, out of view."""
    path = tmp_path / "spread.py"
    path.write_text(SOURCE, encoding="utf-8")
    window.filing.load(path)
    calm(window)
    document, canvas = window.document, window.canvas
    ids = {document.program[id_].name: id_ for id_ in document.program.order}
    places = {"x": (0.0, 0.0), "a": (400.0, -1400.0), "b": (400.0, 0.0)}
    document.do(edits.place(document.board, {ids[name]: at for name, at in places.items()}), "put")
    calm(window)
    canvas.zoom_100()
    canvas.setFocus()
    put_at_the_edge(window, "x")
    return window


def put_at_the_edge(window, name: str) -> None:
    """Have a card near the right edge, and above the middle."""
    canvas = window.canvas
    rect = canvas.node_rect(name)
    canvas.pan_by(canvas.width() - 30 - rect.right(), 200 - rect.top())
    calm(window)
    assert is_whole(canvas, name)


def is_whole(canvas, name: str) -> bool:
    return canvas.rect().contains(canvas.node_rect(name))


def retype(window, name: str, text: str) -> None:
    hands = Hands(window.canvas)
    hands.double_click(hands.value(name))
    hands.type(text)
    hands.key(Qt.Key.Key_Return)
    settle(window)
    calm(window)


def ids_of(window, *names: str) -> list[int]:
    return [window.document.program.named(name).statement for name in names]


def align_top(window) -> None:
    """Align a and b at the top, which carries b far away."""
    window.document.select(ids_of(window, "a", "b"))
    settle(window)
    before = window.document.undo_stack.count()
    key(window.canvas, Qt.Key.Key_Up, SHIFT_ALT)
    assert window.document.undo_stack.count() == before + 1


def test_a_card_that_grows_by_an_edit_is_whole_again(spread):
    canvas = spread.canvas
    before = canvas.node_rect("x")
    left, zoom = canvas.scene_rect().left(), canvas.zoom_percent
    retype(spread, "x", "[[1, 2, 3, 4, 5, 6], [3, 4, 5, 6, 7, 8]]")
    after = canvas.node_rect("x")
    assert after.width() > before.width() + 30, "else nothing is shown by this"
    assert is_whole(canvas, "x")
    assert canvas.zoom_percent == zoom
    assert canvas.scene_rect().left() - left < after.width() - before.width(), "no further than it takes"


def test_the_view_glides_there_where_motion_is_on(spread):
    canvas, moving = spread.canvas, []
    settings.MOTION.set(True)
    canvas.viewed.connect(lambda: moving.append(canvas.glide.is_active))
    retype(spread, "x", "[[1, 2, 3, 4, 5, 6], [3, 4, 5, 6, 7, 8]]")
    assert is_whole(canvas, "x")
    assert any(moving)


def test_a_card_that_was_cut_before_moves_nothing(spread):
    canvas = spread.canvas
    canvas.pan_by(60, 0)
    assert not is_whole(canvas, "x")
    corner = canvas.scene_rect().topLeft()
    spread.document.select(ids_of(spread, "x"))
    key(canvas, Qt.Key.Key_G)  # requires_grad
    calm(spread)
    assert canvas.scene_rect().topLeft() == corner


def test_cards_that_are_aligned_stay_in_view(spread):
    canvas = spread.canvas
    put_at_the_edge(spread, "b")
    align_top(spread)
    calm(spread)
    assert is_whole(canvas, "b")
    key(canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    calm(spread)
    assert is_whole(canvas, "b"), "undo brings the view along, too"


def test_cards_that_are_tidied_stay_in_view(spread):
    canvas = spread.canvas
    put_at_the_edge(spread, "b")
    spread.document.select(ids_of(spread, "a", "b"))
    settings.MOTION.set(True)
    was = canvas.picture.rect(ids_of(spread, "b")[0]).topLeft()
    spread.actions_by_id["tidy"].trigger()
    calm(spread)
    assert (canvas.picture.rect(ids_of(spread, "b")[0]).topLeft() - was).manhattanLength() > 300
    QTest.qWait(300)
    assert is_whole(canvas, "b")


def test_what_is_dragged_lies_where_it_was_put(spread):
    canvas = spread.canvas
    put_at_the_edge(spread, "b")
    corner, start = canvas.scene_rect().topLeft(), canvas.node_rect("b").topLeft() + QPoint(40, 14)
    QTest.mousePress(canvas, LEFT, PLAIN, start)
    for way in (10, 40, 80):
        QTest.mouseMove(canvas, start + QPoint(way, 0))
    QTest.mouseRelease(canvas, LEFT, PLAIN, start + QPoint(80, 0))
    calm(spread)
    assert not is_whole(canvas, "b")
    assert canvas.scene_rect().topLeft() == corner


@pytest.mark.parametrize("pans", [False, True])
def test_nothing_moves_under_a_button_that_is_held(spread, pans):
    canvas = spread.canvas
    put_at_the_edge(spread, "b")
    middle = canvas.rect().center()
    QTest.mousePress(canvas, MIDDLE, PLAIN, middle)
    corner = canvas.scene_rect().topLeft()
    align_top(spread)
    QTest.qWait(200)
    assert canvas.scene_rect().topLeft() == corner
    if pans:
        QTest.mouseMove(canvas, middle + QPoint(0, 50))
    QTest.mouseRelease(canvas, MIDDLE, PLAIN, middle)
    corner = canvas.scene_rect().topLeft()
    QTest.qWait(200)
    calm(spread)
    assert is_whole(canvas, "b") != pans
    assert (canvas.scene_rect().topLeft() == corner) == pans


def test_a_card_of_the_autograd_drawing_that_grows_is_whole_again(spread):
    canvas = spread.canvas
    key(canvas, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    calm(spread)
    canvas.zoom_100()
    put_at_the_edge(spread, "x")
    retype(spread, "x", "[[1, 2, 3, 4, 5, 6], [3, 4, 5, 6, 7, 8]]")
    assert is_whole(canvas, "x")


@pytest.mark.parametrize("block", [True, False])
def test_where_all_was_seen_what_makes_room_for_a_frame_stays_in_view(window, tmp_path, still, block):
    """A card between those that get a ``no_grad`` block, or a frame, moves off it; the view zooms out with it."""
    path = tmp_path / "square.py"
    lines = ["import torch", "x = torch.tensor([2., 3.])", *(f"{name} = x * 2" for name in "abcde")]
    path.write_text("\n".join(lines), encoding="utf-8")
    window.filing.load(path)
    calm(window)
    document, canvas = window.document, window.canvas
    ids = {document.program[id_].name: id_ for id_ in document.program.order}
    places = {"a": (0.0, 0.0), "b": (400.0, 0.0), "c": (800.0, 0.0)}
    places |= {"x": (0.0, 600.0), "d": (400.0, 160.0), "e": (800.0, 600.0)}
    document.do(edits.place(document.board, {ids[name]: at for name, at in places.items()}), "put")
    canvas.fit_all()
    calm(window)
    assert all(is_whole(canvas, name) for name in ids)
    document.select([ids["a"], ids["c"]])
    canvas.setFocus()
    settle(window)
    if block:
        choose(window, "graph", "wrapNoGrad")
    else:
        key(window, Qt.Key.Key_G, CTRL)
        key(window, Qt.Key.Key_Return)
    settle(window)
    calm(window)
    (frame,) = canvas.picture.frames
    assert not frame.rect.intersects(canvas.picture.rect(ids["b"]))
    assert canvas.scene_rect().contains(frame.rect)
    assert all(is_whole(canvas, name) for name in ids)
