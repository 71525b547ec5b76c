"""Why a leaf waits: stepping through a backward with the engine's queue beside the graph, by keys and by mouse."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from support.desk import LEFT, PLAIN, choose, press, settle
from support.sheets import COURSE

from chalkgrad.session.events import EventKind
from chalkgrad_app.panels.engine_rows import Stage

ALT = Qt.KeyboardModifier.AltModifier


def step(window):
    QTest.keyClick(window, Qt.Key.Key_Right, ALT)
    settle(window)


def kind_here(document):
    return document.session.trace.events[document.cursor - 1].kind


def stages(panel):
    found = {}
    for row in panel.list.rows.rows:
        if row.node is not None:
            found.setdefault(row.stage, []).append(row.title)
    return found


def test_by_keys_alone(window, open_text):
    document = open_text(COURSE)
    QTest.keyClick(window.canvas, Qt.Key.Key_F4)
    settle(window)
    panel = window.docks.engine
    assert panel.isVisible()
    assert "y.backward()" in panel.text()
    document.look_at_line(document.program.order[0])
    settle(window)
    QTest.keyClick(window.canvas, Qt.Key.Key_F4)
    settle(window)
    assert window.focusWidget().objectName() == "engine.enter"
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Space)
    settle(window)
    seen = []
    waits = []
    while document.is_past:
        seen.append(kind_here(document))
        waits += stages(panel).get(Stage.WAITING, [])
        step(window)
        assert len(seen) < 40
    assert seen.count(EventKind.NODE_RAN) == 3
    assert EventKind.SUMMED in seen
    assert "AccumulateGrad (w)" in waits
    assert not document.is_modified
    assert not document.undo_stack.canUndo()


def test_by_mouse(window, open_text):
    document = open_text(COURSE)
    choose(window, "steps", "showEngine")
    document.look_at_line(document.program.order[1])
    settle(window)
    press(window, "engine.enter")
    panel = window.docks.engine
    while kind_here(document) is not EventKind.SUMMED:
        press(window, "program.eventForward")
    assert "+ [2.] = [5.]" in panel.text()
    card = document.program.named("w").statement
    assert window.canvas.event_pill.said().card == card
    waiting = [row.node for row in panel.list.rows.rows if row.stage is Stage.WAITING and row.node is not None]
    row = panel.list.rows.row_of(waiting[0])
    panel.list.scrollTo(panel.list.rows.index(row))
    QTest.mouseClick(panel.list.viewport(), LEFT, PLAIN, panel.list.visualRect(panel.list.rows.index(row)).center())
    settle(window)
    assert document.selection == {card}
    press(window, "engine.copy")
    press(window, "program.eventBack")
    assert "[3.] + [2.] = [5.]" not in panel.text()
    choose(window, "steps", "backToNow")
    assert not document.is_past
