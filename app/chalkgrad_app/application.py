"""The QApplication, made ready: names, settings, language, theme."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QSettings
from PySide6.QtWidgets import QApplication

from chalkgrad_app import i18n, settings
from chalkgrad_app.style import theme


def application(arguments: Sequence[str] = ()) -> QApplication:
    """The process's QApplication, made where there is none, in the language and theme remembered."""
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(["chalkgrad", *arguments])
    QCoreApplication.setOrganizationName("Chalkgrad")
    QCoreApplication.setApplicationName("Chalkgrad")
    QApplication.setDesktopFileName("chalkgrad")
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    i18n.set_language(settings.LANGUAGE.get() or i18n.system_language())
    theme.apply(app, theme.load(settings.THEME.get()), settings.TEXT_SIZE.get())
    return app


def has_display() -> bool:
    """True where a window can be shown to somebody."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
