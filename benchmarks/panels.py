"""Opening the panels Memory and Versions on a large program: ``python benchmarks/panels.py [STATEMENTS ...]``.

In the real window: the longest time for which the event loop stands still between asking for a panel and its being
painted, and while the cursor jumps about with the panel open. CPU milliseconds, the worst of several.
"""

from __future__ import annotations

import os
import random
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

AIM = 50.0
TURNS, JUMPS = 20, 20


def longest(act: Callable[[], None]) -> float:
    """CPU milliseconds of the longest of the turns of the event loop that an act leads to, itself among them."""
    times = []
    for turn in (act, *[QCoreApplication.processEvents] * TURNS):
        begun = time.process_time()
        turn()
        times.append(1000 * (time.process_time() - begun))
    return max(times)


def measure(window, name: str) -> None:
    """Open one panel, then jump about."""
    document = window.document
    opened = longest(lambda: window.docks.show_panel(name))
    trace, random_ = document.session.trace, random.Random(1)
    places = [random_.randrange(1, len(trace)) for _ in range(JUMPS)]
    jumps = [longest(lambda at=at: document.look_at(at)) for at in places]
    over = f"   over the aim of {AIM:.0f}" if opened > AIM else ""
    print(f"  {name:10} opened {opened:6.1f} ms{over}   a jump with it open {max(jumps):6.1f} ms")
    window.docks.by_name[name].hide()
    document.back_to_now()


def main() -> None:
    """Measure programs of the sizes given."""
    with tempfile.TemporaryDirectory() as folder:
        for kind in (QSettings.Format.IniFormat, QSettings.Format.NativeFormat):
            QSettings.setPath(kind, QSettings.Scope.UserScope, folder)
        from chalkgrad_app.application import application
        from chalkgrad_app.main import create_window

        app = application()
        for count in [int(argument) for argument in sys.argv[1:]] or [1000]:
            window = create_window()
            window.resize(1600, 1000)
            window.document.begin(sheet(count))
            window.show()
            window.document.finish()
            window.document.select([window.document.program.order[0]])
            longest(app.processEvents)
            print(f"{count} statements, {len(window.document.session.trace)} events")
            for name in ("memory", "versions"):
                measure(window, name)
            window.document.mark_saved()
            window.close()


if __name__ == "__main__":
    main()
