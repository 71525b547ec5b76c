"""Painting a statement where tensors are nodes: the operator's label, the edges from it to its nodes, the nodes."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter

from chalkgrad_app.picture.anatomy import PAD, ROW, Box, RowPlace
from chalkgrad_app.picture.brush import (
    body_path,
    elided,
    fitting,
    hatch,
    measure,
    octagon,
    pen,
    shortened,
    top_path,
    width_of,
    write,
    write_right,
)
from chalkgrad_app.picture.card import RowFace
from chalkgrad_app.picture.card_parts import (
    COVER,
    FLAGS,
    THICK,
    THIN,
    Hues,
    error_words,
    field_rect,
    grad_label,
    hues,
    is_dotted,
    paint_beside_shape,
    paint_cover,
    paint_dotted_edge,
    paint_edge,
    paint_error_below,
    paint_error_within,
    paint_field,
    paint_grad,
    paint_version,
    status_word,
)
from chalkgrad_app.picture.data_face import BAND, DataAnatomy, DataFace, NodeFace
from chalkgrad_app.picture.line_numbers import SIZE as NUMBER_OF_LINE
from chalkgrad_app.picture.line_numbers import NumberPlace, number_ink, number_width
from chalkgrad_app.picture.look import CLOSE, Level, Look
from chalkgrad_app.picture.middle_paint import OCTAGON, Head, Type, band_height, name_font, paint_rows, type_of
from chalkgrad_app.picture.shown_paint import NUMBER, paint_shown, shown_width
from chalkgrad_app.style.fonts import mono_font, ui_font
from chalkgrad_app.style.theme import Theme

ROUND = 18.0
"""Radius of the corners of a node that is no leaf."""
TITLE, TITLE_DOWN = 14, BAND / 2 + 0.5
"""How large the name of a node is, and how far below its upper edge."""
LABEL, SMALL = 14, 11
"""How large the name of an operator is, and dtypes and labels of rows."""
ARROW = 9.0
THIN_EDGE, THICK_EDGE = 1.25, 3.0
MIDDLE_BAND, MIDDLE_NAME = 30.0, 22
LEAST_BAND = 24.0
"""Height of the band of a node that has a value alone, seen from some distance."""
GROWN, ONWARD = 4.0, 24.0
"""The plate of an operator gets so much wider where its name has to be read from some distance: at the left, where
wires may pass, and at the right, over its own edge."""
INSIDE = 3.0
"""Between a name and the round ends of its plate then."""


def number_places(card: DataFace, look: Look) -> tuple[NumberPlace, ...]:
    """Where the number of its line stands: on each node."""
    shape = card.anatomy
    assert isinstance(shape, DataAnatomy)
    title, size = max(TITLE, look.least), max(NUMBER_OF_LINE, look.least)
    pairs = zip(card.nodes, shape.nodes, strict=False)
    return tuple(
        [
            NumberPlace(box.left + PAD, box.top + TITLE_DOWN, title, number_ink(card, node.hue), size)
            for node, box in pairs
        ]
    )


def paint(painter: QPainter, card: DataFace, look: Look) -> None:
    """Paint what a statement says but for the number of its line, near or as it is seen from some distance."""
    shape, theme = card.anatomy, look.theme
    assert isinstance(shape, DataAnatomy)
    for node, box in zip(card.nodes, shape.nodes, strict=False):
        if card.label:
            _paint_stub(painter, card, node, shape.label, box, theme)
    if card.label:
        _paint_fields(painter, card, look)
        _paint_label(painter, card, QRectF(*shape.label), look)
    for number, (node, box) in enumerate(zip(card.nodes, shape.nodes, strict=False)):
        row = card.rows[number] if number < len(card.rows) else None
        _paint_node(painter, card, node, row, shape.row(number), QRectF(*box), look)
    if card.error:
        _paint_error(painter, card, QRectF(0, 0, shape.width, shape.height), QRectF(*shape.nodes[0]), look)


# ---------------------------------------------------------------- edges and label


def _paint_stub(painter: QPainter, card: DataFace, node: NodeFace, label: Box, box: Box, theme: Theme) -> None:
    """The edge from the label to a node, with an arrowhead: thick where gradient will flow."""
    start = QPointF(label.left + label.width, label.top + label.height / 2)
    tip = QPointF(box.left, box.top + box.height / 2)
    thick = node.requires_grad
    color = theme.color("ghost" if is_dotted(card) else "wire_grad" if thick else "wire")
    painter.setPen(pen(color, THICK_EDGE if thick else THIN_EDGE, (1.0, 2.0) if is_dotted(card) else None))
    painter.drawLine(QLineF(start, tip - QPointF(ARROW - 1, 0)))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(color))
    half = ARROW * (0.62 if thick else 0.5)
    painter.drawPolygon([tip, tip + QPointF(-ARROW, -half), tip + QPointF(-ARROW, half)])


def _paint_label(painter: QPainter, card: DataFace, rect: QRectF, look: Look) -> None:
    """The operator on its plate, which is larger where it has to be read from some distance."""
    theme, text, font, rect = look.theme, *lettered(card.label, rect, look)
    radius = min(rect.width(), rect.height()) / 2
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(theme.color("canvas" if card.ghost else "tag")))
    painter.drawPath(body_path(rect, radius))
    if is_dotted(card):
        paint_dotted_edge(painter, rect, radius, theme)
    else:
        paint_edge(painter, rect, radius, theme.color("tag_edge"), THIN)
    left = rect.center().x() - measure(font).horizontalAdvance(text) / 2
    write(painter, text, font, theme.color("muted" if card.ghost else "tag_text"), left, rect.center().y())


def lettered(label: str, plate: QRectF, look: Look) -> tuple[str, QFont, QRectF]:
    """What stands on the plate of an operator, in what, and how large the plate is for that."""
    is_near = look.level is Level.NEAR
    if is_near and look.least <= LABEL:
        font = mono_font(LABEL, True)
        return elided(label, font, plate.width() - 8), font, plate
    text, font = _in_full(label, plate.width() + GROWN + ONWARD - 2 * INSIDE, look)
    wider = max(0.0, measure(font).horizontalAdvance(text) + 2 * INSIDE - plate.width())
    left = min(wider / 2, GROWN)
    above = max(0.0, (font.pixelSize() - plate.height()) / 2)
    return text, font, plate.adjusted(-left, -above, wider - left, above)


def _in_full(label: str, room: float, look: Look) -> tuple[str, QFont]:
    """An operator as it has room: with its attributes, else its bare name, if need be a little smaller; else cut."""
    is_near = look.level is Level.NEAR
    most, close = (look.least, look.least) if is_near else (max(20, look.least), ceil(look.least * CLOSE))
    bare = label.split("(")[0]
    for text, least in ((label, look.least), (bare, look.least), (bare.split(".")[-1], close), (bare, close)):
        font = fitting(text, mono_font, room, most, least, True)
        if width_of(text, font) <= room:
            return text, font
    return shortened(bare, font, room), font


def _paint_fields(painter: QPainter, card: DataFace, look: Look) -> None:
    """Numbers, and dotted boxes for what is open, stand under the label."""
    for field in card.fields:
        if look.level is Level.NEAR or not field.text:
            paint_field(painter, field.text, field_rect(card.anatomy, field.port, field.text), look.theme, look.least)


# ---------------------------------------------------------------- nodes


def _paint_node(
    painter: QPainter,
    card: DataFace,
    node: NodeFace,
    row: RowFace | None,
    place: RowPlace,
    rect: QRectF,
    look: Look,
) -> None:
    theme, near = look.theme, look.level is Level.NEAR
    colors, sizes = hues(theme, node.hue), type_of(look, MIDDLE_NAME)
    radius = 0.0 if node.leaf or not card.label else ROUND
    usual = max(LEAST_BAND, min(MIDDLE_BAND, rect.height() * 0.4))
    band = BAND if near else band_height(rect.height(), usual, sizes, bool(node.name))
    if not card.ghost:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(theme.color("card")))
        painter.drawPath(body_path(rect, radius))
        painter.setBrush(QBrush(colors.fill))
        painter.drawPath(top_path(QRectF(rect.left(), rect.top(), rect.width(), band), radius))
    inset = PAD if radius else PAD - 4
    title = QRectF(rect.left() + inset, rect.top(), rect.width() - 2 * inset, band)
    ink = theme.color("muted") if card.ghost else colors.text
    if near:
        _paint_band(painter, card, node, rect, theme, colors, look.least)
    if row is None:
        _paint_status(painter, card, QRectF(*place.value), look)
    elif near:
        _paint_value(painter, row, QRectF(*place.value), theme, look.least)
        _paint_grad(painter, row, place, theme, look.least)
    else:
        head = Head(title, node.name, ink)
        title.setRight(paint_rows(painter, row, rect.adjusted(inset, band, -inset, -2), head, theme, sizes))
    if not near:
        _paint_name(painter, node, title, ink, sizes)
    if is_dotted(card):
        paint_dotted_edge(painter, rect, radius, theme)
    else:
        paint_edge(painter, rect, radius, colors.edge, THICK if node.requires_grad else THIN)


def _paint_band(
    painter: QPainter, card: DataFace, node: NodeFace, rect: QRectF, theme: Theme, colors: Hues, least: int
) -> None:
    """Name in the middle, ∇; the number of the line, left of it, is painted apart."""
    ink = theme.color("muted") if card.ghost else colors.text
    middle, bold = rect.top() + TITLE_DOWN, ui_font(max(TITLE, least), True)
    left = rect.left() + PAD + number_width(card.digits, max(NUMBER_OF_LINE, least)) + 6
    right = rect.right() - PAD
    if card.asks:
        right -= FLAGS - PAD
        paint_cover(painter, QRectF(right, middle - 9, FLAGS - PAD, 18), theme)
        right -= 6
    if node.requires_grad:
        right -= write_right(painter, "∇", ui_font(max(13, least), True), ink, right, middle, bold) + 6
    name = elided(node.name, bold, right - left)
    width = measure(bold).horizontalAdvance(name)
    at = min(max(left, rect.center().x() - width / 2), right - width)
    write(painter, name, bold, ink, at, middle)


def _paint_name(painter: QPainter, node: NodeFace, band: QRectF, ink: QColor, sizes: Type) -> None:
    """The name alone, large enough to be read from some distance."""
    font = name_font(node.name, band, sizes)
    name = elided(node.name, font, band.width())
    left = band.center().x() - measure(font).horizontalAdvance(name) / 2
    write(painter, name, font, ink, left, band.center().y() + 1)


def _paint_value(painter: QPainter, row: RowFace, room: QRectF, theme: Theme, least: int) -> None:
    """The value in the middle of its row, version and dtype at its end."""
    middle, ink = room.top() + ROW / 2, theme.color("ink")
    if row.value.stats and not row.covered:
        inner = room.adjusted(PAD, 0, -PAD, 0)
        paint_shown(painter, row.value, inner, ink, theme, least=least)
        paint_beside_shape(painter, row, inner, theme, least)
        return
    width = shown_width(row.value, least)
    inset = PAD if width <= room.width() - 2 * PAD else PAD / 2  # larger letters come nearer to the edge
    left, right = room.left() + inset, room.right() - (PAD if row.version or row.dtype else inset)
    if row.version:
        right = paint_version(painter, row.version, right, middle, theme, least) - 6
    if row.dtype:
        font = mono_font(max(SMALL, least))
        right -= write_right(painter, row.dtype, font, theme.color("muted"), right, middle) + 6
    if row.covered:
        paint_cover(painter, QRectF(left, middle - 9, min(COVER, right - left), 18), theme)
        return
    width = shown_width(row.value, least, right - left)
    left = max(left, min(room.center().x() - width / 2, right - width))
    paint_shown(painter, row.value, QRectF(left, room.top(), right - left, room.height()), ink, theme, least=least)


def _paint_grad(painter: QPainter, row: RowFace, place: RowPlace, theme: Theme, least: int) -> None:
    """The gradient below the value, behind a line."""
    if row.grad is None or place.grad is None:
        return
    room = QRectF(*place.grad)
    painter.setPen(pen(theme.color("row_line"), 1.0))
    painter.drawLine(QLineF(room.left() + THICK, room.top(), room.right() - THICK, room.top()))
    left = room.left() + PAD
    label = grad_label(row.grad, least, room.width() - 2 * PAD)
    if label:
        beside = mono_font(max(NUMBER, least))
        write(painter, "grad", mono_font(max(SMALL, least)), theme.color("muted"), left, room.top() + ROW / 2, beside)
    left += label
    paint_grad(painter, row.grad, QRectF(left, room.top(), room.right() - PAD - left, room.height()), theme, least)


def _paint_status(painter: QPainter, card: DataFace, room: QRectF, look: Look) -> None:
    """The word that stands in the place of a value."""
    if card.error:
        return
    said, near = status_word(card, look.words), look.level is Level.NEAR
    most, least = max(12 if near else 18, look.least), look.least if near else ceil(look.least * CLOSE)
    if least > room.height():
        return
    inside = room.width() - (2 if near else 1) * PAD
    font = fitting(said, ui_font, inside, min(most, int(room.height())), least, False)
    text = shortened(said, font, inside)
    left = room.center().x() - measure(font).horizontalAdvance(text) / 2
    write(painter, text, font, look.theme.color("muted"), left, room.center().y())


def _paint_error(painter: QPainter, card: DataFace, rect: QRectF, node: QRectF, look: Look) -> None:
    theme, near = look.theme, look.level is Level.NEAR
    hatch(painter, node, theme.color("error_ink"), 5.0 if near else 8.0)
    if not near:
        octagon(painter, QPointF(node.right() - 6, 6), OCTAGON, theme.color("error"), theme.color("error_text"))
    elif card.rows:
        paint_error_below(painter, error_words(card, look.words), rect, theme, look.least)
    else:
        paint_error_within(painter, error_words(card, look.words), node.adjusted(0, BAND, 0, 0), theme, look.least)
