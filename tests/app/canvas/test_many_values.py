"""Many numbers in the window with a tensor's values: pasted, copied and cut in slices, all at once or not at all."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from support.hands import CTRL, process
from support.value_window import ESC, V, open_window, value

from chalkgrad_app.editors import tables

SIX = "\n".join("\t".join(str(10 * row + column) for column in range(6)) for row in range(6))


@pytest.fixture
def slices(grid, monkeypatch):
    """The grid's window, with six numbers read or written at a turn of the event loop."""
    monkeypatch.setattr(tables, "SLICE", 6)
    monkeypatch.setattr("chalkgrad_app.widgets.slices.SLICE_MS", 0)
    return open_window(grid)


def paste_many(window, text=SIX):
    QApplication.clipboard().setText(text)
    QTest.keyClick(window.grid, V, CTRL)


def test_many_numbers_are_pasted_in_slices_and_are_there_all_at_once(grid, slices, qtbot):
    paste_many(slices)
    assert slices.working.isVisible()
    assert slices.working.words.text() == "Pasting"
    assert value(grid) == [[1, 2], [3, 4]]
    qtbot.waitUntil(slices.working.isHidden)
    assert value(grid)[5] == [50, 51, 52, 53, 54, 55]
    assert slices.grid.area() == (0, 0, 6, 6)
    QTest.keyClick(slices.grid, Qt.Key.Key_Z, CTRL)
    assert value(grid) == [[1, 2], [3, 4]]


@pytest.mark.parametrize("how", ["button", "escape"])
def test_pasting_that_is_given_up_has_done_nothing(grid, slices, how):
    paste_many(slices)
    if how == "button":
        QTest.mouseClick(slices.working.cancel, Qt.MouseButton.LeftButton)
    else:
        QTest.keyClick(slices.grid, ESC)
    for _ in range(20):
        process()
    assert slices.isVisible()
    assert slices.working.isHidden()
    assert value(grid) == [[1, 2], [3, 4]]
    assert slices.tensor.undo_stack.count() == 0


def test_an_edit_while_numbers_are_pasted_gives_the_pasting_up(grid, slices):
    paste_many(slices)
    QTest.keyClick(slices.grid, Qt.Key.Key_Delete)
    for _ in range(20):
        process()
    assert slices.working.isHidden()
    assert value(grid) == [[0, 2], [3, 4]]


def test_what_is_no_number_far_down_is_said_and_nothing_is_pasted(grid, slices, qtbot):
    paste_many(slices, f"{SIX}\n1\t2\t3\t4\tfive\t6")
    qtbot.waitUntil(slices.working.isHidden)
    assert slices.message.text() == "five is no number"
    assert value(grid) == [[1, 2], [3, 4]]


def test_many_numbers_are_copied_while_the_window_is_closed_already(grid, slices, qtbot):
    paste_many(slices)
    qtbot.waitUntil(slices.working.isHidden)
    QApplication.clipboard().setText("before")
    QTest.keyClick(slices.grid, Qt.Key.Key_A, CTRL)
    QTest.keyClick(slices.grid, Qt.Key.Key_C, CTRL)
    assert slices.working.words.text() == "Copying"
    assert QApplication.clipboard().text() == "before"
    slices.close()
    qtbot.waitUntil(lambda: QApplication.clipboard().text() != "before")
    assert QApplication.clipboard().text() == "\n".join(
        "\t".join(f"{cell}." for cell in line.split()) for line in SIX.splitlines()
    )


def test_cutting_that_is_given_up_neither_copies_nor_clears(grid, slices, qtbot):
    paste_many(slices)
    qtbot.waitUntil(slices.working.isHidden)
    before = value(grid)
    QTest.keyClick(slices.grid, Qt.Key.Key_A, CTRL)
    QTest.keyClick(slices.grid, Qt.Key.Key_X, CTRL)
    QTest.keyClick(slices.grid, ESC)
    process()
    assert QApplication.clipboard().text() == SIX
    assert value(grid) == before
    QTest.keyClick(slices.grid, Qt.Key.Key_X, CTRL)
    qtbot.waitUntil(slices.working.isHidden)
    assert not np.any(value(grid))
