"""A turn of the event loop is shared: what takes long is cut into slices, what has no time waits for the next."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication
from support.sheets import course_sheet

from chalkgrad.layout import Task
from chalkgrad_app.canvas import background
from chalkgrad_app.document import Document
from chalkgrad_app.panels import inspector
from chalkgrad_app.widgets import slices, turns
from chalkgrad_app.widgets.code_text import CodeText


def test_what_is_done_at_once_takes_no_longer_than_a_moment(qtbot, monkeypatch):
    def steps():
        for number in range(10):
            time.sleep(0.001)
            done.append(number)
            yield number / 10
        return "made"

    done, made, owner = [], [], QObject()
    worked = slices.Slices("test", owner)
    worked.start("many", steps(), made.append, at_once=100)
    assert made == ["made"], "sleeping is no work"
    monkeypatch.setattr(slices, "AT_ONCE_MS", 0)
    worked.start("many", steps(), made.append, at_once=100)
    assert len(done) < 20, "the rest waits for the next turn of the event loop"
    qtbot.waitUntil(lambda: made == ["made", "made"])


def test_a_turn_has_lasted_from_the_first_who_worked_in_it(qapp):
    QApplication.processEvents()
    turn = turns.Turn(qapp)
    assert turn.spent_ms == 0
    turn.begin()
    time.sleep(0.02)
    turn.begin()
    assert turn.spent_ms >= 20
    assert turn.is_over()
    QApplication.processEvents()
    assert turn.spent_ms == 0
    assert not turn.is_over()
    turn.deleteLater()


def test_a_turn_lasts_until_all_timers_that_fire_in_it_are_through(qapp):
    def fire(name):
        seen.append((name, turn.number))
        turn.begin()
        if name == "first":
            again.start(0)  # started in this turn: it fires in the next

    turn, seen = turns.Turn(qapp), []
    again, timers = QTimer(), [QTimer(), QTimer()]
    again.setSingleShot(True)
    again.timeout.connect(lambda: seen.append(("again", turn.number)))
    for name, timer in zip(("first", "second"), timers, strict=True):
        timer.setSingleShot(True)
        timer.timeout.connect(lambda name=name: fire(name))
        timer.start(0)
    time.sleep(0.003)
    QApplication.processEvents()
    number = seen[0][1]
    assert seen[:2] == [("first", number), ("second", number)]
    time.sleep(0.003)
    QApplication.processEvents()
    assert seen[2:] == [("again", number + 1)]
    turn.deleteLater()


def test_what_many_steps_come_to_is_handed_over_in_a_turn_of_its_own(qapp):
    def steps():
        for number in range(3):
            yield number / 3
        happened.append(("stepped", turn))
        return "made"

    happened, turn, owner = [], 0, QObject()
    work = slices.Slices("test", owner)
    work.start("several", steps(), lambda made: happened.append((made, turn)))
    while work.is_active:
        turn += 1
        QApplication.processEvents()
    assert happened == [("stepped", 1), ("made", 2)]


def test_steps_that_break_are_not_gone_on_with(qapp, qtbot):
    def broken():
        yield 0.5
        raise ZeroDivisionError

    made, ended = [], []
    work = slices.Slices("broken", qapp)
    work.ended.connect(lambda: ended.append(True))
    with qtbot.captureExceptions() as raised:
        work.start("Breaking", broken(), made.append)
        qtbot.waitUntil(lambda: not work.is_active)
        qtbot.wait(20)
    assert [kind for kind, *_ in raised] == [ZeroDivisionError]
    assert ended == [True]
    assert made == []
    work.deleteLater()


class UsedUp:
    """A turn that others have always used up."""

    def __init__(self):
        self.asked = 0

    def begin(self):
        """Nobody has time in it."""

    def is_over(self):
        self.asked += 1
        return True


@pytest.fixture
def used_up():
    return UsedUp()


def test_the_rest_of_a_page_gives_way_but_comes(qtbot, used_up, monkeypatch):
    monkeypatch.setattr(inspector, "turn", lambda: used_up)
    monkeypatch.setattr(inspector, "AT_ONCE", 1)
    document = Document(course_sheet())
    document.finish()
    panel = inspector.InspectorPanel(document)
    qtbot.addWidget(panel)
    panel.show()
    document.select(document.program.order[:4])
    qtbot.waitUntil(lambda: len(panel.findChildren(CodeText, "inspector.code")) == 4)
    assert used_up.asked == 2 * 3, "each of the three that waited gave way once"
    document.setParent(panel)


def test_a_layout_gives_way_but_goes_on(qapp, used_up, monkeypatch):
    def gathering():
        gathered.append("a card")
        yield 0.5
        return Task((), ())

    monkeypatch.setattr(background, "turn", lambda: used_up)
    gathered, owner = [], QObject()
    work = background.Background(gathering(), owner)
    while not gathered:
        QApplication.processEvents()
    assert used_up.asked == 2
    work.cancel()
