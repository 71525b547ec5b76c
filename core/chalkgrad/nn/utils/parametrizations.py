"""The usual parametrisations: orthogonal matrices, weights of a given length, and of spectral norm 1."""

from __future__ import annotations

from enum import Enum, auto
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase, new_tensor
from chalkgrad.engine.modes import no_grad
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn import functional
from chalkgrad.nn.module import Module
from chalkgrad.nn.modules.conv import _ConvTransposeNd
from chalkgrad.nn.utils.parametrize import register_parametrization
from chalkgrad.ops.create import empty, eye, zeros
from chalkgrad.ops.random import randn
from chalkgrad.ops.weight_norm import norm_except_dim
from chalkgrad.ops.weight_norm import weight_norm as _weighted

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]


class _OrthMaps(Enum):
    """How a matrix is made orthogonal."""

    matrix_exp = auto()
    cayley = auto()
    householder = auto()


def _turned(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array.swapaxes(-2, -1))


def _is_orthogonal(matrix: np.ndarray) -> bool:
    rows, columns = matrix.shape[-2:]
    near = 10.0 * rows * np.finfo(matrix.dtype).eps
    product = matrix.swapaxes(-2, -1) @ matrix
    return np.allclose(product, np.eye(columns, dtype=matrix.dtype), atol=near)


def _make_orthogonal(matrix: np.ndarray) -> Tensor:
    """The orthogonal matrix whose triangular factor has no negative numbers in its diagonal."""
    found, triangle = np.linalg.qr(matrix)
    signs = np.sign(np.diagonal(triangle, axis1=-2, axis2=-1))
    return _tensor(found).mul_(_tensor(signs[..., None, :]))


def _reflected(vectors: Tensor, lengths: Tensor) -> Tensor:
    """The first columns of the product of the reflections by the columns of ``vectors``, below a diagonal of ones."""
    rows, columns = vectors.size(-2), vectors.size(-1)
    ones = eye(rows, columns, dtype=vectors.dtype)
    vectors = vectors.tril(-1) + ones
    product = ones.expand(*vectors.shape[:-2], -1, -1)
    for column in reversed(range(columns)):
        vector = vectors[..., column : column + 1]
        product = product - (lengths[..., column, None, None] * vector) @ (vector.mT @ product)
    return product


class _Orthogonal(Module):
    """An orthogonal matrix, or one with orthonormal rows or columns, made of any matrix."""

    base: Tensor | None

    def __init__(self, weight: Tensor, orthogonal_map: _OrthMaps, *, use_trivialization: bool = True) -> None:
        super().__init__()
        self.shape, self.orthogonal_map = weight.shape, orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X: Tensor) -> Tensor:  # noqa: N803  as PyTorch calls it
        """The orthogonal matrix."""
        wide = X.size(-2) < X.size(-1)
        matrix = X.mT if wide else X
        made = self._by_reflections(matrix) if self.orthogonal_map == _OrthMaps.householder else self._skew(matrix)
        if hasattr(self, "base"):
            assert self.base is not None
            made = self.base @ made
        return made.mT if wide else made

    def _skew(self, matrix: Tensor) -> Tensor:
        """By a skew-symmetric matrix, which is the logarithm of a rotation."""
        rows, columns = matrix.size(-2), matrix.size(-1)
        matrix = matrix.tril()
        if rows != columns:
            rest = zeros(rows, rows - columns, dtype=matrix.dtype).expand(*matrix.shape[:-2], -1, -1)
            matrix = TENSORS.cat([matrix, rest], -1)
        skew = matrix - matrix.mT
        if self.orthogonal_map == _OrthMaps.matrix_exp:
            made: Tensor = TENSORS.linalg_matrix_exp(skew)
        else:
            one = eye(rows, dtype=skew.dtype)
            made = TENSORS.linalg_solve(one.add(skew, alpha=-0.5), one.add(skew, alpha=0.5))
        return made[..., :columns] if rows != columns else made

    def _by_reflections(self, matrix: Tensor) -> Tensor:
        below = matrix.tril(-1)
        lengths = 2.0 / (1.0 + (below * below).sum(-2))
        signs: Any = matrix.diagonal(dim1=-2, dim2=-1)
        found: Tensor = _reflected(below, lengths) * signs.int().unsqueeze(-2)
        return found

    def right_inverse(self, Q: Tensor) -> Tensor:  # noqa: N803
        """What the orthogonal matrix ``Q`` is made of."""
        if Q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape {Q.shape}."
            )
        with no_grad():
            return self._without_base(Q) if not hasattr(self, "base") else self._with_base(Q)

    def _without_base(self, wanted: Tensor) -> Tensor:
        if self.orthogonal_map != _OrthMaps.householder:
            raise NotImplementedError(
                "It is not possible to assign to the matrix exponential or the Cayley parametrizations when "
                "use_trivialization=False."
            )
        wide = wanted.size(-2) < wanted.size(-1)
        array = _turned(wanted.array) if wide else wanted.array
        packed, lengths = np.linalg.qr(array, mode="raw")
        packed = _turned(packed).astype(array.dtype)
        diagonal = np.einsum("...ii->...i", packed[..., : packed.shape[-1], :])
        diagonal[...] = np.where(lengths == 0, -1, 1) * np.sign(diagonal)
        return _tensor(_turned(packed) if wide else packed)

    def _with_base(self, wanted: Tensor) -> Tensor:
        wide = wanted.size(-2) < wanted.size(-1)
        array = _turned(wanted.array) if wide else wanted.array
        rows, columns = array.shape[-2:]
        if rows == columns:
            self.base = _tensor(array.copy()) if _is_orthogonal(array) else _make_orthogonal(array)
        else:
            more = randn(*array.shape[:-2], rows, rows - columns, dtype=wanted.dtype)
            self.base = _make_orthogonal(np.concatenate([array, more.array], -1))
        start: Tensor = TENSORS.zeros_of(wanted, tuple(wanted.shape))
        start.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
        return start


