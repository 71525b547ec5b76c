"""The picture of a graph as PNG, SVG, PDF or TikZ: the canvas' own paint functions, near, with real curves and text."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Thread
from time import perf_counter

import numpy as np
import shiboken6
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRect, QRectF, QSaveFile, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QImageWriter, QPageLayout, QPageSize, QPaintDevice, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from chalkgrad.program.sheet import Sheet
from chalkgrad.session.state import State
from chalkgrad.stepwise import Stepwise, beside, finished, share
from chalkgrad_app import i18n
from chalkgrad_app.canvas.taking_over import drawing_as
from chalkgrad_app.document import Document
from chalkgrad_app.export.tikz import TikzDevice
from chalkgrad_app.picture.board_paint import label_rect
from chalkgrad_app.picture.brushes import Brushes
from chalkgrad_app.picture.function_ways import is_among
from chalkgrad_app.picture.look import PORTION, Look, card_words
from chalkgrad_app.picture.paint import painting
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.style.fonts import MONO_FAMILIES, UI_FAMILIES
from chalkgrad_app.style.theme import load

FORMATS = (".png", ".svg", ".pdf", ".tex")
MARGIN = 24.0
SMALLEST = QRectF(0, 0, 320, 200)
LARGEST_SIDE = 32767
"""Qt paints no image wider or higher."""
UNITS_PER_INCH = 96.0
BYTES_AT_ONCE = 1 << 20
"""So many bytes are looked through for names of fonts, or written, at once."""
LINES_AT_ONCE = 1000
"""So many lines of LaTeX are written at once."""
PIXELS_AT_ONCE = 400_000
"""An image of more pixels is made a PNG in a thread of its own: that takes 50 milliseconds for a million of them."""
PIXELS_FILLED = 1 << 20
"""So many pixels of an image get their ground at once."""
PDF_RESOLUTION = 1200
LEADING_S, STEP_S = 2.0, 0.01
"""How long wires may be led round cards before a picture is written, and how long at once."""


@dataclass(frozen=True)
class _Job:
    """What is to be painted, and how."""

    picture: Picture
    look: Look
    rect: QRectF
    transparent: bool


def export_document(
    document: Document,
    path: Path,
    *,
    theme: str = "light",
    scale: float = 2.0,
    selection: Collection[int] = (),
    transparent: bool = False,
    drawing: str = "",
) -> None:
    """Write the picture of a document as it is at its cursor; the ending of ``path`` says in which format.

    Without a ``selection`` all of it, without a ``drawing`` the one that it shows. Raises ValueError for another
    ending, OSError when it can't be written.
    """
    finished(
        exporting_document(
            document,
            path,
            theme=theme,
            scale=scale,
            selection=selection,
            transparent=transparent,
            drawing=drawing,
        )
    )


def exporting_document(
    document: Document,
    path: Path,
    *,
    theme: str,
    scale: float,
    selection: Collection[int],
    transparent: bool,
    drawing: str,
    state: State | None = None,
) -> Stepwise[None]:
    """The same in steps, at the cursor or with another ``state``; whoever stops at one leaves no file."""
    yield 0.0
    state = state or document.state
    sheet = yield from share(drawing_as(document.sheet, state, drawing or document.drawing), 0.0, 0.2)
    writing = exporting_picture(
        sheet,
        state,
        path,
        theme=theme,
        scale=scale,
        selection=selection,
        transparent=transparent,
    )
    yield from share(writing, 0.2, 1.0)


def exporting_picture(
    sheet: Sheet,
    state: State,
    path: Path,
    *,
    theme: str = "light",
    scale: float = 2.0,
    language: str | None = None,
    selection: Collection[int] = (),
    transparent: bool = False,
) -> Stepwise[None]:
    """Write the picture of ``sheet`` at ``state``, in steps; ``scale`` is pixels of a PNG for each canvas unit.

    Whoever stops at a step leaves no file.
    """
    write = {".png": _write_png, ".svg": _write_svg, ".pdf": _write_pdf, ".tex": _write_tikz}.get(path.suffix.lower())
    if write is None:
        raise ValueError(f"can't write {path.suffix or 'a file without an ending'}; there are {', '.join(FORMATS)}")
    job = yield from share(_job(sheet, state, theme, language, selection, transparent), 0.0, 0.3)
    file = QSaveFile(str(path))
    if not file.open(QIODevice.OpenModeFlag.WriteOnly):
        raise OSError(f"{path}: {file.errorString()}")
    try:
        yield from share(write(job, file, scale), 0.3, 1.0)
    except (Exception, GeneratorExit):
        file.cancelWriting()
        raise
    if not file.commit():
        raise OSError(f"{path}: {file.errorString()}")


def rendering_image(
    document: Document,
    *,
    theme: str = "light",
    scale: float = 2.0,
    selection: Collection[int] = (),
    transparent: bool = False,
    drawing: str = "",
    state: State | None = None,
) -> Stepwise[QImage]:
    """The picture of a document as an image, for the clipboard, in steps. Raises OSError when it would be too large.

    Without a ``drawing`` the one that it shows, without a ``state`` as it is at its cursor.
    """
    sheet = document.sheet.drawn_as(drawing or document.drawing)
    job = yield from share(_job(sheet, state or document.state, theme, None, selection, transparent), 0.0, 0.3)
    return (yield from share(_image(job, scale), 0.3, 1.0))


# ---------------------------------------------------------------- inside


def _job(
    sheet: Sheet, state: State, theme: str, language: str | None, selection: Collection[int], transparent: bool
) -> Stepwise[_Job]:
    language = language or i18n.language()
    picture = Picture(language)
    yield from share(picture.updating(sheet.program, sheet.board, state), 0.0, 0.4)
    wires, end = np.arange(len(picture.wires)), perf_counter() + LEADING_S
    while not picture.has_ways(wires) and (left := end - perf_counter()) > 0:
        picture.find_ways(wires, min(left, STEP_S))
        yield 0.4
    only = frozenset(selection) if selection else None
    look = Look(theme=load(theme), words=card_words(language), language=language, vector=True, only=only)
    rect = yield from share(_extent(picture, only), 0.4, 1.0)
    return _Job(picture, look, rect, transparent)


def _extent(picture: Picture, only: frozenset[int] | None) -> Stepwise[QRectF]:
    """The rectangle of the canvas that the picture shows, its margin included."""
    found = picture.bounds(only)
    for place, (id_, hidden) in enumerate(zip(picture.ids, picture.hidden.tolist(), strict=True)):
        if place % PORTION == 0:
            yield place / len(picture.ids)
        if not hidden and (only is None or id_ in only):
            found = found.united(picture.drawing.extent(picture.face(id_)).translated(picture.rect(id_).topLeft()))
            if id_ in picture.board.labels:
                found = found.united(label_rect(picture, id_))
    if only is not None:
        found = found.united(picture.gradients.bounds(only))
        for arrays in (picture.functions, picture.lines):
            for key in arrays.of_cards(only):
                found = found.united(arrays.rect(key))
        arrows = enumerate(picture.function_ways.arrows)
        shown = [number for number, arrow in arrows if is_among(arrow, picture.functions, only)]
        found = picture.around_wires(found.united(picture.function_ways.bounds(shown)), only)
    for frame in picture.frames:
        if only is None or frame.id in only:
            found = found.united(frame.rect)
    found = SMALLEST if found.isEmpty() else found
    return found.adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN).toAlignedRect().toRectF()


def _paint(job: _Job, device: QPaintDevice, scale: float) -> Stepwise[None]:
    """Paint the job on a device from its (0, 0) on, ``scale`` of its units for each canvas unit."""
    painter = QPainter(device)
    try:
        yield from _painted(job, painter, scale)
    finally:
        painter.end()


def _paint_pages(job: _Job, device: QPaintDevice, scale: float, *needed: object) -> Stepwise[None]:
    """The same on a device that writes a page when its painter ends: long, and so in a thread of its own.

    The device must write to what nobody else uses; it and what it ``needed`` live on until that is done. Given up,
    it ends unheard there.
    """
    painter = QPainter(device)
    end = partial(_end, painter, device, *needed)
    try:
        yield from _painted(job, painter, scale)
    except (Exception, GeneratorExit):
        Thread(target=end, daemon=True).start()
        raise
    yield from beside(end)


def _end(painter: QPainter, *_needed: object) -> None:
    """What ``painter.end()`` does, but leaving others the interpreter: that, PySide does where an object goes alone."""
    shiboken6.delete(painter)


def _painted(job: _Job, painter: QPainter, scale: float) -> Stepwise[None]:
    area = QRectF(0, 0, job.rect.width() * scale, job.rect.height() * scale)
    look = job.look.at(scale, (job.rect.left(), job.rect.top()))
    device = painter.device()
    ground = QColor(Qt.GlobalColor.transparent) if job.transparent else look.theme.color("canvas")
    if isinstance(device, QImage):
        yield from _filled(painter, device.rect(), area, ground)
    elif not job.transparent:
        painter.fillRect(area, ground)
    yield from painting(painter, job.picture, look, area, Brushes())


def _filled(painter: QPainter, whole: QRect, area: QRectF, ground: QColor) -> Stepwise[None]:
    """Give a new image its ground, band by band: to fill hundreds of megabytes takes long."""
    height = max(1, PIXELS_FILLED // whole.width())
    for top in range(0, whole.height(), height):
        band = QRectF(0, top, whole.width(), height)
        painter.save()  # and restored before others may give this up
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        painter.fillRect(band, Qt.GlobalColor.transparent)  # what is not of the picture at the edges
        painter.fillRect(band.intersected(area), ground)
        painter.restore()
        yield 0.0


def _image(job: _Job, scale: float) -> Stepwise[QImage]:
    width, height = math.ceil(job.rect.width() * scale), math.ceil(job.rect.height() * scale)
    if max(width, height) > LARGEST_SIDE:
        raise OSError(f"the picture would be {width} x {height} pixels; at most {LARGEST_SIDE} can be painted")
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    if image.isNull():
        raise OSError(f"there is no memory for a picture of {width} x {height} pixels")
    image.setDotsPerMeterX(round(UNITS_PER_INCH * scale / 0.0254))
    image.setDotsPerMeterY(round(UNITS_PER_INCH * scale / 0.0254))
    yield from _paint(job, image, scale)
    return image


def _write_png(job: _Job, file: QSaveFile, scale: float) -> Stepwise[None]:
    image = yield from share(_image(job, scale), 0.0, 0.8)
    encode = partial(_encoded, image)
    many = image.width() * image.height() > PIXELS_AT_ONCE
    file.write((yield from beside(encode)) if many else encode())


def _encoded(image: QImage) -> QByteArray:
    """The bytes of a PNG; OSError where there are none."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(buffer, QByteArray(b"png"))
    if not writer.write(image):
        raise OSError(writer.errorString())
    return buffer.data()


