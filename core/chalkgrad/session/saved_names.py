"""What a node keeps for its backward, as a trace tells it: by name, with the object, its version and its memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from chalkgrad.engine.graph import Node, Stamped, TensorBase
from chalkgrad.engine.saved import PackedList, TensorList
from chalkgrad.session.events import SavedName

Number = Callable[[TensorBase], int]

NUMBERS = frozenset({bool, int, float})


def saved_names(node: Node, outputs: Sequence[tuple[int | None, np.ndarray]], number: Number) -> tuple[SavedName, ...]:
    """All that ``node`` saved; ``outputs`` are its results, ``number`` tells the number of a tensor."""
    found: list[SavedName] = []
    for name, value in zip(node.saved_names, node.saved or (), strict=False):
        if isinstance(value, TensorList):
            members = zip(value, value.versions, strict=True)
            found += [SavedName(name, number(one), version, one.array) for one, version in members if one is not None]
        elif isinstance(value, PackedList):
            found += [SavedName(name, None) for member in value if member is not None]
        elif value is not None:
            found.append(_saved_name(name, value, outputs, number))
    return tuple(found)


def _saved_name(
    name: str, value: object, outputs: Sequence[tuple[int | None, np.ndarray]], number: Number
) -> SavedName:
    if isinstance(value, Stamped):
        return SavedName(name, number(value.tensor), value.version, value.tensor.array)
    if isinstance(value, TensorBase):
        return SavedName(name, number(value), 0, value.array)
    if type(value) in NUMBERS:  # PyTorch keeps it as a tensor without dimensions
        return SavedName(name, None, 0, np.asarray(value))
    # a result of its own: the array alone, or with what counts the writes to it
    array, version = (value[0], value[2]) if isinstance(value, tuple) else (value, 0)
    if not isinstance(array, np.ndarray):
        return SavedName(name, None)
    return SavedName(name, next((which for which, made in outputs if made is array), None), version, array)
