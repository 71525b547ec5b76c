"""Comparing programs with the PyTorch that is installed."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import torch as theirs
from support.known_differences import explained
from support.outcomes import first_difference

from chalkgrad import torch as ours


def check_alike(lines: Sequence[str], accidents: bool = False) -> None:
    """A program behaves as on PyTorch, whose once-only warnings come every time; maybe but for known ``accidents``."""
    before = theirs.is_warn_always_enabled()
    theirs.set_warn_always(True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            difference = first_difference(ours, theirs, list(lines))
    finally:
        theirs.set_warn_always(before)
    if accidents and difference is not None and explained(difference.signature):
        return
    assert difference is None, str(difference)
