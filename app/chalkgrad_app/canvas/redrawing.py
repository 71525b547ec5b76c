"""Going from one drawing to another: places for what has none in it, and the way there, so that the eye keeps track.

Each card is taken out of the picture before, carried to where it is in the picture after, and turns into what it is
there. Nothing waits for it: the new picture is there at once, and any edit, key, click or turn of the wheel shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QEasingCurve, QEvent, QObject, QPointF, QRectF, QSizeF, QVariantAnimation, Signal, Slot
from PySide6.QtGui import QPainter, QPixmap

from chalkgrad.layout import Group
from chalkgrad.program.change import Change
from chalkgrad.stepwise import Stepwise, finished, share
from chalkgrad_app import settings
from chalkgrad_app.canvas import arrange, laying_out, moving_in, taking_over
from chalkgrad_app.canvas.beside_functions import show_functions
from chalkgrad_app.canvas.draw_as import drawing_name
from chalkgrad_app.canvas.fold_motion import between
from chalkgrad_app.canvas.layers import paint_background
from chalkgrad_app.canvas.viewport import ROUNDING, Viewport
from chalkgrad_app.i18n import language, translate
from chalkgrad_app.picture.batch import draw_lines
from chalkgrad_app.picture.brush import pen
from chalkgrad_app.picture.drawings import drawing_of
from chalkgrad_app.picture.look import ROWS_READ
from chalkgrad_app.picture.paint import THICK_WIRE, THIN_WIRE
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.wires import COARSE, Wire, cubics, flatten, lines_within
from chalkgrad_app.widgets.slices import Slices

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

AT_ONCE = 600
"""So many steps to another drawing are done at once, about four for each card."""
FEW = 12
"""With more cards than this they are laid out in the background, and lie roughly until then."""
MOTION_MS = 420
MOST = 2000
"""With more cards than this the drawings change at once."""
FADED = 150
"""With more cards than this in view none turns into the other little by little, but halfway."""
OLD_GONE, NEW_HERE = 0.015, 0.985
"""Parts of the way until which the whole picture before is seen, and from which on the one after."""
INTERRUPTING = frozenset({QEvent.Type.MouseButtonPress, QEvent.Type.Wheel, QEvent.Type.KeyPress, QEvent.Type.Resize})

LikeOther = tuple[Change, bool]
"""Places like those in another drawing, and whether all cards have one and none is in the way of another."""
WireKey = tuple[int, int, bool, int, int]


class _Seen(NamedTuple):
    """What was seen of a drawing: its picture, and in pixels of the widget where cards and wires were.

    ``bodies`` are those parts of cards that turn into one another.
    """

    pixmap: QPixmap
    rects: dict[int, QRectF]
    bodies: dict[int, QRectF]
    wires: dict[WireKey, np.ndarray]


class Redrawing(QObject):
    """Changes the drawing of a canvas."""

    shown = Signal()  # the other drawing is there; where it is seen can still be changed

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas)
        self.canvas = canvas
        self.slices = Slices("redrawing", self)
        self.slices.left.connect(self._on_left)
        canvas.slices.append(self.slices)
        self._wanted = ""
        self._then: Callable[[], object] | None = None
        self._like_other: LikeOther | None = None
        self._before: _Seen | None = None
        self._after: _Seen | None = None
        self._view: Viewport | None = None
        self._motion = QVariantAnimation(self)
        self._motion.setDuration(MOTION_MS)
        self._motion.setStartValue(0.0)
        self._motion.setEndValue(1.0)
        self._motion.setEasingCurve(QEasingCurve.Type.InOutCubic)
        self._motion.valueChanged.connect(self._on_step)
        self._motion.finished.connect(self.finish)
        canvas.overlay_painters.insert(0, self.paint)

    @property
    def is_active(self) -> bool:
        """True while cards are on their way."""
        return self._before is not None

    def show(self, drawing: str) -> None:
        """Show another drawing; one of many cards is made while the one before is seen."""
        if drawing == self.canvas.document.drawing:
            self.slices.give_up()
            return
        if drawing != self._wanted:
            self._then = None
        self._wanted = drawing
        self.slices.drop()  # it begins anew
        words = translate("Redrawing", "Drawing as {name}").format(name=drawing_name(drawing))
        self.slices.start(words, self._made(drawing), self._show_made, AT_ONCE)

    def look_then(self, look: Callable[[], object]) -> None:
        """Look at another part of the drawing that is being made, too, once it is there."""
        if self.slices.is_active:
            self._then = look

    def follow(self) -> None:
        """The document is another than before: what is made of it begins anew."""
        self.finish()
        if self.slices.is_active:
            self.show(self._wanted)

    def _made(self, drawing: str) -> Stepwise[tuple[Picture, LikeOther | None]]:
        """The picture of the document in another drawing, in steps, and places like those in the one before."""
        document, picture = self.canvas.document, Picture(language())
        sheet, state = document.sheet.drawn_as(drawing), document.state
        yield from share(picture.updating(sheet.program, sheet.board, state), 0.0, 0.9)
        new = arrange.unplaced(sheet)
        if not new:
            return picture, None
        return picture, (yield from share(taking_over.like_other(picture, sheet, state, new), 0.9, 1.0))

    def _show_made(self, made: tuple[Picture, LikeOther | None]) -> None:
        picture, self._like_other = made
        if picture.state.nodes is not self.canvas.document.session.trace.nodes:  # it ran anew meanwhile
            self.show(self._wanted)
            return
        self.canvas.following.expect(picture)
        self.canvas.document.draw_as(self._wanted)
        self._like_other = None

    @Slot()
    def _on_left(self) -> None:
        self._then = None
        words = translate("Redrawing", "It is drawn as before: the other drawing was given up.")
        self.canvas.document.told.emit(words)

    def go(self) -> None:
        """The document shows another drawing: show it, too."""
        canvas = self.canvas
        self.finish()
        if canvas.document.drawing == self._wanted:
            self.slices.drop()
        canvas.tidying.drop()
        painted = canvas.painted
        is_seen = canvas.isVisible() and 0 < len(painted.ids) <= MOST
        before = _seen(painted, canvas.viewport, canvas.backing_pixmap) if is_seen else None
        saw_all = canvas.shows_all or canvas.scene_rect().contains(painted.on_board())
        groups = laying_out.groups_of(painted)
        board = painted.board
        canvas.views.keep()
        canvas.show_drawing()
        if drawing_of(canvas.document.drawing).lays_out:
            canvas.document.amend(moving_in.moved_in(canvas.picture, board, groups))
        self._place(groups)
        self._show_well(saw_all, before)
        self._look()
        self.shown.emit()
        if before is not None and settings.MOTION.get():
            self._before, self._view = before, canvas.viewport.copied()
            self._after = _seen(canvas.picture, canvas.viewport, QPixmap())
            self._motion.start()
            canvas.installEventFilter(self)

    def show_more_rows(self, on: bool) -> None:
        """Show more attributes of each tensor in the autograd drawing, or the few that matter most; remembered."""
        settings.MORE_ROWS.set(on)
        self.canvas.show_drawing()
        if on:
            self._read_rows()

    def _read_rows(self) -> None:
        """Come so near that rows can be read, where somebody looks from further off: at what is selected, if it is."""
        canvas, target = self.canvas, self.canvas.viewport.copied()
        if target.zoom >= ROWS_READ or not (canvas.picture.ids and canvas.picture.drawing.shows_functions):
            return
        chosen = canvas.picture.bounds(canvas.document.selection)
        target.zoom_at(QPointF(canvas.rect().center()), ROWS_READ + ROUNDING)
        if not chosen.isEmpty():
            target.center_on(chosen.center(), QSizeF(canvas.size()))
        canvas.go_to(target, glide=True)

    def finish(self) -> None:
        """Be there now."""
        self._motion.stop()
        self.canvas.removeEventFilter(self)
        self._before = self._after = None
        self.canvas.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Whoever does something sees what there is."""
        if event.type() in INTERRUPTING:
            self.finish()
        return False

    # ------------------------------------------------------------ places and view

    def _place(self, groups: Collection[Group]) -> None:
        """Places like those in another drawing; failing those, what is new to this one is laid out.

        Where they were found beforehand, the canvas looks at its picture when they are there, and not before.
        """
        canvas, document = self.canvas, self.canvas.document
        new = arrange.unplaced(document.sheet)
        if not new:
            return
        is_all = len(new) == len(document.program.cards)
        change, is_well = self._like_other or finished(
            taking_over.like_other(canvas.picture, document.sheet, document.state, new)
        )
        document.amend(change)
        if is_well:
            return
        if not is_all:
            document.amend(arrange.place_missing(document.sheet, document.state))
        elif len(new) <= FEW:
            document.amend(finished(laying_out.laying_out_anew(canvas.picture, groups)))
        else:
            if not change:
                document.amend(arrange.place_roughly(document.sheet, document.state))
            canvas.tidying.settle(groups)

    def _show_well(self, saw_all: bool, before: _Seen | None) -> None:
        """As it was seen last.

        What is seen first: all of it where all was seen; else what was in the middle, or is selected, stays where it
        is, with the Function nodes next to it in view.
        """
        canvas = self.canvas
        if canvas.views.show():
            return
        anchor = None if saw_all or before is None else self._anchor(before)
        if anchor is None:
            canvas.fit_beginning()
            canvas.show_selected()
        else:
            card, old = anchor
            target = canvas.viewport.copied()
            away = canvas.viewport.rect_to_view(canvas.picture.rect(card)).center() - old.center()
            target.pan(-away.x(), -away.y())
            canvas.go_to(target, glide=False)
        shows_all = canvas.scene_rect().contains(canvas.picture.bounds(lines=False))
        if canvas.picture.drawing.shows_functions and not shows_all:
            show_functions(canvas, None if anchor is None else anchor[0])

    def _look(self) -> None:
        """Go where somebody asked for while the drawing was made."""
        look, self._then = self._then, None
        if look is not None:
            look()
            self.canvas.glide.finish()

    def _anchor(self, before: _Seen) -> tuple[int, QRectF] | None:
        """A card in view, and where it was on the widget before: a selected one, or that in the middle."""
        canvas, picture = self.canvas, self.canvas.picture
        window, middle = QRectF(canvas.rect()), QRectF(canvas.rect()).center()
        shown = [id_ for id_, rect in before.rects.items() if id_ in picture.index and window.intersects(rect)]
        chosen = [id_ for id_ in shown if id_ in canvas.document.selection or id_ == canvas.focus_id] or shown
        nearest = min(chosen, key=lambda id_: _distance(before.rects[id_].center(), middle), default=None)
        return None if nearest is None else (nearest, before.rects[nearest])

    # ------------------------------------------------------------ the way

    def _on_step(self, _part: object) -> None:
        if self._view is None or not self.canvas.viewport.shows_as(self._view):
            self.finish()
        self.canvas.update()

    def paint(self, painter: QPainter) -> None:
        """Paint the cards on their way, over the new picture."""
        before, after = self._before, self._after
        if before is None or after is None:
            return
        canvas, part = self.canvas, float(self._motion.currentValue())
        window = QRectF(canvas.rect())
        paint_background(painter, canvas.look(), window)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        self._paint_wires(painter, before, after, part, window)
        self._paint_cards(painter, before, after, part, window)
        for pixmap, opacity in (
            (before.pixmap, 1 - part / OLD_GONE),
            (canvas.backing_pixmap, (part - NEW_HERE) / (1 - NEW_HERE)),
        ):
            if opacity > 0:
                painter.setOpacity(opacity)
                painter.drawPixmap(0, 0, pixmap)

    def _paint_wires(self, painter: QPainter, before: _Seen, after: _Seen, part: float, window: QRectF) -> None:
        common = [key for key in after.wires if key in before.wires]
        if not common:
            return
        picture, look = self.canvas.picture, self.canvas.look()
        start, end = (np.array([seen.wires[key] for key in common]) for seen in (before, after))
        points = flatten(start + (end - start) * part, COARSE)
        thick = {_key(wire): bool(on) for wire, on in zip(picture.wires, picture.thick.tolist(), strict=True)}
        chosen = np.array([thick.get(key, False) for key in common])
        box = (window.left(), window.top(), window.right(), window.bottom())
        for rows, role, width in ((~chosen, "wire", THIN_WIRE), (chosen, "wire_grad", THICK_WIRE)):
            painter.setPen(pen(look.theme.color(role), max(0.75, width * look.zoom)))
            draw_lines(painter, lines_within(points[rows], box))

    def _paint_cards(self, painter: QPainter, before: _Seen, after: _Seen, part: float, window: QRectF) -> None:
        new = self.canvas.backing_pixmap
        seen = [
            id_
            for id_ in {**before.rects, **after.rects}
            if window.intersects(before.rects.get(id_, QRectF())) or window.intersects(after.rects.get(id_, QRectF()))
        ]
        fades = len(seen) <= FADED
        for id_ in seen:
            start, end = before.bodies.get(id_), after.bodies.get(id_)
            at = between(start or end or QRectF(), end or start or QRectF(), part)
            painter.setOpacity(1.0 if end is not None else 1 - part)
            if start is not None and (fades or part < 0.5):
                _paint_piece(painter, _carried(before.rects[id_], start, at), before.pixmap, before.rects[id_], window)
            if end is not None and (fades or part >= 0.5):
                painter.setOpacity(part if fades or start is None else 1.0)
                _paint_piece(painter, _carried(after.rects[id_], end, at), new, after.rects[id_], window)
        painter.setOpacity(1.0)


