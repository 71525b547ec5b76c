"""A loss is trained: by the menu and the form, on the canvas, in the program, and by keys alone."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox
from support.desk import CTRL, LEFT, PLAIN, SHIFT, choose, lines, press, settle, tensor

from chalkgrad.program import edits
from chalkgrad.session.state import Status

TEXT = """import torch
x = torch.tensor([1., 2., 3.])
y = torch.tensor([2., 4., 6.])
w = torch.tensor([0.], requires_grad=True)
p = x * w
loss = ((p - y) ** 2).mean()
"""
LOOP = """import torch
w = torch.tensor([4.], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
for step in range(6):
    loss = (w * w).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(w)
"""


def opened(window, open_text, text):
    document = open_text(text)
    window.canvas.fit_all()
    settle(window)
    return document


def counter(window):
    (found,) = window.canvas.loop_counters.counters()
    return found


def test_from_a_loss_to_a_trained_parameter(window, open_text):
    document = opened(window, open_text, TEXT)
    choose(window, "train", "trainingLoop")
    press(window, "training.make")
    settle(window)
    assert lines(window)[-3:] == ["optimizer.zero_grad()", "loss.backward()", "optimizer.step()"]
    assert abs(tensor(window, "w").value.item() - 2.0) < 0.01
    assert document.undo_stack.count() == 1
    assert counter(window).text == "20 / 20"
    window.undo()
    settle(window)
    assert tensor(window, "w").short == "[0.]"
    assert not document.program.bodies


def test_rounds_are_looked_at_on_the_canvas_and_in_the_program(window, open_text):
    document = opened(window, open_text, LOOP)
    for text, version in (("5 / 6", 5), ("4 / 6", 4)):
        QTest.mouseClick(window.canvas, LEFT, PLAIN, counter(window).back.center().toPoint())
        settle(window)
        assert counter(window).text == text
        assert tensor(window, "w").version == version
    assert "Round 4 of 6" in window.area.band.words.text()
    rows = window.docks.program.list.rows
    heading = next(row for row in rows.rows.lines if row.block is not None)
    assert rows.counter(heading) == "4 / 6"
    QTest.mouseClick(window.canvas, LEFT, PLAIN, counter(window).on.center().toPoint())
    settle(window)
    assert counter(window).text == "5 / 6"
    backward = next(s.id for s in document.program if s.call == "backward")
    document.look_at_line(backward)
    settle(window)
    assert counter(window).text == "5 / 6"
    assert tensor(window, "w").version == 4
    assert tensor(window, "w").grad.short


def test_by_keys_alone(window, open_text):
    document = opened(window, open_text, LOOP)
    canvas = window.canvas
    QTest.keyClick(canvas, Qt.Key.Key_PageUp, CTRL)
    settle(window)
    QTest.keyClick(canvas, Qt.Key.Key_PageUp, CTRL)
    settle(window)
    assert tensor(window, "w").version in (4, 5)
    before = tensor(window, "w").version
    QTest.keyClick(canvas, Qt.Key.Key_PageDown, CTRL)
    settle(window)
    assert tensor(window, "w").version == before + 1
    QTest.keyClick(canvas, Qt.Key.Key_PageUp)
    settle(window)
    assert tensor(window, "w").version == before
    QTest.keyClick(canvas, Qt.Key.Key_End)
    settle(window)
    assert not document.is_past


def test_what_a_loop_that_waits_has_not_reached_is_shown_so(window, open_text, qtbot):
    document = opened(window, open_text, LOOP)
    picture, program = window.canvas.picture, document.program
    loss = program.named("loss").statement
    assert picture.face(loss).status is Status.OK
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Qt.Key.Key_F5, CTRL | SHIFT)
    qtbot.waitUntil(lambda: picture.face(loss).status is Status.TO_COME)
    settle()
    assert document.session.is_held
    panel = window.docks.program
    delegate, rows = panel.list.itemDelegate(), panel.list.rows
    here = [row.number for row in rows.rows.lines if delegate.is_here(row)]
    assert here == [2]
    assert panel.where.text() == "line 2 of 7"
    assert window.area.where.text() == "line 2 of 7"
    QTest.keyClick(window.canvas, Qt.Key.Key_PageDown, CTRL)
    qtbot.waitUntil(lambda: picture.face(loss).status is Status.OK)
    settle()
    assert panel.where.text() == "line 6 of 7, round 1"
    assert [row.number for row in rows.rows.lines if delegate.is_here(row)] == [6]


def test_selected_lines_are_repeated_and_the_rounds_typed_on_the_frame(window, open_text):
    document = opened(window, open_text, TEXT + "loss.backward()\n")
    canvas = window.canvas
    document.select([document.program.named("p").statement, document.program.named("loss").statement])
    settle(window)
    QTest.keyClick(canvas, Qt.Key.Key_R, SHIFT)
    settle(window)
    (loop,) = document.program.bodies
    assert document.program.blocks[loop].rounds == 10
    assert not document.state.problems
    frame = next(frame for frame in canvas.picture.frames if frame.id == loop)
    at = canvas.viewport.rect_to_view(frame.rect).topLeft().toPoint() + QPoint(30, 6)
    QTest.mouseDClick(canvas, LEFT, PLAIN, at)
    settle(window)
    field = window.focusWidget()
    assert field.text() == "10"
    assert field.accessibleName() == "Rounds of the loop"
    QTest.keyClicks(field, "0")
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle(window)
    assert document.program.blocks[loop].rounds == 10
    field.selectAll()
    QTest.keyClicks(field, "3")
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle(window)
    assert document.program.blocks[loop].rounds == 3
    assert counter(window).text == "3 / 3"
    window.undo()
    settle(window)
    assert document.program.blocks[loop].rounds == 10


def test_a_long_run_can_be_paused_and_goes_on(window, open_text, qtbot):
    document = opened(window, open_text, LOOP)
    window.showing.training()
    panel = window.docks.training
    panel.training.start_over()
    qtbot.waitUntil(lambda: document.session.is_held and panel.on.isEnabled())
    assert panel.training.begun == 0
    press(window, "training.nextRound")
    qtbot.waitUntil(lambda: document.session.is_held)
    assert panel.training.begun == 1
    assert tensor(window, "w").version == 1
    press(window, "training.runAll")
    settle(window)
    assert document.session.done
    assert tensor(window, "w").version == 6


def test_the_optimiser_is_read_and_set_in_the_inspector(window, open_text):
    document = opened(window, open_text, LOOP.replace("SGD([w], lr=0.1)", "Adam([w], lr=0.1)"))
    made = next(s.id for s in document.program if s.call == "Adam")
    document.select([made])
    settle(window)
    window.docks.show_panel("inspector")
    settle(window)
    assert "remembers of w: step 6, exp_avg" in window.docks.inspector.text()
    from PySide6.QtWidgets import QLineEdit

    field = window.docks.inspector.findChild(QLineEdit, "option.lr")
    assert field.text() == "0.1"
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "0.5")
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle(window)
    assert lines(window)[1] == "optimizer = torch.optim.Adam([w], lr=0.5)"
    step = next(s.id for s in document.program if s.call == "step")
    document.select([step])
    settle(window)
    assert "w: [" in window.docks.inspector.text()
    assert "changed by" in window.docks.inspector.text()


def test_another_optimiser_takes_the_place_of_one_in_its_line(window, open_text):
    document = opened(window, open_text, LOOP.replace("lr=0.1", "lr=0.1, momentum=0.9"))
    document.select([next(s.id for s in document.program if s.call == "SGD")])
    window.docks.show_panel("inspector")
    settle(window)
    combo = window.docks.inspector.findChild(QComboBox, "option.optimizer")
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Down)
    QTest.keyClick(combo, Qt.Key.Key_Return)
    settle(window)
    assert lines(window)[1] == "optimizer = torch.optim.Adam([w], lr=0.1)"  # which knows no momentum
    assert abs(tensor(window, "w").value.item() - 3.4022) < 1e-4  # as PyTorch computes it
    assert document.undo_stack.count() == 1
    window.undo()
    settle(window)
    assert lines(window)[1] == "optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.9)"


def test_a_long_loop_tells_how_far_it_is_and_is_paused(window, open_text):
    document = opened(window, open_text, LOOP)
    (loop,) = document.program.bodies
    document.do(lambda sheet: edits.set_rounds(sheet.program, loop, 3000), "rounds")
    for _ in range(400):
        QTest.qWait(5)
        if window.running.isVisible():
            break
    assert window.running.isVisible()
    press(window, "running.pause")
    for _ in range(100):
        QTest.qWait(5)
        if document.session.is_held:
            break
    assert document.session.is_held
    assert not window.running.isVisible()
    begun = window.docks.training.training.begun
    assert 0 < begun < 3000
    assert counter(window).text == f"{begun} / 3000"
    window.undo()
    settle(window)
    assert document.session.done
    assert tensor(window, "w").version == 6


def test_a_line_added_while_looking_at_a_round_is_seen_in_that_round(window, open_text):
    document = opened(window, open_text, LOOP)
    window.docks.training.training.look_at_round(2)
    document.look_at_line(document.program.named("loss").statement)
    settle(window)
    document.select([document.program.named("loss").statement])
    settle(window)
    QTest.keyClick(window.canvas, Qt.Key.Key_R)
    settle(window)
    assert "loss.retain_grad()" in lines(window)
    assert counter(window).text == "2 / 6"
    assert tensor(window, "w").version == 1


def test_a_loop_at_the_very_beginning_has_a_moment_before_it(window, open_text):
    document = opened(window, open_text, "import torch\nfor i in range(3):\n    a = torch.ones(2) * i\n")
    training = window.docks.training.training
    training.look_at_round(0)
    assert document.is_past
    training.step(1)
    assert training.number == 1
    assert tensor(window, "a").short == "[0., 0.]"
