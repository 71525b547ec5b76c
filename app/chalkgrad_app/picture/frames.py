"""Frames: plain ones as the board has them, those of blocks around the cards that stand in them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import reduce
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFont

from chalkgrad_app.naming import block_title
from chalkgrad_app.picture.brush import measure, mixed
from chalkgrad_app.picture.card import fields_of
from chalkgrad_app.picture.card_parts import FIELD_LONGEST, field_rect
from chalkgrad_app.picture.folding import MARGIN, TITLE
from chalkgrad_app.style.fonts import mono_font, ui_font

if TYPE_CHECKING:
    from chalkgrad_app.picture.look import Look
    from chalkgrad_app.picture.picture import Picture

TITLE_SIZE, INSET = 13, 12.0
"""Size of a frame's title in canvas units, and how far from its left edge it begins."""
BETWEEN, BESIDE = 4.0, 8.0
"""So much farther than from a card the frame of a block is from one in it; how far it is from a number at a card."""
TINT = 0.16
"""How much of its hue a frame is filled with."""
INNER = 0.14
"""How much of the colour of edges is in what a frame is filled with that lies in another."""
CORNER = 8.0
"""Radius of the corners of a frame."""
HUES = ("red", "amber", "green", "teal", "blue", "violet")
"""The colours that a frame may have; each theme has its own tone of them."""


def hue_role(hue: str) -> str:
    """The theme's role for the colour of a frame; "" for a plain one."""
    return f"frame_{hue}" if hue in HUES else ""


def tint(hue: str, look: Look, depth: int = 0) -> QColor:
    """What a frame is filled with: a little of its hue; of those without, every second level more."""
    role = hue_role(hue)
    if not role and depth % 2:
        return mixed(look.theme.color("frame"), look.theme.color("frame_edge"), INNER)
    fill = QColor(look.theme.color(role or "frame"))
    if role:
        fill.setAlphaF(TINT)
    return fill


class FrameShape(NamedTuple):
    """A frame to paint: ``block`` is True for a block of the program, whose rectangle follows its ``cards``.

    It lies in ``depth`` others; ``loop`` is True for one whose lines run several times, in so many ``rounds``.
    """

    id: int
    title: str
    rect: QRectF
    hue: str = ""
    block: bool = False
    cards: frozenset[int] = frozenset()
    loop: bool = False
    depth: int = 0
    rounds: int = 0

    def moves_with(self, lifted: frozenset[int]) -> bool:
        """True when dragging ``lifted`` moves the frame or changes its size."""
        return self.id in lifted or not self.cards.isdisjoint(lifted)


def title_font(frame: FrameShape) -> QFont:
    """In what the title of a frame is written."""
    return mono_font(TITLE_SIZE) if frame.block else ui_font(TITLE_SIZE, True)


def title_rect(frame: FrameShape) -> QRectF:
    """Where the title of a frame stands."""
    width = measure(title_font(frame)).horizontalAdvance(frame.title) + 2 * INSET
    return QRectF(frame.rect.left(), frame.rect.top(), min(width, frame.rect.width()), TITLE)


Leaving = Mapping[int, Collection[int]]
"""The blocks that each card leaves where it is dragged."""
NOBODY: Leaving = MappingProxyType({})


def frame_shapes(
    picture: Picture,
    shifted: Collection[int] = (),
    dx: float = 0.0,
    dy: float = 0.0,
    leaving: Leaving = NOBODY,
) -> tuple[FrameShape, ...]:
    """All frames, outer ones first; ``shifted`` plain frames are shown moved by (dx, dy).

    Those of blocks lie around their cards without those that are ``leaving``.
    """
    plain = []
    frames = sorted(picture.board.frames.values(), key=lambda frame: -frame.width * frame.height)
    for frame in frames:
        if frame.id in picture.folding.unseen:
            continue
        rect = QRectF(frame.x, frame.y, frame.width, frame.height)
        if frame.id in shifted:
            rect.translate(dx, dy)
        plain.append(FrameShape(frame.id, frame.title, rect, frame.hue))
    return _with_depths((*plain, *_block_shapes(picture, leaving)))


def _with_depths(shapes: tuple[FrameShape, ...]) -> tuple[FrameShape, ...]:
    """The frames, each with in how many others it lies."""
    if len(shapes) < 2:
        return shapes
    edges = np.array([shape.rect.getCoords() for shape in shapes])
    begin, end = edges[:, :2], edges[:, 2:]
    inside = (begin[:, None] >= begin[None]).all(axis=2) & (end[:, None] <= end[None]).all(axis=2)
    depths = (inside & ~inside.T).sum(axis=1).tolist()
    return tuple(shape._replace(depth=depth) for shape, depth in zip(shapes, depths, strict=True))


def _block_shapes(picture: Picture, leaving: Leaving) -> list[FrameShape]:
    """The frames of blocks, outer ones first: each as far from its cards, and frames in it, as the layout has them."""
    program, unseen = picture.program, picture.folding.unseen
    members = {block: cards for block, cards in picture.folding.blocks.items() if block not in unseen}
    deepest = {block: _depth_below(picture, block) for block in members}
    order = sorted(members, key=lambda block: -deepest[block])
    found: dict[int, FrameShape] = {}
    for block in reversed(order):
        inner = [shape for id_, shape in found.items() if program.blocks[id_].parent == block]
        staying = {id_ for id_ in members[block] if block not in leaving.get(id_, ())}
        within = {id_ for shape in inner for id_ in shape.cards if shape.id not in leaving.get(id_, ())}
        own = staying - within
        rect = _around([_cards(picture, own)], MARGIN)
        rect = rect.united(_around((shape.rect for shape in inner), MARGIN + BETWEEN))
        title, cards = block_title(program.blocks[block]), frozenset(members[block])
        loop, rounds = program.blocks[block].is_loop, program.blocks[block].rounds
        found[block] = FrameShape(block, title, rect, block=True, cards=cards, loop=loop, rounds=rounds)
    return [found[block] for block in order]


def _cards(picture: Picture, ids: Collection[int]) -> QRectF:
    """The rectangle around cards, with so much of the numbers left of them that the edge of a frame passes these."""
    rows = picture.rows_of(ids)
    if not len(rows):
        return QRectF()
    x, y, w, h = (array[rows] for array in (picture.x, picture.y, picture.w, picture.h))
    left, top = float(x.min()), float(y.min())
    at_left = rows[(x < left + FIELD_LONGEST) & ~picture.hidden[rows]].tolist() if not picture.drawing.down else ()
    for row in at_left:
        shape, statement = picture.anatomy(picture.ids[row]), picture.program[picture.ids[row]]
        for field in fields_of(statement):
            number = float(picture.x[row]) + field_rect(shape, field.port, field.text).left()
            left = min(left, number + MARGIN - BESIDE)
    return QRectF(QPointF(left, top), QPointF(float((x + w).max()), float((y + h).max())))


def _around(rects: Iterable[QRectF], margin: float) -> QRectF:
    """A rectangle around some with a margin, and room for a title above; none around none."""
    found = reduce(QRectF.united, rects, QRectF())
    return found if found.isNull() else found.adjusted(-margin, -margin - TITLE, margin, margin)


def _depth_below(picture: Picture, block: int) -> int:
    """How many levels of blocks stand inside ``block``."""
    inner = [other.id for other in picture.program.blocks.values() if other.parent == block]
    return 1 + max(_depth_below(picture, id_) for id_ in inner) if inner else 0
