"""A formula in LaTeX as rich text for a tooltip: the small part of LaTeX that the operator table is written in."""

from __future__ import annotations

import html
import re

SIGNS = {
    "cdot": "· ",
    "sum": "∑",
    "sigma": "σ",
    "neq": "≠ ",
    "leq": "≤ ",
    "geq": "≥ ",
    "top": "T",
    "ln": "ln\u2009",
    ",": "\u2009",
    "max": "max",
    "sin": "sin\u2009",
    "cos": "cos\u2009",
    "tanh": "tanh\u2009",
    "sqrt": "√",
}
"""Macros without arguments."""

_GROUP = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
_FRACTION = re.compile(rf"\\frac{_GROUP}{_GROUP}")
_WORDS = re.compile(rf"\\(?:text|operatorname){_GROUP}")
_RAISED = re.compile(rf"\^(?:{_GROUP}|(\\?\w+))")
_LOWERED = re.compile(rf"_(?:{_GROUP}|(\\?\w))")
_MACRO = re.compile(r"\\([A-Za-z]+|,)\s?")


def formula_html(latex: str) -> str:
    """``latex`` as Qt's rich text; what is not known keeps its name."""
    text = html.escape(latex, quote=False)
    text = _FRACTION.sub(_fraction, text)
    text = _WORDS.sub(r"\1", text)
    text = _RAISED.sub(lambda found: f"<sup>{found[1] or found[2]}</sup>", text)
    text = _LOWERED.sub(lambda found: f"<sub>{found[1] or found[2]}</sub>", text)
    text = _MACRO.sub(lambda found: SIGNS.get(found[1], found[1]), text)
    return text.replace("{", "").replace("}", "").strip()


def _fraction(found: re.Match[str]) -> str:
    text = " / ".join(part if _is_single(part) else f"({part})" for part in found.groups())
    return text if found[0] == found.string else f"({text})"


def _is_single(part: str) -> bool:
    return re.fullmatch(r"\\?\w+(\^\{[^{}]*\})?", part.strip()) is not None
