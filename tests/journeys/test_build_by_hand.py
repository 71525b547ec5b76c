"""A newcomer builds the course example by hand, with wrong moves; all of it can be undone and done again."""

from PySide6.QtCore import QPoint, Qt

ENTER, TAB, ESC = Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape
SHIFT = Qt.KeyboardModifier.ShiftModifier
COURSE = [
    "w = torch.tensor([1.], requires_grad=True)",
    "x = torch.tensor([2.])",
    "a = torch.add(w, x)",
    "b = torch.add(w, 1)",
    "y = torch.mul(a, b)",
]


def build(hands):
    """The course example, operators dragged from the palette and wired by dragging."""
    hands.drop("tensor-grad", QPoint(120, 100))
    hands.key(ENTER)
    hands.drop("tensor", QPoint(120, 300))
    hands.key(TAB)
    hands.type("[2]")
    hands.key(ENTER)
    hands.drop("add", QPoint(400, 300))
    hands.drop("add", QPoint(400, 100))
    hands.drop("mul", QPoint(700, 200))
    hands.drag(hands.port("w", "value"), hands.port("a", 0))
    hands.drag(hands.port("x", "value"), hands.port("a", 1))
    hands.drag(hands.port("w", "value"), hands.port("b", 0))
    hands.click(hands.port("b", 1))
    hands.type("1")
    hands.key(ENTER)
    hands.drag(hands.port("a", "value"), hands.port("c", 0))
    hands.drag(hands.port("b", "value"), hands.port("c", 1))


def results(hands):
    hands.document.finish()
    tensor = hands.document.state.tensor
    return {s.name: tensor(s.id).short for s in hands.document.program if s.targets and tensor(s.id) is not None}


def test_the_course_example_in_at_most_twenty_gestures(hands):
    build(hands)
    hands.click(hands.header("c"))
    hands.key(Qt.Key.Key_F2)
    hands.type("y")
    hands.key(ENTER)
    assert hands.lines() == COURSE
    assert results(hands) == {"w": "[1.]", "x": "[2.]", "a": "[3.]", "b": "[2.]", "y": "[6.]"}
    assert hands.gestures <= 20, hands.gestures


def test_each_result_appears_the_moment_its_inputs_are_there(hands):
    hands.drop("tensor", QPoint(120, 100))
    hands.key(ENTER)
    hands.drop("exp", QPoint(400, 100))
    hands.drop("neg", QPoint(700, 100))
    hands.drag(hands.port("a", "value"), hands.port("b", 0))
    assert results(hands) == {"x": "[1.]"}
    hands.drag(hands.port("x", "value"), hands.port("a", 0))
    assert results(hands) == {"x": "[1.]", "a": "[2.7183]", "b": "[-2.7183]"}


def test_by_selecting_and_placing_it_is_shorter(hands):
    hands.drop("tensor-grad", QPoint(120, 100))
    hands.key(ENTER)
    hands.drop("tensor", QPoint(120, 300))
    hands.key(TAB)
    hands.type("[2]")
    hands.key(ENTER)
    hands.click(hands.header("w"), SHIFT)
    hands.canvas.place_operator("add")
    hands.click(hands.header("w"))
    hands.canvas.place_operator("add")
    hands.click(hands.port("b", 1))
    hands.type("1")
    hands.key(ENTER)
    hands.document.select([hands.id("a"), hands.id("b")])
    hands.canvas.place_operator("mul")
    assert results(hands)["c"] == "[6.]"
    rects = [hands.canvas.node_rect(name) for name in "wxabc"]
    assert not any(one.intersects(other) for i, one in enumerate(rects) for other in rects[:i])


def test_every_step_can_be_undone_to_empty_and_done_again(hands):
    sheets = [hands.document.sheet]
    stack = hands.document.undo_stack
    build(hands)
    count = stack.count()
    for _ in range(count):
        sheets.insert(1, hands.document.sheet)
        stack.undo()
    assert hands.document.is_empty
    assert hands.document.sheet == sheets[0]
    for sheet in sheets[1:]:
        stack.redo()
        assert hands.document.sheet == sheet
    assert count == 11
    assert results(hands)["c"] == "[6.]"


def test_a_newcomers_wrong_moves_are_refused_or_mended(hands):
    build(hands)
    hands.click(hands.header("c"))
    # a circle
    before = hands.document.sheet
    hands.drag(hands.port("c", "value"), hands.port("a", 0))
    assert hands.document.sheet == before
    # a wire from a tensor to itself
    hands.drag(hands.port("a", "value"), hands.port("a", 1))
    assert hands.document.sheet == before
    # the other port of the same card: the two wires change places
    hands.drag(hands.port("c", 1), hands.port("c", 0))
    assert hands.lines()[-1] == "c = torch.mul(b, a)"
    hands.document.undo_stack.undo()
    # a card deleted by mistake
    hands.click(hands.header("b"))
    hands.key(Qt.Key.Key_Delete)
    assert hands.lines()[-1].startswith("#")
    hands.document.undo_stack.undo()
    assert hands.document.sheet == before
    # a wire let go in the void opens the list; Escape closes it and nothing is there
    hands.drag(hands.port("x", "value"), hands.port("x", "value") + QPoint(40, 180))
    assert hands.canvas.quick.isVisible()
    hands.key(ESC)
    assert hands.document.sheet == before
    # a value that is none
    hands.double_click(hands.value("x"))
    hands.canvas.editor.line.clear()
    hands.type("two")
    hands.key(ENTER)
    assert hands.canvas.editor.is_open
    hands.key(ESC)
    assert hands.document.sheet == before
    # an operator that nobody needs
    hands.drop("exp", QPoint(700, 400))
    hands.key(Qt.Key.Key_Delete)
    assert hands.document.program.statements == before.program.statements
    # backward works all the same
    hands.click(hands.header("c"))
    hands.key(Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    hands.document.finish()
    state = hands.document.state
    assert state.tensor(hands.id("w")).grad.short == "[5.]"
    assert state.tensor(hands.id("x")).grad is None


def test_a_newcomer_undoes_a_backward_and_everything_before_it(hands):
    empty = hands.document.sheet
    build(hands)
    hands.key(Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    last = hands.document.sheet
    back = hands.undo_all()
    assert hands.document.sheet == empty
    for _ in range(back):
        hands.document.undo_stack.redo()
    assert hands.document.sheet == last
