"""Powers of a matrix, products of vectors in batches, and chains of matrices multiplied in the cheapest order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from chalkgrad.engine.device import contiguous_format
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.record import Attribute
from chalkgrad.engine.size import brackets
from chalkgrad.ops.composing import array_in
from chalkgrad.ops.contraction import composed
from chalkgrad.ops.samples import matrix

Shape = tuple[int, ...]


def check_square(name: str, shape: Shape) -> None:
    """RuntimeError unless ``shape`` is that of square matrices."""
    if len(shape) < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    if shape[-1] != shape[-2]:
        raise RuntimeError(
            f"{name}: A must be batches of square matrices, but they are {shape[-2]} by {shape[-1]} matrices"
        )


def _matrix_power(o: Any, self: Any, n: int) -> Any:
    check_square("linalg.matrix_power", tuple(self.shape))
    if n == 0:
        array = array_in(self)
        ones = np.broadcast_to(np.eye(array.shape[-1], dtype=array.dtype), array.shape)
        return o.mul_number(o.clone(self), 0) + ones if isinstance(self, np.ndarray) else _identity(o, self, ones)
    if n < 0:
        self, n = o.linalg_inv(self), -n
        if n == 1:
            return self
    if n == 1:
        return o.contiguous(self, memory_format=contiguous_format)
    if n == 3:
        return o.matmul(o.matmul(self, self), self)
    result = None
    while n:
        if n & 1:
            result = self if result is None else o.matmul(result, self)
        n >>= 1
        if n:
            self = o.matmul(self, self)
    return result


def _identity(o: Any, self: Any, values: np.ndarray) -> Any:
    """Identity matrices written over a copy of ``self``, so that they are recorded as made from it."""
    whole = o.contiguous(self, memory_format=contiguous_format)
    ones = o.detach(o.clone(self))
    ones.array[...] = values
    return o.copy_(whole, ones)


composed(
    "matrix_power",
    ("self",),
    _matrix_power,
    "matrix_power(Tensor input, int n, *, Tensor out=None)",
    method="matrix_power",
    attributes=(Attribute("n", "int", required=True),),
    samples=(((matrix((1.0, 0.5), (0.25, 2.0)), 2), {}), ((matrix((1.0, 0.5), (0.25, 2.0)), 5), {})),
)


composed(
    "linalg_matrix_power",
    ("self",),
    _matrix_power,
    "linalg_matrix_power(Tensor input, int n, *, Tensor out=None)",
    function="torch.linalg.matrix_power",
    attributes=(Attribute("n", "int", required=True),),
)
composed(
    "linalg_matmul",
    ("self", "other"),
    lambda o, self, other: o.matmul(self, other),
    "linalg_matmul(Tensor input, Tensor other, *, Tensor out=None)",
    function="torch.linalg.matmul",
)


def _vecdot(o: Any, x: Any, y: Any, dim: int = -1) -> Any:
    first, second = dtype_of(array_in(x)), dtype_of(array_in(y))
    if not first.is_floating_point:
        raise RuntimeError(
            f"linalg.vecdot: Expected a floating point or complex tensor as input. Got {first.scalar_type}"
        )
    if first is not second:
        raise RuntimeError(
            "linalg.vecdot: Expected x and y to have the same dtype, but found x of type "
            f"{first.scalar_type} and y of type {second.scalar_type} instead"
        )
    if len(x.shape) == len(y.shape) == 1:
        return o.vdot(x, y)
    return o.sum(o.mul(x, y), (dim,))


composed(
    "linalg_vecdot",
    ("x", "y"),
    _vecdot,
    "linalg_vecdot(Tensor x, Tensor y, *, int dim=-1, Tensor out=None)",
    function="torch.linalg.vecdot",
    attributes=(Attribute("dim", "int", -1, positional=False),),
)
composed(
    "linalg_diagonal",
    ("A",),
    lambda o, A, offset=0, dim1=-2, dim2=-1: o.diagonal(A, offset, dim1, dim2),  # noqa: N803  PyTorch's name
    "linalg_diagonal(Tensor A, *, int offset=0, int dim1=-2, int dim2=-1)",
    function="torch.linalg.diagonal",
    attributes=(
        Attribute("offset", "int", 0, positional=False),
        Attribute("dim1", "int", -2, positional=False),
        Attribute("dim2", "int", -1, positional=False),
    ),
)


def _cheapest(sizes: Sequence[int]) -> dict[tuple[int, int], int]:
    """Where to split each part of a chain of matrices so that the fewest multiplications are needed."""
    count = len(sizes) - 1
    cost = {(place, place): 0 for place in range(count)}
    cuts: dict[tuple[int, int], int] = {}
    for length in range(1, count):
        for first in range(count - length):
            last = first + length
            ways = [
                cost[first, cut] + cost[cut + 1, last] + sizes[first] * sizes[cut + 1] * sizes[last + 1]
                for cut in range(first, last)
            ]
            cost[first, last] = min(ways)
            equal = [place for place, way in enumerate(ways) if way == min(ways)]
            cuts[first, last] = first + equal[-1 if count == 3 else 0]
    return cuts


def _multiply(o: Any, tensors: Sequence[Any], cuts: dict[tuple[int, int], int], first: int, last: int) -> Any:
    if first == last:
        return tensors[first]
    cut = cuts[first, last]
    right = _multiply(o, tensors, cuts, cut + 1, last)  # PyTorch's compiler works out the last argument first
    return o.mm(_multiply(o, tensors, cuts, first, cut), right)


def _check_chain(tensors: Sequence[Any]) -> None:
    count = len(tensors)
    if count < 2:
        raise RuntimeError(f"multi_dot(): expected at least 2 tensors but got {count}")
    for which, place in (("first", 0), ("last", count - 1)):
        if len(tensors[place].shape) not in (1, 2):
            raise RuntimeError(f"multi_dot(): the {which} tensor must be 1D or 2D but got {len(tensors[place].shape)}D")
    for place in range(1, count - 1):
        if len(tensors[place].shape) != 2:
            raise RuntimeError(f"multi_dot(): tensor {place} must be 2D but got {len(tensors[place].shape)}D")
    for place in range(1, count):
        if array_in(tensors[place]).dtype != array_in(tensors[0]).dtype:
            raise RuntimeError(
                f"multi_dot(): all tensors must have be the same dtype but tensor 0 is "
                f"{dtype_of(array_in(tensors[0])).cpp} and tensor {place} {dtype_of(array_in(tensors[place])).cpp}"
            )


def _multi_dot(o: Any, tensors: Sequence[Any]) -> Any:
    _check_chain(tensors)
    chain = list(tensors)
    shape = [*chain[0].shape[:-1], *chain[-1].shape[1:]]
    if len(chain[0].shape) == 1:
        chain[0] = o.unsqueeze(chain[0], 0)
    if len(chain[-1].shape) == 1:
        chain[-1] = o.unsqueeze(chain[-1], -1)
    for place, (left, right) in enumerate(pairwise(chain)):
        if left.shape[1] != right.shape[0]:
            raise RuntimeError(
                f"multi_dot(): tensors {place} and {place + 1} with shapes {brackets(tuple(tensors[place].shape))} and "
                f"{brackets(tuple(tensors[place + 1].shape))} cannot be multiplied"
            )
    cuts = _cheapest([chain[0].shape[0], *(one.shape[1] for one in chain)])
    return o.view(_multiply(o, chain, cuts, 0, len(chain) - 1), tuple(shape))


def _chain_matmul(o: Any, matrices: Sequence[Any]) -> Any:
    if not matrices:
        raise RuntimeError("chain_matmul(): Expected one or more matrices")
    for one in matrices:
        if len(one.shape) != 2:
            raise RuntimeError(f"Tensor dimension is {len(one.shape)}, expected 2 instead.")
    return matrices[0] if len(matrices) == 1 else _multi_dot(o, matrices)


composed(
    "chain_matmul",
    ("matrices",),
    _chain_matmul,
    "chain_matmul(Tensor[] matrices, *, Tensor out=None)",
    function=None,
    variadic=True,
)
composed(
    "linalg_multi_dot",
    ("tensors",),
    _multi_dot,
    "linalg_multi_dot(Tensor[] tensors, *, Tensor out=None)",
    function="torch.linalg.multi_dot",
    variadic=True,
)
