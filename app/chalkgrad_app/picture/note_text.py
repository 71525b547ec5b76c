"""The text of notes: Markdown with formulas, laid out by Qt, its formulas set by ziamath.

Each text is laid out once for a width and a theme, and painted once into a pixmap for a zoom; both are kept as long as
there is room. Into files it is painted as text and curves. Nothing in a note is loaded or run: HTML is text, images
are not shown, links are only shown.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QByteArray, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QFont,
    QFontMetricsF,
    QPainter,
    QPalette,
    QPixmap,
    QPyTextObject,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFragment,
    QTextFrameFormat,
    QTextTable,
)
from PySide6.QtSvg import QSvgRenderer

from chalkgrad_app.picture import note_lists, note_quotes
from chalkgrad_app.picture.look import Look
from chalkgrad_app.picture.note_lines import with_breaks
from chalkgrad_app.picture.note_lists import SIZE, blocks
from chalkgrad_app.style.fonts import MONO_FAMILIES, mono_font, ui_font
from chalkgrad_app.style.theme import Theme, load
from chalkgrad_app.widgets.formula import formula_svg

HEADINGS = (20, 17, 15)
SIDE, TOP, BOTTOM = 14.0, 12.0, 14.0
"""Room around the text, in canvas units."""
INDENT = 18.0
BUDGET = 24 * 2**20
"""Bytes of the pixmaps kept."""
MEASURED = "light"
"""Sizes are the same in every theme: they are measured in this one."""
LARGEST_SIDE = 32_767
"""Qt makes no pixmap that is wider or higher."""
SHARPEST = 4.0
"""Notes are rendered at most this enlarged."""
FORMULA = QTextFormat.ObjectTypes.UserObject.value + 1
LATEX, DISPLAY = QTextFormat.Property.UserProperty.value + 1, QTextFormat.Property.UserProperty.value + 2
FORMULA_SIZE, DISPLAY_SIZE = 15, 18
BREAK, OPEN, CLOSE = "\ue002", "\ue000", "\ue001"
"""Private characters that stand for a line break and a formula while Qt reads the Markdown."""
_CODE_OR_FORMULA = re.compile(
    r"(?P<code>^(?P<fence>```|~~~).*?(?:^(?P=fence)|\Z)|(?P<tick>`+)(?!`).*?(?<!`)(?P=tick)(?!`))"
    r"|(?P<escaped>\\\$)"
    r"|\$\$(?P<display>.+?)\$\$"
    r"|\$(?![\s$])(?P<inline>[^$\n]+?)(?<!\s)\$(?!\d)",
    re.DOTALL | re.MULTILINE,
)


class Formula(NamedTuple):
    """One formula in a text; ``display`` stands on a line of its own."""

    latex: str
    display: bool


def paint(painter: QPainter, text: str, rect: QRectF, look: Look) -> None:
    """Paint a note's text on the note at ``rect``, in canvas units."""
    if look.vector or _is_huge(rect.size(), look):
        painter.save()
        try:
            painter.translate(look.point(rect.left(), rect.top()))
            painter.scale(look.zoom, look.zoom)
            _draw(painter, text, rect.size(), look.theme)
        finally:
            painter.restore()
        return
    corner = look.point(rect.left(), rect.top())
    # Whole device pixels keep letters crisp.
    at = QPointF(round(corner.x() * look.dpr) / look.dpr, round(corner.y() * look.dpr) / look.dpr)
    pixmap = _PIXMAPS.get(text, rect.size(), look)
    shrunk = look.zoom * look.dpr / min(look.zoom * look.dpr, SHARPEST)
    painter.drawPixmap(QRectF(at, QSizeF(pixmap.size()) * (shrunk / look.dpr)), pixmap, QRectF(pixmap.rect()))


@lru_cache(1024)
def text_height(text: str, width: float) -> float:
    """How high ``text`` is on a note ``width`` wide."""
    return laid_out(text, width, load(MEASURED)).size().height()


