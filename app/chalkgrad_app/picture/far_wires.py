"""How wires are seen from afar: lines from card to card that go round what the wires go round.

Long ones of which there are so many that they would be a dark band are faint, below all others, near as from afar.
"""

from __future__ import annotations

import numpy as np

from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.wires import COARSE, flatten

FEW = 600
"""So many wires are drawn as they run; of more, those that nothing is in the way of are straight lines."""
SMOOTH = 300
"""In a picture of so many wires their lines have smooth edges, which takes longer."""

PASSING = 1500.0
"""A wire that is longer than this, in pixels, mostly passes what one looks at."""
CROWD, FAINTEST = 0.1, 0.25
"""Passing wires may cover this part of a picture before they get fainter, and how faint they are at last."""
LOW = 400.0
"""A picture that is lower than this, in pixels, has room for them above and below."""


def are_smooth(picture: Picture) -> bool:
    """True where lines seen from afar have smooth edges: whatever part of the picture is painted."""
    return len(picture.wires) <= SMOOTH


def far_lines(picture: Picture, wires: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """The lines of these wires in canvas units, rows x1, y1, x2, y2; ``centers`` are the middles of all cards."""
    sources, targets = centers[picture.wire_source[wires]], centers[picture.wire_target[wires]]
    if len(wires) <= FEW:
        points = flatten(picture.cubics[picture.pieces_of(wires)], COARSE)
        ways = np.concatenate([points[:, :-1], points[:, 1:]], axis=2).reshape(-1, 4)
        led = np.ones(len(wires), bool)
    else:
        led = np.isin(wires, picture.piece_wire[len(picture.wires) :])
        ways = picture.cubics[picture.pieces_of(wires[led])][:, [0, 1, 6, 7]]
    ends = picture.ends[wires[led]]
    straight = np.hstack([sources[~led], targets[~led]])
    return np.concatenate(
        [straight, ways, np.hstack([sources[led], ends[:, :2]]), np.hstack([ends[:, 2:], targets[led]])]
    )


def passing(picture: Picture, zoom: float, width: float = 1.0) -> tuple[np.ndarray, float]:
    """For each wire whether it mostly passes what one looks at, and how strongly those are drawn, from 0 to 1.

    Lines are so many pixels wide. It is the same whatever part of the picture is painted.
    """
    ax, ay, bx, by = picture.ends.T
    lengths = (np.abs(bx - ax) + np.abs(by - ay)) * zoom
    found = (lengths > PASSING) & ~picture.wire_hidden
    if not found.any():
        return found, 1.0
    across, down = (
        max(float((near + size).max() - near.min()) * zoom, LOW)
        for near, size in ((picture.x, picture.w), (picture.y, picture.h))
    )
    return found, min(1.0, max(FAINTEST, CROWD * across * down / (float(lengths[found].sum()) * width)))
