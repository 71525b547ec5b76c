"""Where the counter of a loop stands: beside its line where that can be read, else beside its frame, never alone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtTest import QTest
from support.desk import calm, key, press, settle

from chalkgrad_app.picture.board_paint import title_end
from chalkgrad_app.picture.brush import measure
from chalkgrad_app.picture.counter_room import GAP
from chalkgrad_app.picture.frames import title_font

LOOP = """import torch
w = torch.tensor([1., 2.], requires_grad=True)
for step in range(4):
    y = w * w
    loss = y.sum()
    loss.backward()
"""
CTRL = Qt.KeyboardModifier.ControlModifier


def drawn(window, open_text, percent, shift=0.0):
    """The autograd drawing at a zoom, its frame so far from the middle."""
    open_text(LOOP)
    window.resize(1280, 800)
    calm(window)
    key(window, Qt.Key.Key_3, CTRL)
    calm(window)
    canvas = window.canvas
    canvas.set_zoom_percent(percent)
    (frame,) = canvas.picture.frames
    middle = frame.rect.center()
    middle.setX(middle.x() + shift)
    canvas.viewport.center_on(middle, QSizeF(canvas.size()))
    canvas.repaint_still()
    settle(window)
    (counter,) = canvas.loop_counters.counters()
    return counter, canvas.viewport.rect_to_view(frame.rect), counter.back.united(counter.on)


def test_where_the_line_can_be_read_the_counter_stands_before_it(window, open_text):
    counter, frame, plate = drawn(window, open_text, 50)
    assert counter.text == "4 / 4"
    assert plate.right() < frame.left() - 40, "the line is between them"


@pytest.mark.parametrize("shift", [0.0, 1200.0])
def test_where_it_can_not_be_read_the_counter_names_its_loop_at_the_frame(window, open_text, shift):
    counter, frame, plate = drawn(window, open_text, 30, shift)
    assert counter.text == "step 4 / 4"
    near = frame.adjusted(-8, -8, 8, 8)
    assert near.intersects(plate)
    assert not frame.adjusted(1, 1, -1, -1).intersects(plate), "cards in the frame are not hidden"
    assert plate.left() >= 0 or frame.left() < 0
    QTest.mouseClick(window.canvas, Qt.MouseButton.LeftButton, pos=counter.back.center().toPoint())
    settle(window)
    (after,) = window.canvas.loop_counters.counters()
    assert after.text == "step 3 / 4"


def test_in_the_drawing_of_cards_it_stands_in_the_corner_of_its_frame(window, open_text):
    open_text(LOOP)
    canvas = window.canvas
    calm(window)
    canvas.set_zoom_percent(60)
    settle(window)
    (counter,) = canvas.loop_counters.counters()
    (frame,) = canvas.picture.frames
    rect = canvas.viewport.rect_to_view(frame.rect)
    assert counter.text == "4 / 4"
    assert QRectF(rect.left(), rect.top() - 30, rect.width(), 60).contains(counter.words)


@pytest.mark.parametrize(("percent", "is_inside"), [(30, False), (40, True), (60, True), (75, True), (150, True)])
def test_the_counter_is_all_inside_its_frame_above_the_cards_or_stands_on_its_edge(
    window, open_text, percent, is_inside
):
    open_text(LOOP)
    canvas = window.canvas
    calm(window)
    canvas.set_zoom_percent(percent)
    settle(window)
    (counter,) = canvas.loop_counters.counters()
    (frame,) = canvas.picture.frames
    plate, rect = counter.back.united(counter.on), canvas.viewport.rect_to_view(frame.rect)
    top = min(canvas.viewport.rect_to_view(canvas.picture.rect(id_)).top() for id_ in frame.cards)
    title = rect.left() + title_end(frame, canvas.look())
    if is_inside:
        assert rect.contains(plate)
        assert plate.bottom() <= top
        assert plate.left() > title
    else:
        assert plate.bottom() == pytest.approx(rect.top())


@pytest.mark.parametrize("way", [-1, 1])
def test_at_the_edge_of_the_canvas_both_arrows_can_still_be_clicked(window, open_text, way):
    drawn(window, open_text, 50)
    canvas = window.canvas
    if way > 0:  # in the drawing of cards it stands at the right end of its frame
        key(window, Qt.Key.Key_1, CTRL)
        calm(window)
        canvas.set_zoom_percent(60)
        settle(window)
    (counter,) = canvas.loop_counters.counters()
    room = counter.back.left() if way < 0 else canvas.width() - counter.on.right()
    canvas.pan_by(round(way * (room + 20)), 0)
    settle(window)
    (counter,) = canvas.loop_counters.counters()
    plate = counter.back.united(counter.on)
    assert QRectF(canvas.rect()).contains(plate)
    lines = canvas.picture.lines
    assert not any(canvas.viewport.rect_to_view(lines.rect(line)).intersects(plate) for line in lines.keys)
    for arrow, text in (("back", "3 / 4"), ("on", "4 / 4")):
        QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=getattr(counter, arrow).center().toPoint())
        settle(window)
        (counter,) = canvas.loop_counters.counters()
        assert counter.text == text


def at_its_left_end(window, open_text):
    """The drawing of cards where all but the left end of the loop's frame is out of view on the right."""
    open_text(LOOP)
    canvas = window.canvas
    calm(window)
    canvas.set_zoom_percent(150)
    (frame,) = canvas.picture.frames
    half = canvas.width() / 2 / canvas.viewport.scale
    canvas.viewport.center_on(QPointF(frame.rect.left() + 80 - half, frame.rect.center().y()), QSizeF(canvas.size()))
    canvas.repaint_still()
    settle(window)
    (counter,) = canvas.loop_counters.counters()
    (frame,) = canvas.picture.frames
    return counter, frame, counter.back.united(counter.on)


