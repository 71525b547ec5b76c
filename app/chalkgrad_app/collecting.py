"""Python's garbage collector, kept from holding up the window.

Left to itself it walks through all that is young at once, and a run leaves a hundred thousand objects behind: a tenth
of a second in the middle of an edit, for nothing, because a trace is referred to by nothing of its own and goes with
its last holder. So it is switched off. What is made between two looks is looked through in a pause if it is little, and
set aside; circles among what was set aside are looked for when nobody sees the window.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

PAUSE_MS = 2000
"""How often what is young is looked at."""

MOST = 20_000
"""So many objects are looked through at once, for some ten milliseconds. More of them are a trace."""

AWAY_MS = 60_000
"""How long ago everything was looked through, at least, when that is done again."""


class Collector(QObject):
    """Collects garbage from when it has begun until it has ended."""

    def __init__(self, app: QGuiApplication) -> None:
        super().__init__(app)
        self._app = app
        self._since = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.VeryCoarseTimer)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self.look)

    def begin(self) -> None:
        """From now on; what was loaded at the start is set aside."""
        gc.disable()
        gc.freeze()
        self._since.start()
        self._timer.start()
        self._app.applicationStateChanged.connect(self._on_state)

    def end(self) -> None:
        """Leave the collector to itself again."""
        self._app.applicationStateChanged.disconnect(self._on_state)
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    def look(self) -> None:
        """Look through what is young, if it is little, and set aside what is left."""
        if len(gc.get_objects(generation=0)) <= MOST:  # what the collector counts leaves out what came for what went
            gc.collect(0)
        gc.freeze()

    def look_at_all(self) -> None:
        """Look through everything."""
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._since.start()

    def _on_state(self, state: Qt.ApplicationState) -> None:
        if state != Qt.ApplicationState.ApplicationActive and self._since.hasExpired(AWAY_MS):
            self.look_at_all()
