"""The hues of the cards, by style: fill, edge and text as ``RRGGBB``, and the width of the edge in points."""

from __future__ import annotations

from typing import NamedTuple


class Hue(NamedTuple):
    """How cards of one style look; ``round`` tells results from leaves where hues are lost."""

    fill: str
    edge: str
    text: str
    width: float
    round: bool


FUNCTION = Hue("DCE9F4", "0F5A8F", "000000", 1.0, False)
"""How nodes of a gradient's graph look."""

HUES = {
    "leaf": Hue("F2C530", "8F6B00", "000000", 1.0, False),
    "parameter": Hue("4FA64F", "2E7031", "000000", 2.5, False),
    "result": Hue("F2C530", "8F6B00", "000000", 1.0, True),
    "intermediate": Hue("5D4037", "3B2721", "FFFFFF", 2.5, True),
}
