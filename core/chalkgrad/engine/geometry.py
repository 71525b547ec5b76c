"""What a tensor says about its shape and memory, and the same elements in another shape."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from chalkgrad.engine import memory_format, storage
from chalkgrad.engine.base import TensorBase, all_born_unheard, counter_of, state
from chalkgrad.engine.device import CPU, Device, Layout, MemoryFormat, contiguous_format, preserve_format, strided
from chalkgrad.engine.dtype import DType, dtype_of
from chalkgrad.engine.inplace import any_requires_grad, check_inference, check_writable
from chalkgrad.engine.legacy import Resize
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.methods import Methods
from chalkgrad.engine.outputs import NotImplementedNode
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.shapes import COUNTLESS, check_reach, wrap_dim
from chalkgrad.engine.signature import Parser, bare
from chalkgrad.engine.size import Size
from chalkgrad.engine.storages import TypedStorage, UntypedStorage, array_in, typed_storage_warning
from chalkgrad.engine.warning import warn_once

if TYPE_CHECKING:
    from chalkgrad.engine.tensor import Tensor

_SIZE = Parser.of("size(int? dim=None)")
_STRIDE = Parser.of("stride(int? dim=None)")
_IS_CONTIGUOUS = Parser.of("is_contiguous(*, MemoryFormat memory_format=contiguous_format)")
_CONTIGUOUS = Parser.of("contiguous(*, MemoryFormat memory_format=contiguous_format)")
_RESIZE_AS = Parser.of("resize_as_(Tensor the_template, *, MemoryFormat? memory_format=None)")
_RESIZE = Parser.of("resize_(SymInt[] size, *, MemoryFormat? memory_format=None)")
_OTHER = {
    name: Parser.of(f"{name}(Tensor {what})") for name, what in (("is_same_size", "other"), ("is_set_to", "tensor"))
}
_SET = Parser.of(
    "set_()",
    "set_(Storage source)",
    "set_(Storage source, SymInt storage_offset, SymInt[] size, SymInt[] stride=None)",
    "set_(Tensor source)",
    "set_(Tensor source, SymInt storage_offset, SymInt[] size, SymInt[] stride=None)",
)


_ODD_TRANSPOSE = (
    "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will throw an "
    "error in a future release. Consider `x.mT` to transpose batches of matrices or `x.permute(*torch.arange(x.ndim - "
    "1, -1, -1))` to reverse the dimensions of a tensor."
)


def _warn_about_transposing(name: str, ndim: int) -> None:
    """PyTorch's warnings, each given once, for ``T`` and ``H`` of what is no matrix."""
    text = _ODD_TRANSPOSE
    if not ndim:
        instead = "Consider using x.conj()." if "H" in name else "This function is the identity in these cases."
        text = f"Tensor.{name} is deprecated on 0-D tensors. {instead}"
    warn_once(text)


