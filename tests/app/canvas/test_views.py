"""Each drawing is found again as it was seen last; a lecture leaves that alone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from support.desk import CTRL, LEFT, PLAIN, calm, key, settle

from chalkgrad.program.board import AUTOGRAD, CARDS, DATA

KEY = Qt.Key
MIDDLE_BUTTON = Qt.MouseButton.MiddleButton


@pytest.fixture
def window(course_window, still):
    calm(course_window)
    return course_window


def seen(canvas) -> tuple[float, QPointF]:
    return canvas.viewport.zoom, canvas.scene_rect().center()


def draw(window, digit: Qt.Key, drawing: str) -> None:
    window.canvas.setFocus()
    key(window.canvas, digit, CTRL)
    calm(window)
    assert window.document.drawing == drawing


def pan(canvas, dx: int, dy: int) -> None:
    """Drag the canvas with the middle button."""
    start = canvas.rect().center()
    QTest.mousePress(canvas, MIDDLE_BUTTON, PLAIN, start)
    QTest.mouseMove(canvas, start + QPoint(dx, dy))
    QTest.mouseRelease(canvas, MIDDLE_BUTTON, PLAIN, start + QPoint(dx, dy))


def look_closer(window, times: int = 3) -> tuple[float, QPointF]:
    for _ in range(times):
        window.actions_by_id["zoomIn"].trigger()
    pan(window.canvas, 90, 40)
    calm(window)
    return seen(window.canvas)


def close_to(one: tuple[float, QPointF], other: tuple[float, QPointF]) -> bool:
    return one[0] == pytest.approx(other[0]) and (one[1] - other[1]).manhattanLength() < 1.0


def test_each_drawing_is_found_as_it_was_left(window):
    canvas = window.canvas
    cards = look_closer(window)
    draw(window, KEY.Key_2, DATA)
    data = look_closer(window, 2)
    draw(window, KEY.Key_3, AUTOGRAD)
    autograd = look_closer(window, 1)
    undoable = window.document.undo_stack.count()
    for _ in range(2):
        for digit, drawing, was in (
            (KEY.Key_1, CARDS, cards),
            (KEY.Key_2, DATA, data),
            (KEY.Key_3, AUTOGRAD, autograd),
        ):
            draw(window, digit, drawing)
            assert close_to(seen(canvas), was), drawing
    assert window.document.undo_stack.count() == undoable


def test_what_nobody_moved_is_fitted_anew(window):
    canvas = window.canvas
    assert canvas.shows_all
    draw(window, KEY.Key_3, AUTOGRAD)
    window.resize(window.width() - 200, window.height() - 60)
    settle(window)
    draw(window, KEY.Key_1, CARDS)
    assert canvas.shows_all
    assert canvas.scene_rect().contains(canvas.picture.bounds())


def test_what_is_selected_meanwhile_comes_into_view(window):
    canvas = window.canvas
    canvas.zoom_at(QPointF(canvas.node_rect("w").center()), 2.5)
    zoom = canvas.viewport.zoom
    assert not canvas.rect().intersects(canvas.node_rect("y"))
    draw(window, KEY.Key_3, AUTOGRAD)
    canvas.ensure_visible([window.document.program.named("y").statement])
    QTest.mouseClick(canvas, LEFT, PLAIN, canvas.node_rect("y").center())
    draw(window, KEY.Key_1, CARDS)
    assert canvas.viewport.zoom == pytest.approx(zoom)
    assert canvas.rect().contains(canvas.node_rect("y"))


def test_it_is_fitted_where_nothing_would_be_in_view(window):
    canvas = window.canvas
    canvas.zoom_at(QPointF(canvas.node_rect("y").center()), 2.0)
    for _ in range(2):
        pan(canvas, -200, 0)  # y alone is in view, and at the left
    assert not canvas.rect().intersects(canvas.node_rect("x"))
    draw(window, KEY.Key_3, AUTOGRAD)
    canvas.setFocus()
    window.document.select([window.document.program.named("y").statement])
    key(canvas, KEY.Key_Delete)
    assert window.document.program.named("y") is None
    draw(window, KEY.Key_1, CARDS)
    assert canvas.rect().contains(canvas.node_rect("x"))


def test_a_lecture_gives_back_the_view(window, qtbot):
    canvas = window.canvas
    was = look_closer(window)
    canvas.setFocus()
    key(canvas, KEY.Key_F11)
    calm(window)
    look_closer(window, 1)
    draw(window, KEY.Key_3, AUTOGRAD)
    draw(window, KEY.Key_1, CARDS)
    key(canvas, KEY.Key_F11)
    qtbot.waitUntil(lambda: not window.isFullScreen() and not window.presenting.in_lecture)
    calm(window)
    QTest.qWait(100)
    assert close_to(seen(canvas), was)


def test_a_lecture_keeps_what_somebody_had_come_nearer_to(window, qtbot):
    canvas = window.canvas
    canvas.setFocus()
    canvas.zoom_at(QPointF(canvas.node_rect("x").center()), 3.0)
    middle, zoom = canvas.scene_rect().center(), canvas.zoom_percent
    key(canvas, KEY.Key_F11)
    calm(window)
    qtbot.waitUntil(lambda: not window.presenting._settling.isActive())
    assert canvas.zoom_percent == pytest.approx(zoom)
    assert (canvas.scene_rect().center() - middle).manhattanLength() < 3
    key(canvas, KEY.Key_F11)
    qtbot.waitUntil(lambda: not window.isFullScreen() and not window.presenting.in_lecture)


def test_a_lecture_shows_all_where_somebody_saw_all(window, qtbot):
    canvas = window.canvas
    canvas.setFocus()
    key(canvas, KEY.Key_Home)
    key(canvas, KEY.Key_F11)
    calm(window)
    qtbot.waitUntil(lambda: not window.presenting._settling.isActive())
    assert canvas.shows_all
    key(canvas, KEY.Key_F11)
    qtbot.waitUntil(lambda: not window.isFullScreen() and not window.presenting.in_lecture)


def test_another_document_is_fitted(window, tmp_path):
    draw(window, KEY.Key_3, AUTOGRAD)
    look_closer(window)
    draw(window, KEY.Key_1, CARDS)
    path = tmp_path / "other.py"
    path.write_text("import torch\nx = torch.tensor([1.], requires_grad=True)\ny = x * 2\n")
    window.filing.load(path)
    calm(window)
    draw(window, KEY.Key_3, AUTOGRAD)
    assert window.canvas.shows_all
