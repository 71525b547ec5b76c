"""Gradients that have been sent back: inside a backward their values stand on the wires, and the last node is lit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from chalkgrad.engine.printing import values_text
from chalkgrad.session.events import EventKind, Gradients, NodeRecord
from chalkgrad_app.canvas.clearance import around, outside, written
from chalkgrad_app.picture.gradient_links import outlet_of
from chalkgrad_app.picture.look import Level, level_at
from chalkgrad_app.picture.node_arrays import NODE
from chalkgrad_app.picture.paint import visible_wires
from chalkgrad_app.picture.values import shape_text
from chalkgrad_app.style import theme
from chalkgrad_app.style.fonts import mono_font

if TYPE_CHECKING:
    from chalkgrad_app.canvas.view import Canvas

AT_WORK = frozenset(
    {EventKind.NODE_RAN, EventKind.HOOK_RAN, EventKind.ACCUMULATED, EventKind.DROPPED, EventKind.CAPTURED}
)
MOST_EVENTS = 400
"""Only what was sent so recently is shown, however long the backward is."""
MOST_NUMBERS = 3
"""A gradient with more numbers is told by its shape."""
LONGEST = 16
"""One that takes more characters is told with fewer digits."""
PARTS = (0.26, 0.34, 0.42, 0.5, 0.58, 0.66, 0.74)
"""How far along the end of its wire a pill may stand, that at the card which the gradient comes from, """
NEAR, SAMPLES = 160.0, 25
"""which is so many pixels of it at most (read at so many points): half-way along a long wire other cards are near;"""
MIDDLE = PARTS.index(0.5)
ABOVE = (0.0, 0.6, -0.6, 1.1, -1.1, 1.7, -1.7, 2.4, -2.4, 3.2, -3.2)
BESIDE = (0.6, -0.6, 1.1, -1.1)
"""and how far above or below it in heights of the pill, or beside it in widths."""
ALONG, OFF = 0.3, 3.0
"""What a pixel along the wire and one beside it cost, in pixels of names and values that a pill hides."""
TEXT, LEAST, EDGE, RING = 13, 10, 6.0, 5.0
"""Height of the text at 100% and at least, room beside it, and how far the light stands off a node, in pixels."""


class Sent(NamedTuple):
    """A gradient that a node sent back: along which wire (its number), and what it is; None for one that is covered.

    A node in the graph of a gradient sends it along a link of that graph (its number).
    """

    wire: int
    gradient: np.ndarray | None
    is_last: bool
    on_link: bool = False

    @property
    def text(self) -> str:
        """As the pill says it."""
        return "?" if self.gradient is None else short_text(self.gradient)


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
        self._stand: tuple[object, object, list[Pill]] = ((), (), [])
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
        """The statement whose node ran last, inside a backward."""
        self.sent()
        return None if self._lit is None else self._canvas.document.session.trace.nodes[self._lit].statement

    def paint(self, painter: QPainter) -> None:
        """Paint the light and the pills."""
        zoom, found = self._canvas.look().zoom, self.sent()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_light(painter)
        is_far, pixels = level_at(zoom) is Level.FAR, max(LEAST, round(TEXT * zoom))
        placed = [] if is_far or not found else self._place(painter, found, pixels)
        self.placed = [pill.rect for pill in placed]
        for pill in placed:
            _paint_leader(painter, pill)
        for pill in placed:
            _paint_pill(painter, pill, pixels)

    def _place(self, painter: QPainter, found: Sequence[Sent], pixels: int) -> list[Pill]:
        """Where the pills stand; while things move, and it is painted again and again, they stay there."""
        area = QRectF(self._canvas.rect())
        ways, sent = self._ways(found)
        at = (ways.tobytes(), area.getRect(), pixels, self._canvas.picture.sizes_serial)
        if self._stand[1] is found and self._stand[0] == at:
            return self._stand[2]
        clear = written(self._canvas)
        placed: list[Pill] = []
        # Where wires lie close together, what was sent last is read and the others give way.
        for row in sorted(range(len(sent)), key=lambda row: not sent[row].is_last):
            middle = QPointF(*ways[row, MIDDLE])
            if area.contains(middle):
                boxes, costs = _places(painter, ways[row], sent[row], pixels)
                rect = clear.best(boxes, costs + outside(boxes, area), [other.rect for other in placed])
                placed += [Pill(rect, sent[row], middle)] if rect is not None else []
        self._stand = (at, found, placed)
        return placed

    def _ways(self, found: Sequence[Sent]) -> tuple[np.ndarray, list[Sent]]:
        """For each pill points on the screen along what it stands on; that at :data:`MIDDLE` is the best of them."""
        picture, look = self._canvas.picture, self._canvas.look()
        is_drawn = np.zeros(len(picture.wires), bool)
        is_drawn[picture.piece_wire] = True  # one within a folded frame is not
        on_wires = [sent for sent in found if not sent.on_link and is_drawn[sent.wire]]
        on_links = [sent for sent in found if sent.on_link]
        along = np.zeros((0, len(PARTS), 2))
        if on_wires:
            wires = np.array([sent.wire for sent in on_wires], np.intp)
            whole = np.stack([picture.points_at(wires, part) for part in np.linspace(0.0, 1.0, SAMPLES)], axis=1)
            along = _near_ends(whole, NEAR / look.zoom)
        middles = picture.gradients.middles_of([sent.wire for sent in on_links])[:, None]
        ways = np.concatenate([along, np.repeat(middles, len(PARTS), axis=1)])
        return (ways - look.origin) * look.zoom, on_wires + on_links

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
                found[on_link, way] = Sent(way, None if document.is_covering else gradient, is_last, on_link)
        lit = next((node for _, kind, node in reversed(told) if kind in AT_WORK), None)
        return tuple([found[way] for way in sorted(found)]), lit

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
    """A gradient as a pill says it: as PyTorch prints it, unless that is long."""
    if gradient.size > MOST_NUMBERS:
        return shape_text(gradient.shape)
    text = " ".join(values_text(gradient).split())
    return text if len(text) <= LONGEST else _rounded(gradient)


def _rounded(gradient: np.ndarray) -> str:
    if gradient.ndim:
        return f"[{', '.join(map(_rounded, gradient))}]"
    return f"{gradient.item():.4g}"


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


def _places(painter: QPainter, way: np.ndarray, sent: Sent, pixels: int) -> tuple[np.ndarray, np.ndarray]:
    """Where a pill could stand, along its wire or beside it, and what each place costs; the painter gets its font."""
    painter.setFont(mono_font(pixels, sent.is_last))
    metrics = painter.fontMetrics()
    height = metrics.height() + 4.0
    width = max(metrics.horizontalAdvance(sent.text) + 2 * EDGE, height)
    steps = np.concatenate([np.outer(ABOVE, (0.0, height)), np.outer(BESIDE, (width, 0.0))])[:, None]
    moved = np.linalg.norm(way - way[MIDDLE], axis=1)
    costs = ALONG * moved + OFF * np.abs(steps).sum(axis=2)
    return around((way + steps).reshape(-1, 2), width, height), costs.reshape(-1)


def _paint_leader(painter: QPainter, pill: Pill) -> None:
    """A thin line to its wire from a pill that had to make way for what stands on cards."""
    rect, wire = pill.rect, pill.wire
    if not rect.adjusted(-EDGE, -EDGE, EDGE, EDGE).contains(wire):
        near = QPointF(min(max(wire.x(), rect.left()), rect.right()), rect.center().y())
        painter.setPen(QPen(theme.current().color("grad"), 1.0))
        painter.drawLine(near, wire)


def _paint_pill(painter: QPainter, pill: Pill, pixels: int) -> None:
    look, rect, sent = theme.current(), pill.rect, pill.sent
    painter.setFont(mono_font(pixels, sent.is_last))
    painter.setPen(QPen(look.color("grad"), 1.5))
    painter.setBrush(look.color("grad" if sent.is_last else "card"))
    painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
    painter.setPen(look.color("grad_text" if sent.is_last else "grad_ink"))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, sent.text)
