"""A script that fails stops as Python does; one click goes on past the failure."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from support.desk import settle

from chalkgrad.session.state import Status

SCRIPT = """import torch
w = torch.tensor([1.], requires_grad=True)
w.add_(1)
y = w * w
print(y)
"""


def test_a_script_stops_and_one_click_goes_on(window, open_text):
    document = open_text(SCRIPT)
    last = document.program.order[-1]
    assert document.state.statement(last).status is Status.NOT_REACHED
    band = window.area.stop_band
    assert band.isVisible()
    assert "line 2" in band.words.text()
    QTest.mouseClick(band.findChild(QPushButton, "stopBand.goOn"), Qt.MouseButton.LeftButton)
    settle(window)
    assert document.state.statement(last).status is Status.OK
    assert not band.isVisible()
    document.undo_stack.undo()
    settle(window)
    assert document.state.statement(last).status is Status.NOT_REACHED
    assert band.isVisible()


def test_the_band_leaves_the_canvas_its_room_with_large_text(window, open_text):
    open_text(SCRIPT)
    band = window.area.stop_band
    whole = band.words.text()
    window.presenting.set_text_size(200)
    settle(window)
    assert band.words.text() == "Stopped at line 2"
    assert band.words.toolTip() == whole
    assert band.height() < window.canvas.height() / 2
    window.presenting.set_text_size(100)
    settle(window)
    assert band.words.text() == whole


def test_the_band_waits_until_the_script_has_stopped(window, open_text):
    open_text(SCRIPT)
    band = window.area.stop_band
    QTest.keyClick(window.canvas, Qt.Key.Key_PageUp)
    QTest.keyClick(window.canvas, Qt.Key.Key_PageUp)
    QTest.keyClick(window.canvas, Qt.Key.Key_PageUp)
    settle(window)
    assert window.document.is_past
    assert not band.isVisible()
    QTest.keyClick(window.canvas, Qt.Key.Key_F8)
    settle(window)
    assert band.isVisible()
