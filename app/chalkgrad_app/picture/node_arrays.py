"""Things beside the cards as arrays: they are in the trace and not in the program, and lie where a rule puts them.

They are selected, read and exported as cards are, but never moved or edited.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF

NODE = "node"
"""The kind of key that a backward node of the trace has."""

Key = tuple[str, int]
"""What a thing is: its kind, and the number of the node or the id of the statement that it shows."""


class NodeArrays:
    """``keys`` in painting order, their rows in ``index``; ``x``, ``y``, ``w``, ``h`` by row.

    ``cards`` are the statements that they belong to, by row; ``to_come`` are those that are not there yet at the
    position looked at.
    """

    def __init__(self) -> None:
        self.keys: list[Key] = []
        self.index: dict[Key, int] = {}
        self.cards: list[int] = []
        self.x, self.y, self.w, self.h = (np.zeros(0) for _ in range(4))
        self.to_come = np.zeros(0, bool)

    def __len__(self) -> int:
        return len(self.keys)

    def __contains__(self, key: object) -> bool:
        return key in self.index

    def take(self, keys: Sequence[Key], cards: Sequence[int], rects: np.ndarray) -> None:
        """Show these things: rows x, y, width, height."""
        self.keys, self.cards = list(keys), list(cards)
        self.index = {key: row for row, key in enumerate(self.keys)}
        self.x, self.y, self.w, self.h = rects.T.copy() if len(keys) else (np.zeros(0) for _ in range(4))
        self.to_come = np.zeros(len(self.keys), bool)

    def rect(self, key: Key) -> QRectF:
        """The rectangle of a thing; KeyError where there is none."""
        row = self.index[key]
        return QRectF(self.x[row], self.y[row], self.w[row], self.h[row])

    def bounds(self) -> QRectF:
        """The rectangle around all of them; empty where there are none."""
        if not self.keys:
            return QRectF()
        left, top = float(self.x.min()), float(self.y.min())
        return QRectF(left, top, float((self.x + self.w).max()) - left, float((self.y + self.h).max()) - top)

    def at(self, point: QPointF) -> Key | None:
        """The topmost thing at a point."""
        rows = self.within(QRectF(point, point))
        return self.keys[int(rows[-1])] if len(rows) else None

    def within(self, rect: QRectF) -> np.ndarray:
        """The rows of what touches a rectangle."""
        return np.flatnonzero(
            (self.x <= rect.right())
            & (self.x + self.w >= rect.left())
            & (self.y <= rect.bottom())
            & (self.y + self.h >= rect.top())
        )

    def among(self, rows: np.ndarray, ids: Collection[int] | None) -> np.ndarray:
        """Those of some rows that belong to these statements; None: to any."""
        return rows if ids is None else rows[[self.cards[row] in ids for row in rows.tolist()]]

    def wired(self, row: int, right: int) -> list[int]:
        """The rows that an edge joins to one, on its right (+1) or its left (-1)."""
        return []

    def joined(self, row: int, right: int) -> list[int]:
        """The rows that one gets from (+1) and those that it hands on to (-1), for whoever reads and doesn't see."""
        return self.wired(row, right)

    def card_beyond(self, row: int, right: int) -> int | None:
        """The card that an edge leads to on the right (+1) or the left (-1), or None."""
        return None

    def of_cards(self, ids: Collection[int]) -> list[Key]:
        """What belongs to these statements."""
        return [key for key, card in zip(self.keys, self.cards, strict=True) if card in ids]
