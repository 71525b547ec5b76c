"""The drawings of one board: each has its own places, and a file keeps which one is shown."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import sheets

from chalkgrad.program import arranging, edits
from chalkgrad.program.board import AUTOGRAD, CARDS, DATA, DRAWINGS, Board, Frame, Note, Place
from chalkgrad.program.files import FileError, load, save
from chalkgrad.program.sheet import Sheet

NOTE = Note(8, (("", "why?"),), 10.0, 20.0)
FRAME = Frame(9, "part", 0.0, 0.0, 400.0, 300.0)


def board() -> Board:
    return Board({(CARDS, 1): Place(8.0, 16.0)}, {8: NOTE}, {9: FRAME})


def test_a_place_is_that_of_the_drawing_shown() -> None:
    shown = board().drawn_as(DATA)
    assert shown.place(1) is None
    moved = shown.apply(edits.place(shown, {1: (100.0, 200.0)}))
    assert moved.place(1) == Place(100.0, 200.0)
    assert moved.drawn_as(CARDS).place(1) == Place(8.0, 16.0)


def test_what_is_shifted_in_one_drawing_stays_in_the_others() -> None:
    shown = board().drawn_as(AUTOGRAD)
    moved = shown.apply(arranging.shift(shown, {1: (5.0, 5.0), 8: (1.0, 2.0), 9: (3.0, 4.0)}))
    assert (moved.notes[8].x, moved.notes[8].y, moved.frames[9].x, moved.frames[9].y) == (11.0, 22.0, 3.0, 4.0)
    cards = moved.drawn_as(CARDS)
    assert cards.notes[8] == NOTE
    assert cards.frames[9] == FRAME
    assert cards.drawn_as(AUTOGRAD).notes[8].x == 11.0


def test_what_autograd_moved_lies_in_data_as_it_does_among_cards() -> None:
    shown = board().drawn_as(AUTOGRAD)
    moved = shown.apply(arranging.shift(shown, {8: (-500.0, -300.0), 9: (700.0, 0.0)}))
    data = moved.drawn_as(DATA)
    assert (data.notes[8], data.frames[9]) == (NOTE, FRAME)
    assert data.drawn_as(AUTOGRAD).notes[8].x == -490.0


def test_words_of_a_note_are_the_same_in_every_drawing() -> None:
    shown = board().drawn_as(DATA)
    written = shown.apply(edits.put_note(shown, replace(shown.notes[8], texts=(("", "so!"),), x=99.0)))
    cards = written.drawn_as(CARDS)
    assert cards.notes[8] == replace(NOTE, texts=(("", "so!"),))


def test_a_note_that_is_gone_leaves_no_spot() -> None:
    shown = board().drawn_as(DATA)
    gone = shown.apply(edits.remove_notes(shown, [8]))
    assert {id_ for _, id_ in gone.spots} == {9}


@given(sheets(), st.lists(st.sampled_from(DRAWINGS), max_size=4))
def test_going_through_the_drawings_leaves_everything_where_it_was(sheet: Sheet, way: list[str]) -> None:
    start = sheet.board
    now = start
    for drawing in way:
        now = now.drawn_as(drawing)
        assert now.drawing == drawing
        assert now.places == start.places
    back = now.drawn_as(start.drawing)
    assert back.notes == start.notes
    assert back.frames == start.frames


def test_a_file_keeps_the_drawing_and_its_places() -> None:
    shown = board().drawn_as(DATA)
    sheet = Sheet(board=shown.apply(arranging.shift(shown, {8: (1.0, 1.0)})))
    text = save(sheet)
    assert json.loads(text)["board"]["drawing"] == "data"
    assert json.loads(text)["board"]["notes"][0]["x"] == 10.0, "an older program sees the notes among the cards"
    assert load(text) == sheet


def test_a_document_of_cards_is_written_as_before() -> None:
    written = json.loads(save(Sheet(board=board())))["board"]
    assert "drawing" not in written
    assert "spots" not in written


@pytest.mark.parametrize("drawing", ["tensors", "", 3, None])
def test_a_drawing_that_nobody_knows_is_refused(drawing: object) -> None:
    document = json.loads(save(Sheet()))
    document["board"]["drawing"] = drawing
    with pytest.raises(FileError) as caught:
        load(json.dumps(document))
    assert "board.drawing" in str(caught.value)
