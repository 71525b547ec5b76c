"""What several journeys start from."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def kept_at_once(monkeypatch):
    """A disk is waited for however slow it is: what is small is saved when the key is up again."""
    monkeypatch.setattr("chalkgrad.program.files.DISK_S", 60.0)


@pytest.fixture
def opened(window, open_text):
    """Opens PyTorch text, the course example if none is given, and runs it past its errors; all of it is in view."""
    from support.desk import settle
    from support.sheets import COURSE

    def make(text=COURSE):
        open_text(text).go_on()
        settle(window)
        window.canvas.fit_all()
        settle()
        return window

    return make


@pytest.fixture
def opened_at(window, open_text):
    """Opens PyTorch text with the card of one name selected, as somebody who asks about it has it."""
    from support.desk import settle
    from support.panels import id_of

    def make(text, chosen):
        document = open_text(text)
        document.select([id_of(document, chosen)])
        settle(window)
        return window

    return make
