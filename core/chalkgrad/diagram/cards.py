"""What a diagram says of each card and wire: the facts on the canvas, as text."""

from __future__ import annotations

from dataclasses import dataclass

from chalkgrad.layout.cards import card_wires, requires_grad
from chalkgrad.program.cards import has_card
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind
from chalkgrad.session.state import State, Status, TensorState
from chalkgrad.source import emit

COVERED = "?"
"""Stands for a gradient that is covered."""


@dataclass(frozen=True, slots=True)
class Card:
    """One card. ``value`` and ``grad`` are None where nothing is known, ``grad_fn`` also where there is none."""

    id: int
    line: int
    name: str
    expression: str
    is_leaf: bool
    requires_grad: bool
    value: str | None = None
    grad: str | None = None
    grad_fn: str | None = None
    status: str = Status.OK.value

    @property
    def title(self) -> str:
        """``y = a * b`` for a result, the name alone for a leaf."""
        if not self.expression:
            return self.name
        return f"{self.name} = {self.expression}" if self.name else self.expression

    def rows(self) -> list[str]:
        """The lines of text on the card, from top to bottom."""
        found = [self.title]
        if self.value is not None:
            found += self.value.split("\n")
        if self.grad is not None:
            found += f"grad {self.grad}".split("\n")
        if self.grad_fn is not None:
            found.append(self.grad_fn.removesuffix("Backward0"))
        return found

    @property
    def style(self) -> str:
        """``leaf``, ``parameter`` (a leaf that requires grad), ``result`` or ``intermediate`` (a result that does)."""
        if self.is_leaf and not self.expression:
            return "parameter" if self.requires_grad else "leaf"
        return "intermediate" if self.requires_grad else "result"


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire, from a card to a port of another; ``label`` are its tags (``.detach()``, ``.grad``), mostly empty."""

    source: int
    target: int
    port: int
    requires_grad: bool
    label: str = ""


def cards(program: Program, state: State | None = None) -> list[Card]:
    """The cards of ``program``, in the order of its lines, with what ``state`` says of them."""
    needs = requires_grad(program)
    return [_card(program, id_, id_ in needs, state) for id_ in program.order if has_card(program, program[id_])]


def wires(program: Program, state: State | None = None) -> list[Wire]:
    """The wires between the cards; a thick one carries a tensor that requires grad."""
    by_id = {card.id: card for card in cards(program, state)}
    found = []
    for wire in card_wires(program):
        tags = [f".{step}" for step in wire.source.path] + [emit.tag(program[tag]) for tag in wire.tags]
        carries = by_id[wire.source.statement].requires_grad and not tags
        found.append(Wire(wire.source.statement, wire.target, wire.port, carries, "".join(tags)))
    return found


def _card(program: Program, id_: int, needs: bool, state: State | None) -> Card:
    statement = program[id_]
    leaf = statement.kind is Kind.LEAF
    name = ", ".join(target for target in statement.targets if target)
    expression = "" if leaf else emit.expression(program, id_)
    made = Card(id_, program.lines[id_], name, expression, leaf, needs)
    if state is None:
        return made
    status = state.statement(id_).status.value
    tensors = [tensor for tensor in state.statement(id_).outputs if tensor is not None]
    if not tensors:
        return Card(id_, made.line, name, expression, leaf, needs, status=status)
    first = tensors[0]
    value = ", ".join(tensor.short for tensor in tensors)
    grad = _grad(first, state)
    return Card(
        id_, made.line, name, expression, first.is_leaf, first.requires_grad, value, grad, first.grad_fn, status
    )


def _grad(tensor: TensorState, state: State) -> str | None:
    if not tensor.requires_grad:
        return None
    if state.is_covered(tensor):
        return COVERED
    return "None" if tensor.grad is None else tensor.grad.short
