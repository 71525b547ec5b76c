"""Somebody asks why a tensor has no gradient, is a leaf or none, requires grad, and whether a gradient is right."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton, QToolButton
from support.desk import choose, key, settle
from support.panels import child, click, id_of, lines, tensor
from support.sheets import COURSE

from chalkgrad_app import i18n
from chalkgrad_app.panels.difference_table import DifferenceTable


def menu_of() -> QMenu:
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def test_the_inspector_answers_and_mends(opened_at):
    window = opened_at(COURSE, "a")
    inspector = window.docks.inspector
    click(child(inspector, "inspector.askWhy"))
    assert "only leaves keep theirs" in child(inspector, "inspector.why").text()
    button = child(inspector, "inspector.remedy.0", QPushButton)
    assert button.text() == "a.retain_grad() before line 6"
    click(button)
    settle(window)
    assert lines(window.document)[5] == "a.retain_grad()"
    assert tensor(window.document, "a").grad.short == "[2.]"
    window.document.undo_stack.undo()
    settle(window)
    assert tensor(window.document, "a").grad is None


def test_why_not_a_leaf_is_asked_beside_the_fact(opened_at):
    window = opened_at(COURSE, "a")
    inspector = window.docks.inspector
    click(child(inspector, "inspector.askWhy.is_leaf"))
    assert "from w, which requires grad" in child(inspector, "inspector.why.is_leaf").text()
    click(child(inspector, "inspector.askWhy.requires_grad"))
    assert "One such input is enough" in child(inspector, "inspector.why.requires_grad").text()
    window.document.select([id_of(window.document, "x")])
    settle(window)
    assert inspector.findChildren(QLabel, "inspector.why.is_leaf") == []  # it was asked of another card
    click(child(inspector, "inspector.askWhy.is_leaf"))
    assert "makes x by hand" in child(inspector, "inspector.why.is_leaf").text()
    click(child(inspector, "inspector.askWhy.is_leaf"))
    assert inspector.findChildren(QLabel, "inspector.why.is_leaf") == []


def test_the_lines_spoken_of_are_lit(opened_at):
    window = opened_at(COURSE, "a")
    inspector = window.docks.inspector
    click(child(inspector, "inspector.askWhy.requires_grad"))
    child(inspector, "inspector.why.requires_gradAnswer").setFocus()
    settle()
    assert set(window.document.pointed_out.cards) == {id_of(window.document, "a"), id_of(window.document, "w")}
    window.canvas.setFocus()
    settle()
    assert not window.document.pointed_out.cards


def test_from_the_menu_bar_by_keys(opened_at):
    window = opened_at(COURSE.replace("y.backward()\n", ""), "w")
    choose(window, "steps", "reasons", "whyNone")
    menu = menu_of()
    assert menu.findChild(QLabel, "mendMenu.question").text() == "Why is w.grad None?"
    assert "No backward has run yet" in menu.findChild(QLabel, "mendMenu.answer").text()
    while menu.activeAction() is None or not menu.activeAction().objectName().startswith("mendMenu."):
        QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    settle(window)
    assert lines(window.document)[-1] == "y.backward()"
    assert tensor(window.document, "w").grad.short == "[5.]"


def test_from_the_menu_of_a_card(opened_at):
    window = opened_at(COURSE, "y")
    choose(window, "steps", "reasons", "whyLeaf")
    assert "MulBackward0" in menu_of().findChild(QLabel, "mendMenu.answer").text()
    assert id_of(window.document, "y") in window.document.pointed_out.cards
    QTest.keyClick(menu_of(), Qt.Key.Key_Escape)
    settle(window)
    assert not window.document.pointed_out.cards
    assert window.canvas.action("whyNone").isEnabled()
    window.document.select([id_of(window.document, "w")])
    settle(window)
    assert not window.canvas.action("whyNone").isEnabled(), "w has a gradient"


def test_in_the_past_the_answer_is_that_of_then(opened_at):
    window = opened_at(COURSE, "w")
    window.document.look_at_line(id_of(window.document, "y"))
    settle(window)
    click(child(window.docks.inspector, "inspector.askWhy"))
    assert "that of line 6 is yet to come" in child(window.docks.inspector, "inspector.why").text()


def table_of(window) -> DifferenceTable:
    for _ in range(200):
        settle()
        table = window.docks.inspector.findChild(DifferenceTable)
        if table is not None and table.found is not None:
            return table
        QTest.qWait(10)
    raise AssertionError("still working")


def test_finite_differences_stand_beside_a_gradient(opened_at):
    window = opened_at(COURSE, "w")
    click(child(window.docks.inspector, "inspector.showDifferences", QToolButton), QPoint(8, 6))
    table = table_of(window)
    assert table.text().startswith("w[0] 5 5 ✓\nThey agree")
    window.document.undo_stack.undo()
    window.document.select([id_of(window.document, "x")])
    settle(window)
    assert window.docks.inspector.findChild(DifferenceTable) is None
    window.document.select([id_of(window.document, "w")])
    assert table_of(window).found.rows


def test_finite_differences_of_a_result_and_a_kink(opened_at):
    text = "import torch\nw = torch.tensor([0., 2.], requires_grad=True)\ny = w.relu().sum()\n"
    window = opened_at(text + "g, = torch.autograd.grad(y, w)\n", "g")
    choose(window, "steps", "reasons", "differences")
    table = table_of(window)
    assert table.text().splitlines()[:2] == ["w[0] 0 0.5 kink", "w[1] 1 1 ✓"]
    assert "There is a kink here" in table.text()


def test_the_formula_of_differences_has_the_name_of_what_is_moved_and_letters_that_are_no_names(opened_at):
    text = "import torch\nh = torch.tensor(2., requires_grad=True)\nf = h * h\nf.backward()\n"
    window = opened_at(text, "h")
    choose(window, "steps", "reasons", "differences")
    table = table_of(window)
    assert child(table, "inspector.differenceFormula", QLabel).text().split(",")[0] == "(F(h + ε) - F(h - ε)) / 2ε"
    assert table.text().startswith("h 4 4 ✓")


def test_finite_differences_in_a_round_of_a_loop(opened_at):
    text = "import torch\nw = torch.tensor(3., requires_grad=True)\nfor i in range(3):\n    y = w * w * (i + 1)\n"
    window = opened_at(text + "    y.backward()\n", "w")
    window.docks.inspector.show_differences()
    assert table_of(window).text().startswith("w 36 36 ✓\nThey agree")
    choose(window, "steps", "previousLine")
    choose(window, "steps", "previousLine")
    settle(window)
    assert table_of(window).text().startswith("w 18 18 ✓\nThey agree")


def test_differences_can_be_cancelled(opened_at):
    text = "import torch\nw = torch.ones(30, requires_grad=True)\na = w * 1\n" + "a = a * 1\n" * 60
    window = opened_at(text + "y = a.sum()\ny.backward()\n", "w")
    window.docks.inspector.show_differences()
    while (table := window.docks.inspector.findChild(DifferenceTable)) is None:
        settle()
    click(child(table, "inspector.cancelDifferences"))
    assert table.text() == "Cancelled"
    QTest.qWait(50)
    assert table.found is None


def test_in_chinese(opened_at):
    window = opened_at(COURSE, "a")
    i18n.set_language("zh_CN")
    try:
        click(child(window.docks.inspector, "inspector.askWhy"))
        assert "中间节点" in child(window.docks.inspector, "inspector.why").text()
        key(window, Qt.Key.Key_Escape)
    finally:
        i18n.set_language("en")
