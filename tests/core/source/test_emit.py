"""Lines of a program that is edited over and over: what an edit leaves as it was is not worked out again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from chalkgrad.program import edits
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Array, Kind, Statement
from chalkgrad.source import emit, line_writer
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
    binding_names = line_writer.binding_names
    monkeypatch.setattr(line_writer, "binding_names", lambda program: found.append(program) or binding_names(program))
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


WORDED = """import torch

w = torch.tensor([1.0], requires_grad=True)
v = torch.tensor([2.0])
y = w * v + 1
z = torch.stack([y, w])
u = (w * 2).sum()
w.grad = None
y.add_(v)
t = y * 3
d = w.detach() + v
for i in range(3):
    s = v * i
"""


def expressions(program: Program) -> dict[int, str]:
    return {id_: emit.expression(program, id_) for id_ in program.order}


def reworded(program: Program) -> list[Program]:
    """Programs in which some of the names, or what is read, is another."""
    of = {statement.name: statement for statement in program if statement.name}
    changes = [
        edits.rename(program, of["w"].id, 0, "x"),
        edits.put(program, replace(of["v"], targets=("w",))),
        edits.put(program, replace(of["y"], targets=("",))),
        edits.put(program, of["z"].with_option("dim", 1)),
    ]
    return [program.apply(change) for change in changes]


def test_the_same_wording_is_the_same_expression() -> None:
    program = read_source(WORDED)
    before, kept = expressions(program), 0
    for other in reworded(program):
        after = expressions(other)
        worded = {id_: emit.wording(program, id_) for id_ in program.order}
        same = [id_ for id_, known in worded.items() if known and known.is_like(emit.wording(other, id_))]
        assert all(after[id_] == before[id_] for id_ in same)
        assert after != before
        kept += len(same)
    assert kept > len(program), "most lines don't read what is called otherwise"


def test_a_line_that_writes_or_has_others_in_it_has_no_wording() -> None:
    program = read_source(WORDED)
    known = {line: emit.wording(program, id_) for id_, line in zip(program.order, lines(program), strict=True)}
    without = {line for line, wording in known.items() if wording is None}
    assert without >= {"w.grad = None", "y.add_(v)", "u = (w * 2).sum()", "d = w.detach() + v"}
    assert without >= {"s = v * i"}
    assert "z = torch.stack([y, w])" not in without


@pytest.mark.parametrize(("one", "other"), [(1, 1.0), (1, True), (0.0, -0.0)])
def test_equal_numbers_that_are_written_otherwise_are_another_wording(one: object, other: object) -> None:
    program = read_source("import torch\nw = torch.ones(1)\ny = w * 1\n")
    y = program.order[-1]

    def reading(number: object) -> Program:
        made: Statement = replace(program[y], operands=(program[y].operands[0], number))
        return Program({**program.statements, y: made}, program.order)

    first, second = reading(one), reading(other)
    assert first == second
    assert emit.expression(first, y) != emit.expression(second, y)
    assert not emit.wording(first, y).is_like(emit.wording(second, y))


@pytest.mark.parametrize(
    ("shape", "shown"),
    [
        ((3, 400), "[[0., 1., 2., ..., 397., 398., 399.], [400., 401., 402., ..., 797., 798., 799.], "),
        ((2000,), "[0., 1., 2., ..., 1997., 1998., 1999.]"),
        ((2,) * 11, "[...]"),
    ],
)
def test_a_large_array_is_shown_in_brief_and_written_whole(shape: tuple[int, ...], shown: str) -> None:
    array = Array.of(np.arange(np.prod(shape), dtype=np.float32).reshape(shape))
    program = Program({1: Statement(1, Kind.LEAF, "tensor", ("x",), (array,))}, (1,))
    assert emit.shown_line(program, 1).startswith(f"x = torch.tensor({shown}")
    assert len(emit.shown_line(program, 1)) < 200
    assert "..." not in emit.line(program, 1)
    assert read_source(emit.program_text(program)).statements[1].operands == (array,)


def test_what_is_not_large_is_shown_as_it_is_written() -> None:
    array = Array.of(np.arange(1000, dtype=np.float32))
    program = Program({1: Statement(1, Kind.LEAF, "tensor", ("x",), (array,))}, (1,))
    assert emit.shown_line(program, 1) == emit.line(program, 1)
