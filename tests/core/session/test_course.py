"""The course example and the notes' snippets, as a session sees them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from tests.core.session.programs import Course, Writer

from chalkgrad.engine.graph import state as engine_state
from chalkgrad.program.statement import EMPTY, Kind, Ref
from chalkgrad.session import Session
from chalkgrad.session.events import EventKind
from chalkgrad.session.state import Saved, Status, TensorState


def finished(writer: Writer) -> Session:
    session = Session(writer.program)
    session.finish()
    return session


def value(tensor: TensorState | None) -> list[float]:
    assert tensor is not None
    assert tensor.value is not None
    return tensor.value.ravel().tolist()


def test_values_before_any_backward():
    course = Course()
    state = finished(course).trace.state()
    assert [state.names[name].text for name in "wxab"] == [
        "tensor([1.], requires_grad=True)",
        "tensor([2.], requires_grad=True)",
        "tensor([3.], grad_fn=<AddBackward0>)",
        "tensor([2.], grad_fn=<AddBackward0>)",
    ]
    y = state.names["y"]
    assert y.text == "tensor([6.], grad_fn=<MulBackward0>)"
    assert (y.short, y.shape, y.dtype, y.version) == ("[6.]", (1,), "float32", 0)
    assert (y.is_leaf, y.requires_grad, y.retains_grad, y.grad) == (False, True, False, None)
    assert y.saved is Saved.KEPT
    assert {saved.name for saved in y.saved_values} == {"self", "other"}
    assert state.names["a"].saved is Saved.NOTHING
    assert state.names["w"].saved is Saved.NONE


def test_gradients_are_five_and_two():
    course = Course()
    course.backward(course.y)
    session = finished(course)
    state = session.trace.state()
    assert value(state.names["w"].grad) == [5.0]
    assert value(state.names["x"].grad) == [2.0]
    assert state.names["a"].grad is None
    assert state.names["w"].grad.text == "tensor([5.])"
    assert state.names["y"].saved is Saved.FREED
    assert state.problems == ()
    assert all(found.status is Status.OK for found in state.statements.values())
    assert session.done


def test_retain_grad_keeps_the_gradient_of_a():
    course = Course()
    course.call(course.a, "retain_grad")
    course.backward(course.y)
    state = finished(course).trace.state()
    assert value(state.names["a"].grad) == [2.0]
    assert state.names["a"].retains_grad
    assert state.names["b"].grad is None


def test_a_second_backward_adds_up_and_the_sum_is_told_by_line():
    course = Course()
    first = course.backward(course.y, retain_graph=True)
    second = course.backward(course.y)
    session = finished(course)
    w = session.trace.state().names["w"]
    assert value(w.grad) == [10.0]
    assert w.grad.version == 2
    assert [(addend.statement, addend.value.tolist()) for addend in w.sum_of] == [
        (first.statement, [5.0]),
        (second.statement, [5.0]),
    ]
    earlier = session.trace.state(session.trace.end_of(first.statement)).names["w"]
    assert value(earlier.grad) == [5.0]
    assert len(earlier.sum_of) == 1
    assert earlier.grad.number == w.grad.number


@pytest.mark.parametrize("way", ["none", "zero"])
def test_sum_begins_anew_when_the_gradient_is_cleared(way):
    course = Course()
    course.backward(course.y, retain_graph=True)
    if way == "none":
        cleared = course.assign(course.w, "grad", None)
    else:
        cleared = course.op("", "zero_", Ref(course.w.statement, 0, ("grad",)), style="method")
    last = course.backward(course.y)
    session = finished(course)
    between = session.trace.state(session.trace.end_of(cleared.statement)).names["w"]
    assert between.sum_of == ()
    assert (between.grad is None) == (way == "none")
    w = session.trace.state().names["w"]
    assert value(w.grad) == [5.0]
    assert [addend.statement for addend in w.sum_of] == [last.statement]


def test_a_gradient_scaled_by_hand_is_an_addend_of_the_line_that_did_it():
    course = Course()
    course.backward(course.y, retain_graph=True)
    scaled = course.op("", "mul_", Ref(course.w.statement, 0, ("grad",)), 2.0, style="method")
    last = course.backward(course.y)
    w = finished(course).trace.state().names["w"]
    assert value(w.grad) == [15.0]
    assert [(addend.statement, addend.value.tolist()) for addend in w.sum_of] == [
        (scaled.statement, [10.0]),
        (last.statement, [5.0]),
    ]


def freed_buffers() -> tuple[Writer, dict[str, Ref]]:
    """The notes' example: x = 2 * input, y = 3 + x, z = exp(y), y.backward(), z.backward()."""
    writer = Writer()
    refs = {"input": writer.leaf("input", 2.3978952727983707, grad=True)}
    refs["x"] = writer.op("x", "mul", 2, refs["input"], style="operator")
    refs["y"] = writer.op("y", "add", 3, refs["x"], style="operator")
    refs["z"] = writer.op("z", "exp", refs["y"])
    refs["first"] = writer.backward(refs["y"])
    refs["second"] = writer.backward(refs["z"])
    return writer, refs


