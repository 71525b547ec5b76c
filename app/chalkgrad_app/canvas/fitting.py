"""Where cards are on the widget, and what is in view; what was fitted stays so until somebody moves the view."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, QSizeF
from PySide6.QtWidgets import QWidget

from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Ref
from chalkgrad_app.canvas.beside_functions import show_with_functions
from chalkgrad_app.canvas.navigation import Navigation
from chalkgrad_app.canvas.page import Page
from chalkgrad_app.canvas.reach import shown_as
from chalkgrad_app.canvas.viewport import BEGINNING, FIT_MARGIN, LEAST, LEAST_MARGIN, Viewport
from chalkgrad_app.document import Document
from chalkgrad_app.picture.code_lines import LONGEST
from chalkgrad_app.picture.far_names import FarNames
from chalkgrad_app.picture.line_paint import are_read
from chalkgrad_app.picture.look import NEAR, ROWS_READ, Level
from chalkgrad_app.picture.paint import lies_in
from chalkgrad_app.picture.picture import Picture

AROUND = 24
"""Pixels that are left free around what is brought into view."""
LENGTHS = (LONGEST, 40, 28, 18)
"""Lines of code have so many characters at most where everything is shown: the first of these that can be read."""
WAYS = ((NEAR, LENGTHS[:3]), (ROWS_READ, LENGTHS), (0.0, LENGTHS))
"""How large everything is rather shown, and how short lines of code may get for that: cards say most near."""
WHOLE = 0.75 * ROWS_READ
"""What reads downwards as a page does is shown whole, though rows are not read then, where it is not much smaller."""

TRIES, SMALLER = 8, 0.92
"""So often is what is fitted made smaller for the names beside it, and by what factor each time."""


class View(NamedTuple):
    """What was seen of a drawing: how large, and what was in the middle; whether it was fitted, or its beginning."""

    zoom: float
    centre: QPointF
    is_fitted: bool
    begins: bool


class Fitting(Navigation):
    """A widget that brings parts of the picture of a document into view."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.covered: Callable[[], QSize] = QSize
        """How large what lies over the lower right corner is: where all is shown, none of it lies there."""
        self._all_at: Viewport | None = None
        self._begins = False
        self._opens_at: int | None = None

    @property
    def document(self) -> Document:
        """The document shown."""
        raise NotImplementedError

    @property
    def picture(self) -> Picture:
        """The picture of the document as it is now."""
        raise NotImplementedError

    @property
    def far_names(self) -> FarNames:
        """The names beside what is seen from afar."""
        raise NotImplementedError

    def repaint_still(self) -> None:
        """Paint the still picture anew before it is shown next."""
        raise NotImplementedError

    @property
    def shows_all(self) -> bool:
        """True while everything is in view as it was fitted, and nobody moved the view."""
        return self.viewport.shows_as(self._all_at)

    def node_rect(self, name: str) -> QRect:
        """Where the card that binds ``name`` last lies on the widget; KeyError where there is none."""
        return self.viewport.rect_to_view(self.picture.rect(self._id_of(name))).toRect()

    def port_pos(self, name: str, port: int | str) -> QPoint:
        """Where a port lies on the widget: an input by its number, ``"value"`` or ``"grad"``; KeyError if missing."""
        wanted = ("input", port) if isinstance(port, int) else (port, 0)
        for candidate in self.picture.ports(self._id_of(name)):
            if (candidate.kind, candidate.index) == wanted:
                return self.to_view(QPointF(candidate.x, candidate.y)).toPoint()
        raise KeyError(f"{name!r} has no port {port!r}")

    def fit_all(self, glide: bool = False) -> None:
        """Show everything."""
        self._begins = False
        whole, target = QSizeF(self.size()), self.viewport.copied()
        bounds = self._all(whole)
        if bounds.isEmpty():
            self.fit_rect(bounds, glide)
            self._all_at = None
            return
        target.fit(bounds, whole)
        if self._is_covered(target):
            room = max(self._beside_covered(), key=lambda room: _zoom(self.viewport, bounds, room))
            target.fit(self._all(room), room)  # lines of code are as long there as this room has it
        self._show_fitted(target, glide)
        self._all_at = self.glide.target.copied()

    def fit_beginning(self, glide: bool = False) -> None:
        """Show everything where it can be read so, else a part of it as large as that: where it begins.

        Of what reads downwards as a page does that is the place that matters: see ``opens_at``.
        """
        self._opens_at = None
        self._fit_beginning(glide)

    def _fit_beginning(self, glide: bool) -> None:
        self.fit_all(glide)
        target = self.glide.target.copied()
        if not self.picture.ids or self._is_read(target):
            return
        self._begins = True
        self._opens_at = self.opens_at()
        card = self.picture.rect_of(self._opens_at) or QRectF()
        if self.picture.drawing.lays_out:
            page = Page(self.picture, self._opens_at, self._room_across(), LENGTHS)
            both = self._with_nodes(self._opens_at)
            has_room = both.width() <= self._room_across()
            target.fit_around(page.rect, both if has_room else card, QSizeF(self.size()))
            if not has_room:
                show_with_functions(self.picture, self._opens_at, target, QSizeF(self.size()), page.rect)
            page.leave_out(target, QSizeF(self.size()))
        else:
            target.fit_beginning(self.picture.bounds(), card, QSizeF(self.size()))
        self.repaint_still()
        self.go_to(target, glide)
        self._all_at = self.glide.target.copied()

    def _with_nodes(self, id_: int) -> QRectF:
        """A card together with its Function nodes."""
        nodes, both = self.picture.functions, self.picture.rect_of(id_) or QRectF()
        for key in nodes.of_cards({id_}):
            both = both.united(nodes.rect(key))
        return both

    def opens_at(self) -> int:
        """The card at which one looks first, where not all is seen; once it is seen from there that stays so.

        Of what reads downwards that is what is selected, else where the last backward begins, or the next would; of
        other drawings the first.
        """
        picture, program = self.picture, self.document.program
        if self._opens_at is not None and picture.rect_of(self._opens_at) is not None:
            return self._opens_at
        if not picture.drawing.lays_out:
            return picture.ids[0]
        found = self.document.root() if self.document.selected_statements else _last_root(program)
        found = found or self.document.root()
        last = found.statement if found is not None and found.statement in picture.index else picture.ids[-1]
        return shown_as(picture, last)

    def fit_again(self, glide: bool = False) -> None:
        """Show what was fitted last as it is now, at the size that there is now: everything, or the beginning."""
        (self._fit_beginning if self._begins else self.fit_all)(glide)

    def view(self) -> View:
        """What is in view when nothing moves any more."""
        target = self.glide.target
        centre = target.scene_rect(QSizeF(self.size())).center()
        return View(target.zoom, centre, target.shows_as(self._all_at), self._begins)

    def show_view(self, view: View) -> bool:
        """Show what was in view before: what was fitted as it is now. False where nothing would be seen there."""
        if view.is_fitted:
            self._begins = view.begins
            self.fit_again()
            return True
        target = self.viewport.copied()
        target.zoom = view.zoom
        target.center_on(view.centre, QSizeF(self.size()))
        if not lies_in(self.picture, _inside(target.scene_rect(QSizeF(self.size())), AROUND / target.scale)):
            return False
        self.repaint_still()
        self.go_to(target, glide=False)
        return True

    def show_selected(self) -> None:
        """What is selected is in view, where the view has room for it at its size."""
        rect = self.picture.bounds([id_ for id_ in self.document.selection if id_ in self.picture.index])
        seen = self.glide.target.rect_to_view(rect)
        if seen.width() <= self.width() and seen.height() <= self.height():
            self.ensure_rect_visible(rect)

    def follow_text_size(self, scale: float) -> None:
        """Cards are as large as the text: what was fitted stays so, else what is in the middle stays there."""
        if scale == self.viewport.text_scale:
            return
        saw_all, middle = self.shows_all, self.to_scene(QPointF(self.rect().center()))
        self.viewport.text_scale = scale
        if saw_all:
            self.fit_again()
        else:
            self.viewport.center_on(middle, QSizeF(self.size()))

    def _is_covered(self, target: Viewport) -> bool:
        """True where something lies over what a view shows."""
        covered, size = QSizeF(self.covered()), QSizeF(self.size())
        corner = QPointF(size.width() - covered.width(), size.height() - covered.height())
        seen = QRectF(target.to_scene(corner), covered / target.scale)
        return not covered.isEmpty() and lies_in(self.picture, seen)

    def _beside_covered(self) -> list[QSizeF]:
        """The room at the left of what lies over the corner, and that above it."""
        covered, size = QSizeF(self.covered()), QSizeF(self.size())
        left, above = size.width() - covered.width(), size.height() - covered.height()
        return [QSizeF(left, size.height()), QSizeF(size.width(), above)]

    def _all(self, size: QSizeF) -> QRectF:
        """The rectangle around everything: of lines of code with as much of each as can be read, or without them.

        They are read, or not, where all is fitted into ``size``. Where they would be read without room for them, and
        not with it, they have room: no line is cut by the edge.
        """
        bounds = cards = self.picture.bounds(lines=False)
        for least, lengths in WAYS:
            for longest in lengths if self._reads(cards, size, least) else ():
                self.picture.lines.shorten(self.picture, longest)
                bounds = self.picture.bounds()
                if self._reads(bounds, size, least):
                    return bounds
        self.picture.lines.shorten(self.picture, LONGEST)  # for whoever looks closer
        return self._with_names(bounds, size)

    def _with_names(self, bounds: QRectF, size: QSizeF, ids: Collection[int] | None = None) -> QRectF:
        """The same with the names, of all or of ``ids``, that stand beside it from afar, as large as all of it fits."""
        fitted = self.viewport.copied()
        fitted.fit(bounds, size)
        if bounds.isEmpty() or fitted.level is not Level.FAR or fitted.zoom < LEAST:
            return bounds  # what is so large that nobody can zoom out to it by hand has no room for names
        for _ in range(TRIES):  # the smaller all is, the more of it do names take
            room, least = (_inside(fitted.scene_rect(size), side / fitted.scale) for side in (FIT_MARGIN, LEAST_MARGIN))
            both = bounds.united(self.far_names.extent(self.picture, fitted.scale, ids))
            if both.width() <= least.width() and both.height() <= least.height():
                room.moveCenter(both.center())
                return room  # of this size: at another one names have other places
            fitted.zoom *= SMALLER
        return bounds

    def _is_read(self, whole: Viewport) -> bool:
        """True where a view of all can be read: of what reads downwards by larger names and values, if not by rows."""
        return whole.zoom >= WHOLE if self.picture.drawing.lays_out else whole.level is not Level.FAR

    def _room_across(self) -> float:
        """So wide is what has room beside each other at the size at which beginnings are shown."""
        return (self.width() - 2 * LEAST_MARGIN) / self.viewport.text_scale / BEGINNING

    def _reads(self, bounds: QRectF, size: QSizeF, least: float = 0.0) -> bool:
        """True where lines of code can be read when ``bounds`` are fitted, at ``least`` at this zoom."""
        fitted = self.viewport.copied()
        fitted.fit(bounds, size)
        return fitted.zoom >= least and are_read(fitted.zoom)

    def fit(self, ids: Collection[int] = (), glide: bool = False) -> None:
        """Show ``ids``, or the selection, or everything when nothing is selected."""
        chosen, size = ids or self.document.selection, QSizeF(self.size())
        if chosen:
            self.fit_rect(self._with_names(self.picture.bounds(chosen), size, chosen), glide)
        else:
            self.fit_all(glide)

    def fit_rect(self, rect: QRectF, glide: bool = False) -> None:
        """Show a rectangle of the canvas; an empty one is nothing yet, at 100%."""
        target = self.viewport.copied()
        if rect.isEmpty():
            target.zoom = 1.0
            target.center_on(QPointF(0, 0), QSizeF(self.size()))
        else:
            target.fit(rect, QSizeF(self.size()))
        self._show_fitted(target, glide)

    def _show_fitted(self, target: Viewport, glide: bool) -> None:
        if not glide:
            self.repaint_still()
        self.go_to(target, glide)

    def ensure_visible(self, ids: Collection[int], glide: bool = False) -> None:
        """Pan as little as needed to show ``ids``, and zoom out where they don't fit."""
        self.ensure_rect_visible(self.picture.bounds(ids), glide)

    def has_room_for(self, ids: Collection[int]) -> bool:
        """Whether all of ``ids`` can be seen at once, as large as they are seen."""
        return self.has_room_for_rect(self.picture.bounds(ids))

    def has_room_for_rect(self, rect: QRectF) -> bool:
        """The same for a rectangle of the canvas."""
        view = self.glide.target.rect_to_view(rect.adjusted(-AROUND, -AROUND, AROUND, AROUND))
        return view.width() <= self.width() and view.height() <= self.height()

    def ensure_rect_visible(self, rect: QRectF, glide: bool = False) -> None:
        """The same for a rectangle of the canvas."""
        if rect.isEmpty() or not self.isVisible():
            return
        if not self.has_room_for_rect(rect):
            self.fit_rect(rect, glide)
            return
        view = self.glide.target.rect_to_view(rect.adjusted(-AROUND, -AROUND, AROUND, AROUND))
        dx = max(0.0, -view.left()) - max(0.0, view.right() - self.width())
        dy = max(0.0, -view.top()) - max(0.0, view.bottom() - self.height())
        if dx or dy:
            self.show_moved(dx, dy, glide)

    def pan_to(self, rect: QRectF, glide: bool = False) -> None:
        """Pan as little as needed to show a rectangle of the canvas, at this size; of a larger one where it begins."""
        seen, room = self.glide.target.scene_rect(QSizeF(self.size())), 2 * AROUND / self.glide.target.scale
        most = QSizeF(seen.width() - room, seen.height() - room)
        self.ensure_rect_visible(QRectF(rect.topLeft(), rect.size().boundedTo(most)), glide)

    def _id_of(self, name: str) -> int:
        ref = self.document.program.named(name)
        if ref is None:
            raise KeyError(name)
        return ref.statement


def _last_root(program: Program) -> Ref | None:
    """What the last backward of a program begins at."""
    lines = (line for line in reversed(tuple(program)) if line.kind is Kind.BACKWARD)
    root = next((next(line.refs(), None) for line in lines), None)
    return None if root is None else program.maker(root)


def _zoom(viewport: Viewport, bounds: QRectF, size: QSizeF) -> float:
    """How large ``bounds`` are where they are fitted into a room of this size."""
    fitted = viewport.copied()
    fitted.fit(bounds, size)
    return fitted.zoom


def _inside(rect: QRectF, margin: float) -> QRectF:
    return rect.adjusted(margin, margin, -margin, -margin)
