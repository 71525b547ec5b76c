"""The find bar: type, and the canvas glides to the card or node that is meant; Enter goes on to the next."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, QSizeF, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QToolButton

from chalkgrad_app.canvas import accessible, finding, reach, spoken
from chalkgrad_app.canvas.finding import Entry, Found, Rank
from chalkgrad_app.canvas.viewport import Viewport
from chalkgrad_app.i18n import translate
from chalkgrad_app.picture.brush import pen
from chalkgrad_app.picture.look import Level
from chalkgrad_app.style import icons, theme
from chalkgrad_app.widgets.code_font import scaled

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

WIDTH, ICON, MARGIN = 380, 16, 8
"""In pixels, width and icons at 100% text size."""
SLICE_MS = 6.0
READABLE = 0.75
"""Zoom at least this far in to show what was found."""
MOST_MARKED = 2000
NEXT = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down, Qt.Key.Key_F3)


class FindBar(QFrame):
    """A field over the canvas. What is typed is shown, Enter or F3 goes on; Escape stays there, keys go on from it.

    Where nothing was typed or found, Escape goes back to what was seen before.
    """

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas)
        self.setObjectName("findBar")
        self.setAutoFillBackground(True)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._canvas = canvas
        self._entries: dict[Found, Entry] = {}
        self._of: tuple[object, object] = (None, None)
        self._todo: Iterator[Found] = iter(())
        self._ranked: list[tuple[Rank, int, Found]] = []
        self.found: list[Found] = []
        self._current: Found | None = None
        self._is_typed = False
        self._asked: tuple[Found | None, int] | None = None
        self._before: tuple[Viewport, frozenset[int], int | None] | None = None
        self._slices = QTimer(self)
        self._slices.timeout.connect(self._search_on)
        self._make()
        canvas.overlay_painters.append(self._paint_found)
        canvas.resized.connect(self._place)
        for signal in (canvas.document.changed, canvas.document.traced):
            signal.connect(self._on_changed)
        self.hide()
        self.retranslate()

    @property
    def is_searching(self) -> bool:
        """True while cards are still looked at."""
        return self._slices.isActive()

    # ------------------------------------------------------------ what actions call

    def open_bar(self) -> None:
        """Show the bar with the focus in it; what was looked for last is ready to be typed over."""
        if self.isHidden():
            document = self._canvas.document
            self._before = self._canvas.viewport.copied(), document.selection, document.node
            self._current, self._is_typed = None, False
        self._place()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        self._search()

    def step(self, by: int) -> None:
        """Go to the next (+1) or previous (-1) card found, and stay there when the bar is closed.

        While the search goes on the step waits for its end.
        """
        self._asked = self._current, by
        if self.isHidden():
            self.open_bar()
        if self.is_searching:
            self._search_on()
        else:
            self._step_asked()

    def close_bar(self) -> None:
        """Hide the bar: what was found has the focus; where nobody looked for it everything is as it was before."""
        if self.isHidden():
            return
        self._slices.stop()
        self._asked = None
        self.hide()
        canvas = self._canvas
        current = self._current if self._current in self.found else None
        if self._before is not None and (current is None or not self._is_typed):
            canvas.go_to(self._before[0])
            self._select_again(self._before)
        elif isinstance(current, int):
            canvas.keyboard.focus(reach.shown_as(canvas.picture, current))
        elif current is not None:
            canvas.nodes.choose(current)
        canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        canvas.update()

    # ------------------------------------------------------------ Qt events

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys of the field."""
        is_key = watched is self.field and event.type() == QEvent.Type.KeyPress
        return is_key and isinstance(event, QKeyEvent) and self._key(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of language and text size."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        elif event.type() == QEvent.Type.FontChange:
            self._place()
        super().changeEvent(event)

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.field.setPlaceholderText(translate("FindBar", "Name, operator, line or shape"))
        self.field.setAccessibleName(translate("FindBar", "Find a card"))
        for button, text in (
            (self.previous, translate("FindBar", "Previous (Shift+F3)")),
            (self.next, translate("FindBar", "Next (F3)")),
            (self.close_button, translate("FindBar", "Close (Esc)")),
        ):
            button.setToolTip(text)
            button.setAccessibleName(text)
        self._count()

    # ------------------------------------------------------------ build

    def _make(self) -> None:
        self.field = QLineEdit(self)
        self.field.setObjectName("findBar.field")
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(self._on_typed)
        self.field.installEventFilter(self)
        self.count = QLabel(self)
        self.count.setObjectName("findBar.count")
        self.previous = self._button("previous", "chevron-up")
        self.next = self._button("next", "chevron-down")
        self.close_button = self._button("close", "close")
        self.previous.clicked.connect(self._previous)
        self.next.clicked.connect(self._next)
        self.close_button.clicked.connect(self.close_bar)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 4, 4)
        row.setSpacing(4)
        row.addWidget(self.field, 1)
        row.addSpacing(4)
        row.addWidget(self.count)
        row.addSpacing(4)
        for button in (self.previous, self.next, self.close_button):
            row.addWidget(button)

    def _button(self, name: str, icon: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(f"findBar.{name}")
        button.setIcon(icons.icon(icon))
        button.setAutoRaise(True)
        return button

    def _place(self) -> None:
        for button in (self.previous, self.next, self.close_button):
            button.setIconSize(QSize(scaled(ICON), scaled(ICON)))
        width = min(scaled(WIDTH), self._canvas.width() - 2 * MARGIN)
        self.setGeometry(self._canvas.width() - width - MARGIN, MARGIN, width, self.sizeHint().height())

    # ------------------------------------------------------------ search

    def _search(self) -> None:
        """Look anew, in slices, so that typing is never held up."""
        document, picture = self._canvas.document, self._canvas.picture
        now = document.sheet, document.state
        if self._of[0] is not now[0] or self._of[1] is not now[1]:
            self._entries.clear()
            self._of = now
        self._ranked, self.found = [], []
        typed = finding.folded(self.field.text())
        cards = [*picture.ids, *document.board.notes, *document.board.frames]
        self._todo = iter([*cards, *self._canvas.nodes.keys()] if typed else [])
        self._slices.start(0)
        self._count()

    def _search_on(self) -> None:
        """One slice of the search; at its end the best card is shown."""
        end = time.perf_counter() + SLICE_MS / 1000
        if self._look(end):
            self._slices.stop()
            self.found = [found for _, _, found in sorted(self._ranked, key=lambda ranked: ranked[:2])]
            if self._current not in self.found and self._before is not None:
                self._preview(self._before)
            self._count()
            self._canvas.update()
            self._step_asked()

    def _step_asked(self) -> None:
        """Make the step that was asked for, from the card that was shown then."""
        if self._asked is None:
            return
        (last, by), self._asked = self._asked, None
        if self.found:
            self._before = None
            self._go(self.found.index(last) + by if last in self.found else 0)

    def _look(self, end: float) -> bool:
        """Rank cards until the time is over; True when there are no more."""
        document, picture = self._canvas.document, self._canvas.picture
        typed = finding.folded(self.field.text())
        for number, one in enumerate(self._todo):
            entry = self._entries.get(one)
            if entry is None:
                entry = self._entries[one] = finding.entry_of(document, picture, one)
            rank = finding.rank(typed, entry)
            if rank is not None:
                self._ranked.append((rank, len(self._ranked), one))
            if number % 16 == 15 and time.perf_counter() > end:
                return False
        return True

    def _preview(self, before: tuple[Viewport, frozenset[int], int | None]) -> None:
        """Show the best card; without one, what was selected before is selected again."""
        if self.found:
            self._go(0)
        else:
            self._select_again(before)

    def _select_again(self, before: tuple[Viewport, frozenset[int], int | None]) -> None:
        _, selection, node = before
        self._canvas.document.select(selection)
        if node is not None:
            self._canvas.document.select_node(node)

    def _on_typed(self) -> None:
        self._current = self._asked = None
        self._is_typed = True
        self._search()

    def _on_changed(self, *_: object) -> None:
        if self.isVisible():
            self._search()

    # ------------------------------------------------------------ show

    def _go(self, at: int) -> None:
        current = self._current = self.found[at % len(self.found)]
        canvas = self._canvas
        if isinstance(current, int):
            canvas.document.select([reach.shown_as(canvas.picture, current)])
            accessible.announce(canvas, spoken.thing_name(canvas, current))
        else:
            canvas.nodes.choose(current, show=False)
        self._show(self._rect(current))
        self._count()

    def _rect(self, found: Found) -> QRectF:
        """Where something found lies on the canvas; empty where it doesn't."""
        if not isinstance(found, int):
            return self._canvas.nodes.rect(found)
        picture = self._canvas.picture
        return picture.rect_of(reach.shown_as(picture, found)) or QRectF()

    def _show(self, rect: QRectF) -> None:
        """Glide to what isn't seen, is too small to be read, or lies under the bar."""
        canvas = self._canvas
        if rect.isNull():
            return
        target = canvas.glide.target.copied()
        seen = target.rect_to_view(rect)
        room = QRectF(canvas.rect())
        if target.level is Level.NEAR and room.contains(seen) and not seen.intersects(QRectF(self.geometry())):
            return
        target.zoom = max(target.zoom, READABLE)
        target.center_on(rect.center(), QSizeF(canvas.size()))
        canvas.go_to(target)

    def _count(self) -> None:
        if self.is_searching or not self.field.text().strip():
            self.count.setText("")
        elif self.found:
            at = self.found.index(self._current) + 1 if self._current in self.found else 1
            self.count.setText(translate("FindBar", "{at} of {n}").format(at=at, n=len(self.found)))
        else:
            self.count.setText(translate("FindBar", "nothing"))
        for button in (self.previous, self.next):
            button.setEnabled(bool(self.found))

    def _paint_found(self, painter: QPainter) -> None:
        """A line around every card found that is in view."""
        if self.isHidden() or not self.found:
            return
        canvas = self._canvas
        room = QRectF(canvas.rect())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(theme.current().color("focus"), 1.5))
        for found in self.found[:MOST_MARKED]:
            rect = canvas.viewport.rect_to_view(self._rect(found))
            if rect.intersects(room):
                painter.drawRoundedRect(rect.adjusted(-6, -6, 6, 6), 8, 8)

    # ------------------------------------------------------------ keys

    def _key(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key == Qt.Key.Key_Escape:
            self.close_bar()
        elif key == Qt.Key.Key_Up:
            self.step(-1)
        elif key in NEXT:
            self.step(-1 if back else 1)
        else:
            return False
        return True

    def _next(self) -> None:
        self.step(1)

    def _previous(self) -> None:
        self.step(-1)
