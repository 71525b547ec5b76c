"""Modules, init and utils do what PyTorch was recorded to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from core.nn.all_snippets import SNIPPETS
from support.facts import differences, facts, key

from chalkgrad import torch

DATA = Path(__file__).parents[2] / "data" / "torch" / "nn.json"
RECORDED = json.loads(DATA.read_text(encoding="utf-8"))["facts"]


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_facts_are_those_of_pytorch(number):
    code = SNIPPETS[number]
    found = json.loads(json.dumps(facts(torch, code)))
    assert differences(found, RECORDED[key(code)], tolerance=1e-5 if "float32" in code else 1e-6) == [], code


def test_all_that_was_recorded_is_compared():
    assert {key(code) for code in SNIPPETS} == set(RECORDED)
