"""Gradients that run along the wires while a backward is stepped through."""

from __future__ import annotations

import numpy as np
import pytest

from chalkgrad.program.board import Board
from chalkgrad.program.sheet import Sheet
from chalkgrad.session.events import EventKind
from chalkgrad.source.read import read_source
from chalkgrad_app import settings
from chalkgrad_app.canvas.view import Canvas
from chalkgrad_app.document import Document

SOURCE = """import torch
w = torch.tensor([1.], requires_grad=True)
x = torch.tensor([2.])
a = w * x
y = a.tanh()
y.backward()
"""


@pytest.fixture
def canvas(qtbot) -> Canvas:
    document = Document(Sheet(read_source(SOURCE), Board()))
    document.finish()
    made = Canvas()
    qtbot.addWidget(made)
    document.setParent(made)
    made.resize(800, 500)
    made.set_document(document)
    made.show()
    qtbot.waitExposed(made)
    return made


def wires_named(canvas: Canvas) -> set[tuple[str, str]]:
    program, picture = canvas.document.program, canvas.picture
    found = [picture.wires[row] for row in canvas.travelling.wires.tolist()]
    return {(program[wire.source].name, program[wire.target].name) for wire in found}


def position_after(canvas: Canvas, kind: EventKind, number: int = 0) -> int:
    """The position just after event ``number`` of a kind."""
    events = canvas.document.session.trace.events
    return [index for index, event in enumerate(events) if event.kind is kind][number] + 1


def test_a_step_over_a_node_sends_its_gradients_back(canvas: Canvas) -> None:
    at = position_after(canvas, EventKind.NODE_RAN)
    canvas.document.look_at(at - 1)
    assert not len(canvas.travelling.wires)
    canvas.document.step_event(1)
    assert wires_named(canvas) == {("a", "y")}


def test_no_gradient_runs_where_none_flows(canvas: Canvas) -> None:
    at = position_after(canvas, EventKind.NODE_RAN, 1)
    canvas.document.look_at(at - 1)
    canvas.document.step_event(1)
    assert wires_named(canvas) == {("w", "a")}, "x requires no gradient"


def test_stepping_back_shows_nothing_on_its_way(canvas: Canvas) -> None:
    at = position_after(canvas, EventKind.NODE_RAN)
    canvas.document.look_at(at)
    canvas.document.step_event(-1)
    assert not len(canvas.travelling.wires)


def test_without_motion_nothing_moves(canvas: Canvas) -> None:
    settings.MOTION.set(False)
    try:
        at = position_after(canvas, EventKind.NODE_RAN)
        canvas.document.look_at(at - 1)
        canvas.document.step_event(1)
        assert not len(canvas.travelling.wires)
    finally:
        settings.MOTION.set(True)


def test_the_dots_are_seen_and_go(canvas: Canvas, qtbot) -> None:
    canvas.travelling._animation.setDuration(3000)  # they are on their way when one looks
    at = position_after(canvas, EventKind.NODE_RAN)
    canvas.document.look_at(at - 1)
    canvas.document.step_event(1)
    begun = canvas.grab().toImage()
    qtbot.waitUntil(lambda: canvas.grab().toImage() != begun)
    moving = canvas.grab().toImage()
    qtbot.waitUntil(lambda: not len(canvas.travelling.wires), timeout=9000)
    assert canvas.grab().toImage() != moving


def test_points_lie_on_the_wire(canvas: Canvas) -> None:
    picture = canvas.picture
    rows = np.arange(len(picture.wires))
    np.testing.assert_allclose(picture.points_at(rows, 0.0), picture.ends[:, 0:2])
    np.testing.assert_allclose(picture.points_at(rows, 1.0), picture.ends[:, 2:4])
