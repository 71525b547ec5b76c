"""The columns in which the Function nodes of the autograd drawing stand, right of all cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from chalkgrad.stepwise import Stepwise

DOWN = 36.0
"""Room between the nodes of a column."""
SIDESTEP = 300.0
"""A node goes to the next column rather than so far down."""
STACK = 4
"""So many nodes of leaves of one row stand below each other, the others in columns beside them."""
OF_OPERATOR, OF_LEAF = 190.0, 108.0
"""How much of a column a node of an operator takes about, and one of a leaf."""
PORTION = 500
"""So many are placed in one step."""


def in_columns(
    order: Sequence[int],
    tops: Sequence[float],
    heights: Sequence[float],
    stacked: dict[int, int],
    most: int | None = None,
) -> Stepwise[tuple[np.ndarray, np.ndarray]]:
    """Column and top of each node, as near to the top asked for as it can stand; ``stacked`` have their columns.

    They take their places in ``order``, each in the first column where it need not go far down; there are ``most``
    columns.
    """
    columns, found = np.zeros(len(tops)), np.zeros(len(tops))
    bottoms: list[float] = []
    for place, row in enumerate(order):
        top, column = tops[row], stacked.get(row)
        if column is None:
            costs = [max(top, bottom + DOWN) - top + SIDESTEP * column for column, bottom in enumerate(bottoms)]
            if most is None or len(bottoms) < most:
                costs.append(SIDESTEP * len(bottoms))
            column = costs.index(min(costs))
        column = column if most is None else min(column, most - 1)
        bottoms += [-np.inf] * (column + 1 - len(bottoms))
        columns[row], found[row] = column, max(top, bottoms[column] + DOWN)
        bottoms[column] = found[row] + heights[row]
        if place % PORTION == 0:
            yield place / len(order)
    return columns, found


def stacked_leaves(order: Sequence[int], tops: Sequence[float], accumulates: np.ndarray) -> dict[int, int]:
    """The columns in which the nodes of leaves stand: those of one row together, equally many in each."""
    rows: defaultdict[float, list[int]] = defaultdict(list)
    for row in order:
        if accumulates[row]:
            rows[tops[row]].append(row)
    found: dict[int, int] = {}
    for members in rows.values():
        columns = -(-len(members) // STACK)
        each = -(-len(members) // columns)
        found |= {row: place // each for place, row in enumerate(members)}
    return found
