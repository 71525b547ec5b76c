"""gradient: slopes along dimensions, estimated from neighbours."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import size_at, wrap_dim
from chalkgrad.ops.composing import array_in, through
from chalkgrad.ops.samples import M23, V3

_EXPECTED = "torch.gradient expected "
_UNSPECIFIED = f"{_EXPECTED}spacing to be unspecified, a scalar"


def _dims(shape: tuple[int, ...], spacing: Any, dim: Any) -> tuple[int, ...]:
    """Along which dimensions, each by its own spacing where there is a list of these."""
    if dim is None:
        if isinstance(spacing, tuple) and len(spacing) != len(shape):
            raise RuntimeError(
                f"{_UNSPECIFIED}, or a list of length equal to 'self.dim() = {len(shape)}', since dim argument was not "
                f"given, but got a list of length {len(spacing)}"
            )
        return tuple(range(len(shape)))
    dims = dim if isinstance(dim, tuple) else (dim,)
    if isinstance(spacing, tuple) and len(spacing) != len(dims):
        raise RuntimeError(
            f"{_UNSPECIFIED} or it's spacing and dim arguments to have the same length, but got a spacing argument of "
            f"length {len(spacing)} and a dim argument of length {len(dims)}."
        )
    return dims


def _check(self: Any, spacing: Any, dims: tuple[int, ...], edge_order: int) -> None:
    for step in spacing if isinstance(spacing, tuple) else ():
        if not isinstance(step, int | float) and len(step.shape) != 1:
            raise RuntimeError(
                f"{_EXPECTED}each element of spacing to have one dimension, but got an element with "
                f"{len(step.shape)} dimensions!"
            )
    if array_in(self).dtype == "uint8":
        raise RuntimeError("torch.gradient does not support uint8 input.")
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    seen = set()
    for dim in dims:
        axis = wrap_dim(dim, len(self.shape))
        if axis in seen:
            raise RuntimeError(f"dim {axis} appears multiple times in the list of dims")
        seen.add(axis)
    for dim in dims:
        if size_at(tuple(self.shape), dim) < edge_order + 1:
            raise RuntimeError(f"{_EXPECTED}each dimension size to be at least edge_order+1")


def _even(o: Any, self: Any, axis: int, step: float, edge_order: int) -> Any:
    """The slopes between neighbours that are all ``step`` apart."""

    def at(start: int, end: int | None = None) -> Any:
        return o.slice(self, axis, start, end, 1)

    def apart(upper: tuple[int, ...], lower: tuple[int, ...]) -> Any:
        below = at(*lower)
        return o.div_number(o.sub(at(*upper), below), step)

    center = apart((2,), (0, -2))
    if edge_order == 1:
        first, last = apart((1, 2), (0, 1)), apart((-1,), (-2, -1))
    else:
        third, second = o.mul_number(at(2, 3), 0.5), o.mul_number(at(1, 2), 2)
        first = o.div_number(o.sub(o.add(o.mul_number(at(0, 1), -1.5), second), third), step)
        third, second = o.mul_number(at(-1), 1.5), o.mul_number(at(-2, -1), 2)
        last = o.div_number(o.add(o.sub(o.mul_number(at(-3, -2), 0.5), second), third), step)
    return o.cat([first, o.div_number(center, 2), last], axis)


def _uneven(o: Any, self: Any, axis: int, coordinates: Any, edge_order: int) -> Any:
    """The slopes between neighbours at ``coordinates``: of the parabola through three of them, or of a line."""
    gaps = o.diff(coordinates, None, None)
    count = gaps.shape[0]
    along = tuple(-1 if place == axis else 1 for place in range(len(self.shape)))

    def at(start: int, end: int | None = None) -> Any:
        return o.slice(self, axis, start, end, 1)

    def weighted(weights: tuple[Any, ...], *parts: tuple[int, ...]) -> Any:
        third, second = (o.mul(weights[place], at(*parts[place])) for place in (2, 1))
        return o.add(o.add(o.mul(weights[0], at(*parts[0])), second), third)

    def apart(upper: tuple[int, ...], lower: tuple[int, ...], gap: Any) -> Any:
        below = at(*lower)
        return o.div(o.sub(at(*upper), below), gap)

    left, right = o.slice(gaps, 0, 0, -1, 1), o.slice(gaps, 0, 1, None, 1)
    weights = tuple(o.reshape(weight, along) for weight in _inner(o, left, right))
    center = weighted(weights, (0, -2), (1, -1), (2,))
    if edge_order == 2 and not count:
        o.select(gaps, 0, 1)  # raises in the name of the gap that PyTorch asks for first
    near, far = o.select(gaps, 0, 0), o.select(gaps, 0, count - 1)
    if edge_order == 1:
        first, last = apart((1, 2), (0, 1), near), apart((-1,), (-2, -1), far)
    else:
        first = weighted(_outer(o, near, o.select(gaps, 0, 1)), (0, 1), (1, 2), (2, 3))
        backwards = _outer(o, far, o.select(gaps, 0, count - 2))
        third, second, end = (o.neg(weight) for weight in backwards)
        last = weighted((end, second, third), (-3, -2), (-2, -1), (-1,))
    return o.cat([first, center, last], axis)


def _inner(o: Any, left: Any, right: Any) -> tuple[Any, Any, Any]:
    """What three neighbours count for in the slope at the second, with these gaps beside it."""
    both = o.add(left, right)
    return (
        o.div(o.neg(right), o.mul(left, both)),
        o.div(o.sub(right, left), o.mul(left, right)),
        o.div(left, o.mul(right, both)),
    )


def _outer(o: Any, near: Any, next_gap: Any) -> tuple[Any, Any, Any]:
    """What three neighbours count for in the slope at the first, which the gap ``near`` is beside."""
    both = o.add(near, next_gap)
    return (
        o.neg(o.div(o.add(o.mul_number(near, 2.0), next_gap), o.mul(near, both))),
        o.div(both, o.mul(near, next_gap)),
        o.neg(o.div(near, o.mul(next_gap, both))),
    )


def gradient(o: Any, self: Any, spacing: Any = None, dim: Any = None, edge_order: int = 1) -> tuple[Any, ...]:
    """The slopes of ``self`` along each dimension; ``spacing`` is one step, or a tuple of steps or of coordinates."""
    dims = _dims(tuple(self.shape), spacing, dim)
    _check(self, spacing, dims, edge_order)
    steps = spacing if isinstance(spacing, tuple) else (1.0 if spacing is None else spacing,) * len(dims)
    found = []
    for place, step in zip(dims, steps, strict=True):
        slopes = _even if isinstance(step, int | float) else _uneven
        found.append(slopes(o, self, wrap_dim(place, len(self.shape)), step, edge_order))
    return tuple(found)


register(
    Record(
        name="gradient",
        inputs=("self",),
        attributes=(
            Attribute("spacing", "number", None, positional=False),
            Attribute("dim", "dim", None, positional=False),
            Attribute("edge_order", "int", 1, positional=False),
        ),
        promotes="none",
        forward=through(gradient),
        compose=gradient,
        outputs=(),
        signatures=(
            "gradient(Tensor input, *, int[] dim, int edge_order=1)",
            "gradient(Tensor input, *, Scalar spacing, int[] dim, int edge_order=1)",
            "gradient(Tensor input, *, Scalar? spacing=None, int? dim=None, int edge_order=1)",
        ),
        function="torch.gradient",
        section="reduce",
        latex=r"\nabla \self",
        samples=(((M23,), {}), ((M23,), {"dim": 1, "spacing": 0.5}), ((V3,), {"edge_order": 2})),
    )
)