@lru_cache(128)
def laid_out(text: str, width: float, theme: Theme) -> QTextDocument:
    """A text laid out for a note ``width`` wide; shared, not to be changed."""
    marked, formulas = marked_down(text)
    document = QTextDocument()
    document.setUndoRedoEnabled(False)
    document.setDocumentMargin(0)
    document.setDefaultFont(ui_font(SIZE))
    document.setIndentWidth(INDENT)
    document.setTextWidth(width - 2 * SIDE)
    flags = QTextDocument.MarkdownFeature
    document.setMarkdown(marked, flags.MarkdownDialectGitHub | flags.MarkdownNoHTML)
    _set_formulas(document, formulas, theme)
    _set_breaks(document)
    tables = [frame for frame in document.rootFrame().childFrames() if isinstance(frame, QTextTable)]
    for table in tables:
        _head_table(table)
    for block in blocks(document):
        _style_block(block, theme)
    note_lists.mark(document)
    for table in tables:
        _style_table(table, theme)
    return document


def marked_down(text: str) -> tuple[str, list[Formula]]:
    """The Markdown for Qt: each formula is a mark, each line break of prose too; and the formulas."""
    formulas: list[Formula] = []

    def mark(match: re.Match[str]) -> str:
        if match["code"] or match["escaped"]:
            return match[0]
        formulas.append(Formula((match["display"] or match["inline"]).strip(), match["display"] is not None))
        sign = f"{OPEN}{len(formulas) - 1}{CLOSE}"
        return f"\n\n{sign}\n\n" if match["display"] is not None else sign

    for private in (BREAK, OPEN, CLOSE):
        text = text.replace(private, "")
    return with_breaks(_CODE_OR_FORMULA.sub(mark, text), BREAK), formulas


def links_in(text: str) -> tuple[str, ...]:
    """Where the links of a text lead, in order."""
    document = laid_out(text, 400.0, load(MEASURED))
    found = (part.charFormat().anchorHref() for block in blocks(document) for part in _fragments(block))
    return tuple(dict.fromkeys(href for href in found if href))


def broken_formulas(text: str) -> list[tuple[Formula, str]]:
    """The formulas of a text that can't be read, each with what the library says."""
    found = []
    for formula in marked_down(text)[1]:
        try:
            _rendered(formula.latex, formula.display, load(MEASURED).note_text)
        except ValueError as error:
            found.append((formula, str(error)))
    return found


# ---------------------------------------------------------------- inside


class _FormulaObject(QPyTextObject):
    """Paints the formulas of a document; one that can't be read is text already."""

    def __init__(self, document: QTextDocument, color: str) -> None:
        super().__init__(document)
        self._color = color

    def intrinsicSize(self, document: QTextDocument, _position: int, format_: QTextFormat) -> QSizeF:
        """The size, such that the formula's baseline is the line's."""
        size, rise, middle = self._measures(document, format_)
        return QSizeF(size.width(), 2 * max(rise - middle, size.height() - rise + middle))

    def drawObject(
        self, painter: QPainter, rect: QRectF | QRect, document: QTextDocument, position: int, format_: QTextFormat
    ) -> None:
        """Paint it on the baseline of its line; Qt centres the object in the line's height."""
        size, rise, _ = self._measures(document, format_)
        block = document.findBlock(position)
        line = block.layout().lineForTextPosition(position - block.position())
        baseline = rect.top() + (rect.height() + line.ascent() - line.descent()) / 2
        renderer, *_ = _rendered(format_.property(LATEX), bool(format_.property(DISPLAY)), self._color)
        renderer.render(painter, QRectF(QPointF(rect.left(), baseline - rise), size))

    def _measures(self, document: QTextDocument, format_: QTextFormat) -> tuple[QSizeF, float, float]:
        """Size of the formula, how far it rises above its baseline, and how far above that Qt has its middle."""
        _, size, rise = _rendered(format_.property(LATEX), bool(format_.property(DISPLAY)), self._color)
        scale = min(1.0, (document.textWidth() - 4) / size.width()) if size.width() else 1.0
        return size * scale, rise * scale, QFontMetricsF(format_.toCharFormat().font()).xHeight() / 4


