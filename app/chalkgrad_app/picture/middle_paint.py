"""Painting one card at middle distance (25 to 60%): shape, edge, name and value, large enough to be read there."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter

from chalkgrad.session.state import Saved, Status
from chalkgrad_app.picture.brush import (
    DASHES,
    DOTS,
    body_path,
    elided,
    foot_path,
    hatch,
    octagon,
    pen,
    pin,
    top_path,
    write,
    write_right,
)
from chalkgrad_app.picture.card import CardFace, GradFace, RowFace
from chalkgrad_app.picture.card_parts import corner, edge_width, hues, is_dotted
from chalkgrad_app.picture.look import Words
from chalkgrad_app.picture.values import Form, Shown
from chalkgrad_app.style.fonts import mono_font, ui_font
from chalkgrad_app.style.theme import Theme

NAME, VALUE, BAND, FOOT, PAD = 24, 20, 34.0, 13.0, 12.0
OCTAGON = 26.0
LEAST_BAND = 28.0


def paint_middle(painter: QPainter, card: CardFace, theme: Theme, words: Words) -> None:
    """Paint a card as it is seen from some distance."""
    rect = QRectF(0, 0, card.anatomy.width, card.anatomy.height)
    radius = corner(card)
    colors = hues(theme, card.hue)
    band = min(BAND, max(LEAST_BAND, rect.height() * 0.36))
    if not card.ghost:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(theme.color("card")))
        painter.drawPath(body_path(rect, radius))
        painter.setBrush(QBrush(colors.fill))
        painter.drawPath(top_path(QRectF(0, 0, rect.width(), band), radius))
    ink = theme.color("muted") if card.ghost else colors.text
    name = card.name or card.expression
    write(
        painter, elided(name, ui_font(NAME, True), rect.width() - 2 * PAD), ui_font(NAME, True), ink, PAD, band / 2 + 1
    )
    body = QRectF(PAD, band, rect.width() - 2 * PAD, rect.height() - band - 2)
    if card.foot is not None:
        _paint_foot(painter, card.foot.saved is Saved.FREED, rect, radius, theme)
        body.setHeight(body.height() - FOOT)
    if card.rows:
        paint_rows(painter, card.rows[0], body, theme)
    elif card.status is Status.WAITING:
        write(painter, words.waiting, ui_font(18), theme.color("muted"), PAD, body.center().y())
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if is_dotted(card):
        painter.setPen(pen(theme.color("ghost"), 3.0, DOTS))
        painter.drawPath(body_path(rect.adjusted(1.5, 1.5, -1.5, -1.5), radius))
    else:
        # Below 60% the thin edge would vanish at its true width.
        half = edge_width(card) * 0.7
        painter.setPen(pen(colors.edge, 2 * half))
        painter.drawPath(body_path(rect.adjusted(half, half, -half, -half), max(0.0, radius - half)))
    if card.error:
        hatch(painter, rect, theme.color("error"), 8.0)
        spot = QPointF(rect.right() - 6, 6)
        octagon(painter, spot, OCTAGON, theme.color("error"), theme.color("error_text"))


def paint_rows(painter: QPainter, row: RowFace, body: QRectF, theme: Theme) -> None:
    """The value of one output, and its gradient below."""
    both = row.grad is not None
    share = body.height() / 2 if both else body.height()
    ink = theme.color("ink")
    if row.covered:
        _paint_cover(painter, body.left(), body.top() + share / 2, theme)
    else:
        value = elided(brief(row.value), mono_font(VALUE), body.width() - (34 if row.version else 0))
        write(painter, value, mono_font(VALUE), ink, body.left(), body.top() + share / 2 + 1)
    if row.version:
        write_right(painter, f"v{row.version}", mono_font(18), ink, body.right(), body.top() + share / 2 + 1)
    if row.grad is not None:
        _paint_grad(painter, row.grad, QRectF(body.left(), body.top() + share, body.width(), share), theme)


def _paint_grad(painter: QPainter, grad: GradFace, room: QRectF, theme: Theme) -> None:
    """A filled dot and the number; a ring where there is none; a bar where it is covered."""
    middle = room.center().y() - 1
    ink = theme.color("grad_ink")
    right = room.right()
    if grad.covered:
        _paint_cover(painter, room.left(), middle, theme)
        return
    if grad.times > 1:
        right -= write_right(painter, f"Σ{grad.times}", ui_font(18, True), ink, right, middle) + 6
    if grad.kept:
        pin(painter, QPointF(right - 10, middle), 22, ink)
        right -= 26
    present = grad.value is not None
    painter.setPen(pen(ink if present else theme.color("grad_empty"), 2.0))
    painter.setBrush(QBrush(ink) if present else QBrush())
    painter.drawEllipse(QPointF(room.left() + 7, middle), 6.0, 6.0)
    if grad.value is not None:
        text = elided(brief(grad.value), mono_font(VALUE), right - room.left() - 22)
        write(painter, text, mono_font(VALUE), ink, room.left() + 20, middle)


def _paint_cover(painter: QPainter, left: float, middle: float, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(theme.color("cover")))
    painter.drawRect(QRectF(left, middle - 9, 40, 18))
    write(painter, "?", mono_font(18, True), theme.color("cover_text"), left + 15, middle)


def _paint_foot(painter: QPainter, freed: bool, rect: QRectF, radius: float, theme: Theme) -> None:
    room = QRectF(10, rect.bottom() - FOOT - 2, rect.width() - 12, FOOT)
    if freed:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(theme.color("function_ink"), 2.0, DASHES))
        painter.drawPath(foot_path(room.adjusted(0, 1, -5, -5), 4.0))
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(theme.color("function")))
    painter.drawPath(foot_path(room, radius))


def brief(value: Shown) -> str:
    """A value in one line: the numbers where they are few, else the shape."""
    if value.form in (Form.GRID, Form.LARGE):
        return value.shape
    return " ".join(line.strip() for line in value.lines)
