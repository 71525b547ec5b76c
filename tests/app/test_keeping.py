"""Files and their safety: saving, refusing, the copy for recovery, changes by other programs, a killed process."""

import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtTest import QTest
from support.desk import settle
from support.sheets import course_sheet

from chalkgrad.program import files
from chalkgrad.program.json_values import FileError
from chalkgrad.source import emit
from chalkgrad.source.problem import SourceError
from chalkgrad_app import keeping
from chalkgrad_app.document import Document

ROOT = Path(__file__).parents[2]


@pytest.fixture
def kept(qapp, tmp_path):
    """A document in a file, and its keeper."""
    path = tmp_path / "course.chalk"
    files.write_file(path, course_sheet())
    document = Document()
    document.begin(files.read_file(path), path)
    keeper = keeping.Keeper(document, document)
    keeper.heard = []
    keeper.changed_on_disk.connect(keeper.heard.append)
    yield document, keeper, path
    keeper.discard_copy()
    document.deleteLater()


def wait(condition):
    for _ in range(60):
        QTest.qWait(25)
        if condition():
            return True
    return False


class TestReading:
    def test_a_document(self, tmp_path):
        files.write_file(tmp_path / "a.chalk", course_sheet())
        assert keeping.read_sheet(tmp_path / "a.chalk") == course_sheet()

    def test_code_and_a_notebook(self, tmp_path):
        code = "import torch\nx = torch.tensor([1.])\ny = x * 2\n"
        (tmp_path / "net.py").write_text("\ufeff" + code, encoding="utf-8")
        cells = [{"cell_type": "markdown", "source": "# words"}, {"cell_type": "code", "source": code.splitlines(True)}]
        (tmp_path / "net.ipynb").write_text(json.dumps({"cells": cells}))
        one, other = (keeping.read_sheet(tmp_path / name).program for name in ("net.py", "net.ipynb"))
        assert one == other
        assert [statement.name for statement in one] == ["x", "y"]

    def test_what_a_notebook_says_to_itself_is_left_out(self, tmp_path):
        sources = [
            "%matplotlib inline\n!pip install torch\nimport torch\n",
            "%%html\n<b>no code</b>\n",
            "%%time\nx = torch.tensor([1.])\n?torch.exp\n",
            "y = (7\n% 4)\nz = x * y\n",
        ]
        cells = [{"cell_type": "code", "source": source} for source in sources]
        (tmp_path / "net.ipynb").write_text(json.dumps({"cells": cells}))
        program = keeping.read_sheet(tmp_path / "net.ipynb").program
        assert [emit.line(program, id_) for id_ in program.order] == ["x = torch.tensor([1.])", "z = x * 3"]

    @pytest.mark.parametrize(
        ("name", "text", "line"),
        [
            ("net.py", "import torch\nx = torch.tensor([1.])\nif x: pass\n", "net.py:3:1: "),
            ("net.py", b"\xff\xfe", "net.py: The file is no UTF-8 text."),
            ("net.ipynb", "{}", "net.ipynb: cells: "),
            ("a.chalk", "{", "a.chalk: This is no JSON"),
            ("a.chalk", '{"format": "chalkgrad", "version": 99}', "a.chalk: version: This file has version 99"),
            ("a.txt", "x", "a.txt: This is no Chalkgrad document."),
        ],
    )
    def test_what_cant_be_read_is_refused_with_its_place(self, tmp_path, name, text, line):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        with pytest.raises((FileError, SourceError)) as error:
            keeping.read_sheet(path)
        words = keeping.refusal(name, error.value, "en")
        assert words.startswith(line)
        assert "\n" not in words
        assert keeping.refusal(name, error.value, "zh_CN") != words

    def test_a_file_that_is_not_there(self, tmp_path):
        with pytest.raises(OSError) as error:
            keeping.read_sheet(tmp_path / "gone.py")
        assert keeping.refusal("gone.py", error.value, "en") == "gone.py: No such file or directory"


class TestSaving:
    def test_the_file_is_the_document(self, kept):
        document, keeper, path = kept
        document.delete([5])
        keeper.save(path)
        assert files.read_file(path) == document.sheet
        assert not document.is_modified

    def test_where_it_cant_be_written_nothing_changes(self, kept, tmp_path):
        document, keeper, path = kept
        document.delete([5])
        with pytest.raises(OSError):
            keeper.save(tmp_path / "missing" / "b.chalk")
        assert (document.path, document.is_modified) == (path, True)