def _seen(picture: Picture, viewport: Viewport, pixmap: QPixmap) -> _Seen:
    shown = np.flatnonzero(~picture.hidden)
    ids = [picture.ids[row] for row in shown.tolist()]
    rects = np.stack([picture.x, picture.y, picture.w, picture.h], axis=1)[shown]
    bodies = np.array([picture.anatomy(id_).body for id_ in ids]).reshape(-1, 4)
    bodies[:, :2] += rects[:, :2]
    others = {note.id: (note.x, note.y, note.width, note.height) for note in picture.notes}
    others |= {fold.id: (fold.rect.x(), fold.rect.y(), fold.rect.width(), fold.rect.height()) for fold in picture.folds}
    ids = [*others, *ids]  # notes lie under cards
    beside = np.array(list(others.values())).reshape(-1, 4)
    curves = (cubics(picture.ends, picture.drawing.down) - np.tile(viewport.origin, 4)) * viewport.scale
    return _Seen(
        pixmap,
        dict(zip(ids, _on_widget(viewport, np.vstack([beside, rects])), strict=True)),
        dict(zip(ids, _on_widget(viewport, np.vstack([beside, bodies])), strict=True)),
        {_key(picture.wires[row]): curves[row] for row in np.flatnonzero(~picture.wire_hidden).tolist()},
    )


