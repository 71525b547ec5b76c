"""Where the ticks of a plot's axes lie."""

from __future__ import annotations

import numpy as np
import pytest

from chalkgrad_app.widgets.plot_axes import axis_over


@pytest.mark.parametrize("most", [1, 2, 5])
@pytest.mark.parametrize(
    "low, high", [(0.004, 41.0), (1.7, 2.9), (-3.0, 1e-6), (5e5, 5e5 + 1), (1e-9, 3e-9), (7.0, 7.0)]
)
def test_an_axis_has_two_ticks_at_least_and_not_many_more_than_there_is_room_for(low, high, most):
    axis = axis_over([np.array([low, high])])
    ticks = axis.ticks(most)
    assert 2 <= len(ticks) <= max(5, most + 1)
    assert all(axis.low <= tick + 1e-9 and tick <= axis.high + 1e-9 for tick in ticks)
    steps = np.diff(ticks)
    assert np.allclose(steps, steps[0], rtol=1e-3)
