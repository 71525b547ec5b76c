"""PyTorch text that is pasted keeps its blocks: what stands under no_grad stays there, a loop stays a loop."""

from __future__ import annotations

from itertools import combinations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox
from support.desk import SHIFT, calm, key, press, settle
from support.panels import CTRL, lines, tensor

from chalkgrad.source import emit
from chalkgrad_app.canvas import tidying
from chalkgrad_app.canvas.tidying import AT_ONCE

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


def test_text_is_laid_out_as_a_file_of_the_same_text_is(window, tmp_path):
    lines = [f"{name} = torch.tensor([1.], requires_grad=True)" for name in "abcdef"]
    lines += ["u = a * b", "v = c * d", "w = e * f", "x = (u + v) * w", "y = x.exp() + a"]
    text = "\n".join(["import torch", *lines])
    (tmp_path / "same.py").write_text(text, encoding="utf-8")
    paste(window, text)
    pasted = places(window)
    assert window.canvas.scene_rect().contains(window.canvas.picture.bounds())
    window.document.undo_stack.setClean()
    window.filing.load(tmp_path / "same.py")
    settle(window)
    assert pasted == places(window)


def test_a_wire_with_several_tags_is_copied_with_all_of_them(window):
    document = paste(window, "w = torch.tensor([[1., 2.]], requires_grad=True)\ny = torch.mul(w.detach().T, 2)\n")
    key(window, Qt.Key.Key_A, CTRL)
    key(window, Qt.Key.Key_C, CTRL)
    key(window, Qt.Key.Key_V, CTRL)
    settle(window)
    assert lines(document)[2:] == [
        "w1 = torch.tensor([[1., 2.]], requires_grad=True)",
        "y1 = torch.mul(w1.detach().T, 2)",
    ]


def places(window):
    """Where the cards lie, seen from the first."""
    picture, order = window.canvas.picture, window.document.program.order
    rects = [picture.rect(id_) for id_ in order if id_ in picture.index]
    return [(rect.x() - rects[0].x(), rect.y() - rects[0].y()) for rect in rects]


def test_text_that_uses_names_of_the_document_goes_on_from_there(window):
    paste(window, "x = torch.tensor([3.], requires_grad=True)\ny = x * 2\n")
    document = paste(window, "z = y.exp()\nu = (z * x).sum()\nu.backward()\n")
    assert [line for line in lines(document) if not line.startswith(("x =", "y ="))] == [
        "z = y.exp()",
        "a = z * x",
        "u = a.sum()",
        "u.backward()",
    ]
    picture, in_view = window.canvas.picture, window.canvas.scene_rect()
    assert all(in_view.contains(picture.rect(document.program.named(name).statement)) for name in "zu")
    document.undo_stack.undo()
    assert len(lines(document)) == 2, "it is one step"


def test_blocks_of_text_that_uses_names_of_the_document_come_along(window):
    paste(window, "x = torch.tensor([3.])\nw = torch.tensor([2.], requires_grad=True)\n(w * x).sum().backward()\n")
    before = lines(window.document)
    update = ["with torch.no_grad():", "    w -= 0.5 * w.grad", "for step in range(2):", "    x *= w"]
    document = paste(window, "\n".join(update))
    text = emit.program_text(document.program).splitlines()
    assert [line for line in text if line.startswith(("with", "for"))] == update[::2]
    assert [tensor(document, name).short for name in "wx"] == ["[0.5000]", "[0.7500]"]
    document.undo_stack.undo()
    assert lines(document) == before, "it is one step"


def test_text_that_uses_names_of_nobody_says_so(window):
    paste(window, "x = torch.tensor([3.])\n")
    document = paste(window, "z = nobody.exp()\n")
    assert len(lines(document)) == 1
    assert "nobody" in window.status_words.text()


UNKNOWN = """w = torch.tensor([1.], requires_grad=True)
print(w.numpy())
a = w.foobar()
b = a * 2
y = w * 3
y.backward()
"""


def box_of(window):
    found = window.findChildren(QMessageBox, "pasteRest")
    assert len(found) == 1
    return found[0]


def answer(box, role):
    QTest.mouseClick(
        next(button for button in box.buttons() if box.buttonRole(button) == role), Qt.MouseButton.LeftButton
    )


def test_text_with_an_unknown_call_names_its_line_and_the_rest_can_be_taken(window):
    document = paste(window, UNKNOWN)
    assert document.is_empty
    box = box_of(window)
    said = box.text().split("\n\n")
    assert said[0] == "Line 2: print(w.numpy())\nThe method .numpy() of a tensor is not known here."
    assert said[1] == "Line 3: a = w.foobar()\nThe method .foobar() of a tensor is not known here."
    assert said[2] == "Line 4: b = a * 2\ndepends on a line that is left out"
    answer(box, QMessageBox.ButtonRole.AcceptRole)
    settle(window)
    assert lines(document) == ["w = torch.tensor([1.], requires_grad=True)", "y = w * 3", "y.backward()"]
    assert tensor(document, "w").grad.short == "[3.]"
    document.undo_stack.undo()
    assert document.is_empty, "it is one step"


def test_whoever_does_not_want_the_rest_is_told_why(window):
    document = paste(window, UNKNOWN)
    answer(box_of(window), QMessageBox.ButtonRole.RejectRole)
    settle(window)
    assert document.is_empty
    wanted = "Can't paste line 2, print(w.numpy()): The method .numpy() of a tensor is not known here."
    assert window.status_words.text() == wanted


