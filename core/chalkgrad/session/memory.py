"""The memory of tensors over time: what a storage held before each write.

Writes are counted for each storage here, because PyTorch's version counter does not see those by way of ``.data``.
The one copy made before a write serves every tensor that shares the storage. When the copies exceed the budget no
more are made, and those values are not known later on: only shapes and flags are.
"""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from chalkgrad.engine.storage import data_ptr, owner, storage_id

BUDGET = 512 * 2**20
"""How many bytes of copies and gradients a trace keeps."""


class _Line:
    """One storage: the positions at which it was written, and what it held before, between and after them.

    A content is None where the budget did not allow to keep it; the last one also while nobody has asked for it: it
    is what is in memory now.
    """

    __slots__ = ("contents", "owner", "writes")

    def __init__(self, array: np.ndarray) -> None:
        self.owner = array
        self.writes: list[int] = []
        self.contents: list[np.ndarray | None] = [None]


class Memory:
    """All storages of a trace."""

    def __init__(self, budget: int = BUDGET) -> None:
        self.budget = budget
        self.used = 0
        self._lines: dict[int, _Line] = {}

    def about_to_write(self, array: np.ndarray) -> None:
        """Keep what the storage of ``array`` holds now."""
        self._freeze(self._line(array))

    def wrote(self, array: np.ndarray, position: int) -> None:
        """The storage of ``array`` holds something else from ``position`` on."""
        line = self._line(array)
        line.writes.append(position)
        line.contents.append(None)

    def value(self, array: np.ndarray, position: int) -> np.ndarray | None:
        """What ``array`` held at ``position``, never to be written; None where it wasn't kept."""
        line = self._line(array)
        writes = bisect_right(line.writes, position)
        if line.contents[writes] is None and writes == len(line.writes):
            if self.used + line.owner.nbytes > self.budget:
                return array.copy()
            self._freeze(line)
        content = line.contents[writes]
        return None if content is None else _shown(array, line.owner, content)

    def held(self, gradient: np.ndarray | None, position: int) -> np.ndarray | None:
        """What a gradient was at ``position``; None where it wasn't kept. Nearly all are never written: then itself."""
        line = None if gradient is None else self._lines.get(storage_id(gradient))
        written = line is not None and bool(line.writes) and line.writes[-1] > position
        return self.value(gradient, position) if written and gradient is not None else gradient

    def keep(self, gradient: np.ndarray) -> np.ndarray | None:
        """``gradient`` itself if the budget allows to keep it, else None."""
        if self.used + gradient.nbytes > self.budget:
            return None
        self.used += gradient.nbytes
        return gradient

    def _line(self, array: np.ndarray) -> _Line:
        whole = owner(array)
        line = self._lines.get(id(whole))
        if line is None:
            line = self._lines[id(whole)] = _Line(whole)
        return line

    def _freeze(self, line: _Line) -> None:
        """Copy what is in memory now, once, if the budget allows."""
        if line.contents[-1] is not None or self.used + line.owner.nbytes > self.budget:
            return
        self.used += line.owner.nbytes
        content = line.owner.copy(order="K").ravel(order="K")
        content.flags.writeable = False
        line.contents[-1] = content


def _shown(array: np.ndarray, whole: np.ndarray, content: np.ndarray) -> np.ndarray:
    """The part of ``content``, a flat copy of ``whole``, that ``array`` shows of ``whole``."""
    offset = 0 if array is whole or not array.size else data_ptr(array) - data_ptr(whole)
    shown: np.ndarray = np.ndarray(array.shape, array.dtype, content, offset, array.strides)
    return shown
