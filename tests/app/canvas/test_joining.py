"""Dragging cards into wires, out of them and to ports nearby; cutting, rewiring: one undo step each, Esc calls off."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from support.hands import ALT, CTRL, PLAIN, process

from chalkgrad.program.statement import EMPTY, Ref
from chalkgrad_app.canvas import overlay
from chalkgrad_app.canvas.gestures.base import Pointer
from chalkgrad_app.canvas.gestures.cut import Cut
from chalkgrad_app.canvas.wiring import Plug

ESC = Qt.Key.Key_Escape
RIGHT = Qt.MouseButton.RightButton


def operands(hands, name):
    return hands.document.program[hands.id(name)].operands


def wire_middle(hands, source, target, port):
    return (hands.port(source, "value") + hands.port(target, port)) / 2


def on_wire(hands, target, port, part):
    """A point of the widget on the wire into a port, so far along it."""
    path = overlay.wire_paths(hands.canvas.picture, Plug(hands.id(target), port))[0]
    return hands.canvas.to_view(path.pointAtPercent(part)).toPoint()


def hold(hands, key, down):
    kind = QEvent.Type.KeyPress if down else QEvent.Type.KeyRelease
    keys = {Qt.Key.Key_Alt: ALT}[key] if down else PLAIN
    QApplication.sendEvent(hands.canvas, QKeyEvent(kind, key, keys))
    process()


def drag_card(hands, name, to, keys=PLAIN, release=True):
    """Drag a card by its header so that its middle comes to lie at a point."""
    grip = hands.header(name)
    way = to - hands.centre(name)
    hands.press(grip, keys)
    hands.move(grip + way / 2, keys)
    hands.move(grip + way, keys)
    hands.canvas.grab()
    if release:
        hands.release(grip + way, keys)
    return grip + way


class TestIntoAWire:
    def test_a_card_that_is_there_is_put_into_the_wire_it_is_dropped_on(self, course):
        course.drop("exp", course.free(500, 480))
        before = course.document.sheet
        drag_card(course, "c", wire_middle(course, "b", "y", 1))
        assert operands(course, "y") == (Ref(course.id("a")), Ref(course.id("c")))
        assert operands(course, "c") == (Ref(course.id("b")),)
        assert course.document.undo_stack.count() == 2
        course.document.undo_stack.undo()
        assert course.document.sheet == before

    def test_the_wire_lights_up_and_neighbours_make_room(self, course):
        course.drop("exp", course.free(500, 480))
        y = course.document.board.place(course.id("y"))
        at = drag_card(course, "c", wire_middle(course, "b", "y", 1), release=False)
        assert course.canvas.dispatcher.active.joining.joint.wire.consumer == course.id("y")
        course.release(at)
        assert course.document.board.place(course.id("y")).x > y.x
        rects = [course.canvas.node_rect(name) for name in "wxabcy"]
        assert not any(one.intersects(two) for i, one in enumerate(rects) for two in rects[:i])

    def test_escape_leaves_everything_as_it_was(self, course):
        course.drop("exp", course.free(500, 480))
        before = course.document.sheet
        at = drag_card(course, "c", wire_middle(course, "b", "y", 1), release=False)
        course.key(ESC)
        course.release(at)
        assert course.document.sheet == before

    def test_ctrl_puts_it_down_as_it_is(self, course):
        course.drop("exp", course.free(500, 480))
        drag_card(course, "c", wire_middle(course, "b", "y", 1), CTRL)
        assert operands(course, "c") == (EMPTY,)

    def test_a_card_that_is_wired_already_only_moves(self, course):
        course.drop("exp", course.free(500, 480))
        course.drag(course.port("x", "value"), course.port("c", 0))
        drag_card(course, "c", wire_middle(course, "b", "y", 1))
        assert operands(course, "y") == (Ref(course.id("a")), Ref(course.id("b")))

    def test_from_the_palette_what_is_behind_it_makes_room(self, course):
        y = course.document.board.place(course.id("y"))
        course.drop("relu", wire_middle(course, "b", "y", 1))
        assert course.lines()[-2:] == ["c = torch.relu(b)", "y = torch.mul(a, c)"]
        assert course.document.board.place(course.id("y")).x > y.x
        assert course.document.undo_stack.count() == 1


class TestOutOfTheWires:
    def test_alt_during_the_drag_joins_what_the_card_stood_between(self, course):
        before = course.document.sheet
        grip = course.header("a")
        course.press(grip)
        course.move(grip + QPoint(10, 60))
        hold(course, Qt.Key.Key_Alt, True)
        assert course.canvas.dispatcher.active.joining.freed
        course.move(grip + QPoint(10, 200), ALT)
        course.canvas.grab()
        course.release(grip + QPoint(10, 200), ALT)
        assert operands(course, "y") == (Ref(course.id("w")), Ref(course.id("b")))
        assert operands(course, "a") == (EMPTY, EMPTY)
        assert course.document.undo_stack.count() == 1
        course.document.undo_stack.undo()
        assert course.document.sheet == before

    def test_from_afar_a_card_is_only_moved(self, course):
        course.drop("exp", course.free(500, 480))
        course.canvas.set_zoom_percent(20)
        drag_card(course, "c", wire_middle(course, "b", "y", 1))
        assert operands(course, "c") == (EMPTY,)
        assert operands(course, "y") == (Ref(course.id("a")), Ref(course.id("b")))

    def test_alt_let_go_again_keeps_the_wires(self, course):
        grip = course.header("a")
        course.press(grip)
        course.move(grip + QPoint(10, 60))
        hold(course, Qt.Key.Key_Alt, True)
        hold(course, Qt.Key.Key_Alt, False)
        assert not course.canvas.dispatcher.active.joining.freed
        course.release(grip + QPoint(10, 60))
        assert operands(course, "a") == (Ref(course.id("w")), Ref(course.id("x")))

    def test_alt_held_at_the_press_copies_with_the_wires_from_outside(self, course):
        grip = course.header("a")
        course.drag(grip, grip + QPoint(0, 200), ALT)
        assert course.lines()[-1] == "a1 = torch.add(w, x)"
        assert operands(course, "y") == (Ref(course.id("a")), Ref(course.id("b")))


class TestNearPorts:
    def test_ports_near_each_other_are_wired(self, course):
        course.drop("exp", course.free(500, 480))
        # its input beside the value of y
        rect = course.canvas.node_rect("c")
        way = course.port("y", "value") + QPoint(16, 0) - course.port("c", 0)
        at = drag_card(course, "c", rect.center() + way, release=False)
        assert course.canvas.dispatcher.active.joining.joint.plug.consumer == course.id("c")
        course.release(at)
        assert course.lines()[-1] == "c = torch.exp(y)"
        assert course.document.undo_stack.undoText() == "Move and wire c"
        assert course.rect("c").left() - course.rect("y").right() >= 32, "the wire is seen"
        assert course.undo_all() == 2

    def test_a_new_card_too(self, course):
        # its header lies under the pointer: 88 right of its port, 14 above it
        course.drop("exp", course.port("y", "value") + QPoint(16 + 88, -26))
        assert course.lines()[-1] == "c = torch.exp(y)"
        assert course.document.undo_stack.count() == 1

    def test_a_tensor_beside_an_open_port(self, course):
        course.drop("mul", course.free(600, 480))
        course.drop("tensor", course.port("c", 1) - QPoint(16 + 88, 26))
        course.key(ESC)
        assert operands(course, "c") == (EMPTY, Ref(course.id("x1")))

    def test_what_needs_the_card_is_not_wired_to_it(self, course):
        course.drag(course.port("a", 1), course.port("a", 1) + QPoint(-30, 200))
        assert operands(course, "a") == (Ref(course.id("w")), EMPTY)
        way = course.port("y", "value") + QPoint(16, 0) - course.port("a", 1)
        drag_card(course, "a", course.centre("a") + way)
        assert operands(course, "a") == (Ref(course.id("w")), EMPTY)


class TestCut:
    def test_a_stroke_takes_off_every_wire_that_it_crosses(self, course):
        before = course.document.sheet
        x = (course.port("b", "value").x() + course.port("y", 0).x()) // 2
        top, bottom = QPoint(x, course.centre("b").y() - 60), QPoint(x, course.centre("a").y() + 60)
        course.press(top, CTRL | ALT)
        course.move((top + bottom) / 2, CTRL | ALT)
        course.move(bottom, CTRL | ALT)
        assert len(course.canvas.dispatcher.active.crossed) == 2
        course.canvas.grab()
        assert course.document.sheet == before
        course.release(bottom, CTRL | ALT)
        assert operands(course, "y") == (EMPTY, EMPTY)
        assert course.document.undo_stack.count() == 1
        assert course.document.undo_stack.undoText() == "Cut 2 wires"
        course.document.undo_stack.undo()
        assert course.document.sheet == before

    def test_escape_calls_it_off_and_a_stroke_past_all_wires_does_nothing(self, course):
        before = course.document.sheet
        course.drag(course.free(20, 20), course.free(20, 600), CTRL | ALT)
        x = (course.port("b", "value").x() + course.port("y", 0).x()) // 2
        course.press(QPoint(x, 10), CTRL | ALT)
        course.move(QPoint(x, 600), CTRL | ALT)
        course.key(ESC)
        course.release(QPoint(x, 600), CTRL | ALT)
        assert course.document.sheet == before
        assert not course.document.undo_stack.count()

    def right_stroke(self, hands, start, end):
        QTest.mousePress(hands.canvas, RIGHT, PLAIN, start)
        self.ask_menu(hands, start)
        for part in (0.3, 1.0):
            hands.move(start + (end - start) * part, PLAIN, RIGHT)
        QTest.mouseRelease(hands.canvas, RIGHT, PLAIN, end)
        process()

    def ask_menu(self, hands, at):
        reason = QContextMenuEvent.Reason.Mouse
        QApplication.sendEvent(hands.canvas, QContextMenuEvent(reason, at, hands.canvas.mapToGlobal(at)))
        process()

    def menu(self, hands):
        return next((menu for menu in hands.canvas.findChildren(QMenu) if menu.isVisible()), None)

    def test_the_right_button_cuts_on_empty_canvas_and_opens_no_menu(self, course):
        x = (course.port("b", "value").x() + course.port("y", 0).x()) // 2
        y = course.centre("b").y() - 60
        self.right_stroke(course, course.free(x, y), QPoint(x, course.centre("a").y()))
        assert EMPTY in operands(course, "y")
        assert self.menu(course) is None

    def test_a_stroke_with_the_right_button_may_begin_at_a_wire(self, course):
        start = on_wire(course, "y", 1, 0.5)
        assert course.canvas.hit(QPointF(start)).kind == "wire"
        self.right_stroke(course, start, QPoint(start.x(), course.centre("a").y() + 20))
        assert operands(course, "y") == (EMPTY, EMPTY)
        assert self.menu(course) is None

    @pytest.mark.parametrize("at_wire", [False, True])
    def test_without_a_drag_the_right_button_opens_the_menu_once(self, course, at_wire):
        at = on_wire(course, "y", 1, 0.5) if at_wire else course.free(30, 30)
        QTest.mousePress(course.canvas, RIGHT, PLAIN, at)
        self.ask_menu(course, at)
        assert self.menu(course) is None
        QTest.mouseRelease(course.canvas, RIGHT, PLAIN, at)
        process()
        menu = self.menu(course)
        assert menu is not None
        menu.close()

    def test_where_the_menu_comes_on_release_a_stroke_keeps_it_away(self, course):
        start, end = course.free(20, 20), course.free(20, 600)
        QTest.mousePress(course.canvas, RIGHT, PLAIN, start)
        course.move(end, PLAIN, RIGHT)
        QTest.mouseRelease(course.canvas, RIGHT, PLAIN, end)
        self.ask_menu(course, end)
        assert self.menu(course) is None
        self.ask_menu(course, end)
        assert self.menu(course) is not None
        self.menu(course).close()


class TestEndsOfAWire:
    def test_taken_near_its_beginning_it_begins_elsewhere(self, course):
        grip = on_wire(course, "y", 1, 0.3)
        assert course.canvas.hit(QPointF(grip)).kind == "wire"
        course.drag(grip, course.port("x", "value"))
        assert operands(course, "y") == (Ref(course.id("a")), Ref(course.id("x")))
        assert course.document.undo_stack.count() == 1

    def test_its_tags_stay(self, course):
        course.click(wire_middle(course, "b", "y", 1))
        course.canvas.add_tag(course.canvas.selected_wire, "detach")
        course.canvas.grab()
        course.drag(on_wire(course, "y", 1, 0.25), course.port("x", "value"))
        assert course.lines()[-1] == "y = torch.mul(a, x.detach())"

    def test_let_go_in_the_void_it_is_gone(self, course):
        course.drag(on_wire(course, "y", 1, 0.3), course.free(600, 560))
        assert operands(course, "y") == (Ref(course.id("a")), EMPTY)
        assert not course.canvas.quick.isVisible()

    def test_a_circle_is_refused(self, course):
        before = course.document.sheet
        course.drag(on_wire(course, "b", 0, 0.3), course.port("b", "value"))
        assert course.document.sheet == before


def test_a_stroke_over_a_wire_to_what_is_gone_cuts_nothing(course):
    at = Pointer(QPointF(5, 5), QPointF(5, 5))
    stroke = Cut(course.canvas)
    stroke.start(at)
    stroke.crossed[Plug(999, 0)] = None  # as a picture that is still behind has it
    sheet = course.document.sheet
    stroke.end(at)
    assert course.document.sheet == sheet
