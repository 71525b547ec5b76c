"""What all panels are: mirrors of a document that work only while they can be seen."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QSize, Qt, QTimer, SignalInstance
from PySide6.QtGui import QHideEvent, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QWidget

from chalkgrad_app.document import Document
from chalkgrad_app.pointing import PointedOut
from chalkgrad_app.widgets.code_font import RESTYLED
from chalkgrad_app.widgets.turns import turn

WHILE_RUNNING_MS = 250
"""How often a panel follows a program that still runs, or whose number somebody drags, in milliseconds."""

PATIENCE_MS = 250
"""For so long a panel lets others go first, in milliseconds; then it claims a turn, and in each goes one of those."""

LEAST = QSize(360, 96)
"""At any text size a panel can be made as small as this, in pixels, so that the window fits on a small screen."""


class Mirror(QWidget):
    """A panel that follows a document: once for all that happens in one turn of the event loop, never while hidden."""

    STANDARD_KEYS: tuple[QKeySequence.StandardKey, ...] = ()
    """Key combinations that belong to the panel while the focus is in it, though the window has actions for them."""

    KEYS: frozenset[Qt.Key] = frozenset()
    """Plain keys of the same kind."""

    _pointed = PointedOut()
    _is_made = False
    _is_styled = True
    _is_behind = False
    _has_claimed = False
    _dock: QDockWidget | None = None

    def __init__(self, document: Document, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"panel.{name}")
        self.document = document
        self.is_stale = True
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._on_time)
        self._waits = QElapsedTimer()

    def minimumSizeHint(self) -> QSize:
        """What lies in the panel needs no more than :data:`LEAST`."""
        return super().minimumSizeHint().boundedTo(LEAST)

    def begin(self, *signals: SignalInstance) -> None:
        """Follow from now on; called when all widgets are made. ``signals`` say that there is something to follow."""
        self._is_made = True
        for signal in (*signals, self.document.finished):
            signal.connect(self.schedule)
        self.retranslate()
        self.schedule()

    def follow(self) -> None:
        """Show the document as it is now."""
        raise NotImplementedError

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        raise NotImplementedError

    def restyle(self) -> None:
        """Follow a change of theme or text size, where a widget doesn't by itself."""

    def schedule(self, *_: object) -> None:
        """Follow the document when what happens now is over."""
        self.is_stale = True
        slowly = self.document.is_running or self.document.is_scrubbed
        wait = WHILE_RUNNING_MS if slowly else 0
        if self.isVisible() and (not self._later.isActive() or wait < self._later.remainingTime()):
            self._later.start(wait)

    def refresh(self) -> None:
        """Follow the document now, if the panel can be seen; else when it is."""
        if self.isVisible() and not self._is_behind:
            self.catch_up()

    def _on_time(self) -> None:
        """Follow the document, unless the canvas and other panels have held up this turn of the event loop enough."""
        if self.document.is_scrubbed and self.document.is_running:
            return  # what is half run is not shown for a moment, with fields that come and go: the end schedules again
        if turn().is_over():
            if not self._waits.isValid():
                self._waits.start()
            is_patient = not self._waits.hasExpired(PATIENCE_MS)
            if is_patient or not self._has_claimed or not turn().grants():
                self._has_claimed = not is_patient
                if self._has_claimed:
                    turn().claim()
                self._later.start(0)
                return
        self._waits.invalidate()
        self._has_claimed = False
        turn().begin()
        self.refresh()
        turn().use_up()

    def catch_up(self) -> None:
        """Follow the document now, seen or not, where something happened since the last time."""
        self._later.stop()
        if self.is_stale:
            self.is_stale = False
            if not self._is_styled:
                self._is_styled = True
                self.restyle()
            self.follow()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while it was hidden."""
        super().showEvent(event)
        self._watch_dock()
        self.catch_up()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing is pointed at by a panel that nobody sees."""
        super().hideEvent(event)
        self._point_till_seen()

    def point_out(self, what: PointedOut) -> None:
        """Point at something on the canvas, as long as the panel is seen; at nothing: no longer."""
        if what == PointedOut():
            self._point_no_longer()
        else:
            self._pointed = what
            self.document.point_out(what)

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of language, theme or text size."""
        if event.type() == QEvent.Type.LanguageChange and self._is_made:
            self.retranslate()
            self.schedule()
        elif event.type() in RESTYLED and self._is_made:
            self._is_styled = False  # the children come after their parent and would undo what is set now
            self.schedule()
        super().changeEvent(event)

    def event(self, event: QEvent) -> bool:
        """Claim the panel's own keys before the window's actions get them."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and self._is_own(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy or select everything, where these keys are the panel's own."""
        own = [key for key in self.STANDARD_KEYS if event.matches(key)]
        if QKeySequence.StandardKey.Copy in own:
            self.copy_shown()
        elif QKeySequence.StandardKey.SelectAll in own:
            self.select_all()
        else:
            super().keyPressEvent(event)

    def take_keys_of(self, widget: QWidget) -> None:
        """Let the panel's own keys come to the panel while the focus is in ``widget``."""
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the panel's own keys from a child that would use them otherwise."""
        kinds = (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride)
        if not isinstance(event, QKeyEvent) or event.type() not in kinds or not self._is_own(event):
            return super().eventFilter(watched, event)
        event.accept()
        if event.type() == QEvent.Type.KeyPress:
            self.keyPressEvent(event)
        return True

    def text(self) -> str:
        """All that is shown, as plain text; nothing where there is nothing to copy."""
        return ""

    def copied(self) -> str:
        """What is copied of it: where something is chosen in it, that."""
        return self.text()

    def select_all(self) -> None:
        """Select everything in it."""
        raise NotImplementedError

    def copy_shown(self) -> None:
        """Put it on the clipboard."""
        self.copy(self.copied())

    def copy(self, text: str) -> None:
        """Put a text on the clipboard."""
        QApplication.clipboard().setText(text)

    def _watch_dock(self) -> None:
        """Learn from the panel's dock when it comes before or behind another one: Qt calls both visible."""
        above = self.parentWidget()
        while above is not None and not isinstance(above, QDockWidget):
            above = above.parentWidget()
        if above is not None and above is not self._dock:
            self._dock = above
            above.visibilityChanged.connect(self._on_dock_seen)

    def _on_dock_seen(self, is_seen: bool) -> None:
        self._is_behind = not is_seen
        if not is_seen:
            self._point_till_seen()
        self.refresh()

    def _point_till_seen(self) -> None:
        """Take back what the panel points at; it follows anew, and points at it again, when it is seen."""
        self.is_stale |= self._pointed != PointedOut()
        self._point_no_longer()

    def _point_no_longer(self) -> None:
        """Take back what the panel points at, unless another points at something by now."""
        if self.document.pointed_out == self._pointed:
            self.document.point_out(PointedOut())
        self._pointed = PointedOut()

    def _is_own(self, event: QKeyEvent) -> bool:
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        return (plain and Qt.Key(event.key()) in self.KEYS) or any(event.matches(key) for key in self.STANDARD_KEYS)
