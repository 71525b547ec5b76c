"""Run the course's scripts in real torch, write down what they do: ``python tests/record/record_claims.py``.

The scripts stay as they are in ``tests/data/torch/claims.json``, and in ``refusals.json`` those that go wrong; what
each prints, warns of and raises is replaced.
"""

from __future__ import annotations

import json
from pathlib import Path

import torch
from outcome import outcomes

DATA = Path(__file__).parents[1] / "data" / "torch"


def main() -> None:
    """Record every script again."""
    for path in (DATA / "claims.json", DATA / "refusals.json"):
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
