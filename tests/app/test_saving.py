"""A large document on its way into its file or to the clipboard: the window stays at work, and nothing is lost."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from support.desk import CTRL, answering, key, settle

from chalkgrad.program import files
from chalkgrad.program.sheet import Sheet
from chalkgrad.source.read import read_source
from chalkgrad_app import clipboard, filing
from chalkgrad_app.widgets import slices

LINES = 300


@pytest.fixture
def large(window, monkeypatch):
    """A window with a program of which the text takes many turns of the event loop, on any machine."""
    lines = ["a0 = torch.tensor(2.0, requires_grad=True)"]
    lines += [f"a{number} = torch.tanh(a{number - 1})" for number in range(1, LINES)]
    window.document.begin(Sheet(read_source("import torch\n" + "\n".join(lines))))
    window.filing._window.lodging.place_missing()
    settle(window)
    window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)  # what is left of one that closes is looked at
    for module in (filing, clipboard):
        monkeypatch.setattr(module, "AT_ONCE", 1)
    monkeypatch.setattr(slices, "SLICE_MS", 0)
    return window


def begin_saving(window, path):
    """Edit the document and save it; it is on its way then."""
    window.document.select([window.document.program.order[-1]])
    key(window, Qt.Key.Key_Delete)
    settle(window)
    window.document.set_path(path)
    key(window, Qt.Key.Key_S, CTRL)
    assert window.filing.saving.is_active


def begin_copying(window):
    """Copy all cards; they are on their way then."""
    key(window, Qt.Key.Key_A, CTRL)
    key(window, Qt.Key.Key_C, CTRL)
    assert window.findChild(QToolButton, "copying.cancel").isVisible()


def wait(window, qtbot, name):
    qtbot.waitUntil(lambda: not window.findChild(QToolButton, f"{name}.cancel").isVisible(), timeout=30_000)


def give_up(window, name, how):
    if how == "Cancel":
        QTest.mouseClick(window.findChild(QToolButton, f"{name}.cancel"), Qt.MouseButton.LeftButton)
    else:
        key(window, Qt.Key.Key_Escape)
    assert not window.findChild(QToolButton, f"{name}.cancel").isVisible()


class TestSaving:
    def test_one_looks_round_meanwhile_and_the_file_is_whole(self, large, qtbot, tmp_path):
        path = tmp_path / "large.chalk"
        begin_saving(large, path)
        assert large.findChild(QToolButton, "saving.cancel").parent().words.text() == "Saving large.chalk"
        scale = large.canvas.viewport.scale
        QTest.keyClick(large.canvas, Qt.Key.Key_Plus, CTRL)
        assert large.canvas.glide.target.scale != scale
        assert not path.exists()
        assert large.document.is_modified
        wait(large, qtbot, "saving")
        assert files.read_file(path) == large.document.sheet
        assert not large.document.is_modified
        assert str(path) in large.status_words.text()

    @pytest.mark.parametrize("how", ["Escape", "Cancel"])
    def test_given_up_it_leaves_the_file_as_it_was(self, large, tmp_path, how):
        path = tmp_path / "large.chalk"
        path.write_text("what was there")
        begin_saving(large, path)
        give_up(large, "saving", how)
        QTest.qWait(50)
        assert path.read_text() == "what was there"
        assert list(tmp_path.iterdir()) == [path]
        assert large.document.is_modified
        assert large.status_words.text() == "large.chalk was not saved: it was given up."

    def test_an_edit_meanwhile_is_still_to_be_saved(self, large, qtbot, tmp_path):
        path = tmp_path / "large.chalk"
        begin_saving(large, path)
        as_saved = large.document.sheet
        large.document.select([large.document.program.order[-1]])
        key(large, Qt.Key.Key_Delete)
        assert large.filing.saving.is_active
        wait(large, qtbot, "saving")
        assert files.read_file(path) == as_saved
        assert large.document.is_modified
        key(large, Qt.Key.Key_S, CTRL)
        wait(large, qtbot, "saving")
        assert files.read_file(path) == large.document.sheet != as_saved

    def test_a_window_that_closes_has_saved(self, large, tmp_path):
        path = tmp_path / "large.chalk"
        begin_saving(large, path)
        assert large.close()
        assert files.read_file(path) == large.document.sheet

    def test_asked_when_the_window_closes_it_saves_before(self, large, tmp_path):
        path = tmp_path / "large.chalk"
        begin_saving(large, path)
        give_up(large, "saving", "Escape")
        with answering(lambda box: QTest.mouseClick(box.button(box.StandardButton.Save), Qt.MouseButton.LeftButton)):
            assert large.close()
        assert files.read_file(path) == large.document.sheet

    def test_what_cannot_be_written_keeps_the_window_open(self, large, tmp_path):
        begin_saving(large, tmp_path / "missing" / "large.chalk")
        give_up(large, "saving", "Escape")
        said = []

        def read(box):
            said.append(box.text())
            QTest.keyClick(box, Qt.Key.Key_Return)

        def save(box):
            QTest.mouseClick(box.button(box.StandardButton.Save), Qt.MouseButton.LeftButton)

        with answering(save, read):
            assert not large.close()
        assert "large.chalk" in said[0]
        assert large.isVisible()
        large.document.mark_saved()


class TestCopying:
    def test_all_is_there_when_it_is_through(self, large, qtbot):
        QApplication.clipboard().setText("before")
        begin_copying(large)
        assert QApplication.clipboard().text() == "before"
        wait(large, qtbot, "copying")
        assert QApplication.clipboard().text().count("tanh") == LINES - 1
        assert files.load(bytes(QApplication.clipboard().mimeData().data(clipboard.MIME)).decode()).program.order

    @pytest.mark.parametrize("how", ["Escape", "Cancel"])
    def test_given_up_it_leaves_what_was_there(self, large, how):
        QApplication.clipboard().setText("before")
        begin_copying(large)
        give_up(large, "copying", how)
        QTest.qWait(50)
        assert QApplication.clipboard().text() == "before"
        assert large.status_words.text() == "Nothing was copied."

    def test_what_is_cut_is_copied_as_it_was(self, large, qtbot):
        key(large, Qt.Key.Key_A, CTRL)
        key(large, Qt.Key.Key_X, CTRL)
        assert not large.document.program.order
        wait(large, qtbot, "copying")
        assert QApplication.clipboard().text().count("tanh") == LINES - 1

    def test_paste_waits_for_it(self, large, qtbot):
        QApplication.clipboard().setText("b = torch.tensor(1.0)")
        begin_copying(large)
        key(large, Qt.Key.Key_V, CTRL)
        assert len(large.document.program) == LINES
        qtbot.waitUntil(lambda: len(large.document.program) == 2 * LINES, timeout=30_000)
        settle(large)

    def test_it_is_there_when_the_window_has_closed(self, large):
        begin_copying(large)
        key(large, Qt.Key.Key_V, CTRL)
        large.document.mark_saved()
        assert large.close()
        assert len(large.document.program) == LINES  # what waited is not pasted into a window that is gone
        assert QApplication.clipboard().text().count("tanh") == LINES - 1
