"""The autograd drawing from some distance: every row is there by its name as long as it can be read."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QBuffer, Qt
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator
from support.autograd_hands import opened
from support.desk import CTRL, SHIFT, calm, key
from support.hands import discard
from tests.app.test_pasted_blocks import paste

from chalkgrad.stepwise import finished
from chalkgrad_app.picture.function_paint import painting_functions
from chalkgrad_app.picture.gradient_paint import in_two, paint_layer
from chalkgrad_app.picture.look import NEAR, ROWS_NEAR, ROWS_READ, Level, Look, level_at
from chalkgrad_app.picture.node_face import names_in

NAMES = ["data", "grad", "grad_fn", "is_leaf", "requires_grad"]
FIVE_LINES = """x = torch.tensor([1.])
w = torch.tensor([1.], requires_grad=True)
a = x + w
b = w + 1
y = a * b
y.backward()
"""


@pytest.fixture
def five(qapp):
    hands = opened(FIVE_LINES)
    yield hands
    discard(hands.host)


def written(paint_on) -> list[str]:
    """The texts that are painted, from top to bottom."""
    buffer, painter = QBuffer(), QPainter()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    painter.begin(generator)
    paint_on(painter)
    painter.end()
    return [
        text.text or "" for text in ElementTree.fromstring(bytes(buffer.data())).iter() if text.tag.endswith("text")
    ]


def on_card(hands, name: str, zoom: float) -> list[str]:
    picture = hands.picture
    return written(lambda painter: picture.drawing.paint(painter, picture.face(hands.id(name)), Look(zoom=zoom)))


def on_nodes(hands, zoom: float) -> list[str]:
    picture = hands.picture
    return written(lambda painter: finished(painting_functions(painter, picture, Look(zoom=zoom), picture.bounds())))


@pytest.mark.parametrize("zoom", [ROWS_READ, NEAR, ROWS_NEAR - 0.01])
def test_rows_are_there_by_name_from_some_distance(five, zoom):
    said = on_card(five, "a", zoom)
    assert said[:2] == ["add", "a"]
    assert said[2::2] == NAMES
    assert said[3::2] == ["[2.]", "None", "AddBackward0", "False", "True"]
    assert on_card(five, "w", zoom)[1:5] == ["data", "[1.]", "grad", "[4.]"]


@pytest.mark.parametrize("zoom", [ROWS_READ, NEAR, ROWS_NEAR - 0.01])
def test_nodes_have_their_rows_from_some_distance(five, zoom):
    said = on_nodes(five, zoom)
    assert said.count("saved_tensors") == said.count("next_functions") == 3
    assert said[said.index("MulBackward0") :][:6] == [
        "MulBackward0",
        "saved_tensors",
        "(a, b)",
        "next_functions",
        "(AddBackward0, 0)",
        "(AddBackward0, 0)",
    ]
    assert said[said.index("variable") + 1] == "w"


@pytest.mark.parametrize("zoom", [ROWS_READ, ROWS_NEAR - 0.01, ROWS_NEAR])
def test_the_number_at_a_port_is_there_where_rows_are(five, zoom):
    assert [said for said in on_card(five, "b", zoom) if said == "1"] == ["1"]


def test_where_rows_could_not_be_read_names_and_values_are_large(five):
    zoom = ROWS_READ - 0.01
    assert level_at(zoom) is Level.MIDDLE
    assert on_card(five, "w", zoom) == ["w", "[1.]", "[4.]"]
    assert on_nodes(five, zoom) == ["AccumulateGrad", "AddBackward0", "AddBackward0", "ctx", "MulBackward0"]


def test_more_rows_are_there_from_some_distance_too(window):
    paste(window, FIVE_LINES)
    key(window, Qt.Key.Key_3, CTRL)
    calm(window)
    window.canvas.set_zoom_percent(50)
    key(window, Qt.Key.Key_E, SHIFT)
    calm(window)
    picture, zoom = window.canvas.picture, window.canvas.viewport.scale
    card = picture.face(picture.program.named("a").statement)
    said = written(lambda painter: picture.drawing.paint(painter, card, Look(zoom=zoom)))
    assert level_at(zoom) is Level.MIDDLE
    assert said[-8:] == ["retains_grad", "False", "_version", "0", "shape", "(1,)", "dtype", "torch.float32"]


def test_who_asks_for_more_rows_where_none_can_be_read_comes_near_what_is_selected(window):
    document = paste(window, FIVE_LINES)
    key(window, Qt.Key.Key_3, CTRL)
    calm(window)
    document.select([document.program.named("y").statement])
    window.canvas.set_zoom_percent(30)
    key(window, Qt.Key.Key_E, SHIFT)
    calm(window)
    assert window.canvas.viewport.zoom >= ROWS_READ
    assert window.canvas.rect().contains(window.canvas.node_rect("y"))


def test_a_name_too_long_for_one_line_of_a_map_has_two(qapp):
    hands = opened("x = torch.tensor([[1., 2.]], requires_grad=True)\ny = torch.log_softmax(x, 1)\n")
    said = on_nodes(hands, 0.3)
    discard(hands.host)
    assert said[-2:] == ["LogSoftmax", "Backward0"]


@pytest.mark.parametrize(("zoom", "scale"), [(0.25, 1.0), (0.3, 1.0), (0.37, 1.3), (0.5, 1.6)])
def test_the_name_of_an_accumulate_grad_is_whole_with_larger_text_too(five, zoom, scale):
    picture = five.picture
    look = Look(zoom=zoom, text_scale=scale)
    said = written(lambda painter: finished(painting_functions(painter, picture, look, picture.bounds())))
    assert "".join(said[:2]) == "AccumulateGrad" or said[0] == "AccumulateGrad"


def test_five_lines_fit_a_small_window_so_that_all_is_said(window):
    window.resize(1280, 800)
    paste(window, FIVE_LINES)
    key(window, Qt.Key.Key_3, CTRL)
    calm(window)
    assert window.canvas.shows_all
    assert window.canvas.viewport.level is Level.NEAR
    assert all(window.canvas.rect().contains(window.canvas.node_rect(name)) for name in "xwaby")


CREATED = """x = torch.tensor(2., requires_grad=True)
y = x ** 3 * torch.sin(x)
g, = torch.autograd.grad(y, x, create_graph=True)
h, = torch.autograd.grad(g, x, create_graph=True)
"""


def test_what_was_pasted_is_seen_with_the_graphs_that_its_run_makes(window):
    paste(window, CREATED)
    calm(window)
    assert window.canvas.scene_rect().contains(window.canvas.picture.bounds(lines=False))
    key(window, Qt.Key.Key_3, CTRL)
    calm(window)
    assert len(window.canvas.picture.gradients.bands) == 2
    assert window.canvas.look().reads_rows, "where a backward begins, if all is too large to be read"
    assert window.canvas.rect().contains(window.canvas.node_rect("y"))
    window.canvas.setFocus()
    key(window, Qt.Key.Key_Home)
    calm(window)
    assert window.canvas.scene_rect().contains(window.canvas.picture.bounds(lines=False))


def test_formulas_of_gradients_are_written_in_full(window):
    paste(window, CREATED)
    calm(window)
    picture = window.canvas.picture
    names = names_in(picture)
    titles = [names.title(node) for node in picture.gradients.nodes]
    said = written(lambda painter: paint_layer(painter, picture, Look(vector=True), picture.bounds()))
    assert max(map(len, titles)) > 25
    assert [title for title in titles if title not in said] == []


def test_a_formula_is_broken_before_its_outermost_operator():
    assert in_two("dg/d(x ** 3) * ((x ** 2) * 3) + #5", 30) == ["dg/d(x ** 3) * ((x ** 2) * 3)", "+ #5"]
    assert in_two("(first * second) * (third * fourth)", 20) == ["(first * second)", "* (third * fourth)"]
