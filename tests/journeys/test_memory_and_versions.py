"""Somebody looks after memory and versions: what is kept, what freeing gives back, and who overwrote what."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton
from support.desk import CTRL, SHIFT, choose, key, press, settle
from support.panels import clipboard, id_of

from chalkgrad_app import i18n
from chalkgrad_app.pointing import Part

COURSE = """import torch
w = torch.tensor([1.], requires_grad=True)
x = torch.tensor([2.])
a = torch.add(w, x)
b = torch.add(w, 1)
y = torch.mul(a, b)
y.backward()
"""
OVERWRITTEN = """import torch
w = torch.tensor([1., 2.], requires_grad=True)
a = w * 2
y = a * a
s = y.sum()
a.add_(1)
s.backward()
"""


def states(panel):
    state, until = (panel.model.TITLES.index(title) for title in ("state", "until"))
    return [
        f"{panel.model.text(row, state)} {panel.model.text(row, until)}".strip()
        for row in range(panel.model.rowCount())
    ]


def now(panel, keeping="AS_IT_RAN"):
    return panel.findChild(QLabel, f"memory.now.{keeping}").text()


def test_keys_alone_show_when_memory_is_kept_and_when_it_goes(window, open_text):
    open_text(COURSE)
    panel = window.docks.memory
    key(window, Qt.Key.Key_M, SHIFT)
    settle(window)
    assert panel.isVisible()
    assert panel.table.hasFocus()
    assert states(panel) == ["○ freed line 6", "○ freed line 6"]
    assert (now(panel), now(panel, "ALWAYS")) == ("0 B", "8 B")
    window.canvas.setFocus()
    key(window, Qt.Key.Key_PageUp)
    settle(window)
    assert states(panel) == ["● kept", "● kept"]
    assert now(panel) == "8 B"
    while window.document.is_past:  # into the backward, event by event
        before = states(panel)
        key(window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
        settle(window)
        assert len(states(panel)) == len(before)
    assert now(panel) == "0 B"


def test_a_row_leads_to_the_card_and_the_card_to_its_rows(window, open_text):
    open_text(COURSE)
    choose(window, "steps", "showMemory")
    settle(window)
    panel = window.docks.memory
    key(window, Qt.Key.Key_Down)
    assert window.document.selection == {id_of(window.document, "y")}
    assert set(window.document.pointed_out.cards) >= {id_of(window.document, "y")}
    key(window, Qt.Key.Key_C, CTRL)
    assert clipboard().splitlines()[-1].startswith("a\t○ freed\tMulBackward0\t")
    window.document.select([id_of(window.document, "w")])
    settle(window)
    assert not panel.table.selectionModel().selectedRows()


def test_the_overwritten_tensor_leads_from_the_error_to_writer_saver_and_reader(window, open_text):
    open_text(OVERWRITTEN)
    document, canvas = window.document, window.canvas
    document.select([document.program.order[-1]])
    settle(window)
    press(window, "inspector.conflict")
    settle(window)
    panel = window.docks.versions
    assert panel.isVisible()
    assert {played.part for played in document.pointed_out.parts} == set(Part)
    shown = canvas.grab().toImage()
    for part, line in (("writer", 5), ("saver", 3), ("reader", 6)):
        press(window, f"versions.goTo.{part}")
        settle(window)
        cursor = document.cursor_line or document.program.order[-1]
        assert document.program.lines[cursor] == line
        assert panel.text().startswith("a  v")  # the history stays while one goes about
    window.docks.by_name["versions"].hide()
    settle(window)
    assert not document.pointed_out.parts
    assert canvas.grab().toImage() != shown


def test_behind_another_tab_the_panel_points_at_nothing_and_in_front_again_it_does(window, open_text):
    open_text(OVERWRITTEN)
    window.docks.show_panel("versions")
    settle(window)
    assert window.document.pointed_out.parts
    window.docks.show_panel("autograd")
    settle(window)
    assert not window.document.pointed_out.parts
    window.docks.show_panel("versions")
    settle(window)
    assert window.document.pointed_out.parts


def test_mending_the_overwriting_leaves_no_conflict_and_undo_brings_it_back(window, open_text):
    open_text(OVERWRITTEN)
    document = window.document
    document.select([document.program.order[-1]])
    settle(window)
    press(window, "inspector.remedy.0")
    settle(window)
    assert not document.state.problems
    assert (
        window.findChild(QPushButton, "inspector.conflict") is None
        or not window.findChild(QPushButton, "inspector.conflict").isVisible()
    )
    document.undo_stack.undo()
    settle(window)
    assert document.state.problems
    key(window, Qt.Key.Key_V, SHIFT)
    settle(window)
    assert "finds v1 where it had saved v0" in window.docks.versions.text()


def test_the_inspector_leads_to_both_panels(window, open_text):
    open_text(OVERWRITTEN)
    window.document.select([id_of(window.document, "a")])
    settle(window)
    for panel in ("versions", "memory"):
        window.docks.inspector.findChild(QToolButton, f"inspector.show.{panel}").click()
        settle(window)
        assert window.docks.by_name[panel].widget().isVisible()


def test_both_panels_follow_the_language(window, open_text):
    open_text(OVERWRITTEN)
    window.docks.show_panel("memory")
    settle(window)
    try:
        i18n.set_language("zh_CN")
        settle(window)
        assert states(window.docks.memory)[0].startswith("●")
        assert "保留" in window.docks.memory.text()
        window.docks.show_panel("versions")
        settle(window)
        assert "改写者" in window.docks.versions.text()
        assert window.docks.by_name["versions"].windowTitle() == "版本"
    finally:
        i18n.set_language("en")
