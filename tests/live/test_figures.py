"""What is recorded of tensors in an autograd drawing is what this PyTorch has."""

from __future__ import annotations

import json

import pytest
from support.figures import DATA, PROGRAMS, asked

torch = pytest.importorskip("torch")


@pytest.mark.filterwarnings("ignore:The .grad attribute")
@pytest.mark.parametrize("name", PROGRAMS)
def test_recorded_is_what_pytorch_has(name: str) -> None:
    recorded = json.loads(DATA.read_text(encoding="utf-8"))["figures"][name]
    assert json.loads(json.dumps(asked(torch, PROGRAMS[name]))) == recorded
