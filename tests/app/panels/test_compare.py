"""One backward in three ways, side by side: what the window shows, of which line, and that it changes nothing."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from chalkgrad.explain.comparing import Way, compare
from chalkgrad_app.panels.compare import CompareWindow, compared_line

PLAIN = """w = torch.tensor([3.], requires_grad=True)
y = w ** 2
y.backward()
"""
RETURNED = """x = torch.tensor([2.], requires_grad=True)
y = x ** 3
g, = torch.autograd.grad(y, x)
"""
REFUSED = "element 0 of tensors does not require grad and does not have a grad_fn"


@pytest.fixture
def opened(from_text, qtbot):
    """Opens the window on a program, waits until it is worked out."""
    made = []

    def open_on(text, line=None):
        document = from_text(text)
        home = QWidget()
        window = CompareWindow(document, home)
        made.append((home, document))
        window.open_at(compared_line(document) if line is None else line)
        qtbot.waitUntil(lambda: bool(window.text()))
        return window

    yield open_on
    for home, _ in made:
        home.deleteLater()


def texts(window, way, part):
    return [label.text() for label in window.findChildren(QLabel, f"compare.{way}.{part}")]


@pytest.mark.parametrize("text", [PLAIN, RETURNED])
def test_the_three_ways_differ_in_what_pytorch_says_they_do(from_text, text):
    document = from_text(text)
    plain, retain, create = compare(document.program, compared_line(document)).finish()
    assert [outcome.way for outcome in (plain, retain, create)] == list(Way)
    values = [outcome.state.tensor(outcome.cards[0]).short for outcome in (plain, retain, create)]
    assert len(set(values)) == 1
    assert [outcome.state.tensor(outcome.cards[0]).grad_fn is not None for outcome in (plain, retain, create)] == [
        False,
        False,
        True,
    ]
    assert plain.saved == retain.saved == create.saved == 1
    assert (plain.kept, retain.kept, create.kept) == (0, 1, 1)
    assert (plain.nodes, retain.nodes) == (0, 0)
    assert create.nodes > 0
    assert plain.refused.message == retain.refused.message == REFUSED
    assert create.refused is None


def test_the_window_shows_the_line_in_each_way(opened):
    window = opened(PLAIN)
    assert texts(window, "plain", "code") == ["y.backward()"]
    assert texts(window, "retain_graph", "code") == ["y.backward(retain_graph=True)"]
    assert texts(window, "create_graph", "code") == ["y.backward(create_graph=True)"]
    assert f"RuntimeError: {REFUSED}" in texts(window, "plain", "line")
    assert "works: the gradient can be differentiated again." in texts(window, "create_graph", "line")


def test_the_gradients_are_told_to_screen_readers(opened):
    window = opened(PLAIN)
    cards = window.findChildren(QWidget, "compare.cards")
    assert [card.accessibleName() for card in cards] == [
        "gw: [6.], requires_grad False, grad_fn None",
        "gw: [6.], requires_grad False, grad_fn None",
        "gw: [6.], requires_grad True, grad_fn <CopyBackwards>",
    ]


def test_covered_gradients_stay_covered(opened, qtbot):
    window = opened(PLAIN)
    window.document.cover(True)

    def is_covered():
        cards = window.findChildren(QWidget, "compare.cards")
        return bool(cards) and all("?" in card.accessibleName() for card in cards)

    qtbot.waitUntil(is_covered)


def test_the_document_is_left_alone(opened):
    window = opened(PLAIN)
    document = window.document
    assert document.undo_stack.count() == 0
    assert len(document.program) == 3
    assert document.state.names["w"].grad.grad_fn is None


def test_it_follows_the_program_and_says_when_its_line_is_gone(opened, qtbot):
    window = opened(PLAIN)
    document = window.document
    document.delete([document.program.order[-1]])
    document.finish()
    qtbot.waitUntil(lambda: window.findChild(QLabel, "compare.words") is not None)
    document.undo_stack.undo()
    document.finish()
    qtbot.waitUntil(lambda: texts(window, "plain", "code") == ["y.backward()"])


def test_a_backward_that_fails_says_why(opened):
    window = opened(PLAIN.replace("[3.]", "[3., 4.]"))
    message = "RuntimeError: grad can be implicitly created only for scalar outputs"
    for way in Way:
        assert texts(window, way, "line") == [message]


def test_which_line_is_meant(from_text):
    document = from_text(PLAIN + "v = w ** 3\nv.backward(create_graph=True)\nz = w * 2\nz.backward()\n")
    first, recorded, last = [s.id for s in document.program if s.kind.value == "backward"]
    assert compared_line(document) == recorded
    document.select([first])
    assert compared_line(document) == first
    document.clear_selection()
    document.look_at_line(first)
    assert compared_line(document) == first
    document.back_to_now()
    graph = document.session.trace.gradient_graphs[0]
    document.select_node(graph.nodes[0].number)
    assert compared_line(document) == recorded
    document.select([last])
    assert compared_line(document) == last


def test_escape_closes_it(opened):
    window = opened(PLAIN)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("x = torch.ones(1, requires_grad=True)\ny = x ** 2\ny.retain_grad()\nz = y * y\nz.backward()\n", ["gx", "gy"]),
        (
            (
                "a = torch.ones(1, requires_grad=True)\nb = torch.ones(1, requires_grad=True)\ny = a * b * b * a\n"
                "ga, gb = torch.autograd.grad(y, [a, b])\n"
            ),
            ["ga, gb"],
        ),
        (
            "w = torch.ones(1, requires_grad=True)\nfor step in range(2):\n    y = w ** 3\n    y.backward()\n",
            ["gw"],
        ),
    ],
    ids=["kept by a non-leaf", "several results", "in a loop"],
)
def test_the_gradients_that_are_shown(from_text, text, names):
    document = from_text(text)
    for outcome in compare(document.program, compared_line(document)).finish():
        assert [", ".join(outcome.program[id_].targets) for id_ in outcome.cards] == names
        assert (outcome.refused is None) is (outcome.way is Way.CREATE)
