"""The icon of each operator, as the palette and quick-add show it; painted once for a size and a colour."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap

from chalkgrad.engine.record import OPS
from chalkgrad_app.style.icons import has_icon, paint_icon

KEPT = 1024
"""So many pictures are kept."""


@lru_cache(KEPT)
def icon_name(name: str) -> str:
    """The drawing of an operator, or of a tensor, else that of its section."""
    if has_icon(name):
        return name
    record = OPS.get(name)
    section = f"section-{record.section.replace(' ', '-')}" if record is not None else ""
    return section if has_icon(section) else "operator"


def paint(painter: QPainter, rect: QRectF, name: str, ink: str) -> None:
    """Paint the icon of ``name`` into a square, in the colour ``ink``."""
    ratio = painter.device().devicePixelRatioF()
    painter.drawPixmap(rect.toRect().topLeft(), _picture(icon_name(name), round(rect.width()), ratio, ink))


@lru_cache(KEPT)
def _picture(icon: str, side: int, ratio: float, ink: str) -> QPixmap:
    picture = QPixmap(QSize(side, side) * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    try:
        paint_icon(painter, QRectF(0, 0, side, side), icon, ink)
    finally:
        painter.end()
    return picture
