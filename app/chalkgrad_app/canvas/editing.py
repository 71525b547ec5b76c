"""What opens on a card: the field over it, the window with its numbers, the popover with its options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize

from chalkgrad.program.statement import Kind
from chalkgrad_app.canvas import fields
from chalkgrad_app.canvas.beside import beside
from chalkgrad_app.canvas.fields import Field, Part
from chalkgrad_app.canvas.hit import Hit, HitKind
from chalkgrad_app.canvas.popover import Popover
from chalkgrad_app.document import Document
from chalkgrad_app.editors.attributes import has_options, missing
from chalkgrad_app.i18n import translate
from chalkgrad_app.picture.values import Form, form_of

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas
    from chalkgrad_app.editors.value_window import ValueWindow


class Editing:
    """Opens the editors of a canvas; each is made when it is first wanted."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self.canvas = canvas
        self._window: ValueWindow | None = None
        self._popover: Popover | None = None

    # ------------------------------------------------------------ what actions call

    def edit_selected(self) -> None:
        """Edit what the one card selected is about: a leaf's value, an operator's attributes or number, else look.

        A folded node is opened.
        """
        if self.canvas.order.open_selected():
            return
        id_ = self._only_card()
        if id_ is None:
            self.canvas.rename_selected()
            return
        self.edit(id_)

    def options_of_selected(self) -> None:
        """Open the popover of the one card selected; say so where there is nothing to set."""
        id_ = self._only_card()
        if id_ is not None and not self.open_options(id_):
            self.canvas.document.told.emit(translate("Editing", "This operator has no attributes"))

    def look_at_selected(self) -> None:
        """Open the numbers of the one card selected."""
        id_ = self._only_card()
        if id_ is not None:
            self.open_grid(id_)

    # ------------------------------------------------------------ open

    def edit(self, id_: int) -> None:
        """Edit a card as Enter and a double click do."""
        statement = self.canvas.document.program[id_]
        ports = fields.number_ports(statement)
        if statement.kind is Kind.LEAF:
            self.canvas.edit_field(Field(Part.VALUE, id_))
        elif ports:
            self.canvas.edit_field(Field(Part.PORT, id_, ports[0]))
        elif has_options(statement):
            self.open_options(id_)
        elif self._is_large(id_):
            self.open_grid(id_)
        else:
            self.canvas.edit_field(Field(Part.NAME, id_))

    def double_clicked(self, hit: Hit) -> None:
        """Look at the value or the gradient under a double click; anywhere else on a card it edits."""
        if hit.id is None:
            return
        on_value = hit.kind in (HitKind.VALUE, HitKind.GRAD)
        if not (on_value and self.open_grid(hit.id, max(hit.port, 0), of_grad=hit.kind is HitKind.GRAD)):
            self.edit(hit.id)

    def takes(self, field: Field) -> bool:
        """Open the grid where a field would be too small for a leaf's numbers; False where the field does."""
        if field.part is not Part.VALUE or not self._is_large(field.id):
            return False
        statement = self.canvas.document.program[field.id]
        return self.open_grid(field.id) if statement.call == "tensor" else self.open_options(field.id)

    def open_grid(self, id_: int, output: int = 0, of_grad: bool = False) -> bool:
        """Open the window with the numbers of a tensor; False where there are none."""
        if self._window is None or self._window.document is not self.canvas.document:
            self._drop_windows()
            from chalkgrad_app.editors.value_window import ValueWindow

            self._window = ValueWindow(self.canvas.document, self.canvas.window())
        return self._window.open_at(id_, output, of_grad, lambda size: self._beside(id_, size))

    def open_options(self, id_: int, name: str = "") -> bool:
        """Open the popover of a card, at the field ``name`` where it is given; False where there is nothing to set."""
        self.canvas.ensure_visible([id_])
        return self._popover_of(self.canvas.document).open_at(id_, name)

    def ask_missing(self, id_: int) -> bool:
        """Open the popover of a new card at what PyTorch insists on and its line does not say; False where nothing."""
        statement = self.canvas.document.program.statements.get(id_)
        return statement is not None and bool(missing(statement)) and self.open_options(id_)

    def follow(self) -> None:
        """The popover lies beside its card."""
        if self._popover is not None:
            self._popover.follow()

    def close(self) -> None:
        """Close what is open: another document comes."""
        self._drop_windows()
        if self._popover is not None:
            self._popover.dismiss()
            self._popover.deleteLater()
            self._popover = None

    # ------------------------------------------------------------ inside

    def _popover_of(self, document: Document) -> Popover:
        if self._popover is None:
            self._popover = Popover(self.canvas, document)
            self._popover.grid_wanted.connect(self.open_grid)
        return self._popover

    def _drop_windows(self) -> None:
        if self._window is not None:
            self._window.close()
            self._window.deleteLater()
            self._window = None

    def _only_card(self) -> int | None:
        chosen = self.canvas.document.selection
        id_ = next(iter(chosen)) if len(chosen) == 1 else None
        return id_ if id_ in self.canvas.document.program else None

    def _is_large(self, id_: int) -> bool:
        """True for what is no number and no short vector."""
        tensor = self.canvas.document.state.tensor(id_)
        return tensor is not None and form_of(tensor.shape) in (Form.GRID, Form.LARGE)

    def _beside(self, id_: int, size: QSize) -> QPoint:
        """The corner, on the screen, of a window that opens for a card; within this one, whose size bounds it."""
        canvas, window = self.canvas, self.canvas.window()
        room = QRect(canvas.mapFrom(window, QPoint(0, 0)), window.size())
        return canvas.mapToGlobal(beside(canvas, id_, size, room))
