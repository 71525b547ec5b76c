"""The popover at a card: how a leaf is made, the attributes of an operator, each typed, checked and undone."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QComboBox, QLabel, QLineEdit, QScrollArea, QWidget
from support.desk import calm, key
from support.hands import Hands, process

from chalkgrad.program import building, edits
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Array, Dtype, Kind, Ref, Statement
from chalkgrad.session.state import Status
from chalkgrad.source import literals
from chalkgrad.source.read import read_source
from chalkgrad_app.canvas.popover import Popover
from chalkgrad_app.editors.value_window import ValueWindow

E, ENTER, ESC, TAB, UP = Qt.Key.Key_E, Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Up


def add(hands, kind, call, name, operands, options=(), style="function"):
    document = hands.document
    made = Statement(0, kind, call, (name,), operands, options, style)
    id_ = document.build(lambda sheet, at: building.append(sheet, made, at), name)[0]
    document.do(edits.place(document.board, {id_: (0.0, 260.0 if kind is Kind.LEAF else 480.0)}), "place")
    document.finish()
    document.undo_stack.clear()
    process()
    return id_


@pytest.fixture
def summed(course):
    """A 2 x 3 leaf ``m`` and ``s = m.sum(dim=0)``."""
    m = add(course, Kind.LEAF, "tensor", "m", (((1.0, 2.0, 3.0), (4.0, 5.0, 6.0)),))
    add(course, Kind.OP, "sum", "s", (Ref(m),), (("dim", 0),), "method")
    return course


def open_popover(hands, name, key=E):
    hands.canvas.setFocus()
    hands.document.select([hands.id(name)])
    QTest.keyClick(hands.canvas, key)
    process()
    found = hands.canvas.window().findChild(Popover)
    assert found is not None
    assert found.isVisible()
    return found


def field(popover, name, kind=QLineEdit):
    """The editor of an option as it is now: each change makes them anew."""
    process()
    found = [widget for widget in popover.findChildren(kind, f"option.{name}") if widget.isVisible()]
    assert found, name
    return found[-1]


def test_a_field_has_room_for_a_small_matrix(course):
    add(course, Kind.LEAF, "tensor", "m", (((1.0, 2.0), (3.0, 4.0)),))
    data = field(open_popover(course, "m"), "data")
    assert data.text() == "[[1., 2.], [3., 4.]]"
    assert data.fontMetrics().horizontalAdvance(data.text()) <= data.width() - 12


def message(popover, name):
    found = [label for label in popover.findChildren(QLabel, f"option.{name}.message") if label.isVisible()]
    return found[-1].text() if found else ""


def retype(popover, name, text, end=TAB):
    line = field(popover, name)
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)
    if end is not None:
        QTest.keyClick(line, end)
    process()


def line_of(hands, name):
    return next(line for line in hands.lines() if line.startswith(f"{name} ="))


@pytest.mark.parametrize("key", [E, ENTER])
def test_enter_and_e_open_the_attributes_of_an_operator(summed, key):
    popover = open_popover(summed, "s", key)
    assert field(popover, "dim").text() == "0"
    assert field(popover, "dim").hasFocus()
    QTest.keyClick(field(popover, "dim"), ESC)
    assert not popover.isVisible()
    assert summed.canvas.hasFocus()


def test_a_dimension_is_typed_stepped_and_emptied(summed):
    popover = open_popover(summed, "s")
    retype(popover, "dim", "1")
    assert line_of(summed, "s") == "s = m.sum(dim=1)"
    QTest.keyClick(field(popover, "dim"), Qt.Key.Key_Down)
    assert line_of(summed, "s") == "s = m.sum(dim=0)"
    retype(popover, "dim", "(0, 1)")
    assert line_of(summed, "s") == "s = m.sum(dim=(0, 1))"
    retype(popover, "dim", "None")
    assert line_of(summed, "s") == "s = m.sum()"
    assert summed.undo_all() == 4
    assert line_of(summed, "s") == "s = m.sum(dim=0)"


def test_enter_takes_the_value_and_closes_and_tab_goes_on(summed):
    popover = open_popover(summed, "s")
    retype(popover, "dim", "1", end=TAB)
    assert line_of(summed, "s") == "s = m.sum(dim=1)"
    assert popover.isVisible()
    assert field(popover, "keepdim", QCheckBox).hasFocus()
    retype(popover, "dim", "0", end=ENTER)
    summed.document.finish()
    process()
    assert line_of(summed, "s") == "s = m.sum(dim=0)"
    assert not popover.isVisible()
    assert summed.canvas.hasFocus()
    assert summed.undo_all() == 2


def test_enter_on_what_is_there_already_closes(summed):
    popover = open_popover(summed, "s")
    QTest.keyClick(field(popover, "dim"), ENTER)
    process()
    assert not popover.isVisible()
    assert summed.document.undo_stack.count() == 0


def test_enter_on_a_switch_closes(summed):
    popover = open_popover(summed, "s")
    QTest.keyClick(field(popover, "dim"), TAB)
    assert field(popover, "keepdim", QCheckBox).hasFocus()
    QTest.keyClick(field(popover, "keepdim", QCheckBox), ENTER)
    process()
    assert not popover.isVisible()


@pytest.mark.parametrize("typed", ["1.5", "7"])
def test_enter_stays_with_what_is_wrong(summed, typed):
    popover = open_popover(summed, "s")
    retype(popover, "dim", typed, end=ENTER)
    summed.document.finish()
    process()
    assert popover.isVisible()
    assert message(popover, "dim")
    retype(popover, "dim", "1", end=ENTER)
    summed.document.finish()
    process()
    assert not popover.isVisible()
    assert line_of(summed, "s") == "s = m.sum(dim=1)"


def test_the_undo_step_says_which_attribute_of_which_card_was_changed(summed):
    popover = open_popover(summed, "s")
    dim = field(popover, "dim")
    dim.selectAll()
    QTest.keyClicks(dim, "1")
    QTest.keyClick(dim, ENTER)
    process()
    assert summed.lines()[-1] == "s = m.sum(dim=1)"
    assert summed.document.undo_stack.undoText() == "Change dim of s"


def test_what_can_not_stand_there_is_said_while_it_is_typed(summed):
    popover = open_popover(summed, "s")
    retype(popover, "dim", "1.5", end=None)
    assert message(popover, "dim") == "A dimension goes here, or several: 0 or (0, 1)"
    QTest.keyClick(field(popover, "dim"), ENTER)
    assert line_of(summed, "s") == "s = m.sum(dim=0)"
    retype(popover, "dim", "1", end=None)
    assert message(popover, "dim") == ""


@pytest.mark.parametrize(
    ("call", "operands", "name", "typed", "words"),
    [
        ("randn", (3,), "size", "-3", "Trying to create tensor with negative dimension -3: [-3]"),
        ("randn", (3,), "size", "2, x", "Sizes are whole numbers: 2, 3"),
        ("randn", (3,), "size", "1.5", "Sizes are whole numbers: 2, 3"),
        (
            "randint",
            (0, 10, (3,)),
            "low",
            "12",
            "random_ expects 'from' to be less than 'to', but got from=12 >= to=10",
        ),
        ("linspace", (0.0, 1.0, 5), "steps", "-5", "number of steps must be non-negative"),
        ("arange", (5.0,), "step", "-1", "upper bound and lower bound inconsistent with step sign"),
        ("eye", (3,), "n", "-1", "n must be greater or equal to 0, got -1"),
    ],
)
def test_what_no_leaf_can_be_made_with_is_said_while_it_is_typed(course, call, operands, name, typed, words):
    add(course, Kind.LEAF, call, "r", operands)
    popover = open_popover(course, "r")
    before = course.lines()
    retype(popover, name, typed, end=None)
    assert message(popover, name) == words
    assert course.lines() == before
    QTest.keyClick(field(popover, name), ESC)
    assert message(popover, name) == ""


def test_a_size_without_room_in_memory_is_said_while_it_is_typed(course):
    add(course, Kind.LEAF, "randn", "r", (3,))
    popover = open_popover(course, "r")
    retype(popover, "size", "100000000, 100000000", end=None)
    assert "you tried to allocate 40000000000000000 bytes" in message(popover, "size")


@pytest.mark.parametrize("typed", ["(", "2,", "2, -", "[2"])
def test_nothing_is_said_of_a_size_that_is_only_begun_until_it_is_entered(course, typed):
    add(course, Kind.LEAF, "randn", "r", (3,))
    popover = open_popover(course, "r")
    retype(popover, "size", typed, end=None)
    assert message(popover, "size") == ""
    retype(popover, "size", "(", end=ENTER)
    assert message(popover, "size")
    retype(popover, "size", "2 x 3", end=ENTER)
    assert course.lines()[-1].startswith("r = torch.randn(2, 3")


def test_very_many_numbers_are_not_written_out_where_they_are_not_typed(course, monkeypatch):
    whole = []
    monkeypatch.setattr(literals, "_array_text", lambda array: whole.append(array.size) or "0.")
    add(course, Kind.LEAF, "tensor", "r", (Array.of(np.zeros((300, 300), np.float32)),))
    popover = open_popover(course, "r")
    assert "..." in field(popover, "data").text()
    assert not field(popover, "data").isEnabled()
    assert max(whole) == 1
    assert field(popover, "shape").text() == "(300, 300)"


def test_a_shape_of_too_many_numbers_is_said_at_its_field(summed):
    popover = open_popover(summed, "m")
    retype(popover, "shape", "100000, 100000", end=None)
    assert message(popover, "shape") == "10,000,000,000 numbers are too many: at most 100,000 are made here"
    retype(popover, "shape", "100000, 100000", end=ENTER)
    assert message(popover, "shape") == "10,000,000,000 numbers are too many: at most 100,000 are made here"


def test_escape_gives_up_what_was_typed_and_a_click_elsewhere_enters_it(summed):
    popover = open_popover(summed, "s")
    retype(popover, "dim", "1", end=ESC)
    assert not popover.isVisible()
    assert line_of(summed, "s") == "s = m.sum(dim=0)"
    popover = open_popover(summed, "s")
    retype(popover, "dim", "1", end=None)
    summed.click(summed.free(4, 4))
    assert line_of(summed, "s") == "s = m.sum(dim=1)"


OUT_OF_RANGE = "Dimension out of range (expected to be in range of [-2, 1], but got 7)"


def test_what_pytorch_will_refuse_is_said_while_it_is_typed_and_may_still_be_tried(summed):
    popover = open_popover(summed, "s")
    retype(popover, "dim", "7", end=None)
    assert message(popover, "dim") == OUT_OF_RANGE
    QTest.keyClick(field(popover, "dim"), ENTER)
    assert line_of(summed, "s") == "s = m.sum(dim=7)"
    summed.document.finish()
    assert message(popover, "dim") == OUT_OF_RANGE, "it did fail, and this field is why"
    retype(popover, "dim", "1")
    summed.document.finish()
    assert message(popover, "dim") == ""


def test_what_only_the_run_refuses_is_said_at_the_field_that_was_changed_and_the_value_stays(course):
    m = add(course, Kind.LEAF, "tensor", "m", (((1.0, 2.0), (4.0, 5.0)),))
    add(course, Kind.OP, "dropout", "s", (Ref(m),), (("p", 0.5),), "functional")
    popover = open_popover(course, "s")
    retype(popover, "p", "7", end=ENTER)
    course.document.finish()
    process()
    assert popover.isVisible()
    assert field(popover, "p").text() == "7"
    assert field(popover, "p").hasFocus()
    assert message(popover, "p") == "dropout probability has to be between 0 and 1, but got 7"
    QTest.mouseClick(field(popover, "training", QCheckBox), Qt.MouseButton.LeftButton)
    course.document.finish()
    assert message(popover, "p"), "another option does not mend it"
    retype(popover, "p", "0.25")
    course.document.finish()
    assert message(popover, "p") == ""


def test_sizes_are_typed_as_they_are_shown(course):
    m = add(course, Kind.LEAF, "zeros", "m", (2, 2))
    add(course, Kind.OP, "reshape", "s", (Ref(m),), (("shape", (4,)),), "method")
    popover = open_popover(course, "s")
    assert field(popover, "shape").text() == "(4,)"
    for typed, line in (
        ("(1, 4)", "s = m.reshape(1, 4)"),
        ("(4,)", "s = m.reshape(4)"),
        ("[2, 2],", "s = m.reshape(2, 2)"),
    ):
        retype(popover, "shape", typed)
        assert line_of(course, "s") == line
    popover.dismiss()
    popover = open_popover(course, "m")
    retype(popover, "size", "(3,)")
    assert line_of(course, "m") == "m = torch.zeros(3)"
    field(popover, "size").setFocus()
    field(popover, "size").clear()
    QTest.keyClick(field(popover, "size"), Qt.Key.Key_Space)
    QTest.keyClick(field(popover, "size"), ENTER)
    assert message(popover, "size") == "PyTorch needs a value here"
    assert line_of(course, "m") == "m = torch.zeros(3)"


def test_another_factory_that_fails_says_why_below_the_fields(course):
    add(course, Kind.LEAF, "randn", "m", (2,), (("requires_grad", True), ("seed", 1)))
    popover = open_popover(course, "m")
    combo = field(popover, "factory", QComboBox)
    combo.setFocus()
    while combo.currentText() != "randint":
        QTest.keyClick(combo, Qt.Key.Key_Down)
    QTest.keyClick(combo, ENTER)
    course.document.finish()
    process()
    said = [label.text() for label in popover.findChildren(QLabel, "option.refusal") if label.isVisible()]
    assert said == ["Only Tensors of floating point and complex dtype can require gradients"]


def test_a_refused_choice_is_said_below_the_fields(course):
    m = add(course, Kind.LEAF, "tensor", "m", (((1, 2), (4, 5)),))
    add(course, Kind.OP, "mean", "s", (Ref(m),), (("dtype", Dtype("float32")),), "method")
    popover = open_popover(course, "s")
    combo = field(popover, "dtype", QComboBox)
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_End)
    for _ in range(20):
        if combo.currentText() == "torch.int64":
            break
        QTest.keyClick(combo, UP)
    QTest.keyClick(combo, ENTER)
    course.document.finish()
    process()
    said = [label.text() for label in popover.findChildren(QLabel, "option.refusal") if label.isVisible()]
    assert len(said) == 1
    assert said[0].startswith("mean(): could not infer output dtype. Optional dtype must be either a floating point")


def test_trying_a_value_warns_nobody(course, recwarn):
    m = add(course, Kind.LEAF, "tensor", "m", (((1.0, 2.0), (4.0, 5.0)),))
    add(course, Kind.OP, "var", "s", (Ref(m),), (("dim", 0),), "method")
    popover = open_popover(course, "s")
    retype(popover, "correction", "9", end=None)
    assert [str(warning.message) for warning in recwarn] == []
    assert message(popover, "correction") == ""


def test_what_can_not_be_read_and_is_left_by_a_click_elsewhere_is_told(summed):
    popover = open_popover(summed, "s")
    told = []
    summed.document.told.connect(told.append)
    retype(popover, "dim", "1.5")
    assert popover.isVisible()
    assert field(popover, "dim").text() == "1.5"
    summed.click(summed.free(4, 4))
    assert not popover.isVisible()
    assert told == ["A dimension goes here, or several: 0 or (0, 1)"]
    assert line_of(summed, "s") == "s = m.sum(dim=0)"


def test_the_fields_of_a_line_that_fails_for_other_reasons_say_nothing(summed):
    m, n = summed.id("m"), add(summed, Kind.LEAF, "ones", "n", (4,))
    add(summed, Kind.OP, "add", "t", (Ref(m), Ref(n)))
    popover = open_popover(summed, "t")
    assert summed.document.state.statement(summed.id("t")).status is Status.FAILED
    retype(popover, "alpha", "2", end=None)
    assert message(popover, "alpha") == ""


def test_what_is_typed_at_once_takes_the_place_of_what_is_there(summed):
    popover = open_popover(summed, "s")
    QTest.keyClicks(field(popover, "dim"), "1")
    QTest.keyClick(field(popover, "dim"), ENTER)
    assert line_of(summed, "s") == "s = m.sum(dim=1)"


def test_it_grows_with_a_message_of_several_lines(summed):
    popover = open_popover(summed, "s")
    bar = popover.findChild(QScrollArea).verticalScrollBar()
    QTest.keyClicks(field(popover, "dim"), "a_name_that_nobody_has_given_to_anything + 1")
    process()
    assert field(popover, "dim").parentWidget().message.height() > 2 * popover.fontMetrics().height()
    assert bar.maximum() == 0


def test_what_pytorch_refuses_is_written_and_pytorch_says_so(summed):
    popover = open_popover(summed, "s")
    retype(popover, "dim", "5")
    problem = summed.document.state.statement(summed.id("s")).problem
    assert problem.message == "Dimension out of range (expected to be in range of [-2, 1], but got 5)"
    assert popover.isVisible()


def test_a_flag_is_switched_by_keyboard(summed):
    popover = open_popover(summed, "s")
    QTest.keyClick(field(popover, "dim"), TAB)
    box = field(popover, "keepdim", QCheckBox)
    assert box.hasFocus()
    QTest.keyClick(box, Qt.Key.Key_Space)
    assert line_of(summed, "s") == "s = m.sum(dim=0, keepdim=True)"
    assert field(popover, "keepdim", QCheckBox).hasFocus()


def test_the_shape_of_a_leaf_is_typed(summed):
    popover = open_popover(summed, "m")
    retype(popover, "shape", "3 x 2")
    assert line_of(summed, "m") == "m = torch.tensor([[1., 2.], [3., 4.], [5., 6.]])"
    retype(popover, "shape", "2, 2")
    assert line_of(summed, "m") == "m = torch.tensor([[1., 2.], [3., 4.]])"
    retype(popover, "shape", "2, z", end=None)
    assert message(popover, "shape") == "A shape is whole numbers from 1 on: 2, 3"


def test_a_leaf_is_made_another_way_and_drawn_again(summed):
    popover = open_popover(summed, "m")
    combo = field(popover, "factory", QComboBox)
    combo.setFocus()
    QTest.keyClicks(combo, "randn")
    QTest.keyClick(combo, Qt.Key.Key_Return)
    process()
    seed = int(field(popover, "seed").text())
    assert line_of(summed, "m") == f"m = torch.randn(2, 3, generator=torch.Generator().manual_seed({seed}))"
    before = summed.document.state.tensor(summed.id("m")).value.copy()
    button = [b for b in popover.findChildren(QAbstractButton, "option.nextSeed") if b.isVisible()][-1]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    process()
    assert int(field(popover, "seed").text()) == seed + 1
    assert (summed.document.state.tensor(summed.id("m")).value != before).all()


def test_random_whole_numbers_that_require_grad_get_pytorch_s_error(course):
    add(course, Kind.LEAF, "randint", "r", (0, 10, (2, 2)), (("seed", 1),))
    popover = open_popover(course, "r")
    assert field(popover, "low").text() == "0"
    QTest.keyClick(field(popover, "requires_grad", QCheckBox), Qt.Key.Key_Space)
    problem = course.document.state.statement(course.id("r")).problem
    assert problem.message == "Only Tensors of floating point and complex dtype can require gradients"


def test_letters_typed_here_are_no_shortcuts_of_the_canvas(summed):
    before = summed.lines()
    popover = open_popover(summed, "s")
    box = field(popover, "keepdim", QCheckBox)
    box.setFocus()
    for letter in "GRHLXV":
        QTest.keyClicks(box, letter)
    QTest.keyClick(box, Qt.Key.Key_Delete)
    assert summed.lines() == before
    assert popover.isVisible()


def test_a_click_on_the_canvas_closes_it(summed):
    popover = open_popover(summed, "s")
    summed.canvas.setFocus()
    process()
    assert not popover.isVisible()


def test_it_closes_with_its_card(summed):
    popover = open_popover(summed, "s")
    summed.document.delete([summed.id("s")])
    assert not popover.isVisible()


def test_the_grid_opens_from_it(summed):
    popover = open_popover(summed, "m")
    QTest.mouseClick(popover.findChild(QAbstractButton, "canvas.popover.grid"), Qt.MouseButton.LeftButton)
    process()
    assert not popover.isVisible()
    assert summed.canvas.window().findChild(ValueWindow).isVisible()


def test_an_operator_without_attributes_says_so(course):
    told = []
    course.document.told.connect(told.append)
    course.document.select([course.id("y")])
    course.key(E)
    assert told == ["This operator has no attributes"]


def test_the_slider_says_its_number_in_the_fields_while_it_moves(course):
    popover = open_popover(course, "w")
    before, code = field(popover, "data").text(), popover.findChild(QLabel, "canvas.popover.code")
    popover.slider.setFocus()
    QTest.keyClick(popover.slider, Qt.Key.Key_Right)
    assert field(popover, "data").text() != before
    assert field(popover, "data").text() in code.text()
    QTest.keyClick(popover.slider, Qt.Key.Key_Escape)
    assert field(popover, "data").text() == before
    assert before in code.text()
    assert popover.slider.hasFocus()


def test_tab_goes_through_all_of_it_from_the_top_down(course):
    popover = open_popover(course, "w")
    popover.slider.setFocus()
    names = []
    for _ in range(7):
        focused = course.focused()
        names.append(focused.objectName().rpartition(".")[2])
        QTest.keyClick(focused, Qt.Key.Key_Tab)
        process()
    assert names == ["slider", "factory", "data", "shape", "dtype", "requires_grad", "grid"]


def test_the_slider_is_let_go_when_its_card_goes(course):
    popover = open_popover(course, "w")
    popover.slider.setFocus()
    QTest.keyClick(popover.slider, Qt.Key.Key_Right)
    assert course.document.is_scrubbed
    course.document.delete([course.id("w")])
    process()
    assert not popover.isVisible()
    assert not course.document.is_scrubbed


def test_it_lies_above_all_else_when_a_value_fails(window):
    """What comes to the front with an error (band, panel) covers no field that one is about to correct."""
    code = "import torch\nr = torch.ones(2, 2, requires_grad=True)\ns = r.softmax(dim=1)\n"
    window.document.begin(Sheet(read_source(code)))
    window.lodging.place_missing()
    calm(window)
    window.canvas.setFocus()
    window.document.select([window.document.program.named("s").statement])
    calm(window)
    key(window, E)
    popover = window.findChild(Popover)
    QTest.keyClicks(field(popover, "dim"), "5")
    QTest.keyClick(field(popover, "dim"), ENTER)
    calm(window)
    QTest.qWait(200)
    assert popover.isVisible()
    at = field(popover, "dim").mapTo(window, field(popover, "dim").rect().center())
    assert popover.isAncestorOf(window.childAt(at))


def test_it_grows_with_its_fields_and_shrinks_again(course_shown):
    hands = Hands(course_shown.canvas)
    calm(course_shown)
    hands.click(hands.header("x"))
    hands.key(E)
    popover = course_shown.findChild(Popover)
    narrow = popover.width()
    for factory in ("randn", "ones"):
        combo = field(popover, "factory", QComboBox)
        combo.setFocus()
        QTest.keyClicks(combo, factory)
        QTest.keyClick(combo, TAB)
        calm(course_shown)
        for name in ("option.size", "canvas.popover.grid", "canvas.popover.code"):
            inside = next(w for w in popover.findChildren(QWidget, name) if w.isVisible())
            assert popover.rect().contains(QRect(inside.mapTo(popover, QPoint(0, 0)), inside.size())), (factory, name)
        assert course_shown.rect().contains(popover.geometry())
    assert popover.width() == narrow


def test_a_long_message_needs_no_scroll_bar(course_shown):
    hands = Hands(course_shown.canvas)
    hands.click(hands.header("x"))
    hands.canvas.quick_add_at(QPointF(300, 300))
    hands.type("softmax")
    hands.key(ENTER)
    calm(course_shown)
    popover = course_shown.findChild(Popover)
    assert not popover.findChild(QScrollArea).verticalScrollBar().isVisible()


def test_an_end_alone_is_shown_and_typed_as_the_end(course):
    add(course, Kind.LEAF, "arange", "r", (12.0,))
    popover = open_popover(course, "r")
    assert (field(popover, "start").text(), field(popover, "end").text()) == ("", "12.0")
    retype(popover, "end", "6.")
    assert line_of(course, "r") == "r = torch.arange(6.0)"
    retype(popover, "start", "2.")
    assert line_of(course, "r") == "r = torch.arange(2.0, 6.0)"
    line = field(popover, "start")
    line.selectAll()
    QTest.keyClick(line, Qt.Key.Key_Backspace)
    retype(popover, "start", "")
    assert line_of(course, "r") == "r = torch.arange(6.0)"
    retype(popover, "step", "2.")
    assert line_of(course, "r") == "r = torch.arange(0, 6.0, 2.0)"
