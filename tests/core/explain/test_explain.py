"""Explanations give the gradient that the trace recorded, path by path, in the program's names."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from tests.core.explain.accounts import account, of, ran
from tests.core.session.programs import Course, Writer, programs

from chalkgrad.explain import is_step, step, why, why_results, work
from chalkgrad.explain.writing import together
from chalkgrad.program.statement import Kind
from chalkgrad.session import Session
from chalkgrad.source.read import read_source

THOROUGH = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def explained(program, session):
    """Every tensor with a gradient that is known, and its explanation."""
    seen = {}
    for statement in program:
        for tensor in session.trace.state().statement(statement.id).outputs:
            if tensor is not None and tensor.grad is not None and tensor.grad.value is not None:
                seen[tensor.number] = tensor
    return [(tensor, why(program, session.trace, tensor).finish()) for tensor in seen.values()]


COURSE = """
w = torch.tensor([1.], requires_grad=True)
x = torch.tensor([2.], requires_grad=True)
a = torch.add(w, x)
b = torch.add(w, 1)
y = torch.mul(a, b)
"""


def test_the_course_example_in_symbols_and_numbers():
    found = account(COURSE + "y.backward()", "w")
    assert found.text().splitlines() == [
        "dy/dw = dy/da * da/dw + dy/db * db/dw",
        "= 2 * 1 + 3 * 1",
        "= 5",
        "dy/da = b = 2",
        "da/dw = 1",
        "dy/db = a = 3",
        "db/dw = 1",
    ]
    assert found.shares[0].rows()[0][0].latex == r"\frac{\partial y}{\partial w}"
    assert [path.trail.cards for path in found.shares[0].paths] == [(5, 3, 1), (5, 4, 1)]


def test_accumulated_over_two_backwards():
    found = account(COURSE + "y.backward(retain_graph=True)\ny.backward(torch.tensor([2.]))", "w")
    assert [share.gradient.tolist() for share in found.shares] == [[5.0], [10.0]]
    assert "v * dy/dw = v * dy/da * da/dw + v * dy/db * db/dw\n= 2 * 2 * 1 + 2 * 3 * 1\n= 10" in found.text()
    assert together(found.sum()).plain == "5 + 10 = 15"


def test_a_gradient_that_a_line_put_there_is_an_addend_without_paths():
    found = account(COURSE + "w.grad = torch.tensor([7.])\ny.backward()", "w")
    assert [len(share.paths) for share in found.shares] == [0, 2]
    assert together(found.sum()).plain == "7 + 5 = 12"


def test_of_many_rounds_the_last_are_explained_and_all_before_added_up():
    found = account(
        "w = torch.tensor(1., requires_grad=True)\nfor i in range(40):\n    y = w * 3\n    y.backward()", "w"
    )
    assert [(share.earlier, len(share.paths)) for share in found.shares] == [(34, 0), *[(0, 1)] * 6]
    assert together(found.sum()).plain == "102 + 3 + 3 + 3 + 3 + 3 + 3 = 120"
    assert len(found.sum()) == 8, "a line may break between any two terms"


def test_a_vector_is_weighted_row_by_row():
    found = account(
        "x = torch.tensor([1., 2., 3.], requires_grad=True)\ny = x ** 2\ny.backward(torch.tensor([1., 0., 2.]))", "x"
    )
    (factor,) = found.shares[0].factors()
    assert factor.jacobian.tolist() == np.diag([2.0, 4.0, 6.0]).tolist()
    assert found.shares[0].rows()[0][0].plain == "v^T * dy/dx"
    assert found.text().splitlines()[1] == "= [2, 0, 12]"
    np.testing.assert_allclose(found.shares[0].seed @ factor.jacobian, found.total)


def test_a_matrix_that_is_too_large_is_left_out():
    found = account("x = torch.ones(65, requires_grad=True)\ny = (x * x).sum()\ny.backward()", "x")
    assert [factor.jacobian for factor in found.shares[0].factors()] == [None, None, None]
    assert found.text().splitlines()[1:3] == ["= [1, 1, 1, ..., 1, 1] + [1, 1, 1, ..., 1, 1]", "= [2, 2, 2, ..., 2, 2]"]


def test_many_paths_are_added_up_by_the_last_step():
    lines = "\n".join("y = y * x" for _ in range(20))
    found = account(f"x = torch.tensor(1.5, requires_grad=True)\ny = x * 1\n{lines}\ny.backward()", "x")
    share = found.shares[0]
    assert share.by_last
    assert len(share.paths) == 13
    assert share.paths[-1].left_over == 9
    assert share.paths[1].factors[0].total
    assert sum(float(path.gradient) for path in share.paths) == pytest.approx(21 * 1.5**20, rel=1e-5)


def test_of_very_many_quantities_the_last_are_pointed_out(monkeypatch):
    monkeypatch.setattr(work, "MOST_SEEN", 5)
    lines = "\n".join("y = y * x" for _ in range(20))
    found = account(f"x = torch.tensor(1.5, requires_grad=True)\ny = x * 1\n{lines}\ny.backward()", "x")
    summed = found.shares[0].paths[:-1]
    assert {len(path.trail.stops) for path in summed} <= set(range(2, 7))
    assert all(path.trail.stops[-1].card == 1 for path in summed), "they end at x"
    assert all({of, by} <= set(path.trail.stops) for path in summed for of, by in path.trail.steps)
    lines = "\n".join("y = y.sin()" for _ in range(20))
    found = account(f"x = torch.tensor(0.5, requires_grad=True)\ny = x.sin()\n{lines}\ny.backward()", "x")
    (path,) = found.shares[0].paths
    assert [stop.card for stop in path.trail.stops] == [5, 4, 3, 2, 1]
    assert len(path.trail.steps) == 5


def test_the_middle_of_a_long_path_is_put_together():
    lines = "\n".join("y = y.sin()" for _ in range(10))
    found = account(f"x = torch.tensor(0.5, requires_grad=True)\ny = x * 1\n{lines}\ny.backward()", "x")
    (path,) = found.shares[0].paths
    assert [factor.jumps for factor in path.factors] == [False, False, False, True, False, False, False]
    assert np.prod([float(factor.value) for factor in path.factors]) == pytest.approx(float(found.total), rel=1e-5)
    assert len(path.trail.cards) == 12


def test_the_graph_of_a_gradient_is_followed_too():
    found = account(
        "x = torch.tensor(2., requires_grad=True)\ny = x ** 3\ny.backward(create_graph=True)\n"
        "z = x.grad * x\nx.grad = None\nz.backward()",
        "x",
    )
    assert float(found.total) == 36.0
    assert sorted(float(path.gradient) for path in found.shares[0].paths) == [12.0, 24.0]


def test_a_leaf_that_is_its_own_root():
    assert account("x = torch.tensor(2., requires_grad=True)\nx.backward()", "x").text() == "dx/dx\n= 1"


def test_results_of_autograd_grad():
    program, session = of(COURSE + "gw, gx = torch.autograd.grad(y, [w, x])")
    line = program.named("gw").statement
    found = why_results(program, session.trace, line, session.trace.state().statement(line).outputs).finish()
    assert [share.rows()[0][0].plain for share in found.shares] == ["dy/dw", "dy/dx"]
    assert found.text().count("= 2 * 1") == 2
    assert not found.sum()


def test_each_step_of_a_backward():
    program, session = of(COURSE + "y.backward()")
    trace = session.trace
    steps = [step(program, trace, at).finish() for at in range(len(trace) + 1) if is_step(trace, at)]
    assert [found.node for found in steps] == ["MulBackward0", "AddBackward0", "AddBackward0"]
    first = steps[0]
    assert first.of.plain == "y"
    assert first.incoming.tolist() == [1.0]
    assert [out.factor.value for out in first.outgoing] == [2.0, 3.0]
    assert "dy/da = b = 2\ng * dy/da = 2\ndy/db = a = 3" in first.text()
    assert [out.gradient.tolist() for out in first.outgoing] == [[2.0], [3.0]]


@THOROUGH
@given(programs())
def test_every_explanation_gives_the_recorded_gradient(program):
    session = ran(program)
    before = len(session.trace)
    for tensor, found in explained(program, session):
        for share in found.shares:
            statement = program.statements.get(share.statement)
            if statement is None or statement.kind is not Kind.BACKWARD or share.failure or not share.paths:
                continue
            total = np.sum([path.gradient for path in share.paths], axis=0)
            np.testing.assert_allclose(total, share.gradient, rtol=1e-4, atol=1e-5)
            for path in share.paths:
                values = [factor.value for factor in path.factors]
                if path.seed.size == 1 and values and all(value is not None for value in values):
                    product = np.prod([float(value) for value in values]) * float(path.seed.ravel()[0])
                    np.testing.assert_allclose(product, path.gradient.ravel()[0], rtol=1e-4, atol=1e-5)
            assert share.text()
            assert share.text(latex=True)
        assert found.total.shape == tensor.shape
    assert len(session.trace) == before


@THOROUGH
@given(programs())
def test_every_step_passes_on_what_came_in_times_the_local_derivative(program):
    session = ran(program)
    trace = session.trace
    for at in range(len(trace) + 1):
        if not is_step(trace, at):
            continue
        found = step(program, trace, at).finish()
        for out in found.outgoing:
            if out.gradient is None or found.incoming is None or out.factor.jacobian is None:
                continue
            expected = found.incoming.ravel() @ out.factor.jacobian
            assert expected.sum() == pytest.approx(out.gradient.sum(), rel=1e-4, abs=1e-5)


def test_explaining_leaves_the_session_alone():
    writer = Course()
    writer.backward(writer.y)
    session = ran(writer.program)
    events = list(session.trace.events)
    why(writer.program, session.trace, session.trace.state().tensor(writer.w.statement)).finish()
    assert list(session.trace.events) == events
    assert session.done


def test_a_program_written_by_hand():
    writer = Writer()
    x = writer.leaf("x", 3.0, grad=True)
    y = writer.op("", "mul", x, x)
    z = writer.op("z", "sum", y)
    writer.backward(z)
    session = ran(writer.program)
    found = why(writer.program, session.trace, session.trace.state().tensor(x.statement)).finish()
    assert found.text().splitlines()[1] == "= 1 * 3 + 1 * 3"
    assert "d(x * x)/dx(2) = x = 3" in found.text()


@pytest.mark.parametrize(
    "text, name, said",
    [
        ("W = torch.ones(2, 2, requires_grad=True)\nx = torch.ones(1, 2)\ny = x @ W", "W", "g * dy/dW = x^T g"),
        ("x = torch.ones(3, requires_grad=True)\ny = x.cumsum(0)", "x", "dy_i/dx_j = [j <= i]"),
        ("x = torch.ones(3, requires_grad=True)\ny = x[1:]", "x", "dy_i/dx_j = [j = index_i]"),
        (
            "g = torch.ones(1, 2)\nW = torch.ones(3, 2, requires_grad=True)\ny = torch.nn.functional.linear(g, W)",
            "W",
            "g_in * dy/dW = g_in^T g",
        ),
    ],
)
def test_where_no_factor_says_it_a_law_does(text, name, said):
    program = read_source(f"import torch\n{text}\nz = y.sum()\nz.backward()\n", "law.py")
    session = Session(program)
    session.finish()
    account = why(program, session.trace, session.trace.state().names[name]).finish()
    assert said in account.text()


def test_what_a_backward_recorded_is_called_as_on_the_canvas():
    program = read_source(
        "import torch\nw = torch.tensor(1.)\nx = torch.tensor(2., requires_grad=True)\na = w * x\nb = torch.sin(a)\n"
        "y = a * b\ng, = torch.autograd.grad(y, x, create_graph=True)\nh, = torch.autograd.grad(g, x)\n"
    )
    session = Session(program)
    session.finish()
    line = program.order[-1]
    found = why_results(program, session.trace, line, session.trace.state().statement(line).outputs).finish()
    text = found.text()
    assert "@" not in text
    assert "d#4/d(cos a) = dy/db = 2" in text
    assert "d#4/d(dy/db) = cos a = -0.4161" in text
    assert "d(cos a)/da = -sin a = -0.9093" in text
    assert "#4 = dy/db * (cos a) = -0.8323" in text
    assert r"\frac{\partial (\partial y / \partial a)}" in found.text(latex=True)


HIGHER = """
g, = torch.autograd.grad(y, x, create_graph=True)
g2, = torch.autograd.grad(g, x, create_graph=True)
g3, = torch.autograd.grad(g2, x)
"""


@pytest.mark.parametrize("line", ["y = x ** 3", "y = x * x * x", "y = torch.sin(x) * x", "y = torch.exp(x * x) / x"])
@pytest.mark.parametrize("name", ["g2", "g3"])
def test_everything_on_the_paths_of_higher_derivatives_has_a_name_a_number_and_a_place(line, name):
    program, session = of(f"x = torch.tensor(3., requires_grad=True)\n{line}\n{HIGHER}")
    made = program.named(name).statement
    (share,) = why_results(program, session.trace, made, session.trace.state().statement(made).outputs).finish().shares
    graphs = session.trace.gradient_graphs
    known = {f"#{graph.count_of(node.number)}" for graph in graphs for node in graph.nodes}
    called = {
        found for path in share.paths for station in path.stations for found in re.findall(r"#\d+", station.plain)
    }
    assert called <= {node.name.plain for node in share.counted} <= known
    assert all(node.value is not None for node in share.counted)
    assert all(factor.value is not None for factor in share.factors())
    assert "·" not in share.text()
    for path in share.paths:
        if not share.by_last and not path.left_over and not any(factor.jumps for factor in path.factors):
            assert len(path.trail.stops) == len(path.stations)
        assert all(session.trace.graph_of(stop.node) for stop in path.trail.stops if stop.card is None)
        assert {stop for step in path.trail.steps for stop in step} <= set(path.trail.stops)


def test_a_step_through_the_graph_of_a_gradient_names_its_nodes():
    program, session = of(f"x = torch.tensor(3., requires_grad=True)\ny = torch.sin(x) * x\n{HIGHER}")
    trace = session.trace
    steps = [step(program, trace, at).finish() for at in range(len(trace) + 1) if is_step(trace, at)]
    (found,) = [one for one in steps if one.of.plain == "#12"]
    assert found.text().splitlines() == [
        "g_in = 1",
        "d#12/d#10 = 1",
        "g_in * d#12/d#10 = 1",
        "d#12/d#11 = 1",
        "g_in * d#12/d#11 = 1",
        "#6 = dg/dg * dy/dsin(x) = 3",
        "#7 = dg/dg * (cos x) = -0.99",
        "#10 = #6 * (-(sin x)) = -0.4234",
        "#11 = #7 * dy/dy = -0.99",
        "#12 = #10 + #11 = -1.413",
    ]
    assert [stop.node is not None for stop in found.outgoing[0].trail.stops] == [True, True]


VECTOR_BACKWARD = """
w = torch.tensor([1., 2.], requires_grad=True)
a = w * torch.tensor([3., 4.])
c = torch.softmax(a, dim=0)
y = c * a
y.backward(torch.tensor([1., 10.]))
"""


def test_what_arrives_at_each_station_is_the_sum_over_the_ways_to_it():
    text = VECTOR_BACKWARD.replace("y.backward", "a.retain_grad()\nc.retain_grad()\ny.backward")
    program, session = of(text)
    names = session.trace.state().names
    share = why(program, session.trace, names["w"]).finish().shares[0]
    arrivals = share.arrivals()
    assert set(arrivals) == {"a", "c", "y"}
    assert arrivals["y"].tolist() == [1.0, 10.0]
    for station in "ac":
        assert np.allclose(arrivals[station], names[station].grad.value, 1e-5)


def test_where_a_hook_changed_the_gradient_nothing_is_said_to_arrive():
    text = VECTOR_BACKWARD.replace("y.backward", "w.register_hook(lambda g: g * 2)\ny.backward")
    assert account(text, "w").shares[0].arrivals() == {}
