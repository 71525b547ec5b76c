"""A picture as TikZ, just as it is painted: what a QPainter draws on :class:`TikzDevice` becomes paths and text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontInfo,
    QFontMetricsF,
    QImage,
    QPaintDevice,
    QPaintEngine,
    QPaintEngineState,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
    QTextItem,
    QTransform,
)

from chalkgrad.diagram.tikz import escaped
from chalkgrad_app.style.fonts import CJK, mono_font, ui_font

UNIT = 0.75
"""Length on paper of one unit of the canvas, in LaTeX's bp: a ninety-sixth of an inch."""
MOST_PIXELS = 64
"""Longest side of an image, whose pixels are written as rectangles."""

CAPS = {Qt.PenCapStyle.RoundCap: "round", Qt.PenCapStyle.SquareCap: "rect"}
JOINS = {Qt.PenJoinStyle.RoundJoin: "round", Qt.PenJoinStyle.BevelJoin: "bevel"}
CJK_FROM = "\u2e80"
"""The first of the characters that only a Chinese font has."""
LATIN_TO, PUNCTUATION = "\u024f", ("\u2000", "\u206f")
"""What every font of text has; signs beyond that are drawn as they look."""

HEAD = r"""% !TeX program = xelatex
\documentclass[tikz]{standalone}
\usepackage{fontspec}
"""


class TikzDevice(QPaintDevice):
    """A page of this size in units of the canvas; :meth:`text` is what was painted on it."""

    def __init__(self, size: QSizeF) -> None:
        super().__init__()
        self._size = size
        self._engine = TikzEngine()

    def paintEngine(self) -> QPaintEngine:
        """What writes."""
        return self._engine

    def metric(self, metric: QPaintDevice.PaintDeviceMetric) -> int:
        """Size and resolution: 96 units an inch."""
        kinds = QPaintDevice.PaintDeviceMetric
        width, height = round(self._size.width()), round(self._size.height())
        known = {
            kinds.PdmWidth: width,
            kinds.PdmHeight: height,
            kinds.PdmWidthMM: round(width * 25.4 / 96),
            kinds.PdmHeightMM: round(height * 25.4 / 96),
            kinds.PdmNumColors: 2**31 - 1,
            kinds.PdmDepth: 32,
            kinds.PdmDevicePixelRatio: 1,
            kinds.PdmDevicePixelRatioScaled: int(QPaintDevice.devicePixelRatioFScale()),
        }
        return known.get(metric, 96)

    def lines(self) -> Iterator[str]:
        """The whole LaTeX document, a line or a few at a time; XeLaTeX and LuaLaTeX set it."""
        yield HEAD + "\n".join(_fonts())
        yield r"\begin{document}"
        yield from self._engine.picture(self._size)
        yield r"\end{document}"


