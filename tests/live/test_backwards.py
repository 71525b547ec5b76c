"""Backwards of the corpus and of random programs go, node by node, as in the PyTorch that is installed."""

from __future__ import annotations

import os

import pytest

theirs = pytest.importorskip("torch")

from support.backward_log import (  # noqa: E402
    difference,
    ours_of_lines,
    ours_of_program,
    ours_of_script,
    theirs_of_lines,
    theirs_of_script,
)
from support.backward_scripts import OTHERWISE, anything, corpus, programs  # noqa: E402
from support.backward_search import lines_differ, shrunk  # noqa: E402

PROGRAMS = int(os.environ.get("CHALKGRAD_BACKWARD_PROGRAMS", "60"))
CANVAS, SCRIPTS = programs(PROGRAMS), corpus()
FOUND = {
    "both inputs of inner are laid out one after the other": [
        "v0 = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]], requires_grad=True)",
        "v1 = v0.inner(v0)",
        "(v1 * v1).sum().backward()",
    ],
    "kl_div of logarithms": [
        "v0 = torch.tensor([0.5, 0.2], requires_grad=True)",
        "v1 = torch.nn.functional.kl_div(torch.tensor([0.1, 0.3]), v0, reduction='sum', log_target=True)",
        "v1.backward()",
    ],
    "a node is older than what its overwritten view gets with it": [
        "v0 = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)",
        "v1 = v0 * 2",
        "v2 = v1.view(-1)",
        "v1.neg_()",
        "v3 = v2.clone()",
        "v3.sum().backward(create_graph=True)",
        "v4, = torch.autograd.grad((v3 * v2).sum(), [v1])",
    ],
    "two overwritten views in one line, and one that is written": [
        "v0 = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)",
        "v1, v2 = v0 * 2, v0 * 3",
        "v3, v4 = v1.view(2, 2), v2.view(2, 2)",
        "v1.neg_(), v2.exp_()",
        "v5 = torch.cat([v3, v4])",
        "v1.mul_(3), v2.mul_(2)",
        "v3.mul_(v4)",
        "(v5.sum() + v3.sum()).backward()",
    ],
    "an overwritten view turned in place": [
        "v0 = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)",
        "v1 = v0 * 2",
        "v2 = v1.view(1, 4)",
        "v1.neg_()",
        "v2.t_()",
        "v2.sum().backward()",
    ],
    "a leaf that no longer requires grad": [
        "v0 = torch.tensor([1.0, 2.0], requires_grad=True)",
        "v1 = v0.exp()",
        "v0.detach_()",
        "v1.sum().backward()",
    ],
    "a view that takes no gradient keeps nothing": [
        "v0 = torch.tensor([[1.0, 2.0]], requires_grad=True)",
        "v1 = v0.exp()",
        "with torch.no_grad(): v2 = v1.view(-1)",
        "(v2 * v2).sum().backward()",
        "(v2 * 3.0).sum().backward()",
    ],
    "nobody wants what was joined": [
        "v0 = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)",
        "with torch.no_grad(): v1 = v0.t()",
        "torch.cat([v1, v1]).t().sum().backward()",
    ],
    "what was saved is read where nothing came": [
        "v0 = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)",
        "v1 = torch.linalg.solve_triangular(torch.eye(2), v0, upper=False)",
        "v1.fill_(3.0)",
        "torch.slogdet(v1)[0].backward()",
    ],
    "what a node gave is refused": [
        "v0 = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)",
        "v1 = torch.nn.functional.mse_loss(v0, torch.ones(2, 3), reduction='none')",
        "with torch.no_grad(): v1.t_()",
        "v1.mean((0, 1)).backward()",
    ],
    "the trapezoidal rule": [
        "v0 = torch.tensor([[1.0, 2.0, 4.0]], requires_grad=True)",
        "torch.trapezoid(v0).sum().backward()",
    ],
    "float_power by itself": [
        "v0 = torch.tensor([1.0, 2.0], requires_grad=True)",
        "torch.float_power(v0, v0).sum().backward()",
    ],
    "what a recorded node gave is refused": [
        "v0 = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], requires_grad=True)",
        "v1 = v0[:, 1]",
        "torch.logical_and(torch.tensor([True, False, True]), torch.ones(3), out=v0)",
        "v0.sum().backward(create_graph=True)",
    ],
    "what was copied over several rows, in another dtype": [
        "v0, v1 = torch.zeros(2, 2, dtype=torch.float64), torch.tensor([1.0, 2.0], requires_grad=True)",
        "v0.copy_(v1)",
        "v2, = torch.autograd.grad((v0 * v0).sum(), [v1], create_graph=True)",
        "v2.sum().backward()",
    ],
    "a saved result that grew": [
        "v0 = torch.tensor([1.0], requires_grad=True)",
        "v1 = v0.tanh()",
        "torch.logical_and(torch.tensor([1.0, 0.0, 2.0]), torch.ones(3), out=v1)",
        "v1.sum().backward()",
    ],
    "a saved result whose data is another tensor's and written": [
        "v0 = torch.tensor([1.0, 2.0], requires_grad=True)",
        "v1 = v0.tanh()",
        "v1.data = torch.ones(2)",
        "v1.mul_(2)",
        "v1.sum().backward()",
    ],
    "the deviation of equal numbers": [
        "v0 = torch.tensor([0.1, 0.1, 0.1], dtype=torch.float64, requires_grad=True)",
        "v0.expand(2, 3).std(1).sum().backward()",
    ],
    "both inputs of tensordot": [
        "v0 = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]], requires_grad=True)",
        "v1 = torch.tensordot(v0, v0, ([0], [0]))",
        "v1.sum().backward()",
    ],
}
"""Programs in which random search once found a difference in the order of nodes."""


