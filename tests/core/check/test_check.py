"""Checking programs: against finite differences, and against real PyTorch."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from tests.core.session.programs import Course, Writer, programs

from chalkgrad.check import LiveError, against_torch, finite_differences, torch_is_there
from chalkgrad.engine.graph import state as engine_state
from chalkgrad.program.statement import Kind, Ref
from chalkgrad.session.recorder import Recorder

live = pytest.mark.skipif(not torch_is_there(), reason="PyTorch is not installed")


def shown(report) -> list[str]:
    return [str(difference) for difference in report.differences]


def test_course_example_agrees_with_finite_differences():
    course = Course()
    course.backward(course.y, retain_graph=True)
    course.backward(course.y)
    report = finite_differences(course.program)
    assert shown(report) == []
    assert [(c.name, c.fact, c.found) for c in report.comparisons] == [("w", "grad", "[10.]"), ("x", "grad", "[4.]")]
    assert engine_state.observer is None


def test_a_wrong_gradient_is_found(monkeypatch):
    course = Course()
    course.backward(course.op("z", "exp", course.y))
    assert finite_differences(course.program).agrees
    right = Recorder.accumulated
    monkeypatch.setattr(
        Recorder, "accumulated", lambda self, node, leaf, g, first: right(self, node, leaf, g * 1.01, first)
    )
    report = finite_differences(course.program)
    assert [difference.name for difference in report.differences] == ["w", "x"]
    assert report.differences[0].error > 0


def test_what_is_detached_is_held_constant():
    writer = Writer()
    x = writer.leaf("x", (0.5, 2.0), grad=True)
    cut_off = writer.op("d", "detach", x, style="method")
    data = writer.op("e", "mul", Ref(x.statement, 0, ("data",)), 3)
    writer.inside()
    still = writer.op("s", "exp", x)
    writer.outside()
    a = writer.op("a", "mul", x, cut_off)
    b = writer.op("b", "mul", data, still)
    c = writer.op("c", "mul", a, b)
    total = writer.op("t", "sum", c, style="method")
    writer.backward(total)
    report = finite_differences(writer.program)
    assert shown(report) == []
    assert len(report.comparisons) == 1


def test_steps_of_an_optimisation():
    writer = Writer()
    w = writer.leaf("w", (0.5, 2.0), grad=True)
    grad = Ref(w.statement, 0, ("grad",))
    y = writer.op("y", "mul", w, w)
    loss = writer.op("loss", "sum", y, style="method")
    writer.backward(loss)
    writer.inside()
    step = writer.op("step", "mul", grad, 0.1)
    writer.op("", "sub_", w, step, style="method")
    writer.outside()
    writer.again(loss)
    writer.backward(loss)
    assert shown(finite_differences(writer.program)) == []


def test_second_derivatives():
    writer = Writer()
    x = writer.leaf("x", 2.0, grad=True)
    y = writer.op("y", "pow", x, 3, style="operator")
    g = writer.grad(("g",), (y,), (x,), create_graph=True)
    writer.backward(g)
    report = finite_differences(writer.program)
    assert shown(report) == []
    assert report.comparisons[0].found == "[12.]"


def test_weights_and_several_roots():
    writer = Writer()
    x = writer.leaf("x", (1.0, 2.0), grad=True)
    one, other = writer.op("a", "mul", x, x), writer.op("b", "exp", x)
    weights = writer.leaf("v", (1.0, 0.1))
    writer.add(Kind.BACKWARD, "backward", (), ((one, other),), grad_tensors=(weights, weights))
    assert shown(finite_differences(writer.program)) == []


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(programs(most=10))
def test_random_programs_come_to_an_end(program):
    finite_differences(program)
    assert engine_state.observer is None
    assert engine_state.grad


@live
def test_course_example_agrees_with_torch():
    course = Course()
    course.call(course.a, "retain_grad")
    course.backward(course.y)
    course.print(Ref(course.w.statement, 0, ("grad",)), Ref(course.y.statement, 0, ("grad_fn",)))
    report = against_torch(course.program)
    assert shown(report) == []
    assert {comparison.name for comparison in report.comparisons} >= {"w", "w.grad", "a.grad", "y", "print"}
    assert report.against.startswith("torch 2")


@live
def test_a_difference_from_torch_is_told(monkeypatch):
    course = Course()
    course.backward(course.y)
    program = course.program
    report = against_torch(program)
    assert report.agrees
    monkeypatch.setattr("chalkgrad.check.live.emit.program_text", lambda *_: "import torch\nw = torch.tensor([2.])\n")
    found = against_torch(program).differences
    assert ("w", "value") in {(difference.name, difference.fact) for difference in found}
    assert ("y", "value") in {(difference.name, difference.fact) for difference in found}


@live
def test_what_takes_pytorch_too_long_is_told(monkeypatch):
    monkeypatch.setattr("chalkgrad.check.live.SECONDS", 0.01)
    with pytest.raises(LiveError, match=r"not done after 0\.01 seconds"):
        against_torch(Course().program)


@live
@settings(max_examples=4, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow])
@given(programs(most=30))
def test_random_programs_agree_with_torch(program):
    assert shown(against_torch(program)) == []
