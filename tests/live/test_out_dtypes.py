"""What PyTorch says where a tensor given as ``out`` has a dtype that the result can't be written into."""

from __future__ import annotations

import pytest

theirs = pytest.importorskip("torch")

from chalkgrad import torch as ours  # noqa: E402

CALLS = [
    "cross(a, a, out=out)",
    "diff(a, out=out)",
    "tensordot(a, a, 1, out=out)",
    "clamp(a, a, a, out=out)",
    "clamp(a, 0, 1, out=out)",
    "maximum(a, a, out=out)",
    "max(a, a, out=out)",
    "max(a, out=out)",
    "cumsum(a, 0, out=out)",
    "cumprod(a, 0, out=out)",
    "cholesky(s, out=out)",
    "cholesky_inverse(s, out=out)",
    "cholesky_solve(a, s, out=out)",
    "linalg.det(s, out=out)",
    "linalg.cholesky(s, out=out)",
    "linalg.eigvalsh(s, out=out)",
    "linalg.svdvals(s, out=out)",
    "linalg.cond(s, out=out)",
    "linalg.matrix_rank(s, out=out)",
    "linalg.vecdot(a, a, out=out)",
    "linalg.matmul(a, a, out=out)",
    "argsort(a, out=out)",
    "linalg.multi_dot([a, s, a], out=out)",
]


def said(torch, call, dtype):
    """The kind and the text of the error, None where there is none."""
    a = torch.arange(9.0).reshape(3, 3).sin()
    s = a @ a.T + torch.eye(3)
    out = torch.empty(0, dtype=getattr(torch, dtype))
    try:
        eval(f"torch.{call}", {"torch": torch, "a": a, "s": s, "out": out})
    except Exception as error:
        return type(error).__name__, str(error)
    return None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["int64", "bool", "float64", "float32"])
@pytest.mark.parametrize("call", CALLS)
def test_the_same_error(call, dtype):
    assert said(ours, call, dtype) == said(theirs, call, dtype)
