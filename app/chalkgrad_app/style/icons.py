"""Icons: drawn for the project, in the colour of the theme, crisp at any pixel ratio."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from chalkgrad_app import assets
from chalkgrad_app.style import theme as themes
from chalkgrad_app.style.fonts import ui_font
from chalkgrad_app.style.theme import Theme

_renderers: dict[tuple[str, str], QSvgRenderer] = {}


def icon(name: str, theme: Theme | None = None) -> QIcon:
    """The icon called ``name``. Without a ``theme`` it follows the one in use, also when that changes later.

    A name that has no drawing gives its first letter.
    """
    return QIcon(_Engine(name, theme))


def has_icon(name: str) -> bool:
    """True when there is a drawing of that name."""
    return assets.has(f"icons/{name}.svg")


def paint_icon(painter: QPainter, square: QRectF, name: str, ink: str) -> None:
    """Paint the icon called ``name`` in a colour; the first letter where there is no drawing."""
    if has_icon(name):
        _renderer(name, ink).render(painter, square)
        return
    painter.setPen(QColor(ink))
    painter.setFont(ui_font(square.height() * 0.7, True))
    painter.drawText(square, Qt.AlignmentFlag.AlignCenter, name[:1].upper())


class _Engine(QIconEngine):
    """Paints an SVG with ``currentColor`` replaced, at whatever size is asked for."""

    def __init__(self, name: str, theme: Theme | None) -> None:
        super().__init__()
        self._name = name
        self._theme = theme

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, _state: QIcon.State) -> None:
        """Paint into ``rect``."""
        ink = self._ink(mode)
        side = min(rect.width(), rect.height())
        square = QRectF(0, 0, side, side)
        square.moveCenter(QRectF(rect).center())
        paint_icon(painter, square, self._name, ink)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """The icon on a transparent pixmap; nothing where there is no room for it, on a button squeezed to a line."""
        if size.isEmpty():
            return QPixmap()
        image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        try:
            self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        finally:
            painter.end()
        return QPixmap.fromImage(image)

    def clone(self) -> QIconEngine:
        """Another engine for the same icon."""
        return _Engine(self._name, self._theme)

    def _ink(self, mode: QIcon.Mode) -> str:
        theme = self._theme or themes.current()
        if mode is QIcon.Mode.Disabled:
            return theme.disabled
        return theme.highlight_text if mode is QIcon.Mode.Selected else theme.text


def _renderer(name: str, ink: str) -> QSvgRenderer:
    found = _renderers.get((name, ink))
    if found is None:
        drawing = assets.text(f"icons/{name}.svg").replace("currentColor", ink)
        found = _renderers[name, ink] = QSvgRenderer(QByteArray(drawing.encode()))
    return found
