"""The canvas for screen readers: a child for each card, with name, value, gradient and what it is wired to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QPointF, QRect
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface, QWindow

from chalkgrad.program.building import is_gradient
from chalkgrad.session.state import Status, TensorState
from chalkgrad_app.canvas.keyboard import reading_order
from chalkgrad_app.i18n import translate

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

_installed: list[object] = []
_interfaces: dict[int, tuple[CanvasInterface, _Forgetting]] = {}
"""By the canvas's id(): Qt keeps no reference to interfaces made in Python, nor to slots that are no QObject's."""


class CardInterface(QAccessibleInterface):
    """One card. It says what the card shows; covered gradients stay covered."""

    def __init__(self, canvas: GraphCanvas, id_: int) -> None:
        super().__init__()
        self._canvas = canvas
        self.id = id_

    def isValid(self) -> bool:
        """False once the card is gone."""
        return self.id in self._canvas.document.program

    def object(self) -> QObject | None:  # type: ignore[override]
        """A card is no Qt object."""
        return None

    def window(self) -> QWindow | None:  # type: ignore[override]
        """The window that the canvas lies in."""
        return self._canvas.window().windowHandle()

    def parent(self) -> QAccessibleInterface:
        """The canvas."""
        return QAccessible.queryAccessibleInterface(self._canvas)

    def child(self, _index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """A card has no children."""
        return None

    def childCount(self) -> int:
        """None."""
        return 0

    def childAt(self, _x: int, _y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """Nothing lies in a card."""
        return None

    def indexOfChild(self, _child: QAccessibleInterface) -> int:
        """Nothing lies in a card."""
        return -1

    def rect(self) -> QRect:
        """Where the card is on the screen."""
        if not self.isValid():
            return QRect()
        rect = self._canvas.view_rect_of(self.id)
        return QRect(self._canvas.mapToGlobal(rect.topLeft()), rect.size())

    def role(self) -> QAccessible.Role:
        """A list item: one of the things on the canvas."""
        return QAccessible.Role.ListItem

    def state(self) -> QAccessible.State:
        """Focus and selection."""
        state = QAccessible.State()
        state.focusable = True
        state.selectable = True
        state.multiSelectable = True
        state.focused = self._canvas.keyboard.card == self.id and self._canvas.hasFocus()
        state.selected = self.id in self._canvas.document.selection
        return state

    def text(self, kind: QAccessible.Text) -> str:
        """Name with expression and kind, the value, and the rest as a description."""
        if not self.isValid():
            return ""
        if kind == QAccessible.Text.Name:
            return card_name(self._canvas, self.id)
        if kind == QAccessible.Text.Value:
            return card_value(self._canvas, self.id)
        return card_description(self._canvas, self.id) if kind == QAccessible.Text.Description else ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Values are edited in the canvas's own fields."""


