"""The largest singular values of a matrix, found in a random subspace that is turned towards them."""

from __future__ import annotations

from chalkgrad.engine.dtype import float32
from chalkgrad.engine.tensor import Tensor
from chalkgrad.ops.random import randn
from chalkgrad.torch.linalg import qr, svd

__all__ = ["pca_lowrank", "svd_lowrank"]

Factors = tuple[Tensor, Tensor, Tensor]


def _basis(matrix: Tensor, count: int, turns: int, shift: Tensor | None) -> Tensor:
    """Directions that reach nearly all that ``matrix``, less ``shift``, reaches."""

    def times(vectors: Tensor, turned: bool = False) -> Tensor:
        found = (matrix.mH if turned else matrix).matmul(vectors)
        return found if shift is None else found - (shift.mH if turned else shift).matmul(vectors)

    dtype = matrix.dtype if matrix.is_floating_point() else float32
    basis: Tensor = qr(times(randn(matrix.shape[-1], count, dtype=dtype))).Q
    for _ in range(turns):
        basis = qr(times(basis, turned=True)).Q
        basis = qr(times(basis)).Q
    return basis


def svd_lowrank(A: Tensor, q: int | None = 6, niter: int | None = 2, M: Tensor | None = None) -> Factors:  # noqa: N803
    """The ``q`` largest singular values of ``A``, or of ``A - M``, with their vectors: ``U``, ``S`` and ``V``."""
    wide = A.shape[-2] < A.shape[-1]
    shift = None if M is None else M.broadcast_to(A.size())
    if wide:
        A, shift = A.mH, None if shift is None else shift.mH  # noqa: N806
    basis = _basis(A, 6 if q is None else q, 2 if niter is None else niter, shift)
    small = basis.mH.matmul(A)
    if shift is not None:
        small = small - basis.mH.matmul(shift)
    left, values, right = svd(small, full_matrices=False)
    second = right.mH
    first = basis.matmul(left)
    return (second, values, first) if wide else (first, values, second)


def pca_lowrank(A: Tensor, q: int | None = None, center: bool = True, niter: int = 2) -> Factors:  # noqa: N803
    """The same of rows whose mean is taken away first: the principal components are the columns of ``V``."""
    least = min(A.shape[-2:])
    if q is None:
        q = min(6, least)
    elif not 0 <= q <= least:
        raise ValueError(f"q(={q}) must be non-negative integer and not greater than min(m, n)={least}")
    if not niter >= 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    return svd_lowrank(A - A.mean(dim=(-2,), keepdim=True) if center else A, q, niter)
