"""Getting about: wheel, touchpad, pinch and keys; what glides, and what does so only where motion is on."""

from __future__ import annotations

import pytest
from app.canvas.test_view import wheel
from PySide6.QtCore import QPoint, QPointF, QSizeF, Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QGesture, QGestureEvent, QPinchGesture

from chalkgrad_app import settings
from chalkgrad_app.canvas.viewport import LEAST, MOST, Viewport


def test_the_wheel_glides_and_the_point_under_the_pointer_never_leaves_it(canvas, qtbot):
    at = QPointF(canvas.node_rect("a").center())
    before = canvas.to_scene(at)
    drift = []
    canvas.viewed.connect(lambda: drift.append((canvas.to_scene(at) - before).manhattanLength()))
    wheel(canvas, at, QPoint(0, 240))
    assert canvas.glide.is_active
    qtbot.waitUntil(lambda: not canvas.glide.is_active)
    assert canvas.zoom_percent == pytest.approx(144)
    assert len(drift) > 1
    assert max(drift) < 2.5


def test_turning_on_while_it_glides_adds_up(canvas):
    at = QPointF(300, 200)
    for _ in range(3):
        wheel(canvas, at, QPoint(0, 120))
    canvas.glide.finish()
    assert canvas.zoom_percent == pytest.approx(100 * 1.2**3)


def test_without_motion_it_is_there_at_once(canvas):
    settings.MOTION.set(False)
    wheel(canvas, QPointF(300, 200), QPoint(0, 120))
    assert not canvas.glide.is_active
    assert canvas.zoom_percent == pytest.approx(120)
    canvas.fit_all(glide=True)
    assert not canvas.glide.is_active


def test_a_pan_takes_over_from_a_glide(canvas):
    wheel(canvas, QPointF(300, 200), QPoint(0, 1200))
    zoom = canvas.zoom_percent
    QTest.mousePress(canvas, Qt.MouseButton.MiddleButton, pos=QPoint(500, 500))
    QTest.mouseMove(canvas, QPoint(520, 500))
    QTest.mouseRelease(canvas, Qt.MouseButton.MiddleButton, pos=QPoint(520, 500))
    assert not canvas.glide.is_active
    assert canvas.zoom_percent == zoom


def test_the_wheel_pans_where_that_was_chosen(canvas):
    settings.WHEEL_PANS.set(True)
    before = canvas.node_rect("w").topLeft()
    wheel(canvas, QPointF(300, 200), QPoint(0, -120))
    moved = canvas.node_rect("w").topLeft() - before
    assert moved.y() < -40
    assert moved.x() == 0
    assert canvas.zoom_percent == 100
    wheel(canvas, QPointF(300, 200), QPoint(0, 120), keys=Qt.KeyboardModifier.ControlModifier)
    canvas.glide.finish()
    assert canvas.zoom_percent == pytest.approx(120)


def test_shift_and_the_wheel_go_sideways(canvas):
    before = canvas.node_rect("w").topLeft()
    wheel(canvas, QPointF(300, 200), QPoint(0, -120), keys=Qt.KeyboardModifier.ShiftModifier)
    moved = canvas.node_rect("w").topLeft() - before
    assert moved.x() < -40
    assert moved.y() == 0


def test_a_tilted_wheel_goes_sideways_and_zooms_nothing(canvas):
    before = canvas.node_rect("w").topLeft()
    wheel(canvas, QPointF(300, 200), QPoint(120, 0))
    canvas.glide.finish()
    moved = canvas.node_rect("w").topLeft() - before
    assert moved.x() > 40
    assert moved.y() == 0
    assert canvas.zoom_percent == 100


class Pinch(QPinchGesture):
    """A pinch as a touchscreen tells it: from one centre to another, ``factor`` times as wide."""

    def __init__(self, parent, centre: QPointF, before: QPointF, factor: float) -> None:
        super().__init__(parent)
        self.setCenterPoint(centre)
        self.setLastCenterPoint(before)
        self.setScaleFactor(factor)

    def gestureType(self) -> Qt.GestureType:
        return Qt.GestureType.PinchGesture


def test_two_fingers_on_a_screen_zoom_and_pan(canvas):
    at = QPointF(300, 200)
    to = at + QPointF(40, 10)
    under = canvas.to_scene(at)
    pinch = Pinch(canvas, canvas.mapToGlobal(to), canvas.mapToGlobal(at), 1.25)
    gestures: list[QGesture] = [pinch]
    if not isinstance(QGestureEvent(gestures).gesture(Qt.GestureType.PinchGesture), QPinchGesture):
        pytest.skip("PySide6 does not hand a gesture made in Python through a QGestureEvent")
    QApplication.sendEvent(canvas, QGestureEvent(gestures))
    assert canvas.zoom_percent == pytest.approx(125)
    assert (canvas.to_scene(to) - under).manhattanLength() < 2


def test_zoom_has_limits(canvas):
    canvas.set_zoom_percent(1e9)
    assert canvas.zoom_percent == MOST * 100
    canvas.set_zoom_percent(1e-9)
    assert canvas.zoom_percent == pytest.approx(LEAST * 100)


def test_everything_that_shows_another_part_says_so(canvas):
    seen = QSignalSpy(canvas.viewed)
    canvas.pan_by(10, 0)
    canvas.set_zoom_percent(50)
    canvas.fit_all()
    assert seen.count() >= 3


def test_what_two_views_show_in_one_place_stays_there_between_them():
    start, fixed = Viewport(), QPointF(123, 45)
    end = start.copied()
    end.zoom_at(fixed, 4.0)
    under, between = start.to_scene(fixed), start.copied()
    for part in (0.1, 0.5, 0.9):
        between.between(start, end, part)
        assert (between.to_scene(fixed) - under).manhattanLength() < 2
    between.between(start, end, 1.0)
    assert between.scene_rect(QSizeF(100, 100)) == end.scene_rect(QSizeF(100, 100))
