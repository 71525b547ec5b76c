"""Getting about on the canvas: zoom and pan by mouse, touchpad and keys; every other event is handed on."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QEvent, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QNativeGestureEvent, QPointingDevice, QWheelEvent
from PySide6.QtWidgets import QWidget

from chalkgrad_app.canvas.viewport import Viewport

WHEEL_STEP = 1.2
"""How much larger one notch of the wheel makes things."""
KEY_STEP = 48.0


class Handler(Protocol):
    """Who gets the events that are neither zoom nor pan. Each returns True for an event it has taken."""

    def mouse_press(self, event: QMouseEvent) -> bool:
        """A button was pressed."""

    def mouse_move(self, event: QMouseEvent) -> bool:
        """The mouse moved with a button held."""

    def mouse_release(self, event: QMouseEvent) -> bool:
        """A button was released."""

    def double_click(self, event: QMouseEvent) -> bool:
        """A double click."""

    def hover(self, event: QMouseEvent) -> None:
        """The mouse moved with no button held."""

    def key_press(self, event: QKeyEvent) -> bool:
        """A key was pressed."""


class Navigation(QWidget):
    """A widget with a viewport. ``gestures`` gets the events that are neither zoom nor pan."""

    zoomed = Signal(float)  # the zoom in per cent

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.gestures: Handler | None = None
        self.viewport = Viewport()
        self._panning: QPointF | None = None
        self._space = False

    # ------------------------------------------------------------ read

    @property
    def zoom_percent(self) -> float:
        """The zoom in per cent; 100 shows a card at its own size (times the text size)."""
        return self.viewport.zoom * 100

    @property
    def is_panning(self) -> bool:
        """True while the canvas is dragged."""
        return self._panning is not None

    def to_scene(self, point: QPointF) -> QPointF:
        """A point of the widget in canvas units."""
        return self.viewport.to_scene(QPointF(point))

    def to_view(self, point: QPointF) -> QPointF:
        """A point of the canvas on the widget."""
        return self.viewport.to_view(QPointF(point))

    def scene_rect(self) -> QRectF:
        """What is in view, in canvas units."""
        return self.viewport.scene_rect(QSizeF(self.size()))

    # ------------------------------------------------------------ change

    def set_zoom_percent(self, percent: float) -> None:
        """Zoom; the middle of the canvas stays where it is."""
        self.zoom_at(QPointF(self.rect().center()), percent / 100 / self.viewport.zoom)

    def zoom_at(self, point: QPointF, factor: float) -> None:
        """Zoom by ``factor``; what lies under ``point`` of the widget stays there."""
        self.viewport.zoom_at(point, self.viewport.zoom * factor)
        self._view_zoomed()

    def zoom_in(self) -> None:
        """One step larger."""
        self.zoom_at(QPointF(self.rect().center()), WHEEL_STEP)

    def zoom_out(self) -> None:
        """One step smaller."""
        self.zoom_at(QPointF(self.rect().center()), 1 / WHEEL_STEP)

    def zoom_100(self) -> None:
        """Show cards at their own size."""
        self.set_zoom_percent(100)

    def pan_by(self, dx: float, dy: float) -> None:
        """Move what is seen by pixels of the widget."""
        self._view_panned(*self.viewport.pan(dx, dy))

    # ------------------------------------------------------------ Qt events

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The mouse's wheel zooms to the pointer; two fingers pan, with Ctrl they zoom."""
        event.accept()
        ctrl = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if _is_touchpad(event) and not ctrl:
            delta = event.pixelDelta() if not event.pixelDelta().isNull() else event.angleDelta() / 2
            self.pan_by(delta.x(), delta.y())
            return
        notches = (event.angleDelta().y() or event.angleDelta().x()) / 120
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.pan_by(notches * KEY_STEP * 2, 0)
        elif notches:
            self.zoom_at(event.position(), WHEEL_STEP**notches)

    def event(self, event: QEvent) -> bool:
        """A pinch zooms to the fingers."""
        pinch = Qt.NativeGestureType.ZoomNativeGesture
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == pinch:
            self.zoom_at(event.position(), 1.0 + event.value())
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The middle button, and Space with the left one, begin a pan."""
        middle = event.button() == Qt.MouseButton.MiddleButton
        if middle or (self._space and event.button() == Qt.MouseButton.LeftButton):
            self._panning = event.position()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif self.gestures is None or not self.gestures.mouse_press(event):
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with the pan, or hand on."""
        if self._panning is not None:
            way = event.position() - self._panning
            self._panning = event.position()
            self.pan_by(way.x(), way.y())
        elif self.gestures is not None:
            if event.buttons() == Qt.MouseButton.NoButton:
                self.gestures.hover(event)
            else:
                self.gestures.mouse_move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the pan, or hand on."""
        if self._panning is not None:
            self._panning = None
            self._show_hand()
        elif self.gestures is None or not self.gestures.mouse_release(event):
            super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Hand on; for the pan a double click is another press."""
        if self._space or event.button() == Qt.MouseButton.MiddleButton:
            self.mousePressEvent(event)
        elif self.gestures is None or not self.gestures.double_click(event):
            super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space turns the pointer into a hand; other keys are handed on; arrows that nobody takes scroll."""
        if event.key() == Qt.Key.Key_Space and not event.modifiers():
            self._space = True
            if not event.isAutoRepeat():
                self._show_hand()
            return
        if self.gestures is not None and self.gestures.key_press(event):
            return
        step = _SCROLL_KEYS.get(Qt.Key(event.key()))
        if step is not None:
            self.pan_by(step[0] * KEY_STEP, step[1] * KEY_STEP)
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """The hand goes with Space."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = False
            self._show_hand()
        else:
            super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The hand goes with the focus."""
        self._space = False
        super().focusOutEvent(event)

    # ------------------------------------------------------------ inside

    def _view_zoomed(self) -> None:
        """The zoom has changed."""
        self.zoomed.emit(self.zoom_percent)
        self.update()

    def _view_panned(self, _dx: int, _dy: int) -> None:
        """What is seen has moved by so many device pixels."""
        self.update()

    def _show_hand(self) -> None:
        if self._space:
            self.setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self.unsetCursor()


_SCROLL_KEYS = {
    Qt.Key.Key_Left: (1, 0),
    Qt.Key.Key_Right: (-1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}


def _is_touchpad(event: QWheelEvent) -> bool:
    """True for two fingers on a touchpad, as far as the system tells."""
    device = event.pointingDevice()
    if device is not None and device.type() == QPointingDevice.DeviceType.TouchPad:
        return True
    return event.phase() != Qt.ScrollPhase.NoScrollPhase
