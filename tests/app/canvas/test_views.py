"""Each drawing is found again as it was seen last; a lecture leaves that alone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from support.desk import CTRL, LEFT, PLAIN, calm, key, settle

from chalkgrad.program.board import AUTOGRAD, CARDS, DATA
from chalkgrad_app.canvas.views import CARD_TEXT, LECTURE_TEXT

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


def lecture(window, qtbot, on: bool) -> tuple[float, QPointF]:
    """Press F11 and wait until the window has its size; how the canvas is seen then."""
    window.canvas.setFocus()
    key(window.canvas, KEY.Key_F11)
    qtbot.waitUntil(lambda: window.presenting.in_lecture == on and not window.presenting._settling.isActive())
    calm(window)
    return seen(window.canvas)


def go_to(window, name: str, zoom: float) -> QPointF:
    """Look at a card from so far, not quite in the middle; what is in the middle then."""
    canvas = window.canvas
    canvas.set_zoom_percent(100 * zoom)
    way = canvas.rect().center() - canvas.node_rect(name).center()
    pan(canvas, way.x() + 20, way.y() - 30)
    calm(window)
    return seen(canvas)[1]


@pytest.mark.parametrize(
    ("digit", "drawing", "zoom"), [(KEY.Key_1, CARDS, 0.95), (KEY.Key_3, AUTOGRAD, 0.58), (KEY.Key_3, AUTOGRAD, 0.9)]
)
def test_a_lecture_begins_where_somebody_looked(window, qtbot, digit, drawing, zoom):
    draw(window, digit, drawing)
    middle = go_to(window, "y", zoom)
    size, at = lecture(window, qtbot, True)
    assert size >= zoom
    assert (at - middle).manhattanLength() < 3
    assert close_to(lecture(window, qtbot, False), (zoom, middle))


def test_a_lecture_goes_on_where_the_one_before_ended(window, qtbot):
    draw(window, KEY.Key_3, AUTOGRAD)
    middle = go_to(window, "y", 0.7)
    lecture(window, qtbot, True)
    go_to(window, "w", 0.9)
    set_there = seen(window.canvas)
    assert close_to(lecture(window, qtbot, False), (0.7, middle))
    assert close_to(lecture(window, qtbot, True), set_there)
    lecture(window, qtbot, False)
    middle = go_to(window, "x", 1.2)
    _, at = lecture(window, qtbot, True)
    assert (at - middle).manhattanLength() < 3, "somebody looks at another place by now"
    lecture(window, qtbot, False)


def test_another_drawing_in_a_lecture_is_seen_at_the_place_before_it(window, qtbot):
    draw(window, KEY.Key_3, AUTOGRAD)
    middle = go_to(window, "y", 0.7)
    draw(window, KEY.Key_1, CARDS)
    lecture(window, qtbot, True)
    draw(window, KEY.Key_3, AUTOGRAD)
    assert (seen(window.canvas)[1] - middle).manhattanLength() < 3
    go_to(window, "w", 0.9)
    set_there = seen(window.canvas)
    draw(window, KEY.Key_1, CARDS)
    lecture(window, qtbot, False)
    draw(window, KEY.Key_3, AUTOGRAD)
    assert close_to(seen(window.canvas), (0.7, middle))
    draw(window, KEY.Key_1, CARDS)
    lecture(window, qtbot, True)
    draw(window, KEY.Key_3, AUTOGRAD)
    assert close_to(seen(window.canvas), set_there)
    lecture(window, qtbot, False)


def test_a_lecture_of_a_drawing_that_was_seen_whole_can_be_read_in_the_last_row(window, qtbot):
    """What is selected is in view there; all is seen again after it."""
    draw(window, KEY.Key_3, AUTOGRAD)
    canvas = window.canvas
    canvas.setFocus()
    key(canvas, KEY.Key_Home)
    calm(window)
    x = window.document.program.named("x").statement
    window.document.select([x])
    lecture(window, qtbot, True)
    assert canvas.viewport.scale * CARD_TEXT >= LECTURE_TEXT
    assert canvas.rect().intersects(canvas.node_rect("x"))
    lecture(window, qtbot, False)
    assert canvas.shows_all


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
