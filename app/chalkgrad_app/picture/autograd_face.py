"""What a statement says in the autograd drawing: beside what a card says, the attributes of each tensor row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from enum import IntEnum
from typing import NamedTuple

from chalkgrad.engine.record import OPS
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Statement
from chalkgrad.session.state import Saved, SavedValue, State, TensorState
from chalkgrad.source import emit
from chalkgrad_app.picture.autograd_shape import MORE, ROWS
from chalkgrad_app.picture.card import CardFace, faces_tensor
from chalkgrad_app.picture.values import shape_text


class Manner(IntEnum):
    """How the value of an attribute is written."""

    PLAIN = 0
    NONE = 1
    TRUE = 2
    FALSE = 3
    FUNCTION = 4
    COVERED = 5


class Attribute(NamedTuple):
    """One row: an attribute of a tensor by PyTorch's name, and what it is."""

    name: str
    text: str
    manner: Manner


@dataclass(frozen=True, slots=True)
class AutogradFace(CardFace):
    """Everything that a statement shows in the autograd drawing.

    ``operator`` is the name in the operator's box, empty for a leaf; ``titles`` and ``attributes`` are those of its
    tensors, in the order of ``rows``. ``saves`` are names of what was saved for the backward.
    """

    operator: str = ""
    titles: tuple[str, ...] = ()
    attributes: tuple[tuple[Attribute, ...], ...] = ()
    saved: Saved = Saved.NONE
    saves: tuple[str, ...] = ()


def autograd_face(card: CardFace, program: Program, state: State, more: bool) -> AutogradFace:
    """What a card says in full."""
    tensors = [tensor for tensor in state.statement(card.id).outputs if tensor is not None]
    first = faces_tensor(state.statement(card.id))
    return AutogradFace(
        **{each.name: getattr(card, each.name) for each in fields(CardFace)},
        operator=operator_name(program[card.id]),
        titles=titles(program, card),
        attributes=tuple(tuple(_attributes(tensor, more)) for tensor in tensors),
        saved=Saved.NONE if first is None else first.saved,
        saves=_saves(program, state, card.id, first),
    )


def _saves(program: Program, state: State, id_: int, tensor: TensorState | None) -> tuple[str, ...]:
    """Names of what a statement saved."""
    return saved_names(program, state, _saved_by(state, id_, tensor), id_)


def _saved_by(state: State, id_: int, tensor: TensorState | None) -> Sequence[SavedValue]:
    """What a statement saved itself: its result may have been written in place since, by another that saved more."""
    if tensor is None or tensor.node is None:
        return ()
    if state.nodes[tensor.node].statement == id_:
        return tensor.saved_values
    own = (number for number in range(tensor.node - 1, -1, -1) if state.nodes[number].statement == id_)
    return state.saved_by(next(own, tensor.node))


def titled(card: CardFace, program: Program, state: State) -> CardFace:
    """The same card with the names of another program."""
    assert isinstance(card, AutogradFace)
    return replace(
        card,
        titles=titles(program, card),
        operator=operator_name(program[card.id]),
        saves=_saves(program, state, card.id, faces_tensor(state.statement(card.id))),
    )


def titles(program: Program, card: CardFace) -> tuple[str, ...]:
    """The names of a statement's tensors; for an in-place operator that of what it writes."""
    statement = program[card.id]
    if card.in_place:
        made = next(statement.refs(), None)
        return (_name(program, program.maker(made).statement, made.output),) if made is not None else ("",)
    return tuple(statement.targets) or ("",)


def operator_name(statement: Statement) -> str:
    """The name in an operator's box."""
    if statement.kind is Kind.LEAF:
        return ""
    record = OPS.get(statement.call)
    if record is None:
        return statement.call or str(statement.kind.value)
    return (record.function or record.method or record.returns or record.name).rpartition(".")[2]


def saved_names(program: Program, state: State, values: Sequence[SavedValue], id_: int) -> tuple[str, ...]:
    """What was saved for a statement, in the order of its inputs: what the program calls it, else PyTorch's name."""
    record = OPS.get(program[id_].call) if id_ in program else None
    inputs = list(record.inputs) if record is not None else []
    ordered = sorted(values, key=lambda each: inputs.index(each.name) if each.name in inputs else len(inputs))
    return tuple([_called(program, state, each.number) or each.name for each in ordered])


def _called(program: Program, state: State, number: int | None) -> str:
    """What an object is called: its name, or the expression that made it; empty where there is none."""
    if number is None:
        return ""
    outlet = state.outlet(number)
    return state.calling(number)[0] or (_name(program, *outlet) if outlet is not None and outlet[0] in program else "")


def _name(program: Program, id_: int, output: int) -> str:
    targets = program[id_].targets
    if output < len(targets) and targets[output]:
        return targets[output]
    return emit.expression(program, id_, short=True) if program[id_].kind is Kind.OP else ""


def _attributes(tensor: TensorState, more: bool) -> Iterator[Attribute]:
    covered = not tensor.has_flags
    for name in ROWS + MORE if more else ROWS:
        if covered and name in ROWS:
            yield Attribute(name, "?", Manner.COVERED)
        else:
            yield _attribute(tensor, name)


def _attribute(tensor: TensorState, name: str) -> Attribute:
    if name == "grad_fn":
        return Attribute(name, tensor.grad_fn or "None", Manner.FUNCTION if tensor.grad_fn else Manner.NONE)
    if name == "shape":
        return Attribute(name, shape_text(tensor.shape), Manner.PLAIN)
    if name == "dtype":
        return Attribute(name, f"torch.{tensor.dtype}", Manner.PLAIN)
    if name == "_version":
        return Attribute(name, str(tensor.version), Manner.PLAIN)
    on = bool({"is_leaf": tensor.is_leaf, "requires_grad": tensor.requires_grad}.get(name, tensor.retains_grad))
    return Attribute(name, str(on), Manner.TRUE if on else Manner.FALSE)
