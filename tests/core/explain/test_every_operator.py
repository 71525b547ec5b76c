"""The gradient of every operator that people call is explained: on its samples, path by path."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from tests.core.session.programs import Writer

import chalkgrad.ops  # noqa: F401
from chalkgrad.engine.record import OPS
from chalkgrad.explain import is_step, step, why
from chalkgrad.program.statement import Array, Kind
from chalkgrad.session import Session

PUBLIC = [
    record for record in OPS.values() if not record.hidden and (record.function or record.method or record.symbol)
]


def operand(writer, record, given):
    """A sample's operand as a line: floating point arrays require grad, what is written is a copy of such a leaf."""
    if isinstance(given, list | tuple):
        return tuple(operand(writer, record, member) for member in given)
    if not isinstance(given, np.ndarray):
        return given
    floating = given.dtype.kind == "f"
    leaf = writer.leaf(f"t{len(writer.statements)}", Array.of(given), grad=floating)
    return writer.op("copy", "clone", leaf, style="method") if floating and record.writes else leaf


def written(record, operands, options):
    """The operator on a sample, and a backward from the sum of its first result."""
    writer = Writer()
    count = len(record.inputs)
    inputs = [operand(writer, record, given) for given in operands[:count]]
    settings = dict(zip((attribute.name for attribute in record.attributes), operands[count:], strict=False)) | options
    names = () if record.writes else tuple(f"y{number}" for number in range(len(record.outputs) or 1))
    result = writer.add(Kind.OP, record.name, names, inputs, record.style, **settings)
    writer.backward(writer.op("z", "sum", inputs[0] if record.writes else result))
    return writer.program


@pytest.mark.parametrize("record", PUBLIC, ids=lambda record: record.name)
def test_paths_add_up_to_the_gradient(record):
    program = written(record, *record.samples[0])
    session = Session(program)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session.finish()
    trace, state = session.trace, session.trace.state()
    leaves = [state.tensor(statement.id) for statement in program if statement.kind is Kind.LEAF]
    for leaf in leaves:
        if leaf.grad is None:
            continue
        (share,) = why(program, trace, leaf).finish().shares
        assert not share.failure
        total = np.sum([path.gradient for path in share.paths], axis=0)
        np.testing.assert_allclose(total, share.gradient, rtol=1e-3, atol=1e-4)
        assert share.text(latex=True)
    steps = [at for at in range(1, len(trace) + 1) if is_step(trace, at)]
    assert bool(steps) == any(leaf.grad is not None for leaf in leaves)
    for at in steps:
        assert step(program, trace, at).finish().text()
