"""Tabs whose names are read whole: where the text in use has no room for all of them, they are written smaller."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabBar

from chalkgrad_app.style import theme
from chalkgrad_app.style.fonts import ui_font

LEAST = 0.5
"""No smaller than this part of the text size in use, nor than 100%: where that doesn't do, tabs scroll."""


def fit_tabs(bar: QTabBar) -> None:
    """Write the names in the text size in use, or as much smaller as it takes to see them all."""
    bar.setElideMode(Qt.TextElideMode.ElideNone)
    largest = theme.BASE_PIXELS * theme.text_size() / 100
    bar.setFont(ui_font(largest))
    room, needed = bar.width(), bar.sizeHint().width()
    names = sum(bar.fontMetrics().horizontalAdvance(bar.tabText(at)) for at in range(bar.count()))
    if names and needed > room:
        share = max(LEAST, 1 - (needed - room) / names)
        bar.setFont(ui_font(max(theme.BASE_PIXELS, int(largest * share * 10) / 10)))