def test_a_freed_buffer_fails_the_later_backward_and_keeps_what_it_did():
    writer, refs = freed_buffers()
    after = writer.op("after", "add", refs["y"], 1)
    session = finished(writer)
    before = session.trace.state(session.trace.end_of(refs["first"].statement))
    assert before.names["x"].saved is Saved.FREED
    assert before.names["y"].saved is Saved.NOTHING
    assert before.names["z"].saved is Saved.KEPT
    state = session.trace.state()
    assert state.statement(refs["second"].statement).status is Status.FAILED
    problem = state.statement(refs["second"].statement).problem
    assert problem.type == "RuntimeError"
    assert problem.message.startswith("Trying to backward through the graph a second time")
    assert problem.plain is not None
    assert problem.plain.key == "error.second_backward"
    assert problem.at_fault == (refs["first"].statement, refs["x"].statement)
    assert state.problems == (problem,)
    # exp ran before mul failed: what it saved is gone although the line failed
    assert state.names["z"].saved is Saved.FREED
    assert value(state.names["input"].grad) == [2.0]
    assert state.statement(after.statement).status is Status.OK


def test_what_was_overwritten_is_blamed_on_the_writer():
    writer = Writer()
    x = writer.leaf("x", (1.0,), grad=True)
    a = writer.op("a", "mul", x, 2)
    y = writer.op("y", "mul", a, a)
    wrote = writer.op("", "add_", a, 1, style="method")
    failed = writer.backward(y)
    problem = finished(writer).trace.state().statement(failed.statement).problem
    assert "modified by an inplace operation: [torch.FloatTensor [1]], which is output 0 of Add" in problem.message
    assert problem.at_fault == (wrote.statement, y.statement)


def test_an_overwritten_result_is_blamed_on_the_writer():
    writer = Writer()
    x = writer.leaf("x", (1.0,), grad=True)
    y = writer.op("y", "exp", x)
    wrote = writer.op("", "add_", y, 1, style="method")
    failed = writer.backward(y)
    problem = finished(writer).trace.state().statement(failed.statement).problem
    assert problem.at_fault == (wrote.statement, y.statement)


def test_in_place_on_a_leaf_fails_and_changes_nothing():
    course = Course()
    failed = course.op("", "add_", course.w, 1, style="method")
    later = course.op("c", "mul", course.w, 2)
    state = finished(course).trace.state()
    found = state.statement(failed.statement)
    assert found.status is Status.FAILED
    assert found.problem.message == "a leaf Variable that requires grad is being used in an in-place operation."
    assert value(state.names["w"]) == [1.0]
    assert state.names["w"].version == 0
    assert state.statement(later.statement).status is Status.OK


