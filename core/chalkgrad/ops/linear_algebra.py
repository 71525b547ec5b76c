"""The inverse of square matrices, and what operators on matrices share."""

# ruff: noqa: N803, N806  PyTorch calls matrices A, B, LU

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.ops.chains import check_square
from chalkgrad.ops.composing import array_in, through
from chalkgrad.ops.factors import by_columns, factorised, first_failed, solved
from chalkgrad.ops.samples import matrix

Shape = tuple[int, ...]

A22 = matrix((2.0, 0.5), (-1.0, 1.5))
A33 = matrix((2.0, 0.5, 0.0), (-1.0, 1.5, 0.25), (0.5, -0.5, 3.0))


class LinAlgError(RuntimeError):
    """A matrix for which there is no answer: ``torch.linalg.LinAlgError``."""


LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"
LinAlgError.__module__ = "torch._C"


def check_matrices(name: str, array: np.ndarray) -> None:
    """RuntimeError unless ``array`` is made of square matrices of floating-point numbers."""
    check_square(name, array.shape)
    check_floating(name, array)


def check_floating(name: str, array: np.ndarray) -> None:
    """RuntimeError unless ``array`` holds floating-point numbers."""
    if array.dtype.kind != "f":
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {dtype_of(array).scalar_type}"
        )


def turned(o: Any, value: Any) -> Any:
    """Each matrix with rows and columns exchanged."""
    return o.transpose(value, -2, -1)


def difference(o: Any, first: Any, second: Any) -> Any:
    """``first - second`` where either may not be there."""
    return first if second is None else o.neg(second) if first is None else o.sub(first, second)


def is_vector(A: Shape, B: Shape) -> bool:
    """True where ``B`` holds one vector, not one matrix, for each matrix of ``A``."""
    return len(B) == 1 or (len(A) - 1 == len(B) and A[:-1] == B)


# Inverse


CHECK_ERRORS = Attribute("check_errors", "bool", False, positional=False)


def refuse_inversion(name: str, info: np.ndarray) -> None:
    """LinAlgError for the first matrix that has no inverse."""
    failed = first_failed(info)
    if failed is not None:
        batch, number = failed
        raise LinAlgError(
            f"{name}: {batch}The diagonal element {number} is zero, the inversion could not be completed because the "
            "input matrix is singular."
        )


def _inv_ex(A: np.ndarray, check_errors: bool = False) -> tuple[np.ndarray, np.ndarray]:
    check_matrices("linalg.inv", A)
    try:
        return by_columns(np.linalg.inv(A)), np.zeros(A.shape[:-2], np.int32)
    except np.linalg.LinAlgError:
        LU, pivots, info = factorised(A)
        if check_errors:
            refuse_inversion("linalg.inv_ex", info)
        return solved(LU, pivots, np.eye(A.shape[-1], dtype=A.dtype)), info


def inverse_gradient(o: Any, g: Any, inverse: Any) -> Any:
    """Derivative of the inverse of a matrix."""
    right = o.matmul(g, turned(o, inverse))
    return o.neg(o.matmul(turned(o, inverse), right))


register(
    Record(
        name="linalg_inv_ex",
        inputs=("A",),
        attributes=(CHECK_ERRORS,),
        promotes="none",
        forward=_inv_ex,
        vjps={"A": lambda o, g, inverse: inverse_gradient(o, g, inverse)},
        grad_fn="LinalgInvExBackward0",
        outputs=("inverse", "info"),
        not_differentiable=frozenset({"info"}),
        returns="linalg_inv_ex",
        function="torch.linalg.inv_ex",
        signatures=("linalg_inv_ex(Tensor A, *, bool check_errors=False, Tensor[2] out=None)",),
        section="matrix",
        hidden=True,
        part_of="inverse",
    )
)


def _inverse(o: Any, A: Any) -> Any:
    inverse, info = o.linalg_inv_ex(A)
    refuse_inversion("linalg.inv", array_in(info))
    return inverse


def square(name: str) -> Any:
    """The shape rule of what gives square matrices for square matrices."""

    def shape(self: Shape, **_: Any) -> Shape:
        check_square(name, self)
        return self

    return shape


_NOT_SQUARE = "linalg.inv: A must be batches of square matrices, but they are 2 by 3 matrices"

register(
    Record(
        name="inverse",
        inputs=("self",),
        promotes="none",
        forward=through(_inverse),
        compose=_inverse,
        grad_fn="LinalgInvExBackward0",
        function="torch.inverse",
        method="inverse",
        signatures=("inverse(Tensor input, *, Tensor out=None)",),
        shape=square("linalg.inv"),
        section="matrix",
        latex=r"\self^{-1}",
        derivatives={"self": r"-\self^{-\top} g \, \self^{-\top}"},
        samples=(((A22,), {}), ((A33,), {})),
        bad_samples=(((np.ones((2, 3)),), {}, "RuntimeError", _NOT_SQUARE),),
    )
)

register(
    Record(
        name="linalg_inv",
        inputs=("A",),
        promotes="none",
        forward=through(_inverse),
        compose=_inverse,
        function="torch.linalg.inv",
        signatures=("linalg_inv(Tensor A, *, Tensor out=None)",),
        section="matrix",
        hidden=True,
        part_of="inverse",
    )
)
