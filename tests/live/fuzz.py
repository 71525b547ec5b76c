"""Searches for programs that behave differently on PyTorch and on ours, and shrinks what it finds.

``python tests/live/fuzz.py --minutes 5 [--seed 0] [--jobs 1] [--length 16]``; exit status 1 when there is a difference.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
warnings.simplefilter("ignore")

import torch as theirs  # noqa: E402
from support.known_differences import explained  # noqa: E402
from support.outcomes import Difference, first_difference  # noqa: E402
from support.random_programs import Maker  # noqa: E402

from chalkgrad import torch as ours  # noqa: E402


def examined(lines: list[str]) -> Difference | None:
    """The first difference that nobody has explained."""
    found = first_difference(ours, theirs, lines)
    return None if found is None or explained(found.signature) else found


def shrunk(lines: list[str], difference: Difference) -> tuple[list[str], Difference]:
    """The least program, got by leaving out lines, that still shows the same kind of difference."""
    best, last = lines[: lines.index(difference.line) + 1], difference
    place = len(best) - 2
    while place >= 0:
        fewer = best[:place] + best[place + 1 :]
        found = examined(fewer)
        if found is not None and found.signature == difference.signature:
            best, last = fewer, found
        place -= 1
    return best, last


def search(task: tuple[int, int]) -> tuple[int, list[str], Difference] | int:
    """One seed: what it shows, shrunk, or the seed alone."""
    seed, length = task
    theirs.set_num_threads(1)
    theirs.set_warn_always(True)
    lines = list(dict.fromkeys(Maker(seed).program(length)))
    try:
        found = examined(lines)
        return seed if found is None else (seed, *shrunk(lines, found))
    except Exception as error:  # whatever looking at the tensors runs into is a difference too
        return seed, lines, Difference(lines[-1], "looking", f"{type(error).__name__}: {error}", "")


def seeds(start: int, minutes: float, length: int):
    """Seeds until the time is over."""
    end = time.monotonic() + minutes * 60
    seed = start
    while time.monotonic() < end:
        yield seed, length
        seed += 1


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--length", type=int, default=16)
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    programs = 0
    with multiprocessing.get_context("fork").Pool(options.jobs) as pool:
        waiting = seeds(options.seed, options.minutes, options.length)
        while batch := [task for task, _ in zip(waiting, range(8 * options.jobs), strict=False)]:
            for found in pool.imap_unordered(search, batch):
                programs += 1
                if isinstance(found, int):
                    continue
                seed, lines, difference = found
                counts[difference.signature] += 1
                if counts[difference.signature] == 1:
                    print("\n".join([f"# seed {seed}: {difference}", *lines, ""]), flush=True)
    print(f"{programs} programs, {sum(counts.values())} with a difference, {len(counts)} kinds")
    for signature, count in counts.most_common():
        print(f"{count:5}  {signature}")
    return int(bool(counts))


if __name__ == "__main__":
    sys.exit(main())
