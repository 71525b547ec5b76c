"""What the face consists of: the table's operators under PyTorch's names, and a few plain functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from chalkgrad.engine.record import OPS
from chalkgrad.engine.spelling import function

ONLY_METHODS = frozenset({"absolute_"})
"""Aliases of functions that are no functions themselves."""


def operators(module: str) -> dict[str, Callable[..., Any]]:
    """All operators that PyTorch has as functions of ``module``, by name, with their aliases."""
    found: dict[str, Callable[..., Any]] = {}
    for record in OPS.values():
        place, _, name = (record.function or "").rpartition(".")
        if name and place == module:
            spellings = [spelling for spelling in (name, *record.aliases) if spelling not in ONLY_METHODS]
            found |= {spelling: function(record, spelling) for spelling in spellings}
    return found


def absent(module: str) -> Callable[[str], NoReturn]:
    """The ``__getattr__`` of a module of the face."""

    def refuse(name: str) -> NoReturn:
        raise AttributeError(f"module '{module}' has no attribute '{name}'")

    return refuse
