"""A formula in LaTeX as a picture, set by ziamath; imported when the first formula is shown."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

if TYPE_CHECKING:
    from ziamath.zmath import Latex

SHARPNESS = 2
"""Pixels of the picture for each pixel it is shown with, so that it stays crisp on dense screens."""


class FormulaPicture(NamedTuple):
    """A formula on a transparent ground, :data:`SHARPNESS` times as large as it is shown.

    ``rise`` is how much of it lies above its baseline.
    """

    image: QImage
    rise: float


@lru_cache(maxsize=256)
def formula_picture(latex: str, ink: str, pixels: int) -> FormulaPicture:
    """``latex`` in the colour ``ink`` at a letter size of so many pixels."""
    svg, _, _, rise = _svg(_set(latex, ink, pixels * SHARPNESS, inline=False))
    renderer = QSvgRenderer(QByteArray(svg.encode()))
    image = QImage(renderer.defaultSize(), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    try:
        renderer.render(painter, QRectF(image.rect()))
    finally:
        painter.end()
    return FormulaPicture(image, rise)


def formula_html(latex: str, ink: str, pixels: int) -> str:
    """``latex`` as an ``<img>`` for Qt's rich text; nothing for nothing."""
    return picture_html(formula_picture(latex, ink, pixels)) if latex else ""


def picture_html(picture: FormulaPicture) -> str:
    """A picture as an ``<img>`` for Qt's rich text."""
    image, data = picture.image, QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    code = bytes(data.toBase64().data()).decode("ascii")
    width, height = image.width() // SHARPNESS, image.height() // SHARPNESS
    return f'<img width="{width}" height="{height}" src="data:image/png;base64,{code}">'


def formula_svg(latex: str, ink: str, pixels: int, inline: bool = False) -> tuple[str, float, float, float]:
    """``latex`` as SVG, its width and height, and how far it rises above its baseline.

    Raises ValueError where it can't be read, or has a command in it that nobody knows.
    """
    try:
        if unknown := unknown_commands(latex):
            raise ValueError(unknown[0])
        return _svg(_set(latex, ink, pixels, inline))
    except Exception as error:  # a typed formula may make the library raise anything
        raise ValueError(f"{type(error).__name__}: {error}") from error


def unknown_commands(latex: str) -> list[str]:
    """The commands of a formula that nobody knows: they are set as letters."""
    from latex2mathml.converter import convert

    return re.findall(r"<mi>(\\[A-Za-z]+)</mi>", convert(latex))


def _svg(formula: Latex) -> tuple[str, float, float, float]:
    svg = formula.svg()
    width, height = formula.getsize()
    room = formula.margin
    return svg, width + 2 * room, height + 2 * room, height + formula.getyofst() + room


def _set(latex: str, ink: str, pixels: int, inline: bool) -> Latex:
    from ziamath.config import config  # imported when used: it costs start-up time
    from ziamath.zmath import Latex

    config.svg2 = False  # QtSvg does not draw SVG 2 symbols
    return Latex(latex, size=pixels, color=ink, inline=inline)
