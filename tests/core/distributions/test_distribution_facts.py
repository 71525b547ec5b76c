"""Distributions give the samples, densities, gradients and errors that PyTorch was recorded to give."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from core.distributions.snippets import OF_GAMMA_SNIPPETS, SNIPPETS
from support.facts import differences, facts, key

from chalkgrad import torch

DATA = Path(__file__).parents[2] / "data" / "torch" / "distributions.json"
RECORDED = json.loads(DATA.read_text(encoding="utf-8"))["facts"]


def tolerance(code: str) -> float:
    """What PyTorch's own approximations, or single precision, leave."""
    if code in OF_GAMMA_SNIPPETS:
        return 2e-3
    return 1e-4 if "float32" in code else 1e-6


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_facts_are_those_of_pytorch(number):
    code = SNIPPETS[number]
    found = json.loads(json.dumps(facts(torch, code)))
    assert differences(found, RECORDED[key(code)], tolerance(code)) == [], code


def test_all_that_was_recorded_is_compared():
    assert {key(code) for code in SNIPPETS} == set(RECORDED)
