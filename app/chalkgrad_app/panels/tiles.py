"""The tiles of the palette: one for each thing that can be placed, to click or to drag."""

from __future__ import annotations

import html

from PySide6.QtCore import QByteArray, QMimeData, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QDrag,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QAbstractButton, QApplication, QSizePolicy, QWidget

from chalkgrad.engine.record import OPS, Record
from chalkgrad.program.arguments import caller
from chalkgrad.text import Text, render
from chalkgrad_app.catalogue import MIME, TENSOR, TENSOR_GRAD, is_rare, label, signature
from chalkgrad_app.i18n import QT_TRANSLATE_NOOP, language, translate
from chalkgrad_app.naming import as_title
from chalkgrad_app.style import operator_icons, theme
from chalkgrad_app.style.fonts import ui_font
from chalkgrad_app.widgets.code_font import code_font, scaled
from chalkgrad_app.widgets.formula import formula_html

COLUMNS = 4
LONG = 11
"""A sign takes a quarter of a row, a name half of one; a name with more characters takes a whole row."""

ICON, ICON_GAP = 14, 4
"""Side of the icon before a name, and the room between the two, in pixels at 100% text size."""

TENSORS = {
    TENSOR: ("tensor", "tensor", QT_TRANSLATE_NOOP("Tile", "A leaf that does not require grad")),
    TENSOR_GRAD: (
        "tensor ∇",
        "tensor, requires_grad=True",
        QT_TRANSLATE_NOOP("Tile", "A leaf that requires grad"),
    ),
}
"""What the tiles of the two tensors say, how a screen reader calls them, and their sentence."""

ARROWS = {Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Down: (0, 1), Qt.Key.Key_Up: (0, -1)}
"""Which way an arrow key goes, across and down."""

TILE_EDGE = 4
"""Room left and right of a tile's text, in pixels at 100% text size."""

SHRUNK = 0.8
"""A tile's text may be made so much smaller to fit its columns; in a narrower palette the tile takes more of them."""

HEIGHT = 26
"""Of every tile, in pixels at 100% text size."""

CARD, HEADER, PORT = (120.0, 52.0), 28.0, 3.5
"""The card under the pointer while a tile is dragged: its size, its header's height, its port's radius; at 100%."""


class Tile(QAbstractButton):
    """One thing to drag or click: an operator's symbol or name, or a tensor.

    It paints itself, so it is none of the buttons that the style sheet has many rules for: there are many tiles.
    """

    chosen = Signal(str)
    used = Signal(str)
    """Chosen, or dropped somewhere."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.words = self.formula = ""
        self._pressed_at: QPoint | None = None
        self.setObjectName(f"palette.{name}")
        self.setText(as_title(face(name)))
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._choose)
        self.restyle()
        self.retranslate()

    def retranslate(self) -> None:
        """Tooltip and accessible texts, in the language in use; the formula is set when it is shown."""
        if self.name in TENSORS:
            _, name, words = TENSORS[self.name]
            sentence = translate("Tile", words)
            self.words = sentence
        else:
            record = OPS[self.name]
            name = label(self.name)
            sentence = signature(self.name) if is_rare(self.name) else render(Text(record.text_key), language())
            self.words = _tip(record, sentence)
            self.formula = record.formula({given: rf"\mathrm{{{given}}}" for given in record.inputs})
        self.setAccessibleName(name)
        self.setAccessibleDescription(sentence)

    def restyle(self) -> None:
        """The font of the text size in use: code for signs, the narrower one of words for names."""
        pixels = theme.BASE_PIXELS * theme.text_size() / 100
        self.setFont(ui_font(pixels) if self.text()[:1].isalpha() else code_font())

    def sizeHint(self) -> QSize:
        """Tiles are equally high; the layout gives the width."""
        return QSize(scaled(30), scaled(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """A tile may be as narrow as its column."""
        return QSize(scaled(20), self.sizeHint().height())

    @property
    def kind(self) -> int:
        """Tiles of one kind take equally many columns: signs (0), and names by their length."""
        text = face(self.name)
        return len(text) if text[:1].isalpha() else 0

    def columns(self, pitch: float, gap: float) -> int:
        """How many columns, ``pitch`` pixels apart, it takes so that its text is all but as large as others."""
        words = SHRUNK * QFontMetricsF(self.font()).horizontalAdvance(face(self.name))
        least = words + scaled(2 * TILE_EDGE) + icon_room(self.name)
        taken = span(face(self.name))
        while taken < COLUMNS and taken * pitch - gap < least:
            taken *= 2
        return taken

    def paintEvent(self, _event: object) -> None:
        """A small card: tensors in the colours that their cards have."""
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            lit = self.underMouse() or self.isDown()
            _paint(painter, QRectF(self.rect()), self, lit, self.hasFocus())
        finally:
            painter.end()

    def tip(self) -> str:
        """What the tooltip says: the formula under the words, set only now, for that takes a while."""
        if not self.formula:
            return self.words
        picture = formula_html(self.formula, theme.current().tooltip_text, scaled(16))
        return f"{self.words}<p>{picture}</p>"

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
            if self.drag().exec(Qt.DropAction.CopyAction) != Qt.DropAction.IgnoreAction:
                self.used.emit(self.name)

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
            _paint_card(painter, QRectF(QPointF(0, 0), size.toSizeF()), self)
        finally:
            painter.end()
        return card

    def _choose(self) -> None:
        self.chosen.emit(self.name)
        self.used.emit(self.name)


def face(name: str) -> str:
    """What a tile says: the symbol where two tensors have one between them, else the name."""
    if name in TENSORS:
        return TENSORS[name][0]
    record = OPS[name]
    return record.symbol if record.symbol and not record.writes and len(record.inputs) > 1 else label(name)


def span(text: str) -> int:
    """How many columns a tile that says ``text`` takes: a quarter, a half or the whole of a row."""
    return 1 if not text[:1].isalpha() else COLUMNS // 2 if len(text) <= LONG else COLUMNS


def icon_room(name: str) -> int:
    """How many pixels of a tile its icon takes: none of one that says the operator's sign."""
    return scaled(ICON + ICON_GAP) if face(name)[:1].isalpha() else 0


