"""Matrices as products of orthogonal, triangular and diagonal ones: QR, eigenvectors, singular vectors."""

# ruff: noqa: N803, N806  PyTorch calls matrices A, Q, R, U, S, V

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import TensorBase, counter_of
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.results import return_type
from chalkgrad.engine.warning import warn_once
from chalkgrad.ops.chains import check_square
from chalkgrad.ops.composing import array_in, made_of_others
from chalkgrad.ops.factors import by_columns, first_failed
from chalkgrad.ops.linear_algebra import LinAlgError, check_floating, difference, turned
from chalkgrad.ops.overloads import not_implemented, zeros_as

Shape = tuple[int, ...]
Arrays = tuple[np.ndarray, ...]


def composed(name: str, inputs: tuple[str, ...], compose: Callable[..., Any], *signatures: str, **more: Any) -> None:
    """An operator on matrices that is made of others."""
    made_of_others(name, inputs, compose, *signatures, section="matrix", hidden=True, part_of="inverse", **more)


def _check(name: str, A: np.ndarray) -> None:
    if A.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    check_floating(name, A)


def _apart(o: Any, values: Any) -> Any:
    """The differences between all values of each vector, with 1 instead of 0 on the diagonal."""
    taken_off = o.unsqueeze(values, -1)  # PyTorch's compiler works out the last operand first
    return o.with_unit_diagonal(o.sub(o.unsqueeze(values, -2), taken_off))


# QR


def _qr(A: np.ndarray, mode: str = "reduced") -> Arrays:
    _check("linalg.qr", A)
    if mode not in ("reduced", "r", "complete"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )
    if mode == "r":
        triangle: np.ndarray = np.linalg.qr(A, mode)  # type: ignore[call-overload]
        return np.empty(0, A.dtype), by_columns(triangle)
    Q, R = np.linalg.qr(A, mode)  # type: ignore[call-overload]
    return by_columns(Q), by_columns(R)


def _qr_gradient(o: Any, g: Any, Q: Any, R: Any, mode: str) -> Any:
    if mode == "r":
        raise RuntimeError(
            "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use linalg.qr(A, "
            "mode='reduced') if you are going to differentiate through linalg.qr."
        )
    rows, columns = Q.shape[-2], R.shape[-1]
    if mode == "complete" and rows > columns:
        raise RuntimeError("The QR decomposition is not differentiable when mode='complete' and nrows > ncols.")
    gQ, gR = g
    left = None if gQ is None else o.matmul(turned(o, Q), gQ)
    right = None if gR is None else o.matmul(gR, turned(o, R))
    inner = difference(o, right, left)
    return _tall_gradient(o, gQ, inner, Q, R) if rows >= columns else _wide_gradient(o, gR, o.neg(inner), Q, R)


def _tall_gradient(o: Any, gQ: Any, inner: Any, Q: Any, R: Any) -> Any:
    inner = o.triu(inner)
    found = o.matmul(Q, o.with_halved_diagonal(o.add(inner, turned(o, inner))))
    if gQ is not None:
        found = o.add(found, gQ)
    return o.linalg_solve_triangular(turned(o, R), found, upper=False, left=False)


def _wide_gradient(o: Any, gR: Any, inner: Any, Q: Any, R: Any) -> Any:
    rows, columns = Q.shape[-2], R.shape[-1]
    found = o.matmul(Q, o.tril(o.sub(inner, turned(o, inner))))
    square = o.slice(R, -1, 0, rows, 1)
    found = o.linalg_solve_triangular(turned(o, square), found, upper=False, left=False)
    rest = o.zeros_of(found, (*found.shape[:-1], columns - rows))
    found = o.cat([found, rest], -1)
    return found if gR is None else o.add(found, o.matmul(Q, gR))


register(
    Record(
        name="linalg_qr",
        inputs=("A",),
        attributes=(Attribute("mode", "choice", "reduced", choices=("reduced", "complete", "r")),),
        promotes="none",
        forward=_qr,
        vjps={"A": lambda o, g, Q, R, mode: _qr_gradient(o, g, Q, R, mode)},
        grad_fn="LinalgQrBackward0",
        outputs=("Q", "R"),
        returns="linalg_qr",
        function="torch.linalg.qr",
        signatures=('linalg_qr(Tensor A, str mode="reduced", *, Tensor[2] out=None)',),
        section="matrix",
        hidden=True,
        part_of="inverse",
    )
)

_OLD_QR = (
    "torch.qr is deprecated in favor of torch.linalg.qr and will be removed in a future PyTorch release.\nThe boolean "
    "parameter 'some' has been replaced with a string parameter 'mode'.\nQ, R = torch.qr(A, some)\nshould be replaced "
    "with\nQ, R = torch.linalg.qr(A, 'reduced' if some else 'complete')"
)


def _old_qr(o: Any, self: Any, some: bool = True) -> Any:
    warn_once(_OLD_QR)
    return return_type("qr", ("Q", "R"))(o.linalg_qr(self, "reduced" if some else "complete"))


