"""The canvas for screen readers: a child for each card, with name, value, gradient, actions and what it is wired to."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QTimer
from PySide6.QtGui import (
    QAccessible,
    QAccessibleActionInterface,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QAccessibleInterface,
    QWindow,
)
from shiboken6 import VoidPtr

from chalkgrad.session.state import Status
from chalkgrad_app.canvas import reach, spoken
from chalkgrad_app.canvas.accessible_node import NodeInterface
from chalkgrad_app.canvas.accessible_painted import PaintedInterface
from chalkgrad_app.canvas.hit import HitKind
from chalkgrad_app.i18n import translate
from chalkgrad_app.picture.node_arrays import NODE, Key

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas
    from chalkgrad_app.picture.picture import Picture

NO_INTERFACE = VoidPtr(0)
"""What ``interface_cast`` answers where there is nothing: of a None PySide makes no null pointer, but crashes."""

_installed: list[object] = []
_interfaces: dict[int, tuple[list[CanvasInterface], _Forgetting]] = {}
"""By the canvas's id(): Qt keeps no reference to interfaces made in Python, nor to slots that are no QObject's."""
_leaving: list[tuple[list[CanvasInterface], _Forgetting]] = []
"""Those of canvases that are just being deleted."""


class ThingActions(QAccessibleActionInterface):
    """What a screen reader can do with a thing on the canvas: go to it, edit it, open its menu."""

    def __init__(self, canvas: GraphCanvas, id_: int) -> None:
        super().__init__()
        self._canvas = canvas
        self._id = id_

    def actionNames(self) -> list[str]:
        """The names by which they are done."""
        return [self.setFocusAction(), self.pressAction(), self.showMenuAction()]

    def doAction(self, name: str) -> None:
        """Do one of them; to press a thing is to edit it."""
        canvas = self._canvas
        canvas.setFocus()
        canvas.keyboard.focus(self._id)
        if name == self.pressAction():
            canvas.editing.edit_selected()
        elif name == self.showMenuAction():
            canvas.keyboard.open_menu()

    def keyBindingsForAction(self, name: str) -> list[str]:
        """The key that does it when the thing has the focus."""
        keys = {self.pressAction(): "Return", self.showMenuAction(): "Shift+F10"}
        return [keys[name]] if name in keys else []


class ThingInterface(PaintedInterface):
    """A card, a note, a frame or a folded frame. It says what is shown; covered gradients stay covered."""

    def __init__(self, canvas: GraphCanvas, id_: int) -> None:
        super().__init__(canvas)
        self._actions = ThingActions(canvas, id_)
        self.id = id_

    def let_go(self) -> None:
        """Hold nothing of the canvas, nor does what can be done with it."""
        super().let_go()
        del self._actions

    def isValid(self) -> bool:
        """False once it is gone."""
        if self.is_gone:
            return False
        document = self._canvas.document
        is_card = self.id in document.program and self.id in self._canvas.picture.index  # it may be in a line by now
        return is_card or any(self.id in known for known in (document.board.notes, *self._holding()))

    def _holding(self) -> tuple[Container[int], Container[int]]:
        """What holds cards: frames, and blocks of the program."""
        document = self._canvas.document
        return document.board.frames, document.program.blocks

    def relations(
        self, match: QAccessible.RelationFlag = QAccessible.RelationFlag.AllRelations
    ) -> list[tuple[QAccessibleInterface, QAccessible.RelationFlag]]:
        """Where its wires come from, and where they go."""
        canvas, flags = _interface_of(self._canvas), QAccessible.RelationFlag
        picture = self._canvas.picture
        found = [(source, flags.FlowsFrom) for source in reach.read_by(picture, self.id)]
        found += [(reader, flags.FlowsTo) for reader in reach.readers(picture, self.id)]
        return [(canvas.thing(reach.shown_as(picture, id_)), flag) for id_, flag in found if flag & match]

    def interface_cast(self, kind: QAccessible.InterfaceType) -> ThingActions | VoidPtr:  # type: ignore[override]
        """What else it can do: actions, but for an open block."""
        if self.is_gone or kind != QAccessible.InterfaceType.ActionInterface:
            return NO_INTERFACE
        is_block = self.id in self._canvas.document.program.blocks
        return NO_INTERFACE if is_block and self.id not in reach.things(self._canvas.picture) else self._actions

    def rect(self) -> QRect:
        """Where it is on the screen."""
        if not self.isValid():
            return QRect()
        rect = self._canvas.view_rect_of(self.id)
        return QRect(self._canvas.mapToGlobal(rect.topLeft()), rect.size())

    def role(self) -> QAccessible.Role:
        """A note or a frame, else a list item: one of the cards."""
        board = self._canvas.document.board
        if self.id in board.notes:
            return QAccessible.Role.Note
        holds = any(self.id in known for known in self._holding())
        return QAccessible.Role.Grouping if holds else QAccessible.Role.ListItem

    def state(self) -> QAccessible.State:
        """Focus and selection, and whether it failed."""
        document = self._canvas.document
        state = QAccessible.State()
        state.focusable = True
        state.selectable = True
        state.multiSelectable = True
        state.focused = self._canvas.keyboard.card == self.id and self._canvas.hasFocus()
        state.selected = self.id in document.selection
        state.invalid = self.id in document.program and document.state.statement(self.id).status is Status.FAILED
        return state

    def text(self, kind: QAccessible.Text) -> str:
        """Name with expression and kind, the value, and the rest as a description."""
        if not self.isValid():
            return ""
        if kind == QAccessible.Text.Name:
            return spoken.thing_name(self._canvas, self.id)
        is_card = self.id in self._canvas.document.program
        if not is_card and not any(self.id in known for known in self._holding()):
            return ""
        if kind == QAccessible.Text.Value:
            return (spoken.card_value if is_card else spoken.frame_value)(self._canvas, self.id)
        if kind == QAccessible.Text.Description:
            return (spoken.card_description if is_card else spoken.frame_description)(self._canvas, self.id)
        return ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Values are edited in the canvas's own fields."""


