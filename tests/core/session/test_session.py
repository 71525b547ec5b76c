"""Sessions: slices, edits, failures, several at once."""

from __future__ import annotations

import gc
import json
import time
import warnings
import weakref
from dataclasses import replace
from itertools import cycle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.session.programs import Course, Writer, programs
from tests.core.session.test_time import cut, everything, some

from chalkgrad.engine import generator
from chalkgrad.engine.graph import state as engine_state
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.session import Session
from chalkgrad.session.lines import trace_lines
from chalkgrad.session.state import Status


def chain(count: int) -> Writer:
    """``count`` sines on top of each other, and a backward through all of them."""
    writer = Writer()
    last = writer.leaf("x", 0.5, grad=True)
    for number in range(count):
        last = writer.op(f"t{number}", "sin", last)
    writer.backward(last)
    return writer


def finished(program: Program) -> Session:
    session = Session(program)
    session.finish()
    return session


@some
@given(programs(), st.lists(st.sampled_from((0.0, 0.0, 0.05)), min_size=1, max_size=12))
def test_slices_make_no_difference(program, slices):
    whole = finished(program)
    sliced = Session(program)
    lengths = cycle(slices)
    while not sliced.done:
        sliced.advance(next(lengths))
    assert everything(sliced.trace.state()) == everything(whole.trace.state())


@some
@given(programs(), st.data())
def test_update_is_like_running_afresh(program, data):
    """Lines appended, taken away and changed, in the middle of a run too."""
    kept = data.draw(st.integers(0, len(program.order)))
    session = Session(cut(program, kept))
    for _ in range(data.draw(st.integers(0, 30))):
        session.advance(0.0)
    session.update(program)
    shorter = cut(program, data.draw(st.integers(0, len(program.order))))
    if data.draw(st.booleans()):
        session.finish()
    session.update(shorter)
    session.update(program)
    session.finish()
    assert everything(session.trace.state()) == everything(finished(program).trace.state())


def test_appending_runs_only_what_is_new():
    course = Course()
    session = finished(course.program)
    events, trace = len(session.trace), session.trace
    course.backward(course.y)
    session.update(course.program)
    assert not session.done
    assert session.ran_again is None
    session.finish()
    assert session.trace is trace
    assert len(session.trace) > events
    assert not session.started_afresh(events)
    assert session.trace.state().names["w"].grad.text == "tensor([5.])"


def test_a_changed_value_runs_everything_again():
    course = Course()
    course.backward(course.y)
    session = finished(course.program)
    events = len(session.trace)
    program = course.program
    changed = replace(program[2], operands=((4.0,),))
    session.update(replace(program, statements={**program.statements, 2: changed}))
    assert (session.ran_again.line, session.ran_again.backwards) == (1, 1)
    assert len(session.trace) == 0
    assert session.started_afresh(events)
    assert not session.started_afresh(events)
    session.finish()
    assert session.trace.state().names["w"].grad.text == "tensor([7.])"


def test_a_block_drawn_around_lines_runs_everything_again():
    course = Course()
    session = finished(course.program)
    around = Course()
    around.inside()
    around.statements[3] = replace(around.statements[3], block=around.block)
    session.update(around.program)
    session.finish()
    assert session.ran_again.backwards == 0
    assert session.trace.state().names["b"].is_leaf


def test_a_long_backward_is_advanced_in_slices():
    session = Session(chain(3000).program)
    while not session.trace.state().inside:
        assert not session.advance(1.0)
    slices = 0
    while not session.done:
        session.advance(0.0)
        slices += 1
        assert engine_state.observer is None
        assert engine_state.grad
    assert slices > 50
    x = session.trace.state().names["x"]
    assert x.grad.value is not None
    assert x.sum_of[0].statement == session.program.order[-1]


