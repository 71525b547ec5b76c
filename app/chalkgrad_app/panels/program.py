"""The program panel: code, order, status and time in one list."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QPoint, Qt, QTime, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QLabel, QListView, QMenu, QToolButton, QVBoxLayout, QWidget

from chalkgrad.program import edits
from chalkgrad.program.change import Change
from chalkgrad.source import emit
from chalkgrad_app.document import Document
from chalkgrad_app.panels.program_paint import ProgramDelegate, code_font
from chalkgrad_app.panels.program_rows import ROW, ProgramRows, Row
from chalkgrad_app.style import icons


class ProgramList(QListView):
    """The list of lines. A click on a number looks at the moment after that line."""

    number_clicked = Signal(int)

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("program.list")
        self._document = document
        self.rows = ProgramRows(document)
        self.setModel(self.rows)
        self.delegate = ProgramDelegate(document, self.rows, self)
        self.setItemDelegate(self.delegate)
        self.setFont(code_font(parent))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDropIndicatorShown(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press in the gutter is about time, one in the code about selection."""
        index = self.indexAt(event.position().toPoint())
        row: Row | None = index.data(ROW) if index.isValid() else None
        in_gutter = event.position().x() < self.delegate.gutter(self.fontMetrics())
        if event.button() == Qt.MouseButton.LeftButton and in_gutter and row is not None and row.statement is not None:
            self.number_clicked.emit(row.statement)
            event.accept()
            return
        super().mousePressEvent(event)


class ProgramPanel(QWidget):
    """The list, and above it where one stands in time."""

    line_opened = Signal(int)  # id of a statement whose card is to be shown

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel.program")
        self._document = document
        self._following = False
        self.title = QLabel(self)
        self.title.setObjectName("panelTitle")
        self.ran = QLabel(self)
        self.ran.setObjectName("program.ran")
        self.where = QLabel(self)
        self.where.setObjectName("program.where")
        self.buttons = [self._button(*given) for given in self._times()]
        self.list = ProgramList(document, self)
        self.list.number_clicked.connect(document.look_at_line)
        self.list.doubleClicked.connect(self._on_double_clicked)
        self.list.customContextMenuRequested.connect(self._show_menu)
        self.list.selectionModel().selectionChanged.connect(self._on_list_selected)
        self._arrange()
        document.changed.connect(self._on_changed)
        document.selected.connect(self._follow_selection)
        for signal in (document.traced, document.moved):
            signal.connect(self._on_state)
        self.retranslate()

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.title.setText(self.tr("Program"))
        self.list.setAccessibleName(self.tr("Program"))
        words = (self.tr("First line"), self.tr("Previous line"), self.tr("Next line"), self.tr("Back to now"))
        for button, word in zip(self.buttons, words, strict=True):
            button.setToolTip(word)
            button.setAccessibleName(word)
        self._on_state()

    def text(self) -> str:
        """The rows as they are shown, for tests and screen readers."""
        return "\n".join(row.text for row in self.list.rows.rows)

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of language or text size."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        elif event.type() in (QEvent.Type.ApplicationFontChange, QEvent.Type.FontChange) and hasattr(self, "list"):
            self.list.setFont(code_font(self))
            self.list.rows.refresh()
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete takes the selected lines out; the copy key copies them as code."""
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._delete()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self._copy_lines()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_double_clicked()
        else:
            super().keyPressEvent(event)

    # ------------------------------------------------------------ build

    def _times(self) -> tuple[tuple[str, str, object], ...]:
        return (
            ("first", "⏮", self._look_at_first),
            ("previous", "◀", self._step_back),
            ("next", "▶", self._step_forward),
            ("now", "⏭", self._document.back_to_now),
        )

    def _button(self, name: str, text: str, slot: object) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(f"program.{name}")
        button.setText(text)
        button.setAutoRaise(True)
        icon = {"previous": "step-back", "next": "step-forward", "now": "to-now"}.get(name)
        if icon:
            button.setIcon(icons.icon(icon))
        button.clicked.connect(slot)
        return button

    def _arrange(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(10, 4, 6, 2)
        top.setSpacing(4)
        top.addWidget(self.title)
        top.addSpacing(12)
        top.addWidget(self.ran)
        top.addStretch(1)
        for index, button in enumerate(self.buttons):
            if index == 2:
                top.addWidget(self.where)
            top.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(self.list)

    # ------------------------------------------------------------ follow

    def _on_changed(self, change: Change) -> None:
        if change.touches_program:
            self.list.rows.refresh()
            self._follow_selection()
            if self._document.session.ran_again is not None:
                self.ran.setText(self.tr("ran again {time}").format(time=QTime.currentTime().toString("HH:mm")))
        self._on_state()

    def _on_state(self, *_: object) -> None:
        lines = self._document.program.lines
        total = max(lines.values(), default=0)
        line = self._document.cursor_line
        self.where.setText(self.tr("line {line}").format(line=total if line is None else lines[line]) if total else "")
        self.list.rows.repaint()
        self.list.scheduleDelayedItemsLayout()
        if line is not None:
            self._show_row(line)
        elif total:
            self.list.scrollToBottom()

    def _follow_selection(self) -> None:
        if self._following:
            return
        wanted = QItemSelection()
        for id_ in self._document.selected_statements:
            row = self.list.rows.row_of(id_)
            if row is not None:
                wanted.select(self.list.rows.index(row), self.list.rows.index(row))
        self._following = True
        self.list.selectionModel().select(wanted, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._following = False
        if self._document.selected_statements:
            self._show_row(self._document.selected_statements[-1])

    def _show_row(self, id_: int) -> None:
        row = self.list.rows.row_of(id_)
        if row is not None:
            self.list.scrollTo(self.list.rows.index(row))

    # ------------------------------------------------------------ slots

    def _selected(self) -> list[int]:
        rows = sorted(index.row() for index in self.list.selectionModel().selectedIndexes())
        return [id_ for row in rows if (id_ := self.list.rows.rows[row].statement) is not None]

    def _on_list_selected(self, *_: object) -> None:
        if not self._following:
            self._following = True
            self._document.select(self._selected())
            self._following = False

    def _on_double_clicked(self, *_: object) -> None:
        for id_ in self._selected()[:1]:
            self.line_opened.emit(id_)

    def _delete(self) -> None:
        ids = self._selected()
        if ids:
            self._document.delete(ids)

    def _copy_lines(self) -> None:
        program = self._document.program
        QGuiApplication.clipboard().setText("\n".join(emit.line(program, id_) for id_ in self._selected()))

    def _copy_all(self) -> None:
        code = emit.program_text(self._document.program, self._document.failed())
        QGuiApplication.clipboard().setText(code)

    def _wrap(self) -> None:
        ids = self._selected()
        if ids:
            self._document.do(lambda sheet: edits.wrap(sheet.program, ids), self.tr("Wrap in no_grad"))

    def _look_at_first(self) -> None:
        rows = [row.statement for row in self.list.rows.rows if row.statement is not None]
        if rows:
            self._document.look_at_line(rows[0])

    def _step_back(self) -> None:
        self._document.step_line(-1)

    def _step_forward(self) -> None:
        self._document.step_line(1)

    def _show_menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Copy line"), self._copy_lines)
        menu.addAction(self.tr("Copy all code"), self._copy_all)
        menu.addSeparator()
        menu.addAction(self.tr("Wrap in no_grad"), self._wrap)
        menu.addAction(self.tr("Delete"), self._delete)
        menu.popup(self.list.viewport().mapToGlobal(at))
