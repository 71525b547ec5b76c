"""Which widgets Tab goes to."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def takes_tab(widget: QWidget, window: QWidget) -> bool:
    """True for what Tab comes to within a window: seen, not disabled, and with a use for keys."""
    is_usable = widget.isVisible() and widget.isEnabled() and widget.window() is window
    return is_usable and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
