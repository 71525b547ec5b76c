"""Write down what real torch has of tensors in an autograd drawing: ``python tests/record/record_figures.py``."""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parents[1]))
from support.figures import DATA, PROGRAMS, asked


def main() -> None:
    """Record everything again."""
    warnings.simplefilter("ignore")  # a non-leaf's grad is asked for
    found = {name: asked(torch, program) for name, program in PROGRAMS.items()}
    DATA.write_text(json.dumps({"torch": torch.__version__, "figures": found}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
