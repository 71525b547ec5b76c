"""The engine's tests start in grad mode, without an observer, and leave it so."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from chalkgrad.engine.autograd import observe
from chalkgrad.engine.graph import state

sys.path.insert(0, str(Path(__file__).parents[2]))


@pytest.fixture(autouse=True)
def clean_state():
    state.grad = True
    state.warned = set()
    yield
    observe(None)
    state.grad = True