class CanvasInterface(QAccessibleInterface):
    """The canvas, its cards in the order of their lines."""

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__()
        self._canvas = canvas
        self._cards: dict[int, CardInterface] = {}

    def isValid(self) -> bool:
        """True as long as the canvas is there."""
        return True

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
        """As many as there are cards."""
        return len(reading_order(self._canvas.document.program))

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """The card of that number."""
        order = reading_order(self._canvas.document.program)
        return self.card(order[index]) if 0 <= index < len(order) else None

    def card(self, id_: int) -> CardInterface:
        """The interface of one card."""
        if id_ not in self._cards:
            self._cards[id_] = CardInterface(self._canvas, id_)
        return self._cards[id_]

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """The number of a card's interface."""
        order = reading_order(self._canvas.document.program)
        return order.index(child.id) if isinstance(child, CardInterface) and child.id in order else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """The card at a point of the screen."""
        hit = self._canvas.hit(QPointF(self._canvas.mapFromGlobal(QPoint(x, y))))
        return self.card(hit.id) if hit.id is not None and self._canvas.is_card(hit) else None

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        """The card with the focus."""
        card = self._canvas.keyboard.card
        return self.card(card) if card is not None else None

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
        state.focused = self._canvas.hasFocus() and self._canvas.keyboard.card is None
        return state

    def text(self, kind: QAccessible.Text) -> str:
        """Its name, and how many cards there are."""
        if kind == QAccessible.Text.Name:
            return self._canvas.accessibleName() or translate("Accessible", "Graph canvas")
        if kind == QAccessible.Text.Description:
            return translate("Accessible", "{n} cards").format(n=self.childCount())
        return ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Nothing of the canvas itself can be written."""


def card_name(canvas: GraphCanvas, id_: int) -> str:
    """What a card is: ``y = a * b, intermediate, requires grad``."""
    document = canvas.document
    statement = document.program[id_]
    shown = canvas.picture.face(id_)
    words = [
        f"{shown.name} = {shown.expression}" if shown.name and shown.expression else shown.name or shown.expression
    ]
    tensor = document.state.tensor(id_)
    if tensor is not None:
        words.append(translate("Accessible", "leaf") if tensor.is_leaf else translate("Accessible", "intermediate"))
        if tensor.requires_grad:
            words.append("requires_grad")
    status = document.state.statement(id_).status
    if status is not Status.OK:
        words.append(_status_word(status))
    return ", ".join(word for word in words if word) or statement.call


def card_value(canvas: GraphCanvas, id_: int) -> str:
    """The value as the card shows it: ``[6.]``."""
    state = canvas.document.state
    tensor = state.tensor(id_)
    if tensor is None:
        return ""
    if is_gradient(canvas.document.program[id_]) and state.is_covered(tensor):
        return translate("Accessible", "gradient covered")
    return tensor.short


def card_description(canvas: GraphCanvas, id_: int) -> str:
    """Line, gradient, error, and what the card is wired to."""
    document = canvas.document
    parts = [translate("Accessible", "line {n}").format(n=document.program.lines[id_])]
    at = document.state.statement(id_)
    if at.problem is not None:
        parts.append(f"{at.problem.type}: {at.problem.message}")
    tensor = document.state.tensor(id_)
    if tensor is not None and (tensor.requires_grad or tensor.grad is not None):
        parts.append(_gradient(canvas, tensor))
    sources = [_short(canvas, wire.source) for wire in canvas.picture.wires if wire.target == id_]
    readers = [_short(canvas, wire.target) for wire in canvas.picture.wires if wire.source == id_]
    if sources:
        parts.append(translate("Accessible", "from {names}").format(names=", ".join(sources)))
    if readers:
        parts.append(translate("Accessible", "to {names}").format(names=", ".join(readers)))
    return ". ".join(parts)


def install() -> None:
    """Make every graph canvas accessible from now on; once for an application."""
    if not _installed:
        _installed.append(_factory)
        QAccessible.installFactory(_factory)


def focus_moved(canvas: GraphCanvas, id_: int | None) -> None:
    """Tell screen readers which card has the focus now."""
    event = QAccessibleEvent(canvas, QAccessible.Event.Focus)
    order = reading_order(canvas.document.program)
    if id_ in order:
        event.setChild(order.index(id_))
    QAccessible.updateAccessibility(event)


def selection_changed(canvas: GraphCanvas) -> None:
    """Tell screen readers that other cards are selected now."""
    QAccessible.updateAccessibility(QAccessibleEvent(canvas, QAccessible.Event.SelectionWithin))


def forget(canvas_number: int) -> None:
    """Drop the interface of a canvas that is gone, by its id()."""
    _interfaces.pop(canvas_number, None)


def _factory(_class: str, object_: QObject | None) -> QAccessibleInterface | None:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas  # the canvas imports this module

    if not isinstance(object_, GraphCanvas):
        return None
    number = id(object_)
    if number not in _interfaces:
        forgetting = _Forgetting(number)
        _interfaces[number] = CanvasInterface(object_), forgetting
        object_.destroyed.connect(forgetting.forget)
    return _interfaces[number][0]


class _Forgetting:
    """A slot that forgets one canvas."""

    def __init__(self, number: int) -> None:
        self._number = number

    def forget(self) -> None:
        """Drop its interface."""
        forget(self._number)


def _gradient(canvas: GraphCanvas, tensor: TensorState) -> str:
    if canvas.document.state.is_covered(tensor):
        return translate("Accessible", "gradient covered")
    text = tensor.grad.short if tensor.grad is not None else "None"
    return translate("Accessible", "gradient {value}").format(value=text)


def _short(canvas: GraphCanvas, id_: int) -> str:
    statement = canvas.document.program[id_]
    return statement.name or statement.call


def _status_word(status: Status) -> str:
    words = {
        Status.FAILED: translate("Accessible", "failed"),
        Status.WAITING: translate("Accessible", "waiting"),
        Status.NOT_REACHED: translate("Accessible", "not reached"),
        Status.TO_COME: translate("Accessible", "to come"),
    }
    return words.get(status, "")
