"""The list of keys as somebody reads and searches it, and the box that says what Chalkgrad is."""

import re

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QMessageBox
from support.desk import answering, choose, key, settle

import chalkgrad
from chalkgrad_app.keys import listed_keys
from chalkgrad_app.menus import MENUS
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.key_list import KeyGroup, KeyList, shared


def with_keys(window, act):
    """What ``act`` came to, called with the list of keys that F1 opened."""
    found = []

    def answer(dialog):
        assert isinstance(dialog, KeyList)
        found.append(act(dialog))
        dialog.accept()

    with answering(answer):
        key(window, Qt.Key.Key_F1)
    return found[0]


def titles(dialog):
    return re.findall(r"<h3>(.*?)</h3>", dialog.words.text())


def test_keys_stand_in_groups_with_titles(window):
    shown = with_keys(window, titles)
    menus = [title for _, title, _ in MENUS]
    assert shown == [*menus, "Cards and the program", "With the mouse"]


def test_each_key_is_in_the_group_of_its_menu_and_nowhere_else(window):
    groups = {group.title: dict(group.keys) for group in listed_keys()}
    assert groups["Steps"]["F7"] == "Next accumulation"  # in a menu within it
    assert groups["Show"]["D"] == "Go to its gradient's nodes"
    assert groups["Show"]["Ctrl+Shift++"] == "Larger text"  # in no menu
    pairs = [pair for group in listed_keys() for pair in group.keys]
    assert len(pairs) == len(set(pairs)) > 100


def search(dialog, text):
    assert dialog.focusWidget() is dialog.findChild(QLineEdit, "keys.field")
    QTest.keyClicks(dialog.focusWidget(), text)
    settle()
    return dialog.words.text()


def test_a_word_leaves_the_keys_that_do_that(window):
    text = with_keys(window, lambda dialog: search(dialog, "ACCUM"))
    assert re.findall(r"<b>(.*?)</b>", text) == ["F7", "Shift+F7"]
    assert re.findall(r"<h3>(.*?)</h3>", text) == ["Steps"]


def test_a_key_is_found_by_its_name(window):
    text = with_keys(window, lambda dialog: search(dialog, "shift+m"))
    assert re.findall(r"<b>(.*?)</b>", text) == ["Shift+M"]


def test_the_title_of_a_group_finds_all_of_it(window):
    text = with_keys(window, lambda dialog: search(dialog, "mouse"))
    assert re.findall(r"<h3>(.*?)</h3>", text)[-1] == "With the mouse"
    assert "Space+drag" in text


@pytest.mark.parametrize("size", [100, 200])
def test_it_is_never_scrolled_sideways(window, looks, size):
    choose(window, "show", "textSize", f"textSize.{size}")
    settle(window)
    assert with_keys(window, lambda dialog: dialog.area.horizontalScrollBar().maximum()) == 0


def test_no_column_is_much_longer_than_it_has_to_be():
    groups = [KeyGroup(str(at), [("A", "B")] * rows) for at, rows in enumerate((4, 20, 9, 9, 20, 4))]
    assert [[group.title for group in column] for column in shared(groups, 3)] == [["0", "1"], ["2", "3"], ["4", "5"]]


def test_what_is_no_key_is_said(window):
    assert with_keys(window, lambda dialog: search(dialog, "xyzzy")) == "No key is called that, and none does that"


def test_two_keys_of_one_name_are_said_once(window, looks):
    window.presenting.set_language("zh_CN")
    written = [written for group in listed_keys() for written, _ in group.keys]
    assert not [keys for keys in written if len(set(keys.split(" / "))) < len(keys.split(" / "))]


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_about_says_version_licence_and_what_it_stands_on(window, looks, language):
    window.presenting.set_language(language)
    words, logo = [], []

    def read(dialog):
        assert isinstance(dialog, QMessageBox)
        words.append(dialog.text())
        logo.append(dialog.iconPixmap().toImage())
        dialog.accept()

    with answering(read):
        choose(window, "help", "about")
    for said in (chalkgrad.__version__, "MIT", "NumPy", "LGPL-3.0", "Qt, PySide6", "href='file:"):
        assert said in words[0], said
    assert logo[0].pixelColor(logo[0].width() // 2, logo[0].height() // 12) == QColor("#1F3B34")


@pytest.mark.parametrize("name", theme.NAMES)
def test_boxes_ask_with_signs_in_the_colours_of_the_theme(window, looks, name):
    window.presenting.set_theme(name)
    for icon, role in ((QMessageBox.Icon.Question, "text"), (QMessageBox.Icon.Warning, "frame_amber")):
        box = QMessageBox(icon, "", "?", parent=window)
        box.show()
        settle()
        shown = box.findChild(QLabel, "qt_msgboxex_icon_label").pixmap().toImage()
        inks = {
            shown.pixelColor(x, y).name()
            for x in range(shown.width())
            for y in range(shown.height())
            if shown.pixelColor(x, y).alpha() == 255
        }
        box.close()
        box.deleteLater()
        assert inks == {theme.current().color(role).name()}


def title_tops(dialog) -> list[float]:
    """How far down the title of each group stands."""
    document = QTextDocument()
    document.setDefaultFont(dialog.words.font())
    document.setHtml(dialog.words.text())
    blocks = [document.findBlockByNumber(at) for at in range(document.blockCount())]
    layout = document.documentLayout()
    return [layout.blockBoundingRect(block).top() for block in blocks if block.blockFormat().headingLevel() == 3]


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_all_columns_begin_at_the_top(window, looks, language, monkeypatch):
    monkeypatch.setattr(KeyList, "screen_size", lambda _self: QSize(1280, 800), raising=True)
    window.presenting.set_language(language)
    tops = with_keys(window, title_tops)
    assert len([top for top in tops if top == min(tops)]) == 3


def test_what_is_long_goes_on_in_another_line(window, monkeypatch):
    monkeypatch.setattr(KeyList, "screen_size", lambda _self: QSize(1280, 800), raising=True)
    words = with_keys(window, lambda dialog: search(dialog, "stroke"))
    assert "Cut&nbsp;wires&nbsp;with&nbsp;a&nbsp;stroke" in words
    assert "<br>" in words
