"""A card with the Function nodes next to it: what is to be seen of the autograd drawing around one card."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSizeF

from chalkgrad_app.canvas.viewport import LEAST_MARGIN, Viewport
from chalkgrad_app.picture.function_layer import FunctionLayer
from chalkgrad_app.picture.look import MIDDLE
from chalkgrad_app.picture.picture import Picture

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas


def show_functions(canvas: GraphCanvas, card: int | None) -> None:
    """What is selected, else a card, is seen with the nodes next to it; failing that, where all begins.

    Where all is selected that says nothing.
    """
    chosen = [id_ for id_ in canvas.document.selected_statements if id_ in canvas.picture.index]
    if len(chosen) == len(canvas.picture.ids):
        chosen = []
    ids = chosen or ([] if card is None else [card])
    rect = with_functions(canvas.picture, ids, canvas.viewport, QSizeF(canvas.size()))
    if not rect.isEmpty():
        canvas.ensure_rect_visible(rect)
    elif chosen:
        canvas.fit_beginning()
        canvas.show_selected()


def show_with_functions(picture: Picture, id_: int, target: Viewport, size: QSizeF, page: QRectF) -> None:
    """Have a view show a card of a ``page`` with the nodes next to it, and rather what is above than nothing below.

    It stays as it is where names couldn't be read then.
    """
    rect = with_functions(picture, {id_}, target, size)
    if rect.isEmpty():
        return
    target.fit(rect, size)
    seen = target.scene_rect(size)
    over = min(seen.bottom() - page.bottom() - LEAST_MARGIN / target.scale, seen.top() - page.top())
    target.pan(0.0, max(0.0, over) * target.scale)


def with_functions(picture: Picture, ids: Collection[int], viewport: Viewport, size: QSizeF) -> QRectF:
    """The rectangle around cards, their nodes and those joined to them, as far as all of it can be read at once.

    Without those joined to them where names couldn't be read then; empty where there are no nodes, or these are too
    far off, too.
    """
    nodes = picture.functions
    own = [nodes.index[key] for key in nodes.of_cards(ids)]
    if not own:
        return QRectF()
    cards = picture.bounds(ids)
    for rows in ([*own, *_joined(nodes, own)], own):
        rect = QRectF(cards)
        for row in rows:
            rect = rect.united(nodes.rect(nodes.keys[row]))
            rect = rect.united(nodes.disc(row)) if nodes.saves[row] else rect
        if _is_read(rect, viewport, size):
            return rect
    return QRectF()


def _joined(nodes: FunctionLayer, rows: Collection[int]) -> list[int]:
    """The nodes to which edges lead from these, and those from which edges lead to these."""
    return [other for row in rows for way in (-1, 1) for other in nodes.joined(row, way)]


def _is_read(rect: QRectF, viewport: Viewport, size: QSizeF) -> bool:
    """True where names can be read when all of it is seen."""
    fitted = viewport.copied()
    fitted.fit(rect, size)
    return fitted.zoom >= MIDDLE
