"""The tensor: operators, autograd state, conversions and printing, named as PyTorch names them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from chalkgrad.engine import autograd, indexing, messages
from chalkgrad.engine.base import Meta, TensorBase, counter_of, meta_of, new_tensor, rare_of, state, version_of
from chalkgrad.engine.dtype import dtype_of, get_default_dtype
from chalkgrad.engine.geometry import Geometry
from chalkgrad.engine.graph import Handle, Node, next_sequence_nr
from chalkgrad.engine.lineage import grad_fn_of, requires_grad_of
from chalkgrad.engine.printing import tensor_text
from chalkgrad.engine.size import brackets
from chalkgrad.engine.values import values_of
from chalkgrad.errors import blame

if TYPE_CHECKING:
    from chalkgrad.engine.autograd import Tensors


class Tensor(Geometry):
    """``torch.Tensor``: an array, and how it came to be.

    Made by the factories (``tensor``, ``zeros`` ...) and by operators.
    """

    __slots__ = ("__dict__",)

    def __new__(cls, *data: Any) -> Tensor:
        """``Tensor([1, 2])`` or ``Tensor(2, 3)``: a float32 tensor of these values, or of this shape."""
        made = object.__new__(cls)
        made.array = _legacy_values(data)
        made.node = made.counter = made.meta = None
        return made

    # Autograd state

    @property
    def grad(self) -> Tensor | None:
        """The gradient that backward accumulated; warns, as PyTorch does, on a non-leaf that won't ever have one."""
        meta = self.meta
        found = None if meta is None else meta.grad
        if found is None and grad_fn_of(self) is not None and not self.retains_grad:
            warnings.warn(messages.NON_LEAF_GRAD, UserWarning, stacklevel=2)
        return found  # type: ignore[return-value]

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            self._check_gradient(value)
        elif self.meta is None:
            return
        meta_of(self).grad = value
        if state.observer is not None:
            state.observer.flags_changed(self)

    @grad.deleter
    def grad(self) -> None:
        self.grad = None

    def peek_grad(self) -> Tensor | None:
        """:attr:`grad` without PyTorch's warning, for those who only look."""
        return None if self.meta is None else self.meta.grad  # type: ignore[return-value]

    @property
    def requires_grad(self) -> bool:
        """True when operators on it are recorded: it was asked for, or it came from such tensors."""
        return requires_grad_of(self)

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise RuntimeError("requires_grad must be a bool")
        if value and not self.is_leaf:
            raise blame(RuntimeError("you can only change requires_grad flags of leaf variables."), tensor=self)
        self._set_requires_grad(value, "only Tensors of floating point and complex dtype can require gradients")

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Switch recording of operators on it on or off; returns the tensor itself."""
        self._set_requires_grad(requires_grad, "only Tensors of floating point dtype can require gradients")
        return self

    @property
    def is_leaf(self) -> bool:
        """True when no recorded operator made it."""
        return grad_fn_of(self) is None

    @property
    def grad_fn(self) -> Node | None:
        """The node of the operator that made it, None for a leaf."""
        return grad_fn_of(self)

    @property
    def retains_grad(self) -> bool:
        """True for a non-leaf whose gradient backward is going to keep."""
        return self.meta is not None and self.meta.retains and grad_fn_of(self) is not None

    @property
    def _version(self) -> int:
        """How often its memory was written by in-place operators."""
        return version_of(self)

    @property
    def _base(self) -> Tensor | None:
        """The tensor it is a view of."""
        view = None if self.meta is None else self.meta.view
        return None if view is None else view.base  # type: ignore[return-value]

    def _is_view(self) -> bool:
        """True for the result of a view operator."""
        return self._base is not None

    @property
    def data(self) -> Tensor:
        """A tensor on the same memory without history and with a write counter of its own: autograd doesn't notice."""
        made = new_tensor(self.array)
        if state.observer is not None:
            state.observer.tensor_made(made)
        return made  # type: ignore[return-value]

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, TensorBase):
            raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
        if self.requires_grad and value.array.dtype.kind != "f":
            raise RuntimeError("data set to a tensor that requires gradients must be floating point or complex dtype")
        if state.observer is not None:
            state.observer.about_to_write(self)
        self.array = value.array
        if self.meta is not None:
            self.meta.accumulator = None
        if state.observer is not None:
            state.observer.wrote(self)

    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Tensors | None = None,
    ) -> None:
        """Add the gradients of this tensor, weighted by ``gradient``, to the ``.grad`` of the leaves it came from."""
        autograd.backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    def retain_grad(self) -> None:
        """Let backward keep this tensor's gradient although it is no leaf."""
        autograd.retain_grad(self)

    def detach_(self) -> Tensor:
        """Make it a leaf that requires no grad; what was recorded before stays recorded."""
        if self._is_view():
            raise blame(RuntimeError(messages.DETACH_VIEW), tensor=self)
        meta = meta_of(self)
        if self.node is not None:
            meta.detached_at = next_sequence_nr()
            counter_of(self).detached = True
        self.node = None
        meta.requires_grad, meta.retains, meta.output_nr = False, False, 0
        if state.observer is not None:
            state.observer.flags_changed(self)
        return self

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> Handle:
        """Call ``hook(gradient)`` whenever this tensor's gradient is computed; what it returns replaces it."""
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        node = grad_fn_of(self)
        if node is not None:
            return Handle(rare_of(node).hooks.setdefault(self.output_nr, {}), hook)
        meta = meta_of(self)
        if meta.hooks is None:
            meta.hooks = {}
        return Handle(meta.hooks, hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Tensor], None]) -> Handle:
        """Call ``hook(tensor)`` after a backward added to this leaf's ``.grad``."""
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if not self.is_leaf:
            raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
        meta = meta_of(self)
        if meta.after is None:
            meta.after = {}
        return Handle(meta.after, hook)

    def _set_requires_grad(self, value: bool, refusal: str) -> None:
        if not self.is_leaf:
            if not value:
                raise blame(RuntimeError(messages.FLAG_OF_NON_LEAF), tensor=self)
            return
        if value and self.array.dtype.kind != "f":
            raise blame(RuntimeError(refusal), tensor=self)
        if value == (self.meta is not None and self.meta.requires_grad):
            return
        meta_of(self).requires_grad = bool(value)
        if state.observer is not None:
            state.observer.flags_changed(self)

    def _check_gradient(self, value: object) -> None:
        if not isinstance(value, TensorBase):
            raise TypeError(
                f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}"
            )
        if value is self:
            raise RuntimeError("can't assign Variable as its own grad")
        if value.array.dtype != self.array.dtype:
            raise RuntimeError(
                f"attempting to assign a gradient with dtype '{dtype_of(value.array).cpp}' to a tensor with grad_dtype "
                f"'{self.dtype_title}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's "
                "dtype). You can set the tensor's grad_dtype attribute with a specific dtype, or None to allow any "
                "dtype. Set grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break "
                "downstream systems that assume they match."
            )
        if value.array.shape != self.array.shape:
            raise RuntimeError(
                f"attempting to assign a gradient of size '{brackets(value.array.shape)}' to a tensor of size "
                f"'{brackets(self.array.shape)}'. Please ensure that the gradient and the tensor are the same size"
            )

    # Parts

    def __getitem__(self, index: Any) -> Tensor:
        """A view of a part."""
        found: Tensor = indexing.read(self, index)
        return found

    def __setitem__(self, index: Any, value: Any) -> None:
        """Overwrite a part."""
        indexing.write(self, index, value)

    def __len__(self) -> int:
        """Size of the first dimension."""
        if self.array.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return int(self.array.shape[0])

    def __iter__(self) -> Iterator[Tensor]:
        """Its parts along the first dimension."""
        if self.array.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        return (self[index] for index in range(self.array.shape[0]))

    # Leaving tensors

    def tolist(self) -> Any:
        """Its elements as nested lists of Python numbers."""
        return self.array.tolist()

    def numpy(self, *, force: bool = False) -> np.ndarray:
        """An array on the same memory; refused for a tensor that requires grad."""
        if self.requires_grad and not force:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        return self.array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """What NumPy's functions get."""
        found = self.numpy()
        if dtype is not None and found.dtype != dtype:
            return found.astype(dtype)
        return found.copy() if copy else found

    def __bool__(self) -> bool:
        """True unless its one element is zero."""
        if self.array.size != 1:
            count = "no values" if self.array.size == 0 else "more than one value"
            raise RuntimeError(f"Boolean value of Tensor with {count} is ambiguous")
        return bool(self.array.item())

    def __float__(self) -> float:
        """Its one element as a float."""
        if self.requires_grad and messages.TO_SCALAR not in state.warned:
            state.warned.add(messages.TO_SCALAR)
            warnings.warn(messages.TO_SCALAR, UserWarning, stacklevel=2)
        return float(self.item())

    def __int__(self) -> int:
        """Its one element as an int, cut off."""
        return int(self.item())

    def __index__(self) -> int:
        """Its one integer element, for use as an index."""
        if self.array.size != 1 or self.array.dtype.kind not in "iub":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.array.item())

    def __contains__(self, element: Any) -> bool:
        """True when one of its elements equals ``element``."""
        return bool(np.any(self.array == (element.array if isinstance(element, TensorBase) else element)))

    # Python

    __hash__ = object.__hash__

    def __pos__(self) -> Tensor:
        """Itself."""
        return self

    def __repr__(self) -> str:
        try:
            node = grad_fn_of(self)
            name = None if node is None else type(node).__name__
        except RuntimeError:
            name = "Invalid"
        return tensor_text(
            self.array,
            requires_grad=self.requires_grad,
            grad_fn=name,
            default_dtype=get_default_dtype().name,
        )

    def __format__(self, spec: str) -> str:
        if self.array.ndim == 0:
            return format(self.item(), spec)
        return object.__format__(self, spec)

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        if not self.is_leaf:
            raise RuntimeError(messages.NOT_DEEPCOPIED)
        made = object.__new__(type(self))
        made.array, made.node, made.counter, made.meta = self.array.copy(order="K"), None, None, None
        memo[id(self)] = made
        if self.meta is not None:
            made.meta = Meta()
            made.meta.requires_grad = self.meta.requires_grad
            if self.meta.grad is not None:
                made.meta.grad = self.meta.grad.__deepcopy__(memo)  # type: ignore[attr-defined]
        return made


def _legacy_values(data: tuple[Any, ...]) -> np.ndarray:
    if not data or all(isinstance(size, int) and not isinstance(size, bool) for size in data):
        return np.zeros(data or (0,), get_default_dtype().numpy)
    if len(data) == 1 and isinstance(data[0], list | tuple | np.ndarray | TensorBase):
        return values_of(data[0], get_default_dtype())
    raise TypeError(f"new(): data must be a sequence (got {type(data[0]).__name__})")


Tensor.__module__ = "torch"
Tensor.__qualname__ = "Tensor"
state.tensor = Tensor


def _unwritable(name: str) -> Callable[[Tensor, object], None]:
    def refuse(self: Tensor, value: object) -> None:
        raise AttributeError(f"attribute '{name}' of 'torch._C.TensorBase' objects is not writable")

    return refuse


for _name in ("is_leaf", "grad_fn", "retains_grad", "_version", "_base", "shape", "dtype", "device", "ndim", "T", "mT"):
    _property = getattr(Tensor, _name)
    setattr(Tensor, _name, _property.setter(_unwritable(_name)))
