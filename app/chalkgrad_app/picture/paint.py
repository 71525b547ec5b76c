"""Painting a picture: functions of (painter, picture, look, rect), in three levels of detail, batched."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from chalkgrad.stepwise import Stepwise, finished, share
from chalkgrad_app.picture import board_paint, function_paint, gradient_paint, line_paint
from chalkgrad_app.picture.batch import draw_lines, draw_rects
from chalkgrad_app.picture.brush import DOTS, mixed, pen
from chalkgrad_app.picture.brushes import Brushes
from chalkgrad_app.picture.card_parts import ROUND
from chalkgrad_app.picture.curves import wire_path
from chalkgrad_app.picture.far_names import are_named
from chalkgrad_app.picture.far_wires import are_smooth, far_lines, passing
from chalkgrad_app.picture.look import PORTION, Level, Look
from chalkgrad_app.picture.marks import Fact
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.sprites import paint_card
from chalkgrad_app.picture.tags import paint_tags
from chalkgrad_app.picture.wires import COARSE, FINE, SEGMENTS, dots_within, flatten, lines_within

THIN_WIRE, THICK_WIRE = 1.25, 3.0
REACH = (72.0, 14.0, 14.0, 40.0)
"""How far fields, rings and error strip may reach beyond a card: left, top, right, bottom, in canvas units."""
FEW_WIRES = 100
"""Pictures of fewer wires are flattened finely: it takes no time."""


def visible_cards(picture: Picture, scene: QRectF) -> np.ndarray:
    """Indices of the cards that touch a rectangle of the canvas."""
    left, top, right, bottom = REACH
    return np.flatnonzero(
        ~picture.hidden
        & (picture.x - left <= scene.right())
        & (picture.x + picture.w + right >= scene.left())
        & (picture.y - top <= scene.bottom())
        & (picture.y + picture.h + bottom >= scene.top())
    )


def visible_wires(picture: Picture, scene: QRectF) -> np.ndarray:
    """Indices of the wires that may touch a rectangle of the canvas."""
    boxes = picture.boxes
    return np.flatnonzero(
        ~picture.wire_hidden
        & (boxes[:, 0] <= scene.right() + 8)
        & (boxes[:, 2] >= scene.left() - 8)
        & (boxes[:, 1] <= scene.bottom() + 16)
        & (boxes[:, 3] >= scene.top() - 16)
    )


def lies_in(picture: Picture, scene: QRectF) -> bool:
    """True where something other than wires lies in a rectangle of the canvas, at least in part."""
    rects = [QRectF(note.x, note.y, note.width, note.height) for note in picture.notes]
    rects += [frame.rect for frame in picture.frames] + [fold.rect for fold in picture.folds]
    if any(rect.intersects(scene) for rect in rects) or len(visible_cards(picture, scene)):
        return True
    return any(len(arrays.within(scene)) for arrays in picture.beside)


def deciding_cards(picture: Picture, scene: QRectF) -> tuple[np.ndarray, int]:
    """Indices of the cards that touch a rectangle of the canvas, then of others that say how wires and nodes look.

    And how many touch it.
    """
    cards, wires = visible_cards(picture, scene), visible_wires(picture, scene)
    others = np.zeros(len(picture.ids), bool)
    for rows in (picture.wire_source, picture.wire_target, picture.wire_tensor):
        others[rows[wires]] = True
    for arrays in picture.beside:
        others |= picture.among([arrays.cards[row] for row in arrays.within(scene).tolist()])
    others[cards] = False
    return np.concatenate([cards, np.flatnonzero(others)]), len(cards)


def is_loose(picture: Picture) -> bool:
    """True when all that a card's state bears on is the card itself and its wires."""
    return not (picture.frames or picture.folds or any(not arrays.bounds().isEmpty() for arrays in picture.beside))


def paint(painter: QPainter, picture: Picture, look: Look, rect: QRectF, brushes: Brushes) -> None:
    """Paint all that touches ``rect`` of the painter, except what is lifted, on a background already there."""
    finished(painting(painter, picture, look, rect, brushes))


