"""Lessons written for PyTorch do on Chalkgrad's torch what they were recorded to do in PyTorch, byte for byte."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]
SCRIPTS = {path.stem: path.read_text("utf-8") for path in sorted((TESTS / "data" / "torch" / "lessons").glob("*.py"))}
RECORDED = json.loads((TESTS / "data" / "torch" / "lessons.json").read_text(encoding="utf-8"))


def _load_outcomes():
    spec = importlib.util.spec_from_file_location("outcome", TESTS / "record" / "outcome.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.outcomes


outcomes = _load_outcomes()


@pytest.fixture(scope="module")
def ours():
    return dict(zip(SCRIPTS, outcomes(list(SCRIPTS.values()), ours=True), strict=True))


def lines(done):
    """An outcome as lines, so that a failing test shows the first that differs."""
    warned = [f"{warning['category']}: {warning['text']}" for warning in done["warnings"]]
    return [*done["stdout"].splitlines(), *warned, done["exception"]]


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_lesson_does_what_it_does_in_pytorch(ours, name):
    assert lines(ours[name]) == lines(RECORDED["lessons"][name])


def test_every_lesson_is_recorded():
    assert set(RECORDED["lessons"]) == set(SCRIPTS)


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed")
def test_recorded_outcomes_are_those_of_the_installed_pytorch():
    from importlib.metadata import version

    if version("torch").split("+")[0] != RECORDED["torch"].split("+")[0]:
        pytest.skip(f"recorded from torch {RECORDED['torch']}")
    theirs = dict(zip(SCRIPTS, outcomes(list(SCRIPTS.values())), strict=True))
    assert {name: lines(done) for name, done in theirs.items()} == {
        name: lines(done) for name, done in RECORDED["lessons"].items()
    }
