"""The loss of squares, and what all losses share: how they are reduced, and what they refuse."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import can_cast, dtype_of, result_type
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import broadcast
from chalkgrad.engine.size import Size
from chalkgrad.ops.overloads import common_dtype
from chalkgrad.ops.samples import M23, V2, V3, vector
from chalkgrad.ops.slopes import of_loss

Shape = tuple[int, ...]
NONE, MEAN, SUM = 0, 1, 2
"""How a loss is reduced, as PyTorch numbers it in ``_saved_reduction``."""

_CODES = {"none": NONE, "mean": MEAN, "sum": SUM}
REDUCTION = Attribute("reduction", "choice", "mean", positional=False, choices=("mean", "sum", "none"))
CODE = Attribute("reduction", "int", MEAN)


def reduction_code(reduction: str) -> int:
    """PyTorch's number for ``reduction``; ValueError for a name it doesn't know."""
    code = _CODES.get(reduction) if isinstance(reduction, str) else None
    if code is None:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return code


def reduced_loss(values: np.ndarray, reduction: int) -> Any:
    """The losses themselves, their mean or their sum."""
    if reduction not in (MEAN, SUM):
        return values
    total = values.sum()
    return np.asarray(np.divide(total, values.size) if reduction == MEAN else total, values.dtype)


def check_written_like(self: np.ndarray, *others: np.ndarray) -> None:
    """RuntimeError where what is computed with ``others`` can't be written into a tensor like ``self``."""
    computed, own = result_type((self, *others)), dtype_of(self)
    if not can_cast(computed, own):
        raise RuntimeError(
            f"result type {computed.scalar_type} can't be cast to the desired output type {own.scalar_type}"
        )


def _mse(self: np.ndarray, target: np.ndarray, reduction: int) -> np.ndarray:
    if self.dtype.kind != "f":
        raise NotImplementedError(f"\"mse_cpu\" not implemented for '{dtype_of(self).scalar_type}'")
    squares: np.ndarray = np.square(np.subtract(self, target, out=...), out=...)
    if reduction == NONE:
        return squares
    return np.asarray(
        squares.sum() if reduction == SUM else np.divide(squares.sum(), np.asarray(squares.size, self.dtype))
    )


def _mse_shape(self: Shape, target: Shape, reduction: Any = MEAN) -> Shape:
    shape = broadcast(self, target)
    return shape if reduction in (NONE, "none") else ()


def _mse_loss(o: Any, self: Any, target: Any, reduction: str = "mean") -> Any:
    left, right = self.array.shape, target.array.shape
    if left != right:
        warnings.warn(
            f"Using a target size ({Size(right)}) that is different to the input size ({Size(left)}). This will "
            "likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
            UserWarning,
            stacklevel=3,
        )
        shape = broadcast(left, right)
        self = self if left == shape else o.expand(self, shape)
        target = target if right == shape else o.expand(target, shape)
    return o.mse_loss_native(self, target, reduction_code(reduction))


def _mse_gradient(grad_output: np.ndarray, self: np.ndarray, target: np.ndarray, reduction: int) -> np.ndarray:
    """Computed in the dtype of all together, and written into a tensor of the dtype of ``self``."""
    check_written_like(self, grad_output, target)
    dtype = common_dtype((grad_output, self, target)).numpy
    factor = np.asarray(2.0 / self.size if reduction == MEAN and self.size else 2.0, dtype)
    apart = np.subtract(self.astype(dtype, copy=False), target.astype(dtype, copy=False), out=...)
    slopes = np.multiply(np.multiply(factor, apart, out=...), grad_output.astype(dtype, copy=False), out=...)
    return np.asarray(slopes, self.dtype, order="C")


def shared_in_place(o: Any, found: Any, self: Any, reduction: int) -> Any:
    """``found``, divided by the number of elements of ``self`` where the loss is their mean."""
    count = int(np.prod(tuple(self.shape), dtype=np.int64))
    return o.div_number_(found, count) if reduction == MEAN and count else found


def curve_written(reduction: int) -> tuple[int, int, int]:
    """How often PyTorch writes into the derivatives of a loss's backward: by its input it shares out in place."""
    return 0, int(reduction == MEAN), 0


def mse_gradient_by_input(o: Any, g: Any, grad_output: Any, self: Any, reduction: int) -> Any:
    """Derivative of the loss's backward by the loss's input."""
    twice = o.mul_number(o.mul(g, grad_output), 2)
    return shared_in_place(o, twice, self, reduction)


register(
    Record(
        name="mse_loss",
        inputs=("self", "target"),
        attributes=(REDUCTION,),
        forward=lambda self, target, reduction="mean": _mse(self, target, reduction_code(reduction)),
        compose=_mse_loss,
        grad_fn="MseLossBackward0",
        function="torch.nn.functional.mse_loss",
        shape=_mse_shape,
        section="loss",
        latex=r"\frac{1}{n} \sum (\self - \target)^{2}",
        varying=of_loss({"self": r"\frac{2}{n} (\self - \target)", "target": r"-\frac{2}{n} (\self - \target)"}),
        samples=(
            ((V3, vector(1.0, 0.0, -1.0)), {}),
            ((M23, M23 * 2), {"reduction": "sum"}),
            ((V2, vector(0.0, 1.0)), {"reduction": "none"}),
        ),
        bad_samples=(
            (
                (V2, vector(0.0, 1.0)),
                {"reduction": "median"},
                "ValueError",
                "median is not a valid value for reduction",
            ),
        ),
    )
)

register(
    Record(
        name="mse_loss_native",
        inputs=("self", "target"),
        attributes=(CODE,),
        forward=_mse,
        elementwise=True,
        vjps={
            "self": lambda o, g, self, target, reduction: o.mse_loss_backward(g, self, target, reduction),
            "target": lambda o, g, self, target, reduction: o.mse_loss_backward(g, target, self, reduction),
        },
        grad_fn="MseLossBackward0",
        shape=_mse_shape,
        section="loss",
        latex=r"\frac{1}{n} \sum (\self - \target)^{2}",
        hidden=True,
        part_of="mse_loss",
        samples=(((V3, vector(1.0, 0.0, -1.0), MEAN), {}), ((V3, vector(1.0, 0.0, -1.0), SUM), {})),
    )
)

register(
    Record(
        name="mse_loss_backward",
        inputs=("grad_output", "self", "target"),
        attributes=(CODE,),
        promotes="none",
        forward=_mse_gradient,
        vjps={
            "grad_output": lambda o, g, self, target, reduction: o.mse_loss_backward(g, self, target, reduction),
            "self": lambda o, g, grad_output, self, reduction: mse_gradient_by_input(
                o, g, grad_output, self, reduction
            ),
            "target": lambda o, g, grad_output, self, reduction: o.neg(
                mse_gradient_by_input(o, g, grad_output, self, reduction)
            ),
        },
        fills=curve_written,
        grad_fn="MseLossBackwardBackward0",
        shape=lambda grad_output, self, target, reduction: self,
        section="loss",
        latex=r"\frac{2}{n} (\self - \target) \, \grad_output",
        hidden=True,
        part_of="mse_loss",
        samples=(((np.array(1.5), V3, vector(1.0, 0.0, -1.0), MEAN), {}),),
    )
)
