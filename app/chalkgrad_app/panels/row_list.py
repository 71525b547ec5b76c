"""Lists whose rows are as high as what they say: how one chooses in them, and what all their painters share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPalette, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from chalkgrad_app.style import theme

Index = QModelIndex | QPersistentModelIndex
ROW = Qt.ItemDataRole.UserRole
"""Under this a model gives the row itself, to who paints it or goes where it leads."""

WRAP = Qt.TextFlag.TextWordWrap


class RowModel(QAbstractListModel):
    """What stands in such a list, row by row; what is said of a row by who derives from it."""

    rows: Sequence[Any] = ()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many rows there are."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The row itself for who paints it, its words for all others."""
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        return row if role == ROW else self.said(row, role)

    def said(self, row: Any, role: int) -> str | None:
        """What is said of a row in one of Qt's roles; None in roles that it has no words for."""
        raise NotImplementedError


class RowList(QListView):
    """Rows to look at; a click, Enter or Space chooses one."""

    chosen = Signal(object)  # the row itself

    def __init__(self, name: str, delegate: Callable[[QListView], RowDelegate], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._delegate = delegate(self)
        self.setItemDelegate(self._delegate)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setSelectionMode(QListView.SelectionMode.SingleSelection)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.clicked.connect(self._choose)

    def restyle(self) -> None:
        """Rows are as high as their words in the text size in use."""
        self._delegate.restyle()
        self.scheduleDelayedItemsLayout()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Space choose."""
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.currentIndex())
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap anew."""
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def _choose(self, index: QModelIndex) -> None:
        row = index.data(ROW)
        if row is not None and index.flags() & Qt.ItemFlag.ItemIsSelectable:
            self.chosen.emit(row)


class RowDelegate(QStyledItemDelegate):
    """Paints the rows of such a list; what is in a row is said by who derives from it."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        self.restyle()

    def restyle(self) -> None:
        """Take the fonts of the text size in use."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row: the ground of one that is chosen or under the pointer, what it says, a frame for the focus."""
        if index.data(ROW) is None:
            return
        painter.save()
        try:
            if is_selected(option):
                painter.fillRect(option.rect, option.palette.brush(QPalette.ColorRole.Highlight))
            elif option.state & QStyle.StateFlag.State_MouseOver and index.flags() & Qt.ItemFlag.ItemIsSelectable:
                painter.fillRect(option.rect, theme.current().color("hover"))
            self.paint_row(painter, option, index)
            if option.state & QStyle.StateFlag.State_HasFocus:
                painter.setPen(theme.current().color("focus"))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(option.rect.adjusted(0, 0, -1, -1))
        finally:
            painter.restore()

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """What the row says."""
        raise NotImplementedError


def is_selected(option: QStyleOptionViewItem) -> bool:
    """True for a row that is painted as chosen."""
    return bool(option.state & QStyle.StateFlag.State_Selected)


def row_width(view: QAbstractItemView) -> int:
    """Pixels across that rows have beside the scroll bar, whether it is there or not.

    If words took its room while it isn't, rows that just fit would be without it, need it, wrap anew, and so on.
    """
    return view.width() - 2 * view.frameWidth() - view.verticalScrollBar().sizeHint().width()


def wrapped_height(metrics: QFontMetrics, width: int, text: str) -> int:
    """How high a text is that is broken into lines of this width."""
    return metrics.boundingRect(QRect(0, 0, width, 10_000), WRAP, text).height()
