"""What singular values tell of a matrix: pseudoinverse, rank, condition, and least squares."""

# ruff: noqa: N803, N806  PyTorch calls matrices A, U, S, V

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import TensorBase, counter_of, state
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.outputs import warn_resized
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.recording import computed_with
from chalkgrad.engine.saved import check_countable
from chalkgrad.engine.shapes import broadcast, size_at
from chalkgrad.engine.size import brackets
from chalkgrad.ops.chains import check_square
from chalkgrad.ops.composing import array_in
from chalkgrad.ops.decompositions import composed, singular_values, singular_vectors
from chalkgrad.ops.factors import by_columns
from chalkgrad.ops.linear_algebra import A22, LinAlgError, is_vector, turned
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.samples import M23, M32


def _threshold(A: np.ndarray, S: np.ndarray, atol: Any, rtol: Any) -> np.ndarray:
    """What singular values must exceed to count, for each matrix."""
    absolute = np.asarray(0.0 if atol is None else array_in(atol))
    if rtol is None:
        usual = np.finfo(A.dtype).eps * max(A.shape[-2:])
        relative = np.where(absolute > 0, 0.0, usual)
    else:
        relative = np.asarray(array_in(rtol))
    broadcast(absolute.shape, broadcast(relative.shape, S.shape[:-1]))
    return np.asarray(np.maximum(absolute, relative * S.max(-1, initial=0))).astype(A.dtype)


def _values(A: np.ndarray, hermitian: bool) -> np.ndarray:
    return np.abs(np.linalg.eigvalsh(A)) if hermitian else singular_values(A)


def _check_least_of(A: np.ndarray) -> None:
    """What PyTorch refuses while it works out the tolerance that goes with a number for the other one."""
    size_at(A.shape, -2)
    if A.dtype.kind != "f":
        raise RuntimeError("This function doesn't handle types other than float and double")


# Pseudoinverse


def _pinv(
    self: np.ndarray, atol: Any = None, rtol: Any = None, hermitian: bool = False, rcond: Any = None
) -> np.ndarray:
    if isinstance(atol, (int, float)) and rtol is None and rcond is None:
        _check_least_of(self)
    if self.ndim < 2 or self.dtype.kind != "f":
        raise RuntimeError(
            f"linalg.pinv({dtype_of(self).scalar_type}{{{brackets(self.shape)}}}): expected a tensor with 2 or more "
            "dimensions of float, double, cfloat or cdouble types"
        )
    rows, columns = self.shape[-2:]
    if not self.size:
        return np.empty((*self.shape[:-2], columns, rows), self.dtype)
    if hermitian:
        check_square("linalg.eigh", self.shape)
        values, U = np.linalg.eigh(np.ascontiguousarray(self))
        V = U
    else:
        U, values, Vh = singular_vectors(self)
        V = Vh.swapaxes(-1, -2)
    size = np.abs(values)
    least = _threshold(self, size, 0.0 if rcond is not None else atol, rtol if rcond is None else rcond)
    inverse = np.where(size > least[..., None], 1 / values, 0).astype(self.dtype)
    return np.asarray(np.matmul(V * inverse[..., None, :], U.swapaxes(-1, -2), order="C"))


def _pinv_gradient(o: Any, g: Any, self: Any, result: Any) -> Any:
    """The derivative by the matrix, as long as its rank stays the same; PyTorch works out the last term first."""
    plus, g = turned(o, result), turned(o, g)
    if self.shape[-2] <= self.shape[-1]:
        inner = o.matmul(g, result)
        outer = o.matmul(inner, plus)
        last = o.matmul(o.matmul(plus, result), o.sub(g, o.matmul(inner, self)))
        taken_off = o.matmul(o.matmul(self, result), outer)
        found = o.add(o.neg(turned(o, o.matmul(result, inner))), outer)
        return o.add(o.sub(found, taken_off), last)
    inner = o.matmul(result, g)
    outer = o.matmul(plus, inner)
    last = o.matmul(o.matmul(outer, result), self)
    middle = o.matmul(o.matmul(o.sub(g, o.matmul(self, inner)), result), plus)
    found = o.add(o.neg(turned(o, o.matmul(inner, result))), middle)
    return o.sub(o.add(found, outer), last)


_TOLERANCES = (
    Attribute("atol", "tensor", None, positional=False),
    Attribute("rtol", "tensor", None, positional=False),
    Attribute("hermitian", "bool", False, positional=False),
)

