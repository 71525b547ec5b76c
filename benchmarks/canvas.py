"""The canvas of Chalkgrad against a bare QGraphicsScene, NodeGraphQt and the floor, in one process: CPU milliseconds.

    python benchmarks/canvas.py [N ...] [--dpr 2] [--peers FOLDER] [--no-tidy] [--alone]        # N: 1000 5000 20000

All show the same graph (15% leaves, 40% unary, 45% binary operators, about 1.3 wires a node, one card with 16 readers)
in a widget of 1600 x 1000, offscreen. Medians. The canvas paints its real cards, with values and marks; what its
program takes to run is not counted. NodeGraphQt is looked for in FOLDER (``pip install --target FOLDER
NodeGraphQt setuptools``: it imports distutils).
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

if "--dpr" in sys.argv:
    os.environ["QT_SCALE_FACTOR"] = sys.argv[sys.argv.index("--dpr") + 1]
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / folder) for folder in ("core", "app", "resources")]

from canvas_peers import DELETED, Floor, NodeGraphSide, SceneSide, ways  # noqa: E402
from PySide6.QtCore import QPointF, QRectF  # noqa: E402
from PySide6.QtGui import QPainter  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

from chalkgrad.layout import Edge, Node, tidy  # noqa: E402
from chalkgrad.program.board import Board, Place  # noqa: E402
from chalkgrad.program.program import Program  # noqa: E402
from chalkgrad.program.sheet import Sheet  # noqa: E402
from chalkgrad.program.statement import Kind, Ref, Statement  # noqa: E402
from chalkgrad_app.canvas.view import Canvas  # noqa: E402
from chalkgrad_app.document import Document  # noqa: E402

WIDTH, HEIGHT = 1600, 1000
COLUMN, ROW = 240.0, 128.0
NEAR = 6
"""A node reads others from rows that are so near, in the three columns before it."""
READERS = 16
TRAVELLING = 50
STEPS = 30


def sheet(count: int) -> Sheet:
    """A graph of ``count`` cards in columns; card 1 has many readers."""
    rng = random.Random(count)
    tall = max(8, round((count * COLUMN / ROW / 1.6) ** 0.5))
    readers = {2 + 7 * number for number in range(READERS)}
    statements, places = {}, {}

    def earlier(id_: int) -> Ref:
        back = rng.randint(1, 3) * tall + rng.randint(-NEAR, NEAR)
        return Ref(max(1 if id_ == 2 else 2, min(id_ - back, id_ - 1)))

    for id_ in range(1, count + 1):
        kind = rng.random()
        if id_ == 1 or (kind < 0.15 and id_ not in readers):
            options = (("requires_grad", True),) if id_ == 1 or rng.random() < 0.5 else ()
            made = Statement(id_, Kind.LEAF, "tensor", (f"x{id_}",), ((0.5,),), options)
        elif kind < 0.55:
            made = Statement(id_, Kind.OP, "tanh", (f"a{id_}",), (Ref(1) if id_ in readers else earlier(id_),))
        else:
            one = Ref(1) if id_ in readers else earlier(id_)
            made = Statement(id_, Kind.OP, "add", (f"a{id_}",), (one, earlier(id_)), style="operator")
        statements[id_] = made
        column, row = divmod(id_ - 1, tall)
        places["cards", id_] = Place(column * COLUMN, row * ROW)
    return Sheet(Program(statements, tuple(statements), next_id=count + 1), Board(places))


class CanvasSide:
    """Chalkgrad's canvas."""

    name = "canvas"

    def __init__(self, graph: Sheet) -> None:
        self.document = Document(graph)
        self.canvas = Canvas()
        self.canvas.resize(WIDTH, HEIGHT)
        self.canvas.set_document(self.document)
        self.canvas.overlay_painters.append(self._paint_dragged)
        self.widget = self.canvas
        self._dragged: int | None = None
        self._offset = QPointF()
        self._ways = ways()

    def zoom(self, percent: float | None) -> None:
        """Show everything (None), or the middle at this zoom."""
        if percent is None:
            self.canvas.fit_all()
        else:
            self.canvas.set_zoom_percent(percent)
            self._center(len(self.document.program) // 2)
        self.canvas.repaint_still()
        QApplication.processEvents()

    def repaint(self) -> None:
        """Paint all that is in view."""
        self.canvas.repaint_still()
        self.canvas.repaint()

    def pan(self) -> None:
        """One step."""
        dx, dy = next(self._ways)
        self.canvas.pan_by(-dx, -dy)
        self.canvas.repaint()

    def select_all(self) -> None:
        """Select everything and paint it."""
        self.document.select_all()
        self.canvas.repaint()

    def clear(self) -> None:
        """Select nothing."""
        self.document.clear_selection()
        self.canvas.repaint()

    def begin_drag(self, id_: int) -> None:
        """Take hold of a card."""
        self._center(id_)
        self._dragged, self._offset = id_, QPointF()
        self.canvas.lift([id_])
        QApplication.processEvents()

    def drag(self) -> None:
        """One step."""
        self._offset += QPointF(8, 0)
        self.canvas.repaint()

    def end_drag(self) -> None:
        """Let go."""
        self._dragged = None
        self.canvas.lift([])
        QApplication.processEvents()

    def delete(self) -> None:
        """Show a program without cards in the middle; the edit itself and what runs again are not counted."""
        self.canvas.repaint()

    def undo(self) -> None:
        """Show them again."""
        self.canvas.repaint()

    def prepare_delete(self) -> None:
        """Delete cards in the middle."""
        middle = len(self.document.program.order) // 2
        self.settle()
        self.document.delete(self.document.program.order[middle : middle + DELETED])

    def prepare_undo(self) -> None:
        """Take that back."""
        self.settle()
        self.document.undo_stack.undo()

    def animate(self) -> Callable[[], None]:
        """Gradients on their way along many wires; returns what paints a frame of it."""
        travelling = self.canvas.travelling
        travelling.go({wire.target for wire in self.canvas.picture.wires[:TRAVELLING]})
        return self.canvas.repaint

    def settle(self) -> None:
        """Let the program run and the canvas come up with it: neither is a part of the steps measured."""
        self.document.finish()
        self.canvas.repaint()
        while self.canvas.is_behind:
            QApplication.processEvents()

    def _paint_dragged(self, painter: QPainter) -> None:
        if self._dragged is not None:
            self.canvas.paint_lifted(painter, [self._dragged], self._offset)

    def _center(self, id_: int) -> None:
        self.canvas.viewport.center_on(self.canvas.picture.rect(id_).center(), QRectF(self.canvas.rect()).size())
        self.canvas.repaint_still()
        QApplication.processEvents()


Side = CanvasSide | SceneSide


def taken(step: Callable[[], object]) -> float:
    """CPU time of one step in milliseconds."""
    begun = time.process_time()
    step()
    return (time.process_time() - begun) * 1000


def median(step: Callable[[], None], after: Callable[[], None] | None = None, steps: int = STEPS) -> float:
    """Median CPU time of a step in milliseconds; ``after`` is run between steps and not counted."""
    step()
    found = []
    for _ in range(steps):
        if after is not None:
            after()
        found.append(taken(step))
    return statistics.median(found)


def measure(side: Side) -> dict[str, float]:
    """All that both sides can do."""
    found = {}
    for name, percent in (("all in view", None), ("40%", 40), ("100%", 100)):
        side.zoom(percent)
        found[f"full repaint, {name}"] = median(side.repaint)
        found[f"pan, {name}"] = median(side.pan, steps=40)
    side.zoom(100)
    found["select all, painted"] = median(side.select_all, side.clear, steps=15)
    side.clear()
    side.begin_drag(1)
    found["drag, 16 wires, one step"] = median(side.drag)
    side.end_drag()
    side.zoom(100)
    rounds = [_round(side) for _ in range(7)]
    found["delete 100"] = statistics.median(one for one, _ in rounds)
    found["undo it"] = statistics.median(other for _, other in rounds)
    return found


def _round(side: Side) -> tuple[float, float]:
    if isinstance(side, CanvasSide):
        side.prepare_delete()
    deleted = taken(side.delete)
    if isinstance(side, CanvasSide):
        side.prepare_undo()
    return deleted, taken(side.undo)


def first_paint(make: Callable[[Sheet], Side], graph: Sheet) -> tuple[Side, float, float]:
    """A side that shows the graph, how long that took (ms), and how much memory grew (MB)."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    made: list[Side] = []

    def show() -> None:
        side = make(graph)
        made.append(side)
        side.widget.resize(WIDTH, HEIGHT)
        side.widget.show()
        side.zoom(None)
        side.repaint()

    spent = taken(show)
    return made[0], spent, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def picture_bytes(canvas: Canvas) -> int:
    """What the arrays and lists of a picture take."""
    picture = canvas.picture
    arrays = [value for value in vars(picture).values() if hasattr(value, "nbytes")]
    wires = sys.getsizeof(picture.wires) + sum(sys.getsizeof(wire) for wire in picture.wires)
    return sum(array.nbytes for array in arrays) + wires + sys.getsizeof(picture.index) + 2 * sys.getsizeof(picture.ids)


def tidied(canvas: Canvas) -> None:
    """Lay out everything anew."""
    picture = canvas.picture
    nodes = [
        Node(id_, w, h, tuple(down for _, down in picture.anatomy(id_).inputs))
        for id_, w, h in zip(picture.ids, picture.w.tolist(), picture.h.tolist(), strict=True)
    ]
    tidy(nodes, [Edge(wire.source, wire.target, wire.port, 40.0) for wire in picture.wires])


def peers(options: argparse.Namespace) -> list[Callable[[Sheet], Side]]:
    """The sides to compare with."""
    found: list[Callable[[Sheet], Side]] = [SceneSide]
    if options.peers:
        sys.path.append(options.peers)
    try:
        import NodeGraphQt  # type: ignore[import-not-found]  # noqa: F401
    except ImportError as error:
        print(f"NodeGraphQt is not compared with: {error}")
    else:
        found.append(NodeGraphSide)
    return found


def compare(count: int, options: argparse.Namespace, others: list[Callable[[Sheet], Side]]) -> None:
    """Measure and print one size."""
    graph = sheet(count)
    floor = median(Floor(graph, WIDTH, HEIGHT, options.dpr).paint)
    ours, spent, _ = first_paint(CanvasSide, graph)
    assert isinstance(ours, CanvasSide)
    ours.settle()
    table = [(ours.name, {"document to first paint": spent, **measure(ours)})]
    table[0][1]["animation frame, 50 wires"] = median(ours.animate())
    ours.canvas.travelling.stop()
    held = picture_bytes(ours.canvas) / 2**20
    if options.tidy:
        table[0][1]["tidy"] = taken(lambda: tidied(ours.canvas))
    ours.widget.hide()
    for make in others:
        if count > 5000 and make is NodeGraphSide:
            continue
        side, spent, grown = first_paint(make, graph)
        table.append((f"{side.name} (+{grown:.0f} MB)", {"document to first paint": spent, **measure(side)}))
        side.widget.hide()
    wires = len(ours.canvas.picture.wires)
    print(f"\n{count} cards, {wires} wires, ratio {options.dpr:g}; floor {floor:.2f} ms; picture {held:.1f} MB")
    print(
        f"  {'CPU ms':28s} {'canvas':>9s} {'/ floor':>8s}"
        + "".join(f"{name:>24s}{'ratio':>8s}" for name, _ in table[1:])
    )
    for name, value in table[0][1].items():
        beside = "".join(_cell(other.get(name), value) for _, other in table[1:])
        print(f"  {name:28s} {value:9.2f} {value / floor:8.2f}{beside}")
    sys.stdout.flush()


def _cell(peer: float | None, value: float) -> str:
    return f"{'-':>24s}{'':8s}" if peer is None else f"{peer:24.2f}{peer / max(value, 0.001):7.1f}x"


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("counts", nargs="*", type=int, default=[1000, 5000, 20000])
    parser.add_argument("--dpr", type=float, default=1.0)
    parser.add_argument("--peers", default="")
    parser.add_argument("--no-tidy", dest="tidy", action="store_false")
    parser.add_argument("--alone", action="store_true", help="measure the canvas and the floor only")
    options = parser.parse_args()
    app = QApplication.instance() or QApplication([])
    others = [] if options.alone else peers(options)
    for count in options.counts:
        compare(count, options, others)
    del app


if __name__ == "__main__":
    main()
