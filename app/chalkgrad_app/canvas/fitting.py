"""Where cards are on the widget, and what is in view; what was fitted stays so until somebody moves the view."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSizeF
from PySide6.QtWidgets import QWidget

from chalkgrad_app.canvas.navigation import Navigation
from chalkgrad_app.canvas.viewport import Viewport
from chalkgrad_app.document import Document
from chalkgrad_app.picture.line_paint import are_read
from chalkgrad_app.picture.look import level_at
from chalkgrad_app.picture.picture import Picture

AROUND = 24
"""Pixels that are left free around what is brought into view."""


class Fitting(Navigation):
    """A widget that brings parts of the picture of a document into view."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._all_at: Viewport | None = None

    @property
    def document(self) -> Document:
        """The document shown."""
        raise NotImplementedError

    @property
    def picture(self) -> Picture:
        """The picture of the document as it is now."""
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
        bounds = self._all()
        self.fit_rect(bounds, glide)
        self._all_at = None if bounds.isEmpty() else self.glide.target.copied()

    def follow_text_size(self, scale: float) -> None:
        """Cards are as large as the text: what was fitted stays so, else what is in the middle stays there."""
        if scale == self.viewport.text_scale:
            return
        saw_all, middle = self.shows_all, self.to_scene(QPointF(self.rect().center()))
        self.viewport.text_scale = scale
        if saw_all:
            self.fit_all()
        else:
            self.viewport.center_on(middle, QSizeF(self.size()))

    def _all(self) -> QRectF:
        """The rectangle around everything, but for code that would be too small to be read."""
        bounds, fitted = self.picture.bounds(), self.viewport.copied()
        if bounds.isEmpty():
            return bounds
        fitted.fit(bounds, QSizeF(self.size()))
        return self.picture.bounds(lines=are_read(level_at(fitted.scale), fitted.scale))

    def fit(self, ids: Collection[int] = (), glide: bool = False) -> None:
        """Show ``ids``, or the selection, or everything when nothing is selected."""
        chosen = ids or self.document.selection
        self.fit_rect(self.picture.bounds(chosen) if chosen else self._all(), glide)

    def fit_rect(self, rect: QRectF, glide: bool = False) -> None:
        """Show a rectangle of the canvas; an empty one is nothing yet, at 100%."""
        target = self.viewport.copied()
        if rect.isEmpty():
            target.zoom = 1.0
            target.center_on(QPointF(0, 0), QSizeF(self.size()))
        else:
            target.fit(rect, QSizeF(self.size()))
        if not glide:
            self.repaint_still()
        self.go_to(target, glide)

    def ensure_visible(self, ids: Collection[int], glide: bool = False) -> None:
        """Pan as little as needed to show ``ids``, and zoom out where they don't fit."""
        self.ensure_rect_visible(self.picture.bounds(ids), glide)

    def ensure_rect_visible(self, rect: QRectF, glide: bool = False) -> None:
        """The same for a rectangle of the canvas."""
        if rect.isEmpty() or not self.isVisible():
            return
        view = self.glide.target.rect_to_view(rect.adjusted(-AROUND, -AROUND, AROUND, AROUND))
        if view.width() > self.width() or view.height() > self.height():
            self.fit_rect(rect, glide)
            return
        dx = max(0.0, -view.left()) - max(0.0, view.right() - self.width())
        dy = max(0.0, -view.top()) - max(0.0, view.bottom() - self.height())
        if dx or dy:
            self.show_moved(dx, dy, glide)

    def _id_of(self, name: str) -> int:
        ref = self.document.program.named(name)
        if ref is None:
            raise KeyError(name)
        return ref.statement
