"""``svd_lowrank`` and ``pca_lowrank`` give PyTorch's vectors, up to signs, and its gradients."""

from __future__ import annotations

import numpy as np
import pytest

from chalkgrad import torch as ours

theirs = pytest.importorskip("torch")


def found(torch, name, shape, **settings):
    torch.manual_seed(1)
    matrix = torch.tensor(np.random.RandomState(0).randn(*shape), requires_grad=True)
    left, values, right = getattr(torch, name)(matrix, **settings)
    (left @ torch.diag_embed(values) @ right.mH).pow(3).sum().backward()
    arrays = [value.detach().numpy() for value in (values, left.abs(), right.abs(), matrix.grad)]
    return arrays, type(left.grad_fn).__name__, torch.rand(1).item()


@pytest.mark.parametrize("name", ["svd_lowrank", "pca_lowrank"])
@pytest.mark.parametrize("shape", [(6, 4), (4, 6), (2, 7, 5)])
@pytest.mark.parametrize("settings", [{"q": 2}, {"q": 3, "niter": 0}, {"q": 3, "niter": 1}])
def test_as_in_pytorch(name, shape, settings):
    mine, expected = found(ours, name, shape, **settings), found(theirs, name, shape, **settings)
    assert mine[1:] == expected[1:]
    for array, wanted in zip(mine[0], expected[0], strict=True):
        np.testing.assert_allclose(array, wanted, rtol=1e-9, atol=1e-9)


def test_a_matrix_taken_away_and_numbers_refused():
    shift = np.ones((6, 4))
    for torch in (ours, theirs):
        torch.manual_seed(1)
        values = torch.svd_lowrank(torch.tensor(shift * 2), 1, M=torch.tensor(shift))[1]
        np.testing.assert_allclose(values.numpy(), [np.sqrt(24)])
        with pytest.raises(
            ValueError, match=r"q\(=5\) must be non-negative integer and not greater than min\(m, n\)=4"
        ):
            torch.pca_lowrank(torch.ones(6, 4), q=5)
        with pytest.raises(ValueError, match=r"niter\(=-1\) must be non-negative integer"):
            torch.pca_lowrank(torch.ones(6, 4), niter=-1)
