"""The wire that is chosen on a canvas: for Delete, for tags on it, for moving its end."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from chalkgrad.program.statement import EMPTY, Ref
from chalkgrad_app.canvas import wiring
from chalkgrad_app.canvas.view import Canvas
from chalkgrad_app.canvas.wiring import Plug
from chalkgrad_app.i18n import translate
from chalkgrad_app.naming import unwiring


class WireChoice(Canvas):
    """A canvas on which one wire may be chosen, by the port that it ends in. No card is selected then."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.selected_wire: Plug | None = None

    def select_wire(self, plug: Plug | None) -> None:
        """Choose a wire, for Delete; cards are no longer selected then."""
        if plug is not None:
            self.document.clear_selection()
        self.selected_wire = plug
        self.update()

    def remove_wire(self, plug: Plug) -> None:
        """Take a wire off its port."""
        label = unwiring(self.document.sheet, plug.consumer)
        self.document.do(lambda sheet: wiring.set_value(sheet, plug, EMPTY), label)
        self.select_wire(None)

    def add_tag(self, plug: Plug, call: str) -> None:
        """Put ``.detach()``, ``.data``, ``.T`` or ``.clone()`` on a wire."""
        self.document.do(lambda sheet: wiring.add_tag(sheet, plug, call), f".{call}")

    def remove_tag(self, plug: Plug, number: int) -> None:
        """Take a tag off a wire."""
        self.document.do(lambda sheet: wiring.remove_tag(sheet, plug, number), translate("Wire", "Remove tag"))

    def forget_lost_wire(self) -> None:
        """No wire is chosen that an edit has taken away."""
        wire = self.selected_wire
        if wire is not None and not isinstance(wiring.plugged(self.document.program, wire), Ref):
            self.selected_wire = None
