"""Why a backward refused a version: who wrote, who had saved the one before, who reads, each with a way to go there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QMarginsF, QPointF, QRectF, QSizeF, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QToolButton, QWidget

from chalkgrad.program.program import Program
from chalkgrad.program.statement import Ref
from chalkgrad.session.versions import Conflict, Entry
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import QT_TRANSLATE_NOOP, translate
from chalkgrad_app.panels.object_names import line_text, object_name
from chalkgrad_app.picture.part_lines import BETWEEN, WAVE, part_line
from chalkgrad_app.pointing import Part, PlayedPart, PointedOut
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.code_font import scaled

TITLES = {
    Part.SAVER: QT_TRANSLATE_NOOP("Versions", "Saver"),
    Part.WRITER: QT_TRANSLATE_NOOP("Versions", "Writer"),
    Part.READER: QT_TRANSLATE_NOOP("Versions", "Reader"),
}
WORDS = {
    Part.SAVER: QT_TRANSLATE_NOOP("Versions", "{tensor} at v{saved}, by {node}"),
    Part.WRITER: QT_TRANSLATE_NOOP("Versions", "{tensor} is written, v{version}"),
    Part.READER: QT_TRANSLATE_NOOP("Versions", "{node} needs v{saved}, finds v{version}"),
}
SIGN = 18
"""Side of a sign, in pixels at 100% text size."""
SMALLER = 0.5
"""How large the line of a sign is beside that on the canvas."""


@dataclass(frozen=True, slots=True)
class Player:
    """One part of a conflict: who plays it, in words, and when."""

    part: Part
    entry: Entry
    card: int
    words: str

    @property
    def title(self) -> str:
        """The part in the language in use."""
        return translate("Versions", TITLES[self.part])

    def short(self, conflict: Conflict) -> str:
        """The part and its version, as a card has room for."""
        saved, found = conflict.saver.version, self.entry.version
        return _said(self.title, f"v{saved} ≠ v{found}" if self.part is Part.READER else f"v{found}")

    @property
    def text(self) -> str:
        """The part, and what its player did."""
        return _said(self.title, self.words)


def _said(title: str, words: str) -> str:
    return translate("Versions", "{part}: {words}").format(part=title, words=words)


def players(document: Document, conflict: Conflict) -> list[Player]:
    """Who plays which part, in order of time: the saver, the writers, the reader."""
    parts = [(Part.SAVER, conflict.saver), *((Part.WRITER, entry) for entry in conflict.writers)]
    return [_player(document, conflict, part, entry) for part, entry in (*parts, (Part.READER, conflict.reader))]


def pointed_out(document: Document, conflict: Conflict) -> PointedOut:
    """The conflict as the canvas shows it."""
    shown = players(document, conflict)
    return PointedOut(parts=tuple(PlayedPart(who.card, who.part, who.short(conflict)) for who in shown))


def _player(document: Document, conflict: Conflict, part: Part, entry: Entry) -> Player:
    trace = document.session.trace
    number = conflict.history.objects[0] if entry.number is None else entry.number
    words = translate("Versions", WORDS[part]).format(
        node=trace.nodes[conflict.saver.node or 0].name,
        tensor=object_name(document, number, document.state.position),
        saved=conflict.saver.version,
        version=entry.version,
    )
    shown = conflict.saver if part is Part.READER else entry  # what reads is the node that saved, not the backward
    return Player(part, entry, card_of(document.program, shown.statement), words)


def card_of(program: Program, statement: int) -> int:
    """The card that shows a statement: its own, or that of the tensor which it acts on."""
    if statement in program and program[statement].operands and not program[statement].targets:
        first = program[statement].operands[0]
        if isinstance(first, Ref) and not program.writes(program[statement]):
            return program.maker(first).statement
    return statement


class PartSign(QWidget):
    """The line of a part around a small card, as the canvas draws it."""

    def __init__(self, part: Part, parent: QWidget) -> None:
        super().__init__(parent)
        self._part = part
        self.setFixedSize(scaled(SIGN + 8), scaled(SIGN))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The sign."""
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.current().color("text"), 1.5 / SMALLER))
            painter.scale(SMALLER, SMALLER)
            size = QSizeF(self.size()) / SMALLER
            margin = max(WAVE, BETWEEN) + 2
            painter.drawPath(part_line(self._part, QRectF(QPointF(), size).marginsRemoved(QMarginsF(*[margin] * 4))))
        finally:
            painter.end()


class ConflictBox(QFrame):
    """A row for each part: its sign, what it did, and a button that goes there."""

    asked = Signal(object)  # the Player to go to

    def __init__(self, document: Document, conflict: Conflict, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("versions.conflict")
        self.players = players(document, conflict)
        grid = QGridLayout(self)
        grid.setContentsMargins(scaled(8), scaled(4), scaled(8), scaled(4))
        grid.setHorizontalSpacing(scaled(8))
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(1, 1)
        for row, player in enumerate(self.players):
            grid.addWidget(PartSign(player.part, self), row, 0)
            grid.addWidget(self._words(player), row, 1)
            line = line_text(document, player.entry.statement, player.entry.pass_)
            grid.addWidget(self._button(row, player, line), row, 2)

    def texts(self) -> Iterator[str]:
        """What is said, a line for each part."""
        for player in self.players:
            yield player.text

    def _words(self, player: Player) -> QLabel:
        words = QLabel(player.text, self)
        words.setObjectName(f"versions.{player.part}")
        words.setTextFormat(Qt.TextFormat.PlainText)
        words.setWordWrap(True)
        return words

    def _button(self, row: int, player: Player, line: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(f"versions.goTo.{player.part}")
        button.setText(line)
        button.setProperty("link", True)
        button.setProperty("row", row)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setToolTip(translate("Versions", "Look at this moment"))
        button.setAccessibleName(f"{player.text}, {line}")
        button.clicked.connect(self._on_clicked)
        return button

    @Slot()
    def _on_clicked(self) -> None:
        sender = self.sender()
        if sender is not None:
            self.asked.emit(self.players[sender.property("row")])
