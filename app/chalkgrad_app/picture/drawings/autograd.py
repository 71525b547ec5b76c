"""Autograd: a card with rows for each tensor, operators above their results, the backward graph beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from chalkgrad.layout import Beside, Brick, Edge, Group, Strip, in_strips
from chalkgrad.program import arranging
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Statement
from chalkgrad.session.state import Problem, State, StatementState
from chalkgrad.source.emit import Wording
from chalkgrad.stepwise import Stepwise, finished
from chalkgrad_app.picture.anatomy import ERROR_STRIP, Anatomy, Point
from chalkgrad_app.picture.autograd_brief import paint_middle
from chalkgrad_app.picture.autograd_face import AutogradFace, autograd_face, titled
from chalkgrad_app.picture.autograd_paint import number_place, paint_near
from chalkgrad_app.picture.autograd_shape import PLAIN, shape, statement_shape
from chalkgrad_app.picture.card import CardFace, input_ports
from chalkgrad_app.picture.card_parts import PORT, field_rect
from chalkgrad_app.picture.drawings.base import Drawing
from chalkgrad_app.picture.folding import MARGIN, TITLE, block_members, node_size
from chalkgrad_app.picture.function_columns import OF_LEAF, OF_OPERATOR
from chalkgrad_app.picture.function_layer import CHANNEL, CTX, CTX_GAP, PITCH
from chalkgrad_app.picture.laid_out import LaidOut
from chalkgrad_app.picture.line_numbers import NumberPlace
from chalkgrad_app.picture.look import Look
from chalkgrad_app.picture.strips import AFTER

if TYPE_CHECKING:
    from chalkgrad_app.picture.picture import Picture


class AutogradDrawing(Drawing):
    """The drawing of the notes' figure; with ``more`` rows on demand."""

    name = "autograd"
    down = True
    shows_functions = True
    lays_out = True

    def __init__(self, more: bool = False) -> None:
        self.more = more

    def anatomy(self, statement: Statement, state: StatementState, inputs: int | None = None) -> Anatomy:
        """Size and parts: the operator's box, below it a card for each output."""
        count = len(input_ports(statement)) if inputs is None else inputs
        return statement_shape(statement, state, count, self.more)

    def blank(self, inputs: int) -> Anatomy:
        """Size and parts of a statement that has no tensor yet."""
        return shape((PLAIN,), False, inputs, not inputs, False, self.more)

    def face(
        self,
        program: Program,
        state: State,
        id_: int,
        blame: Mapping[int, Problem],
        shape: Anatomy | None = None,
        worded: CardFace | None = None,
    ) -> CardFace:
        """What the statement says, attribute by attribute."""
        return autograd_face(super().face(program, state, id_, blame, shape, worded), program, state, self.more)

    def wording(self, program: Program, id_: int) -> Wording | None:
        """What was saved is called by other lines, too."""
        return None

    def written(self, card: CardFace, program: Program, state: State) -> CardFace:
        """The same in another program: lines and names may differ."""
        return titled(super().written(card, program, state), program, state)

    def paint(self, painter: QPainter, card: CardFace, look: Look) -> None:
        """Paint a statement in its own coordinates."""
        assert isinstance(card, AutogradFace)
        if look.shows_rows:
            paint_near(painter, card, look.theme, look.words)
        else:
            paint_middle(painter, card, look)

    def numbers(self, card: CardFace, look: Look) -> tuple[NumberPlace, ...]:
        """At the left in the head of the first card, seen near."""
        assert isinstance(card, AutogradFace)
        return (number_place(card),) if look.shows_rows else ()

    def extent(self, card: CardFace) -> QRectF:
        """The statement with its ports, fields, hatching and the error strip."""
        whole = QRectF(0, 0, card.anatomy.width, card.anatomy.height)
        for field in card.fields:
            whole = whole.united(field_rect(card.anatomy, field.port, field.text))
        around = 10.0 if card.error else 4.0
        return whole.adjusted(-around, -around - PORT, around + PORT, around + (ERROR_STRIP if card.error else PORT))

    def lay_out(self, picture: Picture) -> Stepwise[None]:
        """All in rows, as if nobody had placed anything; a picture that holds still only where that is other cards."""
        blocks = block_members(picture.program, picture.ids)
        folded = _folded(picture, blocks)
        of, known, sizes = (picture.ids, picture.wires, (blocks, folded)), picture.laid_out, picture.sizes_serial
        if known is not None and known.of != of and known.of[0] and picture.settles_later:
            picture.laid_out = known.with_others(of, picture.h.tolist())
        elif known is None or known.of != of or (known.sizes != sizes and not picture.holds_still):
            places, strips = yield from _in_rows(picture, picture.anatomies(), blocks, folded)
            found = np.array([places[id_] for id_ in picture.ids]).reshape(-1, 2)
            number = {id_: at for at, strip in enumerate(strips) for id_ in strip.members}
            strip = np.array([number[folded.get(id_, id_)] for id_ in picture.ids], np.intp)
            gone = {} if known is None else known.gone
            picture.laid_out = LaidOut(of, sizes, found, gone, strips, strip)

    def place(self, picture: Picture, homeless: list[int]) -> None:
        """Where they are in rows; those that the board has stay where they are."""
        finished(self.lay_out(picture))
        assert picture.laid_out is not None
        rows = slice(None) if len(homeless) == len(picture.ids) else homeless
        picture.x[rows], picture.y[rows] = picture.laid_out.places[rows].T


