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
    QTest.keyClick(menu, Qt.Key.Key_Return)
    settle(window)
    assert lines(document)[2] == "y.backward(retain_graph=True)"
    assert not document.state.problems
    assert document.undo_stack.undoText() == "retain_graph=True in line 3"
    document.undo_stack.undo()
    settle(window)
    assert [problem.statement for problem in document.state.problems] == [document.program.order[-1]]


def test_return_takes_the_first_way_and_the_words_are_no_stop(window, open_text):
    document = open_text(TWICE)
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    menu = menu_of(window)
    seen = [menu.activeAction().text()]
    for way in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Down):
        QTest.keyClick(menu, way)
        seen.append(menu.activeAction().text())
    first, *others = entries(menu)
    assert seen == [first, *others, first, others[-1], first]
    QTest.keyClick(menu, Qt.Key.Key_Return)
    settle(window)
    assert document.undo_stack.undoText() == first


def test_what_pytorch_proposes_for_a_view_made_unrecorded_mends_it(window, open_text):
    document = open_text(
        "import torch\nw = torch.tensor([1., 2.], requires_grad=True)\nwith torch.no_grad():\n    v = w[0]\nv.mul_(3)\n"
    )
    view, failed = document.program.named("v").statement, document.program.order[-1]
    assert window.canvas.picture.face(view).at_fault
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    menu = menu_of(window)
    assert entries(menu) == ["Put line 3 under torch.no_grad()", "Out-of-place in line 3: mul; w unchanged"]
    QTest.keyClick(menu, Qt.Key.Key_Return)
    settle(window)
    assert not document.state.problems
    assert document.program[failed].block is not None
    assert document.state.names["w"].short == "[3., 2.]"


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


def is_whole(widget):
    """True for a widget that is seen from top to bottom."""
    return widget.isVisible() and widget.visibleRegion().boundingRect().height() == widget.height()


def test_a_click_on_the_problem_in_a_small_window_shows_what_led_to_it_and_how_to_mend_it(window, open_text):
    window.resize(1280, 800)
    document = open_text(TWICE)
    docks = window.docks
    docks.show_panel("problems")
    settle(window)
    rows = docks.problems.list
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=rows.visualItemRect(rows.item(0)).center())
    settle(window)
    inspector = docks.inspector
    assert is_whole(inspector.findChild(QLabel, "inspector.story"))
    assert is_whole(inspector.findChild(QPushButton, "inspector.remedy.0"))
    message = inspector.findChild(QLabel, "inspector.problem")
    assert message.height() <= 3 * message.fontMetrics().height(), "Problems has all of it"
    assert message.toolTip() == document.state.problems[0].printed
    assert "Line 3 ran backward through it and freed them" in docks.problems.text()


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


def choose_entry(window, text):
    """Open the menu of the first error by keys and click one of its ways to mend it."""
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    menu = menu_of(window)
    wanted = next(entry for entry in menu.actions() if entry.text() == text)
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(wanted).center())
    settle(window)


def test_a_leaf_that_an_update_lost_is_kept_from_then_on(window, open_text):
    document = open_text(
        "import torch\nw = torch.tensor([1., 2.], requires_grad=True)\nfor i in range(3):\n    y = (w * w).sum()\n"
        "    y.backward()\n    w = w - 0.1 * w.grad\n"
    )
    assert document.state.problems
    choose_entry(window, "Write into the leaf w in line 4, 7, 10, under torch.no_grad()")
    assert not document.state.problems
    assert document.state.names["w"].is_leaf
    assert document.state.names["w"].version == 3
    assert document.undo_stack.undoText().startswith("Write into the leaf w")
    document.undo_stack.undo()
    settle(window)
    assert document.state.problems


def test_what_was_overwritten_by_way_of_a_view_keeps_its_values(window, open_text):
    document = open_text(
        "import torch\nw = torch.tensor([1., 2.], requires_grad=True)\ny = w.exp()\nv = y[0]\nv.zero_()\n"
        "z = y.sum()\nz.backward()\n"
    )
    before = document.state.names["y"].short
    choose_entry(window, "y = y.clone() before line 3")
    assert not document.state.problems
    assert document.state.names["y"].short == before
    assert document.state.names["w"].grad.short == "[0.0000, 7.3891]"


def test_a_flag_switched_off_is_taken_out(window, open_text):
    document = open_text(
        "import torch\nw = torch.tensor([1., 2.], requires_grad=True)\nw.requires_grad_(False)\ny = w.sum()\n"
        "y.backward()\n"
    )
    choose_entry(window, "Take line 2 out")
    assert not document.state.problems
    assert document.state.names["w"].grad.short == "[1., 1.]"
