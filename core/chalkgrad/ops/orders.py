"""The order in which PyTorch's CPU code leaves equal elements: that of the C++ library's sorting and selecting.

Where all elements of a line differ NumPy gives the same, all lines at once; the others are gone through one by one.
Keys are ranks: integers, the smaller ones first.
"""

from __future__ import annotations

import numpy as np

Items = list[tuple[int, int]]
"""Keys and the places they came from."""

_SHORT = 16
_HEAP_FROM = 64


def sorted_places(lines: np.ndarray, descending: bool = False, stable: bool = False) -> np.ndarray:
    """Places of the elements of each line in sorted order."""
    in_order = stable or lines.shape[1] <= _SHORT
    places = np.argsort(lines, axis=1, kind="stable" if in_order else None)
    if in_order and not descending:
        return places
    unclear = _with_equals(np.take_along_axis(lines, places, 1))
    if descending:
        places = places[:, ::-1].copy()
    for row in np.flatnonzero(unclear):
        places[row] = sort_order(lines[row], descending, stable)
    return places


def top_places(lines: np.ndarray, count: int, largest: bool, in_order: bool) -> np.ndarray:
    """Places of the ``count`` largest or smallest elements of each line."""
    if not count or not (in_order or count * _HEAP_FROM <= lines.shape[1]):
        return np.array([top_order(line, count, largest, in_order) for line in lines]).reshape(len(lines), count)
    first = lines.shape[1] - count if largest else 0
    chosen = np.argpartition(lines, first if largest else count - 1, axis=1)[:, first : first + count]
    order = np.argsort(np.take_along_axis(lines, chosen, 1), axis=1)
    places = np.take_along_axis(chosen, order[:, ::-1] if largest else order, 1)
    found = np.take_along_axis(lines, places, 1)
    unclear = _with_equals(found) | _repeated(lines, found[:, -1:])
    for row in np.flatnonzero(unclear):
        places[row] = top_order(lines[row], count, largest, in_order)
    return places


def kth_places(lines: np.ndarray, k: int) -> np.ndarray:
    """The place of the element of each line that would be number ``k`` in sorted order."""
    places = np.argpartition(lines, k, axis=1)[:, k : k + 1].copy()
    for row in np.flatnonzero(_repeated(lines, np.take_along_axis(lines, places, 1))):
        places[row] = kth_place(lines[row], k)
    return places


def _with_equals(ordered: np.ndarray) -> np.ndarray:
    """Which of the lines, each in order, have equal elements; all NaN are equal."""
    equal: np.ndarray = np.any(ordered[:, 1:] == ordered[:, :-1], axis=1)
    equal |= np.count_nonzero(ordered != ordered, axis=1) > 1
    return equal


def _repeated(lines: np.ndarray, element: np.ndarray) -> np.ndarray:
    """Which of the lines have their ``element`` more than once, or have a NaN there."""
    repeated: np.ndarray = np.count_nonzero(lines == element, axis=1) != 1
    return repeated


def ranks(line: np.ndarray, descending: bool = False) -> np.ndarray:
    """The place of each element's value among all different ones; NaN is greater than all numbers."""
    found = np.unique(line, return_inverse=True)[1].reshape(-1)
    return -found if descending else found


def sort_order(line: np.ndarray, descending: bool = False, stable: bool = False) -> np.ndarray:
    """Places of the elements of ``line`` in sorted order."""
    keys = ranks(line, descending)
    if stable or len(keys) <= _SHORT or len(np.unique(keys)) == len(keys):
        return np.argsort(keys, kind="stable")
    return np.array([place for _, place in _sorted(_items(keys))])


def top_order(line: np.ndarray, count: int, largest: bool, in_order: bool) -> np.ndarray:
    """Places of the ``count`` largest or smallest elements of ``line``."""
    keys = ranks(line, largest)
    items = _items(keys)
    if count * _HEAP_FROM <= len(items):
        items = _heap_selected(items, count)
    elif count:
        _select(items, count - 1)
        if in_order:
            items[: count - 1] = _sorted(items[: count - 1])
    return np.array([place for _, place in items[:count]], np.int64)


