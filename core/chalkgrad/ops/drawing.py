"""The operators that draw at random: in place, and with the chances or the means taken from tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine import memory_format
from chalkgrad.engine.apply import register
from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.generator import Generator, default_generator
from chalkgrad.engine.outputs import check_out, write_out
from chalkgrad.engine.places import OVERLAP
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.shapes import broadcast, refuse_expand, same
from chalkgrad.engine.signature import Parser
from chalkgrad.engine.storage import overlaps_itself
from chalkgrad.ops import draw
from chalkgrad.ops.expanding import expanded
from chalkgrad.ops.extremes import OF_NOTHING
from chalkgrad.ops.factory import OUT
from chalkgrad.ops.overloads import no_gradient, underivable, zeros_as
from chalkgrad.ops.random import bounds_in, check_bounds, normal_of_shape

GENERATOR = Attribute("generator", "generator", None, positional=False)


def _scratch(array: np.ndarray) -> np.ndarray:
    """Memory of its own in which the elements lie in the order of ``array``, together where they do there."""
    if array.flags.c_contiguous:
        return np.empty(array.shape, array.dtype)
    order = memory_format.dim_order(array)
    found: np.ndarray = np.empty([*(array.shape[axis] for axis in order), 2], array.dtype)[..., 0]
    return found.transpose(np.argsort(order))


def _forward(drawn: Callable[..., None]) -> Callable[..., np.ndarray]:
    def forward(self: np.ndarray, generator: Generator | None = None, **numbers: Any) -> np.ndarray:
        source = generator or default_generator
        if overlaps_itself(self):
            drawn(np.empty(0, self.dtype), source, *numbers.values())  # which refuses wrong numbers first
            raise RuntimeError(OVERLAP)
        made = _scratch(self)
        drawn(made, source, *numbers.values())
        return made

    return forward


def _check_place(self: np.ndarray, p: Any = None) -> None:
    if overlaps_itself(self):
        raise RuntimeError(OVERLAP)


def _in_place(
    name: str,
    grad_fn: str,
    drawn: Callable[..., None],
    attributes: tuple[Attribute, ...],
    *signatures: str,
    method: bool = True,
    place_first: bool = False,
) -> None:
    """An operator that overwrites a tensor with random numbers; some look at its place before they look at these."""
    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=(*attributes, GENERATOR),
            writes="self",
            promotes="none",
            forward=_forward(drawn),
            vjps={"self": no_gradient},
            check=_check_place if place_first else None,
            grad_fn=grad_fn,
            method=name if method else None,
            style="method",
            shape=same,
            section="in-place",
            signatures=signatures,
            hidden=True,
        )
    )


def _number(name: str, default: float) -> Attribute:
    return Attribute(name, "float", default)


_in_place(
    "uniform_",
    "UniformBackward0",
    draw.draw_uniform,
    (_number("from", 0.0), _number("to", 1.0)),
    "Tensor.uniform_(float from=0, float to=1, *, Generator? generator=None)",
)
_in_place(
    "normal_",
    "NormalBackward0",
    draw.draw_normal,
    (_number("mean", 0.0), _number("std", 1.0)),
    "Tensor.normal_(float mean=0, float std=1, *, Generator? generator=None)",
)
_in_place(
    "exponential_",
    "ExponentialBackward0",
    draw.draw_exponential,
    (_number("lambd", 1.0),),
    "Tensor.exponential_(float lambd=1, *, Generator? generator=None)",
)
_in_place(
    "geometric_",
    "GeometricBackward0",
    draw.draw_geometric,
    (Attribute("p", "float", required=True),),
    "Tensor.geometric_(float p, *, Generator? generator=None)",
)
_in_place(
    "cauchy_",
    "CauchyBackward0",
    draw.draw_cauchy,
    (_number("median", 0.0), _number("sigma", 1.0)),
    "Tensor.cauchy_(float median=0, float sigma=1, *, Generator? generator=None)",
)
_in_place(
    "log_normal_",
    "LogNormalBackward0",
    draw.draw_log_normal,
    (_number("mean", 1.0), _number("std", 2.0)),
    "Tensor.log_normal_(float mean=1, float std=2, *, Generator? generator=None)",
)


def _draw_between(array: np.ndarray, source: Generator, low: int, high: int | None) -> None:
    if high is None:
        draw.draw_integers(array, source, low, 1 << 63)
        return
    check_bounds(low, high, dtype_of(array))
    draw.draw_integers(array, source, *bounds_in(low, high, dtype_of(array)))


def _draw_below(array: np.ndarray, source: Generator, high: int) -> None:
    _draw_between(array, source, 0, high)


_TO = Attribute("to", "int", required=True)
_in_place(
    "random_from",
    "RandomBackward0",
    _draw_between,
    (Attribute("from", "int", required=True), Attribute("to", "int", None)),
    method=False,
    place_first=True,
)
_in_place("random_to", "RandomBackward1", _draw_below, (_TO,), method=False, place_first=True)
_in_place(
    "random_",
    "RandomBackward2",
    draw.draw_any_integers,
    (),
    "Tensor.random_(*, Generator? generator=None)",
    "Tensor.random_(int from, int? to, *, Generator? generator=None) -> random_from",
    "Tensor.random_(int to, *, Generator? generator=None) -> random_to",
    place_first=True,
)


def _check_tossed(self: np.ndarray, p: np.ndarray) -> None:
    """PyTorch asks for the memory first, then spreads the chances over it."""
    _check_place(self)
    if p.ndim > self.ndim:
        raise refuse_expand(p, self.shape)
    expanded(p.shape, self.shape)


def _toss(self: np.ndarray, p: np.ndarray, generator: Generator | None) -> np.ndarray:
    made = _scratch(self)
    draw.draw_bernoulli(made, generator or default_generator, p)
    return made


register(
    Record(
        name="bernoulli_tensor_",
        inputs=("self", "p"),
        attributes=(GENERATOR,),
        writes="self",
        promotes="none",
        forward=_toss,
        vjps={"self": no_gradient, "p": lambda o, g, p_args_info: zeros_as(o, g, p_args_info)},
        fills={"p": 1},
        check=_check_tossed,
        grad_fn="BernoulliBackward1",
        shape=broadcast,
        section="in-place",
        hidden=True,
    )
)
_in_place(
    "bernoulli_",
    "BernoulliBackward2",
    draw.draw_bernoulli,
    (_number("p", 0.5),),
    "Tensor.bernoulli_(Tensor p, *, Generator? generator=None) -> bernoulli_tensor_",
    "Tensor.bernoulli_(float p=0.5, *, Generator? generator=None)",
)


def _bernoulli(self: np.ndarray, generator: Generator | None) -> np.ndarray:
    made = np.empty(self.shape, self.dtype)  # row by row, however the chances lie
    draw.draw_bernoulli(made, generator or default_generator, self)
    return made


def _bernoulli_of(self: np.ndarray, p: float, generator: Generator | None) -> np.ndarray:
    made = np.empty(self.shape, self.dtype)  # row by row, however the chances lie
    draw.draw_bernoulli(made, generator or default_generator, p)
    return made


def _new(name: str, grad_fn: str, forward: Callable[..., np.ndarray], **further: Any) -> None:
    """An operator that makes a new tensor of random numbers."""
    defaults: dict[str, Any] = {"inputs": ("self",), "vjps": {"self": no_gradient}, "shape": same, "attributes": ()}
    defaults |= further
    defaults["attributes"] = (*defaults["attributes"], GENERATOR)
    register(
        Record(name=name, forward=forward, grad_fn=grad_fn, promotes="none", section="reduce", hidden=True, **defaults)
    )


_new(
    "bernoulli_p",
    "NotImplemented",
    _bernoulli_of,
    attributes=(Attribute("p", "float", required=True),),
    vjps={"self": underivable("bernoulli")},
)
_new(
    "bernoulli",
    "BernoulliBackward0",
    _bernoulli,
    function="torch.bernoulli",
    method="bernoulli",
    signatures=(
        "bernoulli(Tensor input, *, Generator? generator=None, Tensor out=None)",
        "bernoulli(Tensor input, float p, *, Generator? generator=None) -> bernoulli_p",
    ),
)


def _normal_around(mean: Any, std: Any, generator: Generator | None) -> np.ndarray:
    """Normal numbers, moved and stretched element by element."""
    if isinstance(std, np.ndarray) and not (std >= 0).all():
        raise RuntimeError("normal expects all elements of std >= 0.0")
    if not isinstance(std, np.ndarray) and not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {draw.plain(std)}")
    kind = next(value.dtype for value in (mean, std) if isinstance(value, np.ndarray))
    made = np.empty(np.broadcast_shapes(np.shape(mean), np.shape(std)), kind)
    draw.draw_normal(made, generator or default_generator)
    found: np.ndarray = made * np.asarray(std, kind) + np.asarray(mean, kind)
    return found


_new(
    "normal_mean",
    "NormalBackward1",
    _normal_around,
    inputs=("mean",),
    vjps={"mean": no_gradient},
    fills=1,
    attributes=(Attribute("std", "float", 1.0),),
    shape=lambda mean, **_: mean,
)
_new(
    "normal_std",
    "NormalBackward2",
    lambda std, mean, generator: _normal_around(mean, std, generator),
    inputs=("std",),
    vjps={"std": no_gradient},
    fills=1,
    attributes=(Attribute("mean", "float", 0.0),),
    shape=lambda std, **_: std,
)
_new(
    "normal_both",
    "NormalBackward3",
    _normal_around,
    inputs=("mean", "std"),
    vjps={
        "mean": lambda o, g, mean_args_info: zeros_as(o, g, mean_args_info),
        "std": lambda o, g, std_args_info: zeros_as(o, g, std_args_info),
    },
    fills=1,
    shape=broadcast,
)

_NORMAL = Parser.of(
    "normal(Tensor mean, Tensor std, *, Generator? generator=None, Tensor out=None)",
    "normal(Tensor mean, float std=1, *, Generator? generator=None, Tensor out=None)",
    "normal(float mean, Tensor std, *, Generator? generator=None, Tensor out=None)",
    f"normal(float mean, float std, SymInt[] size, *, Generator? generator=None, {OUT})",
)


def normal(*args: Any, **kwargs: Any) -> Any:
    """Normal numbers with means and deviations that are numbers, then with a size, or tensors."""
    _, values = _NORMAL.parse(args, kwargs)
    if "size" in values:
        return normal_of_shape(**values)
    mean, std, generator = values["mean"], values.get("std", 1.0), values.get("generator")
    out = values.get("out")
    if out is not None:
        check_out("normal", (mean, std, out))
    if not isinstance(std, TensorBase):
        if out is not None:
            broadcast(mean.array.shape, out.array.shape)
        name, result = "normal_mean", TENSORS.normal_mean(mean, std=std, generator=generator)
    elif isinstance(mean, TensorBase):
        name, result = "normal_both", TENSORS.normal_both(mean, std, generator=generator)
    else:
        name, result = "normal_std", TENSORS.normal_std(std, mean=mean, generator=generator)
    return result if out is None else write_out(result, out, name)


def _multinomial(self: np.ndarray, num_samples: int, replacement: bool, generator: Generator | None) -> np.ndarray:
    """Places drawn with the weights in each row, each at most once unless ``replacement``."""
    source = generator or default_generator
    _check_weights(self, num_samples, replacement)
    if self.ndim == 2 and not len(self):
        return np.empty((0, num_samples), np.int64)
    if not replacement or num_samples == 1:
        waits = memory_format.empty_like(self, self.dtype)  # which is filled in the order of its memory
        draw.draw_exponential(waits, source)
        quotients = self / waits
        return np.argsort(-quotients, axis=-1, kind="stable")[..., :num_samples].astype(np.int64)
    rows = np.atleast_2d(self)
    _check_entries(rows)
    memory_format.check_size((*self.shape[:-1], num_samples), 8)
    sums = np.cumsum(rows, axis=-1, dtype=rows.dtype)
    sums = sums / sums[:, -1:]
    sums[:, -1] = 1
    drawn = source.doubles(len(rows) * num_samples).reshape(len(rows), num_samples)
    found = np.stack([np.searchsorted(line, chances, side="left") for line, chances in zip(sums, drawn, strict=True)])
    return found.reshape(*self.shape[:-1], num_samples).astype(np.int64)


def _check_weights(self: np.ndarray, num_samples: int, replacement: bool) -> None:
    if not 0 < self.ndim <= 2:
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if self.dtype.kind != "f":
        raise RuntimeError(
            f"multinomial only supports floating-point dtypes for input, got: {dtype_of(self).scalar_type}"
        )
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > self.shape[-1]:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    if self.shape[-1] > 2**24:
        raise RuntimeError("number of categories cannot exceed 2^24")
    if replacement and num_samples > 1:
        return
    if not self.shape[-1] and (self.ndim == 1 or len(self)):
        raise RuntimeError(OF_NOTHING)
    if not np.isfinite(self).all() or (self < 0).any():
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if (self.sum(-1) == 0).any():
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")


def _check_entries(rows: np.ndarray) -> None:
    """What is said of weights that are drawn from one after the other: the first that can't be a weight."""
    for row in rows:
        bad = row[~((row >= 0) & np.isfinite(row))]
        if bad.size:
            found = "= infinity or NaN" if bad[0] > 0 else "< 0"
            raise RuntimeError(f"invalid multinomial distribution (encountering probability entry {found})")
        if not row.sum() > 0:
            raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")


_new(
    "multinomial",
    "MultinomialBackward0",
    _multinomial,
    vjps={},
    shape=None,
    attributes=(Attribute("num_samples", "int", required=True), Attribute("replacement", "bool", False)),
    function="torch.multinomial",
    method="multinomial",
    signatures=(
        "multinomial(Tensor input, SymInt num_samples, bool replacement=False, *, Generator? generator=None, Tensor out=None)",  # noqa: E501
    ),
)
