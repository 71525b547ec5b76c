"""Painting the lines of the program beside the cards of the autograd drawing."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from chalkgrad.session.state import Status
from chalkgrad.stepwise import Stepwise
from chalkgrad_app.picture.brush import measure, write
from chalkgrad_app.picture.code_lines import HEIGHT
from chalkgrad_app.picture.look import CLOSE, LEAST, PORTION, Level, Look, level_at
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.rings import paint_ring
from chalkgrad_app.style.fonts import mono_font

SIZE, FROM_AFAR = 18, 20


def are_read(zoom: float) -> bool:
    """True where lines are painted: large enough to be read, at a zoom as people set it."""
    return zoom * _size(level_at(zoom)) >= CLOSE * LEAST


def _size(level: Level) -> int:
    return SIZE if level is Level.NEAR else FROM_AFAR


def painting_lines(painter: QPainter, picture: Picture, look: Look, scene: QRectF) -> Stepwise[None]:
    """Paint the lines that touch ``scene``, in steps; what has not run is grey."""
    lines = picture.lines
    if not lines.keys or not are_read(look.zoom / look.text_scale):
        return
    theme, font = look.theme, mono_font(_size(look.level))
    rows = lines.among(lines.within(scene), look.only).tolist()
    for place, row in enumerate(rows):
        if place % PORTION == 0:
            yield place / len(rows)
        id_ = lines.keys[row][1]
        rect = look.rect(lines.rect(lines.keys[row]))
        came = picture.state.statement(id_ if id_ in picture.program else lines.cards[row]).status
        role = {Status.FAILED: "error_ink", Status.OK: "ink"}.get(came, "muted")
        painter.save()
        try:
            painter.translate(rect.topLeft())
            painter.scale(look.zoom, look.zoom)
            text = lines.text(row)
            left = float(lines.w[row]) - measure(font).horizontalAdvance(text)
            write(painter, text, font, theme.color(role), left, HEIGHT / 2)
        finally:
            painter.restore()
        if id_ in look.selection and id_ not in picture.index:
            paint_ring(painter, lines.rect(lines.keys[row]), 0.0, look)
