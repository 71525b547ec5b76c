"""Themes: every colour of the window and the canvas by its role, read from the theme files."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from functools import cache

from PySide6.QtGui import QColor

from chalkgrad_app import assets

NAMES = ("light", "dark", "blackboard", "contrast")


@dataclass(frozen=True, slots=True)
class Theme:
    """One theme. Each colour is ``"#RRGGBB"``; a role ending in ``_text`` is written on the role before it, one ending
    in ``_ink`` on cards.
    """

    name: str
    dark: bool
    canvas: str
    grid: str
    card: str
    row_line: str
    ink: str
    muted: str
    wire: str
    wire_grad: str
    selection: str
    focus: str
    flash: str
    ghost: str
    cover: str
    cover_text: str
    leaf: str
    leaf_edge: str
    leaf_text: str
    leaf_grad: str
    leaf_grad_edge: str
    leaf_grad_text: str
    intermediate: str
    intermediate_edge: str
    intermediate_text: str
    function: str
    function_edge: str
    function_text: str
    function_ink: str
    plain: str
    plain_edge: str
    plain_text: str
    grad: str
    grad_text: str
    grad_ink: str
    grad_empty: str
    error: str
    error_text: str
    error_ink: str
    note: str
    note_edge: str
    note_text: str
    frame: str
    frame_edge: str
    frame_text: str
    tag: str
    tag_edge: str
    tag_text: str
    field: str
    field_edge: str
    field_text: str
    window: str
    panel: str
    base: str
    alternate: str
    button: str
    border: str
    text: str
    disabled: str
    highlight: str
    highlight_text: str
    link: str
    tooltip: str
    tooltip_text: str
    placeholder: str
    code_keyword: str
    code_string: str
    code_number: str
    code_comment: str
    code_name: str
    code_call: str
    code_current: str

    def color(self, role: str) -> QColor:
        """The colour of a role, for Qt; it is shared and must not be changed."""
        return color(getattr(self, role))


@cache
def color(text: str) -> QColor:
    """The colour ``"#RRGGBB"`` (or ``"#AARRGGBB"``), made once; it is shared and must not be changed."""
    return QColor(text)


@cache
def load_theme(name: str) -> Theme:
    """The theme called ``name``; ValueError when there is none or its file lacks a role."""
    if name not in assets.names("themes", ".toml"):
        raise ValueError(f"there is no theme {name!r}; there are {', '.join(assets.names('themes', '.toml'))}")
    table = tomllib.loads(assets.text(f"themes/{name}.toml"))
    colors: dict[str, str] = table["colors"]
    roles = {field.name for field in fields(Theme)} - {"name", "dark"}
    if set(colors) != roles:
        raise ValueError(f"theme {name!r}: missing {sorted(roles - set(colors))}, unknown {sorted(set(colors) - roles)}")
    return Theme(name, bool(table["dark"]), **colors)


def luminance(text: str) -> float:
    """Relative luminance of ``"#RRGGBB"``, 0 to 1 (WCAG 2.1, "relative luminance")."""
    channels = [int(text[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.1, "contrast ratio")."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)
