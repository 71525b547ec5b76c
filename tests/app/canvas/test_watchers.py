"""Who watches a canvas: its events are many, and each of those who look at all of them costs time."""

import pytest
from PySide6.QtTest import QTest
from support.sheets import course_sheet

from chalkgrad.program.board import DATA
from chalkgrad_app import settings
from chalkgrad_app.canvas.graph_canvas import GraphCanvas
from chalkgrad_app.canvas.redrawing import Redrawing
from chalkgrad_app.document import Document


@pytest.fixture
def seen(monkeypatch):
    """How often a change of the drawing took an event for a reason to be there at once."""
    seen, finish = [], Redrawing.finish

    def watched(self):
        seen.append(True)
        finish(self)

    monkeypatch.setattr(Redrawing, "finish", watched)
    return seen


@pytest.fixture
def canvas(qtbot, seen):
    settings.MOTION.set(True)
    document = Document(course_sheet())
    document.finish()
    made = GraphCanvas(document)
    qtbot.addWidget(made)
    document.setParent(made)
    made.resize(900, 600)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_a_new_size_is_told_when_all_has_it(canvas, qtbot):
    sizes = []
    canvas.resized.connect(lambda: sizes.append((canvas.width(), canvas.height(), canvas.shows_all)))
    canvas.resize(700, 500)
    qtbot.waitUntil(lambda: bool(sizes))
    canvas.repaint()
    assert sizes == [(700, 500, True)], "once, and what was fitted is so again"


def test_a_change_of_the_drawing_watches_only_while_cards_are_on_their_way(canvas, seen):
    QTest.keyClick(canvas, "x")
    assert seen == []
    canvas.document.draw_as(DATA)
    assert canvas.redrawing.is_active
    QTest.keyClick(canvas, "x")
    assert seen, "whoever does something sees what there is"
    assert not canvas.redrawing.is_active
    seen.clear()
    QTest.keyClick(canvas, "x")
    assert seen == []
