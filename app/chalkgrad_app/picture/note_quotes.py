"""Quotes in notes: a bar runs down beside them, as print and the web have it."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QTextBlock, QTextDocument, QTextFormat

from chalkgrad_app.picture.note_lists import blocks
from chalkgrad_app.style.theme import Theme

BAR, BEFORE = 3.0, 12.0
"""How wide the bar is, and how far before the text it begins."""


def is_quote(block: QTextBlock) -> bool:
    """True for a paragraph of a quote."""
    return bool(block.blockFormat().intProperty(QTextFormat.Property.BlockQuoteLevel))


def draw(painter: QPainter, document: QTextDocument, theme: Theme, clip: QRectF) -> None:
    """Draw the bars; between two paragraphs of one quote they go on."""
    for block in blocks(document):
        rect = document.documentLayout().blockBoundingRect(block)
        if not is_quote(block) or not rect.intersects(clip) or not block.layout().lineCount():
            continue
        goes_on = block.next().isValid() and is_quote(block.next())
        bottom = document.documentLayout().blockBoundingRect(block.next()).top() if goes_on else rect.bottom()
        left = block.layout().position().x() + block.layout().lineAt(0).x() - BEFORE
        painter.fillRect(QRectF(left, rect.top(), BAR, bottom - rect.top()), theme.color("muted"))