def _tip(record: Record, sentence: str) -> str:
    public = caller(record.name)
    method = f".{public.method}()" if public.method else None
    spellings = [text for text in (public.function, method, record.symbol) if text]
    code = "&nbsp;&nbsp; ".join(html.escape(text) for text in spellings)
    return f"<p style='white-space:pre-wrap'>{html.escape(sentence)}<br><code>{code}</code></p>"


def _role(tile: Tile) -> str:
    """The theme's role of a tensor's tile; empty for an operator."""
    return {TENSOR: "leaf", TENSOR_GRAD: "leaf_grad"}.get(tile.name, "")


def _paint(painter: QPainter, rect: QRectF, tile: Tile, lit: bool, focused: bool) -> None:
    """A tile: tensors square and in their colours, operators round; lit when pressed or under the mouse."""
    look, role = theme.current(), _role(tile)
    ground = look.color(role or ("pressed" if tile.isDown() else "hover" if lit else "card"))
    edge = look.color("focus" if focused else f"{role}_edge" if role else "field_edge" if lit else "border")
    thick = scaled(3) if tile.name == TENSOR_GRAD else scaled(2) if role and lit else 1
    pen = QPen(edge, max(thick, scaled(2)) if focused else thick)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    painter.setBrush(ground)
    inset = pen.widthF() / 2
    radius = 0 if role else scaled(4)
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), radius, radius)
    ink = look.color(f"{role}_text" if role else "text")
    painter.setPen(ink)
    icon = icon_room(tile.name)
    if icon:
        side, left = scaled(ICON), round(rect.left()) + scaled(TILE_EDGE + 1)
        square = QRectF(left, round(rect.center().y() - side / 2), side, side)
        operator_icons.paint(painter, square, tile.name, ink.name())
        rect = rect.adjusted(icon, 0, 0, 0)
    _paint_face(painter, rect, tile, centred=not icon)


def _paint_card(painter: QPainter, rect: QRectF, tile: Tile) -> None:
    """The card that a dragged tile will be: a header in its colour over an empty body, with its port."""
    look, role = theme.current(), _role(tile)
    kind = role or "intermediate"
    port = scaled(PORT)
    card = rect.adjusted(2, 2, -port - 2, -2)
    radius = 0 if role else scaled(8)
    outline = QPainterPath()
    outline.addRoundedRect(card, radius, radius)
    painter.fillPath(outline, look.color("card"))
    painter.save()
    painter.setClipPath(outline)
    header = QRectF(card.x(), card.y(), card.width(), scaled(HEADER))
    painter.fillRect(header, look.color(kind))
    painter.setPen(look.color(f"{kind}_text"))
    _paint_face(painter, header, tile)
    painter.restore()
    edge = look.color(f"{kind}_edge")
    painter.setPen(QPen(edge, 1.5 if role == "leaf" else 3))
    painter.drawPath(outline)
    painter.setBrush(edge)
    painter.drawEllipse(QPointF(card.right(), (header.bottom() + card.bottom()) / 2), port, port)


def _paint_face(painter: QPainter, rect: QRectF, tile: Tile, centred: bool = True) -> None:
    text, edge = face(tile.name), scaled(TILE_EDGE)
    painter.setFont(fitting(tile.font(), text, rect.width() - 2 * edge))
    across = Qt.AlignmentFlag.AlignHCenter if centred else Qt.AlignmentFlag.AlignLeft
    painter.drawText(rect.adjusted(edge, 0, -edge, 0), across | Qt.AlignmentFlag.AlignVCenter, text)


def fitting(font: QFont, text: str, room: float) -> QFont:
    """``font``, made smaller where ``text`` would be wider than ``room`` pixels."""
    width = QFontMetricsF(font).horizontalAdvance(text)
    if width <= room:
        return font
    smaller = QFont(font)
    smaller.setPixelSize(max(1, int(font.pixelSize() * room / width)))
    return smaller
