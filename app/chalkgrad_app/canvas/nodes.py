"""Nodes beside the board with mouse and keys: chosen, walked through, lit with the card they came from, folded away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from chalkgrad.program import arranging
from chalkgrad.session.events import EventKind
from chalkgrad_app import settings
from chalkgrad_app.canvas import accessible
from chalkgrad_app.canvas.hit import Hit, HitKind
from chalkgrad_app.canvas.overlay import paint_words
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import translate
from chalkgrad_app.picture.gradient_layer import Band
from chalkgrad_app.picture.gradient_paint import link_path
from chalkgrad_app.picture.look import Level
from chalkgrad_app.picture.node_arrays import NODE, Key, NodeArrays
from chalkgrad_app.picture.node_face import node_words
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.later import Later

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

AROUND, ALONG = 3.0, 4.0
"""Widths of the lines around what is lit and along its edges, in pixels."""
GAP = 5.0


class Nodes(QObject):
    """What lies beside the board of one canvas. A chosen node has the keyboard's focus, too."""

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._lines: set[int] = set()
        self._said = ""
        self._unseen: set[int] = set()
        self._noticing = Later(self, self._notice)  # whoever opened a document shows all of it first
        canvas.overlay_painters.append(self._paint)
        canvas.viewed.connect(self._on_viewed)

    def follow(self, document: Document) -> None:
        """See to it that graphs which come about in a document are noticed."""
        self._lines = _recorded(document)
        document.finished.connect(self._noticing.schedule)

    def leave(self, document: Document) -> None:
        """Another document is shown from now on."""
        document.finished.disconnect(self._noticing.schedule)

    # ------------------------------------------------------------ read

    def keys(self) -> list[Key]:
        """All of them, in the order of the trace."""
        return [key for arrays in self._canvas.picture.beside for key in arrays.keys]

    def chosen(self) -> Key | None:
        """The node that is selected, where it is on the canvas."""
        number = self._canvas.document.node
        key = (NODE, -1 if number is None else number)
        return key if self.arrays(key) is not None else None

    def arrays(self, key: Key) -> NodeArrays | None:
        """Those that a node is among."""
        return next((arrays for arrays in self._canvas.picture.beside if key in arrays), None)

    def rect(self, key: Key) -> QRectF:
        """The rectangle of a node in canvas units; empty where there is none."""
        arrays = self.arrays(key)
        return QRectF() if arrays is None else arrays.rect(key)

    def view_rect(self, key: Key) -> QRect:
        """Where a node lies on the widget."""
        return self._canvas.viewport.rect_to_view(self.rect(key)).toRect()

    # ------------------------------------------------------------ mouse

    def click(self, hit: Hit) -> bool:
        """Choose the node that was clicked, fold or open a graph by its title; False for what is no such thing."""
        if hit.kind is HitKind.NODE:
            self._canvas.select_wire(None)
            self.choose((NODE, hit.node), show=False)
        elif hit.kind is HitKind.BAND and hit.id is not None:
            self._fold([band for band in self._canvas.picture.gradients.bands if band.statement == hit.id])
        return hit.kind in (HitKind.NODE, HitKind.BAND)

    # ------------------------------------------------------------ keys

    def choose(self, key: Key | None, show: bool = True) -> None:
        """Select a node, and bring it into view."""
        canvas = self._canvas
        canvas.keyboard.focus(None, select=False)
        canvas.document.select_node(None if key is None else key[1])
        if key is not None:
            if show:
                canvas.ensure_rect_visible(self.rect(key), glide=True)
            accessible.node_focused(canvas, key)

    def tab(self, by: int) -> bool:
        """Go to the next (+1) or previous (-1) node; False past the first or the last."""
        order, here = self.keys(), self.chosen()
        there = (order.index(here) + by) if here is not None else 0 if by > 0 else len(order) - 1
        if not 0 <= there < len(order):
            return False
        self.choose(order[there])
        return True

    def go(self, way: tuple[int, int]) -> bool:
        """Go along an edge (left: on to what reads it; right: back), else to the nearest node; False without a node."""
        here = self.chosen()
        arrays = None if here is None else self.arrays(here)
        if here is None or arrays is None:
            return False
        row = arrays.index[here]
        along = arrays.wired(row, way[0]) if way[0] else []
        found = _nearest(arrays, row, along, way)
        card = arrays.card_beyond(row, way[0]) if found is None and way[0] else None
        if card is not None:
            self._canvas.keyboard.focus(card)
            return True
        found = _nearest(arrays, row, None, way) if found is None else found
        if found is not None:
            self.choose(arrays.keys[found])
        return True

    # ------------------------------------------------------------ actions

    def go_to_card(self) -> None:
        """Go to the card that the chosen node came from."""
        key = self.chosen()
        arrays = None if key is None else self.arrays(key)
        if key is not None and arrays is not None:
            card = arrays.cards[arrays.index[key]]
            if card in self._canvas.picture.index:
                self._canvas.keyboard.focus(card)

    def go_to_nodes(self) -> None:
        """Go from the selected card to the first node that came from it; without a selection to the first of all."""
        canvas, layer = self._canvas, self._canvas.picture.gradients
        chosen = canvas.document.selection
        beside = canvas.picture.beside
        found = [key for arrays in beside for key in (arrays.of_cards(chosen) if chosen else arrays.keys)]
        led = self._led_to(chosen)
        found = found or [layer.keys[row] for row in led if row < len(layer.keys)]
        if found:
            self.choose(found[0])
        elif canvas.picture.drawing.shows_functions and not led:
            canvas.document.told.emit(translate("Nodes", "No Function belongs to the selected card."))
        elif any(band.folded for band in layer.bands):
            canvas.document.told.emit(translate("Nodes", "The graph of the gradient is folded: Shift+D opens it."))
        else:
            words = translate("Nodes", "No backward with create_graph=True has gone through the selected card.")
            canvas.document.told.emit(words)

    def _led_to(self, cards: frozenset[int]) -> list[int]:
        """The rows of a gradient's graph, folded ones too, that are the ``grad_fn`` of these cards."""
        links = self._canvas.picture.gradients.links
        return [link.source for link in links if link.leads_here and link.card in cards]

    def look_at_moment(self) -> None:
        """Look at the moment in which the chosen node was recorded."""
        key, document = self.chosen(), self._canvas.document
        if key is not None:
            rows = document.session.trace.about_nodes(0)
            made = (at for at, kind, node in rows if node == key[1] and kind is EventKind.NODE_MADE)
            document.look_at(next(made, None))

    def fold(self) -> None:
        """Fold the graph of the chosen node, or open it; without a node all of them."""
        bands = self._canvas.picture.gradients.bands
        key = self.chosen()
        if key is not None:
            row = self._canvas.picture.gradients.index.get(key, -1)
            bands = tuple(band for band in bands if band.holds(row))
        self._fold(bands)

    def fit(self) -> bool:
        """Show all of the graph that the chosen node is in; False without one."""
        key = self.chosen()
        row = -1 if key is None else self._canvas.picture.gradients.index.get(key, -1)
        band = next((band for band in self._canvas.picture.gradients.bands if band.holds(row)), None)
        if band is not None:
            self._canvas.fit_rect(band.rect, glide=True)
        return band is not None

    def refuse_deletion(self) -> None:
        """Say why the chosen node can't be deleted."""
        if self.chosen() is not None:
            words = translate("Nodes", "Nodes are what a run left behind: delete the line that made them instead.")
            self._canvas.document.told.emit(words)

    def show_graphs(self, on: bool) -> None:
        """Show the graphs of gradients on the canvas, or leave them out; remembered."""
        settings.GRADIENT_GRAPHS.set(on)
        self._canvas.picture.gradients.shown = on
        self._canvas.picture.set_board(self._canvas.document.board)
        self._canvas.document.select_node(None)
        self._canvas.repaint_still()

    # ------------------------------------------------------------ inside

    def _notice(self) -> None:
        """A graph that is new is brought into view where all was in view before; where it lies else is said."""
        canvas, document = self._canvas, self._canvas.document
        before, self._lines = self._lines, _recorded(document)
        if self._lines <= before or document.is_past or not canvas.picture.gradients.shown:
            return
        if canvas.shows_all or canvas.growing.shows_all:
            canvas.fit_beginning(glide=True)
        self._unseen = {band.statement for band in canvas.picture.gradients.bands if not self._is_seen(band)}
        if self._unseen:
            self._said = translate("Nodes", "The graph of the gradient is out of view: D goes there, Home shows all.")
            document.told.emit(self._said)

    def _is_seen(self, band: Band, whole: bool = True) -> bool:
        """True for a graph that is in view or soon will be, ``whole`` or with its middle."""
        seen = self._canvas.glide.target.scene_rect(QSizeF(self._canvas.size()))
        return seen.contains(band.rect) or (not whole and seen.contains(band.rect.center()))

    def _on_viewed(self) -> None:
        """Who has gone to one of the graphs need no longer be told where they are."""
        bands = self._canvas.picture.gradients.bands if self._unseen else ()
        if any(band.statement in self._unseen and self._is_seen(band, whole=False) for band in bands):
            self._unseen = set()
            self._canvas.document.withdrawn.emit(self._said)

    def _fold(self, bands: tuple[Band, ...] | list[Band]) -> None:
        """Fold these graphs; open them where all are folded. One undo step."""
        if not bands:
            return
        document, shown = self._canvas.document, all(band.folded for band in bands)
        change = arranging.show_graph(document.board, bands[0].statement, shown)
        for band in bands[1:]:
            change = change.then(arranging.show_graph(document.board, band.statement, shown))
        opened, folded = (
            translate("Nodes", "Show the graph of the gradient"),
            translate("Nodes", "Fold the graph of the gradient"),
        )
        document.do(change, opened if shown else folded)

    # ------------------------------------------------------------ paint

    def _paint(self, painter: QPainter) -> None:
        """Light the node under the pointer, or the chosen one, with its card and its edges; and a card's nodes."""
        canvas = self._canvas
        hovered, chosen = canvas.hovered, self.chosen()
        key = (NODE, hovered.node) if hovered.kind is HitKind.NODE else chosen
        arrays = None if key is None else self.arrays(key)
        lit = [(key, AROUND)] if key is not None and key != chosen else []
        if hovered.id in canvas.picture.index and canvas.is_card(hovered):
            lit += [(other, 2.0) for each in canvas.picture.beside for other in each.of_cards({hovered.id or 0})]
        if arrays is None and not lit:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(canvas.to_view(QPointF(0, 0)))
        painter.scale(canvas.viewport.scale, canvas.viewport.scale)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        colour = QColor(theme.current().color("grad"))
        for other, width in lit:
            painter.setPen(_pen(colour, width))
            painter.drawRect(self.rect(other).adjusted(-GAP, -GAP, GAP, GAP))
        if arrays is not None and key is not None:
            self._paint_origin(painter, arrays, arrays.index[key], colour)
            if key != chosen and canvas.viewport.level is not Level.NEAR:
                paint_words(painter, self.rect(key).center(), self.words(key), colour)

    def _paint_origin(self, painter: QPainter, arrays: NodeArrays, row: int, colour: QColor) -> None:
        """The card that a node came from, and its edges."""
        picture, card = self._canvas.picture, arrays.cards[row]
        painter.setPen(_pen(colour, AROUND))
        if card in picture.index and not picture.hidden[picture.index[card]]:
            painter.drawRect(picture.rect(card).adjusted(-GAP, -GAP, GAP, GAP))
        if arrays is picture.gradients:
            soft = QColor(colour)
            soft.setAlphaF(0.6)
            painter.setPen(_pen(soft, ALONG))
            for place, link in enumerate(picture.gradients.links):
                if row in (link.source, link.target):
                    painter.drawPath(link_path(picture.gradients, place))

    def words(self, key: Key) -> str:
        """What a node is, in a line."""
        return node_words(self._canvas.picture, key)


def _recorded(document: Document) -> set[int]:
    """The lines whose backward recorded its own graph."""
    return {graph.statement for graph in document.session.trace.gradient_graphs}


def _nearest(arrays: NodeArrays, row: int, among: list[int] | None, way: tuple[int, int]) -> int | None:
    """The nearest of the rows ``among``; of all that lie in the direction when None."""
    rows = np.arange(len(arrays)) if among is None else np.array(among, np.intp)
    if not len(rows):
        return None
    across = (arrays.x + arrays.w / 2)[rows] - (arrays.x[row] + arrays.w[row] / 2)
    down = (arrays.y + arrays.h / 2)[rows] - (arrays.y[row] + arrays.h[row] / 2)
    ahead, aside = across * way[0] + down * way[1], np.abs(across * way[1]) + np.abs(down * way[0])
    distance = np.abs(ahead) + 2 * aside
    distance[rows == row] = np.inf
    if among is None:
        distance[(ahead <= 0) | (aside > 2 * ahead)] = np.inf
    return None if np.isinf(distance.min()) else int(rows[distance.argmin()])


def _pen(colour: QColor, width: float) -> QPen:
    pen = QPen(colour, width)
    pen.setCosmetic(True)
    return pen
