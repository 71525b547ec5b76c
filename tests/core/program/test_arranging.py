"""The board's own edits: shifting, folding, labelling; each can be taken back, and none touches the program."""

from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import sheets

from chalkgrad.program import arranging, edits
from chalkgrad.program.board import Board, Frame, Note, Place
from chalkgrad.program.program import Program
from chalkgrad.program.sheet import Sheet

offsets = st.tuples(*[st.integers(-40, 40).map(lambda n: n * 8.0)] * 2)


@given(sheets(), st.data())
def test_shifting_moves_what_is_asked_and_can_be_taken_back(sheet: Sheet, data: st.DataObject) -> None:
    board = sheet.board
    things = [*sheet.program.order, *board.notes, *board.frames]
    wanted = data.draw(st.dictionaries(st.sampled_from(things), offsets) if things else st.just({}))
    change = arranging.shift(board, wanted)
    assert not change.touches_program
    after = sheet.apply(change)
    for id_, place in board.places.items():
        dx, dy = wanted.get(id_[1], (0.0, 0.0)) if id_[0] == board.drawing else (0.0, 0.0)
        moved = after.board.places[id_]
        assert (moved.x, moved.y) == (place.x + dx, place.y + dy)
    for before, now in ((board.notes, after.board.notes), (board.frames, after.board.frames)):
        for id_, thing in before.items():
            dx, dy = wanted.get(id_, (0.0, 0.0))
            assert (now[id_].x, now[id_].y) == (thing.x + dx, thing.y + dy)
    assert after.apply(change.inverse()) == sheet


@given(sheets(), st.data())
def test_folding_and_labelling_can_be_taken_back(sheet: Sheet, data: st.DataObject) -> None:
    now = sheet
    changes = []
    for id_ in [*sheet.board.frames, *sheet.program.blocks]:
        folds = data.draw(st.booleans())
        change = arranging.fold(now.board, id_, [1, 2]) if folds else arranging.unfold(now.board, [id_])
        now = now.apply(change)
        changes.append(change)
        assert (id_ in now.board.folds) == folds
    for id_ in sheet.program.order:
        change = arranging.label(now.board, id_, data.draw(st.sampled_from(["", "hidden layer"])))
        now = now.apply(change)
        changes.append(change)
    for change in reversed(changes):
        assert not change.touches_program
        now = now.apply(change.inverse())
    assert now == sheet


def _board() -> Board:
    frames = {10: Frame(10, "outer", 0, 0, 900, 900), 11: Frame(11, "inner", 10, 10, 400, 400)}
    return Board({("cards", 1): Place(20, 20), ("cards", 2): Place(500, 500)}, {12: Note(12, (), 30, 200)}, frames)


def test_a_fold_within_a_fold_is_not_seen() -> None:
    board = _board()
    board = board.apply(arranging.fold(board, 11, [1, 12]))
    assert arranging.outermost(board, {}) == {11: {1, 12}}
    board = board.apply(arranging.fold(board, 10, [2, 11]))
    assert arranging.outermost(board, {}) == {10: {1, 2, 11, 12}}


def test_a_folded_block_hides_its_statements() -> None:
    board = _board()
    board = board.apply(arranging.fold(board, 30))
    assert arranging.outermost(board, {30: [1, 2]}) == {30: {1, 2}}
    assert arranging.outermost(board, {}) == {}, "the block is gone"
    board = board.apply(arranging.fold(board, 10, [1, 2, 12]))
    assert arranging.outermost(board, {30: [1, 2]}) == {10: {1, 2, 12}}, "the block lies on the folded frame"


def test_removing_a_frame_or_a_card_takes_its_fold_and_label_along() -> None:
    sheet = Sheet(Program(next_id=13), _board())
    sheet = sheet.apply(arranging.fold(sheet.board, 10, [11]))
    sheet = sheet.apply(arranging.label(sheet.board, 10, "no card has this"))
    removed = edits.remove_frames(sheet.board, [10])
    after = sheet.apply(removed)
    assert 10 not in after.board.folds
    assert 10 not in after.board.labels
    assert after.apply(removed.inverse()) == sheet
