"""Derivatives checked against finite differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chalkgrad.engine.autograd import grad
from chalkgrad.engine.base import TensorBase, meta_of, new_tensor
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.modes import enable_grad


class GradcheckError(RuntimeError):
    """A derivative that differs from the slope; raised as PyTorch's class of that name."""


Function = Callable[..., Any]


def gradcheck(
    func: Function,
    inputs: TensorBase | Sequence[Any],
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
) -> bool:
    """True when the Jacobian of ``func`` at ``inputs`` agrees with central differences of width ``2 * eps``.

    The inputs that require grad should be float64. GradcheckError, or False, when it disagrees.
    """
    given = (inputs,) if isinstance(inputs, TensorBase) else tuple(inputs)
    checked = [index for index, value in enumerate(given) if _is_checked(value)]
    if not checked:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of the them have "
            "requires_grad=True."
        )
    for number, output in enumerate(_outputs(func, given)):
        for index in checked:
            slopes = numeric_jacobian(func, given, index, number, eps)
            derivatives = analytic_jacobian(output, given[index])
            if not np.allclose(derivatives, slopes, rtol, atol, equal_nan=True):
                if not raise_exception:
                    return False
                raise GradcheckError(
                    f"Jacobian mismatch for output {number} with respect to input {index},\n"
                    f"numerical:{slopes}\nanalytical:{derivatives}\n"
                )
    return True


def gradgradcheck(
    func: Function,
    inputs: TensorBase | Sequence[Any],
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
) -> bool:
    """:func:`gradcheck` of the gradients of ``func``, by its inputs and by the gradient it is given."""
    given = (inputs,) if isinstance(inputs, TensorBase) else tuple(inputs)
    outputs = [output for output in _outputs(func, given) if requires_grad_of(output)]
    weights = [_leaf(np.linspace(0.5, 1.5, output.array.size).reshape(output.array.shape)) for output in outputs]
    checked = [index for index, value in enumerate(given) if _is_checked(value)]

    def gradients(*values: Any) -> tuple[TensorBase, ...]:
        inside, around = values[: len(given)], values[len(given) :]
        results = [output for output in _outputs(func, inside) if requires_grad_of(output)]
        found = grad(results, [inside[index] for index in checked], list(around), create_graph=True, allow_unused=True)
        return tuple(gradient for gradient in found if gradient is not None and requires_grad_of(gradient))

    if not gradients(*given, *weights):
        return True
    return gradcheck(gradients, (*given, *weights), eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception)


def numeric_jacobian(func: Function, inputs: Sequence[Any], index: int, number: int, eps: float) -> np.ndarray:
    """Slopes of output ``number`` by input ``index``: one row for each element of the output."""
    values = inputs[index].array
    columns = []
    for place in np.ndindex(values.shape):
        ends = []
        for step in (eps, -eps):
            moved = values.copy()
            moved[place] += step
            changed = [*inputs[:index], _leaf(moved), *inputs[index + 1 :]]
            ends.append(_outputs(func, changed)[number].array.astype(np.float64).reshape(-1))
        columns.append((ends[0] - ends[1]) / (2 * eps))
    return np.stack(columns, axis=1) if columns else np.zeros((0, 0))


def analytic_jacobian(output: TensorBase, source: TensorBase) -> np.ndarray:
    """Derivatives of ``output`` by ``source`` as autograd has them, in the layout of :func:`numeric_jacobian`."""
    rows = []
    for place in np.ndindex(output.array.shape):
        weights = np.zeros_like(output.array)
        weights[place] = 1
        (gradient,) = (
            grad(output, source, new_tensor(weights), retain_graph=True, allow_unused=True)
            if requires_grad_of(output)
            else (None,)
        )
        rows.append(np.zeros(source.array.size) if gradient is None else gradient.array.reshape(-1))
    return np.stack(rows) if rows else np.zeros((0, 0))


def _is_checked(value: Any) -> bool:
    return isinstance(value, TensorBase) and requires_grad_of(value)


def _leaf(values: np.ndarray) -> TensorBase:
    made = new_tensor(values)
    meta_of(made).requires_grad = True
    return made


def _outputs(func: Function, inputs: Sequence[Any]) -> tuple[TensorBase, ...]:
    with enable_grad():
        found = func(*inputs)
    results = found if isinstance(found, tuple | list) else (found,)
    return tuple(result for result in results if isinstance(result, TensorBase) and result.array.dtype.kind == "f")
