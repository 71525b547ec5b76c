"""Wiring by keys alone: the free end of a wire goes from port to port until Enter plugs it in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtGui import QKeyEvent

from chalkgrad.program.statement import Empty, Operand, Ref
from chalkgrad_app.canvas import targets
from chalkgrad_app.canvas.gestures.base import Pointer
from chalkgrad_app.canvas.gestures.wire import DrawWire, Target
from chalkgrad_app.canvas.reach import reading_order
from chalkgrad_app.canvas.wiring import Plug
from chalkgrad_app.i18n import translate
from chalkgrad_app.picture.card import input_ports

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

BY_PORT = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Tab: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Backtab: -1,
}
BY_CARD = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}
PLUG_IN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
NEXT_TENSOR = "."
"""Goes on from ``w`` to ``w.grad``, or to the next of several results."""
BACKWARD = 2000.0
"""How much farther a port counts that lies left of where the wire begins, in canvas units."""
PAUSE_MS = 1000
"""Letters typed faster than this one after the other spell one name."""


class WireByKeys(DrawWire):
    """A wire from the card with the focus: arrows and letters choose the port, Enter plugs it in, Space adds a card."""

    def __init__(self, canvas: GraphCanvas, start: Ref, lifted: Plug | None = None) -> None:
        super().__init__(canvas, start=start, lifted=lifted)
        free = self._free_plugs()
        self.plugs = list(free)
        self.chosen = self._first(free)
        self._typed = ""
        self._since = QElapsedTimer()

    @property
    def plug(self) -> Plug | None:
        """The port chosen; None where no card can read the tensor."""
        return self.plugs[self.chosen] if self.plugs else None

    def here(self) -> Pointer:
        """The place of the free end."""
        picture, plug = self.canvas.picture, self.plug
        scene = targets.input_point(picture, plug) if plug else targets.output_point(picture, self.start_ref)
        return Pointer(self.canvas.to_view(scene), scene)

    @property
    def start_ref(self) -> Ref:
        """The tensor that the wire brings."""
        assert self.fixed_start is not None
        return self.fixed_start

    def key(self, event: QKeyEvent) -> bool:
        """Choose another port, plug in, or go on with a new card."""
        key = Qt.Key(event.key())
        if key in BY_PORT:
            self.step(BY_PORT[key])
        elif key in BY_CARD:
            self._choose(self._other_card(BY_CARD[key]))
        elif key in PLUG_IN:
            self.canvas.dispatcher.finish(self.here())
        elif key == Qt.Key.Key_Space:
            self.canvas.dispatcher.cancel()
            self.canvas.adding.follow(self.start_ref, self.here().view)
        elif event.text() == NEXT_TENSOR:
            self._go_on_from(tensors_of(self.canvas, self.start_ref.statement))
        elif event.text().strip():
            self._spell(event.text())
        return True

    def step(self, by: int) -> None:
        """The next (+1) or previous (-1) port."""
        self._choose(self.chosen + by)

    def announce(self) -> None:
        """Say which port is chosen: it is read out, too."""
        program, plug = self.document.program, self.plug
        if plug is None:
            words = translate("Wire", "No card can read this. Space adds one that does.")
        else:
            card = program[plug.consumer]
            text = translate("Wire", "{tensor} to {card}, input {n}. Enter connects, Space adds a card, Esc cancels.")
            words = text.format(
                tensor=_name(self.start_ref, program[self.start_ref.statement].name),
                card=card.name or card.call,
                n=plug.port + 1,
            )
            if self.target.message:
                words = f"{words} {self.target.message}"
        self.document.told.emit(words)

    def end(self, at: Pointer) -> None:
        """Plug it in; what was said about the port is over."""
        self.document.told.emit("")
        super().end(at)

    def cancel(self) -> None:
        """The wire is gone, and what was said about it."""
        self.document.told.emit("")
        super().cancel()

    # ------------------------------------------------------------ inside

    def _go_on_from(self, tensors: list[Ref]) -> None:
        """Bring the next of these; at another moment a card may no longer have the one that is brought."""
        if tensors:
            here = tensors.index(self.start_ref) if self.start_ref in tensors else -1
            self.fixed_start = tensors[(here + 1) % len(tensors)]
            self._choose(self.chosen)

    def _under(self, at: Pointer) -> Target:
        """The port chosen, wherever the pointer is."""
        return Target(plug=self.plug)

    def _free_plugs(self) -> dict[Plug, Operand]:
        """Every input port that may read the tensor, in the order of the lines, with what is in it."""
        program, index = self.document.program, self.canvas.picture.index
        return {
            Plug(id_, port): operand
            for id_ in reading_order(self.canvas.picture)
            if id_ in index and id_ not in self.forbidden
            for port, operand in input_ports(program[id_])  # those that are seen: a leaf has none
        }

    def _first(self, free: Mapping[Plug, Operand]) -> int:
        """The port left where a wire is moved, else the nearest open port, else the nearest one."""
        if self.lifted is not None and self.lifted in free:
            return self.plugs.index(self.lifted)
        if not self.plugs:
            return 0
        picture = self.canvas.picture
        start = targets.output_point(picture, self.start_ref)
        rows = np.array([picture.index[plug.consumer] for plug in self.plugs])
        across, down = picture.x[rows] - start.x(), picture.y[rows] - start.y()
        taken = np.array([not isinstance(operand, Empty) for operand in free.values()])
        away = np.abs(across) + np.abs(down) + np.where(across < 0, BACKWARD, 0.0)
        return int(np.lexsort((away, taken))[0])

    def _other_card(self, by: int) -> int:
        """The first port of the next or previous card."""
        if not self.plugs:
            return 0
        here, at = self.plug, self.chosen
        while here is not None and self.plugs[at].consumer == here.consumer:
            at = (at + by) % len(self.plugs)
            if at == self.chosen:
                return at
        card = self.plugs[at].consumer
        return next(index for index, plug in enumerate(self.plugs) if plug.consumer == card)

    def _spell(self, letters: str) -> None:
        """Go to the card whose name or line number begins with what is typed."""
        hurried = self._since.isValid() and self._since.elapsed() < PAUSE_MS
        self._typed = (self._typed if hurried else "") + letters
        self._since.restart()
        program = self.document.program
        for index, plug in enumerate(self.plugs):
            names = (program[plug.consumer].name, str(program.lines[plug.consumer]))
            if any(name.startswith(self._typed) for name in names):
                self._choose(index)
                return

    def _choose(self, index: int) -> None:
        if self.plugs:
            self.chosen = index % len(self.plugs)
            self.canvas.ensure_visible([self.plugs[self.chosen].consumer], glide=True)
        self.move(self.here())
        self.canvas.update()
        self.announce()


def tensors_of(canvas: GraphCanvas, id_: int) -> list[Ref]:
    """What a wire can bring from a card: its outputs, then their gradients."""
    if id_ not in canvas.picture.index:
        return []
    ports = canvas.picture.ports(id_)
    found = [Ref(id_, port.index) for port in ports if port.kind == "value"]
    return found + [Ref(id_, port.index, ("grad",)) for port in ports if port.kind == "grad"]


def _name(ref: Ref, name: str) -> str:
    return name + "".join(f".{step}" for step in ref.path)
