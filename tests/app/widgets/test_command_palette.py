"""The command palette: every action by any of its names, with its keys, or why it can't be done now."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from support.desk import CTRL, SHIFT, key, settle

from chalkgrad_app import settings
from chalkgrad_app.actions import ACTIONS
from chalkgrad_app.widgets.command_palette import INDEX, CommandPalette

Key = Qt.Key


def opened(window) -> CommandPalette:
    key(window, Key.Key_P, CTRL | SHIFT)
    palette = QApplication.activePopupWidget()
    assert isinstance(palette, CommandPalette)
    return palette


def titles(palette) -> list[str]:
    return [palette.list.topLevelItem(row).text(0) for row in range(palette.list.topLevelItemCount())]


def test_every_action_is_listed_with_its_keys(course_shown):
    palette = opened(course_shown)
    items = [palette.list.topLevelItem(row) for row in range(palette.list.topLevelItemCount())]
    rows = {item.text(0): item.text(1) for item in items}
    assert {action.title() for action in ACTIONS} <= set(rows)
    assert rows["Backward"] == "Ctrl+B"
    assert rows["Find..."] == "Ctrl+F"
    palette.close()


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("backward", "Backward"),
        ("fit", "Fit all"),
        ("rnfwd", "Run forward again"),
        ("再算", "Run forward again"),
        ("缩略", "Minimap"),
        ("runforward", "Run forward again"),
        ("predict first", "Predict first: gradients"),
        ("Ctrl+F", "Find..."),
        ("ctrl + shift + p", "Every command..."),
        ("f11", "Lecture"),
    ],
)
def test_any_name_in_any_language_finds_it(course_shown, typed, first):
    palette = opened(course_shown)
    palette.field.setText(typed)
    assert titles(palette)[0] == first
    palette.close()


def test_enter_does_it_and_next_time_it_comes_first(course_shown):
    palette = opened(course_shown)
    QTest.keyClicks(palette.field, "run forward")
    QTest.keyClick(palette.field, Key.Key_Return)
    settle(course_shown)
    assert course_shown.document.program[course_shown.document.program.order[-1]].call == "again"
    assert settings.recent_commands() == ["runForward"]
    palette = opened(course_shown)
    assert titles(palette)[0] == "Run forward again"
    QTest.keyClick(palette.field, Key.Key_Down)
    QTest.keyClick(palette.field, Key.Key_Up)
    QTest.keyClick(palette.field, Key.Key_Return)
    settle(course_shown)
    assert len(course_shown.document.program) == 7


def test_what_cannot_be_done_says_why_and_does_nothing(course_shown):
    course_shown.document.clear_selection()
    settle(course_shown)
    palette = opened(course_shown)
    QTest.keyClicks(palette.field, "copy value")
    assert titles(palette)[0] == "Copy value as text"
    assert palette.why.text() == "Select a card or a node first"
    QTest.keyClick(palette.field, Key.Key_Return)
    assert palette.isVisible()
    palette.field.setText("no such command")
    assert titles(palette) == []
    assert palette.why.text() == "No command is called that"
    QTest.keyClick(palette.field, Key.Key_Return)
    assert palette.isVisible()
    QTest.keyClick(palette.field, Key.Key_Escape)
    assert not palette.isVisible()


def test_a_click_does_it(course_shown):
    palette = opened(course_shown)
    QTest.keyClicks(palette.field, "select all")
    item = palette.list.topLevelItem(0)
    QTest.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=palette.list.visualItemRect(item).center())
    settle(course_shown)
    assert len(course_shown.document.selection) == 5


def test_it_speaks_the_language_in_use(course_shown):
    course_shown.presenting.set_language("zh_CN")
    try:
        palette = opened(course_shown)
        QTest.keyClicks(palette.field, "minimap")
        assert titles(palette)[0] == "缩略图"
        palette.close()
    finally:
        course_shown.presenting.set_language("en")


def test_what_menus_offer_to_choose_is_listed_too(course_shown):
    palette = opened(course_shown)
    listed = titles(palette)
    assert {"Theme: Blackboard", "Language: 简体中文", "Text size: 150%", "Panels: Tensors"} <= set(listed)
    assert any(title.startswith("Examples: ") for title in listed)
    QTest.keyClicks(palette.field, "theme black")
    QTest.keyClick(palette.field, Key.Key_Return)
    settle(course_shown)
    assert settings.THEME.get() == "blackboard"


@pytest.mark.usefixtures("looks")
@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_no_entry_is_half_empty(course_shown, language):
    course_shown.presenting.set_language(language)
    for selected in ([], [1], course_shown.document.program.order):
        course_shown.document.select(selected)
        settle(course_shown)
        palette = opened(course_shown)
        parts = [part for title in titles(palette) for part in title.replace("：", ": ").split(": ")]
        palette.close()
        settle()
        assert parts
        assert all(part.strip() for part in parts)


@pytest.mark.usefixtures("looks")
@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize(
    ("typed", "first"),
    [
        *((word, "action.language.zh_CN") for word in ("chinese", "中文", "汉语", "zhongwen")),
        *((word, "action.language.en") for word in ("English", "英文", "yingwen")),
        *(
            (word, "action.theme.dark")
            for word in ("dark", "深色", "暗", "theme: dark", "主题：深色", "shense", "anse")
        ),
        ("high contrast", "action.theme.contrast"),
        ("字号", "action.textSize.100"),
        ("tensors", "action.panel.tensors"),
        ("例子", "action.example."),
    ],
)
def test_choices_are_found_by_their_names_in_any_language(course_shown, language, typed, first):
    course_shown.presenting.set_language(language)
    settle(course_shown)
    palette = opened(course_shown)
    palette.field.setText(typed)
    found = palette.list.topLevelItem(0).data(0, INDEX)
    assert palette._commands[found].id.startswith(first)
    palette.field.setText("language" if language == "zh_CN" else "语言")
    assert {title.replace("：", ": ").split(": ")[1] for title in titles(palette)} == {"简体中文", "English"}
    palette.close()


def test_it_is_as_high_as_what_it_found(course_shown):
    palette = opened(course_shown)
    settle()
    full, row = palette.height(), palette.list.sizeHintForRow(0)
    assert palette.list.viewport().height() % row == 0
    QTest.keyClicks(palette.field, "minimap")
    settle()
    hits = len(titles(palette))
    assert hits < 4
    assert palette.list.viewport().height() == hits * row
    assert palette.height() < full
    QTest.keyClicks(palette.field, "xyzzy")
    settle()
    assert not palette.list.isVisible()
    assert palette.why.text() == "No command is called that"
    assert palette.rect().contains(palette.why.geometry().translated(palette.why.parentWidget().pos()))
    for _ in "minimapxyzzy":
        QTest.keyClick(palette.field, Key.Key_Backspace)
    settle()
    assert palette.height() == full
    palette.close()


def test_there_is_no_empty_row_below_a_short_list(course_shown):
    palette = opened(course_shown)

    def below() -> int:
        """Pixels between the last that is written and the lower edge."""
        last = palette.why if palette.why.text() else palette.list
        return palette.height() - last.mapTo(palette, last.rect().bottomLeft()).y()

    QTest.keyClicks(palette.field, "Ctrl+F")
    settle()
    assert titles(palette)[0] == "Find..."
    least, row = below(), palette.list.sizeHintForRow(0)
    assert palette.why.text() == ""
    assert least < row
    height = palette.height()
    QTest.keyClick(palette.field, Key.Key_Down)  # which can't be done now: why stands below
    settle()
    assert palette.why.text() == "Make a loop first: select lines and repeat them"
    assert palette.height() > height
    assert below() == least
    QTest.keyClick(palette.field, Key.Key_Up)
    settle()
    assert palette.height() == height
    palette.close()


def test_what_has_just_these_keys_comes_before_what_begins_with_them_and_what_was_used_last(course_shown):
    settings.remember_command("runAllRounds")
    palette = opened(course_shown)
    for typed, first in (("Ctrl+F", "Find..."), ("f1", "Keys"), ("F5", "Play or pause")):
        palette.field.setText(typed)
        assert titles(palette)[0] == first
    palette.close()
