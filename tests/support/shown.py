"""What a snippet of a script shows, line by line, on either torch."""

from __future__ import annotations

import re
import warnings
from typing import Any

OPENING = """
def names(nodes):
    return [node.name() for node in nodes]

def note(*_):
    show(torch._C._current_autograd_node().name())
"""
"""What every snippet can call, beside ``show(*values)`` and ``attempt(function, *args)``."""


def outcome(torch: Any, snippet: str) -> list[str]:
    """What the snippet shows, line by line, with addresses blanked."""
    lines: list[str] = []

    def show(*values: object) -> None:
        lines.append(re.sub(r"0x[0-9a-f]+", "0x", " ".join(map(repr, values))))

    def attempt(function: Any, *args: Any, **kwargs: Any) -> None:
        try:
            show(function(*args, **kwargs))
        except Exception as error:
            lines.append(re.sub(r"0x[0-9a-f]+", "0x", f"{type(error).__name__}: {error}"))

    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(OPENING + snippet, {"torch": torch, "show": show, "attempt": attempt})
    return lines
