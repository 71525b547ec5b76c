"""Painting the graph of the gradient: its bands, edges and nodes, in three levels of detail.

Nodes point where the gradient goes, to the left. Which derivative one belongs to is told by its label, the bars at its
back, the lines of its edges (one, two, three beside each other) and how deep its tint is.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter, QPainterPath, QPen

from chalkgrad.session.state import Saved
from chalkgrad_app.picture.anatomy import FOOT, HEADER, ROW
from chalkgrad_app.picture.batch import draw_lines, draw_rects
from chalkgrad_app.picture.brush import (
    DASHES,
    DOTS,
    elided,
    fitting,
    measure,
    mixed,
    pen,
    shortened,
    write,
    write_right,
)
from chalkgrad_app.picture.curves import wire_path
from chalkgrad_app.picture.gradient_columns import HEIGHT
from chalkgrad_app.picture.gradient_layer import TITLE, Band, GradientLayer
from chalkgrad_app.picture.gradient_links import Link
from chalkgrad_app.picture.look import LEAST, Level, Look
from chalkgrad_app.picture.node_arrays import NODE
from chalkgrad_app.picture.node_face import NodeFace, forget_names, node_face
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.rings import paint_ring
from chalkgrad_app.picture.wires import COARSE, FINE, boxes, flatten, lines_within
from chalkgrad_app.style.fonts import mono_font, ui_font
from chalkgrad_app.style.theme import Theme

TIP = 12.0
"""How far a node's left end is pointed."""
BAR, BARS = 3.0, 3
"""Width of a bar at a node's back, and of how many derivatives bars and lines tell."""
TINTS = (0.14, 0.26, 0.38)
LINES = ((1.8,), (4.6, 1.8), (7.4, 4.6, 1.8))
"""Widths of the strokes of one, two and three lines beside each other: edge, ground, edge ..."""
HEAD = 10.0
"""Length of an arrow's head."""
QUIET = 0.5
BETWEEN = 0.44
"""From line to line in a node that is seen from further off, in heights of the node."""
LEAST_NAME = 44.0
"""Room that a grad_fn's name keeps beside what the value is the gradient of."""
MIDDLE_SIZE = 22
"""From some distance a formula is so large, or smaller to have room."""
BETWEEN_LINES = 12.0


TITLE_BELOW = 0.56
"""From the middle of a band's title to its nodes at least, in sizes."""


def paint_layer(painter: QPainter, picture: Picture, look: Look, rect: QRectF) -> None:
    """Paint what of the layer touches ``rect`` of the painter."""
    forget_names(picture)
    layer, scene = picture.gradients, look.to_scene(rect)
    bands = layer.bands_among(look.only)
    if not bands:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    for band in bands:
        if band.rect.intersects(scene):
            _paint_band(painter, picture, band, look)
    rows = layer.within(scene.adjusted(-8, -8, 8, 8))
    if look.only is not None:
        rows = rows[[any(band.holds(row) for band in bands) for row in rows.tolist()]]
    if look.level is Level.FAR:
        _paint_far(painter, layer, look, rows)
        return
    _paint_links(painter, picture, look, rect, bands)
    for band in bands:
        if band.title.intersects(scene):
            _paint_title(painter, picture, band, look)
    for row in rows.tolist():
        _paint_node(painter, picture, row, look)


def band_words(picture: Picture, band: Band, look: Look, font: QFont, room: float) -> str:
    """The title of a band: which derivative, the line that asked for it, how many nodes; what fits."""
    line = picture.program.lines.get(band.statement, 0)
    count = look.words.nodes.format(n=band.count) if band.count != 1 else look.words.one_node
    parts = look.words.derivative(band.order), look.words.line.format(n=line), count
    titles = (" · ".join(parts[:kept]) for kept in range(len(parts), 0, -1))
    fits = (title for title in titles if measure(font).horizontalAdvance(title) <= room)
    return next(fits, "") or elided(parts[0], font, room)


# ---------------------------------------------------------------- bands


def tint(theme: Theme, order: int) -> QColor:
    """The ground of nodes of one derivative: the colour of Functions, deeper for a higher one."""
    return mixed(theme.color("card"), theme.color("function"), TINTS[min(order, BARS) - 1])


def _ground(theme: Theme) -> QColor:
    return mixed(theme.color("canvas"), theme.color("function"), 0.06)