class TikzEngine(QPaintEngine):
    """Writes lines of TikZ. Positions are those on the page, so that no transform is left to LaTeX.

    Rectangles, ellipses and lines come as paths and polygons: Qt makes them of what an engine doesn't draw itself.
    """

    def __init__(self) -> None:
        super().__init__(QPaintEngine.PaintEngineFeature.AllFeatures)
        self._lines: list[str] = []
        self._colors: dict[int, str] = {}
        self._pen, self._brush = QPen(), QBrush()
        self._transform, self._opacity = QTransform(), 1.0
        self._clip = ""

    def picture(self, size: QSizeF) -> Iterator[str]:
        """The lines of a ``tikzpicture`` of this size, its colours first."""
        yield rf"\begin{{tikzpicture}}[x={UNIT}bp, y=-{UNIT}bp, inner sep=0pt, outer sep=0pt]"
        yield rf"\useasboundingbox (0,0) rectangle {_point(size.width(), size.height())};"
        for rgb, name in self._colors.items():
            yield rf"\definecolor{{{name}}}{{HTML}}{{{rgb:06X}}}"
        yield from self._lines
        yield r"\end{tikzpicture}"

    def type(self) -> QPaintEngine.Type:
        """One of our own."""
        return QPaintEngine.Type.User

    def begin(self, _device: QPaintDevice) -> bool:
        """Painting begins."""
        return True

    def end(self) -> bool:
        """Painting is over."""
        self._set_clip("")
        return True

    def updateState(self, state: QPaintEngineState) -> None:
        """Take over pen, brush, transform and what is cut off."""
        self._pen, self._brush = state.pen(), state.brush()
        self._transform, self._opacity = state.transform(), state.opacity()
        flags = QPaintEngine.DirtyFlag
        if state.state() & (flags.DirtyClipPath | flags.DirtyClipRegion | flags.DirtyClipEnabled):
            self._set_clip(self._clipped(state))

    # ------------------------------------------------------------ what is painted

    def drawPath(self, path: QPainterPath) -> None:
        """A path, filled and drawn."""
        rule = "even odd rule" if path.fillRule() == Qt.FillRule.OddEvenFill else ""
        self._draw(_written(self._transform.map(path)), rule)

    def drawPolygon(self, points: Iterable[Any], mode: QPaintEngine.PolygonDrawMode) -> None:
        """A polygon, or with the mode for it a line through all points."""
        path = QPainterPath()
        path.addPolygon(QPolygonF([QPointF(point) for point in points]))
        is_line = mode == QPaintEngine.PolygonDrawMode.PolylineMode
        if not is_line:
            path.closeSubpath()
        rule = "even odd rule" if mode == QPaintEngine.PolygonDrawMode.OddEvenMode else ""
        self._draw(_written(self._transform.map(path)), rule, filled=not is_line)

    def drawTextItem(self, at: Any, item: QTextItem) -> None:
        """A piece of text that stands on ``at``, just as wide as on the screen whatever the font is there."""
        whole, font = item.text(), item.font()
        text, before = whole.strip(), whole[: len(whole) - len(whole.lstrip())]
        metrics = QFontMetricsF(font)
        at = QPointF(at) + QPointF(metrics.horizontalAdvance(before), 0)
        if not text or self._pen.style() == Qt.PenStyle.NoPen:
            return
        if not all(_is_text(character) for character in text):
            self._draw_signs(at, font, text)
            return
        place, scale, color = self._transform.map(at), self._scale(), self._pen.color()
        size = _bp(QFontInfo(font).pixelSize() * scale)
        width = _bp(metrics.horizontalAdvance(text) * scale)
        turned = self._transform.map(QLineF(0, 0, 1, 0)).angle()
        look = [f"text={self._color(color)}", "anchor=base west", *self._see_through("text", color)]
        look += [f"rotate={turned:.4g}"] if turned else []
        words = rf"{_family(font, text)}\fontsize{{{size}}}{{{size}}}\selectfont{{}}{escaped(text)}"
        fitted = rf"\resizebox{{{width}}}{{\height}}{{{words}}}"
        self._lines.append(rf"\node[{', '.join(look)}] at {_point(place.x(), place.y())} {{{fitted}}};")

    def _draw_signs(self, at: QPointF, font: QFont, text: str) -> None:
        """Text with signs that LaTeX's font may lack, as outlines."""
        path = QPainterPath()
        path.addText(at, font, text)
        kept = self._pen, self._brush
        self._pen, self._brush = QPen(Qt.PenStyle.NoPen), QBrush(self._pen.color())
        self.drawPath(path)
        self._pen, self._brush = kept

    def drawPixmap(self, target: QRect | QRectF, pixmap: QPixmap | QImage, source: QRect | QRectF) -> None:
        """A pixmap, as an image."""
        self.drawImage(target, pixmap if isinstance(pixmap, QImage) else pixmap.toImage(), source)

    def drawImage(
        self,
        target: QRect | QRectF,
        image: QImage,
        source: QRect | QRectF,
        _flags: Qt.ImageConversionFlag = Qt.ImageConversionFlag.AutoColor,
    ) -> None:
        """An image, row by row: a rectangle for each stretch of one colour."""
        part = image.copy(QRectF(source).toAlignedRect())
        if max(part.width(), part.height()) > MOST_PIXELS:
            part = part.scaled(MOST_PIXELS, MOST_PIXELS, Qt.AspectRatioMode.KeepAspectRatio)
        if part.isNull():
            return
        width, height = target.width() / part.width(), target.height() / part.height()
        kept = self._pen, self._brush
        self._pen = QPen(Qt.PenStyle.NoPen)
        for y in range(part.height()):
            left, top = float(target.left()), target.top() + y * height
            for color, same in groupby(part.pixel(x, y) for x in range(part.width())):
                wide = width * sum(1 for _ in same)
                self._brush = QBrush(QColor.fromRgba(color))
                stretch = QPainterPath()
                stretch.addRect(left, top, wide, height)
                self.drawPath(stretch)
                left += wide
        self._pen, self._brush = kept

    # ------------------------------------------------------------ how

    def _draw(self, path: str, rule: str = "", filled: bool = True) -> None:
        """One path with the brush and the pen of now."""
        look = []
        if filled and self._brush.style() != Qt.BrushStyle.NoBrush:
            color = self._brush.color()
            if color.alpha():
                look += [f"fill={self._color(color)}", *self._see_through("fill", color), *([rule] if rule else [])]
        if self._pen.style() != Qt.PenStyle.NoPen and self._pen.color().alpha():
            look += self._stroke()
        if look and path:
            self._lines.append(rf"\path[{', '.join(look)}] {path};")

    def _stroke(self) -> Iterator[str]:
        pen = self._pen
        width = (pen.widthF() or 1.0) * (1.0 if pen.isCosmetic() else self._scale())
        yield f"draw={self._color(pen.color())}"
        yield f"line width={_bp(width)}"
        yield from self._see_through("draw", pen.color())
        if pen.capStyle() in CAPS:
            yield f"line cap={CAPS[pen.capStyle()]}"
        if pen.joinStyle() in JOINS:
            yield f"line join={JOINS[pen.joinStyle()]}"
        dashes = pen.dashPattern()
        if pen.style() != Qt.PenStyle.SolidLine and dashes:
            turns = " ".join(f"{'off' if odd % 2 else 'on'} {_bp(length * width)}" for odd, length in enumerate(dashes))
            yield f"dash pattern={turns}"

    def _see_through(self, what: str, color: QColor) -> list[str]:
        opacity = color.alphaF() * self._opacity
        return [f"{what} opacity={opacity:.3g}"] if opacity < 1 else []

    def _color(self, color: QColor) -> str:
        """The name of a colour in this picture."""
        return self._colors.setdefault(color.rgb() & 0xFFFFFF, f"c{len(self._colors)}")

    def _scale(self) -> float:
        return self._transform.map(QLineF(0, 0, 1, 0)).length()

    def _clipped(self, state: QPaintEngineState) -> str:
        """What is left when something is cut off; empty where nothing is."""
        if not state.isClipEnabled() or state.clipOperation() == Qt.ClipOperation.NoClip:
            return ""
        path = state.clipPath()
        if path.isEmpty():
            path = QPainterPath()
            path.addRegion(state.clipRegion())
        return _written(self._transform.map(path))

    def _set_clip(self, path: str) -> None:
        if path != self._clip:
            self._lines += [r"\end{scope}"] if self._clip else []
            self._lines += [rf"\begin{{scope}}\clip {path};"] if path else []
            self._clip = path


