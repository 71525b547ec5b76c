"""Sampling at the places of a grid, and grids that matrices make."""

from __future__ import annotations

import warnings
from typing import Any

from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.signature import Parser
from chalkgrad.engine.tensor import Tensor

_MODES = {"bilinear": 0, "nearest": 1, "bicubic": 2}
_PADDINGS = {"zeros": 0, "border": 1, "reflection": 2}
_SAMPLER = Parser.of(
    "grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners)"
)


def _warn_of_default() -> None:
    warnings.warn(
        "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please specify "
        "align_corners=True if the old behavior is desired. See the documentation of grid_sample for details.",
        stacklevel=3,
    )


def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """``input`` at the places of ``grid``, which run from -1 to 1 along each dimension."""
    if mode not in [*_MODES]:  # nor a list, which a dictionary can't be asked for
        raise ValueError(
            f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'"
        )
    if padding_mode not in [*_PADDINGS]:
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: "
            f"'{padding_mode}'"
        )
    if align_corners is None:
        _warn_of_default()
    corners = False if align_corners is None else align_corners
    return grid_sampler(input, grid, _MODES[mode], _PADDINGS[padding_mode], corners)


def grid_sampler(*args: Any, **kwargs: Any) -> Tensor:
    """The same with PyTorch's numbers for the ways of sampling."""
    _, given = _SAMPLER.parse(args, kwargs)
    sample = TENSORS.grid_sampler_2d if given["input"].array.ndim == 4 else TENSORS.grid_sampler_3d
    result: Tensor = sample(*[given[parameter.name] for parameter in _SAMPLER.signatures[0].parameters])
    return result


_GENERATOR = Parser.of("affine_grid_generator(Tensor theta, SymInt[] size, bool align_corners)")


def affine_grid(theta: Tensor, size: Any, align_corners: bool | None = None) -> Tensor:
    """The places to which a matrix moves those of an image, or a volume, of ``size``."""
    if align_corners is None:
        _warn_of_default()
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    _check_matrices(theta, size)
    if align_corners and min(size[2:]) == 1:
        warnings.warn(
            "Since version 1.3.0, affine_grid behavior has changed for unit-size grids when align_corners=True. This "
            "is not an intended use case of affine_grid. See the documentation of affine_grid for details.",
            stacklevel=2,
        )
    elif min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    _, given = _GENERATOR.parse((theta, tuple(size), False if align_corners is None else align_corners), {})
    result: Tensor = TENSORS.affine_grid_generator(*given.values())
    return result


def _check_matrices(theta: Tensor, size: Any) -> None:
    """An error unless there is a matrix for each image or volume."""
    dims = len(size) - 2
    if dims not in (2, 3):
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. "
            f"Got size {size}."
        )
    if theta.dim() != 3 or theta.shape[-2:] != (dims, dims + 1):
        raise ValueError(
            f"Expected a batch of {dims}D affine matrices of shape Nx{dims}x{dims + 1} for size {size}. "
            f"Got {theta.shape}."
        )