class TestChangedOnDisk:
    def test_by_another_program(self, kept):
        _, keeper, path = kept
        path.write_text("{}")
        assert wait(lambda: keeper.heard)
        assert keeper.heard == [True]

    def test_by_replacing_the_file(self, kept, tmp_path):
        _, keeper, path = kept
        (tmp_path / "new").write_text("{}")
        path.unlink()
        (tmp_path / "new").rename(path)
        assert wait(lambda: keeper.heard)
        assert keeper.heard == [True]
        path.write_text("{ }")
        assert wait(lambda: len(keeper.heard) == 2), "it is still watched"

    def test_not_by_saving(self, kept):
        document, keeper, path = kept
        document.delete([5])
        keeper.save(path)
        QTest.qWait(2 * keeping.SETTLED_MS)
        assert keeper.heard == []

    def test_by_another_program_after_saving_elsewhere(self, kept, tmp_path):
        _, keeper, path = kept
        other = tmp_path / "other.chalk"
        keeper.save(other)
        path.write_text("{}")
        QTest.qWait(2 * keeping.SETTLED_MS)
        assert keeper.heard == []
        other.write_text("{}")
        assert wait(lambda: keeper.heard)

    def test_gone(self, kept):
        _, keeper, path = kept
        path.unlink()
        assert wait(lambda: keeper.heard)
        assert keeper.heard == [False]

    def test_replaced_by_what_is_no_file(self, kept):
        _, keeper, path = kept
        path.unlink()
        path.mkdir()
        assert wait(lambda: keeper.heard)
        assert keeper.heard == [False]

    def test_touched_with_the_same_content(self, kept):
        _, keeper, path = kept
        path.write_bytes(path.read_bytes())
        QTest.qWait(2 * keeping.SETTLED_MS)
        assert keeper.heard == []


class TestRecovery:
    def test_a_copy_is_written_soon_after_an_edit(self, kept, monkeypatch):
        document, keeper, path = kept
        keeper._timer.setInterval(10)
        document.delete([5])
        assert wait(lambda: list(keeping.autosave_folder().glob("*.chalk")))
        (copy,) = keeping.autosave_folder().glob("*.chalk")
        assert files.read_file(copy) == document.sheet
        assert path.parent not in copy.parents

    def test_its_text_is_made_a_piece_at_a_time(self, kept, monkeypatch):
        document, keeper, _ = kept
        monkeypatch.setattr(keeping, "SLICE_MS", -1)
        turns = []
        keeper._slices.timeout.connect(lambda: turns.append(True))
        keeper._timer.setInterval(10)
        document.delete([5])
        assert wait(lambda: list(keeping.autosave_folder().glob("*.chalk")))
        (copy,) = keeping.autosave_folder().glob("*.chalk")
        assert files.read_file(copy) == document.sheet
        assert len(turns) > len(document.program)

    def test_none_is_written_while_a_number_is_dragged(self, kept):
        document, keeper, _ = kept
        keeper._timer.setInterval(10)
        document.is_scrubbed = True
        document.delete([5])
        QTest.qWait(100)
        assert not list(keeping.autosave_folder().glob("*.chalk"))
        document.is_scrubbed = False
        assert wait(lambda: list(keeping.autosave_folder().glob("*.chalk")))

    def test_what_lives_is_no_leftover(self, kept):
        document, keeper, _ = kept
        document.delete([5])
        keeper.autosave()
        assert list(keeping.autosave_folder().glob("*.chalk"))
        assert keeping.leftovers() == []

    def test_saved_or_undone_there_is_no_copy(self, kept):
        document, keeper, path = kept
        for end in (lambda: keeper.save(path), lambda: (document.undo_stack.undo(), keeper.autosave())):
            document.delete([document.program.order[-1]])
            keeper.autosave()
            end()
            if not document.is_modified:
                assert list(keeping.autosave_folder().glob("*")) == []

    def test_a_folder_that_cant_be_written_is_told(self, kept, monkeypatch, tmp_path):
        document, keeper, _ = kept
        (tmp_path / "file").write_text("")
        monkeypatch.setattr(keeping, "autosave_folder", lambda: tmp_path / "file" / "autosave")
        failed = []
        keeper.failed.connect(failed.append)
        document.delete([5])
        keeper.autosave()
        assert len(failed) == 1


