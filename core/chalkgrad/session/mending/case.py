"""One error with everything that is true where it happened, and where to look for what caused it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import prod

from chalkgrad.engine.dtype import ALL_DTYPES, COMPLEX, FLOATING
from chalkgrad.engine.record import OPS
from chalkgrad.program.program import Program
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Kind, Ref, Statement, refs_in
from chalkgrad.session.state import Problem, State, TensorState
from chalkgrad.source import emit

MODES_OFF = frozenset({"no_grad", "inference_mode"})
"""Blocks under which no graph is recorded."""
CONVERSIONS = frozenset(name for name in OPS if name.startswith("to_"))
"""Operators that give the same numbers in another dtype."""
CASTS = CONVERSIONS | {"to", "view_dtype"}
"""Operators that give another dtype, whatever that of their input is."""
LONGEST = 32
"""Of an unnamed tensor that is written with more characters only the operator is said."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A sheet and everything that is true of it at one moment."""

    sheet: Sheet
    state: State
    _above: dict[int, list[Statement]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def program(self) -> Program:
        """The program as it is."""
        return self.sheet.program

    def above(self, made: int) -> list[Statement]:
        """The lines that a line needs, itself first, newest first; several of its questions begin with them."""
        if made not in self._above:
            program, ids = self.program, self.program.needs(made) | {made}
            self._above[made] = [program.statements[id_] for id_ in reversed(program.order) if id_ in ids]
        return self._above[made]

    def line(self, id_: int) -> int:
        """The number of a line."""
        return self.program.lines[id_]

    def lines(self, ids: Sequence[int]) -> str:
        """The numbers of several lines."""
        return ", ".join(str(self.line(id_)) for id_ in ids)

    def name(self, ref: Ref) -> str:
        """What the text calls a tensor: its name, or what is written in the place of one."""
        made = self.program.maker(ref)
        statement = self.program[made.statement]
        named = statement.targets[made.output] if made.output < len(statement.targets) else ""
        return ".".join((named or self._written(statement, made.output, bool(made.path)), *made.path))

    def owner(self, ref: Ref) -> str:
        """The same in front of a dot: ``(w * 2)``, as in ``(w * 2).sum()``."""
        made = self.program.maker(ref)
        statement = self.program[made.statement]
        return self.name(ref) if any(statement.targets) or made.path else self._written(statement, made.output, True)

    def _written(self, statement: Statement, output: int, before_dot: bool) -> str:
        """What an unnamed tensor is written as, short enough for a sentence."""
        text = emit.expression(self.program, statement.id, short=False)
        if len(text) > LONGEST or "\n" in text:
            return f"{spelled(statement)}()"
        if len(statement.targets) > 1:
            return f"{text}[{output}]"
        binds_less = statement.style == "operator" and statement.call != "getitem"
        return f"({text})" if before_dot and binds_less else text

    def tensor(self, ref: Ref) -> TensorState | None:
        """The tensor that a reference means, without its path; None where there is none."""
        made = self.program.maker(ref)
        return self.state.tensor(made.statement, made.output)

    def shape(self, ref: Ref) -> tuple[int, ...] | None:
        """The shape of a tensor where it is known."""
        tensor = self.tensor(ref)
        return None if tensor is None else tensor.shape


@dataclass(frozen=True, slots=True)
class Case(Scene):
    """One error: the failing line, those at fault, and everything that is true where it failed."""

    problem: Problem

    @property
    def statement(self) -> Statement:
        """The line that failed."""
        return self.program[self.problem.statement]

    def root(self, at_fault: Callable[[TensorState], bool] | None = None) -> Ref | None:
        """The tensor that the failing line starts from, or acts on; of several the first that is ``at_fault``."""
        found = self.roots()
        wrong = (ref for ref in found if at_fault and (tensor := self.tensor(ref)) is not None and at_fault(tensor))
        return next(wrong, found[0] if found else None)

    def roots(self) -> tuple[Ref, ...]:
        """All tensors that the failing line starts from; of one that is no backward those it acts on first."""
        several = self.statement.kind is Kind.BACKWARD
        return tuple(refs_in(self.statement.operands if several else self.statement.operands[:1]))

    def inputs(self) -> tuple[Ref, ...]:
        """The tensors for which a backward is asked."""
        if self.statement.kind is Kind.GRAD:
            return tuple(refs_in(self.statement.operands[1:]))
        return tuple(refs_in(self.statement.option("inputs")))

    def without_graph(self) -> Ref | None:
        """The tensor without a graph that a line needs one of: an input that a backward is asked for, else a root."""
        asked = () if key_of(self.problem) == "no_requires_grad" else self.inputs()
        dry = (ref for ref in asked if (tensor := self.tensor(ref)) is not None and not tensor.requires_grad)
        return next(dry, None) or self.root(lambda tensor: not tensor.requires_grad)

    def not_scalar(self) -> Ref | None:
        """The root that has several elements, or none."""
        return self.root(lambda tensor: prod(tensor.shape) != 1)

    def at_fault(self, place: int) -> int | None:
        """The statement at fault number ``place``, while it is there."""
        found = self.problem.at_fault
        return found[place] if place < len(found) and found[place] in self.program else None


def key_of(problem: Problem) -> str:
    """Which of the known errors it is, as the sentences about it are called; nothing for another."""
    return "" if problem.plain is None else problem.plain.key.removeprefix("error.")


def spelled(statement: Statement) -> str:
    """What the operator of a line is called where one writes it: ``long`` for ``to_long``."""
    record = OPS.get(statement.call)
    return record.method if record is not None and record.method else statement.call


def above(case: Scene, root: Ref) -> list[Statement]:
    """The lines that made a tensor, itself first, newest first."""
    return case.above(case.program.maker(root).statement)


def dry_leaves(case: Scene, root: Ref) -> Iterator[Statement]:
    """Leaves of real numbers above ``root`` that don't require grad, where none of them does."""
    leaves = [statement for statement in above(case, root) if statement.kind is Kind.LEAF]
    tensors = {leaf.id: case.state.tensor(leaf.id) for leaf in leaves}
    if not any(tensor is not None and tensor.requires_grad for tensor in tensors.values()):
        real = [leaf for leaf in reversed(leaves) if (tensor := tensors[leaf.id]) and tensor.dtype.startswith("float")]
        named = [leaf for leaf in real if leaf.name]
        yield from named or real


def whole_leaves(case: Scene, root: Ref) -> Iterator[Statement]:
    """Leaves with a name above ``root`` that hold whole numbers, where there are no others."""
    leaves = [statement for statement in reversed(above(case, root)) if statement.kind is Kind.LEAF]
    tensors = [case.state.tensor(leaf.id) for leaf in leaves]
    if not any(tensor is None or is_real(tensor) for tensor in tensors):
        yield from (leaf for leaf in leaves if leaf.name)


def without_grad(case: Case) -> TensorState | None:
    """The tensor of which the failing line read a ``.grad`` that was None, whatever came since."""
    tensors = [case.tensor(ref) for ref in case.statement.refs() if "grad" in ref.path]
    read = [tensor for tensor in tensors if tensor is not None] if "'NoneType'" in case.problem.message else []
    return next((tensor for tensor in read if tensor.grad is None), read[0] if read else None)


def whole_numbers(case: Scene, root: Ref) -> Statement | None:
    """The first line above ``root`` that made whole numbers of something that requires grad."""
    for statement in reversed(above(case, root)):
        if statement.operands and _may_make_whole(statement.call):
            result = case.state.tensor(statement.id)
            read = () if result is None or is_real(result) else (case.tensor(ref) for ref in statement.refs())
            if any(tensor is not None and tensor.requires_grad for tensor in read):
                return statement
    return None


@cache
def _may_make_whole(call: str) -> bool:
    """False for operators that have a derivative: of real numbers they make real ones.

    Conversions may, and what writes into a tensor keeps that one's dtype.
    """
    record = OPS.get(call)
    return record is None or not record.vjps or record.writes is not None or call in CASTS


def is_real(tensor: TensorState) -> bool:
    """True for numbers that can carry a gradient."""
    return ALL_DTYPES[tensor.dtype].kind in (FLOATING, COMPLEX)


def modes_above(case: Scene, root: Ref) -> Iterator[int]:
    """Blocks around lines above ``root`` that keep a graph from being recorded."""
    found = dict.fromkeys(
        block
        for statement in (above(case, root) if case.program.blocks else ())
        if statement.kind is Kind.OP
        for block in case.program.chain(statement.block)
        if case.program.blocks[block].mode in MODES_OFF
    )
    yield from found


def writers(case: Case) -> tuple[int, ...]:
    """The lines that wrote into what was saved, after the line that saved it and before the one that failed."""
    last, saver = case.at_fault(0), case.at_fault(1)
    if last is None or saver is None:
        return () if last is None else (last,)
    program = case.program
    between = program.order[program.positions[saver] + 1 : program.positions[case.statement.id]]
    target = _written_into(program, program[last])
    return tuple(id_ for id_ in between if id_ == last or (target and _written_into(program, program[id_]) == target))


def _written_into(program: Program, statement: Statement) -> Ref | None:
    first = statement.operands[0] if program.writes(statement) and statement.operands else None
    return program.maker(first) if isinstance(first, Ref) else None


def under_inference(case: Case) -> tuple[Ref, Statement, int] | None:
    """What the failing line reads that goes back to a line under ``inference_mode``, that line, and the block."""
    for ref in case.statement.refs():
        for statement in above(case, ref):
            for block in case.program.chain(statement.block):
                if case.program.blocks[block].mode == "inference_mode":
                    return ref, statement, block
    return None


def cuts(case: Scene, root: Ref) -> Iterator[int]:
    """``detach()`` lines above ``root``."""
    return (statement.id for statement in above(case, root) if statement.call == "detach")


def gradient_holders(case: Scene) -> list[Statement]:
    """The leaves that have a gradient."""
    leaves = (statement for statement in case.program if statement.kind is Kind.LEAF)
    return [leaf for leaf in leaves if (tensor := case.state.tensor(leaf.id)) and tensor.grad is not None]


def gradient_of(case: Case, root: Ref) -> Statement | None:
    """The backward or ``autograd.grad`` that made ``root``, or a gradient that it was computed from; else None."""
    for statement in above(case, root):
        if statement.kind is Kind.GRAD:
            return statement
    before = reversed(case.program.order[: case.program.positions[case.statement.id]])
    last = next((made for id_ in before if (made := case.program.statements[id_]).kind is Kind.BACKWARD), None)
    if last is None:
        return None
    reads_grad = any("grad" in ref.path for statement in above(case, root) for ref in statement.refs())
    return last if "grad" in root.path or reads_grad else None
