"""Undo: whatever a person does is one step with a name, and taking it back gives the same sheet again."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from support.desk import CTRL, choose, key, settle
from support.sheets import course_sheet

from chalkgrad.program import edits
from chalkgrad.program.board import Frame, Note
from chalkgrad.program.cards import has_card
from chalkgrad_app import steps
from chalkgrad_app.actions import ACTIONS
from chalkgrad_app.main import create_window
from chalkgrad_app.main_window import LONGEST_UNDO
from chalkgrad_app.naming import cut_short

ASKS = {
    "new",
    "open",
    "save",
    "saveAs",
    "duplicateDocument",
    "exportImage",
    "exportCode",
    "close",
    "quit",
    "keys",
    "about",
    "lecture",
    "undo",
    "redo",
}
"""Actions that open a dialog or another window, or are undo itself."""

CHOSEN = {
    "nothing": (),
    "a leaf": ("w",),
    "the last": ("y",),
    "a block's": ("b",),
    "a note": (901,),
    "a frame": (902,),
    "all": ("w", "x", "a", "b", "y", 901, 902),
}
"""What is selected when an action is done."""


def fill(window) -> None:
    """The course example with a backward, a no_grad block, a note and a frame; nothing to undo."""
    document = window.document
    document.begin(course_sheet())
    steps.run(document, steps.backward)
    program = document.program
    document.do(edits.wrap(program, [program.named("b").statement], "no_grad"), "wrap")
    board = edits.put_note(document.board, Note(901, (("en", "a note"),), 40, 420, 200, 80))
    document.do(board, "note")
    document.do(edits.put_frame(document.board, Frame(902, "forward", 20, 20, 300, 300)), "frame")
    document.undo_stack.clear()
    document.finish()
    settle()


@pytest.fixture
def filled(window):
    fill(window)
    return window


def kept(document) -> tuple:
    """All that undo has to give back."""
    program, board = document.program, document.board
    tables = (program.statements, program.blocks, board.places, board.notes, board.frames, board.folds, board.labels)
    return program.order, program.stops, *(dict(table) for table in tables)


def close_popups(window) -> None:
    """Finish what an action left open: quick-add, an editor, a list, a wire drawn by keys."""
    for _ in range(4):
        popup = QApplication.activePopupWidget()
        if popup is not None:
            popup.close()
    focus = window.focusWidget()
    if focus is not None and focus is not window.canvas and window.canvas.isAncestorOf(focus):
        QTest.keyClick(focus, Qt.Key.Key_Return)
        focus = window.focusWidget()
        if focus is not None and focus is not window.canvas and window.canvas.isAncestorOf(focus):
            QTest.keyClick(focus, Qt.Key.Key_Escape)
    window.canvas.dispatcher.cancel()
    window.canvas.tidying.stop()
    window.document.finish()
    settle()


def ids(document, names) -> list[int]:
    return [name if isinstance(name, int) else document.program.named(name).statement for name in names]


def test_every_action_is_one_named_step_or_none(filled):
    for action in ACTIONS:
        if action.id not in ASKS and action.group != "drawAs":  # what is shown is no edit
            fill(filled)
            knows_no_selection = action.target == "presenting"  # and gives every widget another look
            for names in ((),) if knows_no_selection else CHOSEN.values():
                check_action(filled, action.id, names)


def check_action(window, id_: str, names: tuple) -> None:
    """Do it with ``names`` selected; it is one step or none, and undo and redo are exact."""
    document, stack, action = window.document, window.document.undo_stack, window.actions_by_id[id_]
    document.select(ids(document, names))
    window.refresh()
    if not action.isEnabled():
        return
    before, steps_before = kept(document), stack.index()
    action.trigger()
    close_popups(window)
    after = kept(document)
    assert stack.index() - steps_before == (1 if before != after else 0), (id_, names)
    if before == after:
        return
    assert stack.undoText().strip(), (id_, names)
    window.refresh()
    assert f"Undo {cut_short(stack.undoText(), LONGEST_UNDO)}" == window.actions_by_id["undo"].text()
    stack.undo()
    document.finish()
    assert kept(document) == before, (id_, names)
    stack.redo()
    document.finish()
    assert kept(document) == after, (id_, names)
    stack.undo()
    stack.clear()
    document.finish()


def test_a_step_is_named_as_its_line_is_written_and_a_long_one_cut(filled):
    undo = filled.actions_by_id["undo"]
    filled.document.do(edits.rename(filled.document.program, 5, 0, "z"), "z = (a & b) + " + "1 + " * 30 + "1")
    settle(filled)
    assert undo.text().startswith("Undo z = (a && b) + 1 + "), "so Qt shows one &, and underlines nothing"
    assert undo.text().endswith("…")
    assert len(undo.text()) < 70


def test_the_menu_names_the_step_in_both_languages(filled):
    window, document = filled, filled.document
    document.select(ids(document, ("w", "x", "a")))
    window.canvas.setFocus()
    key(window, Qt.Key.Key_Right, CTRL)
    settle(window)
    assert window.actions_by_id["undo"].text() == "Undo Move 3 cards"
    choose(window, "edit", "undo")
    assert window.actions_by_id["redo"].text() == "Redo Move 3 cards"
    window.presenting.set_language("zh_CN")
    try:
        window.canvas.setFocus()
        key(window, Qt.Key.Key_Right, CTRL)
        settle(window)
        assert window.actions_by_id["undo"].text() == "撤销 移动 3 张卡片"
    finally:
        window.presenting.set_language("en")


def test_what_comes_back_is_selected_and_seen(filled):
    window, document, canvas = filled, filled.document, filled.canvas
    document.select(ids(document, ("a",)))
    canvas.setFocus()
    key(window, Qt.Key.Key_Delete)
    assert document.program.named("a") is None
    canvas.pan_by(-5000, -5000)
    key(window, Qt.Key.Key_Z, CTRL)
    canvas.glide.finish()
    settle(window)
    back = document.program.named("a").statement
    assert document.selection == {back}
    assert canvas.rect().contains(canvas.node_rect("a"))


def test_selecting_and_looking_about_are_no_steps(filled):
    window, document, canvas = filled, filled.document, filled.canvas
    canvas.setFocus()
    for code, keys in (
        (Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier),
        (Qt.Key.Key_A, CTRL),
        (Qt.Key.Key_Plus, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Home, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_I, Qt.KeyboardModifier.NoModifier),
    ):
        key(window, code, keys)
    canvas.glide.finish()
    assert document.undo_stack.count() == 0
    document.select(ids(document, ("w",)))
    key(window, Qt.Key.Key_Right, CTRL)
    zoom = canvas.zoom_percent
    canvas.zoom_at(canvas.rect().center().toPointF(), 1.1)
    document.select(ids(document, ("x",)))
    key(window, Qt.Key.Key_Z, CTRL)
    assert canvas.zoom_percent == pytest.approx(zoom * 1.1)
    assert document.selection == set(ids(document, ("x",)))


def test_nudges_in_quick_succession_are_one_step(filled):
    window, document = filled, filled.document
    document.select(ids(document, ("w",)))
    window.canvas.setFocus()
    before = kept(document)
    for code in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down):
        key(window, code, CTRL)
    assert document.undo_stack.count() == 1
    assert document.undo_stack.undoText() == "Move w"
    document.select(ids(document, ("x",)))
    key(window, Qt.Key.Key_Right, CTRL)
    assert document.undo_stack.count() == 2
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert kept(document) == before


def test_the_history_goes_back_several_steps_at_once(filled):
    window, document = filled, filled.document
    before = kept(document)
    for name in ("w", "x", "a"):
        document.select(ids(document, (name,)))
        window.canvas.setFocus()
        key(window, Qt.Key.Key_Right, CTRL)
    window.docks.show_panel("history")
    settle(window)
    history = window.docks.history
    model = history.model()
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == [
        "As it was opened",
        "Move w",
        "Move x",
        "Move a",
    ]
    QTest.mouseClick(history.viewport(), Qt.MouseButton.LeftButton, pos=history.visualRect(model.index(0, 0)).center())
    settle(window)
    assert kept(document) == before


def test_undo_outlives_a_second_window(qapp, window):
    """Each document has an undo stack of its own."""
    other = create_window()
    fill(other)
    fill(window)
    other.document.delete(ids(other.document, ("a",)))
    assert window.document.undo_stack.count() == 0
    assert other.document.undo_stack.count() == 1
    assert has_card(window.document.program, window.document.program[ids(window.document, ("a",))[0]])
    other.document.undo_stack.clear()
    from conftest import discard

    discard(other)
