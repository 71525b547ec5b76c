"""``torch.histogram`` counts, weighs and refuses as PyTorch does."""

from __future__ import annotations

import pytest
from support.facts import differences, facts

from chalkgrad import torch as ours

theirs = pytest.importorskip("torch")

COUNTED = """
x = torch.tensor([1.0, 2.0, 1.0, float('nan'), 3.0, 5.0])
square, three = torch.ones(2, 2), torch.tensor([1.0, 2.0, 1.0], requires_grad=True)
calls = [
    lambda: torch.histogram(x, torch.tensor([0.0, 1.0, 3.0]), density=True), lambda: torch.histogram(x, 4, range=(0.0, 4.0)), lambda: torch.histogram(x, 4, range=(0, 4)),
    lambda: torch.histogram(three, 4, weight=torch.tensor([0.5, 0.5, 2.0]), density=True), lambda: torch.histogram(square, 3, range=(1.0, 1.0)), lambda: square.histogram(2, range=(0.0, 2.0)),
    lambda: torch.histogram(square, 2, weight=square, density=True, range=(5.0, 6.0)), lambda: torch.histogram(torch.tensor([]), 4), lambda: torch.histogram(torch.ones(2), 4), lambda: torch.histogram(square, torch.tensor([3.0, 1.0, 0.0])),
    lambda: torch.histogram(square.double(), 2), lambda: torch.histogram(three), lambda: str(torch.histogram(square, 2)), lambda: type(torch.histogram(three, 2).hist.grad_fn).__name__, lambda: torch.histogram(three, 2).hist.sum().backward(),
    lambda: torch.histogram(square, torch.tensor([1.0])), lambda: torch.histogram(square, torch.tensor([])), lambda: torch.histogram(square, 0), lambda: torch.histogram(square, 2, range=(1.0,)), lambda: torch.histogram(square, 2, range=(1.0, float('inf'))), lambda: torch.histogram(x, 4),
    lambda: torch.histogram(square, 2, range=(3.0, 1.0)), lambda: torch.histogram(square, 2.5), lambda: torch.histogram(), lambda: torch.histogram(torch.tensor([1, 2]), 4), lambda: torch.histogram(square > 0, 2), lambda: torch.histogram(torch.ones(3).int(), torch.tensor([1, 2]).int()), lambda: torch.histogram(square, torch.tensor([[0.0, 1.0]])),
    lambda: torch.histogram(square, torch.tensor([0, 1])), lambda: torch.histogram(square, 4, weight=torch.ones(2)), lambda: torch.histogram(square, 4, weight=square.double()),
]
for call in calls:
    note(call)
"""  # noqa: E501 - code in a string


def test_as_in_pytorch():
    assert differences(facts(ours, COUNTED), facts(theirs, COUNTED), 1e-6) == []
