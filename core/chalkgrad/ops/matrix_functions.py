"""The exponential of matrices, and matrices of powers and of combinations."""

# ruff: noqa: N803  PyTorch calls matrices A

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import TensorBase, counter_of
from chalkgrad.engine.memory_format import check_size
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.rules import ARRAYS
from chalkgrad.ops.composing import array_in, like, of_arrays, write_part
from chalkgrad.ops.decompositions import composed
from chalkgrad.ops.linear_algebra import A22, check_matrices, square, turned
from chalkgrad.ops.samples import V3

_TERMS = 20


def _exponential(self: np.ndarray) -> np.ndarray:
    """Taylor's series of the matrix divided by a power of 2, squared as often."""
    check_matrices("linalg.matrix_exp", self)
    if self.shape[-1] == 1:
        return ARRAYS.exp(self)  # type: ignore[no-any-return]
    if self.size:
        ARRAYS.view(self, (-1, *self.shape[-2:]))  # which PyTorch computes on, and refuses what can't be viewed so
    finite = np.isfinite(self).all((-2, -1), keepdims=True)  # of any other matrix nothing but nan comes
    whole = np.where(finite, self, 0).astype(np.float64)
    largest = (np.abs(whole) / 2).sum(-2).max(initial=0)  # the sum of the largest numbers would be infinite
    halvings = max(0, int(np.ceil(np.log2(largest))) + 2) if largest else 0
    step = np.ldexp(whole, -halvings)
    term = total = np.broadcast_to(np.eye(self.shape[-1]), self.shape)
    for number in range(1, _TERMS):
        term = np.matmul(term, step) / number
        total = total + term
    for _ in range(halvings):
        total = np.matmul(total, total)
    return np.ascontiguousarray(np.where(finite, total, np.nan)).astype(self.dtype)


def _exponential_gradient(o: Any, g: Any, self: Any) -> Any:
    """The upper right of the exponential of twice the matrix with the gradient beside it."""
    size, across = self.shape[-1], turned(o, self)
    whole = o.zeros_of(g, (*g.shape[:-2], 2 * size, 2 * size))
    for row, column, part in ((0, 0, across), (1, 1, across), (0, 1, g)):
        write_part(o, _block(o, whole, row, column, size), part)
    return _block(o, o.linalg_matrix_exp(whole), 0, 1, size)


def _block(o: Any, whole: Any, row: int, column: int, size: int) -> Any:
    """One of the four square parts of a matrix."""
    rows = o.slice(whole, -2, row * size, (row + 1) * size, 1)
    return o.slice(rows, -1, column * size, (column + 1) * size, 1)


register(
    Record(
        name="linalg_matrix_exp",
        inputs=("self",),
        promotes="none",
        forward=_exponential,
        vjps={"self": lambda o, g, self: _exponential_gradient(o, g, self)},
        grad_fn="LinalgMatrixExpBackward0",
        function="torch.linalg.matrix_exp",
        signatures=("linalg_matrix_exp(Tensor input)",),
        shape=square("linalg.matrix_exp"),
        section="matrix",
        hidden=True,
        part_of="inverse",
        samples=(((A22,), {}),),
    )
)
composed(
    "matrix_exp",
    ("self",),
    lambda o, self: o.linalg_matrix_exp(self),
    "matrix_exp(Tensor input)",
    function="torch.matrix_exp",
    method="matrix_exp",
)


# Powers


def _powers(o: Any, x: Any, N: int | None = None) -> Any:
    if array_in(x).dtype.kind == "b":
        raise RuntimeError("linalg.vander supports floating point, complex, and integer tensors, but got Bool")
    x = x if x.shape else o.unsqueeze(x, 0)
    shape = tuple(x.shape)
    count = shape[-1] if N is None else N
    if count <= 1:
        raise RuntimeError("N must be greater than 1.")
    powers = o.cumprod(o.expand(o.unsqueeze(x, -1), (*shape, count - 1)), -1)
    first = like(x, np.ones((*shape, 1), array_in(powers).dtype))
    return o.cat([first, powers], -1)


composed(
    "linalg_vander",
    ("x",),
    _powers,
    "linalg_vander(Tensor x, *, SymInt? N=None)",
    attributes=(Attribute("N", "int", None, positional=False),),
    function="torch.linalg.vander",
)


def _vander(o: Any, x: Any, N: int | None = None, increasing: bool = False) -> Any:
    if len(x.shape) != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    size = x.shape[0]
    count = size if N is None else N
    if count < 0:
        raise RuntimeError("N must be non-negative.")
    dtype = array_in(x).dtype
    check_size((size, count), dtype.itemsize if dtype.kind == "f" else 8)
    whole = like(x, np.ones((size, count), dtype if dtype.kind == "f" else np.int64))
    if count and isinstance(whole, TensorBase):
        counter_of(whole).version += 1  # PyTorch fills the first column
    if count > 1:  # written like PyTorch writes it, which is seen in the graph
        o.copy_(o.slice(whole, 1, 1, count, 1), o.unsqueeze(x, 1))
        o.copy_(o.slice(whole, 1, 1, count, 1), o.cumprod(o.slice(whole, 1, 1, count, 1), 1))
    return whole if increasing else o.flip(whole, (1,))


composed(
    "vander",
    ("x",),
    _vander,
    "vander(Tensor x, int? N=None, bool increasing=False)",
    attributes=(Attribute("N", "int", None), Attribute("increasing", "bool", False)),
    forward=of_arrays("vander"),
    function="torch.vander",
)


# Combinations


def _places(count: int, r: int, with_replacement: bool) -> np.ndarray:
    choose = combinations_with_replacement if with_replacement else combinations
    return np.array(list(choose(range(count), r)), np.int64).reshape(-1, r)


def _combinations(o: Any, self: Any, r: int = 2, with_replacement: bool = False) -> Any:
    if len(self.shape) != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {list(self.shape)}")
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    if r == 0:
        return o.zeros_of(self, (0,))
    count = self.shape[0]
    chosen = np.zeros((count,) * r, bool)
    chosen[tuple(_places(count, r, with_replacement).T)] = True
    mask = like(self, chosen)
    grids = [
        o.expand(o.view(self, (*(1,) * place, count, *(1,) * (r - 1 - place))), (count,) * r) for place in range(r)
    ]
    return o.stack([o.masked_select(grid, mask) for grid in grids], 1)


composed(
    "combinations",
    ("self",),
    _combinations,
    "combinations(Tensor input, int r=2, bool with_replacement=False)",
    attributes=(Attribute("r", "int", 2), Attribute("with_replacement", "bool", False)),
    function="torch.combinations",
    samples=(((V3,), {}), ((V3, 2, True), {})),
)
