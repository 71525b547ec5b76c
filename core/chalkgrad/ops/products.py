"""Products of matrices and vectors, each for one number of dimensions, and such products added to a tensor."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import size_at
from chalkgrad.engine.size import brackets
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.samples import M23, M32, V2, V3, ones, vector

Shape = tuple[int, ...]

_UNEQUAL = (
    "inconsistent tensor size, expected tensor [2] and src [3] to have the same number of elements, but got 2 and 3 "
    "elements respectively"
)


def mm_shape(self: Shape, mat2: Shape) -> Shape:
    """The shape of a product of two matrices; RuntimeError where they don't fit."""
    if len(self) != 2:
        raise RuntimeError("self must be a matrix")
    if len(mat2) != 2:
        raise RuntimeError("mat2 must be a matrix")
    if self[1] != mat2[0]:
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({self[0]}x{self[1]} and {mat2[0]}x{mat2[1]})")
    return self[0], mat2[1]


def mv_shape(self: Shape, vec: Shape) -> Shape:
    """The shape of a product of matrix and vector; RuntimeError where they don't fit."""
    size_at(self, 0)
    if len(self) != 2 or len(vec) != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {len(self)}, {len(vec)}")
    if self[1] != vec[0]:
        raise RuntimeError(f"size mismatch, got input ({self[0]}), mat ({self[0]}x{self[1]}), vec ({vec[0]})")
    return (self[0],)


def _bmm_shape(self: Shape, mat2: Shape) -> Shape:
    for number, shape in enumerate((self, mat2), 1):
        if len(shape) != 3:
            raise RuntimeError(f"batch{number} must be a 3D tensor")
    return batch_shape(self, mat2)


def batch_shape(self: Shape, mat2: Shape) -> Shape:
    """The shape of a product of batches of matrices; RuntimeError where they don't fit."""
    count, rows, inner = self
    if mat2[:2] != (count, inner):
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{count}, {inner}] but got: "
            f"[{mat2[0]}, {mat2[1]}]."
        )
    return count, rows, mat2[2]


def dot_shape(self: Shape, tensor: Shape) -> Shape:
    """The shape of a product of two vectors; RuntimeError where they don't fit."""
    if len(self) != 1 or len(tensor) != 1:
        raise RuntimeError(f"1D tensors expected, but got {len(self)}D and {len(tensor)}D tensors")
    if self != tensor:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor {brackets(self)} and src {brackets(tensor)} to have the same "
            f"number of elements, but got {self[0]} and {tensor[0]} elements respectively"
        )
    return ()


# On arrays

_MANY = 1 << 16
"""Of more elements than this ``dot``, which is faster to call, takes longer: it fills them with zeros first."""


def _mm(self: np.ndarray, mat2: np.ndarray) -> np.ndarray:
    if self.ndim != 2 or mat2.ndim != 2 or len(mat2) != self.shape[1]:
        mm_shape(self.shape, mat2.shape)
    if self.dtype is not mat2.dtype and self.dtype != mat2.dtype:
        raise RuntimeError(
            f"expected m1 and m2 to have the same dtype, but got: {dtype_of(self).cpp} != {dtype_of(mat2).cpp}"
        )
    if self.dtype.kind == "b":
        if self.size and mat2.size:
            raise not_implemented("addmm_impl_cpu_", self.dtype)
        return np.zeros((len(self), mat2.shape[1]), bool)
    if len(mat2) == 1:  # NumPy leaves out what is to be taken 0 times, and PyTorch adds nothing to -0 but in a vector
        found: np.ndarray = np.multiply(self, mat2, order="C")
        return np.add(found, 0, out=found) if 1 in found.shape else found
    if len(self) * mat2.shape[1] > _MANY:
        return np.matmul(self, mat2)  # type: ignore[no-any-return]
    product: np.ndarray = self.dot(mat2)
    return product


def _multiplied(self: np.ndarray, other: np.ndarray, kernel: str) -> np.ndarray:
    if self.dtype.kind == "b" and self.size:
        raise not_implemented(kernel, self.dtype)
    found: np.ndarray = np.matmul(self, other)
    return found


