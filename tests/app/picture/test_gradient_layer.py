"""The graph of the gradient in the picture: where its nodes lie, what they say, what is folded, what is to come."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from chalkgrad.explain.recorded import names_of
from chalkgrad.program.board import Board, Note, Place
from chalkgrad.program.program import Program
from chalkgrad.session import Session
from chalkgrad.source.read import read_source
from chalkgrad_app import settings
from chalkgrad_app.picture import gradient_paint
from chalkgrad_app.picture.gradient_layer import LARGE, GradientLayer
from chalkgrad_app.picture.gradient_paint import band_words
from chalkgrad_app.picture.look import Level, Look, Words
from chalkgrad_app.picture.node_arrays import NODE
from chalkgrad_app.picture.node_face import NodeFace, node_face
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.style.fonts import ui_font

TWICE = """
x = torch.tensor([2., 3.], requires_grad=True)
w = torch.tensor([2.], requires_grad=True)
c = x * w
y = (c ** 3).sum()
y.backward(create_graph=True)
z = (x.grad ** 2).sum()
g, = torch.autograd.grad(z, x, create_graph=True)
"""


class Shown:
    """A program run to its end, and its picture."""

    def __init__(self, text: str, board: Board | None = None) -> None:
        self.session = Session(read_source("import torch\n" + text))
        self.session.finish()
        self.program: Program = self.session.program
        self.board = board or Board()
        self.picture = Picture()
        self.look_at(None)

    @property
    def layer(self) -> GradientLayer:
        return self.picture.gradients

    def look_at(self, position: int | None) -> None:
        self.picture.update(self.program, self.board, self.session.trace.state(position))

    def line(self, number: int) -> int:
        return next(id_ for id_, found in self.program.lines.items() if found == number)

    def faces(self) -> list[NodeFace]:
        return [node_face(self.picture, row) for row in range(len(self.layer))]


@pytest.fixture
def twice(qapp) -> Shown:
    return Shown(TWICE)


def test_nothing_without_create_graph(qapp):
    shown = Shown(TWICE.split("y.backward")[0] + "y.backward()\n")
    assert not shown.layer.bands
    assert shown.picture.bounds() == shown.picture.on_board()


def test_a_band_for_each_backward_below_the_board(twice):
    first, second = twice.layer.bands
    assert (first.statement, first.order, first.count) == (twice.line(5), 1, 8)
    assert (second.statement, second.order) == (twice.line(7), 2)
    assert first.rect.top() > twice.picture.on_board().bottom()
    assert second.rect.top() > first.rect.bottom()
    assert twice.picture.bounds().contains(second.rect)


def test_nodes_lie_in_their_band_and_not_on_each_other(twice):
    layer = twice.layer
    rects = [layer.rect(key) for key in layer.keys]
    assert len(rects) == 18
    assert not any(one.intersects(other) for n, one in enumerate(rects) for other in rects[:n])
    for band in layer.bands:
        assert all(band.rect.contains(rect) for rect in rects[band.first : band.first + band.count])
        assert not any(band.title.intersects(rect) for rect in rects)


def test_the_gradient_goes_from_right_to_left(twice):
    layer = twice.layer
    for row, sources in enumerate(layer.sources):
        for source in sources:
            if layer.orders[source] == layer.orders[row]:
                assert layer.x[source] > layer.x[row] + layer.w[row]


def test_nodes_say_what_they_are(twice):
    faces = twice.faces()
    titles = [face.title for face in faces[:5]]
    assert titles == ["c ** 2", "(c ** 2) * 3", "dy/d(c ** 3) * ((c ** 2) * 3)", "dy/dc * x", "dy/dc * w"]
    assert [face.mark for face in faces] == [f"#{count}" for count in range(1, len(faces) + 1)]
    assert [face.gradient for face in faces[:8]] == ["", "", "dy/dc", "", "dy/dx", "dy/dw", "x.grad", "w.grad"]
    assert faces[0].value == "[16., 36.]"
    assert faces[-1].gradient == "g"
    assert {face.order for face in faces[:8]} == {1}
    assert {face.order for face in faces[8:]} == {2}


def test_the_layer_ends_at_the_grad_row_and_at_the_result_of_grad(twice):
    layer, picture = twice.layer, twice.picture
    ends = {(link.card, link.grad): place for place, link in enumerate(layer.links) if link.target < 0}
    assert set(ends) == {(twice.line(1), True), (twice.line(2), True), (twice.line(7), False)}
    port = next(port for port in picture.ports(twice.line(1)) if port.kind == "grad")
    assert tuple(layer.ends[ends[twice.line(1), True], 2:]) == (port.x, port.y)


def test_what_is_read_of_the_forward_computation_begins_at_its_card(twice):
    layer = twice.layer
    row = next(row for row, face in enumerate(twice.faces()) if face.title == "dy/dc * x")
    assert {link.card for link in layer.links if link.target == row and link.source < 0} == {twice.line(1)}


def test_it_grows_with_the_cursor(twice):
    layer = twice.layer
    events = twice.session.trace.events_of(twice.line(5))
    counts = []
    for position in range(events.start, events.stop + 1):
        twice.look_at(position)
        counts.append(int(np.count_nonzero(~layer.to_come)))
    assert counts[0] == 0
    assert counts[-1] == 8
    assert counts == sorted(counts)
    assert len(set(counts)) == 9
    assert all(face.to_come and not face.value for face in twice.faces()[8:])


def test_in_the_past_places_stay(twice):
    before = twice.layer.x.copy(), twice.layer.y.copy()
    twice.look_at(twice.session.trace.end_of(twice.line(3)))
    assert np.array_equal(before[0], twice.layer.x)
    assert np.array_equal(before[1], twice.layer.y)
    assert not [link for link in twice.layer.links if link.target < 0]


def test_it_makes_room_for_what_lies_on_the_board(twice):
    note = Note(90, (("", "below"),), 0.0, 900.0)
    twice.board = Board({("cards", twice.line(1)): Place(0, 0)}, {90: note})
    twice.look_at(None)
    shown = next(note for note in twice.picture.notes if note.id == 90)
    assert twice.layer.bands[0].rect.top() > shown.y + shown.height


def test_a_folded_one_is_its_title_alone(twice):
    twice.board = Board(graphs={twice.line(5): False})
    twice.look_at(None)
    first, second = twice.layer.bands
    assert first.folded
    assert first.rect.height() == first.title.height()
    assert not second.folded
    assert len(twice.layer) == second.count


@pytest.mark.parametrize("drawing", ["cards", "autograd"])
def test_a_folded_one_is_linked_to_what_it_reads_and_makes(qapp, drawing):
    """All that its nodes read and make elsewhere, each once; nothing of what they are to each other."""
    shown = Shown(TWICE + "s = g * x\n", Board(drawing=drawing))
    band = shown.layer.bands[0]
    rows = range(band.first, band.first + band.count)
    ends = dict.fromkeys(rows)
    wanted = {
        (ends.get(link.source, "out"), ends.get(link.target, "out"), *link[2:])
        for link in shown.layer.links
        if (link.source in ends) != (link.target in ends)
    }
    shown.board = replace(shown.board, graphs={band.statement: False})
    shown.look_at(None)
    row = shown.layer.bands[0].first
    ends = {row: None}
    found = [
        (ends.get(link.source, "out"), ends.get(link.target, "out"), *link[2:])
        for link in shown.layer.links
        if row in (link.source, link.target)
    ]
    assert len(found) == len([link for link in shown.layer.links if row in (link.source, link.target)])
    assert set(found) == wanted
    assert wanted
    rect = shown.layer.bands[0].rect
    for place, link in enumerate(shown.layer.links):
        begin, end = shown.layer.ends[place, :2], shown.layer.ends[place, 2:]
        if link.source == row:
            assert begin.tolist() == [rect.left(), rect.center().y()]
        if link.target == row:
            assert end.tolist() == [rect.right(), rect.center().y()]


def test_folded_ones_are_linked_to_each_other(twice):
    twice.board = Board(graphs={band.statement: False for band in twice.layer.bands})
    twice.look_at(None)
    first, second = (band.first for band in twice.layer.bands)
    assert len(twice.layer) == 0
    pairs = {(link.source, link.target) for link in twice.layer.links}
    assert (first, second) in pairs
    assert (second, -1) in pairs


def test_in_the_autograd_drawing_a_grad_fn_row_leads_to_its_node(qapp):
    shown = Shown(TWICE, Board(drawing="autograd"))
    g = next(made.id for made in shown.program if "g" in made.targets)
    place = next(at for at, link in enumerate(shown.layer.links) if link.card == g and link.leads_here)
    rect, shape = shown.picture.rect(g), shown.picture.anatomy(g)
    box = dict(shape.row(0).others)["grad_fn"]
    assert shown.layer.ends[place, 2:].tolist() == [rect.right(), rect.top() + box.top + box.height / 2]


@pytest.mark.parametrize(
    ("room", "shown"),
    [
        (400, "1st derivative · line 5 · 8 nodes"),
        (150, "1st derivative · line 5"),
        (110, "1st derivative"),
        (60, "1st"),
    ],
)
def test_a_title_is_cut_between_its_parts(twice, room, shown):
    title = band_words(twice.picture, twice.layer.bands[0], Look(), ui_font(13, True), room)
    assert title == shown if room > 60 else title.startswith(shown) and title.endswith("…")


def test_a_large_one_is_folded_until_somebody_opens_it(qapp):
    body = "x = torch.tensor([2.], requires_grad=True)\ny = x * 1\n" + "y = y * x\n" * LARGE
    shown = Shown(body + "y.backward(create_graph=True)\n")
    (band,) = shown.layer.bands
    assert band.count > LARGE
    assert band.folded
    shown.board = Board(graphs={band.statement: True})
    shown.look_at(None)
    assert len(shown.layer) == band.count


def test_it_can_be_left_out(qapp):
    settings.GRADIENT_GRAPHS.set(False)
    shown = Shown(TWICE)
    assert not shown.layer.bands
    assert shown.picture.bounds() == shown.picture.on_board()


def test_of_a_line_that_runs_in_rounds_the_pass_at_the_cursor_is_shown(qapp):
    text = """
