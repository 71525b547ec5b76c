"""Slopes of a function, measured, and its derivatives as autograd has them: what gradcheck compares."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from chalkgrad.engine.autograd import grad
from chalkgrad.engine.base import TensorBase, new_tensor
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.modes import enable_grad
from chalkgrad.engine.size import Size

Function = Callable[..., Any]
Array = np.ndarray


class Check(NamedTuple):
    """One function at its inputs, and how exact its derivatives are to be."""

    func: Function
    inputs: tuple[Any, ...]
    eps: float
    atol: float
    rtol: float
    nondet_tol: float
    check_grad_dtypes: bool

    @property
    def checked(self) -> list[Any]:
        """The inputs that require grad."""
        return [value for value in self.inputs if isinstance(value, TensorBase) and requires_grad_of(value)]

    def outputs(self) -> tuple[Any, ...]:
        """What the function gives, as a tuple."""
        with enable_grad():
            return as_tuple(self.func(*self.inputs))

    def differentiable(self) -> tuple[TensorBase, ...]:
        """Those of its outputs that require grad."""
        return tuple(output for output in self.outputs() if output.requires_grad)


def _moved(check: Check, array: Array, before: Array, change: Any) -> list[Array]:
    """The outputs' values with ``change`` added to one input, whose memory is put back afterwards."""
    array[...] = before + change
    try:
        return [output.array.copy() for output in check.outputs()]
    finally:
        array[...] = before


def slopes_along(check: Check, array: Array, step: Array, place: Any = None) -> list[Array]:
    """By how much each output changes along ``step``, per length ``eps`` of it."""
    before = array.copy()
    low, high = _moved(check, array, before, -step), _moved(check, array, before, step)
    for first, second in zip(low, high, strict=True):
        _check_same_kind(first, second, check.eps, place)
    return [(second - first) / (2 * check.eps) for first, second in zip(low, high, strict=True)]


def _check_same_kind(first: Array, second: Array, eps: float, place: Any) -> None:
    where = "" if place is None else f"at index {place} "
    if first.shape != second.shape:
        raise AssertionError(
            f"Expected `func` to return outputs with the same shape when inputs are perturbed {where}by {eps}, but "
            f"got: shapes {Size(first.shape)} and {Size(second.shape)}."
        )
    if first.dtype != second.dtype:
        raise AssertionError(
            f"Expected `func` to return outputs with the same dtype when inputs are perturbed {where}by {eps}, but "
            f"got: dtypes torch.{first.dtype} and torch.{second.dtype}."
        )


def numeric_jacobians(check: Check, source: TensorBase) -> list[Array]:
    """Slopes of each output by ``source``: a row for each of its elements, a column for each of the output's."""
    array = source.array
    rows: list[list[Array]] = []
    for place in product(*map(range, array.shape)):
        step = np.zeros_like(array)
        step[place] = check.eps
        rows.append([change.reshape(-1) for change in slopes_along(check, array, step, place)])
    if not rows:
        return [np.zeros((0, output.array.size)) for output in check.outputs()]
    return [np.stack(columns) for columns in zip(*rows, strict=True)]


def analytic_jacobians(output: TensorBase, sources: Sequence[TensorBase]) -> list[Array]:
    """Derivatives of ``output`` by each of ``sources`` as autograd has them, laid out as the slopes."""
    found = [np.zeros((source.array.size, output.array.size), source.array.dtype) for source in sources]
    for column, place in enumerate(product(*map(range, output.array.shape))):
        weight = np.zeros_like(output.array)
        weight[place] = 1
        for jacobian, gradient in zip(found, gradients_by(output, sources, weight), strict=True):
            if gradient is not None:
                jacobian[:, column] = gradient.array.reshape(-1)
    return found


def gradients_by(output: TensorBase, sources: Sequence[TensorBase], weight: Array) -> tuple[TensorBase | None, ...]:
    """The gradients of one output, weighted, by each of the sources."""
    return grad(output, sources, new_tensor(weight), retain_graph=True, allow_unused=True)


def as_tuple(value: Any) -> tuple[Any, ...]:
    """One value or several, as a tuple."""
    return tuple(value) if isinstance(value, tuple | list) else (value,)


# What PyTorch itself calls no part of its interface any more


def get_numerical_jacobian(
    fn: Function, inputs: Any, target: Any = None, eps: float = 1e-3, grad_out: float = 1.0
) -> tuple[TensorBase, ...]:
    """Slopes of the first result of ``fn(inputs)`` by each tensor of ``target``, or of ``inputs``; warns."""
    _warn_of_private("get_numerical_jacobian", grad_out)
    check = Check(lambda *values: fn(values), as_tuple(inputs), eps, 0.0, 0.0, 0.0, check_grad_dtypes=False)
    sources = check.checked if target is None else as_tuple(target)
    return tuple(new_tensor(numeric_jacobians(check, source)[0]) for source in sources)


def get_analytical_jacobian(
    inputs: Any, output: TensorBase, nondet_tol: float = 0.0, grad_out: float = 1.0
) -> tuple[tuple[TensorBase, ...], bool, bool, bool]:
    """Derivatives of ``output`` by each of ``inputs``, and whether they are the same twice, of right size and dtype."""
    _warn_of_private("get_analytical_jacobian", grad_out)
    sources = [value for value in as_tuple(inputs) if isinstance(value, TensorBase) and requires_grad_of(value)]
    found, again = analytic_jacobians(output, sources), analytic_jacobians(output, sources)
    same = all(np.allclose(one, other, rtol=0, atol=nondet_tol) for one, other in zip(found, again, strict=True))
    return tuple(map(new_tensor, found)), same, True, True


def _warn_of_private(name: str, grad_out: float) -> None:
    warnings.warn(
        f"`{name}` was part of PyTorch's private API and not meant to be exposed. We are deprecating it and it will be "
        "removed in a future version of PyTorch. If you have a specific use for this or feature request for this to be "
        "a stable API, please file us an issue at https://github.com/pytorch/pytorch/issues/new",
        FutureWarning,
        stacklevel=3,
    )
    if grad_out != 1.0:
        raise ValueError(f"Expected grad_out to be 1.0. {name} no longer supports values of grad_out != 1.0.")
