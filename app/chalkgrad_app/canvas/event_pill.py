"""What has just happened to a card inside a backward, said beside it: ``grad += [3.]``, a sum, a hook, a release."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPen

from chalkgrad.session.events import Event, EventKind
from chalkgrad.session.state import State
from chalkgrad.session.trace import Trace
from chalkgrad_app.canvas.clearance import around, outside, written
from chalkgrad_app.canvas.gradient_pills import GradientPills, short_text
from chalkgrad_app.i18n import translate
from chalkgrad_app.picture import brush
from chalkgrad_app.picture.look import Level
from chalkgrad_app.style import theme
from chalkgrad_app.style.fonts import mono_font

if TYPE_CHECKING:
    from chalkgrad_app.canvas.view import Canvas

GIVES = frozenset({EventKind.ACCUMULATED, EventKind.RETAINED})
TEXT, LEAST, EDGE, GAP = 13, 11, 8.0, 9.0
"""Height of the text at 100% and at least, room beside it, and how far it stands off the card, in pixels."""
DEARER = 20.0
"""What each further place beside a card costs, in pixels of names and values that it hides."""


class Said(NamedTuple):
    """What happened: at which card, in words, whether it is about saved values, and whether ``retain_grad`` did it."""

    card: int
    text: str
    frees: bool = False
    pinned: bool = False


class EventPill(QObject):
    """Says what happened last on one canvas, where no gradient's pill stands; an overlay painter."""

    def __init__(self, canvas: Canvas, pills: GradientPills) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._pills = pills
        self.placed: QRectF | None = None
        """Where it was painted last, in pixels of the canvas."""
        canvas.overlay_painters.append(self.paint)

    def said(self) -> Said | None:
        """What happened right before the cursor, where that stands inside a line and a card can say it."""
        document = self._canvas.document
        cursor, trace = document.cursor, document.session.trace
        if cursor is None or not 0 < cursor <= len(trace) or not document.state.inside:
            return None
        return _said(trace, trace.events[cursor - 1], document.state)

    def paint(self, painter: QPainter) -> None:
        """Paint it, unless the cards are too small for words."""
        said, picture = self.said(), self._canvas.picture
        self.placed = None
        if said is None or self._canvas.viewport.level is Level.FAR:
            return
        rect = picture.rect_of(said.card)
        if rect is None or picture.hidden[picture.index.get(said.card, 0)]:
            return
        area = self._canvas.viewport.rect_to_view(rect)
        above = picture.drawing.down and not picture.anatomy(said.card).inputs  # wires leave a leaf below there
        painter.setFont(mono_font(max(LEAST, round(TEXT * self._canvas.look().zoom)), True))
        self.placed = self._place(area, _size(painter, said), above)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _paint(painter, self.placed, said)

    def _place(self, area: QRectF, size: QSizeF, above: bool) -> QRectF:
        """Below its card or above it, else beside it: where the fewest names and values are hidden, and no gradient."""
        width, height = size.width(), size.height()
        up, down = area.top() - GAP - height / 2, area.bottom() + GAP + height / 2
        first, second = (up, down) if above else (down, up)
        left, middle, right = area.left() + width / 2, area.center().x(), area.right() - width / 2
        beside = area.right() + GAP + width / 2, area.left() - GAP - width / 2
        centres = [(x, y) for y in (first, second) for x in (middle, left, right)]
        boxes = around(np.array([*centres, *((x, area.center().y()) for x in beside)]), np.array([width, height]))
        costs = DEARER * np.arange(len(boxes)) + outside(boxes, QRectF(self._canvas.rect()))
        clear, taken = written(self._canvas), self._pills.placed
        found = clear.best(boxes, costs, taken) or clear.best(boxes, costs, ())
        assert found is not None
        return found


def _said(trace: Trace, event: Event, state: State) -> Said | None:
    kind = event.kind
    if kind in GIVES and event.tensors[0] is not None:
        is_covered = state.covered is not None and state.covered(event.tensors[0])
        sign = "=" if "first" in event.names else "+="
        text = f"grad {sign} {_values(event.incoming, is_covered)}"
        return Said(trace.made_by(event.tensors[0]), text, pinned=kind is EventKind.RETAINED)
    if event.node is None:
        return None
    card = trace.nodes[event.node].statement
    came, went = (_values(gradients, state.covered is not None) for gradients in (event.incoming, event.outgoing))
    if kind is EventKind.SUMMED:
        return Said(card, f"+ {came} = {went}")
    if kind is EventKind.CAPTURED:
        return Said(card, f"autograd.grad: {came}")
    if kind is EventKind.DROPPED:
        return Said(card, translate("EventPill", "{gradient}: nothing is added").format(gradient=came))
    if kind is EventKind.HOOK_RAN:
        return Said(card, f"λ {came} → {went}")
    if kind is EventKind.FREED:
        names = ", ".join(kept.name for kept in trace.saved_by(event.node))
        return Said(card, translate("EventPill", "frees {names}").format(names=names), frees=True)
    return None


def _values(gradients: tuple[np.ndarray | None, ...], is_covered: bool) -> str:
    return ", ".join("None" if g is None else "?" if is_covered else short_text(g) for g in gradients)


def _size(painter: QPainter, said: Said) -> QSizeF:
    """What it needs in the painter's font, its pin included."""
    height = painter.fontMetrics().height() + 6.0
    return QSizeF(painter.fontMetrics().horizontalAdvance(said.text) + 2 * EDGE + _pin(said, height), height)


def _pin(said: Said, height: float) -> float:
    return height * 0.6 if said.pinned else 0.0


def _paint(painter: QPainter, rect: QRectF, said: Said) -> None:
    look = theme.current()
    if said.frees:
        painter.setPen(QPen(look.color("function_edge"), 1.5, Qt.PenStyle.DashLine))
        painter.setBrush(look.color("card"))
    else:
        painter.setPen(QPen(look.color("card"), 1.5))
        painter.setBrush(look.color("grad"))
    painter.drawRoundedRect(rect, 6.0, 6.0)
    pin = _pin(said, rect.height())
    if pin:
        brush.pin(painter, QPointF(rect.left() + EDGE / 2 + pin / 2, rect.center().y()), pin, look.color("grad_text"))
    painter.setPen(look.color("function_ink" if said.frees else "grad_text"))
    painter.drawText(rect.adjusted(EDGE + pin, 0, -EDGE, 0), Qt.AlignmentFlag.AlignVCenter, said.text)
