"""Whether PyTorch's own answer moves as far as it is from ours when the last digits of all numbers are changed."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from support.values import asked, numbers

TRIES, FACTOR = 12, 8
"""How often the digits are changed, and how many times as far as PyTorch's answer moves ours may be from it."""


def moves_as_far(make: Callable[[], Any], lines: list[str], name: str, fact: str, ours: Any, theirs: Any) -> bool:
    """True where the ``fact`` (value or grad) of tensor ``name`` moves as far as ``ours`` is from ``theirs``.

    ``make`` gives runs of PyTorch's side.
    """
    if not _comparable(ours, theirs):
        return False
    reach = np.zeros(theirs.shape)
    for seed in range(TRIES):
        found = _changed_run(make(), lines, name, fact, np.random.default_rng(seed))
        if not _comparable(found, theirs):
            return False
        reach = np.maximum(reach, _apart(found, theirs))
    return bool((_apart(ours, theirs) <= FACTOR * reach).all())


def _comparable(one: Any, other: Any) -> bool:
    arrays = isinstance(one, np.ndarray) and isinstance(other, np.ndarray)
    return arrays and one.shape == other.shape and one.dtype == other.dtype and one.dtype.kind == "f"


def _apart(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """How far the elements are apart; endlessly, where one of two is no number."""
    with np.errstate(all="ignore"):
        distance = np.abs(one.astype(float) - other.astype(float))
    equal = (one == other) | (np.isnan(one) & np.isnan(other))
    return np.where(equal, 0.0, np.where(np.isnan(distance), np.inf, distance))


def _changed_run(run: Any, lines: list[str], name: str, fact: str, random: np.random.Generator) -> Any:
    """What the fact is in a run after each line of which the last digits of the tensors that it names are changed."""
    for place, line in enumerate(lines):
        run.line(line)
        for named in re.findall(r"\bv\d+\b", line) if place < len(lines) - 1 else ():
            asked(partial(_change, run.module, run.names.get(named), random))
    tensor = run.names.get(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return asked(lambda: numbers(tensor.grad if fact == "grad" else tensor))


def _change(module: Any, tensor: Any, random: np.random.Generator) -> None:
    if tensor.is_floating_point():
        smallest = module.finfo(tensor.dtype).eps
        factors = 1 + smallest * random.integers(-1, 2, tuple(tensor.shape))
        tensor.data.mul_(module.as_tensor(factors, dtype=tensor.dtype))
