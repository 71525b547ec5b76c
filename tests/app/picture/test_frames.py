"""Frames: their order, their colours, and titles that can be read from afar."""

import re

import pytest
from PySide6.QtCore import QBuffer, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from support.contrast import contrast

from chalkgrad.program.board import Board, Frame, Place
from chalkgrad.program.sheet import Sheet
from chalkgrad.source.read import read_source
from chalkgrad_app.canvas import arrange
from chalkgrad_app.document import Document
from chalkgrad_app.picture.board_paint import paint_frames, paint_titles
from chalkgrad_app.picture.brush import measure
from chalkgrad_app.picture.brushes import Brushes
from chalkgrad_app.picture.card_parts import field_rect
from chalkgrad_app.picture.folding import MARGIN, TITLE
from chalkgrad_app.picture.frames import BETWEEN, HUES, hue_role, title_font
from chalkgrad_app.picture.look import Look
from chalkgrad_app.picture.paint import paint
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.style.theme import NAMES, load


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


def test_the_smaller_frame_lies_above_the_larger(qapp):
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


@pytest.mark.parametrize(("zoom", "middle"), [(1.0, 16), (0.4, 11)])
@pytest.mark.parametrize("hue", ["", "teal"])
def test_no_line_is_seen_between_the_letters_of_a_title(qapp, zoom, middle, hue):
    picture, look = picture_of(Frame(1, "m m m m", 0, 0, 200, 100, hue)), Look(theme=load("light"), zoom=zoom)
    image = QImage(int(200 * zoom), int(100 * zoom), QImage.Format.Format_ARGB32)
    image.fill(look.theme.color("wire"))
    painter = QPainter(image)
    paint_titles(painter, picture, look, QRectF(0, 0, 200, 100))
    painter.end()
    row = [contrast(image.pixelColor(x, middle).name(), look.theme.wire) for x in range(image.width())]
    light = [x for x, found in enumerate(row) if found > 3]
    assert light[0] < 12 * zoom
    letters = measure(title_font(picture.frames[0])).horizontalAdvance("m m m m") * max(zoom, 10 / 13)
    assert light[-1] >= min(12 * zoom + letters, image.width() - 12)


def test_the_title_of_a_frame_lies_above_wires_and_below_cards(qapp):
    document = Document(Sheet(read_source("import torch\nx = torch.tensor(1.)\ny = x * 2\n")))
    document.finish()
    places = {("cards", id_): Place(600.0 * row, 0.0) for row, id_ in enumerate(document.program.order)}
    board = Board(places=places, frames={9: Frame(9, "title", 250, 24, 200, 100)})
    picture, look, buffer = Picture(), Look(theme=load("light"), vector=True), QBuffer()
    picture.update(document.program, board, document.state)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    painter = QPainter(generator)
    paint(painter, picture, look, picture.bounds(), Brushes())
    painter.end()
    written = bytes(buffer.data()).decode()
    wire, title, card = (
        written.index(part) for part in (f'stroke="{look.theme.wire.lower()}"', ">title</text>", ">leaf</text>")
    )
    assert wire < title < card


LOOP = """import torch
x = torch.tensor([1., 2., 3.])
w = torch.tensor(0.0, requires_grad=True)
for step in range(20):
    for inner in range(2):
        loss = ((w * x - 1) ** 2).mean()
"""


@pytest.mark.parametrize("zoom", [1.0, 0.5, 0.37, 0.3])
def test_the_title_of_a_loop_stands_above_its_cards(qapp, zoom):
    document = Document(Sheet(read_source(LOOP)))
    document.finish()
    document.amend(arrange.place_missing(document.sheet, document.state))
    picture = Picture()
    picture.update(document.program, document.board, document.state)
    inner = picture.frames[-1]
    look = Look(theme=load("light"), zoom=zoom, origin=(inner.rect.left(), inner.rect.top()))
    image = QImage(int(inner.rect.width() * zoom), int(inner.rect.height() * zoom), QImage.Format.Format_ARGB32)
    image.fill(look.theme.color("canvas"))
    painter = QPainter(image)
    paint_frames(painter, picture, look, inner.rect)
    paint_titles(painter, picture, look, inner.rect)
    painter.end()
    first = min(look.rect(picture.rect(id_)).top() for id_ in inner.cards)
    plain = look.theme.frame
    inked = [
        y
        for y in range(3, image.height() - 3)
        if any(contrast(image.pixelColor(x, y).name(), plain) > 2 for x in range(5, image.width() - 5))
    ]
    assert inked
    assert max(inked) < first


NESTED = """import torch
w = torch.tensor([1.], requires_grad=True)
for step in range(3):
    y = w.exp()
    with torch.no_grad():
        z = y.exp()
"""


