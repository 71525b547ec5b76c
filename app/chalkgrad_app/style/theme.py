"""Themes: every colour of the window and the canvas by its role, read from the theme files."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple
from weakref import ref

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QDockWidget, QWidget
from shiboken6 import isValid

from chalkgrad.stepwise import WAITING, Stepwise, finished
from chalkgrad_app import assets, settings
from chalkgrad_app.style import sheet
from chalkgrad_app.style.fonts import UI_FAMILIES

NAMES = settings.THEMES


class Theme(NamedTuple):
    """One theme.

    Each colour is ``"#RRGGBB"``; a role ending in ``_text`` is written on the role before it, one in ``_ink`` on cards.
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
    frame_red: str
    frame_amber: str
    frame_green: str
    frame_teal: str
    frame_blue: str
    frame_violet: str
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
    hover: str
    pressed: str
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
def load(name: str) -> Theme:
    """The theme called ``name``; ValueError when there is none or its file lacks a role."""
    if name not in assets.names("themes", ".toml"):
        raise ValueError(f"there is no theme {name!r}; there are {', '.join(assets.names('themes', '.toml'))}")
    table = tomllib.loads(assets.text(f"themes/{name}.toml"))
    colors: dict[str, str] = table["colors"]
    roles = set(Theme._fields) - {"name", "dark"}
    if set(colors) != roles:
        missing, unknown = sorted(roles - set(colors)), sorted(set(colors) - roles)
        raise ValueError(f"theme {name!r}: missing {missing}, unknown {unknown}")
    return Theme(name, bool(table["dark"]), **colors)


def palette(theme: Theme) -> QPalette:
    """The palette that Fusion paints a theme with."""
    made = QPalette()
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    for chosen, name in (
        (role.Window, "window"),
        (role.WindowText, "text"),
        (role.Base, "base"),
        (role.AlternateBase, "alternate"),
        (role.Text, "text"),
        (role.Button, "button"),
        (role.ButtonText, "text"),
        (role.BrightText, "error_ink"),
        (role.Highlight, "highlight"),
        (role.HighlightedText, "highlight_text"),
        (role.Link, "link"),
        (role.LinkVisited, "link"),
        (role.ToolTipBase, "tooltip"),
        (role.ToolTipText, "tooltip_text"),
        (role.PlaceholderText, "placeholder"),
        (role.Light, "panel"),
        (role.Midlight, "alternate"),
        (role.Mid, "border"),
        (role.Dark, "border"),
        (role.Accent, "highlight"),
    ):
        made.setColor(chosen, theme.color(name))
    for chosen in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(group.Disabled, chosen, theme.color("disabled"))
    made.setColor(group.Inactive, role.Highlight, theme.color("border"))
    made.setColor(group.Inactive, role.HighlightedText, theme.color("text"))
    return made


@dataclass(slots=True)
class _InUse:
    theme: Theme | None = None
    text_size: int = 100


_in_use = _InUse()

BASE_PIXELS = 13.0
"""Height of the window's font at 100%."""


def current() -> Theme:
    """The theme in use; the light one before any was applied."""
    return _in_use.theme or load("light")


def text_size() -> int:
    """The text size in use, in per cent."""
    return _in_use.text_size


def apply(app: QApplication, theme: Theme, percent: int = 100) -> None:
    """Give the whole application a theme and a text size, while it runs.

    Every widget gets a PaletteChange and a FontChange; what paints itself reads :func:`current` and :func:`text_size`.
    """
    finished(applying(app, theme, percent))


def applying(app: QApplication, theme: Theme, percent: int = 100) -> Stepwise[None]:
    """The same in steps; closed windows, menus and panels come last.

    All else is styled at once, and painted when those have followed that wait for it.
    """
    _take(app, theme, percent)
    held = _hold_painting(app)
    try:
        closed = _polish_open(app)
        yield WAITING
    finally:
        _let_paint(held)
    yield WAITING
    yield WAITING  # painting, before the timers, has had the turn after for itself
    for done, left in enumerate(closed):
        if _polish_left(left):
            yield done / len(closed)


Left = ref[QWidget]
"""A widget that may be gone before its turn comes: whoever waits for that holds no window."""


def _windows(app: QApplication) -> list[QWidget]:
    return [window for window in app.topLevelWidgets() if window.parentWidget() is None]


def _hold_painting(app: QApplication) -> list[Left]:
    """Have windows be painted later; returns those."""
    painted = [window for window in _windows(app) if window.updatesEnabled()]
    for window in painted:
        window.setUpdatesEnabled(False)
    return [ref(window) for window in painted]


def _let_paint(held: Iterable[Left]) -> None:
    for left in held:
        if (window := left()) is not None and isValid(window):
            window.setUpdatesEnabled(True)


def _polish_left(left: Left) -> bool:
    """Style a widget; False where it is gone."""
    widget = left()
    if widget is None or not isValid(widget):
        return False
    _polish(widget, QEvent(QEvent.Type.StyleChange))
    return True


def _take(app: QApplication, theme: Theme, percent: int) -> None:
    """What holds for whoever is made from now on."""
    _in_use.theme, _in_use.text_size = theme, percent
    if not app.styleSheet():  # once: the next time it would be another object, and every widget be polished for it
        app.setStyle("Fusion")
    app.setPalette(palette(theme))
    font = app.font()
    font.setFamilies(list(UI_FAMILIES))
    font.setPixelSize(round(BASE_PIXELS * percent / 100))
    app.setFont(font)
    # A new sheet polishes every widget at once; palette and font alone wait for the event loop.
    # Qt would polish each once for itself and once for every widget that it lies in: those that its style knows, and
    # with each all that is in it. So the style forgets them first, and each is polished once.
    app.style().unpolish(app)
    app.setStyleSheet(sheet.sheet(theme, percent))


def _polish_open(app: QApplication) -> list[Left]:
    """Style windows and what is in them, but for what is closed; returns that."""
    closed: dict[QWidget, None] = {}
    told = QEvent(QEvent.Type.StyleChange)  # to make one takes as long as to tell it
    for window in _windows(app):
        for widget in (window, *window.findChildren(QWidget)):  # from the outside in: palettes and fonts are handed on
            if _is_closed(widget) or widget.parentWidget() in closed:
                closed[widget] = None
            else:
                _polish(widget, told)
    return [ref(widget) for widget in closed]


def _is_closed(widget: QWidget) -> bool:
    """True for what takes part in no layout: sizes that others have hang on the rest even where it is hidden."""
    return widget.isHidden() and (widget.isWindow() or isinstance(widget, QDockWidget))


def _polish(widget: QWidget, told: QEvent) -> None:
    widget.style().polish(widget)
    QCoreApplication.sendEvent(widget, told)
