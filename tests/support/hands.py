"""What a person's hands do at a canvas: real mouse, key and drop events, and a window that binds the actions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QObject, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QAction, QDragEnterEvent, QDragMoveEvent, QDropEvent, QInputMethodEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QWidget

from chalkgrad.program.board import Board
from chalkgrad.program.sheet import Sheet
from chalkgrad.source import emit
from chalkgrad_app import steps
from chalkgrad_app.actions import ACTIONS, Action
from chalkgrad_app.canvas.gestures.menus import ContextMenus
from chalkgrad_app.canvas.graph_canvas import GraphCanvas
from chalkgrad_app.canvas.offer_rows import ENTRY
from chalkgrad_app.catalogue import MIME
from chalkgrad_app.document import Document

LEFT = Qt.MouseButton.LeftButton
PLAIN = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier


class Caller(QObject):
    """A slot that calls one function."""

    def __init__(self, parent: QObject, call: Callable[[], object]) -> None:
        super().__init__(parent)
        self.call = call

    def run(self) -> None:
        self.call()


PARTS = ("keyboard", "adding", "rewiring", "editing", "order", "redrawing", "tidying", "nodes")
"""The canvas's parts that actions call."""


class Host(QMainWindow):
    """A window with a canvas and the actions of the table that a canvas or a document answers."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.canvas = GraphCanvas(document, self)
        self.setCentralWidget(self.canvas)
        self.resize(1000, 640)
        for record in ACTIONS:
            if record.target in ("canvas", *PARTS, "document", "steps"):
                self._bind(record, document)

    def _bind(self, record: Action, document: Document) -> None:
        action = QAction(record.text, self)
        action.setObjectName(record.object_name)
        action.setShortcuts(list(record.keys))
        if record.target == "steps":
            call = partial(steps.run, document, getattr(steps, record.method))
        else:
            targets = {"canvas": self.canvas, "document": document}
            targets |= {part: getattr(self.canvas, part) for part in PARTS}
            method = getattr(targets[record.target], record.method)
            call = partial(method, record.argument) if record.argument is not None else method
        if record.id == "cover":
            call = lambda: document.cover(not document.is_covering)  # noqa: E731
        action.triggered.connect(Caller(action, call).run)
        if record.on_canvas:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            self.canvas.addAction(action)
        else:
            self.addAction(action)


class Hands:
    """Mouse, keys and drags at one canvas; ``gestures`` counts what a person did."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self.canvas = canvas
        self.gestures = 0

    @property
    def document(self) -> Document:
        return self.canvas.document

    # ------------------------------------------------------------ places

    def centre(self, name: str) -> QPoint:
        return self.canvas.node_rect(name).center()

    def header(self, name: str) -> QPoint:
        """A point of the header that is not the name."""
        rect = self.canvas.node_rect(name)
        return QPoint(rect.right() - 30, rect.top() + round(14 * self.canvas.viewport.scale))

    def name(self, name: str) -> QPoint:
        rect = self.canvas.node_rect(name)
        return rect.topLeft() + self._scaled(40, 14)

    def value(self, name: str) -> QPoint:
        return self.canvas.node_rect(name).topLeft() + self._scaled(40, 40)

    def port(self, name: str, port: int | str) -> QPoint:
        return self.canvas.port_pos(name, port)

    def free(self, x: int = 40, y: int = 40) -> QPoint:
        """A point of empty canvas."""
        point = QPoint(x, y)
        assert not self.canvas.hit(QPointF(point))
        return point

    def at_scene(self, x: float, y: float) -> QPoint:
        return self.canvas.to_view(QPointF(x, y)).toPoint()

    # ------------------------------------------------------------ mouse

    def click(self, at: QPoint, keys: Qt.KeyboardModifier = PLAIN, button: Qt.MouseButton = LEFT) -> None:
        self.gestures += 1
        QTest.mouseClick(self.canvas, button, keys, at)
        process()

    def double_click(self, at: QPoint) -> None:
        self.gestures += 1
        QTest.mouseClick(self.canvas, LEFT, PLAIN, at)
        QTest.mouseDClick(self.canvas, LEFT, PLAIN, at)
        process()

    def press(self, at: QPoint, keys: Qt.KeyboardModifier = PLAIN) -> None:
        QTest.mousePress(self.canvas, LEFT, keys, at)

    def move(self, at: QPoint, keys: Qt.KeyboardModifier = PLAIN, buttons: Qt.MouseButton = LEFT) -> None:
        where = QPointF(at)
        everywhere = QPointF(self.canvas.mapToGlobal(at))
        none = Qt.MouseButton.NoButton
        QApplication.sendEvent(self.canvas, QMouseEvent(QEvent.Type.MouseMove, where, everywhere, none, buttons, keys))
        process()

    def release(self, at: QPoint, keys: Qt.KeyboardModifier = PLAIN) -> None:
        QTest.mouseRelease(self.canvas, LEFT, keys, at)
        process()

    def drag(self, start: QPoint, end: QPoint, keys: Qt.KeyboardModifier = PLAIN) -> None:
        self.gestures += 1
        self.press(start, keys)
        for part in (0.1, 0.5, 1.0):
            self.move(start + (end - start) * part, keys)
        self.release(end, keys)

    # ------------------------------------------------------------ keys

    def focused(self) -> QWidget:
        return self.canvas.window().focusWidget() or self.canvas

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = PLAIN) -> None:
        self.gestures += 1
        QTest.keyClick(self.focused(), key, keys)
        process()

    def type(self, text: str) -> None:
        """Type into the field that has the focus; what is not ASCII comes from an input method."""
        if text.isascii():
            QTest.keyClicks(self.focused(), text)
        else:
            event = QInputMethodEvent()
            event.setCommitString(text)
            QApplication.sendEvent(self.focused(), event)
        process()

    # ------------------------------------------------------------ drops

    def drop(self, name: str, at: QPoint, keys: Qt.KeyboardModifier = PLAIN) -> None:
        """Drag from the palette."""
        data = QMimeData()
        data.setData(MIME, name.encode())
        self.drop_data(data, at, keys)

    def drop_data(self, data: QMimeData, at: QPoint, keys: Qt.KeyboardModifier = PLAIN) -> bool:
        self.gestures += 1
        actions = Qt.DropAction.CopyAction
        enter = QDragEnterEvent(at - QPoint(30, 30), actions, data, LEFT, PLAIN)
        QApplication.sendEvent(self.canvas, enter)
        if not enter.isAccepted():
            return False
        QApplication.sendEvent(self.canvas, QDragMoveEvent(at, actions, data, LEFT, keys))
        self.canvas.grab()
        drop = QDropEvent(QPointF(at), actions, data, LEFT, keys)
        QApplication.sendEvent(self.canvas, drop)
        process()
        return drop.isAccepted()

    def choose(self, *names: str) -> None:
        """Click cards, one after the other, with Shift."""
        self.click(self.header(names[0]))
        for name in names[1:]:
            self.click(self.header(name), SHIFT)

    # ------------------------------------------------------------ what came of it

    def lines(self) -> list[str]:
        """The program as text, line by line."""
        return [line for line in emit.program_text(self.document.program).splitlines() if line and "import" not in line]

    def id(self, name: str) -> int:
        ref = self.document.program.named(name)
        assert ref is not None, name
        return ref.statement

    @property
    def board(self) -> Board:
        return self.document.board

    def place(self, name: str) -> tuple[float, float]:
        """Where a card lies, as the board has it."""
        spot = self.board.place(self.id(name))
        assert spot is not None, name
        return spot.x, spot.y

    def rect(self, name: str) -> QRectF:
        """Where a card is drawn, in canvas units."""
        return self.canvas.picture.rect(self.id(name))

    def menu(self, at: QPoint) -> tuple[QMenu, dict[str, QAction]]:
        """The context menu of what is at a point, and what is in it by its texts."""
        menu = ContextMenus(self.canvas).menu(self.canvas.hit(QPointF(at)), QPointF(at))
        return menu, {action.text(): action for action in menu.actions()}

    def offered(self) -> list[str]:
        """What quick-add lists, by name."""
        offers = self.canvas.quick.rows.model()
        return [offers.index(row, 0).data(ENTRY).name for row in range(offers.rowCount())]

    def undo_all(self) -> int:
        stack = self.document.undo_stack
        steps_back = 0
        while stack.canUndo():
            stack.undo()
            steps_back += 1
        return steps_back

    def _scaled(self, x: float, y: float) -> QPoint:
        scale = self.canvas.viewport.scale
        return QPoint(round(x * scale), round(y * scale))


def process() -> None:
    QCoreApplication.processEvents()


def open_host(sheet: Sheet | None = None) -> Host:
    """A shown window with a canvas on ``sheet``, run to its end, at 100%."""
    document = Document(sheet)
    host = Host(document)
    document.setParent(host)
    host.show()
    QTest.qWaitForWindowExposed(host)
    host.activateWindow()
    document.finish()
    host.canvas.zoom_100()
    host.canvas.setFocus()
    process()
    return host


def discard(host: Host) -> None:
    host.hide()
    host.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
