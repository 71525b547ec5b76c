"""Quick-add: a field at the pointer with a list of what can be placed; an expression typed into it builds its graph."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QListView, QVBoxLayout, QWidget

from chalkgrad.engine.record import OPS
from chalkgrad_app import catalogue
from chalkgrad_app.canvas.at_pointer import Opening, opening, within
from chalkgrad_app.canvas.edit_fields import is_for_good, is_plain, tab_way
from chalkgrad_app.canvas.offer_rows import ENTRY, ROW, OfferRow, OffersModel
from chalkgrad_app.canvas.offers import INDEX, NEW, Purpose, Request, with_new
from chalkgrad_app.canvas.refusals import LONGEST
from chalkgrad_app.catalogue import Entry
from chalkgrad_app.editors.pasted import TablePaste
from chalkgrad_app.naming import cut_short
from chalkgrad_app.widgets.code_font import scaled
from chalkgrad_app.widgets.message_edit import FieldMessage, mark_wrong

WIDTH, NARROW = 440, 300
"""How wide the list is, and how narrow it may get rather than hide a card, at 100% text size."""
ROWS, FEW = 9, 3
"""How many rows it shows at most, and how few of many it may."""
WORDS = 3
"""How many lines the preview has at least: for an operator one of code and two of words."""
EDGE = 4
"""Pixels that stay free at the edge of the window."""
ASIDE = 8
"""So many pixels beside a card stay free, too: its ports stand out."""
UNBROKEN = "\u00a0"
CTRL = Qt.KeyboardModifier.ControlModifier
GOING_ON = (Purpose.PLACE, Purpose.FOLLOW, Purpose.INSERT)
"""What Ctrl+Enter can go on from."""


class SearchField(QLineEdit):
    """The field of the list: its arrow keys move in the list below it, and keys meant for the canvas stay here."""

    moved = Signal(int)
    completed = Signal()
    accepted = Signal(bool)  # True: and go on
    left = Signal()
    escaped = Signal()

    def event(self, event: QEvent) -> bool:
        """Keep plain keys from being taken as shortcuts of the canvas; Tab completes and never leads elsewhere."""
        if is_plain(event) or _announces_enter(event):
            event.accept()
            return True
        way = tab_way(event)
        if way:
            if way > 0:
                self.completed.emit()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down move in the list, Enter takes, with Ctrl and goes on; Escape closes it."""
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: ROWS, Qt.Key.Key_PageUp: -ROWS}
        if event.key() in steps:
            self.moved.emit(steps[Qt.Key(event.key())])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accepted.emit(bool(event.modifiers() & CTRL))
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Say so, unless a menu or another window took the focus for a moment."""
        super().focusOutEvent(event)
        if is_for_good(event):
            self.left.emit()


def _announces_enter(event: QEvent) -> bool:
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    return event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Explained(NamedTuple):
    """The lines that an expression would build and a note on them, or why it can't be; none while it is unfinished."""

    built: str = ""
    why: str = ""
    note: str = ""


ASSIGNED = re.compile(r"\s*=\s*[^=\s]")
"""How what follows a name begins."""


