"""Time travel: what a trace says of a position is what was there."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import HealthCheck, given, settings
from tests.core.session.programs import Course, programs

from chalkgrad.engine.graph import TensorBase, version_of
from chalkgrad.engine.observer import Observer
from chalkgrad.program.program import Program
from chalkgrad.session import Session
from chalkgrad.session.events import EventKind
from chalkgrad.session.recorder import Recorder
from chalkgrad.session.state import State, TensorState
from chalkgrad.source.read import read_source

ADDRESS = re.compile(r"0x[0-9a-f]+")
some = settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow])


def facts(tensor: TensorState | None) -> object:
    """A tensor as something that can be compared."""
    if tensor is None:
        return None
    value = None if tensor.value is None else (tensor.value.shape, tensor.value.tobytes())
    plain = tensor._replace(value=None, grad=None, sum_of=())
    addends = [(addend.statement, addend.pass_, addend.value.tobytes()) for addend in tensor.sum_of]
    return plain, value, facts(tensor.grad), addends


def everything(state: State) -> object:
    """A state as something that can be compared, object addresses aside."""
    statements = {
        id_: (found.status, [facts(output) for output in found.outputs], found.problem, found.passes, found.blocked_by)
        for id_, found in state.statements.items()
    }
    output = [(line.statement, ADDRESS.sub("", line.text)) for line in state.output]
    names = {name: facts(tensor) for name, tensor in state.names.items()}
    return state.position, statements, output, state.problems, state.line, state.inside, names


def cut(program: Program, count: int) -> Program:
    """The first ``count`` statements."""
    order = program.order[:count]
    blocks = {id_: block for id_, block in program.blocks.items() if any(program[i].block is not None for i in order)}
    return Program({id_: program[id_] for id_ in order}, order, blocks, program.next_id)


class Stop(BaseException):
    """Ends a run in the middle, as nothing in a program can."""


class OneByOne(Recorder):
    """Writes down each event by itself."""

    __slots__ = ()
    result_made = Observer.result_made
    backward_went = Observer.backward_went

    def came_to(self, value, targets):
        self.ran((value,), targets)
        self.ended(self.statement)


def run_until(program: Program, count: int) -> Session:
    """A fresh session that is torn out of its work when ``count`` events have happened."""
    session = Session(program)

    class Entries(list):
        def append(self, row):
            if log.length == count:
                raise Stop
            super().append(row)

    log = session._tables.events
    log.entries = Entries()
    session._recorder.__class__ = OneByOne
    with contextlib.suppress(Stop):
        session.finish()
    return session


@some
@given(programs())
def test_the_state_after_a_line_is_that_of_a_program_that_ends_there(program):
    whole = Session(program)
    whole.finish()
    for count in range(len(program.order) + 1):
        part = Session(cut(program, count))
        part.finish()
        position = len(part.trace)
        assert whole.trace.line_at(position) == (program.order[count - 1] if count else None)
        here, there = everything(whole.trace.state(position)), everything(part.trace.state())
        known = {id_: found for id_, found in here[1].items() if id_ in there[1]}
        assert (*here[:1], known, *here[2:]) == there


@some
@given(programs(most=8))
def test_the_state_at_every_event_is_that_of_a_run_cut_off_there(program):
    whole = Session(program)
    whole.finish()
    for position in range(len(whole.trace) + 1):
        part = run_until(program, position)
        assert len(part.trace) == position
        assert everything(whole.trace.state(position)) == everything(part.trace.state())


@some
@given(programs())
def test_the_state_at_the_end_is_what_the_engine_has(program):
    session = Session(program)
    session.finish()
    state = session.trace.state()
    for (id_, output), tensor in session._interpreter.scope.values.items():
        found = state.tensor(id_, output)
        if isinstance(tensor, TensorBase):
            assert found is not None
            np.testing.assert_array_equal(found.value, tensor.array)
            assert found.version == version_of(tensor)
            assert found.is_leaf == tensor.is_leaf
            assert found.requires_grad == tensor.requires_grad
            grad = None if tensor.meta is None else tensor.meta.grad
            assert (found.grad is None) == (grad is None)
            if grad is not None:
                np.testing.assert_array_equal(found.grad.value, grad.array)
                assert found.grad.requires_grad == grad.requires_grad
            if found.node is not None:
                assert found.grad_fn == type(tensor.grad_fn).__name__


@some
@given(programs())
def test_addends_make_up_the_gradient(program):
    session = Session(program)
    session.finish()
    for position in range(len(session.trace) + 1):
        for tensor in session.trace.state(position).names.values():
            if tensor.sum_of and position == session.trace.end_of(session.trace.line_at(position)):
                total = np.sum([addend.value for addend in tensor.sum_of], axis=0)
                np.testing.assert_allclose(total, tensor.grad.value, rtol=1e-5, atol=1e-5)


@some
@given(programs())
def test_every_pass_of_a_line_has_events_and_ends_once(program):
    session = Session(program)
    session.finish()
    trace = session.trace
    begun = Counter[int]()
    ranges: list[range] = []
    for run in trace.runs:
        ranges.append(trace.events_of_pass(run.statement, begun[run.statement]))
        begun[run.statement] += 1
    assert set(begun) == set(program.order)
    assert all(before.stop == after.start for before, after in pairwise(ranges))
    assert sum(len(found) for found in ranges) == len(trace)
    for run, found in zip(trace.runs, ranges, strict=True):
        assert [trace.events[i].kind for i in found].count(EventKind.ENDED) == 1
        assert trace.events[found.stop - 1].kind is EventKind.ENDED
        assert trace.end_of(run.statement, found.stop) == found.stop
        assert not trace.state(found.stop).inside
        if len(found) > 1:
            assert trace.state(found.stop - 1).inside


def test_before_the_first_event():
    session = Session(Course().program)
    session.finish()
    state = session.trace.state(0)
    assert state.line is None
    assert not state.inside
    assert dict(state.names) == {}
    assert {found.status for found in state.statements.values()} == {"to come"}


def test_events_of_a_kind_are_found_both_ways():
    source = "import torch\nw = torch.tensor([2.], requires_grad=True)\ny = w * w\ny.backward()\ny.backward()\n"
    session = Session(read_source(source))
    session.finish()
    trace = session.trace
    given = [n + 1 for n, event in enumerate(trace.events) if event.kind is EventKind.ACCUMULATED]
    failed = [n + 1 for n, event in enumerate(trace.events) if event.kind is EventKind.FAILED]
    kinds = {EventKind.ACCUMULATED, EventKind.FAILED}
    assert trace.find(kinds, 0, 1) == given[0]
    assert trace.find(kinds, given[0], 1) == failed[0]
    assert trace.find(kinds, failed[0], 1) is None
    assert trace.find(kinds, len(trace), -1) == failed[0]
    assert trace.find(kinds, failed[0], -1) == given[0]
    assert trace.find(kinds, given[0], -1) is None
    freed = next(event.node for event in trace.events if event.kind is EventKind.FREED)
    assert [kept.name for kept in trace.saved_by(freed)] == ["other", "self"]
