"""Wiring by keys alone, and what else wires are good for at the keyboard."""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import Qt
from support.hands import CTRL, SHIFT

from chalkgrad.program import shapes
from chalkgrad.program.statement import EMPTY, Kind, Ref, Statement
from chalkgrad_app import steps
from chalkgrad_app.canvas.keyboard_wire import WireByKeys
from chalkgrad_app.canvas.wiring import Plug

Key = Qt.Key


def focus(hands, name):
    hands.canvas.setFocus()
    hands.canvas.keyboard.focus(hands.id(name))


def wire(hands) -> WireByKeys:
    active = hands.canvas.dispatcher.active
    assert isinstance(active, WireByKeys)
    return active


def test_w_arrows_and_enter_wire_a_card(course):
    course.document.do(lambda sheet: _unplugged(sheet, course, "y", 1), "open a port")
    steps_before = course.document.undo_stack.count()
    focus(course, "b")
    course.key(Key.Key_W)
    assert wire(course).plug == Plug(course.id("y"), 1)  # the open port comes first
    course.key(Key.Key_Return)
    assert course.canvas.dispatcher.active is None
    assert course.lines()[-1] == "y = torch.mul(a, b)"
    assert course.document.undo_stack.count() == steps_before + 1


def test_letters_go_to_a_card_and_arrows_from_port_to_port(course):
    focus(course, "w")
    course.key(Key.Key_W)
    course.type("y")
    assert wire(course).plug == Plug(course.id("y"), 0)
    course.key(Key.Key_Down)
    assert wire(course).plug == Plug(course.id("y"), 1)
    course.key(Key.Key_Left)
    assert wire(course).plug.consumer == course.id("b")
    course.key(Key.Key_Tab)
    assert wire(course).plug == Plug(course.id("b"), 1) or wire(course).plug.consumer == course.id("y")
    course.key(Key.Key_Escape)
    assert course.canvas.dispatcher.active is None
    assert course.document.undo_stack.count() == 0


def test_a_card_is_never_offered_what_needs_it(course):
    focus(course, "a")
    course.key(Key.Key_W)
    offered = {plug.consumer for plug in wire(course).plugs}
    assert course.id("y") in offered
    assert offered.isdisjoint({course.id("a"), course.id("w"), course.id("x")})


def test_only_ports_that_are_seen_are_offered(course):
    focus(course, "w")
    course.key(Key.Key_W)
    drawn = {
        Plug(id_, port.index)
        for id_ in course.canvas.picture.index
        for port in course.canvas.picture.ports(id_)
        if port.kind == "input"
    }
    assert set(wire(course).plugs) <= drawn
    course.key(Key.Key_Escape)


def test_where_no_card_can_read_it_arrows_find_nothing(course):
    focus(course, "y")
    course.key(Key.Key_W)
    for key in (Key.Key_Up, Key.Key_Down, Key.Key_Left, Key.Key_Right, Key.Key_Tab, Key.Key_A):
        course.key(key)
    assert wire(course).plug is None
    course.key(Key.Key_Escape)
    assert course.canvas.dispatcher.active is None


def test_an_edit_from_elsewhere_calls_the_wire_off(course):
    focus(course, "w")
    course.key(Key.Key_W)
    course.canvas.action("deleteReconnect").trigger()  # from the menu, or from the list of commands
    assert course.canvas.dispatcher.active is None
    course.type("y")
    assert course.document.program.named("w") is None


def test_actions_keep_still_while_a_wire_is_drawn(course):
    focus(course, "w")
    course.key(Key.Key_W)
    for code in (Key.Key_A, Key.Key_G, Key.Key_Delete, Key.Key_L):
        course.key(code)
    course.key(Key.Key_Z, CTRL)
    assert not course.canvas.quick.isVisible()
    assert course.document.program.named("w") is not None
    assert wire(course)


def test_a_point_goes_on_to_the_gradient(course):
    steps.run(course.document, steps.backward)
    course.document.finish()
    focus(course, "w")
    course.key(Key.Key_W)
    course.type(".")
    assert wire(course).start_ref.path == ("grad",)
    course.type("y")
    told = []
    course.document.told.connect(told.append)
    course.key(Key.Key_Down)
    assert told[-1].startswith("w.grad to y, input 2")


