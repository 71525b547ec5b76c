"""Images and volumes sampled at places between their elements, and the grids of places that matrices make."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.memory_format import check_size
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import size_at, wrap_dim
from chalkgrad.engine.size import brackets
from chalkgrad.engine.storage import reshaped
from chalkgrad.ops.composing import in_sequence, like
from chalkgrad.ops.grid_taps import BICUBIC, NEAREST, Sampling, combined
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.windows import Sizes

_INPUTS = ("input", "grid")
_SETTINGS = (
    Attribute("interpolation_mode", "int", required=True),
    Attribute("padding_mode", "int", required=True),
    Attribute("align_corners", "bool", required=True),
)
_ORDERS = Attribute("orders", "size", required=True)
_SIZES = Attribute("sizes", "size", required=True)


def _checked(dims: int) -> Any:
    """The check of sampling over so many dimensions: RuntimeError for shapes that don't go together."""

    def check(input: np.ndarray, grid: np.ndarray) -> None:
        sizes = f"got input with sizes {brackets(input.shape)} and grid with sizes {brackets(grid.shape)}"
        if size_at(input.shape, 0) != size_at(grid.shape, 0):
            raise RuntimeError(f"grid_sampler(): expected grid and input to have same batch size, but {sizes}")
        if grid.shape[-1] != input.ndim - 2:
            raise RuntimeError(
                f"grid_sampler(): expected grid to have size {input.ndim - 2} in last dimension, but got grid with "
                f"sizes {brackets(grid.shape)}"
            )
        for dim, size in enumerate(input.shape[2:], 2):
            if not size:
                raise RuntimeError(
                    "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes "
                    f"{brackets(input.shape)} with dimension {dim} being empty"
                )
        if not input.ndim == grid.ndim == dims + 2:
            raise RuntimeError(
                f"grid_sampler(): expected {dims + 2}D input and grid with same number of dimensions, but {sizes}"
            )

    return check


def _sampled(input: np.ndarray, grid: np.ndarray, sampling: Sampling, orders: Sizes) -> np.ndarray:
    """The samples at the places of ``grid``, derived by each of a place's numbers as often as ``orders`` says."""
    batch, channels = input.shape[:2]
    made = np.zeros((batch, channels, *grid.shape[1:-1]), input.dtype)
    if not made.size:
        return made
    flat, line = input.reshape(batch, channels, -1), made.reshape(batch, channels, -1)
    for place, inside, weight in combined(grid, input.shape[2:], sampling, orders):
        values = np.take_along_axis(flat, place.reshape(batch, 1, -1), 2)
        there, share = inside.reshape(batch, 1, -1), weight.reshape(batch, 1, -1)
        if grid.shape[-1] == 2:  # here what lies outside counts as 0 times its weight, which may be infinite
            line += np.where(there, values, 0) * share
        else:
            line += np.where(there, values * share, 0)
    return made


def _spread(grad: np.ndarray, grid: np.ndarray, sizes: Sizes, sampling: Sampling, orders: Sizes) -> np.ndarray:
    """The transpose of :func:`_sampled`: what each sample was mixed of gets its share."""
    batch, channels = grad.shape[:2]
    area = math.prod(sizes)
    made = np.zeros((batch, channels, area), grad.dtype)
    if grad.size:
        line = grad.reshape(batch, channels, -1)
        rows = np.arange(batch)[:, None, None], np.arange(channels)[None, :, None]
        for place, inside, weight in combined(grid, sizes, sampling, orders):
            share = np.where(inside.reshape(batch, 1, -1), line * weight.reshape(batch, 1, -1), 0)
            np.add.at(made, (*rows, place.reshape(batch, 1, -1)), share)
    return reshaped(made, (batch, channels, *sizes))


def _plain(grid: np.ndarray) -> Sizes:
    return (0,) * int(grid.shape[-1])


def _sample(
    input: np.ndarray, grid: np.ndarray, interpolation_mode: int, padding_mode: int, align_corners: bool, dims: int
) -> np.ndarray:
    if dims == 3 and interpolation_mode == BICUBIC:
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")
    if input.dtype.kind != "f":
        kernel = "grid_sampler_2d_cpu_kernel_impl" if dims == 2 else "grid_sampler3d_cpu"
        raise not_implemented(kernel, input.dtype)
    if input.dtype != grid.dtype:
        raise RuntimeError(f"expected scalar type {dtype_of(input).scalar_type} but found {dtype_of(grid).scalar_type}")
    return _sampled(input, grid, Sampling(interpolation_mode, padding_mode, align_corners), _plain(grid))


def _backward(
    grad_output: np.ndarray,
    input: np.ndarray,
    grid: np.ndarray,
    interpolation_mode: int,
    padding_mode: int,
    align_corners: bool,
    output_mask: tuple[bool, ...],
) -> tuple[np.ndarray | None, np.ndarray]:
    sampling = Sampling(interpolation_mode, padding_mode, align_corners)
    by_input = _spread(grad_output, grid, input.shape[2:], sampling, _plain(grid)) if output_mask[0] else None
    slopes = [_sampled(input, grid, sampling, orders) for orders in _raised(_plain(grid))]
    return by_input, np.stack([(grad_output * slope).sum(1) for slope in slopes], -1)


