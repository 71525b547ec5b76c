"""Write down what real torch does in backwards, node by node: ``python tests/record/record_backwards.py``.

Which node runs when, what comes to it and goes out of it, what is freed after it. The programs are kept with what they
do; of the lessons and claims, whose code stands elsewhere, their names.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from support.backward_log import theirs_of_lines, theirs_of_script  # noqa: E402
from support.backward_scripts import DATA, OTHERWISE, anything, corpus, programs  # noqa: E402

RANDOM, ANYTHING = 40, 120
"""How many random programs are written down: of the canvas, and over the whole operator table."""


def main() -> None:
    """Record everything again."""
    torch.set_num_threads(1)
    found = {
        name: {"code": code, "log": theirs_of_lines(torch, code.splitlines())}
        for name, code in programs(RANDOM).items()
    }
    found |= {name: {"log": theirs_of_script(torch, code)} for name, code in corpus().items() if name not in OTHERWISE}
    for seed in range(ANYTHING):
        lines = anything(seed)
        found[f"anything/{seed}"] = {"code": "\n".join(lines), "log": theirs_of_lines(torch, lines)}
    scripts = {name: entry for name, entry in found.items() if entry["log"]}
    rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in scripts.items())
    text = f'{{"torch": "{torch.__version__}", "scripts": {{\n{rows}\n}}}}\n'
    (DATA / "backwards.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
