"""Notes are as high as their text, in either language."""

from __future__ import annotations

import pytest

from chalkgrad import lessons
from chalkgrad.program.board import Note
from chalkgrad_app.picture.note_text import BOTTOM, TOP, text_height
from chalkgrad_app.picture.notes import GRID, fitted
from chalkgrad_app.picture.picture import Picture


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("number", range(6))
def test_an_example_s_note_fits_its_text(qapp, number: int, language: str) -> None:
    (note,) = lessons.examples()[number].sheet.board.notes.values()
    shown = fitted(note, language)
    needed = text_height(note.text(language), note.width) + TOP + BOTTOM
    assert needed <= shown.height < needed + GRID


def test_a_person_s_note_keeps_the_height_it_was_given(qapp) -> None:
    note = Note(1, (("", "short"),), 0.0, 0.0, 200.0, 160.0)
    assert fitted(note, "en") is note


def test_another_language_changes_the_height(qapp) -> None:
    note = Note(1, (("en", "word " * 100), ("zh_CN", "字")), 0.0, 0.0, 200.0, 40.0)
    picture = Picture("en")
    picture.board = type(picture.board)(notes={1: note})
    picture.set_language("en")
    tall = picture.notes[0].height
    picture.set_language("zh_CN")
    assert picture.notes[0].height < tall
