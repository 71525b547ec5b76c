"""The canvas against a bare QGraphicsScene with lean items, in one process: CPU milliseconds, medians, ratios.

    python benchmarks/canvas.py [N ...]        # 1000 5000 20000 without arguments

Both show the same graph (15% leaves, 40% unary, 45% binary operators, about 1.3 wires a node) in a widget of
1600 x 1000: everything in view; a pan at 100% (steps of
48 px, either way); select all; one step of dragging a card with many wires. The scene's
items paint a header, a name and a value, and plain rectangles with straight wires from afar; the canvas paints its
real cards.
"""

from __future__ import annotations

import itertools
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / folder) for folder in ("core", "app", "resources")]

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt  # noqa: E402
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen  # noqa: E402
from PySide6.QtWidgets import QApplication, QGraphicsItem, QGraphicsScene, QGraphicsView, QWidget  # noqa: E402

from chalkgrad.program.board import Board, Place  # noqa: E402
from chalkgrad.program.program import Program  # noqa: E402
from chalkgrad.program.sheet import Sheet  # noqa: E402
from chalkgrad.program.statement import Kind, Ref, Statement  # noqa: E402

WIDTH, HEIGHT = 1600, 1000
COLUMN, ROW = 240.0, 128.0
STEPS = 30
PAN_STEP = 48
CARD = QRectF(0, 0, 176, 96)


def sheet(count: int) -> Sheet:
    """A graph of ``count`` cards in columns; card 1 has many readers."""
    rng = random.Random(count)
    tall = max(8, round((count * COLUMN / ROW / 1.6) ** 0.5))
    statements, places = {}, {}
    for id_ in range(1, count + 1):
        earlier = [Ref(rng.randint(max(1, id_ - 3 * tall), id_ - 1)) for _ in range(2)] if id_ > 1 else []
        if id_ == 2 or (id_ > 2 and id_ % 97 == 0 and id_ < 1600):
            earlier[0] = Ref(1)
        kind = rng.random()
        if id_ == 1 or kind < 0.15:
            options = (("requires_grad", True),) if id_ == 1 or rng.random() < 0.5 else ()
            made = Statement(id_, Kind.LEAF, "tensor", (f"x{id_}",), ((0.5,),), options)
        elif kind < 0.55:
            made = Statement(id_, Kind.OP, "tanh", (f"a{id_}",), (earlier[0],))
        else:
            made = Statement(id_, Kind.OP, "add", (f"a{id_}",), tuple(earlier), style="operator")
        statements[id_] = made
        column, row = divmod(id_ - 1, tall)
        places["cards", id_] = Place(column * COLUMN, row * ROW)
    return Sheet(Program(statements, tuple(statements), next_id=count + 1), Board(places))


def ways() -> Iterator[tuple[int, int]]:
    """Steps of a pan that comes back to where it began."""
    return itertools.cycle([(PAN_STEP, 0), (0, PAN_STEP), (-PAN_STEP, 0), (0, -PAN_STEP)])


class Node(QGraphicsItem):
    """A lean item: body, header, name, value, ports; a rectangle from afar."""

    body, head, ink, chosen = QColor("#ffffff"), QColor("#5d4037"), QColor("#1d1d1f"), QColor("#1976b8")
    font = QFont("DejaVu Sans", 9)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.wires: list[Link] = []
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsSelectable)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemSendsGeometryChanges)

    def boundingRect(self) -> QRectF:
        return CARD.adjusted(-6, -2, 6, 2)

    def paint(self, painter, option, widget=None) -> None:
        if option.levelOfDetailFromTransform(painter.worldTransform()) < 0.35:
            painter.fillRect(CARD, self.chosen if self.isSelected() else self.head)
            return
        painter.setPen(QPen(self.chosen if self.isSelected() else self.head, 2))
        painter.setBrush(self.body)
        painter.drawRoundedRect(CARD, 8, 8)
        painter.fillRect(QRectF(2, 2, 172, 26), self.head)
        painter.setFont(self.font)
        painter.setPen(self.body)
        painter.drawText(QPointF(10, 19), self.name)
        painter.setPen(self.ink)
        painter.drawText(QPointF(10, 46), "[0.5000]  (1,)")
        painter.setBrush(self.head)
        painter.drawEllipse(QPointF(0, 40), 4, 4)
        painter.drawEllipse(QPointF(176, 40), 4, 4)

    def itemChange(self, change, value):
        if change == QGraphicsItem.GraphicsItemChange.ItemPositionHasChanged:
            for wire in self.wires:
                wire.adjust()
        return super().itemChange(change, value)


