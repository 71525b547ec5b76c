"""Random programs behave on our engine as on PyTorch: values, gradients, flags, names, versions, errors."""

from __future__ import annotations

import os

import pytest
from support.random_programs import Maker, first_difference

from chalkgrad import torch as ours

theirs = pytest.importorskip("torch")

CHUNKS = int(os.environ.get("CHALKGRAD_RANDOM_PROGRAMS", "400")) // 20


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_like_pytorch(chunk):
    for seed in range(chunk * 20, chunk * 20 + 20):
        lines = Maker(seed).program(14)
        difference = first_difference(ours, theirs, lines)
        assert difference is None, "\n".join([f"seed {seed}: {difference}", *lines])


def test_a_difference_would_be_found():
    lines = ["v0 = torch.tensor([1.0])", "v1 = v0 * 2"]

    class Liar:
        def __getattr__(self, name):
            return (lambda values: theirs.tensor([values[0] + 1])) if name == "tensor" else getattr(theirs, name)

    assert "v0 is" in first_difference(Liar(), theirs, lines)
