"""Selecting, moving, menus, blocks, hovering: by mouse, each one undo step that comes back to where it was."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from support.hands import ALT, CTRL, PLAIN, SHIFT, Hands, discard, open_host

from chalkgrad.program import edits
from chalkgrad.program.board import Board, Place
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import EMPTY, Kind, Ref, Statement
from chalkgrad.source.read import read_source
from chalkgrad_app.canvas import spoken
from chalkgrad_app.style import theme

ESC = Qt.Key.Key_Escape


def selected(hands):
    return {hands.document.program[id_].name for id_ in hands.document.selection}


class TestSelect:
    def test_click_ctrl_and_shift(self, course):
        course.click(course.header("w"))
        assert selected(course) == {"w"}
        course.click(course.header("x"))
        assert selected(course) == {"x"}
        course.click(course.header("w"), SHIFT)
        assert selected(course) == {"w", "x"}
        course.click(course.header("x"), CTRL)
        assert selected(course) == {"w"}

    def test_click_on_empty_canvas_selects_nothing(self, course):
        course.click(course.header("w"))
        course.click(course.free(5, 5))
        assert not course.document.selection
        assert not course.document.undo_stack.count()

    def test_rubber_band_selects_what_it_touches(self, course):
        start = course.canvas.node_rect("w").topLeft() - QPoint(20, 20)
        course.drag(start, course.centre("x"))
        assert selected(course) == {"w", "x"}

    def test_escape_brings_back_what_was_selected(self, course):
        course.click(course.header("y"))
        start = course.canvas.node_rect("w").topLeft() - QPoint(20, 20)
        course.press(start)
        course.move(course.centre("x"))
        assert selected(course) == {"w", "x"}
        course.key(ESC)
        assert selected(course) == {"y"}
        course.release(course.centre("x"))
        assert selected(course) == {"y"}


class TestEditedMeanwhile:
    @pytest.mark.parametrize("far", [0, 60], ids=["pressed", "dragged"])
    def test_what_is_gone_is_not_moved_on(self, course, far):
        course.drop("exp", course.canvas.node_rect("y").topRight() + QPoint(150, 20))
        course.key(ESC)
        at = course.header("c")
        course.press(at)
        course.move(at + QPoint(far, 0))
        course.document.undo_stack.undo()
        sheet = course.document.sheet
        course.move(at + QPoint(120, 0))
        assert course.canvas.dispatcher.active is None
        course.canvas.grab()
        course.release(at + QPoint(120, 0))
        assert course.document.sheet == sheet

    def test_a_drag_goes_on_while_others_make_room(self, course):
        at = course.header("y")
        course.press(at)
        course.move(at + QPoint(60, 0))
        course.document.do(lambda sheet: edits.place(sheet.board, {course.id("w"): (-400.0, -400.0)}), "room")
        course.move(at + QPoint(120, 0))
        course.release(at + QPoint(120, 0))
        assert course.document.undo_stack.undoText() == "Move y"


class TestMove:
    def test_a_card_snaps_to_the_grid_in_one_undo_step(self, course):
        before = course.document.sheet
        course.drag(course.header("y"), course.header("y") + QPoint(43, 29))
        assert course.place("y") == (552.0, 112.0)
        assert course.document.undo_stack.count() == 1
        course.document.undo_stack.undo()
        assert course.document.sheet == before
        course.document.undo_stack.redo()
        assert course.place("y") == (552.0, 112.0)

    def test_all_selected_cards_move_together(self, course):
        course.click(course.header("w"))
        course.click(course.header("x"), SHIFT)
        course.drag(course.header("w"), course.header("w") + QPoint(-80, -40))
        assert (course.place("w"), course.place("x")) == ((-80.0, -40.0), (-80.0, 120.0))
        assert course.document.undo_stack.count() == 1

    def test_preview_changes_no_place_and_escape_calls_off(self, course):
        before = course.document.sheet
        course.press(course.header("y"))
        course.move(course.header("y") + QPoint(80, 0))
        course.canvas.grab()
        assert course.document.sheet == before
        course.key(ESC)
        course.release(course.header("y"))
        assert course.document.sheet == before
        assert course.canvas.picture.rect(5).x() == 512.0
        assert not course.document.undo_stack.count()

    def test_a_move_runs_nothing_again(self, course):
        told = []
        course.document.traced.connect(lambda *args: told.append(args))
        course.drag(course.header("y"), course.header("y") + QPoint(80, 0))
        assert told == []

    def test_alt_drag_copies_cards_with_their_wires(self, course):
        course.click(course.header("a"))
        course.click(course.header("y"), SHIFT)
        course.drag(course.header("a"), course.header("a") + QPoint(0, 160), ALT)
        assert course.lines()[-2:] == ["a1 = torch.add(w, x)", "y1 = torch.mul(a1, b)"]
        copied = course.document.board.place(course.id("a1"))
        assert (copied.x, copied.y) == (256.0, 320.0)
        assert course.document.undo_stack.count() == 1
        assert course.place("a") == (256.0, 160.0)

    def test_copies_of_what_is_written_inside_a_line_lie_as_their_originals_do(self, qapp):
        program = read_source("import torch\nx = torch.tensor([1., 2.])\ny = torch.relu(x) * 2")
        _, inner, y = program.order
        places = zip(program.order, (Place(0, 0), Place(240, 0), Place(480, 0)), strict=True)
        host = open_host(Sheet(program, Board({("cards", id_): place for id_, place in places})))
        hands = Hands(host.canvas)
        host.canvas.fit_all()
        hands.click(hands.header("y"))
        hands.drag(hands.header("y"), hands.header("y") + QPoint(0, 120), ALT)
        assert hands.lines()[-1] == "y1 = torch.relu(x) * 2"
        copied, place = hands.document.program.order[-2], hands.board.place
        assert place(copied).x == place(inner).x
        assert place(copied).y == place(hands.id("y1")).y > place(y).y
        hands.undo_all()
        hands.document.do(lambda sheet: edits.place(sheet.board, {1: (240.0, 128.0)}), "move")  # what lies in the way
        hands.click(hands.header("y"))
        hands.drag(hands.header("y"), hands.header("y") + QPoint(0, 120), ALT)
        copied = hands.document.program.order[-2]
        assert not hands.canvas.picture.rect(copied).intersects(hands.canvas.picture.rect(1))
        discard(host)

    def test_the_copy_is_seen_while_alt_drags_it_and_the_original_stays(self, course):
        start, way = course.header("a"), QPoint(0, 160)
        where = course.canvas.node_rect("a")
        empty = course.canvas.grab().toImage().pixelColor(start + way)
        course.press(start, ALT)
        course.move(start + way, ALT)
        shown = course.canvas.grab().toImage()
        assert shown.pixelColor(start + way) != empty
        assert course.canvas.node_rect("a") == where
        course.key(ESC)
        assert course.canvas.grab().toImage().pixelColor(start + way) == empty
        course.release(start + way)

    def test_notes_move_and_take_their_text_along(self, course):
        course.canvas.add_note_at(QPointF(60, 420))
        course.type("look here")
        course.click(course.free(5, 5))
        note = next(iter(course.document.board.notes.values()))
        assert note.text("en") == "look here"
        at = course.at_scene(note.x + 100, note.y + 60)
        course.drag(at, at + QPoint(80, 0))
        moved = course.document.board.notes[note.id]
        assert (moved.x, moved.y, moved.texts) == (note.x + 80, note.y, note.texts)


class TestContextMenus:
    def test_a_card_shows_the_exact_lines(self, course):
        _, found = course.menu(course.header("y"))
        for line in ("y.backward()", "y.retain_grad()", "y.grad = None", "y.grad.zero_()", "c = y.detach()"):
            assert line in found, sorted(found)
        found["y.backward()"].trigger()
        course.document.finish()
        assert course.lines()[-1] == "y.backward()"
        assert course.document.state.tensor(1).grad.short == "[5.]"

    def test_a_wire_can_be_deleted(self, course):
        _, found = course.menu((course.port("b", "value") + course.port("y", 1)) / 2)
        found["Delete wire"].trigger()
        assert course.document.program[5].operands == (Ref(3), EMPTY)

    def test_the_canvas_offers_notes(self, course):
        _, found = course.menu(QPoint(10, 10))
        assert {"Add note", "Quick add...", "Tidy"} <= set(found)


class TestBlocks:
    def wrap(self, hands, *names):
        hands.document.select([hands.id(name) for name in names])
        hands.canvas.order.wrap("no_grad")
        hands.document.finish()
        hands.canvas.grab()
        hands.click(hands.free(5, 5))

    def test_wrapped_lines_have_no_grad_and_unwrapping_takes_it_back(self, course):
        before = course.document.sheet
        self.wrap(course, "b")
        assert "with torch.no_grad():" in course.lines()
        assert not course.document.state.tensor(4).requires_grad
        course.click(course.header("b"))
        course.canvas.unwrap_selected()
        assert course.document.program.statements == before.program.statements
        assert course.undo_all() == 2

    def test_a_card_dropped_into_the_frame_moves_its_line_in(self, course):
        self.wrap(course, "b")
        frame = next(frame for frame in course.canvas.picture.frames if frame.block)
        target = course.canvas.to_view(frame.rect.center()).toPoint()
        grip = course.header("a")
        course.drag(grip, target + (grip - course.centre("a")))
        program = course.document.program
        assert program[course.id("a")].block == program[course.id("b")].block
        assert course.document.undo_stack.count() == 2

    def test_and_dragged_out_again_leaves_it(self, course):
        self.wrap(course, "a", "b")
        grip = course.header("b")
        course.drag(grip, grip + QPoint(0, 300))
        program = course.document.program
        assert program[course.id("b")].block is None
        assert program[course.id("a")].block is not None

    def test_one_that_cannot_move_in_is_told_why(self, course):
        self.wrap(course, "y")
        frame = next(frame for frame in course.canvas.picture.frames if frame.block)
        self.wrap(course, "w")
        told = []
        course.document.told.connect(told.append)
        inside = next(f for f in course.canvas.picture.frames if f.block and f.id != frame.id)
        target = course.canvas.to_view(inside.rect.center()).toPoint()
        grip = course.header("y")
        course.drag(grip, target + QPoint(40, 0))
        assert course.document.program[course.id("y")].block == frame.id
        assert course.document.program[course.id("w")].block == inside.id
        assert [words for words in told if words.startswith("y can't move there")] == told
        assert told


class TestInPlace:
    def test_a_reader_of_the_writer_goes_after_it(self, hands):
        hands.drop("tensor", QPoint(120, 150))
        hands.key(ESC)
        hands.drop("exp", QPoint(700, 150))
        hands.drop("add_", QPoint(420, 150))
        writer = hands.document.program.order[-1]
        rect = hands.canvas.view_rect_of(writer)
        ports = {(p.kind, p.index): hands.at_scene(p.x, p.y) for p in hands.canvas.picture.ports(writer)}
        hands.drag(hands.port("x", "value"), ports["input", 0])
        hands.click(ports["input", 1])
        hands.type("2")
        hands.key(Qt.Key.Key_Return)
        assert hands.document.program[writer].operands == (Ref(hands.id("x")), 2)
        hands.drag(ports["value", 0], hands.port("a", 0))
        assert rect.isValid()
        order = hands.document.program.order
        assert order.index(writer) < order.index(hands.id("a"))
        hands.document.finish()
        assert hands.document.state.tensor(hands.id("a")).short == "[20.0855]"

    def test_a_list_of_tensors_has_a_port_for_each(self, course):
        course.document.select([1, 2])
        made = course.canvas.place_operator("cat")
        course.document.finish()
        assert course.document.program[made].ports() == (Ref(1), Ref(2))
        assert course.document.state.tensor(made).short == "[1., 2.]"


class TestCovered:
    def test_h_covers_and_a_click_reveals_one(self, course):
        from chalkgrad_app import steps

        steps.run(course.document, steps.backward)
        course.document.finish()
        course.canvas.setFocus()
        course.key(Qt.Key.Key_H)
        tensor = course.document.state.tensor(1)
        assert course.document.state.is_covered(tensor)
        rect = course.canvas.node_rect("w")
        course.click(QPoint(rect.center().x(), rect.bottom() - 8))
        assert not course.document.state.is_covered(course.document.state.tensor(1))
        assert course.document.state.is_covered(course.document.state.tensor(5))

    def test_another_name_of_a_gradient_is_covered_too(self, course):
        from chalkgrad_app import steps

        steps.run(course.document, steps.backward)
        course.document.append(Statement(0, Kind.ALIAS, "alias", ("g",), (Ref(1, path=("grad",)),)))
        course.document.finish()
        course.document.cover(True)
        course.canvas.fit_all()
        course.canvas.grab()
        id_ = course.id("g")
        assert course.canvas.picture.face(id_).rows[0].covered
        assert spoken.card_value(course.canvas, id_) == "gradient covered"
        course.click(course.value("g"))
        assert not course.canvas.picture.face(id_).rows[0].covered
        assert course.canvas.picture.face(course.id("w")).rows[0].grad.covered


class TestScrolling:
    def test_a_drag_near_the_edge_scrolls_and_the_card_comes_along(self, course):
        start = course.header("y")
        edge = QPoint(course.canvas.width() - 4, start.y())
        origin = course.canvas.viewport.origin
        course.press(start)
        course.move(start + QPoint(20, 0))
        course.move(edge)
        QTest.qWait(200)
        assert course.canvas.viewport.origin[0] > origin[0] + 40
        assert course.canvas.viewport.origin[1] == origin[1]
        course.release(edge)
        stopped = course.canvas.viewport.origin
        rect = course.canvas.node_rect("y")
        assert abs(rect.right() - 30 - edge.x()) <= 12
        QTest.qWait(100)
        assert course.canvas.viewport.origin == stopped

    def test_in_the_middle_nothing_scrolls(self, course):
        origin = course.canvas.viewport.origin
        course.press(course.header("y"))
        course.move(course.header("y") + QPoint(60, 60))
        QTest.qWait(80)
        assert course.canvas.viewport.origin == origin
        course.release(course.header("y") + QPoint(60, 60))


class TestHover:
    @pytest.mark.parametrize("percent", [45, 100, 250])
    def test_a_port_is_hit_within_eight_pixels(self, course, percent):
        course.canvas.set_zoom_percent(percent)
        course.canvas.ensure_visible([course.id("y")])
        port = course.port("y", "value")
        for way in (QPoint(8, 0), QPoint(-8, 0), QPoint(0, -8)):
            assert course.canvas.hit(QPointF(port + way)).kind == "output", way

    def test_a_card_under_the_pointer_gets_a_line_around_it(self, course):
        before = course.canvas.grab().toImage()
        course.move(course.centre("y"), PLAIN, Qt.MouseButton.NoButton)
        assert course.canvas.grab().toImage() != before

    def test_the_wire_under_the_pointer_tells_its_shape(self, course):
        from chalkgrad_app.canvas import hovering

        at = (course.port("b", "value") + course.port("y", 1)) / 2
        course.move(at, PLAIN, Qt.MouseButton.NoButton)
        course.canvas.grab()
        assert course.canvas.cursor().shape() == Qt.CursorShape.PointingHandCursor
        hit = course.canvas.hit(QPointF(at))
        assert hovering.tooltip(course.canvas.picture, hit) == "b → y.other   (1,) float32"
        port = course.canvas.hit(QPointF(course.port("y", 1)))
        assert hovering.tooltip(course.canvas.picture, port) == "y.other"


class TestTidy:
    def test_lays_out_in_one_step_and_back(self, course):
        course.drag(course.header("y"), course.header("w") + QPoint(-200, 100))
        before = course.document.sheet
        course.canvas.setFocus()
        course.key(Qt.Key.Key_L)
        places = {name: course.place(name) for name in "wxaby"}
        assert places["w"][0] < places["a"][0] < places["y"][0]
        course.document.undo_stack.undo()
        assert course.document.sheet == before

    def test_the_selection_alone(self, course):
        course.drag(course.header("y"), course.header("y") + QPoint(0, 240))
        course.document.select([3, 4])
        before = {name: course.place(name) for name in "wxy"}
        course.canvas.tidy()
        assert {name: course.place(name) for name in "wxy"} == before


class TestOnTop:
    def test_what_was_dragged_lies_above_the_others_and_stays_there(self, course):
        """It is seen whole, is what a click there means, and keeps its place when another is selected."""
        grab = course.header("x") - course.canvas.node_rect("x").topLeft()
        course.drag(course.header("x"), course.canvas.node_rect("a").topLeft() + QPoint(-40, 20) + grab)
        course.click(course.free(5, 5))
        both = course.canvas.node_rect("x").intersected(course.canvas.node_rect("a"))
        assert both.width() > 60
        assert course.canvas.hit(QPointF(both.center())).id == course.id("x")
        rect = course.canvas.node_rect("x")
        shown = course.canvas.grab().toImage()
        ratio = shown.devicePixelRatio()
        yellow = {
            shown.pixelColor(QPoint(x, rect.top() + 6) * ratio).name()
            for x in range(rect.left() + 10, rect.right() - 10)
        }
        assert yellow == {theme.current().color("leaf").name()}, "no other card, ring or wire"
        course.drag(course.header("a"), course.header("a") + QPoint(0, 8))
        assert course.canvas.hit(QPointF(both.center())).id == course.id("a"), "the last that was moved"

    def test_what_is_moved_by_keys_comes_to_the_top(self, course):
        course.drag(course.header("x"), course.header("a") + QPoint(-30, 20))
        course.click(course.header("a"))
        course.key(Qt.Key.Key_Up, CTRL)
        both = course.canvas.node_rect("x").intersected(course.canvas.node_rect("a"))
        assert course.canvas.hit(QPointF(both.center())).id == course.id("a")


class TestFrames:
    def test_a_frame_is_moved_by_the_row_of_its_title_and_by_its_edge(self, course):
        course.choose("a", "b")
        course.key(Qt.Key.Key_G, CTRL)
        course.key(ESC)
        frame = next(iter(course.board.frames.values()))
        corner = course.at_scene(frame.x, frame.y)
        for grip in (QPoint(150, 36), QPoint(round(frame.width) - 12, 170), QPoint(120, round(frame.height) - 12)):
            before, inside = course.place("a"), next(iter(course.board.frames.values()))
            course.drag(corner + grip, corner + grip + QPoint(0, 16))
            now = next(iter(course.board.frames.values()))
            assert (now.x, now.y) == (inside.x, inside.y + 16), grip
            assert course.place("a") == (before[0], before[1] + 16)
            course.document.undo_stack.undo()

    def test_a_drag_between_the_cards_of_a_frame_selects_there(self, course):
        course.choose("a", "b")
        course.key(Qt.Key.Key_G, CTRL)
        course.key(ESC)
        rect = course.canvas.node_rect("a")
        course.drag(rect.topLeft() + QPoint(20, -14), rect.center())
        assert selected(course) == {"a"}


def test_in_data_and_edges_a_drag_from_where_a_port_would_be_says_why_there_are_none(course):
    said = []
    course.document.told.connect(said.append)
    course.document.draw_as("data")
    QTest.qWait(400)
    start = course.port("w", "value")
    count = course.document.undo_stack.count()
    course.drag(start, start + QPoint(80, 40))
    assert any("Wires are drawn in Cards" in text for text in said)
    assert course.document.undo_stack.count() == count, "the card stays"


class TestWhatComesBack:
    def test_it_is_selected_as_it_was_when_it_went(self, hands):
        hands.key(Qt.Key.Key_A)
        hands.type("y = (x + w) * (w + 1)")
        hands.key(Qt.Key.Key_Return)
        assert selected(hands) == {"y"}
        hands.document.undo_stack.undo()
        hands.document.undo_stack.redo()
        assert selected(hands) == {"y"}

    def test_what_was_deleted_is_selected_again(self, course):
        course.choose("a", "b")
        course.key(Qt.Key.Key_Delete)
        course.click(course.header("w"))
        course.document.undo_stack.undo()
        assert selected(course) == {"a", "b"}