def _mv(self: np.ndarray, vec: np.ndarray) -> np.ndarray:
    if self.ndim != 2 or vec.shape != self.shape[1:]:
        mv_shape(self.shape, vec.shape)
    check_mv(vec, self, vec)
    return _multiplied(self, vec, "addmv_impl_cpu")


def check_mv(self: np.ndarray, mat: np.ndarray, vec: np.ndarray) -> None:
    """RuntimeError unless a vector and the matrix and vector whose product it gets have one dtype."""
    if not self.dtype == mat.dtype == vec.dtype:
        names = [dtype_of(array).scalar_type for array in (self, mat, vec)]
        raise RuntimeError(
            f"addmv input tensors must have the same dtype, but got {names[0]}, {names[1]}, and {names[2]}"
        )


def _check_dot(self: np.ndarray, tensor: np.ndarray) -> None:
    if self.ndim != 1 or tensor.ndim != 1:
        dot_shape(self.shape, tensor.shape)
    if self.dtype != tensor.dtype:
        first, second = dtype_of(self).scalar_type, dtype_of(tensor).scalar_type
        raise RuntimeError(f"dot : expected both vectors to have same dtype, but found {first} and {second}")


def _dot(self: np.ndarray, tensor: np.ndarray) -> np.ndarray:
    if self.dtype.kind == "b":
        raise not_implemented("dot", self.dtype)
    return np.asarray(np.dot(self, tensor) + self.dtype.type(0))  # a sum, so that one product of -0 is 0


def _bmm(self: np.ndarray, mat2: np.ndarray) -> np.ndarray:
    if not self.size or not mat2.size:  # of nothing PyTorch takes any dtypes
        return np.zeros(_bmm_shape(self.shape, mat2.shape), mat2.dtype)
    if self.dtype.kind == "b":
        raise not_implemented("bmm", self.dtype)
    check_batches(self, mat2)
    return _multiplied(self, mat2, "bmm")


def check_batches(self: np.ndarray, mat2: np.ndarray) -> None:
    """RuntimeError for batches of different dtypes."""
    if self.dtype != mat2.dtype:
        raise RuntimeError(f"expected scalar type {dtype_of(self).scalar_type} but found {dtype_of(mat2).scalar_type}")


# Into another dtype


def into_dtype(name: str, *inputs: str, attributes: tuple[Attribute, ...] = ()) -> None:
    """Register the overload of a product that gives its result in ``out_dtype``, which the CPU doesn't have."""

    def refuse(o: Any, *values: Any, **options: Any) -> NoReturn:
        raise NotImplementedError(
            f"Could not run 'aten::{name}.dtype' with arguments from the 'CPU' backend. This could be because the "
            "operator doesn't exist for this backend."
        )

    register(
        Record(
            name=f"{name}_dtype",
            inputs=inputs,
            attributes=(Attribute("out_dtype", "dtype", required=True), *attributes),
            promotes="none",
            forward=refuse,
            compose=refuse,
            section="matrix",
            hidden=True,
            part_of="matmul",
        )
    )


into_dtype("mm", "self", "mat2")
into_dtype("bmm", "self", "mat2")


# Products


def mm_left_gradient(o: Any, g: Any, mat2: Any, self_sym_sizes: Shape, self_sym_strides: Shape) -> Any:
    """Derivative of ``self @ mat2`` by ``self``, laid out in memory as ``self`` is."""
    if self_sym_strides and self_sym_strides[0] == 1 and self_sym_strides[1] == self_sym_sizes[0]:
        return o.t(o.mm(mat2, o.t(g)))
    return o.mm(g, o.t(mat2))


def mm_right_gradient(o: Any, g: Any, self: Any, mat2_sym_sizes: Shape, mat2_sym_strides: Shape) -> Any:
    """Derivative of ``self @ mat2`` by ``mat2``, laid out in memory as ``mat2`` is."""
    if mat2_sym_strides and mat2_sym_strides[0] == 1 and mat2_sym_strides[1] == mat2_sym_sizes[0]:
        return o.t(o.mm(o.t(g), self))
    return o.mm(o.t(self), g)


