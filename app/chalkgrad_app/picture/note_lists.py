"""The numbers and bullets of lists in notes: drawn in the size of the text, which Qt's are not."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QBrush,
    QFontMetricsF,
    QPainter,
    QPen,
    QTextBlock,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextList,
    QTextListFormat,
)

from chalkgrad_app.style.fonts import ui_font
from chalkgrad_app.style.theme import Theme

SIZE = 13
"""The size of a note's text."""
MARKER = QTextFormat.Property.UserProperty.value + 3
"""What stands before a point of a list: its number, or one of BULLETS."""
BULLETS = "•◦▪"
GAP = 7.0
"""Between what stands before a point and its text."""


def mark(document: QTextDocument) -> None:
    """Keep numbers and bullets with their blocks: Qt draws none then, but the boxes of points that can be ticked."""
    found: list[QTextList] = []
    for block in blocks(document):
        points = block.textList()
        if points is None or block.blockFormat().marker() != QTextBlockFormat.MarkerType.NoMarker:
            continue
        shape = QTextBlockFormat()
        shape.setProperty(MARKER, _sign(points, block))
        QTextCursor(block).mergeBlockFormat(shape)
        found.append(points)
    for points in found:
        plain = points.format()
        plain.setStyle(QTextListFormat.Style.ListStyleUndefined)
        points.setFormat(plain)


def draw(painter: QPainter, document: QTextDocument, theme: Theme, clip: QRectF) -> None:
    """Draw numbers and bullets before the points of lists, on the first line of each."""
    font = ui_font(SIZE)
    for block in blocks(document):
        sign = block.blockFormat().property(MARKER)
        if not sign or not document.documentLayout().blockBoundingRect(block).intersects(clip):
            continue
        line = block.layout().lineAt(0)
        end = block.layout().position() + line.position() - QPointF(GAP, 0)
        baseline = end.y() + line.ascent()
        if sign in BULLETS:
            _draw_bullet(painter, sign, QPointF(end.x() - 3, baseline - QFontMetricsF(font).xHeight() / 2), theme)
            continue
        painter.setFont(font)
        painter.setPen(theme.color("note_text"))
        painter.drawText(QPointF(end.x() - QFontMetricsF(font).horizontalAdvance(sign) + 2, baseline), sign)


def _sign(points: QTextList, block: QTextBlock) -> str:
    if points.format().style().value <= QTextListFormat.Style.ListDecimal.value:
        return points.itemText(block)
    return BULLETS[max(points.format().indent() - 1, 0) % len(BULLETS)]


def _draw_bullet(painter: QPainter, sign: str, middle: QPointF, theme: Theme) -> None:
    colour = theme.color("note_text")
    is_ring = sign == BULLETS[1]
    painter.setPen(QPen(colour, 1.1) if is_ring else QPen(Qt.PenStyle.NoPen))
    painter.setBrush(QBrush(Qt.BrushStyle.NoBrush) if is_ring else QBrush(colour))
    if sign == BULLETS[2]:
        painter.drawRect(QRectF(middle - QPointF(2, 2), QSizeF(4, 4)))
    else:
        painter.drawEllipse(middle, 2.1, 2.1)


def blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    """The blocks of a document, from the first to the last."""
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()
