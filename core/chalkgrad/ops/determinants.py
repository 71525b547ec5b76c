"""Determinants of square matrices."""

# ruff: noqa: N803, N806  PyTorch calls matrices A, L, U

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import get_default_dtype
from chalkgrad.engine.record import Record
from chalkgrad.engine.results import return_type
from chalkgrad.ops.chains import check_square
from chalkgrad.ops.composing import array_in, through
from chalkgrad.ops.factors import factorised
from chalkgrad.ops.linear_algebra import A22, A33, check_matrices, turned
from chalkgrad.ops.lu import check_lu_solve

Shape = tuple[int, ...]
Arrays = tuple[np.ndarray, ...]


def _shape(name: str) -> Any:
    def shape(self: Shape) -> Shape:
        check_square(name, self)
        return self[:-2]

    return shape


def _factors(name: str, A: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """LU factors of the matrix, of its transpose where that lies in columns, with the diagonal and its sign."""
    check_matrices(name, A)
    LU, pivots, _ = factorised(A.swapaxes(-1, -2) if A.flags.c_contiguous else A)
    odd = (pivots != np.arange(1, A.shape[-1] + 1)).sum(-1) % 2
    return LU, pivots, np.diagonal(LU, 0, -2, -1), np.asarray(1 - 2 * odd, A.dtype)


def _det(A: np.ndarray) -> Arrays:
    LU, pivots, diagonal, sign = _factors("linalg.det", A)
    return np.asarray(diagonal.prod(-1) * sign, A.dtype), LU, pivots


def _on_diagonal(o: Any, values: Any, A: Any) -> Any:
    """One number for each matrix, all along a diagonal."""
    spread = o.expand(o.unsqueeze(values, -1), tuple(A.shape[:-1]))
    return turned(o, o.diag_embed(spread))


def _solved(o: Any, A: Any, LU: Any, pivots: Any, right: Any) -> Any:
    """The solution for the transpose of A: from the factors at hand, or, to be differentiated, from A itself."""
    if isinstance(A, np.ndarray):
        return o.linalg_lu_solve(LU, pivots, right, adjoint=not A.flags.c_contiguous)
    return o.linalg_solve(turned(o, A), right)


def _det_gradient(o: Any, g: Any, A: Any, LU: Any, pivots: Any, result: Any) -> Any:
    if not array_in(A).size:
        return o.zeros_of(A, tuple(A.shape))
    if A.shape[-1] == 1:
        return o.expand(o.unsqueeze(o.unsqueeze(g, -1), -1), tuple(A.shape))
    right = _on_diagonal(o, o.mul(g, result), A)
    tiny = np.finfo(array_in(A).dtype).eps
    if isinstance(A, np.ndarray):  # the determinant is smooth: a singular matrix is moved a little
        zeros = np.eye(A.shape[-1], dtype=bool) & (LU == 0)
        moved = LU + np.where(zeros, tiny, 0).astype(get_default_dtype().numpy)  # the dtype that PyTorch gives numbers
        check_lu_solve(moved, pivots, right)
        return _solved(o, A, moved, pivots, right)
    singular = np.abs(array_in(result)) < 100 * tiny
    if not singular.any():
        return _solved(o, A, LU, pivots, right)
    return _by_singular_values(o, g, A)


def _by_singular_values(o: Any, g: Any, A: Any) -> Any:
    """The derivative of the determinant of singular matrices too: the products of all singular values but one."""
    U, S, Vh = o.linalg_svd(A)
    scale = o.mul(o.mul(o.linalg_det(U), o.linalg_det(Vh)), g)
    count = A.shape[-1]
    others = [o.prod(_without(o, S, place, count), -1) for place in range(count)]
    weights = o.mul(o.unsqueeze(scale, -1), o.stack(others, -1))
    return o.matmul(o.mul(U, o.unsqueeze(weights, -2)), Vh)


def _without(o: Any, S: Any, place: int, count: int) -> Any:
    return o.cat([o.slice(S, -1, 0, place, 1), o.slice(S, -1, place + 1, count, 1)], -1)


register(
    Record(
        name="linalg_det_lu",
        inputs=("A",),
        promotes="none",
        forward=_det,
        vjps={"A": lambda o, g, A, LU, pivots, result: _det_gradient(o, g, A, LU, pivots, result)},
        grad_fn="LinalgDetBackward0",
        outputs=("result", "LU", "pivots"),
        not_differentiable=frozenset({"LU", "pivots"}),
        section="matrix",
        hidden=True,
        part_of="det",
    )
)


def _det_record(name: str, source: str, **more: Any) -> None:
    def compose(o: Any, A: Any) -> Any:
        return o.linalg_det_lu(A)[0]

    register(
        Record(
            name=name,
            inputs=(source,),
            promotes="none",
            forward=through(compose),
            compose=compose,
            grad_fn="LinalgDetBackward0",
            shape=_shape("linalg.det"),
            section="matrix",
            **more,
        )
    )


_det_record(
    "det",
    "self",
    function="torch.det",
    method="det",
    signatures=("det(Tensor input)",),
    latex=r"\det \self",
    derivatives={"self": r"g \det(\self) \, \self^{-\top}"},
    samples=(((A22,), {}), ((A33,), {})),
    bad_samples=(
        (
            (np.ones((2, 3)),),
            {},
            "RuntimeError",
            "linalg.det: A must be batches of square matrices, but they are 2 by 3 matrices",
        ),
    ),
)
_det_record(
    "linalg_det",
    "A",
    function="torch.linalg.det",
    signatures=("linalg_det(Tensor A, *, Tensor out=None)",),
    hidden=True,
    part_of="det",
)


# Sign and logarithm


def _slogdet(A: np.ndarray) -> Arrays:
    LU, pivots, diagonal, sign = _factors("linalg.slogdet", A)
    logarithm = np.log(np.abs(diagonal)).sum(-1, dtype=A.dtype)
    return np.asarray(sign * np.sign(diagonal).prod(-1), A.dtype), np.asarray(logarithm), LU, pivots


def _slogdet_gradient(o: Any, g: Any, A: Any, LU: Any, pivots: Any) -> Any:
    """The sign doesn't change where there is a derivative."""
    return None if g[1] is None else _solved(o, A, LU, pivots, _on_diagonal(o, g[1], A))


register(
    Record(
        name="linalg_slogdet_lu",
        inputs=("A",),
        promotes="none",
        forward=_slogdet,
        vjps={"A": lambda o, g, A, LU, pivots, sign: _slogdet_gradient(o, g, A, LU, pivots)},
        grad_fn="LinalgSlogdetBackward0",
        outputs=("sign", "logabsdet", "LU", "pivots"),
        not_differentiable=frozenset({"LU", "pivots"}),
        section="matrix",
        hidden=True,
        part_of="det",
    )
)


def _slogdet_record(name: str, source: str, signature: str, **places: Any) -> None:
    several = return_type(name, ("sign", "logabsdet"))

    def compose(o: Any, A: Any) -> Any:
        return several(o.linalg_slogdet_lu(A)[:2])

    register(
        Record(
            name=name,
            inputs=(source,),
            promotes="none",
            forward=through(compose),
            compose=compose,
            outputs=("sign", "logabsdet"),
            returns=name,
            signatures=(signature,),
            section="matrix",
            hidden=True,
            part_of="det",
            **places,
        )
    )


_slogdet_record(
    "linalg_slogdet", "A", "linalg_slogdet(Tensor A, *, Tensor[2] out=None)", function="torch.linalg.slogdet"
)
_slogdet_record(
    "slogdet", "self", "slogdet(Tensor input, *, Tensor[2] out=None)", function="torch.slogdet", method="slogdet"
)


def _logdet(o: Any, self: Any) -> Any:
    check_matrices("logdet", array_in(self))
    sign, logabsdet = o.linalg_slogdet(self)
    return o.where(o.eq(sign, -1.0), float("nan"), logabsdet)


register(
    Record(
        name="logdet",
        inputs=("self",),
        promotes="none",
        forward=through(_logdet),
        compose=_logdet,
        function="torch.logdet",
        method="logdet",
        signatures=("logdet(Tensor input)",),
        section="matrix",
        hidden=True,
        part_of="det",
        samples=(((A33,), {}),),
    )
)
