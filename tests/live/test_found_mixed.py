"""Gradients where operands have several dtypes: computed in PyTorch's common dtype, and added as there."""

from __future__ import annotations

import math

import pytest

theirs = pytest.importorskip("torch")

from support.live import check_alike  # noqa: E402

from chalkgrad import torch as ours  # noqa: E402

LEAF = "v0 = torch.tensor([-1.25, 0.7, 2.1]).requires_grad_()"
OTHERS = {
    "integers": "torch.tensor([[3, 123457, -7], [99991, 5, 1]])",
    "bytes": "torch.tensor([[0, 1, 2], [3, 200, 255]], dtype=torch.uint8)",
    "bools": "torch.tensor([[True, False, True]])",
    "a double": "torch.tensor(0.1, dtype=torch.float64)",
    "doubles": "torch.tensor([[0.1, 0.3, 0.7]], dtype=torch.float64)",
}
CALLS = (
    "v2 / v1",
    "v1 / v2",
    "v2 * v1",
    "v2 - v1 * v2",
    "torch.atan2(v2, v1)",
    "torch.xlogy(v2, v1)",
    "torch.maximum(v2, v1)",
    "torch.fmin(v1, v2)",
    "torch.addcdiv(v2, v2, v1)",
    "torch.nn.functional.mse_loss(v2, v1, reduction='none')",
    "torch.nn.functional.poisson_nll_loss(v2, v1)",
)


@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("call", CALLS)
def test_a_gradient_that_comes_twice(call, kind):
    """``v2`` leads to its leaf twice: whether the second is added in place, the version of ``.grad`` shows."""
    check_alike([LEAF, f"v1 = {OTHERS[kind]}", "v2 = v0 - v0", f"v3 = {call}", "v3.sum().backward()"], True)


def test_a_quotient_by_integers_is_of_one_precision():
    x = ours.full((200,), 1.0, requires_grad=True)
    (x / (ours.arange(200) + 16777217)).sum().backward()
    assert x.grad.tolist() == (1 / (ours.arange(200) + 16777217).float()).tolist()


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int64", "float64"])
@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_soft_margins_of_labels_without_signs(reduction, dtype):
    labels = f"torch.tensor([1, 0, 1]).to(torch.{dtype})"
    call = f"torch.nn.functional.soft_margin_loss(v0, {labels}, reduction={reduction!r})"
    check_alike(["v0 = torch.tensor([-0.1666, 0.02, 0.1], requires_grad=True)", f"v1 = {call}", "v1.sum().backward()"])


@pytest.mark.parametrize("value", ["-0.0", "0.0", "0", "True", "float('nan')"])
@pytest.mark.parametrize("dtype", ["float64", "int64"])
def test_zeros_below_0_fill_what_is_like_another(dtype, value):
    check_alike(
        ["v0 = torch.ones(2)", f"v1 = torch.full_like(v0, {value}, dtype=torch.{dtype})", "v2 = v1.float() ** -1"]
    )


@pytest.mark.parametrize("name", ["i0", "i0e", "i1", "i1e"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_bessel_functions_far_from_0(dtype, name):
    values = [2.1, 49.9, -49.9, 50.1, -50.1, 1e3, -1e5, 1e10, 1e16, 1e30, -1e30, math.inf]
    mine = getattr(ours.special, name)(ours.tensor(values, dtype=getattr(ours, dtype)))
    other = getattr(theirs.special, name)(theirs.tensor(values, dtype=getattr(theirs, dtype)))
    near = 1e-5 if dtype == "float32" else 1e-13
    assert mine.tolist() == pytest.approx(other.tolist(), rel=near, abs=0, nan_ok=True)


@pytest.mark.parametrize(
    "bias", ["(1, 3)", "(3,)", "(4,)", "(1, 4)", "(3, 4)", "(2, 1)", "(1, 1)", "(1, 3, 1)", "(1, 1, 1)"]
)
@pytest.mark.parametrize("weight", ["torch.ones(2)", "torch.ones(4, 2)", "torch.ones(2).double()", "torch.ones(4, 3)"])
def test_a_bias_of_one_row_or_column(weight, bias):
    for values in ("ones(2)", "ones(4)[::2]", "ones(1, 3, 2)", "ones(2, 3, 2).transpose(0, 1)", "ones(2).long()"):
        lines = [f"v0 = torch.{values}", "v0.requires_grad_(v0.is_floating_point())", f"v1 = {weight}"]
        for dtype in ("float32", "int64"):
            call = "torch.nn.functional.linear(v0, v1, v2)"
            check_alike([*lines, f"v2 = torch.ones({bias}).to(torch.{dtype})", f"v3 = {call}"])