def _write_svg(job: _Job, file: QSaveFile, _scale: float) -> Stepwise[None]:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.ReadWrite)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(QSize(int(job.rect.width()), int(job.rect.height())))
    generator.setViewBox(QRectF(0, 0, job.rect.width(), job.rect.height()))
    generator.setResolution(int(UNITS_PER_INCH))
    generator.setTitle("Chalkgrad")
    yield from share(_paint_pages(job, generator, 1.0, buffer), 0.0, 0.9)
    yield from share(_copy(buffer, file, _with_css_families), 0.9, 1.0)


def _with_css_families(text: bytes) -> bytes:
    """Lines of an SVG with families of fonts that a browser understands."""
    for families, generic in ((MONO_FAMILIES, "monospace"), (UI_FAMILIES, "sans-serif")):
        text = text.replace(f'"{",".join(families)}"'.encode(), f'"{_css_families(families, generic)}"'.encode())
    return text


def _css_families(families: Iterable[str], generic: str) -> str:
    """A family list for CSS: with the generic family at its end for machines that have none of the others.

    One name that is none in CSS would have a browser leave out the whole list; Apple's font has another name there.
    """
    return ",".join([*("-apple-system" if family.startswith(".") else family for family in families), generic])


def _write_pdf(job: _Job, file: QSaveFile, _scale: float) -> Stepwise[None]:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.ReadWrite)
    writer = QPdfWriter(buffer)
    writer.setTitle("Chalkgrad")
    writer.setCreator("Chalkgrad")
    writer.setResolution(PDF_RESOLUTION)
    points = QSizeF(job.rect.width(), job.rect.height()) * (72.0 / UNITS_PER_INCH)
    size = QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch)
    writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF()))
    yield from share(_paint_pages(job, writer, PDF_RESOLUTION / UNITS_PER_INCH, buffer), 0.0, 0.9)
    yield from share(_copy(buffer, file), 0.9, 1.0)


def _copy(buffer: QBuffer, file: QSaveFile, as_written: Callable[[bytes], bytes] = bytes) -> Stepwise[None]:
    """Write all of a buffer to a file, some whole lines in each step, as ``as_written`` makes them."""
    buffer.seek(0)
    while not buffer.atEnd():
        portion = bytes(buffer.read(BYTES_AT_ONCE).data()) + bytes(buffer.readLine().data())
        file.write(as_written(portion))
        yield buffer.pos() / buffer.size()


def _write_tikz(job: _Job, file: QSaveFile, _scale: float) -> Stepwise[None]:
    device = TikzDevice(job.rect.size())
    yield from share(_paint(job, device, 1.0), 0.0, 0.9)
    lines = device.lines()
    while portion := list(islice(lines, LINES_AT_ONCE)):
        file.write("".join(f"{line}\n" for line in portion).encode("utf-8"))
        yield 0.9
