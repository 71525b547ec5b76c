"""Names seen from afar: beside their marks, hiding nothing, in all three drawings."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from support.desk import calm, choose, key, settle
from support.drawn import Drawn
from support.panels import id_of

from chalkgrad.program.board import Board, Place
from chalkgrad_app.picture.brushes import Brushes
from chalkgrad_app.picture.far_names import MOST, FarNames
from chalkgrad_app.picture.look import Level, Look
from chalkgrad_app.picture.marks import UNITS
from chalkgrad_app.picture.paint import paint

LOOP = """import torch
X = torch.tensor([[1., 2.], [3., 4.]])
w = torch.zeros(2, 1, requires_grad=True)
for step in range(3):
    y = X @ w
    loss = (y * y).mean()
    loss.backward()
"""
RING = 5.0
"""How far the ring around a mark that is selected reaches, in pixels."""
CTRL = Qt.KeyboardModifier.ControlModifier
DRAWINGS = {"cards": Qt.Key.Key_1, "data": Qt.Key.Key_2, "autograd": Qt.Key.Key_3}


def afar(window, open_text, text, drawing="cards", zoom=20):
    """The canvas from afar, and the names on it."""
    open_text(text)
    calm(window)
    key(window, DRAWINGS[drawing], CTRL)
    calm(window)
    canvas = window.canvas
    canvas.fit_all()
    look_at(window, zoom)
    assert canvas.look().level is Level.FAR
    return canvas, names(canvas)


def look_at(window, zoom):
    """Show all in the middle at a zoom."""
    canvas = window.canvas
    canvas.set_zoom_percent(zoom)
    canvas.viewport.center_on(canvas.picture.bounds().center(), QSizeF(canvas.size()))
    canvas.repaint_still()
    settle(window)


def names(canvas):
    """The names by what they name, where they are on the canvas."""
    image, look, found = QImage(canvas.size(), QImage.Format.Format_RGB32), canvas.look(), FarNames()
    painter = QPainter(image)
    found.paint(painter, canvas.picture, look, QRectF(canvas.rect()))
    painter.end()
    origin = QPointF(*look.origin) * look.zoom
    return {name.of: (name.text, name.rect.translated(-origin), name.inside) for name in found.found}


def is_inked(canvas, rect, role):
    """True where a colour is on the canvas within a rectangle."""
    image, ink = canvas.grab(rect.toAlignedRect()).toImage(), canvas.look().theme.color(role)
    colours = {image.pixelColor(x, y).rgb() for x in range(image.width()) for y in range(image.height())}
    near = [abs(a.red() - ink.red()) + abs(a.blue() - ink.blue()) < 60 for a in map(type(ink).fromRgb, colours)]
    return any(near)


def marks(canvas):
    """The marks of the cards on the canvas."""
    look = canvas.look()
    half = UNITS * look.zoom / 2
    middles = [canvas.to_view(canvas.picture.rect(id_).center()) for id_ in canvas.picture.ids]
    return [QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half) for at in middles]


@pytest.mark.parametrize("drawing", DRAWINGS)
def test_names_stand_beside_their_marks_and_hide_nothing(window, open_text, drawing):
    canvas, found = afar(window, open_text, LOOP, drawing)
    texts = {text for text, _, _ in found.values()}
    assert {"X", "w", "y", "loss"} <= texts
    for name in ("X", "w", "y", "loss"):
        _, rect, _ = found[id_of(window.document, name)]
        mark = canvas.view_rect_of(id_of(window.document, name)).center()
        assert (rect.center() - QPointF(mark)).manhattanLength() < 60
        assert is_inked(canvas, rect, "ink"), name
    rects = [rect for _, rect, _ in found.values()]
    assert not any(one.intersects(other) for one, other in combinations(rects, 2))
    outside = [rect for _, rect, inside in found.values() if not inside]
    ringed = [mark.adjusted(-RING, -RING, RING, RING) for mark in marks(canvas)]
    assert not any(rect.intersects(mark) for rect in outside for mark in ringed)


NET = """import torch
import torch.nn.functional as F
X = torch.ones(4, 3)
t = torch.tensor([0, 1, 1, 0])
W1 = torch.ones(3, 5, requires_grad=True)
b1 = torch.zeros(5, requires_grad=True)
W2 = torch.ones(5, 2, requires_grad=True)
b2 = torch.zeros(2, requires_grad=True)
h = torch.relu(X @ W1 + b1)
loss = F.cross_entropy(h @ W2 + b2, t)
loss.backward()
"""


@pytest.mark.parametrize("zoom", [6, 8, 11, 14])
def test_what_a_name_stands_at_is_what_it_names(window, open_text, zoom):
    canvas, found = afar(window, open_text, NET, "autograd", zoom)
    boxes = dict(zip(canvas.picture.ids, marks(canvas), strict=True))
    for layer in canvas.picture.beside:
        for node in layer.keys:
            rect = layer.rect(node)
            boxes[node] = QRectF(canvas.to_view(rect.topLeft()), canvas.to_view(rect.bottomRight()))
    assert len(found) > 4
    for of, (text, rect, inside) in found.items():
        if of in boxes and not inside:
            nearest = min(boxes, key=lambda other: gap(rect, boxes[other]))
            assert nearest == of, text


def gap(one, other):
    """How far two rectangles are apart."""
    across = max(one.left() - other.right(), other.left() - one.right(), 0)
    down = max(one.top() - other.bottom(), other.top() - one.bottom(), 0)
    return (across**2 + down**2) ** 0.5


def test_functions_have_theirs_on_them_where_they_are_wide_enough(window, open_text):
    canvas, found = afar(window, open_text, LOOP, "autograd", 22)
    on_nodes = {text: rect for text, rect, inside in found.values() if inside}
    assert {"Mm", "Mul", "Mean"} <= on_nodes.keys()
    assert is_inked(canvas, on_nodes["Mul"], "function_text")


def network(layers=5):
    """A network of so many layers, its parameters first."""
    lines = ["x = torch.ones(8, 4)", "t = torch.ones(8, 4)"]
    for k in range(1, layers + 1):
        lines += [f"w{k} = torch.eye(4, requires_grad=True)", f"b{k} = torch.zeros(4, requires_grad=True)"]
    for k in range(1, layers + 1):
        lines.append(f"h{k} = torch.tanh({f'h{k - 1}' if k > 1 else 'x'} @ w{k} + b{k})")
    return "\n".join(["import torch", *lines, f"loss = ((h{layers} - t) ** 2).mean()", "loss.backward()"])


@pytest.mark.parametrize(("size", "layers"), [((1280, 800), 5), ((1920, 1080), 7)])
def test_of_a_network_that_is_fitted_everything_is_named(window, open_text, size, layers):
    window.resize(*size)
    open_text(network(layers))
    calm(window)
    key(window, DRAWINGS["autograd"], CTRL)
    calm(window)
    canvas = window.canvas
    canvas.setFocus()
    key(window, Qt.Key.Key_Home)
    calm(window)
    while not canvas.picture.has_ways(np.arange(len(canvas.picture.wires))):
        QTest.qWait(20)
    canvas.repaint_still()
    assert canvas.look().level is Level.FAR
    found, picture = names(canvas), canvas.picture
    assert set(picture.ids) <= found.keys()
    rects = {of: rect for of, (_, rect, _) in found.items()}
    assert not any(one.intersects(other) for one, other in combinations(rects.values(), 2))
    assert all(QRectF(canvas.rect()).contains(rect) for rect in rects.values())
    functions = picture.functions
    named = [picture.state.nodes[number].name for kind, number in functions.keys if (kind, number) in found]
    assert len(named) >= sum(picture.state.nodes[number].name != "AccumulateGrad" for _, number in functions.keys)
    over = next(rect for text, rect, inside in found.values() if text == "Tanh" and inside)
    assert is_inked(canvas, over, "function_text")


def test_a_name_goes_with_its_card(window, open_text):
    canvas, found = afar(window, open_text, LOOP)
    card = id_of(window.document, "X")
    _, before, _ = found[card]
    top = canvas.picture.rect(card).top()
    start = canvas.to_view(canvas.picture.rect(card).center()).toPoint()
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=start)
    for step in (QPoint(0, -20), QPoint(0, -60), QPoint(0, -70)):
        QTest.mouseMove(canvas, start + step)
        settle()
    assert is_inked(canvas, before.translated(0, -70), "ink"), "while it is dragged"
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=start + QPoint(0, -70))
    settle(window)
    assert canvas.picture.rect(card).top() < top - 300
    look_at(window, 20)
    _, after, _ = names(canvas)[card]
    mark = canvas.to_view(canvas.picture.rect(card).center())
    assert (after.center() - mark).manhattanLength() < 60
    assert is_inked(canvas, after, "ink")


def test_of_very_many_cards_none_is_named(window, open_text):
    lines = "".join(f"x{n} = x{n - 1} + 1\n" for n in range(1, MOST + 2))
    _, found = afar(window, open_text, f"import torch\nx0 = torch.tensor(1.)\n{lines}", zoom=10)
    assert not found


def test_nothing_is_named_on_the_map_of_the_canvas(window, open_text, monkeypatch):
    painted = []
    known = FarNames.paint
    monkeypatch.setattr(FarNames, "paint", lambda self, *given: painted.append(given[3].size()) or known(self, *given))
    afar(window, open_text, LOOP)
    choose(window, "show", "minimap")
    QTest.qWait(400)
    minimap = window.area.minimap
    assert minimap.isVisible()
    assert painted
    assert all(size.width() > minimap.width() for size in painted)


def test_a_card_alone_is_named_too(window, open_text):
    _, found = afar(window, open_text, "import torch\nalone = torch.tensor(1.)\n")
    assert [text for text, _, _ in found.values()] == ["alone"]


def test_a_long_expression_loses_its_end(window, open_text):
    text = "import torch\nx = torch.tensor(1.)\nlast = torch.sigmoid(x * 3.25 + 4.75 - x / 2.5)\n"
    _, found = afar(window, open_text, text)
    shown = {text for text, _, _ in found.values()}
    assert {"x", "last"} <= shown
    assert all(len(text) <= 18 for text in shown)


def test_the_title_of_a_frame_hides_nothing(window, open_text):
    for zoom in (22, 15, 9):
        canvas, found = afar(window, open_text, LOOP, zoom=zoom)
        frames = [frame for frame in canvas.picture.frames if frame.id in found]
        assert frames, zoom
        for frame in frames:
            _, rect, _ = found[frame.id]
            assert not [mark for mark in marks(canvas) if mark.intersects(rect)]
            assert is_inked(canvas, rect, "frame_text")
            others = [other for of, (_, other, _) in found.items() if of != frame.id]
            assert not [other for other in others if other.intersects(rect)]


@pytest.mark.parametrize("drawing", DRAWINGS)
def test_a_folded_frame_keeps_its_name(window, open_text, drawing):
    open_text("import torch\nx = torch.ones(2)\na = x + 1\nb = a * 2\nc = b - 3\n")
    calm(window)
    document, canvas = window.document, window.canvas
    document.select([id_of(document, "a"), id_of(document, "b")])
    canvas.setFocus()
    key(window, Qt.Key.Key_G, CTRL)
    key(window, Qt.Key.Key_Return)
    calm(window)
    canvas.setFocus()
    key(window, Qt.Key.Key_C, Qt.KeyboardModifier.ShiftModifier)
    key(window, Qt.Key.Key_Return)
    calm(window)
    key(window, DRAWINGS[drawing], CTRL)
    calm(window)
    look_at(window, 20)
    assert canvas.look().level is Level.FAR
    fold = canvas.picture.folds[0]
    text, rect, _ = names(canvas)[fold.id]
    assert text == fold.title == "Frame"
    assert is_inked(canvas, rect, "ink")
    assert not rect.intersects(canvas.viewport.rect_to_view(fold.rect))


def test_lines_are_smooth_where_they_are_few(qapp):
    board = Board({("cards", 1): Place(0, 0), ("cards", 2): Place(2000, 900)}, drawing="cards")
    drawn, look = Drawn("x = torch.tensor([1.])\ny = torch.exp(x)", board), Look(zoom=0.2)
    image = QImage(400, 220, QImage.Format.Format_RGB32)
    image.fill(look.theme.color("canvas"))
    painter = QPainter(image)
    paint(painter, drawn.picture, look, QRectF(image.rect()), Brushes(named=False))
    painter.end()
    shades = {image.pixelColor(x, y).rgb() for x in range(120, 300) for y in range(image.height())}
    assert len(shades) > 8, "shades between the line and its ground"


@pytest.mark.parametrize("drawing", DRAWINGS)
def test_a_leaf_that_stands_inside_another_line_is_named_by_what_it_is(window, open_text, drawing):
    _, named = afar(window, open_text, "import torch\ng = torch.randn(7, 3) * 0.05\n", drawing)
    assert "randn(7, 3)" in {text for text, _, _ in named.values()}


def test_the_edge_of_a_frame_is_faint_below_a_name_that_it_runs_through(window, open_text):
    source = "import torch\nw = torch.tensor(1., requires_grad=True)\nwith torch.no_grad():\n    a = w * 2\n"
    source += "    the_long_name = a * 3\n    c = the_long_name * 4\n"
    canvas, _ = afar(window, open_text, source, "autograd", 15)
    frame = canvas.viewport.rect_to_view(canvas.picture.frames[0].rect)
    edge = canvas.look().theme.color("frame_edge").lightness()
    rect = next(rect for text, rect, _ in names(canvas).values() if text == "the_long_name")
    assert rect.left() < frame.right() < rect.right()
    image, x = canvas.grab().toImage(), round(frame.right())
    ratio = image.devicePixelRatio()

    def darkest(y: float) -> int:
        return min(image.pixelColor(int((x + dx) * ratio), int(y * ratio)).lightness() for dx in (-1, 0, 1))

    assert darkest(rect.top() - 4) < edge + 20
    assert darkest(rect.top() + 1) > edge + 40
