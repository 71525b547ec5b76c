"""Records what PyTorch prints for the scripts that train, as ``tests/data/torch/training.json``.

Run with PyTorch installed: ``python tests/record/record_training.py``. Scripts: ``tests/core/training/scripts.py``.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path

import torch

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

from core.training.scripts import SCRIPTS  # noqa: E402

DATA = TESTS / "data" / "torch" / "training.json"


def printed(script: str) -> list[str]:
    """The lines that a script prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(script, {})
    return out.getvalue().splitlines()


if __name__ == "__main__":
    found = {script: printed(script) for script in SCRIPTS}
    DATA.write_text(json.dumps({"torch": torch.__version__, "printed": found}, indent=1) + "\n", encoding="utf-8")
