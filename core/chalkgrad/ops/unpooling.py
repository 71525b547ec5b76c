"""Max pooling turned round: each element goes back to where it was found, among zeros."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.size import brackets
from chalkgrad.ops.composing import in_format
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.pooling import OUTPUT_SIZE, pooled_again
from chalkgrad.ops.windows import Sizes


def _check(self: np.ndarray, indices: np.ndarray, dims: int) -> None:
    """PyTorch's error for what it can't put back."""
    if indices.dtype != np.int64:
        found = f" but got: {dtype_of(indices).scalar_type}" if dims == 2 else ""
        raise RuntimeError(f"elements in indices should be type int64{found}")
    if self.ndim not in (dims + 1, dims + 2):
        raise RuntimeError(
            f"Input to max_unpooling{dims}d should be a {dims + 1}d or {dims + 2}d Tensor, but got a tensor with "
            f"{self.ndim} dimensions."
        )
    if self.shape != indices.shape:
        raise RuntimeError(
            f"Expected shape of indices to be same as that of the input tensor ({brackets(self.shape)}) but got "
            f"indices tensor with shape: {brackets(indices.shape)}"
        )
    lead = self.ndim - dims - 1
    if 0 in self.shape[lead:]:
        raise RuntimeError(
            f"max_unpooling{dims}d_forward_out_cpu(): Expected input to have non-zero size for non-batch dimensions, "
            f"but got {brackets(self.shape)} with dimension {self.shape.index(0, lead)} being empty."
        )
    if self.dtype.kind != "f":
        raise not_implemented(f"max_unpool{dims}d", self.dtype)


def _put_back(self: np.ndarray, indices: np.ndarray, output_size: Sizes) -> Any:
    dims = len(output_size)
    _check(self, indices, dims)
    area = math.prod(output_size)
    wrong = indices[(indices < 0) | (indices >= area)]
    if wrong.size:
        sizes = "x".join(map(str, output_size))
        raise RuntimeError(f"Found an invalid max index: {wrong[-1]} (output volumes are of size {sizes})")
    made = np.zeros((*self.shape[:-dims], area), self.dtype)
    flat = (*self.shape[:-dims], math.prod(self.shape[-dims:]))
    np.put_along_axis(made, indices.reshape(flat), self.reshape(flat), -1)
    return made.reshape(*self.shape[:-dims], *output_size)


def _put_back_volume(self: np.ndarray, indices: np.ndarray, output_size: Sizes, stride: Sizes, padding: Sizes) -> Any:
    if any(step <= 0 for step in stride):
        raise RuntimeError(f"strides should be greater than zero, but got stride: {brackets(stride)}")
    return _put_back(self, indices, output_size)


_SPOTS = np.array([[[[5, 3], [8, 14]]]])
_VALUES = np.array([[[[0.5, -1.0], [2.0, 1.5]]]])

register(
    Record(
        name="max_unpool2d",
        inputs=("self", "indices"),
        attributes=(OUTPUT_SIZE,),
        promotes="none",
        forward=in_format(_put_back),
        vjps={"self": lambda o, g, indices: pooled_again(o, g, indices)},
        grad_fn="MaxUnpool2DBackward0",
        section="layer",
        hidden=True,
        samples=(((_VALUES, _SPOTS, (4, 4)), {}),),
    )
)
register(
    Record(
        name="max_unpool3d",
        inputs=("self", "indices"),
        attributes=(
            OUTPUT_SIZE,
            Attribute("stride", "size", required=True),
            Attribute("padding", "size", required=True),
        ),
        promotes="none",
        forward=_put_back_volume,
        vjps={"self": lambda o, g, indices: pooled_again(o, g, indices, 3)},
        grad_fn="MaxUnpool3DBackward0",
        section="layer",
        hidden=True,
        samples=(((_VALUES[None], _SPOTS[None], (1, 4, 4), (1, 2, 2), (0, 0, 0)), {}),),
    )
)
