"""The panel Why as somebody who asks sees it."""

from __future__ import annotations

from PySide6.QtTest import QTest
from support.desk import settle

from chalkgrad_app.panels.why_page import Pointer


def worked_out(window):
    """Wait until everything is set; the text."""
    panel = window.docks.why
    for _ in range(400):
        settle()
        if panel.text() and not panel.is_working:
            return panel.text()
        QTest.qWait(10)
    raise AssertionError("still working")


def pointers(window):
    return [found for found in window.docks.why.findChildren(Pointer) if found.isVisible()]
