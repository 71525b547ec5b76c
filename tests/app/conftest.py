"""What several tests of the window start from."""

from __future__ import annotations

from math import inf

import pytest


@pytest.fixture(autouse=True)
def painted_whole(monkeypatch):
    """All cards are painted at once, however long it takes: who looks at an image sees all of them."""
    monkeypatch.setattr("chalkgrad_app.picture.brushes.PAINT_MS", inf)


@pytest.fixture
def still():
    """Nothing moves on its way."""
    from chalkgrad_app import settings

    settings.MOTION.set(False)


@pytest.fixture
def course_window(window):
    """The main window with the course example, opened as a person does it; the keys go to the canvas."""
    from support.desk import press, settle

    press(window, "start.example")
    settle(window)
    return window