def test_the_rest_of_text_that_uses_names_of_the_document(window):
    paste(window, "w = torch.tensor([1.], requires_grad=True)\n")
    document = paste(window, "z = w * 2\nprint(z.numpy())\nz.backward()\n")
    assert box_of(window).text().startswith("Line 2: print(z.numpy())\n")
    answer(box_of(window), QMessageBox.ButtonRole.AcceptRole)
    settle(window)
    assert lines(document)[1:] == ["z = w * 2", "z.backward()"]


def test_a_text_of_which_nothing_is_left_is_refused_with_its_line(window):
    document = paste(window, "import torch\nw = torch.foobar(2)\nw.backward()\n")
    assert document.is_empty
    assert not window.findChildren(QMessageBox)
    assert window.status_words.text().startswith("Can't paste line 2, w = torch.foobar(2): ")


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
    QApplication.clipboard().setText(TEXT)
    window.canvas.setFocus()
    key(window, Qt.Key.Key_V, CTRL)
    document = window.document
    assert window.canvas.tidying.is_working
    rough = dict(document.board.places)
    document.select([document.program.named("f").statement])
    key(window, Qt.Key.Key_R)
    assert [document.undo_stack.text(at) for at in (0, 1)] == ["Paste 4 cards", "f.retain_grad()"]
    qtbot.waitUntil(lambda: not window.canvas.tidying.is_working, timeout=20_000)
    settle(window)
    found = dict(document.board.places)
    assert all(found[place] != rough[place] for place in rough)
    for back in (1, 2):
        for _ in range(back):
            key(window, Qt.Key.Key_Z, CTRL)
        for _ in range(back):
            key(window, Qt.Key.Key_Y, CTRL)
        settle(window)
        assert dict(document.board.places) == found


def test_very_many_beside_others_get_their_places_without_being_laid_out(window):
    paste(window, "a = torch.tensor([1.])\nb = a * 2\n")
    document = paste(window, "\n".join(f"c{at} = torch.ones({at + 1})" for at in range(AT_ONCE + 1)))
    rects = [window.canvas.picture.rect(id_) for id_ in document.program.order]
    assert len(rects) == AT_ONCE + 3
    places = [document.board.place(id_) for id_ in document.program.order]
    assert [(place.x, place.y) for place in places] == [rect.topLeft().toTuple() for rect in rects]
    assert not any(one.intersects(other) for one, other in combinations(rects, 2))


NET = """x = torch.tensor([[0., 0.], [0., 1.], [1., 0.], [1., 1.]])
t = torch.tensor([[0.], [1.], [1.], [0.]])
W1 = torch.tensor([[0.5, -0.4, 0.9], [0.8, 0.7, -0.6]], requires_grad=True)
b1 = torch.zeros(3, requires_grad=True)
W2 = torch.tensor([[0.3], [-0.8], [0.6]], requires_grad=True)
b2 = torch.zeros(1, requires_grad=True)
opt = torch.optim.Adam([W1, b1, W2, b2], lr=0.1)
for i in range(5):
    opt.zero_grad()
    h = torch.tanh(x @ W1 + b1)
    out = torch.sigmoid(h @ W2 + b2)
    loss = ((out - t) ** 2).mean()
    loss.backward()
    opt.step()
"""


def test_cards_that_grow_in_the_run_of_what_was_pasted_wait_until_it_is_laid_out(window, still):
    said = []
    window.document.told.connect(said.append)
    document = paste(window, NET)
    calm(window)
    assert said == []
    assert window.status_words.text() == ""
    assert document.undo_stack.count() == 1
    assert places(window) == tidied(window)


def tidied(window):
    """Where the cards lie after Tidy."""
    window.document.clear_selection()
    key(window, Qt.Key.Key_L)
    calm(window)
    return places(window)


def test_that_tidying_was_given_up_is_said_until_it_is_done(window, still, monkeypatch):
    document = paste(window, TEXT)
    calm(window)
    monkeypatch.setattr(tidying, "AT_ONCE", 0)
    document.select([document.program.named("f").statement])
    settle(window)
    key(window, Qt.Key.Key_L)
    assert window.canvas.tidying.is_working
    key(window, Qt.Key.Key_L, SHIFT)
    assert document.undo_stack.undoText() == "Keep in place"
    assert window.status_words.text() == "Tidying was given up: the document was edited meanwhile."
    key(window, Qt.Key.Key_L, SHIFT)
    assert window.status_words.text(), "it is said on"
    assert tidied(window)
    assert window.status_words.text() == ""


def test_a_second_tidy_meanwhile_says_nothing_of_an_edit(window, still, monkeypatch):
    paste(window, TEXT)
    calm(window)
    monkeypatch.setattr(tidying, "AT_ONCE", 0)
    window.document.clear_selection()
    key(window, Qt.Key.Key_L)
    assert window.canvas.tidying.is_working
    key(window, Qt.Key.Key_L)
    assert window.canvas.tidying.is_working
    assert window.status_words.text() == ""
    calm(window)


def test_pastes_on_the_canvas_go_on_below_the_former(window):
    window.canvas.setFocus()
    for text in ("x = torch.tensor([[1., 2.], [3., 4.]])", "u = torch.randn(3)\nv = u * 2", "p = torch.ones(4, 4)"):
        QApplication.clipboard().setText(text)
        key(window, Qt.Key.Key_V, CTRL)
        settle(window)
        calm(window)
    picture = window.canvas.picture
    rects = [picture.rect(window.document.program.named(name).statement) for name in "xup"]
    assert rects[0].bottom() < rects[1].top()
    assert rects[1].bottom() < rects[2].top()
