"""Quick-add reads expressions: what it says that it will build, what it builds, and what is wrong with them."""

import html

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QCursor, QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from support.hands import CTRL, process

from chalkgrad_app.canvas.offer_rows import ENTRY
from chalkgrad_app.style import theme

ENTER = Qt.Key.Key_Return


@pytest.fixture
def quick(hands):
    """The list, open on the canvas."""
    hands.canvas.quick_add_at(QPointF(400, 420))
    return hands.canvas.quick


def test_it_says_what_it_will_build_and_builds_it_in_one_step(hands, quick):
    hands.type("y = (x + w) * (w + 1)")
    assert "y = a * b" in quick.preview.text()
    hands.key(ENTER)
    assert [line.split(" = ")[0] for line in hands.lines()] == ["x", "w", "a", "b", "y"]
    assert hands.document.undo_stack.count() == 1
    hands.document.undo_stack.undo()
    assert hands.document.is_empty


def test_the_preview_is_as_high_as_what_it_says_however_much_was_typed_before(course):
    course.canvas.quick_add_at(QPointF(400, 420))
    quick = course.canvas.quick
    heights = {}
    for typed in ("q = w * x", "q = w.sum(dim=0, keepdim=True)", "qqqqqqqqqq = w * x"):
        quick.field.clear()
        for letter in typed:
            QTest.keyClicks(quick.field, letter)
            process()
        assert not quick.preview.isHidden()
        assert not quick.hint.isHidden()
        heights[typed] = quick.preview.height()
    assert len(set(heights.values())) == 1


def test_methods_with_arguments_are_read_too(course):
    course.canvas.quick_add_at(QPointF(400, 420))
    course.type("s = y.sum(dim=0)")
    course.key(ENTER)
    assert course.lines()[-1] == "s = y.sum(dim=0)"


def test_several_lines_are_pasted(hands, quick):
    QApplication.clipboard().setText("u = x * 2\nv = u.exp()\nz = u + v")
    QTest.keyClick(quick.field, Qt.Key.Key_V, CTRL)
    process()
    hands.key(ENTER)
    assert hands.lines()[-3:] == ["u = x * 2", "v = u.exp()", "z = u + v"]
    assert hands.document.undo_stack.count() == 1


def test_what_cannot_be_read_is_said_at_the_field_which_stays(hands, quick):
    hands.type("y = (x +")
    hands.key(ENTER)
    assert quick.isVisible()
    assert quick.message.isVisible()
    assert quick.message.text()
    hands.type(" w)")
    assert not quick.message.isVisible()
    hands.key(ENTER)
    assert hands.lines()[-1] == "y = x + w"


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("3.5", "x = torch.tensor(3.5)"),
        ("3", "x = torch.tensor(3.0)"),
        ("[1, 2]", "x = torch.tensor([1., 2.])"),
        ("-2", "x = torch.tensor(-2.0)"),
        ("1/4", "x = torch.tensor(0.25)"),
    ],
)
def test_numbers_alone_are_a_leaf(hands, quick, typed, line):
    hands.type(typed)
    assert line.partition(" = ")[2] in quick.preview.text()
    hands.key(ENTER)
    assert not quick.isVisible()
    assert hands.lines()[-1].partition(" = ")[2] == line.partition(" = ")[2]


def test_a_text_alone_is_no_leaf_and_that_is_said(hands, quick):
    before = hands.lines()
    hands.type("'a' 'b.c'")
    hands.key(ENTER)
    assert quick.isVisible()
    assert quick.message.text()
    assert hands.lines() == before


def test_an_expression_that_is_not_complete_says_so_until_enter_says_why(hands, quick):
    hands.type("y = 2 *")
    assert quick.preview.text() == "No complete expression yet"
    hands.key(ENTER)
    assert "Python can't read this" in quick.message.text()
    assert not quick.preview.text()
    hands.type(" 3")
    assert "y = " in quick.preview.text()


PLACES = [("y = x + * w", "* w"), ("  y = (a + (b)", "(a + (b)"), ("foo(x) + 1", ""), ("y = 2 *", "")]


