"""Which cards were moved last: they are painted above the others, which lie in the order of their lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

MOST = 100
"""So many are remembered: who moves more at once moves what lies beside, not upon, the others."""


class Raised:
    """Ids of cards in the order in which they came to the top, the topmost last."""

    def __init__(self) -> None:
        self._ids: dict[int, None] = {}

    def bring_up(self, ids: Iterable[int]) -> None:
        """These are on top now, the last of them topmost."""
        for id_ in ids:
            self._ids.pop(id_, None)
            self._ids[id_] = None
        for id_ in list(self._ids)[:-MOST]:
            del self._ids[id_]

    def from_below(self, rows: np.ndarray, index: Mapping[int, int]) -> np.ndarray:
        """``rows`` in painting order, where ``index`` has the row of each card."""
        last = np.array([index[id_] for id_ in self._ids if id_ in index], np.intp)
        if not len(last) or not len(rows):
            return rows
        return np.concatenate([rows[~np.isin(rows, last)], last[np.isin(last, rows)]])
