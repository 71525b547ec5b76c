"""Sections of the palette: a title that folds and counts the tiles, and the tiles, made when they are first seen."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from chalkgrad_app.panels.tiles import COLUMNS, HEIGHT, Tile, face, span
from chalkgrad_app.style import theme
from chalkgrad_app.style.fonts import ui_font
from chalkgrad_app.widgets.code_font import SMALL, scaled

TITLE_HEIGHT, CHEVRON, GAP = 28, 8, 4
"""Height of a title, size of its chevron, room between tiles; in pixels at 100% text size."""


class SectionTitle(QAbstractButton):
    """The name of a section, with a chevron before it and the number of its tiles after it."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.count = 0
        self.setObjectName(f"palette.section.{name.replace(' ', '-')}")
        self.setCheckable(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.is_open = False

    def sizeHint(self) -> QSize:
        """A row of its own."""
        return QSize(scaled(80), scaled(TITLE_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """The palette gives the width."""
        return QSize(scaled(40), scaled(TITLE_HEIGHT))

    def paintEvent(self, _event: object) -> None:
        """Chevron, name, number."""
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            look, rect = theme.current(), QRectF(self.rect())
            if self.underMouse():
                painter.fillRect(rect, look.color("hover"))
            if self.hasFocus():
                painter.setPen(QPen(look.color("focus"), scaled(2)))
                painter.drawRect(rect.adjusted(1, 1, -1, -1))
            self._paint_chevron(painter, rect)
            painter.setPen(look.color("text"))
            painter.setFont(ui_font(scaled(theme.BASE_PIXELS), True))
            words = rect.adjusted(scaled(CHEVRON + 10), 0, -scaled(4), 0)
            count, small = str(self.count), ui_font(scaled(theme.BASE_PIXELS * SMALL))
            name_width = painter.fontMetrics().horizontalAdvance(self.text())
            both = name_width + scaled(GAP) + QFontMetricsF(small).horizontalAdvance(count)
            text = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, int(words.width()))
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
            if both > words.width():
                return  # the name says more than the number
            painter.setPen(look.color("placeholder"))
            painter.setFont(small)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, count)
        finally:
            painter.end()

    def _paint_chevron(self, painter: QPainter, rect: QRectF) -> None:
        """Points down over open tiles, to the right where they are folded."""
        painter.save()
        painter.translate(scaled(2) + scaled(CHEVRON) / 2, rect.center().y())
        painter.rotate(90 if self.is_open else 0)
        half = scaled(CHEVRON) / 2
        pen = QPen(theme.current().color("placeholder"), max(1.5, scaled(1.5)))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF.fromList(_corners(half)))
        painter.restore()


class TileGrid(QWidget):
    """Tiles in rows of four columns; one takes a quarter, a half or the whole of a row."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._tiles: list[Tile] = []
        self._rows = 0

    def show_tiles(self, tiles: list[Tile]) -> None:
        """Hold these tiles, in this order."""
        self._tiles = tiles
        self.place()

    def place(self) -> None:
        """Put every tile where it belongs at the width that there is."""
        gap, height = scaled(GAP), scaled(HEIGHT)
        pitch = (self.width() + gap) / COLUMNS
        widths: dict[int, int] = {}
        for tile in self._tiles:
            widths[tile.kind] = max(widths.get(tile.kind, 0), tile.columns(pitch, gap))
        row = column = 0
        for tile in self._tiles:
            width = widths[tile.kind]
            if column + width > COLUMNS:
                row, column = row + 1, 0
            left, right = round(column * pitch), round((column + width) * pitch) - gap
            tile.setGeometry(left, row * (height + gap), right - left, height)
            column += width
        rows = row + 1 if self._tiles else 0
        if rows != self._rows or self.height() != self.sizeHint().height():
            self._rows = rows
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """As high as its rows."""
        return QSize(scaled(120), self._rows * (scaled(HEIGHT) + scaled(GAP)))

    def minimumSizeHint(self) -> QSize:
        """Rows are never cut."""
        return QSize(scaled(80), self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the new width."""
        super().resizeEvent(event)
        self.place()


class Section(QWidget):
    """A title that folds, and under it the tiles in columns of one width."""

    chosen = Signal(str)
    used = Signal(str)

    def __init__(self, name: str, operators: Sequence[str], is_open: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self.name = name
        self.operators: tuple[str, ...] = ()
        self._tiles: dict[str, Tile] = {}
        self._found: Collection[str] | None = None
        self.title = SectionTitle(name, self)
        self.title.setChecked(is_open)
        self.title.toggled.connect(self._show_tiles)
        self.body = TileGrid(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.title)
        column.addWidget(self.body)
        self.offer(operators)

    @property
    def tiles(self) -> list[Tile]:
        """The tiles on the page, in its order."""
        return [self._tiles[name] for name in self._on_page()] if self.title.is_open else []

    def offer(self, operators: Sequence[str]) -> None:
        """Hold these operators; those that say least come first, so that rows are full."""
        self.operators = tuple(sorted(operators, key=_width))
        self.title.count = len(self.operators)
        for name in [name for name in self._tiles if name not in self.operators]:
            self._tiles.pop(name).deleteLater()
        self._show_tiles()

    def filter(self, names: Collection[str] | None) -> None:
        """Show the tiles called ``names``, or all of them, folded as they were."""
        self._found = names
        self._show_tiles()

    def restyle(self) -> None:
        """Fonts and room of the text size in use."""
        self.title.updateGeometry()
        for tile in self._tiles.values():
            tile.restyle()
        self.body.place()

    def retranslate(self, title: str) -> None:
        """Set the texts in the language in use."""
        self.title.setText(title)
        self.title.setAccessibleName(f"{title} ({self.title.count})")
        for tile in self._tiles.values():
            tile.retranslate()

    # ------------------------------------------------------------ inside

    def _on_page(self) -> list[str]:
        return [name for name in self.operators if self._found is None or name in self._found]

    def _show_tiles(self, *_: object) -> None:
        names = self._on_page()
        is_open = self._found is not None or self.title.isChecked()
        self.setVisible(bool(names))
        self.title.is_open = is_open
        self.title.update()
        if is_open:
            self.body.show_tiles([self._tile(name) for name in names])
        for name, tile in self._tiles.items():
            tile.setVisible(name in names)
        self.body.setVisible(is_open)

    def _tile(self, name: str) -> Tile:
        if name not in self._tiles:
            tile = self._tiles[name] = Tile(name, self.body)
            tile.chosen.connect(self.chosen)
            tile.used.connect(self.used)
        return self._tiles[name]


def _width(name: str) -> int:
    return span(face(name))


def _corners(half: float) -> list[QPointF]:
    return [QPointF(-half / 2, -half), QPointF(half / 2, 0), QPointF(-half / 2, half)]
