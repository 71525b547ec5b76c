"""Zoomed out, the canvas is a map: what is too small to be read is told in other ways."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from chalkgrad.program.board import Board, Frame, Place
from chalkgrad.program.sheet import Sheet
from chalkgrad.source.read import read_source
from chalkgrad_app.canvas.graph_canvas import GraphCanvas
from chalkgrad_app.canvas.overlay import words_from_afar
from chalkgrad_app.document import Document
from chalkgrad_app.style import theme

SOURCE = """import torch
w = torch.tensor([1., 2.], requires_grad=True)
x = torch.tensor([1., 2., 3.])
a = w * 2
b = torch.add(w, x)
"""
PLACES = {"w": (300, 300), "x": (300, 900), "a": (1500, 300), "b": (1500, 900)}


@pytest.fixture
def canvas(qtbot) -> GraphCanvas:
    program = read_source(SOURCE)
    board = Board(
        {("cards", s.id): Place(*PLACES[s.name]) for s in program},
        frames={90: Frame(90, "Weights", 200.0, 150.0, 1800.0, 500.0)},
    )
    document = Document(Sheet(program, board))
    document.finish()
    made = GraphCanvas(document)
    qtbot.addWidget(made)
    document.setParent(made)
    made.resize(700, 400)
    made.show()
    qtbot.waitExposed(made)
    made.set_zoom_percent(15)
    made.viewport.center_on(QPointF(1100, 650), made.size().toSizeF())
    made.repaint_still()
    QApplication.processEvents()
    return made


def id_of(canvas: GraphCanvas, name: str) -> int:
    ref = canvas.document.program.named(name)
    assert ref is not None
    return ref.statement


def shown(canvas: GraphCanvas) -> QImage:
    QApplication.processEvents()
    return canvas.grab().toImage()


def count_of(image: QImage, colour: QColor, area: QRect) -> int:
    return sum(
        image.pixelColor(x, y) == colour
        for x in range(area.left(), area.right() + 1)
        for y in range(area.top(), area.bottom() + 1)
    )


def test_the_card_under_the_pointer_is_named(canvas: GraphCanvas) -> None:
    spot = canvas.view_rect_of(id_of(canvas, "a")).center()
    QTest.mouseMove(canvas, QPoint(5, 5))
    before = shown(canvas)
    QTest.mouseMove(canvas, spot)
    assert shown(canvas) != before
    below = QRect(spot + QPoint(16, 20), spot + QPoint(90, 44)).intersected(canvas.rect())
    assert shown(canvas).copy(below) != before.copy(below)
    QTest.mouseMove(canvas, QPoint(5, 5))
    assert shown(canvas) == before


def test_the_words_are_line_name_and_value(canvas: GraphCanvas) -> None:
    assert words_from_afar(canvas.picture, id_of(canvas, "a")).split("   ") == ["3", "a = w * 2", "[2., 4.]"]


def test_a_value_to_be_guessed_is_not_told(canvas: GraphCanvas) -> None:
    document = canvas.document
    program = read_source(SOURCE + "s = a.sum()\ng, = torch.autograd.grad(s, w)\n")
    document.begin(Sheet(program, canvas.document.board))
    document.finish()
    assert "[2., 2.]" in words_from_afar(canvas.picture, id_of(canvas, "g"))
    document.cover(True)
    assert "[2., 2.]" not in words_from_afar(canvas.picture, id_of(canvas, "g"))


def test_near_nothing_is_said_that_the_card_says_itself(canvas: GraphCanvas, monkeypatch) -> None:
    said: list[str] = []
    monkeypatch.setattr("chalkgrad_app.canvas.overlay.paint_words", lambda painter, at, text, colour: said.append(text))
    canvas.set_zoom_percent(100)
    canvas.fit([id_of(canvas, "w")])
    QTest.mouseMove(canvas, canvas.view_rect_of(id_of(canvas, "w")).center() + QPoint(40, 4))
    shown(canvas)
    assert said == []


def test_an_error_is_seen_at_fourteen_pixels(canvas: GraphCanvas) -> None:
    spot = canvas.view_rect_of(id_of(canvas, "b")).center()
    around = QRect(spot - QPoint(9, 9), spot + QPoint(9, 9))
    assert count_of(shown(canvas), theme.current().color("error"), around) > 60


def test_the_title_of_a_frame_is_read_above_its_cards(canvas: GraphCanvas) -> None:
    corner = canvas.viewport.to_view(QPointF(200, 150)).toPoint()
    title = QRect(corner + QPoint(2, 1), corner + QPoint(60, 16))
    seen = shown(canvas)
    ink = theme.current().color("frame_text")
    assert count_of(seen, ink, title) > 5
