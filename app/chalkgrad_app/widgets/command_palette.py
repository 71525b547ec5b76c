"""Every action in one searchable list."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QHeaderView, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from chalkgrad_app.widgets.code_font import scaled

STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}
INDEX = Qt.ItemDataRole.UserRole


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
        self.list = self._make_list()
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(6)
        column.addWidget(self.field)
        column.addWidget(self.list)
        self._fill("")

    def open_over(self, window: QWidget) -> None:
        """Show it at the top of ``window``, in its middle."""
        width = min(scaled(560), max(scaled(320), window.width() - 80))
        self.resize(width, min(scaled(420), max(scaled(200), window.height() - 160)))
        corner = window.mapToGlobal(window.rect().topLeft())
        self.move(corner.x() + (window.width() - width) // 2, corner.y() + 72)
        self.show()
        self.field.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys of the field move the choice in the list."""
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            by = STEPS.get(Qt.Key(event.key()))
            if by is not None:
                self._move(by)
                return True
        return super().eventFilter(watched, event)

    def _make_list(self) -> QTreeWidget:
        made = QTreeWidget(self)
        made.setObjectName("commandPalette.list")
        made.setAccessibleName(self.tr("Commands"))
        made.setHeaderHidden(True)
        made.setRootIsDecorated(False)
        made.setUniformRowHeights(True)
        made.setColumnCount(2)
        made.header().setStretchLastSection(False)
        made.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        made.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        made.itemClicked.connect(self._accept)
        return made

    def _fill(self, text: str) -> None:
        self.list.clear()
        ranked = [(_rank(action, text), index) for index, action in enumerate(self._actions)]
        for _, index in sorted(pair for pair in ranked if pair[0] >= 0):
            self.list.addTopLevelItem(self._item(index))
        self._move(1)

    def _item(self, index: int) -> QTreeWidgetItem:
        action = self._actions[index]
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        item = QTreeWidgetItem([_plain(action), keys])
        item.setData(0, INDEX, index)
        item.setIcon(0, action.icon())
        item.setDisabled(not action.isEnabled())
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return item

    def _move(self, by: int) -> None:
        """Choose the next item that can be done, ``by`` of them further on."""
        items = [self.list.topLevelItem(row) for row in range(self.list.topLevelItemCount())]
        able = [item for item in items if item is not None and not item.isDisabled()]
        current = self.list.currentItem()
        here = able.index(current) if current in able else -1
        if able:
            self.list.setCurrentItem(able[min(max(here + by, 0), len(able) - 1)])

    def _accept(self, *_: object) -> None:
        item = self.list.currentItem()
        if item is None or item.isDisabled():
            return
        action = self._actions[item.data(0, INDEX)]
        self.close()
        action.trigger()


def _plain(action: QAction) -> str:
    return action.text().replace("&&", "\0").replace("&", "").replace("\0", "&")


def _rank(action: QAction, text: str) -> int:
    """How well ``text`` names an action; -1: not at all.

    0 where its title begins with it, 1 where a word of the title does, 2 where it stands inside the title or the
    action's own name (which is English in every language), 3 where its letters come in that order.
    """
    title, wanted = _plain(action).casefold(), text.strip().casefold()
    if title.startswith(wanted):
        return 0
    if any(word.startswith(wanted) for word in title.split()):
        return 1
    if wanted in title or wanted in action.objectName().removeprefix("action.").casefold():
        return 2
    letters = iter(title)
    return 3 if all(letter in letters for letter in wanted if letter != " ") else -1
