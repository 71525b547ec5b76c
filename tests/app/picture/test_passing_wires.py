"""Wires that only pass what one looks at: of many, a band is seen that hides nothing."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from chalkgrad.program.board import Board, Place
from chalkgrad.session import Session
from chalkgrad.source.read import read_source
from chalkgrad_app.picture.brushes import Brushes
from chalkgrad_app.picture.far_wires import FAINTEST, passing
from chalkgrad_app.picture.look import Look
from chalkgrad_app.picture.paint import paint
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.style.theme import load

pytestmark = pytest.mark.usefixtures("qapp")
FAR_AWAY, STEP = 60000.0, 16.0
SIZE = 400


def picture_with(readers: int) -> Picture:
    """Of one tensor there are so many readers far away; half the way, ``b`` reads ``a``."""
    lines = ["w = torch.ones(1, requires_grad=True)", "a = torch.ones(1, requires_grad=True)", "b = a * 2"]
    program = read_source("\n".join(["import torch", *lines, *(f"r{at} = w + {at}" for at in range(readers))]))
    session = Session(program)
    session.finish()
    middle = FAR_AWAY / 2
    places = {"w": (0.0, 0.0), "a": (middle - 600, 0.0), "b": (middle + 600, 0.0)}
    places |= {f"r{at}": (FAR_AWAY, STEP * (at - readers / 2)) for at in range(readers)}
    board = Board({("cards", s.id): Place(*places[s.name]) for s in program if s.name in places})
    picture = Picture()
    picture.update(program, board, session.trace.state())
    return picture


def painted(picture: Picture, zoom: float, theme: str) -> tuple[np.ndarray, Look]:
    """The surroundings of the wire between ``a`` and ``b``, as rows of colours."""
    row = next(row for row, wire in enumerate(picture.wires) if picture.program[wire.target].name == "b")
    x, y = (picture.ends[row, :2] + picture.ends[row, 2:]) / 2
    look = Look(load(theme), zoom, origin=(x - SIZE / 2 / zoom, y - SIZE / 2 / zoom))
    image = QImage(SIZE, SIZE, QImage.Format.Format_RGB32)
    image.fill(look.theme.color("canvas"))
    painter = QPainter(image)
    paint(painter, picture, look, QRectF(0, 0, SIZE, SIZE), Brushes())
    painter.end()
    return np.array(image.constBits()).reshape(SIZE, SIZE, 4)[..., 2::-1].astype(int), look


def numbers(color: QColor) -> np.ndarray:
    return np.array([color.red(), color.green(), color.blue()])


def off(colors: np.ndarray, color: QColor) -> np.ndarray:
    return np.asarray(np.abs(colors - numbers(color)).sum(axis=-1))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("zoom", [0.1, 0.3])
def test_many_long_wires_are_faint_and_below_a_short_one(zoom: float, theme: str) -> None:
    colors, look = painted(picture_with(200), zoom, theme)
    middle = colors[:, SIZE // 2]
    wire, canvas = look.theme.color("wire_grad"), look.theme.color("canvas")
    away, here = off(middle, wire), slice(SIZE // 2 - 6, SIZE // 2 + 7)
    others = np.delete(away, np.arange(SIZE)[here])
    assert away[here].min() + 30 < others.min(), "the short one"
    assert (off(middle, canvas) > 12).sum() > 20, "the band"


@pytest.mark.parametrize("zoom", [0.1, 0.3])
def test_a_few_long_wires_are_as_dark_as_others(zoom: float) -> None:
    found, strength = passing(picture_with(4), zoom)
    assert found.sum() == 4
    assert strength == 1.0


def test_long_wires_get_fainter_as_they_become_more() -> None:
    strengths = [passing(picture_with(count), 0.1)[1] for count in (20, 60, 200, 400)]
    assert strengths == sorted(strengths, reverse=True)
    assert 1.0 > strengths[-1] >= FAINTEST


def test_wires_that_are_seen_from_end_to_end_are_never_faint() -> None:
    picture = picture_with(400)
    found, strength = passing(picture, 0.02)
    assert (not found.any(), strength) == (True, 1.0)
    row = next(row for row, wire in enumerate(picture.wires) if picture.program[wire.target].name == "b")
    assert not passing(picture, 0.5)[0][row]


def test_what_part_is_painted_changes_no_colour() -> None:
    picture = picture_with(200)
    whole, look = painted(picture, 0.3, "light")
    image = QImage(SIZE, SIZE, QImage.Format.Format_RGB32)
    image.fill(look.theme.color("canvas"))
    painter = QPainter(image)
    rect = QRectF(QPointF(0, 0), QPointF(SIZE, SIZE / 4))
    painter.setClipRect(rect)
    paint(painter, picture, look, rect, Brushes())
    painter.end()
    part = np.array(image.constBits()).reshape(SIZE, SIZE, 4)[..., 2::-1].astype(int)
    np.testing.assert_array_equal(part[: SIZE // 4], whole[: SIZE // 4])
