"""What may be assigned to a tensor's ``.grad``, and which dtype it has."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.base import TensorBase, meta_of
from chalkgrad.engine.dtype import DType, dtype_of
from chalkgrad.engine.size import brackets


def dtype_wanted(tensor: TensorBase) -> DType | None:
    """The dtype that the gradient of ``tensor`` has: its own unless another was set; None for any."""
    wanted: Any = "own" if tensor.meta is None else tensor.meta.grad_dtype
    return dtype_of(tensor.array) if wanted == "own" else wanted


def set_dtype_wanted(tensor: TensorBase, value: DType | None) -> None:
    """Say which dtype the gradient of a leaf is to have; RuntimeError where there is one already of another."""
    if value is not None and not isinstance(value, DType):
        raise RuntimeError(f"grad_dtype must be a torch.dtype or None, but got {type(value).__name__}")
    meta = meta_of(tensor)
    if value is not None and meta.grad is not None and dtype_of(meta.grad.array) is not value:
        raise RuntimeError(
            f"Cannot set grad_dtype to '{value.scalar_type}' because there is already a gradient with dtype "
            f"'{dtype_of(meta.grad.array).cpp}'. Please clear the gradient (.grad = None) before changing grad_dtype, "
            "or ensure the new grad_dtype matches the existing gradient's dtype."
        )
    meta.grad_dtype = value
    node = None if meta.accumulator is None else meta.accumulator()
    if node is not None:
        node.dtype = None if value is None else value.numpy


def check_gradient(tensor: TensorBase, value: object) -> None:
    """Raise unless ``value`` can be the gradient of ``tensor``."""
    if not isinstance(value, TensorBase):
        raise TypeError(f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}")
    if value is tensor:
        raise RuntimeError("can't assign Variable as its own grad")
    wanted = dtype_wanted(tensor)
    if wanted is not None and dtype_of(value.array) is not wanted:
        raise RuntimeError(
            f"attempting to assign a gradient with dtype '{dtype_of(value.array).cpp}' to a tensor with grad_dtype "
            f"'{wanted.scalar_type}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's "
            "dtype). You can set the tensor's grad_dtype attribute with a specific dtype, or None to allow any "
            "dtype. Set grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break "
            "downstream systems that assume they match."
        )
    if value.array.shape != tensor.array.shape:
        raise RuntimeError(
            f"attempting to assign a gradient of size '{brackets(value.array.shape)}' to a tensor of size "
            f"'{brackets(tensor.array.shape)}'. Please ensure that the gradient and the tensor are the same size"
        )
