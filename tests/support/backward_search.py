"""Whether backwards of random lines go as in PyTorch, and the least lines that show where they don't."""

from __future__ import annotations

from types import ModuleType

from support.backward_log import difference, ours_of_lines, theirs_of_lines
from support.known_differences import explained
from support.outcomes import compared

from chalkgrad import torch as ours


def lines_differ(torch: ModuleType, lines: list[str]) -> str:
    """The first thing in which the backwards of random lines differ, in words.

    Where something does, only those lines count after which both sides had the same tensors: what goes on with numbers
    that rounding decided (vectors of a singular matrix, a slope where terms cancel) is another backward.
    """
    found = difference(ours_of_lines(lines), theirs_of_lines(torch, lines))
    if not found:
        return ""
    count, parted = compared(ours, torch, lines)
    if parted is not None and not explained(parted.signature):
        return f"{found}; {parted}"
    alike_so_far = lines[:count]
    return difference(ours_of_lines(alike_so_far), theirs_of_lines(torch, alike_so_far))


def shrunk(torch: ModuleType, lines: list[str], found: str) -> tuple[list[str], str]:
    """The least program, got by leaving out lines, that still differs."""
    best, last = lines, found
    for place in reversed(range(len(lines))):
        fewer = best[:place] + best[place + 1 :]
        again = lines_differ(torch, fewer)
        if again:
            best, last = fewer, again
    return best, last
