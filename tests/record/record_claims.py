"""Run scripts in real torch, write down what they do: ``python tests/record/record_claims.py [NAME ...]``.

The course's scripts stay as they are in ``tests/data/torch/claims.json``, in ``refusals.json`` those that go wrong, and
in ``contract.json`` those about what the engine promises; what each prints, warns of and raises is replaced.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch
from outcome import outcomes

DATA = Path(__file__).parents[1] / "data" / "torch"


def main() -> None:
    """Record every script again."""
    names = sys.argv[1:] or ["claims", "refusals", "contract"]
    for path in [DATA / f"{name}.json" for name in names]:
        recorded = json.loads(path.read_text(encoding="utf-8"))
        recorded["torch"] = torch.__version__
        for interactive in (False, True):
            scripts = [script for script in recorded["scripts"] if script["interactive"] is interactive]
            found = outcomes([script["code"] for script in scripts], interactive=interactive)
            for script, done in zip(scripts, found, strict=True):
                script["outcome"] = done
        path.write_text(json.dumps(recorded, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