composed(
    "qr",
    ("self",),
    _old_qr,
    "qr(Tensor input, bool some=True, *, Tensor[2] out=None)",
    attributes=(Attribute("some", "bool", True),),
    function="torch.qr",
    method="qr",
)


# Eigenvectors of symmetric matrices


def _eigh(A: np.ndarray, UPLO: str = "L", compute_v: bool = True) -> Arrays:
    check_square("linalg.eigh", A.shape)
    if UPLO.upper() not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    if A.dtype.kind != "f":
        raise not_implemented("linalg_eigh_cpu", A.dtype)
    A = np.ascontiguousarray(A)  # NumPy's results lie as what they are of
    if not compute_v:
        return np.linalg.eigvalsh(A, UPLO.upper()), np.empty(0, A.dtype)  # type: ignore[call-overload]
    values, vectors = np.linalg.eigh(A, UPLO.upper())  # type: ignore[call-overload]
    return values, by_columns(vectors)


def _eigh_gradient(o: Any, g: Any, L: Any, V: Any) -> Any:
    gL, gV = g
    if gV is None:
        back = turned(o, V)  # PyTorch's compiler works out the last operand first
        return o.matmul(o.mul(V, o.unsqueeze(gL, -2)), back)
    inner = o.matmul(turned(o, V), gV)
    inner = o.div(o.mul_number(o.sub(inner, turned(o, inner)), 0.5), _apart(o, L))
    if gL is not None:
        inner = o.with_diagonal(inner, gL)
    return o.matmul(V, o.matmul(inner, turned(o, V)))


_UPLO = Attribute("UPLO", "choice", "L", choices=("L", "U"))

register(
    Record(
        name="linalg_eigh_both",
        inputs=("A",),
        attributes=(_UPLO, Attribute("compute_v", "bool", True)),
        promotes="none",
        forward=_eigh,
        vjps={"A": lambda o, g, eigenvalues, eigenvectors: _eigh_gradient(o, g, eigenvalues, eigenvectors)},
        grad_fn="LinalgEighBackward0",
        outputs=("eigenvalues", "eigenvectors"),
        section="matrix",
        hidden=True,
        part_of="inverse",
    )
)
composed(
    "linalg_eigh",
    ("self",),
    lambda o, self, UPLO="L": return_type("linalg_eigh", ("eigenvalues", "eigenvectors"))(
        o.linalg_eigh_both(self, UPLO)
    ),
    'linalg_eigh(Tensor input, str UPLO="L", *, Tensor[2] out=None)',
    attributes=(_UPLO,),
    function="torch.linalg.eigh",
)
composed(
    "linalg_eigvalsh",
    ("self",),
    lambda o, self, UPLO="L": o.linalg_eigh_both(self, UPLO, _is_recorded(self))[0],
    'linalg_eigvalsh(Tensor input, str UPLO="L", *, Tensor out=None)',
    attributes=(_UPLO,),
    function="torch.linalg.eigvalsh",
)


def _is_recorded(A: Any) -> bool:
    """True where the vectors are needed too, for the derivative."""
    return not isinstance(A, np.ndarray) and requires_grad_of(A)


# Singular vectors


def singular_vectors(A: np.ndarray, full_matrices: bool = False) -> Arrays:
    """U, S and Vh of each matrix; LinAlgError where LAPACK finds none."""
    with _converging(A):
        U, S, Vh = np.linalg.svd(np.ascontiguousarray(A), full_matrices)
    return U, S, Vh


def singular_values(A: np.ndarray) -> np.ndarray:
    """S alone."""
    with _converging(A):
        return np.linalg.svd(np.ascontiguousarray(A), compute_uv=False)


@contextmanager
def _converging(A: np.ndarray) -> Iterator[None]:
    failed = "linalg.svd: {}The algorithm failed to converge because the input matrix"
    bad = first_failed(np.isnan(A).any(axis=(-2, -1)))
    if bad is not None:
        raise LinAlgError(f"{failed.format(bad[0])} contained non-finite values.")
    try:
        yield
    except np.linalg.LinAlgError:
        batch = "(Batch element 0): " if A.ndim > 2 else ""
        raise LinAlgError(
            f"{failed.format(batch)} is ill-conditioned or has too many repeated singular values (error code: "
            f"{min(A.shape[-2:]) - 1})."
        ) from None


def _svd(A: np.ndarray, full_matrices: bool = False, compute_uv: bool = True, driver: str | None = None) -> Arrays:
    _check("linalg.svd", A)
    if driver is not None:
        raise RuntimeError(
            "linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend."
        )
    if not compute_uv:
        nothing = np.empty(0, A.dtype)
        return nothing, singular_values(A), nothing
    U, S, Vh = singular_vectors(A, full_matrices)
    return by_columns(U), S, by_columns(Vh)