def _raised(orders: Sizes) -> list[Sizes]:
    """The orders of the derivatives of what has ``orders``, by each of a place's numbers."""
    return [tuple(order + (number == place) for place, order in enumerate(orders)) for number in range(len(orders))]


def _double_backward(
    o: Any,
    g: tuple[Any, Any],
    grad_output: Any,
    input: Any,
    grid: Any,
    interpolation_mode: int,
    padding_mode: int,
    align_corners: bool,
    *,
    grad_input_mask: tuple[bool, ...],
) -> tuple[Any, Any, Any]:
    """Derivatives of the two gradients, each a sum of samples like the first ones, with weights that are derived."""
    of_input, of_grid = g
    settings = (interpolation_mode, padding_mode, align_corners)
    sizes, plain = tuple(input.shape)[2:], (0,) * (len(tuple(input.shape)) - 2)
    found: list[Any] = [None, None, None]

    def add(place: int, term: Any) -> None:
        found[place] = term if found[place] is None else o.add(found[place], term)

    if of_input is not None:
        name = f"grid_sampler_{len(plain)}d"
        add(0, getattr(o, name)(of_input, grid, *settings))
        add(2, getattr(o, f"{name}_backward")(grad_output, of_input, grid, *settings, (False, True))[1])
    derived = of_grid is not None and interpolation_mode != NEAREST  # which is flat everywhere
    for number, orders in enumerate(_raised(plain) if derived else ()):
        weight = o.unsqueeze(o.select(of_grid, -1, number), 1)
        shares = o.mul(grad_output, weight)
        add(0, o.mul(o._grid_samples(input, grid, *settings, orders), weight))
        add(1, o._grid_shares(shares, grid, *settings, orders, sizes))
        add(2, _by_places(o, shares, input, grid, settings, orders))
    return found[0], found[1], found[2]


def _by_places(o: Any, g: Any, input: Any, grid: Any, settings: tuple[Any, ...], orders: Sizes) -> Any:
    """The derivative of samples, of which ``g`` is the gradient, by their places."""
    slopes = [o._grid_samples(input, grid, *settings, raised) for raised in _raised(orders)]
    return o.stack([o.sum(o.mul(g, slope), (1,)) for slope in slopes], -1)


def _samples_gradient(
    o: Any,
    g: Any,
    input: Any,
    grid: Any,
    interpolation_mode: int,
    padding_mode: int,
    align_corners: bool,
    orders: Sizes,
    *,
    grad_input_mask: tuple[bool, ...],
) -> tuple[Any, Any]:
    settings = (interpolation_mode, padding_mode, align_corners)
    return (
        o._grid_shares(g, grid, *settings, orders, tuple(input.shape)[2:]) if grad_input_mask[0] else None,
        _by_places(o, g, input, grid, settings, orders) if grad_input_mask[1] else None,
    )


def _shares_gradient(
    o: Any,
    g: Any,
    grad: Any,
    grid: Any,
    interpolation_mode: int,
    padding_mode: int,
    align_corners: bool,
    orders: Sizes,
    *,
    grad_input_mask: tuple[bool, ...],
) -> tuple[Any, Any]:
    settings = (interpolation_mode, padding_mode, align_corners)
    return (
        o._grid_samples(g, grid, *settings, orders) if grad_input_mask[0] else None,
        _by_places(o, grad, g, grid, settings, orders) if grad_input_mask[1] else None,
    )


_IMAGE = np.sin(np.arange(24.0)).reshape(1, 2, 3, 4)
_PLACES = np.linspace(-1.1, 0.93, 12).reshape(1, 2, 3, 2) * np.array([0.71, -0.97])
_CUBE = np.sin(np.arange(24.0)).reshape(1, 1, 2, 3, 4)
_SPOTS = np.linspace(-1.1, 0.93, 12).reshape(1, 2, 2, 1, 3) * np.array([0.71, -0.97, 0.83])

