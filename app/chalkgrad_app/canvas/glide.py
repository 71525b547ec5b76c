"""Going to another view smoothly: what is seen glides there, unless motion is switched off."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation

from chalkgrad_app import settings
from chalkgrad_app.canvas.viewport import Viewport

GLIDE_MS = 120


class Gliding(Protocol):
    """What a glide moves."""

    viewport: Viewport

    def isVisible(self) -> bool:
        """True where somebody could see it move."""

    def view_changed(self) -> None:
        """The viewport shows something else now."""


class Glide(QObject):
    """Brings a viewport from where it is to where it shall be; a later glide takes over from an earlier one."""

    def __init__(self, widget: Gliding, parent: QObject) -> None:
        super().__init__(parent)
        self._widget = widget
        self._start = self._end = widget.viewport
        self._clock = QVariantAnimation(self)
        self._clock.setDuration(GLIDE_MS)
        self._clock.setStartValue(0.0)
        self._clock.setEndValue(1.0)
        self._clock.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._clock.valueChanged.connect(self._on_step)

    @property
    def is_active(self) -> bool:
        """True while the view moves."""
        return self._clock.state() == QVariantAnimation.State.Running

    @property
    def target(self) -> Viewport:
        """The view that will be there when nothing moves any more."""
        return self._end if self.is_active else self._widget.viewport

    def to(self, target: Viewport, smoothly: bool = True) -> None:
        """Show what ``target`` shows: smoothly where motion is on, else at once."""
        self._clock.stop()
        self._start, self._end = self._widget.viewport.copied(), target
        if smoothly and settings.MOTION.get() and self._widget.isVisible():
            self._clock.start()
        else:
            self._on_step(1.0)

    def finish(self) -> None:
        """Be there now."""
        if self.is_active:
            self._clock.stop()
            self._on_step(1.0)

    def stop(self) -> None:
        """Stay where the view is now: somebody else moves it."""
        self._clock.stop()

    def _on_step(self, part: float) -> None:
        self._widget.viewport.between(self._start, self._end, part)
        self._widget.view_changed()
