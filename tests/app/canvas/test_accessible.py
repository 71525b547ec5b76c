"""What screen readers get: a child for each card, its value and gradient, and the focus."""

from PySide6.QtGui import QAccessible

from chalkgrad_app import steps
from chalkgrad_app.canvas.accessible import CanvasInterface

Text = QAccessible.Text


def interface(hands):
    found = QAccessible.queryAccessibleInterface(hands.canvas)
    assert isinstance(found, CanvasInterface)
    return found


def test_a_child_for_each_card(course):
    canvas = interface(course)
    assert canvas.role() == QAccessible.Role.List
    assert canvas.text(Text.Name) == "Graph canvas"
    assert canvas.childCount() == 5
    names = [canvas.child(index).text(Text.Name) for index in range(5)]
    assert names[0] == "w, leaf, requires_grad"
    assert names[1] == "x, leaf"
    assert names[4].startswith("y = a * b, intermediate") or names[4].startswith("y = mul(a, b), intermediate")
    assert [canvas.child(index).text(Text.Value) for index in (0, 4)] == ["[1.]", "[6.]"]
    assert canvas.child(5) is None


def test_gradient_and_connections(course):
    steps.run(course.document, steps.backward)
    course.document.finish()
    canvas = interface(course)
    words = canvas.child(0).text(Text.Description)
    assert "gradient [5.]" in words
    assert "to a, b" in words
    assert "from a, b" in canvas.child(4).text(Text.Description)
    course.document.cover(True)
    assert "covered" in canvas.child(0).text(Text.Description)
    assert "[5.]" not in canvas.child(0).text(Text.Description)


def test_where_it_is_and_what_is_at_a_point(course):
    canvas = interface(course)
    rect = canvas.child(2).rect()
    assert rect.size() == course.canvas.node_rect("a").size()
    assert canvas.childAt(rect.center().x(), rect.center().y()) is canvas.child(2)
    assert canvas.indexOfChild(canvas.child(3)) == 3


def test_the_focus_follows(course):
    canvas = interface(course)
    course.click(course.header("a"))
    assert canvas.focusChild() is canvas.child(2)
    assert canvas.child(2).state().focused
    assert canvas.child(2).state().selected
    assert not canvas.child(0).state().focused


def test_a_card_that_goes_is_no_longer_valid(course):
    canvas = interface(course)
    child = canvas.child(4)
    course.document.delete([5])
    assert not child.isValid()
    assert canvas.childCount() == 4


def test_a_canvas_that_is_gone_is_forgotten(qapp):
    from support.hands import Hands, discard, open_host

    from chalkgrad_app.canvas import accessible

    host = open_host()
    before = len(accessible._interfaces)
    interface(Hands(host.canvas))
    assert id(host.canvas) in accessible._interfaces
    number = id(host.canvas)
    discard(host)
    assert number not in accessible._interfaces
    assert len(accessible._interfaces) <= before
