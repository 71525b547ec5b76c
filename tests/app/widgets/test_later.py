"""What waits for its turn when its owner goes holds nothing of it."""

import gc
import re
import weakref
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtTest import QTest
from shiboken6 import delete
from support.hands import process
from support.monkey_checks import check_gone, discard

import chalkgrad_app
from chalkgrad.program.statement import Kind, Statement
from chalkgrad_app.main import create_window
from chalkgrad_app.picture.brushes import Brushes
from chalkgrad_app.widgets.later import Later


class Owner(QObject):
    """Counts how often it was called."""

    def __init__(self, milliseconds):
        super().__init__()
        self.calls = 0
        self.later = Later(self, self.call, milliseconds)

    def call(self):
        self.calls += 1


@pytest.mark.parametrize("milliseconds", [0, 1])
def test_several_wishes_are_one_call(qapp, qtbot, milliseconds):
    owner = Owner(milliseconds)
    owner.later.schedule()
    owner.later.schedule()
    assert owner.calls == 0
    qtbot.waitUntil(lambda: owner.calls > 0)
    process()
    assert owner.calls == 1


def test_after_each_wish_it_waits_anew(qapp):
    owner = Owner(60_000)
    owner.later.setTimerType(Qt.TimerType.PreciseTimer)
    owner.later.schedule()
    QTest.qWait(20)
    left = owner.later.remainingTime()
    owner.later.schedule()
    assert owner.later.remainingTime() > left


def test_an_owner_that_goes_before_it_is_called_is_gone(qapp):
    owner = Owner(0)
    gone = weakref.ref(owner)
    owner.later.schedule()
    delete(owner)
    del owner
    process()
    gc.collect()
    assert gone() is None


def test_a_window_closed_while_cards_wait_to_be_painted_leaves_nothing(qapp, monkeypatch):
    monkeypatch.setattr(Brushes, "leaves_blank", _leaves_blank)
    window = create_window()
    window.show()
    window.document.append(Statement(0, Kind.LEAF, "tensor", ("w",), ((1.0,),)))
    window.document.finish()
    process()
    canvas = weakref.ref(window.canvas)
    window.canvas.repaint_still()
    window.canvas.grab()
    left = discard(window)
    del window
    check_gone(left)
    assert canvas() is None


def test_nothing_is_scheduled_in_the_way_that_keeps_it_for_ever():
    """PySide never lets go of the method of ``QTimer.singleShot(ms, context, method)`` if the context goes first."""
    sources = Path(chalkgrad_app.__file__).parent.rglob("*.py")
    assert not [path for path in sources if re.search(r"QTimer\.singleShot\([^,()]+,[^,()]+,", path.read_text("utf-8"))]


def _leaves_blank(brushes, *_):
    brushes.blanks += 1
    return True