def test_an_edit_in_the_middle_of_a_backward():
    writer = chain(5000)
    session = Session(writer.program)
    while not session.trace.state().inside:
        assert not session.advance(1.0)
    for _ in range(5):
        session.advance(0.0)
    assert not session.done
    state = session.trace.state()
    assert state.inside
    writer.print("end")
    session.update(writer.program)
    session.finish()
    assert everything(session.trace.state()) == everything(finished(writer.program).trace.state())


def test_two_sessions_at_once():
    one, other = Course(), Course()
    for course in (one, other):
        course.add(Kind.SEED, "manual_seed", (), (1,))
        course.inside()
        course.add(Kind.LEAF, "rand", ("r",), (2,))
        course.op("c", "mul", course.w, 2)
        course.add(Kind.LEAF, "rand", ("s",), (2,))
    sessions = [Session(one.program), Session(other.program)]
    generator.manual_seed(3)
    expected = generator.default_generator.rand((4,))
    generator.manual_seed(3)
    while not all(session.done for session in sessions):
        for session in sessions:
            session.advance(0.0)
            assert engine_state.grad
            assert engine_state.observer is None
    np.testing.assert_array_equal(generator.default_generator.rand((4,)), expected)
    left, right = (session.trace.state() for session in sessions)
    assert everything(left) == everything(right)
    assert not left.names["c"].requires_grad


def test_a_session_leaves_warnings_alone():
    course = Course()
    course.print(Ref(course.a.statement, 0, ("grad",)))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        finished(course.program)
        warnings.warn("mine", stacklevel=1)
    assert [str(warning.message) for warning in caught] == ["mine"]


@pytest.mark.parametrize(
    "statement",
    [
        Statement(9, Kind.OP, "system", ("z",), (Ref(1),)),
        Statement(9, Kind.LEAF, "load", ("z",), ("file",)),
        Statement(9, Kind.LEAF, "__import__", ("z",), ("os",)),
        Statement(9, Kind.ATTRIBUTE, "__init_subclass__", (), (Ref(1),)),
        Statement(9, Kind.ASSIGN, "__class__", (), (Ref(1), None)),
        Statement(9, Kind.PRINT, "print", (), (Ref(1, 0, ("__class__", "__subclasses__()")),)),
    ],
)
def test_nothing_but_pytorch_is_ever_called(statement):
    program = Course().program
    session = finished(Program({**program.statements, 9: statement}, (*program.order, 9), {}, 10))
    problem = session.trace.state().statement(9).problem
    assert problem.type == "AttributeError"
    assert "has no attribute" in problem.message


def test_a_wire_from_nowhere_waits_and_one_from_later_is_a_name_error():
    writer = Writer()
    writer.op("a", "exp", Ref(77))
    writer.op("b", "exp", Ref(3))
    writer.leaf("c", 1.0)
    state = finished(writer.program).trace.state()
    assert state.statement(1).status is Status.WAITING
    assert state.statement(2).problem.message == "name 'c' is not defined"


def test_values_beyond_the_budget_are_not_known_but_everything_else_is():
    writer = Writer()
    x = writer.add(Kind.LEAF, "ones", ("x",), (100,))
    grown = writer.op("", "add_", x, 1, style="method")
    writer.op("", "add_", x, 1, style="method")
    session = Session(writer.program, budget=500)
    session.finish()
    then = session.trace.state(session.trace.end_of(x.statement)).names["x"]
    assert then.value.tolist() == [1.0] * 100
    then = session.trace.state(session.trace.end_of(grown.statement)).names["x"]
    assert (then.value, then.shape, then.version, then.short) == (None, (100,), 1, "?")
    assert session.trace.state().names["x"].value.tolist() == [3.0] * 100


def test_inline_tensors_and_operators():
    writer = Writer()
    x = writer.leaf("x", (1.0, 2.0), grad=True)
    cut_off = writer.op("", "detach", x, style="method")
    y = writer.op("y", "mul", x, cut_off)
    weights = writer.leaf("", (1.0, 10.0))
    writer.backward(y, gradient=weights)
    writer.backward(y, gradient=(1.0, 1.0))
    state = finished(writer.program).trace.state()
    assert state.names["x"].grad.value.tolist() == [1.0, 20.0]
    assert state.statement(6).problem.type == "RuntimeError"


