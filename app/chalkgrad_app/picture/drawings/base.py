"""What a drawing decides: how large a card is, where its parts lie, how it is painted, and where it goes by itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from chalkgrad.program.program import Program
from chalkgrad.program.statement import Statement
from chalkgrad.session.state import Problem, State, StatementState
from chalkgrad.source.emit import Wording, wording
from chalkgrad.stepwise import Stepwise
from chalkgrad_app.picture.anatomy import Anatomy
from chalkgrad_app.picture.card import CardFace, face, written
from chalkgrad_app.picture.card_paint import Rooms
from chalkgrad_app.picture.line_numbers import NumberPlace
from chalkgrad_app.picture.look import Look

if TYPE_CHECKING:
    from chalkgrad_app.picture.picture import Picture


class Drawing(ABC):
    """One way to draw a program. A statement is one rectangle with ports and rows in each of them.

    What has a rectangle is selected, moved, hit, spoken of and exported alike in all drawings. A drawing has no state;
    ``name`` is that by which a board keeps its places, and wires run ``down`` or to the right. Where it is not wired by
    hand, one builds otherwise.
    """

    name: ClassVar[str]
    down: ClassVar[bool] = False
    shows_functions: ClassVar[bool] = False
    """Whether the backward graph stands beside the cards."""
    is_wired_by_hand: ClassVar[bool] = True
    handle_at: ClassVar[float] = 0.94
    """How far along the row of a number the handle that drags it lies, from 0 to 1: where nothing is written."""

    lays_out: ClassVar[bool] = False
    """Whether cards that nobody has placed have their place from the drawing, and not from the board."""

    @abstractmethod
    def anatomy(self, statement: Statement, state: StatementState, inputs: int | None = None) -> Anatomy:
        """Size and parts of the card of ``statement``; ``inputs`` is its number of input ports, where known."""

    @abstractmethod
    def blank(self, inputs: int) -> Anatomy:
        """Size and parts of a card that has no tensor yet."""

    @abstractmethod
    def paint(self, painter: QPainter, card: CardFace, look: Look) -> None:
        """Paint a card in its own coordinates, near or at middle distance; :meth:`numbers` are left out."""

    @abstractmethod
    def numbers(self, card: CardFace, look: Look) -> tuple[NumberPlace, ...]:
        """Where the number of its line stands on a card, over all else; it is no part of what is compared of a face."""

    def still(self, card: CardFace, look: Look) -> Hashable | None:
        """All that is painted of a card but its values; None where it is not painted apart from these."""
        return None

    def paint_still(self, painter: QPainter, card: CardFace, look: Look) -> Rooms:
        """Paint a card of which :meth:`still` said something without its values; where these go."""
        raise NotImplementedError

    def paint_values(self, painter: QPainter, card: CardFace, rooms: Rooms, look: Look) -> None:
        """Paint the values of such a card on the rest of it."""
        raise NotImplementedError

    @abstractmethod
    def extent(self, card: CardFace) -> QRectF:
        """Everything that painting a card touches, in its own coordinates."""

    def lay_out(self, picture: Picture) -> Stepwise[None]:
        """Think of places for cards that the board has none for, in steps; :meth:`place` does where nobody did."""
        yield from ()

    @abstractmethod
    def place(self, picture: Picture, homeless: list[int]) -> None:
        """Give the cards in these rows of a picture places: the board has none for them."""

    def face(
        self,
        program: Program,
        state: State,
        id_: int,
        blame: Mapping[int, Problem],
        shape: Anatomy | None = None,
        worded: CardFace | None = None,
    ) -> CardFace:
        """What a card says; ``shape`` is its anatomy, ``worded`` a face with the same :meth:`wording`, where known."""
        return face(program, state, id_, blame, shape or self.anatomy(program[id_], state.statement(id_)), worded)

    def wording(self, program: Program, id_: int) -> Wording | None:
        """All that is written on a card is made of, where that is the statement and names alone, else None."""
        return wording(program, id_)

    def written(self, card: CardFace, program: Program, state: State) -> CardFace:
        """The same card in another program: what is written on it may differ, what it holds does not."""
        return written(card, program)
