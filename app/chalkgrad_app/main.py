"""Starting: the first windows."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication

from chalkgrad_app import keeping
from chalkgrad_app.application import application
from chalkgrad_app.collecting import Collector
from chalkgrad_app.i18n import language
from chalkgrad_app.main_window import MainWindow
from chalkgrad_app.warming import WarmUp


def create_window(path: str | Path | None = None) -> MainWindow:
    """A main window, shown: an empty document, or the one in ``path``.

    Raises FileError, SourceError or OSError when ``path`` can't be read.
    """
    application()
    window = MainWindow.open(Path(path)) if path is not None else MainWindow()
    window.show()
    return window


def run(paths: Sequence[str]) -> int:
    """Open a window for each path (an empty one for none) and run until the last is closed; the exit status.

    A path that can't be opened is told on stderr and, for who started it from a desktop, in a window.
    """
    app = application()
    windows: list[MainWindow] = []
    refused: list[tuple[str, Exception]] = []
    for path in paths:
        try:
            windows.append(create_window(path))
        except keeping.REFUSALS as error:
            sys.stderr.write(f"chalkgrad: {keeping.refusal(path, error, language())}\n")
            refused.append((path, error))
    if not windows:
        windows.append(create_window())
    windows[0].offer_recovery()
    for path, why in refused:
        windows[0].filing.refuse(Path(path), why)
    QTimer.singleShot(0, Collector(app).begin)
    WarmUp(app).start()
    status = app.exec()
    _let_go_of_clipboard()
    return status


def _let_go_of_clipboard() -> None:
    """Take away what was copied where no other program could paste it.

    Without a display Qt keeps it in the process until Python is gone, which made it. Elsewhere it is handed over.
    """
    if QGuiApplication.platformName() == "offscreen":
        QGuiApplication.clipboard().clear()