@pytest.mark.parametrize(("typed", "place"), PLACES)
def test_a_wrong_expression_is_said_in_red_with_its_place(hands, quick, typed, place):
    hands.type(typed)
    hands.key(ENTER)
    assert quick.message.isVisible()
    ink = theme.current().color("error_ink").name()
    assert quick.message.palette().windowText().color().name() == ink
    assert quick.field.property("wrong")  # which the style sheet draws with a red edge
    assert quick.message.text().partition(" Here: ")[2] == place
    assert quick.field.accessibleDescription() == quick.message.text()
    hands.type("1")
    assert not quick.message.isVisible()
    assert not quick.field.property("wrong")


@pytest.mark.parametrize("typed", ["1, 2, 3", "1 2 3", "1,2,3,"])
def test_numbers_as_a_field_of_values_takes_them_are_a_leaf(course, typed):
    course.canvas.setFocus()
    course.key(Qt.Key.Key_A)
    course.type(typed)
    course.key(Qt.Key.Key_Return)
    assert course.lines()[-1].endswith(" = torch.tensor([1., 2., 3.])")


def test_what_only_reads_says_so(course):
    course.canvas.setFocus()
    course.key(Qt.Key.Key_A)
    course.type("w.grad")
    course.key(Qt.Key.Key_Return)
    assert course.canvas.quick.message.text() == (
        "w.grad makes nothing new: it only reads what is there. Give it a name to keep it: g = w.grad"
    )
    course.type(" * 2")
    course.key(Qt.Key.Key_Return)
    assert course.lines()[-1].endswith("= w.grad * 2")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("fox(x)", "There is no operator fox."),
        ("sofmax(x)", "There is no operator sofmax. Near names: softmax"),
        ("y = w * torch.rellu(x)", "There is no operator torch.rellu. Near names: relu"),
        ("w.squrae()", "The method .squrae() of a tensor is not known here. Near names: square"),
    ],
)
def test_an_unknown_name_is_said_as_one_types(hands, typed, said):
    hands.canvas.quick_add_at(QPointF(400, 420))
    quick = hands.canvas.quick
    hands.type(typed)
    assert html.unescape(quick.preview.text()).startswith(said)
    hands.key(Qt.Key.Key_Return)
    assert quick.message.text().startswith(said)
    assert quick.isVisible()


def lies_near(hands, name, point):
    return hands.canvas.node_rect(name).adjusted(-40, -40, 40, 40).contains(point)


def test_an_expression_is_built_where_the_pointer_was(course):
    at = course.free(160, 560)
    course.canvas.quick_add_at(QPointF(at))
    course.type("z = x + 1")
    course.key(ENTER)
    course.document.finish()
    process()
    assert lies_near(course, "z", at)


def point(hands, at):
    """The pointer goes to a point of the canvas."""
    QCursor.setPos(hands.canvas.mapToGlobal(at))
    hands.move(at, buttons=Qt.MouseButton.NoButton)
    QApplication.sendEvent(hands.canvas, QEnterEvent(QPointF(at), QPointF(at), QPointF(at)))
    hands.canvas.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)


def build(hands, typed):
    hands.canvas.setFocus()
    hands.key(Qt.Key.Key_A)
    hands.type(typed)
    hands.key(ENTER)
    hands.document.finish()
    process()


def test_with_the_pointer_left_in_place_expressions_chain_to_the_right(course):
    at = course.free(160, 560)
    point(course, at)
    build(course, "p = y * 2")
    assert lies_near(course, "p", at)
    for typed in ("q = p + 1", "r = q / 2"):
        build(course, typed)
    assert course.rect("p").right() < course.rect("q").left()
    assert course.rect("q").right() < course.rect("r").left()
    elsewhere = course.free(90, 20)
    point(course, elsewhere)
    build(course, "s = r * r")
    assert lies_near(course, "s", elsewhere)


def test_pointed_at_a_card_an_expression_goes_beside_what_it_reads(course):
    point(course, course.centre("x"))
    build(course, "z = y + 1")
    assert course.rect("z").left() > course.rect("y").right()


