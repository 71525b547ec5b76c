"""The second derivative, from the empty window: a gradient that is recorded, watched, built on, compared."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QMenu
from support.desk import CTRL, LEFT, PLAIN, choose, key, lines, press, settle, tensor

from chalkgrad_app.picture.node_arrays import NODE

ALT = Qt.KeyboardModifier.AltModifier


def build(window, expression):
    """Type an expression into quick-add."""
    window.canvas.setFocus()
    key(window, Qt.Key.Key_A)
    QTest.keyClicks(window.focusWidget(), expression)
    key(window, Qt.Key.Key_Return)
    settle(window)


def click(window, name):
    rect = window.canvas.node_rect(name)
    at = QPoint(rect.right() - 30, rect.top() + round(14 * window.canvas.viewport.scale))
    QTest.mouseClick(window.canvas, LEFT, PLAIN, at)
    settle(window)


def node_point(window, number):
    return window.canvas.viewport.rect_to_view(window.canvas.nodes.rect((NODE, number))).center().toPoint()


def recorded(window):
    """Press backward with create_graph on a cube."""
    build(window, "y = w ** 3")
    click(window, "y")
    box = window.findChild(QCheckBox, "autograd.create_graph")
    QTest.mouseClick(box, LEFT, PLAIN, QPoint(8, box.height() // 2))
    press(window, "autograd.backward")
    settle(window)


def test_a_gradient_that_is_recorded_and_built_on(window):
    recorded(window)
    assert lines(window)[-1] == "y.backward(create_graph=True)"
    (band,) = window.canvas.picture.gradients.bands
    assert (band.order, band.count) == (1, 4)
    start = window.canvas.port_pos("w", "grad")
    window.canvas.fit_all()
    settle(window)
    start = window.canvas.port_pos("w", "grad")
    window.canvas.setFocus()
    QTest.mousePress(window.canvas, LEFT, PLAIN, start)
    free = QPoint(window.canvas.width() - 60, 40)
    QTest.mouseMove(window.canvas, (start + free) / 2)
    QTest.mouseMove(window.canvas, free)
    QTest.mouseRelease(window.canvas, LEFT, PLAIN, free)
    settle(window)
    QTest.keyClicks(window.focusWidget(), "sum")
    key(window, Qt.Key.Key_Return)
    key(window, Qt.Key.Key_Escape)
    settle(window)
    assert lines(window)[-1].endswith("= w.grad.sum()")
    key(window, Qt.Key.Key_B, CTRL)
    settle(window)
    assert tensor(window, "w").grad.short == "[9.]"  # 3 w^2 = 3, and 6 w = 6 added in place
    assert [band.order for band in window.canvas.picture.gradients.bands] == [1]


def test_nodes_appear_one_after_the_other_and_go_back(window):
    recorded(window)
    layer = window.canvas.picture.gradients
    window.canvas.setFocus()
    seen = [int((~layer.to_come).sum())]
    while window.document.state.line == window.document.program.order[-1]:
        key(window, Qt.Key.Key_Left, ALT)
        count = int((~window.canvas.picture.gradients.to_come).sum())
        if count != seen[-1]:
            seen.append(count)
        if window.document.cursor == 1:
            break
    assert seen == [4, 3, 2, 1, 0]
    key(window, Qt.Key.Key_End)
    assert not window.canvas.picture.gradients.to_come.any()


def test_a_node_is_read_in_the_inspector_and_explained(window, qtbot):
    recorded(window)
    window.canvas.fit_all()
    settle(window)
    number = window.canvas.picture.gradients.nodes[2].number
    QTest.mouseClick(window.canvas, LEFT, PLAIN, node_point(window, number))
    settle(window)
    assert "1st derivative" in window.docks.inspector.text()
    assert "MulBackward0" in window.docks.inspector.text()
    window.canvas.setFocus()
    key(window, Qt.Key.Key_Y)
    qtbot.waitUntil(lambda: "dy/dw" in window.docks.why.text())


def test_the_options_side_by_side_from_the_menu_and_from_the_panel(window, qtbot):
    recorded(window)
    choose(window, "steps", "compareGraphs")
    qtbot.waitUntil(lambda: bool(window.showing.compare.text()))
    code = window.showing.compare.findChild(QLabel, "compare.create_graph.code")
    assert code.text() == "y.backward(create_graph=True)"
    key(window.showing.compare, Qt.Key.Key_Escape)
    assert not window.showing.compare.isVisible()
    press(window, "autograd.compareGraphs")
    assert window.showing.compare.isVisible()
    window.showing.compare.close()


def test_the_menu_of_a_backward_line_offers_them(window):
    recorded(window)
    view = window.docks.program.list
    row = next(row for row in range(view.model().rowCount()) if "backward" in view.model().index(row, 0).data())
    at = view.visualRect(view.model().index(row, 0)).center()
    QTest.mouseClick(view.viewport(), LEFT, PLAIN, at)
    view.customContextMenuRequested.emit(at)
    menu = window.findChild(QMenu, "program.menu")
    action = next(action for action in menu.actions() if action.objectName() == "program.menu.compare")
    assert action.isEnabled()
    action.trigger()
    settle(window)
    assert window.showing.compare.isVisible()
    window.showing.compare.close()


def test_the_layer_is_left_out_when_asked(window):
    recorded(window)
    choose(window, "show", "gradientGraphs", "showGraphs")
    settle(window)
    assert not window.canvas.picture.gradients.bands
    assert not window.canvas.hit(QPointF(window.canvas.rect().bottomLeft()) + QPointF(40, -40))
    choose(window, "show", "gradientGraphs", "showGraphs")
    assert window.canvas.picture.gradients.bands


def test_an_example_that_is_opened_shows_all_of_its_graphs(window):
    told = []
    window.document.told.connect(told.append)
    choose(window, "file", "examples", "example.second_derivative")
    settle(window)
    assert [band.order for band in window.canvas.picture.gradients.bands] == [1, 2]
    assert window.canvas.scene_rect().contains(window.canvas.picture.bounds())
    assert not told


def test_what_is_out_of_view_is_said_no_longer_once_it_is_seen(window, open_text):
    open_text("import torch\nx = torch.tensor(2., requires_grad=True)\ny = x ** 3\n")
    for name, way in (("g", Qt.Key.Key_Home), ("h", Qt.Key.Key_D)):
        window.canvas.setFocus()
        key(window, Qt.Key.Key_1)
        window.canvas.pan_by(0, 2 * window.canvas.height() // 3)
        QApplication.clipboard().setText(f"{name}, = torch.autograd.grad(y, x, create_graph=True)")
        key(window, Qt.Key.Key_V, CTRL)
        settle(window)
        words = window.status_words.text()
        assert "out of view" in words
        if way == Qt.Key.Key_D:
            window.document.select([window.document.program.named(name).statement])
        window.canvas.setFocus()
        key(window, way)
        settle(window)
        window.canvas.glide.finish()
        settle(window)
        assert window.status_words.text() == ""
