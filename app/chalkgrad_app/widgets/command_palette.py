"""Every action in one searchable list."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget


class CommandPalette(QDialog):
    """A field and a list: typing narrows it, Enter does what is chosen."""

    def __init__(self, actions: Sequence[QAction], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("commandPalette")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._actions = [action for action in actions if action.text()]
        self.field = QLineEdit(self)
        self.field.setObjectName("commandPalette.field")
        self.field.setPlaceholderText(self.tr("Type a command"))
        self.field.setAccessibleName(self.tr("Type a command"))
        self.field.textChanged.connect(self._fill)
        self.field.returnPressed.connect(self._accept)
        self.field.installEventFilter(self)
        self.list = QTreeWidget(self)
        self.list.setObjectName("commandPalette.list")
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setColumnCount(2)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.itemActivated.connect(self._accept)
        self.list.itemClicked.connect(self._accept)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.addWidget(self.field)
        column.addWidget(self.list)
        self._fill("")

    def open_over(self, window: QWidget) -> None:
        """Show it at the top of ``window``, in its middle."""
        width = min(560, max(320, window.width() - 80))
        self.resize(width, min(420, max(200, window.height() - 160)))
        corner = window.mapToGlobal(window.rect().topLeft())
        self.move(corner.x() + (window.width() - width) // 2, corner.y() + 72)
        self.list.setColumnWidth(0, width - 170)
        self.show()
        self.field.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys of the field move the choice in the list."""
        moves = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            by = moves.get(Qt.Key(event.key()))
            if by is not None:
                self._move(by)
                return True
        return super().eventFilter(watched, event)

    def _fill(self, text: str) -> None:
        self.list.clear()
        ranked = sorted((rank, index) for index, action in enumerate(self._actions) if (rank := _rank(action, text)) >= 0)
        for _, index in ranked:
            action = self._actions[index]
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            item = QTreeWidgetItem([_plain(action), keys])
            item.setData(0, Qt.ItemDataRole.UserRole, index)
            item.setDisabled(not action.isEnabled())
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight)
            self.list.addTopLevelItem(item)
        self.list.setCurrentItem(self.list.topLevelItem(0))

    def _move(self, by: int) -> None:
        here = self.list.indexOfTopLevelItem(self.list.currentItem())
        there = min(max(here + by, 0), self.list.topLevelItemCount() - 1)
        self.list.setCurrentItem(self.list.topLevelItem(there))

    def _accept(self, *_: object) -> None:
        item = self.list.currentItem()
        if item is None or item.isDisabled():
            return
        action = self._actions[item.data(0, Qt.ItemDataRole.UserRole)]
        self.close()
        action.trigger()


def _plain(action: QAction) -> str:
    return action.text().replace("&&", "\0").replace("&", "").replace("\0", "&")


def _rank(action: QAction, text: str) -> int:
    """0 for a title that begins with ``text``, 1 where it stands inside, 2 for its letters in order, -1 for none."""
    title, wanted = _plain(action).lower(), text.strip().lower()
    if title.startswith(wanted):
        return 0
    if wanted in title:
        return 1
    letters = iter(title)
    return 2 if all(letter in letters for letter in wanted if letter != " ") else -1
