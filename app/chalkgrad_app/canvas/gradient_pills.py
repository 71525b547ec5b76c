"""Gradients that have been sent back: inside a backward their values stand on the wires, the node at work is lit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from chalkgrad.engine.printing import values_text
from chalkgrad.session.events import EventKind, Gradients, NodeRecord
from chalkgrad.session.schedule import at_work
from chalkgrad_app.canvas.clearance import written
from chalkgrad_app.canvas.pill_places import MIDDLE, PARTS, PillPlaces, Wanted
from chalkgrad_app.picture.gradient_links import outlet_of
from chalkgrad_app.picture.look import Level
from chalkgrad_app.picture.node_arrays import NODE
from chalkgrad_app.picture.paint import visible_wires
from chalkgrad_app.picture.values import shape_text
from chalkgrad_app.style import theme
from chalkgrad_app.style.fonts import mono_font

if TYPE_CHECKING:
    from chalkgrad_app.canvas.view import Canvas

MOST_EVENTS = 400
"""Only what was sent so recently is shown, however long the backward is."""
MOST_NUMBERS = 3
"""A gradient with more numbers is told by its shape."""
LONGEST = 27
"""So many characters three numbers take at most, unless they need exponents; what takes more is told by its shape."""
NEAR, SAMPLES = 160.0, 25
"""So many pixels at the end of its wire a pill may stand on (read at so many points), as :data:`PARTS` says: that is at
the card which the gradient comes from; half-way along a long wire other cards are near."""
TEXT, LEAST, EDGE, RING = 13, 10, 6.0, 5.0
"""Height of the text at 100% and at least, room beside it, and how far the light stands off a node, in pixels."""


class Sent(NamedTuple):
    """A gradient that a node sent back: along which wire (its number), and how its pill says it.

    A node in the graph of a gradient sends it along a link of that graph (its number).
    """

    wire: int
    text: str
    is_last: bool
    on_link: bool = False


class Pill(NamedTuple):
    """What a pill says, where it stands, and the middle of what it stands on, in pixels of the canvas."""

    rect: QRectF
    sent: Sent
    wire: QPointF


class GradientPills(QObject):
    """The gradients on the wires of one canvas, read off the trace; an overlay painter."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._key: tuple[object, ...] = ()
        self._sent: tuple[Sent, ...] = ()
        self._lit: int | None = None
        self._places = PillPlaces()
        self.placed: list[QRectF] = []
        """Where pills were painted last, in pixels of the canvas."""
        canvas.overlay_painters.append(self.paint)

    def sent(self) -> tuple[Sent, ...]:
        """What the nodes of the backward that the cursor stands in have sent so far, along wires in view."""
        document, picture, seen = self._canvas.document, self._canvas.picture, self._canvas.scene_rect().getRect()
        key = (document.session.trace, document.cursor, document.is_covering, seen, picture.board, picture.program)
        if key != self._key:
            self._key = key
            self._sent, self._lit = self._find()
        return self._sent

    @property
    def lit(self) -> int | None:
        """The statement whose node is at work, inside a backward."""
        self.sent()
        return None if self._lit is None else self._canvas.document.session.trace.nodes[self._lit].statement

    def paint(self, painter: QPainter) -> None:
        """Paint the light and the pills."""
        look, found = self._canvas.look(), self.sent()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_light(painter)
        is_far, pixels = look.level is Level.FAR, max(LEAST, round(TEXT * look.zoom))
        if is_far or not found:
            self._places.forget()
        placed = [] if is_far or not found else self._place(painter, found, pixels)
        self.placed = [pill.rect for pill in placed]
        _paint_leaders(painter, placed)
        for is_last in (False, True):
            painter.setFont(mono_font(pixels, is_last))
            _paint_pills(painter, [pill for pill in placed if pill.sent.is_last is is_last], is_last)

    def _place(self, painter: QPainter, found: tuple[Sent, ...], pixels: int) -> list[Pill]:
        """Where the pills stand that are on wires in view."""
        canvas, look, document = self._canvas, self._canvas.look(), self._canvas.document
        ways, sent = self._ways(found)
        area, origin = QRectF(canvas.rect()), np.array(look.origin) * look.zoom
        middles = [QPointF(*middle) for middle in (ways[:, MIDDLE] - origin).tolist()]
        seen = [row for row, middle in enumerate(middles) if area.contains(middle)]
        sizes = _sizes(painter, [sent[row] for row in seen], pixels)
        wanted = [
            Wanted((sent[row].on_link, sent[row].wire), ways[row], size, sent[row].is_last)
            for row, size in zip(seen, sizes, strict=True)
        ]
        picture = canvas.picture
        of = (document.session.trace, picture.program, picture.board, picture.sizes_serial, look.zoom)
        rects = self._places.of(wanted, of, area, origin, lambda: written(canvas))
        return [Pill(rect, sent[row], middles[row]) for row, rect in zip(seen, rects, strict=True) if rect is not None]

    def _ways(self, found: Iterable[Sent]) -> tuple[np.ndarray, list[Sent]]:
        """For each pill points along what it stands on, in pixels of the picture; the one at ``MIDDLE`` is the best."""
        picture, zoom = self._canvas.picture, self._canvas.look().zoom
        is_drawn = np.zeros(len(picture.wires), bool)
        is_drawn[picture.piece_wire] = True  # one within a folded frame is not
        on_wires = [sent for sent in found if not sent.on_link and is_drawn[sent.wire]]
        on_links = [sent for sent in found if sent.on_link]
        wires = np.array([sent.wire for sent in on_wires], np.intp)
        along = _near_ends(picture.points_along(wires, np.linspace(0.0, 1.0, SAMPLES)), NEAR / zoom)
        middles = picture.gradients.middles_of([sent.wire for sent in on_links])[:, None]
        return np.concatenate([along, np.repeat(middles, len(PARTS), axis=1)]) * zoom, on_wires + on_links

    def _paint_light(self, painter: QPainter) -> None:
        painter.setPen(QPen(theme.current().color("grad"), 3.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for rect in self.lit_rects():
            ring = self._canvas.viewport.rect_to_view(rect).adjusted(-RING, -RING, RING, RING)
            painter.drawRoundedRect(ring, 2 * RING, 2 * RING)

    def lit_rects(self) -> Iterator[QRectF]:
        """The card of the node at work, and the node itself in a drawing that has it, in canvas units.

        Of a node that another backward recorded, the graph of that backward shows it: that one alone.
        """
        self.sent()
        picture, lit = self._canvas.picture, self._lit
        if lit is None:
            return
        if (NODE, lit) in picture.gradients:
            yield picture.gradients.rect((NODE, lit))
            return
        card = self._canvas.document.session.trace.nodes[lit].statement
        if card in picture.index and not picture.hidden[picture.index[card]]:
            yield picture.rect(card)
        if (NODE, lit) in picture.functions:
            yield picture.functions.rect((NODE, lit))

    def _find(self) -> tuple[tuple[Sent, ...], int | None]:
        document = self._canvas.document
        cursor, line = document.cursor, document.cursor_line
        if cursor is None or line is None or not document.state.inside:
            return (), None
        trace = document.session.trace
        first = max(trace.events_of(line, cursor).start, cursor - MOST_EVENTS)
        told = trace.about_nodes(first, cursor)
        ran = [(node, position) for position, kind, node in told if kind is EventKind.NODE_RAN]
        into = self._wires_in_view({trace.recorded_by(node) for node, _ in ran})
        found: dict[tuple[bool, int], Sent] = {}
        for node, position in ran:
            on_link = (NODE, node) in self._canvas.picture.gradients
            if not on_link and trace.recorded_by(node) not in into:
                continue
            outgoing, is_last = trace.events[position - 1].outgoing, position == ran[-1][1]
            ways = self._links(node, outgoing) if on_link else self._wires(trace.nodes[node], outgoing, into)
            for way, gradient in ways:
                found[on_link, way] = Sent(way, "?" if document.is_covering else short_text(gradient), is_last, on_link)
        return tuple([found[way] for way in sorted(found)]), at_work(trace, cursor)

    def _wires_in_view(self, ids: Collection[int]) -> dict[int, list[int]]:
        """The wires to these cards that may be seen, by the card that they end at."""
        picture = self._canvas.picture
        found: dict[int, list[int]] = {}
        rows = visible_wires(picture, self._canvas.scene_rect())
        for row in rows[picture.among(ids)[picture.wire_target[rows]]].tolist():
            found.setdefault(picture.wires[row].target, []).append(row)
        return found

    def _wires(
        self, node: NodeRecord, outgoing: Gradients, into: Mapping[int, Sequence[int]]
    ) -> Iterator[tuple[int, np.ndarray]]:
        """The wires along which a node sent its gradients, each with what went along it."""
        wires, trace = self._canvas.picture.wires, self._canvas.document.session.trace
        left = set(into.get(node.statement, ()))
        for port, (number, gradient) in enumerate(zip(node.inputs, outgoing, strict=False)):
            if number is None or gradient is None:
                continue
            made_by = trace.made_by(number)
            fitting = [row for row in left if wires[row].source == made_by]
            if fitting:
                chosen = min(fitting, key=lambda row: (wires[row].port != port, row))
                left.remove(chosen)
                yield chosen, gradient

    def _links(self, node: int, outgoing: Gradients) -> Iterator[tuple[int, np.ndarray]]:
        """The same for a node in the graph of a gradient, and the links of that."""
        picture, record = self._canvas.picture, self._canvas.document.session.trace.nodes[node]
        layer, row = picture.gradients, picture.gradients.index[NODE, node]
        into = [(place, layer.links[place]) for place in layer.links_into(row)]
        for number, edge, gradient in zip(record.inputs, record.edges, outgoing, strict=False):
            if number is None or edge is None or gradient is None:
                continue
            source, outlet = layer.row_of(edge), outlet_of(picture, number)
            for place, link in into:
                if link.source == source if source is not None else (link.card, link.output) == outlet:
                    yield place, gradient


def short_text(gradient: np.ndarray) -> str:
    """A gradient as a pill says it: digit for digit as PyTorch prints it, or by its shape where that is long."""
    if gradient.size > MOST_NUMBERS:
        return shape_text(gradient.shape)
    text = " ".join(values_text(gradient).split())
    return text if not gradient.ndim or len(text) <= LONGEST else shape_text(gradient.shape)


def _near_ends(ways: np.ndarray, most: float) -> np.ndarray:
    """The points at :data:`PARTS` of the last stretch of each way, which is as long as it or ``most``."""
    back = ways[:, ::-1]
    lengths = np.linalg.norm(np.diff(back, axis=1), axis=2)
    far = np.concatenate([np.zeros((len(ways), 1)), lengths.cumsum(axis=1)], axis=1)
    wanted = np.minimum(far[:, -1:], most) * (1.0 - np.array(PARTS))
    after = np.clip((far[:, None] < wanted[:, :, None]).sum(axis=2), 1, ways.shape[1] - 1)
    rows = np.arange(len(ways))[:, None]
    part = (wanted - far[rows, after - 1]) / np.maximum(lengths[rows, after - 1], 1e-9)
    begin, end = back[rows, after - 1], back[rows, after]
    return np.asarray(begin + (end - begin) * part[..., None])


def _sizes(painter: QPainter, found: Iterable[Sent], pixels: int) -> list[tuple[float, float]]:
    """Width and height of pills; the painter gets their font."""
    measures = []
    for is_last in (False, True):
        painter.setFont(mono_font(pixels, is_last))
        measures.append(painter.fontMetrics())
    sizes = []
    for sent in found:
        height = measures[sent.is_last].height() + 4.0
        sizes.append((max(measures[sent.is_last].horizontalAdvance(sent.text) + 2 * EDGE, height), height))
    return sizes


def _paint_leaders(painter: QPainter, pills: Iterable[Pill]) -> None:
    """Thin lines to their wires from pills that had to make way for what stands on cards."""
    painter.setPen(QPen(theme.current().color("grad"), 1.0))
    for rect, _, wire in pills:
        if not rect.adjusted(-EDGE, -EDGE, EDGE, EDGE).contains(wire):
            near = QPointF(min(max(wire.x(), rect.left()), rect.right()), rect.center().y())
            painter.drawLine(near, wire)


def _paint_pills(painter: QPainter, pills: Iterable[Pill], are_last: bool) -> None:
    look = theme.current()
    painter.setPen(QPen(look.color("grad"), 1.5))
    painter.setBrush(look.color("grad" if are_last else "card"))
    for pill in pills:
        painter.drawRoundedRect(pill.rect, pill.rect.height() / 2, pill.rect.height() / 2)
    painter.setPen(look.color("grad_text" if are_last else "grad_ink"))
    for pill in pills:
        painter.drawText(pill.rect, Qt.AlignmentFlag.AlignCenter, pill.sent.text)
