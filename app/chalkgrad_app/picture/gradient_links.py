"""The links of the gradient's graph: where they begin and end, which way they go there, and what they go round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QRectF

from chalkgrad.layout.detours import DOWN, LEFT, RIGHT
from chalkgrad_app.picture.anatomy import Anatomy, Point
from chalkgrad_app.picture.autograd_shape import INSET
from chalkgrad_app.picture.gradient_ways import Headings

if TYPE_CHECKING:
    from chalkgrad_app.picture.picture import Picture


class Link(NamedTuple):
    """An edge of the layer: rows of nodes or folded bands, -1 where it begins or ends at ``card``, at its ``output``.

    ``grad`` says that it ends at the grad row of a card: the layer's end, where one builds on. One that ends at a
    Function node has its ``number`` and which of its ``next_functions`` it is, the ``output``: such a node leads here.
    """

    source: int
    target: int
    card: int = -1
    output: int = 0
    grad: bool = False
    number: int = -1

    @property
    def row(self) -> int:
        """One of its nodes: each has one."""
        return max(self.source, self.target)

    @property
    def leads_here(self) -> bool:
        """True for one that is read the other way round: a ``grad_fn`` or a next function, which is this node."""
        return self.target < 0 and not self.grad


def outlet_of(picture: Picture, number: int) -> tuple[int, int] | None:
    """The card that shows an object, and which of its outputs it is; None where no card shows it."""
    found = picture.state.outlet(number)
    return found if found is not None and found[0] in picture.index else None


def ports(picture: Picture, links: Sequence[Link]) -> np.ndarray:
    """Where on their cards links begin or end, or on Function nodes: rows x, y."""
    return np.array([_end(picture, link) for link in links]).reshape(-1, 2)


def _end(picture: Picture, link: Link) -> Point:
    if link.number >= 0:
        return picture.functions.beside_next(link.number, link.output)
    row, (x, y) = picture.index[link.card], _port(picture.anatomy(link.card), link)
    return float(picture.x[row]) + x, float(picture.y[row]) + y


def _port(shape: Anatomy, link: Link) -> Point:
    """The value's port, the gradient's, the row with the ``grad_fn``; else the name, or the row of one of several."""
    row = shape.row(link.output)
    if link.source < 0:
        return row.value_port
    if link.grad:
        return row.grad_port
    if shape.down and row.others:
        box = row.others[0][1]
        return box.left + box.width + INSET, box.top + box.height / 2
    box = row.value if len(shape.rows) > 1 else shape.header
    return box.left, box.top + box.height / 2


def headings(link: Link, down: bool) -> Headings:
    """How a link leaves a node, to the left, or a card, to the right or ``down``; and how it comes in at its end."""
    leaves = LEFT if link.source >= 0 else DOWN if down else RIGHT
    comes_to_name = link.leads_here and link.number < 0 and not down
    return leaves, RIGHT if comes_to_name else LEFT


def lying(picture: Picture) -> np.ndarray:
    """What the ways of links go round, as rows left, top, right, bottom: all that lies on the board and beside it."""
    cards = np.stack([picture.x, picture.y, picture.w, picture.h], axis=1)[~picture.hidden]
    layers = [np.stack([one.x, one.y, one.w, one.h], axis=1) for one in picture.beside]
    boxes = np.concatenate([cards, *layers])
    boxes[:, 2:] += boxes[:, :2]
    others = [fold.rect for fold in picture.folds] + [band.title for band in picture.gradients.bands]
    others += [QRectF(note.x, note.y, note.width, note.height) for note in picture.notes]
    return np.concatenate([boxes, picture.functions.discs(), corners(others)])


def corners(rects: Sequence[QRectF]) -> np.ndarray:
    """Rows left, top, right, bottom."""
    return np.array([rect.getCoords() for rect in rects], float).reshape(-1, 4)