@lru_cache(256)
def _rendered(latex: str, display: bool, color: str) -> tuple[QSvgRenderer, QSizeF, float]:
    """A formula as a picture, its size, and how far it rises above its baseline. ValueError if it can't be read."""
    svg, width, height, rise = formula_svg(latex, color, DISPLAY_SIZE if display else FORMULA_SIZE, inline=not display)
    return QSvgRenderer(QByteArray(svg.encode())), QSizeF(width, height), rise


class _Pixmaps:
    """Texts of notes as pixmaps, the ones used last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[object, ...], QPixmap] = OrderedDict()
        self._bytes = 0

    def get(self, text: str, size: QSizeF, look: Look) -> QPixmap:
        """A note's text at the zoom of ``look``."""
        scale = min(look.zoom * look.dpr, SHARPEST)
        key = (text, size.width(), size.height(), look.theme.name, scale)
        pixmap = self._kept.pop(key, None)
        if pixmap is None:
            pixmap = _pixmap(text, size, look.theme, scale)
            self._bytes += _weight(pixmap)
        self._kept[key] = pixmap
        while self._bytes > BUDGET and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= _weight(oldest)
        return pixmap


_PIXMAPS = _Pixmaps()


def _is_huge(size: QSizeF, look: Look) -> bool:
    """True for a note that no pixmap can hold, or that would push all others out."""
    pixels = size * min(look.zoom * look.dpr, SHARPEST)
    return max(pixels.width(), pixels.height()) > LARGEST_SIDE or 4 * pixels.width() * pixels.height() > BUDGET


def _weight(pixmap: QPixmap) -> int:
    return pixmap.width() * pixmap.height() * 4


def _pixmap(text: str, size: QSizeF, theme: Theme, scale: float) -> QPixmap:
    pixmap = QPixmap((size * scale).toSize().expandedTo(QSizeF(1, 1).toSize()))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    try:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(scale, scale)
        _draw(painter, text, size, theme)
    finally:
        painter.end()
    return pixmap


def _draw(painter: QPainter, text: str, size: QSizeF, theme: Theme) -> None:
    """Paint a text on a note whose corner is at (0, 0); what doesn't fit is cut off."""
    context = QAbstractTextDocumentLayout.PaintContext()
    palette = QPalette()
    palette.setColor(QPalette.ColorRole.Text, theme.color("note_text"))
    context.palette = palette
    painter.translate(SIDE, TOP)
    room = QRectF(0, 0, size.width() - 2 * SIDE, size.height() - TOP)
    painter.setClipRect(room.adjusted(-SIDE / 2, 0, SIDE, 0), Qt.ClipOperation.IntersectClip)
    context.clip = painter.clipBoundingRect()  # of a long text only what is painted anew
    document = laid_out(text, size.width(), theme)
    document.documentLayout().draw(painter, context)
    note_lists.draw(painter, document, theme, context.clip)
    note_quotes.draw(painter, document, theme, context.clip)


def _set_formulas(document: QTextDocument, formulas: list[Formula], theme: Theme) -> None:
    if not formulas:
        return
    document.documentLayout().registerHandler(FORMULA, _FormulaObject(document, theme.note_text))
    for number, formula in enumerate(formulas):
        cursor = document.find(f"{OPEN}{number}{CLOSE}")
        if cursor.isNull():
            continue
        try:
            _rendered(formula.latex, formula.display, theme.note_text)
        except ValueError:
            cursor.insertText(*_broken(formula, theme))
            continue
        format_ = QTextCharFormat(cursor.charFormat())
        format_.setObjectType(FORMULA)
        format_.setProperty(LATEX, formula.latex)
        format_.setProperty(DISPLAY, formula.display)
        format_.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
        cursor.insertText("\ufffc", format_)
        if formula.display:
            centred = QTextBlockFormat()
            centred.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            cursor.mergeBlockFormat(centred)


