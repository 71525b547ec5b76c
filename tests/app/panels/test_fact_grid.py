"""The facts of the inspector stand in one grid, and the lines of a matrix stay whole."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QToolButton
from support.panels import child, id_of, settle

from chalkgrad.program.sheet import Sheet
from chalkgrad.source.read import read_source
from chalkgrad_app.panels.inspector import InspectorPanel
from chalkgrad_app.style import theme
from chalkgrad_app.style.fonts import ui_font
from chalkgrad_app.widgets.code_font import SMALL

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


def test_only_the_links_themselves_are_underlined(document, inspector):
    document.select([id_of(document, "y")])
    settle()
    link = child(inspector, "inspector.askWhy.is_leaf", QToolButton)
    assert link.font().underline()
    shared = ui_font(SMALL * theme.BASE_PIXELS * theme.text_size() / 100)  # quick-add writes with it, too
    assert shared.pixelSize() == link.font().pixelSize()
    assert not shared.underline()


def test_a_long_name_takes_no_room_from_what_stands_beside_it(from_text, show):
    name = "the_logarithm_of_the_probability_of_each_class"
    document = from_text(f"x = torch.ones(64, 10)\n{name} = x.log_softmax(dim=1)\n")
    inspector = show(InspectorPanel(document), 300, 700)
    document.select([id_of(document, name)])
    settle()
    view = child(inspector, "inspector.area", QScrollArea).viewport()
    page = QRect(view.mapTo(inspector, QPoint()), view.size())
    assert child(inspector, "inspector.area", QScrollArea).horizontalScrollBar().maximum() == 0
    kind = child(inspector, "inspector.kind", QLabel)
    assert kind.width() >= kind.sizeHint().width()
    for label in (place(inspector, "kind", QLabel), place(inspector, "copy", QToolButton)):
        assert page.contains(label)
    inspector.grab()
    assert child(inspector, "inspector.name", QLabel).toolTip() == name


def test_what_kind_of_tensor_it_is_stands_beside_a_short_name(document, inspector):
    document.select([id_of(document, "y")])
    settle()
    name, kind = place(inspector, "name", QLabel), place(inspector, "kind", QLabel)
    assert name.width() == child(inspector, "inspector.name", QLabel).fontMetrics().horizontalAdvance("y")
    assert 0 < kind.left() - name.right() < 16


def lines_of(label: QLabel) -> int:
    return round(label.height() / label.fontMetrics().lineSpacing())


@pytest.mark.parametrize("line", ["y = v.view(2).exp()", "y = w.exp()", "y = (w * 2).exp()"])
def test_an_edge_of_the_graph_is_not_broken_in_the_default_window(window, line):
    """``((<ViewBackward0>, 0),)`` has one line, in its row or below its name."""
    window.resize(1280, 800)
    code = f"import torch\nw = torch.tensor([1., 2.], requires_grad=True)\nv = w + 1\n{line}\n"
    window.document.begin(Sheet(read_source(code)))
    window.document.finish()
    state = window.document.state
    window.document.select_node(len(state.nodes) - 1)
    settle()
    label = window.findChild(QLabel, "inspector.next_functions")
    assert label.text() in ("((<ViewBackward0>, 0),)", "((<AccumulateGrad>, 0),)", "((<MulBackward0>, 0),)")
    metrics = label.fontMetrics()
    assert metrics.horizontalAdvance(label.text()) <= label.width()
    assert lines_of(label) == 1


def test_lines_of_a_parameter_need_no_scroll_bar_in_the_default_window(window):
    window.resize(1280, 800)
    code = "import torch\nw = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)\n"
    window.document.begin(Sheet(read_source(code)))
    window.document.finish()
    window.document.select([window.document.program.order[0]])
    settle()
    label = window.findChild(QLabel, "inspector.value")
    area = label.parentWidget().parentWidget()
    assert isinstance(area, QScrollArea)
    assert not area.horizontalScrollBar().maximum()
