"""Frames folded into one node, and unfolded."""

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from support.hands import CTRL, SHIFT

from chalkgrad.program import edits, files
from chalkgrad_app.canvas.hit import HitKind
from chalkgrad_app.picture.marks import Fact

KEY = Qt.Key


class TestFolding:
    @pytest.fixture
    def folded(self, course):
        """``a`` and ``b`` framed as "middle" and folded by keys."""
        course.choose("a", "b")
        course.key(KEY.Key_G, CTRL)
        course.type("middle")
        course.key(KEY.Key_Return)
        course.key(KEY.Key_C, SHIFT)
        course.canvas.grab()
        return course

    def middle(self, hands) -> QPoint:
        return hands.canvas.to_view(hands.canvas.picture.folds[0].rect.center()).toPoint()

    def test_all_that_a_frame_holds_is_folded_as_that_frame(self, course):
        course.choose("a", "b")
        course.key(KEY.Key_G, CTRL)
        course.type("middle")
        course.key(KEY.Key_Return)
        course.choose("a", "b")
        course.key(KEY.Key_C, SHIFT)
        (fold,) = course.canvas.picture.folds
        assert fold.title == "middle"
        assert list(course.board.frames) == [fold.id]

    def test_the_node_says_what_it_holds_and_names_its_ports(self, folded):
        (fold,) = folded.canvas.picture.folds
        assert fold.title == "middle"
        assert fold.cards == (folded.id("a"), folded.id("b"))
        assert [port.name for port in fold.inputs] == ["w", "x"]
        assert [port.name for port in fold.outputs] == ["a", "b"]
        assert folded.document.undo_stack.undoText() == "Fold middle"

    def test_where_a_drawing_lays_cards_out_the_node_is_where_they_would_be(self, folded, qtbot):
        folded.key(KEY.Key_3, CTRL)
        qtbot.waitUntil(lambda: folded.canvas.picture.drawing.lays_out and not folded.canvas.redrawing.is_active)
        folded.canvas.grab()
        picture, (fold,) = folded.canvas.picture, folded.canvas.picture.folds
        above, below = (picture.rect(folded.id(name)) for name in ("w", "y"))
        assert above.bottom() < fold.rect.top() < fold.rect.bottom() < below.top()

    def test_cards_within_are_neither_painted_nor_hit(self, folded):
        picture = folded.canvas.picture
        assert picture.hidden.tolist() == [id_ in folded.canvas.picture.folds[0].cards for id_ in picture.ids]
        hit = folded.canvas.hit(folded.canvas.to_view(folded.canvas.picture.folds[0].rect.center()))
        assert hit.kind is HitKind.FOLD

    def test_wires_end_at_its_ports(self, folded):
        picture, (fold,) = folded.canvas.picture, folded.canvas.picture.folds
        spots = {port.name: fold.rect.top() + port.down for port in fold.inputs}
        for row, wire in enumerate(picture.wires):
            if wire.target in fold.cards:
                _, _, bx, by = picture.ends[row].tolist()
                assert (bx, by) == (fold.rect.left(), spots[picture.program[wire.source].name])
            if wire.source in fold.cards:
                assert picture.ends[row, 0] == fold.rect.right()
        assert not picture.wire_hidden.any(), "none of the wires runs within"

    def test_a_double_click_opens_it(self, folded):
        before = {name: folded.board.place(folded.id(name)) for name in "ab"}
        folded.double_click(self.middle(folded))
        assert not folded.canvas.picture.folds
        assert {name: folded.board.place(folded.id(name)) for name in "ab"} == before
        folded.canvas.setFocus()
        folded.key(KEY.Key_Z, CTRL) if folded.canvas.action("undo") else folded.document.undo_stack.undo()
        assert len(folded.canvas.picture.folds) == 1

    def test_the_key_opens_it_again(self, folded):
        folded.click(folded.free(4, 4))
        folded.click(self.middle(folded))
        folded.key(KEY.Key_C, SHIFT)
        assert not folded.canvas.picture.folds
        assert not folded.board.folds

    def test_dragging_it_takes_all_along(self, folded):
        before = folded.board
        rect_before = QRectF(folded.canvas.picture.folds[0].rect)
        start = self.middle(folded)
        folded.drag(start, start + QPoint(0, 120))
        way = folded.canvas.picture.folds[0].rect.topLeft() - rect_before.topLeft()
        assert way.y() > 0
        for name in "ab":
            was, now = before.place(folded.id(name)), folded.board.place(folded.id(name))
            assert (now.x - was.x, now.y - was.y) == (way.x(), way.y())

    def test_deleting_it_deletes_what_it_holds_and_undo_brings_it_back_folded(self, folded):
        sheet = folded.document.sheet
        folded.click(self.middle(folded))
        folded.key(KEY.Key_Delete)
        assert "a" not in folded.document.program.names()
        assert not folded.board.frames
        assert not folded.board.folds
        assert folded.document.undo_stack.undoText() == "Delete middle"
        folded.document.undo_stack.undo()
        assert folded.document.sheet.board == sheet.board
        assert len(folded.canvas.picture.folds) == 1

    def test_it_is_kept_in_the_file(self, folded):
        again = files.load(files.save(folded.document.sheet))
        assert again.board.folds == folded.board.folds

    def test_an_error_within_shows_on_it(self, folded):
        a = folded.document.program[folded.id("x")]
        folded.document.do(edits.put(folded.document.program, a.with_port(0, (1.0, 2.0, 3.0))), "x")
        w = folded.document.program[folded.id("w")]
        folded.document.do(edits.put(folded.document.program, w.with_port(0, (1.0, 2.0))), "w")
        folded.document.finish()
        assert folded.canvas.picture.folds[0].count(Fact.ERROR) == 1

    def test_new_cards_nearby_stay_outside(self, folded):
        (fold,) = folded.canvas.picture.folds
        place = folded.board.place(folded.id("b"))
        made = folded.canvas.placing.place_tensor(False, folded.canvas.picture.rect(folded.id("y")).center())
        folded.document.do(edits.place(folded.board, {made: (place.x + 8, place.y + 8)}), "move")
        assert made not in folded.canvas.picture.folds[0].cards
        assert fold.cards == folded.canvas.picture.folds[0].cards

    def test_a_wire_can_begin_at_it(self, folded):
        (fold,) = folded.canvas.picture.folds
        port = next(port for port in fold.outputs if port.name == "a")
        start = folded.canvas.to_view(fold.rect.topRight()).toPoint() + QPoint(
            0, round(port.down * folded.canvas.viewport.scale)
        )
        hit = folded.canvas.hit(start.toPointF())
        assert (hit.kind, hit.id) == (HitKind.OUTPUT, folded.id("a"))

    def test_a_rubber_band_takes_it_whole(self, folded):
        folded.click(folded.free(4, 4))
        spot = folded.canvas.to_view(folded.canvas.picture.folds[0].rect.topLeft()).toPoint()
        folded.drag(spot - QPoint(12, 12), spot + QPoint(30, 30))
        assert {folded.id("a"), folded.id("b")} <= folded.document.selection

    def test_the_selection_alone_is_framed_and_folded_in_one_step(self, course):
        course.choose("a", "y")
        course.key(KEY.Key_C, SHIFT)
        assert set(course.canvas.picture.folds[0].cards) == {course.id("a"), course.id("y")}
        course.type("Two")
        course.key(KEY.Key_Return)
        (fold,) = course.canvas.picture.folds
        assert fold.title == "Two", "it is asked for, as that of any new frame"
        assert course.undo_all() == 1

    def test_opened_it_holds_what_was_folded_and_nothing_else(self, course):
        """A card that lay between those folded moves off, and undoing the opening brings it back."""
        at = course.rect("x").topLeft()
        course.choose("x", "w", "y")
        course.key(KEY.Key_C, SHIFT)
        course.type("Ends")
        course.key(KEY.Key_Return)
        lay = {name: course.rect(name) for name in ("a", "b")}
        course.key(KEY.Key_C, SHIFT)
        course.canvas.tidying.cancel()  # what moves off has arrived
        (frame,) = course.canvas.picture.frames
        assert frame.rect.contains(course.rect("x"))
        assert course.rect("x").topLeft() == at
        for name in ("a", "b"):
            assert not frame.rect.intersects(course.rect(name))
        assert not course.rect("a").intersects(course.rect("b"))

        course.document.undo_stack.undo()
        assert {name: course.rect(name) for name in ("a", "b")} == lay
        course.document.undo_stack.redo()
        course.click(course.canvas.to_view(frame.rect.topLeft() + QPointF(frame.rect.width() / 2, 8)).toPoint())
        course.key(KEY.Key_C, SHIFT)
        assert set(course.canvas.picture.folds[0].cards) == {course.id(name) for name in ("x", "w", "y")}

    def test_opened_it_is_no_frame_where_strangers_far_outnumber_its_cards(self, crowded):
        """Cards from both ends of the program: opened all lies as before, and folded again it is the same two."""
        course = crowded
        steps = course.document.undo_stack.count()
        course.choose("w", "y")
        lay = {id_: course.canvas.picture.rect(id_) for id_ in course.canvas.picture.ids}
        for _ in range(2):
            course.key(KEY.Key_C, SHIFT)
            course.key(KEY.Key_Return)
            assert set(course.canvas.picture.folds[0].cards) == {course.id("w"), course.id("y")}
            course.key(KEY.Key_C, SHIFT)
            assert not course.canvas.picture.frames
            assert {id_: course.canvas.picture.rect(id_) for id_ in lay} == lay
        assert course.document.undo_stack.count() == steps + 4

    def test_dragged_and_opened_its_cards_cover_nothing(self, crowded):
        course = crowded
        course.choose("w", "y")
        course.key(KEY.Key_C, SHIFT)
        course.key(KEY.Key_Return)
        start = self.middle(course)
        course.drag(start, start + QPoint(0, 40))
        course.key(KEY.Key_C, SHIFT)
        course.canvas.tidying.cancel()
        picture = course.canvas.picture
        rects = {id_: picture.rect(id_) for id_ in picture.ids}
        for name in "wy":
            own = course.id(name)
            assert not [id_ for id_, rect in rects.items() if id_ != own and rect.intersects(rects[own])], name

    def test_what_lies_where_it_is_opened_moves_off_as_a_whole(self, folded):
        """A frame put there meanwhile goes with what it holds; what is kept in place stays."""
        corner = folded.canvas.picture.folds[0].rect.topLeft() + QPointF(60, 60)
        folded.document.do(edits.place(folded.board, {folded.id("y"): (corner.x(), corner.y())}), "move")
        folded.choose("y")
        inner = folded.canvas.placing.place_frame()
        (fold,) = folded.canvas.picture.folds
        way = folded.rect("y").topLeft() - QPointF(folded.board.frames[inner].x, folded.board.frames[inner].y)
        folded.canvas.order.open([fold.id])
        folded.canvas.tidying.cancel()
        shapes = {frame.id: frame.rect for frame in folded.canvas.picture.frames}
        assert not shapes[inner].intersects(shapes[fold.id])
        assert folded.rect("y").topLeft() - shapes[inner].topLeft() == way

    def test_the_node_covers_no_card_that_is_not_in_it(self, course):
        """It stands where its leftmost card stood, though another one is higher, and what it covers moves off."""
        course.document.do(
            edits.place(course.board, {course.id("a"): (0.0, 320.0), course.id("w"): (0.0, 176.0)}), "move"
        )
        course.choose("a", "b")
        course.key(KEY.Key_C, SHIFT)
        course.key(KEY.Key_Return)
        (fold,) = course.canvas.picture.folds
        assert fold.rect.left() == 0.0
        for name in ("w", "x", "y"):
            assert not fold.rect.intersects(course.rect(name)), name
        assert course.undo_all() == 2

    def test_its_pile_does_not_hide_where_wires_begin(self, folded):
        folded.click(folded.free(4, 4))
        (fold,) = folded.canvas.picture.folds
        assert fold.pile.right() == fold.rect.right()
        assert fold.pile.bottom() > fold.rect.bottom()
        (wire,) = (row for row, wire in enumerate(folded.canvas.picture.wires) if wire.source == folded.id("a"))
        x, y = folded.canvas.picture.ends[wire, :2].tolist()
        image = folded.canvas.grab().toImage()
        scale = image.devicePixelRatio()
        right = folded.canvas.to_view(QPointF(x + 7, y)).toPoint() * scale
        bare = folded.canvas.to_view(QPointF(x + 7, fold.rect.top() + 2)).toPoint() * scale
        assert image.pixelColor(right) != image.pixelColor(bare), "the wire is seen right from its port"

    def test_a_block_folds_too(self, course):
        course.choose("b")
        course.canvas.order.wrap("no_grad")
        course.document.finish()
        course.canvas.setFocus()
        course.key(KEY.Key_C, SHIFT)
        (fold,) = course.canvas.picture.folds
        assert (fold.title, fold.block, fold.cards) == ("no_grad", True, (course.id("b"),))
        assert not [frame for frame in course.canvas.picture.frames if frame.block]
        course.key(KEY.Key_C, SHIFT)
        assert not course.canvas.picture.folds
        assert [frame.title for frame in course.canvas.picture.frames if frame.block] == ["no_grad"]

    def test_tab_reaches_it_and_enter_opens_it(self, folded):
        folded.click(folded.free(4, 4))
        folded.canvas.setFocus()
        (fold,) = folded.canvas.picture.folds
        for _ in range(8):
            folded.key(KEY.Key_Tab)
            if folded.canvas.keyboard.card == fold.id:
                break
        assert folded.document.selection == {fold.id, *fold.hides}
        folded.key(KEY.Key_Return)
        assert not folded.canvas.picture.folds

    def test_a_folded_block_is_reached_by_tab_and_deleted_whole(self, course):
        course.choose("y")
        course.canvas.order.wrap("no_grad")
        course.document.finish()
        course.canvas.order.toggle_fold()
        course.click(course.free(4, 4))
        course.canvas.setFocus()
        (fold,) = course.canvas.picture.folds
        for _ in range(8):
            course.key(KEY.Key_Tab)
            if course.canvas.keyboard.card == fold.id:
                break
        assert course.document.selection == {course.id("y")}
        course.key(KEY.Key_Delete)
        assert "y" not in course.document.program.names()
        assert not course.canvas.picture.folds

    def test_a_folded_frame_within_a_folded_frame(self, folded):
        folded.document.select([*folded.document.selection, folded.id("y")])
        frame = folded.canvas.placing.place_frame()
        folded.canvas.setFocus()
        folded.key(KEY.Key_C, SHIFT)
        assert [fold.id for fold in folded.canvas.picture.folds] == [frame]
        assert set(folded.canvas.picture.folds[0].cards) == {folded.id(name) for name in "aby"}
        folded.key(KEY.Key_C, SHIFT)
        assert [fold.title for fold in folded.canvas.picture.folds] == ["middle"], "the inner one is folded still"
