"""Operators put into wires, put in the place of others, and fed by what is selected, with quick-add."""

from PySide6.QtCore import Qt

from chalkgrad.program.statement import EMPTY, Ref

ENTER, ESC, DOWN = Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Down
ALT = Qt.KeyboardModifier.AltModifier


class TestInsert:
    def test_into_the_wire_chosen_with_room_made_behind_it(self, course):
        before = course.document.sheet
        start, end = course.port("b", "value"), course.port("y", 1)
        course.click((start + end) / 2)
        course.key(Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
        course.type("relu")
        course.key(ENTER)
        assert course.lines()[-2:] == ["c = torch.relu(b)", "y = torch.mul(a, c)"]
        rects = {name: course.canvas.node_rect(name) for name in "wxabcy"}
        assert rects["b"].right() < rects["c"].left()
        assert rects["c"].right() < rects["y"].left()
        assert course.document.undo_stack.count() == 1
        course.document.undo_stack.undo()
        assert course.document.sheet == before

    def test_what_is_pushed_stays_in_view(self, course):
        canvas = course.canvas
        over = canvas.width() - 30 - canvas.node_rect("y").right()
        canvas.show_moved(over, 0)
        course.click((course.port("b", "value") + course.port("y", 1)) / 2)
        zoom = canvas.viewport.zoom
        course.key(Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
        course.type("relu")
        course.key(ENTER)
        course.document.finish()
        canvas.glide.finish()
        assert canvas.viewport.zoom == zoom
        assert canvas.rect().contains(canvas.node_rect("c"))
        assert canvas.rect().contains(canvas.node_rect("y"))

    def test_behind_a_card_into_all_its_wires(self, course):
        course.click(course.header("w"))
        course.key(Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
        course.type("exp")
        course.key(ENTER)
        assert course.lines() == [
            "w = torch.tensor([1.], requires_grad=True)",
            "c = torch.exp(w)",
            "x = torch.tensor([2.])",
            "a = torch.add(c, x)",
            "b = torch.add(c, 1)",
            "y = torch.mul(a, b)",
        ]
        rects = {name: course.canvas.node_rect(name) for name in "wxabcy"}
        assert rects["c"].right() < min(rects["a"].left(), rects["b"].left())
        assert not any(one.intersects(two) for a, one in rects.items() for b, two in rects.items() if a != b)

    def test_without_a_choice_it_says_what_to_do(self, course):
        told = []
        course.document.told.connect(told.append)
        course.key(Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
        assert told
        assert not course.canvas.quick.isVisible()


class TestChange:
    def test_the_operator_changes_and_everything_else_stays(self, course):
        before = course.document.board
        course.click(course.header("b"))
        course.key(Qt.Key.Key_C)
        names = course.offered()
        assert names.index("mul") < names.index("exp")  # of two inputs first
        assert "tensor" not in names
        assert "add_" not in names
        course.type("*")
        course.key(ENTER)
        assert course.lines()[3] == "b = torch.mul(w, 1)"
        assert course.document.board == before
        assert course.document.undo_stack.undoText() == "Change b to mul"
        course.document.undo_stack.undo()
        assert course.lines()[3] == "b = torch.add(w, 1)"

    def test_several_at_once(self, course):
        course.click(course.header("a"))
        course.click(course.header("b"), Qt.KeyboardModifier.ShiftModifier)
        course.key(Qt.Key.Key_C)
        course.type("sub")
        course.key(ENTER)
        assert course.lines()[2:4] == ["a = torch.sub(w, x)", "b = torch.sub(w, 1)"]
        assert course.document.undo_stack.count() == 1

    def test_a_leaf_is_no_operator(self, course):
        told = []
        course.document.told.connect(told.append)
        course.click(course.header("w"))
        course.key(Qt.Key.Key_C)
        assert told
        assert not course.canvas.quick.isVisible()


class TestWiresOfTheSelection:
    def test_swap_inputs(self, course):
        course.click(course.header("a"))
        course.key(Qt.Key.Key_S)
        assert course.lines()[2] == "a = torch.add(x, w)"
        course.key(Qt.Key.Key_S)
        assert course.lines()[2] == "a = torch.add(w, x)"

    def test_delete_and_reconnect(self, course):
        course.click(course.header("a"))
        course.key(Qt.Key.Key_Delete, ALT)
        assert course.lines()[-1] == "y = torch.mul(w, b)"
        assert course.document.undo_stack.undoText() == "Delete and reconnect a"
        course.document.undo_stack.undo()
        assert course.lines()[-1] == "y = torch.mul(a, b)"

    def test_pull_out_and_disconnect(self, course):
        course.click(course.header("a"))
        course.key(Qt.Key.Key_X, ALT)
        assert course.lines()[-1] == "y = torch.mul(w, b)"
        assert course.document.program[course.id("a")].operands == (EMPTY, EMPTY)
        course.document.undo_stack.undo()
        course.key(Qt.Key.Key_X)
        assert course.document.program[course.id("y")].operands == (EMPTY, Ref(course.id("b")))
        assert course.document.program[course.id("a")].operands == (EMPTY, EMPTY)

    def test_where_there_are_no_wires_it_says_so(self, course):
        told = []
        course.document.told.connect(told.append)
        course.drop("tensor", course.free(60, 560))
        course.key(ESC)
        before = course.document.undo_stack.count()
        course.key(Qt.Key.Key_X)
        assert told == ["What is selected has no wires."]
        assert course.document.undo_stack.count() == before

    def test_disconnect_takes_the_wire_chosen(self, course):
        course.click((course.port("b", "value") + course.port("y", 1)) / 2)
        course.key(Qt.Key.Key_X)
        assert course.document.program[course.id("y")].operands == (Ref(course.id("a")), EMPTY)
