"""Lines of Python about tensors, and what comes of each: recorded with real torch, repeated on ours."""

from __future__ import annotations

import copy
import io
import pickle
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np

ONCE = ("UserWarning: TypedStorage is deprecated", "UserWarning: torch.set_default_tensor_type() is deprecated")
"""Warnings that PyTorch gives only once in a process, whatever is asked of it; they are left out."""

LINES = Path(__file__).parents[1] / "data" / "torch" / "tensor_lines.txt"


def lines() -> list[str]:
    """All lines; those that begin with ``#`` and empty ones are left out."""
    read = LINES.read_text(encoding="utf-8").splitlines()
    return [line for line in read if line and not line.startswith("#")]


def outcome(line: str, torch: Any) -> list[str]:
    """What the line's last expression prints, or the error it raises, then the warnings it gives.

    Statements before the last expression are separated by ``;``.
    """
    names: dict[str, Any] = {"torch": torch, "np": np, "pickle": pickle, "copy": copy, "io": io, "nn": torch.nn}
    *before, last = line.split("; ")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.manual_seed(0)
        always = torch.is_warn_always_enabled()
        torch.set_warn_always(True)
        try:
            for statement in before:
                exec(statement, names)
            found = repr(eval(last, names))
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
        finally:
            torch.set_default_dtype(torch.float32)
            torch.set_printoptions(profile="default", sci_mode=None)
            torch.set_grad_enabled(True)
            torch.set_warn_always(always)
    said = [f"{warning.category.__name__}: {_plain(str(warning.message))}" for warning in caught]
    return [_plain(found), *(text for text in dict.fromkeys(said) if not text.startswith(ONCE))]


def _plain(text: str) -> str:
    """Without what differs from run to run: addresses, and the place in PyTorch's own source."""
    text = re.sub(r" \(Triggered internally at .*", "", text)
    return re.sub(r"0x[0-9a-f]+", "0x", text.split("\nException raised from")[0])
