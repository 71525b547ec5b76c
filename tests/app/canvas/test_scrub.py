"""Scrubbing: a number dragged, stepped with keys, wheel or slider; everything follows live, and it is one undo step."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QSlider
from support.hands import ALT, CTRL, PLAIN, SHIFT, process

from chalkgrad.program import building, edits
from chalkgrad_app.canvas.gestures.scrub import handle_rect
from chalkgrad_app.canvas.hit import value_rect

UP, DOWN, ENTER, ESC = Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Escape


def handle(hands, name):
    canvas = hands.canvas
    return canvas.viewport.rect_to_view(handle_rect(canvas.picture, hands.id(name))).center().toPoint()


def field(hands, name, port):
    return hands.port(name, port) - QPoint(14, 0)


def number(hands, name):
    return float(hands.document.state.tensor(hands.id(name)).value.reshape(-1)[0])


def drag(hands, start, pixels, keys=PLAIN, release=True):
    hands.press(start, keys)
    for part in (0.2, 0.6, 1.0):
        hands.move(start + QPoint(round(pixels * part), 0), keys)
    if release:
        hands.release(start + QPoint(pixels, 0), keys)


def test_the_handle_of_a_leaf_is_dragged_and_all_that_depends_on_it_follows(course):
    before = course.canvas.picture.rect(course.id("w"))
    drag(course, handle(course, "w"), 100, release=False)
    w = number(course, "w")
    assert w == pytest.approx(2.0)
    assert number(course, "y") == pytest.approx((w + 2.0) * (w + 1.0))
    assert "w = torch.tensor([2.], requires_grad=True)" in course.lines()
    course.release(handle(course, "w") + QPoint(100, 0))
    assert course.canvas.picture.rect(course.id("w")) == before
    assert course.document.undo_stack.count() == 1
    assert course.document.undo_stack.undoText() == "Change the value of w"
    course.document.undo_stack.undo()
    assert number(course, "w") == 1.0


def test_cards_out_of_view_follow_when_the_number_has_come_to_rest(course, qtbot):
    canvas, y = course.canvas, course.id("y")
    canvas.pan_by(canvas.width() - canvas.node_rect("w").right() - 8, 0)
    process()
    assert not canvas.node_rect("y").intersects(canvas.rect())
    before = canvas.picture.face(y).rows[0]
    start = handle(course, "w")
    drag(course, start, -50, release=False)
    assert canvas.picture.face(y).rows[0] == before
    course.release(start - QPoint(50, 0))
    qtbot.waitUntil(lambda: canvas.picture.face(y).rows[0].value != before.value and not canvas.is_behind)


def test_a_value_alone_leaves_wires_as_they_are(course):
    wires = course.canvas.picture.wires
    drag(course, handle(course, "w"), 100)
    assert course.canvas.picture.wires is wires


def test_escape_puts_the_number_back_and_leaves_no_step(course):
    drag(course, handle(course, "w"), 60, release=False)
    assert number(course, "w") != 1.0
    course.key(ESC)
    assert number(course, "w") == 1.0
    assert number(course, "y") == 6.0
    assert course.document.undo_stack.count() == 0
    assert not course.document.is_scrubbed


@pytest.mark.parametrize(("keys", "reached"), [(PLAIN, 1.5), (SHIFT, 6.0), (ALT, 1.05)])
def test_shift_is_coarse_and_alt_is_fine(course, keys, reached):
    drag(course, handle(course, "w"), 50, keys)
    assert number(course, "w") == pytest.approx(reached, abs=1e-6)


def test_with_ctrl_the_value_itself_is_dragged(course):
    drag(course, course.value("x"), -50, CTRL)
    assert number(course, "x") == pytest.approx(1.5)


def test_without_it_the_card_is_moved(course):
    course.drag(course.value("x"), course.value("x") + QPoint(80, 0))
    assert number(course, "x") == 2.0
    assert course.document.undo_stack.undoText() == "Move x"


def test_the_number_in_a_port_is_dragged_and_stays_whole(course):
    drag(course, field(course, "b", 1), 40)
    assert "b = torch.add(w, 5)" in course.lines()
    assert number(course, "b") == 6.0
    assert course.document.undo_stack.count() == 1


def test_a_click_on_it_still_edits_it(course):
    course.click(field(course, "b", 1))
    assert course.canvas.editor.is_open


def test_arrows_step_the_number_that_is_edited(course):
    course.click(course.header("w"))
    course.key(ENTER)
    course.key(UP)
    course.key(UP, SHIFT)
    course.key(DOWN, ALT)
    assert course.canvas.editor.line.text() == "[2.09]"
    assert number(course, "w") == pytest.approx(2.09)
    course.key(ENTER)
    assert course.document.undo_stack.count() == 1


def test_escape_after_stepping_puts_it_back(course):
    course.click(course.header("w"))
    course.key(ENTER)
    course.key(UP)
    assert number(course, "w") == pytest.approx(1.1)
    course.key(ESC)
    assert not course.canvas.editor.is_open
    assert number(course, "w") == 1.0
    assert course.document.undo_stack.count() == 0


def test_the_wheel_steps_it_too(course):
    course.click(field(course, "b", 1))
    line = course.canvas.editor.line
    at = QPointF(line.rect().center())
    none, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(
        at, QPointF(line.mapToGlobal(at.toPoint())), QPoint(), QPoint(0, 120), none, PLAIN, phase, False
    )
    QApplication.sendEvent(line, event)
    process()
    assert "b = torch.add(w, 2)" in course.lines()


def test_the_slider_of_the_popover_changes_the_number(course):
    course.click(course.header("w"))
    course.key(Qt.Key.Key_E)
    slider = course.canvas.window().findChild(QSlider, "canvas.popover.slider")
    assert slider.isVisible()
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Right)
    QTest.keyClick(slider, Qt.Key.Key_Right)
    process()
    assert number(course, "w") == pytest.approx(1.1)
    QTest.keyClick(slider, ESC)
    assert number(course, "w") == 1.0
    assert course.document.undo_stack.count() == 0


def test_while_a_run_goes_on_only_the_newest_number_waits(course, monkeypatch):
    monkeypatch.setattr("chalkgrad_app.running_sheet.SLICE_MS", 0.0)
    start = handle(course, "w")
    course.press(start)
    runs = []
    course.document.changed.connect(lambda change: runs.append(change))
    for pixels in range(10, 110, 10):
        course.canvas.dispatcher.mouse_move(_move(start + QPoint(pixels, 0)))
    assert len(runs) == 1
    while course.document.is_running or len(runs) < 2:
        process()
    while course.document.is_running:
        process()
    course.release(start + QPoint(100, 0))
    assert number(course, "w") == pytest.approx(2.0)
    assert len(runs) == 2


def _move(at):
    where = QPointF(at)
    return QMouseEvent(QEvent.Type.MouseMove, where, where, Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton, PLAIN)


def test_a_card_whose_value_was_dragged_is_painted_as_it_would_be_anew(course):
    canvas = course.canvas
    course.document.append(building.backward(course.document.root()))
    start = handle(course, "w")
    course.press(start)
    for pixels in range(10, 60, 10):
        course.move(start + QPoint(pixels, 0))
        course.document.finish()
        canvas.repaint()
    course.release(start + QPoint(50, 0))
    course.move(QPoint(2, 2))
    canvas.repaint_still()
    canvas.repaint()
    dragged = canvas.backing_pixmap.toImage()
    canvas._brushes.sprites.clear()
    canvas.repaint_still()
    canvas.repaint()
    assert canvas.backing_pixmap.toImage() == dragged


def test_views_are_told_of_a_run_once_for_each_number(course):
    document, told = course.document, []
    document.traced.connect(lambda first, last: told.append((first, last)))
    drag(course, handle(course, "w"), 100, release=False)
    assert len(told) == 3
    assert all(first == 0 and last == len(document.session.trace) for first, last in told)


def test_escape_puts_back_the_number_alone(course):
    start = handle(course, "w")
    drag(course, start, 50, release=False)
    course.document.do(edits.rename(course.document.program, 1, 0, "v"), "Rename")
    course.key(ESC)
    course.release(start)
    assert course.lines()[0] == "v = torch.tensor([1.], requires_grad=True)"


def test_it_does_nothing_where_the_number_is_gone(course):
    start = handle(course, "w")
    drag(course, start, 50, release=False)
    leaf = course.document.program[1]
    course.document.do(edits.put(course.document.program, replace(leaf, operands=((1.0, 2.0, 3.0),))), "")
    course.move(start + QPoint(80, 0))
    course.release(start + QPoint(80, 0))
    assert course.lines()[0] == "w = torch.tensor([1., 2., 3.], requires_grad=True)"
    assert not course.document.is_scrubbed


@pytest.mark.parametrize(
    ("key", "drawing"), [(Qt.Key.Key_1, "cards"), (Qt.Key.Key_2, "data"), (Qt.Key.Key_3, "autograd")]
)
def test_the_handle_hides_no_digit(course, qtbot, key, drawing):
    """Where it lies in the row of the number nothing is written."""
    canvas = course.canvas
    course.key(key, CTRL)
    qtbot.waitUntil(lambda: canvas.picture.drawing.name == drawing and not canvas.redrawing.is_active)
    canvas.set_zoom_percent(100)
    canvas.ensure_visible([course.id("x")])
    process()
    row, over = (
        canvas.viewport.rect_to_view(rect(canvas.picture, course.id("x"))).toAlignedRect()
        for rect in (value_rect, handle_rect)
    )
    assert row.contains(over.center())
    image = canvas.grab(over).toImage()
    columns, middle = range(4, image.width() - 4), image.height() // 2
    assert len({image.pixelColor(x, y).name() for x in columns for y in range(middle - 3, middle + 3)}) == 1