def _broken(formula: Formula, theme: Theme) -> tuple[str, QTextCharFormat]:
    """What stands for a formula that can't be read: its source, wavy underlined as a wrong spelling."""
    format_ = QTextCharFormat()
    format_.setFontFamilies(list(MONO_FAMILIES))
    format_.setForeground(theme.color("error_ink"))
    format_.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
    format_.setUnderlineColor(theme.color("error_ink"))
    sign = "$$" if formula.display else "$"
    return f"{sign}{formula.latex}{sign} ✗", format_


def _set_breaks(document: QTextDocument) -> None:
    """Where a line of prose ended, the line ends (Markdown made a space of it)."""
    cursor = document.find(BREAK)
    while not cursor.isNull():
        cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor)
        if not cursor.selectedText().endswith(" "):
            cursor.movePosition(QTextCursor.MoveOperation.PreviousCharacter, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText("\u2028")
        cursor = document.find(BREAK, cursor)


def _fragments(block: QTextBlock) -> Iterator[QTextFragment]:
    parts = block.begin()
    while not parts.atEnd():
        yield parts.fragment()
        parts += 1


def _style_block(block: QTextBlock, theme: Theme) -> None:
    """Sizes of headings, the fonts and grounds of code, the colour of links."""
    level = block.blockFormat().headingLevel()
    is_code = block.blockFormat().nonBreakableLines()
    cursor = QTextCursor(block)
    shape = QTextBlockFormat()
    first = block.blockNumber() == 0
    in_table = cursor.currentTable() is not None
    above = 0.0 if first or is_code or in_table else 8.0 if level else 3.0
    shape.setTopMargin(above)
    shape.setBottomMargin(0.0 if is_code or in_table else 3.0)
    if is_code:
        shape.setBackground(theme.color("frame"))
    if note_quotes.is_quote(block):
        shape.setLeftMargin(INDENT)
    cursor.mergeBlockFormat(shape)
    spans = [(part.position(), part.length(), part.charFormat()) for part in _fragments(block)]
    for start, length, old in spans:
        cursor.setPosition(start)
        cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.setCharFormat(_char_style(old, level, theme))


def _char_style(old: QTextCharFormat, level: int, theme: Theme) -> QTextCharFormat:
    style = QTextCharFormat(old)
    size = HEADINGS[min(level, len(HEADINGS)) - 1] if level else SIZE
    style.clearProperty(QTextFormat.Property.FontSizeAdjustment)
    if old.fontFixedPitch() or "monospace" in (old.fontFamilies() or []):
        style.setFont(mono_font(size - 1))
        style.setBackground(theme.color("frame"))
    elif level:
        style.setFont(ui_font(size, True))
    if old.isAnchor():
        style.setForeground(theme.color("link"))
        style.setFontUnderline(True)
    return style


def _head_table(table: QTextTable) -> None:
    """The first row of a table as a head. After a quote or a list Qt puts the first cell's text below an empty line."""
    bold = QTextCharFormat()
    bold.setFontWeight(QFont.Weight.Bold)
    first = table.cellAt(0, 0)
    cursor = first.firstCursorPosition()
    if cursor.atBlockEnd() and cursor.block() != first.lastCursorPosition().block():
        cursor.deleteChar()
    for column in range(table.columns()):
        cell = table.cellAt(0, column)
        cursor = cell.firstCursorPosition()
        cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(bold)


def _style_table(table: QTextTable, theme: Theme) -> None:
    format_ = table.format()
    format_.setBorderBrush(theme.color("note_edge"))
    format_.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    format_.setBorderCollapse(True)
    format_.setBorder(1)
    format_.setCellPadding(3)
    format_.setTopMargin(4)
    format_.setBottomMargin(4)
    table.setFormat(format_)