def _paint_band(painter: QPainter, picture: Picture, band: Band, look: Look) -> None:
    theme, rect = look.theme, look.rect(band.rect)
    to_come = band.start > picture.state.position
    painter.setBrush(QBrush(_ground(theme)))
    painter.setPen(
        pen(theme.color("ghost" if to_come else "function_edge"), max(1.0, look.zoom), DOTS if to_come else None)
    )
    painter.drawRoundedRect(rect, 8 * look.zoom, 8 * look.zoom)
    if look.level is Level.FAR:
        _paint_title(painter, picture, band, look)


def _paint_title(painter: QPainter, picture: Picture, band: Band, look: Look) -> None:
    """What a band is, on ground of its own, where there is room: edges of the layer may pass there."""
    theme, rect = look.theme, look.rect(band.rect)
    to_come = band.start > picture.state.position
    size = max(13.0 * look.zoom, LEAST * look.text_scale)
    if not band.folded and TITLE * look.zoom < size:
        return  # its nodes would lie on the words
    font, ink = ui_font(size, True), theme.color("ghost" if to_come else "ink")
    left, room = rect.left() + size, TITLE * look.zoom
    middle = rect.top() + (max(room, 1.4 * size) / 2 if band.folded else min(room / 2, room - TITLE_BELOW * size))
    words = band_words(picture, band, look, font, rect.width() - 3 * size)
    ground = QRectF(
        left - size * 0.6, middle - size * 0.8, measure(font).horizontalAdvance(words) + 2 * size, size * 1.6
    )
    edge = rect.top() + max(1.0, look.zoom)  # all round the band
    painter.fillRect(ground.intersected(rect).adjusted(0, max(0.0, edge - ground.top()), 0, 0), _ground(theme))
    _paint_arrow(painter, QPointF(left, middle), size * 0.32, band.folded, ink)
    write(painter, words, font, ink, left + size, middle)


def _paint_arrow(painter: QPainter, at: QPointF, reach: float, folded: bool, ink: QColor) -> None:
    """The arrow of what is folded, or open."""
    corners = [(-0.6, -1.0), (0.9, 0.0), (-0.6, 1.0)] if folded else [(-1.0, -0.6), (1.0, -0.6), (0.0, 0.9)]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(ink))
    painter.drawPolygon([at + QPointF(x * reach, y * reach) for x, y in corners])


# ---------------------------------------------------------------- edges


def link_path(layer: GradientLayer, place: int) -> QPainterPath:
    """The curve of an edge in canvas units."""
    return wire_path(layer.cubics[layer.pieces_of([place])])


def _paint_links(painter: QPainter, picture: Picture, look: Look, rect: QRectF, bands: Collection[Band]) -> None:
    layer, scene = picture.gradients, look.to_scene(rect)
    left, top, right, bottom = boxes(layer.cubics).T if len(layer.cubics) else np.zeros((4, 0))
    near = (left <= scene.right()) & (right >= scene.left()) & (top <= scene.bottom()) & (bottom >= scene.top())
    groups: dict[tuple[int, bool, bool], list[int]] = {}
    for place in sorted(set(layer.piece_link[near].tolist())):
        link = layer.links[place]
        if look.only is not None and not _is_within(picture, link, bands, look.only):
            continue
        reads = link.source < 0
        kind = (int(layer.orders[link.target if reads else link.source]), _is_to_come(picture, link), reads)
        groups.setdefault(kind, []).append(place)
    for (order, to_come, reads), places in groups.items():
        if reads and not to_come and not look.vector:
            _paint_reads(painter, layer.cubics[layer.pieces_of(places)], look, rect)
            continue
        path = QPainterPath()
        for place in places:
            path.addPath(wire_path(layer.cubics[layer.pieces_of([place])], look))
        _stroke(painter, path, order, to_come, reads, look)
        if picture.drawing.down:
            _paint_heads(painter, layer, [place for place in places if layer.links[place].leads_here], to_come, look)


