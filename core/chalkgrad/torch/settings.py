"""Settings of PyTorch that scripts read and set, and that change little or nothing here."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.base import state
from chalkgrad.engine.device import CPU, Device, check_device
from chalkgrad.engine.parameter import type_name

__all__ = [
    "are_deterministic_algorithms_enabled",
    "get_default_device",
    "get_float32_matmul_precision",
    "get_num_interop_threads",
    "get_num_threads",
    "is_deterministic_algorithms_warn_only_enabled",
    "is_warn_always_enabled",
    "set_default_device",
    "set_float32_matmul_precision",
    "set_flush_denormal",
    "set_num_interop_threads",
    "set_num_threads",
    "set_warn_always",
    "use_deterministic_algorithms",
]

_values: dict[str, Any] = {"threads": 1, "interop_threads": 1, "deterministic": (False, False), "precision": "highest"}


def get_num_threads() -> int:
    """How many threads were asked for; NumPy has its own mind about it."""
    return int(_values["threads"])


def get_num_interop_threads() -> int:
    """How many threads were asked for."""
    return int(_values["interop_threads"])


def _set_threads(name: str, number: Any) -> None:
    if not isinstance(number, int) or isinstance(number, bool):
        raise RuntimeError(f"set_num_{name} expects an int, but got {type_name(number)}")
    if number <= 0:
        raise RuntimeError(f"set_num_{name} expects a positive integer")
    _values[name] = number


def set_num_threads(number: int, /) -> None:
    """Ask for a number of threads; RuntimeError for none."""
    _set_threads("threads", number)


def set_num_interop_threads(number: int, /) -> None:
    """Ask for a number of threads; RuntimeError for none."""
    _set_threads("interop_threads", number)


def set_flush_denormal(mode: bool, /) -> bool:
    """True for what is so anyway: the smallest numbers are kept."""
    return not mode


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Nothing needs to change: everything here is deterministic."""
    _values["deterministic"] = bool(mode), bool(mode and warn_only)


def are_deterministic_algorithms_enabled() -> bool:
    """What was asked for."""
    return bool(_values["deterministic"][0])


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """What was asked for."""
    return bool(_values["deterministic"][1])


def get_float32_matmul_precision() -> str:
    """What was asked for; here it is always the highest."""
    return str(_values["precision"])


def set_float32_matmul_precision(precision: str) -> None:
    """Remember what was asked for."""
    _values["precision"] = precision


def set_warn_always(b: bool, /) -> None:
    """Give warnings that are given only once each time, or only once again."""
    if not isinstance(b, bool):
        raise RuntimeError(f"setWarnOnlyOnce expects a bool, but got {type_name(b)}")
    state.warn_always = b


def is_warn_always_enabled() -> bool:
    """True where warnings that are given only once come each time."""
    return state.warn_always


def get_default_device() -> Device:
    """The CPU."""
    return CPU


def set_default_device(device: Any) -> None:
    """Nothing for the CPU, an error for every other device."""
    check_device(device)
