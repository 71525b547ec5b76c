"""Wires drawn, moved, cut and tagged with the mouse."""

import pytest
from PySide6.QtCore import QPoint, Qt
from support.hands import process

from chalkgrad.program import edits
from chalkgrad.program.statement import EMPTY, Kind, Ref, Statement

ESC = Qt.Key.Key_Escape


class TestWire:
    def test_from_an_output_to_a_port(self, hands):
        hands.drop("tensor-grad", QPoint(150, 150))
        hands.key(ESC)
        hands.drop("exp", QPoint(500, 150))
        hands.drag(hands.port("w", "value"), hands.port("a", 0))
        assert hands.lines()[-1] == "a = torch.exp(w)"
        assert hands.document.state.tensor(hands.id("a")).short == "[2.7183]"

    def test_from_a_port_back_to_an_output(self, hands):
        hands.drop("tensor", QPoint(150, 150))
        hands.key(ESC)
        hands.drop("exp", QPoint(500, 150))
        hands.drag(hands.port("a", 0), hands.port("x", "value"))
        assert hands.lines()[-1] == "a = torch.exp(x)"

    def test_dropped_on_a_card_it_takes_the_first_open_port(self, hands):
        hands.drop("tensor", QPoint(150, 150))
        hands.key(ESC)
        hands.drop("mul", QPoint(500, 150))
        hands.drag(hands.port("x", "value"), hands.centre("a"))
        assert hands.document.program[hands.id("a")].operands == (Ref(hands.id("x")), EMPTY)

    def test_the_gradient_has_a_port_of_its_own(self, course):
        course.drop("exp", course.canvas.node_rect("y").topRight() + QPoint(150, 20))
        course.drag(course.port("w", "grad"), course.port("c", 0))
        assert course.lines()[-1].endswith("torch.exp(w.grad)")

    def test_a_circle_is_refused_with_the_reason(self, course):
        before = course.document.sheet
        course.press(course.port("y", "value"))
        course.move(course.port("a", 0) + QPoint(30, 0))
        course.move(course.port("a", 0))
        gesture = course.canvas.dispatcher.active
        assert gesture.target.refused
        assert "y" in gesture.target.message
        assert "a" in gesture.target.message
        course.canvas.grab()
        told = []
        course.document.told.connect(told.append)
        course.release(course.port("a", 0))
        assert told == [gesture.target.message]
        assert course.document.sheet == before

    def test_a_wrong_shape_is_shown_and_may_be_dropped(self, course):
        document = course.document
        wide = Statement(document.program.next_id, Kind.LEAF, "tensor", ("v",), ((1.0, 2.0),))
        document.do(lambda s: edits.insert(s.program, [wide]).then(edits.place(s.board, {wide.id: (0, 320)})), "")
        three = Statement(document.program.next_id, Kind.LEAF, "tensor", ("u",), ((1.0, 2.0, 3.0),))
        document.do(lambda s: edits.insert(s.program, [three]).then(edits.place(s.board, {three.id: (0, 480)})), "")
        document.build(lambda s, at: _operator(s, "add", [Ref(wide.id), EMPTY], at, (256, 400)), "")
        document.finish()
        course.canvas.fit_all()
        process()
        course.press(course.port("u", "value"))
        course.move(course.port("c", 1))
        gesture = course.canvas.dispatcher.active
        assert not gesture.target.refused
        assert gesture.target.message.startswith("The size of tensor a (2) must match the size of tensor b (3)")
        course.release(course.port("c", 1))
        document.finish()
        state = document.state.statement(course.id("c"))
        assert state.problem.type == "RuntimeError"
        assert state.problem.message == gesture.target.message

    def test_replugging_moves_the_end_and_keeps_one_step(self, course):
        before = course.document.sheet
        course.drag(course.port("y", 1), course.port("b", 1))
        assert course.document.sheet == before  # b can't read itself
        course.drag(course.port("b", 0), course.port("b", 1))
        assert course.document.program[4].operands == (EMPTY, Ref(1))
        assert course.document.undo_stack.count() == 1

    def test_two_wires_of_one_card_change_places(self, course):
        course.drag(course.port("y", 0), course.port("y", 1))
        assert course.document.program[5].operands == (Ref(4), Ref(3))
        assert course.document.undo_stack.count() == 1
        course.document.undo_stack.undo()
        assert course.document.program[5].operands == (Ref(3), Ref(4))

    def test_dropped_on_empty_canvas_the_wire_is_gone(self, course):
        course.drag(course.port("y", 1), course.port("y", 1) + QPoint(-30, 200))
        assert course.document.program[5].operands == (Ref(3), EMPTY)
        assert course.lines()[-1].startswith("#")
        course.document.undo_stack.undo()
        assert course.document.program[5].operands == (Ref(3), Ref(4))

    def test_escape_springs_the_wire_back(self, course):
        before = course.document.sheet
        course.press(course.port("y", 1))
        course.move(course.port("y", 1) + QPoint(-30, 200))
        course.key(ESC)
        course.release(course.port("y", 1) + QPoint(-30, 200))
        assert course.document.sheet == before

    def test_dropped_on_empty_canvas_a_new_wire_asks_what_follows(self, course):
        course.drag(course.port("y", "value"), course.port("y", "value") + QPoint(120, 60))
        assert course.canvas.quick.isVisible()
        course.type("exp")
        course.key(Qt.Key.Key_Return)
        assert course.lines()[-1] == "c = torch.exp(y)"
        assert not course.canvas.quick.isVisible()

    def test_a_wire_is_chosen_by_a_click_and_deleted_by_delete(self, course):
        start, end = course.port("b", "value"), course.port("y", 1)
        course.click((start + end) / 2)
        assert course.canvas.selected_wire is not None
        course.key(Qt.Key.Key_Delete)
        assert course.document.program[5].operands == (Ref(3), EMPTY)
        assert course.canvas.selected_wire is None


