"""The gradient's graph under mouse and keys: chosen, walked, lit, folded; never moved, edited or deleted."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QCursor, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu
from support.desk import settle
from support.hands import ALT, SHIFT, Hands, discard, open_host, process

from chalkgrad.program.building import backward
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Ref
from chalkgrad.source.read import read_source
from chalkgrad.stepwise import finished
from chalkgrad_app.canvas.hit import HitKind
from chalkgrad_app.canvas.hovering import tooltip
from chalkgrad_app.clipboard import Clipboard
from chalkgrad_app.export.image import rendering_image
from chalkgrad_app.picture.node_arrays import Key

Keys = Qt.Key
CUBE = """import torch
x = torch.tensor(3., requires_grad=True)
y = x ** 3
g, = torch.autograd.grad(y, x, create_graph=True)
h, = torch.autograd.grad(g, x, create_graph=True)
"""


@pytest.fixture
def cube(qapp, request: pytest.FixtureRequest) -> Iterator[Hands]:
    """The canvas with the program, and with lines after it that a test asks for."""
    host = open_host(Sheet(read_source(CUBE + getattr(request, "param", ""))))
    host.canvas.fit_all()
    yield Hands(host.canvas)
    discard(host)


def keys(hands: Hands) -> list[Key]:
    return hands.canvas.picture.gradients.keys


def point(hands: Hands, key: Key) -> QPoint:
    return hands.canvas.viewport.rect_to_view(hands.canvas.nodes.rect(key)).center().toPoint()


def title(hands: Hands, number: int) -> QPoint:
    band = hands.canvas.picture.gradients.bands[number]
    return hands.at_scene(band.title.left() + 60, band.title.center().y())


def test_a_click_chooses_a_node_and_nothing_else(cube):
    cube.click(cube.header("y"))
    third = keys(cube)[2]
    cube.click(point(cube, third))
    assert cube.document.node == third[1]
    assert not cube.document.selection
    assert cube.canvas.look().node == third[1]
    cube.click(cube.header("y"))
    assert cube.document.node is None
    assert cube.document.selected_statements == (cube.id("y"),)


def test_a_click_on_empty_canvas_and_escape_let_go(cube):
    for let_go in (lambda: cube.click(cube.free(8, 8)), lambda: cube.key(Keys.Key_Escape)):
        cube.click(point(cube, keys(cube)[0]))
        assert cube.document.node is not None
        let_go()
        assert cube.document.node is None


def test_nothing_moves_or_deletes_a_node(cube):
    key = keys(cube)[1]
    program, board, before = cube.document.program, cube.document.board, cube.canvas.nodes.rect(key)
    at = point(cube, key)
    cube.drag(at, at + QPoint(80, 40))
    cube.click(at)
    cube.key(Keys.Key_Delete)
    cube.double_click(at)
    cube.key(Keys.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert (cube.document.program, cube.document.board) == (program, board)
    assert cube.canvas.nodes.rect(key) == before
    assert not cube.canvas.editor.isVisible()
    assert cube.document.undo_stack.count() == 0


def test_a_node_has_no_port(cube):
    rect = cube.canvas.viewport.rect_to_view(cube.canvas.nodes.rect(keys(cube)[2]))
    for spot in (
        rect.center(),
        QPointF(rect.left() + 2, rect.center().y()),
        QPointF(rect.right() - 2, rect.center().y()),
    ):
        assert cube.canvas.hit(spot).kind is HitKind.NODE


def test_one_builds_on_where_the_layer_ends(cube):
    layer = cube.canvas.picture.gradients
    place = next(place for place, link in enumerate(layer.links) if link.target < 0 and link.card == cube.id("g"))
    assert layer.links[place].source == 2
    cube.click(cube.header("g"))
    cube.canvas.place_operator("cos")
    process()
    assert cube.lines()[-1].endswith("= torch.cos(g)")
    assert "grad_fn=<CosBackward0>" in cube.document.state.tensor(cube.document.program.order[-1]).text


def test_pointing_at_a_node_lights_its_card_and_pointing_at_a_card_its_nodes(cube):
    cube.move(cube.free(8, 8), buttons=Qt.MouseButton.NoButton)
    plain = cube.canvas.grab().toImage()
    cube.move(point(cube, keys(cube)[0]), buttons=Qt.MouseButton.NoButton)
    at = cube.canvas.node_rect("y").topLeft() - QPoint(round(5 * cube.canvas.viewport.scale), -20)
    lit = cube.canvas.grab().toImage()
    assert lit.pixelColor(at) != plain.pixelColor(at)
    cube.move(cube.header("y"), buttons=Qt.MouseButton.NoButton)
    rect = cube.canvas.viewport.rect_to_view(cube.canvas.nodes.rect(keys(cube)[0]).adjusted(-5, -5, 5, 5)).toRect()
    assert cube.canvas.grab().toImage().pixelColor(rect.topLeft()) != plain.pixelColor(rect.topLeft())


def test_tab_goes_on_to_the_nodes_and_back(cube):
    cube.canvas.setFocus()
    for _ in range(4):
        cube.key(Keys.Key_Tab)
    assert cube.document.selected_statements == (cube.id("h"),)
    cube.key(Keys.Key_Tab)
    assert cube.document.node == keys(cube)[0][1]
    cube.key(Keys.Key_Tab)
    assert cube.document.node == keys(cube)[1][1]
    cube.key(Keys.Key_Tab, SHIFT)
    cube.key(Keys.Key_Tab, SHIFT)
    assert cube.document.node is None
    assert cube.document.selected_statements == (cube.id("h"),)


def test_keys_zoom_to_the_node_with_the_focus(cube):
    canvas = cube.canvas
    QCursor.setPos(canvas.mapToGlobal(QPoint(canvas.width() + 50, 50)))
    canvas.setFocus()
    cube.key(Keys.Key_Tab, SHIFT)
    canvas.glide.finish()
    node = canvas.nodes.chosen()
    at = canvas.nodes.view_rect(node).center()
    assert (at - canvas.rect().center()).manhattanLength() > 30
    cube.key(Keys.Key_Plus)
    canvas.glide.finish()
    assert (canvas.nodes.view_rect(node).center() - at).manhattanLength() < 4


def test_arrows_follow_the_edges_and_end_at_cards(cube):
    cube.click(point(cube, keys(cube)[0]))
    cube.key(Keys.Key_Left)
    cube.key(Keys.Key_Left)
    assert cube.document.node == keys(cube)[2][1]
    cube.key(Keys.Key_Right)
    assert cube.document.node == keys(cube)[1][1]
    cube.key(Keys.Key_Left)
    cube.key(Keys.Key_Left)
    assert cube.document.selected_statements == (cube.id("g"),)
    cube.click(point(cube, keys(cube)[0]))
    cube.key(Keys.Key_Right)
    assert cube.document.selected_statements == (cube.id("x"),)


def test_keys_lead_from_card_to_nodes_and_back(cube):
    cube.click(cube.header("y"))
    cube.key(Keys.Key_D)
    assert cube.document.node == keys(cube)[0][1]
    cube.key(Keys.Key_U)
    assert cube.document.selected_statements == (cube.id("y"),)


def test_from_a_gradient_one_goes_to_the_node_of_its_own_graph(cube):
    cube.click(cube.header("h"))
    cube.key(Keys.Key_D)
    links = cube.canvas.picture.gradients.links
    (row,) = [link.source for link in links if link.leads_here and link.card == cube.id("h")]
    assert cube.document.node == keys(cube)[row][1]


@pytest.mark.parametrize("cube", ["z = x + 1\n"], indirect=True)
def test_a_card_that_no_such_backward_reached_says_so(cube):
    told = []
    cube.document.told.connect(told.append)
    cube.click(cube.header("z"))
    cube.key(Keys.Key_D)
    assert cube.document.node is None
    assert "create_graph=True" in told[-1]


def test_a_graph_folds_by_its_title_and_by_keys_and_undo_opens_it(cube):
    cube.click(title(cube, 0))
    assert [band.folded for band in cube.canvas.picture.gradients.bands] == [True, False]
    assert cube.document.undo_stack.count() == 1
    cube.document.undo_stack.undo()
    assert [band.folded for band in cube.canvas.picture.gradients.bands] == [False, False]
    cube.canvas.setFocus()
    cube.key(Keys.Key_D, SHIFT)
    assert all(band.folded for band in cube.canvas.picture.gradients.bands)
    cube.key(Keys.Key_D, SHIFT)
    assert not any(band.folded for band in cube.canvas.picture.gradients.bands)


def test_the_fold_of_a_line_goes_with_it(cube):
    cube.click(title(cube, 1))
    cube.document.delete([cube.id("h")])
    assert not cube.document.board.graphs
    cube.document.undo_stack.undo()
    assert cube.document.board.graphs == {cube.id("h"): False}


def test_the_layer_can_be_switched_off_and_on(cube):
    cube.click(point(cube, keys(cube)[0]))
    cube.canvas.nodes.show_graphs(False)
    assert not keys(cube)
    assert cube.canvas.nodes.chosen() is None
    cube.canvas.nodes.show_graphs(True)
    assert len(keys(cube)) == 6


def test_the_menu_of_a_node(cube):
    at = point(cube, keys(cube)[1])
    menu = cube.canvas.menus.menu(cube.canvas.hit(QPointF(at)), QPointF(at))
    assert isinstance(menu, QMenu)
    assert cube.document.node == keys(cube)[1][1]
    names = [action.objectName() for action in menu.actions() if not action.isSeparator()]
    assert "action.goToCard" in names
    assert "action.delete" not in names
    menu.deleteLater()


def test_shift_f10_opens_the_menu_of_the_chosen_node(cube):
    cube.canvas.nodes.choose(keys(cube)[1])
    cube.canvas.setFocus()
    cube.key(Keys.Key_F10, SHIFT)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert "action.goToCard" in [action.objectName() for action in menu.actions()]
    menu.close()


def test_stepping_inside_the_backward_brings_the_nodes_one_by_one(cube):
    document = cube.document
    events = document.session.trace.events_of(cube.id("g"))
    document.look_at(events.start + 1)
    seen = set()
    while document.cursor is not None and document.cursor < events.stop:
        seen.add(int((~cube.canvas.picture.gradients.to_come).sum()))
        document.step_event(1)
    assert seen == {0, 1, 2, 3}


def test_a_node_stays_chosen_while_a_value_changes_and_goes_with_its_line(cube):
    third = keys(cube)[2]
    cube.click(point(cube, third))
    x = cube.document.program[cube.id("x")]
    from chalkgrad.program import edits

    changed = type(x)(x.id, x.kind, x.call, x.targets, (4.0,), x.options)
    cube.document.do(edits.put(cube.document.program, changed), "value")
    cube.document.finish()
    assert cube.document.node == third[1]
    cube.document.delete([cube.id("g")])
    cube.document.finish()
    assert cube.document.node is None


def test_screen_readers_hear_the_nodes(cube):
    interface = QAccessible.queryAccessibleInterface(cube.canvas)
    cards = 4
    assert interface.childCount() == cards + 6
    node = interface.child(cards + 2)
    assert node.text(QAccessible.Text.Name).startswith("#3 = dy/dy * ((x ** 2) * 3)   27.   MulBackward0   g   1st")
    assert node.text(QAccessible.Text.Description) == "from line 2. from #2 = (x ** 2) * 3. to g"
    assert node.state().readOnly
    assert interface.indexOfChild(node) == cards + 2
    cube.click(point(cube, keys(cube)[2]))
    assert node.state().selected
    at = cube.canvas.mapToGlobal(point(cube, keys(cube)[2]))
    assert interface.childAt(at.x(), at.y()).text(QAccessible.Text.Name) == node.text(QAccessible.Text.Name)


def test_no_key_of_the_layer_is_taken_with_alt(cube):
    cube.click(cube.header("y"))
    cube.key(Keys.Key_D, ALT)
    assert cube.document.node is None


def test_delete_says_why_a_node_stays(cube):
    told = []
    cube.document.told.connect(told.append)
    cube.click(point(cube, keys(cube)[0]))
    cube.key(Keys.Key_Delete)
    assert "delete the line that made them" in told[-1]


def test_f_shows_the_whole_graph_of_the_chosen_node(cube):
    cube.canvas.zoom_100()
    cube.canvas.nodes.choose(keys(cube)[4])
    process()
    cube.key(Keys.Key_F)
    cube.canvas.glide.finish()
    band = cube.canvas.picture.gradients.bands[1]
    assert cube.canvas.scene_rect().contains(band.rect)
    assert not cube.canvas.scene_rect().contains(cube.canvas.picture.bounds())


def test_a_tooltip_says_all_of_a_node(cube):
    hit = cube.canvas.hit(QPointF(point(cube, keys(cube)[0])))
    assert tooltip(cube.canvas.picture, hit) == "#1 = x ** 2   9.   PowBackward0   1st derivative"


def test_the_value_of_a_node_is_copied_as_pytorch_prints_it(cube):
    clipboard = Clipboard(cube.document, cube.canvas)
    cube.click(point(cube, keys(cube)[0]))
    clipboard.copy_value()
    assert QGuiApplication.clipboard().text() == "tensor(9., grad_fn=<PowBackward0>)"


def test_only_the_layer_makes_a_picture_larger(cube):
    image = finished(rendering_image(cube.document, scale=1.0))
    cube.canvas.nodes.show_graphs(False)
    without = finished(rendering_image(cube.document, scale=1.0))
    assert image.height() > without.height() + 100
    chosen = finished(rendering_image(cube.document, scale=1.0, selection=[cube.id("x")]))
    assert chosen.height() < without.height()


def test_a_new_graph_comes_into_view_where_all_was_in_view(course):
    told = []
    course.document.told.connect(told.append)
    course.canvas.fit_all()
    course.document.append(backward(Ref(course.id("y")), create_graph=True))
    course.document.finish()
    process()
    course.canvas.glide.finish()
    assert course.canvas.scene_rect().contains(course.canvas.picture.gradients.bands[0].rect)
    assert not told


def test_where_one_had_gone_elsewhere_it_is_said_where_the_graph_lies(course):
    told = []
    course.document.told.connect(told.append)
    course.canvas.zoom_100()
    course.canvas.pan_by(-40, 0)
    seen = course.canvas.scene_rect()
    course.document.append(backward(Ref(course.id("y")), create_graph=True))
    course.document.finish()
    process()
    assert course.canvas.scene_rect() == seen
    assert "out of view" in told[-1]


def test_d_leads_to_the_first_node_without_a_selection_and_tells_of_a_folded_one(cube):
    told = []
    cube.document.told.connect(told.append)
    cube.canvas.setFocus()
    cube.key(Keys.Key_D)
    assert cube.document.node == keys(cube)[0][1]
    cube.document.select_node(None)
    cube.canvas.nodes.fold()
    cube.click(cube.header("y"))
    cube.key(Keys.Key_D)
    assert cube.document.node is None
    assert "Shift+D" in told[-1]


def test_a_double_click_goes_to_the_moment_a_node_was_made(cube):
    cube.double_click(point(cube, keys(cube)[1]))
    assert cube.document.is_past
    assert cube.canvas.picture.gradients.to_come.tolist() == [False, False, True, True, True, True]
    assert cube.document.node == keys(cube)[1][1]
    cube.document.back_to_now()
    assert not cube.canvas.picture.gradients.to_come.any()


def test_names_of_nodes_do_not_hold_on_to_a_run_that_is_over(window, open_text):
    document = open_text(
        "import torch\nx = torch.tensor(3., requires_grad=True)\ny = x ** 3\n"
        "g, = torch.autograd.grad(y, x, create_graph=True)\n"
    )
    window.canvas.zoom_100()
    key = window.canvas.nodes.keys()[0]
    assert window.canvas.nodes.words(key).startswith("#1 = x ** 2")
    old = weakref.ref(document.state)
    assert old() is not None
    document.delete([document.program.order[-1]])
    settle(window)
    window.canvas.grab()
    gc.collect()
    assert old() is None
