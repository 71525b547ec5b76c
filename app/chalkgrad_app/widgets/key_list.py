"""The list of keys: groups in columns with a field that searches them; it scrolls where the screen is small."""

from __future__ import annotations

import html
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLabel,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from chalkgrad_app.widgets.code_font import scaled

COLUMNS = 3
TITLE_ROWS = 2
"""A title takes the height of so many keys, with the space above it."""


class KeyGroup(NamedTuple):
    """The keys of one kind: each as this system writes it, and what it does."""

    title: str
    keys: list[tuple[str, str]]


class KeyList(QDialog):
    """Shows groups of keys with what they do; typing leaves those that are called so."""

    def __init__(self, title: str, groups: Sequence[KeyGroup], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("keys")
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._groups = groups
        self.field = QLineEdit(self)
        self.field.setObjectName("keys.field")
        self.field.setPlaceholderText(self.tr("Search a key or what it does"))
        self.field.setAccessibleName(self.tr("Search a key or what it does"))
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(self._search)
        self._columns = COLUMNS
        self.words = QLabel(self)
        self.words.setContentsMargins(scaled(12), scaled(8), scaled(12), scaled(8))
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.area = QScrollArea(self)
        self.area.setObjectName("keys.list")
        self.area.setAccessibleName(title)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setWidget(self.words)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok, self)
        buttons.accepted.connect(self.accept)
        column = QVBoxLayout(self)
        column.addWidget(self.field)
        column.addWidget(self.area)
        column.addWidget(buttons)
        self.resize(self._fitting(parent.screen().availableSize()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up, Down and the page keys scroll."""
        bar = self.area.verticalScrollBar()
        steps = {
            Qt.Key.Key_Down: bar.singleStep(),
            Qt.Key.Key_Up: -bar.singleStep(),
            Qt.Key.Key_PageDown: bar.pageStep(),
            Qt.Key.Key_PageUp: -bar.pageStep(),
        }
        if event.key() in steps:
            bar.setValue(bar.value() + steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def _fitting(self, screen: QSize) -> QSize:
        """Room for all of it, as far as the screen has that: in fewer columns where it takes that."""
        room = screen - QSize(scaled(40), scaled(80))
        for self._columns in range(COLUMNS, 0, -1):
            self.words.setText(_columns(self._groups, self._columns))
            wanted = self.words.sizeHint() + QSize(scaled(56), scaled(132))
            if wanted.width() <= room.width():
                return wanted.boundedTo(room)
        self.words.setWordWrap(True)  # not even one column fits
        return room

    def _search(self, text: str) -> None:
        wanted = text.strip().casefold()
        found = [KeyGroup(group.title, _among(group, wanted)) for group in self._groups]
        some = [group for group in found if group.keys]
        nothing = html.escape(self.tr("No key is called that, and none does that"))
        self.words.setText(_columns(some, self._columns) if some else nothing)


def _among(group: KeyGroup, wanted: str) -> list[tuple[str, str]]:
    """The keys of a group in which ``wanted`` is; all of them where its title is that."""
    if wanted in group.title.casefold():
        return group.keys
    return [pair for pair in group.keys if any(wanted in text.casefold() for text in pair)]


def _columns(groups: Sequence[KeyGroup], count: int) -> str:
    """The groups in so many columns, in their order, the longest as short as can be, as rich text."""
    cells = ("".join(map(_table, column)) for column in shared(groups, min(count, len(groups))))
    return f"<table><tr>{'<td width=36></td>'.join(f'<td>{cell}</td>' for cell in cells)}</tr></table>"


def shared(groups: Sequence[KeyGroup], count: int) -> list[Sequence[KeyGroup]]:
    """The groups of each of so many columns."""
    ways = ([0, *cuts, len(groups)] for cuts in combinations(range(1, len(groups)), count - 1))
    found = ([groups[first:behind] for first, behind in pairwise(way)] for way in ways)
    return min(found, key=lambda columns: max(sum(map(_rows, column)) for column in columns))


def _rows(group: KeyGroup) -> int:
    return len(group.keys) + TITLE_ROWS


def _table(group: KeyGroup) -> str:
    cells = (
        f"<tr><td style='white-space:nowrap'><b>{html.escape(key)}</b></td><td width=12></td>"
        f"<td>{html.escape(does)}</td></tr>"
        for key, does in group.keys
    )
    return f"<h3>{html.escape(group.title)}</h3><table>{''.join(cells)}</table>"
