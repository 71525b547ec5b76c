"""Inside a backward the gradients that were sent back stand on their wires, and the node that ran last is lit."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from support.sheets import COURSE

from chalkgrad.program.board import Board
from chalkgrad.program.sheet import Sheet
from chalkgrad.session.events import EventKind
from chalkgrad.source.read import read_source
from chalkgrad_app.canvas.clearance import Written, written
from chalkgrad_app.canvas.graph_canvas import GraphCanvas
from chalkgrad_app.document import Document
from chalkgrad_app.panels.event_words import EventWords
from chalkgrad_app.picture.node_arrays import NODE
from chalkgrad_app.style import theme


@pytest.fixture
def shown(qtbot):
    def make(source):
        document = Document(Sheet(read_source(source), Board()))
        document.finish()
        canvas = GraphCanvas(document)
        qtbot.addWidget(canvas)
        document.setParent(canvas)
        canvas.resize(1000, 600)
        canvas.show()
        qtbot.waitExposed(canvas)
        canvas.fit_all()
        return canvas

    return make


def after(canvas, kind, number=0):
    events = canvas.document.session.trace.events
    return [index for index, event in enumerate(events) if event.kind is kind][number] + 1


def pills(canvas):
    """The texts by the names of the cards between which they stand."""
    program, picture = canvas.document.program, canvas.picture
    found = {}
    for sent in canvas.gradient_pills.sent():
        wire = picture.wires[sent.wire]
        found[program[wire.source].name, program[wire.target].name] = sent.text
    return found


def last(canvas):
    return [sent.text for sent in canvas.gradient_pills.sent() if sent.is_last]


def test_node_after_node_their_gradients_come_to_stand_on_the_wires(shown):
    canvas = shown(COURSE)
    named = canvas.document.program.named
    canvas.document.look_at(after(canvas, EventKind.BACKWARD_BEGAN))
    assert pills(canvas) == {}
    canvas.document.look_at(after(canvas, EventKind.NODE_RAN))
    assert pills(canvas) == {("a", "y"): "[2.]", ("b", "y"): "[3.]"}
    assert canvas.gradient_pills.lit == named("y").statement
    canvas.document.look_at(after(canvas, EventKind.NODE_RAN, 1))
    assert pills(canvas) == {("a", "y"): "[2.]", ("b", "y"): "[3.]", ("w", "b"): "[3.]"}
    assert last(canvas) == ["[3.]"]
    assert canvas.gradient_pills.lit == named("b").statement
    canvas.document.look_at(after(canvas, EventKind.NODE_RAN, 2))
    assert pills(canvas)["w", "a"] == "[2.]"
    assert ("x", "a") not in pills(canvas)


def test_outside_a_backward_there_are_none(shown):
    canvas = shown(COURSE)
    assert pills(canvas) == {}
    canvas.document.look_at(after(canvas, EventKind.NODE_RAN, 2))
    assert pills(canvas)
    canvas.document.step_line(-1)
    assert pills(canvas) == {}
    assert canvas.gradient_pills.lit is None
    canvas.document.back_to_now()
    assert pills(canvas) == {}


def test_a_tensor_used_twice_by_one_operator_has_a_pill_on_each_wire(shown):
    canvas = shown("import torch\nw = torch.tensor([3.], requires_grad=True)\ny = w * w\ny.backward()\n")
    canvas.document.look_at(after(canvas, EventKind.NODE_RAN))
    sent = canvas.gradient_pills.sent()
    assert [pill.text for pill in sent] == ["[3.]", "[3.]"]
    assert {canvas.picture.wires[pill.wire].port for pill in sent} == {0, 1}


def test_a_large_gradient_is_told_by_its_shape_and_covered_ones_stay_covered(shown):
    source = "import torch\nw = torch.ones(2, 3, requires_grad=True)\ny = w.sum()\ny.backward()\n"
    canvas = shown(source)
    canvas.document.look_at(after(canvas, EventKind.NODE_RAN))
    assert pills(canvas) == {("w", "y"): "(2, 3)"}
    canvas.document.cover(True)
    assert pills(canvas) == {("w", "y"): "?"}


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ("[-5.02951, 1.51357]", "[-5.0295, 1.5136]"),
        ("[-0.123456, -5.02951, -1.51357]", "[-0.1235, -5.0295, -1.5136]"),
        ("[0.00022862, 22862., 6.]", "(3,)"),
        ("[0.00022862, 22862.]", "[2.2862e-04, 2.2862e+04]"),
        ("123.4567891", "123.4568"),
    ],
)
def test_they_say_the_digits_that_pytorch_prints_or_the_shape(shown, values, said):
    source = f"import torch\nw = torch.zeros_like(torch.tensor({values})).requires_grad_()\n"
    canvas = shown(f"{source}y = (w * torch.tensor({values})).sum()\ny.backward()\n")
    document = canvas.document
    document.look_at(after(canvas, EventKind.NODE_RAN, 1))
    assert last(canvas) == [said]
    if said != "(3,)":  # the panel Engine says the same
        words = EventWords(document).text(document.session.trace.events[document.cursor - 1])
        assert said in " ".join(words.split())


@pytest.mark.parametrize("percent", [100, 40])
def test_they_are_seen_in_the_middle_of_the_wire(shown, percent, qtbot):
    canvas = shown(COURSE)
    canvas.set_zoom_percent(percent)
    canvas.document.look_at(after(canvas, EventKind.NODE_RAN))
    qtbot.waitUntil(lambda: not len(canvas.travelling.wires))  # the dots have arrived
    ports = canvas.port_pos("y", 0), canvas.port_pos("a", "value")
    middle = (QPointF(ports[0]) + QPointF(ports[1])) / 2
    image = canvas.grab().toImage()
    placed = canvas.gradient_pills.placed
    assert len(placed) == 2
    nearest = min(placed, key=lambda rect: (rect.center() - middle).manhattanLength())
    if percent == 100:
        assert nearest.contains(middle)
    else:  # it would hide what stands on the cards
        assert (nearest.center() - middle).manhattanLength() < 60
    inside = QPointF(nearest.left() + 4, nearest.center().y()).toPoint() * image.devicePixelRatio()
    assert image.pixelColor(inside) == theme.current().color("grad")


def test_an_edit_in_the_middle_of_it_takes_them_away(shown):
    canvas = shown(COURSE)
    canvas.document.look_at(after(canvas, EventKind.NODE_RAN, 1))
    canvas.grab()
    canvas.document.delete([canvas.document.program.named("y").statement])
    canvas.grab()
    assert pills(canvas) == {}
    canvas.document.undo_stack.undo()
    canvas.document.finish()
    canvas.grab()
    canvas.document.look_at(after(canvas, EventKind.NODE_RAN))
    assert pills(canvas) == {("a", "y"): "[2.]", ("b", "y"): "[3.]"}


WIDE = """import torch
w = torch.tensor([1., 2.], requires_grad=True)
y = w * 3
z = y.exp() / 10
a = z.sum()
a.backward()
"""


def test_a_wide_pill_leaves_the_beginning_of_the_next_value_to_be_read(shown, qtbot):
    canvas = shown(WIDE)
    canvas.document.look_at(after(canvas, EventKind.NODE_RAN, 1))
    qtbot.waitUntil(lambda: not len(canvas.travelling.wires))  # the dots have arrived
    assert last(canvas) == ["[0.1000, 0.1000]"]
    image, filled = canvas.grab().toImage(), theme.current().color("grad")
    scale, start = canvas.viewport.scale, canvas.node_rect("z").left()
    middle = canvas.port_pos("z", 0).y() - round(6 * scale)
    row = [image.pixelColor(QPointF(x, middle).toPoint()) for x in range(start - 60, start + round(50 * scale))]
    assert filled in row[:60]
    assert filled not in row[60:]


def test_a_wide_pill_leaves_the_end_of_the_value_before_it_to_be_read(shown, qtbot):
    canvas = shown(WIDE)
    canvas.document.look_at(after(canvas, EventKind.NODE_RAN, 1))
    qtbot.waitUntil(lambda: not len(canvas.travelling.wires))  # the dots have arrived
    port, scale = canvas.port_pos("y", "value"), canvas.viewport.scale
    image, filled = canvas.grab().toImage(), theme.current().color("grad")
    tail = [(x, y) for x in range(port.x() - round(40 * scale), port.x()) for y in (-4, 0, 4)]
    assert not [at for at in tail if image.pixelColor(at[0], port.y() + round(at[1] * scale)) == filled]


TWICE = """import torch
x = torch.tensor(3., requires_grad=True)
y = x ** 3
g, = torch.autograd.grad(y, x, create_graph=True)
z = g * g
z.backward()
"""


@pytest.mark.parametrize("folded", [False, True])
def test_a_node_that_another_backward_recorded_is_lit_in_its_graph(shown, folded):
    canvas = shown(TWICE)
    document, layer = canvas.document, canvas.picture.gradients
    line = document.program.named("g").statement
    if folded:
        canvas.nodes.fold()
    trace, lit = document.session.trace, []
    start = trace.events_of(document.program.order[-1]).start
    for position in range(start + 1, len(trace) + 1):
        document.look_at(position)
        node = trace.events[position - 1].node
        if trace.events[position - 1].kind is EventKind.NODE_RAN and trace.nodes[node].statement == line:
            lit.append(list(canvas.gradient_pills.lit_rects()))
            wanted = canvas.picture.rect(line) if folded else layer.rect((NODE, node))
            assert lit[-1] == [wanted]
    assert len(lit) == 3


def test_in_the_graph_of_a_gradient_they_stand_on_its_links(shown):
    canvas = shown(TWICE)
    document, layer = canvas.document, canvas.picture.gradients
    trace, line = document.session.trace, document.program.named("g").statement
    expected = {}
    for position in range(trace.events_of(document.program.order[-1]).start + 1, len(trace) + 1):
        event = trace.events[position - 1]
        if event.kind is not EventKind.NODE_RAN or trace.nodes[event.node].statement != line:
            continue
        document.look_at(position)
        on_links = [sent for sent in canvas.gradient_pills.sent() if sent.on_link]
        last = [sent for sent in on_links if sent.is_last]
        assert all(layer.links[sent.wire].target == layer.row_of(event.node) for sent in last)
        expected[trace.nodes[event.node].name, event.node] = [sent.text for sent in last]
        canvas.grab()
        middles = layer.middles_of([sent.wire for sent in last])
        assert len(middles) == len(last)
        around = layer.bounds()
        assert all(around.contains(QPointF(*middle)) for middle in middles.tolist())
    # dz/dg = 2 * g = 54 goes from dy/dy * (3 * x ** 2) to 3 * x ** 2, 54 * 3 to x ** 2, and 54 * 3 * 2 * x to x
    assert sorted(texts for texts in expected.values() if texts) == [["162."], ["54."], ["972."]]
    document.look_at(len(trace))
    assert canvas.gradient_pills.sent() == ()


LADDER = """import torch
w = torch.tensor([2.], requires_grad=True)
a = w * 3
b = a * w
c = b * a
d = c * w
e = d * c
f = e * d
f.backward()
"""


def test_pills_go_with_the_picture_as_it_is_panned(shown):
    canvas = shown(LADDER)
    canvas.document.look_at(after(canvas, EventKind.NODE_RAN, 3))
    canvas.grab()
    before = [rect.topLeft() for rect in canvas.gradient_pills.placed]
    assert len(before) == 8
    for step in ((17, 0), (-9, 23), (5, -14)):
        canvas.pan_by(*step)
        canvas.grab()
        now = [rect.topLeft() for rect in canvas.gradient_pills.placed]
        assert all((at - was - QPointF(*step)).manhattanLength() < 1e-6 for at, was in zip(now, before, strict=True))
        before = now


ROOM_OF_A_LETTER = 90.0
"""In square pixels: names and values end before the edge of their cards."""
CROWDED = """import torch
w = torch.tensor([2.], requires_grad=True)
x = torch.tensor([3.])
a = w * x
a.retain_grad()
b = (a * w) * (a * x) + a * a
b.backward()
b = (a * w) * (a * x) + a * a
"""


@pytest.mark.parametrize("percent", [57, 80, 100])
def test_what_is_said_while_one_steps_hides_no_name_and_no_value(shown, percent):
    canvas = shown(CROWDED)
    canvas.resize(2000, 1000)
    canvas.fit_all()
    canvas.set_zoom_percent(percent)
    document, pills, said = canvas.document, canvas.gradient_pills, canvas.event_pill
    events = document.session.trace.events_of(document.program.order[-6])
    seen = 0
    for position in range(events.start + 1, events.stop):
        document.look_at(position)
        canvas.grab()
        placed = [*pills.placed, *([said.placed] if said.placed is not None else [])]
        assert not [one for one, other in combinations(placed, 2) if one.intersects(other)]
        names_and_values = written(canvas)
        boxes = np.array([(r.left(), r.top(), r.right(), r.bottom()) for r in placed]).reshape(-1, 4)
        keep = names_and_values.weights == 1.0
        hidden = Written(names_and_values.boxes[keep], names_and_values.weights[keep]).hidden_by(boxes)
        assert (hidden < ROOM_OF_A_LETTER).all()
        seen += len(placed)
    assert seen > 50, "some are said"


def middles(canvas):
    """Where on the picture pills were painted."""
    origin, zoom = QPointF(*canvas.viewport.origin), canvas.viewport.scale
    return [rect.center() / zoom + origin for rect in canvas.gradient_pills.placed]


@pytest.mark.parametrize("drawing", ["cards", "data", "autograd"])
def test_no_pill_jumps_because_another_one_came(shown, qtbot, drawing):
    canvas = shown(CROWDED)
    canvas.resize(1400, 900)
    document = canvas.document
    document.draw_as(drawing)
    qtbot.waitUntil(lambda: not canvas.redrawing.is_active)
    canvas.fit_all()
    canvas.set_zoom_percent(40)
    events = document.session.trace.events_of(document.program.order[-6])
    before, kept = [], 0
    for position in range(events.start + 1, events.stop):
        document.look_at(position)
        canvas.grab()
        now = middles(canvas)
        assert len(now) >= len(before)
        assert all(min((there - here).manhattanLength() for there in now) < 1.0 for here in before), position
        kept, before = kept + len(before), now
    assert kept > 100
