"""Painting what the board adds to the cards: frames, notes, labels and folded nodes."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRectF
from PySide6.QtGui import QBrush, QColor, QPainter

from chalkgrad.program.statement import Statement
from chalkgrad.source.literals import value_text
from chalkgrad_app.picture.anatomy import ERROR_STRIP
from chalkgrad_app.picture.brush import (
    DASHES,
    elided,
    measure,
    mixed,
    pen,
    write,
)
from chalkgrad_app.picture.code_lines import LINE
from chalkgrad_app.picture.counter_room import counter_room
from chalkgrad_app.picture.fold_paint import paint_fold
from chalkgrad_app.picture.folding import MARGIN, TITLE, with_values
from chalkgrad_app.picture.frames import CORNER, INSET, TINT, TITLE_SIZE, FrameShape, hue_role, tint, title_font
from chalkgrad_app.picture.look import LEAST, Level, Look
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.rings import paint_ring
from chalkgrad_app.style.fonts import mono_font, ui_font

EDGE, DOUBLE = 1.5, 3.0
"""The edge of a block in which gradients are switched is dashed, and so broad; that of a loop double, so far apart."""
ROOM = 0.6
"""What a title takes at most of the height above the first cards."""
GROUND = 1.2
"""How high the ground of a title is, in its size."""
LABEL_SIZE, LABEL_GAP, LABEL_HEIGHT = 12, 4.0, 18.0
CHIP = 17.0
"""Height of what stands above a parameter."""


def paint_frames(painter: QPainter, picture: Picture, look: Look, scene: QRectF) -> None:
    """Paint what lies below everything else."""
    for frame in _frames_within(picture, look, scene):
        _paint_frame(painter, frame, look)


def paint_titles(painter: QPainter, picture: Picture, look: Look, scene: QRectF) -> None:
    """Paint the titles of frames, but for those that stand beside the cards, as lines of the program.

    They are above wires, and have ground of their own there.
    """
    for frame in _frames_within(picture, look, scene):
        if (LINE, frame.id) not in picture.lines:
            _paint_title(painter, frame, look.rect(frame.rect), look)


def _frames_within(picture: Picture, look: Look, scene: QRectF) -> Iterator[FrameShape]:
    """The frames that are painted and not lifted."""
    for frame in picture.frames:
        if frame.rect.intersects(scene) and _is_wanted(look, frame.id) and not frame.moves_with(look.lifted):
            yield frame


def paint_notes(painter: QPainter, picture: Picture, look: Look, scene: QRectF) -> None:
    """Paint the notes, which lie below the cards, and above the edges of what stands beside these."""
    for note in picture.notes:
        rect = QRectF(note.x, note.y, note.width, note.height)
        if rect.intersects(scene) and _is_wanted(look, note.id) and note.id not in look.lifted:
            paint_note(painter, note.text(look.language), rect, look, note.id in look.selection)


def paint_above(painter: QPainter, picture: Picture, look: Look, scene: QRectF, plates: bool = True) -> None:
    """Paint what lies above the wires: folded nodes, and the labels of cards; titles on ``plates`` seen from afar."""
    for fold in picture.folds:
        wanted = look.only is None or not fold.hides.isdisjoint(look.only)
        if wanted and fold.rect.adjusted(-8, -8, 8, 8).intersects(scene) and look.lifted.isdisjoint(fold.hides):
            paint_fold(painter, with_values(picture, fold), look)
    if look.level is Level.FAR and plates:
        for frame in _frames_within(picture, look, scene):
            _paint_title(painter, frame, look.rect(frame.rect), look)
    if look.level is not Level.FAR:
        for id_, text in picture.board.labels.items():
            if id_ in picture.index and id_ not in look.lifted and _is_wanted(look, id_):
                _paint_label(painter, picture, id_, text, look, scene)
    if look.level is Level.NEAR:
        for id_ in picture.program.optimizers:
            if id_ in picture.index and id_ not in look.lifted and _is_wanted(look, id_):
                _paint_optimizers(painter, picture, id_, look, scene)


def paint_lifted(painter: QPainter, picture: Picture, look: Look) -> None:
    """Paint the notes, folded nodes and labels that :func:`paint_notes` and :func:`paint_above` left out.

    Of frames only the outline: they lie above what stays.
    """
    for frame in picture.frames:
        if frame.moves_with(look.lifted):
            _paint_frame(painter, frame, look, filled=False)
            if look.level is not Level.FAR and (LINE, frame.id) not in picture.lines:
                _paint_title(painter, frame, look.rect(frame.rect), look)
    for note in picture.notes:
        if note.id in look.lifted:
            rect = QRectF(note.x, note.y, note.width, note.height)
            paint_note(painter, note.text(look.language), rect, look, note.id in look.selection)
    for fold in picture.folds:
        if not look.lifted.isdisjoint(fold.hides):
            paint_fold(painter, with_values(picture, fold), look)
    if look.level is not Level.FAR:
        for id_ in look.lifted & picture.board.labels.keys() & picture.index.keys():
            _paint_label(painter, picture, id_, picture.board.labels[id_], look, picture.rect(id_))
    if look.level is Level.NEAR:
        for id_ in look.lifted & picture.program.optimizers.keys() & picture.index.keys():
            _paint_optimizers(painter, picture, id_, look, picture.rect(id_))


def label_rect(picture: Picture, id_: int) -> QRectF:
    """Where the label of a card lies, below the line with its error, in canvas units."""
    rect = picture.rect(id_)
    below = ERROR_STRIP if picture.below[picture.index[id_]] else 0.0
    return QRectF(rect.left(), rect.bottom() + LABEL_GAP + below, rect.width(), LABEL_HEIGHT)


# ---------------------------------------------------------------- frames


def _paint_frame(painter: QPainter, frame: FrameShape, look: Look, filled: bool = True) -> None:
    """A frame without its title."""
    theme, rect = look.theme, look.rect(frame.rect)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setBrush(QBrush(tint(frame.hue, look, frame.depth)) if filled else QBrush())
    ink, width = theme.color(hue_role(frame.hue) or "frame_edge"), max(1.0, look.zoom)
    dashed = frame.block and not frame.loop and look.level is not Level.FAR  # there names lie on edges
    painter.setPen(pen(ink, EDGE * width, DASHES) if dashed else pen(ink, width))
    painter.drawRoundedRect(rect, CORNER * look.zoom, CORNER * look.zoom)
    if frame.loop:
        apart = DOUBLE * width
        painter.setBrush(QBrush())
        inner = rect.adjusted(apart, apart, -apart, -apart)
        painter.drawRoundedRect(inner, CORNER * look.zoom - apart, CORNER * look.zoom - apart)
    if frame.id in look.selection:
        paint_ring(painter, frame.rect, CORNER, look)


def _title_scale(look: Look) -> float:
    """Titles are as large as at 100% as long as the row above the first cards has room for that."""
    room = ROOM * (MARGIN + TITLE) * look.zoom / TITLE_SIZE
    return max(look.zoom, LEAST * look.text_scale / TITLE_SIZE, min(look.text_scale, room))


def title_end(frame: FrameShape, look: Look) -> float:
    """How far from the left edge of a frame its title ends, in pixels, where it is not cut."""
    return _end(frame, look, _whole_title(frame, look) or frame.title)


def _end(frame: FrameShape, look: Look, text: str) -> float:
    width = measure(title_font(frame)).horizontalAdvance(text) * _title_scale(look)
    return INSET * min(look.zoom, _title_scale(look)) + width


def _whole_title(frame: FrameShape, look: Look) -> str:
    """The title where the frame has room for it, beside a counter if it can; nothing where it has to be cut.

    Of a loop that is what it counts where the heading is too long: how many rounds there are its counter says.
    """
    room = frame.rect.width() * look.zoom
    texts = [frame.title]
    if frame.loop and not look.vector and look.level is not Level.FAR:
        texts.append(frame.title.split(" in ")[0])
    counter, inset = counter_room(frame, look), INSET * min(look.zoom, _title_scale(look))
    fitting = (text for taken in (counter, inset) for text in texts if _end(frame, look, text) + taken <= room)
    return next(fitting, "")


def _paint_title(painter: QPainter, frame: FrameShape, rect: QRectF, look: Look) -> None:
    """The title, never smaller than can be read; nothing where the frame is too small for that."""
    scale = _title_scale(look)
    if rect.height() < TITLE_SIZE * scale or rect.width() < 24 * scale:
        return
    font = title_font(frame)
    painter.save()
    try:
        painter.translate(rect.topLeft())
        painter.scale(scale, scale)
        inset = INSET * min(1.0, look.zoom / scale)
        title = _whole_title(frame, look) or elided(frame.title, font, rect.width() / scale - 2 * inset)
        middle = 16 * min(1.0, look.zoom / scale + 0.4)
        if frame.block and look.level is not Level.FAR:  # the first cards stand right below
            middle = min(middle, (MARGIN + TITLE) * look.zoom / scale / 2)
        width = measure(font).horizontalAdvance(title)
        if look.level is Level.FAR and title:  # above cards
            plate = QColor(look.theme.color("canvas"))
            plate.setAlphaF(0.85)
            painter.fillRect(QRectF(1, 1, width + 2 * inset + 2, TITLE_SIZE + 5), plate)
        elif title and not frame.moves_with(look.lifted):
            high = GROUND * TITLE_SIZE
            painter.fillRect(QRectF(inset - 3, middle - high / 2, width + 6, high), _ground(frame, look))
        write(painter, title, font, look.theme.color("frame_text"), inset, middle)
    finally:
        painter.restore()


def _ground(frame: FrameShape, look: Look) -> QColor:
    """The colour that a frame has where it lies on the canvas."""
    role = hue_role(frame.hue)
    if role:
        return mixed(look.theme.color("canvas"), look.theme.color(role), TINT)
    return tint("", look, frame.depth)


# ---------------------------------------------------------------- notes and labels


def paint_note(painter: QPainter, text: str, rect: QRectF, look: Look, selected: bool = False) -> None:
    """Paint a note at ``rect``, in canvas units."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.save()
    try:
        painter.translate(look.point(rect.left(), rect.top()))
        painter.scale(look.zoom, look.zoom)
        painter.setPen(pen(look.theme.color("note_edge"), 1.0))
        painter.setBrush(QBrush(look.theme.color("note")))
        painter.drawRoundedRect(QRectF(0, 0, rect.width(), rect.height()), 4, 4)
    finally:
        painter.restore()
    if look.level is not Level.FAR:
        # With the first note: what Qt lays out texts with loads slowly.
        from chalkgrad_app.picture import note_brief, note_text

        (note_text if look.level is Level.NEAR else note_brief).paint(painter, text, rect, look)
    if selected:
        paint_ring(painter, rect, 4.0, look)


