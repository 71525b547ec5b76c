"""How something lies beside a card: it keeps its gap when it grows or shrinks, or the card does."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, QSize


class Span(NamedTuple):
    """From where to where something reaches in one direction."""

    start: int
    end: int


class Mooring(NamedTuple):
    """How far something lies from a card across and down: behind its end, before its start, or in line with that."""

    across: tuple[str, int]
    down: tuple[str, int]

    def place(self, card: QRect, size: QSize) -> QRect:
        """Where it lies with this size at the card as it is now."""
        left = _along(self.across, _across(card), size.width())
        return QRect(QPoint(left, _along(self.down, _down(card), size.height())), size)


def moored(card: QRect, place: QRect) -> Mooring:
    """How ``place`` lies beside ``card``."""
    return Mooring(_away(_across(card), _across(place)), _away(_down(card), _down(place)))


def _across(rect: QRect) -> Span:
    return Span(rect.left(), rect.left() + rect.width())


def _down(rect: QRect) -> Span:
    return Span(rect.top(), rect.top() + rect.height())


def _away(card: Span, other: Span) -> tuple[str, int]:
    if other.start >= card.end:
        return "behind", other.start - card.end
    if other.end <= card.start:
        return "before", card.start - other.end
    return "in line", other.start - card.start


def _along(away: tuple[str, int], card: Span, length: int) -> int:
    side, by = away
    if side == "behind":
        return card.end + by
    return card.start - by - length if side == "before" else card.start + by
