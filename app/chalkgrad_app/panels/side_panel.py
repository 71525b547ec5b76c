"""What the panels at the right of the canvas have in common that tell something at length."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from chalkgrad_app.document import Document
from chalkgrad_app.panels.mirror import LEAST, Mirror
from chalkgrad_app.widgets.code_font import scaled
from chalkgrad_app.widgets.flat_button import FlatButton


class SidePanel(Mirror):
    """As large as the inspector; what it tells can be copied as text, with a key or a button."""

    STANDARD_KEYS: tuple[QKeySequence.StandardKey, ...] = (QKeySequence.StandardKey.Copy,)

    def __init__(self, document: Document, name: str, parent: QWidget | None = None) -> None:
        super().__init__(document, name, parent)
        self._name = name

    def sizeHint(self) -> QSize:
        """High enough for the facts of one tensor."""
        return QSize(scaled(304), scaled(250))

    def minimumSizeHint(self) -> QSize:
        """Some of it stays in sight; the rest scrolls."""
        return QSize(scaled(160), scaled(80)).boundedTo(LEAST)

    def copy_button(self, name: str = "copy") -> FlatButton:
        """A button that copies what the copy key would."""
        button = FlatButton(f"{self._name}.{name}", "copy", self.copy_shown, self)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        return button
