"""The small signs inside controls (chevrons, ticks), written as SVG files in a theme's colours for style sheets.

A style sheet can name a picture by its file only, and a file has its colours in it: so each theme in use gets a folder
of its own, that goes when the process ends.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTemporaryDir

from chalkgrad_app import assets

if TYPE_CHECKING:
    from chalkgrad_app.style.theme import Theme

SIGNS = {
    "chevron-down": ("chevron-down", "text"),
    "chevron-up": ("chevron-up", "text"),
    "chevron-left": ("chevron-left", "text"),
    "chevron-right": ("chevron-right", "text"),
    "tick": ("ok", "highlight_text"),
    "dash": ("dash", "highlight_text"),
    "dot": ("dot", "highlight_text"),
    "tick-menu": ("ok", "text"),
    "dot-menu": ("dot", "text"),
}
"""Each sign with the icon that it is and the role of its colour."""

BOX_SIGNS = {
    "box-question": ("question", "text"),
    "box-warning": ("warning", "frame_amber"),
    "box-problem": ("problem", "error_ink"),
    "box-information": ("information", "text"),
}
"""Those of message boxes, which are shown larger than an icon."""

STROKE, THICKER = 'stroke-width="1.75"', 'stroke-width="3"'
"""Signs are shown at half the size of an icon, so that their strokes have to be thicker."""


@cache
def _home() -> QTemporaryDir:
    return QTemporaryDir()


@cache
def folder(theme: Theme) -> str:
    """The path, with slashes, of the folder that holds a theme's signs; those of what is disabled end in ``-off``."""
    home = Path(_home().path()) / theme.name
    home.mkdir(exist_ok=True)
    for name, (icon, role) in (SIGNS | BOX_SIGNS).items():
        drawing = assets.text(f"icons/{icon}.svg")
        if name in SIGNS:
            drawing = drawing.replace(STROKE, THICKER)
        for ending, ink in (("", theme.color(role)), ("-off", theme.color("disabled"))):
            text = drawing.replace("currentColor", ink.name())
            (home / f"{name}{ending}.svg").write_text(text, encoding="utf-8")
    return home.as_posix()