class Geometry(Methods):
    """Sizes, strides, memory, and the same elements in another shape."""

    __slots__ = ()

    # Shape

    @property
    def shape(self) -> Size:
        """Its sizes."""
        return Size(self.array.shape)

    def size(self, *args: Any, **kwargs: Any) -> Any:
        """Its sizes, or with ``dim`` that of one dimension."""
        if not args and not kwargs:
            return Size(self.array.shape)
        _, values = _SIZE.parse(args, kwargs)
        dim = values.get("dim")
        return self.shape if dim is None else self.array.shape[self._dim(dim)]

    def stride(self, *args: Any, **kwargs: Any) -> Any:
        """For each dimension, or with ``dim`` for one, how many elements of memory lie between neighbours."""
        _, values = _STRIDE.parse(args, kwargs)
        strides, dim = storage.element_strides(self.array), values.get("dim")
        return strides if dim is None else strides[self._dim(dim)]

    def _dim(self, dim: int) -> int:
        if not self.array.ndim:
            raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
        return wrap_dim(dim, self.array.ndim)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self.array.ndim

    @bare
    def dim(self) -> int:
        """Number of dimensions."""
        return self.array.ndim

    @bare
    def numel(self) -> int:
        """Number of elements."""
        return self.array.size

    @bare
    def ndimension(self) -> int:
        """Number of dimensions."""
        return self.array.ndim

    @bare
    def nelement(self) -> int:
        """Number of elements."""
        return self.array.size

    @bare
    def dense_dim(self) -> int:
        """Number of dimensions: all are kept in full."""
        return self.array.ndim

    @bare
    def sparse_dim(self) -> int:
        """0: all dimensions are kept in full."""
        return 0

    @bare
    def dim_order(self) -> tuple[int, ...]:
        """The dimensions from the outermost in memory to the innermost."""
        return memory_format.dim_order(self.array)

    def is_same_size(self, *args: Any, **kwargs: Any) -> bool:
        """True when ``other`` has the same sizes."""
        other: TensorBase = _OTHER["is_same_size"].parse(args, kwargs)[1]["other"]
        return other.array.shape == self.array.shape

    # Memory

    @bare
    def storage_offset(self) -> int:
        """Place of the first element in its memory."""
        return storage.storage_offset(self.array)

    @bare
    def data_ptr(self) -> int:
        """Address of its first element."""
        return storage.data_ptr(self.array)

    @bare
    def element_size(self) -> int:
        """Size of one element in bytes."""
        return self.array.itemsize

    @property
    def itemsize(self) -> int:
        """Size of one element in bytes."""
        return self.array.itemsize

    @property
    def nbytes(self) -> int:
        """Size of all its elements in bytes."""
        return self.array.size * self.array.itemsize

    def untyped_storage(self) -> UntypedStorage:
        """The memory it shows, with its views, as bytes."""
        return UntypedStorage(self.array)

    def storage(self) -> TypedStorage:
        """The memory it shows as elements; PyTorch's older form."""
        typed_storage_warning()
        return TypedStorage(self.array)

    def is_set_to(self, *args: Any, **kwargs: Any) -> bool:
        """True when ``tensor`` is the same elements of the same memory."""
        other: TensorBase = _OTHER["is_set_to"].parse(args, kwargs)[1]["tensor"]
        same = storage.storage_id(other.array) == storage.storage_id(self.array)
        return same and other.array.shape == self.array.shape and other.array.strides == self.array.strides

    def is_contiguous(self, *args: Any, **kwargs: Any) -> bool:
        """True when its elements lie in memory in order, or in that of ``memory_format``."""
        if not args and not kwargs:
            return self.array.flags.c_contiguous
        return memory_format.is_contiguous(self.array, _IS_CONTIGUOUS.parse(args, kwargs)[1].get("memory_format"))

    def contiguous(self, *args: Any, **kwargs: Any) -> Tensor:
        """Itself if its elements lie in order, or in that of ``memory_format``, else a copy."""
        form = _CONTIGUOUS.parse(args, kwargs)[1].get("memory_format") or contiguous_format
        if memory_format.is_contiguous(self.array, form):
            return self  # type: ignore[return-value]
        result: Tensor = TENSORS.contiguous(self, memory_format=form)
        return result

    def resize_(self, *args: Any, **kwargs: Any) -> Tensor:
        """Give it another shape, on its memory as far as that reaches; what comes new is not defined."""
        values = _RESIZE.parse(args, kwargs)[1]
        self._resize(values["size"], values.get("memory_format"))
        return self  # type: ignore[return-value]

    def resize_as_(self, *args: Any, **kwargs: Any) -> Tensor:
        """:meth:`resize_` to the shape of another tensor."""
        values = _RESIZE_AS.parse(args, kwargs)[1]
        like, form = values["the_template"], values.get("memory_format")
        self._resize(like.array.shape, memory_format.suggested(like.array) if form is preserve_format else form, like)
        return self  # type: ignore[return-value]

    def resize(self, *sizes: int) -> Tensor:
        """``reshape`` as it was called in PyTorch's early days; warns."""
        warnings.warn("non-inplace resize is deprecated", UserWarning, stacklevel=2)
        return Resize.apply(self, sizes)  # type: ignore[no-any-return]

    def resize_as(self, tensor: Tensor) -> Tensor:
        """:meth:`resize` to the shape of another tensor; warns, too."""
        warnings.warn("non-inplace resize_as is deprecated", UserWarning, stacklevel=2)
        return Resize.apply(self, tensor.size())  # type: ignore[no-any-return]

    def _resize(self, size: tuple[int, ...], form: MemoryFormat | None = None, *others: TensorBase) -> None:
        if requires_grad_of(self) and not state.inference and not all_born_unheard(self, *others):
            raise RuntimeError("cannot resize variables that require grad")
        if any(length < 0 for length in size) or math.prod(size) >= 1 << 63:
            raise RuntimeError(COUNTLESS)
        memory_format.check_size(size, self.array.itemsize)
        array = self.array if size == self.array.shape else storage.resized(self.array, size)
        if form is not None:
            array = memory_format.restrided(array, form)
        if array is not self.array:
            self._change_memory(array)

    def set_(self, *args: Any, **kwargs: Any) -> Tensor:
        """Show other memory from now on, that of a tensor or storage, or none; backwards through it are refused."""
        _, values = _SET.parse(args, kwargs)
        source = values.get("source")
        others = [source] if isinstance(source, TensorBase) else []
        if all_born_unheard(self, *others) or not state.grad or not any_requires_grad((self, *others)):
            if self.meta is not None:
                self.meta.accumulator = None  # no graph leads to it any more
            self._change_memory(self._memory_for(source, values))
            return self  # type: ignore[return-value]
        check_writable(self)
        node = NotImplementedNode("set_", [self, *others], self)
        self._change_memory(self._memory_for(source, values))
        node.follow(self, others)
        return self  # type: ignore[return-value]

    def _memory_for(self, source: Any, values: dict[str, Any]) -> np.ndarray:
        """What :meth:`set_` shows of ``source``."""
        if source is None:
            return np.zeros(0, self.array.dtype)
        array: np.ndarray = source.array if isinstance(source, TensorBase) else array_in(source, self.array.dtype)
        if array.dtype != self.array.dtype:
            raise RuntimeError(
                f"Could not set tensor of type {dtype_of(array).cpp} to a tensor of type {dtype_of(self.array).cpp}"
            )
        if "size" in values:
            size = values["size"]
            stride = values.get("stride") or tuple(math.prod(size[axis + 1 :]) for axis in range(len(size)))
            offset = values["storage_offset"]
            if isinstance(source, TensorBase):
                return storage.as_strided(array, size, stride, offset)
            check_reach(size, stride, offset, array.itemsize, source.nbytes())
            return storage.strided_in(array, size, stride, offset)
        return array

    def _change_memory(self, array: np.ndarray) -> None:
        if state.observer is not None:
            state.observer.about_to_write(self)
        counter = counter_of(self)  # while a node that saved it as its result still knows it by its memory
        self.array = array
        check_inference(self)
        counter.version += 1
        if state.observer is not None:
            state.observer.wrote(self)

    def share_memory_(self) -> Tensor:
        """Itself: there is only this process."""
        return self  # type: ignore[return-value]

    def pin_memory(self, device: Any = None) -> Tensor:
        """Refused: only memory that an accelerator reads can be pinned."""
        raise RuntimeError("Cannot access accelerator device when none is available.")

    # Where and what it is

    @property
    def dtype(self) -> DType:
        """Its element type."""
        return dtype_of(self.array)

    @property
    def device(self) -> Device:
        """Where it is: always the CPU."""
        return CPU

    @property
    def layout(self) -> Layout:
        """How its elements are kept: all of them."""
        return strided

    @bare
    def get_device(self) -> int:
        """-1: the CPU has no number."""
        return -1

    @bare
    def is_floating_point(self) -> bool:
        """True for float32 and float64."""
        return self.array.dtype.kind == "f"

    @bare
    def is_complex(self) -> bool:
        """False: complex numbers are not offered."""
        return False

    @bare
    def is_signed(self) -> bool:
        """True where negative numbers can be stored."""
        return self.array.dtype.kind in "if"

    # Shape in other words

    @property
    def T(self) -> Tensor:
        """Its dimensions in reverse order; a view."""
        if self.array.ndim != 2:
            _warn_about_transposing("T", self.array.ndim)
        result: Tensor = TENSORS.permute(self, tuple(range(self.array.ndim))[::-1])
        return result

    @property
    def mT(self) -> Tensor:
        """Its last two dimensions exchanged; a view."""
        return self._matrix_transposed("mT")

    @property
    def mH(self) -> Tensor:
        """Its last two dimensions exchanged; a view."""
        return self._matrix_transposed("mH")

    @property
    def H(self) -> Tensor:
        """A matrix transposed; a view."""
        ndim = self.array.ndim
        if ndim not in (0, 2):
            more = " For batches of matrices, consider using tensor.mH" if ndim > 2 else ""
            raise RuntimeError(f"tensor.H is only supported on matrices (2-D tensors). Got {ndim}-D tensor.{more}")
        if not ndim:
            _warn_about_transposing("H", ndim)
            return self  # type: ignore[return-value]
        return self.transpose(0, 1)

    def _matrix_transposed(self, name: str) -> Tensor:
        if not self.array.ndim:
            _warn_about_transposing(name, 0)
            return self  # type: ignore[return-value]
        if self.array.ndim == 1:
            raise RuntimeError(f"tensor.{name} is only supported on matrices or batches of matrices. Got 1-D tensor.")
        return self.transpose(-2, -1)

    # Numbers that are not complex

    @property
    def real(self) -> Tensor:
        """Itself; setting it overwrites its elements."""
        return self  # type: ignore[return-value]

    @real.setter
    def real(self, values: TensorBase) -> None:
        TENSORS.copy_(self, values)

    @property
    def imag(self) -> Tensor:
        """Refused: its numbers have no imaginary part."""
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")


def _never(self: Geometry) -> bool:
    """False: there are no such tensors here."""
    return False


_WHERE_IT_IS_NOT: tuple[str, ...] = (
    "cuda",
    "ipu",
    "maia",
    "meta",
    "mkldnn",
    "mps",
    "mtia",
    "nested",
    "quantized",
    "sparse",
)
_WHERE_IT_IS_NOT += ("sparse_csr", "vulkan", "xla", "xpu")
for _name in _WHERE_IT_IS_NOT:
    setattr(Geometry, f"is_{_name}", property(_never))
for _name in ("is_conj", "is_neg", "is_pinned", "is_shared", "is_coalesced"):
    setattr(Geometry, _name, _never)
Geometry.is_cpu = property(lambda self: True)  # type: ignore[attr-defined]
