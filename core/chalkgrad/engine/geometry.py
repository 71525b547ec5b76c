"""What a tensor says about its shape, memory and dtype, and the ways to ask for another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chalkgrad.engine import storage
from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.dtype import DType, dtype_named, dtype_of
from chalkgrad.engine.methods import Methods
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.shapes import wrap_dim
from chalkgrad.engine.size import Size

if TYPE_CHECKING:
    from collections.abc import Callable

    from chalkgrad.engine.tensor import Tensor

WHERE = "cpu"


class Geometry(Methods):
    """Sizes, strides, dtype, and the same elements in another shape or dtype."""

    __slots__ = ()

    @property
    def shape(self) -> Size:
        """Its sizes."""
        return Size(self.array.shape)

    def size(self, dim: int | None = None) -> Any:
        """Its sizes, or that of one dimension."""
        if dim is None:
            return self.shape
        return self.array.shape[wrap_dim(dim, self.array.ndim)]

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self.array.ndim

    def dim(self) -> int:
        """Number of dimensions."""
        return self.array.ndim

    def numel(self) -> int:
        """Number of elements."""
        return self.array.size

    nelement = numel

    def stride(self, dim: int | None = None) -> Any:
        """For each dimension, how many elements of memory lie between neighbours."""
        strides = storage.element_strides(self.array)
        return strides if dim is None else strides[dim]

    def storage_offset(self) -> int:
        """Place of the first element in its memory."""
        return storage.storage_offset(self.array)

    def data_ptr(self) -> int:
        """Address of its first element."""
        return storage.data_ptr(self.array)

    def element_size(self) -> int:
        """Size of one element in bytes."""
        return self.array.itemsize

    def is_contiguous(self) -> bool:
        """True when its elements lie in memory in order."""
        return self.array.flags.c_contiguous

    def contiguous(self) -> Tensor:
        """Itself if its elements lie in order, else a copy."""
        if self.is_contiguous():
            return self  # type: ignore[return-value]
        result: Tensor = TENSORS.contiguous(self)
        return result

    @property
    def dtype(self) -> DType:
        """Its element type."""
        return dtype_of(self.array)

    @property
    def device(self) -> str:
        """Where it is: always the CPU."""
        return WHERE

    def is_floating_point(self) -> bool:
        """True for float32 and float64."""
        return self.array.dtype.kind == "f"

    def type(self, dtype: DType | None = None) -> Any:
        """The name of its type as PyTorch used to write it, or the tensor in another dtype."""
        return f"torch.{self.dtype_title}Tensor" if dtype is None else self.to(dtype)

    def to(self, target: Any = None, dtype: DType | None = None) -> Tensor:
        """In another dtype, itself where it already has it."""
        wanted = dtype
        if isinstance(target, DType):
            wanted = target
        elif isinstance(target, TensorBase):
            wanted = dtype_of(target.array)
        elif target is not None and target != WHERE:
            raise RuntimeError(f"Expected the cpu device type, but got: {target}")
        if wanted is None or wanted.numpy == self.array.dtype:
            return self  # type: ignore[return-value]
        result: Tensor = TENSORS.to_copy(self, wanted)
        return result

    # Shape in other words

    @property
    def T(self) -> Tensor:
        """Its dimensions in reverse order; a view."""
        result: Tensor = TENSORS.permute(self, tuple(range(self.array.ndim))[::-1])
        return result

    @property
    def mT(self) -> Tensor:
        """Its last two dimensions exchanged; a view."""
        if self.array.ndim < 2:
            raise RuntimeError(
                f"tensor.mT is only supported on matrices or batches of matrices. Got {self.array.ndim}-D tensor."
            )
        return self.transpose(-2, -1)

    def view_as(self, other: Tensor) -> Tensor:
        """In the shape of ``other``; a view."""
        return self.view(other.shape)

    def reshape_as(self, other: Tensor) -> Tensor:
        """In the shape of ``other``."""
        return self.reshape(other.shape)

    def flatten(self) -> Tensor:
        """In one dimension."""
        return self.reshape(-1)


_CASTS = {
    "float": "float32",
    "double": "float64",
    "int": "int32",
    "long": "int64",
    "short": "int16",
    "char": "int8",
    "byte": "uint8",
    "bool": "bool",
}


def _caster(dtype: DType) -> Callable[[Geometry], Tensor]:
    def convert(self: Geometry) -> Tensor:
        return self.to(dtype)

    convert.__doc__ = f"The tensor as {dtype!r}, itself where it already is."
    return convert


for _name, _dtype in _CASTS.items():
    setattr(Geometry, _name, _caster(dtype_named(_dtype)))
