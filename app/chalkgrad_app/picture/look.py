"""How a picture is to be painted: theme, words, zoom, what is selected, what is lifted off."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from enum import IntEnum
from importlib.resources import files
from math import ceil
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QTranslator

from chalkgrad_app.assets import PACKAGE
from chalkgrad_app.style.theme import Theme, load

NEAR, MIDDLE = 0.6, 0.25
ROWS_READ, ROWS_NEAR = 0.55, 0.85
"""The zoom from which on rows are written from some distance, and from which on as they are near."""
LEAST = 10.0
"""Text on the canvas is never smaller, in pixels at 100% text size."""
CLOSE = 0.85
"""But where rows or lines of code are long, they may be smaller by this."""
PORTION = 4
"""So many things are painted in one step."""


class Level(IntEnum):
    """How much of a card is painted."""

    FAR = 0
    MIDDLE = 1
    NEAR = 2


def level_at(zoom: float) -> Level:
    """The level of detail at ``zoom`` as people set it: screen pixels a canvas unit at 100% text size."""
    if zoom >= NEAR:
        return Level.NEAR
    return Level.MIDDLE if zoom >= MIDDLE else Level.FAR


class Words(NamedTuple):
    """The words that stand on cards, in one language."""

    leaf: str = "leaf"
    saved: str = "saved {n}"
    freed: str = "saved {n} freed"
    freed_briefly: str = "{n} freed"
    saves_nothing: str = "saves nothing"
    waiting: str = "waiting"
    not_reached: str = "not reached"
    to_come: str = "to come"
    failed: str = "failed"
    saver: str = "saved v{n}"
    writer: str = "wrote v{n}"
    one_card: str = "1 card"
    cards: str = "{n} cards"
    one_node: str = "1 node"
    nodes: str = "{n} nodes"
    line: str = "line {n}"
    gradient: str = "{nth} derivative"
    first: str = "1st"
    second: str = "2nd"
    third: str = "3rd"
    nth: str = "{n}th"

    def ordinal(self, order: int) -> str:
        """``1st``, ``2nd`` ..."""
        known = (self.first, self.second, self.third)
        return known[order - 1] if order <= len(known) else self.nth.format(n=order)

    def derivative(self, order: int) -> str:
        """``2nd derivative``."""
        return self.gradient.format(nth=self.ordinal(order))


def card_words(language: str | None = None) -> Words:
    """The words of cards in ``language``, or in that of the application as it is now."""
    other = QTranslator()
    if language is not None and not other.load(f"chalkgrad_{language}", str(files(PACKAGE) / "translations")):
        return Words()

    def translate(context: str, text: str) -> str:
        found = other.translate(context, text) if language is not None else ""
        return found or QCoreApplication.translate(context, text)

    return Words(
        leaf=translate("Card", "leaf"),
        saved=translate("Card", "saved {n}"),
        freed=translate("Card", "saved {n} freed"),
        freed_briefly=translate("Card", "{n} freed"),
        saves_nothing=translate("Card", "saves nothing"),
        waiting=translate("Card", "waiting"),
        not_reached=translate("Card", "not reached"),
        to_come=translate("Card", "to come"),
        failed=translate("Card", "failed"),
        saver=translate("Card", "saved v{n}"),
        writer=translate("Card", "wrote v{n}"),
        one_card=translate("Card", "1 card"),
        cards=translate("Card", "{n} cards"),
        one_node=translate("Card", "1 node"),
        nodes=translate("Card", "{n} nodes"),
        line=translate("Card", "line {n}"),
        gradient=translate("Card", "{nth} derivative"),
        first=translate("Card", "1st"),
        second=translate("Card", "2nd"),
        third=translate("Card", "3rd"),
        nth=translate("Card", "{n}th"),
    )


@dataclass(frozen=True)
class Look:
    """Everything that painting depends on beside the picture itself.

    ``zoom`` is screen pixels a canvas unit, ``origin`` the canvas point at the painter's (0, 0). ``node`` is the
    backward node selected. ``lifted`` cards with their wires, and ``lifted_wires`` (target, port), are left out:
    something else paints them. ``vector`` asks for real curves and text instead of sprites and flattened lines; then
    every card is painted near. ``only`` limits the picture to these cards, notes and frames, with the wires among them.
    ``text_scale`` is how much larger than usual somebody wants to read.
    """

    theme: Theme = field(default_factory=lambda: load("light"))
    zoom: float = 1.0
    dpr: float = 1.0
    origin: tuple[float, float] = (0.0, 0.0)
    selection: frozenset[int] = frozenset()
    focus: int | None = None
    node: int | None = None
    lifted: frozenset[int] = frozenset()
    lifted_wires: frozenset[tuple[int, int]] = frozenset()
    flashing: frozenset[int] = frozenset()
    words: Words = field(default_factory=Words)
    language: str = "en"
    vector: bool = False
    only: frozenset[int] | None = None
    text_scale: float = 1.0

    @property
    def level(self) -> Level:
        """The level of detail."""
        return Level.NEAR if self.vector else level_at(self.zoom / self.text_scale)

    @property
    def reads_rows(self) -> bool:
        """True where there is room for the rows of a card, if only by their names."""
        return self.level is Level.NEAR or self.zoom / self.text_scale >= ROWS_READ

    @property
    def shows_rows(self) -> bool:
        """True where the rows of a card can be read as they are written near."""
        return self.vector or self.zoom / self.text_scale >= ROWS_NEAR

    @property
    def least(self) -> int:
        """The size in canvas units of the smallest text."""
        return ceil(LEAST * self.text_scale / self.zoom)

    def lifting(self, ids: Collection[int]) -> Look:
        """The same with these cards and notes lifted, and no single wire."""
        return replace(self, lifted=frozenset(ids), lifted_wires=frozenset())

    def at(self, zoom: float, origin: tuple[float, float]) -> Look:
        """The same at another zoom and origin."""
        return replace(self, zoom=zoom, origin=origin)

    def point(self, x: float, y: float) -> QPointF:
        """A point of the canvas in the painter's pixels."""
        return QPointF((x - self.origin[0]) * self.zoom, (y - self.origin[1]) * self.zoom)

    def rect(self, rect: QRectF) -> QRectF:
        """A rectangle of the canvas in the painter's pixels."""
        corner = self.point(rect.left(), rect.top())
        return QRectF(corner.x(), corner.y(), rect.width() * self.zoom, rect.height() * self.zoom)

    def to_scene(self, rect: QRectF) -> QRectF:
        """A rectangle of the painter in canvas units."""
        x, y = self.origin
        left, top = x + rect.left() / self.zoom, y + rect.top() / self.zoom
        return QRectF(left, top, rect.width() / self.zoom, rect.height() / self.zoom)
