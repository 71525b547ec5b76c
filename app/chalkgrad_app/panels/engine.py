"""The engine inside a backward: the node at work, the ready queue, who waits for whom, and what has come to each."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from chalkgrad.program.board import AUTOGRAD
from chalkgrad.session.events import EventKind
from chalkgrad.session.schedule import ACCUMULATES, Schedule, backward_at
from chalkgrad.session.trace import Trace
from chalkgrad.source import emit
from chalkgrad_app.document import Document
from chalkgrad_app.panels.engine_list import EngineList
from chalkgrad_app.panels.engine_rows import EngineRow, Stage, Teller
from chalkgrad_app.panels.event_words import EventWords
from chalkgrad_app.panels.side_panel import SidePanel
from chalkgrad_app.pointing import PointedOut
from chalkgrad_app.style.tint import tint
from chalkgrad_app.widgets.code_font import code_font, scaled


class EnginePanel(SidePanel):
    """What the engine does at the cursor, while that stands in a backward."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, "engine", parent)
        self._known: tuple[Trace, int | None, int] | None = None
        self._schedule: Schedule | None = None
        self._position = 0
        self._step_into: int | None = None
        self._words, self._teller = EventWords(document), Teller(document)
        self._title = self._label("title")
        self._why = self._label("why")
        self._copy = self.copy_button()
        self._enter = QPushButton(self)
        self._enter.setObjectName("engine.enter")
        self._enter.clicked.connect(self._on_enter)
        self.list = EngineList(document, self)
        self.list.looked_at.connect(self._point_out)
        self.list.chosen.connect(self._on_chosen)
        self.take_keys_of(self.list)
        self._arrange()
        self.restyle()
        self.begin(document.traced, document.moved, document.changed, document.covering)

    def follow(self) -> None:
        """Show the engine at the cursor."""
        document = self.document
        if document.is_running:
            return
        trace = document.session.trace
        self._position = position = document.position
        schedule = self._schedule_at(trace, position)
        node, scrolled = self._current(), self.list.verticalScrollBar().value()
        self.list.rows.show(schedule, position)
        self.list.go_to(node)
        self.list.verticalScrollBar().setValue(scrolled)
        self.list.setVisible(schedule is not None)
        self._copy.setEnabled(schedule is not None)
        if schedule is None:
            self._say_outside(trace, position)
        else:
            self._say(trace, schedule, position)

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.list.setAccessibleName(self.tr("Nodes of the backward"))
        self._copy.say(self.tr("Copy as text"))

    def restyle(self) -> None:
        """Colours and sizes in use."""
        self._title.setFont(code_font())
        tint(self._why, "muted")
        self.list.restyle()

    def text(self) -> str:
        """All that is shown, and the nodes that are not listed, as plain text."""
        self.catch_up()
        labels = [label.text() for label in (self._title, self._why) if not label.isHidden()]
        rows = [] if self._schedule is None else self._teller.rows(self._schedule, self._position, whole=True)
        return "\n".join(part for part in (*labels, *(row.text() for row in rows)) if part)

    def focus_list(self) -> None:
        """Put the focus where the keyboard can go through the nodes."""
        self.catch_up()
        (self._enter if self.list.isHidden() else self.list).setFocus(Qt.FocusReason.ShortcutFocusReason)

    # ------------------------------------------------------------ what is said

    def _schedule_at(self, trace: Trace, position: int) -> Schedule | None:
        """The backward at a position, read off the trace once."""
        began = backward_at(trace, position)
        known = (trace, began, len(trace))
        if known != self._known:
            self._known, self._schedule = known, None if began is None else Schedule(trace, began)
        return self._schedule

    def _say(self, trace: Trace, schedule: Schedule, position: int) -> None:
        inside = position <= schedule.end
        happened = self._words.text(trace.events[position - 1])
        self._title.setText(happened if inside else self._code(trace, position))
        why = self._reason(trace, schedule, position)
        self._why.setText(why)
        self._why.setVisible(bool(why))
        self._enter.hide()

    def _say_outside(self, trace: Trace, position: int) -> None:
        """Where there is a backward to step into: the next one, else the last."""
        if any(trace.line_at(began + 1) == trace.line_at(position) for began in trace.in_brief if began < position):
            self._say_alone(
                self.tr("Only what this backward came to was recorded: its steps would have been too many.")
            )
            return
        later = [began for began in trace.plans if began >= position]
        begun = later[0] if later else max(trace.plans, default=None)
        self._step_into = None if begun is None else begun + 1
        if begun is None:
            self._say_alone(self.tr("No backward has run yet: there is nothing for the engine to do."))
            return
        self._say_alone(self.tr("The cursor stands outside of a backward."))
        self._enter.show()
        code = self._code(trace, begun + 1)
        self._enter.setText(self.tr("Step into {code}").format(code=code))

    def _say_alone(self, words: str) -> None:
        self._title.setText("")
        self._why.setText(words)
        self._why.show()
        self._enter.hide()

    def _code(self, trace: Trace, position: int) -> str:
        line = trace.line_at(position)
        return "" if line is None or line not in self.document.program else emit.shown_line(self.document.program, line)

    def _reason(self, trace: Trace, schedule: Schedule, position: int) -> str:
        """Why order matters, where it is seen: a node waits, goes on waiting, or has waited."""
        event = trace.events[position - 1]
        if event.node is None or position > schedule.end:
            return ""
        if event.kind is EventKind.NODE_RAN:
            edges = trace.nodes[event.node].edges
            held = next((edge for edge in edges if edge is not None and schedule.missing(edge, position)), None)
            return "" if held is None else self._must_wait(schedule, held, position)
        if event.kind is EventKind.SUMMED and schedule.had_to_wait(event.node):
            if schedule.missing(event.node, position):
                return self._must_wait(schedule, event.node, position)
            return self.tr(
                "Now all paths to {node} have come together: its gradient is the sum, and it may run."
            ).format(node=self._words.node(event.node))
        return ""

    def _must_wait(self, schedule: Schedule, node: int, position: int) -> str:
        is_leaf = self.document.session.trace.nodes[node].name == ACCUMULATES
        missing = schedule.missing(node, position)
        plain = self.tr(
            "{node} has to wait for {others}. If it ran now, it would pass on only a part of its gradient and have to "
            "run again. So a node runs only after all that send to it: in topological order."
        )
        leaf = self.tr(
            "{node} has to wait for {others}: the sum over all paths is what is added to .grad. "
            "So a node runs only after all that send to it: in topological order."
        )
        return (leaf if is_leaf else plain).format(node=self._words.node(node), others=self._teller.names(missing))

    # ------------------------------------------------------------ slots

    def _current(self) -> int | None:
        row = self.list.row(self.list.currentIndex())
        return None if row is None else row.node

    def _point_out(self, row: EngineRow | None) -> None:
        """Light a node and its card, and those of the nodes that it waits for, with the wires between them."""
        if row is None or row.node is None or self._schedule is None or self.is_stale:
            self.point_out(PointedOut())
            return
        nodes = self.document.session.trace.nodes
        lacks = self._schedule.missing(row.node, self._position) if row.stage is not Stage.DONE else ()
        own = nodes[row.node].statement
        others = tuple(dict.fromkeys(nodes[node].statement for node in lacks))
        links = frozenset((other, own) for other in others)
        self.point_out(PointedOut((own, *others), links, nodes=(row.node, *lacks)))

    def _on_chosen(self, row: EngineRow) -> None:
        """Select the node where it is drawn, else the card that it belongs to."""
        if self.is_stale or row.node is None:
            return
        if self.document.drawing == AUTOGRAD:
            self.document.select_node(row.node)
        else:
            self.document.select([self.document.session.trace.nodes[row.node].statement])

    def _on_enter(self) -> None:
        if self._step_into is not None:
            self.document.look_at(self._step_into)

    # ------------------------------------------------------------ build

    def _label(self, name: str) -> QLabel:
        label = QLabel(self)
        label.setObjectName(f"engine.{name}")
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        return label

    def _arrange(self) -> None:
        bar = QHBoxLayout()
        bar.addWidget(self._title, 1)
        bar.addWidget(self._copy, 0, Qt.AlignmentFlag.AlignTop)
        head = QVBoxLayout()
        head.setContentsMargins(scaled(10), scaled(6), scaled(8), scaled(4))
        head.setSpacing(scaled(4))
        head.addLayout(bar)
        for widget in (self._why, self._enter):
            head.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.list, 1)
        column.addStretch(0)