def _paint_heads(painter: QPainter, layer: GradientLayer, places: Collection[int], to_come: bool, look: Look) -> None:
    """The heads of arrows to nodes: from a ``grad_fn``, or from the ``next_functions`` of another node."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(look.theme.color("ghost" if to_come else "function_ink")))
    for place in places:
        tip = look.point(*layer.ends[place, :2].tolist())
        back, aside = tip.x() - HEAD * look.zoom, 0.45 * HEAD * look.zoom
        painter.drawPolygon([tip, QPointF(back, tip.y() - aside), QPointF(back, tip.y() + aside)])


def _is_within(picture: Picture, link: Link, bands: Collection[Band], only: Collection[int]) -> bool:
    """True for an edge whose nodes are all in these bands, or beside these cards."""
    if link.number >= 0 and picture.functions.cards[picture.functions.index[NODE, link.number]] not in only:
        return False
    return all(any(band.holds(row) for band in bands) for row in (link.source, link.target) if row >= 0)


def _paint_reads(painter: QPainter, cubics: np.ndarray, look: Look, rect: QRectF) -> None:
    """What is read of the forward computation, as quiet lines: there may be many, and they are long."""
    points = flatten((cubics - np.tile(look.origin, 4)) * look.zoom, FINE)
    painter.setPen(_quiet(look))
    draw_lines(painter, lines_within(points, (rect.left() - 3, rect.top() - 3, rect.right() + 3, rect.bottom() + 3)))


def _quiet(look: Look) -> QPen:
    colour = QColor(look.theme.color("wire"))
    colour.setAlphaF(QUIET)
    return pen(colour, max(0.75, 1.25 * look.zoom))


def _is_to_come(picture: Picture, link: Link) -> bool:
    """True while one of its ends is not there yet."""
    if link.number >= 0 and picture.functions.to_come[picture.functions.index[NODE, link.number]]:
        return True
    return picture.gradients.is_to_come(link.row)


def _stroke(painter: QPainter, path: QPainterPath, order: int, to_come: bool, reads: bool, look: Look) -> None:
    """One, two or three lines beside each other; what is read of the forward computation is one quiet line."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if to_come:
        painter.strokePath(path, pen(look.theme.color("ghost"), 1.6 * look.zoom, DOTS))
        return
    if reads:
        painter.strokePath(path, _quiet(look))
        return
    for place, width in enumerate(LINES[min(order, BARS) - 1]):
        colour = look.theme.color("function_ink") if place % 2 == 0 else _ground(look.theme)
        painter.strokePath(path, pen(colour, width * look.zoom))


# ---------------------------------------------------------------- nodes


def node_path(width: float) -> QPainterPath:
    """The outline of a node so wide, from its upper left corner: it points to the left."""
    path = QPainterPath(QPointF(0, HEIGHT / 2))
    for x, y in ((TIP, 0), (width, 0), (width, HEIGHT), (TIP, HEIGHT)):
        path.lineTo(x, y)
    path.closeSubpath()
    return path


def _paint_node(painter: QPainter, picture: Picture, row: int, look: Look) -> None:
    layer = picture.gradients
    face = node_face(picture, row)
    painter.save()
    try:
        painter.translate(look.point(float(layer.x[row]), float(layer.y[row])))
        painter.scale(look.zoom, look.zoom)
        width = float(layer.w[row])
        _paint_body(painter, face, width, look.theme)
        (_paint_near if look.level is Level.NEAR else _paint_middle)(painter, face, width, look)
    finally:
        painter.restore()
    if face.number == look.node:
        paint_ring(painter, layer.rect((NODE, face.number)), 0.0, look)


def _paint_body(painter: QPainter, face: NodeFace, width: float, theme: Theme) -> None:
    if face.to_come:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(theme.color("ghost"), 1.5, DOTS))
        painter.drawPath(node_path(width))
        return
    painter.setBrush(QBrush(tint(theme, face.order)))
    painter.setPen(pen(theme.color("function_edge"), 1.5))
    painter.drawPath(node_path(width))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(theme.color("function_edge")))
    for bar in range(min(face.order, BARS)):
        painter.drawRect(QRectF(width - (2 * bar + 1) * BAR - 1, 1, BAR, HEIGHT - 2))


def _paint_near(painter: QPainter, face: NodeFace, width: float, look: Look) -> None:
    theme = look.theme
    ink = theme.color("ghost" if face.to_come else "ink")
    left, right = TIP + 8.0, width - 2 * BARS * BAR
    label = look.words.ordinal(face.order)
    taken = write_right(painter, label, ui_font(11), ink, right, HEADER / 2, mono_font(13))
    _paint_formula(painter, face.title, left, right - taken - 6, ink)
    middle = HEADER + ROW / 2
    if face.to_come:
        write(painter, look.words.to_come, ui_font(12), ink, left, middle)
    else:
        shape = write_right(painter, face.shape, mono_font(11), theme.color("ink"), right, middle, mono_font(13))
        write(painter, elided(face.value, mono_font(13), right - shape - left - 8), mono_font(13), ink, left, middle)
    _paint_foot(painter, face, theme, ink, left, right)


def _paint_formula(painter: QPainter, title: str, left: float, right: float, ink: QColor) -> None:
    """The formula of a node in a line, or in two smaller ones where it is longer."""
    if measure(mono_font(13)).horizontalAdvance(title) <= right - left:
        write(painter, title, mono_font(13), ink, left, HEADER / 2)
        return
    font = mono_font(12)
    for place, line in enumerate(in_two(title, int((right - left) / measure(font).horizontalAdvance("0")))):
        write(
            painter, elided(line, font, right - left), font, ink, left, HEADER / 2 + (place - 0.5) * BETWEEN_LINES + 2
        )


