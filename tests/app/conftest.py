"""What several tests of the window start from."""

from __future__ import annotations

import pytest


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
    window.canvas.setFocus()
    return window
