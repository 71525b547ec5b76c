"""Which widgets Tab goes to, and in which order: as they stand on the screen, row by row and column by column."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QScrollArea, QWidget

OVERLAP = 4
"""So many pixels, at most, rows and columns may reach into one another at either side."""

Span = Callable[[QRect], tuple[int, int]]
"""From where to where a rectangle reaches: across, or down."""


def takes_tab(widget: QWidget, window: QWidget) -> bool:
    """True for what Tab comes to within a window: seen, not disabled, and with a use for keys."""
    is_usable = widget.isVisible() and widget.isEnabled() and widget.window() is window
    return is_usable and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)


def go_on(window: QWidget, forward: bool, past: QWidget | None = None) -> bool:
    """Give the focus to the next or previous stop of ``window``, not to one within ``past``; False without any."""
    here = window.focusWidget()
    around = [stop for stop in tab_stops(window, here) if stop is here or not _is_within(stop, past)]
    if here is None or here not in around or len(around) == 1:
        return False
    there = around[(around.index(here) + (1 if forward else -1)) % len(around)]
    there.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
    _bring_into_view(there)
    return True


def tab_stops(window: QWidget, kept: QWidget | None = None) -> list[QWidget]:
    """What Tab comes to, in reading order; what contains others comes before them.

    ``kept`` is in it anyhow: who has the focus may have been hidden or disabled just now, and its place counts.
    """
    return list(_stops(window, window, kept))


def in_reading_order(rects: Sequence[QRect]) -> list[int]:
    """The indices of ``rects`` row by row; what no line across parts is read column by column."""
    return _cut(rects, list(range(len(rects))), (_down, _across))


def _stops(part: QWidget, window: QWidget, kept: QWidget | None) -> Iterator[QWidget]:
    if isinstance(part, QComboBox | QAbstractSpinBox):
        return  # the field within it has the focus together with it
    inner = []
    for child in part.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if child is kept or _is_seen(child, window) or (kept is not None and child.isAncestorOf(kept)):
            own = [child] if child is kept or takes_tab(child, window) else []
            if stops := own + list(_stops(child, window, kept)):
                inner.append((child.geometry(), stops))
    for at in _over_others_last([rect for rect, _ in inner]):
        yield from inner[at][1]


def _is_seen(child: QWidget, window: QWidget) -> bool:
    """False also for a panel that lies behind another's tab, and a tab bar not in use: Qt keeps both outside."""
    if child.isWindow() or not child.isVisible():
        return False
    return child.parentWidget() is not window or window.rect().intersects(child.geometry())


def _is_within(widget: QWidget, part: QWidget | None) -> bool:
    return part is not None and (widget is part or part.isAncestorOf(widget))


def _over_others_last(rects: Sequence[QRect]) -> list[int]:
    """Reading order, but what lies upon another, as a list that has opened, comes after all that it lies upon."""
    over = [at for at, rect in enumerate(rects) if any(below.contains(rect.center()) for below in rects[:at])]
    flat = [at for at in range(len(rects)) if at not in over]
    return [part[at] for part in (flat, over) for at in in_reading_order([rects[index] for index in part])]


def _cut(rects: Sequence[QRect], indices: list[int], ways: tuple[Span, Span]) -> list[int]:
    """Part ``indices`` by lines in the first of two directions, and each of the parts in the other one."""
    for first, then in (ways, ways[::-1]):
        parts = _parted(rects, indices, first)
        if len(parts) > 1:
            return [index for part in parts for index in _cut(rects, part, (then, first))]
    return sorted(indices, key=lambda index: (rects[index].center().y(), rects[index].center().x()))


def _parted(rects: Sequence[QRect], indices: list[int], span: Span) -> list[list[int]]:
    """Groups between which lies a line that cuts none."""
    groups: list[list[int]] = []
    reached = 0
    for index in sorted(indices, key=lambda index: span(rects[index])):
        start, end = span(rects[index])
        if groups and start < reached:
            groups[-1].append(index)
            reached = max(reached, end)
        else:
            groups.append([index])
            reached = end
    return groups


def _across(rect: QRect) -> tuple[int, int]:
    return _narrowed(rect.left(), rect.width())


def _down(rect: QRect) -> tuple[int, int]:
    return _narrowed(rect.top(), rect.height())


def _narrowed(start: int, length: int) -> tuple[int, int]:
    edge = min(OVERLAP, length // 4)
    return start + edge, start + length - edge


def _bring_into_view(widget: QWidget) -> None:
    """Scroll to what has the focus now, as Qt does only where the focus was in the same area before."""
    around = widget.parentWidget()
    while around is not None and not around.isWindow():
        if isinstance(around, QScrollArea):
            around.ensureWidgetVisible(widget)
        around = around.parentWidget()
