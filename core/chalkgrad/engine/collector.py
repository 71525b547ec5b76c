"""Python's garbage collector, made patient.

A graph consists of many small objects and has no reference cycles: it goes when its last holder lets go. With Python's
usual thresholds the collector walks through a growing graph again and again for nothing, at 100,000 live nodes for a
third of the time. So its generations are made larger; what a learner's own cycles cost in memory stays below 20 MB.
The trace of a thousand lines, 70,000 objects, comes and goes with each step of a slider without one look at it.
"""

from __future__ import annotations

import gc

PATIENT = (100_000, 10, 10)
"""Allocations before the youngest generation is looked through, and how often that happens before the next one is."""


def be_patient() -> None:
    """Raise the collector's thresholds to :data:`PATIENT`; one that is switched off or more patient stays as it is."""
    now = gc.get_threshold()
    if now[0]:
        gc.set_threshold(*(max(old, new) for old, new in zip(now, PATIENT, strict=True)))