class CanvasInterface(QAccessibleInterface):
    """The canvas: cards in the order of their lines, notes, frames, open blocks, nodes. Each is made when asked for."""

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__()
        self._canvas = canvas
        self._things: dict[int, ThingInterface] = {}
        self._nodes: dict[Key, NodeInterface] = {}
        self._is_gone = False

    def let_go(self) -> None:
        """The canvas is gone: hold nothing of it any more. PySide itself never lets go of what a factory made."""
        for thing in (*self._things.values(), *self._nodes.values()):
            thing.let_go()
        self._things, self._nodes, self._is_gone = {}, {}, True
        del self._canvas

    def isValid(self) -> bool:
        """True as long as the canvas is there."""
        return not self._is_gone

    def object(self) -> QObject:
        """The canvas widget."""
        return self._canvas

    def window(self) -> QWindow | None:  # type: ignore[override]
        """The window that the canvas lies in."""
        return self._canvas.window().windowHandle()

    def parent(self) -> QAccessibleInterface | None:  # type: ignore[override]
        """The widget around."""
        around = self._canvas.parentWidget()
        return QAccessible.queryAccessibleInterface(around) if around is not None else None

    def childCount(self) -> int:
        """As many as there are cards, notes and frames, and nodes beside them."""
        return len(_children(self._canvas.picture)) + len(self._canvas.nodes.keys())

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """The thing of that number, after them the nodes."""
        order = _children(self._canvas.picture)
        if index >= len(order):
            nodes = self._canvas.nodes.keys()
            return self.node(nodes[index - len(order)]) if index - len(order) < len(nodes) else None
        return self.thing(order[index]) if index >= 0 else None

    def node(self, key: Key) -> NodeInterface:
        """The interface of a node beside the board."""
        if key not in self._nodes:
            self._nodes[key] = NodeInterface(self._canvas, key)
        return self._nodes[key]

    def thing(self, id_: int) -> ThingInterface:
        """The interface of one card, note or frame."""
        if id_ not in self._things:
            self._things[id_] = ThingInterface(self._canvas, id_)
        return self._things[id_]

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """The number of a thing's interface."""
        if isinstance(child, NodeInterface):
            return node_number(self._canvas, child.key)
        return child_number(self._canvas, child.id) if isinstance(child, ThingInterface) else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """What lies at a point of the screen."""
        hit = self._canvas.hit(QPointF(self._canvas.mapFromGlobal(QPoint(x, y))))
        if hit.kind is HitKind.NODE:
            return self.node((NODE, hit.node))
        return self.thing(hit.id) if hit.id is not None and child_number(self._canvas, hit.id) >= 0 else None

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        """The card or node with the focus."""
        card, node = self._canvas.keyboard.card, self._canvas.nodes.chosen()
        if node is not None:
            return self.node(node)
        return self.thing(card) if card is not None else None

    def rect(self) -> QRect:
        """Where the canvas is on the screen."""
        return QRect(self._canvas.mapToGlobal(QPoint(0, 0)), self._canvas.size())

    def role(self) -> QAccessible.Role:
        """A list of cards."""
        return QAccessible.Role.List

    def state(self) -> QAccessible.State:
        """Focus."""
        state = QAccessible.State()
        state.focusable = True
        nothing = self._canvas.keyboard.card is None and self._canvas.nodes.chosen() is None
        state.focused = self._canvas.hasFocus() and nothing
        return state

    def text(self, kind: QAccessible.Text) -> str:
        """Its name, and how many things there are."""
        if kind == QAccessible.Text.Name:
            return self._canvas.accessibleName() or translate("Accessible", "Graph canvas")
        if kind == QAccessible.Text.Description:
            return spoken.contents(self._canvas)
        return ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Nothing of the canvas itself can be written."""


def _children(picture: Picture) -> list[int]:
    """All that Tab goes through, and blocks that are open: those are told of, and read as their cards are."""
    blocks = [frame.id for frame in picture.frames if frame.block]
    return reach.things(picture) + blocks if blocks else reach.things(picture)


def child_number(canvas: GraphCanvas, id_: int) -> int:
    """Which child of the canvas a card, note or frame is; -1 for none."""
    picture = canvas.picture
    if not picture.folds and id_ in picture.index:
        return picture.index[id_]
    order = _children(picture)
    return order.index(id_) if id_ in order else -1


def node_number(canvas: GraphCanvas, key: Key) -> int:
    """Which child of the canvas a node beside the board is; -1 for none."""
    nodes = canvas.nodes.keys()
    return len(_children(canvas.picture)) + nodes.index(key) if key in nodes else -1


def install() -> None:
    """Make every graph canvas accessible from now on; once for an application."""
    if not _installed:
        _installed.append(_factory)
        QAccessible.installFactory(_factory)


def focus_moved(canvas: GraphCanvas, id_: int | None) -> None:
    """Tell screen readers which card has the focus now."""
    _tell(canvas, QAccessible.Event.Focus, id_)


def node_focused(canvas: GraphCanvas, key: Key) -> None:
    """Tell screen readers which node has the focus now."""
    event = QAccessibleEvent(canvas, QAccessible.Event.Focus)
    event.setChild(node_number(canvas, key))
    QAccessible.updateAccessibility(event)


def value_changed(canvas: GraphCanvas, id_: int) -> None:
    """Tell screen readers that the value of a card is another one now."""
    _tell(canvas, QAccessible.Event.ValueChanged, id_)


def announce(canvas: GraphCanvas, words: str) -> None:
    """Have screen readers say a sentence: what came of an edit, an error, a port chosen."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(canvas, words))


