"""Why a gradient is a sum: of two edges from one operator to a tensor, of many terms of which the first are shown."""

from __future__ import annotations

import re

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QLabel, QScrollArea, QToolButton
from support.asking import pointers, worked_out
from support.desk import key, settle
from support.panels import click, id_of

from chalkgrad_app.widgets.formula_row import FormulaRow

SQUARE = "import torch\nw = torch.tensor([3.], requires_grad=True)\ny = w * w\ny.backward()\n"
THIRD = """import torch
x = torch.tensor(3., requires_grad=True)
y = torch.sin(x) * x ** 3
g, = torch.autograd.grad(y, x, create_graph=True)
h, = torch.autograd.grad(g, x, create_graph=True)
k, = torch.autograd.grad(h, x)
"""


def wire_colours(window):
    """The colours of the wires into y, each near its port."""
    canvas, y = window.canvas, id_of(window.document, "y")
    picture, image = canvas.picture, canvas.grab().toImage()
    rows = sorted((picture.wires[row].port, row) for row in picture.wires_of({y}).tolist())
    points = picture.points_along(np.array([row for _, row in rows]), np.array([0.85]))[:, 0].tolist()
    return [image.pixelColor(canvas.to_view(QPointF(*point)).toPoint()).name() for point in points]


def test_of_a_square_each_edge_is_a_path_with_its_own_wire(opened_at):
    window = opened_at(SQUARE, "w")
    plain = wire_colours(window)
    assert len(plain) == 2
    key(window, Qt.Key.Key_Y)
    assert worked_out(window).startswith("dy/dw = dy/dw(1) + dy/dw(2)\n= 3 + 3\n= 6\n")
    said = [label.text() for label in window.docks.why.findChildren(QLabel) if label.isVisible()]
    assert "2 paths, added up" in said
    assert any(text.startswith("w(1), w(2): the same tensor") for text in said)
    plain = wire_colours(window)
    for place in (0, 1):
        key(window, Qt.Key.Key_Tab)
        assert pointers(window)[place].hasFocus()
        assert [now == before for now, before in zip(wire_colours(window), plain, strict=True)] == [
            place == 1,
            place == 0,
        ]


def test_of_a_long_sum_the_first_terms_are_shown_and_the_others_open(opened_at):
    window = opened_at(THIRD, "k")
    key(window, Qt.Key.Key_Y)
    worked_out(window)
    why = window.docks.why

    def sums():
        return [
            row.plain() for row in why.findChildren(FormulaRow) if row.isVisible() and row.plain().count(" + ") >= 3
        ]

    button = why.findChild(QToolButton, "why.more")
    symbols, numbers = sums()[:2]
    assert (symbols.endswith(" + ..."), numbers.endswith(" + ...")) == (True, True)
    left = int(re.fullmatch(r"and (\d+) more", button.text())[1])
    assert left >= 2
    assert not any(f" {term} " in f" {numbers} " for term in ("* 0", "0 *"))
    click(button)
    worked_out(window)
    assert [text.count(" + ") - 3 for text in sums()[:2]] == [left - 1] * 2
    assert not any("..." in text for text in sums()[:2])
    assert button.text() == "show fewer"
    click(button)
    settle(window)
    assert sums()[:2] == [symbols, numbers]


def test_of_many_paths_and_derivatives_the_first_are_shown_and_the_others_open(opened_at):
    window = opened_at(THIRD, "k")
    key(window, Qt.Key.Key_Y)
    worked_out(window)
    why, area = window.docks.why, window.docks.why.findChild(QScrollArea, "why.area")

    def lowest():
        return max(
            row.mapTo(area.widget(), row.rect().bottomLeft()).y()
            for row in why.findChildren(FormulaRow)
            if row.isVisible()
        )

    for number in range(3):
        assert area.widget().height() - lowest() < 60, "nothing but formulas up to the end"
        button = [found for found in why.findChildren(QToolButton, "why.more") if found.text() != "show fewer"][-1]
        before, seen = lowest(), len([row for row in why.findChildren(FormulaRow) if row.isVisible()])
        hidden = int(re.fullmatch(r"and (\d+) more", button.text())[1])
        click(button)
        worked_out(window)
        now = len([row for row in why.findChildren(FormulaRow) if row.isVisible()])
        assert now == seen if number == 2 else now - seen == hidden  # of the sum a short form is replaced
        assert lowest() > before
    assert {found.text() for found in why.findChildren(QToolButton, "why.more")} == {"show fewer"}
