"""Random numbers of distributions whose parameters are tensors, and the incomplete gamma function of their chances."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.generator import Generator, default_generator
from chalkgrad.engine.outputs import warn_resized
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import broadcast, same
from chalkgrad.ops import implicit, rejection
from chalkgrad.ops.arithmetic import refuse_bools
from chalkgrad.ops.composing import array_in
from chalkgrad.ops.overloads import no_gradient_by_self, not_derivable, not_implemented, only, underivable
from chalkgrad.ops.writing import in_place

_GENERATOR = Attribute("generator", "generator")
_DRAWN: dict[str, Any] = {"promotes": "none", "section": "reduce", "hidden": True}


def _each(draw: Callable[..., float], source: Generator | None, *parameters: np.ndarray) -> np.ndarray:
    """A number for each element, drawn row by row, however the parameters lie in memory."""
    generator, together = source or default_generator, np.broadcast_arrays(*parameters)
    drawn = [draw(generator, *values) for values in zip(*(one.ravel().tolist() for one in together), strict=True)]
    return np.array(drawn, np.float64).reshape(together[0].shape)


# Counts


def _poisson(self: np.ndarray, generator: Generator | None) -> Any:
    if not (self >= 0).all():
        raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    return _each(rejection.poisson_number, generator, self).astype(self.dtype)


register(
    Record(
        name="poisson",
        inputs=("self",),
        attributes=(_GENERATOR,),
        forward=_poisson,
        vjps={"self": no_gradient_by_self},
        fills=1,
        check=only("poisson_cpu", "f"),
        grad_fn="PoissonBackward0",
        function="torch.poisson",
        shape=same,
        signatures=("poisson(Tensor input, Generator? generator=None)",),
        **_DRAWN,
    )
)


def _check_binomial(count: np.ndarray, prob: np.ndarray, *_: Any) -> None:
    if count.dtype.kind != "f":
        name = dtype_of(count).scalar_type
        raise ValueError(f"binomial only supports floating-point dtypes for count, got: {name}")
    if prob.dtype != count.dtype:
        raise RuntimeError(f"Found dtype {dtype_of(prob).scalar_type} but expected {dtype_of(count).scalar_type}")


def _binomial(count: np.ndarray, prob: np.ndarray, generator: Generator | None) -> Any:
    found = _each(rejection.binomial_number, generator, count, prob).astype(count.dtype)
    if found.shape != count.shape and count.size:  # PyTorch makes the result as large as ``count`` first
        warn_resized(count.shape, found.shape)
    return found


register(
    Record(
        name="binomial",
        inputs=("count", "prob"),
        attributes=(_GENERATOR,),
        forward=_binomial,
        vjps={"count": underivable("binomial"), "prob": underivable("binomial")},
        check=_check_binomial,
        grad_fn="NotImplemented",
        function="torch.binomial",
        shape=broadcast,
        signatures=("binomial(Tensor count, Tensor prob, Generator? generator=None)",),
        **_DRAWN,
    )
)


# The gamma distribution and shares that it gives


def _standard_gamma(self: np.ndarray, generator: Generator | None) -> Any:
    drawn = _each(rejection.gamma_number, generator, self).astype(self.dtype)
    return np.maximum(drawn, np.finfo(self.dtype).tiny)


register(
    Record(
        name="standard_gamma",
        inputs=("self",),
        attributes=(_GENERATOR,),
        forward=_standard_gamma,
        vjps={"self": lambda o, g, self, result: o.mul(g, o.standard_gamma_grad(self, result))},
        check=only("gamma_cpu", "f"),
        grad_fn="StandardGammaBackward0",
        shape=same,
        **_DRAWN,
    )
)
register(
    Record(
        name="standard_gamma_grad",
        inputs=("self", "output"),
        forward=implicit.gamma_slope,
        vjps={"self": not_derivable("_standard_gamma_grad")},
        grad_fn="StandardGammaGradBackward0",
        shape=broadcast,
        **_DRAWN,
    )
)


def _sample_dirichlet(self: np.ndarray, generator: Generator | None) -> Any:
    parts = np.maximum(_each(rejection.gamma_number, generator, self), np.finfo(np.float64).tiny)
    shares = (parts / parts.sum(-1, keepdims=True)).astype(self.dtype)
    return np.clip(shares, np.finfo(self.dtype).tiny, 1 - np.finfo(self.dtype).epsneg)


register(
    Record(
        name="sample_dirichlet",
        inputs=("self",),
        attributes=(_GENERATOR,),
        forward=_sample_dirichlet,
        vjps={"self": underivable("_sample_dirichlet")},
        check=only("dirichlet", "f"),
        grad_fn="NotImplemented",
        shape=same,
        **_DRAWN,
    )
)
register(
    Record(
        name="dirichlet_grad",
        inputs=("x", "alpha", "total"),
        forward=implicit.beta_slope,
        vjps={name: underivable("_dirichlet_grad") for name in ("x", "alpha", "total")},
        grad_fn="NotImplemented",
        shape=lambda x, alpha, total: broadcast(broadcast(x, alpha), total),
        **_DRAWN,
    )
)


# The incomplete gamma function


def _igamma(name: str, forward: Callable[..., np.ndarray], sign: int) -> None:
    def by_other(o: Any, g: Any, self: Any, other: Any) -> Any:
        refuse_bools(array_in(self), 1)
        taken_off, logarithm = o.lgamma(self), o.log(other)  # PyTorch's compiler works out the last operand first
        height = o.exp(o.sub(o.sub(o.mul(o.sub_number(self, 1), logarithm), other), taken_off))
        return o.mul(g if sign > 0 else o.neg(g), height)

    def compute(self: np.ndarray, other: np.ndarray) -> np.ndarray:
        if self.dtype.kind != "f":
            raise not_implemented(f"{name}_cpu", self.dtype)
        return forward(*np.broadcast_arrays(self, other))

    register(
        Record(
            name=name,
            inputs=("self", "other"),
            forward=compute,
            vjps={"self": not_derivable(f"{name}: input"), "other": by_other},
            grad_fn=f"{name.capitalize()}Backward0",
            function=f"torch.{name}",
            method=name,
            shape=broadcast,
            section="pointwise",
            hidden=True,
            signatures=(f"{name}(Tensor input, Tensor other, *, Tensor out=None)",),
        )
    )
    in_place(name)


_igamma("igamma", implicit.lower_gamma, 1)
_igamma("igammac", implicit.upper_gamma, -1)
