"""The program panel: code, order, status and time in one list."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, QTime, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QKeySequence, QResizeEvent, QTransform
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QVBoxLayout, QWidget

from chalkgrad.program.cards import has_card
from chalkgrad.program.change import Change
from chalkgrad.program.inlining import line_of, with_inline
from chalkgrad.program.statement import DIFFERENTIATING
from chalkgrad.source import emit
from chalkgrad_app.actions import BY_ID
from chalkgrad_app.document import Document
from chalkgrad_app.panels import program_edits
from chalkgrad_app.panels.mirror import Mirror
from chalkgrad_app.panels.program_list import ProgramList
from chalkgrad_app.panels.program_rows import Part, acts_on
from chalkgrad_app.panels.selected_rows import select_rows, selected_rows
from chalkgrad_app.panels.time_bar import TimeBar
from chalkgrad_app.playing import Playing
from chalkgrad_app.style import icons
from chalkgrad_app.style.tint import tint
from chalkgrad_app.training import round_number
from chalkgrad_app.widgets.code_font import scaled
from chalkgrad_app.widgets.elided_label import ElidedLabel
from chalkgrad_app.widgets.flat_button import FlatButton
from chalkgrad_app.widgets.whole_rows import WholeRows

StandardKey = QKeySequence.StandardKey


class ProgramPanel(Mirror):
    """The list, above it where one stands in time, and below it the events of the whole run."""

    STANDARD_KEYS = (StandardKey.Copy, StandardKey.SelectAll)
    KEYS = frozenset({Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Return, Qt.Key.Key_Enter})

    line_opened = Signal(int)  # id of a statement whose card is to be shown
    compare_asked = Signal(int)  # id of a backward whose ways are to be compared

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, "program", parent)
        self._selecting = False
        self._at: tuple[object, ...] = ()
        self._painted: tuple[object, ...] = ()
        self._stood: tuple[int | None, int | None] = (None, None)
        self._ran_at = ""
        self.title = self._label("program.title")
        self.ran = self._label("program.ran")
        self.where = self._label("program.where")
        self.first = FlatButton("program.first", "to-now", self._look_at_first, self)
        self.previous = FlatButton("program.previous", "step-back", self._step_back, self)
        self.next = FlatButton("program.next", "step-forward", self._step_forward, self)
        self.now = FlatButton("program.now", "to-now", document.back_to_now, self)
        self.list = ProgramList(document, self)
        self.playing = Playing(document, self)
        self.playing.entered.connect(self._unfold)
        self.time = TimeBar(document, self.playing, self.list.rows.words, self)
        self.list.number_clicked.connect(document.look_at_line)
        self.list.event_chosen.connect(document.look_at)
        self.list.paged.connect(document.step_line)
        self._is_at_end = True
        self.list.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.list.room_changed.connect(self._keep_here)
        self.list.lines_dropped.connect(self._move)
        self.list.lines_nudged.connect(self._nudge)
        self.list.doubleClicked.connect(self._on_double_clicked)
        self.list.customContextMenuRequested.connect(self._show_menu)
        self.list.selectionModel().selectionChanged.connect(self._on_list_selected)
        self.take_keys_of(self.list)
        self._arrange()
        document.changed.connect(self._on_changed)
        document.covering.connect(self.list.viewport().update)
        self.restyle()
        self.begin(document.changed, document.selected, document.traced, document.moved)

    def follow(self) -> None:
        """Show program, state, selection and cursor as they are."""
        self._selecting = True
        changed = self.list.rows.refresh()
        self._selecting = False
        self._repaint(changed)
        self._follow_selection(changed)
        self._follow_cursor()
        self.time.follow()

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.title.setText(self.tr("Program"))
        self.list.setAccessibleName(self.tr("Program"))
        self.time.retranslate()
        for button, words in (
            (self.first, self.tr("First line")),
            (self.previous, self.tr("Previous line")),
            (self.next, self.tr("Next line")),
            (self.now, self.tr("Back to now")),
        ):
            button.say(words)

    def restyle(self) -> None:
        """Colours and sizes of the theme and text size in use."""
        for label in (self.ran, self.where):
            tint(label, "muted")
        drawing = icons.icon("to-now").pixmap(QSize(scaled(14), scaled(14)), self.devicePixelRatioF())
        self.first.setIcon(QIcon(drawing.transformed(QTransform().scale(-1, 1))))
        self.list.restyle()
        self.time.restyle()

    def text(self) -> str:
        """The rows as they are shown, for tests and screen readers."""
        self.catch_up()
        return "\n".join(self.list.rows.text(row) for row in self.list.rows.rows)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete takes the selected lines out; Enter goes to the card."""
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._delete()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open_selected()
        else:
            super().keyPressEvent(event)

    def selected(self) -> list[int]:
        """Ids of the statements whose rows are selected, in order."""
        rows = self.list.rows.rows
        chosen = {rows[row].statement for row in selected_rows(self.list.selectionModel())}
        return [id_ for id_ in self.document.program.order if id_ in chosen]

    # ------------------------------------------------------------ build

    def _label(self, name: str) -> QLabel:
        label = ElidedLabel(self)
        label.setObjectName(name)
        return label

    def _arrange(self) -> None:
        self._top = top = QHBoxLayout()
        top.setContentsMargins(scaled(12), scaled(3), scaled(6), scaled(3))
        top.setSpacing(scaled(4))
        top.addWidget(self.title)
        top.addStretch(1)
        top.addWidget(self.ran)
        top.addSpacing(scaled(4))
        for widget in (self.first, self.previous, self.where, self.next, self.now):
            top.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        whole = WholeRows(self.list, self)
        self.list.room_changed.connect(whole.fit)
        column.addWidget(whole, 1)
        column.addWidget(self.time)

    # ------------------------------------------------------------ follow

    def _repaint(self, rows_are_new: bool) -> None:
        """Paint the rows anew that look otherwise: after a step in time those between here and there."""
        document = self.document
        before, run = self._stood, (document.session.trace, len(document.session.trace))
        self._stood = (document.cursor_line, document.cursor)
        in_rounds = bool(document.program.bodies) and before != self._stood  # what loops say stands anywhere
        if rows_are_new or run != self._painted or in_rounds:
            self._painted = run
            self.list.viewport().update()
        elif before != self._stood:
            self.list.repaint_between(before, self._stood)

    def _on_changed(self, change: Change) -> None:
        if change.touches_program and self.document.session.ran_again is not None:
            self._ran_at = QTime.currentTime().toString("HH:mm")

    def _follow_cursor(self) -> None:
        lines = self.document.program.lines
        total = max(lines.values(), default=0)
        line = self.document.cursor_line if self.document.is_past else self.document.waits_at
        line = line if line in lines else None
        self.where.setText(self._where(total if line is None else lines[line], total, line))
        self.ran.setText(self.tr("ran again {time}").format(time=self._ran_at) if self._ran_at and total else "")
        self._fit_words()
        for button in (self.first, self.previous, self.next, self.now):
            button.setEnabled(bool(total))
        at = (line, self.document.cursor, len(self.document.program))
        if at != self._at:
            self._at = at
            if line is None:
                self.list.scrollToBottom()
            else:
                self._show_here()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The words in the header give way in the order of what they are worth."""
        super().resizeEvent(event)
        self._fit_words()

    def _fit_words(self) -> None:
        """Where not all words have room, when it ran goes first, then the title: where one is stays longest."""
        margins = self._top.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        for widget in (self.where, self.first, self.previous, self.next, self.now):
            room -= widget.sizeHint().width() + self._top.spacing()
        gap = 2 * self._top.spacing() + scaled(4)
        title, ran = self.title.sizeHint().width() + gap, self.ran.sizeHint().width() + gap
        self.ran.setVisible(bool(self.ran.text()) and title + ran <= room)  # empty it would take room all the same
        self.title.setVisible(title <= room)

    def _events_of_line(self, line: int, cursor: int) -> range:
        """The events of a line in the pass looked at, with those of what is written inside it."""
        program, trace = self.document.program, self.document.session.trace
        pass_ = max(0, trace.passes_of(line, cursor) - 1)
        parts = [trace.events_of_pass(id_, pass_) for id_ in with_inline(program, [line_of(program, line)])]
        ran = [part for part in parts if part]
        return range(ran[0].start, ran[-1].stop)

    def _where(self, number: int, total: int, line: int | None) -> str:
        if not total:
            return ""
        is_inside = line is not None and self.document.is_inside and self.document.cursor is not None
        words = self.tr("line {line}") if is_inside else self.tr("line {line} of {total}")  # there is more to be said
        where = words.format(line=number, total=total)
        loops = () if line is None else self.document.program.loops(self.document.program[line].block)
        for loop in loops:
            in_round = self.tr("round {n}").format(n=round_number(self.document, loop))
            where = self.tr("{where}, {more}").format(where=where, more=in_round)
        if line is None or self.document.cursor is None or not is_inside:
            return where
        events = self._events_of_line(line, self.document.cursor)
        event = self.tr("event {n} of {total}").format(n=self.document.cursor - events.start, total=len(events))
        return self.tr("{where}, {more}").format(where=where, more=event)

    def _follow_selection(self, rows_are_new: bool) -> None:
        wanted = set(self.list.rows.rows_of(self.document.selected_statements))
        shown = selected_rows(self.list.selectionModel())
        if wanted == shown and not rows_are_new:
            return
        self._selecting = True
        select_rows(self.list.selectionModel(), self.list.rows, wanted)
        self._selecting = False
        if wanted and wanted != shown:
            self.list.scrollTo(self.list.rows.index(min(wanted)))

    def _show_here(self) -> None:
        document, rows = self.document, self.list.rows
        waits_at = None if document.is_past else document.waits_at
        row = rows.row_at(document.cursor_line, document.cursor) if waits_at is None else rows.row_of(waits_at)
        if row is None:
            return
        if self.list.rows.rows[row].part is Part.EVENT:
            self.list.go_to(row)
        else:
            self.list.scrollTo(self.list.rows.index(row))

    def _on_scrolled(self, value: int) -> None:
        self._is_at_end = value == self.list.verticalScrollBar().maximum()

    def _keep_here(self) -> None:
        """Where one is stays in view when the list gets smaller, as in a lecture: a moment of the past, or the end."""
        if self.document.is_past:
            self._show_here()
        elif self._is_at_end:
            self.list.scrollToBottom()

    # ------------------------------------------------------------ edit

    def _delete(self) -> None:
        ids = with_inline(self.document.program, self.selected())
        if ids:
            self.document.delete(ids)

    def _move(self, ids: list[int], row: int) -> None:
        program_edits.move(self.document, self.list.rows, ids, row)

    def _nudge(self, by: int) -> None:
        program_edits.nudge(self.document, self.list.rows, self.selected(), by)

    def _wrap(self) -> None:
        program_edits.wrap(self.document, self.selected())

    def select_all(self) -> None:
        """Select every row."""
        self.list.selectAll()

    def copied(self) -> str:
        """The selected lines as code."""
        program = self.document.program
        return "\n".join(emit.line(program, id_) for id_ in self.selected())

    def _copy_all(self) -> None:
        self.copy(emit.program_text(self.document.program, self.document.failed()))

    # ------------------------------------------------------------ slots

    def _unfold(self, id_: int) -> None:
        """Show the events of a line that a step led into; of one that has no rows for them it is said what happened."""
        line, cursor, rows = line_of(self.document.program, id_), self.document.cursor, self.list.rows
        rows.unfold(line, True)
        if not rows.is_unfolded(line) and cursor:
            self.document.told.emit(rows.words.text(self.document.session.trace.events[cursor - 1]))

    def _on_list_selected(self, *_: object) -> None:
        if self._selecting:
            return
        inline = [id_ for id_ in self.document.selected_statements if self.document.program.is_inline(id_)]
        chosen = self.selected()
        kept = [id_ for id_ in inline if line_of(self.document.program, id_) in chosen]
        self.document.select([*chosen, *kept])

    def _on_double_clicked(self, index: QModelIndex) -> None:
        row = self.list.rows.rows[index.row()]
        if row.statement is not None:
            self._open(row.statement)

    def _open_selected(self) -> None:
        for id_ in self.selected()[:1]:
            self._open(id_)

    def _open(self, id_: int) -> None:
        shown = acts_on(self.document.program, id_) if id_ in self.document.program else None
        if shown is not None and has_card(self.document.program, self.document.program[shown]):
            self.document.select([shown])
            self.line_opened.emit(shown)

    def _look_at_first(self) -> None:
        first = next((row.statement for row in self.list.rows.rows.lines if row.part is Part.FIRST), None)
        if first is not None:
            self.document.look_at_line(first)

    def _step_back(self) -> None:
        self.document.step_line(-1)

    def _step_forward(self) -> None:
        self.document.step_line(1)

    def _chosen_backward(self) -> int | None:
        """The backward among the selected lines."""
        program = self.document.program
        return next((id_ for id_ in self.selected() if program[id_].kind in DIFFERENTIATING), None)

    def _compare(self) -> None:
        line = self._chosen_backward()
        if line is not None:
            self.compare_asked.emit(line)

    def _show_menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setObjectName("program.menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        some = bool(self.selected())
        for name, text, slot, enabled in (
            ("copyLine", self.tr("Copy line"), self.copy_shown, some),
            ("copyAll", self.tr("Copy all code"), self._copy_all, bool(self.document.program.order)),
            ("", "", self._copy_all, False),
            ("wrap", self.tr("Wrap in no_grad"), self._wrap, some),
            ("compare", BY_ID["compareGraphs"].title(), self._compare, self._chosen_backward() is not None),
            ("delete", self.tr("Delete"), self._delete, some),
        ):
            if not name:
                menu.addSeparator()
                continue
            action = menu.addAction(text, slot)
            action.setObjectName(f"program.menu.{name}")
            action.setEnabled(enabled)
        menu.popup(self.list.viewport().mapToGlobal(at))
