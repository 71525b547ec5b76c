"""The list of keys: groups in columns with a field that searches them; it scrolls where the screen is small."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent
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

COLUMNS = 4
"""In no more columns than these, of as much as there is room for."""
KEYS, DOES = 150, 205
"""So wide are keys, and what they do, at most before they go on in another line, in pixels at 100% text size."""
GAP, COLUMN_GAP, ABOVE = 12, 32, 10
"""Pixels between a key and what it does, between columns, and above titles, at 100% text size."""
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
        self._way = (COLUMNS, KEYS, DOES)
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
        self.resize(self._fitting(self.screen_size()))

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

    def screen_size(self) -> QSize:
        """How large the screen is."""
        return self.screen().availableSize()

    def _fitting(self, screen: QSize) -> QSize:
        """Room for all of it, as far as the screen has that: in fewer columns where it takes that."""
        room = screen - QSize(scaled(40), scaled(80))
        edges = QSize(scaled(56), scaled(132))
        ways = [(count, KEYS, DOES) for count in range(COLUMNS, 0, -1)]
        narrow = (room.width() - edges.width()) * 100 // scaled(100) - 2 * GAP
        for self._way in [*ways, (1, narrow // 2, narrow // 2)]:
            self.words.setText(self._written(self._groups))
            wanted = self.words.sizeHint() + edges
            if wanted.width() <= room.width():
                break
        return wanted.boundedTo(room)

    def _written(self, groups: Sequence[KeyGroup]) -> str:
        """The groups in columns, in their order, the longest as short as can be, as rich text."""
        count, keys, does = self._way
        columns = shared(groups, min(count, len(groups)))
        between = f"<td width={scaled(COLUMN_GAP)}></td>"
        cells = (f"<td valign=top>{self._column(column, scaled(keys), scaled(does))}</td>" for column in columns)
        return f"<table><tr>{between.join(cells)}</tr></table>"

    def _column(self, groups: Sequence[KeyGroup], keys: int, does: int) -> str:
        """Groups below each other, what all keys do in one line, as rich text; what is longer goes on in the next."""
        font = QFont(self.words.font())
        plain = QFontMetrics(font)
        font.setBold(True)
        bold = QFontMetrics(font)
        rows: list[str] = []
        for group in groups:
            rows += [f"<tr><td height={scaled(ABOVE)}></td></tr>"] if rows else []
            rows.append(f"<tr><td colspan=3><h3>{html.escape(group.title)}</h3></td></tr>")
            rows += [_row(_in_lines(key, bold, keys), _in_lines(words, plain, does)) for key, words in group.keys]
        return f"<table cellspacing=0 cellpadding=1>{''.join(rows)}</table>"

    def _search(self, text: str) -> None:
        wanted = text.strip().casefold()
        found = [KeyGroup(group.title, _among(group, wanted)) for group in self._groups]
        some = [group for group in found if group.keys]
        nothing = html.escape(self.tr("No key is called that, and none does that"))
        self.words.setText(self._written(some) if some else nothing)


def _among(group: KeyGroup, wanted: str) -> list[tuple[str, str]]:
    """The keys of a group in which ``wanted`` is; all of them where its title is that."""
    if wanted in group.title.casefold():
        return group.keys
    return [pair for pair in group.keys if any(wanted in text.casefold() for text in pair)]


def shared(groups: Sequence[KeyGroup], count: int) -> list[Sequence[KeyGroup]]:
    """The groups of each of so many columns."""
    ways = ([0, *cuts, len(groups)] for cuts in combinations(range(1, len(groups)), count - 1))
    found = ([groups[first:behind] for first, behind in pairwise(way)] for way in ways)
    return min(found, key=lambda columns: max(sum(map(_rows, column)) for column in columns))


def _rows(group: KeyGroup) -> int:
    return len(group.keys) + TITLE_ROWS


def _row(key: str, does: str) -> str:
    return f"<tr><td valign=top><b>{key}</b></td><td width={scaled(GAP)}></td><td valign=top>{does}</td></tr>"


def _in_lines(text: str, metrics: QFontMetrics, width: int) -> str:
    """A text in lines of this width, as rich text: Chinese may go on in the next at every character."""
    lines = [""]
    for piece in re.findall(r"[!-~]+ *|.", text):
        if lines[-1] and metrics.horizontalAdvance(lines[-1] + piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return "<br>".join(html.escape(line.rstrip()) for line in lines).replace(" ", "&nbsp;")
