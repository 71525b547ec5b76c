"""What is written can be read again, and is the same program."""

from __future__ import annotations

import ast
from dataclasses import replace

from hypothesis import given, settings
from tests.strategies import programs

from chalkgrad.program import building
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Ref
from chalkgrad.source.emit import program_text, spans
from chalkgrad.source.read import read_source


def renumbered(program: Program) -> list[tuple]:
    """The statements with their ids counted from 1, and their blocks as chains of headings and numbers."""
    number = {id_: index for index, id_ in enumerate(program.order)}
    blocks: dict[int, int] = {}
    found = []
    for statement in program:
        chain = [
            (blocks.setdefault(id_, len(blocks)), program.blocks[id_].heading) for id_ in program.chain(statement.block)
        ]
        moved = statement.map_refs(lambda ref: type(ref)(number[ref.statement], ref.output, ref.path))
        moved = moved.map_counters(lambda counter: type(counter)(blocks[counter.block]))
        found.append((moved.kind, moved.call, moved.targets, moved.operands, moved.options, moved.style, chain))
    return found


@given(programs())
@settings(max_examples=300)
def test_reading_what_was_written_gives_the_same_program(program: Program) -> None:
    text = program_text(program)
    assert renumbered(read_source(text)) == renumbered(program), text


@given(programs(waiting=True))
def test_any_program_is_written_as_python(program: Program) -> None:
    ast.parse(program_text(program))
    ast.parse(program_text(program, dict.fromkeys(program.order[::3], "RuntimeError")))


@given(programs(waiting=True))
def test_writing_settles_after_one_reading(program: Program) -> None:
    once = program_text(read_source(program_text(program)))
    assert program_text(read_source(once)) == once


@given(programs(waiting=True))
def test_every_statement_has_its_span(program: Program) -> None:
    emitted = spans(program)
    assert sorted(span.statement for span in emitted.spans) == sorted(program.order)
    for span in emitted.spans:
        assert emitted.text[: span.start].count("\n") == span.row
        assert "\n" not in emitted.text[span.start : span.start + 1]


def test_what_runs_again_out_of_the_middle_of_a_line_is_given_a_name() -> None:
    program = read_source("import torch\nw = torch.tensor(2.)\ny = (w * 3).exp()\n")
    inner = next(s.id for s in program if s.call == "mul")
    again = replace(building.again(Ref(inner)), id=program.next_id)
    text = program_text(Program({**program.statements, again.id: again}, (*program.order, again.id)))
    assert text.splitlines()[3:] == ["t = w * 3", "y = t.exp()", "t = w * 3"]
