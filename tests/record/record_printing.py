"""Write down how real torch prints tensors: ``python tests/record/record_printing.py``.

Arrays are kept as dtype, shape and bytes, so that a test without torch prints exactly the same values.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch

DATA = Path(__file__).parents[1] / "data" / "torch" / "printing.json"
NAN, INF = float("nan"), float("inf")

LISTS: dict[str, list[Any]] = {
    "float32": [
        *(0.0, -0.0, 6.0, 6.5, -3.0, NAN, INF, -INF, 1e-5, 1e8, 1.5e8, 2.0**24, 1e-45, 3.4e38),
        *([], [[]], [1.0], [-1.0, 2.0], [1.0, 2.5], [0.0, 0.5], [0.0, NAN], [0.0, -0.0, INF], [1.0, NAN], [1.5, -INF]),
        *([1.0, 1000.0], [1.0, 1001.0], [0.5, 500.5], [0.5, 500.6], [1e-4, 0.05], [9e-5, 0.05], [1e8, 1e8], [1.1e8, 0]),
        *(
            [1e5, -1e-5, NAN, 0.0, INF],
            [123456.0, 1.0],
            [99999.5],
            [0.99996],
            [[1.0, 2.0]],
            [[[1.0], [-2.0]], [[0.5], [4]]],
        ),
    ],
    "float64": [0.1, 1e-300, 1e300, [1e-300, 1e300], [1.0, 2.0], [[1.5, -2.25], [NAN, 0.0]], []],
    "int64": [0, -7, [], [1, -2, 30], [[1, 2], [300, -4]], [2**62, -1]],
    "int32": [5, [1, 2], []],
    "uint8": [[0, 255]],
    "int8": [[-128, 127]],
    "int16": [[[1], [2]]],
    "bool": [True, [True, False], [[False, False]], []],
}
SHAPES = [(0, 3), (3, 0, 2), (12,), (13,), (30,), (3, 4), (2, 40), (2, 3, 4), (1, 2, 1, 3), (1000,), (1001,), (7, 200)]
SHAPES += [(6, 6, 30), (40, 40), (2, 5, 200), (1, 1, 1, 1)]
OPTIONS: list[dict[str, Any]] = [
    {"precision": 2},
    {"precision": 0},
    {"threshold": 5, "edgeitems": 2},
    {"threshold": 3, "edgeitems": 0},
    {"linewidth": 30},
    {"linewidth": 10, "precision": 7},
    {"sci_mode": True},
    {"sci_mode": False},
    {"profile": "short"},
    {"profile": "full"},
]


def arrays() -> Iterator[np.ndarray]:
    """Every array that is printed with the options at their defaults."""
    random = np.random.default_rng(0)
    for dtype, values in LISTS.items():
        yield from (np.array(value, dtype) for value in values)
    for shape in SHAPES:
        normal = random.standard_normal(shape)
        yield normal.astype(np.float32)
        if normal.size > 1000:
            continue
        yield np.round(normal * 20).astype(np.float32)
        yield (normal * 10.0 ** random.integers(-4, 4, shape)).astype(np.float64)
        yield (normal * 100).astype(np.int16).astype(np.int64)
        yield normal > 0


def case(array: np.ndarray, options: dict[str, Any] | None = None, **flags: Any) -> dict[str, Any]:
    """What is printed for ``array``, with the default options, then ``options``."""
    torch.set_printoptions(profile="default")
    torch.set_printoptions(**(options or {}))
    torch.set_default_dtype(getattr(torch, flags.get("default_dtype", "float32")))
    array = np.asarray(array)
    tensor = torch.from_numpy(array.copy())
    if flags.get("requires_grad"):
        tensor.requires_grad_()
    if "grad_fn" in flags:
        tensor = tensor.clone()
    kept = {"dtype": array.dtype.name, "shape": array.shape, "bytes": base64.b64encode(array.tobytes()).decode()}
    return {**kept, "options": options or {}, "flags": flags, "text": repr(tensor)}


def cases() -> Iterator[dict[str, Any]]:
    """Everything that is recorded."""
    random = np.random.default_rng(1)
    for array in arrays():
        yield case(array)
    for length in range(1, 13):
        floats = random.standard_normal((2, length)).astype(np.float32)
        yield case(floats[0], requires_grad=True)
        yield case(floats, requires_grad=True, grad_fn="CloneBackward0")
        yield case(floats.astype(np.float64), requires_grad=True, grad_fn="CloneBackward0")
    for default in ("float32", "float64"):
        for dtype in ("float32", "float64", "int64", "bool"):
            yield case(np.ones(2, dtype), default_dtype=default)
            yield case(np.ones((2, 0), dtype), default_dtype=default)
    for options in OPTIONS:
        for shape in ((), (2,), (12,), (3, 8)):
            yield case((random.standard_normal(shape) * 100).astype(np.float32), options, requires_grad=True)
            yield case((random.standard_normal(shape) * 100).astype(np.int64), options)


def main() -> None:
    """Record everything again."""
    recorded = {"torch": torch.__version__, "cases": list(cases())}
    DATA.write_text(json.dumps(recorded, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
