"""The font of code in the window: monospace, in the text size in use."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QComboBox

from chalkgrad_app.style import theme
from chalkgrad_app.style.fonts import mono_font

RESTYLED = frozenset({QEvent.Type.ApplicationFontChange, QEvent.Type.StyleChange})
"""Events after which the text size may be another."""


SMALL = 12 / 13
"""How large code is beside words, where room is scarce."""


def code_font(bold: bool = False, ratio: float = 1.0) -> QFont:
    """The monospace font, ``ratio`` times as high as the window's other text."""
    return QFont(mono_font(ratio * theme.BASE_PIXELS * theme.text_size() / 100, bold))


def scaled(pixels: float) -> int:
    """A length given at 100% text size, in pixels at the text size in use."""
    return round(pixels * theme.text_size() / 100)


def refont(combo: QComboBox, font: QFont) -> None:
    """Give a combo box another font. Qt would keep its least size, were its style not said to be another, too."""
    combo.setFont(font)
    QCoreApplication.sendEvent(combo, QEvent(QEvent.Type.StyleChange))
