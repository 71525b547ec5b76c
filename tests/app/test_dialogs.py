"""Boxes that ask and tell, and where a file is written under a name as it was typed."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel, QMessageBox
from support.desk import answering, choose, with_button, with_path
from support.monkey_checks import bury

from chalkgrad.program import files

Buttons = QMessageBox.StandardButton


@pytest.mark.parametrize("typed", ["net.v2", "net.py"])
def test_a_name_with_a_dot_is_saved_as_a_document(course_window, tmp_path, typed):
    with answering(with_path(tmp_path / typed)):
        choose(course_window, "file", "saveAs")
    assert files.read_file(tmp_path / f"{typed}.chalk") == course_window.document.sheet
    assert not (tmp_path / typed).exists()
    course_window.document.delete([5])
    choose(course_window, "file", "save")
    assert len(files.read_file(tmp_path / f"{typed}.chalk").program) == 4, "it is known where, and not asked again"


def test_what_the_typed_name_becomes_is_not_replaced_unasked(course_window, tmp_path):
    path = tmp_path / "mine.chalk"
    path.write_text("somebody's work")
    with answering(with_path(tmp_path / "mine"), with_button(Buttons.No)) as asked:
        choose(course_window, "file", "saveAs")
    assert asked.words == "mine.chalk is there already. Replace it?"
    assert path.read_text() == "somebody's work"
    assert course_window.document.path is None
    with answering(with_path(tmp_path / "mine"), with_button(Buttons.Yes)):
        choose(course_window, "file", "saveAs")
    assert files.read_file(path) == course_window.document.sheet


def test_what_a_box_says_is_no_html(window, tmp_path):
    path = tmp_path / "<b>bold<i>.chalk"
    path.write_text("no document")

    def look(dialog):
        shown = [label.textFormat() for label in dialog.findChildren(QLabel) if path.name in label.text()]
        assert shown == [Qt.TextFormat.PlainText]
        with_button(Buttons.Ok)(dialog)

    with answering(look):
        window.filing.open_path(path)


@pytest.mark.parametrize(
    "where", [("file", "open"), ("file", "exportImage"), ("help", "about"), ("help", "keys")], ids=lambda path: path[1]
)
def test_of_a_box_that_was_closed_nothing_is_left(course_window, tmp_path, where):
    unreadable = tmp_path / "not.chalk"
    unreadable.write_text("no document")

    def boxes():
        bury()
        return {type(dialog).__name__ for dialog in course_window.findChildren(QDialog)}

    def close(dialog):
        assert boxes() > before, "somebody looks through all that the window has meanwhile, as a change of theme does"
        dialog.reject()

    before = boxes()
    with answering(*([with_path(unreadable)] if where[1] == "open" else []), close):
        choose(course_window, *where)
    assert boxes() == before


@pytest.mark.parametrize(("typed", "written"), [("figure 1.2", "figure 1.2.png"), ("graph.svg", "graph.svg")])
def test_a_picture_whose_name_has_a_dot(course_window, qtbot, tmp_path, typed, written):
    with answering(lambda dialog: QTest.keyClick(dialog, Qt.Key.Key_Return), with_path(tmp_path / typed)):
        choose(course_window, "file", "exportImage")
    qtbot.waitUntil((tmp_path / written).exists)
