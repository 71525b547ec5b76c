"""Random programs behave on our engine as on PyTorch: values, gradients, graphs, flags, versions, printing, errors.

``tests/live/fuzz.py`` searches for longer, and shrinks what it finds.
"""

from __future__ import annotations

import os
import warnings

import pytest
from support.known_differences import explained
from support.outcomes import first_difference
from support.random_programs import Maker

from chalkgrad import torch as ours

theirs = pytest.importorskip("torch")

CHUNKS = int(os.environ.get("CHALKGRAD_RANDOM_PROGRAMS", "400")) // 20


@pytest.fixture(autouse=True)
def every_warning():
    """PyTorch's once-only warnings come every time, and both sides begin with single precision."""
    before = theirs.is_warn_always_enabled()
    theirs.set_warn_always(True)
    yield
    theirs.set_warn_always(before)
    for module in (ours, theirs):
        module.set_default_dtype(module.float32)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_like_pytorch(chunk):
    for seed in range(chunk * 20, chunk * 20 + 20):
        lines = Maker(seed).program(14)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            difference = first_difference(ours, theirs, lines)
        assert difference is None or explained(difference.signature), "\n".join([f"seed {seed}: {difference}", *lines])


def test_a_difference_would_be_found():
    lines = ["v0 = torch.tensor([1.0])", "v1 = v0 * 2"]

    class Liar:
        def __getattr__(self, name):
            return (lambda values: theirs.tensor([values[0] + 1])) if name == "tensor" else getattr(theirs, name)

    assert "of v0 is" in str(first_difference(Liar(), theirs, lines))


def test_programs_reach_most_operators():
    text = "\n".join(line for seed in range(300) for line in Maker(seed).program(14))
    for word in ("register_hook", "register_post_accumulate_grad_hook", "no_grad", "autograd.grad", "retain_grad"):
        assert word in text
    assert sum(f".{name}(" in text for name in ("cumsum", "sort", "matmul", "where", "softmax", "split", "var")) >= 6