register(
    Record(
        name="linalg_pinv",
        inputs=("self",),
        attributes=(*_TOLERANCES, Attribute("rcond", "tensor", None)),
        promotes="none",
        forward=_pinv,
        vjps={"self": lambda o, g, self, result: _pinv_gradient(o, g, self, result)},
        grad_fn="LinalgPinvBackward0",
        no_gradient=frozenset({"atol", "rtol"}),
        function="torch.linalg.pinv",
        signatures=(
            "linalg_pinv(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False, Tensor out=None)",
            "linalg_pinv(Tensor input, *, float? atol=None, float? rtol=None, bool hermitian=False, Tensor out=None)",
            "linalg_pinv(Tensor input, Tensor rcond, bool hermitian=False, *, Tensor out=None) -> linalg_pinv_rcond",
            "linalg_pinv(Tensor input, float rcond, bool hermitian=False, *, Tensor out=None) -> linalg_pinv_rcond",
        ),
        section="matrix",
        hidden=True,
        part_of="inverse",
        samples=(((A22,), {}), ((M23,), {}), ((M32,), {})),
    )
)
composed(
    "linalg_pinv_rcond",
    ("self",),
    lambda o, self, rcond, hermitian=False: o.linalg_pinv(self, atol=0.0, rtol=rcond, hermitian=hermitian),
    attributes=(Attribute("rcond", "tensor", required=True), Attribute("hermitian", "bool", False)),
)
composed(
    "pinverse",
    ("self",),
    lambda o, self, rcond=1e-15: o.linalg_pinv(self, atol=0.0, rtol=rcond),
    "pinverse(Tensor input, float rcond=1e-15)",
    attributes=(Attribute("rcond", "float", 1e-15),),
    function="torch.pinverse",
    method="pinverse",
)


# Rank


def _rank(self: np.ndarray, atol: Any = None, rtol: Any = None, hermitian: bool = False, tol: Any = None) -> np.ndarray:
    if self.ndim < 2:
        raise RuntimeError("torch.linalg.matrix_rank: The input tensor input must have at least 2 dimensions.")
    if self.dtype.kind != "f" and tol is None and rtol is None:
        raise RuntimeError("This function doesn't handle types other than float and double")
    if not self.size:
        return np.zeros(self.shape[:-2], np.int64)
    if hermitian:
        check_square("linalg.eigh", self.shape)
    if self.dtype.kind != "f":
        if hermitian:
            raise not_implemented("linalg_eigh_cpu", self.dtype)
        kind = dtype_of(self).scalar_type
        raise RuntimeError(f"linalg.svd: Expected a floating point or complex tensor as input. Got {kind}")
    values = _values(self, hermitian)
    least = _threshold(self, values, atol, rtol) if tol is None else np.asarray(array_in(tol))
    broadcast(least.shape, values.shape[:-1])
    return np.asarray((values > least[..., None]).sum(-1), np.int64, order="C")


_RANK_ATTRIBUTES = (*_TOLERANCES, Attribute("tol", "tensor", None))

register(
    Record(
        name="linalg_rank",
        inputs=("self",),
        attributes=_RANK_ATTRIBUTES,
        promotes="none",
        forward=_rank,
        section="matrix",
        hidden=True,
        part_of="inverse",
    )
)


def _matrix_rank(o: Any, self: Any, **options: Any) -> Any:
    """PyTorch writes the counts into the result, which is seen by its version, and saves tolerances on the way."""
    result = o.linalg_rank(self, **options)
    computed_with(self)
    if state.grad and requires_grad_of(self) and self.array.size:
        for tolerance in options.values():
            if isinstance(tolerance, TensorBase):
                check_countable(tolerance)
    if not isinstance(result, np.ndarray):
        counter_of(result).version += 1
        batch = self.array.shape[:-2]
        if result.array.shape != batch and 0 not in batch:  # there are more tolerances than matrices
            warn_resized(batch, result.array.shape)
    return result


register(
    Record(
        name="linalg_matrix_rank",
        inputs=("self",),
        attributes=_RANK_ATTRIBUTES,
        promotes="none",
        forward=_rank,
        compose=_matrix_rank,
        function="torch.linalg.matrix_rank",
        signatures=(
            (
                "linalg_matrix_rank(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False, "
                "Tensor out=None)"
            ),
            (
                "linalg_matrix_rank(Tensor input, *, float? atol=None, float? rtol=None, bool hermitian=False, "
                "Tensor out=None)"
            ),
            "linalg_matrix_rank(Tensor input, Tensor tol, bool hermitian=False, *, Tensor out=None)",
            "linalg_matrix_rank(Tensor input, float tol, bool hermitian=False, *, Tensor out=None)",
        ),
        section="matrix",
        hidden=True,
        part_of="inverse",
    )
)


