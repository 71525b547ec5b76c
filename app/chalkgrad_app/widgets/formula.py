"""A formula in LaTeX as a picture, set by ziamath; imported when the first formula is shown."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

if TYPE_CHECKING:
    from ziamath.zmath import Latex

SHARPNESS = 2
"""Pixels of the picture for each pixel it is shown with, so that it stays crisp on dense screens."""


@lru_cache(maxsize=256)
def formula_html(latex: str, ink: str, pixels: int) -> str:
    """``latex`` as an ``<img>`` for Qt's rich text, in the colour ``ink`` at a letter size of so many pixels."""
    if not latex:
        return ""
    image = formula_image(latex, ink, pixels)
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    code = bytes(data.toBase64().data()).decode("ascii")
    width, height = image.width() // SHARPNESS, image.height() // SHARPNESS
    return f'<img width="{width}" height="{height}" src="data:image/png;base64,{code}">'


def formula_image(latex: str, ink: str, pixels: int) -> QImage:
    """``latex`` on a transparent ground; larger than it is to be shown by :data:`SHARPNESS`."""
    renderer = QSvgRenderer(QByteArray(_set(latex, ink, pixels * SHARPNESS, inline=False).svg().encode()))
    image = QImage(renderer.defaultSize(), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    try:
        renderer.render(painter, QRectF(image.rect()))
    finally:
        painter.end()
    return image


def formula_svg(latex: str, ink: str, pixels: int, inline: bool = False) -> tuple[str, float, float, float]:
    """``latex`` as SVG, its width and height, and how far it rises above its baseline.

    Raises ValueError where it can't be read.
    """
    try:
        formula = _set(latex, ink, pixels, inline)
        svg = formula.svg()
    except Exception as error:  # a typed formula may make the library raise anything
        raise ValueError(f"{type(error).__name__}: {error}") from error
    width, height = formula.getsize()
    room = formula.margin
    return svg, width + 2 * room, height + 2 * room, height + formula.getyofst() + room


def _set(latex: str, ink: str, pixels: int, inline: bool) -> Latex:
    from ziamath.config import config  # imported when used: it costs start-up time
    from ziamath.zmath import Latex

    config.svg2 = False  # QtSvg does not draw SVG 2 symbols
    return Latex(latex, size=pixels, color=ink, inline=inline)
