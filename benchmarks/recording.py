"""What it costs to record a run: ``python benchmarks/recording.py [ROUNDS]``.

The graphs and training steps of ``core.py``, on the engine alone and with a recorder watching: every
tensor, node, gradient and release becomes an event of a trace. CPU time, in turns, medians. The garbage collector rests
meanwhile, as it does while a session runs.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / folder) for folder in ("core", "app", "resources", "benchmarks")]

from core import chain_on_tensors, wide_on_tensors  # noqa: E402
from networks import STEPS  # noqa: E402

from chalkgrad import torch as ours  # noqa: E402
from chalkgrad.engine.base import state  # noqa: E402
from chalkgrad.session.recorder import Recorder  # noqa: E402
from chalkgrad.session.tables import Tables  # noqa: E402

AIM = 2.0


def taken(run: Callable[[], object]) -> float:
    """CPU seconds of one run."""
    start = time.process_time()
    run()
    return time.process_time() - start


def recorded(run: Callable[[], object]) -> float:
    """CPU seconds of one run that is recorded."""
    state.observer = Recorder(Tables())
    state.look_again()
    try:
        return taken(run)
    finally:
        state.observer = None
        state.look_again()


def main() -> None:
    """Measure and print."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    runs = {"chain of 1,000": chain_on_tensors(ours), "10,500 operators": wide_on_tensors(ours)}
    runs |= {title: step(ours) for title, step in STEPS.items()}
    print(f"{'':44}{'bare':>10}{'recorded':>10}{'ratio':>8}")
    for title, run in runs.items():
        run()
        gc.collect()
        gc.disable()
        times = [(taken(run), recorded(run)) for _ in range(rounds)]
        gc.enable()
        bare, watched = (statistics.median(column) for column in zip(*times, strict=True))
        over = "" if watched <= AIM * bare else f"   over {AIM:g}"
        print(f"{title:44}{1e3 * bare:8.2f}ms{1e3 * watched:8.2f}ms{watched / bare:8.2f}{over}")


if __name__ == "__main__":
    main()
