"""The rows of the panel Engine: the nodes of a backward by what they do at the cursor, with what has come to each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Qt

from chalkgrad.session.events import EventKind
from chalkgrad.session.schedule import Schedule
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import QT_TRANSLATE_NOOP, translate
from chalkgrad_app.panels.event_words import EventWords, values
from chalkgrad_app.panels.row_list import Index, RowModel

MOST_EDGES = 6
"""Of a node that sends more gradients, so many are told."""


class Stage(IntEnum):
    """How far a node has come."""

    NOW = 0
    READY = 1
    WAITING = 2
    TO_COME = 3
    DONE = 4


HEADINGS = {
    Stage.NOW: QT_TRANSLATE_NOOP("EngineRows", "At work"),
    Stage.READY: QT_TRANSLATE_NOOP("EngineRows", "Ready queue ({n})"),
    Stage.WAITING: QT_TRANSLATE_NOOP("EngineRows", "Waiting ({n})"),
    Stage.TO_COME: QT_TRANSLATE_NOOP("EngineRows", "To come ({n})"),
    Stage.DONE: QT_TRANSLATE_NOOP("EngineRows", "Done ({n})"),
}
MORE = QT_TRANSLATE_NOOP("EngineRows", "and {n} more")
LACKS = (
    QT_TRANSLATE_NOOP("EngineRows", "waits for {n} more: from {nodes}"),
    QT_TRANSLATE_NOOP("EngineRows", "needs {n}: from {nodes}"),
)
"""What is said of a node that has got something, and of one that has not."""

MOST = {Stage.NOW: 1, Stage.READY: 24, Stage.WAITING: 24, Stage.TO_COME: 12, Stage.DONE: 12}
"""So many nodes of a kind are listed; how many more there are is said."""

MARKS = {Stage.NOW: "●", Stage.WAITING: "…", Stage.TO_COME: "·", Stage.DONE: "✓"}


class EngineRow(NamedTuple):
    """A node in words, or without one a heading or what is not listed (then ``mark`` is empty, too).

    ``came`` says how many gradients of those that it waits for have come, ``details`` what has come, what is missing
    and what it sends, line by line.
    """

    stage: Stage
    node: int | None
    mark: str
    title: str
    came: str = ""
    details: tuple[str, ...] = ()

    def text(self) -> str:
        """All of it as plain text."""
        head = "  ".join(part for part in (self.mark, self.title, self.came) if part)
        return "\n".join([head, *(f"    {line}" for line in self.details)])


class EngineRows(RowModel):
    """The nodes of one backward at one position."""

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._teller = Teller(document)
        self.rows: list[EngineRow] = []

    def show(self, schedule: Schedule | None, position: int) -> None:
        """Show where each node of a backward stands at a position."""
        rows = [] if schedule is None else self._teller.rows(schedule, position)
        if rows != self.rows:
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()

    def row_of(self, node: int | None) -> int | None:
        """The row in which a node stands."""
        return next((at for at, row in enumerate(self.rows) if row.node == node), None) if node is not None else None

    # ------------------------------------------------------------ what Qt asks

    def said(self, row: EngineRow, role: int) -> str | None:
        """Its title, and all of it for who reads it out or points at it."""
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.text()
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Nodes can be chosen, and keys go from one to the next; headings can't."""
        if index.isValid() and index.row() < len(self.rows) and self.rows[index.row()].node is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


