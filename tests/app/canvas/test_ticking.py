"""Versions that tick when the cursor passes a write, and the marks of a conflict of versions."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from support.panels import id_of, settle

from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.source.read import read_source
from chalkgrad_app import settings
from chalkgrad_app.canvas.graph_canvas import GraphCanvas
from chalkgrad_app.document import Document
from chalkgrad_app.picture.part_lines import part_line
from chalkgrad_app.pointing import Part, PlayedPart, PointedOut

PROGRAM = """import torch
w = torch.tensor([1., 2.], requires_grad=True)
a = w * 2
v = a.view(2, 1)
y = a * a
a.add_(1)
"""


@pytest.fixture
def canvas(qtbot):
    document = Document(Sheet(read_source(PROGRAM)))
    document.finish()
    made = GraphCanvas(document)
    qtbot.addWidget(made)
    document.setParent(made)
    made.resize(900, 600)
    made.show()
    qtbot.waitExposed(made)
    settle()
    return made


def ticks(canvas):
    """Who ticks, by the number of its line."""
    lines = canvas.document.program.lines
    return {lines[tick.card]: tick.words for tick in canvas.ticking.ticks}


def look_at(canvas, line):
    canvas.document.look_at_line(canvas.document.program.order[line - 1])


def test_a_step_over_a_write_ticks_on_all_cards_that_share_the_counter(canvas, qtbot):
    look_at(canvas, 4)
    assert ticks(canvas) == {2: "v1 → v0", 3: "v1 → v0"}  # back from now
    canvas.document.step_line(1)
    assert ticks(canvas) == {2: "v0 → v1", 3: "v0 → v1"}
    qtbot.waitUntil(lambda: not ticks(canvas))


def test_a_step_that_writes_nothing_ticks_not(canvas):
    look_at(canvas, 3)
    look_at(canvas, 4)
    assert ticks(canvas) == {}


def test_a_new_line_that_writes_ticks(canvas):
    a = Ref(id_of(canvas.document, "a"))
    canvas.document.append(Statement(0, Kind.OP, "add_", operands=(a, 1), style="method"))
    assert ticks(canvas) == {2: "v1 → v2", 3: "v1 → v2", 5: "v1 → v2"}


def test_without_motion_nothing_ticks(canvas):
    settings.MOTION.set(False)
    try:
        look_at(canvas, 4)
        assert ticks(canvas) == {}
    finally:
        settings.MOTION.set(True)


def test_a_tick_is_seen_above_its_card(canvas):
    look_at(canvas, 4)
    canvas.document.step_line(1)
    rect = canvas.view_rect_of(id_of(canvas.document, "a"))
    with_tick = canvas.grab().toImage()
    canvas.ticking.stop()
    settle()
    without = canvas.grab().toImage()
    assert _differ(with_tick, without, rect)


def _differ(one, other, rect):
    """True when something differs in the stretch above a card."""
    rows = range(max(rect.top() - 40, 0), rect.top() - 2)
    return any(
        one.pixelColor(x, y) != other.pixelColor(x, y) for y in rows for x in range(rect.left(), rect.right(), 2)
    )


@pytest.mark.parametrize("part", list(Part))
def test_a_part_is_marked_by_a_line_of_its_own_and_a_word(canvas, part):
    canvas.zoom_100()
    settle()
    card = id_of(canvas.document, "y")
    rect = canvas.view_rect_of(card)
    before = canvas.grab().toImage()
    canvas.document.point_out(PointedOut(parts=(PlayedPart(card, part, "Word"),)))
    settle()
    after = canvas.grab().toImage()
    assert _differ(before, after, rect)
    canvas.document.point_out(PointedOut())
    settle()
    assert canvas.grab().toImage() == before


def test_each_part_has_another_line():
    rect = QRectF(0, 0, 180, 100)
    lines = {part: part_line(part, rect) for part in Part}
    saver = lines[Part.SAVER]
    assert not saver.intersects(QRectF(60, -3, 60, 6))  # only the corners
    assert all(lines[part].intersects(QRectF(60, -6, 60, 12)) for part in (Part.WRITER, Part.READER))
    assert lines[Part.WRITER].elementCount() > 40  # teeth
    assert len(lines[Part.READER].toSubpathPolygons()) == 2
