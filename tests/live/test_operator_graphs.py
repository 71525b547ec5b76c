"""The graphs of the first and second derivatives of every operator on its samples are PyTorch's, node by node."""

from __future__ import annotations

import random
import warnings
from typing import Any

import numpy as np
import pytest

theirs = pytest.importorskip("torch")

from support import outcomes  # noqa: E402
from support.known_differences import explained  # noqa: E402
from support.random_calls import PUBLIC, laid_out, literal  # noqa: E402

from chalkgrad import torch as ours  # noqa: E402
from chalkgrad.engine.record import Record  # noqa: E402

RECORDS = {record.name: record for record in PUBLIC if record.samples}

SUMMED_UP = {
    "grid_sample": "PyTorch takes the second derivative by places apart into gathers, here it is one node a direction",
}
"""Operators of which only the graph of the first derivative is compared; op_db compares the values of the second."""


@pytest.fixture(autouse=True)
def whole_graphs_and_every_warning(monkeypatch):
    """Graphs are looked at to their ends, and PyTorch's once-only warnings come every time."""
    monkeypatch.setattr(outcomes, "NODES", 1000)
    before = theirs.is_warn_always_enabled()
    theirs.set_warn_always(True)
    yield
    theirs.set_warn_always(before)


class Program:
    """One call of ``record`` on a sample whose floats are leaves, and derivatives of its result ``number``."""

    def __init__(self, record: Record, args: Any, kwargs: Any, number: int) -> None:
        self.lines = ["torch.set_default_dtype(torch.float64)"]
        self.count = 0
        names = [*record.inputs, *(attribute.name for attribute in record.attributes)]
        texts = {name: self.value(value) for name, value in zip(names, args, strict=False)}
        texts |= {name: self.value(value) for name, value in kwargs.items()}
        given, options = laid_out(record, texts, len(args), random.Random(0))
        named = [f"{name}={text}" for name, text in options.items()]
        self.leaves = [line.partition(" ")[0] for line in self.lines[1:]]
        if record.writes is not None and given[0] in self.leaves:
            given[0] = self.let(f"{given[0]}.clone()")
        if record.function:
            call = f"{record.function}({', '.join(given + named)})"
        else:
            call = f"{given[0]}.{record.method}({', '.join(given[1:] + named)})"
        self.result = self.let(f"one({call}, {number})")

    def let(self, text: str) -> str:
        """A new name for ``text``."""
        name = f"v{self.count}"
        self.count += 1
        self.lines.append(f"{name} = {text}")
        return name

    def value(self, value: Any) -> str:
        """A sample's value as it is written; floats get a line of their own."""
        if isinstance(value, np.ndarray):
            text = literal(value)
            return self.let(f"{text}.reshape({value.shape}).requires_grad_()") if value.dtype.kind == "f" else text
        if isinstance(value, (list, tuple)) and any(isinstance(member, np.ndarray) for member in value):
            return f"[{', '.join(self.value(member) for member in value)}]"
        return str(value) if hasattr(value, "scalar_type") else repr(value)

    def derived(self, twice: bool) -> list[str]:
        """The program with the derivative of the sum of squares by each leaf, and the derivatives of these."""
        first = self.derivatives(f"({self.result} * {self.result}).sum()")
        for name in first if twice else ():
            self.derivatives(f"{name}.sum()")
        return self.lines

    def derivatives(self, of: str) -> list[str]:
        """Names for the derivatives of ``of`` by all leaves."""
        names = [f"v{self.count + place}" for place in range(len(self.leaves))]
        self.count += len(names)
        by = ", ".join(self.leaves)
        call = f"torch.autograd.grad({of}, [{by}], allow_unused=True, create_graph=True)"
        self.lines.append(f"{', '.join(names)}, = {call}")
        return names


@pytest.mark.parametrize("name", RECORDS)
def test_derivatives_of_both_orders(name):
    record = RECORDS[name]
    for args, kwargs in record.samples:
        for number in (0, 1):
            program = Program(record, args, kwargs, number)
            if not program.leaves:
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = outcomes.first_difference(ours, theirs, program.derived(name not in SUMMED_UP))
            assert found is None or explained(found.signature), "\n".join([*program.lines, str(found)])
