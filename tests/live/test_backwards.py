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
