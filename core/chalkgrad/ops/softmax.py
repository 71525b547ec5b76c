"""softmax, its logarithm, and softmin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Formula, Record
from chalkgrad.engine.shapes import along, wrap_dim
from chalkgrad.engine.size import brackets
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.samples import M23, V3

DIM = Attribute("dim", "int", required=True)
OUT_OF_RANGE = "Dimension out of range (expected to be in range of [-1, 0], but got 1)"
_TWO = ("grad_output", "output")


def _axis(self: np.ndarray, dim: int, name: str) -> tuple[np.ndarray, int]:
    """The array with at least one dimension, and the dimension asked for; integers are refused."""
    if self.dtype.kind != "f" and self.size:
        last = "_lastdim" if self.ndim == 0 or dim in (-1, self.ndim - 1) else ""
        raise not_implemented(f"{name}{last}_kernel_impl", self.dtype)
    return np.ascontiguousarray(self if self.ndim else self.reshape(1)), wrap_dim(dim, self.ndim)


def _softmax(self: np.ndarray, dim: int) -> Any:
    values, axis = _axis(self, dim, "softmax")
    if not self.size:
        return self.copy()
    grown = values - np.maximum.reduce(values, axis=axis, keepdims=True)
    np.exp(grown, out=grown)
    return np.divide(grown, np.add.reduce(grown, axis=axis, keepdims=True), out=grown).reshape(self.shape)


def _safe_softmax(self: np.ndarray, dim: int) -> Any:
    """softmax, but zeros where everything is masked."""
    masked = np.all(self == -np.inf, axis=dim, keepdims=True)
    return np.where(masked, np.zeros((), self.dtype), _softmax(self, dim))


def _log_softmax(self: np.ndarray, dim: int) -> Any:
    values, axis = _axis(self, dim, "log_softmax")
    if not self.size:
        return self.copy()
    shifted = values - np.maximum.reduce(values, axis=axis, keepdims=True)
    totals = np.add.reduce(np.exp(shifted), axis=axis, keepdims=True)
    return np.subtract(shifted, np.log(totals, out=totals), out=shifted).reshape(self.shape)


def _check_alike(grad_output: np.ndarray, output: np.ndarray) -> None:
    """RuntimeError where the output that hooks gave back is of another shape than its gradient."""
    if grad_output.shape != output.shape:
        raise RuntimeError(
            "Expected tensor for argument #1 'grad' to have same size as tensor for argument #2 'output'; but "
            f"{brackets(grad_output.shape)} does not equal {brackets(output.shape)} (while checking arguments for "
            "softmax_backward)"
        )


def _softmax_backward(grad_output: np.ndarray, output: np.ndarray, dim: int) -> Any:
    _check_alike(grad_output, output)
    weighted = np.multiply(grad_output, output)
    return weighted - output * weighted.sum(axis=dim if output.ndim else (), keepdims=True)


def _log_softmax_backward(grad_output: np.ndarray, output: np.ndarray, dim: int) -> Any:
    if output.shape != grad_output.shape and output.size == grad_output.size:
        output = output.reshape(grad_output.shape)  # hooks gave back a result that has got another shape since
    total = np.add.reduce(grad_output, axis=dim if output.ndim else (), keepdims=True)
    shares = np.exp(output, out=...)
    return np.subtract(grad_output, np.multiply(shares, total, out=shares), out=shares)


def softmax_curve(o: Any, g: Any, grad_output: Any, output: Any, dim: int) -> Any:
    """Derivative of softmax's backward by the output of softmax."""
    across = o.mul(grad_output, o.sum(o.mul(output, g), dim, True))
    along = o.mul(o.sum(o.mul(output, grad_output), dim, True), g)
    return o.sub(o.sub(o.mul(grad_output, g), along), across)


def log_softmax_slope(o: Any, g: Any, output: Any, dim: int) -> Any:
    """Derivative of log_softmax's backward by the gradient that came in."""
    return o.sub(g, o.sum(o.mul(g, o.exp(output)), dim, True))


