"""Products and factors of what inference mode made: what PyTorch's kernels do within, of which autograd hears."""

# ruff: noqa: N803, N806  PyTorch calls matrices A, B, L, U

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase, new_tensor
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.messages import NOT_DIFFERENTIATED
from chalkgrad.engine.saved import check_countable
from chalkgrad.ops.within import Within, by_out, copies, has_elements, plain, written


def _mv(o: Any, self: TensorBase, vec: TensorBase) -> Any:
    found = plain(o, "mv", (self, vec), {})
    return o.addmv_(found, self, vec, beta=0, alpha=1)


def _addmm(name: str) -> Within:
    """The product of matrices that is added to what was copied."""
    copying = copies(name, 0)

    def run(o: Any, self: TensorBase, one: TensorBase, other: TensorBase, beta: Any, alpha: Any) -> Any:
        if not beta:
            return None
        found = copying(o, self, one, other, beta=beta, alpha=alpha)
        if name == "addmm" and not one.array.shape[-1] and found.array.size and requires_grad_of(found):
            written(found, lambda: o.mul_number_(found, other=beta))
        return found

    return run


def _addbmm(o: Any, self: TensorBase, batch1: TensorBase, batch2: TensorBase, beta: Any, alpha: Any) -> Any:
    found = plain(o, "addbmm", (self, batch1, batch2), {"beta": beta, "alpha": alpha})
    if beta and self.array.shape == found.array.shape:
        written(found, lambda: o.copy_(found, self))
    if not len(batch1.array):
        written(found, lambda: o.mul_number_(found, other=beta) if beta else o.zero_(found))
    for number in range(len(batch1.array)):
        matrices = [o.select(batch, dim=0, index=number) for batch in (batch1, batch2)]
        written(found, lambda given=matrices: o.addmm_(found, *given, beta=beta, alpha=alpha))  # type: ignore[misc]
    return found


def _qr(o: Any, A: TensorBase, mode: str) -> Any:
    """Reflections are computed where there is room: in Q, in R, or beside them."""
    found = Q, R = plain(o, "linalg_qr", (A,), {"mode": mode})
    rows, columns = A.array.shape[-2:]
    if mode != "r" and Q.array.shape[-1] == columns:
        raise RuntimeError(NOT_DIFFERENTIATED.format("triu"))
    if R.array.shape[-2] != rows:
        return found
    elements = R.array.copy()
    o.copy_(R, A)
    if mode != "r":
        wide = rows < columns
        part = o.slice(R, dim=-1, start=0, end=rows, step=1) if wide else R
        into = Q if wide else o.slice(Q, dim=-1, start=0, end=columns, step=1)
        written(Q, lambda: o.copy_(into, part))
    o.triu_(R, diagonal=0)
    R.array[...] = elements
    return found


def _solve(o: Any, A: TensorBase, B: TensorBase, left: bool) -> None:
    if requires_grad_of(A) or (requires_grad_of(B) and A.array.ndim == B.array.ndim):
        raise RuntimeError(
            NOT_DIFFERENTIATED.format("linalg_lu_factor_ex" if requires_grad_of(A) else "linalg_lu_solve")
        )


def _lu_unpack(o: Any, LU_data: TensorBase, LU_pivots: Any, unpack_data: bool, unpack_pivots: bool) -> None:
    rows, columns = LU_data.array.shape[-2:]
    if unpack_data and requires_grad_of(LU_data):
        raise RuntimeError(NOT_DIFFERENTIATED.format("triu" if rows < columns else "tril"))


def _pinv(o: Any, self: TensorBase, atol: Any, rtol: Any, hermitian: bool, rcond: Any) -> Any:
    if any(isinstance(one, int | float) or (one is not None and one.counter is None) for one in (atol, rtol, rcond)):
        check_countable(self)
    if not hermitian or not self.array.size:
        return None
    values, vectors = o.linalg_eigh_both(self, UPLO="L", compute_v=True)
    scales = new_tensor(np.ones_like(values.array)[..., None, :])
    turned = o.transpose(vectors, dim0=-2, dim1=-1)  # C++ looks at the last argument first
    found = o.matmul(o.mul(vectors, scales), turned)
    options = {"atol": atol, "rtol": rtol, "hermitian": hermitian, "rcond": rcond}
    found.array[...] = plain(o, "linalg_pinv", (self,), options).array
    return found


def _cholesky(o: Any, self: TensorBase, upper: bool, check_errors: bool) -> None:
    if self.array.size:
        raise RuntimeError(NOT_DIFFERENTIATED.format("triu" if upper else "tril"))


def _solves_rows(LU: Any, pivots: Any, B: TensorBase, left: bool, adjoint: bool) -> bool:
    """True where the other side is copied as it is, and not one that is turned."""
    return left


MATRICES: dict[str, Within] = {
    "mv": _mv,
    "addmm": _addmm("addmm"),
    "baddbmm": _addmm("baddbmm"),
    "addbmm": _addbmm,
    "linalg_lu_factor_ex": copies("linalg_lu_factor_ex", 0, 0, has_elements),
    "linalg_eigh_both": copies("linalg_eigh_both", 0, 1, lambda A, compute_v, **_: compute_v and A.array.size),
    "linalg_solve_triangular": copies("linalg_solve_triangular", 1),
    "linalg_lu_solve": copies("linalg_lu_solve", 2, 0, _solves_rows),
    "lu_unpack": _lu_unpack,
    "linalg_lu": by_out("linalg_lu_factor_ex"),
    "linalg_solve_lu": _solve,
    "linalg_inv_ex": by_out("_linalg_solve_ex"),
    "linalg_lstsq": by_out("linalg_lstsq"),
    "linalg_cholesky_ex": _cholesky,
    "cholesky_inverse": by_out("cholesky_inverse"),
    "linalg_qr": _qr,
    "linalg_pinv": _pinv,
}
"""The kernels of matrices, by operator."""
