"""The map of a loss in the training panel: switched on, worked out in slices, read and clicked, given up."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox
from support.desk import choose, settle

from chalkgrad_app.widgets.contour import BANDS, levels

SOURCE = """import torch
x = torch.tensor([1., 2., 3.])
t = torch.tensor([2., 4., 6.])
w = torch.tensor(0., requires_grad=True)
b = torch.tensor(0., requires_grad=True)
opt = torch.optim.SGD([w, b], lr=0.05)
for step in range(6):
    opt.zero_grad()
    pred = x * w + b
    loss = ((pred - t) ** 2).mean()
    loss.backward()
    opt.step()
"""


@pytest.fixture
def trained(window, tmp_path):
    def open_text(text=SOURCE):
        path = tmp_path / "trained.py"
        path.write_text(text, encoding="utf-8")
        window.filing.load(path)
        settle(window)
        choose(window, "train", "showTraining")
        settle(window)
        return window.docks.training.map

    return open_text


def switch(made):
    QTest.mouseClick(made.switch, Qt.MouseButton.LeftButton, pos=QPoint(8, made.switch.height() // 2))
    settle()


def wait(qtbot, made):
    qtbot.waitUntil(lambda: not made.is_working, timeout=60_000)
    settle()


def test_the_map_with_the_path_on_it(trained, window, qtbot):
    made = trained()
    assert made.plot.map is None
    assert not made.plot.isVisible()
    switch(made)
    wait(qtbot, made)
    qtbot.waitUntil(lambda: made.plot.visibleRegion().boundingRect().height() > made.plot.height() // 2)
    assert made.plot.map.names == ("w", "b", "loss")
    assert made.plot.path.shape == (7, 2)
    assert made.plot.path[0].tolist() == [0.0, 0.0], "where it begins"
    assert made.plot.accessibleDescription().startswith("w and b go from ")
    at = made.plot.points()[3]
    QTest.mouseClick(made.plot, Qt.MouseButton.LeftButton, pos=QPoint(round(at[0]), round(at[1])))
    assert window.training.number == 3
    qtbot.waitUntil(lambda: made.plot.current == 3)
    QTest.keyClick(made.plot, Qt.Key.Key_Right)
    assert window.training.number == 4
    at = made.plot.points()[0]
    QTest.mouseClick(made.plot, Qt.MouseButton.LeftButton, pos=QPoint(round(at[0]), round(at[1])))
    assert window.training.number == 0
    qtbot.waitUntil(lambda: made.plot.current == 0)
    switch(made)
    assert not made.plot.isVisible()


def test_it_is_worked_out_anew_after_an_edit_and_can_be_given_up(trained, window, qtbot):
    made = trained()
    switch(made)
    wait(qtbot, made)
    before = made.plot.map.heights
    window.document.undo_stack.clear()
    window.document.start_over()
    window.document.undo_stack.undo()
    settle(window)
    wait(qtbot, made)
    np.testing.assert_allclose(made.plot.map.heights, before)
    switch(made)
    switch(made)
    assert made.is_working
    QTest.mouseClick(made.stop, Qt.MouseButton.LeftButton)
    settle()
    assert not made.is_working
    assert not made.switch.isChecked()


def test_of_more_parameters_two_are_chosen(trained, qtbot):
    made = trained(
        SOURCE.replace("torch.tensor(0., requires_grad=True)", "torch.tensor([0., 1., 2.], requires_grad=True)")
    )
    switch(made)
    wait(qtbot, made)
    boxes = made.findChildren(QComboBox)
    assert [box.currentText() for box in boxes] == ["w[0]", "b[0]"] or boxes[0].count() == 6
    QTest.keyClick(boxes[1], Qt.Key.Key_End)
    settle()
    wait(qtbot, made)
    assert made.plot.map.names[1] == boxes[1].currentText()


def test_without_two_numbers_there_is_none(trained):
    made = trained(
        SOURCE.replace("b = torch.tensor(0., requires_grad=True)", "b = torch.tensor(0.)").replace("[w, b]", "[w]")
    )
    assert not made.isVisible()


def test_steps_are_closer_where_it_is_low_and_nothing_unknown_hurts():
    heights = np.array([[0.0, 0.1, 1.0], [np.nan, np.inf, 0.5]])
    found = levels(heights)
    assert found[0, 0] == 0
    assert found[0, 2] == found[1, 0] == found[1, 1] == BANDS - 1
    assert 0 < found[0, 1] < found[1, 2]
    assert levels(np.full((2, 2), np.nan)).max() == 0
