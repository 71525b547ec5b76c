"""What a trace says it touched between two positions: nothing else may differ there."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from strategies import programs

from chalkgrad.program.program import Program
from chalkgrad.session import Session
from chalkgrad.session.state import State
from chalkgrad.source.read import read_source


def traced(program: Program):
    session = Session(program)
    session.finish()
    return session.trace


def said(state: State, id_: int) -> str:
    """Everything that the state says of a statement, values included."""
    with np.printoptions(threshold=10_000):
        return repr(state.statement(id_))


def names_touched(source: str, first: str, last: str) -> set[str]:
    """What is touched from the end of line ``first`` to that of line ``last`` (the texts of their calls or names)."""
    program = read_source(source)
    trace = traced(program)
    ends = {s.name or s.call: trace.end_of(s.id) for s in program}
    touched = trace.touched(ends[first], ends[last])
    return {program[id_].name or program[id_].call for id_ in touched}


def test_a_line_that_only_reads_touches_itself() -> None:
    source = "import torch\nx = torch.tensor([2.])\ny = x * 3\nz = y + 1\n"
    assert names_touched(source, "y", "z") == {"z"}


def test_a_backward_touches_the_leaf_and_what_it_freed() -> None:
    source = (
        "import torch\nw = torch.tensor([2.], requires_grad=True)\nu = torch.tensor([1.])\ny = w * w\ny.backward()\n"
    )
    assert names_touched(source, "y", "backward") == {"w", "y", "backward"}


def test_a_view_is_touched_by_what_is_written_to_its_base() -> None:
    source = "import torch\nx = torch.tensor([1., 2.])\nv = x[0]\nk = torch.tensor(1.)\nx.add_(1)\n"
    assert names_touched(source, "k", "add_") == {"x", "v", "add_"}


def test_a_gradient_zeroed_in_place_touches_the_leaf() -> None:
    source = (
        "import torch\nw = torch.tensor([2.], requires_grad=True)\ny = w * w\ny.backward()\nk = torch.tensor(1.)\n"
        "w.grad.zero_()\n"
    )
    assert names_touched(source, "k", "zero_") >= {"w"}
    assert "y" not in names_touched(source, "k", "zero_")


def test_nothing_is_touched_between_a_position_and_itself() -> None:
    trace = traced(read_source("import torch\nx = torch.tensor([2.])\n"))
    assert trace.touched(1, 1) == set()


@given(programs(), st.data())
def test_what_is_not_touched_is_the_same_at_both_positions(program: Program, data: st.DataObject) -> None:
    trace = traced(program)
    positions = st.integers(0, len(trace))
    for _ in range(4):
        one, other = data.draw(positions), data.draw(positions)
        touched = trace.touched(one, other)
        for id_ in program.order:
            if id_ not in touched:
                assert said(trace.state(one), id_) == said(trace.state(other), id_)


def test_of_a_long_stretch_all_lines_are_told(monkeypatch) -> None:
    trace = traced(read_source("import torch\nx = torch.tensor([2.])\ny = x * 3\nz = y + 1\n"))
    few = trace.touched(len(trace) - 1, len(trace))
    monkeypatch.setattr("chalkgrad.session.touched.LONG", 3)
    assert trace.touched(len(trace) - 1, len(trace)) == few
    assert trace.touched(0, len(trace)) == {run.statement for run in trace.runs}