def painting(painter: QPainter, picture: Picture, look: Look, rect: QRectF, brushes: Brushes) -> Stepwise[None]:
    """The same in steps, for a large picture that nobody sees meanwhile."""
    scene = look.to_scene(rect)
    cards, wires = picture.from_below(visible_cards(picture, scene)), visible_wires(picture, scene)
    if look.lifted:
        held = np.zeros(len(picture.ids), bool)
        held[picture.rows_of(look.lifted)] = True
        cards = cards[~held[cards]]
        wires = wires[~(held[picture.wire_source[wires]] | held[picture.wire_target[wires]])]
    if look.lifted_wires:
        lifted = [(picture.wires[row].target, picture.wires[row].port) in look.lifted_wires for row in wires.tolist()]
        wires = wires[~np.array(lifted, bool)]
    if look.only is not None:
        shown = np.zeros(len(picture.ids), bool)
        shown[picture.rows_of(look.only)] = True
        cards = cards[shown[cards]]
        wires = wires[shown[picture.wire_source[wires]] & shown[picture.wire_target[wires]]]
    board_paint.paint_frames(painter, picture, look, scene)
    gradient_paint.paint_layer(painter, picture, look, rect)
    board_paint.paint_notes(painter, picture, look, scene)
    yield from share(function_paint.painting_functions(painter, picture, look, scene), 0.0, 0.3)
    yield from share(line_paint.painting_lines(painter, picture, look, scene), 0.3, 0.4)
    yield from share(_painting_parts(painter, picture, look, rect, brushes, cards, wires, titles=True), 0.4, 1.0)
    named = look.level is Level.FAR and brushes.names is not None
    board_paint.paint_above(painter, picture, look, scene, plates=not (named and are_named(picture)))
    if named and brushes.names is not None:
        brushes.names.paint(painter, picture, look, rect)


def paint_lifted(
    painter: QPainter, picture: Picture, look: Look, rect: QRectF, brushes: Brushes, loose: bool = False
) -> None:
    """Paint what :func:`paint` left out: the lifted cards with their wires, or (``loose``) those among them only."""
    cards, wires = picture.from_below(picture.rows_of(look.lifted)), picture.wires_of(look.lifted)
    cards, wires = cards[~picture.hidden[cards]], wires[~picture.wire_hidden[wires]]
    if loose:
        ends = [(picture.wires[row].source, picture.wires[row].target) for row in wires.tolist()]
        wires = wires[np.array([look.lifted.issuperset(pair) for pair in ends], bool)]
    function_paint.paint_arrows_of(painter, picture, look, look.lifted)
    finished(_painting_parts(painter, picture, look, rect, brushes, cards, wires))
    board_paint.paint_lifted(painter, picture, look)
    if look.level is Level.FAR and brushes.names is not None:
        brushes.names.paint_lifted(painter, picture, look)


def _painting_parts(
    painter: QPainter,
    picture: Picture,
    look: Look,
    rect: QRectF,
    brushes: Brushes,
    cards: np.ndarray,
    wires: np.ndarray,
    titles: bool = False,
) -> Stepwise[None]:
    """Paint some cards and wires: wires first, then cards, then the tags on wires, then what is selected.

    The ``titles`` of frames lie between wires and cards.
    """
    if look.level is Level.FAR:
        _paint_far(painter, picture, look, brushes, cards, wires)
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    if look.vector:
        yield from share(_painting_curves(painter, picture, look, wires), 0.0, 0.2)
    else:
        _paint_flat_wires(painter, picture, look, rect, wires)
    if titles:
        board_paint.paint_titles(painter, picture, look, look.to_scene(rect))
    _paint_flashes(painter, picture, look, cards)
    yield from share(_painting_cards(painter, picture, look, brushes, cards), 0.2, 1.0)
    if look.level is Level.NEAR:
        paint_tags(painter, picture, look, wires)
    _paint_rings(painter, picture, look, brushes, cards)


# ---------------------------------------------------------------- wires


def _paint_flat_wires(painter: QPainter, picture: Picture, look: Look, rect: QRectF, wires: np.ndarray) -> None:
    box = (rect.left() - 3, rect.top() - 3, rect.right() + 3, rect.bottom() + 3)
    for chosen, color, width, dotted in _wire_groups(picture, look, wires):
        pieces = picture.cubics[picture.pieces_of(chosen)]
        size = max(1.6, 2.0 * look.zoom)
        painter.setPen(pen(color, size if dotted else width))
        if dotted:
            points = _curve_points(pieces, look, len(picture.wires))
            draw_lines(painter, dots_within(points, box, size, 2.8 * size))
            continue
        # In one stroke, a level piece has no seams.
        level = pieces[:, 1] == pieces[:, 7]
        draw_lines(painter, lines_within(_curve_points(pieces[~level], look, len(picture.wires)), box))
        if level.any():
            ends = pieces[level][:, [0, 1, 6, 7]].reshape(-1, 2, 2)
            draw_lines(painter, lines_within((ends - look.origin) * look.zoom, box))


