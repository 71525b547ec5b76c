"""The File menu by mouse: open, save, duplicate, examples, export, what is refused, what is asked."""

from itertools import combinations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox
from support.desk import CTRL, LEFT, PLAIN, answering, choose, key, lines, settle, tensor, with_button, with_path
from support.monkey_checks import Complaints
from support.sheets import course_sheet

from chalkgrad.program import edits, files
from chalkgrad.program.board import Place
from chalkgrad_app import settings
from chalkgrad_app.canvas import tidying
from chalkgrad_app.commanding import commands
from chalkgrad_app.filing import open_windows

Buttons = QMessageBox.StandardButton
SCRIPT = """import torch
w = torch.tensor([1.], requires_grad=True)
with torch.no_grad():
    d = w * 2
y = w * w
y.backward()
print(w.grad)
"""


@pytest.fixture
def others(window):
    """Closes the windows that a test opened beside the first."""
    yield lambda: [other for other in open_windows() if other is not window]
    for other in open_windows():
        if other is not window:
            other.filing.keeper.discard_copy()
            other.hide()
            other.deleteLater()


def test_the_course_example_from_the_empty_canvas(course_window):
    assert course_window.canvas.hasFocus(), "the keys are the canvas's, where the button was"
    assert course_window.windowTitle().startswith("The course example")
    assert lines(course_window)[-1].startswith("y = ")
    assert not course_window.area.start.isVisible()
    assert not course_window.document.is_modified


@pytest.fixture
def large(window, tmp_path, monkeypatch):
    """A window that has just opened code which is laid out in the background."""
    monkeypatch.setattr(tidying, "AT_ONCE", 3)
    (tmp_path / "net.py").write_text(
        "import torch\nw = torch.ones(2)\n" + "".join(f"y{at} = w + {at}\n" for at in range(6))
    )
    with answering(with_path(tmp_path / "net.py")):
        choose(window, "file", "open")
    return window


def test_a_large_graph_is_laid_out_in_the_background(large, qtbot):
    picture = large.canvas.picture
    assert large.canvas.tidying.is_working
    rects = [picture.rect(id_) for id_ in picture.ids]
    assert not any(one.intersects(other) for one, other in combinations(rects, 2))
    assert rects[0].top() == rects[1].top()
    settle(large)
    qtbot.waitUntil(lambda: not large.canvas.tidying.is_working, timeout=20_000)
    rects = [picture.rect(id_) for id_ in picture.ids]
    assert rects[0].top() > rects[1].top()
    assert not any(one.intersects(other) for one, other in combinations(rects, 2))
    assert not large.document.is_modified
    assert large.document.undo_stack.count() == 0


def test_an_edit_while_a_large_graph_is_laid_out_has_it_laid_out_anew(large, qtbot):
    large.document.delete([large.document.program.order[1]])
    settle(large)
    qtbot.waitUntil(lambda: not large.canvas.tidying.is_working, timeout=20_000)
    picture = large.canvas.picture
    rects = [picture.rect(id_) for id_ in picture.ids]
    assert len(rects) == 6
    assert not any(one.intersects(other) for one, other in combinations(rects, 2))
    assert large.document.undo_stack.count() == 1


def test_a_window_that_closes_ends_what_is_laid_out_for_it(large, others, tmp_path):
    lines = "".join(f"y{at} = w + {at}\n" for at in range(600))
    (tmp_path / "second.py").write_text(f"import torch\nw = torch.ones(2)\n{lines}")
    with Complaints() as complaints, answering(with_path(tmp_path / "second.py")):
        choose(large, "file", "open")
        while large.filing.opening.is_active:
            QApplication.processEvents()
        other = others().pop()
        assert other.canvas.tidying.is_working
        other.close()  # as the button in its frame does
        del other
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        assert not others()
    assert complaints.found == []


def test_code_opens_laid_out_with_its_block(window, tmp_path):
    (tmp_path / "net.py").write_text(SCRIPT)
    with answering(with_path(tmp_path / "net.py")):
        choose(window, "file", "open")
    settle(window)
    assert window.document.name == "net"
    assert tensor(window, "w").grad.short == "[2.]"
    assert not tensor(window, "d").requires_grad
    assert [line.text for line in window.document.state.output] == ["tensor([2.])"]
    rects = [window.canvas.node_rect(name) for name in ("w", "d", "y")]
    assert not any(one.intersects(other) for i, one in enumerate(rects) for other in rects[:i])
    assert settings.recent_files() == [str(tmp_path / "net.py")]


def test_cards_that_turn_out_large_are_laid_out_anew_when_the_run_is_over(window, tmp_path, monkeypatch):
    monkeypatch.setattr("chalkgrad_app.running_sheet.SLICE_MS", 0)
    lines = [f"x{n} = torch.zeros(64, 30)\ny{n} = x{n} + {n}" for n in range(12)]
    (tmp_path / "wide.py").write_text("\n".join(["import torch", *lines]))
    window.filing.open_path(tmp_path / "wide.py")
    assert window.document.is_running
    settle(window)
    assert not window.document.is_modified
    rects = [window.canvas.node_rect(f"{letter}{n}") for n in range(12) for letter in "xy"]
    assert not any(one.intersects(other) for i, one in enumerate(rects) for other in rects[:i])