class Teller:
    """Puts into words where the nodes of a backward stand."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._words = EventWords(document)

    def rows(self, schedule: Schedule, position: int, whole: bool = False) -> list[EngineRow]:
        """Headings and nodes; of each kind the first, or the ``whole`` of them."""
        moment = schedule.moment(position)
        found: list[EngineRow] = []
        now = () if moment.now is None else (moment.now,)
        lists = (now, moment.ready, moment.waiting, moment.to_come, moment.done)
        for stage, nodes in zip(Stage, lists, strict=True):
            if not nodes and stage is not Stage.READY:
                continue
            most = len(nodes) if whole else MOST[stage]
            found.append(EngineRow(stage, None, "", translate("EngineRows", HEADINGS[stage]).format(n=len(nodes))))
            found += [self._row(schedule, position, stage, node, at) for at, node in enumerate(nodes[:most], start=1)]
            if len(nodes) > most:
                more = translate("EngineRows", MORE).format(n=len(nodes) - most)
                found.append(EngineRow(stage, None, "", f"    {more}"))
        return found

    def names(self, nodes: tuple[int, ...]) -> str:
        """Some nodes by name, each once: ``2 × MulBackward0 of line 7``."""
        counted = Counter(nodes)
        named = [
            f"{count} × {self._words.node(node)}" if count > 1 else self._words.node(node)
            for node, count in list(counted.items())[:MOST_EDGES]
        ]
        return ", ".join(named) + (", …" if len(counted) > MOST_EDGES else "")

    # ------------------------------------------------------------ inside

    def _row(self, schedule: Schedule, position: int, stage: Stage, node: int, place: int) -> EngineRow:
        mark = f"{place}." if stage is Stage.READY else MARKS[stage]
        title = self._words.node(node)
        if stage is Stage.NOW:
            return EngineRow(stage, node, mark, title, "", tuple(self._at_work(schedule, position, node)))
        if stage is Stage.DONE:
            return EngineRow(stage, node, mark, title, "", (self._done(schedule, position, node),))
        missing, needed = schedule.missing(node, position), schedule.needs(node)
        details: tuple[str, ...] = () if stage is Stage.TO_COME else (self._came(schedule, position, node),)
        if missing:
            lacks = LACKS[stage is Stage.TO_COME]
            details += (translate("EngineRows", lacks).format(n=len(missing), nodes=self.names(missing)),)
        elif stage is Stage.WAITING:
            details += (translate("EngineRows", "all has come: it goes into the queue"),)
        return EngineRow(stage, node, mark, title, f"{needed - len(missing)} / {needed}", details)

    def _came(self, schedule: Schedule, position: int, node: int) -> str:
        """``[3.] + [2.] = [5.]``; while the sum is still to be made, without it."""
        arrived = [one.gradient for one in schedule.arrivals(node, position) if one.gradient is not None]
        shown = " + ".join(self._values(gradient) for gradient in arrived[:MOST_EDGES])
        if len(arrived) > MOST_EDGES:
            shown += " + …"
        if len(arrived) < 2 or schedule.sums(node, position) + 1 < len(arrived):
            return shown or self._values(None)
        return f"{shown} = {self._values(schedule.total(node, position))}"

    def _at_work(self, schedule: Schedule, position: int, node: int) -> Iterator[str]:
        """What the node gets, and once it ran, what it sends to whom."""
        event = schedule.work(node, position)
        came = (schedule.total(node, position),) if event is None else event.incoming
        yield translate("EngineRows", "gets {gradient}").format(gradient=self._values(*came))
        if event is None or event.kind is not EventKind.NODE_RAN:
            return
        sent = zip(self._document.session.trace.nodes[node].edges, event.outgoing, strict=False)
        told = [(edge, gradient) for edge, gradient in sent if edge is not None and gradient is not None]
        for edge, gradient in told[:MOST_EDGES]:
            yield f"{self._values(gradient)} → {self._words.node(edge)}"

    def _done(self, schedule: Schedule, position: int, node: int) -> str:
        event = schedule.work(node, position)
        if event is None or (event.kind is EventKind.DROPPED and event.incoming[0] is None):
            return translate("EngineRows", "no gradient came")
        text = self._values(*event.incoming)
        if event.kind is EventKind.NODE_RAN:
            text = f"{text} → {self._values(*event.outgoing)}"
        elif event.kind is EventKind.CAPTURED:
            text = translate("EngineRows", "{gradient} taken by autograd.grad").format(gradient=text)
        freed = schedule.freed_at(node)
        is_freed = freed is not None and freed <= position
        return translate("EngineRows", "{gradients} · freed").format(gradients=text) if is_freed else text

    def _values(self, *gradients: np.ndarray | None) -> str:
        return values(gradients, self._document.is_covering)
