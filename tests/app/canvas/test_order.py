"""Align, distribute, frames, folding and labels: by mouse and by keys, each one undo step that runs nothing."""

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from support.hands import CTRL, PLAIN, SHIFT, Hands
from support.sheets import course_sheet

from chalkgrad.layout.graph import ROW_GAP
from chalkgrad.program import arranging, edits, files
from chalkgrad.program.board import Frame, Note
from chalkgrad_app.canvas import hovering
from chalkgrad_app.canvas.hit import Hit, HitKind

KEY = Qt.Key


class TestFrames:
    def test_by_key_with_its_title_ready_to_type(self, course):
        course.choose("a", "b")
        course.key(KEY.Key_G, CTRL)
        course.type("Sum of two")
        course.key(KEY.Key_Return)
        (frame,) = course.board.frames.values()
        assert frame.title == "Sum of two"
        inside = QRectF(frame.x, frame.y, frame.width, frame.height)
        assert inside.contains(course.rect("a"))
        assert inside.contains(course.rect("b"))
        assert not inside.intersects(course.rect("w"))
        assert course.undo_all() == 1

    @pytest.mark.parametrize("how", [KEY.Key_G, KEY.Key_C])
    def test_wires_have_room_between_it_and_what_they_lead_to(self, course, how):
        """``y`` is near to the right edge of the frame, at once or as it is opened again."""
        right = course.rect("a").right()
        course.document.do(edits.place(course.board, {course.id("y"): (right + 36.0, 200.0)}), "move")
        course.choose("a", "b")
        course.key(how, CTRL if how == KEY.Key_G else SHIFT)
        course.key(KEY.Key_Return)
        course.canvas.setFocus()
        if how == KEY.Key_C:
            course.canvas.order.open_selected()
        course.canvas.tidying.cancel()
        (frame,) = course.canvas.picture.frames
        assert course.rect("y").left() - frame.rect.right() >= ROW_GAP

    def test_what_its_edge_would_touch_moves_off(self, course):
        """The edge would run along the lower one of a card that lies on the grid as everything does."""
        course.choose("a", "b")
        made = course.canvas.placing.place_frame()
        top = course.board.frames[made].y
        course.document.undo_stack.undo()
        x = course.rect("x")
        lower = (course.rect("a").left(), top - x.height())
        course.document.do(edits.place(course.board, {course.id("x"): lower}), "move")
        course.choose("a", "b")
        course.canvas.setFocus()
        course.key(KEY.Key_G, CTRL)
        course.key(KEY.Key_Return)
        (frame,) = course.board.frames.values()
        assert course.rect("x").bottom() <= frame.y - 8

    def test_within_another_it_has_room_on_all_sides(self, course):
        """The outer one grows, and what its new edge would cut moves off: one undo step."""
        course.choose("a", "b", "y")
        outer = course.canvas.placing.place_frame()
        before = course.board
        course.choose("b", "y")
        course.canvas.setFocus()
        course.key(KEY.Key_G, CTRL)
        course.key(KEY.Key_Return)
        rects = {frame.id: frame.rect for frame in course.canvas.picture.frames}
        (inner,) = rects.keys() - {outer}
        least = 16
        assert rects[outer].contains(rects[inner].adjusted(-least, -least, least, least))
        assert rects[inner].contains(course.rect("b"))
        assert not rects[outer].intersects(course.rect("w"))
        course.document.undo_stack.undo()
        assert course.board == before

    def test_a_stranger_between_those_framed_moves_off(self, course):
        course.choose("w", "x", "y")
        course.key(KEY.Key_G, CTRL)
        course.key(KEY.Key_Return)
        (frame,) = course.canvas.picture.frames
        for name in "wxy":
            assert frame.rect.contains(course.rect(name))
        for name in "ab":
            assert not frame.rect.intersects(course.rect(name)), name
        assert course.undo_all() == 1

    def test_strangers_that_far_outnumber_what_is_framed_stay_in_it(self, crowded):
        course = crowded
        before = course.rect("b")
        course.choose("w", "y")
        course.key(KEY.Key_G, CTRL)
        course.key(KEY.Key_Return)
        (frame,) = course.canvas.picture.frames
        assert course.rect("b") == before
        assert frame.rect.contains(before)

    def test_its_edges_come_into_view(self, course):
        canvas = course.canvas
        canvas.show_moved(canvas.width() - canvas.node_rect("y").right() - 4, 0)
        course.choose("b", "y")
        course.key(KEY.Key_G, CTRL)
        course.key(KEY.Key_Return)
        (frame,) = canvas.picture.frames
        assert canvas.scene_rect().contains(frame.rect)

    def test_a_folded_node_that_its_edge_would_cut_moves_off(self, course):
        course.choose("w", "x")
        course.key(KEY.Key_C, SHIFT)
        course.key(KEY.Key_Return)
        (fold,) = course.canvas.picture.folds
        a = course.rect("a")
        way = QPointF(a.left() - 40, a.top()) - fold.rect.topLeft()
        course.document.do(arranging.shift(course.board, dict.fromkeys(fold.hides, (way.x(), way.y()))), "move")
        course.choose("a", "y")
        course.key(KEY.Key_G, CTRL)
        course.key(KEY.Key_Return)
        (frame,) = (frame for frame in course.canvas.picture.frames if not frame.block)
        assert frame.rect.contains(course.rect("a"))
        assert not frame.rect.intersects(course.canvas.picture.folds[0].rect)

    def test_colours_go_round(self, course):
        course.choose("a")
        made = course.canvas.placing.place_frame()
        course.canvas.setFocus()
        course.key(KEY.Key_F, SHIFT)
        assert course.board.frames[made].hue == "red"
        course.canvas.order.paint_frames("")
        assert course.board.frames[made].hue == ""

    def test_a_frame_within_a_frame_moves_along(self, course):
        course.choose("a")
        inner = course.canvas.placing.place_frame()
        course.document.select([inner, course.id("b")])
        outer = course.canvas.placing.place_frame()
        before = course.board
        shape = before.frames[outer]
        grip = course.at_scene(shape.x + 60, shape.y + 14)
        course.drag(grip, grip + QPoint(0, 80))
        after = course.board
        by = after.frames[outer].y - before.frames[outer].y
        assert by > 0
        assert after.frames[inner].y - before.frames[inner].y == by
        assert after.place(course.id("a")).y - before.place(course.id("a")).y == by

    @pytest.mark.parametrize(
        "corner, way, wanted",
        [
            ((0.0, 60.0), (-32, 0), (-72.0, 320.0, 232.0, 120.0)),
            ((100.0, 120.0), (0, 40), (-40.0, 320.0, 200.0, 160.0)),
            ((200.0, 120.0), (40, 40), (-40.0, 320.0, 240.0, 160.0)),
            ((0.0, 0.0), (-40, -40), (-80.0, 280.0, 240.0, 160.0)),
        ],
    )
    def test_every_edge_resizes(self, course, corner, way, wanted):
        course.canvas.order.snap_to_guides(False)
        course.document.do(edits.put_frame(course.board, Frame(51, "part", -40.0, 320.0, 200.0, 120.0)), "frame")
        course.canvas.fit_all()
        course.canvas.zoom_100()
        grip = course.at_scene(-40 + corner[0], 320 + corner[1])
        course.drag(grip, grip + QPoint(*way))
        frame = course.board.frames[51]
        assert (frame.x, frame.y, frame.width, frame.height) == wanted


