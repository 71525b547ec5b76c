"""Painting folded nodes: a pile of cards with a title, named ports, and what is the matter with what it holds."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QFont, QPainter

from chalkgrad_app.picture.anatomy import HEADER
from chalkgrad_app.picture.brush import (
    DOTS,
    elided,
    fitting,
    measure,
    octagon,
    pen,
    shortened,
    width_of,
    write,
    write_right,
)
from chalkgrad_app.picture.card_parts import hues, port_dot
from chalkgrad_app.picture.folding import FOOT, PILE, Fold, FoldPort
from chalkgrad_app.picture.frames import TITLE_SIZE, hue_role, tint
from chalkgrad_app.picture.look import Level, Look
from chalkgrad_app.picture.marks import ERROR_SIZE, Fact
from chalkgrad_app.picture.middle_paint import brief
from chalkgrad_app.picture.rings import paint_ring
from chalkgrad_app.style.fonts import mono_font, ui_font

MIDDLE_SIZE = 20


def paint_fold(painter: QPainter, fold: Fold, look: Look) -> None:
    """A pile of cards with a title, named ports, how many cards it holds, and what is the matter with them."""
    selected = [id_ in look.selection for id_ in fold.hides]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.save()
    try:
        painter.translate(look.point(fold.rect.left(), fold.rect.top()))
        painter.scale(look.zoom, look.zoom)
        _paint_pile(painter, fold, look)
        if look.level is Level.FAR:
            _paint_far_marks(painter, fold, look)
        elif look.level is Level.MIDDLE:
            _paint_middle(painter, fold, look)
        else:
            _paint_fold_title(painter, fold, look)
            _paint_foot(painter, fold, look)
            _paint_ports(painter, fold, look, named=True)
    finally:
        painter.restore()
    if look.focus in fold.hides or not look.flashing.isdisjoint(fold.hides):
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(look.theme.color("focus"), 2.0))
        painter.drawRoundedRect(look.rect(fold.rect.adjusted(-10, -10, 10, 10)), 16 * look.zoom, 16 * look.zoom)
    if any(selected):
        paint_ring(painter, fold.pile, 6.0, look)


def _paint_pile(painter: QPainter, fold: Fold, look: Look) -> None:
    theme = look.theme
    body = fold.behind(0.0)
    edge = pen(theme.color(hue_role(fold.hue) or "frame_edge"), 1.5)
    painter.setPen(pen(theme.color("ghost"), 1.5, DOTS) if fold.is_ghost else edge)
    for distance in (2 * PILE, PILE, 0.0):
        painter.setBrush(QBrush(theme.color("canvas" if fold.is_ghost else "card")))
        painter.drawRoundedRect(fold.behind(distance), 6, 6)
    if not fold.is_ghost:
        painter.setBrush(QBrush(tint(fold.hue, look)))
        painter.drawRoundedRect(body, 6, 6)


def _paint_fold_title(painter: QPainter, fold: Fold, look: Look) -> None:
    size = max(TITLE_SIZE, look.least)
    font = mono_font(size) if fold.block else ui_font(size, True)
    title, middle = _titled(fold, font, fold.rect.width() - 20, "▸ "), fold.above + HEADER / 2
    write(painter, title, font, look.theme.color("ink"), 10, middle)
    if not fold.above and not fold.below:
        painter.setPen(pen(look.theme.color("row_line"), 1.0))
        painter.drawLine(QPointF(1, HEADER), QPointF(fold.rect.width() - 1, HEADER))


def _titled(fold: Fold, font: QFont, room: float, sign: str = "") -> str:
    """The title as it has room: of a loop what it counts, where its heading is too long; else cut."""
    whole = sign + fold.title
    short = whole.split(" in ")[0] if fold.block else whole
    return whole if width_of(whole, font) <= room else elided(short, font, room)


def _paint_foot(painter: QPainter, fold: Fold, look: Look) -> None:
    """How many cards, and which of them has just run; how many have failed, how many have a gradient."""
    theme, size = look.theme, max(11, look.least)
    font, numbers = ui_font(size), mono_font(size)
    middle = fold.rect.height() - fold.below - FOOT / 2
    words = _counted(fold, look) + (f"  → {fold.current}" if fold.current else "")
    write(painter, elided(words, font, 84), font, theme.color("ink" if fold.current else "muted"), 10, middle)
    right = fold.rect.width() - 10
    if errors := fold.count(Fact.ERROR):
        right -= write_right(painter, str(errors), ui_font(size, True), theme.color("error_ink"), right, middle) + 9
        octagon(painter, QPointF(right, middle), 13, theme.color("error"), theme.color("error_text"))
        right -= 13
    if grads := fold.count(Fact.GRAD):
        text = f"grad {grads}"
        width = measure(numbers).horizontalAdvance(text) + 12
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(theme.color("grad")))
        half = max(8.0, 0.62 * size)
        painter.drawRoundedRect(QRectF(right - width, middle - half, width, 2 * half), half, half)
        write(painter, text, numbers, theme.color("grad_text"), right - width + 6, middle)


def _paint_middle(painter: QPainter, fold: Fold, look: Look) -> None:
    """From further off: the title large, then how many cards, and the marks of an error and of a gradient."""
    theme = look.theme
    size = max(MIDDLE_SIZE, look.least)
    width, height = fold.rect.width(), fold.rect.height()
    family = mono_font if fold.block else ui_font
    title = _titled(fold, family(look.least, not fold.block), width - 20)
    font = fitting(title, family, width - 20, size, look.least, not fold.block)
    write(painter, title, font, theme.color("ink"), 10, max(HEADER / 2 + 6, size * 0.7))
    middle = height - size * 0.7 - 4
    words = f"{len(fold.cards)}  → {fold.current}" if fold.current else str(len(fold.cards))
    write(painter, shortened(words, ui_font(size), 92), ui_font(size), theme.color("muted"), 14, middle)
    marks = 82 if fold.count(Fact.GRAD) else 54 if fold.count(Fact.ERROR) else 14
    _write_value(painter, fold, look, 24 + width_of(words, ui_font(size)), width - marks, middle)
    if fold.count(Fact.ERROR):
        octagon(painter, QPointF(width - 26, middle), 28, theme.color("error"), theme.color("error_text"))
    if fold.count(Fact.GRAD):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(theme.color("grad")))
        painter.drawEllipse(QPointF(width - 60, middle), 8, 8)
    _paint_ports(painter, fold, look, named=False)


def _write_value(painter: QPainter, fold: Fold, look: Look, left: float, right: float, middle: float) -> None:
    """The value of the one tensor that comes out, where it has room, ending at ``right``."""
    if len(fold.outputs) == 1 and not fold.outputs[0].room:
        for size in (max(MIDDLE_SIZE, look.least), look.least):
            if value := _value(fold.outputs[0], mono_font(size), right - left):
                write_right(painter, value, mono_font(size), look.theme.color("ink"), right, middle)
                return


def _paint_ports(painter: QPainter, fold: Fold, look: Look, named: bool) -> None:
    font, theme = mono_font(max(12, look.least)), look.theme
    for ports, across in ((fold.inputs, fold.outputs), (fold.outputs, fold.inputs)):
        for number, port in enumerate(ports):
            ink = theme.color("ghost") if fold.is_ghost else hues(theme, port.hue).edge
            fill = theme.color("grad_ink") if port.outlet[2] else ink
            port_dot(painter, QPointF(*port.at), fill, fill)
            if named:
                beside = _short(fold, across[number], font) if number < len(across) else ""
                _write_port(painter, fold, port, font, look, width_of(beside, font))


def _short(fold: Fold, port: FoldPort, font: QFont) -> str:
    """The name of a port as it has room: half of the node, or a room of its own."""
    return elided(port.name, font, port.room - 8 if port.room else fold.rect.width() / 2 - 16)


def _write_port(painter: QPainter, fold: Fold, port: FoldPort, font: QFont, look: Look, taken: float) -> None:
    """The name at a port; at one where a tensor comes out its value, too, if that has room beside what is ``taken``."""
    name, ink, right = _short(fold, port, font), look.theme.color("ink"), port.at[0] - 10
    if port.room:
        write(painter, name, font, ink, port.at[0] - width_of(name, font) / 2, port.down)
    elif not port.at[0]:
        write(painter, name, font, ink, 10, port.down)
    else:
        gap = font.pixelSize() * 0.7
        room = right - 10 - width_of(name, font) - gap - (taken + 2 * gap if taken else 0.0)
        if value := _value(port, font, room):
            right -= write_right(painter, value, font, look.theme.color("muted"), right, port.down) + gap
        write_right(painter, name, font, ink, right, port.down)


def _value(port: FoldPort, font: QFont, room: float) -> str:
    """A value in one line, or its shape, if there is room for it."""
    texts = () if port.value is None else (brief(port.value), port.value.shape)
    return next((text for text in texts if width_of(text, font) <= room), "")


def _paint_far_marks(painter: QPainter, fold: Fold, look: Look) -> None:
    """From afar: an octagon of a size that is seen, when something in it has failed."""
    if fold.count(Fact.ERROR):
        size = ERROR_SIZE / look.zoom
        octagon(
            painter,
            fold.rect.center() - fold.rect.topLeft(),
            size,
            look.theme.color("error"),
            look.theme.color("error_text"),
        )


def _counted(fold: Fold, look: Look) -> str:
    count = len(fold.cards)
    return look.words.one_card if count == 1 else look.words.cards.format(n=count)