def _on_widget(viewport: Viewport, rects: np.ndarray) -> list[QRectF]:
    moved = (rects - (*viewport.origin, 0.0, 0.0)) * viewport.scale
    return [QRectF(*rect) for rect in moved.tolist()]


def _key(wire: Wire) -> WireKey:
    return wire[:5]


def _carried(rect: QRectF, body: QRectF, at: QRectF) -> QRectF:
    """Where a card's rectangle is when its body is ``at``."""
    across, down = at.width() / body.width(), at.height() / body.height()
    left, top = at.left() + (rect.left() - body.left()) * across, at.top() + (rect.top() - body.top()) * down
    return QRectF(left, top, rect.width() * across, rect.height() * down)


def _paint_piece(painter: QPainter, at: QRectF, pixmap: QPixmap, source: QRectF, window: QRectF) -> None:
    """What of a pixmap is in ``source``, stretched to ``at``; what lies outside of the window was never painted."""
    part = source.intersected(window)
    if part.isEmpty():
        return
    across, down = at.width() / source.width(), at.height() / source.height()
    target = QRectF(
        at.left() + (part.left() - source.left()) * across,
        at.top() + (part.top() - source.top()) * down,
        part.width() * across,
        part.height() * down,
    )
    dpr = pixmap.devicePixelRatio()
    painter.drawPixmap(
        target, pixmap, QRectF(part.left() * dpr, part.top() * dpr, part.width() * dpr, part.height() * dpr)
    )


def _distance(one: QPointF, other: QPointF) -> float:
    return (one - other).manhattanLength()
