"""How large the counter of a loop is, and what it leaves of the row at the top of its frame for the title."""

from __future__ import annotations

from PySide6.QtCore import QSizeF
from PySide6.QtGui import QFontMetricsF

from chalkgrad_app.picture.folding import MARGIN, TITLE
from chalkgrad_app.picture.frames import FrameShape
from chalkgrad_app.picture.look import Level, Look
from chalkgrad_app.style.fonts import mono_font

PIXELS, LEAST = 13, 11
"""Height of the text at 100% and at least, before it is made larger for somebody who reads from afar."""
GAP = 8
"""From a counter to the line of its loop, to the edge of the frame, or to its title."""
ARROW = 1.5
"""How wide an arrow's field is, in heights of the text."""


def counter_size(text: str, look: Look) -> QSizeF:
    """How large a counter is that says this, with its arrows, in pixels."""
    metrics = QFontMetricsF(mono_font(round(max(LEAST * look.text_scale, PIXELS * min(look.zoom, look.text_scale)))))
    height = metrics.height() + 2
    return QSizeF(metrics.horizontalAdvance(text) + 6 + 2 * ARROW * height, height)


def counter_room(frame: FrameShape, look: Look) -> float:
    """What the counter of a loop takes beside its title, in pixels; 0 where it has no room above the cards."""
    size = counter_size(f"{frame.rounds} / {frame.rounds}", look)
    shows_one = frame.loop and not look.vector and look.level is not Level.FAR
    return size.width() + 2 * GAP if shows_one and size.height() <= (MARGIN + TITLE) * look.zoom else 0.0
