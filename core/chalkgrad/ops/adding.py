"""Products of matrices and vectors added to a tensor: ``beta * self + alpha * product``."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import cast, dtype_of, exact, result_type
from chalkgrad.engine.ordering import ordered
from chalkgrad.engine.record import OPS, Attribute, Record
from chalkgrad.engine.shapes import is_expandable, refuse_expand, size_at
from chalkgrad.engine.size import brackets
from chalkgrad.ops.arithmetic import times
from chalkgrad.ops.composing import writing
from chalkgrad.ops.expanding import expanded
from chalkgrad.ops.overloads import check_result, not_implemented
from chalkgrad.ops.products import check_mv, into_dtype, mm_left_gradient, mm_right_gradient, mm_shape
from chalkgrad.ops.samples import M23, M32, V2, V3, matrix

Shape = tuple[int, ...]

_M22 = matrix((1.0, 0.5), (0.25, 2.0))
SCALES = (Attribute("beta", "number", 1, positional=False), Attribute("alpha", "number", 1, positional=False))


def plus(self: np.ndarray, product: np.ndarray, beta: Any, alpha: Any) -> np.ndarray:
    """A ``self`` that is scaled with 0 is not read: no NaN comes out of it. ``product`` is written over."""
    if alpha == 1 and beta == 1 and product.ndim:
        np.add(self, product, out=product)
        return product
    scale, weight = (exact(number, dtype_of(product)) for number in (beta, alpha))
    scaled = product if alpha == 1 else np.multiply(product, weight)
    if beta == 0:
        return np.asarray(scaled)
    return np.asarray(np.add(self if beta == 1 else np.multiply(self, scale), scaled))


def without_products(self: np.ndarray, shape: Shape, beta: Any) -> np.ndarray:
    """``self`` in ``shape``, scaled as PyTorch does where there is nothing to add to it: in place, in its dtype."""
    made = np.zeros(shape, self.dtype)
    if beta == 0 or not made.size:
        return made
    check_result(made, (beta,))
    np.multiply(self, cast(beta, dtype_of(self)), out=made)
    return made


def by_blas(product: np.ndarray, beta: Any, alpha: Any) -> np.ndarray:
    """A product as BLAS scales it, which reads nothing where ``alpha`` is 0, and adds nothing to a -0 then."""
    return np.full_like(product, -0.0 if beta else 0.0) if alpha == 0 else product


def check_expands(self: Shape, shape: Shape) -> None:
    """RuntimeError where ``self`` can't be expanded; that it has too many dimensions is said with its dtype."""
    if len(self) <= len(shape) and not is_expandable(self, shape):
        expanded(self, shape)


def check_depth(self: np.ndarray, shape: Shape) -> None:
    """RuntimeError where ``self`` has too many dimensions to be expanded."""
    if self.ndim > len(shape):
        raise refuse_expand(self, shape)


def dtype_names(*arrays: np.ndarray) -> list[str]:
    """What PyTorch calls the dtypes in its messages."""
    return [dtype_of(array).scalar_type for array in arrays]


def adding(
    name: str,
    inputs: tuple[str, str, str],
    forward: Any,
    vjps: dict[str, Any],
    shape: Any,
    in_place: dict[str, Any] | None = None,
    **more: Any,
) -> None:
    """One such operator and its twin in place, and the ways of calling them that PyTorch has given up.

    The twin differs in the fields ``in_place``.
    """
    kinds = f"Tensor {inputs[1]}, Tensor {inputs[2]}"
    first = name == "addmm"
    register(
        Record(
            name=name,
            inputs=inputs,
            attributes=SCALES,
            promotes="none",
            forward=forward,
            vjps=vjps,
            grad_fn=f"{name.capitalize()}Backward0",
            function=f"torch.{name}",
            method=name,
            signatures=(
                f"torch.{name}(Scalar beta, Tensor input, Scalar alpha, {kinds}, *, Tensor out=None)|deprecated",
                f"torch.{name}(Scalar beta, Tensor input, {kinds}, *, Tensor out=None)|deprecated",
                f"{name}(Tensor input, {kinds}, *, Scalar beta=1, Scalar alpha=1, Tensor out=None)",
                *_into_dtype(name, kinds),
                f"Tensor.{name}(Scalar beta, Scalar alpha, {kinds})|deprecated",
                f"Tensor.{name}(Scalar beta, {kinds})|deprecated",
            ),
            shape=shape,
            section="matrix",
            hidden=True,
            part_of="matmul",
            **more,
        )
    )
    writing(
        name,
        f"Tensor.{name}_(Scalar beta, Scalar alpha, {kinds})|deprecated",
        f"Tensor.{name}_(Scalar beta, {kinds})|deprecated",
        f"Tensor.{name}_({kinds}, *, Scalar beta=1, Scalar alpha=1)",
        visible=False,
        **{
            "shape": _exactly(shape, first),
            "checks_shapes": False,
            "check": _sizes_first(more.get("check"), shape, first),
            **(in_place or {}),
        },
    )


