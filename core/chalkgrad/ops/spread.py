"""Variance and standard deviation, alone and together with the mean."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import reduced, wrap_dims
from chalkgrad.engine.warning import warn
from chalkgrad.ops.reduce import counted, spread, with_dims
from chalkgrad.ops.samples import M23, V3, ones
from chalkgrad.ops.slopes import of_two

SIZE = tuple[int, ...]

DIM = Attribute("dim", "dim", None)
CORRECTION = Attribute("correction", "number", None, positional=False)
NAMED_KEEPDIM = Attribute("keepdim", "bool", False, positional=False)

_RANGE = "Dimension out of range (expected to be in range of [-1, 0], but got 3)"


def _var(
    name: str, self: np.ndarray, dim: Any, correction: Any, keepdim: bool, with_mean: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Variance and mean, computed in double precision."""
    axes = wrap_dims(dim, self.ndim)
    count = counted(self.shape, dim)
    less = 1 if correction is None else correction
    shape = reduced(self.shape, dim, keepdim)
    free = count - less
    if self.size // max(int(np.prod(shape)), 1) - less <= 0:
        warn(
            f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor "
            "(input numel divided by output numel)."
        )
    start = _start(self, axes) if count > 1 and (with_mean or math.prod(shape) != 1) else np.float64(0)
    away = np.subtract(self, start, dtype=np.float64)
    moved = np.divide(away.sum(axis=axes, keepdims=True), np.float64(count))
    mean = start + moved
    if count > 1 and np.isinf(mean).any():
        mean[np.isinf(mean) & ~_ends_infinite(self, axes)] = np.nan
    squares = np.square(away - moved).sum(axis=axes, keepdims=True)
    found = np.divide(squares, np.float64(max(0, free) if count else np.nan))  # of a nan 0, too
    return found.reshape(shape), mean.astype(self.dtype, order="C").reshape(shape)


