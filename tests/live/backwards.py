"""Searches for random programs whose backwards go otherwise, node by node, than in PyTorch, and shrinks what it finds.

``python tests/live/backwards.py --programs 1000 [--seed 0]``; exit status 1 when there is a difference.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
warnings.simplefilter("ignore")

import torch as theirs  # noqa: E402
from support.backward_scripts import anything  # noqa: E402
from support.backward_search import lines_differ, shrunk  # noqa: E402


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    theirs.set_num_threads(1)
    theirs.set_warn_always(True)
    different = 0
    for seed in range(options.seed, options.seed + options.programs):
        lines = anything(seed)
        found = lines_differ(theirs, lines)
        if found:
            different += 1
            least, found = shrunk(theirs, lines, found)
            print(f"# seed {seed}: {found[:500]}", *least, "", sep="\n", flush=True)
    print(f"{options.programs} programs, {different} with a difference")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
