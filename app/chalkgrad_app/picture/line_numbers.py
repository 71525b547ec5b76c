"""The number of its line on a card: painted apart, because a line that comes or goes moves those of all below it."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from chalkgrad_app.picture.brush import measure, write
from chalkgrad_app.picture.card import CardFace, Hue
from chalkgrad_app.picture.card_parts import hue_role
from chalkgrad_app.style.fonts import mono_font, ui_font
from chalkgrad_app.style.theme import Theme

SIZE = 11


class NumberPlace(NamedTuple):
    """Where a number stands on a card: from ``left`` on, beside a title so large that is centred on ``middle``.

    ``ink`` is the role of its colour, ``size`` how large it is.
    """

    left: float
    middle: float
    title: int
    ink: str
    size: int = SIZE


def number_ink(card: CardFace, hue: Hue) -> str:
    """The role of the ink of numbers in a header of this hue."""
    return "muted" if card.ghost else f"{hue_role(hue)}_text"


def number_width(digits: int, size: int = SIZE) -> float:
    """How wide a number with so many digits is: all are as wide as each other."""
    return measure(mono_font(size)).horizontalAdvance("0" * digits)


def number_extent(line: int, place: NumberPlace) -> QRectF:
    """What painting a number touches, on its card."""
    width = number_width(len(str(line)), place.size)
    return QRectF(place.left - 1, place.middle - place.size, width + 2, 2 * place.size)


def paint_number(painter: QPainter, line: int, place: NumberPlace, theme: Theme) -> None:
    """Paint a number on its card."""
    title = ui_font(place.title, True)
    write(painter, str(line), mono_font(place.size), theme.color(place.ink), place.left, place.middle, title)
