"""Normalisations of, and by, what is endless or no number, on the PyTorch that is installed: values and gradients."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from support.live import check_alike

INPUTS = {
    "numbers": "0.4, 1.0, 0.5, 0.1, 0.7, -0.2, 0.9, 0.4",
    "an infinity": "0.4, 1.0, inf, 0.1, 0.7, -0.2, 0.9, 0.4",
    "equal numbers": "0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5",
    "zeros of both signs": "0.0, 0.0, 0.0, 0.0, -0.0, -0.0, 3.0, 3.0",
}
PARAMETERS = (("None", "None"), ("[inf, 1.0]", "None"), ("None", "[inf, nan]"), ("[0.3, -inf]", "[0.5, -2.0]"))
SHAPES = ("4, 2", "1, 2, 2, 2")
WAYS = {
    "layer": "torch.layer_norm(v0, (2,), v1, v2, {eps})",
    "batch": "torch.batch_norm(v0, v1, v2, None, None, True, 0.1, {eps}, False)",
    "batch in evaluation": "torch.batch_norm(v0, v1, v2, v3, v4, False, 0.1, {eps}, False)",
    "group": "torch.group_norm(v0, 1, v1, v2, {eps})",
    "groups": "torch.group_norm(v0, 2, v1, v2, {eps})",
    "instance": "torch.nn.functional.instance_norm(v0, None, None, v1, v2, True, 0.1, {eps})",
}


def tensor(values):
    return "None" if values == "None" else f"torch.tensor({values}, dtype=torch.float64, requires_grad=True)"


@pytest.mark.parametrize("eps", [1e-5, 0.0])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("of", INPUTS)
def test_what_is_endless(of, way, shape, eps):
    lines = ["inf, nan = float('inf'), float('nan')"]
    lines += [f"v0 = torch.tensor([{INPUTS[of]}], dtype=torch.float64).reshape({shape}).requires_grad_()"]
    lines += [
        "v3 = torch.tensor([0.5, inf], dtype=torch.float64)",
        "v4 = torch.tensor([0.0, 2.0], dtype=torch.float64)",
    ]
    then = f"v5 = {WAYS[way].format(eps=eps)}"
    after = f"v5.backward(torch.arange(8.0, dtype=torch.float64).reshape({shape}))"
    for weight, bias in PARAMETERS:
        check_alike([*lines, f"v1 = {tensor(weight)}", f"v2 = {tensor(bias)}", then, after])


@pytest.mark.parametrize("laid", ["mT", "to(memory_format=torch.channels_last)", "expand(2, 2, 2, 2)"])
@pytest.mark.parametrize("way", WAYS)
def test_otherwise_in_memory(way, laid):
    lines = ["inf = float('inf')", f"v0 = torch.arange(8.0).reshape(1, 2, 2, 2).{laid}.detach().requires_grad_()"]
    lines += ["v1 = torch.tensor([inf, 1.0])", "v2 = torch.tensor([0.5, inf])", "v3 = v1 * 2", "v4 = v2 * 2"]
    check_alike([*lines, f"v5 = {WAYS[way].format(eps=1e-5)}", "v5.backward(torch.ones_like(v5) * v5.detach().cos())"])


@pytest.mark.parametrize("weight", ["[-0.0, 0.0, inf]", "[inf, 1.0, -2.0]", "[0.0, nan, -inf]"])
def test_rows_of_three_by_endless_weights(weight):
    lines = ["inf, nan = float('inf'), float('nan')", f"v1 = {tensor(weight)}"]
    lines += ["v0 = torch.tensor([[1.0, 1.0, 0.5], [-0.0, 0.7, inf]], dtype=torch.float64, requires_grad=True)"]
    after = "v2.backward(torch.arange(6.0, dtype=torch.float64).reshape(2, 3) - 1)"
    check_alike([*lines, "v2 = torch.layer_norm(v0, (3,), v1, v1)", after])
