"""Our operators on tensors born in inference mode, in it and outside, on the samples of ``op_db``, beside PyTorch.

``python tests/live/inference.py [NAME ...] [--limit N] [--seconds S]``
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
warnings.simplefilter("ignore")

import torch as theirs  # noqa: E402
from live.both import (  # noqa: E402
    NotComparableError,
    Side,
    array_of,
    brief,
    differences,
    error_text,
    grad_fn_name,
    ours,
    structure,
    supported,
    tensors,
)
from live.op_db import chosen, offered, samples, title, variants, written  # noqa: E402

DTYPES = ("float64", "int64")


@dataclass(frozen=True)
class Scene:
    """Where tensors are born, whether they require grad, and where the call stands."""

    born: bool
    grad: bool
    called: bool

    def __str__(self) -> str:
        born, called = ("in it" if place else "outside" for place in (self.born, self.called))
        return f"born {born}, {'with' if self.grad else 'without'} grad, called {called}"


SCENES = [Scene(True, True, False), Scene(True, True, True), Scene(True, False, False), Scene(False, True, True)]


def outcome(module: Any, function: Any, sample: Any, scene: Scene, writes: bool) -> dict[str, Any]:
    """What can be seen of one call."""
    side = Side(module)
    with module.inference_mode(scene.born):
        args, kwargs = side.of((sample.input, *sample.args)), side.of(sample.kwargs)
        for tensor in tensors([args, *kwargs.values()]):
            tensor.requires_grad_(scene.grad and tensor.is_floating_point() and tensor.requires_grad)
    if writes and not (scene.born and scene.grad):
        with module.inference_mode(scene.born):
            args = (args[0].clone(), *args[1:])
    module.default_generator.manual_seed(7)
    facts: dict[str, Any] = {}
    with module.inference_mode() if scene.called else contextlib.nullcontext():
        try:
            result = function(*args, **kwargs)
        except Exception as error:
            facts["error"] = error_text(error)
            return facts
    found = tensors(result)
    if module is theirs and any(not supported(tensor) for tensor in found):
        raise NotComparableError("its result")
    facts["structure"] = structure(result)
    facts["plain"] = []
    for name in ("requires_grad", "is_leaf"):
        facts[name] = [getattr(tensor, name) for tensor in found]
    facts["shape"] = [tuple(tensor.shape) for tensor in found]
    facts["dtype"] = [str(tensor.dtype) for tensor in found]
    facts["inference"] = [tensor.is_inference() for tensor in found]
    facts["grad_fn"] = [grad_fn_name(tensor) for tensor in found]
    with module.no_grad():
        facts["value"] = [array_of(tensor) for tensor in found]
    return facts


def examined(op: Any, limit: int, seconds: float, counts: Counter[str]) -> Iterator[tuple[str, str, str, str]]:
    """The differences of one operator: the kind, the call, ours and PyTorch's."""
    end = time.monotonic() + seconds
    ways = [way for way in variants(op) if way[2] is not None]
    for dtype in DTYPES:
        if getattr(theirs, dtype) not in op.dtypes:
            continue
        for number, sample in enumerate(samples(op, dtype)):
            if number >= limit or time.monotonic() > end:
                break
            for what, other, mine, writes in ways:
                for scene in SCENES:
                    if not (scene.born or scene.grad) or (dtype == "int64" and scene.grad and not scene.born):
                        continue
                    try:
                        expected = outcome(theirs, other, sample, scene, writes)
                        found = outcome(ours, mine, sample, scene, writes)
                    except (NotComparableError, AttributeError):
                        counts["skipped"] += 1
                        continue
                    counts["calls"] += 1
                    for fact, a, b in differences(found, expected):
                        if fact == "value" and op.name.removeprefix("new_").startswith(("empty", "resize_")):
                            continue
                        yield f"{scene}: {fact}", written(op, what, sample), brief(a), brief(b)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--limit", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=3)
    options = parser.parse_args()
    theirs.set_num_threads(1)
    counts: Counter[str] = Counter()
    for op in chosen(options.names):
        if not offered(op):
            continue
        seen = Counter[str]()
        try:
            for kind, call, a, b in examined(op, options.limit, options.seconds, counts):
                counts["differ"] += 1
                seen[kind] += 1
                if seen[kind] <= 2:
                    print(
                        f"{title(op)} | {kind} | {call[:200]}\n      ours  {a[:300]}\n      torch {b[:300]}", flush=True
                    )
        except Exception as error:
            print(f"{title(op)} | the comparison itself: {error_text(error)}", flush=True)
    print(dict(counts))
    return int(counts["differ"] > 0)


if __name__ == "__main__":
    sys.exit(main())
