"""What the canvas is measured against: the floor (fill, rectangles, thin lines), a bare QGraphicsScene, NodeGraphQt."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QApplication, QGraphicsItem, QGraphicsScene, QGraphicsView

from chalkgrad.program.sheet import Sheet
from chalkgrad_app.picture.batch import draw_lines, draw_rects

PAN_STEP = 48
CARD = QRectF(0, 0, 176, 96)
DELETED = 100


def ways() -> Iterator[tuple[int, int]]:
    """Steps of a pan that comes back to where it began."""
    return itertools.cycle([(PAN_STEP, 0), (0, PAN_STEP), (-PAN_STEP, 0), (0, -PAN_STEP)])


class Floor:
    """The least that showing a graph can take: fill the image, N rectangles, a thin line for each wire."""

    def __init__(self, graph: Sheet, width: int, height: int, dpr: float) -> None:
        self.image = QImage(int(width * dpr), int(height * dpr), QImage.Format.Format_ARGB32_Premultiplied)
        places = [graph.board.places["cards", id_] for id_ in graph.program.order]
        corners = np.array([(place.x, place.y) for place in places])
        scale = dpr * min((width, height) / (np.ptp(corners, axis=0) + np.array([176, 96])))
        corners = (corners - corners.min(axis=0)) * scale
        self.rects = np.hstack([corners, np.full((len(corners), 2), (176 * scale, 96 * scale))])
        rows = {id_: row for row, id_ in enumerate(graph.program.order)}
        ends = [(rows[ref.statement], rows[s.id]) for s in graph.program for ref in s.refs()]
        source, target = np.array(ends, np.intp).reshape(-1, 2).T
        self.lines = np.hstack([corners[source], corners[target]])

    def paint(self) -> None:
        """Paint it once."""
        painter = QPainter(self.image)
        try:
            painter.fillRect(self.image.rect(), QColor("#ffffff"))
            painter.setPen(QPen(QColor("#57534c"), 0))
            draw_lines(painter, self.lines)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor("#5d4037"))
            draw_rects(painter, self.rects)
        finally:
            painter.end()


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

    name = "scene"

    def __init__(self, graph: Sheet) -> None:
        self.scene = QGraphicsScene()
        self.nodes: dict[int, Node] = {}
        for statement in graph.program:
            node = self.nodes[statement.id] = Node(statement.name)
            place = graph.board.places["cards", statement.id]
            node.setPos(place.x, place.y)
            self.scene.addItem(node)
        self.links: list[Link] = []
        for statement in graph.program:
            for port, ref in enumerate(statement.refs()):
                self.links.append(Link(self.nodes[ref.statement], self.nodes[statement.id], port))
                self.scene.addItem(self.links[-1])
        self.view = QGraphicsView(self.scene)
        self.view.setFrameShape(QGraphicsView.Shape.NoFrame)
        self.view.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.view.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontSavePainterState)
        self.view.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontAdjustForAntialiasing)
        for set_policy in (self.view.setHorizontalScrollBarPolicy, self.view.setVerticalScrollBarPolicy):
            set_policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        room = self.scene.itemsBoundingRect()
        self.view.setSceneRect(room.adjusted(-room.width(), -room.height(), room.width(), room.height()))
        self.widget = self.view
        self._ways = ways()
        self._removed: list[QGraphicsItem] = []

    def zoom(self, percent: float | None) -> None:
        """Show everything (None), or the middle at this zoom."""
        if percent is None:
            self.view.fitInView(self.scene.itemsBoundingRect(), Qt.AspectRatioMode.KeepAspectRatio)
        else:
            self.view.resetTransform()
            self.view.scale(percent / 100, percent / 100)
            self._center(len(self.nodes) // 2)
        QApplication.processEvents()

    def _center(self, id_: int) -> None:
        self.view.centerOn(self.nodes[id_])

    def repaint(self) -> None:
        """Paint all that is in view."""
        self.view.viewport().repaint()

    def pan(self) -> None:
        """One step."""
        dx, dy = next(self._ways)
        for bar, by in ((self.view.horizontalScrollBar(), dx), (self.view.verticalScrollBar(), dy)):
            bar.setValue(bar.value() + by)
        QApplication.processEvents()

    def select_all(self) -> None:
        """Select everything and paint it."""
        path = QPainterPath()
        path.addRect(self.scene.itemsBoundingRect())
        self.scene.setSelectionArea(path)
        QApplication.processEvents()

    def clear(self) -> None:
        """Select nothing."""
        self.scene.clearSelection()
        QApplication.processEvents()

    def begin_drag(self, id_: int) -> None:
        """Take hold of a node."""
        self._center(id_)
        QApplication.processEvents()
        self._dragged = self.nodes[id_]

    def drag(self) -> None:
        """One step."""
        self._dragged.setPos(self._dragged.pos() + QPointF(8, 0))
        QApplication.processEvents()

    def end_drag(self) -> None:
        """Let go."""

    def delete(self) -> None:
        """Delete nodes in the middle with their wires, and paint."""
        middle = len(self.nodes) // 2
        nodes = [self.nodes[id_] for id_ in range(middle, middle + DELETED)]
        links = {id(link): link for node in nodes for link in node.wires}
        self._removed = [*nodes, *links.values()]
        for item in self._removed:
            self.scene.removeItem(item)
        self.view.viewport().repaint()

    def undo(self) -> None:
        """Bring them back, and paint."""
        for item in self._removed:
            self.scene.addItem(item)
        self.view.viewport().repaint()


class NodeGraphSide(SceneSide):
    """NodeGraphQt, where it is installed."""

    name = "NodeGraphQt"

    def __init__(self, graph: Sheet) -> None:
        from NodeGraphQt import BaseNode, NodeGraph  # type: ignore[import-not-found]

        class Card(BaseNode):  # type: ignore[misc]
            __identifier__, NODE_NAME = "bench", "Card"

            def __init__(self) -> None:
                super().__init__()
                self.add_input("a"), self.add_input("b"), self.add_output("value", multi_output=True)

        self.graph: Any = NodeGraph()
        self.graph.register_node(Card)
        self.cards = {}
        for statement in graph.program:
            place = graph.board.places["cards", statement.id]
            self.cards[statement.id] = self.graph.create_node(
                "bench.Card", name=statement.name, pos=[place.x, place.y], selected=False, push_undo=False
            )
        for statement in graph.program:
            for port, ref in enumerate(statement.refs()):
                self.cards[ref.statement].output(0).connect_to(self.cards[statement.id].input(port), push_undo=False)
        self.view = self.graph.viewer()
        self.scene = self.view.scene()
        self.widget = self.graph.widget
        self.nodes = {id_: card.view for id_, card in self.cards.items()}
        self._ways = ways()

    def zoom(self, percent: float | None) -> None:
        """Show everything (None), or the middle at this zoom."""
        if percent is None:
            self._show(self.scene.itemsBoundingRect())
        else:
            size = QSizeF(self.view.size()) * (100 / percent)
            self._show(QRectF(QPointF(0, 0), size))
            self._center(len(self.nodes) // 2)
        QApplication.processEvents()

    def pan(self) -> None:
        """One step, as a drag with the middle button takes it."""
        dx, dy = next(self._ways)
        self.view._set_viewer_pan(dx, dy)
        QApplication.processEvents()

    def _center(self, id_: int) -> None:
        shown = QRectF(self.view.sceneRect())
        shown.moveCenter(self.nodes[id_].sceneBoundingRect().center())
        self._show(shown)

    def _show(self, shown: QRectF) -> None:
        self.view._scene_range = shown
        self.view._update_scene()

    def select_all(self) -> None:
        """Select everything and paint it."""
        self.graph.select_all()
        QApplication.processEvents()

    def clear(self) -> None:
        """Select nothing."""
        self.graph.clear_selection()
        QApplication.processEvents()

    def delete(self) -> None:
        """Delete nodes in the middle with their wires, and paint."""
        middle = len(self.cards) // 2
        self.graph.delete_nodes([self.cards[id_] for id_ in range(middle, middle + DELETED)])
        self.view.viewport().repaint()

    def undo(self) -> None:
        """Bring them back, and paint."""
        self.graph.undo_stack().undo()
        self.view.viewport().repaint()
