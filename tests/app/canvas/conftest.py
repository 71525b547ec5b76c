"""A canvas with the course example, and a matrix on one."""

from __future__ import annotations

import pytest
from support.sheets import FORWARD

PLACES = {"w": (40, 40), "x": (40, 200), "a": (300, 152), "b": (300, 24), "y": (560, 88)}


@pytest.fixture
def canvas(qtbot):
    """The canvas alone, without gestures, 1000 x 600 at 100%; its cards lie where ``PLACES`` says."""
    from PySide6.QtCore import QPointF, QSizeF

    from chalkgrad.program.board import Board, Place
    from chalkgrad.program.sheet import Sheet
    from chalkgrad.source.read import read_source
    from chalkgrad_app.canvas.view import Canvas
    from chalkgrad_app.document import Document

    program = read_source(FORWARD)
    board = Board({("cards", s.id): Place(*PLACES[s.name]) for s in program})
    document = Document(Sheet(program, board))
    document.finish()
    made = Canvas()
    qtbot.addWidget(made)
    document.setParent(made)
    made.resize(1000, 600)
    made.set_document(document)
    made.show()
    qtbot.waitExposed(made)
    made.viewport.zoom = 1.0
    made.viewport.center_on(QPointF(400, 150), QSizeF(made.size()))
    made.repaint_still()
    return made


@pytest.fixture
def grid(course):
    """Hands at a matrix ``m`` and its sum ``s``."""
    from support.value_window import leaf

    leaf(course, ((1.0, 2.0), (3.0, 4.0)))
    return course


@pytest.fixture
def crowded(course):
    """The course example with so many tensors between ``w`` and ``y`` that those two are few among them."""
    from PySide6.QtCore import QPointF

    from chalkgrad.program import edits

    course.document.do(edits.place(course.board, {course.id("y"): (1200.0, 80.0)}), "move")
    for at in range(7):
        course.canvas.placing.place_tensor(False, QPointF(460.0 + 100 * at, 0.0))
    course.document.finish()
    course.canvas.setFocus()
    course.canvas.fit_all()
    return course