class TestDroppingIntoBlocks:
    def test_the_frame_and_the_reason_show_while_dragging(self, course):
        course.choose("y")
        course.canvas.order.wrap("no_grad")
        course.document.finish()
        course.canvas.grab()
        start = course.header("a")
        way = course.centre("y") - course.centre("a")
        course.press(start)
        course.move(start + way)
        dropping = course.canvas.dispatcher.active.dropping
        assert dropping.target == course.document.program[course.id("y")].block
        assert dropping.reason() == ""
        course.key(KEY.Key_Escape)
        course.release(start + way)
        start = course.header("w")
        way = course.centre("y") - course.centre("w")
        course.press(start)
        course.move(start + way)
        assert course.canvas.dispatcher.active.dropping.reason().startswith("w can't move there")
        allowed = course.canvas.grab().toImage()
        course.key(KEY.Key_Escape)
        course.release(start + way)
        assert course.canvas.grab().toImage() != allowed
        assert course.document.undo_stack.count() == 1


class TestLabels:
    def test_by_key_and_taken_away_again(self, course):
        course.click(course.header("w"))
        course.key(KEY.Key_T, PLAIN)
        course.type("the weight")
        course.key(KEY.Key_Return)
        assert course.board.labels == {course.id("w"): "the weight"}
        again = files.load(files.save(course.document.sheet))
        assert again.board.labels == course.board.labels
        course.canvas.setFocus()
        course.key(KEY.Key_T, PLAIN)
        course.focused().selectAll()
        course.key(KEY.Key_Delete)
        course.key(KEY.Key_Return)
        assert course.board.labels == {}
        assert course.undo_all() == 2

    def test_of_a_frame_the_title_is_written(self, course):
        course.document.do(edits.put_frame(course.board, Frame(60, "part", -40.0, 300.0, 240.0, 120.0)), "frame")
        course.document.select([60])
        course.canvas.setFocus()
        course.key(KEY.Key_T, PLAIN)
        course.focused().selectAll()
        course.type("Layer 1")
        course.key(KEY.Key_Return)
        assert course.board.frames[60].title == "Layer 1"
        assert course.board.labels == {}

    @pytest.mark.parametrize("names", ["b", "ab"])
    def test_a_block_has_none_and_that_is_said(self, course, names):
        told = []
        course.document.told.connect(told.append)
        course.document.select([course.id(name) for name in names])
        course.canvas.order.wrap("no_grad")
        course.document.finish()
        course.canvas.grab()
        course.click(course.free(5, 5))
        frame = next(frame.rect for frame in course.canvas.picture.frames if frame.block)
        course.click(course.at_scene(frame.left() + 20, frame.top() + 12))
        assert len(course.document.selection) == len(names)
        told.clear()
        course.key(KEY.Key_T, PLAIN)
        if len(names) > 1:  # what is selected is cards, and of one its label is written
            assert told == ["A label stands under one card; the frame of a block is called as its line"]
        assert course.document.undo_stack.count() == 1

    def test_it_goes_with_its_card(self, course):
        course.document.do(lambda sheet: arranging.label(sheet.board, course.id("y"), "result"), "label")
        course.click(course.header("y"))
        course.key(KEY.Key_Delete)
        assert course.board.labels == {}
        course.document.undo_stack.undo()
        assert course.board.labels == {5: "result"}


