"""Panels take turns: in a large program nobody's key press waits until all of them have followed."""

from __future__ import annotations

from typing import ClassVar

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from support.sheets import course_sheet

from chalkgrad.program import edits
from chalkgrad_app.document import Document
from chalkgrad_app.panels import mirror
from chalkgrad_app.widgets import turns


class Slow(mirror.Mirror):
    """A panel that notes in which turn of the event loop it follows."""

    turns: ClassVar[list[tuple[str, int]]] = []
    turn = 0

    def follow(self) -> None:
        Slow.turns.append((self.objectName(), Slow.turn))

    def retranslate(self) -> None:
        pass


class Painted(QObject):
    """Takes part in a turn as the canvas does when it is painted: before the timers."""

    def event(self, event):
        if event.type() == QEvent.Type.UpdateRequest:
            turns.turn().begin()
        return super().event(event)


@pytest.fixture
def panels(qapp):
    """Three panels of one document, which have followed it."""
    Slow.turns.clear()
    document, room = Document(course_sheet()), QWidget()
    made = [Slow(document, name, room) for name in ("one", "two", "three")]
    for panel in made:
        panel.begin(document.changed)
    room.show()
    document.finish()
    turn(5)
    Slow.turns.clear()
    yield document, made
    room.deleteLater()
    document.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def turn(count: int) -> None:
    for _ in range(count):
        Slow.turn += 1
        QCoreApplication.processEvents()


def rename(document: Document) -> None:
    first = document.program.order[0]
    document.do(lambda sheet: edits.rename(sheet.program, first, 0, "renamed"), "rename")
    document.finish()


def test_all_follow_at_once_while_that_is_quick(panels):
    document, _ = panels
    rename(document)
    turn(5)
    assert len({at for _, at in Slow.turns}) == 1
    assert sorted(name for name, _ in Slow.turns) == ["panel.one", "panel.three", "panel.two"]


def test_slow_ones_follow_one_in_each_turn(panels, monkeypatch):
    document, _ = panels
    monkeypatch.setattr(turns, "TURN_MS", -1)
    monkeypatch.setattr(mirror, "PATIENCE_MS", 60_000)
    rename(document)
    turn(12)
    assert sorted(name for name, _ in Slow.turns) == ["panel.one", "panel.three", "panel.two"]
    assert len({at for _, at in Slow.turns}) == 3


def test_they_wait_for_the_next_turn_after_the_canvas_was_painted(panels, monkeypatch):
    document, _ = panels
    monkeypatch.setattr(turns, "TURN_MS", -1)
    monkeypatch.setattr(mirror, "PATIENCE_MS", 60_000)
    rename(document)
    canvas = Painted()
    QCoreApplication.postEvent(canvas, QEvent(QEvent.Type.UpdateRequest))
    turn(1)
    assert Slow.turns == []
    turn(12)
    assert len(Slow.turns) == 3


def test_they_do_not_wait_for_ever(panels, monkeypatch, qtbot):
    document, _ = panels
    monkeypatch.setattr(turns.Turn, "is_over", lambda self: True)
    monkeypatch.setattr(mirror, "PATIENCE_MS", 20)
    rename(document)
    turn(1)
    assert Slow.turns == []
    qtbot.waitUntil(lambda: len(Slow.turns) == 3)


def test_those_that_have_waited_for_long_go_one_in_each_turn(panels, monkeypatch):
    document, _ = panels
    monkeypatch.setattr(turns.Turn, "is_over", lambda self: True)
    monkeypatch.setattr(mirror, "PATIENCE_MS", 0)
    rename(document)
    turn(1)
    QTest.qSleep(5)  # all have waited for longer than they need
    turn(12)
    assert sorted(name for name, _ in Slow.turns) == ["panel.one", "panel.three", "panel.two"]
    assert len({at for _, at in Slow.turns}) == 3


def test_who_has_waited_for_long_claims_a_turn_in_which_a_run_takes_less(panels, monkeypatch):
    document, _ = panels
    monkeypatch.setattr(mirror, "PATIENCE_MS", 0)
    monkeypatch.setattr(turns, "TURN_MS", -1)
    QCoreApplication.processEvents()
    rename(document)
    claimed = []
    canvas = Painted()
    for _ in range(12):
        QCoreApplication.postEvent(canvas, QEvent(QEvent.Type.UpdateRequest))
        before = len(Slow.turns)
        QTest.qSleep(2)
        turn(1)
        claimed.append((turns.turn().is_claimed, len(Slow.turns) - before))
    assert sorted(name for name, _ in Slow.turns) == ["panel.one", "panel.three", "panel.two"]
    assert all(is_claimed for is_claimed, followed in claimed if followed)
