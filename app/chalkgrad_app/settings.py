"""What the application remembers between starts: one table of settings."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QApplication, QStyle

from chalkgrad_app.i18n import LANGUAGES

T = TypeVar("T", bound=str | int | bool | QByteArray)

TEXT_SIZES = (100, 125, 150, 200, 300)
"""The text sizes offered, in per cent."""

SPEEDS = (50, 100, 200, 400, 800)
"""The speeds offered for playing events, in events in a hundred seconds."""

ROUND_SPEEDS = (1, 2, 5, 10, 25)
"""The speeds offered for the rounds of a loop, in rounds a second."""

MOST = 2**31
"""No whole number that is remembered is as large."""

THEMES = ("light", "dark", "blackboard", "contrast", "colourblind")
RECENT_FILES = 10
RECENT_OPERATORS = 8
RECENT_COMMANDS = 8


@dataclass(frozen=True, slots=True)
class Setting(Generic[T]):
    """One remembered value: its key in the settings file, its default, which fixes its type, and what it may be."""

    key: str
    default: T
    offered: Container[T] | None = None

    def get(self) -> T:
        """The remembered value, or the default where there is none of the right type that is offered."""
        value = self._read(QSettings().value(self.key, self.default))
        return value if self.offered is None or value in self.offered else self.default

    def _read(self, value: object) -> T:
        if isinstance(self.default, bool):
            return cast("T", value in (True, "true", "1", 1))
        if isinstance(self.default, int):
            return cast("T", _whole(value, self.default))
        return cast("T", value) if isinstance(value, type(self.default)) else self.default

    def set(self, value: T) -> None:
        """Remember ``value``."""
        QSettings().setValue(self.key, value)


class MotionSetting(Setting[bool]):
    """Whether things move: as somebody chose, and before that as the system's own windows do."""

    def get(self) -> bool:
        """The remembered value; where there is none, what Qt knows of the system."""
        app = QApplication.instance()
        if QSettings().contains(self.key) or not isinstance(app, QApplication):
            return Setting.get(self)
        return app.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) > 0


LANGUAGE = Setting("language", "", ("", *LANGUAGES))
"""The code of the language in use; nothing: the system's."""
THEME = Setting("theme", "light", THEMES)
TEXT_SIZE = Setting("text_size", 100, TEXT_SIZES)
MOTION = MotionSetting("motion", True)
WHEEL_PANS = Setting("wheel_pans", False)
MINIMAP = Setting("minimap", False)
GRADIENT_GRAPHS = Setting("gradient_graphs", True)
"""Whether the canvas shows the graphs that backwards with ``create_graph=True`` leave behind."""
MORE_ROWS = Setting("more_rows", False)
"""Whether cards in the autograd drawing have a row for every attribute."""
GRAPHVIZ_FROM = Setting("tidy/graphviz_from", 300, range(MOST))
"""Graphs of at least this many cards are laid out by Graphviz, where it is installed; 0: never."""
SPEED = Setting("time/speed", 200, SPEEDS)
"""At what speed events are played, in events in a hundred seconds."""
ROUND_SPEED = Setting("training/speed", 5, ROUND_SPEEDS)
"""At what speed the rounds of a loop are played, in rounds a second."""
MOST_EVENTS = Setting("time/most_events", 1_000_000, range(1, MOST))
"""How many events a run may have before further backwards are recorded in brief."""
SNAP_GRID = Setting("snap/grid", True)
SNAP_GUIDES = Setting("snap/guides", True)
GEOMETRY = Setting("window/geometry", QByteArray())
FOLDER = Setting("folder", "")


def recent_files() -> list[str]:
    """Paths of the files opened or saved last, newest first."""
    return _texts("recent_files")


def remember_file(path: str) -> None:
    """Put ``path`` first among the recent files."""
    paths = [path, *(other for other in recent_files() if other != path)]
    QSettings().setValue("recent_files", paths[:RECENT_FILES])


def forget_file(path: str) -> None:
    """Drop ``path`` from the recent files: it is gone or can't be read."""
    QSettings().setValue("recent_files", [other for other in recent_files() if other != path])


def recent_operators() -> list[str]:
    """Names of the operators placed last, newest first."""
    return _texts("recent_operators")


def remember_operator(name: str) -> None:
    """Put ``name`` first among the recent operators."""
    names = [name, *(other for other in recent_operators() if other != name)]
    QSettings().setValue("recent_operators", names[:RECENT_OPERATORS])


def recent_commands() -> list[str]:
    """Ids of the actions chosen last in the command palette, newest first."""
    return _texts("recent_commands")


def remember_command(id_: str) -> None:
    """Put an action first among the recent commands."""
    ids = [id_, *(other for other in recent_commands() if other != id_)]
    QSettings().setValue("recent_commands", ids[:RECENT_COMMANDS])


def _texts(key: str) -> list[str]:
    """A remembered list of texts; a list of one comes back from the file as a text."""
    value = QSettings().value(key, [])
    if isinstance(value, str):
        return [value]
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


def _whole(value: object, default: int) -> int:
    try:
        return int(cast("str", value))
    except (TypeError, ValueError):
        return default
