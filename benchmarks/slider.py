"""A slider dragged in a program of 1,000 statements with one backward: ``python benchmarks/slider.py [STATEMENTS]``.

One step is one new value of the leaf at the beginning, in the real window with all its panels: the program runs again,
is traced, and what is seen is painted, until nothing is left to do. CPU milliseconds, medians, and the longest time
for which the event loop was held up.
"""

from __future__ import annotations

import gc
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / folder) for folder in ("core", "app", "resources")]

from PySide6.QtCore import QCoreApplication, QPoint, QSettings, Qt  # noqa: E402
from PySide6.QtTest import QTest  # noqa: E402

from chalkgrad.program.board import Board, Place  # noqa: E402
from chalkgrad.program.program import Program  # noqa: E402
from chalkgrad.program.sheet import Sheet  # noqa: E402
from chalkgrad.program.statement import Kind, Ref, Statement  # noqa: E402

STEPS = 20
AIM_MS = 33.0
COLUMN, ROW, TALL = 240.0, 136.0, 25


def sheet(count: int) -> Sheet:
    """A leaf, operators that all depend on it, and a backward from the last."""
    made = [Statement(1, Kind.LEAF, "tensor", ("w",), (1.0,), (("requires_grad", True),))]
    for id_ in range(2, count):
        before = Ref(id_ - 1)
        if id_ % 3 == 0:
            made.append(Statement(id_, Kind.OP, "tanh", (f"a{id_}",), (before,)))
        elif id_ % 3 == 1:
            made.append(Statement(id_, Kind.OP, "add", (f"a{id_}",), (before, Ref(max(1, id_ - 20))), style="operator"))
        else:
            made.append(Statement(id_, Kind.OP, "mul", (f"a{id_}",), (before, 0.5), style="operator"))
    made.append(Statement(count, Kind.BACKWARD, "backward", (), (Ref(count - 1),), style="method"))
    places = {("cards", s.id): Place(((s.id - 1) // TALL) * COLUMN, ((s.id - 1) % TALL) * ROW) for s in made[:-1]}
    program = Program({s.id: s for s in made}, tuple(s.id for s in made), next_id=count + 1)
    return Sheet(program, Board(places))


def run_out(document) -> tuple[float, int]:
    """Turn the event loop until nothing is left to do; the longest turn in ms, and how many there were."""
    longest, turns = 0.0, 0
    while True:
        start = time.perf_counter()
        QCoreApplication.processEvents()
        longest, turns = max(longest, 1000 * (time.perf_counter() - start)), turns + 1
        if not document.is_running:
            QCoreApplication.processEvents()
            QCoreApplication.processEvents()
            return longest, turns


def measure(window, name: str) -> None:
    """Drag the value of ``w`` by its handle, a step at a time."""
    from chalkgrad_app.canvas.gestures.scrub import handle_rect

    canvas, document = window.canvas, window.document
    start = canvas.viewport.rect_to_view(handle_rect(canvas.picture, 1)).center().toPoint()
    QTest.mouseMove(canvas, start)
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    taken, held = [], []
    for step in range(STEPS + 5):
        value = document.program[1].operands[0]
        begun = time.process_time()
        QTest.mouseMove(canvas, start + QPoint(8 + step, 0))
        longest, _ = run_out(document)
        if step >= 5:
            taken.append(1000 * (time.process_time() - begun))
            held.append(longest)
            assert document.program[1].operands[0] != value
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start + QPoint(60, 0))
    assert document.undo_stack.count() == 1
    document.undo_stack.undo()
    document.finish()
    median = statistics.median(taken)
    ratio = "" if median <= AIM_MS else f"   over the aim of {AIM_MS:.0f}"
    print(f"  {name:28} {median:7.1f} ms a step, event loop held up for {max(held):6.1f} ms at most{ratio}")


def main() -> None:
    """Measure with the leaf in view at 100%, and with everything in view."""
    with tempfile.TemporaryDirectory() as folder:
        for kind in (QSettings.Format.IniFormat, QSettings.Format.NativeFormat):
            QSettings.setPath(kind, QSettings.Scope.UserScope, folder)
        from chalkgrad_app.application import application
        from chalkgrad_app.main import create_window

        app = application()
        count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
        window = create_window()
        window.resize(1600, 1000)
        window.document.begin(sheet(count))
        window.show()
        window.document.finish()
        app.processEvents()
        print(f"{count} statements, one backward, {len(window.document.session.trace)} events")
        gc.freeze()  # as the program does when it has started
        window.canvas.zoom_100()
        window.canvas.ensure_visible([1])
        app.processEvents()
        measure(window, "leaf in view at 100%")
        window.close()


if __name__ == "__main__":
    main()
