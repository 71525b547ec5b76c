"""Products and quotients of tensors, scaled and added to another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of, exact, get_default_dtype
from chalkgrad.engine.record import Attribute, Formula, Record
from chalkgrad.engine.shapes import broadcast_all
from chalkgrad.ops.overloads import limited
from chalkgrad.ops.samples import M23, MISMATCH, P3, V2, V3, S, matrix


def _scaled(value: Any, like: np.ndarray) -> Any:
    return exact(value, dtype_of(like))


def _addcmul(self: np.ndarray, tensor1: np.ndarray, tensor2: np.ndarray, value: Any = 1) -> Any:
    product = tensor1 * tensor2 if value == 1 else tensor1 * _scaled(value, tensor1) * tensor2
    return self + product


def _addcdiv(self: np.ndarray, tensor1: np.ndarray, tensor2: np.ndarray, value: Any = 1) -> Any:
    return self + (tensor1 if value == 1 else _scaled(value, tensor1) * tensor1) / tensor2


INTEGER_ADDCDIV = (
    "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true "
    "division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * "
    "torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for "
    "float inputs. The future addcdiv behavior is just the latter implementation: (input + value * tensor1 / tensor2), "
    "for all dtypes."
)


def _check_addcdiv(self: Any, tensor1: np.ndarray, tensor2: np.ndarray) -> None:
    if tensor1.dtype.kind != "f" and tensor2.dtype.kind != "f":
        raise RuntimeError(INTEGER_ADDCDIV)


def _ternary(
    name: str,
    forward: Callable[..., Any],
    of_first: Formula,
    of_second: Formula,
    latex: str,
    slopes: tuple[str, str],
    check: Callable[..., None] | None,
) -> None:
    """``addcmul`` and ``addcdiv``."""
    register(
        Record(
            name=name,
            inputs=("self", "tensor1", "tensor2"),
            attributes=(Attribute("value", "number", 1, positional=False),),
            check=check,
            forward=forward,
            vjps={"self": lambda o, g: g, "tensor1": of_first, "tensor2": of_second},
            grad_fn=f"{name.capitalize()}Backward0",
            function=f"torch.{name}",
            method=name,
            shape=broadcast_all,
            section="arithmetic",
            latex=latex,
            derivatives={"self": "1", "tensor1": slopes[0], "tensor2": slopes[1]},
            signatures=(
                f"{name}(Tensor input, Scalar value, Tensor tensor1, Tensor tensor2, *, Tensor out=None)|deprecated",
                f"{name}(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Tensor out=None)",
            ),
            samples=(
                ((V3, P3, P3 + 1), {}),
                ((V3, V3, P3), {"value": 2.5}),
                ((M23, S, matrix((1.0,), (2.0,))), {}),
            ),
            bad_samples=(((V2, V3, V3), {}, "RuntimeError", MISMATCH),),
        )
    )


_ternary(
    "addcmul",
    limited("addcmul_cpu_out", "iuf", _addcmul),
    lambda o, g, tensor2, value: o.mul(g, o.mul_number(tensor2, value)),
    lambda o, g, tensor1, value: o.mul(g, o.mul_number(tensor1, value)),
    r"\self + \tensor1 \cdot \tensor2",
    (r"\value \, \tensor2", r"\value \, \tensor1"),
    None,
)


def _number_over(o: Any, value: Any, tensor2: Any) -> Any:
    """``value / tensor2``, which PyTorch writes into a tensor like ``tensor2``."""
    kept = dtype_of(getattr(tensor2, "array", tensor2))
    if not kept.is_floating_point:
        computed = get_default_dtype().scalar_type
        raise RuntimeError(f"result type {computed} can't be cast to the desired output type {kept.scalar_type}")
    return o.div(value, tensor2)


def divisor_gradient(o: Any, g: Any, tensor1: Any, tensor2: Any, value: Any) -> Any:
    """Derivative of ``addcdiv`` by what it divides by."""
    square = o.mul(tensor2, tensor2)
    slope = o.div(o.mul_number(tensor1, value), square)
    return o.mul(o.neg(g), slope)


_ternary(
    "addcdiv",
    _addcdiv,
    lambda o, g, tensor2, value: o.mul(g, _number_over(o, value, tensor2)),
    divisor_gradient,
    r"\self + \frac{\tensor1}{\tensor2}",
    (r"\frac{\value}{\tensor2}", r"-\frac{\value \, \tensor1}{\tensor2^{2}}"),
    _check_addcdiv,
)
