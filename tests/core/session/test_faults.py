"""Which lines an error of autograd is blamed on, beside the one that failed."""

from __future__ import annotations

import pytest

from chalkgrad.session import Session
from chalkgrad.session.state import Problem, State
from chalkgrad.source.emit import program_text
from chalkgrad.source.read import read_source

LEAF = "x = torch.tensor([1.0, 2.0], requires_grad=True)"

CASES = {
    "backward_twice": ([LEAF, "y = x * x", "s = y.sum()", "s.backward()", "s.backward()"], (4, 2)),
    "backward_after_partial": (
        [LEAF, "y = x.exp()", "z = y.sum()", "w = y.mean()", "z.backward()", "w.backward()"],
        (5, 2),
    ),
    "grad_twice": (
        [LEAF, "m = x * x", "s = m.sum()", "a, = torch.autograd.grad(s, x)", "b, = torch.autograd.grad(s, x)"],
        (4, 2),
    ),
    "an input was overwritten": ([LEAF, "a = x * 2", "m = a * a", "s = m.sum()", "a.add_(1)", "s.backward()"], (5, 3)),
    "a result was overwritten": ([LEAF, "y = x.exp()", "y.add_(1)", "s = y.sum()", "s.backward()"], (3, 2)),
    "written through a view": (
        [LEAF, "a = x * 2", "m = a * a", "s = m.sum()", "v = a.view(2, 1)", "v.mul_(3)", "s.backward()"],
        (6, 3),
    ),
    "written under no_grad": (
        [LEAF, "a = x * 2", "m = a * a", "s = m.sum()", "with torch.no_grad():", "    a.zero_()", "s.backward()"],
        (5, 3),
    ),
    "detached in place": ([LEAF, "a = x * 2", "m = a * a", "s = m.sum()", "a.detach_()", "s.backward()"], (5, 3)),
    "a leaf was written": ([LEAF, "x.add_(1)"], (1,)),
    "a view of a leaf was written": ([LEAF, "v = x.view(2, 1)", "v.add_(1)"], (2, 1)),
    "a root without history": ([LEAF, "y = x.sum()", "d = y.detach()", "d.backward()"], (3,)),
    "a root from no_grad": ([LEAF, "with torch.no_grad():", "    y = x.sum()", "y.backward()"], (2,)),
    "a root of several elements": ([LEAF, "y = x * 2", "y.backward()"], (2,)),
    "a view from no_grad was written": (
        [LEAF, "a = x * 2", "with torch.no_grad():", "    v = a.view(2, 1)", "v.mul_(2)"],
        (3, 2),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_lines_at_fault(name: str) -> None:
    lines, expected = CASES[name]
    session = Session(read_source("\n".join(["import torch", *lines])))
    session.finish()
    state = session.trace.state()
    failed = [problem for problem in state.problems if not problem.warning]
    assert len(failed) == 1, failed
    order = list(session.program.order)
    assert tuple(order.index(id_) + 1 for id_ in failed[0].at_fault) == expected, failed[0]
    assert order.index(failed[0].statement) == len(order) - 1


def test_a_line_of_a_loop_that_failed_in_an_earlier_round_is_among_the_failures():
    lines = ["import torch", LEAF, "for i in range(2):", "    x.grad.zero_()", "    y = x.sum()", "    y.backward()"]
    program = read_source("\n".join(lines) + "\n")
    session = Session(program)
    session.finish()
    state = session.trace.state()
    (failed,) = state.failures
    assert state.statement(failed).problem is None
    assert state.failures == {failed: "AttributeError"}
    assert "except AttributeError as e:" in program_text(program, state.failures)


def test_a_line_that_failed_in_several_ways_is_caught_whichever_it_is():
    problems = (
        Problem(1, "RuntimeError", ""),
        Problem(1, "AttributeError", ""),
        Problem(2, "UserWarning", "", warning=True),
    )
    assert State(3, {}, problems=problems).failures == {1: "Exception"}
