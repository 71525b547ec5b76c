"""Painting the backward graph of the autograd drawing: arrows, discs with what was saved, Function nodes."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPolygonF

from chalkgrad.stepwise import Stepwise, finished, share
from chalkgrad_app.picture.anatomy import ROW, Box
from chalkgrad_app.picture.autograd_brief import write_row
from chalkgrad_app.picture.batch import draw_lines, draw_rects
from chalkgrad_app.picture.brush import (
    DASHES,
    DOTS,
    HATCH,
    body_path,
    elided,
    fitting,
    hatch,
    measure,
    mixed,
    pen,
    width_of,
    write,
)
from chalkgrad_app.picture.far_wires import are_smooth
from chalkgrad_app.picture.function_face import FunctionFace, function_face
from chalkgrad_app.picture.function_layer import ABOVE_LINES, HEADER, LINE, LONGEST, WIDTH, FunctionLayer
from chalkgrad_app.picture.function_ways import is_among
from chalkgrad_app.picture.look import CLOSE, PORTION, Level, Look
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.rings import paint_ring
from chalkgrad_app.style.fonts import mono_font, ui_font
from chalkgrad_app.style.theme import Theme

TINT, ROUND, EDGE = 0.22, 10.0, 2.2
BEND, HEAD = 8.0, 8.0
"""Radius of an arrow's bends, and length of its head."""
IN_TWO, ENDINGS = 26, ("Backward0", "Grad")
"""A name that would be smaller where it stands alone, or has no room, has two lines, one of these the second."""
LINE_OF_TWO = 1.2
"""How high each of them is at most, in sizes of its text."""
TIP = 9.0
"""How far the left end of a node's header points out."""
FURTHER_HATCH = 8.0
"""How deep the hatched edge of an error is from some distance: as that of a card."""
FAR_RING, FAR_ERROR = 2.0, 2.0
"""From afar: pixels between a node and its ring, and width of the line around one at which an error shows."""
MIDDLE_NAME, FAR_NAME, BRIEF, CTX = 20, 34, 18, 20
"""From some distance: the name, where it stands alone, the rows, and what is written on a disc."""

SOMEWHAT = 0.75
"""Of the size of text that is surely read, a whole name may have so much."""


def painting_functions(painter: QPainter, picture: Picture, look: Look, scene: QRectF) -> Stepwise[None]:
    """Paint what of the backward graph touches ``scene``, in steps."""
    layer = picture.functions
    if not layer.keys:
        return
    rows = layer.among(layer.within(scene.adjusted(-120, -16, 16, 16)), look.only)
    if look.level is Level.FAR:
        _paint_far(painter, picture, look, rows)
        _paint_ring(painter, picture, look, rows)
        return
    painter.save()
    try:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.scale(look.zoom, look.zoom)
        painter.translate(-look.origin[0], -look.origin[1])
        yield from share(_painting_arrows(painter, picture, look, scene, look.lifted, among=False), 0.0, 0.5)
        for place, row in enumerate(rows.tolist()):
            _paint_node(painter, picture, row, look)
            if place % PORTION == 0:
                yield 0.5 + 0.5 * place / len(rows)
    finally:
        painter.restore()
    _paint_ring(painter, picture, look, rows)


def _paint_ring(painter: QPainter, picture: Picture, look: Look, rows: np.ndarray) -> None:
    """The ring around the node that is selected; from afar, where it would lie on its edge, some pixels further out."""
    layer, is_far = picture.functions, look.level is Level.FAR
    around = FAR_RING / look.zoom if is_far else 0.0
    for row in rows.tolist():
        if look.node == layer.number(row):
            rect = layer.rect(layer.keys[row]).adjusted(-around, -around, around, around)
            paint_ring(painter, rect, 0.0 if is_far else ROUND, look)


# ---------------------------------------------------------------- arrows


