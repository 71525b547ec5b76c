"""Write down what real torch makes of the lines about tensors: ``python tests/record/record_tensors.py``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from support.tensor_lines import lines, outcome  # noqa: E402

DATA = ROOT / "data" / "torch" / "tensors.json"


def main() -> None:
    """Record everything again."""
    cases = [{"line": line, "outcome": outcome(line, torch)} for line in lines()]
    recorded = {"torch": torch.__version__, "cases": cases}
    DATA.write_text(json.dumps(recorded, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
