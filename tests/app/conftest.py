"""What several tests of the window start from."""

from __future__ import annotations

from math import inf

import pytest


@pytest.fixture(autouse=True)
def painted_whole(monkeypatch):
    """All cards are painted at once, however long it takes: who looks at an image sees all of them."""
    monkeypatch.setattr("chalkgrad_app.picture.brushes.PAINT_MS", inf)


@pytest.fixture(autouse=True)
def kept_at_once(monkeypatch):
    """A disk is waited for however slow it is: what is small is saved when the key is up again."""
    monkeypatch.setattr("chalkgrad.program.files.DISK_S", 60.0)


@pytest.fixture(autouse=True)
def led_at_once(monkeypatch):
    """Wires, arrows and links have their ways at once, however long it takes: where they lie hangs on no clock."""
    for name in ("routing.AT_ONCE", "routing.ROUND_AT_ONCE", "function_ways.AT_ONCE", "gradient_layer.AT_ONCE"):
        monkeypatch.setattr(f"chalkgrad_app.picture.{name}", 60.0)


@pytest.fixture
def still(qapp):
    """Nothing moves on its way."""
    from chalkgrad_app import settings
    from chalkgrad_app.application import application

    application()  # whose names say in which file settings are: what is set before is in another one
    settings.MOTION.set(False)


@pytest.fixture
def course_window(window):
    """The main window with the course example, opened as a person does it; the keys go to the canvas."""
    from support.desk import press, settle

    press(window, "start.example")
    settle(window)
    return window


@pytest.fixture
def looks(qapp):
    """Language, theme and text size are everybody's: afterwards they are again what they were."""
    from chalkgrad_app.i18n import language, set_language
    from chalkgrad_app.style import theme

    before, shown, percent = language(), theme.current(), theme.text_size()
    yield
    set_language(before)
    theme.apply(qapp, shown, percent)


@pytest.fixture
def course_shown(window):
    """The main window with the course example as its program alone, and the keys on the canvas."""
    from support.desk import settle
    from support.sheets import course_sheet

    window.document.begin(course_sheet())
    settle(window)
    window.canvas.setFocus()
    return window


@pytest.fixture
def chinese(qapp):
    """The window in Chinese while the test lasts."""
    from chalkgrad_app import i18n

    i18n.set_language("zh_CN")
    yield
    i18n.set_language("en")
