"""A table of facts written as code: whole rows are selected, columns grow with what is seen in them."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from chalkgrad_app.panels.selected_rows import selected_rows
from chalkgrad_app.widgets.code_font import code_font, scaled

WIDEST = 260
"""So wide a column becomes by itself, in pixels at 100% text size."""
NARROWEST = 58
"""So narrow a column becomes at the least that gives way to others."""


class FactTable(QTableView):
    """Rows of facts to look at; give it its model, then connect to its selection."""

    def __init__(self, name: str, parent: QWidget, ratio: float = 1.0) -> None:
        super().__init__(parent)
        self._ratio = ratio
        self._yields: int | None = None
        self._in_view = 0
        self._wanted = self._given = 0
        self.setObjectName(name)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(False)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        across, down = self.horizontalHeader(), self.verticalHeader()
        across.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        across.setResizeContentsPrecision(0)
        across.setHighlightSections(False)
        across.setMinimumSectionSize(scaled(32))
        down.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        down.setHighlightSections(False)
        across.sortIndicatorChanged.connect(self._on_sorted)

    def restyle(self) -> None:
        """Font and sizes of the text size in use."""
        font = code_font(ratio=self._ratio)
        for widget in (self, self.horizontalHeader(), self.verticalHeader()):
            widget.setFont(font)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + scaled(8))
        for column in range(self.model().columnCount()):
            self.setColumnWidth(column, scaled(40))
        self._wanted, self._given = 0, scaled(40)

    def keep_in_view(self, columns: int, yields: int) -> None:
        """So many columns from the left are to be seen without scrolling: one gives way, its texts are elided."""
        self._in_view, self._yields = columns, yields

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What gave way gets more room, or less."""
        super().resizeEvent(event)
        self._give_way()

    def showEvent(self, event: QShowEvent) -> None:
        """What is in it may have come while nobody saw it."""
        super().showEvent(event)
        self.widen()

    def widen(self) -> None:
        """Columns grow with what is seen in them; they don't shrink, so that stepping through time is calm."""
        if not self.isVisible():
            return  # nothing is seen, and Qt would measure all rows there are
        for column in range(self.model().columnCount()):
            hint = max(self.sizeHintForColumn(column), self._heading_width(column))
            wanted = min(hint + scaled(6), scaled(WIDEST))
            if column == self._yields:
                self._wanted = max(self._wanted, wanted)
            elif wanted > self.columnWidth(column):
                self.setColumnWidth(column, wanted)
        self._give_way()

    def chosen_rows(self) -> list[int]:
        """The selected rows from above to below, all of them when none is selected."""
        return sorted(selected_rows(self.selectionModel())) or list(range(self.model().rowCount()))

    def _give_way(self) -> None:
        """Set the width of the column that yields, unless somebody has set another."""
        if self._yields is None or self.columnWidth(self._yields) != self._given:
            return
        others = sum(self.columnWidth(column) for column in range(self._in_view) if column != self._yields)
        self._given = max(min(self._wanted, self.viewport().width() - others), scaled(NARROWEST))
        self.setColumnWidth(self._yields, self._given)

    def _heading_width(self, column: int) -> int:
        """What a heading needs; Qt's own hint has room for the arrow in every column, sorted by it or not."""
        header = self.horizontalHeader()
        if header.sortIndicatorSection() == column:
            return header.sectionSizeHint(column)
        heading = str(self.model().headerData(column, Qt.Orientation.Horizontal) or "")
        return header.fontMetrics().horizontalAdvance(heading) + scaled(6)

    @Slot()
    def _on_sorted(self) -> None:
        self.widen()
