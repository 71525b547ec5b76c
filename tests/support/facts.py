"""What a snippet of PyTorch finds out, as JSON: run in real torch to be recorded, in Chalkgrad's to be compared."""

from __future__ import annotations

import hashlib
import importlib
import math
import re
import warnings
from typing import Any

import numpy as np

FEW = 12
"""Up to so many elements are written down one by one."""


def facts(torch: Any, code: str) -> Any:
    """What ``code`` put into ``log``, and what it warned of; ``note(f)`` logs what ``f()`` gives or raises."""
    log: list[Any] = []

    def note(call: Any) -> None:
        try:
            log.append(plain(call()))
        except Exception as error:
            log.append([type(error).__name__, stable(str(error))])

    draw = np.random.RandomState(3)

    def randn(*shape: int, dtype: Any = None) -> Any:
        return torch.tensor(draw.randn(*shape).tolist(), dtype=dtype or torch.float64, requires_grad=True)

    importlib.import_module(f"{torch.__name__}.utils.data")
    names = {"torch": torch, "nn": torch.nn, "log": log, "note": note, "plain": plain, "randn": randn, "np": np}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        exec(compile(code, "<facts>", "exec"), names)
    return {"log": plain(log), "warnings": sorted({stable(str(warning.message)) for warning in caught})}


def plain(value: Any) -> Any:
    """A value as JSON has it: tensors as nested lists, everything unknown as text."""
    if isinstance(value, list | tuple):
        return [plain(element) for element in value]
    if isinstance(value, dict):
        return {str(key): plain(element) for key, element in value.items()}
    if hasattr(value, "tolist"):
        return plain(value.tolist()) if value.numel() <= FEW else digest(value)
    if isinstance(value, float):
        return float(f"{value:.10g}") if math.isfinite(value) else str(value)
    return value if value is None or isinstance(value, bool | int | str) else stable(str(value))


def digest(tensor: Any) -> Any:
    """A tensor of many elements by its shape and two sums, in one of which every place counts differently."""
    values = np.array(tensor.tolist(), dtype=np.float64).reshape(-1)
    weighted = float((values * np.cos(np.arange(values.size))).sum())
    return [list(tensor.shape), plain(float(values.sum())), plain(weighted)]


def key(code: str) -> str:
    """A short name for a snippet."""
    return hashlib.sha256(code.encode()).hexdigest()[:12]


def stable(text: str) -> str:
    """``text`` without addresses and places in PyTorch's C++ files."""
    return re.sub(r"\s*\(Triggered internally at .*?\)", "", re.sub(r"0x[0-9a-fA-F]+", "0x…", text))


def differences(found: Any, wanted: Any, tolerance: float, path: str = "") -> list[tuple[str, Any, Any]]:
    """Where two facts differ, numbers by more than ``tolerance``."""
    if isinstance(found, dict) and isinstance(wanted, dict) and list(found) == list(wanted):
        return [d for key in found for d in differences(found[key], wanted[key], tolerance, f"{path}.{key}")]
    if isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        pairs = enumerate(zip(found, wanted, strict=True))
        return [d for place, (a, b) in pairs for d in differences(a, b, tolerance, f"{path}[{place}]")]
    if isinstance(found, float) and isinstance(wanted, float | int):
        return [] if abs(found - wanted) <= tolerance * max(1, abs(wanted)) else [(path, found, wanted)]
    return [] if found == wanted else [(path, found, wanted)]
