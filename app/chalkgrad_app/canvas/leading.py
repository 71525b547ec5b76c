"""Leads wires and arrows round things where somebody looks, once nothing moves: in slices, between two pictures."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QPainter

from chalkgrad.layout.boxes import meeting
from chalkgrad_app.picture.look import Level
from chalkgrad_app.running_sheet import SLICE_MS

if TYPE_CHECKING:
    from chalkgrad_app.canvas.view import Canvas

REST_MS = 60
"""How long nothing has to move before wires are led."""
BEHIND_S = 0.2
"""For so long, in seconds, the picture may not show yet what was found: painting takes longer than finding."""
MOST_AFAR = 600
"""Of more wires than this seen from afar nobody sees where they run."""


class Leading(QObject):
    """Leads the wires of one canvas."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._is_behind, self._painted_at = False, 0.0
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._on_rest)
        canvas.overlay_painters.append(self._painted)

    def _painted(self, _painter: QPainter) -> None:
        self._painted_at = perf_counter()
        self._rest.start(REST_MS)

    def _on_rest(self) -> None:
        """Lead for a slice, and then for the next; when that changed wires, the picture is painted again in time."""
        canvas = self._canvas
        picture, seen = canvas.picture, canvas.scene_rect()
        rows = np.flatnonzero(meeting(picture.boxes, (seen.left(), seen.top()), (seen.right(), seen.bottom())))
        if canvas.look().level is Level.FAR and len(rows) > MOST_AFAR:
            return
        is_done = picture.has_ways(rows, seen)
        if not is_done:
            self._is_behind |= picture.find_ways(rows, SLICE_MS / 1000, seen)
            self._rest.start(0)
        if self._is_behind and (is_done or perf_counter() - self._painted_at > BEHIND_S):
            self._is_behind = False
            canvas.repaint_still()
