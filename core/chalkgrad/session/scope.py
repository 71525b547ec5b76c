"""The scope: what the statements of a program have made so far, and what an operand means in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from chalkgrad.engine.dtype import dtype_named
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Array, Counter, Dtype, Empty, Operand, Ref, Statement

READABLE = frozenset(
    {"grad", "data", "is_leaf", "grad_fn", "requires_grad", "shape", "dtype", "_version", "retains_grad", "output_nr"}
    | {"T", "mT", "H", "mH", "ndim", "next_functions", "variable", "is_view"}
)
"""Attributes that a path may read. A document executes nothing else."""
CALLABLE = frozenset({"item()", "tolist()", "numel()", "dim()", "size()", "name()", "detach()", "data_ptr()"})
"""Calls without arguments that a path may make."""
COMPARED = {"is None": True, "is not None": False}


class Scope:
    """Values by statement and output."""

    def __init__(self) -> None:
        self.values: dict[tuple[int, int], object] = {}
        self.deleted: set[tuple[int, int]] = set()
        self.rounds: dict[int, int] = {}
        """Which round each loop is in, or was in last."""
        self.in_place: set[int] = set()
        """The statements that wrote in place: who refers to one may mean what another made, see :func:`source`."""

    def bind(self, statement: int, values: Iterable[object]) -> None:
        """What a statement made."""
        for output, value in enumerate(values):
            self.values[statement, output] = value
            self.deleted.discard((statement, output))

    def delete(self, ref: Ref) -> None:
        """Forget what ``ref`` names; NameError by the runner where something refers to it later."""
        self.values.pop((ref.statement, ref.output), None)
        self.deleted.add((ref.statement, ref.output))

    def has(self, ref: Ref) -> bool:
        """True when ``ref`` means something, or did before it was deleted."""
        key = (ref.statement, ref.output)
        return key in self.values or key in self.deleted


def source(program: Program, ref: Ref) -> Ref:
    """``ref`` by the statement whose variable it means: an in-place line has one only where it binds a name."""
    first_made = program.statements.get(ref.statement)
    if first_made is None or not first_made.call.endswith("_"):  # nearly always: no in-place line
        return ref
    seen: set[int] = set()
    while ref.statement in program and ref.statement not in seen:
        seen.add(ref.statement)
        statement = program[ref.statement]
        first = statement.operands[0] if statement.operands else None
        if not program.writes(statement) or any(statement.targets) or not isinstance(first, Ref):
            break
        ref = Ref(first.statement, first.output, first.path + ref.path)
    return ref


def evaluate(program: Program, scope: Scope, operand: Operand) -> object:
    """What an operand means now, with everything that reading it does in PyTorch, warnings included.

    Raises NameError for a name that means nothing, AttributeError for a path that leads nowhere.
    """
    if isinstance(operand, Ref):
        return _referred(program, scope, source(program, operand))
    if isinstance(operand, tuple):
        return [evaluate(program, scope, member) for member in operand]
    if isinstance(operand, Dtype):
        return dtype_named(operand.name)
    if isinstance(operand, Array):
        return operand.numpy()
    if isinstance(operand, Counter):
        if operand.block not in scope.rounds:
            raise NameError(f"name '{_variable(program, operand)}' is not defined")
        return scope.rounds[operand.block]
    if isinstance(operand, Empty):
        raise ValueError("an open port has no value")
    return operand


def _referred(program: Program, scope: Scope, ref: Ref) -> object:
    key = (ref.statement, ref.output)
    if key not in scope.values:
        raise NameError(f"name '{_name(program, ref)}' is not defined")
    value = scope.values[key]
    for step in ref.path:
        value = _step(value, step)
    return value


def _step(value: object, step: str) -> object:
    if step in COMPARED:
        return (value is None) == COMPARED[step]
    if step in CALLABLE:
        method: Callable[[], object] = getattr(value, step.removesuffix("()"))
        return method()
    if step in READABLE or step.startswith("_saved_"):
        found: object = getattr(value, step)
        return found
    raise AttributeError(f"'{type(value).__name__}' object has no attribute '{step}'")


def _variable(program: Program, counter: Counter) -> str:
    return program.blocks[counter.block].name if counter.block in program.blocks else "?"


def _name(program: Program, ref: Ref) -> str:
    statement: Statement | None = program.statements.get(ref.statement)
    if statement is None or ref.output >= len(statement.targets):
        return "?"
    return statement.targets[ref.output] or statement.call