w = torch.tensor([2.], requires_grad=True)
for step in range(3):
    y = w ** 3
    y.backward(create_graph=True)
"""
    shown = Shown(text)
    graphs = shown.session.trace.gradient_graphs
    assert len(graphs) == 3
    assert [band.start for band in shown.layer.bands] == [graphs[2].start]
    shown.look_at(graphs[0].nodes[-1].position)
    assert [band.start for band in shown.layer.bands] == [graphs[0].start]


def test_covered_gradients_stay_covered(qapp):
    shown = Shown(TWICE)
    state = shown.session.trace.state()
    hidden = type(state)(**{**vars(state), "covered": lambda number: True})
    shown.picture.update(shown.program, shown.board, hidden)
    assert {face.value for face in shown.faces()} == {"?"}


def test_no_title_tells_a_covered_derivative(qapp):
    shown = Shown(
        "x = torch.tensor(2., requires_grad=True)\ny = x ** 4\n"
        "g, = torch.autograd.grad(y, x, create_graph=True)\nh, = torch.autograd.grad(g, x, create_graph=True)\n"
    )
    assert "4. * ((x ** 2) * 3)" in {face.title for face in shown.faces()}
    state = shown.session.trace.state()
    hidden = type(state)(**{**vars(state), "covered": lambda number: True})
    shown.picture.update(shown.program, shown.board, hidden)
    assert "? * ((x ** 2) * 3)" in {face.title for face in shown.faces()}
    assert not any("4." in face.title for face in shown.faces())


@pytest.mark.parametrize(("order", "word"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th")])
def test_orders_have_their_words(order, word):
    assert Words().ordinal(order) == word


def test_where_cards_are_read_downwards_it_lies_beside_them(twice):
    twice.board = Board(drawing="autograd")
    twice.look_at(None)
    layer, board = twice.layer, twice.picture.on_board()
    assert all(band.rect.left() > board.right() for band in layer.bands)
    assert layer.bands[1].rect.top() > layer.bands[0].rect.bottom()
    functions = twice.picture.functions.bounds()
    assert not any(band.rect.intersects(functions) for band in layer.bands)
    end = next(place for place, link in enumerate(layer.links) if link.target < 0 and not link.grad)
    card = twice.picture.rect(layer.links[end].card)
    assert layer.ends[end, 2] > card.center().x()


def test_a_function_leads_to_the_node_of_the_layer_that_is_next(twice):
    twice.board = Board(drawing="autograd")
    twice.look_at(None)
    layer, functions, nodes = twice.layer, twice.picture.functions, twice.session.trace.nodes
    leading = [link for link in layer.links if link.number >= 0]
    assert leading
    for link in leading:
        assert nodes[link.number].edges[link.output] == layer.keys[link.source][1]
        end, row = layer.ends[layer.links.index(link)], functions.index[NODE, link.number]
        assert tuple(end[2:]) == functions.beside_next(link.number, link.output)
        assert functions.rect(functions.keys[row]).right() == end[2]
    shown = {link.number for link in leading}
    assert {nodes[number].name for number in shown} >= {"PowBackward0"}  # of x.grad ** 2, which begins at x.grad
    twice.board = Board()
    twice.look_at(None)
    assert not any(link.number >= 0 for link in twice.layer.links)


def test_the_last_node_of_a_long_chain_has_its_title(qapp):
    chain = "".join("y = y.exp()\n" for _ in range(1500))
    shown = Shown(f"x = torch.tensor(-9., requires_grad=True)\ny = x * 1\n{chain}y.backward(create_graph=True)\n")
    graph = shown.session.trace.gradient_graphs[0]
    names = names_of(shown.program, shown.session.trace.state(), ())
    assert names.title(graph.nodes[-1]).startswith("copy(#")
    assert names.count(graph.nodes[-1]) == f"#{len(graph.nodes)}"


@pytest.mark.parametrize("zoom", [0.26, 0.3, 0.4])
def test_from_further_off_no_line_of_a_node_lies_on_another(twice, zoom, monkeypatch):
    lines: dict[tuple[float, float], list[QRectF]] = {}
    write = gradient_paint.write

    def noting(painter, text, font, colour, x, y):
        width = write(painter, text, font, colour, x, y)
        size = font.pixelSize()
        node = painter.transform().dx(), painter.transform().dy()
        lines.setdefault(node, []).append(QRectF(x, y - 0.36 * size, width, 0.9 * size))
        return width

    monkeypatch.setattr(gradient_paint, "write", noting)
    look = Look(zoom=zoom, origin=twice.layer.bounds().topLeft().toTuple())
    assert look.level is Level.MIDDLE
    image = QImage(1600, 1200, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    gradient_paint.paint_layer(painter, twice.picture, look, QRectF(image.rect()))
    painter.end()
    written = [rows for rows in lines.values() if any(row.width() > 0 for row in rows)]
    assert len(written) >= len(twice.layer)
    assert not any(rows[0].intersects(other) for rows in written for other in rows[1:])
