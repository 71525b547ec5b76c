"""Starting: arguments, QApplication, language, theme, the first window."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QSettings
from PySide6.QtWidgets import QApplication

from chalkgrad_app import i18n, settings
from chalkgrad_app.main_window import MainWindow
from chalkgrad_app.style import theme


def application(arguments: Sequence[str] = ()) -> QApplication:
    """The QApplication, made ready: names, settings, language, theme."""
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(["chalkgrad", *arguments])
    QCoreApplication.setOrganizationName("Chalkgrad")
    QCoreApplication.setApplicationName("Chalkgrad")
    QApplication.setDesktopFileName("chalkgrad")
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    i18n.set_language(settings.LANGUAGE.get() or i18n.system_language())
    theme.apply(app, theme.load(settings.THEME.get()), settings.TEXT_SIZE.get())
    return app


def create_window(path: str | Path | None = None) -> MainWindow:
    """A main window, shown: an empty document, or the one in ``path``.

    Raises FileError, SourceError or OSError when ``path`` can't be read.
    """
    application()
    window = MainWindow.open(Path(path)) if path is not None else MainWindow()
    window.show()
    return window


def has_display() -> bool:
    """True where a window can be shown to somebody."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def run(paths: Sequence[str]) -> int:
    """Open a window for each path (an empty one for none) and run until the last is closed; the exit status."""
    app = application()
    windows: list[MainWindow] = []
    for path in paths or [None]:
        try:
            windows.append(create_window(path))
        except (OSError, ValueError) as error:
            print(f"{path}: {error}", file=sys.stderr)  # noqa: T201
            return 2
    windows[0].offer_recovery()
    return app.exec()
