"""Gradients against central differences in float64.

The program is run again and again with one element of one leaf moved a little. What autograd takes for constant has
to stay what it was: the results of ``detach()``, of ``no_grad`` blocks, of ``.data`` and ``.grad``, and every other
leaf. So after each statement of such a run those are set back to the values of the run that nothing was moved in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from chalkgrad.check.report import Report, numbers
from chalkgrad.engine import messages
from chalkgrad.engine.graph import TensorBase, requires_grad_of
from chalkgrad.engine.graph import state as engine_state
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Array, Kind, Operand, Statement
from chalkgrad.session import Session
from chalkgrad.session.calls import as_tensor
from chalkgrad.session.interpret import WEIGHTS, Interpreter
from chalkgrad.session.recorder import Recorder
from chalkgrad.session.state import Contribution, State, TensorState
from chalkgrad.session.tables import Tables

STEP = 1e-6
"""How far an element is moved to each side, relative to its size where that is above 1."""
TOLERANCE = 1e-4, 1e-6
"""How far a gradient may be from the central difference, relative and absolute."""
MOST_ELEMENTS = 32
"""Of a larger leaf so many elements are looked at, evenly spread."""


def finite_differences(program: Program, elements: int = MOST_ELEMENTS) -> Report:
    """Compare the ``.grad`` of every leaf, as it is at the end, with central differences.

    What counts is what the backwards since it was last None or zero added to it. A leaf whose gradient was put there
    by hand is compared in what backwards added.
    """
    base = Session(in_float64(program))
    base.finish()
    found = []
    for leaf in _leaves(base.trace.state()):
        added = [addend for addend in leaf.sum_of if base.program[addend.statement].kind is Kind.BACKWARD]
        if not added:
            continue
        places = np.unique(np.linspace(0, leaf.size - 1, min(leaf.size, elements)).round().astype(int))
        total = np.sum([addend.value for addend in added], axis=0)
        wanted = [_difference(base, leaf, place, added) for place in places]
        found.append(numbers(leaf.statement, leaf.name, "grad", total.ravel()[places], np.array(wanted), TOLERANCE))
    return Report("finite differences", tuple(found))


def in_float64(program: Program) -> Program:
    """The program with every floating point leaf holding the same values as float64."""
    session = Session(program)
    session.finish()
    end = session.trace.state()
    statements = dict(program.statements)
    for statement in program:
        tensor = end.tensor(statement.id) if statement.kind is Kind.LEAF else None
        if tensor is not None and tensor.dtype == "float32":
            born = session.trace.value(tensor.number, session.trace.end_of(statement.id))
            if born is not None:
                statements[statement.id] = _wide_leaf(statement, born)
    return replace(program, statements=statements)


def _wide_leaf(statement: Statement, value: np.ndarray) -> Statement:
    options = tuple(pair for pair in statement.options if pair[0] == "requires_grad")
    data = Array.of(value.astype(np.float64))
    return replace(statement, call="tensor", operands=(data,), options=options)


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A leaf with a gradient: which output it is, and its object."""

    statement: int
    output: int
    name: str
    tensor: TensorState

    @property
    def size(self) -> int:
        return int(np.prod(self.tensor.shape, dtype=int))

    @property
    def sum_of(self) -> Sequence[Contribution]:
        return self.tensor.sum_of


def _leaves(end: State) -> Iterable[_Leaf]:
    """Every leaf with a gradient, once."""
    seen: set[int] = set()
    for id_, found in end.statements.items():
        for output, tensor in enumerate(found.outputs):
            if tensor is None or tensor.number in seen or not tensor.is_leaf or not tensor.requires_grad:
                continue
            seen.add(tensor.number)
            name = next((name for name, other in end.names.items() if other.number == tensor.number), f"#{id_}")
            if tensor.grad is not None:
                yield _Leaf(id_, output, name, tensor)


