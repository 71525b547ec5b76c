"""The course's scripts do on Chalkgrad's torch what they were recorded to do in PyTorch."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]
RECORDED = json.loads((TESTS / "data" / "torch" / "claims.json").read_text(encoding="utf-8"))


def _load_outcome():
    spec = importlib.util.spec_from_file_location("outcome", TESTS / "record" / "outcome.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


outcome = _load_outcome().outcome


@pytest.mark.parametrize("script", RECORDED["scripts"], ids=lambda script: script["id"])
def test_script_does_what_it_does_in_pytorch(script):
    assert outcome(script["code"], interactive=script["interactive"], ours=True) == script["outcome"]


def test_every_claim_and_every_block_of_the_notes_is_there():
    claims = {"S0-21", "S1-02", "S1-23", "S1-24", "S2-03", "S2-05", "S2-06"}
    claims |= {"S2-07", "S3-09", "S3-10", "S3-20", "S4-01", "S4-04"}
    blocks = [f"block {note}.{number}" for note, count in enumerate((1, 3, 1, 2, 1)) for number in range(1, count + 1)]
    ids = [script["id"] for script in RECORDED["scripts"]]
    assert set(ids) >= claims.union(blocks)
    assert len(ids) == len(set(ids))


def test_another_outcome_would_be_noticed():
    script = next(script for script in RECORDED["scripts"] if script["id"] == "S2-05")
    done = outcome(script["code"].replace("torch.add(w, 1)", "torch.add(w, 2)"), ours=True)
    assert done["stdout"] != script["outcome"]["stdout"]


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed")
def test_recorded_outcomes_are_those_of_the_installed_pytorch():
    from importlib.metadata import version

    if version("torch").split("+")[0] != RECORDED["torch"].split("+")[0]:
        pytest.skip(f"recorded from torch {RECORDED['torch']}")
    script = next(script for script in RECORDED["scripts"] if script["id"] == "S0-21")
    assert outcome(script["code"]) == script["outcome"]
    assert sys.modules.get("torch") is None or not sys.modules["torch"].__name__.startswith("chalkgrad")
