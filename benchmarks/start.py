"""CPU and wall time to the first painted window, beside a bare PySide6 window: ``python benchmarks/start.py``.

Each start is a process of its own; the two kinds take turns, and the medians are printed with their ratio.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = Path(tempfile.gettempdir()) / "chalkgrad-benchmark-bytecode"
ROUNDS = 10
AIM_MS, AIM_RATIO = 250, 2.2

PAINTED = """
import sys, time
from PySide6.QtCore import QEvent, QObject, QTimer

class Watch(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            QTimer.singleShot(0, self.done)
        return False
    def done(self):
        sys.stdout.write(str(1000 * time.process_time()))
        sys.stdout.flush()
        import os
        os._exit(0)

watch = Watch()
"""

BARE = """
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
app = QApplication([])
window = QMainWindow()
window.setCentralWidget(QWidget())
window.resize(1280, 800)
seen = window.centralWidget()
"""

FIRST = """
import gc
gc.disable()  # as the command does until the first window is shown
from chalkgrad_app.__main__ import compute_alone, load_qt
compute_alone()
load_qt()
"""

OURS = """
from chalkgrad_app.main import create_window
from chalkgrad_app.application import application
app = application()
window = create_window()
seen = window.canvas
"""

RUN = """
seen.installEventFilter(watch)
window.show()
app.exec()
"""


def start(program: str, first: str = "") -> tuple[float, float]:
    """CPU and wall milliseconds of a fresh process until its window has been painted and takes the next event.

    ``first`` runs before Qt is there.
    """
    paths = os.pathsep.join(str(ROOT / part) for part in ("core", "app", "resources"))
    environment = {**os.environ, "PYTHONPATH": paths, "QT_LOGGING_RULES": "*=false"}
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    # As an installed program starts: with its byte code there, whatever the shell says.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment["PYTHONPYCACHEPREFIX"] = str(CACHE)
    command = [sys.executable, "-c", first + PAINTED + program + RUN]
    began = time.perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout), 1000 * (time.perf_counter() - began)


def main() -> None:
    """Measure and print."""
    start(OURS, FIRST), start(BARE)  # byte code and disk caches
    bare: list[tuple[float, float]] = []
    ours: list[tuple[float, float]] = []
    for _ in range(ROUNDS):
        bare.append(start(BARE))
        ours.append(start(OURS, FIRST))
    for place, clock in enumerate(("CPU", "wall")):
        one, other = (statistics.median(times[place] for times in kind) for kind in (bare, ours))
        print(f"bare PySide6 window  {one:6.0f} ms {clock} (median of {ROUNDS})")
        print(f"Chalkgrad            {other:6.0f} ms {clock} (median of {ROUNDS})")
        print(f"ratio                {other / one:6.2f}   (aim: {AIM_MS} ms, or {AIM_RATIO} x the bare one)")


if __name__ == "__main__":
    main()
