"""The course's scripts do on Chalkgrad's torch what they were recorded to do in PyTorch; so do those that go wrong."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]
DATA = TESTS / "data" / "torch"
CLAIMS = json.loads((DATA / "claims.json").read_text(encoding="utf-8"))
REFUSALS = json.loads((DATA / "refusals.json").read_text(encoding="utf-8"))
SCRIPTS = {script["id"]: script for script in (*CLAIMS["scripts"], *REFUSALS["scripts"])}

# What Chalkgrad does otherwise, and why.
OTHERWISE = {
    "S1-08": "complex tensors",
    "P-26": "half precision and complex tensors",
    "P-42": "complex tensors",
    "gradient_complex_for_real": "complex tensors",
    "S0-15": "prints annotations, which are our own",
    "S0-26": "prints annotations, which are our own",
    "S3-06": "prints annotations, which are our own",
    "S3-22": "prints the name of the module itself",
}


def _load_outcome():
    spec = importlib.util.spec_from_file_location("outcome", TESTS / "record" / "outcome.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


outcome, outcomes = (getattr(_load_outcome(), name) for name in ("outcome", "outcomes"))


@pytest.fixture(scope="module")
def ours():
    found = {}
    for interactive in (False, True):
        scripts = [script for script in SCRIPTS.values() if script["interactive"] is interactive]
        done = outcomes([script["code"] for script in scripts], interactive=interactive, ours=True)
        found |= dict(zip((script["id"] for script in scripts), done, strict=True))
    return found


@pytest.mark.parametrize("name", [name for name in SCRIPTS if name not in OTHERWISE])
def test_script_does_what_it_does_in_pytorch(ours, name):
    assert ours[name] == SCRIPTS[name]["outcome"]


@pytest.mark.parametrize("name", OTHERWISE)
def test_what_is_done_otherwise_is_so_still(ours, name):
    assert ours[name] != SCRIPTS[name]["outcome"]


def test_what_needs_another_dtype_says_so(ours):
    for name, reason in OTHERWISE.items():
        if "complex" in reason:
            assert ours[name]["exception"]["type"] == "ChalkgradError"
            assert "are not offered" in ours[name]["exception"]["message"]


def test_every_claim_every_block_of_the_notes_and_every_error_is_there():
    blocks = {f"block {note}.{number}" for note, count in enumerate((1, 3, 1, 2, 1)) for number in range(1, count + 1)}
    assert blocks < set(SCRIPTS)
    assert len(CLAIMS["scripts"]) == 161
    assert len(REFUSALS["scripts"]) == 158
    assert len(SCRIPTS) == 161 + 158


def test_another_outcome_would_be_noticed():
    script = SCRIPTS["S2-05"]
    done = outcome(script["code"].replace("torch.add(w, 1)", "torch.add(w, 2)"), ours=True)
    assert done["stdout"] != script["outcome"]["stdout"]


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed")
def test_recorded_outcomes_are_those_of_the_installed_pytorch():
    from importlib.metadata import version

    if version("torch").split("+")[0] != CLAIMS["torch"].split("+")[0]:
        pytest.skip(f"recorded from torch {CLAIMS['torch']}")
    assert outcome(SCRIPTS["S0-21"]["code"]) == SCRIPTS["S0-21"]["outcome"]
    assert sys.modules.get("torch") is None or not sys.modules["torch"].__name__.startswith("chalkgrad")
