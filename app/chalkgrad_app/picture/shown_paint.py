"""Painting a value inside a rectangle: number, vector, grid, or shape with statistics and a grey thumbnail."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from chalkgrad_app.picture.anatomy import CELL_GAP, LINE, ROW
from chalkgrad_app.picture.brush import elided, measure, pen, write, write_right
from chalkgrad_app.picture.values import Form, Shown, Thumbnail
from chalkgrad_app.style.fonts import mono_font
from chalkgrad_app.style.theme import Theme

NUMBER = 13
STATS = 11


def shown_width(value: Shown) -> float:
    """Width that the value takes when painted."""
    advance = measure(mono_font(NUMBER)).horizontalAdvance
    if value.form is Form.GRID:
        return sum(_column_widths(value)) + (len(value.cells[0]) + 1) * CELL_GAP
    return max((advance(line) for line in value.lines), default=0.0)


def paint_shown(
    painter: QPainter, value: Shown, rect: QRectF, ink: QColor, theme: Theme, *, on_pill: bool = False
) -> None:
    """Paint ``value`` from the left of ``rect`` on, elided where there is no room; ``on_pill`` is for gradients."""
    if value.form is Form.GRID:
        _paint_grid(painter, value, rect, ink, brackets=not on_pill)
    elif value.form is Form.LARGE:
        _paint_large(painter, value, rect, ink, theme, on_pill)
    else:
        top = rect.top() + (rect.height() - LINE * len(value.lines)) / 2
        for index, line in enumerate(value.lines):
            text = elided(line, mono_font(NUMBER), rect.width())
            write(painter, text, mono_font(NUMBER), ink, rect.left(), top + LINE * (index + 0.5))


def _column_widths(value: Shown) -> list[float]:
    advance = measure(mono_font(NUMBER)).horizontalAdvance
    return [max(advance(row[column]) for row in value.cells) for column in range(len(value.cells[0]))]


def _paint_grid(painter: QPainter, value: Shown, rect: QRectF, ink: QColor, brackets: bool) -> None:
    """Numbers in right-aligned columns, between two brackets where they are asked for."""
    widths = _column_widths(value)
    top = rect.top() + (rect.height() - LINE * len(value.cells)) / 2
    for index, row in enumerate(value.cells):
        right = rect.left()
        for width, text in zip(widths, row, strict=True):
            right += CELL_GAP + width
            write_right(painter, text, mono_font(NUMBER), ink, right, top + LINE * (index + 0.5))
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


def _paint_large(painter: QPainter, value: Shown, rect: QRectF, ink: QColor, theme: Theme, on_pill: bool) -> None:
    font = mono_font(NUMBER if on_pill else 16, True)
    write(painter, elided(value.shape, font, rect.width() - 76), font, ink, rect.left(), rect.top() + 20)
    stats = elided(value.stats, mono_font(STATS), rect.width())
    write(painter, stats, mono_font(STATS), ink, rect.left(), rect.bottom() - ROW / 2 + (-2 if on_pill else 1))
    if value.thumbnail is not None:
        _paint_thumbnail(painter, value.thumbnail, QRectF(rect.right() - 64, rect.top() + 5, 64, 32), theme)


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
