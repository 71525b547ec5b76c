"""As the cursor moves, what looks otherwise is painted again, and no more than that."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QApplication

from chalkgrad.program.board import Board
from chalkgrad.program.sheet import Sheet
from chalkgrad.source.read import read_source
from chalkgrad_app.canvas.graph_canvas import GraphCanvas
from chalkgrad_app.canvas.layers import Backing
from chalkgrad_app.document import Document
from chalkgrad_app.picture import brushes
from chalkgrad_app.picture.brushes import Brushes
from chalkgrad_app.picture.look import Look

LINES = "\n".join(f"x{n + 1} = x{n} * {'w' if n % 3 else 'x0'}" for n in range(24))
BEGIN = "import torch\nw = torch.tensor([1.5], requires_grad=True)\nx0 = w + 1\n"
PLAIN = f"{BEGIN}{LINES}\nx24.backward()\n"
FRAMED = f"{BEGIN}with torch.no_grad():\n    z = w * 2\n{LINES}\nx24.backward()\n"
FAILS = PLAIN + "x24.backward()\n"
SHADE = 16
"""By so much of 255 a pixel may differ where Qt cuts a line at the edge of what is painted."""


@pytest.fixture
def shown(qtbot):
    def make(source, drawing, percent=None):
        document = Document(Sheet(read_source(source), Board()))
        document.finish()
        canvas = GraphCanvas(document)
        qtbot.addWidget(canvas)
        document.setParent(canvas)
        canvas.resize(1400, 900)
        canvas.show()
        qtbot.waitExposed(canvas)
        document.draw_as(drawing)
        qtbot.waitUntil(lambda: not canvas.redrawing.is_active)
        canvas.fit_all()
        if percent is not None:
            canvas.set_zoom_percent(percent)
        canvas.grab()
        qtbot.waitUntil(lambda: not canvas.is_behind)
        return canvas

    return make


@pytest.fixture
def painted(monkeypatch):
    """The areas of backing pixmaps that are painted, one after the other."""
    found, fill = [], Backing._fill

    def noted(self, rects):
        found.extend(rect.width() * rect.height() for rect in rects)
        fill(self, rects)

    monkeypatch.setattr(Backing, "_fill", noted)
    return found


def pixels(canvas):
    canvas.grab()
    while canvas._brushes.blanks:
        QApplication.processEvents()
    image = canvas.backing_pixmap.toImage()
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1).astype(int)


@pytest.mark.parametrize("percent", [None, 60])
@pytest.mark.parametrize("drawing", ["cards", "data", "autograd"])
@pytest.mark.parametrize("source", [PLAIN, FRAMED, FAILS], ids=["plain", "framed", "fails"])
def test_the_picture_is_as_if_all_of_it_were_painted_anew(shown, source, drawing, percent):
    canvas = shown(source, drawing, percent)
    length = len(canvas.document.session.trace)
    for position in [length - 50, length - 49, length - 40, 3, length // 2, length - 30, length - 29, length]:
        canvas.document.look_at(position)
        stepped = pixels(canvas)
        canvas.repaint_still()
        assert np.abs(stepped - pixels(canvas)).max() <= SHADE, position


@pytest.mark.parametrize("drawing", ["cards", "data"])
def test_a_step_paints_no_more_than_what_it_is_about(shown, painted, drawing):
    canvas = shown(PLAIN, drawing)
    document = canvas.document
    canvas.fit([document.program.named(name).statement for name in ("x18", "x24")])
    document.look_at(document.session.trace.events_of(document.program.order[-1]).start + 20)
    canvas.grab()
    painted.clear()
    whole = canvas.width() * canvas.height()
    for _ in range(30):
        document.step_event(1)
        canvas.grab()
    assert painted, "cards say what came to them"
    assert len(painted) <= 30
    assert sum(painted) < 30 * whole / 4


def test_what_is_out_of_view_paints_nothing(shown, painted):
    canvas = shown(PLAIN, "cards", 100)
    document = canvas.document
    document.look_at(document.session.trace.events_of(document.program.order[-1]).start + 20)
    canvas.pan_by(-20000, 0)
    canvas.grab()
    painted.clear()
    for _ in range(10):
        document.step_event(1)
        canvas.grab()
    assert not painted


def test_damage_goes_along_as_the_pixmap_is_scrolled(shown, painted):
    canvas = shown(PLAIN, "cards", 100)
    backing, scale = canvas._backing, canvas.viewport.scale
    left, top = canvas.viewport.origin
    backing.damage(QRectF(left + 300 / scale, top + 200 / scale, 40 / scale, 30 / scale))
    assert not backing.is_valid
    canvas.pan_by(50, 0)
    rects, fill = [], Backing._fill
    backing._fill = lambda found: (rects.extend(map(QRectF, found)), fill(backing, found))
    canvas.grab()
    assert backing.is_valid
    assert rects[-1].contains(QRectF(351, 201, 38, 28))
    assert rects[-1].width() <= 43


def test_cards_wait_for_time_in_every_view_that_comes_by(shown, monkeypatch):
    monkeypatch.setattr(brushes, "PAINT_MS", 0.0)
    monkeypatch.setattr(brushes, "LEAST_MS", 0.0)
    canvas, made = shown(PLAIN, "cards"), Brushes()
    ids, look = canvas.picture.ids[:5], Look()

    def frame(view, cards):
        with made.in_time(0.0, view):
            return sum(made.leaves_blank(canvas.picture, id_, look) for id_ in cards)

    assert [frame(0, ids), frame(1, ids), frame(2, ids)] == [5, 5, 5]
    assert [frame(2, ids), frame(2, ids)] == [5, 0], "where the view rests, all are painted in the end"


def test_a_view_that_makes_no_headway_gets_more_time_each_time_but_not_all_at_once(shown, monkeypatch):
    canvas, made, now = shown(PLAIN, "cards"), Brushes(), [0.0]
    monkeypatch.setattr(brushes, "PAINT_MS", 16.0)
    monkeypatch.setattr(brushes, "thread_time", lambda: now[0])
    ids, look = canvas.picture.ids[:5], Look()

    def frame(spent=16.0):
        left = []
        with made.in_time(spent, 0):
            for id_ in ids:
                left.append(made.leaves_blank(canvas.picture, id_, look))
                now[0] += 0 if left[-1] else 0.007  # what it takes to paint a card
        return left.count(True)

    assert [frame() for _ in range(5)] == [3, 3, 2, 2, 0]
    assert frame() == 3, "what follows is done in time again"
