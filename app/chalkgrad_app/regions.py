"""The parts of the window that F6 goes through: operators, canvas, the panels, the program."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QRect, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QDockWidget, QWidget
from shiboken6 import isValid

from chalkgrad_app.canvas.graph_canvas import GraphCanvas
from chalkgrad_app.docks import Docks
from chalkgrad_app.widgets.focus_ring import FocusRing
from chalkgrad_app.widgets.tab_focus import in_reading_order


class Regions(QObject):
    """Takes the focus from part to part; each gets it back where it had it last."""

    def __init__(self, docks: Docks, canvas: GraphCanvas, parent: QObject) -> None:
        super().__init__(parent)
        self._docks = docks
        self._canvas = canvas
        self._last: dict[QWidget, QWidget] = {}
        self._ring = FocusRing(canvas.window())
        canvas.ringed.connect(self._on_ringed)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)

    def go(self, by: int) -> None:
        """To the next (+1) or previous (-1) part."""
        parts = self._parts()
        focus = self._canvas.window().focusWidget()
        here = next((at for at, part in enumerate(parts) if _holds(part, focus)), parts.index(self._canvas))
        part = parts[(here + by) % len(parts)]
        last = self._last.get(part)
        target = last if last is not None and isValid(last) and last.isVisible() else _first(part)
        if target is not None:
            target.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.show_ring(target)

    def show_ring(self, focused: QWidget | None) -> None:
        """Lay a ring upon what the keys came to, where that shows no focus by its own edge."""
        has_none = isinstance(focused, GraphCanvas | QAbstractScrollArea) and not self._is_at_card(focused)
        self._ring.show_around(focused if has_none else None)

    def _parts(self) -> list[QWidget]:
        """The canvas and the panels that can be seen, as they stand on the screen."""
        docks = (dock for dock in self._docks.by_name.values() if _is_seen(dock) and _first(dock) is not None)
        parts = [self._canvas, *docks]
        window = self._canvas.window()
        places = [QRect(part.mapTo(window, QPoint(0, 0)), part.size()) for part in parts]
        return [parts[at] for at in in_reading_order(places)]

    def _is_at_card(self, focused: QWidget | None) -> bool:
        """True where a card on the canvas is seen to have the focus."""
        canvas, card = self._canvas, self._canvas.focus_id
        return focused is canvas and card is not None and canvas.rect().intersects(canvas.view_rect_of(card))

    def _on_ringed(self) -> None:
        if self._is_at_card(self._canvas.window().focusWidget()):
            self._ring.show_around(None)

    def _on_focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        self._ring.show_around(None)
        for dock in self._docks.by_name.values():
            if new is not None and _holds(dock, new):
                self._last[dock] = new


def _holds(part: QWidget, widget: QWidget | None) -> bool:
    return widget is not None and (part is widget or part.isAncestorOf(widget))


def _is_seen(dock: QDockWidget) -> bool:
    """False for a dock that is closed, or behind another's tab."""
    window = dock.window()
    return dock.isVisible() and _holds(dock, window.childAt(dock.mapTo(window, dock.rect().center())))


def _first(part: QWidget) -> QWidget | None:
    """What Tab would reach first in a part; the part itself where it takes the focus.

    Asked of the part's children: for PySide ``nextInFocusChain()`` gives the next widget, which may be the menu bar, to
    this one as a child, and counts it as deleted with this one.
    """
    if part.focusPolicy() & Qt.FocusPolicy.TabFocus:
        return part
    found = (child for child in part.findChildren(QWidget) if child.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return next((child for child in found if child.isVisible() and child.isEnabled()), None)
