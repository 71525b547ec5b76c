"""What is fitted is whole: no line of code is cut, and what would be too small is shown from its beginning."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from support.desk import calm

from chalkgrad.program import edits
from chalkgrad_app.canvas.graph_canvas import GraphCanvas
from chalkgrad_app.canvas.viewport import LEAST
from chalkgrad_app.main_window import MainWindow
from chalkgrad_app.picture.code_lines import LONGEST
from chalkgrad_app.picture.far_names import FarNames
from chalkgrad_app.picture.line_paint import are_read
from chalkgrad_app.picture.look import Level

TALL = """import torch
w = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)
x = torch.tensor([[1.], [2.]])
h = torch.relu(w @ x)
o = w @ h
y = o.sum()
y.register_hook(lambda g: print(g))
h.retain_grad()
y.backward(retain_graph=True)
d = h.detach()
L = (d * w).mean()
L.backward()
"""
SHORT = """import torch
x = torch.tensor(2.0, requires_grad=True)
y = x ** 3
g, = torch.autograd.grad(y, x, create_graph=True)
z = g * x
z.backward()
"""
WIDE = "import torch\nx = torch.tensor(1.0, requires_grad=True)\n" + "x = x.sin()\n" * 120


@pytest.fixture
def opened(qtbot, tmp_path: Path, window: MainWindow) -> Callable[[str, tuple[int, int]], GraphCanvas]:
    def show(source: str, size: tuple[int, int]) -> GraphCanvas:
        window.resize(*size)
        path = tmp_path / "program.py"
        path.write_text(source, encoding="utf-8")
        window.filing.open_path(path)
        qtbot.waitUntil(lambda: not window.document.is_empty and not window.document.is_running)
        qtbot.waitUntil(lambda: not window.canvas.is_behind)
        window.canvas.setFocus()
        return window.canvas

    return show


def draw(qtbot, canvas: GraphCanvas, key: Qt.Key, drawing: str) -> None:
    qtbot.keyClick(canvas, key, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: canvas.picture.drawing.name == drawing and not canvas.redrawing.is_active)


def scale(canvas: GraphCanvas) -> float:
    return canvas.viewport.scale


def cut_lines(canvas: GraphCanvas) -> list[str]:
    """The lines that are painted and whose beginning is out of view."""
    if not are_read(canvas.viewport.zoom):
        return []
    lines = canvas.picture.lines
    rects = [canvas.viewport.rect_to_view(lines.rect(key)) for key in lines.keys]
    return [lines.text(row) for row, rect in enumerate(rects) if rect.left() < 0 < rect.right()]


@pytest.mark.parametrize("source", [TALL, SHORT], ids=["tall", "short"])
@pytest.mark.parametrize("width", [1280, 1600, 1900])
def test_no_line_of_code_is_cut(qtbot, opened, source: str, width: int) -> None:
    canvas = opened(source, (width, 1000))
    draw(qtbot, canvas, Qt.Key.Key_3, "autograd")
    assert not cut_lines(canvas)
    qtbot.keyClick(canvas, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: not canvas.glide.is_active)
    assert not cut_lines(canvas)


@pytest.mark.parametrize("width", [700, 900, 1280])
def test_no_line_of_code_is_cut_where_there_is_little_room(qtbot, opened, window, width: int) -> None:
    window.presenting.set_text_size(200)
    calm(window)
    canvas = opened(TALL, (width, 800))
    draw(qtbot, canvas, Qt.Key.Key_3, "autograd")
    try:
        assert canvas.viewport.level is not Level.FAR
        assert not cut_lines(canvas)
    finally:
        window.presenting.set_text_size(100)


def test_lines_that_are_too_long_to_be_read_in_full_keep_their_beginning(qtbot, opened) -> None:
    canvas = opened(TALL, (1150, 1600))
    draw(qtbot, canvas, Qt.Key.Key_3, "autograd")
    qtbot.keyClick(canvas, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: not canvas.glide.is_active)
    lines = canvas.picture.lines
    assert are_read(canvas.viewport.zoom)
    assert lines.longest < LONGEST
    assert lines.text(0).startswith("w = torch.tensor(")
    assert lines.text(0).endswith("…")


def test_lines_that_have_no_room_beside_the_beginning_are_whole_for_whoever_goes_there(qtbot, opened) -> None:
    canvas = opened(TALL, (960, 800))
    draw(qtbot, canvas, Qt.Key.Key_3, "autograd")
    lines = canvas.picture.lines
    assert canvas.viewport.level is not Level.FAR
    assert canvas.to_view(QPointF(float((lines.x + lines.w).max()), 0.0)).x() < 8
    assert lines.longest == LONGEST
    assert not any(lines.text(row).endswith("…") for row in range(len(lines)))


def test_a_tall_drawing_opens_at_its_loss_and_home_shows_all(qtbot, opened) -> None:
    canvas = opened(TALL, (1280, 800))
    draw(qtbot, canvas, Qt.Key.Key_3, "autograd")
    assert canvas.look().reads_rows
    view = QRectF(canvas.rect())
    assert view.contains(QRectF(canvas.node_rect("L")))
    assert not view.intersects(QRectF(canvas.node_rect("w")))
    below = canvas.viewport.rect_to_view(canvas.picture.bounds(lines=False)).bottom()
    assert view.height() - 60 < below <= view.height(), "nothing is wasted below it"
    qtbot.keyClick(canvas, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: not canvas.glide.is_active)
    assert view.contains(QRectF(canvas.node_rect("w")))
    assert view.contains(QRectF(canvas.node_rect("L")))


def test_what_is_shown_from_its_beginning_stays_so_when_the_window_gets_another_size(qtbot, opened, window) -> None:
    canvas = opened(TALL, (1280, 800))
    draw(qtbot, canvas, Qt.Key.Key_3, "autograd")
    window.resize(1200, 760)
    qtbot.waitUntil(lambda: window.width() == 1200)
    assert canvas.viewport.level is not Level.FAR
    assert QRectF(canvas.rect()).contains(QRectF(canvas.node_rect("L")))
    assert not cut_lines(canvas)


def test_a_tall_drawing_opens_at_what_is_selected_and_stays_there(qtbot, opened, window) -> None:
    canvas = opened(TALL, (1280, 800))
    document = window.document
    document.select([document.program.named("h").statement])
    draw(qtbot, canvas, Qt.Key.Key_3, "autograd")
    assert canvas.look().reads_rows
    assert QRectF(canvas.rect()).contains(QRectF(canvas.node_rect("h")))
    assert not QRectF(canvas.rect()).contains(QRectF(canvas.node_rect("L")))
    document.select([document.program.named("w").statement])
    window.resize(1200, 760)
    qtbot.waitUntil(lambda: window.width() == 1200)
    assert QRectF(canvas.rect()).contains(QRectF(canvas.node_rect("h")))


def test_what_comes_after_the_last_backward_is_not_what_is_seen_first(qtbot, opened) -> None:
    canvas = opened(TALL + "e = L.detach() > 0\nf = e.sum()\nk = f * 2\nl = k * 2\n", (1280, 800))
    draw(qtbot, canvas, Qt.Key.Key_3, "autograd")
    assert QRectF(canvas.rect()).contains(QRectF(canvas.node_rect("L")))
    assert not QRectF(canvas.rect()).contains(QRectF(canvas.node_rect("l")))


LOOP_OF_TWENTY = """import torch
w = torch.tensor([1.], requires_grad=True)
x = torch.tensor([3.])
y = torch.tensor([6.])
optimizer = torch.optim.SGD([w], lr=0.1)
for step in range(3):
    p = w * x
    loss = ((p - y) ** 2).sum()
    loss.backward()
    optimizer.step()
