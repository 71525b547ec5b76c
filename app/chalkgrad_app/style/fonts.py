"""Fonts: the system's own, by family lists that end in families with Chinese characters."""

from __future__ import annotations

from functools import cache

from PySide6.QtGui import QFont

CJK = (
    "PingFang SC",
    "Microsoft YaHei UI",
    "Microsoft YaHei",
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "WenQuanYi Micro Hei",
)

UI_FAMILIES = (
    ".AppleSystemUIFont",
    "Segoe UI Variable Text",
    "Segoe UI",
    "Inter",
    "Noto Sans",
    "Cantarell",
    "Ubuntu",
    *CJK,
)

MONO_FAMILIES = (
    "SF Mono",
    "Menlo",
    "Cascadia Mono",
    "Consolas",
    "JetBrains Mono",
    "Noto Sans Mono",
    "Ubuntu Mono",
    "DejaVu Sans Mono",
    "Liberation Mono",
    "Noto Sans Mono CJK SC",
    *CJK,
)


@cache
def ui_font(pixels: float, bold: bool = False) -> QFont:
    """The font of words, ``pixels`` high; shared, not to be changed."""
    return _font(UI_FAMILIES, pixels, bold, QFont.StyleHint.SansSerif)


@cache
def mono_font(pixels: float, bold: bool = False) -> QFont:
    """The font of numbers and code, ``pixels`` high; shared, not to be changed."""
    return _font(MONO_FAMILIES, pixels, bold, QFont.StyleHint.Monospace)


def _font(families: tuple[str, ...], pixels: float, bold: bool, hint: QFont.StyleHint) -> QFont:
    font = QFont()
    font.setFamilies(list(families))
    font.setStyleHint(hint)
    font.setPixelSize(max(1, round(pixels)))
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    # Cards are painted at any zoom: widths may not depend on the pixel grid.
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font
