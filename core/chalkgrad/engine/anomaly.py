"""Anomaly mode: nodes remember where they were made, and a backward says it of the one that failed or made NaN."""

from __future__ import annotations

import sys
import traceback
import warnings
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from chalkgrad.engine.base import TensorBase, rare_of, state
from chalkgrad.engine.warning import warn
from chalkgrad.errors import blame

if TYPE_CHECKING:
    from chalkgrad.engine.graph import Node

TRACEBACK, PARENT = "traceback_", "parent_"
"""Keys in ``node.metadata``: where a node was made, and the node during whose run that was."""

_WARNING = (
    "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for debugging."
)


def set_anomaly_enabled(mode: bool, check_nan: bool = True) -> None:
    """Switch anomaly mode on or off; TypeError for anything but bools."""
    for place, (name, value) in enumerate((("enabled", mode), ("check_nan", check_nan)), 1):
        if not isinstance(value, bool):
            text = f"set_anomaly_enabled(): argument '{name}' (position {place}) must be bool, not "
            raise TypeError(text + type(value).__name__)
    state.anomaly, state.check_nan = mode, check_nan
    state.look_again()


def is_anomaly_enabled() -> bool:
    """True in anomaly mode."""
    return state.anomaly


def is_anomaly_check_nan_enabled() -> bool:
    """True where anomaly mode looks for NaN among gradients."""
    return state.check_nan


class set_detect_anomaly:  # noqa: N801  PyTorch's name
    """Switches anomaly mode on or off at once; as a context also back again at its end."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.prev = state.anomaly
        self.prev_check_nan = state.check_nan
        set_anomaly_enabled(mode, check_nan)

    def __enter__(self) -> None:
        """Nothing: the mode holds since the object was made."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        set_anomaly_enabled(self.prev, self.prev_check_nan)


class detect_anomaly:  # noqa: N801  PyTorch's name
    """Anomaly mode inside a ``with`` block; warns that it is slow."""

    def __init__(self, check_nan: bool = True) -> None:
        self.prev = state.anomaly
        self.check_nan = check_nan
        self.prev_check_nan = state.check_nan
        warnings.warn(_WARNING, stacklevel=2)

    def __enter__(self) -> None:
        set_anomaly_enabled(True, self.check_nan)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        set_anomaly_enabled(self.prev, self.prev_check_nan)


for _mode in (set_detect_anomaly, detect_anomaly):
    _mode.__module__ = "torch.autograd.anomaly_mode"


def note_origin(node: Node) -> None:
    """Remember which lines of the learner's made ``node``, and during whose run, if a backward made it."""
    metadata = rare_of(node).metadata
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("chalkgrad."):
        frame = frame.f_back
    metadata[TRACEBACK] = traceback.format_stack(frame)
    if state.running is not None:
        metadata[PARENT] = state.running


def report(node: Node) -> None:
    """Warn where ``node``, whose run failed, was made, and whatever induced it."""
    metadata = node.metadata
    _warn(_origin(node.name(), metadata))
    parent: Any = metadata.get(PARENT)
    while parent is not None:
        _warn(_cause(parent.name(), parent.metadata))
        parent = parent.metadata.get(PARENT)


def _warn(text: str) -> None:
    """A warning beside the error that is on its way: where warnings are errors, it is printed and that one goes on."""
    try:
        warn(text)
    except Warning:
        traceback.print_exc()


def _origin(name: str, metadata: dict[object, Any]) -> str:
    if TRACEBACK not in metadata:
        return (
            f"Error detected in {name}. No forward pass information available. Enable detect anomaly during forward "
            "pass for more information."
        )
    lines = "".join(metadata[TRACEBACK])
    return f"Error detected in {name}. Traceback of forward call that caused the error:\n{lines}"


def _cause(name: str, metadata: dict[object, Any]) -> str:
    if TRACEBACK not in metadata:
        return (
            f"\n\nPrevious calculation was induced by {name}. No forward pass information available. Enable detect "
            "anomaly during forward pass for more information."
        )
    lines = "".join(metadata[TRACEBACK])
    return (
        f"\n\nPrevious calculation was induced by {name}. Traceback of forward call that induced the previous "
        f"calculation:\n{lines}"
    )


def check_nan(node: Node, found: list[Any]) -> None:
    """Raise where ``node`` gave a gradient that has NaN among its elements, and warn where it was made."""
    for index, gradient in enumerate(found):
        values = gradient.array if isinstance(gradient, TensorBase) else gradient
        if values is not None and np.isnan(values).any():
            report(node)
            text = f"Function '{node.name()}' returned nan values in its {index}th output."
            raise blame(RuntimeError(text), node=node)
