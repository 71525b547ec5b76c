"""Normalisations differentiated twice and three times: graphs, births, versions and what PyTorch refuses there."""

from __future__ import annotations

from math import prod

import pytest

pytest.importorskip("torch")

from support.live import check_alike

TRAINED = "None, None, True, 0.1, 1e-5, False"
USED = "torch.ones(4), torch.full((4,), 0.7), False, 0.1, 1e-5, False"

CALLS = {
    "rows": ("torch.layer_norm(v0, (3,), v1, v2)", (2, 4, 3), (3,)),
    "matrices": ("torch.layer_norm(v0, (4, 3), v1, v2)", (2, 4, 3), (4, 3)),
    "rows without a bias": ("torch.layer_norm(v0, (3,), v1)", (2, 3), (3,)),
    "a row without a weight": ("torch.layer_norm(v0, (3,), None, v2)", (3,), (3,)),
    "rows alone": ("torch.layer_norm(v0, (3,))", (2, 3), (3,)),
    "channels": (f"torch.batch_norm(v0, v1, v2, {TRAINED})", (2, 4, 3), (4,)),
    "channels of images": (f"torch.batch_norm(v0, v1, v2, {TRAINED})", (2, 3, 2, 2), (3,)),
    "channels without a bias": (f"torch.batch_norm(v0, v1, None, {TRAINED})", (3, 2), (2,)),
    "channels without a weight": (f"torch.batch_norm(v0, None, v2, {TRAINED})", (3, 2), (2,)),
    "channels in use": (f"torch.batch_norm(v0, v1, v2, {USED})", (2, 4, 3), (4,)),
    "channels in use alone": (f"torch.batch_norm(v0, None, None, {USED})", (2, 4), (4,)),
    "groups": ("torch.group_norm(v0, 2, v1, v2)", (2, 4, 3), (4,)),
    "groups without a bias": ("torch.group_norm(v0, 2, v1)", (2, 4, 3), (4,)),
    "groups without a weight": ("torch.group_norm(v0, 2, None, v2)", (2, 4), (4,)),
    "groups alone": ("torch.group_norm(v0, 2)", (2, 4, 3), (4,)),
}


def _leaf(name: str, shape: tuple[int, ...], pace: float) -> str:
    numbers = f"torch.arange({prod(shape)}, dtype=torch.float64).mul({pace}).sin() * 1.7 + 0.1"
    return f"{name} = ({numbers}).reshape({shape}).requires_grad_()"


@pytest.mark.parametrize("again", ["[v0]", "[v1]", "[v0, v1]"])
@pytest.mark.parametrize("first", ["[v0]", "[v0, v1]", "[v1]", "[v0, v1, v2]", "[v2]"])
@pytest.mark.parametrize("name", CALLS)
def test_by_input_weight_and_bias(name, first, again):
    call, whole, parameters = CALLS[name]
    options = "create_graph=True, allow_unused=True"
    check_alike(
        [
            "torch.set_default_dtype(torch.float64)",
            _leaf("v0", whole, 0.37),
            _leaf("v1", parameters, 0.27),
            _leaf("v2", parameters, 0.47),
            f"v3 = {call}",
            f"v4 = torch.autograd.grad((v3 * v3).sum(), {first}, {options})",
            "v5 = sum((slope * slope).sum() for slope in v4 if slope is not None)",
            f"v6 = torch.autograd.grad(v5, {again}, {options})",
            "v7 = v6[0]",
            "v8 = v6[-1]",
            "v9 = sum((slope * slope).sum() for slope in v6 if slope is not None)",
            f"v10, = torch.autograd.grad(v9, [v0], {options})",
        ]
    )
