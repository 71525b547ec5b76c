"""Fingerprints: what is the same for a statement in two runs says that it came to the same."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import programs

from chalkgrad.program.program import Program
from chalkgrad.session import Session
from chalkgrad.session.masking import without_flags
from chalkgrad.session.state import State
from chalkgrad.source.read import read_source

PRODUCT = "import torch\nw = torch.tensor([2.], requires_grad=True)\ny = w * 3\nz = y * y\n"


def traced(program: Program):
    session = Session(program)
    session.finish()
    return session.trace


def last(source: str, name: str) -> object:
    """The fingerprint of the line ``name`` at the end of a program."""
    program = read_source(source)
    return traced(program).state().fingerprint(next(line.id for line in program if line.name == name))


def said(state: State, id_: int) -> str:
    """Everything that the state says of a statement but numbers of objects and nodes."""
    return re.sub(r"\b(number|node)=\d+", r"\1", repr(state.statement(id_)))


@pytest.mark.parametrize(
    "other",
    [
        "w = torch.tensor([4.], requires_grad=True)\ny = w * 3",  # another value
        "w = torch.tensor([6.], requires_grad=True)\ny = w / 1",  # another grad_fn
        "w = torch.tensor([[2.]], requires_grad=True)\ny = w * 3",  # another shape
        "w = torch.tensor([2.], requires_grad=True, dtype=torch.float64)\ny = w * 3",
        "w = torch.tensor([2.], requires_grad=True)\ny = w * 3\ny.backward()",  # freed
        "w = torch.tensor([2.], requires_grad=True)\nk = w * 1.5\ny = w * k",  # saves both
    ],
)
def test_what_differs_has_other_fingerprints(other: str) -> None:
    assert last(PRODUCT, "y") is not None
    assert last("import torch\n" + other + "\n", "y") not in (None, last(PRODUCT, "y"))


def test_the_same_made_by_another_program_has_the_same_fingerprint() -> None:
    before = "import torch\nk = torch.tensor([1.])\nb = k + 1\n"
    assert last(PRODUCT.replace("import torch\n", before), "z") == last(PRODUCT, "z")


@pytest.mark.parametrize(
    ("more", "name"),
    [("", "w"), ("y.retain_grad()\n", "y"), ("y.requires_grad_()\ny.add_(1)\n", "y")],
)
def test_only_plain_results_have_one(more: str, name: str) -> None:
    assert last(PRODUCT + more, name) is None


def test_large_results_have_none() -> None:
    assert last("import torch\nw = torch.ones(1000, requires_grad=True)\ny = w * 3\n", "y") is None


def test_where_something_is_hidden_nothing_has_one() -> None:
    program = read_source(PRODUCT)
    state = traced(program).state()
    assert any(state.fingerprint(line.id) is not None for line in program)
    hidden = without_flags(state, lambda tensor: True)
    assert all(hidden.fingerprint(line.id) is None for line in program)


@given(programs(), programs(), st.data())
def test_the_same_fingerprint_means_the_same_state(one: Program, other: Program, data: st.DataObject) -> None:
    traces = traced(one), traced(other), traced(one)
    known: dict[object, str] = {}
    for program, trace in zip((one, other, one), traces, strict=True):
        state = trace.state(data.draw(st.integers(0, len(trace))))
        for line in program:
            if (fingerprint := state.fingerprint(line.id)) is not None:
                assert known.setdefault(fingerprint, said(state, line.id)) == said(state, line.id)
