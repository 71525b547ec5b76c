"""Stepping through a backward and scrubbing through a trace.

``python benchmarks/stepping.py [cards|data|autograd] [STATEMENTS ...]``, in the real window with all its panels, at
1600 x 1000: one event on inside the backward, and a jump to any position of the trace, until nothing that is seen is
left to paint. CPU milliseconds, medians and the worst.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / folder) for folder in ("core", "app", "resources", "benchmarks")]

from PySide6.QtCore import QCoreApplication, QSettings  # noqa: E402
from slider import sheet  # noqa: E402

from chalkgrad.program.board import DRAWINGS  # noqa: E402

STEPS, JUMPS = 200, 40
STEP_MS, JUMP_MS = 1000 / 60, 30.0
SETTLE = 200


def taken(act: Callable[[], None]) -> float:
    """CPU milliseconds of an act and of what it makes the event loop do at once."""
    begun = time.process_time()
    act()
    QCoreApplication.processEvents()
    return 1000 * (time.process_time() - begun)


def report(what: str, times: list[float], aim: float) -> None:
    """Print one line."""
    median = statistics.median(times)
    ratio = "" if median <= aim else f"   over the aim of {aim:.0f}"
    print(f"  {what:44} {median:7.1f} ms, at most {max(times):6.1f} ms{ratio}")


def measure(window, count: int, unfolded: bool) -> None:
    """Step through the backward of a program, then jump about in its trace."""
    document, rows = window.document, window.docks.program.list.rows
    trace, line = document.session.trace, document.program.order[-1]
    what = f"{document.drawing}{', backward unfolded' if unfolded else ''}"
    print(f"{count} statements, one backward, {len(trace)} events, drawn as {what}")
    rows.unfold(line, unfolded)
    document.look_at(trace.events_of(line).start + 1)
    for _ in range(SETTLE):
        QCoreApplication.processEvents()
    report("one event on", [taken(lambda: document.step_event(1)) for _ in range(STEPS)], STEP_MS)
    random_ = random.Random(1)
    places = [random_.randrange(1, len(trace)) for _ in range(JUMPS)]
    report("scrubbed anywhere", [taken(lambda at=at: document.look_at(at)) for at in places], JUMP_MS)


def main() -> None:
    """Measure programs of the sizes given."""
    with tempfile.TemporaryDirectory() as folder:
        for kind in (QSettings.Format.IniFormat, QSettings.Format.NativeFormat):
            QSettings.setPath(kind, QSettings.Scope.UserScope, folder)
        from chalkgrad_app.application import application
        from chalkgrad_app.main import create_window

        app = application()
        drawing = sys.argv.pop(1) if sys.argv[1:] and sys.argv[1] in DRAWINGS else DRAWINGS[0]
        for count in [int(argument) for argument in sys.argv[1:]] or [1000, 14000]:
            window = create_window()
            window.resize(1600, 1000)
            window.document.begin(sheet(count))
            window.document.draw_as(drawing)
            window.show()
            window.document.finish()
            app.processEvents()
            for unfolded in (False, True):
                measure(window, count, unfolded)
            window.document.mark_saved()
            window.close()


if __name__ == "__main__":
    main()
