"""The text of one widget in a colour of the theme."""

from __future__ import annotations

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from chalkgrad_app.style import theme


def tint(widget: QWidget, role: str, of: QPalette.ColorRole = QPalette.ColorRole.WindowText) -> None:
    """Write a widget's text in one of the theme's colours, as that is now."""
    colors = widget.palette()
    colors.setColor(of, theme.current().color(role))
    widget.setPalette(colors)
