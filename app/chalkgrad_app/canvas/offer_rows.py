"""How quick-add paints its rows: icon, name, symbol, what it is called, and the section at the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from chalkgrad_app.catalogue import Entry
from chalkgrad_app.style import operator_icons, theme
from chalkgrad_app.style.fonts import ui_font
from chalkgrad_app.widgets.code_font import SMALL, code_font, scaled

ENTRY = Qt.ItemDataRole.UserRole
ROW, ICON, GAP = 28, 18, 8
"""Height of a row, side of its icon and room between its parts, at 100% text size."""


class OffersModel(QAbstractListModel):
    """Entries, one a row. A list of items would make an object for each of them with every letter that is typed."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.entries: Sequence[Entry] = ()

    def show(self, entries: Sequence[Entry]) -> None:
        """Have these rows."""
        self.beginResetModel()
        self.entries = entries
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        """One row for each entry."""
        return 0 if parent is not None and parent.isValid() else len(self.entries)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The title, which screen readers say, or the entry itself."""
        if not index.isValid():
            return None
        entry = self.entries[index.row()]
        return entry if role == ENTRY else entry.title if role == Qt.ItemDataRole.DisplayRole else None


class OfferRow(QStyledItemDelegate):
    """Paints one :class:`Entry`, kept at the role :data:`ENTRY`."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        """All rows are equally high."""
        return QSize(scaled(200), scaled(ROW))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Name and symbol in the font of code, what it is called in the font of words, the section quietly."""
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.fillRect(rect, theme.current().color("highlight"))
        gap, side = scaled(GAP), scaled(ICON)
        picture = QRect(rect.left() + gap, rect.center().y() - side // 2 + 1, side, side)
        entry, look = index.data(ENTRY), theme.current()
        ink = look.highlight_text if chosen else look.text
        operator_icons.paint(painter, QRectF(picture), entry.icon or entry.name, ink)
        _paint_words(painter, entry, rect.adjusted(picture.right() + gap - rect.left(), 0, -gap, 0), chosen)


def _paint_words(painter: QPainter, entry: Entry, room: QRect, chosen: bool) -> None:
    """The section at the right end of ``room``, and before it from the left what there is room for."""
    look = theme.current()
    ink = look.color("highlight_text" if chosen else "text")
    quiet = ink if chosen else look.color("placeholder")
    small = ui_font(theme.BASE_PIXELS * SMALL * theme.text_size() / 100)
    painter.setFont(small)
    painter.setPen(quiet)
    painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, entry.section)
    room.setRight(room.right() - QFontMetrics(small).horizontalAdvance(entry.section) - scaled(GAP))
    words = entry.called if entry.called.casefold() not in ("", entry.label) else entry.sentence
    for text, font, pen in (
        (entry.label, code_font(bold=True), ink),
        (entry.symbol, code_font(), ink),
        (words, small, quiet),
    ):
        if text and room.width() > scaled(GAP):
            metrics = QFontMetrics(font)
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width())
            painter.setFont(font)
            painter.setPen(pen)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
            room.setLeft(room.left() + metrics.horizontalAdvance(shown) + scaled(GAP))