def _svd_gradient(o: Any, g: Any, U: Any, S: Any, Vh: Any, full_matrices: bool) -> Any:
    gU, gS, gVh = g
    count, rows, columns = S.shape[-1], U.shape[-2], Vh.shape[-1]
    if full_matrices:
        Vh = o.slice(Vh, -2, 0, count, 1)  # PyTorch's compiler works out the last argument first
        U = o.slice(U, -1, 0, count, 1)
        gVh = None if gVh is None else o.slice(gVh, -2, 0, count, 1)
        gU = None if gU is None else o.slice(gU, -1, 0, count, 1)
    if gU is None and gVh is None:
        if rows >= columns:
            return o.matmul(U, o.mul(o.unsqueeze(gS, -1), Vh))
        return o.matmul(o.mul(U, o.unsqueeze(gS, -2)), Vh)
    inner = _turning(o, gU, gVh, U, S, Vh)
    if gS is not None:
        inner = o.add(inner, o.diag_embed(gS))
    if rows > columns and gU is not None:
        inner, rest = o.matmul(U, inner), o.div(gU, o.unsqueeze(S, -2))
        within = o.matmul(U, o.matmul(turned(o, U), rest))
        return o.matmul(o.sub(o.add(inner, rest), within), Vh)
    if rows < columns and gVh is not None:
        inner, rest = o.matmul(inner, Vh), o.div(gVh, o.unsqueeze(S, -1))
        within = o.matmul(o.matmul(rest, turned(o, Vh)), Vh)
        return o.matmul(U, o.sub(o.add(inner, rest), within))
    return o.matmul(U, o.matmul(inner, Vh)) if rows >= columns else o.matmul(o.matmul(U, inner), Vh)


def _turning(o: Any, gU: Any, gVh: Any, U: Any, S: Any, Vh: Any) -> Any:
    """What comes from the vectors turning within the space that they span."""
    left = None if gU is None else _skew(o, o.matmul(turned(o, U), gU))
    right = None if gVh is None else _skew(o, o.matmul(Vh, turned(o, gVh)))
    apart = _apart(o, o.mul(S, S))
    if left is None:
        right = o.div(right, apart)
        return o.mul(o.unsqueeze(S, -1), right)
    if right is None:
        columns = o.unsqueeze(S, -2)
        return o.mul(o.div(left, apart), columns)
    by_rows = o.mul(o.unsqueeze(S, -1), right)
    return o.div(o.add(o.mul(left, o.unsqueeze(S, -2)), by_rows), apart)


def _skew(o: Any, square: Any) -> Any:
    return o.sub(square, turned(o, square))


register(
    Record(
        name="linalg_svd_all",
        inputs=("A",),
        attributes=(
            Attribute("full_matrices", "bool", False),
            Attribute("compute_uv", "bool", True),
            Attribute("driver", "choice", None),
        ),
        promotes="none",
        forward=_svd,
        vjps={
            "A": lambda o, g, U, S, Vh, S_sym_argsize_minus_1, full_matrices: _svd_gradient(
                o, g, U, S, Vh, full_matrices
            )
        },
        grad_fn="LinalgSvdBackward0",
        outputs=("U", "S", "Vh"),
        section="matrix",
        hidden=True,
        part_of="inverse",
    )
)


def _linalg_svd(o: Any, A: Any, full_matrices: bool = True, driver: str | None = None) -> Any:
    return return_type("linalg_svd", ("U", "S", "Vh"))(o.linalg_svd_all(A, full_matrices, True, driver))


_DRIVER = Attribute("driver", "choice", None, positional=False)

composed(
    "linalg_svd",
    ("A",),
    _linalg_svd,
    "linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None, Tensor[3] out=None)",
    attributes=(Attribute("full_matrices", "bool", True), _DRIVER),
    function="torch.linalg.svd",
)
composed(
    "linalg_svdvals",
    ("A",),
    lambda o, A, driver=None: o.linalg_svd_all(A, False, _is_recorded(A), driver)[1],
    "linalg_svdvals(Tensor A, *, str? driver=None, Tensor out=None)",
    attributes=(_DRIVER,),
    function="torch.linalg.svdvals",
)


def _old_svd(o: Any, self: Any, some: bool = True, compute_uv: bool = True) -> Any:
    several = return_type("svd", ("U", "S", "V"))
    shape = array_in(self).shape
    if len(shape) < 2:
        raise RuntimeError(
            f"linalg.svd: input should have at least 2 dimensions, but has {len(shape)} dimensions instead"
        )
    if compute_uv:
        U, S, Vh = o.linalg_svd(self, not some)
        return several((U, S, turned(o, Vh)))
    dtype = array_in(self).dtype
    sides = [zeros_as(o, self, ((*shape[:-2], size, size), dtype)) for size in shape[-2:]]
    for side in sides:
        if isinstance(side, TensorBase):
            counter_of(side).version += 1  # PyTorch fills them
    return several((sides[0], o.linalg_svdvals(self), sides[1]))


composed(
    "svd",
    ("self",),
    _old_svd,
    "svd(Tensor input, bool some=True, bool compute_uv=True, *, Tensor[3] out=None)",
    attributes=(Attribute("some", "bool", True), Attribute("compute_uv", "bool", True)),
    function="torch.svd",
    method="svd",
)