def test_a_note_grows_by_its_sides_as_its_text_needs(course):
    note = Note(50, (("", "some words that need several lines " * 4),), 0.0, 320.0, 400.0, 48.0)
    course.document.do(edits.put_note(course.board, note), "note")
    course.canvas.fit_all()
    course.canvas.zoom_100()
    wide = course.canvas.picture.rect_of(50)
    grip = course.at_scene(wide.right(), wide.center().y())
    course.drag(grip, grip - QPoint(240, 0))
    narrow = course.canvas.picture.rect_of(50)
    assert narrow.width() < wide.width()
    assert narrow.height() > wide.height()
    assert course.board.notes[50].height == 48.0


class TestNotes:
    def test_what_is_typed_is_previewed_beside_the_field(self, course):
        course.click(course.free(5, 5))
        before = course.document.undo_stack.count()
        course.key(KEY.Key_N)
        field = course.focused()
        field.setPlainText("short")
        course.canvas.grab()
        beside = QRectF(course.canvas.editor.geometry()).translated(course.canvas.editor.width() + 12, 0).toRect()
        plain = course.canvas.grab(beside).toImage()
        field.setPlainText("short\n$$\\frac{a}{b}$$")
        assert course.canvas.grab(beside).toImage() != plain
        course.key(KEY.Key_Return, CTRL)
        assert course.document.undo_stack.count() == before + 1
        (note,) = course.board.notes.values()
        assert note.text("en").endswith("$$\\frac{a}{b}$$")

    def test_a_new_one_covers_no_card(self, course):
        course.canvas.fit([course.id("b")])
        course.key(KEY.Key_N)
        course.key(KEY.Key_Escape)
        (note,) = course.board.notes.values()
        shown = course.canvas.picture.rect_of(note.id)
        assert not any(shown.intersects(course.rect(name)) for name in "wxaby")

    def test_its_tooltip_tells_links_and_what_is_wrong(self, course):
        text = "[docs](https://pytorch.org) and $\\frac{a}{$"
        course.document.do(edits.put_note(course.board, Note(50, (("", text),), 0.0, 320.0)), "note")
        course.canvas.fit_all()
        hit = course.canvas.hit(course.canvas.to_view(course.canvas.picture.rect_of(50).center()))
        words = hovering.tooltip(course.canvas.picture, hit)
        assert words.startswith("https://pytorch.org\nThis formula can't be read\n\\frac{a}{: ")
        assert hovering.plain("<img src='x'>") != "<img src='x'>"


