"""Hands at a canvas, for the tests of this folder."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))


@pytest.fixture
def hands(qapp):
    """Hands at an empty canvas."""
    from support.hands import Hands, discard, open_host

    host = open_host()
    yield Hands(host.canvas)
    discard(host)


@pytest.fixture
def course(qapp):
    """Hands at the course example, laid out: w and x on the left, a = w + x, b = w + 1, y = a * b."""
    from support.hands import Hands, discard, open_host
    from support.sheets import course_sheet

    host = open_host(course_sheet())
    host.canvas.fit_all()
    host.canvas.zoom_100()
    yield Hands(host.canvas)
    discard(host)
