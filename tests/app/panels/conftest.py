"""A document with the course example, and panels shown on it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtTest import QTest


@pytest.fixture
def document(qapp):
    """``a = w + x; b = w + 1; y = a * b`` with w = [1.] (requires grad) and x = [2.], run to its end."""
    from support.sheets import course_sheet

    from chalkgrad_app.document import Document

    made = Document(course_sheet())
    made.finish()
    yield made
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def from_text(qapp):
    """Makes a document of PyTorch text."""
    from chalkgrad.program.sheet import Sheet
    from chalkgrad.source import read
    from chalkgrad_app.document import Document

    made = []

    def make(text):
        document = Document(Sheet(read.read_source("import torch\n" + text)))
        document.finish()
        made.append(document)
        return document

    yield make
    for document in made:
        document.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def show(qapp):
    """Shows a panel in a window of its own, with the focus, and takes it away after the test."""
    shown = []

    def make(panel, width=320, height=420):
        shown.append(panel)
        panel.resize(width, height)
        panel.show()
        QTest.qWaitForWindowExposed(panel)
        panel.activateWindow()
        QCoreApplication.processEvents()
        return panel

    yield make
    for panel in shown:
        panel.hide()
        panel.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def inspector(document, show):
    """The inspector, beside the course example."""
    from chalkgrad_app.panels.inspector import InspectorPanel

    return show(InspectorPanel(document), 320, 900)
