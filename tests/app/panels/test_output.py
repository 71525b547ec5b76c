"""The printed texts, and the list of problems."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from support.panels import CTRL, LEFT, PLAIN, clipboard, id_of, press, settle

from chalkgrad_app import steps
from chalkgrad_app.panels.output import OutputPanel
from chalkgrad_app.panels.problems import ProblemsPanel

PROGRAM = """w = torch.tensor([1.], requires_grad=True)
print("first", w)
y = w * 2
y.backward()
print(torch.zeros(2, 2))
print(w.grad)
"""
PRINTED = "first tensor([1.], requires_grad=True)\ntensor([[0., 0.],\n        [0., 0.]])\ntensor([2.])"


def click_text(panel, row):
    block = panel.view.document().findBlockByNumber(row)
    rect = panel.view.blockBoundingGeometry(block).translated(panel.view.contentOffset())
    QTest.mouseClick(panel.view.viewport(), LEFT, PLAIN, rect.toRect().center())
    settle()


def test_printed_texts_stand_under_each_other(from_text, show):
    panel = show(OutputPanel(from_text(PROGRAM)), 440, 170)
    assert panel.text() == PRINTED


def test_a_click_goes_to_the_line_that_printed_it(from_text, show):
    document = from_text(PROGRAM)
    panel = show(OutputPanel(document), 440, 170)
    prints = [statement.id for statement in document.program if statement.call == "print"]
    for row, id_ in ((0, prints[0]), (2, prints[1]), (3, prints[2])):
        click_text(panel, row)
        assert document.selection == {id_}
    assert len(panel.view.extraSelections()) == 1
    document.select([prints[1]])
    settle()
    assert len(panel.view.extraSelections()) == 2


def test_the_past_has_printed_less(from_text, show):
    document = from_text(PROGRAM)
    panel = show(OutputPanel(document), 440, 170)
    document.look_at_line(id_of(document, "y"))
    settle()
    assert panel.text() == PRINTED.split("\n")[0]
    document.back_to_now()
    settle()
    assert panel.text() == PRINTED


def test_all_of_it_or_what_is_chosen_is_copied(from_text, show):
    panel = show(OutputPanel(from_text(PROGRAM)), 440, 170)
    press(panel.view, Qt.Key.Key_C, CTRL)
    assert clipboard() == PRINTED
    QTest.keyClick(panel.view, Qt.Key.Key_Home, CTRL)
    QTest.keyClick(panel.view, Qt.Key.Key_End, Qt.KeyboardModifier.ShiftModifier)
    press(panel.view, Qt.Key.Key_C, CTRL)
    assert clipboard() == PRINTED.split("\n")[0]


# ------------------------------------------------------------ problems


def broken(document):
    for _ in range(2):
        steps.run(document, steps.backward)
    document.finish()
    settle()


def test_a_problem_has_its_message_and_what_led_to_it(document, show):
    panel = show(ProblemsPanel(document), 440, 170)
    counts = []
    panel.counted.connect(lambda *numbers: counts.append(numbers))
    broken(document)
    headline, plain = panel.text().split("\n")
    assert headline.startswith("line 7  RuntimeError: Trying to backward through the graph a second time")
    assert "Line 6 ran backward through it and freed them on the way" in plain
    assert counts == [(1, 1)]
    document.undo_stack.undo()
    document.finish()
    assert counts[-1] == (0, 0)


def test_the_plain_sentence_is_in_the_readers_language_and_the_message_is_not(document, show, chinese):
    panel = show(ProblemsPanel(document), 440, 170)
    broken(document)
    headline, plain = panel.text().split("\n")
    assert "RuntimeError: Trying to backward" in headline
    assert any("\u4e00" <= letter <= "\u9fff" for letter in plain)


def test_a_click_goes_to_the_statement(document, show):
    panel = show(ProblemsPanel(document), 440, 170)
    chosen = []
    panel.chosen.connect(chosen.append)
    broken(document)
    rect = panel.list.visualItemRect(panel.list.item(0))
    QTest.mouseClick(panel.list.viewport(), LEFT, PLAIN, rect.center())
    assert chosen == [document.program.order[-1]]
    assert document.selection == {document.program.order[-1]}
    press(panel.list, Qt.Key.Key_C, CTRL)
    assert clipboard() == panel.text()


def test_the_count_is_told_while_the_list_is_hidden(document, show):
    panel = ProblemsPanel(document)
    counts = []
    panel.counted.connect(lambda *numbers: counts.append(numbers))
    broken(document)
    assert counts == [(1, 1)]
    assert panel.list.count() == 0
    show(panel, 440, 170)
    assert panel.list.count() == 1


def test_warnings_are_listed_too(document, show):
    panel = show(ProblemsPanel(document), 440, 170)
    document.select([id_of(document, "y")])
    steps.run(document, steps.print_grad)
    document.finish()
    settle()
    assert panel.text().startswith("line 6  UserWarning: The .grad attribute of a Tensor that is not a leaf")


def test_errors_stand_before_the_warnings_of_earlier_lines(document, show):
    panel = ProblemsPanel(document)
    counts = []
    panel.counted.connect(lambda *numbers: counts.append(numbers))
    show(panel, 440, 170)
    document.select([id_of(document, "y")])
    steps.run(document, steps.print_grad)
    broken(document)
    rows = [panel.list.item(row).text() for row in range(panel.list.count())]
    assert [row.split()[2] for row in rows] == ["RuntimeError:", "UserWarning:"]
    assert counts[-1] == (2, 1)


def test_rows_are_high_enough_for_their_text(document, show):
    panel = show(ProblemsPanel(document), 440, 170)
    broken(document)
    narrow = panel.list.visualItemRect(panel.list.item(0)).height()
    panel.resize(1200, 170)
    settle()
    assert panel.list.visualItemRect(panel.list.item(0)).height() < narrow


def test_a_long_message_is_whole_however_little_room_there_is_and_nothing_moves_when_it_is_chosen(document, show):
    panel = show(ProblemsPanel(document), 440, 130)
    broken(document)
    item, view = panel.list.item(0), panel.list
    rect = view.visualItemRect(item)
    room = QRect(0, 0, view.viewport().width() - 60, 10_000)
    texts = item.text().split("\n")
    wraps = Qt.TextFlag.TextWordWrap
    assert rect.height() >= sum(view.fontMetrics().boundingRect(room, wraps, text).height() for text in texts)
    assert view.verticalScrollBar().maximum() >= rect.height() - view.viewport().height() > 0
    QTest.mouseClick(view.viewport(), LEFT, PLAIN, rect.center())
    settle()
    assert view.visualItemRect(item).size() == rect.size()
