"""Getting about on the canvas: zoom and pan by mouse, touchpad and keys; every other event is handed on."""

from __future__ import annotations

import sys
from typing import Protocol

from PySide6.QtCore import QEvent, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QNativeGestureEvent, QPointingDevice, QWheelEvent
from PySide6.QtWidgets import QGestureEvent, QPinchGesture, QWidget

from chalkgrad_app import settings
from chalkgrad_app.canvas.glide import Glide
from chalkgrad_app.canvas.viewport import Viewport

WHEEL_STEP = 1.2
"""How much larger one notch of the wheel makes things."""
KEY_STEP = 48.0
NOTCH = 96.0
"""Pixels that a notch of the wheel pans by."""


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

    def key_release(self, event: QKeyEvent) -> bool:
        """A key was let go."""

    def takes_keys(self) -> bool:
        """True while keys are meant for what goes on, not for the actions that have them as shortcuts."""


class Navigation(QWidget):
    """A widget with a viewport. ``gestures`` gets the events that are neither zoom nor pan."""

    zoomed = Signal(float)  # the zoom in per cent
    viewed = Signal()  # another part of the canvas is in view

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.gestures: Handler | None = None
        if sys.platform != "darwin":  # there a pinch comes as a native gesture, and would come twice
            self.grabGesture(Qt.GestureType.PinchGesture)
        self.viewport = Viewport()
        self.glide = Glide(self, self)
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

    def set_zoom_percent(self, percent: float, glide: bool = False) -> None:
        """Zoom; the middle of the canvas stays where it is."""
        self.zoom_at(QPointF(self.rect().center()), percent / 100 / self.glide.target.zoom, glide)

    def zoom_at(self, point: QPointF, factor: float, glide: bool = False) -> None:
        """Zoom by ``factor``; what lies under ``point`` of the widget stays there."""
        target = self.viewport.copied()
        target.zoom_at(point, self.glide.target.zoom * factor)
        self.go_to(target, glide)

    def zoom_in(self) -> None:
        """One step larger."""
        self.zoom_at(self.fixed_point(), WHEEL_STEP, glide=True)

    def zoom_out(self) -> None:
        """One step smaller."""
        self.zoom_at(self.fixed_point(), 1 / WHEEL_STEP, glide=True)

    def fixed_point(self) -> QPointF:
        """The point of the widget that stays where it is when keys or a menu zoom."""
        return QPointF(self.rect().center())

    def zoom_100(self, glide: bool = False) -> None:
        """Show cards at their own size."""
        self.set_zoom_percent(100, glide)

    def go_to(self, target: Viewport, glide: bool = True) -> None:
        """Show what another viewport shows."""
        self.glide.to(target, glide)

    def pan_by(self, dx: float, dy: float) -> None:
        """Move what is seen by pixels of the widget."""
        self.glide.stop()
        self._view_panned(*self.viewport.pan(dx, dy))

    def show_moved(self, dx: float, dy: float, glide: bool = False) -> None:
        """Move what is seen by pixels of the widget, smoothly with ``glide``."""
        if not glide:
            self.glide.finish()
            self.pan_by(dx, dy)
            return
        target = self.glide.target.copied()
        target.pan(dx, dy)
        self.go_to(target)

    def view_changed(self) -> None:
        """The viewport shows something else now."""
        self._view_zoomed()

    # ------------------------------------------------------------ Qt events

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel zooms to the pointer, or pans where that was chosen; two fingers pan. With Ctrl both zoom.

        A wheel that is tilted pans sideways.
        """
        event.accept()
        ctrl = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        notches = (event.angleDelta().y() or event.angleDelta().x()) / 120
        tilted = abs(event.angleDelta().x()) > abs(event.angleDelta().y())
        if _is_touchpad(event) and not ctrl:
            delta = event.pixelDelta() if not event.pixelDelta().isNull() else event.angleDelta() / 2
            self.pan_by(delta.x(), delta.y())
        elif shift:
            self.pan_by(notches * NOTCH, 0)
        elif (tilted or settings.WHEEL_PANS.get()) and not ctrl:
            self.pan_by(event.angleDelta().x() / 120 * NOTCH, event.angleDelta().y() / 120 * NOTCH)
        elif notches:
            self.zoom_at(event.position(), WHEEL_STEP**notches, glide=not _is_touchpad(event))

    def event(self, event: QEvent) -> bool:
        """A pinch zooms to the fingers, on a touchpad and on a touchscreen, where it pans as well."""
        pinch = Qt.NativeGestureType.ZoomNativeGesture
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == pinch:
            self.zoom_at(event.position(), 1.0 + event.value())
            return True
        if isinstance(event, QGestureEvent):
            return self._pinch(event)
        is_key = isinstance(event, QKeyEvent)  # asked first: to ask each of very many events for its type takes longer
        if is_key and event.type() == QEvent.Type.ShortcutOverride and self._keys_are_taken():
            event.accept()
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
        if event.key() == Qt.Key.Key_Space and not event.modifiers() and not self._keys_are_taken():
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
        elif self.gestures is None or not self.gestures.key_release(event):
            super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The hand goes with the focus."""
        self._space = False
        super().focusOutEvent(event)

    # ------------------------------------------------------------ inside

    def _keys_are_taken(self) -> bool:
        return self.gestures is not None and self.gestures.takes_keys()

    def _pinch(self, event: QGestureEvent) -> bool:
        """Two fingers on a touchscreen: what is between them stays between them."""
        pinch = event.gesture(Qt.GestureType.PinchGesture)
        if not isinstance(pinch, QPinchGesture):
            return False
        event.accept()
        way = pinch.centerPoint() - pinch.lastCenterPoint()
        if pinch.state() != Qt.GestureState.GestureStarted:
            self.pan_by(way.x(), way.y())
        self.zoom_at(self.mapFromGlobal(pinch.centerPoint()), pinch.scaleFactor())
        return True

    def _view_zoomed(self) -> None:
        """The zoom has changed."""
        self.zoomed.emit(self.zoom_percent)
        self.viewed.emit()
        self.update()

    def _view_panned(self, _dx: int, _dy: int) -> None:
        """What is seen has moved by so many device pixels."""
        self.viewed.emit()
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
