"""A form whose rows are as high as their words need at the width they have."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QFormLayout


class WrappingForm(QFormLayout):
    """A form layout for fields under which messages wrap.

    Qt keeps the heights of the rows for the width that was asked for last, which need not be the one they get.
    """

    def setGeometry(self, rect: QRect) -> None:
        """Lay the rows out as high as they need to be in ``rect``."""
        for width in (rect.width() - 1, rect.width()):  # two, for one that was asked for before is not worked out
            self.heightForWidth(width)
        super().setGeometry(rect)
