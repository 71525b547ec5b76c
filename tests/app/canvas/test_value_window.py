"""The window with a tensor's numbers: edited as a spreadsheet, pasted into, undone, looked at."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QSpinBox, QToolTip
from support.hands import CTRL, PLAIN, process
from support.monkey_checks import Complaints
from support.value_window import ENTER, ESC, TAB, V, cell, leaf, open_window, value

from chalkgrad.program import building, edits
from chalkgrad.program.statement import Array, Dtype, Kind, Ref, Statement
from chalkgrad_app import i18n
from chalkgrad_app.editors.value_window import ValueWindow
from chalkgrad_app.style import theme

SHIFT = Qt.KeyboardModifier.ShiftModifier


def type_cell(window, text, end=ENTER):
    QTest.keyClicks(window.grid, text[0])
    QTest.keyClicks(cell(window), text[1:])
    QTest.keyClick(cell(window), end)
    process()


def press(window, name):
    button = window.findChild(QAbstractButton, f"valueEditor.{name}")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    process()


def test_enter_on_a_matrix_opens_its_numbers(grid):
    window = open_window(grid)
    assert window.windowTitle() == "m"
    assert [[window.tensor.index(r, c).data() for c in range(2)] for r in range(2)] == [["1.", "2."], ["3.", "4."]]
    assert window.shape.text() == "(2, 2)"
    assert window.grid.hasFocus()


@pytest.mark.parametrize("language", list(i18n.LANGUAGES))
def test_what_leads_out_of_the_cells_is_said_in_full(grid, looks, language):
    i18n.set_language(language)
    window = open_window(grid)
    hint = window.findChild(QLabel, "valueEditor.hint")
    assert hint.height() >= hint.heightForWidth(hint.width()) > 0


def test_a_double_click_on_the_value_opens_them_too(grid):
    grid.double_click(grid.value("m"))
    assert grid.canvas.window().findChild(ValueWindow).isVisible()


def test_numbers_are_typed_as_in_a_spreadsheet_and_everything_follows_at_once(grid):
    window = open_window(grid)
    type_cell(window, "10")
    assert (window.grid.currentIndex().row(), window.grid.currentIndex().column()) == (1, 0)
    type_cell(window, "20", TAB)
    QTest.keyClick(cell(window) or window.grid, ESC)  # Tab opened the next cell
    process()
    assert value(grid) == [[10.0, 2.0], [20.0, 4.0]]
    assert value(grid, "s") == 36.0
    assert "m = torch.tensor([[10., 2.], [20., 4.]])" in grid.lines()
    window.close()
    assert grid.document.undo_stack.count() == 1
    grid.document.undo_stack.undo()
    assert value(grid) == [[1.0, 2.0], [3.0, 4.0]]


def test_what_is_no_number_is_said_at_the_cell_and_keeps_it_open(grid):
    window = open_window(grid)
    QTest.keyClicks(window.grid, "7")
    field = cell(window)
    QTest.keyClicks(field, "x")
    QTest.keyClick(field, ENTER)
    process()
    assert field.isVisible()
    assert field.accessibleDescription() == "7x is no number"
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    assert field.accessibleDescription() == ""
    QTest.keyClick(field, ENTER)
    assert value(grid)[0][0] == 7.0


def test_what_is_no_number_is_said_below_the_grid_too_until_it_is_given_up(grid):
    window = open_window(grid)
    QTest.keyClicks(window.grid, "1")
    QTest.keyClicks(cell(window), "/3x")
    QTest.keyClick(cell(window), ENTER)
    assert cell(window).isVisible()
    assert window.message.isVisible()
    assert "1/3" in window.message.text()
    QTest.keyClick(cell(window), ESC)
    process()
    assert cell(window) is None
    assert not window.message.isVisible()


def test_no_tool_tip_lies_over_what_is_said_and_those_of_a_wrong_cell_keep_their_colours(grid, qapp):
    def tips():
        return [top for top in qapp.topLevelWidgets() if top.inherits("QTipLabel") and top.isVisible()]

    window = open_window(grid)
    QTest.keyClicks(window.grid, "7")
    field = cell(window)
    QTest.keyClicks(field, "x")
    QTest.keyClick(field, ENTER)
    process()
    assert window.message.text() == "7x is no number"
    assert not tips()
    assert field.palette().color(QPalette.ColorRole.Text).name() == theme.current().color("error_ink").name()
    QToolTip.showText(field.mapToGlobal(field.rect().bottomLeft()), "7x", field)
    image = tips()[0].grab().toImage()
    seen = Counter(image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height()))
    assert theme.current().color("error_ink").name() not in seen
    QToolTip.hideText()


def test_infinities_and_full_width_digits_are_numbers(grid):
    window = open_window(grid)
    type_cell(window, "-inf")
    type_cell(window, "nan")
    assert window.tensor.index(0, 0).data() == "-inf"
    assert np.isnan(value(grid)[1][0])


def test_a_table_is_pasted_and_the_tensor_grows(grid):
    window = open_window(grid)
    QTest.keyClick(window.grid, Qt.Key.Key_Right)
    QApplication.clipboard().setText("5\t6\n7\t8\n9\t10\n")
    QTest.keyClick(window.grid, Qt.Key.Key_V, CTRL)
    process()
    assert value(grid) == [[1, 5, 6], [3, 7, 8], [0, 9, 10]]
    assert window.grid.area() == (0, 1, 3, 2)
    QTest.keyClick(window.grid, Qt.Key.Key_Z, CTRL)
    assert value(grid) == [[1, 2], [3, 4]]
    QTest.keyClick(window.grid, Qt.Key.Key_Y, CTRL)
    assert window.shape.text() == "(3, 3)"


@pytest.mark.parametrize(
    ("before", "pasted", "after"),
    [
        ((1.0,), "5\t6\n7\t8", [[5, 6], [7, 8]]),
        ((1.0, 2.0, 3.0), "5\n6", [[5, 2, 3], [6, 0, 0]]),
        (1.0, "5\t6", [5, 6]),
        (1.0, "tensor([[5.],\n        [6.]])", [[5], [6]]),
    ],
)
def test_a_vector_and_a_scalar_grow_to_what_is_pasted(course, before, pasted, after):
    leaf(course, before)
    window = open_window(course, key=V)
    QApplication.clipboard().setText(pasted)
    QTest.keyClick(window.grid, Qt.Key.Key_V, CTRL)
    process()
    assert value(course) == after
    QTest.keyClick(window.grid, Qt.Key.Key_Z, CTRL)
    assert value(course) == np.array(before).tolist()


@pytest.mark.parametrize(
    "text",
    [
        "tensor([[7., 8.]], requires_grad=True)",
        "array([[7., 8.]], dtype=float32)",
        "[[7, 8]]",
        "[[7. 8.]]",
        "[[7, 8],]",
    ],
)
def test_the_text_of_a_whole_tensor_becomes_the_value(course, text):
    leaf(course, ((1.0, 2.0, 3.0), (4.0, 5.0, 6.0), (7.0, 8.0, 9.0)))
    window = open_window(course)
    QTest.keyClick(window.grid, Qt.Key.Key_Down)
    QApplication.clipboard().setText(text)
    QTest.keyClick(window.grid, Qt.Key.Key_V, CTRL)
    process()
    assert value(course) == [[7, 8]]
    assert window.shape.text() == "(1, 2)"
    assert window.grid.area() == (0, 0, 1, 2)
    assert course.document.undo_stack.undoText() == "Change the value of m"
    QTest.keyClick(window.grid, Qt.Key.Key_Z, CTRL)
    assert value(course) == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    QTest.keyClick(window.grid, Qt.Key.Key_Y, CTRL)
    window.close()
    course.document.undo_stack.undo()
    course.document.finish()
    assert value(course) == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]


def test_one_number_or_a_part_fills_the_selection_as_in_a_spreadsheet(grid):
    window = open_window(grid)
    QTest.keyClick(window.grid, Qt.Key.Key_A, CTRL)
    QApplication.clipboard().setText("5")
    QTest.keyClick(window.grid, Qt.Key.Key_V, CTRL)
    assert value(grid) == [[5, 5], [5, 5]]
    QApplication.clipboard().setText("7\t8")
    QTest.keyClick(window.grid, Qt.Key.Key_A, CTRL)
    QTest.keyClick(window.grid, Qt.Key.Key_V, CTRL)
    assert value(grid) == [[7, 8], [7, 8]]


def test_cells_pasted_into_one_slice_let_all_slices_grow(course):
    leaf(course, (((1.0, 2.0),), ((3.0, 4.0),)))
    window = open_window(course)
    window.findChild(QSpinBox, "valueEditor.slice0").setValue(1)
    QTest.keyClick(window.grid, Qt.Key.Key_Right)
    QApplication.clipboard().setText("5\t6\n7\t8")
    QTest.keyClick(window.grid, Qt.Key.Key_V, CTRL)
    process()
    assert value(course) == [[[1, 2, 0], [0, 0, 0]], [[3, 5, 6], [0, 7, 8]]]
    assert window.findChild(QSpinBox, "valueEditor.slice0").value() == 1
    QTest.keyClick(window.grid, Qt.Key.Key_Z, CTRL)
    assert value(course) == [[[1, 2]], [[3, 4]]]


def test_a_table_pasted_while_a_cell_is_typed_in_goes_into_the_cells(grid):
    window = open_window(grid)
    QTest.keyClick(window.grid, Qt.Key.Key_9)
    process()
    QApplication.clipboard().setText("5\t6\n7\t8")
    QTest.keyClick(cell(window), Qt.Key.Key_V, CTRL)
    process()
    assert cell(window) is None
    assert value(grid) == [[5, 6], [7, 8]]
    QTest.keyClick(window.grid, Qt.Key.Key_F2)
    QApplication.clipboard().setText(" 3.5 ")
    QTest.keyClick(cell(window), Qt.Key.Key_A, CTRL)
    QTest.keyClick(cell(window), Qt.Key.Key_V, CTRL)
    QTest.keyClick(cell(window), ENTER)
    assert value(grid) == [[3.5, 6], [7, 8]]


def test_what_can_not_be_pasted_is_said_and_changes_nothing(grid):
    window = open_window(grid)
    QApplication.clipboard().setText("1 2\n3")
    QTest.keyClick(window.grid, Qt.Key.Key_V, CTRL)
    assert window.message.isVisible()
    assert window.message.text() == "Row 2 has length 1, the first has length 2"
    assert value(grid) == [[1, 2], [3, 4]]


def test_cells_are_copied_for_a_spreadsheet(grid):
    window = open_window(grid)
    QTest.keyClick(window.grid, Qt.Key.Key_A, CTRL)
    QTest.keyClick(window.grid, Qt.Key.Key_C, CTRL)
    assert QApplication.clipboard().text() == "1.\t2.\n3.\t4."


def test_rows_and_columns_come_and_go(grid):
    window = open_window(grid)
    press(window, "insertRow")
    assert value(grid) == [[1, 2], [0, 0], [3, 4]]
    press(window, "removeRows")
    press(window, "insertColumn")
    assert value(grid) == [[1, 0, 2], [3, 0, 4]]
    press(window, "removeColumns")
    press(window, "removeRows")
    press(window, "removeRows")
    assert window.message.text() == "One row and one column have to stay"
    assert value(grid) == [[1, 2]] or value(grid) == [[3, 4]]


def test_a_selection_is_filled_and_cleared(grid):
    window = open_window(grid)
    QTest.keyClick(window.grid, Qt.Key.Key_Down, SHIFT)
    QTest.keyClick(window.grid, Qt.Key.Key_D, CTRL)
    assert value(grid) in ([[1, 2], [1, 4]], [[3, 2], [3, 4]])
    QTest.keyClick(window.grid, Qt.Key.Key_Delete)
    assert value(grid) == [[0, 2], [0, 4]]


def test_one_cell_alone_is_no_selection_to_fill(grid):
    window = open_window(grid)
    press(window, "fill")
    assert value(grid) == [[1, 2], [3, 4]]
    assert "Select the cells to be filled" in window.message.text()
    QTest.keyClick(window.grid, Qt.Key.Key_A, CTRL)
    press(window, "fill")
    assert value(grid) == [[1, 1], [1, 1]]


def test_numbers_typed_one_after_the_other_fill_column_by_column_and_none_lands_on_another(grid):
    window = open_window(grid)
    for number in ("5", "6", "7", "8"):
        type_cell(window, number)
    assert value(grid) == [[5, 7], [6, 8]]
    assert (window.grid.currentIndex().row(), window.grid.currentIndex().column()) == (1, 1)


def test_tab_in_the_last_cell_ends_there(grid):
    window = open_window(grid)
    for number in ("5", "6", "7", "8"):
        QTest.keyClicks(cell(window) or window.grid, number)
        QTest.keyClick(cell(window), TAB)
        process()
    assert value(grid) == [[5, 6], [7, 8]]
    assert cell(window) is None
    assert (window.grid.currentIndex().row(), window.grid.currentIndex().column()) == (1, 1)
    QTest.keyClick(window.grid, Qt.Key.Key_Z, CTRL)
    assert value(grid) == [[5, 6], [7, 4]]


def test_escape_gives_up_what_is_typed_and_closing_keeps_what_was_edited(grid):
    window = open_window(grid)
    type_cell(window, "10")
    QTest.keyClicks(window.grid, "1")
    QTest.keyClicks(cell(window), "1")
    QTest.keyClick(cell(window), ESC)
    process()
    assert window.isVisible()
    QTest.keyClick(window.grid, ESC)
    process()
    assert not window.isVisible()
    assert value(grid) == [[10, 2], [3, 4]]
    grid.canvas.setFocus()
    assert grid.document.undo_stack.undoText() == "Change the value of m"
    grid.document.undo_stack.undo()
    assert value(grid) == [[1, 2], [3, 4]]
    grid.document.undo_stack.redo()
    assert value(grid) == [[10, 2], [3, 4]]


def test_escape_in_the_shape_field_gives_up_the_shape_that_is_typed(grid):
    window = open_window(grid)
    window.shape.setFocus()
    window.shape.selectAll()
    QTest.keyClicks(window.shape, "4")
    QTest.keyClick(window.shape, ESC)
    process()
    assert window.isVisible()
    assert window.shape.text() == "(2, 2)"
    QTest.keyClick(window.shape, ESC)
    process()
    assert not window.isVisible()
    assert value(grid) == [[1, 2], [3, 4]]


def test_ctrl_tab_leads_from_the_numbers_to_fields_and_buttons(grid):
    window = open_window(grid)
    seen = []
    for _ in range(12):
        QTest.keyClick(QApplication.focusWidget(), TAB, CTRL if window.grid.hasFocus() else PLAIN)
        process()
        seen.append(QApplication.focusWidget().objectName().removeprefix("valueEditor."))
    assert {"shape", "map", "insertRow", "removeColumns", "fill", "grid"} <= set(seen)


def test_ctrl_tab_keeps_what_is_typed_into_a_cell(grid):
    window = open_window(grid)
    QTest.keyClicks(window.grid, "7")
    QTest.keyClick(cell(window), TAB, CTRL)
    process()
    assert value(grid) == [[7.0, 2.0], [3.0, 4.0]]
    assert window.isAncestorOf(QApplication.focusWidget())
    assert QApplication.focusWidget() is not window.grid
    assert not window.grid.isAncestorOf(QApplication.focusWidget())


def test_undo_in_the_shape_field_takes_the_shape_back(grid):
    window = open_window(grid)
    window.shape.setFocus()
    window.shape.selectAll()
    QTest.keyClicks(window.shape, "4")
    QTest.keyClick(window.shape, Qt.Key.Key_Z, CTRL)
    assert window.shape.text() == "(2, 2)", "what is typed comes first"
    window.shape.selectAll()
    QTest.keyClicks(window.shape, "4")
    QTest.keyClick(window.shape, ENTER)
    assert value(grid) == [1, 2, 3, 4]
    QTest.keyClick(window.shape, Qt.Key.Key_Z, CTRL)
    assert window.shape.text() == "(2, 2)"
    assert value(grid) == [[1, 2], [3, 4]]
    QTest.keyClick(window.shape, Qt.Key.Key_Z, CTRL | SHIFT)
    assert value(grid) == [1, 2, 3, 4]


def test_what_is_wrong_with_a_shape_is_said_while_it_is_typed(grid, qtbot):
    window = open_window(grid)
    window.shape.selectAll()
    QTest.keyClicks(window.shape, "(3, -1)")
    qtbot.waitUntil(lambda: window.message.text() == "4 numbers can't be divided so")
    QTest.keyClick(window.shape, Qt.Key.Key_Backspace)
    assert not window.message.isVisible()
    assert value(grid) == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("100000,100000", "10,000,000,000 numbers are too many: at most 100,000 are made here"),
        ("9" * 40, "Too many numbers: at most 100,000 are made here"),
        ("9" * 5000, "Too many numbers: at most 100,000 are made here"),
        ("1," * 32 + "1", "At most 32 dimensions go here"),
        ("-1,x", "A shape is whole numbers from 1 on: 2, 3"),
        ("2,,2", "A shape is whole numbers from 1 on: 2, 3"),
        ("0,2", "A shape is whole numbers from 1 on: 2, 3"),
        ("-2,2", "A shape is whole numbers from 1 on: 2, 3"),
    ],
)
def test_a_shape_that_can_not_be_is_refused_at_its_field_as_it_is_typed_and_entered(grid, qtbot, typed, words):
    window = open_window(grid)
    window.shape.setFocus()
    window.shape.selectAll()
    with Complaints() as complaints:
        QApplication.clipboard().setText(typed[:-1])
        QTest.keyClick(window.shape, Qt.Key.Key_V, CTRL)
        QTest.keyClicks(window.shape, typed[-1])
        qtbot.waitUntil(lambda: window.message.text() == words)
        assert window.shape.accessibleDescription() == words
        QTest.keyClick(window.shape, ENTER)
        process()
    assert not complaints.found
    assert window.message.isVisible()
    assert value(grid) == [[1, 2], [3, 4]]


@pytest.mark.parametrize("typed", ["2 x", "4,-", "(", "2,", "-", "torch.S"])
def test_nothing_is_said_of_a_shape_that_is_only_begun(grid, qtbot, typed):
    window = open_window(grid)
    window.shape.setFocus()
    window.shape.selectAll()
    QTest.keyClicks(window.shape, typed)
    qtbot.waitUntil(lambda: not window._checking.isActive())
    assert not window.message.isVisible()
    assert not window.shape.accessibleDescription()


def test_numbers_pasted_far_from_each_other_are_refused_before_the_room_between_is_made(course):
    leaf(course, tuple(float(n) for n in range(2000)))
    window = open_window(course)
    QApplication.clipboard().setText("\n".join("1" for _ in range(2000)))
    QTest.keyClick(window.grid, Qt.Key.Key_V, CTRL)
    process()
    assert window.message.text() == "4,000,000 numbers are too many: at most 100,000 are made here"
    assert window.shape.text() == "(2000,)"


@pytest.mark.parametrize(
    ("typed", "number"), [("1/4", 0.25), ("2**3", 8.0), ("sqrt(16)", 4.0), ("-inf", float("-inf")), ("2*(1+1)", 4.0)]
)
def test_a_cell_takes_an_expression_of_numbers_and_complains_of_no_beginning(grid, typed, number):
    window = open_window(grid)
    QTest.keyClicks(window.grid, typed[0])
    for character in typed[1:]:
        assert cell(window).accessibleDescription() == ""
        QTest.keyClicks(cell(window), character)
    QTest.keyClick(cell(window), ENTER)
    process()
    assert value(grid)[0][0] == number


@pytest.mark.parametrize("typed", ["1/0", "9**9**9", "[1]", "1 2", "'1'"])
def test_an_expression_that_is_no_number_is_said_at_the_cell(grid, typed):
    window = open_window(grid)
    QTest.keyClick(window.grid, Qt.Key.Key_F2)
    cell(window).selectAll()
    QTest.keyClicks(cell(window), typed)
    QTest.keyClick(cell(window), ENTER)
    process()
    assert window.message.text() == f"{typed} is no number"
    assert value(grid)[0][0] == 1.0


def made(hands, call, *sizes):
    """A leaf ``r`` that a factory makes."""
    statement = Statement(0, Kind.LEAF, call, ("r",), sizes)
    hands.document.build(lambda sheet, at: building.append(sheet, statement, at), "r")
    hands.document.finish()
    process()


def test_that_an_edit_writes_many_numbers_in_place_of_a_factory_is_said_before(course):
    made(course, "zeros", 64, 512)
    window = open_window(course, "r", V)
    assert window.note.isVisible()
    assert window.note.text() == "An edit writes all 32,768 numbers into the line, in place of zeros."
    type_cell(window, "7")
    assert value(course, "r")[0][0] == 7.0
    assert not window.note.isVisible(), "they are written now"
    window.close()
    process()
    window = open_window(course, "r", V)
    assert not window.note.isVisible()


def test_more_numbers_than_a_line_should_hold_can_be_looked_at(course):
    made(course, "ones", 400, 300)
    window = open_window(course, "r", V)
    assert window.note.text() == (
        "Only to look at: an edit would write all 120,000 numbers that ones makes into the line. "
        "Up to 100,000 can be edited: give it a smaller size, or paste a tensor."
    )
    QTest.keyClicks(window.grid, "7")
    assert cell(window) is None
    assert window.message.text() == window.note.text()
    assert course.document.program[course.id("r")].call == "ones"


def test_few_numbers_that_a_factory_makes_are_edited_without_a_word(course):
    made(course, "ones", 2, 2)
    window = open_window(course, "r", V)
    assert not window.note.isVisible()
    type_cell(window, "7")
    assert value(course, "r") == [[7, 1], [1, 1]]


def test_keys_are_told_whole_in_a_small_window(grid):
    window = open_window(grid)
    assert window.hint.text().startswith("Ctrl+Z takes an edit back. Ctrl+Tab leaves the cells. Esc closes")
    assert window.hint.height() >= window.hint.heightForWidth(window.hint.width())
    last = window.tensor.index(1, 1)
    assert window.grid.viewport().rect().contains(window.grid.visualRect(last))
    window.shape.setFocus()
    window.shape.selectAll()
    QTest.keyClicks(window.shape, "100000,100000")
    QTest.keyClick(window.shape, ENTER)
    process()
    assert window.message.height() >= window.message.heightForWidth(window.message.width())
    assert window.grid.viewport().rect().contains(window.grid.visualRect(last)), "what is said has room of its own"


def test_the_shape_is_typed(grid):
    window = open_window(grid)
    window.shape.selectAll()
    QTest.keyClicks(window.shape, "4")
    QTest.keyClick(window.shape, ENTER)
    assert window.isVisible()
    assert value(grid) == [1, 2, 3, 4]
    window.shape.selectAll()
    QTest.keyClicks(window.shape, "2, z")
    QTest.keyClick(window.shape, ENTER)
    assert window.message.text() == "A shape is whole numbers from 1 on: 2, 3"
    assert value(grid) == [1, 2, 3, 4]


def test_slices_of_more_dimensions_are_chosen(course):
    leaf(course, tuple(((float(n), 1.0), (2.0, 3.0)) for n in range(3)))
    window = open_window(course)
    box = window.findChild(QSpinBox, "valueEditor.slice0")
    assert box.maximum() == 2
    assert box.text() == "0"
    assert [label.text() for label in window.slices.findChildren(QLabel)] == ["m[", ", :, :]"], "m[0, :, :]"
    assert box.toolTip() == "Index in dimension 0: 0 to 2"
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Up)
    QTest.keyClick(box, Qt.Key.Key_Up)
    assert window.tensor.index(0, 0).data() == "2."
    window.grid.setFocus()
    type_cell(window, "9")
    assert [plane[0][0] for plane in value(course)] == [0.0, 1.0, 9.0]


def test_whole_numbers_stay_whole_and_a_fraction_makes_floats(course):
    leaf(course, ((1, 2), (3, 4)))
    window = open_window(course)
    type_cell(window, "5")
    assert "m = torch.tensor([[5, 2], [3, 4]])" in course.lines()
    type_cell(window, "0.5")
    assert "m = torch.tensor([[5., 2.], [0.5, 4.]])" in course.lines()


def test_a_dtype_that_was_given_is_kept(course):
    leaf(course, ((1, 2), (3, 4)), ("dtype", Dtype("int32")))
    window = open_window(course)
    QTest.keyClicks(window.grid, "1")
    QTest.keyClicks(cell(window), ".5")
    QTest.keyClick(cell(window), ENTER)
    assert cell(window).accessibleDescription() == "int32 holds whole numbers"


def test_a_large_matrix_is_edited_in_place(course):
    id_ = leaf(course, Array.of(np.zeros((300, 400), np.float32)))
    window = open_window(course)
    window.grid.go_to(299, 399)
    type_cell(window, "5")
    operand = course.document.program[id_].operands[0]
    assert isinstance(operand, Array)
    assert operand.numpy()[299, 399] == 5.0
    assert value(course, "s") == 5.0


def test_a_result_is_looked_at_and_follows_what_it_is_made_of(grid):
    document = grid.document
    made = Statement(0, Kind.OP, "mul", ("d",), (Ref(grid.id("m")), 2.0), (), "operator")
    document.build(lambda sheet, at: building.append(sheet, made, at), "d")
    document.finish()
    window = open_window(grid, "d", V)
    assert [window.tensor.index(0, c).data() for c in range(2)] == ["2.", "4."]
    QTest.keyClicks(window.grid, "7")
    assert cell(window) is None
    assert window.message.text() == "These numbers are computed. Those of leaves can be changed."
    assert not window.findChild(QAbstractButton, "valueEditor.fill").isVisible()
    changed = replace(document.program[grid.id("m")], operands=(((5.0, 6.0),),))
    document.do(edits.put(document.program, changed), "edit")
    document.finish()
    process()
    assert window.shape.text() == "(1, 2)"
    assert window.tensor.index(0, 0).data() == "10."


def test_the_map_greys_cells_by_size_and_nan_has_no_grey(course):
    leaf(course, ((1.0, 2.0), (3.0, float("nan"))))
    window = open_window(course)
    press(window, "map")
    model = window.tensor
    greys = [model.index(r, c).data(Qt.ItemDataRole.BackgroundRole) for r, c in ((0, 0), (0, 1), (1, 0), (1, 1))]
    assert greys[0].lightnessF() < greys[1].lightnessF() < greys[2].lightnessF()
    assert greys[3] is None


def test_the_window_closes_with_its_tensor(grid):
    window = open_window(grid)
    grid.document.delete([grid.id("m")])
    assert not window.isVisible()


def test_a_long_number_is_rounded_to_see_and_whole_to_edit(course):
    leaf(course, ((0.123456789, 2.0), (3.0, 4.0)))
    window = open_window(course)
    assert window.tensor.index(0, 0).data() == "0.12346"
    QTest.keyClick(window.grid, Qt.Key.Key_F2)
    assert cell(window).text() == "0.12345679"
    QTest.keyClick(cell(window), ENTER)
    assert course.document.undo_stack.count() == 0


def test_points_of_a_column_stand_below_each_other(course):
    leaf(course, ((-1.1258398, 2.0), (0.3499832, -13.5), (3.0918283, 0.25), (float("nan"), 1.0)))
    window = open_window(course)
    columns = [[window.tensor.index(row, column).data() for row in range(4)] for column in range(2)]
    assert columns == [["-1.12584", "0.34998", "3.09183", "nan"], ["2.00", "-13.50", "0.25", "1.00"]]


def test_what_the_decimals_of_a_column_would_hide_is_told_all_the_same(course):
    leaf(course, ((1.2345678, 1e9), (3.2e-7, 1.0)))
    window = open_window(course)
    assert window.tensor.index(1, 0).data() == "3.2e-07"
    assert [window.tensor.index(row, 1).data() for row in range(2)] == ["1e+09", "1."]


@pytest.mark.parametrize("text", ["7", "1", "-"])
def test_ctrl_enter_in_a_cell_keeps_what_was_typed_and_closes(grid, text):
    window = open_window(grid)
    with Complaints() as complaints:
        QTest.keyClicks(window.grid, text)
        QTest.keyClick(cell(window), ENTER, CTRL)
        process()
        process()
    assert not complaints.found
    is_number = text != "-"
    assert window.isVisible() is not is_number
    assert value(grid) == [[float(text) if is_number else 1.0, 2.0], [3.0, 4.0]]
    window.close()


def test_from_a_cell_enter_goes_one_row_and_a_click_where_it_points(course):
    leaf(course, tuple((float(row), 0.0) for row in range(6)))
    window = open_window(course)
    with Complaints() as complaints:
        rows = []
        for keys in (PLAIN, PLAIN, SHIFT):
            QTest.keyClicks(window.grid, "9")
            QTest.keyClick(cell(window), ENTER, keys)
            process()
            rows.append(window.grid.currentIndex().row())
        QTest.keyClicks(window.grid, "8")
        there = window.grid.visualRect(window.tensor.index(3, 1)).center()
        QTest.mouseClick(window.grid.viewport(), Qt.MouseButton.LeftButton, pos=there)
        process()
    assert rows == [1, 2, 1]
    assert (window.grid.currentIndex().row(), window.grid.currentIndex().column()) == (3, 1)
    assert [row[0] for row in value(course)] == [9.0, 8.0, 9.0, 3.0, 4.0, 5.0]
    assert not [words for words in complaints.found if "editor" in words]
    window.close()


@pytest.mark.parametrize(
    "text", ["torch.tensor([[5., 6.]], requires_grad=True)", "tensor([[5., 6.]],\n  requires_grad = True)"]
)
def test_requires_grad_is_pasted_with_the_numbers_in_one_step(grid, text):
    window = open_window(grid)
    QApplication.clipboard().setText(text)
    QTest.keyClick(window.grid, Qt.Key.Key_V, CTRL)
    process()
    assert "m = torch.tensor([[5., 6.]], requires_grad=True)" in grid.lines()
    QTest.keyClick(window.grid, Qt.Key.Key_Z, CTRL)
    process()
    assert "m = torch.tensor([[1., 2.], [3., 4.]])" in grid.lines()
    QTest.keyClick(window.grid, Qt.Key.Key_Y, CTRL)
    process()
    window.close()
    assert "m = torch.tensor([[5., 6.]], requires_grad=True)" in grid.lines()
    assert grid.document.undo_stack.count() == 1
    grid.document.undo_stack.undo()
    assert "m = torch.tensor([[1., 2.], [3., 4.]])" in grid.lines()


def test_what_says_nothing_of_requires_grad_leaves_it(course):
    leaf(course, ((1.0, 2.0), (3.0, 4.0)), ("requires_grad", True))
    window = open_window(course)
    for text, line in (
        ("tensor([[7., 8.]])", "m = torch.tensor([[7., 8.]], requires_grad=True)"),
        ("torch.tensor([[7., 8.]], requires_grad=False)", "m = torch.tensor([[7., 8.]])"),
    ):
        QApplication.clipboard().setText(text)
        QTest.keyClick(window.grid, Qt.Key.Key_V, CTRL)
        process()
        assert line in course.lines()
    window.close()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("torch.tensor([[5., 6.]], dtype=torch.float64)", "m = torch.tensor([[5., 6.]], dtype=torch.float64)"),
        ("tensor([[5., 6.]], dtype=torch.double,\n requires_grad=True)", None),
        ("torch.tensor([[5, 6]], dtype=torch.int64)", "m = torch.tensor([[5, 6]], dtype=torch.int64)"),
        ("torch.tensor([[5, 6]], dtype=torch.int32)", "m = torch.tensor([[5, 6]], dtype=torch.int32)"),
        ("torch.tensor([[1., 2.], [3., 4.]], dtype=torch.float64)", None),
        ("array([[5., 6.]], dtype=float32)", "m = torch.tensor([[5., 6.]], dtype=torch.float32)"),
    ],
)
def test_dtype_is_pasted_with_the_numbers_in_one_step(grid, text, line):
    window = open_window(grid)
    QApplication.clipboard().setText(text)
    QTest.keyClick(window.grid, Qt.Key.Key_V, CTRL)
    process()
    shown = next(found for found in grid.lines() if found.startswith("m = "))
    assert shown == line if line else "dtype=torch.float64" in shown
    QTest.keyClick(window.grid, Qt.Key.Key_Z, CTRL)
    process()
    assert "m = torch.tensor([[1., 2.], [3., 4.]])" in grid.lines()
    window.close()


def test_a_pasted_dtype_takes_the_place_of_another_and_keeps_numbers_whole(course):
    leaf(course, ((1.0, 2.0), (3.0, 4.0)), ("dtype", Dtype("float64")))
    window = open_window(course)
    QApplication.clipboard().setText("torch.tensor([[5, 6]], dtype=torch.int32)")
    QTest.keyClick(window.grid, Qt.Key.Key_V, CTRL)
    process()
    assert "m = torch.tensor([[5, 6]], dtype=torch.int32)" in course.lines()
    QTest.keyClick(window.grid, Qt.Key.Key_Home, CTRL)
    type_cell(window, "1.5")
    assert window.message.isVisible()
    assert "m = torch.tensor([[5, 6]], dtype=torch.int32)" in course.lines()
    window.close()
