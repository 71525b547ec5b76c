"""What random search takes for an accident of rounding, where an operator makes much of the last digits."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

import torch
from support.known_differences import explained
from support.outcomes import first_difference

from chalkgrad import torch as ours


def test_a_quotient_of_what_cancelled():
    rounded = "v0 = torch.tensor([1.0, float('nan')]) * (1e-8 if torch.__name__ == 'torch' else 0)"
    found = first_difference(ours, torch, [rounded, "v1 = v0 / v0"])
    assert found is not None
    assert explained(found.signature)
    wrong = "v1 = v0 / (1 if torch.__name__ == 'torch' else v0)"
    found = first_difference(ours, torch, ["v0 = torch.tensor([0.0, float('nan')])", wrong])
    assert found is not None
    assert not explained(found.signature)


def test_where_the_largest_of_nearly_equal_numbers_is():
    near = "v0 = torch.tensor([1.0, 1.0]) + torch.tensor([0.0, 1.2e-7 if torch.__name__ == 'torch' else -6e-8])"
    found = first_difference(ours, torch, [near, "v1 = v0.cummax(0)[1]"])
    assert found is not None
    assert explained(found.signature)
    wrong = "v1 = v0.cummax(0)[1] + (torch.__name__ == 'torch')"
    found = first_difference(ours, torch, ["v0 = torch.tensor([1.0, 1.0])", wrong])
    assert found is not None
    assert not explained(found.signature)


def test_what_cancelled_written_over():
    rest = "v0 = torch.tensor([1.0, 0.0 if torch.__name__ == 'torch' else 3e-17], dtype=torch.float64)"
    found = first_difference(ours, torch, [rest, "v0.reciprocal_()"])
    assert found is not None
    assert explained(found.signature)
    wrong = "v0.mul_(1 if torch.__name__ == 'torch' else 2)"
    found = first_difference(ours, torch, ["v0 = torch.tensor([1.0, 0.0], dtype=torch.float64)", wrong])
    assert found is not None
    assert not explained(found.signature)