# Condition


def _cond(o: Any, self: Any, p: Any = None) -> Any:
    if len(self.shape) < 2:
        order, matrix = (f"(ord={p})", "tensor A") if isinstance(p, str) else ("", "tensor")
        raise RuntimeError(f"linalg.cond{order}: The input {matrix} must have at least 2 dimensions.")
    if isinstance(p, str):
        check_square(f"linalg.cond(ord={p})", tuple(self.shape))
    if isinstance(p, str) and p not in ("fro", "nuc"):
        raise RuntimeError(f"linalg.cond got an invalid norm type: {p}")
    if p is not None and not isinstance(p, str) and abs(p) not in (1, 2, float("inf")):
        raise RuntimeError(f"linalg.cond got an invalid norm type: {p}")
    if 0 in self.shape:
        return o.zero_(o.zeros_of(self, tuple(self.shape[:-2])))
    if p is None or p in (2, -2):
        values = o.linalg_svdvals(self)
        count = values.shape[-1]
        ends = [o.slice(values, -1, 0, 1, 1), o.slice(values, -1, count - 1, count, 1)]
        return o.squeeze_dim(o.div(*(ends if p != -2 else ends[::-1])), -1)
    if not isinstance(p, str):
        check_square(f"linalg.cond(ord={format(p, 'g')})", tuple(self.shape))
    if p == "nuc":
        values = o.linalg_svdvals(self)
        return o.mul(o.sum_dim(values, (-1,)), o.sum_dim(o.reciprocal(values), (-1,)))
    inverse, info = o.linalg_inv_ex(self)
    failed = o.unsqueeze(o.unsqueeze(o.gt(info, 0), -1), -1)
    inverse = o.masked_fill_(inverse, failed, float("inf"))
    result = o.mul(o.linalg_matrix_norm(self, p), o.linalg_matrix_norm(inverse, p))
    return o.nan_to_num_(result, float("inf"), float("inf"), -float("inf"))


composed(
    "linalg_cond",
    ("self",),
    _cond,
    "linalg_cond(Tensor input, Scalar? p=None, *, Tensor out=None)",
    "linalg_cond(Tensor input, str p, *, Tensor out=None)",
    attributes=(Attribute("p", "number", None),),
    function="torch.linalg.cond",
)


# Least squares


def _check_least_squares(A: np.ndarray, b: np.ndarray) -> None:
    if A.ndim < 2:
        raise RuntimeError("torch.linalg.lstsq: input must have at least 2 dimensions.")
    if b.ndim < 1:
        raise RuntimeError("torch.linalg.lstsq: other must have at least 1 dimension.")
    if A.dtype != b.dtype:
        raise RuntimeError(
            "torch.linalg.lstsq: Expected input and other to have the same dtype, but got input's dtype "
            f"{dtype_of(A).scalar_type} and other's dtype {dtype_of(b).scalar_type}"
        )
    if not 0 <= A.ndim - b.ndim <= 1:
        raise RuntimeError(
            "torch.linalg.lstsq: input.dim() must be greater or equal to other.dim() and (input.dim() - other.dim()) "
            "<= 1"
        )
    along = -1 if is_vector(A.shape, b.shape) else -2
    if A.shape[-2] != b.shape[along]:
        raise RuntimeError(f"torch.linalg.lstsq: input.size(-2) should match other.size({along})")


def _in_place_of(solution: np.ndarray, rows: int) -> np.ndarray:
    """``solution`` as LAPACK leaves it: where the right side was, in columns of ``rows`` elements."""
    memory = np.zeros((*solution.shape[:-2], rows, solution.shape[-1]), solution.dtype)
    memory[..., : solution.shape[-2], :] = solution
    return by_columns(memory)[..., : solution.shape[-2], :]


def _refuse_lower_rank(A: np.ndarray) -> None:
    """LinAlgError for a matrix whose triangular factor has a 0 on its diagonal, as far as rounding shows it."""
    triangles = np.asarray(np.linalg.qr(A if A.shape[-2] >= A.shape[-1] else A.swapaxes(-1, -2)).R)
    for place in np.ndindex(A.shape[:-2]):
        zeros = np.flatnonzero(np.diagonal(triangles[place]) == 0)
        if zeros.size and A[place].any():  # of nothing but zeros LAPACK has the solution at once
            batch = f"(Batch element {place[0]}): " if place else ""
            raise LinAlgError(
                f"torch.linalg.lstsq: {batch}The least squares solution could not be computed because the input matrix "
                f"does not have full rank (error code: {zeros[0] + 1})."
            )


