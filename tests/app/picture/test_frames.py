"""Frames: their order, their colours, and titles that can be read from afar."""

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from chalkgrad.program.board import Board, Frame
from chalkgrad_app.picture.brushes import Brushes
from chalkgrad_app.picture.frames import HUES, hue_role
from chalkgrad_app.picture.look import Look
from chalkgrad_app.picture.paint import paint
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.style.theme import NAMES, contrast, load


def picture_of(*frames: Frame) -> Picture:
    picture = Picture()
    picture.set_board(Board(frames={frame.id: frame for frame in frames}))
    return picture


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("hue", HUES)
def test_the_edge_of_every_colour_is_seen_in_every_theme(name, hue):
    theme = load(name)
    assert contrast(getattr(theme, hue_role(hue)), theme.canvas) >= 3


def test_a_colour_that_no_theme_has_is_none():
    assert hue_role("ultraviolet") == ""
    assert hue_role("") == ""


def test_the_smaller_frame_lies_above_the_larger():
    small, large = Frame(1, "small", 10, 10, 100, 100), Frame(2, "large", 0, 0, 400, 400)
    assert [shape.id for shape in picture_of(small, large).frames] == [2, 1]
    assert [shape.id for shape in picture_of(large, small).frames] == [2, 1]


@pytest.mark.parametrize("zoom", [1.0, 0.4, 0.1])
def test_a_title_can_be_read_from_afar(qapp, zoom):
    picture = picture_of(Frame(1, "WWWWWW", 0, 0, 1200, 800))
    look = Look(theme=load("light"), zoom=zoom)
    image = QImage(int(1200 * zoom), int(800 * zoom), QImage.Format.Format_ARGB32)
    image.fill(look.theme.color("canvas"))
    painter = QPainter(image)
    paint(painter, picture, look, QRectF(image.rect()), Brushes())
    painter.end()
    dark = [
        (x, y)
        for x in range(3, image.width() - 3)
        for y in range(3, image.height() - 3)
        if contrast(image.pixelColor(x, y).name(), look.theme.frame) > 3
    ]
    assert max(y for _, y in dark) - min(y for _, y in dark) >= 6, "capitals of a letter 10 px high"
    assert max(x for x, _ in dark) < image.width() - 3
