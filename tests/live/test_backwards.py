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
    lines = anything(seed)
    assert not difference(ours_of_lines(lines), theirs_of_lines(theirs, lines))


@pytest.mark.parametrize("name", FOUND)
def test_found_programs(name):
    assert not difference(ours_of_lines(FOUND[name]), theirs_of_lines(theirs, FOUND[name]))