def test_a_note_by_key_opens_at_the_pointer(course):
    at = course.free(160, 520)
    point(course, at)
    course.key(Qt.Key.Key_N)
    (note,) = course.board.notes.values()
    corner = course.canvas.to_view(QPointF(note.x, note.y))
    assert abs(corner.x() - at.x()) < 20
    assert abs(corner.y() - at.y()) < 20


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("y = 2x", "Products are written with *: 2 * x"),
        ("2x", "Products are written with *: 2 * x"),
        ("y = 3.5 exp(x)", "Products are written with *: 3.5 * exp(x)"),
        ("2(x + 1)", "Products are written with *: 2 * (x + 1)"),
        ("y = 1 2", "invalid syntax"),
        ("1 = x", "cannot assign to literal"),
        ("class = 3", "invalid syntax"),
        ("y = (x + 1))", "unmatched"),
        ("nn.ReLU()(x)", "torch.nn.ReLU is a module; modules are not offered here, the function torch.relu is."),
        ("nn.MSELoss()(x, w)", "the function F.mse_loss is."),
    ],
)
def test_what_can_never_be_an_expression_is_said_as_one_types(course, typed, said):
    course.canvas.quick_add_at(QPointF(400, 420))
    course.type(typed)
    assert said in html.unescape(course.canvas.quick.preview.text())
    before = course.lines()
    course.key(ENTER)
    assert course.lines() == before


@pytest.mark.parametrize(
    "whole",
    [
        "q = torch.sum(w, dim=0)",
        'q = F.mse_loss(w, x, reduction="mean")',
        "q = w == 1e-3",
        "for i in range(3): q = w * 2",
    ],
)
def test_what_is_on_its_way_to_a_line_is_not_said_to_be_wrong(course, whole):
    course.canvas.quick_add_at(QPointF(400, 420))
    for letter in whole:
        QTest.keyClicks(course.canvas.quick.field, letter)
        assert "Python" not in course.canvas.quick.preview.text(), course.canvas.quick.field.text()
    course.key(ENTER)
    assert course.lines()[-1].strip().startswith("q = ")


@pytest.mark.parametrize("typed", ["x > 0", "x>0", "x & w", "x % 2", "~m"])
def test_signs_make_expressions_without_a_name_for_the_result(course, typed):
    course.canvas.quick_add_at(QPointF(400, 420))
    course.type(typed)
    assert "Enter builds:" in course.canvas.quick.preview.text()


def test_it_says_in_which_block_lines_will_stand(course):
    course.canvas.quick_add_at(QPointF(400, 420))
    course.type("with torch.no_grad(): z = x * 2")
    said = html.unescape(course.canvas.quick.preview.text()).replace("\xa0", " ")
    assert "with torch.no_grad():<br>    z = x * 2" in said


@pytest.mark.parametrize("typed", ["q = x^2", "x^2"])
def test_a_caret_is_said_to_be_no_power(course, typed):
    course.canvas.quick_add_at(QPointF(400, 420))
    course.type(typed)
    assert "the power is **" in course.canvas.quick.preview.text()
    course.canvas.quick.field.clear()
    course.type("q = x**2")
    assert "the power is" not in course.canvas.quick.preview.text()


@pytest.mark.parametrize("typed", ["[", "slice", "getitem", "索引", "indexing"])
def test_brackets_stand_behind_the_tensor_and_what_is_in_them_is_typed_next(course, typed):
    course.click(course.header("a"))
    course.canvas.quick_add_at(QPointF(420, 300))
    course.type(typed)
    assert "indexing" in course.offered()
    while course.canvas.quick.rows.currentIndex().data(ENTRY).name != "indexing":
        course.key(Qt.Key.Key_Down)
    course.key(Qt.Key.Key_Return)
    assert course.canvas.quick.isVisible()
    assert course.canvas.quick.field.text() == "a[0]"
    course.type(":1")
    course.key(Qt.Key.Key_Return)
    assert course.lines()[-1].endswith("a[:1]")


def test_where_nothing_has_a_name_there_are_no_brackets(hands):
    hands.canvas.quick_add_at(QPointF(420, 300))
    hands.type("getitem")
    assert "indexing" not in hands.offered()
