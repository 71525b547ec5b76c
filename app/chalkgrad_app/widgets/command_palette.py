"""Every action in one searchable list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QIcon, QKeyEvent, QKeySequence, QPixmap
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from chalkgrad_app import fuzzy, pinyin, settings
from chalkgrad_app.i18n import translate
from chalkgrad_app.widgets.code_font import scaled

STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}
INDEX = Qt.ItemDataRole.UserRole


ICON = 16
"""In pixels at 100% text size."""


class Command(NamedTuple):
    """An action as the palette lists it: its names and hints in every language, folded to lower case.

    ``why`` says why it can't be done now; it is empty where it can. ``menu`` is the title of the menu in which it is
    one of several to choose from.
    """

    id: str
    action: QAction
    names: tuple[str, ...]
    hints: tuple[str, ...] = ()
    why: str = ""
    menu: str = ""

    @property
    def title(self) -> str:
        """What it is called in the language in use."""
        text = self.action.text().replace("&&", "\0").replace("&", "").replace("\0", "&")
        if not self.menu:
            return text
        return translate("CommandPalette", "{menu}: {choice}").format(menu=self.menu, choice=text)

    def rank(self, wanted: str) -> fuzzy.Match | None:
        """How well it is what was typed, by its names or its keys before its hints; None where it isn't."""
        if (by_keys := self._rank_of_keys(wanted.replace(" ", ""))) is not None:
            return by_keys
        by_name = fuzzy.best(wanted, self.names) or pinyin.best(wanted, self.names)
        hinted = any(wanted in hint for hint in self.hints)
        return by_name if by_name is not None or not hinted else (fuzzy.LETTERS + 1, 0)

    def _rank_of_keys(self, wanted: str) -> fuzzy.Match | None:
        """How well its shortcuts are what was typed; single letters are the beginnings of names."""
        forms = QKeySequence.SequenceFormat.PortableText, QKeySequence.SequenceFormat.NativeText
        texts = [shortcut.toString(form).casefold() for shortcut in self.action.shortcuts() for form in forms]
        if len(wanted) > 1 and wanted in texts:
            return fuzzy.EXACT, 0
        begun = "+" in wanted and any(text.startswith(wanted) for text in texts)
        return (fuzzy.PREFIX, 0) if begun else None

    @property
    def keys(self) -> str:
        """Its shortcut."""
        return self.action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)


class CommandPalette(QDialog):
    """A field and a list: typing narrows it, Enter does what is chosen. Of equal ones the first given is first."""

    def __init__(self, commands: Sequence[Command], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("commandPalette")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._commands = [command for command in commands if command.title]
        self._most = scaled(420)
        self._blank = _blank_icon(scaled(ICON))
        self.field = QLineEdit(self)
        self.field.setObjectName("commandPalette.field")
        self.field.setPlaceholderText(self.tr("Type a command"))
        self.field.setAccessibleName(self.tr("Type a command"))
        self.field.textChanged.connect(self._fill)
        self.field.returnPressed.connect(self._accept)
        self.field.installEventFilter(self)
        self.list = self._make_list()
        self.why = QLabel(self)
        self.why.setObjectName("commandPalette.why")
        self.why.setContentsMargins(4, 0, 4, 0)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)  # outside of the round corners
        self._around = around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        self._sheet = sheet = QFrame(self)
        sheet.setObjectName("commandSheet")
        sheet.setFrameShape(QFrame.Shape.StyledPanel)
        around.addWidget(sheet)
        self._column = column = QVBoxLayout(sheet)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(6)
        column.addWidget(self.field)
        column.addWidget(self.list)
        column.addWidget(self.why)
        self._fill("")

    def open_over(self, window: QWidget) -> None:
        """Show it at the top of ``window``, in its middle."""
        width = min(scaled(560), max(scaled(320), window.width() - 80))
        self._most = min(scaled(420), max(scaled(200), window.height() - 160))
        self.resize(width, self._most)
        self._fit()
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
        made.setIconSize(QSize(scaled(ICON), scaled(ICON)))
        made.setColumnCount(2)
        made.header().setStretchLastSection(False)
        made.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        made.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        made.itemClicked.connect(self._accept)
        made.currentItemChanged.connect(self._say_why)
        return made

    def _fill(self, text: str) -> None:
        """What is meant comes first; what can't be done now stands in its place, grey."""
        wanted = text.strip().casefold()
        ranked = []
        for index, command in enumerate(self._commands):
            rank = command.rank(wanted) if wanted else (0, 0)
            if rank is not None:
                ranked.append((rank, index))
        self.list.clear()
        self.list.addTopLevelItems([self._item(index) for _, index in sorted(ranked)])
        self._move(1)
        self._say_why()

    def _fit(self) -> None:
        """As high as what is listed, by whole rows; without a list where nothing is.

        Below a list that is shown whole there is no room for why something can't be done unless that is said; one that
        scrolls stays as high as it is.
        """
        count = self.list.topLevelItemCount()
        self.list.setVisible(bool(count))
        self.why.setVisible(True)
        if count:
            column = self._column
            around = self.field.sizeHint().height() + self.why.sizeHint().height() + 2 * column.spacing()
            edges = column.contentsMargins()
            around += edges.top() + edges.bottom() + 2 * self._sheet.frameWidth()
            row, frame = self.list.sizeHintForRow(0), 2 * self.list.frameWidth()
            rows = min(count, max(1, (self._most - around - frame) // row))
            self.list.setFixedHeight(rows * row + frame)
            self.why.setVisible(bool(self.why.text()) or rows < count)
        self._column.activate()
        self._around.activate()
        self.resize(self.width(), self.sizeHint().height())

    def _item(self, index: int) -> QTreeWidgetItem:
        command = self._commands[index]
        item = QTreeWidgetItem([command.title, command.keys])
        item.setData(0, INDEX, index)
        item.setIcon(0, self._blank if command.action.icon().isNull() else command.action.icon())
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if command.why:
            grey = self.palette().placeholderText()
            item.setForeground(0, grey)
            item.setForeground(1, grey)
            item.setData(0, Qt.ItemDataRole.AccessibleDescriptionRole, command.why)
        return item

    def _move(self, by: int) -> None:
        """Choose the item ``by`` further on."""
        model, last = self.list.model(), self.list.topLevelItemCount() - 1
        there = min(max(self.list.currentIndex().row() + by, 0), last)
        self.list.setCurrentIndex(model.index(there, 0))

    def _current(self) -> Command | None:
        item = self.list.currentItem()
        return self._commands[item.data(0, INDEX)] if item is not None else None

    def _say_why(self, *_: object) -> None:
        """Say why the command chosen can't be done, or that nothing is called so."""
        command = self._current()
        self.why.setText(command.why if command is not None else self.tr("No command is called that"))
        self._fit()

    def _accept(self, *_: object) -> None:
        command = self._current()
        if command is None or command.why:
            return
        self.close()
        settings.remember_command(command.id)
        command.action.trigger()


def _blank_icon(side: int) -> QIcon:
    """Room for an icon: so that titles stand below one another."""
    pixmap = QPixmap(side, side)
    pixmap.fill(Qt.GlobalColor.transparent)
    return QIcon(pixmap)
