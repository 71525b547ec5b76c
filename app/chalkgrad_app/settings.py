"""What the application remembers between starts: one table of settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from PySide6.QtCore import QByteArray, QSettings

T = TypeVar("T", bound=str | int | bool | QByteArray)

TEXT_SIZES = (100, 125, 150, 200)
"""The text sizes offered, in per cent."""

THEMES = ("light", "dark", "blackboard", "contrast")
RECENT_FILES = 10


@dataclass(frozen=True, slots=True)
class Setting(Generic[T]):
    """One remembered value: its key in the settings file and its default, which fixes its type."""

    key: str
    default: T

    def get(self) -> T:
        """The remembered value, or the default where there is none of the right type."""
        value = QSettings().value(self.key, self.default)
        if isinstance(self.default, bool):
            return cast("T", value in (True, "true", "1", 1))
        if isinstance(self.default, int):
            return cast("T", _whole(value, self.default))
        return cast("T", value) if isinstance(value, type(self.default)) else self.default

    def set(self, value: T) -> None:
        """Remember ``value``."""
        QSettings().setValue(self.key, value)


LANGUAGE = Setting("language", "")
THEME = Setting("theme", "light")
TEXT_SIZE = Setting("text_size", 100)
MOTION = Setting("motion", True)
GEOMETRY = Setting("window/geometry", QByteArray())
FOLDER = Setting("folder", "")


def recent_files() -> list[str]:
    """Paths of the files opened or saved last, newest first."""
    value = QSettings().value("recent_files", [])
    if isinstance(value, str):
        return [value]
    return [path for path in value if isinstance(path, str)] if isinstance(value, list) else []


def remember_file(path: str) -> None:
    """Put ``path`` first among the recent files."""
    paths = [path, *(other for other in recent_files() if other != path)]
    QSettings().setValue("recent_files", paths[:RECENT_FILES])


def forget_file(path: str) -> None:
    """Drop ``path`` from the recent files: it is gone or can't be read."""
    QSettings().setValue("recent_files", [other for other in recent_files() if other != path])


def _whole(value: object, default: int) -> int:
    try:
        return int(cast("str", value))
    except (TypeError, ValueError):
        return default
