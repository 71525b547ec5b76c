"""Cards that grow push away what they would lie on, within the edit that made them grow."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from support.desk import calm, choose, key, settle
from support.hands import Hands

from chalkgrad.layout.graph import ROW_GAP
from chalkgrad.program import edits
from chalkgrad.program.board import Note
from chalkgrad_app import settings
from chalkgrad_app.picture.anatomy import HEADER

COLUMN = """import torch
x = torch.tensor([2.])
w = torch.tensor([1.], requires_grad=True)
a = w * x
b = a + 1
"""


@pytest.fixture
def column(window, tmp_path):
    """A window in which x stands right above w, and a right above b."""
    settings.MOTION.set(False)
    path = tmp_path / "column.py"
    path.write_text(COLUMN, encoding="utf-8")
    window.filing.load(path)
    window.document.finish()
    settle(window)
    document = window.document
    ids = {document.program[id_].name: id_ for id_ in document.program.order}
    heights = {name: window.canvas.picture.rect(ids[name]).height() for name in ids}
    places = {"x": (0, 0), "w": (0, heights["x"] + 8), "a": (304, 0), "b": (304, heights["a"] + 8)}
    document.do(edits.place(document.board, {ids[name]: at for name, at in places.items()}), "put")
    window.canvas.fit_all()
    settle(window)
    return window


def rects(window):
    picture, program = window.canvas.picture, window.document.program
    return {program[id_].name: picture.rect(id_) for id_ in picture.ids}


def overlapping(window):
    found = rects(window)
    return [(one, other) for one, other in combinations(found, 2) if found[one].intersects(found[other])]


def grow_x(window):
    hands = Hands(window.canvas)
    hands.double_click(hands.value("x"))
    hands.type("[[1, 2], [3, 4], [5, 6]]")
    hands.key(Qt.Key.Key_Return)
    settle(window)
    settle(window)


def test_a_value_that_grows_pushes_what_is_below(column):
    before = rects(column)
    grow_x(column)
    after = rects(column)
    assert after["x"].height() > before["x"].height()
    assert not overlapping(column)
    assert after["w"].y() > before["w"].y()
    assert after["x"].topLeft() == before["x"].topLeft()


def test_what_is_wired_behind_it_keeps_room_for_its_wires(column):
    document = column.document
    ids = {document.program[id_].name: id_ for id_ in document.program.order}
    spread = {"x": (0, 0), "w": (0, 200), "a": (240, 0), "b": (480, 0)}
    document.do(edits.place(document.board, {ids[name]: at for name, at in spread.items()}), "spread")
    settle(column)
    before = rects(column)
    hands = Hands(column.canvas)
    hands.double_click(hands.value("x"))
    hands.type("[[1.125, 2.125, 3.125], [4.125, 5.125, 6.125]]")
    hands.key(Qt.Key.Key_Return)
    settle(column)
    settle(column)
    after = rects(column)
    assert after["x"].width() > before["x"].width()
    for left, right in (("x", "a"), ("a", "b")):
        assert after[right].left() - after[left].right() >= before[right].left() - before[left].right()


@pytest.mark.parametrize("gap", [8, 24, 40, 64])
def test_what_is_below_it_keeps_the_gap_that_rows_have(column, gap):
    document = column.document
    ids = {document.program[id_].name: id_ for id_ in document.program.order}
    high = rects(column)["x"].height()
    document.do(edits.place(document.board, {ids["x"]: (0, 0), ids["w"]: (0, high + gap)}), "apart")
    settle(column)
    grow_x(column)
    after = rects(column)
    assert after["x"].height() > high
    assert after["w"].left() == after["x"].left()
    assert after["w"].top() - after["x"].bottom() >= min(gap, ROW_GAP)


def test_one_undo_takes_both_back_and_redo_brings_both(column):
    before, steps = rects(column), column.document.undo_stack.index()
    grow_x(column)
    after = rects(column)
    assert column.document.undo_stack.index() == steps + 1
    key(column, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle(column)
    settle(column)
    assert rects(column) == before
    key(column, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    settle(column)
    settle(column)
    assert rects(column) == after


def test_what_is_kept_in_place_stays(column):
    document, before = column.document, rects(column)
    id_ = next(id_ for id_ in document.program.order if document.program[id_].name == "w")
    document.do(edits.keep_in_place(document.board, [id_], True), "keep")
    grow_x(column)
    assert rects(column)["w"] == before["w"]


def test_the_frame_of_a_new_loop_lies_on_no_card(column):
    document = column.document
    ids = {document.program[id_].name: id_ for id_ in document.program.order}
    document.select([ids["a"]])
    settle(column)
    column.canvas.setFocus()
    choose(column, "graph", "wrapLoop")
    settle(column)
    settle(column)
    (frame,) = (frame for frame in column.canvas.picture.frames if frame.block)
    assert not frame.rect.intersects(rects(column)["b"])
    QTest.keyClick(column.canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle(column)
    assert not [frame for frame in column.canvas.picture.frames if frame.block]


def test_the_frame_of_a_new_loop_pushes_no_card_onto_a_note(column):
    document = column.document
    ids = {document.program[id_].name: id_ for id_ in document.program.order}
    below = rects(column)["b"].bottom() + 16
    note = Note(99, (("", "here"),), 304, below, 260, 80)
    document.do(edits.put_note(document.board, note), "note")
    document.select([ids["a"]])
    settle(column)
    column.canvas.setFocus()
    choose(column, "graph", "wrapLoop")
    settle(column)
    settle(column)
    lying = column.canvas.picture.rect_of(99)
    assert not any(rect.intersects(lying) for rect in rects(column).values())
    QTest.keyClick(column.canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle(column)
    assert document.board.notes[99] == note


def test_what_the_edge_of_a_new_frame_would_cut_moves_out_of_it(column):
    document, before = column.document, rects(column)
    ids = {document.program[id_].name: id_ for id_ in document.program.order}
    document.select([ids["a"]])
    settle(column)
    column.canvas.setFocus()
    QTest.keyClick(column.canvas, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    settle(column)
    (frame,) = column.canvas.picture.frames
    assert frame.rect.contains(before["a"])
    assert rects(column)["b"].top() >= frame.rect.bottom()
    assert rects(column) == {**before, "b": rects(column)["b"]}
    key(column, Qt.Key.Key_Escape)
    QTest.keyClick(column.canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle(column)
    assert rects(column) == before
    assert not column.canvas.picture.frames


def test_what_was_built_is_in_view_with_the_sizes_that_the_run_gives_it(window):
    hands = Hands(window.canvas)
    hands.double_click(QPoint(380, 60))
    hands.type("y = (x @ v).sum(dim=0) + rand(3, 4).mean()")
    hands.key(Qt.Key.Key_Return)
    calm(window)
    assert window.canvas.picture.rect(hands.id("x1")).height() > 2 * HEADER, "rand shows its numbers"
    in_view = window.canvas.scene_rect()
    assert [name for name, rect in rects(window).items() if not in_view.contains(rect)] == []


def test_a_view_that_somebody_moved_meanwhile_stays(window):
    canvas, hands = window.canvas, Hands(window.canvas)
    hands.double_click(QPoint(380, 60))
    hands.type("y = (x @ v).sum(dim=0) + rand(3, 4).mean()")
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    before = canvas.viewport.copied()
    pan_by_wheel(canvas)
    at = canvas.viewport.copied()
    assert not at.shows_as(before)
    calm(window)
    assert canvas.picture.rect(hands.id("x1")).height() > 2 * HEADER
    assert canvas.viewport.shows_as(at)


def pan_by_wheel(canvas):
    at, nothing, none = QPointF(canvas.rect().center()), QPoint(), Qt.MouseButton.NoButton
    keys, phase = Qt.KeyboardModifier.ShiftModifier, Qt.ScrollPhase.NoScrollPhase
    QApplication.sendEvent(canvas, QWheelEvent(at, at, nothing, QPoint(0, 240), none, keys, phase, False))
