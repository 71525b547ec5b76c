"""Tidying as a process of its own: a task on standard input, the drawing on standard output.

    python -m chalkgrad.layout

How much is done is written to standard error, in per cent, a number a line.
"""

from __future__ import annotations

import sys

from chalkgrad.layout.groups import tidied
from chalkgrad.layout.task import encode_drawing, read


def main() -> None:
    """Lay out one task."""
    task = read(sys.stdin.read())
    sys.stdout.write(encode_drawing(tidied(task, _tell)))


def _tell(done: float) -> None:
    sys.stderr.write(f"{100 * done:.0f}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