@pytest.fixture(autouse=True)
def one_thread():
    threads = theirs.get_num_threads()
    theirs.set_num_threads(1)
    yield
    theirs.set_num_threads(threads)


@pytest.fixture(autouse=True)
def every_warning():
    """PyTorch's once-only warnings come every time."""
    before = theirs.is_warn_always_enabled()
    theirs.set_warn_always(True)
    yield
    theirs.set_warn_always(before)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CANVAS)
def test_programs_of_the_canvas(name):
    assert not difference(ours_of_program(CANVAS[name]), theirs_of_lines(theirs, CANVAS[name].splitlines()))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SCRIPTS)
def test_lessons_and_claims(name):
    found = difference(ours_of_script(SCRIPTS[name]), theirs_of_script(theirs, SCRIPTS[name]))
    assert bool(found) == (name in OTHERWISE), found or "no longer differs"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(1000, 1000 + PROGRAMS))
def test_random_programs(seed):
    assert not lines_differ(theirs, anything(seed))


@pytest.mark.parametrize("name", FOUND)
def test_found_programs(name):
    assert not difference(ours_of_lines(FOUND[name]), theirs_of_lines(theirs, FOUND[name]))


CORRELATED = [
    "v0 = torch.tensor([[0.25, 2.25, 4.0], [1.5625, 0.5625, 0.25]], dtype=torch.float64, requires_grad=True)",
    "v1 = v0 * 3",
    "v1.sum().backward()",
    "v2 = v0.corrcoef()",
    "v2.sum().backward()",
]


def wrong_in_backward(number):
    """Our log with another gradient at the end of one backward."""

    def log(lines):
        found = ours_of_lines(lines)
        for backward in found[number : number + 1]:
            backward["nodes"][-1]["came"] = [[[7.0]]]
        return found

    return log


@pytest.mark.filterwarnings("ignore")
def test_a_difference_before_rounding_decides_is_found_and_made_short(monkeypatch):
    monkeypatch.setattr("support.backward_search.ours_of_lines", wrong_in_backward(0))
    found = lines_differ(theirs, CORRELATED)
    assert "came at AccumulateGrad" in found
    least, again = shrunk(theirs, CORRELATED, found)
    assert least == CORRELATED[:3]
    assert again == found


@pytest.mark.filterwarnings("ignore")
def test_what_rounding_decided_is_not_compared(monkeypatch):
    monkeypatch.setattr("support.backward_search.ours_of_lines", wrong_in_backward(1))
    assert not lines_differ(theirs, CORRELATED)
