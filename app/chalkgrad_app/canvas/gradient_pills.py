"""Gradients that have been sent back: inside a backward their values stand on the wires, and the last node is lit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from chalkgrad.engine.printing import values_text
from chalkgrad.session.events import EventKind, Gradients, NodeRecord
from chalkgrad_app.picture.anatomy import ROW
from chalkgrad_app.picture.gradient_layer import outlet_of
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


class GradientPills(QObject):
    """The gradients on the wires of one canvas, read off the trace; an overlay painter."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._key: tuple[object, ...] = ()
        self._sent: tuple[Sent, ...] = ()
        self._lit: int | None = None
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
        look = self._canvas.look()
        found = self.sent()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_light(painter)
        if level_at(look.zoom) is Level.FAR:
            return
        font = max(LEAST, round(TEXT * look.zoom))
        picture = self._canvas.picture
        on_wires = [sent for sent in found if not sent.on_link]
        is_drawn = np.isin([sent.wire for sent in on_wires], picture.piece_wire)  # one within a folded frame is not
        on_wires = [on_wires[index] for index in np.flatnonzero(is_drawn).tolist()]
        on_links = [sent for sent in found if sent.on_link]
        drawn = on_wires + on_links
        if not drawn:
            return
        wires, links = (np.array([sent.wire for sent in some], np.intp) for some in (on_wires, on_links))
        layer = picture.gradients
        of_links = layer.ends[links, :2], layer.middles_of(links.tolist()), layer.ends[links, 2:]
        begins, middles, ends = (
            (np.concatenate([picture.points_at(wires, part), points]) - look.origin) * look.zoom
            for part, points in zip((0, 0.5, 1), of_links, strict=True)
        )
        area = QRectF(self._canvas.rect())
        placed: list[QRectF] = []
        at = zip(middles.tolist(), begins.tolist(), ends.tolist(), _goes_right(begins, ends), drawn, strict=True)
        seen = [each for each in at if area.contains(*each[0])]
        for middle, begin, end, goes_right, sent in sorted(seen, key=lambda each: not each[-1].is_last):
            rect = _pill_rect(painter, QPointF(*middle), sent, font)
            if goes_right:
                _clear_values(rect, begin, end, ROW * look.zoom)
            # Where wires lie close together, what was sent last is read and the others give way.
            if not any(rect.intersects(other) for other in placed):
                placed.append(rect)
                _paint_pill(painter, rect, sent)

    def _paint_light(self, painter: QPainter) -> None:
        painter.setPen(QPen(theme.current().color("grad"), 3.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for rect in self.lit_rects():
            around = self._canvas.viewport.rect_to_view(rect).adjusted(-RING, -RING, RING, RING)
            painter.drawRoundedRect(around, 2 * RING, 2 * RING)

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
    """A gradient as a pill says it."""
    return " ".join(values_text(gradient).split()) if gradient.size <= MOST_NUMBERS else shape_text(gradient.shape)


def _goes_right(begins: np.ndarray, ends: np.ndarray) -> list[bool]:
    """For each wire whether it runs from left to right rather than up or down."""
    way = ends - begins
    found: list[bool] = (way[:, 0] > np.abs(way[:, 1])).tolist()
    return found


def _pill_rect(painter: QPainter, at: QPointF, sent: Sent, pixels: int) -> QRectF:
    """The room of a pill with its middle there; the painter has its font then."""
    painter.setFont(mono_font(pixels, sent.is_last))
    metrics = painter.fontMetrics()
    height = metrics.height() + 4.0
    rect = QRectF(0, 0, max(metrics.horizontalAdvance(sent.text) + 2 * EDGE, height), height)
    rect.moveCenter(at)
    return rect


def _clear_values(rect: QRectF, begin: Sequence[float], end: Sequence[float], row: float) -> None:
    """Move a pill that is wider than its wire: neither value may be covered.

    A value starts at the left edge of its card, so the pill goes over the end of the other card, and there into the
    row of the gradient, below the value.
    """
    rect.moveRight(min(rect.right(), end[0] - EDGE))
    value = begin[1] + row / 2
    if rect.left() < begin[0] and rect.top() < value and rect.bottom() > begin[1] - row / 2:
        rect.moveTop(value)


def _paint_pill(painter: QPainter, rect: QRectF, sent: Sent) -> None:
    look = theme.current()
    painter.setPen(QPen(look.color("grad"), 1.5))
    painter.setBrush(look.color("grad" if sent.is_last else "card"))
    painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
    painter.setPen(look.color("grad_text" if sent.is_last else "grad_ink"))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, sent.text)
