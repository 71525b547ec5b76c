"""Contrast of colours, as the rules for readable pages measure it."""

from __future__ import annotations

from functools import cache


@cache
def luminance(text: str) -> float:
    """Relative luminance of ``"#RRGGBB"``, 0 to 1 (WCAG 2.1, "relative luminance")."""
    channels = [int(text[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@cache
def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.1, "contrast ratio")."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)