"""
DERIVATIVES = """import torch
x = torch.tensor(3.0, requires_grad=True)
y = x ** 3
g, = torch.autograd.grad(y, x, create_graph=True)
h, = torch.autograd.grad(g, x, create_graph=True)
"""
FIVE = """import torch
w = torch.tensor([1.], requires_grad=True)
x = torch.tensor([2.])
y = (w + x) * (w + 1)
"""


@pytest.mark.parametrize("source", [TALL, SHORT, LOOP_OF_TWENTY, DERIVATIVES, FIVE], ids=["t", "s", "l", "d", "f"])
@pytest.mark.parametrize("size", [(1280, 800), (1600, 900)])
def test_an_autograd_drawing_opens_whole_if_it_can_be_read_else_where_a_backward_begins(qtbot, opened, source, size):
    canvas = opened(source, size)
    draw(qtbot, canvas, Qt.Key.Key_3, "autograd")
    shows_all = canvas.scene_rect().contains(canvas.picture.bounds(lines=False))
    root = canvas.document.root().statement
    assert QRectF(canvas.rect()).contains(QRectF(canvas.view_rect_of(root)))
    (node,) = canvas.picture.functions.of_cards({root})[:1]
    assert canvas.scene_rect().contains(canvas.picture.functions.rect(node))
    assert canvas.zoom_percent >= (40 if shows_all else 55)
    key = Qt.Key.Key_Home
    if not shows_all:
        qtbot.keyClick(canvas, key)
        qtbot.waitUntil(lambda: not canvas.glide.is_active)
        assert canvas.zoom_percent < 42, "else all of it could have been read"


def test_a_wide_program_opens_at_its_first_cards_with_their_names(qtbot, opened) -> None:
    canvas = opened(WIDE, (1280, 800))
    assert canvas.viewport.level is not Level.FAR
    first = canvas.viewport.rect_to_view(canvas.picture.rect(canvas.picture.ids[0]))
    assert QRectF(canvas.rect()).contains(first)


def test_a_wide_program_is_shown_from_its_beginning_after_a_lecture_too(qtbot, opened, window) -> None:
    canvas = opened(WIDE, (1280, 800))
    for _ in range(2):
        qtbot.keyClick(canvas, Qt.Key.Key_F11)
    qtbot.waitUntil(lambda: not window.isFullScreen() and not window.presenting.in_lecture)
    calm(window)
    assert canvas.viewport.level is not Level.FAR
    first = canvas.viewport.rect_to_view(canvas.picture.rect(canvas.picture.ids[0]))
    assert QRectF(canvas.rect()).contains(first)


def test_a_graph_that_is_new_makes_nothing_too_small_to_be_read(qtbot, opened, window) -> None:
    canvas = opened(WIDE, (1280, 800))
    told: list[str] = []
    window.document.told.connect(told.append)
    assert canvas.shows_all
    QGuiApplication.clipboard().setText("x.backward(create_graph=True)")
    qtbot.keyClick(canvas, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: bool(canvas.picture.gradients.bands) and not canvas.is_behind)
    qtbot.waitUntil(lambda: bool(told) and "out of view" in told[-1])
    calm(window)
    assert canvas.viewport.level is not Level.FAR


def test_a_drawing_of_rows_opens_with_rows_that_can_be_read(qtbot, opened) -> None:
    canvas = opened(TALL, (1900, 1050))
    draw(qtbot, canvas, Qt.Key.Key_3, "autograd")
    assert canvas.look().reads_rows
    assert QRectF(canvas.rect()).contains(QRectF(canvas.node_rect("L")))
    qtbot.keyClick(canvas, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: not canvas.glide.is_active)
    assert canvas.shows_all
    assert not canvas.look().reads_rows, "all of it has room only where they can't"


LOOP = """import torch
x = torch.randn(64, 784)
w = torch.randn(784, 32) * 0.05
w.requires_grad_()
for step in range(5):
    loss = (x @ w).square().mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