def test_a_point_goes_on_from_a_gradient_that_is_not_there_yet(course):
    gradient = Ref(course.id("x"), 0, ("grad",))
    reads = Statement(0, Kind.OP, "mul", ("g",), (gradient, 2), (), "operator")
    course.document.append(reads)
    course.document.finish()
    course.canvas.setFocus()
    course.canvas.select_wire(Plug(course.id("g"), 0))
    course.key(Key.Key_W)
    assert wire(course).start_ref == gradient
    course.type(".")
    assert wire(course).start_ref == Ref(course.id("x"))


def test_space_adds_a_card_that_reads_it(course):
    focus(course, "y")
    course.key(Key.Key_W)
    course.key(Key.Key_Space)
    assert course.canvas.quick.isVisible()
    course.type("exp")
    course.key(Key.Key_Return)
    assert course.lines()[-1] in ("c = torch.exp(y)", "z = torch.exp(y)")


def test_a_mouse_press_calls_it_off(course):
    focus(course, "w")
    course.key(Key.Key_W)
    course.click(course.header("x"))
    assert course.canvas.dispatcher.active is None
    assert course.document.undo_stack.count() == 0


def test_wires_are_chosen_moved_and_deleted_by_keys(course):
    focus(course, "y")
    course.key(Key.Key_W, SHIFT)
    assert course.canvas.selected_wire == Plug(course.id("y"), 0)
    course.key(Key.Key_W, SHIFT)
    assert course.canvas.selected_wire == Plug(course.id("y"), 1)
    course.key(Key.Key_Delete)
    assert not course.document.program[course.id("y")].ports()[1:] or (
        course.document.program[course.id("y")].ports()[1] is EMPTY
        or course.document.program[course.id("y")].ports()[1] == EMPTY
    )
    course.key(Key.Key_W, SHIFT)
    course.key(Key.Key_W)
    assert wire(course).lifted == Plug(course.id("y"), 0)
    course.key(Key.Key_Down)
    course.key(Key.Key_Return)
    ports = course.document.program[course.id("y")].ports()
    assert ports[0] == EMPTY
    assert ports[1].statement == course.id("a")


def test_shift_arrows_select_along(course):
    focus(course, "w")
    course.key(Key.Key_Right, SHIFT)
    course.key(Key.Key_Right, SHIFT)
    names = {course.document.program[id_].name for id_ in course.document.selected_statements}
    assert names == {"w", "b", "y"}


def test_what_a_card_needs_what_needs_it_and_its_neighbours(course):
    def names():
        return {course.document.program[id_].name for id_ in course.document.selected_statements}

    focus(course, "a")
    course.key(Key.Key_I)
    assert names() == {"a", "w", "x"}
    focus(course, "w")
    course.key(Key.Key_O)
    assert names() == {"w", "a", "b", "y"}
    focus(course, "x")
    course.key(Key.Key_K)
    assert names() == {"x", "a"}
    course.key(Key.Key_K)
    assert names() == {"x", "a", "w", "y"}


def test_plus_minus_and_digits_zoom(course):
    course.canvas.setFocus()
    course.key(Key.Key_Plus)
    course.canvas.glide.finish()
    assert round(course.canvas.zoom_percent) == 120
    course.key(Key.Key_Minus)
    course.key(Key.Key_Minus)
    course.canvas.glide.finish()
    assert round(course.canvas.zoom_percent) == 83
    course.key(Key.Key_1)
    course.canvas.glide.finish()
    assert round(course.canvas.zoom_percent) == 100


def _unplugged(sheet, hands, name, port):
    from chalkgrad_app.canvas import wiring

    return wiring.set_value(sheet, Plug(hands.id(name), port), EMPTY)


def test_whether_a_wire_fits_is_read_off_the_run(course, monkeypatch):
    """What stands above is not worked out from its lines: of a long chain that took a while at the first port."""
    learned = []
    monkeypatch.setattr(shapes, "_recent", deque(maxlen=4))
    monkeypatch.setattr(shapes, "_partly", deque(maxlen=2))
    monkeypatch.setattr(shapes._Inference, "learn", lambda _, statement: learned.append(statement.id))
    course.document.finish()
    focus(course, "w")
    course.key(Key.Key_W)
    course.type("y")
    assert wire(course).plug == Plug(course.id("y"), 0)
    assert learned == []
    assert not wire(course).target.message
    course.key(Key.Key_Escape)
