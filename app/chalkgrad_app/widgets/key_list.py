"""The list of keys: three columns in a window that scrolls where the screen is small."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from chalkgrad_app.widgets.code_font import scaled

COLUMNS = 3


class KeyList(QDialog):
    """Shows pairs of a key and what it does."""

    def __init__(self, title: str, keys: Sequence[tuple[str, str]], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("keys")
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.words = QLabel(_columns(keys), self)
        self.words.setContentsMargins(scaled(12), scaled(8), scaled(12), scaled(8))
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.area = QScrollArea(self)
        self.area.setObjectName("keys.list")
        self.area.setAccessibleName(title)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidget(self.words)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok, self)
        buttons.accepted.connect(self.accept)
        column = QVBoxLayout(self)
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
        """Room for all of it, as far as the screen has that."""
        wanted = self.words.sizeHint() + QSize(scaled(56), scaled(96))
        return wanted.boundedTo(screen - QSize(scaled(40), scaled(80)))


def _columns(keys: Sequence[tuple[str, str]]) -> str:
    """The pairs in columns of equal length, as rich text."""
    length = -(-len(keys) // COLUMNS)
    tables = [_table(keys[at : at + length]) for at in range(0, len(keys), length)]
    return f"<table><tr>{'<td width=36></td>'.join(f'<td>{table}</td>' for table in tables)}</tr></table>"


def _table(rows: Sequence[tuple[str, str]]) -> str:
    cells = (
        f"<tr><td style='white-space:nowrap'><b>{html.escape(key)}</b></td><td width=12></td>"
        f"<td style='white-space:nowrap'>{html.escape(does)}</td></tr>"
        for key, does in rows
    )
    return f"<table>{''.join(cells)}</table>"