class Link(QGraphicsItem):
    """A lean wire: a cubic near, a line from afar."""

    near, far = QPen(QColor("#57534c"), 2), QPen(QColor("#57534c"), 0)
    near.setCapStyle(Qt.PenCapStyle.FlatCap)

    def __init__(self, source: Node, target: Node, port: int) -> None:
        super().__init__()
        self.source, self.target, self.port = source, target, port
        self.path, self.line = QPainterPath(), QLineF()
        self.setZValue(-1)
        source.wires.append(self)
        target.wires.append(self)
        self.adjust()

    def adjust(self) -> None:
        self.prepareGeometryChange()
        start = self.source.pos() + QPointF(176, 40)
        end = self.target.pos() + QPointF(0, 40 + 24 * self.port)
        reach = max(30.0, abs(end.x() - start.x()) / 2)
        self.path = QPainterPath(start)
        self.path.cubicTo(start + QPointF(reach, 0), end - QPointF(reach, 0), end)
        self.line = QLineF(start, end)

    def boundingRect(self) -> QRectF:
        return self.path.controlPointRect().adjusted(-2, -2, 2, 2)

    def paint(self, painter, option, widget=None) -> None:
        if option.levelOfDetailFromTransform(painter.worldTransform()) < 0.35:
            painter.setPen(self.far)
            painter.drawLine(self.line)
        else:
            painter.setPen(self.near)
            painter.drawPath(self.path)