def paint_arrows_of(painter: QPainter, picture: Picture, look: Look, ids: Collection[int]) -> None:
    """Paint the arrows that begin or end at these cards."""
    if look.level is Level.FAR or not picture.functions.keys:
        return
    painter.save()
    try:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.scale(look.zoom, look.zoom)
        painter.translate(-look.origin[0], -look.origin[1])
        everywhere = picture.bounds()
        finished(_painting_arrows(painter, picture, look, everywhere, ids, among=True))
    finally:
        painter.restore()


def _painting_arrows(
    painter: QPainter, picture: Picture, look: Look, scene: QRectF, ids: Collection[int], among: bool
) -> Stepwise[None]:
    """Paint the arrows that touch ``scene``, in steps: those of the cards ``ids``, or (not ``among``) all others."""
    layer, theme = picture.functions, look.theme
    drawn = picture.function_ways
    if not drawn.arrows:
        return
    ink = theme.color("function_ink")
    width = max(1.5, 0.9 / look.zoom)
    within = drawn.within(scene).tolist()
    for done, place in enumerate(within):
        if done % PORTION == 0:
            yield done / len(within)
        arrow = drawn.arrows[place]
        if (arrow.card in ids) != among or (look.only is not None and not is_among(arrow, layer, look.only)):
            continue
        row = arrow.source if arrow.source >= 0 else arrow.target
        coming = bool(layer.to_come[row])
        number = layer.number(row)
        values = picture.state.saved_by(number) if arrow.saves and number < len(picture.state.nodes) else ()
        freed = bool(values) and values[0].freed
        color = theme.color("ghost") if coming else ink
        chosen = look.node is not None and look.node == number
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(color, 2 * width if chosen else width, DOTS if coming else DASHES if freed else None))
        points = drawn.corners_of(place)
        painter.drawPath(bent(points))
        if len(points) > 1:
            _paint_head(painter, points[-2], points[-1], color, HEAD)


def bent(points: list[QPointF]) -> QPainterPath:
    """A way with round bends."""
    path = QPainterPath(points[0])
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        path.lineTo(_towards(corner, before))
        path.quadTo(corner, _towards(corner, after))
    path.lineTo(points[-1])
    return path


def _towards(corner: QPointF, end: QPointF) -> QPointF:
    """A point near ``corner`` on the way to ``end``: where a bend begins."""
    way = end - corner
    length = max(abs(way.x()) + abs(way.y()), 1e-6)
    return corner + way * (min(BEND, length / 2) / length)


def _paint_head(painter: QPainter, before: QPointF, tip: QPointF, color: QColor, size: float) -> None:
    way = tip - before
    length = max(float(np.hypot(way.x(), way.y())), 1e-6)
    along = way * (size / length)
    aside = QPointF(-along.y(), along.x()) * 0.45
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(color))
    painter.drawPolygon(QPolygonF([tip, tip - along + aside, tip - along - aside]))


# ---------------------------------------------------------------- nodes


def _paint_node(painter: QPainter, picture: Picture, row: int, look: Look) -> None:
    layer, theme = picture.functions, look.theme
    said = function_face(picture, row)
    if said.saved:
        _paint_disc(painter, layer.disc(row), said, look)
    painter.save()
    try:
        painter.translate(layer.x[row], layer.y[row])
        rect = QRectF(0, 0, WIDTH, layer.h[row])
        are_read = look.reads_rows
        band = HEADER if are_read else rect.height()
        if not said.to_come:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QBrush(mixed(theme.color("card"), theme.color("function"), TINT)))
            painter.drawPath(_outline(rect, band))
            painter.setBrush(QBrush(theme.color("function")))
            painter.drawPath(_header(rect, band))
        _paint_name(painter, said, band, look)
        if look.shows_rows:
            _paint_rows(painter, layer, row, said, theme)
        elif are_read:
            _paint_brief(painter, layer, row, said, look)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(
            pen(theme.color("ghost"), 1.6, DOTS) if said.to_come else pen(theme.color("function_edge"), EDGE)
        )
        painter.drawPath(_outline(rect.adjusted(1, 1, -1, -1), band))
        if said.failed:
            hatch(painter, rect, theme.color("error_ink"), HATCH if look.shows_rows else FURTHER_HATCH)
    finally:
        painter.restore()