class QuickAdd(QFrame):
    """The list at the pointer. It only says what was chosen; who opened it places that.

    It lies in the window rather than on the canvas, where it may be larger than that. Its field is above its rows also
    where all of it lies above the pointer: the best of them is next to it, and Down leads to the next.
    ``explain`` says what becomes of an expression. Where nothing is called as was typed, what is called nearly so is
    listed, and none of it chosen.
    """

    opened = Signal()
    chosen = Signal(str, bool)  # a name; True: and go on with what was placed
    expression = Signal(str)
    closed = Signal()

    def __init__(self, canvas: QWidget, explain: Callable[[str], Explained]) -> None:
        super().__init__(canvas.window())
        self._canvas = canvas
        self._opening = Opening(QRect(), above=False)
        self._explain = explain
        self._offers: Sequence[tuple[Entry, int]] = ()
        self.setObjectName("canvas.quickAdd")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.request = Request()
        self.at = QPoint()
        self.typed_before = ""
        """The letter that opened it, which may have been meant as the name of what is typed next."""
        self.field = SearchField(self)
        self.field.setObjectName("canvas.quickAdd.field")
        self.message = FieldMessage(self)
        self.message.setObjectName("canvas.quickAdd.message")
        self._found = OffersModel(self)
        self.rows = self._list()
        self.preview = self._label("preview")
        self.preview.setTextFormat(Qt.TextFormat.RichText)
        self.hint = self._label("hint")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(8, 8, 8, 8)
        self._column.setSpacing(6)
        for widget in (self.field, self.message, self.rows, self.preview, self.hint):
            self._column.addWidget(widget)
        self.field.textChanged.connect(self._on_text_changed)
        self.field.accepted.connect(self.accept)
        self.field.moved.connect(self._move)
        self.field.completed.connect(self.complete)
        self.field.escaped.connect(self.dismiss)
        TablePaste(self.field).refused.connect(self.show_message)
        self.field.left.connect(self.dismiss)
        self.rows.clicked.connect(self._on_clicked)
        self.rows.selectionModel().currentChanged.connect(self._show_preview)
        self.hide()

    # ------------------------------------------------------------ open and close

    def open_at(
        self, point: QPoint, request: Request, offers: Sequence[tuple[Entry, int]], cards: Sequence[QRect] = ()
    ) -> None:
        """Show the list of ``offers`` at ``point`` of the canvas, beside the ``cards`` that it is opened for."""
        self.request, self._offers = request, offers
        self.at = QPoint(point)
        self._restyle()
        self._retranslate()
        self.field.clear()
        self.show_message("")
        self._fill()
        self._show_preview()
        self._open(cards)
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.opened.emit()

    def dismiss(self) -> None:
        """Close without placing anything."""
        if self.isVisible():
            had_focus = self.field.hasFocus()
            self.hide()
            if had_focus:
                self._canvas.setFocus(Qt.FocusReason.OtherFocusReason)
            self.closed.emit()

    def accept(self, go_on: bool = False) -> None:
        """Take the expression typed, else the row chosen."""
        if self._is_expression():
            self.expression.emit(self.field.text())
            return
        entry = self.rows.currentIndex().data(ENTRY)
        if entry is None:
            self.show_message(self._nothing())
            return
        if entry.name == INDEX:
            self.field.setText(entry.written)  # an expression now
            self.field.setSelection(entry.written.index("[") + 1, 1)
            return
        if entry.name == NEW:
            self.expression.emit(self.field.text())
            return
        self.dismiss()
        self.chosen.emit(entry.name, go_on)

    def complete(self) -> None:
        """Write out the name of the row chosen, which stays chosen: one may go on with what it is called with.

        Where none is, that of the nearest; where nothing is typed yet, none.
        """
        if self.rows.isHidden() or not self.field.text().strip():
            return
        entry = self.rows.currentIndex().data(ENTRY) or self._found.index(0, 0).data(ENTRY)
        if entry is not None:
            self.field.setText(entry.label)
            self._go(self._found.entries.index(entry) if entry in self._found.entries else 0)

    def show_message(self, text: str) -> None:
        """Say what is wrong with what was typed; the list stays open."""
        if text:
            self.preview.clear()  # which said it until now
        self.message.say(text)
        mark_wrong(self.field, text)
        if self.isVisible():
            self._fit()

    # ------------------------------------------------------------ inside

    def _label(self, name: str) -> QLabel:
        label = QLabel(self)
        label.setObjectName(f"canvas.quickAdd.{name}")
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        return label

    def _list(self) -> QListView:
        rows = QListView(self)
        rows.setObjectName("canvas.quickAdd.list")
        rows.setModel(self._found)
        rows.setItemDelegate(OfferRow(rows))
        rows.setUniformItemSizes(True)
        rows.setFrameShape(QFrame.Shape.NoFrame)
        rows.setVerticalScrollMode(QListView.ScrollMode.ScrollPerItem)  # and none at its head
        rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return rows

    def _is_expression(self) -> bool:
        built = (Purpose.PLACE, Purpose.FOLLOW, Purpose.FEED)
        text = self.field.text()
        if self.request.purpose not in built or not catalogue.is_expression(text):
            return False
        wanted = catalogue.plain(text)
        meant = {wanted, catalogue.spelled(wanted)}
        return not any(meant & entry.exact for entry, _ in self._offers)

    def _fill(self) -> None:
        typed = self.field.text()
        entries = with_new(typed, catalogue.ranked(typed, self._offers), self.request)
        near = [] if entries or self._is_expression() else catalogue.near(typed, self._offers)
        with QSignalBlocker(self.rows.selectionModel()):  # the preview is shown once, when all rows are there
            self._found.show(entries or near)
        self._go(0 if entries else -1)
        self.rows.setVisible(bool(entries or near))

    def _go(self, row: int) -> None:
        self.rows.setCurrentIndex(self._found.index(row, 0))

    def _move(self, by: int) -> None:
        self._go(max(0, min(len(self._found.entries) - 1, self.rows.currentIndex().row() + by)))

    def _on_text_changed(self) -> None:
        text = self.field.text()
        if self.typed_before and ASSIGNED.match(text):
            self.field.setText(self.typed_before + text)
            return
        if text.strip(" ="):
            self.typed_before = ""
        self.show_message("")
        self._fill()
        if self._is_expression():
            self._go(-1)
            self.rows.hide()
        self._show_preview()
        self._fit()

    def _on_clicked(self, index: QModelIndex) -> None:
        self.rows.setCurrentIndex(index)
        self.accept()

    def _show_preview(self, *_: object) -> None:
        """Below the list: how the operator chosen is called and what it does, or what the expression builds."""
        entry = self.rows.currentIndex().data(ENTRY)
        if entry is None:
            if self._is_expression():
                built, why, note = self._explain(self.field.text())
                code = html.escape(built).replace("  ", "&nbsp;&nbsp;").replace("\n", "<br>")
                why = why or self.tr("No complete expression yet")
                said = "<br>".join(filter(None, (f"<code>{code}</code>", html.escape(note))))
                self.preview.setText(said if built else html.escape(why))
            else:
                self.preview.setText(html.escape(self._nothing()))
            return
        call = catalogue.signature(entry.name) if entry.name in OPS else ""
        if entry.name == NEW:
            call = self._explain(self.field.text()).built.partition("\n")[2]
        code = f"<code>{html.escape(call)}</code>" if call else ""
        self.preview.setText("<br>".join(filter(None, (code, html.escape(entry.sentence)))))

    def _nothing(self) -> str:
        """That nothing is called as was typed, and that near names are listed where they are."""
        name = cut_short(self.field.text().strip(), LONGEST)
        if self._found.entries:
            return self.tr("Nothing is called {name}; near names are listed.").format(name=name)
        return self.tr("Nothing is called {name}.").format(name=name)

    def _open(self, cards: Sequence[QRect]) -> None:
        """Choose the side of the pointer on which it opens, and keeps to while one types."""
        point = self._canvas.mapTo(self.window(), self.at)
        shift = point - self.at
        self._shown_labels(True)
        least = QSize(scaled(NARROW), self.field.sizeHint().height() + scaled(ROW) * FEW + 24)
        full = QSize(scaled(WIDTH), self._height(scaled(WIDTH)))
        free = [card.translated(shift).adjusted(-ASIDE, -ASIDE, ASIDE, ASIDE) for card in cards]
        self._opening = opening(point, full, least, self._room(), free)
        self._fit()
        if self._opening.above:  # its foot is at the pointer
            opened = QRect(self._opening.rect)
            opened.setTop(opened.bottom() + 1 - self.height())
            self._opening = Opening(opened, above=True)
            self._fit()

    def _fit(self) -> None:
        """As high as what is shown, from its field on, which stays where it is.

        Where there is little room, first the hint goes and then the preview, so that the list keeps its rows.
        """
        opened, above = self._opening
        room = self._room()
        most = opened.height() if above else max(opened.height(), room.bottom() - opened.top() + 1)
        self._shown_labels(True)
        for label in (self.hint, self.preview):
            if self._height(opened.width()) > most:
                label.hide()
        height = self._height(opened.width())
        if height > most and not self.rows.isHidden():
            height -= -(-(height - most) // scaled(ROW)) * scaled(ROW)  # whole rows, none cut at its foot
        height = min(height, most)
        self.setGeometry(within(QRect(opened.left(), opened.top(), opened.width(), height), room))

    def _shown_labels(self, shown: bool) -> None:
        self.hint.setVisible(shown and self.request.purpose in GOING_ON)
        self.preview.setVisible(shown and bool(self.preview.text()))

    def _room(self) -> QRect:
        """Where it may lie: in the whole window."""
        return self.window().rect().adjusted(EDGE, EDGE, -EDGE, -EDGE)

    def _height(self, width: int) -> int:
        """How high everything shown is in a list of ``width``."""
        inner = width - 16
        line = self.preview.fontMetrics().lineSpacing()
        self.preview.setMinimumHeight(0)  # or what it was given last would be added to
        has_entry = self.rows.currentIndex().isValid()
        said = 0 if has_entry else self.preview.heightForWidth(inner)
        self.preview.setFixedHeight(max(WORDS * line if has_entry else line, said) + 2)
        heights = [self.field.sizeHint().height()]
        heights += [label.heightForWidth(inner) for label in (self.message, self.hint) if not label.isHidden()]
        heights += [self.preview.height()] if not self.preview.isHidden() else []
        rows = min(len(self._found.entries), ROWS)
        heights += [scaled(ROW) * rows] if not self.rows.isHidden() else []
        return sum(heights) + 6 * (len(heights) - 1) + 18

    def _restyle(self) -> None:
        """Words and code begin at the top of their room."""
        self.preview.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.hint.setEnabled(False)

    def _retranslate(self) -> None:
        asked = {
            Purpose.PLACE: self.tr("Operator, or y = (x + w) * (w + 1)"),
            Purpose.FOLLOW: self.tr("What can follow"),
            Purpose.FEED: self.tr("What can make this input"),
            Purpose.INSERT: self.tr("What to put into the wire"),
            Purpose.CHANGE: self.tr("Change to"),
        }[self.request.purpose]
        self.field.setPlaceholderText(asked)
        name = self.tr("Quick add")  # the tool that collects texts does not look into f-strings
        self.field.setAccessibleName(self.tr("{name}: {asked}").format(name=name, asked=asked))
        self.rows.setAccessibleName(self.tr("What can be placed"))
        keys = self.tr("Enter: place    Tab: complete    Ctrl+Enter: place, then the next    Esc: close")
        self.hint.setText("    ".join(part.replace(" ", UNBROKEN) for part in keys.split("    ")))
