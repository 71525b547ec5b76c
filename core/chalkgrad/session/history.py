"""What the rounds of a loop came to: single numbers, one for each round, as curves show them."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from chalkgrad.engine.graph import TensorBase, requires_grad_of
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Statement

MOST_ELEMENTS = 8
"""Of a parameter with more elements than this the first ones are kept."""

MOST_SERIES = 64


class Series(NamedTuple):
    """What is written down in each round: an element of what a statement made (its place in memory order)."""

    statement: int
    element: int = 0


@dataclass(slots=True)
class History:
    """The rounds of one loop. ``ends`` are the positions at which they ended; all columns are as long as that.

    ``results`` are numbers that lines of the loop made, ``parameters`` elements of leaves that it reads, ``sums`` how
    many gradients the grad of a leaf was the sum of. NaN stands for what wasn't there. ``initial`` is what the
    parameters were before the first round.
    """

    ends: array[int] = field(default_factory=lambda: array("q"))
    results: dict[Series, array[float]] = field(default_factory=dict)
    parameters: dict[Series, array[float]] = field(default_factory=dict)
    sums: dict[int, array[int]] = field(default_factory=dict)
    initial: dict[Series, float] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ends)

    def path(self, series: Series) -> array[float]:
        """An element of a parameter before the first round, then after each."""
        return array("d", [self.initial.get(series, math.nan)]) + self.parameters.get(series, array("d"))

    def add(
        self,
        position: int,
        results: Mapping[Series, float],
        parameters: Mapping[Series, float],
        sums: Mapping[int, int],
    ) -> None:
        """A round ended."""
        for columns, found in ((self.results, results), (self.parameters, parameters)):
            for series in found:
                if series not in columns and len(self.results) + len(self.parameters) < MOST_SERIES:
                    columns[series] = array("d", [math.nan]) * len(self)
            for series, column in columns.items():
                column.append(found.get(series, math.nan))
        for leaf in sums:
            self.sums.setdefault(leaf, array("q", [0]) * len(self))
        for leaf, counts in self.sums.items():
            counts.append(sums.get(leaf, 0))
        self.ends.append(position)


def body_of(program: Program, loop: int) -> list[Statement]:
    """The statements in a loop."""
    places = program.bodies.get(loop, range(0))
    return [program[id_] for id_ in program.order[places.start : places.stop]]


def results_of(program: Program, loop: int) -> list[int]:
    """Ids of the lines of a loop that make something under a name."""
    lines = (s for s in body_of(program, loop) if s.kind is Kind.OP and not program.writes(s))
    return [statement.id for statement in lines if any(statement.targets)]


def parameters_of(program: Program, loop: int) -> list[int]:
    """Ids of the leaves of before a loop that require grad and are read in it, also by way of an optimiser."""
    inside = body_of(program, loop)
    ids = {statement.id for statement in inside}
    pending = [ref for statement in inside for ref in statement.refs()]
    found: dict[int, None] = {}
    while pending:
        made = program.statements.get(program.maker(pending.pop()).statement)
        if made is None or made.id in ids:
            continue
        if made.kind is Kind.OPTIMIZER:
            pending += made.refs()
        elif made.kind is Kind.LEAF:
            found[made.id] = None
    return sorted(found, key=program.positions.__getitem__)


def numbers_in(value: object, most: int) -> Iterator[float]:
    """The first elements of a tensor of real numbers."""
    if isinstance(value, TensorBase) and value.array.dtype.kind == "f":
        for number in value.array.ravel()[:most]:
            yield float(number)


def sampled(program: Program, loop: int, values: Mapping[tuple[int, int], object]) -> dict[Series, float]:
    """The numbers that the lines of a loop have come to: of each that makes a single one."""
    found: dict[Series, float] = {}
    for id_ in results_of(program, loop):
        value = values.get((id_, 0))
        if isinstance(value, TensorBase) and value.array.size == 1:
            found.update((Series(id_), number) for number in numbers_in(value, 1))
    return found


def sampled_parameters(program: Program, loop: int, values: Mapping[tuple[int, int], object]) -> dict[Series, float]:
    """The first elements of each parameter of a loop."""
    found: dict[Series, float] = {}
    for id_ in parameters_of(program, loop):
        value = values.get((id_, 0))
        if isinstance(value, TensorBase) and requires_grad_of(value):
            found.update((Series(id_, n), number) for n, number in enumerate(numbers_in(value, MOST_ELEMENTS)))
    return found