def _outline(rect: QRectF, band: float) -> QPainterPath:
    """A round rectangle, its header pointed to the left: a Function."""
    body = body_path(rect, ROUND)
    tip = QPainterPath(QPointF(rect.left(), rect.top() + band * 0.24))
    tip.lineTo(rect.left() - TIP, rect.top() + band / 2)
    tip.lineTo(rect.left(), rect.top() + band * 0.76)
    tip.closeSubpath()
    return body.united(tip)


def _header(rect: QRectF, band: float) -> QPainterPath:
    """The upper part of a Function, down to ``band``."""
    upper = QPainterPath()
    upper.addRect(QRectF(rect.left() - TIP, rect.top(), rect.width() + TIP, band))
    return _outline(rect, band).intersected(upper)


def _paint_name(painter: QPainter, said: FunctionFace, band: float, look: Look) -> None:
    size = 14 if look.shows_rows else MIDDLE_NAME if band == HEADER else FAR_NAME
    least = 13 if look.shows_rows else look.least
    lines, font = [said.name], fitting(said.name, ui_font, WIDTH - 16, max(size, least), least, True)
    ending = next((ending for ending in ENDINGS if said.name.endswith(ending)), "")
    is_long = font.pixelSize() < IN_TWO or measure(font).horizontalAdvance(said.name) > WIDTH - 16
    if band != HEADER and is_long and ending:
        lines = [said.name.removesuffix(ending), ending]
        font = ui_font(max(IN_TWO, look.least), True)
        if width_of(lines[0], font) > WIDTH - 16:  # rather somewhat small than cut
            font = fitting(lines[0], ui_font, WIDTH - 16, font.pixelSize(), round(SOMEWHAT * look.least), False)
        if measure(font).horizontalAdvance(ending) > WIDTH - 16:
            del lines[1]
    ink = look.theme.color("muted" if said.to_come else "function_text")
    high = min(LINE_OF_TWO * font.pixelSize(), band / len(lines))
    for place, line in enumerate(lines):
        text = elided(line, font, WIDTH - 16)
        left = (WIDTH - measure(font).horizontalAdvance(text)) / 2
        write(painter, text, font, ink, left, band / 2 + 0.5 + (place - (len(lines) - 1) / 2) * high)


def _paint_disc(painter: QPainter, disc: QRectF, said: FunctionFace, look: Look) -> None:
    """What was saved, and whether it is still there."""
    theme = look.theme
    if said.to_come:
        painter.setPen(pen(theme.color("ghost"), 1.6, DOTS))
        painter.setBrush(Qt.BrushStyle.NoBrush)
    elif said.freed:
        painter.setPen(pen(theme.color("function_ink"), 1.8, DASHES))
        painter.setBrush(Qt.BrushStyle.NoBrush)
    else:
        painter.setPen(pen(theme.color("function_edge"), EDGE))
        painter.setBrush(QBrush(mixed(theme.color("card"), theme.color("function"), TINT)))
    painter.drawEllipse(disc.adjusted(1, 1, -1, -1))
    font = ui_font(14 if look.shows_rows else max(CTX, look.least), True)
    ink = theme.color("muted" if said.to_come or said.freed else "ink")
    width = measure(font).horizontalAdvance("ctx")
    if width < disc.width():
        write(painter, "ctx", font, ink, disc.center().x() - width / 2, disc.center().y())


def _paint_rows(painter: QPainter, layer: FunctionLayer, row: int, said: FunctionFace, theme: Theme) -> None:
    ink = theme.color("muted" if said.to_come or said.freed else "ink")
    if layer.accumulates[row]:
        _paint_box(painter, layer.saved_box(), [f"variable = {said.variable}"], ink, said, theme)
        return
    names = ", ".join(said.saved) + ("," if len(said.saved) == 1 else "")
    _paint_box(painter, layer.saved_box(), [f"saved_tensors = ({names})"], ink, said, theme, hollow=said.freed)
    lines = [f"  {each}," for each in said.functions[:LONGEST]]
    if len(said.functions) > LONGEST:
        lines.append(f"  … {len(said.functions) - LONGEST} more")
    lines[-1] = f"{lines[-1].rstrip(',')}{',' if len(lines) == 1 else ''})"
    ink = theme.color("muted" if said.to_come else "ink")
    _paint_box(painter, layer.functions_box(row), ["next_functions = (", *lines], ink, said, theme)