def log_softmax_curve(o: Any, g: Any, grad_output: Any, output: Any, dim: int) -> Any:
    """The same by the output of log_softmax."""
    shares = o.exp(output)
    return o.mul(o.mul(o.neg(o.sum(grad_output, dim, True)), shares), g)


def _public(name: str, forward: Callable[..., Any], latex: str, derivative: str) -> None:
    """``softmax`` or ``log_softmax`` as PyTorch spells it: with ``dtype``, the tensor is converted first."""

    def compose(o: Any, self: Any, dim: int, dtype: Any) -> Any:
        if dtype is not None and self.array.dtype != dtype.numpy:
            self = o.to_copy(self, dtype)
        return getattr(o, f"{name}_of")(self, dim)

    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=(DIM, Attribute("dtype", "dtype")),
            forward=lambda self, dim, dtype=None: forward(
                self if dtype is None else self.astype(getattr(dtype, "numpy", dtype)), dim
            ),
            compose=compose,
            grad_fn=f"{name.title().replace('_', '')}Backward0",
            function=f"torch.{name}",
            method=name,
            shape=along,
            section="activation",
            latex=latex,
            derivatives={"self": derivative},
            signatures=(f"{name}(Tensor input, int dim, ScalarType? dtype=None, *, Tensor out=None)",),
            samples=(((V3, 0), {}), ((M23, 1), {}), ((M23, 0), {})),
            bad_samples=(((V3, 1), {}, "IndexError", OUT_OF_RANGE),),
        )
    )


def _piece(name: str, part_of: str, inputs: tuple[str, ...], forward: Any, vjps: dict[str, Formula], node: str) -> None:
    register(
        Record(
            name=name,
            inputs=inputs,
            attributes=(DIM,),
            promotes="none" if len(inputs) == 1 else "together",
            forward=forward,
            vjps=vjps,
            grad_fn=node,
            shape=along if len(inputs) == 1 else lambda grad_output, output, dim: grad_output,
            section="activation",
            hidden=True,
            part_of=part_of,
            samples=(((V3,) * len(inputs) + (0,), {}), ((M23,) * len(inputs) + (1,), {})),
        )
    )


_public(
    "softmax",
    _softmax,
    r"\frac{e^{\self}}{\sum e^{\self}}",
    r"\operatorname{diag}(\result) - \result \, \result^{\top}",
)
_piece(
    "softmax_of",
    "softmax",
    ("self",),
    _softmax,
    {"self": lambda o, g, result, dim: o.softmax_backward_data(g, result, dim)},
    "SoftmaxBackward0",
)
_piece(
    "_safe_softmax",
    "softmax",
    ("self",),
    _safe_softmax,
    {"self": lambda o, g, result, dim: o.softmax_backward_data(g, result, dim)},
    "SafeSoftmaxBackward0",
)
_piece(
    "softmax_backward_data",
    "softmax",
    _TWO,
    _softmax_backward,
    {"grad_output": lambda o, g, output, dim: o.softmax_backward_data(g, output, dim), "output": softmax_curve},
    "SoftmaxBackwardDataBackward0",
)
_public(
    "log_softmax",
    _log_softmax,
    r"\self - \ln \sum e^{\self}",
    r"I - \mathbf{1} \, (e^{\result})^{\top}",
)
_piece(
    "log_softmax_of",
    "log_softmax",
    ("self",),
    _log_softmax,
    {"self": lambda o, g, result, dim: o.log_softmax_backward_data(g, result, dim)},
    "LogSoftmaxBackward0",
)
_piece(
    "log_softmax_backward_data",
    "log_softmax",
    _TWO,
    _log_softmax_backward,
    {"grad_output": log_softmax_slope, "output": log_softmax_curve},
    "LogSoftmaxBackwardDataBackward0",
)
