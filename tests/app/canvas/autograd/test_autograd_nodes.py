"""In the autograd drawing: functions, arrows and lines beside the cards, selected, lit and gone to."""

from __future__ import annotations

from operator import sub

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QMenu
from support.autograd_hands import opened
from support.hands import discard

from chalkgrad.session.events import EventKind
from chalkgrad_app.canvas.hit import HitKind
from chalkgrad_app.picture.node_arrays import NODE
from chalkgrad_app.style import theme

Keys = Qt.Key


def test_a_click_on_grad_fn_selects_the_function(figure):
    figure.see("e")
    figure.click(figure.row("e", "grad_fn"))
    assert figure.document.node == figure.node("e")
    assert not figure.document.selection
    figure.click(figure.row("e", "is_leaf"))
    assert figure.document.node is None
    assert figure.document.selected_statements == (figure.id("e"),)


def test_where_there_is_no_grad_fn_the_card_is_selected(figure):
    figure.see("a")
    figure.click(figure.row("a", "grad_fn"))
    assert figure.document.selected_statements == (figure.id("a"),)


def test_a_function_and_its_disc_are_selected_by_a_click(figure):
    functions = figure.picture.functions
    key = (NODE, figure.node("g"))
    figure.canvas.ensure_rect_visible(functions.rect(key).adjusted(-120, 0, 0, 0))
    disc = functions.disc(functions.index[key]).center()
    for point in (functions.rect(key).center(), disc):
        figure.document.select(())
        figure.click(figure.at_scene(point.x(), point.y()))
        assert figure.document.node == figure.node("g")


def test_a_line_beside_the_cards_selects_its_statement(figure):
    lines = figure.picture.lines
    texts = [lines.text(row) for row in range(len(lines))]
    for text in ("e = c * d", "c.requires_grad = True"):
        row = texts.index(text)
        rect = lines.rect(lines.keys[row])
        figure.canvas.ensure_rect_visible(rect)
        at = figure.at_scene(rect.center().x(), rect.center().y())
        assert figure.canvas.hit(QPointF(at)).kind is HitKind.LINE
        figure.click(at)
        assert figure.document.selection == {lines.keys[row][1]}


def test_the_node_at_work_is_lit_while_stepping(figure):
    figure.document.select([figure.id("g")])
    figure.key(Keys.Key_B, Qt.KeyboardModifier.ControlModifier)
    figure.document.finish()
    trace = figure.document.session.trace
    told = trace.about_nodes(0, len(trace))
    position = next(at for at, kind, node in told if node == figure.node("g") and kind is EventKind.NODE_RAN)
    figure.document.look_at(position)
    rects = list(figure.canvas.gradient_pills.lit_rects())
    assert rects == [figure.picture.rect(figure.id("g")), figure.picture.functions.rect((NODE, figure.node("g")))]


def line_of(hands, text):
    lines = hands.picture.lines
    row = next(row for row in range(len(lines)) if lines.text(row) == text)
    rect = lines.rect(lines.keys[row])
    hands.canvas.ensure_rect_visible(rect)
    return hands.at_scene(rect.center().x(), rect.center().y())


def menu_of(hands, at):
    hands.canvas.open_menu(hands.canvas.hit(QPointF(at)), at)
    menu = hands.canvas.findChildren(QMenu, "canvas.menu")[-1]
    texts = [action.text() for action in menu.actions()]
    menu.close()
    return texts


def test_a_line_has_the_menu_of_its_card_or_can_be_deleted(figure):
    assert "Rename" in menu_of(figure, line_of(figure, "e = c * d"))
    assert menu_of(figure, line_of(figure, "c.requires_grad = True")) == ["Delete"]
    figure.key(Keys.Key_Delete)
    figure.document.finish()
    assert "c.requires_grad = True" not in figure.lines()
    assert figure.rows("e")["grad_fn"] == "None"


def test_a_function_tells_in_words_what_it_has(figure):
    figure.document.select([figure.id("g")])
    figure.key(Keys.Key_B, Qt.KeyboardModifier.ControlModifier)
    figure.document.finish()
    words = figure.canvas.nodes.words((NODE, figure.node("e")))
    assert words == ("MulBackward0   saved_tensors (d)   saved 1 freed   next_functions (AccumulateGrad, 0), (None, 0)")


def test_from_a_card_to_its_function_and_back_by_keys(figure):
    figure.canvas.keyboard.focus(figure.id("e"))
    figure.key(Keys.Key_D)
    assert figure.document.node == figure.node("e")
    figure.key(Keys.Key_Left)
    assert figure.canvas.keyboard.card == figure.id("e")
    told = []
    figure.document.told.connect(told.append)
    figure.canvas.keyboard.focus(figure.id("a"))
    figure.key(Keys.Key_D)
    assert told == ["No Function belongs to the selected card."]


def test_from_a_gradient_to_the_node_of_its_own_graph_that_made_it(qapp):
    hands = opened(
        "x = torch.tensor(2., requires_grad=True)\ny = x ** 3\n"
        "g, = torch.autograd.grad(y, x, create_graph=True)\nz = g * x"
    )
    told = []
    hands.document.told.connect(told.append)
    hands.canvas.keyboard.focus(hands.id("g"))
    hands.key(Keys.Key_D)
    assert hands.document.node == hands.node("g")
    hands.key(Keys.Key_D, Qt.KeyboardModifier.ShiftModifier)
    hands.canvas.keyboard.focus(hands.id("g"))
    hands.key(Keys.Key_D)
    assert told == ["The graph of the gradient is folded: Shift+D opens it."]
    discard(hands.host)


