"""Playing through the events of a trace, and going to the next one of a kind."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from chalkgrad.session.events import EventKind
from chalkgrad_app import settings
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import QT_TRANSLATE_NOOP, translate

FOUND: dict[str, frozenset[EventKind]] = {
    "error": frozenset({EventKind.FAILED}),
    "accumulation": frozenset({EventKind.ACCUMULATED, EventKind.RETAINED}),
    "release": frozenset({EventKind.FREED}),
}
NONE_LEFT = {
    "error": QT_TRANSLATE_NOOP("Playing", "There is no further error that way"),
    "accumulation": QT_TRANSLATE_NOOP("Playing", "No further gradient arrives that way"),
    "release": QT_TRANSLATE_NOOP("Playing", "Nothing further is freed that way"),
}


class Playing(QObject):
    """Moves the cursor of one document: event by event, by itself at a chosen speed, or to what is looked for."""

    changed = Signal()  # it began or stopped to play, or has another speed
    entered = Signal(int)  # a step led into this line

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._on_timer)
        document.changed.connect(self.pause)

    @property
    def is_playing(self) -> bool:
        """True while it goes on by itself."""
        return self._timer.isActive()

    @property
    def speed(self) -> int:
        """Events in a hundred seconds."""
        return settings.SPEED.get()

    def set_speed(self, speed: int) -> None:
        """Play at another speed, now and the next time."""
        settings.SPEED.set(speed)
        self._timer.setInterval(self._interval())
        self.changed.emit()

    def toggle(self) -> None:
        """Play on from the cursor, or stop; at the end from the beginning."""
        if self.is_playing:
            self.pause()
        elif len(self._document.session.trace):
            if not self._document.is_past:
                self._document.look_at(1)
            self._timer.start(self._interval())
            self.changed.emit()

    def pause(self, *_: object) -> None:
        """Stop where it is."""
        if self.is_playing:
            self._timer.stop()
            self.changed.emit()

    def step(self, by: int) -> None:
        """Go one event on (+1) or back (-1), into the line where there are some."""
        self._document.step_event(by)
        line = self._document.cursor_line
        if line is not None and self._document.is_inside:
            self.entered.emit(line)

    def find_next(self, what: str) -> None:
        """Go to the next error, accumulation or release."""
        self._find(what, 1)

    def find_previous(self, what: str) -> None:
        """Go to the previous error, accumulation or release."""
        self._find(what, -1)

    def _find(self, what: str, by: int) -> None:
        document = self._document
        found = document.session.trace.find(FOUND[what], document.position, by)
        if found is None:
            document.told.emit(translate("Playing", NONE_LEFT[what]))
            return
        document.look_at(found)
        if document.cursor_line is not None:
            self.entered.emit(document.cursor_line)

    def _interval(self) -> int:
        return 100_000 // self.speed

    def _on_timer(self) -> None:
        self.step(1)
        if not self._document.is_past:
            self.pause()