def _folded(picture: Picture, blocks: Mapping[int, list[int]]) -> dict[int, int]:
    """The folded node in which each hidden card is."""
    found: dict[int, int] = {}
    for node, hides in arranging.outermost(picture.board, blocks).items() if picture.board.folds else ():
        found |= {id_: node for id_ in hides if id_ in picture.index and id_ not in found}
    return found


def _in_rows(
    picture: Picture, shapes: Iterable[Anatomy], blocks: Mapping[int, list[int]], folded: Mapping[int, int]
) -> Stepwise[tuple[dict[int, Point], tuple[Strip, ...]]]:
    """Where the layout has all cards, and in which strips; the members of a block stand together, inner blocks first.

    A folded node stands in one place for all cards that it hides.

    What writes in place has a row of its own: what reads the tensor as it was stands above it, what reads it as it is
    now below.
    """
    program = picture.program
    bricks: dict[int, Brick] = {}
    for id_, card in zip(picture.ids, shapes, strict=True):
        node = folded.get(id_)
        if node is None:
            bricks[id_] = Brick(id_, card.width, card.height, card.header.top, program.writes(program[id_]))
        elif node not in bricks:
            hidden = [inner for inner, other in folded.items() if other == node]
            bricks[node] = Brick(node, *node_size(picture, node, hidden), 0.0, False)
    yield 0.0
    shown_as = {id_: folded.get(id_, id_) for id_ in picture.ids}
    number = {id_: at for at, id_ in enumerate(bricks)}
    edges = [Edge(shown_as[wire.source], shown_as[wire.target], wire.port) for wire in picture.wires]
    down = [edge for edge in edges if number[edge.source] < number[edge.target]]  # not within a node, nor back into it
    yield 0.0
    seen = {block: ids for block, ids in blocks.items() if not all(id_ in folded for id_ in ids)}
    groups = [Group(block, frozenset(shown_as[id_] for id_ in ids), MARGIN + 4, TITLE) for block, ids in seen.items()]
    groups.sort(key=lambda group: len(group.members))
    places, strips = yield from in_strips(list(bricks.values()), down, groups, _beside(picture, down))
    return {id_: places[shown_as[id_]] for id_ in picture.ids}, strips


def _beside(picture: Picture, edges: Iterable[Edge]) -> Beside:
    """What will stand beside the cards: a node for each operator and for each leaf that gets a gradient."""
    heights = dict.fromkeys(
        (id_ for id_ in picture.ids if picture.program[id_].option("requires_grad") is True), OF_LEAF
    )
    heights |= dict.fromkeys((edge.target for edge in edges), OF_OPERATOR)
    return Beside(heights, CHANNEL + CTX + CTX_GAP, PITCH, AFTER)