def test_with_the_last_card_the_arrows_go(figure):
    figure.canvas.setFocus()
    arrows = list(figure.picture.function_ways.arrows)
    assert arrows
    figure.document.select_all()
    figure.key(Keys.Key_Delete)
    figure.document.finish()
    figure.canvas.grab()
    assert not figure.picture.functions.keys
    assert not figure.picture.function_ways.arrows
    figure.document.undo_stack.undo()
    figure.document.finish()
    figure.canvas.grab()
    assert figure.picture.function_ways.arrows == arrows


LOOP = """
x = torch.tensor([1., 2.])
w = torch.tensor([0.5], requires_grad=True)
for i in range(3):
    y = x * w
    loss = (y ** 2).sum()
    loss.backward()
z = w * 2
"""


def test_the_line_of_a_loop_is_taken_as_its_frame_is(qapp):
    hands = opened(LOOP)
    canvas, lines = hands.canvas, hands.picture.lines
    (loop,) = hands.document.program.blocks
    rect = lines.rect(("line", loop))
    canvas.ensure_rect_visible(rect)
    at = canvas.viewport.rect_to_view(rect)
    on_text = QPoint(round(at.right() - 30), round(at.center().y()))
    hands.click(on_text)
    assert {hands.document.program[id_].block for id_ in hands.document.selected_statements} == {loop}
    hands.double_click(on_text)
    assert canvas.editor.is_open
    hands.key(Keys.Key_A, Qt.KeyboardModifier.ControlModifier)
    hands.type("5")
    hands.key(Keys.Key_Return)
    hands.document.finish()
    assert "for i in range(5):" in hands.lines()
    discard(hands.host)


def test_the_counter_of_a_loop_stands_before_its_line_and_no_wire_runs_there(qapp):
    hands = opened(LOOP)
    canvas = hands.canvas
    hands.host.resize(1400, 1200)
    canvas.fit_all()
    (loop,) = hands.document.program.blocks
    (counter,) = canvas.loop_counters.counters()
    lines = hands.picture.lines
    line = canvas.viewport.rect_to_view(lines.rect(("line", loop)))
    plate = counter.back.united(counter.on)
    text = line.right() - lines.text_width(lines.index["line", loop]) * canvas.viewport.scale
    assert plate.right() < text
    assert abs(plate.center().y() - line.center().y()) < 2
    assert plate.right() < canvas.view_rect_of(loop).left()
    assert hands.picture.bounds().contains(canvas.to_scene(plate.center()))
    discard(hands.host)


TWICE = """import torch
x = torch.tensor(2.0, requires_grad=True)
y = torch.exp(x)
z = y + x
z.backward()
z.backward()
"""


def _count(image, rect, colour: QColor) -> int:
    """How many pixels of a rectangle have a colour, or nearly so: lines are smooth."""
    pixels = [(x, y) for x in range(rect.left(), rect.right() + 1) for y in range(rect.top(), rect.bottom() + 1)]
    found = [image.pixelColor(x, y) for x, y in pixels if image.valid(x, y)]
    wanted = colour.getRgb()[:3]
    return sum(sum(map(abs, map(sub, each.getRgb()[:3], wanted))) < 160 for each in found)


@pytest.mark.parametrize("percent", [100, 45, 17])
def test_the_function_at_which_a_second_backward_fails_is_marked_as_cards_are(qapp, percent):
    hands = opened(TWICE)
    canvas, error = hands.canvas, theme.current().color("error_ink")
    canvas.set_zoom_percent(percent)
    marked = {}
    for name, of in (("ExpBackward0", "y"), ("AddBackward0", "z")):
        key = (NODE, hands.node(of))
        canvas.ensure_rect_visible(hands.picture.functions.rect(key))
        canvas.glide.finish()
        around = canvas.nodes.view_rect(key).adjusted(-9, -9, 9, 9)
        marked[name] = _count(canvas.grab().toImage(), around, error)
    assert marked["ExpBackward0"] > 40
    assert marked["AddBackward0"] == 0
    key = (NODE, hands.node("y"))
    assert canvas.nodes.words(key).endswith("failed")
    hands.document.look_at_line(4)
    assert not canvas.nodes.words(key).endswith("failed")
    discard(hands.host)


def test_the_ring_of_the_node_that_tab_comes_to_is_seen_from_afar(figure):
    canvas, ink = figure.canvas, theme.current().color("selection")
    canvas.set_zoom_percent(17)
    key = (NODE, figure.node("e"))
    canvas.ensure_rect_visible(figure.picture.functions.rect(key))
    canvas.setFocus()
    for _ in range(40):
        figure.key(Keys.Key_Tab)
        if canvas.nodes.chosen() == key:
            break
    canvas.glide.finish()
    assert canvas.zoom_percent == pytest.approx(17)
    around = canvas.nodes.view_rect(key).adjusted(-5, -5, 5, 5)
    assert _count(canvas.grab().toImage(), around, ink) > around.width()
