"""Write down the random numbers of real torch: ``python tests/record/record_generator.py``.

A case is a seed and the calls made one after the other on one generator, each with the bytes of its result.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import torch

DATA = Path(__file__).parents[1] / "data" / "torch" / "generator.json"

CASES: list[tuple[int, list[list[Any]]]] = [
    (0, [["rand", [5], "float32"], ["rand", [2, 2], "float64"], ["rand", [], "float32"], ["rand", [0], "float32"]]),
    (1, [["randn", [3], "float32"], ["rand", [1], "float32"], ["randn", [2, 1], "float64"], ["randn", [], "float32"]]),
    (2, [["randn", [1], "float64"], ["randn", [16], "float32"], ["randn", [1], "float64"]]),
    (3, [["randn", [size], "float32"] for size in (15, 16, 17, 31, 32, 33, 100)]),
    (4, [["randn", [size], "float64"] for size in (15, 16, 17, 31, 32, 33, 100)]),
    (5, [["randn", [0], "float32"], ["randn", [3, 4], "float32"], ["randn", [4, 5], "float32"]]),
    (
        6,
        [
            ["randint", 0, 10, [8]],
            ["randint", -5, 5, [2, 2]],
            ["randint", 0, 2**28 - 1, [3]],
            ["randint", 0, 2**28, [3]],
        ],
    ),
    (7, [["randint", -(2**63), 2**63 - 1, [3]], ["randint", 3, 4, [2]], ["randint", 0, 2, []]]),
    (8, [["randperm", n] for n in (0, 1, 2, 5, 30)]),
    (-1, [["rand", [2], "float32"]]),
    (2**64 - 1, [["rand", [2], "float32"]]),
    (2**32 + 5, [["rand", [2], "float32"]]),
    (67280421310721, [["randn", [2], "float32"], ["randperm", 4], ["rand", [2], "float64"]]),
]


def result(generator: torch.Generator, name: str, *arguments: Any) -> torch.Tensor:
    """What one call on ``generator`` gives."""
    if name in ("rand", "randn"):
        shape, dtype = arguments
        return getattr(torch, name)(shape, dtype=getattr(torch, dtype), generator=generator)
    return getattr(torch, name)(*arguments, generator=generator)


def case(seed: int, calls: list[list[Any]]) -> dict[str, Any]:
    """One seed with the results of its calls."""
    generator = torch.Generator().manual_seed(seed)
    results = []
    for call in calls:
        array = result(generator, *call).numpy()
        results.append({"dtype": array.dtype.name, "bytes": base64.b64encode(array.tobytes()).decode()})
    return {"seed": seed, "initial_seed": generator.initial_seed(), "calls": calls, "results": results}


def main() -> None:
    """Record everything again."""
    recorded = {"torch": torch.__version__, "cases": [case(seed, calls) for seed, calls in CASES]}
    DATA.write_text(json.dumps(recorded, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