def test_a_failing_line_run_again_is_blamed_on_its_operator():
    writer = Writer()
    x = writer.leaf("x", (1.0, 2.0))
    y = writer.op("y", "view", x, style="method", size=(2,))
    z = writer.op("z", "add", y, y)
    writer.assign(x, "data", (1.0, 2.0, 3.0))
    again = writer.again(z)
    state = finished(writer.program).trace.state()
    problem = state.statement(again.statement).problem
    assert problem.type == "RuntimeError"
    assert problem.at_fault == (y.statement,)
    assert problem.pass_ == 1
    assert state.statement(z.statement).passes == 1


def test_the_state_of_a_long_program_is_quick():
    session = finished(chain(5000).program)
    trace = session.trace
    trace.state()
    began = time.process_time()
    for position in (100, 1000, 5000, len(trace) - 1):
        state = trace.state(position)
        assert state.tensor(session.program.order[10]) is not None
        assert state.statement(session.program.order[3]).status is Status.OK
    assert (time.process_time() - began) / 4 < 0.03


@some
@given(programs())
def test_plain_results_are_shown_at_every_position_as_if_their_timelines_were_asked_for(program):
    short, long = finished(program), finished(program)
    for number in range(len(long._tables.facts)):
        _ = long._tables.facts[number]
    for position in range(len(short.trace) + 1):
        assert everything(short.trace.state(position)) == everything(long.trace.state(position))


def test_looking_at_a_state_makes_no_timelines_of_plain_results():
    session = finished(chain(20).program)
    facts, state = session._tables.facts, session.trace.state()
    plain = [number for number in range(len(facts)) if facts.is_plain(number)]
    assert len(plain) >= 19
    shown = {state.statement(id_).outputs[0].number for id_ in session.program.order if state.statement(id_).outputs}
    assert shown.issuperset(plain)
    assert all(map(facts.is_plain, plain))


@given(programs(most=8))
def test_trace_lines_are_json(program):
    session = finished(program)
    header, *lines = [json.loads(line) for line in trace_lines(session)]
    assert header == {"format": "chalkgrad-trace", "version": 1, "events": len(session.trace)}
    assert [line["position"] for line in lines] == list(range(1, len(session.trace) + 1))
    assert {line["line"] for line in lines} == set(program.lines.values())


def test_trace_lines_of_the_course_example():
    course = Course()
    course.backward(course.y)
    course.leaf("far", (float("inf"), float("nan")))
    lines = [json.loads(line) for line in trace_lines(finished(course.program))][1:]
    made = [line["value"] for line in lines if line["event"] == "made"]
    assert made[:5] == [[1.0], [2.0], [3.0], [2.0], [6.0]]
    assert sorted(made[5:7]) == [[2.0], [5.0]]
    assert made[7:] == [["inf", "nan"]]
    given_ = [(line["tensors"][0], line["gradient"]) for line in lines if line["event"] == "accumulated"]
    assert sorted(given_) == [(0, [5.0]), (1, [2.0])]
    assert [line["name"] for line in lines if line["event"] == "freed"] == ["MulBackward0"]
    ran = [line for line in lines if line["event"] == "node_ran"]
    assert ran[0]["name"] == "MulBackward0"
    assert ran[0]["incoming"] == [[1.0]]
    assert ran[0]["outgoing"] == [[2.0], [3.0]]


def test_what_an_earlier_run_left_goes_without_the_garbage_collector():
    course = Course()
    session = finished(course.program)
    trace = weakref.ref(session.trace)
    state = session.trace.state()
    assert [tensor.short for tensor in state.names.values()]
    assert session.trace.touched(1, len(session.trace))
    assert state.nodes
    gc.disable()
    try:
        session.update(Program({}, ()))
        del state
        assert trace() is None, "thousands of objects would wait for a collection that holds up the window"
    finally:
        gc.enable()
