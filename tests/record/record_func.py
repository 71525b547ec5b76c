"""Records what ``torch.func`` does, as ``tests/data/torch/func.json``.

Run with PyTorch installed: ``python tests/record/record_func.py``. The snippets are those of
``tests/core/torch/func_snippets.py``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

from core.torch.func_snippets import SNIPPETS  # noqa: E402
from support.facts import facts, key  # noqa: E402

DATA = TESTS / "data" / "torch" / "func.json"

if __name__ == "__main__":
    found = {key(code): facts(torch, code) for code in SNIPPETS}
    DATA.write_text(
        json.dumps({"torch": torch.__version__, "facts": found}, separators=(",", ":")) + "\n", encoding="utf-8"
    )