def test_what_is_dragged_while_code_runs_stays_where_it_was_put(window, tmp_path, monkeypatch):
    monkeypatch.setattr("chalkgrad_app.running_sheet.SLICE_MS", 0)
    code = "\n".join(f"x{n} = torch.zeros(4, 3)" for n in range(12))
    (tmp_path / "wide.py").write_text(f"import torch\n{code}\n")
    window.filing.open_path(tmp_path / "wide.py")
    first = window.document.program.order[0]
    window.document.do(lambda sheet: edits.place(sheet.board, {first: (-400.0, -400.0)}), "Move x0")
    settle(window)
    assert window.document.board.place(first) == Place(-400.0, -400.0)


def test_code_outside_the_subset_is_refused_with_its_place(course_window, tmp_path):
    (tmp_path / "loop.py").write_text("import torch\nx = torch.tensor([1.])\nwhile True:\n    x = x * 2\n")
    before = course_window.document.sheet
    with answering(with_path(tmp_path / "loop.py"), with_button(Buttons.Ok)) as asked:
        choose(course_window, "file", "open")
    assert "loop.py:3:1: " in asked.words
    assert course_window.document.sheet == before
    assert len(open_windows()) == 1


@pytest.mark.parametrize("text", ["", "[]", '{"format": "chalkgrad", "version": 1, "statements": 3}', "\x00\x01"])
def test_a_bad_document_is_refused_and_everything_stays(course_window, tmp_path, text):
    (tmp_path / "bad.chalk").write_text(text)
    before = course_window.document.sheet
    with answering(with_button(Buttons.Ok)) as asked:
        course_window.filing.open_path(tmp_path / "bad.chalk")
    assert "bad.chalk: " in asked.words
    assert course_window.document.sheet == before
    assert settings.recent_files() == []


def test_a_file_dropped_on_the_window_opens(window, others, tmp_path):
    files.write_file(tmp_path / "course.chalk", course_sheet())
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "course.chalk"))])
    for target in (window.docks.program, window.canvas):
        at = target.rect().center()
        enter = QDragEnterEvent(at, Qt.DropAction.CopyAction, data, LEFT, PLAIN)
        receiver = target
        while not enter.isAccepted() and receiver is not None:
            QApplication.sendEvent(receiver, enter)
            if not enter.isAccepted():
                receiver = receiver.parentWidget()
        drop = QDropEvent(QPointF(at), Qt.DropAction.CopyAction, data, LEFT, PLAIN)
        QApplication.sendEvent(receiver, drop)
        assert drop.isAccepted()
    assert window.document.sheet == course_sheet()
    assert others() == [], "opened twice it is one window"


def test_saved_and_opened_again_it_is_the_same(course_window, others, tmp_path):
    key(course_window, Qt.Key.Key_B, CTRL)
    settle(course_window)
    with answering(with_path(tmp_path / "mine")):
        key(course_window, Qt.Key.Key_S, CTRL)
    assert course_window.document.name == "mine"
    assert not course_window.isWindowModified()
    with answering(with_path(tmp_path / "mine.chalk")):
        choose(course_window, "file", "open")
    assert others() == []
    copy = tmp_path / "copy.chalk"
    copy.write_bytes((tmp_path / "mine.chalk").read_bytes())
    course_window.filing.open_path(copy)
    (other,) = others()
    settle(other)
    assert other.document.sheet == course_window.document.sheet
    assert tensor(other, "w").grad.short == "[5.]"


def test_save_writes_where_it_was_opened(window, tmp_path):
    path = tmp_path / "course.chalk"
    files.write_file(path, course_sheet())
    window.filing.open_path(path)
    key(window, Qt.Key.Key_B, CTRL)
    assert window.isWindowModified()
    choose(window, "file", "save")
    assert files.read_file(path) == window.document.sheet
    assert not window.isWindowModified()


def test_where_it_cant_be_saved_is_said(course_window, tmp_path):
    course_window.document.delete([5])
    target = tmp_path / "folder.chalk"
    target.mkdir()
    with answering(with_button(Buttons.Ok)) as asked:
        assert not course_window.filing._write(target)
    assert "Can't write folder.chalk" in asked.words
    assert course_window.document.is_modified