def _difference(base: Session, leaf: _Leaf, place: int, added: Iterable[Contribution]) -> float:
    """The sum over the backwards in ``added`` of the central difference of what each differentiates."""
    value = leaf.tensor.value
    size = 1.0 if value is None else max(1.0, abs(float(value.ravel()[place])))
    step = STEP * size
    up, down = (_Replay(base, leaf.tensor.number, place, move).sums() for move in (step, -step))
    total = sum(up.get(addend.statement, np.nan) - down.get(addend.statement, np.nan) for addend in added)
    return float(total) / (2 * step)


class _Replay:
    """One run with one element of object ``number`` moved by ``move``."""

    def __init__(self, base: Session, number: int, place: int, move: float) -> None:
        self._base = base
        self._number = number
        self._place = place
        self._move = move
        self._interpreter = Interpreter(base.program, Recorder(Tables()))
        self._sums: dict[int, float] = {}

    def sums(self) -> dict[int, float]:
        """For each backward, the number it differentiates: its roots, weighted and summed up."""
        outside = engine_state.grad, engine_state.observer, engine_state.warned
        engine_state.observer, engine_state.warned = None, {*engine_state.warned, messages.CREATE_GRAPH}
        try:
            for statement in self._base.program:
                self._run(statement)
        finally:
            engine_state.grad, engine_state.observer, engine_state.warned = outside
        return self._sums

    def _run(self, statement: Statement) -> None:
        try:
            if statement.kind is Kind.BACKWARD:
                self._sums[statement.id] = self._differentiated(statement)
            if statement.kind not in (Kind.PRINT, Kind.COMMENT):
                for _ in self._interpreter.run(statement):
                    pass
        except Exception:  # it failed in the unmoved run too, and what it did before it failed stands
            pass
        self._settle(statement)

    def _differentiated(self, statement: Statement) -> float:
        first = statement.operands[0] if len(statement.operands) == 1 else statement.operands
        found = self._interpreter.value(first)
        roots = found if isinstance(found, list) else [found]
        option: Operand = next((value for name, value in statement.options if name in WEIGHTS), None)
        given = as_tensor(self._interpreter.value(option))
        weights = given if isinstance(given, list) else [given] * len(roots)
        total = 0.0
        for root, weight in zip(roots, weights, strict=True):
            if isinstance(root, TensorBase):
                factor = weight.array if isinstance(weight, TensorBase) else 1.0
                total += float(np.sum(root.array * factor))
        return total

    def _settle(self, statement: Statement) -> None:
        """Set what is constant to autograd back to what it was, and the moved leaf to where it was moved."""
        state = self._base.trace.state(self._base.trace.end_of(statement.id))
        touched = {statement.id, *(ref.statement for ref in statement.refs())}
        if statement.kind is Kind.AGAIN:
            touched.update(self._base.program.again(statement.id))
        if statement.kind is Kind.BACKWARD:
            touched.update(id_ for id_, _ in self._interpreter.scope.values)
        for id_, output in list(self._interpreter.scope.values):
            tensor = self._interpreter.scope.values[id_, output]
            if id_ in touched and isinstance(tensor, TensorBase):
                was = state.tensor(id_, output)
                if was is not None:
                    self._set_back(tensor, was)

    def _set_back(self, tensor: TensorBase, was: TensorState) -> None:
        grad = None if tensor.meta is None else tensor.meta.grad
        if grad is not None and was.grad is not None:
            self._set_back(grad, was.grad)
        if tensor.node is not None or was.value is None:
            return
        value = was.value
        if was.number == self._number:
            value = value.copy()
            value.ravel()[self._place] += self._move
        if np.array_equal(tensor.array, value, equal_nan=value.dtype.kind == "f"):
            return
        if requires_grad_of(tensor):
            np.copyto(tensor.array, value)
        else:
            # It may share memory with what is not constant (y.detach()), so it gets memory of its own.
            tensor.array = value.copy()
