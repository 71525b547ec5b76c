"""Garbage is collected, and no look at it takes long."""

from __future__ import annotations

import gc
import time
import weakref

import pytest
from PySide6.QtCore import QObject, Qt

from chalkgrad_app import collecting
from chalkgrad_app.collecting import Collector


class Circle:
    """Refers to itself, so that nothing but the collector takes it away."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def collector(qapp):
    gc.collect()
    made = Collector(qapp)
    made.begin()
    yield made
    made.end()
    assert gc.isenabled()
    assert not gc.get_freeze_count()
    QObject.deleteLater(made)


def circle():
    return weakref.ref(Circle())


def test_while_it_works_nothing_is_looked_through_by_itself(collector):
    lost = circle()
    kept = [[] for _ in range(3 * gc.get_threshold()[0])]
    assert lost() is not None
    assert kept


def test_a_pause_takes_away_what_was_made_since_the_one_before(qtbot, monkeypatch, qapp):
    monkeypatch.setattr(collecting, "PAUSE_MS", 1)
    collector = Collector(qapp)
    collector.begin()
    try:
        lost = circle()
        qtbot.waitUntil(lambda: lost() is None)
    finally:
        collector.end()


def test_what_is_much_is_set_aside_without_a_look(collector):
    kept, lost = [[] for _ in range(collecting.MOST)], circle()
    collector.look()
    assert lost() is not None
    assert len(gc.get_objects(generation=0)) < len(kept)
    later = circle()
    collector.look()
    assert later() is None, "what comes after it is looked at as ever"
    collector.look_at_all()
    assert lost() is None


def test_what_was_set_aside_goes_with_its_last_holder(collector):
    kept = Circle()
    kept.itself = None
    gone = weakref.ref(kept)
    collector.look()
    del kept
    assert gone() is None


def test_everything_is_looked_through_when_nobody_sees_it_and_not_too_often(qapp, monkeypatch, collector):
    lost = circle()
    gc.freeze()
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationInactive)
    assert lost() is not None, "it was looked through just now"
    monkeypatch.setattr(collecting, "AWAY_MS", 1)
    time.sleep(0.01)
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    assert lost() is not None, "somebody sees it"
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationInactive)
    assert lost() is None
