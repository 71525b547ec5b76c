"""The tiles of the palette: one for each thing that can be placed, to click or to drag."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QByteArray, QEvent, QMimeData, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QDrag, QFont, QFontMetricsF, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QApplication, QGridLayout, QSizePolicy, QToolButton, QToolTip, QVBoxLayout, QWidget

from chalkgrad_app.catalogue import MIME, TENSOR, TENSOR_GRAD
from chalkgrad_app.style import theme
from chalkgrad_app.style.fonts import ui_font
from chalkgrad_app.widgets.code_font import code_font, scaled
from chalkgrad_app.widgets.formula import formula_html

COLUMNS = 4
LONG = 3
"""A name with more characters takes two columns."""

LONGER = 11
"""A name with more characters takes a row of its own."""

ARROWS = {Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Down: (0, 1), Qt.Key.Key_Up: (0, -1)}
"""Which way an arrow key goes, across and down."""

TILE_EDGE = 4
"""Room left and right of a tile's text, in pixels at 100% text size."""

CARD = (112.0, 40.0)
"""Size of the card under the pointer while a tile is dragged, at 100% text size."""


class Tile(QToolButton):
    """One thing to drag or click: an operator's symbol or name, or a tensor."""

    chosen = Signal(str)

    def __init__(self, name: str, face: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.found = True
        self.formula = ""
        self._pressed_at: QPoint | None = None
        self.setObjectName(f"palette.{name}")
        self.setText(face.replace("&", "&&"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._choose)
        self.restyle()

    @property
    def span(self) -> int:
        """How many columns it takes."""
        count = len(self.text())
        return 1 if count <= LONG else 2 if count <= LONGER else COLUMNS

    @property
    def is_tensor(self) -> bool:
        """True for the two tensors."""
        return self.name in (TENSOR, TENSOR_GRAD)

    def restyle(self) -> None:
        """The font of the text size in use: code for signs, the narrower one of words for names."""
        pixels = theme.BASE_PIXELS * theme.text_size() / 100
        self.setFont(ui_font(pixels) if self.text()[:1].isalpha() else code_font())

    def sizeHint(self) -> QSize:
        """Tiles are equally high; the layout gives the width."""
        return QSize(scaled(30), scaled(24))

    def minimumSizeHint(self) -> QSize:
        """A tile may be as narrow as its column."""
        return QSize(scaled(20), self.sizeHint().height())

    def paintEvent(self, _event: object) -> None:
        """A small card: tensors in the colours that their cards have."""
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            lit = self.underMouse() or self.isDown()
            _paint(painter, QRectF(self.rect()), self, lit, self.hasFocus())
        finally:
            painter.end()

    def event(self, event: QEvent) -> bool:
        """A tooltip with the formula under its words, set only now: that takes a while."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self.formula:
            picture = formula_html(self.formula, theme.current().tooltip_text, scaled(16))
            QToolTip.showText(event.globalPos(), f"{self.toolTip()}<p>{picture}</p>", self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where a drag may begin."""
        self._pressed_at = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Begin a drag when the mouse went far enough."""
        super().mouseMoveEvent(event)
        if self._pressed_at is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        way = event.position().toPoint() - self._pressed_at
        if way.manhattanLength() >= QApplication.startDragDistance():
            self._pressed_at = None
            self.setDown(False)
            self.drag().exec(Qt.DropAction.CopyAction)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter chooses, as Space does; arrow keys are the panel's, where Qt would go along the focus chain."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose()
        elif event.key() in ARROWS:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def drag(self) -> QDrag:
        """The drag that carries this thing to the canvas, with its card under the pointer."""
        drag = QDrag(self)
        data = QMimeData()
        data.setData(MIME, QByteArray(self.name.encode()))
        drag.setMimeData(data)
        drag.setPixmap(self._card())
        drag.setHotSpot(QPoint(scaled(CARD[0]) // 2, scaled(CARD[1]) // 2))
        return drag

    def _card(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        size = QSize(scaled(CARD[0]), scaled(CARD[1]))
        card = QPixmap(size * ratio)
        card.setDevicePixelRatio(ratio)
        card.fill(Qt.GlobalColor.transparent)
        painter = QPainter(card)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(self.font())
            _paint(painter, QRectF(QPointF(0, 0), size.toSizeF()), self, True, False)
        finally:
            painter.end()
        return card

    def _choose(self) -> None:
        self.chosen.emit(self.name)


class Section(QWidget):
    """A title that folds, and the tiles of one section."""

    def __init__(self, name: str, tiles: list[Tile], is_open: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.tiles = tiles
        self.title = QToolButton(self)
        self.title.setObjectName(f"palette.section.{name.replace(' ', '-')}")
        self.title.setCheckable(True)
        self.title.setChecked(is_open)
        self.title.setAutoRaise(True)
        self.title.setStyleSheet("QToolButton { border: none; background: none; padding: 0; }")
        self.title.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.title.toggled.connect(self._show_tiles)
        self.body = QWidget(self)
        self._grid = QGridLayout(self.body)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(scaled(3))
        for index in range(COLUMNS):
            self._grid.setColumnStretch(index, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.title, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.body)
        self._wanted = False
        self._place(tiles)
        self._show_tiles()

    def filter(self, names: Collection[str] | None) -> None:
        """Show the tiles called ``names``, or all of them, folded as they were."""
        before = [tile for tile in self.tiles if tile.found]
        for tile in self.tiles:
            tile.found = names is None or tile.name in names
        found = [tile for tile in self.tiles if tile.found]
        self._wanted = names is not None
        if found != before:
            self._place(found)
            for tile in self.tiles:
                tile.setVisible(tile.found)
        self.setVisible(bool(found))
        self._show_tiles()

    def restyle(self) -> None:
        """Fonts and room of the text size in use."""
        self.title.setFont(ui_font(theme.BASE_PIXELS * theme.text_size() / 100, True))
        self.title.setIconSize(QSize(scaled(10), scaled(10)))
        self._grid.setSpacing(scaled(3))
        for tile in self.tiles:
            tile.restyle()

    def _place(self, tiles: list[Tile]) -> None:
        """Lay the tiles out in columns; a long name takes two."""
        while self._grid.count():
            self._grid.takeAt(0)
        row = column = 0
        for tile in tiles:
            if column + tile.span > COLUMNS:
                row, column = row + 1, 0
            self._grid.addWidget(tile, row, column, 1, tile.span)
            column += tile.span

    def _show_tiles(self, *_: object) -> None:
        is_open = self._wanted or self.title.isChecked()
        self.body.setVisible(is_open)
        self.title.setArrowType(Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow)


def _paint(painter: QPainter, rect: QRectF, tile: Tile, lit: bool, focused: bool) -> None:
    """A tile as a small card."""
    look = theme.current()
    role = {TENSOR: "leaf", TENSOR_GRAD: "leaf_grad"}.get(tile.name)
    edge = look.color(f"{role}_edge" if role else "border")
    ground = look.color(role or ("base" if lit else "card"))
    thick = scaled(3) if tile.name == TENSOR_GRAD else 1
    radius = 0 if role else scaled(4)
    pen = QPen(look.color("focus") if focused else look.color("highlight") if lit and not role else edge)
    pen.setWidthF(max(thick, scaled(2)) if focused else thick)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    painter.setBrush(ground)
    inset = pen.widthF() / 2
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), radius, radius)
    painter.setPen(look.color(f"{role}_text" if role else "text"))
    face = tile.text().replace("&&", "&")
    painter.setFont(fitting(tile.font(), face, rect.width() - scaled(2 * TILE_EDGE)))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, face)


def fitting(font: QFont, text: str, room: float) -> QFont:
    """``font``, made smaller where ``text`` would be wider than ``room`` pixels."""
    width = QFontMetricsF(font).horizontalAdvance(text)
    if width <= room:
        return font
    smaller = QFont(font)
    smaller.setPixelSize(max(1, int(font.pixelSize() * room / width)))
    return smaller