"""


@pytest.mark.parametrize("drawing", ["cards", "data", "autograd"])
def test_edges_of_blocks_are_in_view(opened: Callable[[str, tuple[int, int]], GraphCanvas], drawing):
    canvas = opened(LOOP, (1280, 800))
    canvas.document.draw_as(drawing)
    calm(canvas.window())
    canvas.fit_all()
    calm(canvas.window())
    frames = [canvas.view_rect_of(frame.id) for frame in canvas.picture.frames]
    assert len(frames) == 2
    assert all(canvas.rect().adjusted(4, 4, -4, -4).contains(rect) for rect in frames)


def test_a_leaf_without_a_name_says_how_it_was_made(opened: Callable[[str, tuple[int, int]], GraphCanvas]):
    picture = opened(LOOP, (1280, 800)).picture
    faces = [picture.face(id_) for id_ in picture.ids]
    said = [face.expression for face in faces if face.leaf and not face.name]
    assert said == ["randn(784, 32)", "0.1 * w.grad", "w -= 0.1 * w.grad"]


@pytest.mark.parametrize(("percent", "drawing"), [(200, "autograd"), (300, "autograd"), (300, "cards")])
def test_names_seen_from_afar_are_whole_where_all_is_shown(qtbot, opened, window, percent, drawing) -> None:
    canvas = opened(TALL, (1280, 800))
    draw(qtbot, canvas, Qt.Key.Key_1 if drawing == "cards" else Qt.Key.Key_3, drawing)
    window.presenting.set_text_size(percent)
    calm(window)
    qtbot.keyClick(canvas, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: not canvas.glide.is_active)
    calm(window)
    assert canvas.viewport.level is Level.FAR
    named = canvas.viewport.rect_to_view(FarNames().extent(canvas.picture, canvas.viewport.scale))
    shown = QRectF(canvas.rect())
    window.presenting.set_text_size(100)
    assert named.width() > 100
    assert shown.contains(named)


def test_names_seen_from_afar_are_whole_where_what_is_selected_is_shown(qtbot, opened, window) -> None:
    canvas = opened(TALL, (1280, 800))
    draw(qtbot, canvas, Qt.Key.Key_3, "autograd")
    window.presenting.set_text_size(300)
    calm(window)
    program = window.document.program
    ids = {program.named(name).statement for name in "owyL"}
    window.document.select(ids)
    qtbot.keyClick(canvas, Qt.Key.Key_F)
    qtbot.waitUntil(lambda: not canvas.glide.is_active)
    calm(window)
    assert canvas.viewport.level is Level.FAR
    named = canvas.viewport.rect_to_view(FarNames().extent(canvas.picture, canvas.viewport.scale, ids))
    shown = QRectF(canvas.rect())
    window.presenting.set_text_size(100)
    assert named.width() > 60
    assert shown.contains(named)


def test_home_shows_all_of_what_is_wider_than_the_least_zoom_would_show(opened):
    canvas = opened(WIDE, (1280, 800))
    canvas.document.amend(edits.place(canvas.document.board, {canvas.picture.ids[-1]: (90_000.0, 0.0)}))
    QTest.keyClick(canvas, Qt.Key.Key_Home)
    canvas.glide.finish()
    seen = canvas.viewport.rect_to_view(canvas.picture.bounds(lines=False))
    assert QRectF(canvas.rect()).contains(seen)
    small = canvas.zoom_percent
    assert small < 100 * LEAST
    canvas.zoom_out()
    canvas.glide.finish()
    assert canvas.zoom_percent == pytest.approx(small)
    canvas.zoom_in()
    canvas.glide.finish()
    assert canvas.zoom_percent == pytest.approx(1.2 * small)
