"""The tensor that is asked about, with all that the trace recorded of it, and what an answer consists of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from chalkgrad.engine.dtype import ALL_DTYPES, COMPLEX, FLOATING
from chalkgrad.program.program import Program
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.session.mending.case import MODES_OFF, Scene
from chalkgrad.session.mending.remedy import Remedy, works
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
    alias: Statement | None = None
    """The line by whose other name somebody asks for it."""

    @classmethod
    def of(cls, sheet: Sheet, trace: Trace, state: State, ref: Ref) -> Subject | None:
        """What a reference means; None where there is no tensor."""
        program, alias = sheet.program, None
        made = program.maker(ref)
        while made.statement in program and (meant := _renamed(program[made.statement])) is not None:
            alias = alias or program[made.statement]
            made = program.maker(meant)
        tensor = state.tensor(made.statement, made.output) if made.statement in program else None
        return None if tensor is None else cls(sheet, state, trace, made, tensor, alias)

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
        """The tensors that a line reads, as they were when it ran."""
        then = replace(self, state=self.trace.state(self.trace.events_of(statement.id, self.state.position).start))
        found = ((ref, then.tensor(ref)) for ref in statement.refs())
        return [(ref, tensor) for ref, tensor in found if tensor is not None]

    def requiring(self, statement: Statement) -> str:
        """The names of those that require grad."""
        return named(self.name(ref) for ref, tensor in self.inputs(statement) if tensor.requires_grad)

    def asked_late(self, statement: Statement) -> Subject | None:
        """Of the tensors that a line read, one that was asked for gradients only after the line had run."""
        for ref, then in self.inputs(statement):
            now = self.state.object(then.number)
            if not ref.path and not then.requires_grad and now is not None and now.requires_grad:
                return Subject.of(self.sheet, self.trace, self.state, ref)
        return None

    def changed(self, fact: str) -> int | None:
        """The line after the one that made it that last changed a fact of the tensor; None where none did."""
        history = self.history
        for (_, before), (line, after) in zip(history[-2::-1], history[:0:-1], strict=False):
            if getattr(before, fact) != getattr(after, fact) and line is not None:
                return line if line != self.made_by.id and self.is_there(line) else None
        return None


def collect(subject: Subject, parts: Parts) -> Reason:
    """The answer that consists of ``parts``; a remedy that this program does not allow is left out."""
    found = [*_alias(subject), *parts]
    return Reason(
        tuple(part for part in found if isinstance(part, Text)),
        tuple(dict.fromkeys(part for part in found if isinstance(part, int))),
        tuple(part for part in found if isinstance(part, Remedy) and works(part, subject.sheet)),
    )


def _alias(subject: Subject) -> Parts:
    """That a name is another one for a tensor, of which then everything is said."""
    alias = subject.alias
    if alias is not None:
        yield alias.id
        yield Text("why.alias", name=alias.name, line=subject.line(alias.id), other=subject.called)


def _renamed(statement: Statement) -> Ref | None:
    """The tensor to which a line gives another name; None for one that reads an attribute, and any other line."""
    first = statement.operands[0] if statement.kind is Kind.ALIAS and statement.operands else None
    return first if isinstance(first, Ref) and not first.path else None


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
