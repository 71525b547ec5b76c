"""Which wires join the cards, and how large cards are before anything has been measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from chalkgrad.layout.graph import Edge, Node, Point
from chalkgrad.program.cards import has_card, is_tag
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.program.vocabulary import is_recording

WIDTH = 176.0
HEADER = 28.0
ROW = 24.0
FOOT = 20.0


@dataclass(frozen=True, slots=True)
class CardWire:
    """A wire as drawn: from what ``source`` means (its card, output, and row by its path) to a port of a card.

    ``tags`` are the ids of the inline operators that it goes through, first one first.
    """

    source: Ref
    target: int
    port: int
    tags: tuple[int, ...] = ()


def card_wires(program: Program) -> list[CardWire]:
    """All wires between cards, by reader and port.

    A wire begins at the last line before its reader that wrote the value in place, else at the line that made it.
    """
    written: dict[Ref, int] = {}
    wires: list[CardWire] = []
    for statement in program:
        if has_card(program, statement):
            for port, operand in enumerate(statement.ports()):
                if isinstance(operand, Ref) and operand.statement in program:
                    wire = _wire(program, written, operand, statement.id, port)
                    if has_card(program, program[wire.source.statement]):
                        wires.append(wire)
        first = statement.operands[0] if statement.operands else None
        if program.writes(statement) and isinstance(first, Ref):
            written[_value(program.maker(first))] = statement.id
    return wires


def card_nodes(program: Program, places: Mapping[int, Point] | None = None) -> tuple[list[Node], list[Edge]]:
    """Cards at the sizes that the theme gives them with one-element values, and their wires, ready for ``tidy``."""
    needs = requires_grad(program)
    where = places or {}
    cards = (statement for statement in program if has_card(program, statement))
    nodes = [_node(card, card.id in needs, where.get(card.id)) for card in cards]
    edges = [
        Edge(wire.source.statement, wire.target, wire.port, HEADER + 1.5 * ROW if "grad" in wire.source.path else None)
        for wire in card_wires(program)
    ]
    return nodes, edges


def requires_grad(program: Program) -> set[int]:
    """Ids of leaves and operators whose result requires grad, as far as the text tells without running it."""
    needs: set[int] = set()
    for statement in program:
        if statement.kind is Kind.LEAF:
            wanted = statement.option("requires_grad", False) is True
        elif statement.kind is Kind.OP and statement.call != "detach":
            free = is_recording(program.modes(statement.block))
            wanted = free and any(ref.statement in needs and not ref.path for ref in statement.refs())
        else:
            wanted = statement.kind is Kind.GRAD and statement.option("create_graph") is True
        if wanted:
            needs.add(statement.id)
    return needs


def _wire(program: Program, written: Mapping[Ref, int], ref: Ref, target: int, port: int) -> CardWire:
    tags: list[int] = []
    source = program[ref.statement]
    while is_tag(program, source):
        first = source.operands[0]
        if not isinstance(first, Ref) or first.statement not in program:
            break
        tags.append(source.id)
        ref = replace(first, path=first.path + ref.path)
        source = program[ref.statement]
    made = program.maker(ref)
    writer = written.get(_value(made))
    if writer is not None and writer in program and has_card(program, program[writer]):
        made = Ref(writer, 0, tuple(step for step in made.path if step != "data"))
    return CardWire(made, target, port, tuple(reversed(tags)))


def _value(ref: Ref) -> Ref:
    """What is written when ``ref`` is: ``.data`` shares the value that it belongs to."""
    return replace(ref, path=tuple(step for step in ref.path if step != "data"))


def _node(statement: Statement, needs: bool, previous: Point | None) -> Node:
    ports = len(statement.ports()) if statement.kind is not Kind.LEAF else 0
    rows = max(ports, 2 if needs else 1, len(statement.targets))
    foot = FOOT if needs and statement.kind is not Kind.LEAF else 0.0
    inputs = tuple(HEADER + ROW / 2 + ROW * port for port in range(ports))
    return Node(statement.id, WIDTH, HEADER + ROW * rows + foot, inputs, HEADER + ROW / 2, None, previous)