def _start(self: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
    """The first element of those that go together.

    From there PyTorch moves the mean along, by the difference of each element from it, so that equal numbers vary by
    exactly 0. Only for a single variance it takes the mean first.
    """
    return self[tuple([slice(1) if axis in axes else slice(None) for axis in range(self.ndim)])]


def _ends_infinite(self: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
    """True where the last of those that go together is the only infinite one: no mean is moved away from it."""
    last = self[tuple([slice(-1, None) if axis in axes else slice(None) for axis in range(self.ndim)])]
    infinite = np.isinf(self).sum(axis=axes, keepdims=True)
    return np.asarray(np.isinf(last) & (infinite == 1))


def _check(name: str) -> Any:
    def check(self: np.ndarray) -> None:
        if self.dtype.kind != "f":
            what = "std and var" if "_" not in name else name
            raise RuntimeError(f"{what} only support floating point and complex dtypes")

    return check


def _forward(name: str, root: bool, with_mean: bool) -> Any:
    def forward(self: np.ndarray, dim: Any = None, correction: Any = None, keepdim: bool = False) -> Any:
        variance, mean = _var(name, self, dim, correction, keepdim, with_mean)
        found = np.asarray(np.sqrt(variance) if root else variance).astype(self.dtype, order="C")
        return (found, mean) if with_mean else found

    return forward


def var_gradient(o: Any, g: Any, self: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    """Derivative of a variance."""
    sizes = tuple(self.shape)
    less = 1 if correction is None else correction
    if not sizes or dim is None:
        free = counted(sizes, None) - less
        away = o.sub(self, o.mean(self))
        if free <= 0:
            return o.mul(g, o.where(o.eq(away, 0), float("nan"), float("inf")))  # in the default dtype
        return o.mul(o.mul_number(g, 2.0 / free), away)
    if len(sizes) > 1:
        g = with_dims(o, g, sizes, dim, keepdim)
    free = (counted(sizes, dim) if dim != () else 1) - less  # PyTorch counts what is named, though none means all
    factor = 2.0 / free if free else float("inf")
    away = o.sub(self, o.mean(self, dim, True))
    return o.mul(o.mul_number(g, factor), away)


def std_gradient(o: Any, g: Any, self: Any, result: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    """Derivative of a standard deviation, 0 where nothing varies."""
    slope = o.masked_fill_number(o.div(g, o.mul_number(result, 2)), o.eq(result, 0), 0)
    return var_gradient(o, slope, self, dim, correction, keepdim)


def _mean_gradient(o: Any, g: Any, sizes: SIZE, dim: Any, keepdim: bool) -> Any:
    return o.div_number(spread(o, g, sizes, dim, keepdim), counted(sizes, dim))


def _with_mean(root: bool) -> Any:
    """The gradient of both results together, of those that have one."""

    def both(o: Any, g: Any, self: Any, result0: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
        found = None
        if g[0] is not None and root:
            found = std_gradient(o, g[0], self, result0, dim, correction, keepdim)
        elif g[0] is not None:
            found = var_gradient(o, g[0], self, dim, correction, keepdim)
        if g[1] is None:
            return found
        mean = _mean_gradient(o, g[1], tuple(self.shape), dim, keepdim)
        return mean if found is None else o.add(found, mean)

    return both


def _unbiased(target: str) -> Any:
    """The older way to ask: with or without the correction by one."""

    def compose(o: Any, self: Any, dim: Any = None, unbiased: bool = True, keepdim: bool = False) -> Any:
        return getattr(o, target)(self, dim, correction=int(unbiased), keepdim=keepdim)

    return compose


def _signatures(name: str, end: str) -> tuple[str, ...]:
    star = ", *" if end else ""
    return (
        f"{name}(Tensor input, int[1]? dim, bool unbiased=True, bool keepdim=False{star}{end}) -> {name}_unbiased",
        f"{name}(Tensor input, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False{end})",
        f"{name}(Tensor input, bool unbiased=True) -> {name}_unbiased",
    )


def _register_unbiased(name: str, forward: Any, outputs: tuple[str, ...]) -> None:
    register(
        Record(
            name=f"{name}_unbiased",
            inputs=("self",),
            attributes=(DIM, Attribute("unbiased", "bool", True), Attribute("keepdim", "bool", False)),
            promotes="none",
            forward=lambda self, dim=None, unbiased=True, keepdim=False: forward(self, dim, int(unbiased), keepdim),
            compose=_unbiased(name),
            outputs=outputs,
            section="reduce",
            hidden=True,
            part_of=name,
        )
    )


_LATEX = r"\frac{1}{n - 1} \sum (\self - \bar{\self})^2"
_SLOPE = r"\frac{2}{n - \correction} (\self - \bar{\self})"
_SIGMA = rf"\sqrt{{{_LATEX}}}"
_SIGMA_SLOPE = r"\frac{\self - \bar{\self}}{(n - \correction) \operatorname{std} \self}"


def _alone(name: str, root: bool, latex: str, derivative: str) -> None:
    forward = _forward(name, root, with_mean=False)
    formulas: dict[bool, Any] = {
        False: lambda o, g, self, dim, correction, keepdim: var_gradient(o, g, self, dim, correction, keepdim),
        True: lambda o, g, self, result, dim, correction, keepdim: std_gradient(
            o, g, self, result, dim, correction, keepdim
        ),
    }
    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=(DIM, CORRECTION, NAMED_KEEPDIM),
            promotes="none",
            check=_check(name),
            forward=forward,
            vjps={"self": formulas[root]},
            signatures=_signatures(name, ", Tensor out=None"),
            grad_fn=f"{name.capitalize()}Backward0",
            function=f"torch.{name}",
            method=name,
            style="method",
            shape=lambda self, dim=None, correction=None, keepdim=False: reduced(self, dim, keepdim),
            section="reduce",
            latex=latex,
            derivatives={"self": derivative},
            samples=(((M23,), {}), ((M23, (0,)), {}), ((M23, (1,)), {"correction": 0, "keepdim": True}), ((V3,), {})),
            bad_samples=(((ones(2), 3), {}, "IndexError", _RANGE),),
        )
    )
    _register_unbiased(name, forward, ("result",))


def _together(name: str, root: bool) -> None:
    forward = _forward(name, root, with_mean=True)
    both = _with_mean(root)
    formulas: dict[bool, Any] = {
        False: lambda o, g, self, dim, correction, keepdim: both(o, g, self, None, dim, correction, keepdim),
        True: lambda o, g, self, result0, dim, correction, keepdim: both(o, g, self, result0, dim, correction, keepdim),
    }
    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=(DIM, CORRECTION, NAMED_KEEPDIM),
            promotes="none",
            check=_check(name),
            forward=forward,
            outputs=("result0", "result1"),
            vjps={"self": formulas[root]},
            signatures=_signatures(name, ""),
            grad_fn="StdMeanBackward0" if root else "VarMeanBackward0",
            function=f"torch.{name}",
            section="reduce",
            latex=rf"({_SIGMA if root else _LATEX}, \bar{{\self}})",
            varying=of_two(_SIGMA_SLOPE if root else _SLOPE, r"\frac{1}{n}"),
            samples=(((M23,), {}), ((M23, (0,)), {})),
        )
    )
    _register_unbiased(name, forward, ("result0", "result1"))


_alone("var", False, _LATEX, _SLOPE)
_alone("std", True, _SIGMA, _SIGMA_SLOPE)
_together("var_mean", root=False)
_together("std_mean", root=True)
