"""Operators on nothing, or on a single number, that a look at all of them found different from PyTorch."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from support.live import check_alike

SHAPES = ("0, 2", "2, 0", "0, 0", "3, 2, 0", "3, 0, 2", "0, 2, 2")


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("order", ["1", "-1", "2", "-2", "float('inf')", "-float('inf')", "'nuc'", "'fro'"])
def test_the_norm_of_a_matrix(shape, order):
    for options in ("", ", keepdim=True", ", dim=(0, 1)"):
        check_alike(
            [f"v0 = torch.zeros({shape}, requires_grad=True)", f"v1 = torch.linalg.matrix_norm(v0, {order}{options})"]
        )


@pytest.mark.parametrize("dim", ["(0, 1)", "-1", "(1, 0, 1)", "(1, 5)", "(5, 1)", "()", "(0, 0)", "0"])
@pytest.mark.parametrize("shape", ["0,", "0, 2", "2, 0", ""])
def test_extremes(shape, dim):
    check_alike([f"v0 = torch.zeros(({shape}))", f"v1 = v0.amax({dim})", f"v2 = torch.amin(v0, {dim}, True)"])


@pytest.mark.parametrize(
    "call",
    [
        "bincount(torch.zeros(0, 2).long())",
        "bincount(torch.zeros(2, 0).long(), torch.zeros(2, 0))",
        "bincount(torch.zeros(0).long(), minlength=3)",
        "take_along_dim(torch.tensor(1.0), torch.tensor(0), 0)",
        "take_along_dim(torch.tensor(1.0), torch.tensor(0), -1)",
        *(
            f"index_add(torch.zeros({shape}), {dim}, torch.tensor([7]), torch.ones({source}), alpha={alpha})"
            for shape, dim, source in (
                ("2, 0", 1, "2, 1"),
                ("2, 0", 0, "1, 0"),
                ("0", 0, "1"),
                ("3, 0, 2", 0, "1, 0, 2"),
            )
            for alpha in (1, 2)
        ),
    ],
)
def test_like_pytorch(call):
    check_alike([f"v0 = torch.{call}"])


@pytest.mark.parametrize("keepdim", [True, False])
@pytest.mark.parametrize("shape", ["0,", "2, 0", "3,", ""])
def test_a_logarithm_of_exponentials_along_no_dimensions(shape, keepdim):
    lines = [f"v0 = torch.ones(({shape}), requires_grad=True)", f"v1 = v0.logsumexp((), {keepdim})"]
    check_alike([*lines, "v1.sum().backward()"])


@pytest.mark.parametrize("shape", ["()", "(1,)", "(2,)", "(0, 2)"])
@pytest.mark.parametrize("dim", ["-1", "(-1,)", "(-1, 0)", "(0, 5)", "0"])
def test_slopes_along_dimensions_that_there_are_not(shape, dim):
    check_alike([f"v0 = torch.ones({shape})", f"v1 = one(torch.gradient(v0, dim={dim}, edge_order=2), 0)"])
    check_alike([f"v0 = torch.ones({shape})", f"v1 = one(torch.gradient(v0, spacing=2.0, dim={dim}), 0)"])


@pytest.mark.parametrize("shape", ["2, 0", "0, 3", "0, 0", "2, 3, 0"])
@pytest.mark.parametrize("weight", ["None, None", "torch.ones({size}), None", "torch.ones({size}), torch.ones({size})"])
def test_normalising_nothing(shape, weight):
    size = shape.rpartition(", ")[2]
    call = f"torch.nn.functional.layer_norm(v0, ({size},), {weight.format(size=size)})"
    check_alike([f"v0 = torch.zeros({shape}, requires_grad=True)", f"v1 = {call}", "v1.sum().backward()"])