def kth_place(line: np.ndarray, k: int) -> int:
    """The place of the element that would be number ``k`` in sorted order."""
    items = _items(ranks(line))
    _quick_select(items, k)
    return items[k][1]


def _items(keys: np.ndarray) -> Items:
    return list(zip(keys.tolist(), range(len(keys)), strict=True))


def _sorted(items: Items) -> Items:
    """Sorted by halves around pivots; what is short is left to insertion, which keeps the order of equal ones."""
    items = list(items)
    stack = [(0, len(items))]
    while stack:
        first, last = stack.pop()
        while last - first > _SHORT:
            cut = _partition(items, first, last)
            stack.append((cut, last))
            last = cut
    return sorted(items, key=lambda item: item[0])


def _select(items: Items, nth: int) -> None:
    """Bring the right element to place ``nth``, smaller ones before it."""
    first, last = 0, len(items)
    while last - first > 3:
        cut = _partition(items, first, last)
        if cut <= nth:
            first = cut
        else:
            last = cut
    items[first:last] = sorted(items[first:last], key=lambda item: item[0])


def _partition(items: Items, first: int, last: int) -> int:
    """Split around the median of three, put first; returns where the upper part begins."""
    _median_to_first(items, first, first + 1, first + (last - first) // 2, last - 1)
    pivot = items[first][0]
    low, high = first + 1, last
    while True:
        while items[low][0] < pivot:
            low += 1
        high -= 1
        while pivot < items[high][0]:
            high -= 1
        if low >= high:
            return low
        items[low], items[high] = items[high], items[low]
        low += 1


def _median_to_first(items: Items, to: int, a: int, b: int, c: int) -> None:
    low, middle, high = items[a][0], items[b][0], items[c][0]
    if low < middle:
        chosen = b if middle < high else c if low < high else a
    else:
        chosen = a if low < high else c if middle < high else b
    items[to], items[chosen] = items[chosen], items[to]


def _heap_selected(items: Items, count: int) -> Items:
    """The ``count`` first elements in order, kept in a heap while the others go by."""
    heap = items[:count]
    for start in range(count // 2 - 1, -1, -1):
        _sink(heap, start, count, heap[start])
    for item in items[count:]:
        if count and item[0] < heap[0][0]:
            _sink(heap, 0, count, item)
    for size in range(count - 1, 0, -1):
        moved, heap[size] = heap[size], heap[0]
        _sink(heap, 0, size, moved)
    return heap


def _sink(heap: Items, hole: int, size: int, item: tuple[int, int]) -> None:
    """Let the hole go down to a leaf, then ``item`` up from there."""
    top = hole
    while 2 * hole + 2 < size:
        child = 2 * hole + 2
        if heap[child][0] < heap[child - 1][0]:
            child -= 1
        heap[hole] = heap[child]
        hole = child
    if 2 * hole + 2 == size:
        heap[hole] = heap[size - 1]
        hole = size - 1
    while hole > top and heap[(hole - 1) // 2][0] < item[0]:
        heap[hole] = heap[(hole - 1) // 2]
        hole = (hole - 1) // 2
    heap[hole] = item


def _quick_select(items: Items, k: int) -> None:
    """Selection by partition around a median of three that stands first."""
    left, right = 0, len(items) - 1

    def order(a: int, b: int) -> None:
        if items[a][0] > items[b][0]:
            items[a], items[b] = items[b], items[a]

    while right > left:
        if right == left + 1:
            order(left, right)
            return
        middle = left + (right - left) // 2
        items[middle], items[left + 1] = items[left + 1], items[middle]
        order(left + 1, right)
        order(left, right)
        order(left + 1, left)
        pivot = items[left][0]
        low, high = left + 1, right
        while True:
            low += 1
            while pivot > items[low][0]:
                low += 1
            high -= 1
            while items[high][0] > pivot:
                high -= 1
            if high < low:
                break
            items[low], items[high] = items[high], items[low]
        items[left], items[high] = items[high], items[left]
        if high <= k:
            left = low
        if high >= k:
            right = high - 1
