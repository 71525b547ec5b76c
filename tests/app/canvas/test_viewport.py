"""The viewport: fitting keeps its bounds, and everything lies on whole device pixels."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QRectF, QSizeF

from chalkgrad_app.canvas.viewport import Viewport
from chalkgrad_app.picture.look import MIDDLE, NEAR, Level


def test_the_viewport_keeps_to_device_pixels() -> None:
    viewport = Viewport()
    viewport.dpr, viewport.zoom = 1.5, 1.1
    for _ in range(50):
        viewport.pan(0.37, -0.21)
        left, top = viewport.origin
        assert left * viewport.scale * 1.5 == pytest.approx(round(left * viewport.scale * 1.5))
        assert top * viewport.scale * 1.5 == pytest.approx(round(top * viewport.scale * 1.5))
    point = QPointF(12.5, -7.25)
    assert (viewport.to_scene(viewport.to_view(point)) - point).manhattanLength() < 1e-9


@pytest.mark.parametrize("text_scale", [1.0, 1.25, 1.5, 2.0, 3.0])
@pytest.mark.parametrize(("level", "bound"), [(Level.NEAR, NEAR), (Level.MIDDLE, MIDDLE)])
def test_fit_leaves_less_around_the_cards_where_they_say_more_so(text_scale, level, bound) -> None:
    viewport, size = Viewport(), QSizeF(800, 500)
    viewport.text_scale = text_scale
    viewport.fit(QRectF(0, 0, 770 / bound / text_scale, 100), size)
    assert viewport.level is level
    assert viewport.rect_to_view(QRectF(0, 0, 770 / bound / text_scale, 100)).left() == pytest.approx(15, abs=0.6)
    viewport.fit(QRectF(0, 0, 780 / bound / text_scale, 100), size)
    assert viewport.level is not level, "no room is left at all"
    assert viewport.rect_to_view(QRectF(0, 0, 780 / bound / text_scale, 100)).left() == pytest.approx(32, abs=0.6)
