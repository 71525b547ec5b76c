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
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
warnings.simplefilter("ignore")

import torch as theirs  # noqa: E402
from support.known_differences import explained  # noqa: E402
from support.outcomes import Difference, Run, first_difference  # noqa: E402
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


Found = tuple[int, list[str], Difference] | int
"""What a seed came to: its program, shrunk, with the difference, or the seed alone."""


def search(task: tuple[int, int]) -> Found:
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


def seeds(start: int, minutes: float, length: int) -> Iterator[tuple[int, int]]:
    """Seeds until the time is over."""
    end = time.monotonic() + minutes * 60
    seed = start
    while time.monotonic() < end:
        yield seed, length
        seed += 1


def searched(batch: list[tuple[int, int]], jobs: int) -> list[Found]:
    """What the seeds of a batch came to; those that end the process that tries them are searched one by one."""
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("fork")) as pool:
        try:
            return list(pool.map(search, batch))
        except BrokenProcessPool:
            pass
    if len(batch) > 1:
        return [found for task in batch for found in searched([task], 1)]
    seed, length = batch[0]
    lines = Maker(seed).program(length)
    return [seed if crashes(lines) else (seed, lines, Difference("", "process", "ended by the system", ""))]


def crashes(lines: list[str]) -> bool:
    """True for a program that ends a process in which PyTorch runs it alone: there is nothing to compare with."""
    child = multiprocessing.get_context("fork").Process(target=lambda: [*map(Run(theirs).line, lines)])
    child.start()
    child.join()
    return child.exitcode != 0


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
    waiting = seeds(options.seed, options.minutes, options.length)
    while batch := list(islice(waiting, 32 * options.jobs)):
        for found in searched(batch, options.jobs):
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
