"""The course example from nothing, the mouse never touched: every card, wire, number and name by key."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication

from chalkgrad.program.statement import Kind

ENTER, TAB, ESC, DOWN = Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape, Qt.Key.Key_Down
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def add(hands, typed):
    """Quick-add by its key, the first thing found."""
    hands.key(Qt.Key.Key_A)
    assert hands.canvas.quick.field.hasFocus()
    hands.type(typed)
    hands.key(ENTER)


def go_to(hands, name):
    """Tab until a card has the focus."""
    hands.key(ESC)
    for _ in range(len(hands.document.program) + 1):
        hands.key(TAB)
        if hands.canvas.keyboard.card == hands.id(name):
            return
    raise AssertionError(name)


def select_both(hands, one, other):
    go_to(hands, one)
    is_below = hands.centre(other).y() > hands.centre(one).y()
    hands.key(Qt.Key.Key_Down if is_below else Qt.Key.Key_Up, SHIFT)
    assert hands.document.selection == {hands.id(one), hands.id(other)}


def build(hands):
    QApplication.sendEvent(hands.canvas, QEvent(QEvent.Type.Leave))  # the pointer is elsewhere
    add(hands, "tensor ∇")
    hands.key(ENTER)  # its name stays w
    add(hands, "tensor")
    hands.key(TAB)  # from the name to the value
    hands.type("[2]")
    hands.key(ENTER)
    select_both(hands, "w", "x")
    add(hands, "+")
    go_to(hands, "w")
    add(hands, "add")
    hands.key(ENTER)  # its open input
    hands.type("1")
    hands.key(ENTER)
    select_both(hands, "a", "b")
    add(hands, "multiply")
    hands.key(Qt.Key.Key_F2)
    hands.type("y")
    hands.key(ENTER)


def test_the_course_example_by_keyboard_alone(hands):
    build(hands)
    assert hands.lines() == [
        "w = torch.tensor([1.], requires_grad=True)",
        "x = torch.tensor([2.])",
        "a = torch.add(w, x)",
        "b = torch.add(w, 1)",
        "y = torch.mul(a, b)",
    ]
    rects = [hands.canvas.node_rect(name) for name in "wxaby"]
    assert not any(one.intersects(other) for i, one in enumerate(rects) for other in rects[:i])
    hands.key(Qt.Key.Key_B, CTRL)
    hands.document.finish()
    assert hands.document.program[hands.document.program.order[-1]].kind is Kind.BACKWARD
    assert hands.document.state.tensor(hands.id("w")).grad.short == "[5.]"


def test_and_rebuilt_by_keys_with_a_wrong_operator_and_a_detour(hands):
    build(hands)
    go_to(hands, "a")
    hands.key(Qt.Key.Key_C)  # a is to be a difference, with its inputs swapped
    hands.type("-")
    hands.key(ENTER)
    hands.key(Qt.Key.Key_S)
    assert hands.lines()[2] == "a = torch.sub(x, w)"
    hands.key(Qt.Key.Key_A, SHIFT)  # and to go through relu
    hands.type("relu")
    hands.key(ENTER)
    assert hands.lines()[3] == "c = torch.relu(a)"
    assert hands.lines()[-1] == "y = torch.mul(c, b)"
    hands.key(Qt.Key.Key_Delete, Qt.KeyboardModifier.AltModifier)  # no, it isn't
    assert hands.lines()[-1] == "y = torch.mul(a, b)"
    back = hands.undo_all()
    assert hands.document.is_empty
    for _ in range(back):
        hands.document.undo_stack.redo()
    assert hands.lines()[-1] == "y = torch.mul(a, b)"