def _lstsq(
    self: np.ndarray, b: np.ndarray, rcond: float | None = None, driver: str | None = None
) -> tuple[np.ndarray, ...]:
    _check_least_squares(self, b)
    driver = driver or "gelsy"
    if driver not in ("gels", "gelsy", "gelsd", "gelss"):
        raise RuntimeError("torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)")
    if self.dtype.kind != "f":
        if rcond is not None:
            raise not_implemented("linalg_lstsq_cpu", self.dtype)
        raise RuntimeError("This function doesn't handle types other than float and double")
    vector = is_vector(self.shape, b.shape)
    right = b[..., None] if vector else b
    if self.ndim > right.ndim:  # PyTorch takes the rows of such a matrix for a batch, too
        batch = broadcast(self.shape[:-2], b.shape[:-1])
        self, right = (np.broadcast_to(each, batch + each.shape[-2:]) for each in (self, right))
    rows, columns = self.shape[-2:]
    if driver == "gels":
        _refuse_lower_rank(self)
    values = singular_values(self)
    least = (np.finfo(self.dtype).eps * max(rows, columns) if rcond is None else rcond) * values.max(-1, initial=0)
    rank = np.asarray((values > np.asarray(least)[..., None]).sum(-1), np.int64)
    solution = _in_place_of(np.matmul(_pinv(self, rcond=rcond), right), max(rows, columns))
    nothing = np.empty(0, self.dtype)
    residuals = nothing
    if rows > columns and driver != "gelsy" and (rank == columns).all():
        residuals = ((np.matmul(self, solution) - right) ** 2).sum(-2)
    return (
        solution[..., 0] if vector else solution,
        residuals,
        np.empty(0, np.int64) if driver == "gels" else rank,
        values if driver in ("gelsd", "gelss") else nothing,
    )


def _lstsq_gradients(
    o: Any, g: Any, self: Any, b: Any, solution: Any, *, grad_input_mask: tuple[bool, ...]
) -> tuple[Any, Any]:
    """The derivatives by the matrix and by the right sides, of solution and residuals."""
    from_solution, from_residuals = g[:2]
    by_matrix, by_sides = grad_input_mask
    vector = is_vector(tuple(self.shape), tuple(b.shape))

    def widened(value: Any) -> Any:
        return o.unsqueeze(value, -1) if vector else value

    of_matrix, of_sides = None, None
    if from_solution is not None:
        inverse, g_solution = o.linalg_pinv(self), widened(from_solution)
        if by_matrix:
            of_matrix = _pinv_gradient(o, o.matmul(g_solution, turned(o, widened(b))), self, inverse)
        if by_sides:
            of_sides = o.matmul(turned(o, inverse), g_solution)
    if from_residuals is not None and array_in(from_residuals).size:
        X = widened(solution)
        off, weights = o.sub(o.matmul(self, X), widened(b)), o.unsqueeze(from_residuals, -2)
        if by_matrix:
            of_matrix = _joined(o, of_matrix, o.mul_number(o.matmul(o.mul(weights, off), turned(o, X)), 2))
        if by_sides:
            of_sides = _joined(o, of_sides, o.mul(o.mul_number(weights, -2), off))
    return of_matrix, of_sides if of_sides is None or not vector else o.squeeze_dim(of_sides, -1)


def _joined(o: Any, found: Any, part: Any) -> Any:
    return part if found is None else o.add(found, part)


register(
    Record(
        name="linalg_lstsq",
        inputs=("self", "b"),
        attributes=(Attribute("rcond", "float", None), Attribute("driver", "choice", None, positional=False)),
        promotes="none",
        forward=_lstsq,
        vjps=dict.fromkeys(("self", "b"), _lstsq_gradients),
        grad_fn="LinalgLstsqBackward0",
        outputs=("solution", "residuals", "rank", "singular_values"),
        not_differentiable=frozenset({"rank", "singular_values"}),
        returns="linalg_lstsq",
        function="torch.linalg.lstsq",
        signatures=(
            "linalg_lstsq(Tensor input, Tensor b, float? rcond=None, *, str? driver=None, Tensor[4] out=None)",
        ),
        section="matrix",
        hidden=True,
        part_of="inverse",
    )
)
