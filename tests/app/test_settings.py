"""Settings files that somebody spoilt: what can't be is as if it were not there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QByteArray, QSettings
from tests.conftest import discard

from chalkgrad_app import settings
from chalkgrad_app.main import create_window

SPOILT = {
    settings.LANGUAGE: ("xx", 5, [], QByteArray(b"en")),
    settings.THEME: ("sepia", "", 0, ["light", "dark"]),
    settings.TEXT_SIZE: (10, 0, -100, "large", 10**12),
    settings.GRAPHVIZ_FROM: (-1, "never", 2**40),
    settings.SPEED: (0, -50, "fast", 3),
    settings.ROUND_SPEED: (0, -1, 10**9),
    settings.MOST_EVENTS: (0, -5, "all", 2**40),
    settings.FOLDER: (7, []),
}


@pytest.mark.parametrize(("setting", "value"), [(one, value) for one, values in SPOILT.items() for value in values])
def test_what_is_not_offered_counts_as_not_there(qapp, setting, value):
    QSettings().setValue(setting.key, value)
    assert setting.get() == setting.default


def test_a_window_that_is_only_opened_has_nothing_remembered(qtbot):
    window = create_window()
    qtbot.waitExposed(window)
    discard(window)
    assert QSettings().allKeys() == []


def test_what_is_offered_is_remembered(qapp):
    for setting, value in ((settings.TEXT_SIZE, 200), (settings.THEME, "dark"), (settings.LANGUAGE, "zh_CN")):
        setting.set(value)
        assert setting.get() == value


def test_the_window_opens_with_a_spoilt_file(qapp, qtbot):
    for setting, values in SPOILT.items():
        QSettings().setValue(setting.key, values[0])
    QSettings().setValue("window/geometry", "nonsense")
    QSettings().setValue("recent_files", 3)
    window = create_window(None)
    try:
        qtbot.waitUntil(window.isVisible)
        assert window.width() > 600
    finally:
        discard(window)