for _dims, _samples in ((2, (_IMAGE, _PLACES)), (3, (_CUBE, _SPOTS))):
    _name = f"grid_sampler_{_dims}d"

    def _gradients(
        o: Any,
        g: Any,
        input: Any,
        grid: Any,
        interpolation_mode: int,
        padding_mode: int,
        align_corners: bool,
        *,
        grad_input_mask: tuple[bool, ...],
        name: str = _name,
    ) -> Any:
        backward = getattr(o, f"{name}_backward")
        return backward(g, input, grid, interpolation_mode, padding_mode, align_corners, grad_input_mask)

    register(
        Record(
            name=_name,
            inputs=_INPUTS,
            attributes=_SETTINGS,
            promotes="none",
            check=_checked(_dims),
            forward=in_sequence(partial(_sample, dims=_dims)),
            vjps=dict.fromkeys(_INPUTS, _gradients),
            grad_fn=f"GridSampler{_dims}DBackward0",
            section="layer",
            hidden=True,
            part_of="grid_sample",
            samples=(((*_samples, 0, 0, False), {}), ((*_samples, 0, 1, True), {})),
        )
    )
    register(
        Record(
            name=f"{_name}_backward",
            inputs=("grad_output", *_INPUTS),
            attributes=(*_SETTINGS, Attribute("output_mask", "choice", required=True)),
            promotes="none",
            forward=_backward,
            vjps=dict.fromkeys(("grad_output", *_INPUTS), _double_backward),
            grad_fn=f"GridSampler{_dims}DBackwardBackward0",
            outputs=("result0", "result1"),
            section="layer",
            hidden=True,
            part_of="grid_sample",
        )
    )


register(
    Record(
        name="_grid_samples",
        inputs=_INPUTS,
        attributes=(*_SETTINGS, _ORDERS),
        promotes="none",
        forward=lambda input, grid, interpolation_mode, padding_mode, align_corners, orders: _sampled(
            input, grid, Sampling(interpolation_mode, padding_mode, align_corners), orders
        ),
        vjps=dict.fromkeys(_INPUTS, _samples_gradient),
        grad_fn="GridSamplesBackward0",
        section="layer",
        hidden=True,
        samples=(((_IMAGE, _PLACES, BICUBIC, 2, False, (1, 0)), {}),),
    )
)
register(
    Record(
        name="_grid_shares",
        inputs=("grad", "grid"),
        attributes=(*_SETTINGS, _ORDERS, _SIZES),
        promotes="none",
        forward=lambda grad, grid, interpolation_mode, padding_mode, align_corners, orders, sizes: _spread(
            grad, grid, sizes, Sampling(interpolation_mode, padding_mode, align_corners), orders
        ),
        vjps=dict.fromkeys(("grad", "grid"), _shares_gradient),
        grad_fn="GridSharesBackward0",
        section="layer",
        hidden=True,
        samples=(((np.cos(np.arange(12.0)).reshape(1, 2, 2, 3), _PLACES, BICUBIC, 1, True, (0, 1), (3, 4)), {}),),
    )
)


def _base(like_array: np.ndarray, size: Sizes, align_corners: bool) -> np.ndarray:
    """The places of a grid that nothing has moved, each with a 1 behind it: one row a place."""
    axes = []
    for count in reversed(size[2:]):
        ends = (-1, 1) if count > 1 else (0, 0)
        steps = np.linspace(*ends, count, dtype=like_array.dtype)
        axes.append(steps if align_corners else steps * like_array.dtype.type((count - 1) / max(count, 1)))
    places = np.meshgrid(*reversed(axes), indexing="ij")[::-1]
    rows = np.stack([*places, np.ones_like(places[0])], -1).reshape(1, math.prod(size[2:]), len(axes) + 1)
    return np.broadcast_to(rows, (size[0], *rows.shape[1:]))


def _affine_shape(theta: Sizes, size: Sizes, align_corners: bool) -> Sizes:
    """The shape of a grid; raises what PyTorch does for a size or matrices that don't go with it."""
    if len(size) not in (4, 5):
        raise RuntimeError("AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.")
    check_size((size[0], *size[2:], len(size) - 1), 1)
    for dim in (1, 2):
        wrap_dim(dim, len(theta))
    wanted, given = (size[0], len(size) - 1), (theta[0], theta[2])
    if wanted != given:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: {brackets(wanted)} but got: "
            f"{brackets(given)}."
        )
    return (size[0], *size[2:], theta[1])


def _affine_grid(theta: np.ndarray, size: Sizes, align_corners: bool) -> np.ndarray:
    moved: np.ndarray = np.matmul(_base(theta, size, align_corners), theta.swapaxes(1, 2))
    return moved.reshape(size[0], *size[2:], theta.shape[1])


def _affine_gradient(o: Any, g: Any, size: Sizes, align_corners: bool) -> Any:
    array = g if isinstance(g, np.ndarray) else g.array
    turned = np.ascontiguousarray(_base(array, size, align_corners).swapaxes(1, 2))
    rows = o.reshape(g, (size[0], math.prod(size[2:]), len(size) - 2))
    return o.transpose(o.bmm(like(g, turned), rows), 1, 2)


register(
    Record(
        name="affine_grid_generator",
        inputs=("theta",),
        attributes=(
            Attribute("size", "size", required=True),
            Attribute("align_corners", "bool", required=True),
        ),
        promotes="none",
        shape=_affine_shape,
        forward=_affine_grid,
        vjps={"theta": _affine_gradient},
        grad_fn="AffineGridGeneratorBackward0",
        section="layer",
        hidden=True,
        part_of="affine_grid",
        samples=(((np.linspace(-1.0, 1.0, 6).reshape(1, 2, 3), (1, 1, 2, 3), False), {}),),
    )
)
