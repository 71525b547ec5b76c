"""One error with everything that is true where it happened, and where to look for what caused it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from chalkgrad.program.program import Program
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.session.state import Problem, State, TensorState

MODES_OFF = frozenset({"no_grad", "inference_mode"})
"""Blocks under which no graph is recorded."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A sheet and everything that is true of it at one moment."""

    sheet: Sheet
    state: State

    @property
    def program(self) -> Program:
        """The program as it is."""
        return self.sheet.program

    def line(self, id_: int) -> int:
        """The number of a line."""
        return self.program.lines[id_]

    def name(self, ref: Ref) -> str:
        """What the text calls a tensor; of an unnamed one, its operator."""
        made = self.program[self.program.maker(ref).statement]
        named = made.targets[ref.output] if ref.output < len(made.targets) else ""
        return ".".join((named or f"{made.call}()", *ref.path))

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

    def root(self) -> Ref | None:
        """The tensor that the failing line starts from, or acts on."""
        first = self.statement.operands[0] if self.statement.operands else None
        if isinstance(first, tuple):
            first = next((member for member in first if isinstance(member, Ref)), None)
        return first if isinstance(first, Ref) else None

    def at_fault(self, place: int) -> int | None:
        """The statement at fault number ``place``, while it is there."""
        found = self.problem.at_fault
        return found[place] if place < len(found) and found[place] in self.program else None


def above(case: Scene, root: Ref) -> list[Statement]:
    """The lines that made a tensor, itself first, newest first."""
    made = case.program.maker(root).statement
    ids = case.program.needs(made) | {made}
    return [case.program[id_] for id_ in reversed(case.program.order) if id_ in ids]


def dry_leaves(case: Scene, root: Ref) -> Iterator[Statement]:
    """Leaves of real numbers above ``root`` that don't require grad, where none of them does."""
    leaves = [statement for statement in above(case, root) if statement.kind is Kind.LEAF]
    tensors = {leaf.id: case.state.tensor(leaf.id) for leaf in leaves}
    if not any(tensor is not None and tensor.requires_grad for tensor in tensors.values()):
        for leaf in reversed(leaves):
            tensor = tensors[leaf.id]
            if leaf.name and tensor is not None and tensor.dtype.startswith("float"):
                yield leaf


def modes_above(case: Scene, root: Ref) -> Iterator[int]:
    """Blocks around lines above ``root`` that keep a graph from being recorded."""
    found = dict.fromkeys(
        block
        for statement in above(case, root)
        if statement.kind is Kind.OP
        for block in case.program.chain(statement.block)
        if case.program.blocks[block].mode in MODES_OFF
    )
    yield from found


def cuts(case: Scene, root: Ref) -> Iterator[int]:
    """``detach()`` lines above ``root``."""
    return (statement.id for statement in above(case, root) if statement.call == "detach")


def gradient_without_graph(case: Case, root: Ref) -> int | None:
    """The backward or ``autograd.grad`` that made ``root``, a gradient, without ``create_graph``; else None."""
    for statement in above(case, root):
        if statement.kind is Kind.GRAD and statement.option("create_graph") is not True:
            return statement.id
    here = case.program.positions[case.statement.id]
    reads_grad = any("grad" in ref.path for statement in above(case, root) for ref in statement.refs())
    if "grad" in root.path or reads_grad:
        for id_ in reversed(case.program.order[:here]):
            if case.program[id_].kind is Kind.BACKWARD and case.program[id_].option("create_graph") is not True:
                return id_
    return None
