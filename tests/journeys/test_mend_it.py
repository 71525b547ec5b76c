"""An error is explained with the names of the program, and mended by one press: by keys, by the band, by the card."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton
from support.desk import settle
from support.panels import lines

from chalkgrad_app import i18n

TWICE = """import torch
w = torch.tensor(2., requires_grad=True)
y = w * w
y.backward()
y.backward()
"""


def menu_of(window):
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert menu.objectName() == "mendMenu"
    return menu


def entries(menu):
    return [entry.text() for entry in menu.actions() if entry.objectName().startswith("mendMenu.")]


def test_by_keyboard_alone(window, open_text):
    document = open_text(TWICE)
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    menu = menu_of(window)
    story = menu.findChild(QLabel, "mendMenu.story").text()
    assert "Line 2 computed y" in story
    assert "Line 3 ran backward through it and freed them" in story
    assert menu.findChild(QLabel, "mendMenu.message").text().startswith("line 4  RuntimeError: Trying to backward")
    assert entries(menu) == ["retain_graph=True in line 3", "Run forward again before line 4", "Take line 4 out"]
    QTest.keyClick(menu, Qt.Key.Key_Down)
    while menu.activeAction() is None or not menu.activeAction().objectName().startswith("mendMenu."):
        QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    settle(window)
    assert lines(document)[2] == "y.backward(retain_graph=True)"
    assert not document.state.problems
    assert document.undo_stack.undoText() == "retain_graph=True in line 3"
    document.undo_stack.undo()
    settle(window)
    assert [problem.statement for problem in document.state.problems] == [document.program.order[-1]]


def test_from_the_band_in_chinese(window, open_text):
    i18n.set_language("zh_CN")
    try:
        document = open_text(TWICE)
        button = window.area.stop_band.findChild(QPushButton, "stopBand.mend")
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        menu = menu_of(window)
        assert entries(menu)[0] == "第 3 行加上 retain_graph=True"
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(menu.actions()[-1]).center())
        settle(window)
        assert len(lines(document)) == 3
    finally:
        i18n.set_language("en")


def test_buttons_in_the_inspector(window, open_text):
    document = open_text(TWICE)
    document.select([document.program.order[-1]])
    settle(window)
    buttons = window.docks.inspector.findChildren(QPushButton)
    wanted = next(button for button in buttons if button.text() == "Run forward again before line 4")
    QTest.mouseClick(wanted, Qt.MouseButton.LeftButton)
    settle(window)
    assert not document.state.problems
    assert document.state.tensor(document.program.named("w").statement).grad.short == "8."


def test_a_remedy_of_a_line_that_was_just_deleted_is_refused(window, open_text):
    document = open_text("import torch\na = torch.tensor(1)\na.requires_grad_()\n")
    line = document.program.order[-1]
    document.select([line])
    settle(window)
    buttons = window.docks.inspector.findChildren(QPushButton)
    wanted = next(button for button in buttons if button.objectName().startswith("inspector.remedy"))
    told = []
    document.told.connect(told.append)
    document.delete([document.program.order[0], line])
    QTest.mouseClick(wanted, Qt.MouseButton.LeftButton)
    assert told[-1:] == ["The program has changed: this no longer applies"]
    assert not document.program.order


def test_a_card_that_a_remedy_adds_comes_into_view(window, open_text):
    many = "".join(f"v{n} = w * {n}\n" for n in range(12))
    document = open_text(f"import torch\nw = torch.tensor([2., 3.], requires_grad=True)\n{many}v11.backward()\n")
    canvas = window.canvas
    canvas.set_zoom_percent(200)
    canvas.ensure_visible([document.program.named("w").statement])
    document.select([document.program.order[-1]])
    settle(window)
    known = set(document.program.order)
    buttons = window.docks.inspector.findChildren(QPushButton)
    QTest.mouseClick(next(button for button in buttons if "sum()" in button.text()), Qt.MouseButton.LeftButton)
    added = next(id_ for id_ in document.program.order if id_ not in known and id_ in canvas.picture.index)
    settle(window)
    assert canvas.scene_rect().intersects(canvas.picture.rect_of(added))


def test_without_an_error_there_is_nothing_to_mend(window, open_text):
    open_text("import torch\nw = torch.tensor(2., requires_grad=True)\n")
    assert not window.actions_by_id["mend"].isEnabled()
