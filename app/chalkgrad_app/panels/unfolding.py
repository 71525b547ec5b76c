"""Buttons that open what a panel has folded away: the rest of a sum, of a list, a matrix."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QToolButton, QWidget

from chalkgrad_app.i18n import translate
from chalkgrad_app.style.tint import tint
from chalkgrad_app.widgets.code_font import SMALL, code_font


class Unfolding(QToolButton):
    """Says how many are not shown; shows them, once pressed, and hides them again.

    ``whole`` is seen then, in the place of ``brief`` where there is one.
    """

    def __init__(self, more: int, whole: QWidget, brief: QWidget | None, parent: QWidget) -> None:
        super().__init__(parent)
        self._more, self._whole, self._brief = more, whole, brief
        self.setObjectName("why.more")
        as_link(self)
        self._on_toggled(False)
        self.toggled.connect(self._on_toggled)

    def _on_toggled(self, on: bool) -> None:
        if self._brief is not None:
            self._brief.setVisible(not on)
        self._whole.setVisible(on)
        fewer, more = translate("Why", "show fewer"), translate("Why", "and {n} more")
        self.setText(fewer if on else more.format(n=self._more))
        self.setAccessibleName(self.text())


def as_link(button: QToolButton) -> None:
    """A button that opens what is below it."""
    button.setCheckable(True)
    button.setAutoRaise(True)
    button.setProperty("link", True)
    button.setFont(code_font(ratio=SMALL))
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    tint(button, "link", QPalette.ColorRole.ButtonText)