class TestUnsaved:
    def test_nothing_is_asked_when_nothing_is_lost(self, course_window):
        assert course_window.filing.may_close()

    def test_cancel_keeps_the_window(self, course_window):
        course_window.document.delete([5])
        with answering(with_button(Buttons.Cancel)) as asked:
            choose(course_window, "file", "close")
        assert "not saved" in asked.words
        assert course_window.isVisible()

    def test_save_asks_where_and_cancelling_that_keeps_the_window(self, course_window):
        course_window.document.delete([5])
        with answering(with_button(Buttons.Save), lambda dialog: QTest.keyClick(dialog, Qt.Key.Key_Escape)):
            choose(course_window, "file", "close")
        assert course_window.isVisible()

    def test_save_saves_and_closes(self, others, window, tmp_path):
        path = tmp_path / "course.chalk"
        files.write_file(path, course_sheet())
        window.filing.duplicate_document()
        (other,) = others()
        other.filing.load(path)
        other.document.delete([5])
        with answering(with_button(Buttons.Save)):
            other.close()
        assert len(files.read_file(path).program) == 4
        assert others() == []

    def test_discard_closes(self, others, course_window):
        choose(course_window, "file", "duplicateDocument")
        (other,) = others()
        other.document.delete([5])
        with answering(with_button(Buttons.Discard)):
            other.close()
        assert others() == []


def test_duplicate_is_a_window_of_its_own(course_window, others):
    choose(course_window, "file", "duplicateDocument")
    (other,) = others()
    other.document.delete([other.document.program.order[-1]])
    settle(other)
    assert len(course_window.document.program) == len(other.document.program) + 1
    assert not course_window.document.undo_stack.canUndo()
    assert other.windowTitle().startswith("The course example (copy)")


def test_every_example_opens_from_the_menu(window, others):
    from chalkgrad import lessons

    for example in lessons.examples():
        choose(window, "file", "examples", f"example.{example.id}")
    assert {window.document.name, *(other.document.name for other in others())} == {
        example.title["en"] for example in lessons.examples()
    }


def test_a_recent_file_opens_and_one_that_is_gone_is_forgotten(window, others, tmp_path):
    path = tmp_path / "course.chalk"
    files.write_file(path, course_sheet())
    window.filing.open_path(path)
    choose(window, "file", "new")
    (other,) = others()
    menu = other.bars._filled["recent"]
    menu.aboutToShow.emit()
    assert [action.data() for action in menu.actions()] == [str(path)]
    path.unlink()
    window.document.set_path(None)
    with answering(with_button(Buttons.Ok)):
        menu.actions()[0].trigger()
    assert settings.recent_files() == []


def test_a_recent_file_is_called_as_it_is_and_found_so(window, tmp_path):
    path = tmp_path / "R&D.chalk"
    files.write_file(path, course_sheet())
    window.filing.open_path(path)
    menu = window.bars._filled["recent"]
    menu.aboutToShow.emit()
    assert menu.actions()[0].text().endswith("R&&D.chalk"), "so Qt shows one &, and underlines nothing"
    found = [command for command in commands(window.actions_by_id, window.bars.choices()) if command.rank("r&d.chalk")]
    assert [command.title for command in found] == [f"Recent files: {path}"]


class TestChangedOnDisk:
    @pytest.fixture
    def opened(self, window, tmp_path):
        path = tmp_path / "course.chalk"
        files.write_file(path, course_sheet())
        window.filing.open_path(path)
        return window, path

    def change(self, window, path, answer):
        path.write_text((path.read_text()).replace('"w"', '"weight"'))
        with answering(with_button(answer)) as asked:
            for _ in range(60):
                QTest.qWait(25)
                if asked.seen is not None:
                    break
        assert "course.chalk was changed by another program" in asked.words

    def test_read_again(self, opened):
        window, path = opened
        self.change(window, path, Buttons.Yes)
        assert window.document.program.named("weight") is not None
        assert not window.document.is_modified
        window.undo()
        assert window.document.sheet == course_sheet()

    def test_kept_it_is_unsaved(self, opened):
        window, path = opened
        self.change(window, path, Buttons.No)
        assert window.document.sheet == course_sheet()
        assert window.document.is_modified


class TestExport:
    @pytest.mark.parametrize(("kind", "magic"), [("PNG", b"\x89PNG"), ("SVG", b"<?xml"), ("PDF", b"%PDF")])
    def test_a_picture(self, course_window, qtbot, tmp_path, kind, magic):
        def fill(dialog):
            dialog.format.setCurrentText(kind)
            QTest.keyClick(dialog, Qt.Key.Key_Return)

        with answering(fill, with_path(tmp_path / "graph")):
            choose(course_window, "file", "exportImage")
        path = tmp_path / f"graph.{kind.lower()}"
        qtbot.waitUntil(path.exists)
        assert path.read_bytes().startswith(magic)
        assert str(path) in course_window.status_words.text()

    def test_code_that_fails_where_the_window_does(self, course_window, tmp_path):
        for _ in range(2):
            key(course_window, Qt.Key.Key_B, CTRL)
            settle(course_window)
        with answering(with_path(tmp_path / "graph.py")):
            choose(course_window, "file", "exportCode")
        assert "except RuntimeError as e:" in (tmp_path / "graph.py").read_text()

    def test_a_picture_on_the_clipboard(self, course_window):
        choose(course_window, "file", "copyImage")
        picture = QApplication.clipboard().image()
        assert isinstance(picture, QImage)
        assert picture.width() > 400