def _paint_label(painter: QPainter, picture: Picture, id_: int, text: str, look: Look, scene: QRectF) -> None:
    row = picture.index[id_]
    if picture.hidden[row]:
        return
    room = label_rect(picture, id_)
    if not room.united(picture.rect(id_)).intersects(scene):
        return
    painter.save()
    try:
        painter.translate(look.point(room.left(), room.top()))
        painter.scale(look.zoom, look.zoom)
        font = ui_font(max(LABEL_SIZE, look.least))
        shown = elided(text, font, room.width() * 1.5)
        left = (room.width() - measure(font).horizontalAdvance(shown)) / 2
        write(painter, shown, font, look.theme.color("muted"), left, max(room.height(), font.pixelSize()) / 2)
    finally:
        painter.restore()


def _paint_optimizers(painter: QPainter, picture: Picture, id_: int, look: Look, scene: QRectF) -> None:
    """Above a parameter: which optimisers update it, and how fast."""
    rect = picture.rect(id_)
    room = QRectF(rect.left(), rect.top() - CHIP - 2, rect.width(), CHIP)
    if picture.hidden[picture.index[id_]] or not room.united(rect).intersects(scene):
        return
    text = ", ".join(optimizer_text(picture.program[made]) for made in picture.program.optimizers[id_])
    font = mono_font(CHIP - 5)
    painter.save()
    try:
        painter.translate(look.point(room.left(), room.top()))
        painter.scale(look.zoom, look.zoom)
        shown = elided(text, font, room.width() - 14)
        plate = QRectF(0, 0, measure(font).horizontalAdvance(shown) + 14, CHIP)
        painter.setPen(pen(look.theme.color("tag_edge"), 1.0))
        painter.setBrush(QBrush(look.theme.color("tag")))
        painter.drawRoundedRect(plate, 4, 4)
        write(painter, shown, font, look.theme.color("tag_text"), 7, CHIP / 2)
    finally:
        painter.restore()


def optimizer_text(statement: Statement) -> str:
    """An optimiser in short: its name and its learning rate."""
    lr = statement.option("lr")
    return statement.call if lr is None else f"{statement.call} lr={value_text(lr)}"


def _is_wanted(look: Look, id_: int) -> bool:
    return look.only is None or id_ in look.only
