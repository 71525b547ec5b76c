"""Something that takes long, worked out for a part of the window while that is seen."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from chalkgrad.stepwise import Work
from chalkgrad_app.running_sheet import SLICE_MS


class SlicedWork(QObject):
    """Goes on with a :class:`Work` in each turn of the event loop; nothing is worked out that nobody sees."""

    found = Signal(object)  # the result

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._work: Work[Any] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._work_on)
        widget.installEventFilter(self)

    @property
    def is_working(self) -> bool:
        """True until there is a result."""
        return self._work is not None

    def begin(self, work: Work[Any]) -> None:
        """Work this out instead of what went before."""
        self._work = work
        if self._widget.isVisible():
            self._timer.start()

    @Slot()
    def stop(self) -> None:
        """Give it up."""
        self._work = None
        self._timer.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Wait while the widget is hidden."""
        if event.type() == QEvent.Type.Hide:
            self._timer.stop()
        elif event.type() == QEvent.Type.Show and self._work is not None:
            self._timer.start()
        return False

    @Slot()
    def _work_on(self) -> None:
        work = self._work
        if work is not None and work.advance(SLICE_MS):
            self.stop()
            self.found.emit(work.result)
