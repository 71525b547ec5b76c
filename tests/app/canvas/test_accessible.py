"""What screen readers get: a child for each card, its value and gradient, and the focus."""

import gc
import weakref
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from support.hands import process
from support.sheets import course_sheet

from chalkgrad.program import edits
from chalkgrad_app import steps
from chalkgrad_app.canvas.accessible import CanvasInterface

Text = QAccessible.Text


def interface(hands):
    found = QAccessible.queryAccessibleInterface(hands.canvas)
    assert isinstance(found, CanvasInterface)
    return found


def test_a_child_for_each_card(course):
    canvas = interface(course)
    assert canvas.role() == QAccessible.Role.List
    assert canvas.text(Text.Name) == "Graph canvas"
    assert canvas.childCount() == 5
    names = [canvas.child(index).text(Text.Name) for index in range(5)]
    assert names[0] == "w, leaf, requires_grad"
    assert names[1] == "x, leaf"
    assert names[4].startswith("y = a * b, intermediate") or names[4].startswith("y = mul(a, b), intermediate")
    assert [canvas.child(index).text(Text.Value) for index in (0, 4)] == ["[1.]", "[6.]"]
    assert canvas.child(5) is None
    assert canvas.text(Text.Description) == "cards: 5"


def test_the_canvas_tells_how_many_things_of_each_kind_there_are(course):
    steps.run(course.document, steps.backward)
    course.document.finish()
    course.choose("a", "b")
    course.key(Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    course.key(Qt.Key.Key_Return)
    canvas = interface(course)
    assert canvas.text(Text.Description) == "cards: 5, frames: 1"
    assert canvas.childCount() == 6


def test_gradient_and_connections(course):
    steps.run(course.document, steps.backward)
    course.document.finish()
    canvas = interface(course)
    words = canvas.child(0).text(Text.Description)
    assert "gradient [5.]" in words
    assert "to a, b" in words
    assert "from a, b" in canvas.child(4).text(Text.Description)
    course.document.cover(True)
    assert "covered" in canvas.child(0).text(Text.Description)
    assert "[5.]" not in canvas.child(0).text(Text.Description)


def test_where_it_is_and_what_is_at_a_point(course):
    canvas = interface(course)
    rect = canvas.child(2).rect()
    assert rect.size() == course.canvas.node_rect("a").size()
    assert canvas.childAt(rect.center().x(), rect.center().y()) is canvas.child(2)
    assert canvas.indexOfChild(canvas.child(3)) == 3


def test_the_focus_follows(course):
    canvas = interface(course)
    course.click(course.header("a"))
    assert canvas.focusChild() is canvas.child(2)
    assert canvas.child(2).state().focused
    assert canvas.child(2).state().selected
    assert not canvas.child(0).state().focused


def test_a_card_that_goes_is_no_longer_valid(course):
    canvas = interface(course)
    child = canvas.child(4)
    course.document.delete([5])
    assert not child.isValid()
    assert canvas.childCount() == 4


def test_a_card_that_is_written_into_a_line_is_no_longer_valid(course):
    canvas = interface(course)
    child, a = canvas.child(2), course.document.program[course.id("a")]
    tag = replace(a, call="detach", operands=a.operands[:1], targets=("",), style="method")
    course.document.do(edits.put(course.document.program, tag), "into the line of y")
    assert course.lines()[-1] == "y = torch.mul(w.detach(), b)"
    assert canvas.childCount() == 4
    assert not child.isValid()
    assert [child.text(kind) for kind in (Text.Name, Text.Value, Text.Description)] == ["", "", ""]


def test_a_canvas_that_is_gone_is_forgotten(qapp):
    from support.hands import Hands, discard, open_host

    from chalkgrad_app.canvas import accessible

    host = open_host()
    before = len(accessible._interfaces)
    interface(Hands(host.canvas))
    assert id(host.canvas) in accessible._interfaces
    number = id(host.canvas)
    discard(host)
    assert number not in accessible._interfaces
    assert len(accessible._interfaces) <= before


def test_windows_come_and_go_while_somebody_listens(qapp):
    from support.hands import discard, open_host

    left = []
    QAccessible.setActive(True)
    try:
        for _ in range(4):
            host = open_host(course_sheet())
            host.canvas.keyboard.focus(host.canvas.document.program.order[0])
            left += [weakref.ref(host.canvas), weakref.ref(host.canvas.document)]
            discard(host)
    finally:
        QAccessible.setActive(False)
    del host
    process()
    gc.collect()
    assert [held() for held in left] == [None] * len(left)


def test_what_is_held_of_a_canvas_that_is_gone_is_not_valid(qapp):
    from support.hands import Hands, discard, open_host

    host = open_host(course_sheet())
    canvas = interface(Hands(host.canvas))
    child = canvas.child(0)
    assert canvas.isValid()
    assert child.isValid()
    discard(host)
    process()
    assert not canvas.isValid()
    assert not child.isValid()
    assert child.text(Text.Name) == ""
    assert child.actionInterface() is None


def test_notes_and_frames_are_children_too(course):
    from chalkgrad.program.board import Frame, Note

    document = course.document
    document.do(edits.put_note(document.board, Note(901, (("en", "look here"),), 0, 400, 200, 80)), "note")
    document.do(edits.put_frame(document.board, Frame(902, "forward", -20, -20, 900, 380)), "frame")
    canvas = interface(course)
    assert canvas.childCount() == 7
    note, frame = canvas.child(5), canvas.child(6)
    assert (note.role(), note.text(Text.Name)) == (QAccessible.Role.Note, "look here")
    assert (frame.role(), frame.text(Text.Name)) == (QAccessible.Role.Grouping, "frame forward")
    assert [canvas.indexOfChild(canvas.child(index)) for index in range(7)] == list(range(7))


def test_blocks_are_told_and_cards_say_in_which_they_stand(course):
    course.click(course.header("a"))
    course.canvas.placing.wrap("no_grad")
    process()
    canvas = interface(course)
    block = canvas.child(canvas.childCount() - 1)
    assert (block.role(), block.text(Text.Name)) == (QAccessible.Role.Grouping, "block no_grad")
    assert block.text(Text.Value) == "a"
    assert block.rect().width() > 0
    assert canvas.indexOfChild(block) == canvas.childCount() - 1
    told = {canvas.child(index).text(Text.Description) for index in range(5)}
    assert len([words for words in told if "in no_grad" in words]) == 1


def test_a_folded_frame_says_what_it_holds_and_is_wired_to(course):
    course.choose("a", "b")
    course.key(Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    course.type("Layer")
    course.key(Qt.Key.Key_Return)
    course.key(Qt.Key.Key_C, Qt.KeyboardModifier.ShiftModifier)
    (frame,) = course.document.board.frames
    canvas = interface(course)
    folded = canvas.thing(frame)
    assert folded.text(Text.Value) == "a, b"
    assert folded.text(Text.Description) in ("from w, x. to y", "from x, w. to y")
    told = canvas.thing(course.id("x")).text(Text.Description)
    assert "to frame Layer, folded, 2 cards" in told
    assert "to a" not in told


def test_a_result_without_a_name_is_called_as_it_is_written(window, open_text):
    open_text("import torch\nx = torch.tensor(3., requires_grad=True)\ny = x * 2\nz = y * y + y\nz.backward()\n")
    canvas = QAccessible.queryAccessibleInterface(window.canvas)
    things = [canvas.child(at) for at in range(len(window.canvas.picture.ids))]
    assert "gradient 26." in things[0].text(Text.Description)
    assert ".." not in things[0].text(Text.Description)
    told = things[-1].text(Text.Description)
    assert "from y * y, y" in told
    assert ".." not in told


def test_nodes_of_the_gradients_graph_have_a_value_and_say_what_they_read(window, open_text):
    open_text(
        "import torch\nx = torch.tensor(3., requires_grad=True)\ny = x ** 3\n"
        "g, = torch.autograd.grad(y, x, create_graph=True)\n"
    )
    canvas = QAccessible.queryAccessibleInterface(window.canvas)
    nodes = [canvas.child(at) for at in range(canvas.childCount())][-3:]
    assert [node.text(Text.Value) for node in nodes] == ["9.", "27.", "27."]
    assert nodes[0].text(Text.Description).startswith("from line 2. from x. to #2")
    assert nodes[2].text(Text.Description).endswith("to g")


def test_functions_say_which_others_they_lead_to_and_which_card_they_belong_to(window, open_text):
    open_text("import torch\nx = torch.tensor(3., requires_grad=True)\ny = x.exp()\nz = y * x\n")
    window.document.draw_as("autograd")
    canvas, flags = QAccessible.queryAccessibleInterface(window.canvas), QAccessible.RelationFlag
    nodes = [canvas.child(at) for at in range(canvas.childCount())]
    nodes = {node.text(Text.Name).split("   ")[0]: node for node in nodes if node.state().readOnly}
    told = nodes["ExpBackward0"].text(Text.Description)
    assert told == "from line 2. belongs to y. from MulBackward0. to AccumulateGrad"
    assert nodes["MulBackward0"].text(Text.Description).startswith("from line 3. belongs to z. to ")
    found = {(other.text(Text.Name).split("   ")[0], flag) for other, flag in nodes["ExpBackward0"].relations()}
    assert found == {("MulBackward0", flags.FlowsFrom), ("AccumulateGrad", flags.FlowsTo)}
    assert [flag for _, flag in nodes["MulBackward0"].relations(flags.FlowsTo)] == [flags.FlowsTo] * 2
    assert nodes["AccumulateGrad"].relations(flags.FlowsTo) == []


def test_relations_follow_the_wires(course):
    canvas = interface(course)
    flags = QAccessible.RelationFlag
    found = {(thing.text(Text.Name).split(" ")[0], flag) for thing, flag in canvas.child(2).relations()}
    assert found == {("w,", flags.FlowsFrom), ("x,", flags.FlowsFrom), ("y", flags.FlowsTo)}
    assert len(canvas.child(2).relations(flags.FlowsTo)) == 1


def test_whatever_else_a_screen_reader_asks_a_thing_for_it_is_told_that_there_is_nothing(course):
    others = ("attributesInterface", "editableTextInterface", "selectionInterface", "tableCellInterface")
    others += ("textInterface", "valueInterface")
    course.click(course.header("a"))
    course.canvas.placing.wrap("no_grad")
    process()
    canvas = interface(course)
    *cards, block = [canvas.child(number) for number in range(canvas.childCount())]
    for thing in (canvas, *cards, block):
        assert all(getattr(thing, other)() is None for other in others)
    assert all(card.actionInterface() is not None for card in cards)
    assert block.actionInterface() is None


def test_a_screen_reader_can_go_to_a_card_edit_it_and_open_its_menu(course):
    from PySide6.QtWidgets import QApplication

    canvas = interface(course)
    actions = canvas.child(0).actionInterface()
    assert set(actions.actionNames()) == {actions.setFocusAction(), actions.pressAction(), actions.showMenuAction()}
    actions.doAction(actions.setFocusAction())
    assert course.document.selected_statements == (1,)
    assert canvas.focusChild() is canvas.child(0)
    actions.doAction(actions.showMenuAction())
    menu = QApplication.activePopupWidget()
    assert menu is not None
    menu.close()
    actions.doAction(actions.pressAction())
    assert course.canvas.editor.is_open


def test_a_failed_card_is_invalid(course):
    canvas = interface(course)
    assert not canvas.child(4).state().invalid
    steps.run(course.document, steps.backward)
    steps.run(course.document, steps.backward)
    course.document.finish()
    course.document.do(lambda sheet: _with_shape(sheet), "x = [1, 2, 3]; w = [1, 2]")
    course.document.finish()
    assert canvas.child(2).state().invalid
    assert "RuntimeError" in canvas.child(2).text(Text.Description)


def test_results_and_errors_are_announced(window, qtbot, monkeypatch):
    from support.desk import settle
    from support.sheets import course_sheet

    from chalkgrad_app.canvas import accessible

    said = []
    monkeypatch.setattr(accessible, "announce", lambda canvas, words: said.append(words))
    window.document.begin(course_sheet())
    settle(window)
    qtbot.waitUntil(lambda: bool(said))
    said.clear()
    window.canvas.place_operator("exp")
    qtbot.waitUntil(lambda: bool(said))
    assert "exp" in said[-1]
    window.document.do(lambda sheet: _with_shape(sheet), "another shape")
    qtbot.waitUntil(lambda: any("RuntimeError" in words for words in said))


def test_gradients_and_the_line_looked_at_are_announced(window, qtbot, monkeypatch):
    from support.desk import key, settle
    from support.sheets import course_sheet

    from chalkgrad_app.canvas import accessible

    said = []
    monkeypatch.setattr(accessible, "announce", lambda canvas, words: said.append(words))
    window.document.begin(course_sheet())
    settle(window)
    qtbot.waitUntil(lambda: bool(said))
    window.canvas.setFocus()
    said.clear()
    key(window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: bool(said))
    assert said[-1] == "y.backward(). w.grad [5.]"
    said.clear()
    key(window, Qt.Key.Key_PageUp)
    qtbot.waitUntil(lambda: bool(said))
    assert said[-1] == "Looking at line 5. y = torch.mul(a, b)"
    said.clear()
    key(window, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: bool(said))
    assert said[-1] == "Back to now"


def test_children_are_made_only_when_asked_for(qapp):
    from support.hands import Hands, discard, open_host

    from chalkgrad.program.sheet import Sheet
    from chalkgrad.source.read import read_source

    lines = "\n".join(f"x{n} = torch.tensor([{n}.])" for n in range(2000))
    host = open_host(Sheet(read_source(f"import torch\n{lines}\n")))
    canvas = interface(Hands(host.canvas))
    assert canvas.childCount() == 2000
    assert canvas.child(1999).text(Text.Name) == "x1999, leaf"
    assert len(canvas._things) == 1
    discard(host)


def _with_shape(sheet):
    from dataclasses import replace

    program = sheet.program
    changed = replace(program[1], operands=((1.0, 2.0),))
    draft = edits.put(program, changed)
    return draft.then(edits.put(program, replace(program[2], operands=((1.0, 2.0, 3.0),))))
