"""What wires lead to: the cards that some cards need, those that need them, and their neighbours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

import numpy as np

from chalkgrad_app.picture.picture import Picture


def upstream(picture: Picture, ids: Collection[int]) -> frozenset[int]:
    """``ids`` and every card that one of them needs."""
    return _reached(picture, ids, picture.wire_target, picture.wire_source)


def downstream(picture: Picture, ids: Collection[int]) -> frozenset[int]:
    """``ids`` and every card that needs one of them."""
    return _reached(picture, ids, picture.wire_source, picture.wire_target)


def neighbours(picture: Picture, ids: Collection[int]) -> frozenset[int]:
    """``ids`` and every card that a wire joins to one of them."""
    rows = picture.wires_of(ids)
    ends = np.union1d(picture.wire_source[rows], picture.wire_target[rows])
    return frozenset(ids).union(picture.ids[row] for row in ends.tolist())


def read_by(picture: Picture, id_: int) -> list[int]:
    """The cards that a card reads, in the order of its ports."""
    return [picture.wires[row].source for row in picture.wires_of([id_]).tolist() if picture.wires[row].target == id_]


def readers(picture: Picture, id_: int) -> list[int]:
    """The cards that read a card."""
    return [picture.wires[row].target for row in picture.wires_of([id_]).tolist() if picture.wires[row].source == id_]


def reading_order(picture: Picture) -> list[int]:
    """Cards in the order of their lines, a folded frame where the first of what it hides would be."""
    if not picture.folds:
        return picture.ids
    folds = {fold.cards[0]: fold.id for fold in picture.folds if fold.cards}
    order: list[int] = []
    for id_, hidden in zip(picture.ids, picture.hidden.tolist(), strict=True):
        if not hidden:
            order.append(id_)
        elif id_ in folds:
            order.append(folds[id_])
    return order


def things(picture: Picture) -> list[int]:
    """All that Tab goes through: cards in reading order, then notes, then frames."""
    others = [note.id for note in picture.notes] + [frame.id for frame in picture.frames if not frame.block]
    return [*reading_order(picture), *others] if others else reading_order(picture)


def shown_as(picture: Picture, id_: int) -> int:
    """The card itself, or the folded frame that is shown instead of it."""
    return next((fold.id for fold in picture.folds if id_ in fold.hides), id_)


def _reached(picture: Picture, ids: Iterable[int], near: np.ndarray, far: np.ndarray) -> frozenset[int]:
    """``ids`` and the cards at the ``far`` ends of wires whose ``near`` ends are reached."""
    onward: defaultdict[int, list[int]] = defaultdict(list)
    for start, end in zip(near.tolist(), far.tolist(), strict=True):
        onward[start].append(end)
    rows = picture.rows_of(ids).tolist()
    found = set(rows)
    while rows:
        fresh = [row for row in onward[rows.pop()] if row not in found]
        found.update(fresh)
        rows += fresh
    return frozenset(ids).union(picture.ids[row] for row in found)