def selection_changed(canvas: GraphCanvas) -> None:
    """Tell screen readers that other cards are selected now."""
    QAccessible.updateAccessibility(QAccessibleEvent(canvas, QAccessible.Event.SelectionWithin))


def _factory(_class: str, object_: QObject | None) -> QAccessibleInterface | None:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas  # the canvas imports this module

    if not isinstance(object_, GraphCanvas):
        return None
    number = id(object_)
    if number not in _interfaces:
        forgetting = _Forgetting(number)
        _interfaces[number] = [], forgetting
        object_.destroyed.connect(forgetting.forget)
    made = CanvasInterface(object_)
    _interfaces[number][0].append(made)  # Qt asks once for each class of it, and deletes every answer
    return made


class _Forgetting:
    """A slot that forgets one canvas."""

    def __init__(self, number: int) -> None:
        self._number = number

    def forget(self) -> None:
        """Drop its interface, but not yet: Qt, which is told after this, deletes it. Python must not do so as well."""
        _leaving.append(_interfaces.pop(self._number))
        QTimer.singleShot(0, _let_go)


def _let_go() -> None:
    """Forget the interfaces of canvases that were deleted, with all that they know."""
    for interfaces, _ in _leaving:
        for interface in interfaces:
            interface.let_go()
    _leaving.clear()


def _interface_of(canvas: GraphCanvas) -> CanvasInterface:
    found = QAccessible.queryAccessibleInterface(canvas)
    assert isinstance(found, CanvasInterface)
    return found


def _tell(canvas: GraphCanvas, what: QAccessible.Event, id_: int | None) -> None:
    event = QAccessibleEvent(canvas, what)
    number = child_number(canvas, id_) if id_ is not None else -1
    if number >= 0:
        event.setChild(number)
    QAccessible.updateAccessibility(event)