def _tensor(array: np.ndarray) -> Tensor:
    found: Tensor = new_tensor(array)  # type: ignore[assignment]
    return found


def _weight_of(module: Module, name: str) -> Tensor:
    weight = getattr(module, name, None)
    if not isinstance(weight, TensorBase):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    return weight  # type: ignore[return-value]


def orthogonal(
    module: Module, name: str = "weight", orthogonal_map: str | None = None, *, use_trivialization: bool = True
) -> Module:
    """Keep a weight an orthogonal matrix, by one of three maps."""
    weight = _weight_of(module, name)
    if weight.ndim < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    if orthogonal_map is None:
        orthogonal_map = "matrix_exp" if weight.size(-2) == weight.size(-1) else "householder"
    if orthogonal_map not in _OrthMaps.__members__:
        raise ValueError(
            f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}'
        )
    made = _Orthogonal(weight, _OrthMaps[orthogonal_map], use_trivialization=use_trivialization)
    return register_parametrization(module, name, made, unsafe=True)


class _WeightNorm(Module):
    """A weight made of a length and a direction."""

    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Tensor, weight_v: Tensor) -> Tensor:
        """The weight."""
        found: Tensor = _weighted(TENSORS, weight_v, weight_g, self.dim)
        return found

    def right_inverse(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        """Length and direction of the weight."""
        return norm_except_dim(TENSORS, weight, self.dim), weight


def weight_norm(module: Module, name: str = "weight", dim: int = 0) -> Module:
    """Learn a weight's length and its direction apart."""
    register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def rename(state_dict: dict[str, Any], prefix: str, *_: Any) -> None:
        """States that the older function of the same name wrote."""
        old = [f"{prefix}{name}_g", f"{prefix}{name}_v"]
        if all(key in state_dict for key in old):
            for number, key in enumerate(old):
                state_dict[f"{prefix}parametrizations.{name}.original{number}"] = state_dict.pop(key)

    module._register_load_state_dict_pre_hook(rename)
    return module


class _SpectralNorm(Module):
    """A weight divided by its spectral norm, which is followed by power iteration."""

    _u: Tensor
    _v: Tensor

    def __init__(self, weight: Tensor, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        super().__init__()
        ndim = weight.ndim
        if not -ndim <= dim < ndim:
            raise IndexError(f"Dimension out of range (expected to be in range of [-{ndim}, {ndim - 1}] but got {dim})")
        if n_power_iterations <= 0:
            raise ValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.dim, self.eps = dim % ndim, eps
        if ndim > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._matrix(weight)
            for name, size in zip(("_u", "_v"), matrix.size(), strict=True):
                self.register_buffer(name, empty(size, dtype=weight.dtype).normal_(0, 1))
            self._u, self._v = (functional.normalize(vector, dim=0, eps=eps) for vector in (self._u, self._v))
            self._iterate(matrix, 15)

    def _matrix(self, weight: Tensor) -> Tensor:
        if self.dim:
            weight = weight.permute(self.dim, *(dim for dim in range(weight.dim()) if dim != self.dim))
        return weight.flatten(1)

    def _iterate(self, matrix: Tensor, count: int) -> None:
        """Turn both vectors towards the directions in which the matrix stretches most."""
        with no_grad():
            for _ in range(count):
                functional.normalize(matrix.mv(self._v), dim=0, eps=self.eps, out=self._u)
                functional.normalize(matrix.mT.mv(self._u), dim=0, eps=self.eps, out=self._v)

    def forward(self, weight: Tensor) -> Tensor:
        """The weight over its norm."""
        if weight.ndim == 1:
            return functional.normalize(weight, dim=0, eps=self.eps)
        matrix = self._matrix(weight)
        if self.training:
            self._iterate(matrix, self.n_power_iterations)
        return weight / self._u.clone().vdot(matrix.mv(self._v.clone()))

    def right_inverse(self, value: Tensor) -> Tensor:
        """Any weight is made of itself, if not quite."""
        return value


def spectral_norm(
    module: Module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Module:
    """Keep the spectral norm of a weight at 1."""
    weight = _weight_of(module, name)
    if dim is None:
        dim = 1 if isinstance(module, _ConvTransposeNd) else 0
    return register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim, eps))