register(
    Record(
        name="mm",
        inputs=("self", "mat2"),
        promotes="none",
        forward=_mm,
        vjps={
            "self": mm_left_gradient,
            "mat2": mm_right_gradient,
        },
        grad_fn="MmBackward0",
        function="torch.mm",
        method="mm",
        signatures=(
            "mm(Tensor input, Tensor mat2, *, Tensor out=None)",
            "torch.mm(Tensor input, Tensor mat2, ScalarType out_dtype, *, Tensor out=None) -> mm_dtype",
        ),
        shape=mm_shape,
        checks_shapes=True,
        section="matrix",
        latex=r"\self \, \mat2",
        derivatives={"self": r"g \, \mat2^{\top}", "mat2": r"\self^{\top} g"},
        samples=(((M23, M32), {}),),
        bad_samples=(((V2, V2), {}, "RuntimeError", "self must be a matrix"),),
    )
)

register(
    Record(
        name="mv",
        inputs=("self", "vec"),
        promotes="none",
        forward=_mv,
        vjps={
            "self": lambda o, g, vec: o.mul(o.view(g, (g.shape[0], 1)), vec),
            "vec": lambda o, g, self: o.mv(o.t(self), g),
        },
        grad_fn="MvBackward0",
        function="torch.mv",
        method="mv",
        signatures=("mv(Tensor input, Tensor vec, *, Tensor out=None)",),
        shape=mv_shape,
        section="matrix",
        latex=r"\self \, \vec",
        derivatives={"self": r"g \, \vec^{\top}", "vec": r"\self^{\top} g"},
        samples=(((M23, V3), {}),),
        bad_samples=(((M23, V2), {}, "RuntimeError", "size mismatch, got input (2), mat (2x3), vec (2)"),),
    )
)

register(
    Record(
        name="dot",
        inputs=("self", "tensor"),
        promotes="none",
        forward=_dot,
        check=_check_dot,
        vjps={"self": lambda o, g, tensor: o.mul(g, tensor), "tensor": lambda o, g, self: o.mul(g, self)},
        grad_fn="DotBackward0",
        function="torch.dot",
        method="dot",
        signatures=("dot(Tensor input, Tensor tensor, *, Tensor out=None)",),
        shape=dot_shape,
        section="matrix",
        latex=r"\self \cdot \tensor",
        derivatives={"self": r"\tensor", "tensor": r"\self"},
        samples=(((V3, vector(1.0, 0.25, -2.0)), {}),),
        bad_samples=(
            (
                (V2, V3),
                {},
                "RuntimeError",
                _UNEQUAL,
            ),
        ),
    )
)

register(
    Record(
        name="bmm",
        inputs=("self", "mat2"),
        promotes="none",
        forward=_bmm,
        vjps={
            "self": lambda o, g, mat2: o.bmm(g, o.transpose(mat2, 1, 2)),
            "mat2": lambda o, g, self: o.bmm(o.transpose(self, 1, 2), g),
        },
        grad_fn="BmmBackward0",
        function="torch.bmm",
        method="bmm",
        signatures=(
            "bmm(Tensor input, Tensor mat2, *, Tensor out=None)",
            "torch.bmm(Tensor input, Tensor mat2, ScalarType out_dtype, *, Tensor out=None) -> bmm_dtype",
        ),
        shape=_bmm_shape,
        section="matrix",
        latex=r"\self \, \mat2",
        derivatives={"self": r"g \, \mat2^{\top}", "mat2": r"\self^{\top} g"},
        samples=(((ones(2, 2, 3), ones(2, 3, 2)), {}),),
        bad_samples=(((M23, ones(2, 3, 2)), {}, "RuntimeError", "batch1 must be a 3D tensor"),),
    )
)

register(
    Record(
        name="vdot",
        inputs=("self", "other"),
        promotes="none",
        forward=_dot,
        check=_check_dot,
        vjps={"self": lambda o, g, other: o.mul(g, other), "other": lambda o, g, self: o.mul(g, self)},
        grad_fn="VdotBackward0",
        function="torch.vdot",
        method="vdot",
        signatures=("vdot(Tensor input, Tensor other, *, Tensor out=None)",),
        shape=dot_shape,
        section="matrix",
        hidden=True,
        part_of="dot",
        samples=(((V3, vector(1.0, 0.25, -2.0)), {}),),
    )
)
