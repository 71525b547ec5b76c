"""The style sheet of the window: every control in the theme's colours, on one scale of lengths.

Fusion measures and lays out; what is seen of a control is said in ``themes/window.qss``, whose names get values here.
"""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING

from chalkgrad_app import assets
from chalkgrad_app.style import indicators

if TYPE_CHECKING:
    from chalkgrad_app.style.theme import Theme

LENGTHS = {
    "line": 1,
    "ring": 2,
    "hair": 2,
    "half": 4,
    "half_less": 3,
    "space": 8,
    "space_less": 7,
    "wide": 12,
    "tab": 10,
    "wider": 16,
    "radius": 4,
    "sign": 12,
    "box": 16,
    "bar": 10,
    "handle": 20,
    "menu": 8,
    "title": 17,
    "small": 11,
    "toolbar": 36,
    "wide_arrow": 22,
    "wide_less": 11,
    "round": 7,
    "half_twice": 6,
    "slider": 20,
}
"""Lengths in pixels at 100% text size; ``_less`` leaves room for a ring, which is a pixel thicker than an edge."""

MOST = {"bar": 18}
"""Lengths that grow no further: long scroll bars would make the least size of panels larger."""

UNSCALED = frozenset({"line", "handle", "menu"})
"""Lengths that stay as they are at every text size: with more room, panels and menu bar would not fit on the screen."""

HOVER, PRESSED = 112, 128
"""How much darker the main button is under the mouse and pressed, in per cent: white on it stays as clear as it was."""


def sheet(theme: Theme, percent: int) -> str:
    """The sheet for a theme and a text size in per cent."""
    values: dict[str, object] = theme._asdict()
    for name, pixels in LENGTHS.items():
        grown = pixels if name in UNSCALED else round(pixels * percent / 100)
        values[name] = min(grown, MOST.get(name, grown))
    values["primary_hover"] = theme.color("highlight").darker(HOVER).name()
    values["primary_pressed"] = theme.color("highlight").darker(PRESSED).name()
    values["signs"] = indicators.folder(theme)
    return Template(assets.text("themes/window.qss")).substitute(values)
