"""Boxes that meet, found near by near, against all pairs."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chalkgrad.layout.boxes import meeting, meetings

side = st.integers(-900, 900)
box = st.tuples(side, side, st.integers(1, 1200), st.integers(1, 700))


def _boxes(rects):
    left, top, width, height = np.array(rects, float).reshape(-1, 4).T
    return np.stack([left, top, left + width, top + height], axis=1)


@given(st.lists(box, max_size=12), st.lists(box, max_size=12))
def test_meetings_are_the_pairs_that_share_room(ones, others):
    ones, others = _boxes(ones), _boxes(others)
    rows, columns = meetings(ones, others)
    expected = {
        (row, column)
        for row, one in enumerate(ones)
        for column in np.flatnonzero(meeting(others, one[:2], one[2:])).tolist()
    }
    assert set(zip(rows.tolist(), columns.tolist(), strict=True)) == expected
