"""Operators whose second derivatives random search once found different: their graphs are PyTorch's."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from support.live import check_alike

OPERATORS = {
    "layer": "torch.nn.functional.layer_norm(v0, (3,), v1, v1 * 2)",
    "layer alone": "torch.nn.functional.layer_norm(v0, (2, 3))",
    "batch": "torch.nn.functional.batch_norm(v0, None, None, v1, v1 * 2, training=True)",
    "batch that was seen": "torch.nn.functional.batch_norm(v0, torch.zeros(3), torch.ones(3), v1, v1 * 2)",
    "group": "torch.nn.functional.group_norm(v0, 1, v1, v1 * 2)",
    "convolution": "torch.nn.functional.conv1d(v0[None], v0[None], v1[:1])",
    "convolution turned": "torch.nn.functional.conv_transpose1d(v0[None], v0[:, None])",
    "factors": "torch.linalg.lu_factor_ex(v0)[0]",
    "factors of a square": "torch.linalg.lu_factor_ex(v0[:, :2])[0]",
    "factors of what is high": "torch.linalg.lu_factor_ex(v0.t())[0]",
    "lower factor": "torch.linalg.lu(v0)[1]",
    "upper factor": "torch.linalg.lu(v0.t())[2]",
    "singular values": "torch.linalg.svdvals(v0)",
    "singular vectors": "torch.linalg.svd(v0, full_matrices=False)[2].abs()",
    "triangle": "torch.linalg.qr(v0)[1].abs()",
    "triangle of a square": "torch.linalg.qr(v0[:, :2])[1].abs()",
    "eigenvalues": "torch.linalg.eigh(v0[:, :2])[0]",
    "eigenvectors": "torch.linalg.eigh(v0[:, :2])[1].abs()",
    "solved": "torch.linalg.solve(v0[:, :2], torch.ones(2, 3))",
    "solved with a triangle": "torch.linalg.solve_triangular(v0[:, :2], torch.ones(2, 3), upper=True)",
    "root": "torch.linalg.cholesky(v0 @ v0.t())",
}
"""Operators whose node makes several gradients, or one in many steps."""


@pytest.mark.parametrize("name", OPERATORS)
def test_the_graph_of_the_gradient_and_the_second_derivative(name):
    program = [
        "torch.set_default_dtype(torch.float64)",
        "v0 = torch.tensor([[1.0, 2.0, 3.5], [4.0, -5.0, 7.0]], requires_grad=True)",
        "v1 = torch.tensor([1.0, -2.0, 0.5], requires_grad=True)",
        f"v2 = {OPERATORS[name]}",
        "v3, v4 = torch.autograd.grad((v2 * v2 * v2).sum(), [v0, v1], create_graph=True, allow_unused=True)",
        "v5, = torch.autograd.grad((v3 * v3).sum(), [v0])",
    ]
    check_alike(program)
