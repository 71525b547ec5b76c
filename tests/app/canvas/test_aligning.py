"""Cards aligned, spread evenly, and snapped to the grid and to one another."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from support.hands import ALT, CTRL, SHIFT

from chalkgrad.layout.graph import ROW_GAP
from chalkgrad.program import edits
from chalkgrad_app.canvas import aligning

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
        course.choose("a", "b", "y")
        course.key(KEY.Key_Left, SHIFT_ALT)
        assert len({course.rect(name).left() for name in "aby"}) == 1
        assert course.document.undo_stack.undoText() == "Align left"
        assert not course.document.is_running
        assert course.undo_all() == 1

    @given(rects, st.sampled_from(sorted(aligning.ALIGNMENTS)))
    def test_none_comes_to_lie_on_another(self, given_, how):
        moved = [r.translated(*way) for r, way in zip(given_, aligning.align(given_, how), strict=True)]
        assert not any(one.intersects(other) for one, other in combinations(moved, 2))

    def test_cards_of_one_column_lie_beside_one_another_in_a_row(self, course):
        course.choose("a", "b")
        course.key(KEY.Key_Up, SHIFT_ALT)
        assert course.rect("a").top() == course.rect("b").top()
        for one, other in combinations("wxaby", 2):
            assert not course.rect(one).intersects(course.rect(other)), (one, other)
        assert course.undo_all() == 1

    def test_cards_that_come_into_one_column_are_as_far_apart_as_rows_are(self, course):
        course.document.do(
            edits.place(course.board, {course.id("a"): (304.0, 24.0), course.id("y"): (560.0, 144.0)}), ""
        )
        course.choose("a", "b", "y")
        course.key(KEY.Key_Left, SHIFT_ALT)
        column = sorted((course.rect(name) for name in "aby"), key=QRectF.top)
        assert len({rect.left() for rect in column}) == 1
        assert min(below.top() - above.bottom() for above, below in pairwise(column)) >= ROW_GAP

    def test_what_is_in_the_way_moves_off_and_those_aligned_keep_their_columns(self, course):
        """``a`` goes up to the height of ``w``, where ``b`` lies: it stays above its column, and ``b`` makes room."""
        lefts = {name: course.rect(name).left() for name in "way"}
        course.choose("w", "a", "y")
        course.key(KEY.Key_Up, SHIFT_ALT)
        course.canvas.tidying.cancel()
        assert {name: course.rect(name).left() for name in "way"} == lefts
        assert len({course.rect(name).top() for name in "way"}) == 1
        for one, other in combinations("wxaby", 2):
            assert not course.rect(one).intersects(course.rect(other)), (one, other)
        assert course.undo_all() == 1

    def test_a_block_moves_as_one_and_holds_no_stranger(self, course):
        course.choose("a", "b")
        course.canvas.order.wrap("no_grad")
        course.document.finish()
        course.document.select_all()
        course.canvas.order.align("left")
        course.canvas.tidying.cancel()
        (frame,) = course.canvas.picture.frames
        assert frame.rect.left() == course.rect("w").left()
        for name in "wxy":
            assert not frame.rect.intersects(course.rect(name)), name

    def test_strangers_move_off_a_block_that_reaches_farther(self, course):
        """``b`` goes below ``y``, and the block around it and ``a`` reaches to there: over ``y`` no longer."""
        course.choose("a", "b")
        course.canvas.order.wrap("no_grad")
        course.document.finish()
        course.document.do(edits.place(course.board, {course.id("b"): (720.0, 0.0)}), "move")
        course.document.do(edits.place(course.board, {course.id("y"): (512.0, 400.0)}), "move")
        course.choose("x", "b")
        course.key(KEY.Key_Down, SHIFT_ALT)
        course.canvas.tidying.cancel()
        picture, (frame,) = course.canvas.picture, course.canvas.picture.frames
        assert frame.cards == {course.id("a"), course.id("b")}
        assert not [name for name in "wy" if frame.rect.intersects(picture.rect(course.id(name)))]

    def test_what_is_kept_in_place_is_passed_by(self, course):
        course.document.select([course.id("b")])
        course.canvas.tidying.keep_in_place()
        at = course.rect("b")
        course.choose("w", "a", "y")
        course.key(KEY.Key_Up, SHIFT_ALT)
        assert course.rect("b") == at
        assert not course.rect("a").intersects(at)

    def test_one_alone_has_nothing_to_line_up_with(self, course):
        course.choose("a")
        course.key(KEY.Key_Left, SHIFT_ALT)
        assert course.document.undo_stack.count() == 0

    def test_a_frame_takes_its_cards_along(self, course):
        course.choose("b", "y")
        course.canvas.placing.place_frame()
        before = {name: course.rect(name) for name in "bayw"}
        course.document.select([*course.document.board.frames, course.id("w")])
        course.canvas.order.align("bottom")
        (frame,) = course.board.frames.values()
        assert frame.y + frame.height == course.rect("w").bottom() or before["w"].bottom() < course.rect("w").bottom()
        assert course.rect("y").topLeft() - before["y"].topLeft() == course.rect("b").topLeft() - before["b"].topLeft()
        assert course.rect("a") == before["a"]
        assert course.undo_all() == 2


class TestSnapping:
    def test_a_card_comes_to_lie_in_line_with_another(self, course):
        course.canvas.order.snap_to_grid(False)
        start = course.header("y")
        scale = course.canvas.viewport.scale
        wanted = course.rect("w").top() - course.rect("y").top()
        course.drag(start, start + QPoint(0, round((wanted + 3) * scale)))
        assert course.rect("y").top() == course.rect("w").top()

    def test_guides_show_while_dragging_and_not_with_ctrl(self, course):
        start = course.header("y")
        by = round((course.rect("w").top() - course.rect("y").top()) * course.canvas.viewport.scale)
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
        assert upright == [course.rect("a").left(), course.rect("a").right()]
        course.release(start)

    def test_switched_off_a_card_lies_where_it_is_put(self, course):
        course.canvas.order.snap_to_grid(False)
        course.canvas.order.snap_to_guides(False)
        start = course.header("y")
        course.drag(start, start + QPoint(33, 17))
        scale = course.canvas.viewport.scale
        spot = course.board.place(course.id("y"))
        assert (spot.x, spot.y) == pytest.approx((512 + 33 / scale, 80 + 17 / scale))

    def test_beside_a_card_that_it_is_wired_to_there_is_room_for_the_wire(self, course):
        y, b = course.rect("y"), course.rect("b")
        scale = course.canvas.viewport.scale
        start = course.header("y")
        way = QPoint(round((b.right() + 8 - y.left()) * scale), round((b.top() - y.top()) * scale))
        course.press(start)
        course.move(start + way / 2)
        course.move(start + way)
        assert course.canvas.dispatcher.active.snap.rect.left() == b.right() + 32
        course.move(start + way, CTRL)
        assert course.canvas.dispatcher.active.snap.rect.left() < b.right() + 16, "nothing leads it with Ctrl"
        course.move(start + way)
        course.release(start + way)
        assert course.rect("y").left() == b.right() + 32

    def test_the_wire_has_room_to_pass_a_number_too(self, course):
        w, b = course.rect("w"), course.rect("b")
        scale = course.canvas.viewport.scale
        start = course.header("b")
        way = QPoint(round((w.right() + 20 - b.left()) * scale), round((w.top() - 20 - b.top()) * scale))
        course.drag(start, start + way)
        assert course.rect("b").left() - w.right() == 40, "the number 1 stands 28 out of it"

    def test_equal_gaps_attract(self, course):
        course.canvas.order.snap_to_grid(False)
        w, a = course.rect("w"), course.rect("b")
        gap = a.left() - w.right()
        y = course.rect("y")
        wanted = a.right() + gap - y.left()
        start = course.header("y")
        scale = course.canvas.viewport.scale
        course.drag(start, start + QPoint(round((wanted + 4) * scale), round((a.top() - y.top()) * scale)))
        assert course.rect("y").left() == a.right() + gap


def test_what_makes_room_for_the_aligned_moves_no_farther_than_it_takes(course):
    """w comes to lie on the upper part of a card below it, which has room to give way a little."""
    places = {"w": (0.0, 0.0), "x": (304.0, -200.0), "a": (304.0, 72.0), "b": (304.0, 240.0), "y": (900.0, 0.0)}
    course.document.do(edits.place(course.board, {course.id(name): at for name, at in places.items()}), "put")
    course.document.select([course.id("w"), course.id("x")])
    course.key(Qt.Key.Key_Right, SHIFT | ALT)
    assert course.rect("w").right() == course.rect("x").right()
    way = course.rect("a").topLeft() - QPointF(*places["a"])
    assert way.x() == 0.0
    assert 0.0 < way.y() <= 32.0
    assert course.place("b") == places["b"]
