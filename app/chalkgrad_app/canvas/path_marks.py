"""What a panel points out, above the picture: cards with the wires between them, nodes beside them with their edges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from chalkgrad.session import Trace
from chalkgrad_app.picture.card_parts import ROUND
from chalkgrad_app.picture.curves import wire_path
from chalkgrad_app.picture.gradient_layer import GradientLayer
from chalkgrad_app.picture.gradient_links import Link
from chalkgrad_app.picture.gradient_paint import link_path
from chalkgrad_app.picture.marks import Fact
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.pointing import CARD, GRAD_ROW, NODE, End, PointedOut
from chalkgrad_app.style import theme

if TYPE_CHECKING:
    from chalkgrad_app.canvas.view import Canvas

AROUND, ALONG = 4.0, 6.0
"""Widths of the lines around a card and along a wire, in pixels."""
DASHES = [3.0, 1.5]
"""A dash and the gap after it, in widths of the line around a card."""
BAND = "band"
GAP = 5.0
"""Between a card and the line around it, in canvas units."""


class PathMarks(QObject):
    """Paints what :attr:`Document.pointed_out` names."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        canvas.overlay_painters.append(self._paint)

    def _paint(self, painter: QPainter) -> None:
        picture, what = self._canvas.picture, self._canvas.document.pointed_out
        trace = self._canvas.document.session.trace
        if not what.cards and not what.nodes:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(self._canvas.to_view(QPointF(0, 0)))
        painter.scale(self._canvas.viewport.scale, self._canvas.viewport.scale)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(_pointing_pen())
        for id_ in what.cards:
            if id_ in picture.index and not picture.hidden[picture.index[id_]]:
                rect = picture.rect(id_).adjusted(-GAP, -GAP, GAP, GAP)
                is_round = bool(picture.facts[picture.index[id_]] & Fact.ROUND)
                painter.drawRoundedRect(rect, ROUND + GAP, ROUND + GAP) if is_round else painter.drawRect(rect)
        for rect in _beside(picture, what, trace):
            painter.drawRect(rect.adjusted(-GAP, -GAP, GAP, GAP))
        colour = QColor(theme.current().color("grad"))
        colour.setAlphaF(0.6)
        painter.setPen(_pen(colour, ALONG))
        for path in (*_wires(picture, what), *_links(picture, what, trace)):
            painter.drawPath(path)


def _beside(picture: Picture, what: PointedOut, trace: Trace) -> Iterator[QRectF]:
    """Where nodes lie; of those in a graph that is folded, where this lies."""
    folded = {band.statement: band.rect for band in picture.gradients.bands if band.folded}
    for number in what.nodes:
        layer = next((layer for layer in picture.beside if (NODE, number) in layer), None)
        graph = trace.graph_of(number) if layer is None else None
        if layer is not None:
            yield layer.rect((NODE, number))
        elif graph is not None and graph.statement in folded:
            yield folded[graph.statement]


def _links(picture: Picture, what: PointedOut, trace: Trace) -> Iterator[QPainterPath]:
    """The edges of gradients' graphs between what is lit; those of a folded one lead to all of it."""
    layer = picture.gradients
    folded = {band.statement: (BAND, band.first) for band in layer.bands if band.folded}
    edges = {(_shown(of, folded, trace), _shown(by, folded, trace)) for of, by in what.edges}
    for place, link in enumerate(layer.links if edges else ()):
        if (_end(layer, link, link.target), _end(layer, link, link.source)) in edges:
            yield link_path(layer, place)


def _shown(end: End, folded: Mapping[int, End], trace: Trace) -> End:
    """An end as it is on the canvas: a node of a folded graph is that."""
    graph = trace.graph_of(end[1]) if end[0] == NODE and folded else None
    return end if graph is None else folded.get(graph.statement, end)


def _end(layer: GradientLayer, link: Link, row: int) -> End:
    """One end of an edge: the node in a row, a folded graph, or what is none of the layer."""
    if row >= len(layer.nodes):
        return BAND, row
    if row >= 0:
        return NODE, layer.nodes[row].number
    if link.number >= 0:
        return NODE, link.number
    return GRAD_ROW if link.grad else CARD, link.card


def _wires(picture: Picture, what: PointedOut) -> list[QPainterPath]:
    """The curves of the wires between cards that are linked; several may run between the same two."""
    links = _card_links(picture, what)
    grads = {(target[1], source[1]) for target, source in what.edges if source[0] == GRAD_ROW and target[0] == CARD}
    rows = picture.wires_of({id_ for link in (*links, *grads) for id_ in link}).tolist()
    wires = ((row, picture.wires[row]) for row in rows)
    shown = [row for row, wire in wires if (wire.target, wire.source) in (grads if wire.from_grad else links)]
    shown = _of_turns(picture, shown, what.turns)
    return [wire_path(picture.cubics[picture.pieces_of(np.array([row]))]) for row in shown]


def _of_turns(picture: Picture, rows: list[int], turns: Collection[tuple[int, int, int]]) -> list[int]:
    """Of several wires between two cards those whose turn it is, in the order of their ports."""
    among = {(of, by) for of, by, _ in turns}
    found, counted = [], Counter[tuple[int, int]]()
    for row in sorted(rows, key=lambda row: picture.wires[row].port):
        pair = picture.wires[row].target, picture.wires[row].source
        counted[pair] += 1
        if pair not in among or (*pair, counted[pair]) in turns:
            found.append(row)
    return found


def _card_links(picture: Picture, what: PointedOut) -> set[tuple[int, int]]:
    """The links from card to card: operators that are a tag on a wire have none and are passed."""
    sources: dict[int, list[int]] = {}
    for made, of in what.links:
        sources.setdefault(made, []).append(of)
    found: set[tuple[int, int]] = set()
    for made in sources:
        pending = list(sources[made]) if made in picture.index else []
        while pending:
            of = pending.pop()
            if of in picture.index:
                found.add((made, of))
            else:
                pending += sources.get(of, ())
    return found


def _pointing_pen() -> QPen:
    """Dashes in the colour of text: a whole line in that of gradients is around the node at work."""
    pen = _pen(theme.current().color("ink"), AROUND)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setDashPattern(DASHES)
    return pen


def _pen(colour: QColor, width: float) -> QPen:
    pen = QPen(colour, width)
    pen.setCosmetic(True)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    return pen
