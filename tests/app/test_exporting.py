"""A large picture on its way into a file: the window stays at work, and nothing is written that was given up."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from support.desk import CTRL, answering, choose, key, settle, with_path

from chalkgrad.program.sheet import Sheet
from chalkgrad.source.read import read_source
from chalkgrad_app import exporting
from chalkgrad_app.export.image import export_document
from chalkgrad_app.widgets import slices

LINES = 400


@pytest.fixture
def large(window, monkeypatch):
    """A window with a program whose picture takes many turns of the event loop, a step each, on any machine."""
    monkeypatch.setattr(exporting, "AT_ONCE", 1)
    monkeypatch.setattr(slices, "SLICE_MS", 0)
    lines = ["a0 = torch.tensor(2.0, requires_grad=True)"]
    lines += [f"a{number} = torch.tanh(a{number - 1})" for number in range(1, LINES)]
    window.document.begin(Sheet(read_source("import torch\n" + "\n".join(lines))))
    window.filing._window.lodging.place_missing()
    settle(window)
    return window


def begin(window, path):
    """Choose to export a picture, and say where; it is on its way then."""

    def fill(dialog):
        dialog.format.setCurrentText("SVG")
        QTest.keyClick(dialog, Qt.Key.Key_Return)

    with answering(fill, with_path(path)):
        choose(window, "file", "exportImage")
    assert window.filing.exporting.slices.is_active
    assert not path.exists()


def is_over(window):
    return not window.filing.exporting.slices.is_active


def test_the_window_is_at_work_meanwhile_and_the_picture_is_the_same(large, qtbot, tmp_path):
    path, whole = tmp_path / "slices.svg", tmp_path / "whole.svg"
    export_document(large.document, whole, theme="light", scale=2.0)
    begin(large, path)
    bar = large.findChild(QToolButton, "exporting.cancel").parent()
    assert bar.isVisible()
    assert bar.words.text() == "Writing slices.svg"
    scale = large.canvas.viewport.scale
    QTest.keyClick(large.canvas, Qt.Key.Key_Plus, CTRL)  # one can look round
    assert not is_over(large)
    assert large.canvas.glide.target.scale != scale
    qtbot.waitUntil(lambda: is_over(large), timeout=60_000)
    assert not bar.isVisible()
    assert str(path) in large.status_words.text()
    assert path.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("how", ["Escape", "Cancel", "an edit", "another run"])
def test_given_up_it_leaves_no_file(large, qtbot, tmp_path, how):
    path, said = tmp_path / "given_up.svg", []
    begin(large, path)
    large.document.told.connect(said.append)
    if how == "Escape":
        key(large, Qt.Key.Key_Escape)
    elif how == "Cancel":
        QTest.mouseClick(large.findChild(QToolButton, "exporting.cancel"), Qt.MouseButton.LeftButton)
    elif how == "an edit":
        large.document.select([large.document.program.order[-1]])
        key(large, Qt.Key.Key_Delete)
    else:
        large.document.session.start_over()
        large.document.finish()
    assert is_over(large)
    assert any("given_up.svg was not written" in words for words in said)
    QTest.qWait(50)
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_is_said(large, qtbot, tmp_path):
    said = []

    def fill(dialog):
        dialog.format.setCurrentText("PNG")
        dialog.scale.setValue(8.0)
        QTest.keyClick(dialog, Qt.Key.Key_Return)

    def read(box):
        said.append(box.text())
        QTest.keyClick(box, Qt.Key.Key_Return)

    with answering(fill, with_path(tmp_path / "huge.png"), read):
        choose(large, "file", "exportImage")
        qtbot.waitUntil(lambda: is_over(large) and bool(said), timeout=60_000)
    assert "huge.png" in said[0]
    assert "pixels" in said[0]
    assert list(tmp_path.iterdir()) == []