def test_at_the_edge_of_the_canvas_it_stands_over_its_frame_and_not_over_the_title(window, open_text):
    _, frame, plate = at_its_left_end(window, open_text)
    canvas = window.canvas
    rect = canvas.viewport.rect_to_view(frame.rect)
    assert QRectF(canvas.rect()).contains(plate)
    assert plate.bottom() <= rect.top() + 1
    assert plate.left() < rect.left() + title_end(frame, canvas.look()), "there was a title to be hidden"


def test_it_grows_with_the_text(window, open_text):
    before, *_ = at_its_left_end(window, open_text)
    press(window, "corner.textLarger")
    after, *_ = at_its_left_end(window, open_text)
    assert after.words.height() > before.words.height()


SHORT = """import torch
w = torch.tensor([1., 2.], requires_grad=True)
for step in range(10):
    y = w * w
"""


def test_in_the_narrow_frame_of_one_card_it_stands_beside_what_is_counted(window, open_text):
    open_text(SHORT)
    canvas = window.canvas
    calm(window)
    canvas.set_zoom_percent(100)
    settle(window)
    (counter,) = canvas.loop_counters.counters()
    (frame,) = canvas.picture.frames
    plate, rect = counter.back.united(counter.on), canvas.viewport.rect_to_view(frame.rect)
    assert rect.contains(plate), "the title gives way: how many rounds there are the counter says"
    assert plate.right() == pytest.approx(rect.right() - GAP)
    assert plate.bottom() <= canvas.viewport.rect_to_view(canvas.picture.rect(next(iter(frame.cards)))).top()
    words = measure(title_font(frame)).horizontalAdvance("for step")
    assert rect.left() + words < rect.left() + title_end(frame, canvas.look()) < plate.left()


def test_where_it_has_no_room_there_the_title_is_not_cut_beneath_it(window, open_text):
    open_text(SHORT)
    canvas = window.canvas
    calm(window)
    canvas.set_zoom_percent(55)
    settle(window)
    (counter,) = canvas.loop_counters.counters()
    (frame,) = canvas.picture.frames
    plate, rect = counter.back.united(counter.on), canvas.viewport.rect_to_view(frame.rect)
    assert plate.bottom() == pytest.approx(rect.top())
    assert title_end(frame, canvas.look()) < rect.width()
