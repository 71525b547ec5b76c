"""PyTorch text that is pasted keeps its blocks: what stands under no_grad stays there, a loop stays a loop."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from support.desk import key, press, settle
from support.panels import CTRL, lines, tensor

TEXT = """w = torch.tensor([1.], requires_grad=True)
with torch.no_grad():
    f = w * 2
    with torch.enable_grad():
        g = w * 3
y = w * 4
"""
LOOP = """x = torch.tensor([1.])
for step in range(3):
    x = x * 2 + step
"""


def paste(window, text):
    QApplication.clipboard().setText(text)
    window.canvas.setFocus()
    key(window, Qt.Key.Key_V, CTRL)
    settle(window)
    return window.document


def test_blocks_come_along_and_are_one_undo_step(window):
    document = paste(window, TEXT)
    required = {name: tensor(document, name).requires_grad for name in "wfgy"}
    assert required == {"w": True, "f": False, "g": True, "y": True}
    assert len(document.program.blocks) == 2
    document.undo_stack.undo()
    assert document.is_empty
    document.undo_stack.redo()
    assert len(document.program.blocks) == 2


def test_into_a_program_that_has_the_same_names(window):
    paste(window, TEXT)
    document = paste(window, TEXT)
    assert len(document.program.blocks) == 4
    assert len(lines(document)) == 8
    assert len({document.program[id_].block for id_ in document.program.order}) == 5


def test_a_tensor_from_the_palette_goes_into_the_block_that_is_looked_at(window):
    document = paste(window, TEXT.replace("    f = w * 2", "    f = w * 2\n    h = w * 5"))
    around = {name: document.program[document.program.named(name).statement].block for name in "wf"}
    for name, block in around.items():
        document.look_at_line(document.program.named(name).statement)
        press(window, "palette.tensor-grad")
        key(window, Qt.Key.Key_Escape)
        made = document.program[max(document.program.order)]
        assert made.name not in (None, "")
        assert made.block == block
    assert around["f"] is not None


def test_a_loop_stays_a_loop(window):
    document = paste(window, LOOP)
    assert tensor(document, "x").short == "[12.]"
    document.undo_stack.undo()
    assert document.is_empty


def test_a_loop_is_pasted_into_a_program(window):
    paste(window, "w = torch.tensor([1.])\n")
    document = paste(window, LOOP.replace("x = x * 2 + step", "z = x * 2 + step"))
    assert tensor(document, "z").short == "[4.]"
    assert len(document.program.bodies) == 1


def frames_and_strangers(window):
    """The frame of each block with the cards that don't stand in it."""
    picture, program = window.canvas.picture, window.document.program
    for frame in picture.frames:
        rects = [picture.rect_of(id_) for id_ in picture.ids if frame.id not in program.chain(program[id_].block)]
        yield frame.rect, rects


def test_no_stranger_lies_on_a_block(window):
    paste(window, "x = torch.tensor([1.], requires_grad=True)\ny = x * 2\n")
    window.document.undo_stack.undo()
    paste(window, TEXT)  # into the empty document
    paste(window, TEXT)  # beside what is there
    found = list(frames_and_strangers(window))
    assert len(found) == 4
    for frame, strangers in found:
        assert strangers
        assert not any(frame.intersects(rect) for rect in strangers)


def test_the_places_of_what_was_pasted_go_and_come_with_it(window):
    paste(window, "x = torch.tensor([1.], requires_grad=True)\ny = x * 2\n")
    before = dict(window.document.board.places)
    document = paste(window, TEXT)
    settle(window)
    pasted = dict(document.board.places)
    assert len(pasted) > len(before)
    document.undo_stack.undo()
    settle(window)
    assert dict(document.board.places) == before
    document.undo_stack.redo()
    settle(window)
    assert dict(document.board.places) == pasted


def test_on_a_canvas_that_was_emptied_nothing_gets_an_id_that_something_had(window):
    first = set(paste(window, TEXT).program.order)
    key(window, Qt.Key.Key_A, CTRL)
    key(window, Qt.Key.Key_Delete)
    assert window.document.is_empty
    for text in (LOOP, "1\t2\n3\t4"):
        document = paste(window, text)
        ids = {*document.program.order, *document.program.blocks}
        assert ids.isdisjoint(first)
        document.undo_stack.undo()
        first |= ids


def test_places_found_after_the_next_step_come_back_with_what_was_pasted(window, qtbot):
    document = paste(window, "a = torch.tensor([1.])\nb = a * 2\n")
    QApplication.clipboard().setText(TEXT)
    key(window, Qt.Key.Key_V, CTRL)
    assert window.canvas.tidying.is_working
    rough = dict(document.board.places)
    document.select([document.program.named("a").statement])
    key(window, Qt.Key.Key_R)
    assert [document.undo_stack.text(at) for at in (1, 2)] == ["Paste 4 cards", "a.retain_grad()"]
    qtbot.waitUntil(lambda: not window.canvas.tidying.is_working, timeout=20_000)
    settle(window)
    found = dict(document.board.places)
    assert all(found[place] != rough[place] for place in rough)
    for back in (1, 2, 3):
        for _ in range(back):
            key(window, Qt.Key.Key_Z, CTRL)
        for _ in range(back):
            key(window, Qt.Key.Key_Y, CTRL)
        settle(window)
        assert dict(document.board.places) == found