def _into_dtype(name: str, kinds: str) -> tuple[str, ...]:
    """The overload with a dtype, for those that have one."""
    if f"{name}_dtype" not in OPS:
        return ()
    return (
        (
            f"torch.{name}(Tensor input, {kinds}, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1, "
            f"Tensor out=None) -> {name}_dtype"
        ),
    )


def _sizes_first(check: Any, rule: Any, first: bool) -> Any:
    """The check of an in-place twin: whether the sizes fit is asked before whether memory is shared."""

    def checked(self: np.ndarray, *others: np.ndarray) -> None:
        if check is not None:
            check(self, *others)
        found = rule(() if first else self.shape, *(other.shape for other in others))
        if not first:
            check_depth(self, found)
        check_same_size(self.shape, found)

    return checked


def check_same_size(self: Shape, found: Shape) -> None:
    """RuntimeError where a result has other sizes than what it is to be written into."""
    if found != self:
        raise RuntimeError(
            f"Bad in-place call: input tensor size {brackets(self)} and output tensor size {brackets(found)} "
            "should match"
        )


def _exactly(rule: Any, first: bool) -> Any:
    """The shape rule of an in-place twin, whose first input is not broadcast; what is said ``first`` if it is wrong."""

    def shape(self: Shape, *others: Shape, **attributes: Any) -> Shape:
        found: Shape = rule(() if first else self, *others, **attributes)
        check_same_size(self, found)
        return found

    return shape


def _addr_in_place(self: Shape, vec1: Shape, vec2: Shape, **_: Any) -> Shape:
    """The shape rule of ``addr_``."""
    for name, vec in (("vec1", vec1), ("vec2", vec2)):
        if len(vec) != 1:
            raise RuntimeError(f"addr: Expected 1-D argument {name}, but got {len(vec)}-D")
    if len(self) != 2:
        raise RuntimeError(f"2D tensor expected, got {len(self)}D tensor for input")
    if self != (*vec1, *vec2):
        raise RuntimeError(f"size mismatch, input: {brackets(self)}, v1: {brackets(vec1)}, v2: {brackets(vec2)}")
    return self


def _check_addr_in_place(self: np.ndarray, vec1: np.ndarray, vec2: np.ndarray) -> None:
    """The same, asked before it is seen whether ``self`` may be written."""
    _addr_in_place(self.shape, vec1.shape, vec2.shape)
    check_result(self, (vec1, vec2))


# Matrix and matrix

into_dtype("addmm", "self", "mat1", "mat2", attributes=SCALES)


def _addmm_shape(self: Shape, mat1: Shape, mat2: Shape, **_: Any) -> Shape:
    if len(mat1) != 2 or len(mat2) != 2:
        name, one = ("mat1", mat1) if len(mat1) != 2 else ("mat2", mat2)
        raise RuntimeError(f"{name} must be a matrix, got {len(one)}-D tensor")
    shape = mm_shape(mat1, mat2)
    check_expands(self, shape)
    return shape


def _check_addmm(self: np.ndarray, mat1: np.ndarray, mat2: np.ndarray) -> None:
    if self.dtype == mat1.dtype == mat2.dtype:
        return
    for name, one in (("self", self), ("mat1", mat1)):
        if one.dtype != mat2.dtype:
            first, second = dtype_names(one, mat2)
            raise RuntimeError(f"{name} and mat2 must have the same dtype, but got {first} and {second}")


def _addmm(self: np.ndarray, mat1: np.ndarray, mat2: np.ndarray, beta: Any = 1, alpha: Any = 1) -> np.ndarray:
    if self.ndim != 1 or mat1.ndim != 2 or mat2.ndim != 2 or mat2.shape != (mat1.shape[1], len(self)):
        check_depth(self, _addmm_shape(self.shape, mat1.shape, mat2.shape))
    if mat1.dtype.kind != "f" or not len(mat2):
        shape = (len(mat1), mat2.shape[1])
        if not (len(mat2) and all(shape)):
            return without_products(self, shape, beta)
        if mat1.dtype.kind == "b":
            raise not_implemented("addmm_impl_cpu_", mat1.dtype)
    product = mat1.dot(mat2) if len(mat2) > 1 else np.matmul(mat1, mat2)
    return plus(self, by_blas(product, beta, alpha), beta, alpha)


