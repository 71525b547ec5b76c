"""An operator that has a tensor as an input several times: each of its edges to it is a path of its own."""

from __future__ import annotations

import pytest
from tests.core.explain.accounts import account, of

from chalkgrad.explain import is_step, step
from chalkgrad.explain.guessing import hints


def lines(code, name):
    return account(code, name).text().splitlines()


SQUARE = "w = torch.tensor([3.], requires_grad=True)\ny = w * w\ny.backward()"


def test_a_square_is_the_sum_over_both_edges():
    assert lines(SQUARE, "w") == [
        "dy/dw = dy/dw(1) + dy/dw(2)",
        "= 3 + 3",
        "= 6",
        "dy/dw(1) = w = 3",
        "dy/dw(2) = w = 3",
    ]
    share = account(SQUARE, "w").shares[0]
    assert share.number_of_paths == 2
    assert [sorted(turn for *_, turn in path.trail.turns) for path in share.paths] == [[1], [2]]


def test_each_edge_has_its_own_derivative():
    code = "w = torch.tensor([3.], requires_grad=True)\ny = torch.sub(w, w, alpha=2)\ny.backward()"
    assert lines(code, "w")[1:] == ["= 1 + (-2)", "= -1", "dy/dw(1) = 1", "dy/dw(2) = -2"]
    matrix = "w = torch.tensor([[3., 1.], [2., 4.]], requires_grad=True)\na = w @ w\na.sum().backward()"
    assert lines(matrix, "w")[1] == "= [[4, 6], [4, 6]] + [[5, 5], [5, 5]]"
    assert lines(matrix, "w")[-2:] == ["g * da/dw(1) = g w^T", "g * da/dw(2) = w^T g"]


def test_paths_that_part_are_multiplied_and_counted():
    code = "w = torch.tensor(2., requires_grad=True)\na = w * w\nb = a + a\nb.backward()"
    share = account(code, "w").shares[0]
    assert share.number_of_paths == 4
    assert [[name.plain for name in path.stations] for path in share.paths] == [
        ["w(1)", "a(1)", "b"],
        ["w(2)", "a(1)", "b"],
        ["w(1)", "a(2)", "b"],
        ["w(2)", "a(2)", "b"],
    ]
    assert sum(path.gradient.item() for path in share.paths) == share.gradient.item() == 8.0


def test_more_paths_than_are_shown_are_added_up_by_the_last_step():
    squares = "\n".join("a = a * a" for _ in range(4))
    share = account(f"w = torch.tensor(1.5, requires_grad=True)\na = w * 1\n{squares}\na.backward()", "w").shares[0]
    assert share.by_last
    assert sum(path.gradient.item() for path in share.paths) == pytest.approx(16 * 1.5**15, rel=1e-5)


def test_an_operator_made_of_others_is_one_step():
    code = "w = torch.ones(2, 2, requires_grad=True)\ny = F.linear(w, w)\ny.backward(torch.ones(2, 2))"
    (path,) = account(code, "w").shares[0].paths
    assert [factor.turn for factor in path.factors] == [0]


def test_what_goes_out_of_a_node_is_told_edge_by_edge():
    program, session = of(SQUARE)
    trace = session.trace
    position = next(at for at in range(len(trace)) if is_step(trace, at))
    found = step(program, trace, position).finish()
    assert [(out.factor.by.plain, out.gradient.tolist()) for out in found.outgoing] == [
        ("w(1)", [3.0]),
        ("w(2)", [3.0]),
    ]
    assert found.text().splitlines() == [
        "g = 1",
        "dy/dw(1) = w = 3",
        "g * dy/dw(1) = 3",
        "dy/dw(2) = w = 3",
        "g * dy/dw(2) = 3",
    ]


def test_a_hint_counts_both_edges():
    first, second = hints(account(SQUARE, "w"))[:2]
    assert first.said.values["count"] == 2
    assert [" ".join(term.plain for term in row) for row in first.rows] == ["y -> w(1)", "y -> w(2)"]
    assert " ".join(term.plain for term in second.rows[0]) == "dy/dw = dy/dw(1) + dy/dw(2)"
