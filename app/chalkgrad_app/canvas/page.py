"""The page of a drawing that reads downwards: one strip of its cards with their nodes, and the lines beside them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSizeF

from chalkgrad_app.canvas.viewport import Viewport
from chalkgrad_app.picture.code_lines import LONGEST
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.strips import BELOW, LINES, LINES_MARGIN


class Page:
    """The page on which card ``id_`` stands, as it has ``room`` across: with lines of one of these lengths, or none."""

    def __init__(self, picture: Picture, id_: int, room: float, lengths: Sequence[int]) -> None:
        self._picture = picture
        row = picture.index.get(id_)
        self._number = 0 if row is None else int(picture.strips_of([row])[0])
        self.rect = self._bounds(lines=False)
        self._has_lines = False
        for longest in lengths:
            picture.lines.shorten(picture, longest)
            bounds = self._bounds(lines=True)
            if bounds.width() <= room:
                self.rect, self._has_lines = bounds, True
                return
        picture.lines.shorten(picture, LONGEST)  # there is room for whoever goes there

    def leave_out(self, target: Viewport, size: QSizeF) -> None:
        """Have a view of it show no line of code in part: there is rather nothing beside it."""
        seen, strips = target.scene_rect(size), self._picture.strips
        for later in strips[self._number + 1 : self._number + 2]:
            over = seen.right() - (later.left - LINES - LINES_MARGIN)
            target.pan(min(max(0.0, over), max(0.0, self.rect.left() - seen.left())) * target.scale, 0.0)
        seen = target.scene_rect(size)
        if seen.width() >= self.rect.width() and not self._has_lines:
            before = max(0.0, self._end_of_lines() - seen.left())
            target.pan(-min(before, max(0.0, seen.right() - self.rect.right())) * target.scale, 0.0)

    def _bounds(self, lines: bool) -> QRectF:
        """The rectangle around it: of a drawing that goes on in strips beside each other, around one of them."""
        bounds, strips, number = self._picture.bounds(lines=lines), self._picture.strips, self._number
        if not strips:
            return bounds
        strip = strips[number]
        if number:
            bounds.setLeft(strip.left - LINES_MARGIN - (LINES if lines else 0.0))
        if number + 1 < len(strips):
            bounds.setRight(strip.end)
        bounds.setBottom(min(bounds.bottom(), max(strip.bottom, strip.foot) + BELOW))
        return bounds

    def _end_of_lines(self) -> float:
        """Where the first of the lines beside it ends; far off where there are none."""
        lines, left = self._picture.lines, self.rect.left()
        if not lines.keys:
            return float("-inf")
        ends = lines.x + lines.w
        here = ends[(ends <= left + LINES_MARGIN) & (ends > left - LINES)]
        return float(here.min(initial=float("inf"))) if len(here) else float("-inf")
