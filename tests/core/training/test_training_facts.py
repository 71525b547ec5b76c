"""Scripts with loops and optimisers, run by the session, print what PyTorch was recorded to print."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from core.training.scripts import SCRIPTS

from chalkgrad.program.files import load, save
from chalkgrad.program.program import Program
from chalkgrad.program.sheet import Sheet
from chalkgrad.session import Session
from chalkgrad.source.emit import program_text
from chalkgrad.source.read import read_source

RECORDED = json.loads((Path(__file__).parents[2] / "data" / "torch" / "training.json").read_text(encoding="utf-8"))
NUMBER = re.compile(r"-?\d+\.\d*(?:e-?\d+)?")


def printed(program: Program) -> tuple[list[str], dict[int, str]]:
    """What a program prints, and the types of what its lines raise."""
    session = Session(program)
    session.finish()
    state = session.trace.state()
    lines = [line for output in state.output for line in output.text.splitlines()]
    return lines, {problem.statement: problem.type for problem in state.problems}


def told(script: str) -> list[str]:
    """What a script prints, and what its failing lines say in the order in which that happens."""
    session = Session(read_source(script))
    session.finish()
    state = session.trace.state()
    events = [(output.position, output.text) for output in state.output]
    events += [(problem.position, problem.message) for problem in state.problems]
    return [line for _, text in sorted(events) for line in text.splitlines()]


def assert_alike(found: list[str], wanted: list[str]) -> None:
    assert [NUMBER.sub("#", line) for line in found] == [NUMBER.sub("#", line) for line in wanted]
    for mine, theirs in zip(found, wanted, strict=True):
        numbers = [[float(number) for number in NUMBER.findall(line)] for line in (mine, theirs)]
        assert numbers[0] == pytest.approx(numbers[1], rel=2e-5, abs=1.1e-4), mine


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_session_prints_what_pytorch_prints(script: str) -> None:
    assert_alike(told(script), RECORDED["printed"][script])


@pytest.mark.parametrize("script", SCRIPTS)
def test_text_and_files_bring_the_program_back(script: str) -> None:
    program = read_source(script)
    assert load(save(Sheet(program))).program == program
    _, failing = printed(program)
    text = program_text(program, failing)
    again = read_source(text)
    assert program_text(again, printed(again)[1]) == text
    assert printed(again)[0] == printed(program)[0]


def test_all_that_was_recorded_is_compared() -> None:
    assert set(SCRIPTS) == set(RECORDED["printed"])
