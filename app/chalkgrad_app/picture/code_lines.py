"""The lines of the program beside the cards of the autograd drawing: each as high as the tensor that it speaks of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chalkgrad.program.program import Program
from chalkgrad.source import emit
from chalkgrad_app.picture.node_arrays import NodeArrays

if TYPE_CHECKING:
    from chalkgrad_app.picture.picture import Picture

LINE = "line"
"""The kind of key that a line has; its number is the statement's id."""
HEIGHT, MARGIN = 26.0, 40.0
CHARACTER = 12.1
"""Width of a character as it is written from some distance, a little more than the fonts need."""
LONGEST = 48
"""Characters of a line that are shown; the rest is elided."""
MANY, COLUMN = 200, 320.0
"""With more lines than so many each takes so much room, and is written only where somebody looks."""


class CodeLines(NodeArrays):
    """The lines of one picture: keys ``("line", id)``."""

    def __init__(self) -> None:
        super().__init__()
        self._texts: dict[int, str] = {}
        self._geometry: tuple[object, ...] = ()
        self._program = Program()
        self._ids: list[int] = []

    def follow(self, picture: Picture) -> None:
        """Mirror the lines of the picture's program, where the drawing shows them."""
        if not picture.drawing.shows_functions:
            if self.keys:
                self._program, self._ids, self._texts = Program(), [], {}
                self.take((), (), np.zeros((0, 4)))
            return
        if picture.program is not self._program or picture.ids != self._ids:
            self._program, self._ids = picture.program, picture.ids
            self._collect(picture)
            self._geometry = ()
        geometry = picture.x.tobytes(), picture.y.tobytes(), picture.heads.tobytes()
        if geometry != self._geometry:
            self._geometry = geometry
            self._place(picture)

    def text(self, row: int) -> str:
        """The line in a row."""
        id_ = self.keys[row][1]
        found = self._texts.get(id_)
        if found is None:
            found = self._texts[id_] = _text(self._program, id_)
        return found

    def _collect(self, picture: Picture) -> None:
        program = picture.program
        cards = {}
        for statement in program:
            if statement.id in picture.index:
                cards[statement.id] = statement.id
            elif not program.is_inline(statement.id):
                spoken_of = (program.maker(ref).statement for ref in statement.refs())
                cards[statement.id] = next((id_ for id_ in spoken_of if id_ in picture.index), 0)
        found = [(id_, card) for id_, card in cards.items() if card and not program.is_inline(id_)]
        self._texts = {}
        self.take([(LINE, id_) for id_, _ in found], [card for _, card in found], np.zeros((len(found), 4)))
        few = len(found) <= MANY
        self.w[:] = [len(self.text(row)) * CHARACTER if few else COLUMN for row in range(len(found))]
        self.h[:] = HEIGHT

    def _place(self, picture: Picture) -> None:
        """Right-aligned left of all cards, each beside its tensor or below the line before it."""
        if not self.keys:
            return
        rows = [picture.index[id_] for id_ in self.cards]
        tops = (picture.y + picture.heads)[rows]
        self.x[:] = float(picture.x.min()) - MARGIN - self.w
        order = np.lexsort((np.arange(len(rows)), tops))
        steps = np.arange(len(rows)) * HEIGHT
        # Each stands at its tensor, or right below the one before: the running maximum, with the steps taken out.
        self.y[order] = np.maximum.accumulate(tops[order] - steps) + steps


def _text(program: Program, id_: int) -> str:
    text = emit.line(program, id_).split("\n", 1)[0]
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
