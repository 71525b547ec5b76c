"""Losses called with odd arguments: what is refused, when, and what weights do, as in PyTorch."""

from __future__ import annotations

import itertools

import pytest

pytest.importorskip("torch")

from support.live import check_alike

DISTANCES = ("l1_loss", "mse_loss", "huber_loss")
REDUCTIONS = ("'mean'", "'sum'", "'none'", "'x'", "0", "None")
BENDS = (
    "None",
    "'x'",
    "[1.0]",
    "1j",
    "True",
    "-1",
    "float('nan')",
    "1e300",
    "torch.tensor(2.0)",
    "torch.tensor(True)",
    "torch.tensor([2.0])",
    "torch.tensor([1.0, 2.0])",
)
PAIR = ["v0 = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)", "v1 = torch.tensor([0.5, 0.5, 0.5])"]
STALE = [
    "v0 = torch.tensor([1.0, -2.0, 3.0], requires_grad=True) * 1",
    "v1 = torch.tensor([0.5, 0.5, 0.5])",
    "with torch.no_grad(): v2 = v0.view(3)",
    "v0.mul_(2)",
]
"""``v2`` may not be used any more."""


@pytest.mark.parametrize("loss", DISTANCES)
def test_weighted(loss):
    weights = ("torch.tensor([1.0, 2.0, 0.0])", "torch.ones(1, 3)", "torch.ones(1)")
    for weight, reduction, target in itertools.product(weights, REDUCTIONS, ("v1", "v1[:1]", "v1[None]")):
        call = f"torch.nn.functional.{loss}(v0, {target}, reduction={reduction}, weight={weight})"
        check_alike([*PAIR, f"v2 = {call}", "v2.sum().backward()"])


@pytest.mark.parametrize(("loss", "bend"), [("smooth_l1_loss", "beta"), ("huber_loss", "delta")])
def test_where_it_bends(loss, bend):
    for value in BENDS:
        check_alike([*PAIR, f"v2 = torch.nn.functional.{loss}(v0, v1, {bend}={value})"])


@pytest.mark.parametrize("wrong", ["l1_loss(v2, v1, reduction='x')", "smooth_l1_loss(v2, v1, beta=-1)"])
def test_what_is_refused_first(wrong):
    check_alike([*STALE, f"v3 = torch.nn.functional.{wrong}"])
