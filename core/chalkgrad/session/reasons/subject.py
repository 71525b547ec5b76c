"""The tensor that is asked about, with all that the trace recorded of it, and what an answer consists of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from chalkgrad.engine.dtype import ALL_DTYPES, COMPLEX, FLOATING
from chalkgrad.program.program import Program
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.session.mending.case import MODES_OFF, Scene
from chalkgrad.session.mending.remedies import Remedy, works
from chalkgrad.session.state import State, Status, TensorState
from chalkgrad.session.tables import Facts
from chalkgrad.session.trace import Trace
from chalkgrad.text import Text

Parts = Iterator[Text | int | Remedy]
"""What an answer is put together from: sentences, lines to light up, remedies; in any order."""


@dataclass(frozen=True, slots=True)
class Reason:
    """An answer: two or three sentences, the lines that they speak of, and what can be done about it."""

    sentences: tuple[Text, ...] = ()
    lines: tuple[int, ...] = ()
    remedies: tuple[Remedy, ...] = ()

    def __bool__(self) -> bool:
        """False where there is nothing to say."""
        return bool(self.sentences)


@dataclass(frozen=True, slots=True)
class Subject(Scene):
    """One tensor of a sheet at one moment: ``ref`` is how one comes to it, and what made it."""

    trace: Trace
    ref: Ref
    asked: TensorState

    @classmethod
    def of(cls, sheet: Sheet, trace: Trace, state: State, ref: Ref) -> Subject | None:
        """What a reference means; None where there is no tensor."""
        made = sheet.program.maker(ref)
        tensor = state.tensor(made.statement, made.output) if made.statement in sheet.program else None
        return None if tensor is None else cls(sheet, state, trace, made, tensor)

    @property
    def made_by(self) -> Statement:
        """The line that made it."""
        return self.program[self.ref.statement]

    @property
    def called(self) -> str:
        """What the text calls it."""
        return self.name(self.ref)

    @property
    def history(self) -> tuple[tuple[int | None, Facts], ...]:
        """What was true of it up to now, each change with its line."""
        return self.trace.history(self.asked.number, self.state.position)

    def is_there(self, id_: int | None) -> bool:
        """True for a line of the program as it is."""
        return id_ in self.program

    def has_run(self, statement: Statement) -> bool:
        """True for a line that did something up to now, even where it failed."""
        return self.state.statement(statement.id).status in (Status.OK, Status.FAILED)

    def ran(self, *kinds: Kind) -> list[Statement]:
        """The lines of these kinds that have run."""
        return [statement for statement in self.program if statement.kind in kinds and self.has_run(statement)]

    def mode_off(self, statement: Statement) -> int | None:
        """The innermost block around a line that says whether a graph is recorded, where it says no."""
        chain = (id_ for id_ in reversed(self.program.chain(statement.block)) if not self.program.blocks[id_].is_loop)
        block = next(chain, None)
        return block if block is not None and self.program.blocks[block].mode in MODES_OFF else None

    def inputs(self, statement: Statement) -> list[tuple[Ref, TensorState]]:
        """The tensors that a line reads."""
        found = ((ref, self.tensor(ref)) for ref in statement.refs())
        return [(ref, tensor) for ref, tensor in found if tensor is not None]

    def requiring(self, statement: Statement) -> str:
        """The names of those that require grad."""
        return named(self.name(ref) for ref, tensor in self.inputs(statement) if tensor.requires_grad)


def collect(subject: Subject, parts: Parts) -> Reason:
    """The answer that consists of ``parts``; a remedy that this program does not allow is left out."""
    found = list(parts)
    return Reason(
        tuple(part for part in found if isinstance(part, Text)),
        tuple(dict.fromkeys(part for part in found if isinstance(part, int))),
        tuple(part for part in found if isinstance(part, Remedy) and works(part, subject.sheet)),
    )


def can_require(tensor: TensorState) -> bool:
    """True for a dtype that can have gradients: floating point or complex."""
    dtype = ALL_DTYPES[tensor.dtype]
    return dtype.kind in (FLOATING, COMPLEX)


def acts_on(program: Program, statement: Statement, ref: Ref) -> bool:
    """True for a line whose first operand is the tensor ``ref``."""
    first = statement.operands[0] if statement.operands else None
    if not isinstance(first, Ref):
        return False
    made = program.maker(first)
    return (made.statement, made.output) == (ref.statement, ref.output)


def named(names: Iterator[str]) -> str:
    """Names in a row, each once."""
    return ", ".join(dict.fromkeys(names))
