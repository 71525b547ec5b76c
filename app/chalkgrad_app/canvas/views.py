"""How each drawing of a document was seen last: who comes back to it finds it so, as long as the window is open."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from chalkgrad_app.canvas.fitting import View
from chalkgrad_app.picture.look import Level

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

CARD_TEXT, LECTURE_TEXT = 11.0, 20.0
"""Height of the smallest text of a card at 100%, and the least that it has in a lecture, in pixels."""
SAME = 2.0
"""A view that is so many pixels from another shows the same place: whole pixels are no move of anybody."""


class _Kept(NamedTuple):
    """A view, what was selected then, and whether all was in view."""

    view: View
    selection: frozenset[int]
    sees_all: bool


class Views:
    """The views of one canvas by drawing. They are no part of the document, and never an undo step.

    A lecture has views of its own, for the last row. Each begins at the place that was seen before it; one that
    somebody set is found again in the next lecture, unless another place is looked at by then.
    """

    def __init__(self, canvas: GraphCanvas) -> None:
        self._canvas = canvas
        self._in_lecture = False
        self.forget()

    def forget(self) -> None:
        """Another document is shown."""
        self._kept: dict[str, _Kept] = {}
        self._outside: dict[str, _Kept] = {}
        self._left: dict[str, _Kept] = {}
        """The views around the lecture before, and those set in it."""
        self._lecture: dict[str, _Kept] = {}
        self._given: dict[str, View] = {}
        """The views of this lecture that nobody chose."""

    def keep(self) -> None:
        """Remember how the drawing that was painted last is seen."""
        canvas = self._canvas
        sees_all = canvas.scene_rect().contains(canvas.painted.bounds(lines=False))
        self._kept[canvas.painted.drawing.name] = _Kept(canvas.view(), canvas.document.selection, sees_all)

    def show(self) -> bool:
        """Show the drawing as it was seen last, anew where nothing would be in view now; False where it never was.

        What was selected meanwhile comes into view.
        """
        canvas = self._canvas
        kept = self._kept.get(canvas.document.drawing)
        if kept is None:
            return self._in_lecture and self._show_larger()
        if not canvas.show_view(kept.view):
            canvas.fit_beginning()
        self._show_chosen(kept)
        return True

    def show_for_last_row(self) -> None:
        """Show all where each card says everything, else the beginning so large that the last row can read it."""
        canvas = self._canvas
        cards = [id_ for id_ in canvas.document.program.order if id_ in canvas.picture.index]
        if not cards:
            canvas.fit_beginning()
        elif not self._show_all_near(cards):
            canvas.ensure_visible([canvas.opens_at()])
        self._give()

    def enter_lecture(self) -> None:
        """Another place than at the end of the lecture before is where this one begins; else it goes on there."""
        self.keep()
        self._outside = self._kept
        self._kept = {
            drawing: kept
            for drawing, kept in self._lecture.items()
            if self._is_same(self._left.get(drawing), self._outside.get(drawing))
        }
        self._given, self._in_lecture = {}, True

    def leave_lecture(self) -> None:
        """All is seen again as it was before; what somebody set in the lecture is kept for the next."""
        self.keep()
        given = self._given
        self._lecture |= {
            drawing: kept
            for drawing, kept in self._kept.items()
            if drawing not in given or not self._shows_same(kept.view, given[drawing])
        }
        self._left, self._kept = dict(self._outside), self._outside
        self._in_lecture = False

    # ------------------------------------------------------------ inside

    def _show_larger(self) -> bool:
        """Show the place that was seen before the lecture; False where that was nothing that somebody had chosen."""
        canvas, kept = self._canvas, self._outside.get(self._canvas.document.drawing)
        if kept is None or (kept.view.begins and kept.view.is_fitted and not kept.sees_all):
            return False
        self.show_for_last_row()
        if kept.sees_all:
            self._show_chosen_larger()
        else:
            view = kept.view._replace(zoom=max(kept.view.zoom, canvas.viewport.zoom), is_fitted=False)
            canvas.show_view(view)
        self._show_chosen(kept)
        self._give()
        return True

    def _show_all_near(self, cards: list[int]) -> bool:
        """Show all, as large as that can be; else, and False then, as large as the last row needs it."""
        canvas = self._canvas
        canvas.fit_all()
        if canvas.viewport.level is Level.NEAR:
            return True
        canvas.fit(cards)
        least = math.ceil(100 * LECTURE_TEXT / CARD_TEXT / canvas.viewport.text_scale)
        if canvas.zoom_percent >= least:
            return True
        canvas.set_zoom_percent(least)
        return False

    def _show_chosen_larger(self) -> None:
        """Where not all is in view, as it was before, at least what is selected."""
        canvas = self._canvas
        if not canvas.shows_all and canvas.document.selection:
            canvas.show_selected()

    def _show_chosen(self, kept: _Kept) -> None:
        if self._canvas.document.selection != kept.selection:
            self._canvas.show_selected()

    def _give(self) -> None:
        self._given[self._canvas.document.drawing] = self._canvas.view()

    def _is_same(self, one: _Kept | None, other: _Kept | None) -> bool:
        if one is None or other is None:
            return one is other
        return self._shows_same(one.view, other.view)

    def _shows_same(self, one: View, other: View) -> bool:
        """True where two views differ by less than anybody who moves one of them makes them differ."""
        if one.is_fitted or other.is_fitted:
            return one.is_fitted == other.is_fitted and one.begins == other.begins
        away = (one.centre - other.centre).manhattanLength() * one.zoom * self._canvas.viewport.text_scale
        return away < SAME and math.isclose(one.zoom, other.zoom, rel_tol=0.01)
