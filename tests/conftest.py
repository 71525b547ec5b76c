"""What every test starts from: no screen, English, settings of its own, the same random numbers."""

from __future__ import annotations

import os

# Before anything imports PySide6: a platform that was chosen for the desktop would open windows on it, or abort.
# CHALKGRAD_TEST_PLATFORM=xcb runs the same tests on a real display.
os.environ["QT_QPA_PLATFORM"] = os.environ.get("CHALKGRAD_TEST_PLATFORM", "offscreen")
os.environ["LC_ALL"] = "C.UTF-8"
os.environ.pop("LANGUAGE", None)

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import numpy as np
import pytest

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from support.hands import Hands

    from chalkgrad_app.document import Document
    from chalkgrad_app.main_window import MainWindow

hypothesis.settings.register_profile("local", deadline=None, derandomize=True)
hypothesis.settings.register_profile("search", deadline=None)  # --hypothesis-profile=search looks for new examples
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(autouse=True)
def fresh_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder and settings that hold nothing; what a test leaves there no other test meets."""
    from PySide6.QtCore import QSettings

    home = tmp_path_factory.mktemp("home")
    folders = {
        "HOME": ".",
        "USERPROFILE": ".",
        "APPDATA": "roaming",
        "LOCALAPPDATA": "local",
        "XDG_CONFIG_HOME": "config",
        "XDG_DATA_HOME": "data",
        "XDG_STATE_HOME": "state",
        "XDG_CACHE_HOME": "cache",
    }
    for variable, folder in folders.items():
        monkeypatch.setenv(variable, str(home / folder))
    # Qt keeps the folders that it read first, so telling it through the environment is not enough.
    for kind in (QSettings.Format.IniFormat, QSettings.Format.NativeFormat):
        QSettings.setPath(kind, QSettings.Scope.UserScope, str(home / "config"))
        QSettings.setPath(kind, QSettings.Scope.SystemScope, str(home / "system"))
    return home


@pytest.fixture(autouse=True)
def fixed_start() -> None:
    """The same random numbers and default dtype in every test, whatever ran before it."""
    from chalkgrad.engine import dtype, generator

    random.seed(0)
    np.random.seed(0)
    generator.manual_seed(0)
    dtype.set_default_dtype(dtype.float32)
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.manual_seed(0)
        torch.set_default_dtype(torch.float32)


@pytest.fixture(scope="session", autouse=True)
def nothing_copied_at_the_end() -> Iterator[None]:
    """Without a screen Qt keeps what was copied until Python is gone, which made it, and falls."""
    yield
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is not None and widgets.QApplication.instance() is not None:
        widgets.QApplication.clipboard().clear()


@pytest.fixture
def window(qapp: QApplication) -> Iterator[MainWindow]:
    """The main window with an empty document, shown, as somebody sees it who starts Chalkgrad.

    Whatever theme and text size it had, the test after it begins with those that were there.
    """
    from chalkgrad_app.main import create_window
    from chalkgrad_app.style import theme

    made = create_window()
    shown, percent = theme.current(), theme.text_size()
    yield made
    discard(made)
    if (theme.current(), theme.text_size()) != (shown, percent):
        theme.apply(qapp, shown, percent)


@pytest.fixture
def open_text(window: MainWindow, tmp_path: Path) -> Callable[[str], Document]:
    """Opens PyTorch text in the main window, as a file that somebody opens, and puts the focus on the canvas."""
    from support.desk import settle

    def opened(text: str) -> Document:
        path = tmp_path / "lesson.py"
        path.write_text(text, encoding="utf-8")
        window.filing.open_path(path)
        settle(window)
        window.canvas.setFocus()
        return window.document

    return opened


def discard(made: MainWindow) -> None:
    """Delete a window with all it owns. Not by closing it: a changed document would ask whether to save it."""
    from PySide6.QtCore import QCoreApplication, QEvent

    made.hide()
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def hands(qapp: QApplication) -> Iterator[Hands]:
    """Hands at an empty canvas."""
    from support.hands import Hands, discard, open_host

    host = open_host()
    yield Hands(host.canvas)
    discard(host)


@pytest.fixture
def course(qapp: QApplication) -> Iterator[Hands]:
    """Hands at the course example, laid out: w and x on the left, a = w + x, b = w + 1, y = a * b."""
    from support.hands import Hands, discard, open_host
    from support.sheets import course_sheet

    host = open_host(course_sheet())
    host.canvas.fit_all()
    host.canvas.zoom_100()
    yield Hands(host.canvas)
    discard(host)
