"""Run the wrong scripts in real torch and write down what they raise: ``python tests/record/record_errors.py``.

The scripts stay as they are in ``tests/data/torch/errors.json``; type and text of the exception, or of the warnings
where there is none, are replaced.
"""

from __future__ import annotations

import json
from pathlib import Path

import torch
from outcome import run

DATA = Path(__file__).parents[1] / "data" / "torch" / "errors.json"


def main() -> None:
    """Record every script again."""
    recorded = json.loads(DATA.read_text(encoding="utf-8"))
    recorded["torch"] = torch.__version__
    for script in recorded["scripts"]:
        done = run(script["code"], interactive=False)
        script["exception"] = done["exception"]
        script["warnings"] = done["warnings"]
    DATA.write_text(json.dumps(recorded, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