class TestEnds:
    def at(self, hands, part):
        start, end = hands.port("b", "value"), hands.port("y", 1)
        return start + (end - start) * part

    @pytest.mark.parametrize(("part", "name"), [(0.4, "y"), (0.6, "b")])
    def test_a_double_click_goes_to_the_far_end(self, course, part, name):
        course.double_click(self.at(course, part))
        assert course.document.selection == {course.id(name)}
        assert course.canvas.keyboard.card == course.id(name)
        assert course.canvas.selected_wire is None

    @pytest.mark.parametrize("name", ["b", "y"])
    def test_its_menu_goes_to_both_ends(self, course, name):
        _, found = course.menu(self.at(course, 0.5))
        found[f"Go to {name}"].trigger()
        assert course.document.selection == {course.id(name)}

    @pytest.mark.parametrize(("key", "name"), [(Qt.Key.Key_Left, "b"), (Qt.Key.Key_Right, "y")])
    def test_arrows_go_to_the_ends_of_the_wire_that_is_chosen(self, course, key, name):
        course.click(self.at(course, 0.5))
        assert course.canvas.selected_wire is not None
        course.key(key)
        assert course.document.selection == {course.id(name)}


def _operator(sheet, name, inputs, at, place):
    from chalkgrad.engine.record import OPS
    from chalkgrad.program import building

    return building.operator(sheet, OPS[name], inputs, at, place)


class TestTags:
    def wire(self, hands):
        return (hands.port("b", "value") + hands.port("y", 1)) / 2

    @pytest.mark.parametrize(
        ("tag", "line"),
        [
            (".detach()", "y = torch.mul(a, b.detach())"),
            (".data", "y = torch.mul(a, b.data)"),
            (".clone()", "y = torch.mul(a, b.clone())"),
            (".T", "y = torch.mul(a, b.T)"),
        ],
    )
    def test_put_on_and_taken_off(self, course, tag, line):
        before = course.document.sheet
        _, found = course.menu(self.wire(course))
        found[f"Insert {tag}"].trigger()
        assert course.lines()[-1] == line
        course.document.finish()
        assert course.document.state.tensor(5).short == "[6.]"
        course.canvas.grab()
        _, found = course.menu(self.wire(course))
        found[f"Remove {tag}"].trigger()
        assert course.document.program.statements == before.program.statements
        assert course.undo_all() == 2
        assert course.document.sheet == before

    def test_tags_go_with_a_wire_that_is_replugged_and_with_one_removed(self, course):
        _, found = course.menu(self.wire(course))
        found["Insert .detach()"].trigger()
        course.drag(course.port("y", 1), course.port("y", 1) + QPoint(-30, 200))
        assert {s.call for s in course.document.program} == {"tensor", "add", "mul"}
