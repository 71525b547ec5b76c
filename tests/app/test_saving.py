"""A large document on its way into its file or to the clipboard: the window stays at work, and nothing is lost."""

from __future__ import annotations

import os
from threading import Event, Timer

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from support.desk import CTRL, answering, calm, key, settle

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
    calm(window)  # a layout that comes later is an edit, and gives up what is on its way
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


class Disk:
    """One that has nothing until it is let go."""

    def __init__(self, monkeypatch):
        self.is_asked, self.may_go, self._sync = Event(), Event(), os.fsync
        monkeypatch.setattr(files, "DISK_S", 0.0)
        monkeypatch.setattr(os, "fsync", self._wait)

    def _wait(self, handle):
        self.is_asked.set()
        assert self.may_go.wait(30)
        self._sync(handle)


class TestSlowDisk:
    @pytest.fixture
    def edited(self, window, open_text, tmp_path):
        """A window whose document isn't in its file as it is now."""
        files.write_file(tmp_path / "few.chalk", open_text("import torch\nx = torch.ones(2)\ny = x * 2\n").sheet)
        window.filing.load(tmp_path / "few.chalk")
        window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        settle(window)
        window.document.select([window.document.program.order[-1]])
        key(window, Qt.Key.Key_Delete)
        settle(window)
        return window

    @pytest.fixture
    def disk(self, edited, qtbot, monkeypatch):
        """What a save waits for, begun by its keys."""
        disk = Disk(monkeypatch)
        key(edited, Qt.Key.Key_S, CTRL)
        qtbot.waitUntil(disk.is_asked.is_set)
        yield disk
        disk.may_go.set()

    def test_one_goes_on_meanwhile_and_sees_that_it_is_not_saved_yet(self, edited, disk, qtbot, tmp_path):
        assert edited.findChild(QToolButton, "saving.cancel").parent().words.text() == "Saving few.chalk"
        assert edited.findChild(QToolButton, "saving.cancel").isVisible()
        assert edited.isWindowModified()
        scale = edited.canvas.viewport.scale
        QTest.keyClick(edited.canvas, Qt.Key.Key_Plus, CTRL)
        assert edited.canvas.glide.target.scale != scale
        assert len(files.read_file(tmp_path / "few.chalk").program) > len(edited.document.program)
        disk.may_go.set()
        wait(edited, qtbot, "saving")
        settle(edited)
        assert files.read_file(tmp_path / "few.chalk") == edited.document.sheet
        assert not edited.isWindowModified()

    @pytest.mark.parametrize("how", ["Escape", "Cancel"])
    def test_given_up_it_leaves_the_file_as_it_was(self, edited, disk, tmp_path, how):
        before = (tmp_path / "few.chalk").read_bytes()
        give_up(edited, "saving", how)
        disk.may_go.set()
        QTest.qWait(100)
        assert (tmp_path / "few.chalk").read_bytes() == before
        assert not list(tmp_path.glob(".*"))
        assert edited.document.is_modified
        assert "few.chalk was not saved" in edited.status_words.text()

    def test_closing_waits_for_it(self, edited, disk, tmp_path):
        Timer(0.2, disk.may_go.set).start()
        assert edited.close()
        assert files.read_file(tmp_path / "few.chalk") == edited.document.sheet

    def test_what_the_disk_refuses_is_said(self, edited, qtbot, monkeypatch, tmp_path):
        said, before = [], (tmp_path / "few.chalk").read_bytes()

        def refuse(_):
            raise OSError(28, "No space left on device")

        def read(box):
            said.append(box.text())
            QTest.keyClick(box, Qt.Key.Key_Return)

        monkeypatch.setattr(files, "DISK_S", 0.0)
        monkeypatch.setattr(os, "fsync", refuse)
        with answering(read):
            key(edited, Qt.Key.Key_S, CTRL)
            qtbot.waitUntil(lambda: bool(said))
        assert "No space left on device" in said[0]
        assert (tmp_path / "few.chalk").read_bytes() == before
        assert edited.document.is_modified


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
