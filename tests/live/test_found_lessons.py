"""Lines as lessons write them, which print or refuse here what they do in PyTorch."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from chalkgrad import torch as ours

theirs = pytest.importorskip("torch")
pytest.importorskip("torch.utils.data")

LINES = (
    # An array beside a tensor
    "torch.ones(2) == np.array([1.0, 2.0])",
    "np.array([1.0, 2.0]) == torch.ones(2)",
    "torch.ones(2, requires_grad=True) == np.array([1, 0])",
    "torch.ones(2) == np.array([True, False])",
    "torch.ones(2) == np.array(['a', 'b'])",
    "torch.ones(2) == np.ones(3)",
    "torch.ones(2) == np.ones(2)[::-1]",
    "torch.ones(2) != np.ones(2)",
    "torch.ones(2) == [1, 1]",
    # Turning bits round
    "~torch.ones(2)",
    "~torch.ones(2, dtype=torch.float64, requires_grad=True)",
    "~torch.tensor([1, 0])",
    "~torch.tensor([True, False])",
    "torch.bitwise_not(torch.ones(2))",
    # Other memory
    "torch.ones(3, requires_grad=True).set_(torch.zeros(2))",
    "torch.ones(3, requires_grad=True).view(3).set_(torch.zeros(2))",
    "torch.ones(3, requires_grad=True).detach().set_(torch.zeros(2))",
    # Data that is not there
    "torch.utils.data.DataLoader([], shuffle=True)",
    "len(torch.utils.data.DataLoader([]))",
    "torch.utils.data.RandomSampler([1], num_samples=0)",
    "torch.utils.data.RandomSampler([1], num_samples=1.5)",
    # Files that are none
    "torch.save({}, 3)",
    "torch.load(3)",
    "torch.save({}, 'no such folder/weights.pt')",
    # What a plateau waits for, in the order in which it is printed
    "list(torch.optim.lr_scheduler.ReduceLROnPlateau(torch.optim.SGD([torch.ones(1)], 0.1)).state_dict())",
)
OPENING = "x = torch.tensor([[3.0, 0.0, 0.0]], requires_grad=True)\n"
FUNCTION = """
class Through(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x * 2, {returned}

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_{way}(inputs[0])

    @staticmethod
    def backward(ctx, doubled, same):
        return doubled * 2 + same

{modes}
    found = Through.apply(x{detached})
"""
PROGRAMS = (
    # A margin that all keep: 0, and no -0
    OPENING + "torch.nn.functional.multi_margin_loss(x, torch.tensor([0])).backward()\nfound = 1 / x.grad",
    # Under no_grad a leaf may get other memory
    OPENING + "with torch.no_grad():\n    x.set_(torch.zeros(2))\nfound = x",
    # What comes in, goes out and is saved by setup_context is refused
    *(
        OPENING + FUNCTION.format(returned=returned, way=way, modes=modes, detached=detached)
        for returned in ("x", "x.view_as(x)")
        for way in ("backward", "forward")
        for modes in ("if True:", "with torch.no_grad():")
        for detached in ("", " * 2", ".detach()")
    ),
    # What no_grad marks as dirty is returned without its flag
    OPENING
    + "class Up(torch.autograd.Function):\n"
    + "    forward = staticmethod(lambda ctx, x: (x.add_(1), ctx.mark_dirty(x), x)[2])\n"
    + "with torch.no_grad():\n    made = Up.apply(x)\nfound = made, made is x, made.data_ptr() == x.data_ptr(), x",
)


def _answer(torch: Any, program: str) -> str:
    scope = {"torch": torch, "np": np}
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            exec(program, scope)
            answer = str(scope["found"])
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
    return "\n".join([answer, *(str(warning.message) for warning in heard)])


@pytest.mark.parametrize("program", [*(f"found = {line}" for line in LINES), *PROGRAMS])
def test_a_lesson_reads_what_it_reads_in_pytorch(program: str) -> None:
    assert _answer(ours, program) == _answer(theirs, program)


def test_each_kind_of_read_only_memory_has_a_warning_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """One about a buffer leaves the one about an array to come."""
    monkeypatch.setattr("chalkgrad.engine.base.state.warn_always", True)
    array = np.ones(2)
    array.flags.writeable = False
    with pytest.warns(UserWarning, match="The given buffer is not writable"):
        ours.frombuffer(b"\x01\x02", dtype=ours.uint8)
    with pytest.warns(UserWarning, match="The given NumPy array is not writable"):
        ours.from_numpy(array)
