"""Notes are as high as their text, in either language."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from tests.app.picture.test_autograd_afar import written

from chalkgrad import lessons
from chalkgrad.program.board import Note
from chalkgrad_app.picture.board_paint import paint_note
from chalkgrad_app.picture.look import Look
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


ENGLISH = "The gradient of **every** leaf is kept.\n\nCall `backward()` again, and they add up."
CHINESE = "每个叶子节点的梯度都会保留。再调用一次 `backward()`，它们就会累加起来。"


def brief(text: str, zoom: float, width: float = 240.0, height: float = 110.0) -> list[str]:
    """What is written on a note from some distance."""
    return written(lambda painter: paint_note(painter, text, QRectF(0, 0, width, height), Look(zoom=zoom)))


@pytest.mark.parametrize("zoom", [0.26, 0.3, 0.35, 0.4, 0.45, 0.5, 0.56])
def test_from_some_distance_a_note_has_no_part_of_a_word(qapp, zoom: float) -> None:
    words = [
        "The",
        "gradient",
        "of",
        "every",
        "leaf",
        "is",
        "kept.",
        "Call",
        "backward()",
        "again,",
        "and",
        "they",
        "add",
        "up.",
    ]
    said = " ".join(brief(ENGLISH, zoom)).split()
    whole = said[:-1] if said[-1] == "…" else said
    assert whole == words[: len(whole)]
    assert whole == words or said[-1] == "…"


@pytest.mark.parametrize("zoom", [0.26, 0.35, 0.45, 0.56])
def test_a_chinese_note_is_broken_between_characters(qapp, zoom: float) -> None:
    plain = CHINESE.replace("`", "").replace(" ", "")
    said = "".join(brief(CHINESE, zoom)).replace(" ", "")
    assert len(said) > 3
    assert plain == said or (said.endswith("…") and plain.startswith(said[:-1]))


def test_a_note_that_has_room_for_its_text_says_all_from_some_distance(qapp) -> None:
    assert " ".join(brief(ENGLISH, 0.5)).endswith("they add up.")


def test_a_note_without_room_for_a_word_has_a_mark(qapp) -> None:
    assert brief("Backpropagation", 0.26) == []
    image = QImage(80, 40, QImage.Format.Format_RGB32)
    look = Look(zoom=0.26)
    painter = QPainter(image)
    paint_note(painter, "Backpropagation", QRectF(0, 0, 200, 110), look)
    painter.end()
    inside = {image.pixelColor(26, y).rgb() for y in range(6, 24)}
    assert len(inside) > 1, "bars"
