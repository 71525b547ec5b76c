"""Records what PyTorch does on the samples of the operator table, as ``tests/data/torch/ops.json``.

Run with PyTorch installed: ``python tests/record/record_ops.py``. For each operator that PyTorch has under the same
name: results, gradients, second gradients, the grad_fn and what it saves, and the errors of the bad samples.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

import torch

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

from support.sampling import bad_outcome, outcome, spelled  # noqa: E402

import chalkgrad.ops  # noqa: E402, F401
from chalkgrad.engine.record import OPS  # noqa: E402

DATA = TESTS / "data" / "torch" / "ops.json"


def recorded() -> dict[str, dict[str, list[object]]]:
    """Outcomes by operator."""
    found = {}
    for record in OPS.values():
        if record.hidden or spelled(record, torch) is None:
            continue
        found[record.name] = {
            "samples": [outcome(torch, record, args, kwargs) for args, kwargs in record.samples],
            "bad": [bad_outcome(torch, record, args, kwargs) for args, kwargs, *_ in record.bad_samples],
        }
    return found


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    DATA.write_text(json.dumps({"torch": torch.__version__, "operators": recorded()}, indent=1) + "\n")
