"""A node beside the board for screen readers: what it is, its value, what it reads; it can be gone to, not edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect
from PySide6.QtGui import QAccessible, QAccessibleInterface

from chalkgrad_app.canvas import spoken
from chalkgrad_app.canvas.accessible_painted import PaintedInterface
from chalkgrad_app.picture.node_arrays import Key

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas


class NodeInterface(PaintedInterface):
    """One node of the trace that lies beside the board."""

    def __init__(self, canvas: GraphCanvas, key: Key) -> None:
        super().__init__(canvas)
        self.key = key

    def isValid(self) -> bool:
        """False once it is gone."""
        return not self.is_gone and self._canvas.nodes.arrays(self.key) is not None

    def relations(
        self, match: QAccessible.RelationFlag = QAccessible.RelationFlag.AllRelations
    ) -> list[tuple[QAccessibleInterface, QAccessible.RelationFlag]]:
        """The nodes that gradients come to it from, and those that it hands them on to."""
        arrays, flags = self._canvas.nodes.arrays(self.key), QAccessible.RelationFlag
        if arrays is None:
            return []
        row, canvas, keys = arrays.index[self.key], self.parent(), self._canvas.nodes.keys()
        first = canvas.childCount() - len(keys)
        sides = [(flag, side) for flag, side in ((flags.FlowsFrom, 1), (flags.FlowsTo, -1)) if flag & match]
        joined = [(arrays.keys[other], flag) for flag, side in sides for other in arrays.joined(row, side)]
        return [(canvas.child(first + keys.index(key)), flag) for key, flag in joined]

    def rect(self) -> QRect:
        """Where it is on the screen."""
        rect = self._canvas.nodes.view_rect(self.key)
        return QRect(self._canvas.mapToGlobal(rect.topLeft()), rect.size())

    def role(self) -> QAccessible.Role:
        """A list item, as cards are."""
        return QAccessible.Role.ListItem

    def state(self) -> QAccessible.State:
        """Focus and selection; it is read only."""
        chosen = self.isValid() and self._canvas.nodes.chosen() == self.key
        state = QAccessible.State()
        state.focusable = state.selectable = state.readOnly = True
        state.selected = chosen
        state.focused = chosen and self._canvas.hasFocus()
        return state

    def text(self, kind: QAccessible.Text) -> str:
        """What it is, its value, and as a description the line that it came from and what it is joined to."""
        if not self.isValid():
            return ""
        if kind == QAccessible.Text.Name:
            return self._canvas.nodes.words(self.key)
        if kind == QAccessible.Text.Value:
            return spoken.node_value(self._canvas, self.key)
        return spoken.node_description(self._canvas, self.key) if kind == QAccessible.Text.Description else ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Nothing of it can be written."""
