"""The switch of drawings in the window: buttons, keys, menu, palette, captions, files, both languages, large text."""

from __future__ import annotations

from itertools import permutations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QToolButton
from support.desk import calm, key

from chalkgrad.program import edits
from chalkgrad.program.board import AUTOGRAD, CARDS, DATA, DRAWINGS
from chalkgrad_app import i18n
from chalkgrad_app.canvas.draw_as import ACTIONS, caption
from chalkgrad_app.main import create_window
from chalkgrad_app.style import theme

CODE = "import torch\nw = torch.tensor([1.], requires_grad=True)\nx = torch.tensor([2.])\ny = (w + x) * (w + 1)\n"
CTRL, PLAIN = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier
Keys = Qt.Key


@pytest.fixture
def window(qapp, tmp_path, still):
    path = tmp_path / "net.py"
    path.write_text(CODE)
    made = create_window(path)
    made.document.finish()
    yield made
    made.document.mark_saved()
    made.close()


def button(window, drawing) -> QToolButton:
    return window.findChild(QToolButton, f"drawAs.{drawing}")


def checked(window) -> list[str]:
    """The drawings that are marked as shown: by the buttons, and by the actions."""
    by_buttons = [name for name in DRAWINGS if button(window, name).isChecked()]
    window.refresh()
    by_actions = [name for name in DRAWINGS if window.actions_by_id[ACTIONS[name]].isChecked()]
    assert by_buttons == by_actions
    return by_buttons


def test_a_new_window_shows_cards(window):
    assert window.document.drawing == CARDS
    assert checked(window) == [CARDS]


@pytest.mark.parametrize("drawing", [DATA, AUTOGRAD])
def test_by_a_click_and_back(window, drawing):
    QTest.mouseClick(button(window, drawing), Qt.MouseButton.LeftButton)
    assert window.document.drawing == drawing
    assert window.canvas.picture.drawing.name == drawing
    assert checked(window) == [drawing]
    QTest.mouseClick(button(window, drawing), Qt.MouseButton.LeftButton)
    assert checked(window) == [drawing], "a second click leaves it on"
    QTest.mouseClick(button(window, CARDS), Qt.MouseButton.LeftButton)
    assert checked(window) == [CARDS]


def test_by_keys_from_the_canvas_and_from_elsewhere(window):
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Qt.Key.Key_2, CTRL)
    assert checked(window) == [DATA]
    window.docks.palette.search.setFocus()
    QTest.keyClick(window.docks.palette.search, Qt.Key.Key_3, CTRL)
    assert checked(window) == [AUTOGRAD]
    QTest.keyClick(window.docks.palette.search, Qt.Key.Key_1, CTRL)
    assert checked(window) == [CARDS]


def test_by_the_buttons_with_keys_alone(window):
    button(window, CARDS).setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(button(window, CARDS), Qt.Key.Key_Right)
    assert window.focusWidget() is button(window, DATA)
    assert checked(window) == [DATA]
    QTest.keyClick(button(window, DATA), Qt.Key.Key_Right)
    assert checked(window) == [AUTOGRAD]


def test_by_the_menu_where_one_is_marked(window):
    menu = window.findChild(QMenu, "menu.drawAs")
    entries = menu.actions()
    assert [entry.objectName() for entry in entries] == [f"action.{ACTIONS[name]}" for name in DRAWINGS]
    entries[1].trigger()
    assert checked(window) == [DATA]
    assert [entry.isChecked() for entry in entries] == [False, True, False]


def test_the_caption_says_what_is_a_node_and_an_edge(window, qtbot):
    for drawing in DRAWINGS:
        window.document.draw_as(drawing)
        qtbot.waitUntil(lambda drawing=drawing: window.area.caption.text() == caption(drawing), timeout=2000)
    said = [caption(drawing) for drawing in DRAWINGS]
    assert len(set(said)) == 3
    i18n.set_language("zh_CN")
    try:
        QTest.qWait(1)
        chinese = [caption(drawing) for drawing in DRAWINGS]
        assert not set(chinese) & set(said)
        assert button(window, DATA).text() == "数据与边"
        assert button(window, DATA).accessibleDescription() == chinese[1]
    finally:
        i18n.set_language("en")