def in_two(formula: str, most: int) -> list[str]:
    """A formula in two lines of ``most`` characters: broken before an operator, the outermost one that does."""
    depth, found = 0, []
    for at, sign in enumerate(formula):
        depth += (sign == "(") - (sign == ")")
        is_operator = sign in "+-*/@" and formula[at - 1 : at] == " " and at <= most + 1
        if is_operator and len(formula) - at <= most:
            found.append((depth, -at, at))
    at = min(found)[2] if found else formula.rfind(" ", 0, most + 1) + 1 or most
    return [formula[:at].rstrip(), formula[at:]]


def _paint_foot(painter: QPainter, face: NodeFace, theme: Theme, ink: QColor, left: float, right: float) -> None:
    """The grad_fn with what became of what it saved, and what the value is the gradient of, or else its count."""
    middle, font = HEADER + ROW + FOOT / 2 - 2, mono_font(11)
    if face.gradient:
        text = elided(face.gradient, font, right - left - LEAST_NAME)
        room = measure(font).horizontalAdvance(text) + 10
        pill = QRectF(right - room, middle - 8, room, 16)
        painter.setPen(pen(theme.color("grad_ink"), 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush if face.to_come else QBrush(theme.color("card")))
        painter.drawRoundedRect(pill, 8, 8)
        write(painter, text, font, theme.color("grad_ink"), pill.left() + 5, middle)
        right = pill.left() - 6
    else:
        right -= write_right(painter, face.mark, font, ink, right, middle) + 6
    box = 15 if face.saved in (Saved.KEPT, Saved.FREED) else 0
    width = write(painter, elided(f"ƒ {face.function}", font, right - left - box), font, ink, left, middle)
    if box:
        kept = face.saved is Saved.KEPT
        painter.setPen(pen(theme.color("function_edge"), 1.2, None if kept else DASHES))
        painter.setBrush(QBrush(theme.color("function")) if kept else Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(left + width + 6, middle - 4, 9, 8))


def _paint_middle(painter: QPainter, face: NodeFace, width: float, look: Look) -> None:
    """From further off: what it is the gradient of, or the operator with its count, and the value, large.

    Where two lines would lie on each other it says alone what it is.
    """
    ink = look.theme.color("ghost" if face.to_come else "ink")
    left, most = TIP + 4.0, max(MIDDLE_SIZE, look.least)
    room = width - left - 2 * BARS * BAR
    title = face.gradient or face.title
    font = fitting(title, mono_font, room, most, look.least, False)
    if look.least > BETWEEN * HEIGHT:
        write(painter, elided(title, font, room), font, ink, left, HEIGHT / 2)
        return
    upper, lower = HEIGHT * (1 - BETWEEN) / 2, HEIGHT * (1 + BETWEEN) / 2
    write(painter, elided(title, font, room), font, ink, left, upper)
    if not face.gradient and look.least <= MIDDLE_SIZE:
        room -= write_right(painter, face.mark, mono_font(look.least), ink, left + room, lower) + 6
    font = fitting(face.value, mono_font, room, most, look.least, False)
    write(painter, shortened(face.value, font, room), font, ink, left, lower)


def _paint_far(painter: QPainter, layer: GradientLayer, look: Look, rows: np.ndarray) -> None:
    """From afar: thin edges where they run, but not what is read, and a mark a node."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    links = [place for place, link in enumerate(layer.links) if link.source >= 0]
    points = flatten(layer.cubics[layer.pieces_of(links)], COARSE)
    lines = np.concatenate([points[:, :-1], points[:, 1:]], axis=2).reshape(-1, 4)
    painter.setPen(pen(look.theme.color("function_ink"), 0))
    draw_lines(painter, (lines - np.tile(look.origin, 2)) * look.zoom)
    for there, role in ((~layer.to_come[rows], "function"), (layer.to_come[rows], "ghost")):
        chosen = rows[there]
        marks = np.stack([layer.x[chosen], layer.y[chosen], layer.w[chosen], layer.h[chosen]], axis=1)
        marks[:, :2] -= look.origin
        painter.setPen(pen(look.theme.color(role), 0))
        painter.setBrush(QBrush(look.theme.color(role)) if role == "function" else Qt.BrushStyle.NoBrush)
        draw_rects(painter, marks * look.zoom)
    if look.node is not None and (NODE, look.node) in layer:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        paint_ring(painter, layer.rect((NODE, look.node)), 0.0, look)
