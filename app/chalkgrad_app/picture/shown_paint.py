"""Painting a value inside a rectangle: number, vector, grid, or shape with statistics and a grey thumbnail."""

from __future__ import annotations

from math import inf

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from chalkgrad_app.picture.anatomy import CELL_GAP, LINE, ROW
from chalkgrad_app.picture.brush import elided, fitting, pen, rounded, width_of, write, write_right
from chalkgrad_app.picture.values import Form, Shown, Thumbnail
from chalkgrad_app.style.fonts import mono_font
from chalkgrad_app.style.theme import Theme

NUMBER = 13
STATS = 11
CUT, ABOUT = "…", "≈"
"""What stands in numbers that are cut, and before those that are rounded."""
TYPICAL = "min -9.9 mean -9.9 max -9.9"
"""Where this has room the mean is said: on all cards of a size, or on none, whatever their numbers."""


def shown_width(value: Shown, least: int = 0, room: float = inf) -> float:
    """Width that the value takes when painted with letters not below a size; in so much ``room``, if it is a line."""
    font = mono_font(max(NUMBER, least))
    if len(value.lines) == 1 and value.form not in (Form.GRID, Form.LARGE):
        return width_of(rounded(value.lines[0], font, room), font)
    if value.form is Form.GRID:
        return _grid_width(value, font)
    return max((width_of(line, font) for line in value.lines), default=0.0)


def has_room(value: Shown, room: float, most: float, least: int = 0) -> bool:
    """Whether numbers are said in ``room`` as well as in ``most``: neither cut for it, nor rounded."""
    if len(value.lines) != 1:
        return shown_width(value, least) <= room
    font = mono_font(max(NUMBER, least))
    said, best = (rounded(value.lines[0], font, width) for width in (room, most))
    return CUT not in said and (not said.startswith(ABOUT) or best.startswith(ABOUT))


def paint_shown(
    painter: QPainter,
    value: Shown,
    rect: QRectF,
    ink: QColor,
    theme: Theme,
    *,
    on_pill: bool = False,
    least: int = 0,
) -> None:
    """Paint ``value`` from the left of ``rect`` on, rounded where there is no room; ``on_pill`` is for gradients.

    Letters are not below the size ``least`` where that can be.
    """
    if value.form is Form.GRID:
        _paint_grid(painter, value, rect, ink, brackets=not on_pill, least=least)
    elif value.form is Form.LARGE:
        _paint_large(painter, value, rect, ink, theme, on_pill, least)
    elif len(value.lines) == 1:
        font = mono_font(max(NUMBER, least))
        write(painter, rounded(value.lines[0], font, rect.width()), font, ink, rect.left(), rect.center().y())
    else:
        top = rect.top() + (rect.height() - LINE * len(value.lines)) / 2
        longest = max(value.lines, key=len, default="")
        font = fitting(longest, mono_font, rect.width(), max(NUMBER, least), NUMBER, False)
        for index, line in enumerate(value.lines):
            text = elided(line, font, rect.width())
            write(painter, text, font, ink, rect.left(), top + LINE * (index + 0.5))


def _column_widths(value: Shown, font: QFont) -> list[float]:
    return [max(width_of(row[column], font) for row in value.cells) for column in range(len(value.cells[0]))]


def _grid_width(value: Shown, font: QFont) -> float:
    return sum(_column_widths(value, font)) + (len(value.cells[0]) + 1) * CELL_GAP


def _paint_grid(painter: QPainter, value: Shown, rect: QRectF, ink: QColor, brackets: bool, least: int) -> None:
    """Numbers in right-aligned columns, between two brackets where they are asked for."""
    sizes = range(max(NUMBER, least), NUMBER, -1)
    fonts = (mono_font(size) for size in sizes)
    font = next((font for font in fonts if _grid_width(value, font) <= rect.width()), mono_font(NUMBER))
    widths = _column_widths(value, font)
    top = rect.top() + (rect.height() - LINE * len(value.cells)) / 2
    for index, row in enumerate(value.cells):
        right = rect.left()
        for width, text in zip(widths, row, strict=True):
            right += CELL_GAP + width
            write_right(painter, text, font, ink, right, top + LINE * (index + 0.5))
    if not brackets:
        return
    whole = sum(widths) + (len(widths) + 1) * CELL_GAP
    box = QRectF(rect.left() + 2, top + 1, whole - 4, LINE * len(value.cells) - 2)
    painter.setPen(pen(ink, 1.1))
    for x, inwards in ((box.left(), 4.0), (box.right(), -4.0)):
        painter.drawPolyline(
            [
                QPointF(x + inwards, box.top()),
                QPointF(x, box.top()),
                QPointF(x, box.bottom()),
                QPointF(x + inwards, box.bottom()),
            ]
        )


def _paint_large(
    painter: QPainter, value: Shown, rect: QRectF, ink: QColor, theme: Theme, on_pill: bool, least: int
) -> None:
    font, small = mono_font(max(NUMBER if on_pill else 16, least), True), mono_font(max(STATS, least))
    write(painter, elided(value.shape, font, rect.width() - 76), font, ink, rect.left(), rect.top() + 20)
    stats = _statistics(value.stats, small, rect.width())
    write(painter, stats, small, ink, rect.left(), rect.bottom() - ROW / 2 + (-2 if on_pill else 1))
    if value.thumbnail is not None:
        _paint_thumbnail(painter, value.thumbnail, QRectF(rect.right() - 64, rect.top() + 5, 64, 32), theme)


def _statistics(stats: str, font: QFont, room: float) -> str:
    """Least, mean and greatest; nearer to each other, then without the mean, where there is no room."""
    parts = stats.split("  ")
    shorter = [stats, " ".join(parts)] if width_of(TYPICAL, font) <= room else []
    shorter += ["  ".join([parts[0], parts[-1]]), " ".join([parts[0], parts[-1]])]
    return next((text for text in shorter if width_of(text, font) <= room), elided(parts[0], font, room))


def _paint_thumbnail(painter: QPainter, thumbnail: Thumbnail, room: QRectF, theme: Theme) -> None:
    """The heat map in greys, its cells square where there is room, right-aligned."""
    image = QImage(thumbnail.data, thumbnail.width, thumbnail.height, thumbnail.width, QImage.Format.Format_Grayscale8)
    cell = min(room.width() / thumbnail.width, room.height() / thumbnail.height)
    width, height = max(cell * thumbnail.width, 4.0), max(cell * thumbnail.height, 4.0)
    place = QRectF(room.right() - width, room.center().y() - height / 2, width, height)
    smooth = painter.testRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    painter.drawImage(place, image.copy())
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
    painter.setPen(pen(theme.color("grad_empty"), 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(place)
