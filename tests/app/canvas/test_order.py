"""Align, distribute, frames, folding and labels: by mouse and by keys, each one undo step that runs nothing."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from support.hands import CTRL, PLAIN, SHIFT, Hands
from support.sheets import course_sheet

from chalkgrad.program import arranging, edits, files
from chalkgrad.program.board import Frame, Note
from chalkgrad_app.canvas import aligning, hovering
from chalkgrad_app.canvas.hit import Hit, HitKind
from chalkgrad_app.picture.marks import Fact

KEY = Qt.Key
SHIFT_ALT = SHIFT | Qt.KeyboardModifier.AltModifier

rects = st.lists(
    st.builds(
        QRectF,
        *[st.integers(-40, 40).map(lambda n: n * 8.0)] * 2,
        *[st.integers(4, 30).map(lambda n: n * 8.0)] * 2,
    ),
    min_size=1,
    max_size=8,
)


def rect(hands, name) -> QRectF:
    return hands.canvas.picture.rect(hands.id(name))


def choose(hands, *names) -> None:
    """Click cards, one after the other, with Shift."""
    hands.click(hands.header(names[0]))
    for name in names[1:]:
        hands.click(hands.header(name), SHIFT)


def of_board(hands):
    return hands.document.board


def folds(hands):
    return hands.canvas.picture.folds


class TestAlign:
    @given(rects, st.sampled_from(sorted(aligning.ALIGNMENTS)))
    def test_edges_or_centres_meet(self, given_, how):
        moved = [r.translated(*way) for r, way in zip(given_, aligning.align(given_, how), strict=True)]
        lines = {
            "left": QRectF.left,
            "right": QRectF.right,
            "top": QRectF.top,
            "bottom": QRectF.bottom,
            "across": lambda r: r.center().x(),
            "down": lambda r: r.center().y(),
        }
        assert max(map(lines[how], moved)) - min(map(lines[how], moved)) < 1e-9
        assert [r.size() for r in moved] == [r.size() for r in given_]

    @given(rects, st.booleans())
    def test_gaps_are_equal_and_nothing_overlaps(self, given_, horizontally):
        offsets = aligning.distribute(given_, horizontally)
        if len(given_) < 3:
            assert set(offsets) == {(0.0, 0.0)}
            return
        moved = [r.translated(*way) for r, way in zip(given_, offsets, strict=True)]
        spans = sorted((r.left(), r.right()) if horizontally else (r.top(), r.bottom()) for r in moved)
        gaps = [b[0] - a[1] for a, b in pairwise(spans)]
        assert max(gaps) - min(gaps) < 1e-6
        assert min(gaps) > aligning.LEAST_GAP - 1e-6
        assert all(way[1 if horizontally else 0] == 0 for way in offsets)

    def test_by_key_in_one_undo_step(self, course):
        choose(course, "a", "b", "y")
        course.key(KEY.Key_Left, SHIFT_ALT)
        assert len({rect(course, name).left() for name in "aby"}) == 1
        assert course.document.undo_stack.undoText() == "Align left"
        assert not course.document.is_running
        assert course.undo_all() == 1

    def test_one_alone_has_nothing_to_line_up_with(self, course):
        choose(course, "a")
        course.key(KEY.Key_Left, SHIFT_ALT)
        assert course.document.undo_stack.count() == 0

    def test_a_frame_takes_its_cards_along(self, course):
        choose(course, "b", "y")
        course.canvas.placing.place_frame()
        before = {name: rect(course, name) for name in "bayw"}
        course.document.select([*course.document.board.frames, course.id("w")])
        course.canvas.order.align("bottom")
        (frame,) = of_board(course).frames.values()
        assert frame.y + frame.height == rect(course, "w").bottom() or before["w"].bottom() < rect(course, "w").bottom()
        assert (
            rect(course, "y").topLeft() - before["y"].topLeft() == rect(course, "b").topLeft() - before["b"].topLeft()
        )
        assert rect(course, "a") == before["a"]
        assert course.undo_all() == 2


class TestSnapping:
    def test_a_card_comes_to_lie_in_line_with_another(self, course):
        course.canvas.order.snap_to_grid(False)
        start = course.header("y")
        scale = course.canvas.viewport.scale
        wanted = rect(course, "w").top() - rect(course, "y").top()
        course.drag(start, start + QPoint(0, round((wanted + 3) * scale)))
        assert rect(course, "y").top() == rect(course, "w").top()

    def test_guides_show_while_dragging_and_not_with_ctrl(self, course):
        start = course.header("y")
        by = round((rect(course, "w").top() - rect(course, "y").top()) * course.canvas.viewport.scale)
        course.press(start)
        course.move(start + QPoint(0, by))
        gesture = course.canvas.dispatcher.active
        assert gesture.snap.guides
        course.move(start + QPoint(1, by + 1), CTRL)
        assert not gesture.snap.guides
        assert gesture.offset.y() != round(gesture.offset.y() / 8) * 8 or by % 8
        course.key(KEY.Key_Escape)
        course.release(start)
        assert course.document.undo_stack.count() == 0

    def test_between_two_edges_in_line_the_middle_says_nothing_more(self, course):
        start = course.header("b")
        course.press(start)
        course.move(start + QPoint(0, 200))
        upright = sorted(line.x1() for line in course.canvas.dispatcher.active.snap.guides if line.dx() == 0)
        assert upright == [rect(course, "a").left(), rect(course, "a").right()]
        course.release(start)

    def test_switched_off_a_card_lies_where_it_is_put(self, course):
        course.canvas.order.snap_to_grid(False)
        course.canvas.order.snap_to_guides(False)
        start = course.header("y")
        course.drag(start, start + QPoint(33, 17))
        scale = course.canvas.viewport.scale
        spot = of_board(course).place(course.id("y"))
        assert (spot.x, spot.y) == pytest.approx((512 + 33 / scale, 80 + 17 / scale))

    def test_equal_gaps_attract(self, course):
        course.canvas.order.snap_to_grid(False)
        w, a = rect(course, "w"), rect(course, "b")
        gap = a.left() - w.right()
        y = rect(course, "y")
        wanted = a.right() + gap - y.left()
        start = course.header("y")
        scale = course.canvas.viewport.scale
        course.drag(start, start + QPoint(round((wanted + 4) * scale), round((a.top() - y.top()) * scale)))
        assert rect(course, "y").left() == a.right() + gap


class TestFrames:
    def test_by_key_with_its_title_ready_to_type(self, course):
        choose(course, "a", "b")
        course.key(KEY.Key_G, CTRL)
        course.type("Sum of two")
        course.key(KEY.Key_Return)
        (frame,) = of_board(course).frames.values()
        assert frame.title == "Sum of two"
        inside = QRectF(frame.x, frame.y, frame.width, frame.height)
        assert inside.contains(rect(course, "a"))
        assert inside.contains(rect(course, "b"))
        assert not inside.intersects(rect(course, "w"))
        assert course.undo_all() == 1

    def test_colours_go_round(self, course):
        choose(course, "a")
        made = course.canvas.placing.place_frame()
        course.canvas.setFocus()
        course.key(KEY.Key_F, SHIFT)
        assert of_board(course).frames[made].hue == "red"
        course.canvas.order.paint_frames("")
        assert of_board(course).frames[made].hue == ""

    def test_a_frame_within_a_frame_moves_along(self, course):
        choose(course, "a")
        inner = course.canvas.placing.place_frame()
        course.document.select([inner, course.id("b")])
        outer = course.canvas.placing.place_frame()
        before = of_board(course)
        shape = before.frames[outer]
        grip = course.at_scene(shape.x + 60, shape.y + 14)
        course.drag(grip, grip + QPoint(0, 80))
        after = of_board(course)
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
        course.document.do(edits.put_frame(of_board(course), Frame(51, "part", -40.0, 320.0, 200.0, 120.0)), "frame")
        course.canvas.fit_all()
        course.canvas.zoom_100()
        grip = course.at_scene(-40 + corner[0], 320 + corner[1])
        course.drag(grip, grip + QPoint(*way))
        frame = of_board(course).frames[51]
        assert (frame.x, frame.y, frame.width, frame.height) == wanted


class TestDroppingIntoBlocks:
    def test_the_frame_and_the_reason_show_while_dragging(self, course):
        choose(course, "y")
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


class TestFolding:
    @pytest.fixture
    def folded(self, course):
        """``a`` and ``b`` framed as "middle" and folded by keys."""
        choose(course, "a", "b")
        course.key(KEY.Key_G, CTRL)
        course.type("middle")
        course.key(KEY.Key_Return)
        course.key(KEY.Key_C, SHIFT)
        course.canvas.grab()
        return course

    def middle(self, hands) -> QPoint:
        return hands.canvas.to_view(folds(hands)[0].rect.center()).toPoint()

    def test_the_node_says_what_it_holds_and_names_its_ports(self, folded):
        (fold,) = folds(folded)
        assert fold.title == "middle"
        assert fold.cards == (folded.id("a"), folded.id("b"))
        assert [port.name for port in fold.inputs] == ["w", "x"]
        assert [port.name for port in fold.outputs] == ["a", "b"]
        assert folded.document.undo_stack.undoText() == "Fold"

    def test_cards_within_are_neither_painted_nor_hit(self, folded):
        picture = folded.canvas.picture
        assert picture.hidden.tolist() == [id_ in folds(folded)[0].cards for id_ in picture.ids]
        hit = folded.canvas.hit(folded.canvas.to_view(folds(folded)[0].rect.center()))
        assert hit.kind is HitKind.FOLD

    def test_wires_end_at_its_ports(self, folded):
        picture, (fold,) = folded.canvas.picture, folds(folded)
        spots = {port.name: fold.rect.top() + port.down for port in fold.inputs}
        for row, wire in enumerate(picture.wires):
            if wire.target in fold.cards:
                _, _, bx, by = picture.ends[row].tolist()
                assert (bx, by) == (fold.rect.left(), spots[picture.program[wire.source].name])
            if wire.source in fold.cards:
                assert picture.ends[row, 0] == fold.rect.right()
        assert not picture.wire_hidden.any(), "none of the wires runs within"

    def test_a_double_click_opens_it(self, folded):
        before = {name: of_board(folded).place(folded.id(name)) for name in "ab"}
        folded.double_click(self.middle(folded))
        assert not folds(folded)
        assert {name: of_board(folded).place(folded.id(name)) for name in "ab"} == before
        folded.canvas.setFocus()
        folded.key(KEY.Key_Z, CTRL) if folded.canvas.action("undo") else folded.document.undo_stack.undo()
        assert len(folds(folded)) == 1

    def test_the_key_opens_it_again(self, folded):
        folded.click(folded.free(4, 4))
        folded.click(self.middle(folded))
        folded.key(KEY.Key_C, SHIFT)
        assert not folds(folded)
        assert not of_board(folded).folds

    def test_dragging_it_takes_all_along(self, folded):
        before = of_board(folded)
        rect_before = QRectF(folds(folded)[0].rect)
        start = self.middle(folded)
        folded.drag(start, start + QPoint(0, 120))
        way = folds(folded)[0].rect.topLeft() - rect_before.topLeft()
        assert way.y() > 0
        for name in "ab":
            was, now = before.place(folded.id(name)), of_board(folded).place(folded.id(name))
            assert (now.x - was.x, now.y - was.y) == (way.x(), way.y())

    def test_deleting_it_deletes_what_it_holds_and_undo_brings_it_back_folded(self, folded):
        sheet = folded.document.sheet
        folded.click(self.middle(folded))
        folded.key(KEY.Key_Delete)
        assert "a" not in folded.document.program.names()
        assert not of_board(folded).frames
        assert not of_board(folded).folds
        folded.document.undo_stack.undo()
        assert folded.document.sheet.board == sheet.board
        assert len(folds(folded)) == 1

    def test_it_is_kept_in_the_file(self, folded):
        again = files.load(files.save(folded.document.sheet))
        assert again.board.folds == of_board(folded).folds

    def test_an_error_within_shows_on_it(self, folded):
        a = folded.document.program[folded.id("x")]
        folded.document.do(edits.put(folded.document.program, a.with_port(0, (1.0, 2.0, 3.0))), "x")
        w = folded.document.program[folded.id("w")]
        folded.document.do(edits.put(folded.document.program, w.with_port(0, (1.0, 2.0))), "w")
        folded.document.finish()
        assert folds(folded)[0].count(Fact.ERROR) == 1

    def test_new_cards_nearby_stay_outside(self, folded):
        (fold,) = folds(folded)
        place = of_board(folded).place(folded.id("b"))
        made = folded.canvas.placing.place_tensor(False, folded.canvas.picture.rect(folded.id("y")).center())
        folded.document.do(edits.place(of_board(folded), {made: (place.x + 8, place.y + 8)}), "move")
        assert made not in folds(folded)[0].cards
        assert fold.cards == folds(folded)[0].cards

    def test_a_wire_can_begin_at_it(self, folded):
        (fold,) = folds(folded)
        port = next(port for port in fold.outputs if port.name == "a")
        start = folded.canvas.to_view(fold.rect.topRight()).toPoint() + QPoint(
            0, round(port.down * folded.canvas.viewport.scale)
        )
        hit = folded.canvas.hit(start.toPointF())
        assert (hit.kind, hit.id) == (HitKind.OUTPUT, folded.id("a"))

    def test_a_rubber_band_takes_it_whole(self, folded):
        folded.click(folded.free(4, 4))
        spot = folded.canvas.to_view(folds(folded)[0].rect.topLeft()).toPoint()
        folded.drag(spot - QPoint(12, 12), spot + QPoint(30, 30))
        assert {folded.id("a"), folded.id("b")} <= folded.document.selection

    def test_the_selection_alone_is_framed_and_folded_in_one_step(self, course):
        choose(course, "a", "y")
        course.key(KEY.Key_C, SHIFT)
        assert set(folds(course)[0].cards) == {course.id("a"), course.id("y")}
        assert course.undo_all() == 1

    def test_a_block_folds_too(self, course):
        choose(course, "b")
        course.canvas.order.wrap("no_grad")
        course.document.finish()
        course.canvas.setFocus()
        course.key(KEY.Key_C, SHIFT)
        (fold,) = folds(course)
        assert (fold.title, fold.block, fold.cards) == ("no_grad", True, (course.id("b"),))
        assert not [frame for frame in course.canvas.picture.frames if frame.block]
        course.key(KEY.Key_C, SHIFT)
        assert not folds(course)
        assert [frame.title for frame in course.canvas.picture.frames if frame.block] == ["no_grad"]

    def test_tab_reaches_it_and_enter_opens_it(self, folded):
        folded.click(folded.free(4, 4))
        folded.canvas.setFocus()
        (fold,) = folds(folded)
        for _ in range(8):
            folded.key(KEY.Key_Tab)
            if folded.canvas.keyboard.card == fold.id:
                break
        assert folded.document.selection == {fold.id, *fold.hides}
        folded.key(KEY.Key_Return)
        assert not folds(folded)

    def test_a_folded_block_is_reached_by_tab_and_deleted_whole(self, course):
        choose(course, "y")
        course.canvas.order.wrap("no_grad")
        course.document.finish()
        course.canvas.order.toggle_fold()
        course.click(course.free(4, 4))
        course.canvas.setFocus()
        (fold,) = folds(course)
        for _ in range(8):
            course.key(KEY.Key_Tab)
            if course.canvas.keyboard.card == fold.id:
                break
        assert course.document.selection == {course.id("y")}
        course.key(KEY.Key_Delete)
        assert "y" not in course.document.program.names()
        assert not folds(course)

    def test_a_folded_frame_within_a_folded_frame(self, folded):
        folded.document.select([*folded.document.selection, folded.id("y")])
        frame = folded.canvas.placing.place_frame()
        folded.canvas.setFocus()
        folded.key(KEY.Key_C, SHIFT)
        assert [fold.id for fold in folds(folded)] == [frame]
        assert set(folds(folded)[0].cards) == {folded.id(name) for name in "aby"}
        folded.key(KEY.Key_C, SHIFT)
        assert [fold.title for fold in folds(folded)] == ["middle"], "the inner one is folded still"


class TestLabels:
    def test_by_key_and_taken_away_again(self, course):
        course.click(course.header("w"))
        course.key(KEY.Key_T, PLAIN)
        course.type("the weight")
        course.key(KEY.Key_Return)
        assert of_board(course).labels == {course.id("w"): "the weight"}
        again = files.load(files.save(course.document.sheet))
        assert again.board.labels == of_board(course).labels
        course.canvas.setFocus()
        course.key(KEY.Key_T, PLAIN)
        course.focused().selectAll()
        course.key(KEY.Key_Delete)
        course.key(KEY.Key_Return)
        assert of_board(course).labels == {}
        assert course.undo_all() == 2

    def test_it_goes_with_its_card(self, course):
        course.document.do(lambda sheet: arranging.label(sheet.board, course.id("y"), "result"), "label")
        course.click(course.header("y"))
        course.key(KEY.Key_Delete)
        assert of_board(course).labels == {}
        course.document.undo_stack.undo()
        assert of_board(course).labels == {5: "result"}


def test_a_note_grows_by_its_sides_as_its_text_needs(course):
    note = Note(50, (("", "some words that need several lines " * 4),), 0.0, 320.0, 400.0, 48.0)
    course.document.do(edits.put_note(of_board(course), note), "note")
    course.canvas.fit_all()
    course.canvas.zoom_100()
    wide = course.canvas.picture.rect_of(50)
    grip = course.at_scene(wide.right(), wide.center().y())
    course.drag(grip, grip - QPoint(240, 0))
    narrow = course.canvas.picture.rect_of(50)
    assert narrow.width() < wide.width()
    assert narrow.height() > wide.height()
    assert of_board(course).notes[50].height == 48.0


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
        (note,) = of_board(course).notes.values()
        assert note.text("en").endswith("$$\\frac{a}{b}$$")

    def test_a_new_one_covers_no_card(self, course):
        course.canvas.fit([course.id("b")])
        course.key(KEY.Key_N)
        course.key(KEY.Key_Escape)
        (note,) = of_board(course).notes.values()
        shown = course.canvas.picture.rect_of(note.id)
        assert not any(shown.intersects(rect(course, name)) for name in "wxaby")

    def test_its_tooltip_tells_links_and_what_is_wrong(self, course):
        text = "[docs](https://pytorch.org) and $\\frac{a}{$"
        course.document.do(edits.put_note(of_board(course), Note(50, (("", text),), 0.0, 320.0)), "note")
        course.canvas.fit_all()
        hit = course.canvas.hit(course.canvas.to_view(course.canvas.picture.rect_of(50).center()))
        words = hovering.tooltip(course.canvas.picture, hit)
        assert words.startswith("https://pytorch.org\nThis formula can't be read\n\\frac{a}{: ")
        assert hovering.plain("<img src='x'>") != "<img src='x'>"


class TestStepping:
    def test_the_node_names_the_card_that_has_just_run(self, course):
        choose(course, "a", "b")
        course.key(KEY.Key_C, SHIFT)
        course.document.look_at_line(course.id("a"))
        assert folds(course)[0].current == "a"
        assert not folds(course)[0].is_ghost
        course.document.look_at_line(course.id("w"))
        assert folds(course)[0].current == ""
        assert folds(course)[0].is_ghost
        course.document.back_to_now()
        assert folds(course)[0].current == ""
        words = hovering.tooltip(course.canvas.picture, Hit(HitKind.FOLD, folds(course)[0].id))
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

    @pytest.mark.parametrize("keys", [("D",), ("C", "V")])
    def test_a_folded_node_is_copied_whole(self, desk, keys):
        document = desk.document
        for key in keys:
            QTest.keyClick(desk.canvas, getattr(KEY, f"Key_{key}"), CTRL)
        assert len(desk.canvas.picture.folds) == 2
        first, second = desk.canvas.picture.folds
        assert len(second.cards) == len(first.cards) == 2
        assert not first.hides & second.hides
        assert sorted(document.board.labels.values()) == ["sum", "sum"]
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
