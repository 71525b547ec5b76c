"""What a card says: the facts of one statement at the cursor, in the order in which a card shows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import NamedTuple, TypedDict

from chalkgrad.engine.record import OPS
from chalkgrad.program.building import is_gradient
from chalkgrad.program.cards import has_card
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Empty, Kind, Operand, Ref, Statement
from chalkgrad.session.hook_calls import hooks_on
from chalkgrad.session.state import Problem, Saved, State, StatementState, Status, TensorState
from chalkgrad.source import emit
from chalkgrad_app.naming import cut_short
from chalkgrad_app.picture.anatomy import Anatomy, RowExtent, anatomy, row_extent
from chalkgrad_app.picture.values import Shown, shown

LEAF, OP = Kind.LEAF, Kind.OP  # asked for of every wire: Python 3.11 takes ten times as long to look up a member

LONGEST = 60
"""Of a tensor that is written out and has no name so many characters are said."""


class Hue(IntEnum):
    """Which of the course's hues the header has; none where there is no tensor (yet)."""

    NONE = 0
    LEAF = 1
    LEAF_GRAD = 2
    INTERMEDIATE = 3


class GradFace(NamedTuple):
    """The grad row of one output: ``value`` is None where ``.grad`` is None.

    ``times`` is how often it was added to, ``hooks`` how many hooks gradients go through on their way to it.
    """

    value: Shown | None
    covered: bool
    kept: bool
    times: int
    hooks: int = 0


class RowFace(NamedTuple):
    """One output: its name where there are several, value, dtype when not float32, version from 1, gradient.

    ``covered`` is True for a value that is a gradient itself and is to be guessed first.
    """

    label: str
    value: Shown
    dtype: str
    version: int
    grad: GradFace | None
    covered: bool = False


@dataclass(frozen=True, slots=True)
class FootFace:
    """The grad_fn: its name without the ending, and how much of what it saved there is."""

    name: str
    saved: Saved
    count: int


class Field(NamedTuple):
    """An input port without a wire: ``text`` is the Python number in it, or empty where it is open."""

    port: int
    text: str


class Deed(NamedTuple):
    """What a line did to bring a conflict of versions about: it wrote this version, or saved it."""

    writes: bool
    version: str


@dataclass(frozen=True, slots=True)
class CardFace:
    """Everything that a card shows.

    The number of its line is painted apart: a card only has room for as many ``digits``. ``fields`` are the ports
    without a wire. ``error`` is the first line of what went wrong here; ``at_fault`` is True
    where another statement's error began, and ``deed`` what was done there to bring it about, where that is known.
    """

    id: int
    digits: int
    name: str
    expression: str
    hue: Hue
    requires_grad: bool
    rows: tuple[RowFace, ...]
    foot: FootFace | None
    status: Status
    error: str
    at_fault: bool
    deed: Deed | None
    in_place: bool
    fields: tuple[Field, ...]
    anatomy: Anatomy

    @property
    def title(self) -> str:
        """What it is called: by its name, else by what it is."""
        return self.name or self.expression

    @property
    def leaf(self) -> bool:
        """True where the word leaf stands on the card."""
        return self.hue in (Hue.LEAF, Hue.LEAF_GRAD)

    @property
    def asks(self) -> bool:
        """True where it is hidden whether this is a leaf, and whether it requires grad."""
        return self.hue is Hue.NONE and bool(self.rows)

    @property
    def ghost(self) -> bool:
        """True where nothing has run (yet): a dotted outline."""
        return self.status in (Status.TO_COME, Status.NOT_REACHED)


def input_ports(statement: Statement) -> tuple[tuple[int, Operand], ...]:
    """Number (as :meth:`Statement.ports` counts) and operand of every input port that a card draws."""
    if statement.kind is LEAF:
        return ()
    record = OPS.get(statement.call)
    ports = statement.ports()
    if statement.kind is OP and record is not None and record.inputs != ("tensors",):
        return tuple(enumerate(ports[: len(record.inputs)]))
    return tuple(
        (port, operand) for port, operand in enumerate(ports) if isinstance(operand, Ref | Empty | int | float)
    )


def faces_tensor(state: StatementState) -> TensorState | None:
    """The tensor that gives a card its hue: the first output there is."""
    for tensor in state.outputs:  # asked of every card several times: a generator would take thrice as long
        if tensor is not None:
            return tensor
    return None


def hue_of(tensor: TensorState | None) -> Hue:
    """The hue of a card whose tensor this is."""
    if tensor is None or not tensor.has_flags:
        return Hue.NONE
    if not tensor.is_leaf:
        return Hue.INTERMEDIATE
    return Hue.LEAF_GRAD if tensor.requires_grad else Hue.LEAF


def card_anatomy(statement: Statement, state: StatementState, inputs: int | None = None) -> Anatomy:
    """Size, rows and ports of the card of ``statement``; ``inputs`` is its number of input ports, where known."""
    several = len(statement.targets) > 1
    rows: list[RowExtent] = []
    foot = False
    for output, tensor in enumerate(state.outputs):
        if tensor is not None:
            rows.append(row_extent(tensor, statement.targets[output] if several else ""))
            foot = foot or tensor.grad_fn is not None
    return anatomy(tuple(rows), len(input_ports(statement)) if inputs is None else inputs, foot)