adding(
    "addmm",
    ("self", "mat1", "mat2"),
    _addmm,
    {
        "self": lambda o, g, beta: times(o, g, beta),
        "mat1": lambda o, g, mat2, mat1_sym_sizes, mat1_sym_strides, alpha: times(
            o, mm_left_gradient(o, g, mat2, mat1_sym_sizes, mat1_sym_strides), alpha
        ),
        "mat2": lambda o, g, mat1, mat2_sym_sizes, mat2_sym_strides, alpha: times(
            o, mm_right_gradient(o, g, mat1, mat2_sym_sizes, mat2_sym_strides), alpha
        ),
    },
    _addmm_shape,
    check=_check_addmm,
    checks_shapes=True,
    latex=r"\self + \mat1 \, \mat2",
    derivatives={"self": "1", "mat1": r"g \, \mat2^{\top}", "mat2": r"\mat1^{\top} g"},
    samples=(((_M22, M23, M32), {}), ((_M22, M23, M32), {"beta": 0.5, "alpha": 2})),
)


# Matrix and vector


def _addmv_shape(self: Shape, mat: Shape, vec: Shape, **_: Any) -> Shape:
    if len(mat) != 2 or len(vec) != 1 or len(self) > 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {len(self)}, {len(mat)}, {len(vec)}")
    length = self[0] if self else 1
    if mat[1] != vec[0] or length not in (1, mat[0]):
        raise RuntimeError(f"size mismatch, got input ({size_at(self, 0)}), mat ({mat[0]}x{mat[1]}), vec ({vec[0]})")
    return (mat[0],)


def _check_addmv_in_place(self: np.ndarray, mat: np.ndarray, vec: np.ndarray) -> None:
    _addmv_shape(self.shape, mat.shape, vec.shape)
    check_mv(self, mat, vec)


def _addmv(self: np.ndarray, mat: np.ndarray, vec: np.ndarray, beta: Any = 1, alpha: Any = 1) -> np.ndarray:
    check_mv(self, mat, vec)
    if mat.dtype.kind == "b" and not mat.size:
        return np.zeros(len(mat), bool) | (self & bool(beta))
    if mat.dtype.kind == "b":
        raise not_implemented("addmv_impl_cpu", mat.dtype)
    return plus(self, by_blas(np.matmul(mat, vec), beta, alpha), beta, alpha)


adding(
    "addmv",
    ("self", "mat", "vec"),
    _addmv,
    {
        "self": lambda o, g, beta: times(o, g, beta),
        "mat": lambda o, g, vec, alpha: times(o, o.outer(g, vec), alpha),
        "vec": lambda o, g, mat, alpha: times(o, o.mv(o.t(mat), g), alpha),
    },
    _addmv_shape,
    in_place={"check": _check_addmv_in_place},
    samples=(((V2, M23, V3), {}), ((V2, M23, V3), {"beta": 0.5, "alpha": 2})),
)


# Vector and vector


def _addr_shape(self: Shape, vec1: Shape, vec2: Shape, **_: Any) -> Shape:
    for name, vec in (("vec1", vec1), ("vec2", vec2)):
        if len(vec) != 1:
            raise RuntimeError(f"addr: Expected 1-D argument {name}, but got {len(vec)}-D")
    shape = (vec1[0], vec2[0])
    check_expands(self, shape)
    return shape


def _addr(self: np.ndarray, vec1: np.ndarray, vec2: np.ndarray, beta: Any = 1, alpha: Any = 1) -> np.ndarray:
    shape = (*vec1.shape, *vec2.shape)
    check_depth(self, shape)
    dtype = result_type((np.broadcast_to(self, shape), vec1, vec2))
    for name, value in (("beta", beta), ("alpha", alpha)):
        if dtype.numpy.kind != "b" and isinstance(value, bool):
            raise RuntimeError(f"Boolean {name} only supported for Boolean results.")
        if dtype.numpy.kind != "f" and isinstance(value, float):
            raise RuntimeError(f"For integral input tensors, argument {name} must not be a floating point number.")
    if dtype.numpy.kind == "b":
        return np.asarray((self & bool(beta)) | (np.outer(vec1, vec2) & bool(alpha)))
    self, vec1, vec2 = (cast(array, dtype) for array in (self, vec1, vec2))
    return ordered(plus(self, np.outer(vec1, vec2), beta, alpha), (self, vec1[:, None], vec2[None]))


adding(
    "addr",
    ("self", "vec1", "vec2"),
    _addr,
    {
        "self": lambda o, g, beta: times(o, g, beta),
        "vec1": lambda o, g, vec2, alpha: times(o, o.mv(g, vec2), alpha),
        "vec2": lambda o, g, vec1, alpha: times(o, o.mv(o.t(g), vec1), alpha),
    },
    _addr_shape,
    in_place={"check": _check_addr_in_place, "shape": _addr_in_place},
    samples=(((matrix((1.0, 2.0, 3.0), (0.5, 1.5, 2.5)), V2, V3), {}), ((M23, V2, V3), {"beta": 0.5, "alpha": 2})),
)
