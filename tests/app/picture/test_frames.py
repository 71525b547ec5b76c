"""Frames: their order, their colours, and titles that can be read from afar."""

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