def test_not_reached_and_waiting():
    writer = Writer()
    x = writer.leaf("x", ((1.0, 2.0), (3.0, 4.0)))
    v = writer.leaf("v", (1.0, 2.0, 3.0))
    broken = writer.op("broken", "add", x, v)
    user = writer.op("user", "mul", broken, 2)
    user_of_user = writer.op("more", "exp", user)
    open_port = writer.op("open", "mul", x, EMPTY)
    user_of_open = writer.op("late", "exp", open_port)
    fine = writer.op("fine", "exp", x)
    state = finished(writer).trace.state()
    status = {
        ref: state.statement(ref.statement).status
        for ref in (broken, user, user_of_user, open_port, user_of_open, fine)
    }
    assert list(status.values()) == [
        Status.FAILED,
        Status.NOT_REACHED,
        Status.NOT_REACHED,
        Status.WAITING,
        Status.WAITING,
        Status.OK,
    ]
    assert state.statement(user.statement).blocked_by == broken.statement
    assert state.statement(user_of_user.statement).blocked_by == broken.statement
    assert state.statement(open_port.statement).blocked_by is None
    assert [problem.statement for problem in state.problems] == [broken.statement]
    assert "broken" not in state.names


def test_statements_warn_and_looking_does_not():
    course = Course()
    course.backward(course.y)
    printed = course.print("a:", Ref(course.a.statement, 0, ("grad",)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        session = finished(course)
        state = session.trace.state()
        assert state.names["a"].grad is None
    (problem,) = state.problems
    assert problem.warning
    assert problem.type == "UserWarning"
    assert problem.statement == printed.statement
    assert problem.message.startswith("The .grad attribute of a Tensor that is not a leaf Tensor is being accessed")
    assert [line.text for line in state.output] == ["a: None"]
    assert state.statement(printed.statement).status is Status.OK
    assert session.trace.state(problem.position - 1).problems == ()
    assert session.trace.state(problem.position).problems == (problem,)


def test_print_is_python_s():
    course = Course()
    course.backward(course.y)
    path = course.w.statement
    course.print("w", Ref(path), Ref(path, 0, ("grad",)), Ref(path, 0, ("is_leaf",)), 2, 0.5)
    course.print(Ref(path, 0, ("grad", "item()")), Ref(path, 0, ("grad", "is None")), Ref(path, 0, ("shape",)))
    course.print()
    assert [line.text for line in finished(course).trace.state().output] == [
        "w tensor([1.], requires_grad=True) tensor([5.]) True 2 0.5",
        "5.0 False torch.Size([1])",
        "",
    ]


def test_create_graph_warns_in_every_session():
    for _ in range(2):
        course = Course()
        course.backward(course.y, create_graph=True)
        state = finished(course).trace.state()
        assert [problem.type for problem in state.problems] == ["UserWarning"]
        assert state.names["w"].grad.requires_grad
        assert state.names["w"].grad.grad_fn == "CopyBackwards"


def test_second_derivative():
    writer = Writer()
    x = writer.leaf("x", 2.0, grad=True)
    y = writer.op("y", "pow", x, 3, style="operator")
    first = writer.grad(("g",), (y,), (x,), create_graph=True)
    second = writer.grad(("h",), (first,), (x,))
    state = finished(writer).trace.state()
    assert value(state.names["g"]) == [12.0]
    assert value(state.names["h"]) == [12.0]
    assert state.names["g"].grad_fn is not None
    assert state.names["h"].is_leaf
    assert state.statement(second.statement).outputs[0].number == state.names["h"].number


def test_again_makes_new_objects_and_fresh_buffers():
    course = Course()
    course.backward(course.y)
    again = course.again(course.y)
    course.backward(course.y)
    session = finished(course)
    state = session.trace.state()
    assert all(found.status is Status.OK for found in state.statements.values())
    assert value(state.names["w"].grad) == [10.0]
    y = course.y.statement
    assert state.statement(y).passes == 2
    assert state.statement(course.w.statement).passes == 1
    before = session.trace.state(session.trace.end_of(again.statement) - 1)
    assert before.line == again.statement
    earlier = session.trace.state(session.trace.events_of(again.statement).start)
    assert earlier.statement(y).passes == 1
    assert earlier.names["y"].number != state.names["y"].number
    assert {(event.statement, event.pass_) for event in session.trace.events if event.kind is EventKind.RAN} >= {
        (y, 0),
        (y, 1),
    }


def test_no_grad_block_and_data():
    course = Course()
    course.inside()
    c = course.op("c", "mul", course.a, 2)
    course.inside("enable_grad")
    d = course.op("d", "mul", course.a, 2)
    course.outside()
    course.op("", "sub_", course.w, 0.5, style="method")
    course.outside()
    course.op("", "mul_", Ref(course.x.statement, 0, ("data",)), 10, style="method")
    state = finished(course).trace.state()
    assert not state.tensor(c.statement).requires_grad
    assert state.tensor(d.statement).requires_grad
    assert (value(state.names["w"]), state.names["w"].version) == ([0.5], 1)
    assert (value(state.names["x"]), state.names["x"].version) == ([20.0], 0)
    assert engine_state.grad


def test_time_travel_over_writes_shared_by_views_and_data():
    writer = Writer()
    x = writer.leaf("x", ((1.0, 2.0), (3.0, 4.0)))
    t = writer.op("t", "t", x, style="method")
    first = writer.op("", "mul_", t, 10, style="method")
    second = writer.op("", "add_", Ref(x.statement, 0, ("data",)), 1, style="method")
    session = finished(writer)
    ends = [session.trace.end_of(ref.statement) for ref in (t, first, second)]
    seen = [session.trace.state(position) for position in ends]
    assert [state.names["x"].value.tolist() for state in seen] == [
        [[1, 2], [3, 4]],
        [[10, 20], [30, 40]],
        [[11, 21], [31, 41]],
    ]
    assert [state.names["t"].value.tolist() for state in seen] == [
        [[1, 3], [2, 4]],
        [[10, 30], [20, 40]],
        [[11, 31], [21, 41]],
    ]
    assert [state.names["t"].version for state in seen] == [0, 1, 1]
    with pytest.raises(ValueError, match="read-only"):
        seen[0].names["x"].value[0, 0] = 7


def test_names_and_deletion():
    writer = Writer()
    x = writer.leaf("x", 1.0)
    y = writer.op("y", "mul", x, 2)
    again = writer.op("y", "mul", y, 2)
    writer.add(Kind.DELETE, "", ("y",), (again,))
    failed = writer.op("z", "mul", again, 2)
    session = finished(writer)
    before = session.trace.state(session.trace.end_of(again.statement))
    assert list(before.names) == ["x", "y"]
    assert value(before.names["y"]) == [4.0]
    state = session.trace.state()
    assert list(state.names) == ["x"]
    problem = state.statement(failed.statement).problem
    assert (problem.type, problem.message) == ("NameError", "name 'y' is not defined")


def test_seeds():
    writer = Writer()
    own = writer.add(Kind.LEAF, "rand", ("own",), (3,), seed=7)
    writer.add(Kind.SEED, "manual_seed", (), (0,))
    one = writer.add(Kind.LEAF, "rand", ("one",), (3,))
    before = np.random.get_state()[1].tolist()
    states = [finished(writer).trace.state() for _ in range(2)]
    assert np.random.get_state()[1].tolist() == before
    np.testing.assert_allclose(states[0].tensor(one.statement).value, [0.4963, 0.7682, 0.0885], atol=1e-4)
    for ref in (own, one):
        np.testing.assert_array_equal(states[0].tensor(ref.statement).value, states[1].tensor(ref.statement).value)


def test_two_tensors_may_be_each_other_s_gradient():
    writer = Writer()
    a, b = writer.leaf("a", 1.0), writer.leaf("b", 2.0)
    writer.assign(a, "grad", b)
    writer.assign(b, "grad", a)
    state = finished(writer).trace.state()
    assert value(state.names["a"].grad) == [2.0]
    assert value(state.names["b"].grad) == [1.0]