class SceneSide:
    """The bare scene."""

    def __init__(self, graph: Sheet) -> None:
        self.scene = QGraphicsScene()
        self.nodes = {}
        for statement in graph.program:
            node = self.nodes[statement.id] = Node(statement.name)
            place = graph.board.places["cards", statement.id]
            node.setPos(place.x, place.y)
            self.scene.addItem(node)
        for statement in graph.program:
            for port, ref in enumerate(statement.refs()):
                self.scene.addItem(Link(self.nodes[ref.statement], self.nodes[statement.id], port))
        self.view = QGraphicsView(self.scene)
        self.view.setFrameShape(QGraphicsView.Shape.NoFrame)
        self.view.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.view.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontSavePainterState)
        self.view.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontAdjustForAntialiasing)
        for set_policy in (self.view.setHorizontalScrollBarPolicy, self.view.setVerticalScrollBarPolicy):
            set_policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.widget: QWidget = self.view
        self._ways = ways()

    def fit(self) -> None:
        self.view.fitInView(self.scene.itemsBoundingRect(), Qt.AspectRatioMode.KeepAspectRatio)

    def full_size(self) -> None:
        self.view.resetTransform()
        self.view.centerOn(self.nodes[len(self.nodes) // 2])

    def repaint(self) -> None:
        self.view.viewport().repaint()

    def pan(self) -> None:
        dx, dy = next(self._ways)
        for bar, by in ((self.view.horizontalScrollBar(), dx), (self.view.verticalScrollBar(), dy)):
            bar.setValue(bar.value() + by)
        QApplication.processEvents()

    def select_all(self) -> None:
        path = QPainterPath()
        path.addRect(self.scene.itemsBoundingRect())
        self.scene.setSelectionArea(path)
        QApplication.processEvents()

    def clear(self) -> None:
        self.scene.clearSelection()
        QApplication.processEvents()

    def begin_drag(self, id_: int) -> None:
        self.view.centerOn(self.nodes[id_])
        QApplication.processEvents()
        self._dragged = self.nodes[id_]

    def drag(self) -> None:
        self._dragged.setPos(self._dragged.pos() + QPointF(8, 0))
        QApplication.processEvents()

    def end_drag(self) -> None:
        pass


class CanvasSide:
    """Chalkgrad's canvas."""

    def __init__(self, graph: Sheet) -> None:
        from chalkgrad_app.canvas.view import Canvas
        from chalkgrad_app.document import Document

        self.document = Document(graph)
        self.document.finish()
        self.canvas = Canvas()
        self.canvas.set_document(self.document)
        self.canvas.overlay_painters.append(self._paint_dragged)
        self.widget: QWidget = self.canvas
        self._dragged: int | None = None
        self._offset = QPointF()
        self._ways = ways()

    def fit(self) -> None:
        self.canvas.fit_all()
        QApplication.processEvents()

    def full_size(self) -> None:
        self.canvas.set_zoom_percent(100)
        self._center(len(self.document.program) // 2)

    def repaint(self) -> None:
        self.canvas.repaint_still()
        self.canvas.repaint()

    def pan(self) -> None:
        dx, dy = next(self._ways)
        self.canvas.pan_by(-dx, -dy)
        QApplication.processEvents()

    def select_all(self) -> None:
        self.document.select_all()
        QApplication.processEvents()

    def clear(self) -> None:
        self.document.clear_selection()
        QApplication.processEvents()

    def begin_drag(self, id_: int) -> None:
        self._center(id_)
        self._dragged, self._offset = id_, QPointF()
        self.canvas.lift([id_])
        QApplication.processEvents()

    def drag(self) -> None:
        self._offset += QPointF(8, 0)
        self.canvas.update()
        QApplication.processEvents()

    def end_drag(self) -> None:
        self._dragged = None
        self.canvas.lift([])
        QApplication.processEvents()

    def _paint_dragged(self, painter: QPainter) -> None:
        if self._dragged is not None:
            self.canvas.paint_lifted(painter, [self._dragged], self._offset)

    def _center(self, id_: int) -> None:
        self.canvas.viewport.center_on(self.canvas.picture.rect(id_).center(), QRectF(self.canvas.rect()).size())
        self.canvas.repaint_still()
        QApplication.processEvents()


def median(step: Callable[[], None], after: Callable[[], None] | None = None, steps: int = STEPS) -> float:
    """Median CPU time of a step in milliseconds; ``after`` is run between steps and not counted."""
    step()
    taken = []
    for _ in range(steps):
        if after is not None:
            after()
        begun = time.process_time()
        step()
        taken.append((time.process_time() - begun) * 1000)
    return statistics.median(taken)


def measure(side: SceneSide | CanvasSide) -> dict[str, float]:
    """The four measurements of one side."""
    side.widget.resize(WIDTH, HEIGHT)
    side.widget.show()
    for _ in range(5):
        QApplication.processEvents()
    found = {}
    side.fit()
    found["repaint, all in view"] = median(side.repaint)
    side.full_size()
    found["pan at 100%"] = median(side.pan, steps=40)
    side.full_size()
    found["select all at 100%"] = median(side.select_all, side.clear, steps=15)
    side.clear()
    side.begin_drag(1)
    found["drag step at 100%"] = median(side.drag)
    side.end_drag()
    side.widget.hide()
    return found


def main(counts: list[int]) -> None:
    app = QApplication.instance() or QApplication([])
    for count in counts:
        graph = sheet(count)
        begun = time.process_time()
        ours = CanvasSide(graph)
        built = (time.process_time() - begun) * 1000
        ours_ms = measure(ours)
        begun = time.process_time()
        bare = SceneSide(graph)
        bare_built = (time.process_time() - begun) * 1000
        bare_ms = measure(bare)
        wires = len(ours.canvas.picture.wires)
        print(f"\n{count} cards, {wires} wires (CPU ms)           canvas     bare scene   ratio")
        print(f"  {'build (the canvas: run included)':32s} {built:10.1f} {bare_built:12.1f} {built / bare_built:9.2f}")
        for name, taken in ours_ms.items():
            print(f"  {name:32s} {taken:10.2f} {bare_ms[name]:12.2f} {taken / bare_ms[name]:9.2f}")
        sys.stdout.flush()
    del app


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]] or [1000, 5000, 20000])
