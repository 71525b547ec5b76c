"""The facts of the inspector stand in one grid, and the lines of a matrix stay whole."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QToolButton
from support.panels import child, id_of, settle

from chalkgrad_app.panels.inspector import InspectorPanel

FACTS = ("shape", "dtype", "is_leaf", "requires_grad", "grad", "grad_fn", "retains_grad", "_version")
LINKS = ("askWhy.is_leaf", "askWhy.requires_grad", "show.versions", "show.memory")


def place(inspector, name, kind):
    widget = child(inspector, f"inspector.{name}", kind)
    return widget.rect().translated(widget.mapTo(inspector, QPoint()))


def test_names_facts_and_links_stand_on_the_same_lines_at_one_pitch(document, inspector):
    document.select([id_of(document, "y")])
    settle()
    facts = {name: place(inspector, name, QLabel) for name in FACTS}
    tops = [rect.top() for rect in facts.values()]
    assert len({after - before for before, after in pairwise(tops)}) == 1
    names = {label.text(): label for label in inspector.findChildren(QLabel, "inspector.label")}
    assert [names[name].mapTo(inspector, QPoint()).y() for name in FACTS] == tops
    links = [place(inspector, name, QToolButton) for name in LINKS]
    assert len({rect.right() for rect in links}) == 1
    assert {rect.top() for rect in links[:3]} == {
        facts[name].top() for name in ("is_leaf", "requires_grad", "_version")
    }


@pytest.fixture
def wide(from_text, show):
    """The inspector of a matrix that is wider than it."""
    document = from_text("w = torch.ones(4, 16, requires_grad=True)\ny = w.sum()\ny.backward()\n")
    inspector = show(InspectorPanel(document), 300, 700)
    document.select([id_of(document, "w")])
    settle()
    return inspector


@pytest.mark.parametrize("fact", ["value", "grad"])
def test_the_lines_of_a_matrix_are_never_broken(wide, fact):
    label = child(wide, f"inspector.{fact}", QLabel)
    lines = label.text().split("\n")
    assert len(lines) > 3
    assert label.height() < (len(lines) + 1) * label.fontMetrics().lineSpacing()
    area = label.parentWidget().parentWidget()
    assert isinstance(area, QScrollArea)
    assert area.viewport().height() >= label.height()  # the bar hides no line
    assert area.width() <= child(wide, "inspector.area", QScrollArea).viewport().width()


def test_a_wide_matrix_is_scrolled_to_its_end(wide):
    label = child(wide, "inspector.value", QLabel)
    area = label.parentWidget().parentWidget()
    at = QPointF(20, 20)
    for _ in range(20):
        event = QWheelEvent(
            at,
            QPointF(label.mapToGlobal(at.toPoint())),
            QPoint(),
            QPoint(-120, 0),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(area.viewport(), event)
    assert label.visibleRegion().boundingRect().right() >= label.fontMetrics().horizontalAdvance(
        max(label.text().split("\n"), key=len)
    )


def test_a_matrix_that_becomes_a_vector_is_written_beside_its_name(from_text, show):
    document = from_text("w = torch.ones(2)\nw = torch.ones(3, 3)\n")
    inspector = show(InspectorPanel(document), 300, 700)
    first, second = document.program.order[:2]
    document.select([second])
    settle()
    assert "\n" in child(inspector, "inspector.value", QLabel).text()
    document.select([first])
    settle()
    label = child(inspector, "inspector.value", QLabel)
    assert label.text() == "tensor([1., 1.])"
    assert not isinstance(label.parentWidget().parentWidget(), QScrollArea) or label.wordWrap()


@pytest.mark.parametrize("width", [280, 400, 700])
def test_an_error_is_said_whole_where_there_is_room(from_text, show, width):
    document = from_text("x = torch.ones(3, 4)\ns = x.sum(dim=5)\n")
    inspector = show(InspectorPanel(document), width, 700)
    document.select([id_of(document, "s")])
    settle()
    message = child(inspector, "inspector.problem", QLabel)
    assert message.text().endswith("but got 5)")
    message.repaint()
    assert message.toolTip() == ""  # of one that is cut it has the whole text
    wanted = message.fontMetrics().boundingRect(
        QRect(0, 0, message.width(), 1000), Qt.TextFlag.TextWordWrap, message.text()
    )
    assert message.height() <= wanted.height() + message.fontMetrics().height()
