"""Run the lessons in real torch and write down what they do: ``python tests/record/record_lessons.py``.

The lessons are the scripts in ``tests/data/torch/lessons``: what tutorials and course notes contain. What each prints,
warns of and raises goes into ``tests/data/torch/lessons.json``, without object addresses.
"""

from __future__ import annotations

import json
from pathlib import Path

import torch
from outcome import outcomes

DATA = Path(__file__).parents[1] / "data" / "torch"


def main() -> None:
    """Record every lesson again."""
    scripts = {path.stem: path.read_text(encoding="utf-8") for path in sorted((DATA / "lessons").glob("*.py"))}
    found = dict(zip(scripts, outcomes(list(scripts.values())), strict=True))
    failed = [name for name, done in found.items() if done["exception"]]
    if failed:
        raise SystemExit(f"lessons must run to their end: {failed}")
    recorded = {"torch": torch.__version__, "lessons": found}
    (DATA / "lessons.json").write_text(json.dumps(recorded, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