def _paint_brief(painter: QPainter, layer: FunctionLayer, row: int, said: FunctionFace, look: Look) -> None:
    """Seen from some distance: the same rows, each of the ``next_functions`` where its arrow begins."""
    theme, least, box = look.theme, int(look.least * CLOSE), layer.saved_box()
    ink = theme.color("muted" if said.to_come or said.freed else "ink")
    _paint_ground(painter, box, said, theme, said.freed)
    at = Box(box.left(), box.top() + (box.height() - ROW) / 2, box.width(), ROW)
    if layer.accumulates[row]:
        write_row(painter, "variable", said.variable, at, ink, theme, least)
        return
    names = f"({', '.join(said.saved)})"
    write_row(painter, "saved_tensors", names, at, ink, theme, least)
    box, ink = layer.functions_box(row), theme.color("muted" if said.to_come else "ink")
    _paint_ground(painter, box, said, theme, False)
    lines = ["next_functions", *said.functions[:LONGEST]]
    for place, line in enumerate(lines):
        left = box.left() + 8 + (8 if place else 0)
        font = fitting(line, ui_font, box.right() - left - 4, max(BRIEF, least), least, False)
        middle = box.top() + ABOVE_LINES + LINE * (place + 0.5)
        write(painter, elided(line, font, box.right() - left - 4), font, ink, left, middle)


def _paint_box(
    painter: QPainter,
    box: QRectF,
    lines: list[str],
    ink: QColor,
    said: FunctionFace,
    theme: Theme,
    hollow: bool = False,
) -> None:
    """Some lines on white; hollow and dashed where what they speak of was freed."""
    _paint_ground(painter, box, said, theme, hollow)
    step = min(LINE, box.height() / len(lines))
    top = box.top() + (box.height() - step * len(lines)) / 2
    for place, line in enumerate(lines):
        shown = elided(line, mono_font(12), box.width() - 12)
        write(painter, shown, mono_font(12), ink, box.left() + 7, top + step * (place + 0.5))


def _paint_ground(painter: QPainter, box: QRectF, said: FunctionFace, theme: Theme, hollow: bool) -> None:
    """The white that a node writes on; a dashed edge around nothing where what it speaks of was freed."""
    if said.to_come:
        return
    painter.setPen(pen(theme.color("function_ink" if hollow else "row_line"), 1.2, DASHES if hollow else None))
    painter.setBrush(QBrush() if hollow else QBrush(theme.color("card")))
    painter.drawRoundedRect(box, 4, 4)


# ---------------------------------------------------------------- far


def _paint_far(painter: QPainter, picture: Picture, look: Look, rows: np.ndarray) -> None:
    """Thin arrows, then a filled rectangle a node."""
    layer, lines = picture.functions, picture.function_ways.seen(0.5 / look.zoom)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, are_smooth(picture))
    painter.setPen(pen(look.theme.color("function_ink"), 0))
    draw_lines(painter, (lines - np.tile(look.origin, 2)) * look.zoom)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    rects = np.stack([layer.x, layer.y, layer.w, layer.h], axis=1)[rows] * look.zoom
    rects[:, :2] -= np.array(look.origin) * look.zoom
    coming = layer.to_come[rows]
    painter.setPen(pen(look.theme.color("function_edge"), 0))
    painter.setBrush(QBrush(look.theme.color("function")))
    draw_rects(painter, rects[~coming])
    painter.setPen(pen(look.theme.color("ghost"), 0, DOTS))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    draw_rects(painter, rects[coming])
    if failed := picture.state.failed_nodes:
        painter.setPen(pen(look.theme.color("error_ink"), FAR_ERROR))
        draw_rects(painter, rects[[layer.number(row) in failed for row in rows.tolist()]])
