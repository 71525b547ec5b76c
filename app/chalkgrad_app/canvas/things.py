"""What can be selected and moved: cards, notes, frames, folded nodes, and what lies in them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from PySide6.QtCore import QRectF

from chalkgrad_app.canvas import blocks
from chalkgrad_app.canvas.hit import Hit, HitKind, cards_in, notes_in
from chalkgrad_app.canvas.targets import THINGS
from chalkgrad_app.picture.picture import Picture


def things_at(picture: Picture, hit: Hit) -> frozenset[int]:
    """What a click selects and a drag moves: a card, a note, a frame, or the cards of a block."""
    if hit.kind not in THINGS or hit.id is None:
        return frozenset()
    if hit.kind is HitKind.BLOCK:
        return frozenset(id_ for id_ in blocks.members(picture.program, hit.id) if id_ in picture.index)
    if hit.kind is HitKind.FOLD:
        return _selectable(picture, (fold.hides | {fold.id} for fold in picture.folds if fold.id == hit.id))
    return frozenset({hit.id})


def things_in(picture: Picture, rect: QRectF) -> list[int]:
    """Cards and notes that touch a rectangle of the canvas, and all that folded nodes there stand for."""
    folds = _selectable(picture, (fold.hides | {fold.id} for fold in picture.folds if rect.intersects(fold.rect)))
    return [*cards_in(picture, rect), *notes_in(picture, rect), *folds]


def with_contents(picture: Picture, ids: Collection[int]) -> frozenset[int]:
    """``ids``, and for each plain frame among them what lies within it, frames and folded nodes too."""
    found = set(ids)
    for frame in picture.frames:
        if frame.id in ids and not frame.block:
            inside = [other.id for other in picture.frames if not other.block]
            found.update(
                other
                for other in (*things_in(picture, frame.rect), *inside)
                if frame.rect.contains(picture.rect_of(other) or QRectF())
            )
    return frozenset(found)


def _selectable(picture: Picture, groups: Iterable[Collection[int]]) -> frozenset[int]:
    """The ids of all groups of which a selection may hold: cards, notes and frames, not blocks."""
    return frozenset(id_ for group in groups for id_ in group if id_ not in picture.program.blocks)