def test_the_frame_of_a_block_is_as_near_to_its_cards_whatever_blocks_are_in_it(qapp):
    program = read_source(NESTED)
    w, y, z = (program.named(name).statement for name in "wyz")
    at = {w: (0.0, 0.0), y: (300.0, 0.0), z: (600.0, 200.0)}
    picture = Picture()
    picture.set_board(Board({("cards", id_): Place(*corner) for id_, corner in at.items()}))
    picture.update(program, picture.board, Document(Sheet(program, picture.board)).state)
    outer, inner = (shape.rect for shape in picture.frames)
    above, below = picture.rect(y), picture.rect(z)
    assert outer.top() == above.top() - MARGIN - TITLE
    assert outer.left() == above.left() - MARGIN
    assert inner.top() == below.top() - MARGIN - TITLE
    assert inner.bottom() == below.bottom() + MARGIN
    assert (outer.right() - inner.right(), outer.bottom() - inner.bottom()) == (MARGIN + BETWEEN, MARGIN + BETWEEN)


@pytest.mark.parametrize("number", ["2", "0.125"])
def test_the_frame_of_a_block_is_around_the_numbers_of_its_cards_too(qapp, number):
    program = read_source(f"import torch\nw = torch.ones(1)\nwith torch.no_grad():\n    z = {number} * w\n")
    picture, z = Picture(), program.order[1]
    picture.set_board(Board({("cards", id_): Place(300.0 * at, 0.0) for at, id_ in enumerate(program.order)}))
    picture.update(program, picture.board, Document(Sheet(program, picture.board)).state)
    (field,) = picture.face(z).fields
    number_at = field_rect(picture.anatomy(z), field.port, field.text).translated(picture.rect(z).topLeft())
    (frame,) = picture.frames
    assert frame.rect.contains(number_at.adjusted(-6, -6, 6, 6))


def painted(picture: Picture, zoom: float, theme: str = "light") -> QImage:
    """The frames of a picture and their titles."""
    image = QImage(700, 500, QImage.Format.Format_RGB32)
    look = Look(theme=load(theme), zoom=zoom)
    image.fill(look.theme.color("canvas"))
    painter = QPainter(image)
    for paint_on in (paint_frames, paint_titles):
        paint_on(painter, picture, look, QRectF(-50, -50, 2000, 2000))
    painter.end()
    return image


WITHIN = tuple(Frame(at, "", 40.0 * at, 40.0 * at, 650.0 - 100 * at, 480.0 - 100 * at) for at in (1, 2, 3))


@pytest.mark.parametrize("name", NAMES)
def test_of_frames_in_one_another_every_level_has_another_tone_that_titles_are_read_on(name):
    image = painted(picture_of(*WITHIN), 1.0, name)
    outer, inner, innermost = (image.pixelColor(*at).name() for at in ((60, 60), (100, 100), (150, 150)))
    assert outer == innermost
    assert contrast(outer, inner) > 1.1
    assert contrast(load(name).frame_text, inner) >= 4.5


def edge_of(picture: Picture) -> list[bool]:
    """Down the left edge of a frame, whether each pixel is inked."""
    image, ground, rect = painted(picture, 1.0), load("light").color("canvas").lightness(), picture.frames[0].rect
    left, top = round(rect.left()), round(rect.top()) + 20
    rows = range(top, top + 80)
    return [any(ground - image.pixelColor(left + x, y).lightness() > 40 for x in (-1, 0, 1)) for y in rows]


def block_picture(head: str) -> Picture:
    program = read_source(f"import torch\nx = torch.tensor([1.])\n{head}\n    y = x * 2\n    z = y * 2\n")
    places = {("cards", s.id): Place(60.0, 70.0 + 120.0 * at) for at, s in enumerate(program)}
    document = Document(Sheet(program, Board(places)))
    document.finish()
    picture = Picture()
    picture.update(document.program, document.board, document.state)
    return picture


def test_blocks_are_told_from_plain_frames_by_their_edges(qapp):
    assert all(edge_of(picture_of(Frame(1, "", 20.0, 20.0, 300.0, 300.0))))
    assert set(edge_of(block_picture("with torch.no_grad():"))) == {True, False}
    loop = block_picture("for step in range(2):")
    assert loop.frames[0].loop
    assert all(edge_of(loop))


@pytest.mark.parametrize("zoom", [0.6, 0.75, 0.9])
def test_titles_are_as_large_as_at_full_size_as_long_as_they_have_room(zoom):
    frame = Frame(1, "Layer 1", 0.0, 0.0, 400.0, 300.0)
    at_full, smaller = (title_size(picture_of(frame), each) for each in (1.0, zoom))
    assert smaller == pytest.approx(at_full, abs=0.5)


def title_size(picture: Picture, zoom: float) -> float:
    """How large a title is written, in pixels."""
    buffer, painter = QBuffer(), QPainter()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    painter.begin(generator)
    paint_titles(painter, picture, Look(zoom=zoom), QRectF(-50, -50, 2000, 2000))
    painter.end()
    text = bytes(buffer.data()).decode()
    found = re.search(r'transform="matrix\(([\d.]+),0,0,[\d.]+[^>]*>\s*<text[^>]*font-size="([\d.]+)"', text)
    assert found, text
    return float(found[1]) * float(found[2])
