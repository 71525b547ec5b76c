"""Wires, links and arrows run through no card and no node, once nothing moves: near, from afar, and after a drag."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from support.desk import settle
from support.hands import CTRL, Hands, Host, discard, open_host
from support.ways import through

from chalkgrad.program.sheet import Sheet
from chalkgrad.source.read import read_source
from chalkgrad_app.picture import far_wires
from chalkgrad_app.picture.far_wires import far_lines
from chalkgrad_app.picture.look import Level
from chalkgrad_app.picture.picture import Picture

TWICE = """import torch
x = torch.tensor(3., requires_grad=True)
y = x ** 3
g, = torch.autograd.grad(y, x, create_graph=True)
h, = torch.autograd.grad(g, x, create_graph=True)
z = h * y
z.backward()
"""
NET = """import torch
x = torch.tensor(2.)
w1 = torch.tensor(1., requires_grad=True)
w2 = torch.tensor(2., requires_grad=True)
b = torch.tensor(3., requires_grad=True)
h1 = torch.tanh(w1 * x + b)
h2 = torch.tanh(w2 * x + h1)
out = h1 * b + h2 * x
loss = (out - 1) ** 2
loss.backward()
"""


@pytest.fixture
def opened(qapp, still):
    hosts: list[Host] = []

    def open_text(text: str, drawing: str) -> Hands:
        host = open_host(Sheet(read_source(text)))
        hosts.append(host)
        host.canvas.document.draw_as(drawing)
        host.canvas.fit_all()
        settle()
        return Hands(host.canvas)

    yield open_text
    for host in hosts:
        discard(host)


def rested(qtbot, hands: Hands) -> Picture:
    """The picture once all that is seen is led."""

    def is_led() -> bool:
        picture = hands.canvas.picture
        return picture.has_ways(np.arange(len(picture.wires)))

    hands.canvas.update()
    qtbot.waitUntil(is_led, timeout=10_000)
    return hands.canvas.picture


def free_way(hands: Hands, name: str) -> QPoint:
    """How far a card can be dragged across the others to where nothing lies."""
    picture, scale = hands.canvas.picture, hands.canvas.viewport.scale
    others = [picture.rect(id_) for id_ in picture.ids if id_ != hands.id(name)]
    others += [arrays.rect(key) for arrays in picture.beside for key in arrays.keys]
    others += [band.rect for band in picture.gradients.bands]
    for across in (260, 200, 140, -260, -200, -140):
        for down in (60, -60, 120, -120, 180, -180):
            moved = hands.rect(name).translated(across / scale, down / scale).adjusted(-20, -20, 20, 20)
            at = hands.centre(name) + QPoint(across, down)
            is_in_view = hands.canvas.rect().adjusted(30, 30, -30, -30).contains(at)
            if is_in_view and not any(moved.intersects(QRectF(other)) for other in others):
                return QPoint(across, down)
    raise AssertionError("no room")


@pytest.mark.parametrize("text", [TWICE, NET])
@pytest.mark.parametrize("drawing", ["cards", "data", "autograd"])
def test_after_a_drag_nothing_runs_through_anything(qtbot, opened: Callable[[str, str], Hands], text, drawing):
    hands = opened(text, drawing)
    assert through(rested(qtbot, hands)) == []
    for name in ("x", "h" if text is TWICE else "h1"):
        way, before = free_way(hands, name), hands.rect(name)
        head = hands.canvas.picture.anatomy(hands.id(name)).header
        start = hands.canvas.to_view(before.topLeft() + QPointF(head.left + head.width - 12, head.top + 6)).toPoint()
        hands.drag(start, start + way)
        assert hands.rect(name) != before
        assert through(rested(qtbot, hands)) == [], name


@pytest.mark.parametrize("drawing", ["cards", "data", "autograd"])
def test_a_card_may_be_held_still_on_its_way(qtbot, opened: Callable[[str, str], Hands], drawing):
    hands = opened(TWICE, drawing)
    rested(qtbot, hands)
    way, before = free_way(hands, "x"), hands.rect("x")
    start = hands.header("x")
    hands.press(start)
    hands.move(start + way / 2)
    hands.move(start + way)
    assert rested(qtbot, hands).rect(hands.id("x")) != before
    hands.release(start + way)
    assert through(rested(qtbot, hands)) == []


@pytest.mark.parametrize("drawing", ["cards", "autograd"])
def test_zoomed_out_wires_are_led_and_seen_where_they_run(qtbot, opened: Callable[[str, str], Hands], drawing):
    hands = opened(TWICE, drawing)
    hands.canvas.setFocus()
    while hands.canvas.look().level is not Level.FAR:
        hands.key(Qt.Key.Key_Minus, CTRL)
    hands.canvas.fit_all()
    while hands.canvas.look().level is not Level.FAR:
        hands.key(Qt.Key.Key_Minus, CTRL)
    picture = rested(qtbot, hands)
    assert through(picture) == []
    bent = np.unique(picture.piece_wire[len(picture.wires) :])
    assert len(bent)
    middles = np.stack([picture.x + picture.w / 2, picture.y + picture.h / 2], axis=1)
    for row in bent.tolist():
        lines = far_lines(picture, np.array([row]), middles)
        steps = np.linspace(0, 1, 20)[:, None, None]
        points = (lines[:, :2] + (lines[:, 2:] - lines[:, :2]) * steps).reshape(-1, 2)
        for id_ in picture.ids:
            if id_ not in picture.wires[row][0::3]:
                rect = picture.rect(id_).adjusted(2, 2, -2, -2)
                assert not any(rect.contains(QPointF(*point)) for point in points.tolist())


def test_of_very_many_wires_those_that_go_round_are_seen_so_from_afar(qtbot, opened, monkeypatch):
    hands = opened(TWICE, "cards")
    picture = rested(qtbot, hands)
    middles = np.stack([picture.x + picture.w / 2, picture.y + picture.h / 2], axis=1)
    wires = np.arange(len(picture.wires))
    monkeypatch.setattr(far_wires, "FEW", 0)
    lines = far_lines(picture, wires, middles)
    bent = np.unique(picture.piece_wire[len(picture.wires) :])
    assert 0 < len(bent) < len(wires)
    assert len(lines) == len(wires) - len(bent) + len(picture.pieces_of(bent)) + 2 * len(bent)
    for row in set(wires.tolist()) - set(bent.tolist()):
        straight = [*middles[picture.wire_source[row]], *middles[picture.wire_target[row]]]
        assert straight in lines.tolist()
