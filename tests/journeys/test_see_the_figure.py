"""The figure of the notes, live: a lecturer opens it, follows grad_fn, runs the backward, steps back through it."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from support.desk import CTRL, LEFT, PLAIN, choose, key, lines, settle

from chalkgrad_app.panels.node_facts import NodePage
from chalkgrad_app.picture.function_face import function_face
from chalkgrad_app.picture.node_arrays import NODE

ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def figure(window):
    choose(window, "file", "examples", "example.figure")
    settle(window)
    window.canvas.setFocus()
    return window


def row_of(window, name, attribute):
    """Where the row of an attribute is on the canvas, large enough to be hit."""
    canvas = window.canvas
    canvas.zoom_100()
    id_ = window.document.program.named(name).statement
    canvas.ensure_visible([id_])
    settle(window)
    box, corner = dict(canvas.picture.anatomy(id_).row(0).others)[attribute], canvas.picture.rect(id_).topLeft()
    return canvas.to_view(corner + QPoint(round(box.left + 150), round(box.top + 12))).toPoint()


def freed(window):
    picture = window.canvas.picture
    return [function_face(picture, row).freed for row in range(len(picture.functions))]


def test_it_opens_as_the_notes_draw_it(figure):
    assert figure.document.drawing == "autograd"
    assert figure.actions_by_id["drawAsAutograd"].isChecked()
    picture = figure.canvas.picture
    names = [function_face(picture, row).name for row in range(len(picture.functions))]
    assert names == ["AccumulateGrad", "MulBackward0", "MulBackward0"]
    assert not figure.document.undo_stack.count()


def test_grad_fn_leads_to_its_function_and_the_inspector_shows_it(figure):
    QTest.mouseClick(figure.canvas, LEFT, PLAIN, row_of(figure, "e", "grad_fn"))
    settle(figure)
    number = figure.document.state.names["e"].node
    assert figure.document.node == number
    assert (NODE, number) in figure.canvas.picture.functions
    page = figure.docks.inspector.findChild(NodePage)
    assert page is not None
    key(figure, Qt.Key.Key_U)
    settle(figure)
    assert figure.document.selected_statements == (figure.document.program.named("e").statement,)


def test_a_backward_frees_one_node_after_the_other_and_stepping_back_fills_them(figure):
    figure.document.select([figure.document.program.named("g").statement])
    key(figure, Qt.Key.Key_B, CTRL)
    settle(figure)
    assert lines(figure)[-1] == "g.backward()"
    assert freed(figure) == [False, True, True]
    assert figure.document.state.names["c"].grad.short == "4."
    seen = []
    while True in freed(figure):
        key(figure, Qt.Key.Key_Left, ALT)
        settle(figure)
        if not seen or freed(figure) != seen[-1]:
            seen.append(freed(figure))
    assert seen == [[False, True, True], [False, False, True], [False, False, False]]


def test_the_cards_come_back_where_they_were(figure):
    for name in ("drawAsCards", "drawAsData", "drawAsAutograd"):
        figure.actions_by_id[name].trigger()
        settle(figure)
        assert figure.canvas.picture.drawing.name == figure.document.drawing
    assert len(figure.canvas.picture.functions) == 3
    assert not figure.document.board.places.keys() & {("autograd", id_) for id_ in figure.canvas.picture.ids}