# ---------------------------------------------------------------- inside


def _written(path: QPainterPath) -> str:
    """The elements of a path in TikZ's words."""
    kinds, parts, at = QPainterPath.ElementType, [], 0
    start = (0.0, 0.0)
    while at < path.elementCount():
        element = path.elementAt(at)
        point = _point(element.x, element.y)
        if element.type == kinds.CurveToElement:
            second, end = path.elementAt(at + 1), path.elementAt(at + 2)
            parts.append(f".. controls {point} and {_point(second.x, second.y)} .. {_point(end.x, end.y)}")
            element, at = end, at + 2
        elif element.type == kinds.LineToElement:
            parts.append(f"-- {point}")
        else:
            parts.append(point)
            start = (element.x, element.y)
        last = at + 1 == path.elementCount() or path.elementAt(at + 1).type == kinds.MoveToElement
        if last and element.type != kinds.MoveToElement and (element.x, element.y) == start:
            parts.append("-- cycle")
        at += 1
    return " ".join(parts)


def _point(x: float, y: float) -> str:
    return f"({x:.6g},{y:.6g})"


def _bp(units: float) -> str:
    return f"{units * UNIT:.4g}bp"


def _is_text(character: str) -> bool:
    return character <= LATIN_TO or character >= CJK_FROM or PUNCTUATION[0] <= character <= PUNCTUATION[1]


def _family(font: QFont, text: str) -> str:
    """LaTeX's font for a piece of text."""
    if any(character >= CJK_FROM for character in text):
        family = r"\hanzi"
    else:
        family = r"\code" if QFontInfo(font).fixedPitch() else r"\words"
    return family + (r"\bfseries" if font.bold() else "")


def _fonts() -> Iterator[str]:
    """The fonts that Qt found here, for LaTeX where it has them as well."""
    chinese = QFont()
    chinese.setFamilies(list(CJK))
    for command, font, plain in (
        ("words", ui_font(12.0), "sffamily"),
        ("code", mono_font(12.0), "ttfamily"),
        ("hanzi", chinese, "sffamily"),
    ):
        family = QFontInfo(font).family()
        made, otherwise = rf"\newfontfamily\{command}{{{family}}}", rf"\newcommand\{command}{{\{plain}}}"
        yield rf"\IfFontExistsTF{{{family}}}{{{made}}}{{{otherwise}}}"
