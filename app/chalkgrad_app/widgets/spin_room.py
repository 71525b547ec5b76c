"""Room left of the number in a spin box, as there is in other fields."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractSpinBox

LEFT = 3
"""In pixels; a style sheet has no say in this: Qt leaves the padding of spin boxes out."""


def give_room(box: QAbstractSpinBox) -> None:
    """Have the number begin where text begins in a combo box."""
    box.lineEdit().setTextMargins(LEFT, 0, 0, 0)