KILLED = """
    import sys
    from PySide6.QtTest import QTest
    from PySide6.QtCore import Qt
    from chalkgrad_app import keeping
    keeping.AUTOSAVE_MS = 100
    from chalkgrad_app.main import create_window

    window = create_window(*sys.argv[2:])
    window.activateWindow()
    QTest.qWaitForWindowActive(window)
    field = window.area.start.field
    if not window.document.program.order:
        QTest.mouseClick(field, Qt.MouseButton.LeftButton)
        QTest.keyClicks(field, "y = (x + w) * (w + 1)")
        QTest.keyClick(field, Qt.Key.Key_Return)
    QTest.keyClick(window.canvas, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    for _ in range(100):
        QTest.qWait(50)
        copies = list(keeping.autosave_folder().glob("*.json"))
        if copies:
            break
    from chalkgrad.program import files
    files.write_file(sys.argv[1], window.document.sheet)
    print("ready", flush=True)
    QTest.qWait(60000)
"""


def kill_after_an_edit(home, *arguments):
    """Start the application, edit through events, wait for the copy, kill it; returns what it had."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(str(ROOT / part) for part in ("core", "app", "resources")),
    }
    had = home / "had.chalk"
    command = [sys.executable, "-c", textwrap.dedent(KILLED), str(had), *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    process.stdout.close()
    return files.read_file(had)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_a_copy_that_waits_for_the_disk_is_left_when_it_is_not_needed_any_more(kept, qtbot, monkeypatch):
    document, keeper, _ = kept
    is_asked, may_go, sync = Event(), Event(), os.fsync

    def wait_for_disk(handle):
        is_asked.set()
        assert may_go.wait(30)
        sync(handle)

    monkeypatch.setattr(files, "DISK_S", 0.0)
    monkeypatch.setattr(os, "fsync", wait_for_disk)
    document.delete([document.program.order[-1]])
    keeper._timer.start(0)
    qtbot.waitUntil(is_asked.is_set)  # in a thread: one works on meanwhile
    assert not list(keeping.autosave_folder().glob("*.chalk"))
    document.undo_stack.undo()
    keeper.discard_copy()
    may_go.set()
    QTest.qWait(100)
    assert not list(keeping.autosave_folder().glob(".*"))
    assert not keeping.leftovers()


def test_what_a_killed_process_left_is_offered_and_equal(fresh_home, window, monkeypatch):
    from PySide6.QtWidgets import QMessageBox
    from support.desk import answering, lines, with_button

    had = kill_after_an_edit(fresh_home)
    assert [leftover.name for leftover in keeping.leftovers()] == ["Untitled"]
    with answering(with_button(QMessageBox.StandardButton.Open)) as asked:
        window.offer_recovery()
    settle(window)
    assert "Untitled" in asked.words
    assert window.document.sheet == had
    assert lines(window)[-1] == "y.backward()"
    assert window.document.is_modified
    assert keeping.leftovers() == []
    assert len(list(keeping.autosave_folder().glob("*.chalk"))) == 1, "it is kept safe again, by this process"
    window.filing.keeper.discard_copy()


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_a_killed_edit_of_a_file_leaves_the_file_alone(fresh_home, window, tmp_path):
    from PySide6.QtWidgets import QMessageBox
    from support.desk import answering, with_button

    path = tmp_path / "course.chalk"
    files.write_file(path, course_sheet())
    before = path.read_bytes()
    had = kill_after_an_edit(fresh_home, str(path))
    assert path.read_bytes() == before
    with answering(with_button(QMessageBox.StandardButton.Open)):
        window.offer_recovery()
    assert (window.document.path, window.document.name) == (path, "course")
    assert window.document.sheet == had
    window.filing.keeper.discard_copy()


def test_discarded_it_is_not_offered_again(fresh_home, window):
    from PySide6.QtWidgets import QMessageBox
    from support.desk import answering, with_button

    folder = keeping.autosave_folder()
    folder.mkdir(parents=True)
    files.write_file(folder / "a.chalk", course_sheet())
    with answering(with_button(QMessageBox.StandardButton.Discard)):
        window.offer_recovery()
    assert window.document.is_empty
    assert list(folder.iterdir()) == []


def test_a_damaged_copy_is_said_and_set_aside(fresh_home, window):
    from PySide6.QtWidgets import QMessageBox
    from support.desk import answering, with_button

    folder = keeping.autosave_folder()
    folder.mkdir(parents=True)
    (folder / "a.chalk").write_text("{")
    (folder / "a.json").write_text(json.dumps({"original": "", "name": "lesson"}))
    buttons = QMessageBox.StandardButton
    with answering(with_button(buttons.Open), with_button(buttons.Ok)) as asked:
        window.offer_recovery()
    assert "a.damaged: This is no JSON" in asked.words
    assert keeping.leftovers() == []
    assert [path.name for path in folder.iterdir()] == ["a.damaged"]
