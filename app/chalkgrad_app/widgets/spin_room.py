"""Room left of the number in a spin box, as there is in other fields."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QAbstractSpinBox

from chalkgrad_app.widgets.code_font import scaled

LEFT, FRAME = 4, 1
"""In pixels at 100% text size, and how much of that Qt leaves anyhow; style sheets have no say in this: Qt leaves the
padding of spin boxes out."""


def give_room(box: QAbstractSpinBox) -> None:
    """Have the number begin where text begins in a combo box, at any text size."""
    box.installEventFilter(_Room(box))


class _Room(QObject):
    """Gives its parent the room, anew when the text gets another size."""

    def __init__(self, box: QAbstractSpinBox) -> None:
        super().__init__(box)
        self._box = box
        self._give()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Another text size comes with another font or style."""
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._give()
        return super().eventFilter(watched, event)

    def _give(self) -> None:
        self._box.lineEdit().setTextMargins(scaled(LEFT) - FRAME, 0, 0, 0)
