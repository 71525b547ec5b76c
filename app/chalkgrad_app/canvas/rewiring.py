"""What actions do to the wires of what is selected: take them off, join them round it, swap, change the operator."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from chalkgrad.engine.record import OPS
from chalkgrad.program import rewiring
from chalkgrad.program.cards import has_card
from chalkgrad.program.change import Change
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad_app.i18n import translate
from chalkgrad_app.naming import counted

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas


class Rewiring(QObject):
    """Edits of the wires of one canvas's selection, each one undo step."""

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas)
        self.canvas = canvas

    def changeable(self) -> tuple[int, ...]:
        """The selected operators that can be changed for another: those with a result of their own."""
        document = self.canvas.document
        return tuple(id_ for id_ in document.selected_statements if rewiring.record_of(document.program, id_))

    def change_to(self, name: str, ids: Iterable[int]) -> None:
        """Make another operator of cards; wires, numbers, names and places stay."""
        chosen = list(ids)
        label = translate("Rewiring", "Change {what} to {name}").format(
            what=counted(self.canvas.document.sheet, chosen), name=name
        )
        self._do(chosen, partial(_changed, name), label)
        self.canvas.document.select(chosen)
        if len(chosen) == 1:
            self.canvas.editing.ask_missing(chosen[0])

    def swap_inputs(self) -> None:
        """Swap the inputs of the selected cards; of more than two, each goes on to the next port."""
        program = self.canvas.document.program
        chosen = [id_ for id_ in self._cards() if len([p for p in program[id_].ports() if p is not None]) > 1]
        if not chosen:
            words = translate("Rewiring", "Select an operator with two inputs to swap them.")
            self.canvas.document.told.emit(words)
            return
        label = translate("Rewiring", "Swap inputs of {what}").format(what=counted(self.canvas.document.sheet, chosen))
        self._do(chosen, _swapped, label)

    def delete_and_reconnect(self) -> None:
        """Delete the selected cards; what read them reads what they read."""
        document = self.canvas.document
        ids = self._cards()
        if not ids or self.canvas.selected_wire is not None:
            self.canvas.delete_selected()
            return
        label = translate("Rewiring", "Delete and reconnect {what}").format(what=counted(document.sheet, ids))
        document.do(lambda sheet: rewiring.delete_and_reconnect(sheet, ids).change, label)
        document.clear_selection()

    def pull_out(self) -> None:
        """Take the selected cards out of their wires and join those."""
        self._rewire(rewiring.pull_out, translate("Rewiring", "Pull out {what}"))

    def disconnect_selected(self) -> None:
        """Take every wire off the selected cards."""
        if self.canvas.selected_wire is not None:
            self.canvas.remove_wire(self.canvas.selected_wire)
            return
        self._rewire(rewiring.disconnect, translate("Rewiring", "Disconnect {what}"))

    # ------------------------------------------------------------ inside

    def _cards(self) -> tuple[int, ...]:
        document = self.canvas.document
        program = document.program
        return tuple(id_ for id_ in document.selected_statements if has_card(program, program[id_]))

    def _rewire(self, edit: Callable[[Sheet, Iterable[int]], Change], words: str) -> None:
        document, ids = self.canvas.document, self._cards()
        if not edit(document.sheet, ids):
            self.canvas.document.told.emit(translate("Rewiring", "What is selected has no wires."))
            return
        document.do(lambda sheet: edit(sheet, ids), words.format(what=counted(document.sheet, ids)))

    def _do(self, ids: Iterable[int], edit: Callable[[Sheet, int], Change], label: str) -> None:
        def all_of_them(sheet: Sheet) -> Change:
            draft = Draft(sheet)
            for id_ in ids:
                draft.apply(edit(draft.sheet, id_))
            return draft.change

        self.canvas.document.do(all_of_them, label)


def _changed(name: str, sheet: Sheet, id_: int) -> Change:
    return rewiring.change_operator(sheet, id_, OPS[name])


def _swapped(sheet: Sheet, id_: int) -> Change:
    return rewiring.swap_inputs(sheet.program, id_)