class TestStepping:
    def test_the_node_names_the_card_that_has_just_run(self, course):
        course.choose("a", "b")
        course.key(KEY.Key_C, SHIFT)
        course.document.look_at_line(course.id("a"))
        assert course.canvas.picture.folds[0].current == "a"
        assert not course.canvas.picture.folds[0].is_ghost
        course.document.look_at_line(course.id("w"))
        assert course.canvas.picture.folds[0].current == ""
        assert course.canvas.picture.folds[0].is_ghost
        course.document.back_to_now()
        assert course.canvas.picture.folds[0].current == ""
        words = hovering.tooltip(course.canvas.picture, Hit(HitKind.FOLD, course.canvas.picture.folds[0].id))
        assert words == "a, b\nDouble click opens it"


class TestCopies:
    @pytest.fixture
    def desk(self, window):
        """The main window with the course example, ``a`` and ``b`` folded, ``a`` labelled."""
        window.document.begin(course_sheet())
        window.document.finish()
        document = window.document
        document.select([3, 4])
        window.canvas.order.toggle_fold()
        document.do(lambda sheet: arranging.label(sheet.board, 3, "sum"), "label")
        document.undo_stack.clear()
        return window

    @pytest.mark.parametrize(("keys", "step"), [(("D",), "Duplicate"), (("C", "V"), "Paste")])
    def test_a_folded_node_is_copied_whole(self, desk, keys, step):
        document = desk.document
        for key in keys:
            QTest.keyClick(desk.canvas, getattr(KEY, f"Key_{key}"), CTRL)
        assert len(desk.canvas.picture.folds) == 2
        first, second = desk.canvas.picture.folds
        assert len(second.cards) == len(first.cards) == 2
        assert not first.hides & second.hides
        assert sorted(document.board.labels.values()) == ["sum", "sum"]
        assert document.undo_stack.undoText() == f"{step} {first.title}"
        assert document.undo_stack.count() == 1
        document.undo_stack.undo()
        assert len(desk.canvas.picture.folds) == 1

    def test_alt_drag_copies_it(self, desk):
        canvas = desk.canvas
        hands = Hands(canvas)
        spot = canvas.to_view(canvas.picture.folds[0].rect.center()).toPoint()
        hands.drag(spot, spot + QPoint(0, 150), Qt.KeyboardModifier.AltModifier)
        first, second = canvas.picture.folds
        assert second.rect.top() > first.rect.top()
        ways = {
            (b.x - a.x, b.y - a.y)
            for old, new in zip(first.cards, second.cards, strict=True)
            for a, b in [(desk.document.board.place(old), desk.document.board.place(new))]
        }
        assert len(ways) == 1, "the cards within lie as those of the original do"

    def test_a_note_alone_is_copied(self, desk):
        document = desk.document
        document.do(edits.put_note(document.board, Note(60, (("", "words"),), 0.0, 400.0)), "note")
        document.select([60])
        QTest.keyClick(desk.canvas, KEY.Key_C, CTRL)
        assert QGuiApplication.clipboard().text() == "words"
        QTest.keyClick(desk.canvas, KEY.Key_V, CTRL)
        assert [note.text("en") for note in document.board.notes.values()] == ["words", "words"]


def test_a_frame_around_frames_keeps_its_distance_from_them(course):
    course.choose("a", "b")
    course.key(Qt.Key.Key_G, CTRL)
    course.key(Qt.Key.Key_Return)
    (inner,) = course.board.frames
    course.choose("a", "b", "y")
    course.key(Qt.Key.Key_G, CTRL)
    course.key(Qt.Key.Key_Return)
    (outer,) = course.board.frames.keys() - {inner}
    rects = {frame.id: frame.rect for frame in course.canvas.picture.frames}
    assert rects[outer].adjusted(20, 20, -20, -20).contains(rects[inner])


def test_opening_a_node_keeps_all_in_view_where_all_was_seen(course):
    course.choose("a", "b")
    course.key(Qt.Key.Key_G, CTRL)
    course.type("middle")
    course.key(Qt.Key.Key_Return)
    course.key(Qt.Key.Key_C, SHIFT)
    course.canvas.fit_all()
    course.canvas.glide.finish()
    course.key(Qt.Key.Key_C, SHIFT)
    course.canvas.glide.finish()
    assert not course.canvas.picture.folds
    assert course.canvas.scene_rect().contains(course.canvas.picture.bounds())
    assert course.document.undo_stack.undoText() == "Unfold middle"
