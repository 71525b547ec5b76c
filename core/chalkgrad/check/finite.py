"""Gradients against central differences in float64.

The program is run again and again with one element of one leaf moved a little. What autograd takes for constant has
to stay what it was: the results of ``detach()``, of ``no_grad`` blocks, of ``.data`` and ``.grad``, and every other
leaf. So after each statement of such a run those are set back to the values of the run that nothing was moved in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from chalkgrad.check.replay import Replay
from chalkgrad.check.report import Report, numbers
from chalkgrad.program.program import Program
from chalkgrad.program.rounds import run_count, written_out
from chalkgrad.program.statement import Array, Kind, Statement
from chalkgrad.session import Session
from chalkgrad.session.state import Contribution, State, TensorState

STEP = 1e-6
"""How far an element is moved to each side, relative to its size where that is above 1."""
TOLERANCE = 1e-4, 1e-6
"""How far a gradient may be from the central difference, relative and absolute."""
MOST_LINES = 5000
"""Of a program whose loops run more lines than this no differences are worked out."""
MOST_ELEMENTS = 32
"""Of a larger leaf so many elements are looked at, evenly spread."""


def finite_differences(program: Program, elements: int = MOST_ELEMENTS) -> Report:
    """Compare the ``.grad`` of every leaf, as it is at the end, with central differences.

    What counts is what the backwards since it was last None or zero added to it. A leaf whose gradient was put there
    by hand is compared in what backwards added.
    """
    if run_count(program) > MOST_LINES:
        return Report("finite differences", ())
    base = Session(in_float64(written_out(program)))
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
    """A program without loops with every floating point leaf holding the same values as float64."""
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
    up, down = (Replay(base, leaf.tensor.number, place, move).finish() for move in (step, -step))
    total = sum(up.get(addend.statement, np.nan) - down.get(addend.statement, np.nan) for addend in added)
    return float(total) / (2 * step)
