"""Lines of a program that is edited over and over: what an edit leaves as it was is not worked out again."""

from __future__ import annotations

import pytest

from chalkgrad.program import edits
from chalkgrad.program.program import Program
from chalkgrad.source import emit
from chalkgrad.source.read import read_source

SOURCE = """import torch
w = torch.tensor([1.], requires_grad=True)
y = w * 2
w = torch.tensor([3.])
z = y + w
"""


@pytest.fixture
def named(monkeypatch) -> list[Program]:
    """The programs whose names are worked out."""
    found: list[Program] = []
    binding_names = emit.binding_names
    monkeypatch.setattr(emit, "binding_names", lambda program: found.append(program) or binding_names(program))
    return found


def lines(program: Program) -> list[str]:
    return [emit.line(program, id_) for id_ in program.order]


def test_another_number_leaves_the_names_as_they_are(named) -> None:
    program = read_source(SOURCE)
    before = lines(program)
    leaf = program[program.order[0]].with_port(0, 7.0)
    after = program.apply(edits.put(program, leaf))
    assert lines(after) == ["w = torch.tensor([7.], requires_grad=True)", *before[1:]]
    assert named == [program]


def test_another_name_is_another_name(named) -> None:
    program = read_source(SOURCE)
    lines(program)
    renamed = program.apply(edits.rename(program, program.order[0], 0, "v"))
    assert lines(renamed)[:2] == ["v = torch.tensor([1.], requires_grad=True)", "y = v * 2"]
    assert named == [program, renamed]
