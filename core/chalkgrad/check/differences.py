"""One gradient beside central differences of what it is the gradient of, element by element, worked out in slices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from chalkgrad.check.finite import MOST_ELEMENTS, MOST_LINES, STEP, TOLERANCE, in_float64
from chalkgrad.check.replay import Replay
from chalkgrad.engine.dtype import ALL_DTYPES
from chalkgrad.program.program import Program
from chalkgrad.program.rounds import run_count, written_out_until
from chalkgrad.program.statement import DIFFERENTIATING, Kind, Ref
from chalkgrad.session import Session
from chalkgrad.session.scope import source
from chalkgrad.session.state import Contribution, TensorState
from chalkgrad.stepwise import Steps, Work
from chalkgrad.text import Text

KINK = 1e-3
"""Slopes to the left and to the right that differ by more, relative to their size, meet in a kink."""


@dataclass(frozen=True, slots=True)
class Quotient:
    """One element: the gradient, the central difference, and the slopes to the left and to the right."""

    index: tuple[int, ...]
    gradient: float
    difference: float
    left: float
    right: float

    @property
    def agrees(self) -> bool:
        """True when the two are the same, as far as such a quotient can tell."""
        relative, absolute = TOLERANCE
        return bool(np.isclose(self.gradient, self.difference, relative, absolute, equal_nan=True))

    @property
    def is_kink(self) -> bool:
        """True where the slopes on both sides differ: there is no derivative, and autograd takes one of them."""
        return abs(self.left - self.right) > KINK * max(1.0, abs(self.left), abs(self.right))


@dataclass(frozen=True, slots=True)
class Differences:
    """All elements looked at, of ``count``; ``notes`` say what has to be known about it, or why there is nothing."""

    rows: tuple[Quotient, ...] = ()
    count: int = 0
    notes: tuple[Text, ...] = ()


def differences(program: Program, line: int | None, rounds: Mapping[int, int], ref: Ref) -> Work[Differences]:
    """The gradient of what ``ref`` means beside differences, as it is after ``line`` (None: at the end).

    ``rounds`` says in which round of each loop around it, counted from 0. Where ``ref`` is a result of
    ``torch.autograd.grad``, that is the gradient. The program runs again for itself, its loops written out.
    """
    return Work(_differences(program, line, rounds, ref))


def _differences(program: Program, line: int | None, rounds: Mapping[int, int], ref: Ref) -> Steps[Differences]:
    if run_count(program) > MOST_LINES:
        return Differences(notes=(Text("fd.loop", count=MOST_LINES),))
    run = written_out_until(program, line, rounds)
    base = Session(in_float64(run.program))
    while not base.advance(4.0):
        yield
    made = run.program.maker(run.latest(ref))
    tensor, added = _subject(base, made)
    if tensor is None or tensor.value is None or not added:
        by_hand = () if tensor is None else tensor.sum_of[-1:]
        lines = [Text("fd.replaced", line=program.lines[run.origins[part.statement]]) for part in by_hand]
        return Differences(notes=tuple(lines) or (Text("fd.none"),))
    if ALL_DTYPES[tensor.dtype].name.startswith("complex"):
        return Differences(notes=(Text("fd.complex"),))
    size = int(np.prod(tensor.shape, dtype=int))
    places = np.unique(np.linspace(0, size - 1, min(size, MOST_ELEMENTS)).round().astype(int)).tolist()
    total = np.sum([addend.value for addend in added], axis=0).ravel()
    rows: list[Quotient] = []
    for place in places:
        row = yield from _quotient(base, tensor, place, float(total[place]), added)
        rows.append(row)
    written = _by_hand(base, tensor, added)
    notes = [] if written is None else [Text("fd.by_hand", line=program.lines[run.origins[written]])]
    return Differences(tuple(rows), size, (*_notes(rows, added), *notes))


def _subject(base: Session, made: Ref) -> tuple[TensorState | None, list[Contribution]]:
    """What is moved, and the addends of its gradient that backwards gave."""
    state, statement = base.trace.state(), base.program[made.statement]
    if statement.kind is Kind.GRAD:
        inputs = statement.operands[1]
        wanted = inputs[made.output] if isinstance(inputs, tuple) else inputs
        result = state.tensor(made.statement, made.output)
        if not isinstance(wanted, Ref) or result is None or result.value is None:
            return None, []
        of = source(base.program, wanted)
        return state.tensor(of.statement, of.output), [Contribution(statement.id, 0, result.value)]
    tensor = state.tensor(made.statement, made.output)
    parts = () if tensor is None else tensor.sum_of
    return tensor, [part for part in parts if base.program[part.statement].kind in DIFFERENTIATING]


def _quotient(
    base: Session, tensor: TensorState, place: int, gradient: float, added: Sequence[Contribution]
) -> Steps[Quotient]:
    """The central difference of one element: three runs, to both sides and in the middle."""
    assert tensor.value is not None
    step = STEP * max(1.0, abs(float(tensor.value.ravel()[place])))
    sums: list[float] = []
    for move in (-step, 0.0, step):
        replay = Replay(base, tensor.number, place, move)
        for _ in replay.steps():
            yield
        sums.append(sum(replay.sums.get(addend.statement, np.nan) for addend in added))
    low, middle, high = sums
    index = tuple(int(axis) for axis in np.unravel_index(place, tensor.shape))
    return Quotient(index, gradient, (high - low) / (2 * step), (middle - low) / step, (high - middle) / step)


def _by_hand(base: Session, tensor: TensorState, added: Sequence[Contribution]) -> int | None:
    """The last line that changed a ``.grad`` which backwards added to; None where none did."""
    if base.program[added[0].statement].kind is not Kind.BACKWARD:
        return None
    by_backwards = {addend.statement for addend in added}
    return next((part.statement for part in reversed(tensor.sum_of) if part.statement not in by_backwards), None)


def _notes(rows: Sequence[Quotient], added: Sequence[Contribution]) -> Iterator[Text]:
    if any(not np.isfinite(row.difference) for row in rows):
        yield Text("fd.fails")
    if any(row.is_kink for row in rows):
        yield Text("fd.kink")
    if len(added) > 1:
        yield Text("fd.several", count=len(added))
