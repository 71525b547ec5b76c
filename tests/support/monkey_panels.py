"""What panels have to show whatever a monkey did: what one that was made just now shows."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QAbstractTableModel, QModelIndex
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLabel, QLineEdit, QPlainTextEdit, QWidget
from support.hands import process
from support.monkey_checks import bury

from chalkgrad_app.main_window import MainWindow
from chalkgrad_app.panels.mirror import Mirror

PANELS = frozenset({"panel.inspector", "panel.tensors", "panel.output", "panel.problems"})
"""Panels that show what the document is; others remember what somebody unfolds in them, or take their time."""

ASKED = ("Answer", "inspector.differences", ".message")
"""How the names end of what a panel says because somebody asked there, or typed what can't be read."""
TURNS = 10
"""Of the event loop, after which a panel that is filled piece by piece is full."""


def check_panels(window: MainWindow) -> None:
    """Each panel that is seen says what a new one would: lists, texts, labels."""
    window.document.finish()
    for _ in range(3):
        process()
    for panel in window.findChildren(Mirror):
        if panel.objectName() not in PANELS or not panel.isVisible() or panel.visibleRegion().isEmpty():
            continue
        panel.catch_up()
        host = QWidget()
        fresh = type(panel)(window.document, host)
        fresh.resize(panel.size())
        for field in panel.findChildren(QLineEdit, f"{panel.objectName().removeprefix('panel.')}.filter"):
            fresh.findChild(QLineEdit, field.objectName()).setText(field.text())
        fresh.catch_up()
        for _ in range(TURNS):
            process()
        shown, due = said(panel), said(fresh)
        host.deleteLater()
        differ = [pair for pair in zip(shown, due, strict=False) if len(set(pair)) > 1]
        assert shown == due, f"{panel.objectName()} of {len(shown)} parts, {len(due)} are due: {differ}"
    bury()


def said(panel: QWidget) -> list[tuple[str, str]]:
    """All that a panel says, each with the name of what says it; a tool tip over it is a window and says no more."""
    found = []
    for child in panel.findChildren(QWidget):
        if not child.isVisibleTo(panel) or child.window() is not panel.window():
            continue
        if isinstance(child, QHeaderView) or _was_asked(child, panel):
            continue
        if isinstance(child, QPlainTextEdit):
            found.append((child.objectName(), child.toPlainText()))
        elif isinstance(child, QLabel):
            found.append((child.objectName(), child.text()))
        elif isinstance(child, QAbstractItemView) and child.model() is not None:
            found.append((child.objectName(), str(rows(child.model()))))
    return found


def _was_asked(child: QWidget, panel: QWidget) -> bool:
    """True for a part of what somebody asked a panel."""
    around: QWidget | None = child
    while around is not None and around is not panel:
        if around.objectName().endswith(ASKED):
            return True
        around = around.parentWidget()
    return False


def rows(model: QAbstractItemModel, parent: QModelIndex | None = None) -> list[object]:
    """The texts of a model's rows, and of those below them."""
    above = QModelIndex() if parent is None else parent
    flat = isinstance(model, QAbstractListModel | QAbstractTableModel)
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(above)
    found: list[object] = []
    for row in range(model.rowCount(above)):
        found.append([model.index(row, column, above).data() for column in range(columns)])
        if not flat:
            found.append(rows(model, model.index(row, 0, above)))
    return found
