"""Editing in place: names, values, numbers in ports, in one field that says what it can't read."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionFrame
from support.hands import CTRL

from chalkgrad.program import edits
from chalkgrad.program.statement import EMPTY, Array, Ref
from chalkgrad_app.covering import Cover
from chalkgrad_app.editors.value_window import ValueWindow
from chalkgrad_app.style import theme

ENTER, TAB, ESC, F2 = Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape, Qt.Key.Key_F2


def retype(hands, text):
    hands.canvas.editor.line.clear()
    hands.type(text)


def test_f2_renames_and_what_refers_follows(course):
    course.click(course.header("w"))
    course.key(F2)
    assert course.canvas.editor.is_open
    retype(course, "weight")
    course.key(ENTER)
    assert not course.canvas.editor.is_open
    assert course.lines()[2] == "a = torch.add(weight, x)"
    assert course.document.undo_stack.count() == 1
    assert course.canvas.hasFocus()


def test_a_click_on_the_name_of_the_selected_card_renames(course):
    course.click(course.header("w"))
    course.click(course.name("w"))
    assert course.canvas.editor.field.part == "name"
    retype(course, "v")
    course.click(course.free(5, 5))
    assert course.document.program[1].name == "v"


@pytest.mark.parametrize("bad", ["[1, 2]]", "x + 1", "torch.mul(2, 3)"])
def test_what_is_wrong_with_a_value_is_said_while_it_is_typed(course, qtbot, bad):
    before = course.document.sheet
    course.double_click(course.value("w"))
    editor = course.canvas.editor
    retype(course, bad)
    qtbot.waitUntil(lambda: bool(editor.message.text()))
    assert editor.message.isVisible()
    assert course.document.sheet == before
    retype(course, "3")
    assert not editor.message.isVisible()
    course.key(ENTER)
    assert not editor.is_open


@pytest.mark.parametrize("begun", ["[1, 2", "2 +", "torch.tensor([1", "1e"])
def test_a_value_that_is_only_begun_is_called_wrong_when_it_is_entered(course, qtbot, begun):
    course.double_click(course.value("w"))
    editor = course.canvas.editor
    retype(course, begun)
    qtbot.waitUntil(lambda: not editor._checking.isActive())
    assert not editor.message.isVisible()
    course.key(ENTER)
    assert editor.is_open
    assert editor.message.isVisible()


def test_what_pytorch_will_refuse_of_a_factory_is_said_while_it_is_typed(course, qtbot):
    course.double_click(course.value("w"))
    editor = course.canvas.editor
    retype(course, "torch.randint(5, 2, (3,))")
    said = "random_ expects 'from' to be less than 'to', but got from=5 >= to=2"
    qtbot.waitUntil(lambda: editor.message.text() == said)
    retype(course, "torch.randint(2, 5, (3,))")
    assert not editor.message.isVisible()
    course.key(ENTER)
    assert not editor.is_open
    assert "torch.randint(2, 5, (3,)" in course.lines()[0]


@pytest.mark.parametrize("bad", ["2x", "for", "", "a b"])
def test_a_bad_name_says_why_and_keeps_the_editor_open(course, bad):
    before = course.document.sheet
    course.click(course.header("w"))
    course.key(F2)
    retype(course, bad)
    course.key(ENTER)
    editor = course.canvas.editor
    assert editor.is_open
    assert editor.message.isVisible()
    assert editor.message.text()
    course.key(ESC)
    assert not editor.is_open
    assert course.document.sheet == before


def test_the_name_of_another_line_is_refused_at_the_field(course):
    before = course.document.sheet
    course.click(course.header("y"))
    course.key(F2)
    retype(course, "w")
    course.key(ENTER)
    editor = course.canvas.editor
    assert editor.is_open
    assert editor.message.text() == "w is the name of line 1; choose another name."
    retype(course, " y ")  # its own name is no other line's
    course.key(ENTER)
    assert not editor.is_open
    assert course.document.sheet == before


def test_at_the_edge_of_the_canvas_the_field_and_what_is_wrong_are_whole(course):
    for edge in (QPoint(30, 0), QPoint(0, 25)):
        card, room = course.canvas.node_rect("y"), course.canvas.rect()
        by = QPoint(room.right() - card.left() - 60, 0) if edge.x() else QPoint(0, room.bottom() - card.top() - 24)
        course.canvas.pan_by(by.x(), by.y())
        course.document.select([course.document.program.named("y").statement])
        course.canvas.setFocus()
        course.key(F2)
        retype(course, "2x")
        course.key(ENTER)
        editor = course.canvas.editor
        assert editor.message.isVisible()
        assert course.canvas.rect().contains(editor.geometry())
        assert editor.geometry().contains(editor.message.geometry().translated(editor.pos()))
        course.key(ESC)


def test_of_several_selected_f2_renames_the_one_with_the_focus_or_says_why_not(course):
    told = []
    course.document.told.connect(told.append)
    ids = [course.document.program.named(name).statement for name in "wa"]
    course.click(course.header("w"))
    course.click(course.header("a"), keys=Qt.KeyboardModifier.ShiftModifier)
    assert course.document.selection == set(ids)
    course.canvas.set_focus_id(ids[1])
    course.key(F2)
    assert course.canvas.editor.field.id == ids[1]
    course.key(ESC)
    course.canvas.set_focus_id(None)
    course.key(F2)
    assert not course.canvas.editor.is_open
    assert told == ["Select one card, note or frame first"]


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("3", (3.0,)),
        ("2.5", (2.5,)),
        ("[3]", (3.0,)),
        ("1,2,3", (1.0, 2.0, 3.0)),
        ("[1 2; 3 4]", ((1.0, 2.0), (3.0, 4.0))),
        ("[[1, 2], [3, 4]]", ((1.0, 2.0), (3.0, 4.0))),
        ("［１，２］", (1.0, 2.0)),
        ("torch.tensor(2)", 2.0),
        ("tensor(2)", 2.0),
        ("array([1., 2.])", (1.0, 2.0)),
    ],
)
def test_values_are_read_as_people_write_them(course, typed, value):
    course.click(course.header("w"))
    course.key(ENTER)
    assert course.canvas.editor.line.text() == "[1.]"
    retype(course, typed)
    course.key(ENTER)
    assert course.document.program[1].operands == (value,)
    assert course.document.program[1].option("requires_grad") is True


@pytest.mark.parametrize(
    ("first", "line"),
    [
        ("tensor(3)", "x = torch.tensor(7.0)"),
        ("[[3]]", "x = torch.tensor([[7.]])"),
        ("torch.ones(1, 1)", "x = torch.tensor([[7.]])"),
        ("[1, 2]", "x = torch.tensor(7.0)"),
    ],
)
def test_a_number_typed_over_one_element_keeps_its_shape(course, first, line):
    for typed in (first, "7"):
        course.click(course.header("x"))
        course.key(ENTER)
        retype(course, typed)
        course.key(ENTER)
    assert course.lines()[1] == line


def test_a_value_runs_the_program_again(course):
    course.double_click(course.value("w"))
    retype(course, "[3]")
    course.key(ENTER)
    course.document.finish()
    assert course.document.state.tensor(5).short == "[20.]"


def test_a_bad_value_stays_open_with_a_sentence(course):
    before = course.document.sheet
    course.click(course.header("w"))
    course.key(ENTER)
    retype(course, "[1, [2")
    course.key(ENTER)
    assert course.canvas.editor.is_open
    assert course.canvas.editor.message.text()
    assert course.document.sheet == before


def test_tab_goes_from_name_to_value_to_requires_grad(course):
    course.click(course.header("x"))
    course.key(F2)
    retype(course, "data")
    course.key(TAB)
    assert course.canvas.editor.field.part == "value"
    retype(course, "[5]")
    course.key(TAB)
    assert course.canvas.editor.field.part == "requires_grad"
    course.key(Qt.Key.Key_Space)
    course.key(ENTER)
    assert not course.canvas.editor.is_open
    assert course.lines()[1] == "data = torch.tensor([5.], requires_grad=True)"
    assert course.document.undo_stack.count() == 1
    course.document.undo_stack.undo()
    assert course.lines()[1] == "x = torch.tensor([2.])"


def test_a_click_on_a_number_field_edits_it(course):
    course.click(course.port("b", 1) - QPoint(12, 0))
    assert course.canvas.editor.is_open
    assert course.canvas.editor.line.text() == "1"
    retype(course, "２．５")
    course.key(ENTER)
    assert course.document.program[4].operands == (Ref(1), 2.5)


def test_an_open_port_takes_a_number_or_a_name(hands):
    hands.drop("mul", QPoint(400, 200))
    hands.click(hands.port("a", 0))
    hands.type("3")
    hands.key(TAB)
    assert hands.canvas.editor.field.index == 1
    hands.type("zzz")
    hands.key(ENTER)
    assert hands.canvas.editor.is_open
    hands.key(ESC)
    assert hands.document.program[hands.id("a")].operands == (3, EMPTY)


def test_one_click_on_the_box_beside_an_open_port_opens_its_field(hands):
    hands.drop("mul", QPoint(400, 200))
    port = hands.port("a", 1)
    hands.click(port - QPoint(20, 0))
    editor = hands.canvas.editor
    assert (editor.field.part, editor.field.index) == ("port", 1)
    assert editor.line.text() == ""
    hint = editor.line.fontMetrics().horizontalAdvance(editor.line.placeholderText())
    option = QStyleOptionFrame()
    editor.line.initStyleOption(option)
    element = QStyle.SubElement.SE_LineEditContents
    assert hint <= editor.line.style().subElementRect(element, option, editor.line).width() - 4
    assert editor.geometry().right() < port.x()
    assert editor.width() <= 80
    assert editor.geometry().top() < port.y() < editor.geometry().bottom()
    hands.type("3")
    hands.key(ENTER)
    assert hands.document.program[hands.id("a")].operands == (EMPTY, 3)


def test_the_name_of_a_tensor_in_a_port_wires_it(course):
    course.click(course.port("b", 1) - QPoint(12, 0))
    retype(course, "x")
    course.key(ENTER)
    assert course.document.program[4].operands == (Ref(1), Ref(2))


def test_a_pasted_table_makes_a_big_tensor_whose_numbers_open_in_the_grid(course):
    course.click(course.header("w"))
    course.key(ENTER)
    course.canvas.editor.line.clear()
    QApplication.clipboard().setText("\n".join("\t".join(str(10 * r + c) for c in range(10)) for r in range(10)))
    course.key(Qt.Key.Key_V, CTRL)
    course.key(ENTER)
    value = course.document.program[1].operands[0]
    array = value.numpy() if isinstance(value, Array) else value
    assert array[9][9] == 99.0
    course.key(ENTER)
    assert not course.canvas.editor.is_open
    window = course.canvas.window().findChild(ValueWindow)
    assert window.isVisible()
    assert window.shape.text() == "(10, 10)"


def test_a_factory_can_be_typed_in_full(course):
    course.click(course.header("x"))
    course.key(ENTER)
    retype(course, "torch.ones(2, 3)")
    course.key(ENTER)
    assert course.lines()[1] == "x = torch.ones(2, 3)"
    course.click(course.header("x"))
    course.key(ENTER)
    assert course.canvas.editor.line.text() == "torch.ones(2, 3)"


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("torch.ones(2, 3)", "w = torch.ones(2, 3, requires_grad=True)"),
        ("zeros(2, 3)", "w = torch.zeros(2, 3, requires_grad=True)"),
        ("full((2,), 0.5)", "w = torch.full((2,), 0.5, requires_grad=True)"),
        ("torch.ones(2, 3, requires_grad=False)", "w = torch.ones(2, 3, requires_grad=False)"),
    ],
)
def test_a_factory_typed_in_full_or_by_its_name_keeps_requires_grad(course, typed, line):
    course.double_click(course.value("w"))
    retype(course, typed)
    course.key(ENTER)
    assert course.lines()[0] == line


def test_what_is_wrong_stands_at_the_field_in_the_colour_of_errors(course):
    editor, error = course.canvas.editor, theme.current().color("error_ink").name()
    course.double_click(course.value("w"))
    retype(course, "[1, two")
    course.key(ENTER)
    assert editor.message.isVisible()
    assert editor.message.palette().windowText().color().name() == error
    assert editor.line.accessibleDescription() == editor.message.text()
    assert editor.line.property("wrong")
    course.type("]")
    assert not editor.message.isVisible()
    assert not editor.line.property("wrong")


def test_letters_typed_in_a_field_are_no_shortcuts(course):
    before = course.document.sheet
    course.click(course.header("w"))
    course.key(F2)
    retype(course, "grLh1")
    assert course.canvas.editor.line.text() == "grLh1"
    course.key(ESC)
    assert course.document.sheet == before


def test_the_editor_follows_its_card(course):
    course.click(course.header("w"))
    course.key(F2)
    before = course.canvas.editor.pos()
    course.canvas.pan_by(64, 32)
    course.canvas.grab()
    assert course.canvas.editor.pos() - before == QPoint(64, 32)


def test_it_closes_when_its_card_goes(course):
    course.click(course.header("w"))
    course.key(F2)
    course.document.delete([1])
    assert not course.canvas.editor.is_open
    assert not course.canvas.editor.isVisible()


def test_stepping_a_number_ends_when_its_card_goes(course):
    course.click(course.header("w"))
    course.key(ENTER)
    course.key(Qt.Key.Key_Up)
    assert course.document.is_scrubbed
    course.document.delete([1])
    assert not course.canvas.editor.is_open
    assert not course.document.is_scrubbed
    assert course.canvas.hasFocus()


def test_it_closes_when_its_port_goes(course):
    before = course.document.program[course.id("b")]
    course.click(course.port("b", 1) - QPoint(14, 0))
    assert course.canvas.editor.field.part == "port"
    course.document.do(
        edits.put(course.document.program, replace(before, call="exp", operands=before.operands[:1])), ""
    )
    assert not course.canvas.editor.is_open


def test_a_question_that_its_edit_closes_leaves_it_open(course):
    course.document.covers.toggle_asking(Cover.FLAGS)
    course.click(course.header("w"))
    course.click(course.canvas.node_rect("w").topRight() + QPoint(-10, 14))
    assert course.canvas.asking.form is not None
    course.click(course.name("w"))
    retype(course, "weight")
    course.key(TAB)
    assert course.canvas.asking.form is None
    assert course.document.program[1].name == "weight"
    assert course.canvas.editor.field.part == "value"
    assert course.canvas.editor.line.hasFocus()


def test_in_the_past_the_edit_still_edits_the_line(course):
    course.document.look_at_line(2)
    course.click(course.header("w"))
    course.key(ENTER)
    retype(course, "[4]")
    course.key(ENTER)
    assert course.lines()[0] == "w = torch.tensor([4.], requires_grad=True)"
    assert course.document.is_past


def test_the_field_of_a_note_at_the_edge_is_all_in_view(course):
    canvas = course.canvas
    canvas.add_note_at(QPointF(canvas.width() - 40, canvas.height() - 20))
    assert canvas.editor.is_open
    assert canvas.rect().contains(canvas.editor.geometry())


def test_a_gradient_is_wired_to_a_port_by_its_name(course):
    course.click(course.header("b"))
    course.key(ENTER)
    retype(course, "w.grad")
    course.key(ENTER)
    assert course.lines()[3] == "b = torch.add(w, w.grad)"


def test_what_a_port_can_not_take_of_a_tensor_that_is_there_does_not_say_that_it_is_unknown(course):
    course.click(course.header("b"))
    course.key(ENTER)
    retype(course, "w.shape")
    course.key(ENTER)
    assert course.canvas.editor.message.text() == "A Python number or the name of a tensor goes here"


def test_undo_says_what_was_edited(course):
    stack = course.document.undo_stack
    course.click(course.header("w"))
    course.key(F2)
    retype(course, "weight")
    course.key(ENTER)
    assert stack.undoText() == "Rename w"
    course.click(course.header("weight"))
    course.key(ENTER)
    retype(course, "[3.]")
    course.key(ENTER)
    assert stack.undoText() == "Change the value of weight"
    course.key(Qt.Key.Key_G)
    assert stack.undoText() == "Change requires_grad of weight"
    course.drag(course.port("weight", "value"), course.port("y", 1))
    assert stack.undoText() == "Wire weight to y"
    course.drag(course.port("y", 1), course.free(5, 5))
    assert stack.undoText() == "Remove a wire to y"
    course.click(course.port("y", 1))
    course.type("2")
    course.key(ENTER)
    assert course.lines()[4] == "y = torch.mul(a, 2)"
    assert stack.undoText() == "Change other of y"


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        (
            "torch.tensor([1, 2], dtype=torch.float64)",
            "w = torch.tensor([1, 2], dtype=torch.float64, requires_grad=True)",
        ),
        (
            "tensor([1., 2.], dtype=torch.float64)",
            "w = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)",
        ),
        ("tensor([3.], requires_grad=True)", "w = torch.tensor([3.], requires_grad=True)"),
        ("tensor([3.], grad_fn=<MulBackward0>)", "w = torch.tensor([3.], requires_grad=True)"),
        ("torch.tensor([3., 4.], requires_grad=False)", "w = torch.tensor([3., 4.], requires_grad=False)"),
    ],
)
def test_what_a_typed_tensor_says_beside_its_numbers_is_kept(course, typed, line):
    course.click(course.header("w"))
    course.key(ENTER)
    retype(course, typed)
    course.key(ENTER)
    assert not course.canvas.editor.is_open
    assert course.lines()[0] == line