def _curve_points(cubics: np.ndarray, look: Look, of_all: int) -> np.ndarray:
    """Flattened cubics in view pixels."""
    few = of_all < FEW_WIRES
    fine = few or look.zoom * look.dpr > 1.5
    segments = COARSE if look.level is Level.MIDDLE and not few else FINE if fine else SEGMENTS
    return flatten((cubics - np.tile(look.origin, 4)) * look.zoom, segments)


def _wire_groups(picture: Picture, look: Look, wires: np.ndarray) -> list[tuple[np.ndarray, QColor, float, bool]]:
    """Wires that share a pen: indices, colour, width in the painter's pixels, dotted."""
    thick, dotted, faulty = picture.thick[wires], picture.dotted[wires], picture.faulty[wires]
    scale = look.zoom if look.level is Level.NEAR else max(look.zoom, 0.4)
    thin_width, thick_width = max(THIN_WIRE * scale, 0.75), THICK_WIRE * scale
    theme = look.theme
    faint, strength = _faint(picture, look, wires, thick_width)
    plain, flowing = ~thick & ~dotted & ~faulty, thick & ~dotted & ~faulty
    groups = [
        (wires[plain & faint], _fainter(theme.color("wire"), look, strength), thin_width, False),
        (wires[flowing & faint], _fainter(theme.color("wire_grad"), look, strength), thick_width, False),
        (wires[plain & ~faint], theme.color("wire"), thin_width, False),
        (wires[flowing & ~faint], theme.color("wire_grad"), thick_width, False),
        (wires[faulty & ~thick], theme.color("error_ink"), thin_width, False),
        (wires[faulty & thick], theme.color("error_ink"), thick_width, False),
        (wires[dotted], theme.color("ghost"), thin_width, True),
    ]
    return [group for group in groups if len(group[0])]


def _painting_curves(painter: QPainter, picture: Picture, look: Look, wires: np.ndarray) -> Stepwise[None]:
    """Real cubics, for files that can hold them."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for chosen, color, width, dotted in _wire_groups(picture, look, wires):
        painter.setPen(pen(color, width, DOTS if dotted else None))
        for place, row in enumerate(chosen.tolist()):
            if place % PORTION == 0:
                yield place / len(chosen)
            painter.drawPath(wire_path(picture.cubics[picture.pieces_of(np.array([row]))], look))


# ---------------------------------------------------------------- cards


def _painting_cards(
    painter: QPainter, picture: Picture, look: Look, brushes: Brushes, cards: np.ndarray
) -> Stepwise[None]:
    xs = ((picture.x[cards] - look.origin[0]) * look.zoom).tolist()
    ys = ((picture.y[cards] - look.origin[1]) * look.zoom).tolist()
    ids, lines = picture.ids, picture.program.lines
    for place, (row, x, y) in enumerate(zip(cards.tolist(), xs, ys, strict=True)):
        if place % PORTION == 0:
            yield place / len(cards)
        if brushes.leaves_blank(picture, ids[row], look):
            _paint_blank(painter, picture, look, row, x, y)
            continue
        known, line = picture.look_at_face(ids[row]), lines[ids[row]]
        if not look.vector:
            brushes.sprites.stamp(painter, picture.drawing, known, line, look, x, y)
            continue
        painter.save()
        try:
            painter.translate(x, y)
            painter.scale(look.zoom, look.zoom)
            paint_card(painter, picture.drawing, known.face, line, look)
        finally:
            painter.restore()


def _paint_blank(painter: QPainter, picture: Picture, look: Look, row: int, x: float, y: float) -> None:
    """Where a card is, until there is time for what is on it."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(look.theme.color("card")))
    corner = ROUND * look.zoom if picture.facts[row] & Fact.ROUND else 0.0
    painter.drawRoundedRect(QRectF(x, y, picture.w[row] * look.zoom, picture.h[row] * look.zoom), corner, corner)


def _paint_rings(painter: QPainter, picture: Picture, look: Look, brushes: Brushes, cards: np.ndarray) -> None:
    """The double ring around what is selected, the focus around the card that has it."""
    ids = picture.ids
    chosen = [row for row in cards.tolist() if ids[row] in look.selection or ids[row] == look.focus]
    rects = np.stack([picture.x[chosen], picture.y[chosen], picture.w[chosen], picture.h[chosen]], axis=1)
    are_round = (picture.facts[chosen] & Fact.ROUND) != 0
    for row, sides, is_round in zip(chosen, rects.tolist(), are_round.tolist(), strict=True):
        rect, radius = QRectF(*sides), ROUND if is_round else 0.0
        if ids[row] in look.selection:
            brushes.sprites.stamp_ring(painter, picture.drawing, rect, radius, look)
        if ids[row] == look.focus:
            _paint_focus(painter, rect, radius, look)


