"""Scripts about what the engine promises do here what they were recorded to do in PyTorch.

Hooks to which no gradient comes, learners' functions in unusual cases, checkpoints, contexts thrown out of, and what
PyTorch refuses in all of these.
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]
CONTRACT = json.loads((TESTS / "data" / "torch" / "contract.json").read_text(encoding="utf-8"))
SCRIPTS = {script["id"]: script for script in CONTRACT["scripts"]}


@pytest.fixture(scope="module")
def ours():
    spec = importlib.util.spec_from_file_location("outcome", TESTS / "record" / "outcome.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    done = module.outcomes([script["code"] for script in SCRIPTS.values()], ours=True)
    return dict(zip(SCRIPTS, done, strict=True))


@pytest.mark.parametrize("name", SCRIPTS)
def test_script_does_what_it_does_in_pytorch(ours, name):
    assert ours[name] == SCRIPTS[name]["outcome"]
