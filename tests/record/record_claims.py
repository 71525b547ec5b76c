"""Run the course's scripts in real torch and write down what they do: ``python tests/record/record_claims.py``.

The scripts stay as they are in ``tests/data/torch/claims.json``; what each prints, warns of and raises is replaced.
"""

from __future__ import annotations

import json
from pathlib import Path

import torch
from outcome import outcome

DATA = Path(__file__).parents[1] / "data" / "torch" / "claims.json"


def main() -> None:
    """Record every script again."""
    recorded = json.loads(DATA.read_text(encoding="utf-8"))
    recorded["torch"] = torch.__version__
    for script in recorded["scripts"]:
        script["outcome"] = outcome(script["code"], interactive=script["interactive"])
    DATA.write_text(json.dumps(recorded, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