def _paint_focus(painter: QPainter, rect: QRectF, radius: float, look: Look) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(look.theme.color("focus"), 2.0))
    corner = (radius + 10) * look.zoom if radius else 3.0
    painter.drawRoundedRect(look.rect(rect.adjusted(-10, -10, 10, 10)), corner, corner)


def _paint_flashes(painter: QPainter, picture: Picture, look: Look, cards: np.ndarray) -> None:
    """A glow behind cards that have just changed."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(look.theme.color("flash")))
    for row in picture.rows_of(look.flashing).tolist() if look.flashing else ():
        if row in cards:
            rect = QRectF(picture.x[row], picture.y[row], picture.w[row], picture.h[row])
            painter.drawRoundedRect(look.rect(rect.adjusted(-9, -9, 9, 9)), 14 * look.zoom, 14 * look.zoom)


# ---------------------------------------------------------------- far


def _paint_far(
    painter: QPainter, picture: Picture, look: Look, brushes: Brushes, cards: np.ndarray, wires: np.ndarray
) -> None:
    """Thin wires between centres, then a mark a card, then rings: three batches."""
    middles = np.stack([picture.x + picture.w / 2, picture.y + picture.h / 2], axis=1)
    origin = np.array(look.origin)
    centers = (middles - origin) * look.zoom
    smooth = are_smooth(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
    for chosen, drawn_with in _far_groups(picture, look, wires, smooth):
        painter.setPen(drawn_with)
        draw_lines(painter, (far_lines(picture, chosen, middles) - np.tile(origin, 2)) * look.zoom)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    marks = brushes.marks(look)
    marks.stamp(painter, centers[cards], picture.facts[cards])
    _paint_far_rings(painter, picture, look, centers, cards, marks.side)


FAR_THICK = 1.6
"""A wire that gradient flows along, where lines are smooth."""


def _far_groups(picture: Picture, look: Look, wires: np.ndarray, smooth: bool) -> list[tuple[np.ndarray, QPen]]:
    """Wires that share a pen, the lowest first."""
    thick, faulty = picture.thick[wires], picture.faulty[wires]
    faint, strength = _faint(picture, look, wires)
    width = FAR_THICK if smooth else 1.0
    groups = [(~thick & ~faulty, "wire", 1.0), (thick & ~faulty, "wire_grad", width)]
    found = []
    for chosen, role, line in groups:
        found.append((chosen & faint, _far_pen(_fainter(look.theme.color(role), look, strength), line)))
    found += [(chosen & ~faint, _far_pen(look.theme.color(role), line)) for chosen, role, line in groups]
    found.append((faulty, _far_pen(look.theme.color("error_ink"), width)))
    return [(wires[chosen], drawn_with) for chosen, drawn_with in found if chosen.any()]


def _faint(picture: Picture, look: Look, wires: np.ndarray, width: float = 1.0) -> tuple[np.ndarray, float]:
    """For each of these wires whether it is fainter than others, and how strongly such are drawn, from 0 to 1."""
    passes, strength = passing(picture, look.zoom, width)
    return passes[wires] & (strength < 1.0), strength


def _fainter(color: QColor, look: Look, strength: float) -> QColor:
    """A colour nearer to that of the canvas, which covers what is below: many translucent lines would be dark again."""
    return mixed(look.theme.color("canvas"), color, strength)


def _far_pen(color: QColor, width: float) -> QPen:
    made = QPen(color, 0 if width <= 1 else width)
    made.setCapStyle(Qt.PenCapStyle.FlatCap)
    return made


def _paint_far_rings(
    painter: QPainter, picture: Picture, look: Look, centers: np.ndarray, cards: np.ndarray, side: float
) -> None:
    if not look.selection:
        return
    chosen = np.zeros(len(picture.ids), bool)
    chosen[picture.rows_of(look.selection)] = True
    spots = centers[cards[chosen[cards]]]
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(_far_pen(look.theme.color("selection"), 1.0))
    for distance in (2.0, 4.0) if side > 6 else (2.0,):
        rects = np.empty((len(spots), 4))
        rects[:, 0:2] = np.round(spots - side / 2 - distance)
        rects[:, 2:4] = np.round(side + 2 * distance)
        draw_rects(painter, rects)