def face(
    program: Program,
    state: State,
    id_: int,
    blame: Mapping[int, Problem] | None = None,
    shape: Anatomy | None = None,
    worded: CardFace | None = None,
) -> CardFace:
    """What the card of statement ``id_`` says; ``blame`` is what :func:`blamed` found, worked out here when None.

    ``worded`` is a face of it on which the same is written of its line, where one is known.
    """
    statement = program[id_]
    at = state.statement(id_)
    first = faces_tensor(at)
    problem = (blamed(program, state) if blame is None else blame).get(id_)
    return CardFace(
        id=id_,
        **(_written(program, id_) if worded is None else _written_on(worded)),
        hue=hue_of(first),
        requires_grad=first is not None and first.requires_grad,
        rows=_rows(program, statement, at, state),
        foot=_foot(at),
        status=at.status,
        error=_first_line(at.problem or problem),
        at_fault=problem is not None and at.status is not Status.FAILED,
        deed=None if problem is None else _deed(program, problem, id_),
        anatomy=card_anatomy(statement, at) if shape is None else shape,
    )


def written(card: CardFace, program: Program) -> CardFace:
    """The same card in another program: what is written on it may differ, what it holds does not."""
    return replace(card, **_written(program, card.id))


class _Written(TypedDict):
    """What a card says of its line, whatever came of it."""

    digits: int
    name: str
    expression: str
    in_place: bool
    fields: tuple[Field, ...]


def _written(program: Program, id_: int) -> _Written:
    statement = program[id_]
    in_place, name = program.writes(statement), ", ".join(filter(None, statement.targets))
    is_named_leaf = statement.kind is Kind.LEAF and bool(name)  # what it is made of stands below its name
    return _Written(
        digits=digits_of(program, id_),
        name="" if in_place else name,
        expression="" if is_named_leaf else expression_of(program, statement),
        in_place=in_place,
        fields=fields_of(statement),
    )


def expression_of(program: Program, statement: Statement) -> str:
    """What a card is, as its line has it; of numbers that are written out in it the first."""
    text = emit.expression(program, statement.id, short=True)
    return cut_short(text, LONGEST) if statement.kind is LEAF else text


def _written_on(card: CardFace) -> _Written:
    return _Written(
        digits=card.digits,
        name=card.name,
        expression=card.expression,
        in_place=card.in_place,
        fields=card.fields,
    )


def digits_of(program: Program, id_: int) -> int:
    """How many digits the number of a line has."""
    return len(str(program.lines[id_]))


def blamed(program: Program, state: State) -> dict[int, Problem]:
    """The cards at which errors show: who failed, and for lines without a card, who is at fault or what they act on."""
    found: dict[int, Problem] = {}
    for problem in state.problems:
        if problem.warning or problem.statement not in program:
            continue
        statement = program[problem.statement]
        places = [problem.statement] if has_card(program, statement) else [ref.statement for ref in statement.refs()]
        for id_ in (*places, *problem.at_fault):
            if id_ in program and has_card(program, program[id_]):
                found[id_] = problem
    return found


def short_function_name(name: str) -> str:
    """A grad_fn's name without its ending: ``MulBackward0`` is ``Mul``."""
    stem = name.rstrip("0123456789")
    return stem.removesuffix("Backward") or name


def _rows(program: Program, statement: Statement, at: StatementState, state: State) -> tuple[RowFace, ...]:
    several = len(statement.targets) > 1
    rows = []
    for output, tensor in enumerate(at.outputs):
        if tensor is not None:
            covered = is_gradient(statement) and state.is_covered(tensor)
            label = statement.targets[output] if several else ""
            dtype = "" if tensor.dtype == "float32" else tensor.dtype
            value = shown(tensor, pictures=not covered)
            grad = _grad(tensor, state, len(hooks_on(program, state, Ref(statement.id, output))))
            rows.append(RowFace(label, value, dtype, tensor.version, grad, covered))
    return tuple(rows)


def _grad(tensor: TensorState, state: State, hooked: int) -> GradFace | None:
    if not tensor.requires_grad and tensor.grad is None:
        return None
    covered = state.is_covered(tensor)
    value = None
    if tensor.grad is not None:
        value = shown(tensor.grad, pictures=not covered)
    kept = tensor.retains_grad and not tensor.is_leaf
    return GradFace(value, covered, kept, 0 if covered else len(tensor.sum_of), hooked)


def _foot(at: StatementState) -> FootFace | None:
    for tensor in at.outputs:
        if tensor is not None and tensor.grad_fn is not None:
            return FootFace(short_function_name(tensor.grad_fn), tensor.saved, len(tensor.saved_values))
    return None


def fields_of(statement: Statement) -> tuple[Field, ...]:
    """The ports of a statement without a wire, with their numbers."""
    fields = []
    for port, operand in input_ports(statement):
        if isinstance(operand, Empty):
            fields.append(Field(port, ""))
        elif not isinstance(operand, Ref):
            fields.append(Field(port, repr(operand)))
    return tuple(fields)


def _deed(program: Program, problem: Problem, id_: int) -> Deed | None:
    plain, line = problem.plain, program[problem.statement]
    if plain is None or plain.key != "error.inplace_saved" or id_ not in problem.at_fault or len(problem.at_fault) != 2:
        return None
    if any(ref.statement == id_ for ref in line.refs()):
        return None
    writes = id_ == problem.at_fault[0]
    return Deed(writes, str(plain.values["version" if writes else "expected"]))


def _first_line(problem: Problem | None) -> str:
    return "" if problem is None else problem.message.split("\n", 1)[0]


def outline(card: CardFace) -> CardFace:
    """The same card as an outline only: what is to come."""
    return replace(card, rows=(), foot=None, hue=Hue.NONE)
