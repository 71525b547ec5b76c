"""The bar under the program: scrubbing through the whole trace, playing, and going to what is looked for."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from support.panels import LEFT, PLAIN, child, click, press, settle

from chalkgrad.session.events import EventKind
from chalkgrad_app.panels.program import ProgramPanel

SOURCE = """w = torch.tensor([1.], requires_grad=True)
y = w * w
y.backward()
y.backward()
z = w * 3
z.backward()
"""


@pytest.fixture
def document(from_text):
    return from_text(SOURCE)


@pytest.fixture
def panel(document, show):
    return show(ProgramPanel(document), 700, 400)


@pytest.fixture
def scrubber(panel):
    return child(panel, "program.scrubber")


def place(scrubber, position):
    return QPoint(round(scrubber.x_of(position)), scrubber.height() // 2)


def kind_here(document):
    return document.session.trace.events[document.cursor - 1].kind


def drag(scrubber, *positions):
    QTest.mousePress(scrubber, LEFT, PLAIN, place(scrubber, positions[0]))
    for position in positions[1:]:
        QTest.mouseMove(scrubber, place(scrubber, position))
    QTest.mouseRelease(scrubber, LEFT, PLAIN, place(scrubber, positions[-1]))
    settle()


def wheel(scrubber, notches):
    at = QPointF(scrubber.rect().center())
    turned = QPoint(0, 120 * notches)
    none = Qt.MouseButton.NoButton
    event = QWheelEvent(at, at, QPoint(), turned, none, PLAIN, Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(scrubber, event)
    settle()


def test_a_drag_goes_through_the_trace_and_to_its_end_is_now(document, panel, scrubber):
    drag(scrubber, 3)
    assert document.cursor == 3
    drag(scrubber, 3, 8, 12)
    assert document.cursor == 12
    assert scrubber.value() == 12
    assert panel.where.text().startswith("line 3, event ")
    drag(scrubber, 12, len(document.session.trace))
    assert not document.is_past
    assert document.undo_stack.count() == 0


def test_many_moves_in_one_turn_are_one_look(document, scrubber):
    moved = []
    document.moved.connect(moved.append)
    QTest.mousePress(scrubber, LEFT, PLAIN, place(scrubber, 2))
    for position in range(3, 15):
        scrubber.setValue(position)
    settle()
    assert moved == [14]


def test_it_follows_the_cursor_and_the_run(document, panel, scrubber):
    document.look_at(5)
    settle()
    assert scrubber.value() == 5
    document.back_to_now()
    settle()
    assert scrubber.value() == scrubber.maximum() == len(document.session.trace)
    document.delete([document.program.order[-1]])
    document.finish()
    settle()
    assert scrubber.maximum() == len(document.session.trace)


def test_wheel_and_keys_go_one_event(document, scrubber):
    document.look_at(9)
    settle()
    wheel(scrubber, -1)
    assert document.cursor == 10
    wheel(scrubber, 1)
    wheel(scrubber, 1)
    assert document.cursor == 8
    scrubber.setFocus()
    press(scrubber, Qt.Key.Key_Right)
    assert document.cursor == 9
    press(scrubber, Qt.Key.Key_Left)
    assert document.cursor == 8


def test_half_a_notch_is_no_step(document, scrubber):
    document.look_at(9)
    settle()
    wheel(scrubber, 0.5)
    assert document.cursor == 9
    wheel(scrubber, 0.5)
    assert document.cursor == 8


def test_the_buttons_step_in_and_back(document, panel):
    document.look_at_line(document.program.order[1])
    settle()
    click(child(panel, "program.eventForward"))
    assert kind_here(document) is EventKind.BACKWARD_BEGAN
    assert panel.list.rows.is_unfolded(document.program.order[2])
    click(child(panel, "program.eventForward"))
    assert kind_here(document) is EventKind.NODE_READY
    click(child(panel, "program.eventBack"))
    assert kind_here(document) is EventKind.BACKWARD_BEGAN


def test_it_plays_to_the_end_and_stops(document, panel, qtbot):
    panel.playing.set_speed(800)
    document.look_at(len(document.session.trace) - 3)
    settle()
    button = child(panel, "program.play")
    click(button)
    assert button.accessibleName() == "Pause"
    qtbot.waitUntil(lambda: not document.is_past, timeout=5000)
    qtbot.waitUntil(lambda: not panel.playing.is_playing, timeout=5000)
    assert button.accessibleName() == "Play through the events"


def test_from_now_it_plays_from_the_beginning_and_an_edit_stops_it(document, panel):
    click(child(panel, "program.play"))
    assert document.cursor == 1
    assert panel.playing.is_playing
    document.delete([document.program.order[-1]])
    assert not panel.playing.is_playing


def test_the_speed_is_chosen_and_remembered(panel, document, show):
    speed = child(panel, "program.speed")
    assert speed.currentText() == "2/s"
    speed.setFocus()
    press(speed, Qt.Key.Key_Down)
    assert speed.currentText() == "4/s"
    assert panel.playing.speed == 400
    other = show(ProgramPanel(document), 700, 400)
    assert child(other, "program.speed").currentText() == "4/s"


def test_going_to_errors_accumulations_and_releases(document, panel):
    told = []
    document.told.connect(told.append)
    document.look_at(1)
    panel.playing.find_next("accumulation")
    assert kind_here(document) is EventKind.ACCUMULATED
    first = document.cursor
    assert panel.list.rows.is_unfolded(document.program.order[2])
    panel.playing.find_next("error")
    assert kind_here(document) is EventKind.FAILED
    panel.playing.find_previous("release")
    assert kind_here(document) is EventKind.FREED
    assert document.cursor < first
    assert told == []
    panel.playing.find_previous("error")
    assert told == ["There is no further error that way"]
    document.back_to_now()
    panel.playing.find_previous("accumulation")
    assert document.cursor > first


def test_it_says_what_happened_at_a_place(document, scrubber):
    trace = document.session.trace
    ran = next(n for n, event in enumerate(trace.events) if event.kind is EventKind.NODE_RAN)
    assert scrubber.text_at(ran + 1) == "line 3: MulBackward0 of line 2: [1.] → [1.], [1.]"
    document.look_at(ran + 1)
    settle()
    assert scrubber.accessibleDescription() == scrubber.text_at(ran + 1)
    assert scrubber.accessibleName()


def test_lines_backwards_errors_and_accumulations_are_seen(document, scrubber):
    document.back_to_now()
    settle()
    image = scrubber.grab().toImage()
    ratio = image.devicePixelRatio()

    def height_at(position):
        x = round(scrubber.x_of(position) * ratio)
        ground = image.pixelColor(x, 0)
        return sum(image.pixelColor(x, y) != ground for y in range(image.height()))

    trace = document.session.trace
    failed = next(n for n, event in enumerate(trace.events) if event.kind is EventKind.FAILED) + 1
    given = next(n for n, event in enumerate(trace.events) if event.kind is EventKind.ACCUMULATED) + 1
    inside = trace.events_of(document.program.order[2]).start + 1.5
    assert height_at(2.5) < height_at(inside) < height_at(given)
    assert height_at(failed) == height_at(given)


def test_an_empty_program_has_nothing_to_scrub(from_text, show):
    panel = show(ProgramPanel(from_text("")), 700, 300)
    assert not child(panel, "program.scrubber").isEnabled()
    assert not child(panel, "program.play").isEnabled()
    panel.playing.toggle()
    assert not panel.playing.is_playing
