"""The lines of the program beside the cards of the autograd drawing, each as high as the tensor that it makes.

They stand in the order of the program: a line that makes no tensor follows the one before it. The line that opens a
block stands at the top of its frame, which says no more: wires come in there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from chalkgrad.program.program import Program
from chalkgrad.source import emit
from chalkgrad_app.naming import cut_short
from chalkgrad_app.picture.node_arrays import NodeArrays
from chalkgrad_app.picture.strips import LINES

if TYPE_CHECKING:
    from chalkgrad_app.picture.picture import Picture

LINE = "line"
"""The kind of key that a line has; its number is the id of the statement, or of the block that it opens."""
HEIGHT, MARGIN = 26.0, 40.0
CHARACTER = 12.1
"""Width of a character as it is written from some distance, a little more than the fonts need."""
COUNTER = 190.0
"""Room before the line of a loop for the counter of its rounds."""
LONGEST = 60
"""Characters of a line that are shown; the rest is elided."""
LONGEST_BETWEEN = int(LINES / CHARACTER)
"""The same of a line between two strips."""
MANY, LONGEST_OF_MANY = 200, 40
"""With more lines than so many each takes room for so many characters, and is written only where somebody looks."""


class CodeLines(NodeArrays):
    """The lines of one picture: keys ``("line", id)``; of each no more than its first ``longest`` characters."""

    def __init__(self) -> None:
        super().__init__()
        self.longest = LONGEST
        self._texts: dict[int, str] = {}
        self._geometry: tuple[object, ...] = ()
        self._program = Program()
        self._ids: list[int] = []
        self._beside: list[int] = []
        self._strip = np.zeros(0, np.intp)

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
        geometry = _geometry_of(picture)
        if geometry != self._geometry:
            self._geometry = geometry
            self._place(picture)

    def follows_in_time(self, picture: Picture) -> bool:
        """Have the words of the lines that there were; False where there are other lines, or any stands elsewhere.

        They are as they were then: what takes long waits for :meth:`follow`.
        """
        if not picture.drawing.shows_functions:
            self.follow(picture)
            return True
        if picture.ids == self._ids and _has_lines_of(picture.program, self._program):
            self._program, self._texts = picture.program, {}
        is_its = picture.program is self._program and picture.ids == self._ids
        return is_its and _geometry_of(picture) == self._geometry

    def shorten(self, picture: Picture, longest: int) -> None:
        """Show so many characters of each line at most, its first ones."""
        if longest != self.longest:
            self.longest = longest
            self._widen(picture)
            self._place(picture)

    def text(self, row: int) -> str:
        """The line in a row, as much of it as is shown."""
        id_ = self.keys[row][1]
        found = self._texts.get(id_)
        if found is None:
            found = self._texts[id_] = _text(self._program, id_)
        longest = min(self.longest, LONGEST_OF_MANY) if self._are_many else self.longest
        return cut_short(found, min(longest, LONGEST_BETWEEN) if self._strip[row] else longest)

    def text_width(self, row: int) -> float:
        """How wide the text of a line is at most."""
        return len(self.text(row)) * CHARACTER

    def _collect(self, picture: Picture) -> None:
        found = list(_lines(picture.program, picture.ids))
        self._texts = {}
        self._beside = [here for _, here, _ in found]
        self.take([(LINE, id_) for id_, _, _ in found], [card for _, _, card in found], np.zeros((len(found), 4)))
        self._strip = np.zeros(len(found), np.intp)
        self._widen(picture)
        self.h[:] = HEIGHT

    @property
    def _are_many(self) -> bool:
        return len(self.keys) > MANY

    def _widen(self, picture: Picture) -> None:
        """As wide as their texts; of very many lines nobody asks what each says."""
        most = min(self.longest, LONGEST_OF_MANY) * CHARACTER
        self.w[:] = most if self._are_many else [self.text_width(row) for row in range(len(self))]
        loops = [(LINE, block) for block in picture.program.blocks if _is_loop(picture.program, block)]
        self.w[[self.index[line] for line in loops if line in self.index]] += COUNTER

    def _place(self, picture: Picture) -> None:
        """Right-aligned left of all cards, each at the height of its tensor or below the line before it."""
        if not self.keys:
            return
        tops = (picture.y + picture.heads)[[picture.index[id_] for id_ in self._beside]]
        for fold in picture.folds:  # what is hidden is all as high as its node, so in the order of the program
            tops[[row for row, id_ in enumerate(self._beside) if id_ in fold.hides]] = fold.rect.top()
        frames = [frame for frame in picture.frames if (LINE, frame.id) in self.index]
        for frame in frames:
            tops[self.index[LINE, frame.id]] = frame.rect.top()
        strip = picture.strips_of(range(len(picture.ids)))
        of = strip[[picture.index[id_] for id_ in self._beside]]
        if (of != self._strip).any():
            self._strip = of
            self._widen(picture)
        for number in np.unique(of).tolist():
            edges = [frame.rect.left() for frame in frames if strip[picture.index[min(frame.cards)]] == number]
            here = np.flatnonzero(of == number)
            self.x[here] = min([float(picture.x[strip == number].min()), *edges]) - MARGIN - self.w[here]
            order = here[np.lexsort((here, tops[here]))]
            steps = np.arange(len(here)) * HEIGHT
            # Each stands at its tensor, or right below the one before: the running maximum, with the steps taken out.
            self.y[order] = np.maximum.accumulate(tops[order] - steps) + steps


def _geometry_of(picture: Picture) -> tuple[object, ...]:
    return picture.x.tobytes(), picture.y.tobytes(), picture.heads.tobytes(), picture.frames


def _has_lines_of(program: Program, other: Program) -> bool:
    """True where a program has as many lines as another, for the same statements and blocks."""
    return program.order == other.order and program.inline == other.inline and program.blocks == other.blocks


def _lines(program: Program, ids: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Every line that is written, with the card that it stands beside and the one that it speaks of.

    A line without a card of its own stands beside that of the line before it, the first ones beside the first card; a
    block stands for its first card.
    """
    cards, opened = frozenset(ids), set[int]()
    here = ids[0] if ids else 0
    for statement in program if ids else ():
        id_ = statement.id
        here = id_ if id_ in cards else here
        for block in program.chain(statement.block):
            if block not in opened:
                opened.add(block)
                yield block, here, here
        if id_ in cards:
            spoken_of = id_
        else:
            others = (program.maker(ref).statement for ref in statement.refs())
            spoken_of = next(filter(cards.__contains__, others), here)
        if not program.is_inline(id_):
            yield id_, here, spoken_of


def _is_loop(program: Program, id_: int) -> bool:
    block = program.blocks.get(id_)
    return block is not None and block.is_loop


def _text(program: Program, id_: int) -> str:
    block = program.blocks.get(id_)
    return emit.shown_line(program, id_).split("\n", 1)[0] if block is None else block.heading