def test_a_document_opens_as_it_was(window, tmp_path, qtbot):
    window.document.draw_as(DATA)
    window.document.select([window.document.program.named("y").statement])
    QTest.keyClick(window.canvas, Qt.Key.Key_Down, CTRL)
    path = tmp_path / "net.chalk"
    window.document.set_path(path)
    assert window.filing.save()
    other = create_window(path)
    try:
        assert other.document.drawing == DATA
        qtbot.waitUntil(lambda: button(other, DATA).isChecked(), timeout=2000)
        assert checked(other) == [DATA]
        assert not other.document.is_modified
        assert other.document.board.places == window.document.board.places
        assert other.canvas.scene_rect().intersects(other.canvas.picture.bounds())
    finally:
        other.close()


def test_a_new_document_in_the_window_takes_the_switch_along(window, tmp_path, qtbot):
    window.document.draw_as(DATA)
    path = tmp_path / "other.py"
    path.write_text(CODE)
    window.filing.load(path)
    assert window.document.drawing == CARDS
    qtbot.waitUntil(lambda: button(window, CARDS).isChecked(), timeout=2000)
    assert checked(window) == [CARDS]
    assert window.canvas.picture.drawing.name == CARDS


def test_what_was_pasted_comes_back_where_it_was_pasted(window):
    document, canvas = window.document, window.canvas
    document.do(lambda sheet: edits.place(sheet.board, dict.fromkeys(canvas.picture.ids, (0.0, 0.0))), "on one heap")
    canvas.setFocus()
    for code, keys in ((Keys.Key_A, CTRL), (Keys.Key_G, CTRL), (Keys.Key_Return, PLAIN), (Keys.Key_A, CTRL)):
        key(window, code, keys)
    for code in (Keys.Key_X, Keys.Key_V):
        key(window, code, CTRL)
    document.finish()
    (pasted,) = document.board.frames.values()
    key(window, Keys.Key_2, CTRL)
    (moved,) = document.board.frames.values()
    assert moved != pasted, "the frame goes where its cards lie in this drawing"
    document.undo_stack.undo()
    document.undo_stack.redo()
    assert (document.drawing, *document.board.frames.values()) == (CARDS, pasted)
    document.draw_as(DATA)
    assert list(document.board.frames.values()) == [moved]


@pytest.mark.parametrize("drawing", [DATA, AUTOGRAD])
def test_copies_lie_beside_their_originals(window, drawing):
    document = window.document
    window.document.draw_as(drawing)
    document.select([document.program.named("y").statement])
    window.refresh()
    window.actions_by_id["copy"].trigger()
    window.actions_by_id["paste"].trigger()
    picture = window.canvas.picture
    mine, made = picture.rect(document.program.named("y").statement), max(document.selection)
    assert not picture.rect(made).intersects(mine)
    assert (picture.rect(made).topLeft() - mine.topLeft()).manhattanLength() < 2000
    document.draw_as(CARDS)
    assert document.board.place(made) is not None


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("percent", [100, 200, 300])
def test_the_strip_fits_at_every_text_size(window, qapp, language, percent, qtbot):
    theme.apply(qapp, theme.load("light"), percent)
    i18n.set_language(language)
    try:
        window.resize(1280, 800)
        for drawing in DRAWINGS:
            shown = button(window, drawing)
            qtbot.waitUntil(lambda: shown.width() >= shown.sizeHint().width())  # noqa: B023  called at once
            assert window.area.rect().contains(shown.geometry().translated(shown.parentWidget().pos()))
    finally:
        i18n.set_language("en")
        theme.apply(qapp, theme.load("light"), 100)


ATTENTION = """import torch
x = torch.randn(5, 8)
Wq = torch.randn(8, 8, requires_grad=True)
Wk = torch.randn(8, 8, requires_grad=True)
Wv = torch.randn(8, 8, requires_grad=True)
p = torch.softmax((x @ Wq) @ (x @ Wk).T, dim=-1)
o = p @ (x @ Wv)
o.sum().backward()
"""


@pytest.mark.parametrize("drawing", [CARDS, DATA])
def test_between_columns_of_every_drawing_wires_have_room_on_both_sides(qapp, tmp_path, still, drawing):
    path = tmp_path / "attention.py"
    path.write_text(ATTENTION)
    window = create_window(path)
    window.document.finish()
    window.show()
    calm(window)
    QTest.mouseClick(button(window, drawing), Qt.MouseButton.LeftButton)
    calm(window)
    picture = window.canvas.picture
    assert picture.drawing.name == drawing
    rects = [picture.rect(id_) for id_ in picture.ids]
    for one, other in permutations(rects, 2):
        side_by_side = one.top() < other.bottom() and other.top() < one.bottom() and one.right() <= other.left()
        assert not side_by_side or other.left() - one.right() >= 24
    window.document.mark_saved()
    window.close()
