"""The memory of the backward graph at the cursor: what is saved, by whom, until when, and what that comes to."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QHBoxLayout, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from chalkgrad.session.retained import Fate
from chalkgrad_app.document import Document
from chalkgrad_app.panels.fact_table import FactTable
from chalkgrad_app.panels.memory_rows import SavedModel, StoragesModel
from chalkgrad_app.panels.memory_totals import MemoryTotals
from chalkgrad_app.panels.mirror import LEAST
from chalkgrad_app.panels.selected_rows import select_rows, selected_rows
from chalkgrad_app.panels.side_panel import SidePanel
from chalkgrad_app.pointing import PointedOut
from chalkgrad_app.running_sheet import SLICE_MS
from chalkgrad_app.widgets.code_font import SMALL, scaled
from chalkgrad_app.widgets.later import Later

TABLE_HEIGHT = 100
"""The least height of a table, in pixels at 100% text size."""


class MemoryPanel(SidePanel):
    """Two tables, one of which is shown: what nodes have saved, and the storages in use; above them the sums."""

    STANDARD_KEYS = (QKeySequence.StandardKey.Copy, QKeySequence.StandardKey.SelectAll)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, "memory", parent)
        self._selecting = False
        self._own: frozenset[int] | None = None
        self.totals = MemoryTotals(document, self)
        self._work = document.session.trace.retained.work()
        self._events = 0
        self._reading = Later(self, self._read)
        self._filling = Later(self, self._fill)
        self._summing = Later(self, self.totals.follow)
        self.saved, self.storages = SavedModel(document, self), StoragesModel(document, self)
        self.tables = [self._table("saved", self.saved), self._table("storages", self.storages)]
        self.tables[0].keep_in_view(SavedModel.IN_VIEW, SavedModel.TITLES.index("grad_fn"))
        self._stack = QStackedWidget(self)
        for table in self.tables:
            self._stack.addWidget(table)
        self.choice = QButtonGroup(self)
        self._buttons = [self._choice(number, name) for number, name in enumerate(("showSaved", "showStorages"))]
        self._buttons[0].setChecked(True)
        self.choice.idToggled.connect(self._on_choice)
        self.kept_only = QCheckBox(self)
        self.kept_only.setObjectName("memory.keptOnly")
        self.kept_only.toggled.connect(self.schedule)
        self._copy = self.copy_button()
        self._lay_out()
        self.restyle()
        self.begin(document.traced, document.moved, document.changed, document.selected)

    def minimumSizeHint(self) -> QSize:
        """The sums and some rows; with less room all of it scrolls."""
        return QSize(min(scaled(160), LEAST.width()), QWidget.minimumSizeHint(self).height())

    @property
    def table(self) -> FactTable:
        """The table that is shown."""
        return self.tables[self._stack.currentIndex()]

    @property
    def model(self) -> SavedModel | StoragesModel:
        """What is in it."""
        return self.storages if self._stack.currentIndex() else self.saved

    def follow(self) -> None:
        """Read everything anew, a slice in each turn of the event loop: of a long run it takes a while."""
        retained = self.document.session.trace.retained
        if self.document.is_running:
            return
        self._events = len(self.document.session.trace)
        if retained.is_current:
            self._fill()
        else:
            self._work = retained.work()
            self._read()

    def _read(self) -> None:
        if self._events != len(self.document.session.trace):
            return  # more has happened since it began: that is followed in its turn
        if self._work.advance(SLICE_MS):
            self._filling.schedule()
        else:
            self._reading.schedule()

    def _fill(self) -> None:
        self._selecting = True
        if self._show_rows():
            self._own = None
        self._selecting = False
        self._follow_selection()
        self.table.widen()
        self._summing.schedule()

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.totals.retranslate()
        self.kept_only.setText(self.tr("kept only"))
        self.kept_only.setToolTip(self.tr("Leave out what was freed or dropped"))
        texts = (self.tr("Saved"), self.tr("Storages"))
        tips = (
            self.tr("What the nodes of the graph have saved for a backward"),
            self.tr("The memory in use: equal signs are the same memory"),
        )
        for button, table, text, tip in zip(self._buttons, self.tables, texts, tips, strict=True):
            button.setText(text)
            button.setToolTip(tip)
            table.setAccessibleName(tip)
        self._copy.say(self.tr("Copy as text"))

    def restyle(self) -> None:
        """Fonts, colours and sizes in use."""
        self.totals.restyle()
        for table in self.tables:
            table.setMinimumHeight(scaled(TABLE_HEIGHT))
            table.restyle()

    def select_all(self) -> None:
        """Select every row."""
        self.table.selectAll()

    def text(self) -> str:
        """The sums, then the selected rows, all of them when none is selected, as tab-separated text."""
        self.catch_up()
        self._work.finish()
        self._reading.catch_up()
        self._filling.catch_up()
        self._summing.catch_up()
        columns = range(self.model.columnCount())
        heads = [str(self.model.headerData(n, Qt.Orientation.Horizontal)) for n in columns]
        cells = [[self.model.text(row, n) for n in columns] for row in self.table.chosen_rows()]
        return self.totals.text() + "\n\n" + "\n".join("\t".join(row) for row in [heads, *cells])

    def focus_table(self) -> None:
        """Put the focus where the keyboard goes through the rows."""
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # ------------------------------------------------------------ inside

    def _show_rows(self) -> bool:
        """Fill the table that is shown; True when it has other rows now."""
        trace, position = self.document.session.trace, self.document.state.position
        if self.model is self.storages:
            return self.storages.show_rows(trace.retained.storages(position), trace, position)
        kept_only = self.kept_only.isChecked()
        rows = [row for row in trace.retained.at(position) if not kept_only or row.fate(position) is Fate.KEPT]
        return self.saved.show_rows(rows, trace, position)

    def _table(self, name: str, model: SavedModel | StoragesModel) -> FactTable:
        table = FactTable(f"memory.{name}", self, ratio=SMALL)
        table.setModel(model)
        table.verticalHeader().hide()
        table.setSortingEnabled(True)
        table.horizontalHeader().setSortIndicatorClearable(True)
        table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        table.selectionModel().selectionChanged.connect(self._on_table_selected)
        self.take_keys_of(table)
        return table

    def _choice(self, number: int, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(f"memory.{name}")
        button.setCheckable(True)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.choice.addButton(button, number)
        return button

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setSpacing(scaled(4))
        for button in self._buttons:
            bar.addWidget(button)
        bar.addStretch(1)
        bar.addWidget(self.kept_only)
        bar.addWidget(self._copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(scaled(8), scaled(8), scaled(8), 0)
        column.setSpacing(scaled(6))
        column.addWidget(self.totals)
        column.addLayout(bar)
        column.addWidget(self._stack, 1)
        for one, other in pairwise((self.totals.peak, *self._buttons, self.kept_only, self._copy, *self.tables)):
            QWidget.setTabOrder(one, other)

    def _follow_selection(self) -> None:
        """Show the rows of the cards that are selected, unless they were selected here."""
        chosen, node, model = self.document.selection, self.document.node, self.model
        if chosen == self._own and node is None:
            return
        self._own = None
        rows = range(model.rowCount()) if chosen or node is not None else ()
        wanted = [row for row in rows if model.is_chosen(row, chosen, node)]
        if selected_rows(self.table.selectionModel()) == set(wanted):
            return
        self._selecting = True
        select_rows(self.table.selectionModel(), model, wanted)
        self._selecting = False
        if wanted:
            self.table.scrollTo(model.index(wanted[-1], 0))

    # ------------------------------------------------------------ slots

    @Slot(int, bool)
    def _on_choice(self, number: int, checked: bool) -> None:
        if checked:
            self._stack.setCurrentIndex(number)
            self.kept_only.setVisible(number == 0)
            self.schedule()

    @Slot()
    def _on_table_selected(self) -> None:
        """Select the card of the function, and point at the tensor that it saved."""
        if self._selecting or self.is_stale:  # the rows of a run that is over say nothing about this one
            return
        rows = selected_rows(self.table.selectionModel())
        derived = [node for node in map(self.model.derived_node, rows) if node is not None]
        if derived:  # it has no card: it is part of a gradient's own graph
            self.document.select_node(derived[-1])
            return
        about = [self.model.statements(row) for row in rows]
        self._own = frozenset(statements[0] for statements in about if statements)
        self.document.select(self._own)
        links = frozenset((one[0], other) for one in about for other in one[1:] if other != one[0])
        self.point_out(PointedOut(tuple(id_ for one in about for id_ in one), links))
