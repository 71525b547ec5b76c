"""The tensors that a program has names for, as what quick-add offers: to go to, or to wire to an open input."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from chalkgrad.program.program import Program
from chalkgrad.program.statement import Ref
from chalkgrad_app import catalogue, naming
from chalkgrad_app.canvas import wiring
from chalkgrad_app.canvas.wiring import Plug
from chalkgrad_app.catalogue import Entry
from chalkgrad_app.i18n import translate

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

PREFIX = "name:"
"""What the names of their entries begin with: no operator is called so."""

MOST = 10_000
"""So many entries are remembered: a large program has the same names whenever quick-add opens."""


def entries(program: Program, wires: bool) -> list[Entry]:
    """One for each name that has a card, found by that name alone; ``wires``: an input waits for it."""
    said = translate("KnownNames", "Wire this tensor to the input")
    if not wires:
        said = translate("KnownNames", "Go to this tensor")
    cards = program.cards
    return [_entry(name, said) for name, ref in program.bindings.items() if ref.statement in cards]


@lru_cache(MOST)
def _entry(name: str, said: str) -> Entry:
    names = frozenset((catalogue.plain(name),))
    return Entry(PREFIX + name, "", "", said, "", names, "", written=name, icon="tensor", only_found=True)


def ref_of(program: Program, entry: str) -> Ref | None:
    """The tensor of an entry; None for an entry of another kind."""
    return program.bindings.get(entry.removeprefix(PREFIX)) if entry.startswith(PREFIX) else None


def choose(canvas: GraphCanvas, ref: Ref, plug: Plug | None) -> None:
    """Wire a tensor to the input that waits for it; where none does, select its card and bring it into view."""
    document = canvas.document
    if plug is not None:
        label = naming.wiring(document.sheet, ref.statement, plug.consumer)
        document.do(lambda sheet: wiring.connect(sheet, plug, ref), label)
        return
    document.select([ref.statement])
    canvas.ensure_visible([ref.statement])
    canvas.keyboard.focus(ref.statement, select=False)
    canvas.setFocus(Qt.FocusReason.OtherFocusReason)
