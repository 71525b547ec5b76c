"""Warnings that PyTorch gives from C++: they point at the line of Python that made the call."""

from __future__ import annotations

import sys
import warnings

from chalkgrad.engine.base import state

_IN_C = ("chalkgrad.engine.", "chalkgrad.ops.", "chalkgrad.torch.")
"""Modules that PyTorch has in C++; those of ``nn`` and ``optim`` are Python there, and may be pointed at."""


def warn(text: str) -> None:
    """Warn of what the caller's own line does."""
    warnings.warn(text, UserWarning, stacklevel=_frames_inside())


def warn_once(text: str) -> None:
    """A warning that PyTorch gives the first time only."""
    if state.is_news(text):
        warn(text)


def _frames_inside() -> int:
    """How many frames up from ``warn`` the caller's line is."""
    frame, depth = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(_IN_C):
        frame, depth = frame.f_back, depth + 1
    return depth
