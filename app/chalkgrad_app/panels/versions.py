"""The versions of the selected tensor: who wrote, who saved which version, and what a backward found."""

from __future__ import annotations

from itertools import chain, pairwise

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from chalkgrad.program.statement import Ref
from chalkgrad.session.state import Problem, State
from chalkgrad.session.versions import Conflict, Deed, Entry, History
from chalkgrad_app.covering import Cover
from chalkgrad_app.document import Document
from chalkgrad_app.panels.conflict import ConflictBox, Player, card_of, pointed_out
from chalkgrad_app.panels.mirror import LEAST
from chalkgrad_app.panels.object_names import object_name
from chalkgrad_app.panels.side_panel import SidePanel
from chalkgrad_app.panels.version_list import VersionList
from chalkgrad_app.panels.version_rows import VersionRow, VersionRows
from chalkgrad_app.pointing import PointedOut
from chalkgrad_app.style.tint import tint
from chalkgrad_app.widgets.code_font import code_font, scaled
from chalkgrad_app.widgets.elided_label import ElidedLabel

LIST_HEIGHT = 100
"""The least height of the list, in pixels at 100% text size."""


class VersionsPanel(SidePanel):
    """One history, and above it, where a backward refused a version, who is to blame."""

    chosen = Signal(object)  # ids of cards that should be in view

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, "versions", parent)
        self._history: History | None = None
        self._conflict: Conflict | None = None
        self._asked: tuple[int, ...] = ()
        self._went_to: frozenset[int] | None = None
        self._box: ConflictBox | None = None
        self._title = QLabel(self)
        self._title.setObjectName("versions.title")
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._shared = ElidedLabel(self)
        self._shared.setObjectName("versions.shared")
        self._hint = QLabel(self)
        self._hint.setObjectName("versions.hint")
        self._hint.setWordWrap(True)
        self._copy = self.copy_button()
        self.rows = VersionRows(document, self)
        self.list = VersionList(self.rows, self)
        self.list.chosen.connect(self._on_chosen)
        self.take_keys_of(self.list)
        self._lay_out()
        self.restyle()
        self.begin(document.traced, document.moved, document.changed, document.selected, document.covering)

    def minimumSizeHint(self) -> QSize:
        """The rest scrolls."""
        return QSize(min(scaled(160), LEAST.width()), QWidget.minimumSizeHint(self).height())

    def follow(self) -> None:
        """Show the history of what is selected, as far as the trace goes."""
        document = self.document
        if document.is_running:
            return
        if document.selection != self._went_to:
            self._went_to, self._asked = None, document.selected_statements
        number = self._subject()
        versions = document.session.trace.versions
        self._history = None if number is None else versions.history(number).until(self._end())
        refused = [] if self._history is None else [e for e in self._history.entries if e.deed is Deed.REFUSED]
        self._conflict = versions.conflict(refused[-1].position) if refused else None
        self.rows.show(self._history)
        self._say(number)
        self._show_conflict()
        self.point_out(PointedOut() if self._conflict is None else pointed_out(document, self._conflict))
        self.list.go_to(self.rows.row_at(document.state.position))

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.list.setAccessibleName(self.tr("Versions"))
        self._hint.setText(self.tr("Select a tensor to see who wrote it, and who saved which version."))
        self._copy.say(self.tr("Copy as text"))

    def restyle(self) -> None:
        """Fonts and colours in use."""
        self._title.setFont(code_font(bold=True))
        tint(self._shared, "muted")
        tint(self._hint, "muted")
        self.list.setMinimumHeight(scaled(LIST_HEIGHT))
        self.list.restyle()

    def text(self) -> str:
        """All that is shown, as plain text."""
        self.catch_up()
        box = [] if self._box is None else list(self._box.texts())
        labels = [label.text() for label in (self._title, self._shared, self._hint) if not label.isHidden()]
        lines = [*labels, *box, *(row.text() for row in self.rows.rows)]
        return "\n".join(line for line in lines if line)

    def focus_list(self) -> None:
        """Put the focus where the keyboard goes through the history."""
        self.list.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # ------------------------------------------------------------ what is asked for

    def _subject(self) -> int | None:
        """The object whose history is shown: what the selected node saved, or the last selected card's tensor.

        Where nothing is selected it is that of the last conflict there was. What has not happened yet at the cursor
        counts, too: one goes to and fro in the history.
        """
        trace = self.document.session.trace
        end = trace.state(self._end())
        saved = () if self.document.node is None else trace.saved_by(self.document.node)
        asked = () if saved else [id_ for id_ in reversed(self._asked) if id_ in self.document.program]
        problems = () if saved or asked else reversed(end.problems)
        candidates = chain(
            (value.number for value in saved),
            (found for id_ in asked for found in (self._blamed(end.statement(id_).problem), self._tensor(id_, end))),
            map(self._blamed, problems),
        )
        return next((found for found in candidates if found is not None), None)

    def _end(self) -> int:
        """How far the trace may be told: not past a backward of which one is to say first whether it fails."""
        document = self.document
        trace = document.session.trace
        if Cover.OUTCOMES in document.covers.asked:
            for run in trace.runs:
                if run.statement in document.program and document.covers.asks_outcome(document.program, run.statement):
                    return run.start
        return len(trace)

    def _blamed(self, problem: Problem | None) -> int | None:
        """The tensor whose version a backward refused, where that is the problem."""
        conflict = None if problem is None else self.document.session.trace.versions.conflict(problem.position)
        return None if conflict is None else conflict.history.objects[0]

    def _tensor(self, id_: int, end: State) -> int | None:
        """The tensor that a line makes, or acts on: at the cursor, or the one that it will make."""
        made = self.document.program.maker(Ref(id_))
        for state in (self.document.state, end):
            tensor = state.tensor(made.statement, made.output)
            if tensor is not None:
                return tensor.number
        return None

    # ------------------------------------------------------------ inside

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.addWidget(self._title, 1)
        bar.addWidget(self._copy)
        self._above = QVBoxLayout()
        self._above.setContentsMargins(scaled(12), scaled(6), scaled(8), 0)
        self._above.setSpacing(scaled(4))
        self._above.addLayout(bar)
        self._above.addWidget(self._shared)
        self._above.addWidget(self._hint)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(scaled(6))
        column.addLayout(self._above)
        column.addWidget(self.list, 1)

    def _say(self, number: int | None) -> None:
        """Whose history it is, and who has a part in it."""
        history, document = self._history, self.document
        self._copy.setEnabled(history is not None)
        self.list.setVisible(history is not None)
        self._hint.setVisible(history is None)
        self._shared.setVisible(False)
        self._title.setText("")
        if history is None or number is None:
            return
        position = document.state.position
        self._title.setText(f"{object_name(document, number, position)}  v{history.version(position)}")
        others = [object_name(document, other, position) for other in history.objects if other != number]
        words = self.tr("One counter with {names}").format(names=", ".join(dict.fromkeys(others)))
        self._shared.setText(words)
        self._shared.setVisible(bool(others))

    def _show_conflict(self) -> None:
        box = None if self._conflict is None else ConflictBox(self.document, self._conflict, self)
        if box is not None and self._box is not None and list(box.texts()) == list(self._box.texts()):
            box.deleteLater()
            return
        if self._box is not None:
            self._box.hide()
            self._box.deleteLater()  # it may hold the button whose signal brought us here
        self._box = box
        if box is not None:
            box.asked.connect(self._on_asked)
            self._above.addWidget(box)
            for one, other in pairwise((self._copy, *box.findChildren(QToolButton), self.list)):
                QWidget.setTabOrder(one, other)

    def _go(self, entry: Entry) -> None:
        """Look at the moment of an entry, with its card selected; what is shown here stays."""
        document = self.document
        trace, card = document.session.trace, card_of(document.program, entry.statement)
        line = trace.line_at(entry.position)
        is_whole = entry.node is None or entry.deed is Deed.SAVED
        document.look_at(trace.end_of(line, entry.position) if is_whole and line is not None else entry.position)
        if card in document.program:
            self._went_to = frozenset({card})
            document.select(self._went_to)
            self.chosen.emit((card,))

    # ------------------------------------------------------------ slots

    @Slot(object)
    def _on_chosen(self, row: VersionRow) -> None:
        self._go(row.entry)

    @Slot(object)
    def _on_asked(self, player: Player) -> None:
        self._go(player.entry)
