"""The tensor: operators, autograd state, conversions and printing, named as PyTorch names them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from chalkgrad.engine import assigning, autograd, indexing, keeping, messages
from chalkgrad.engine.base import TensorBase, counter_of, meta_of, new_tensor, rare_of, state, version_of
from chalkgrad.engine.conversion import Conversion
from chalkgrad.engine.dtype import DType, dtype_of, get_default_dtype
from chalkgrad.engine.graph import Node, next_sequence_nr
from chalkgrad.engine.handle import Handle
from chalkgrad.engine.lineage import grad_fn_of, requires_grad_of
from chalkgrad.engine.printing import tensor_text
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.signature import Parser
from chalkgrad.engine.storage import DetachedInferenceCounter, InferenceCounter
from chalkgrad.engine.values import legacy_values, shown_by
from chalkgrad.errors import blame

if TYPE_CHECKING:
    from chalkgrad.engine.autograd import Tensors


_REQUIRES_GRAD = Parser.of("requires_grad_(bool requires_grad=True)")


class Tensor(Conversion):
    """``torch.Tensor``: an array, and how it came to be.

    Made by the factories (``tensor``, ``zeros`` ...) and by operators.
    """

    __slots__ = ("__dict__",)

    def __new__(cls, *data: Any, **options: Any) -> Tensor:
        """``Tensor([1, 2])`` or ``Tensor(2, 3)``: a float32 tensor of these values, or of this shape; a view of one."""
        source = shown_by(data, options) if cls is Tensor else None
        if source is not None:
            return TENSORS.alias(source)  # type: ignore[no-any-return]
        made = object.__new__(cls)
        made.array = legacy_values(data, options)
        made.node = made.counter = made.meta = None
        return made

    # Autograd state

    @property
    def name(self) -> None:
        """None: what was a tensor's name in the days of Variable."""
        return

    @property
    def _backward_hooks(self) -> dict[Any, Any] | None:
        """The hooks of this tensor, None where there never was one."""
        return None if self.meta is None else self.meta.hooks

    @_backward_hooks.setter
    def _backward_hooks(self, hooks: dict[Any, Any] | None) -> None:
        meta_of(self).hooks = hooks  # which only a leaf's gradient passes, as in PyTorch

    @_backward_hooks.deleter
    def _backward_hooks(self) -> None:
        raise RuntimeError("Deletion of _backwards_hooks not allowed!")

    @property
    def _post_accumulate_grad_hooks(self) -> dict[Any, Any] | None:
        """The hooks that are called after a backward added to this leaf's gradient, None where there never was one."""
        return None if self.meta is None else self.meta.after

    @_post_accumulate_grad_hooks.setter
    def _post_accumulate_grad_hooks(self, hooks: dict[Any, Any] | None) -> None:
        meta_of(self).after = hooks

    @_post_accumulate_grad_hooks.deleter
    def _post_accumulate_grad_hooks(self) -> None:
        raise RuntimeError("Deletion of _post_accumulate_grad_hooks not allowed!")

    @property
    def grad(self) -> Tensor | None:
        """The gradient that backward accumulated; warns, as PyTorch does, on a non-leaf that won't ever have one."""
        meta = self.meta
        found = None if meta is None else meta.grad
        if found is None and self.node is not None and not self.retains_grad:  # not is_leaf: a view is asked as it is
            warnings.warn(messages.NON_LEAF_GRAD, UserWarning, stacklevel=2)
        return found  # type: ignore[return-value]

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            assigning.check_gradient(self, value)
        elif self.meta is None:
            return
        meta_of(self).grad = value
        if state.observer is not None:
            state.observer.flags_changed(self)

    @grad.deleter
    def grad(self) -> None:
        self.grad = None

    _grad = grad

    @property
    def grad_dtype(self) -> DType | None:
        """The dtype that a leaf's gradient has: its own unless another was set; None for any."""
        if not self.is_leaf:
            raise RuntimeError("grad_dtype can only be accessed on leaf tensors.")
        return assigning.dtype_wanted(self)

    @grad_dtype.setter
    def grad_dtype(self, value: DType | None) -> None:
        if not self.is_leaf:
            raise RuntimeError("grad_dtype can only be set on leaf tensors.")
        assigning.set_dtype_wanted(self, value)

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
        if value and self.node is not None:
            raise blame(RuntimeError("you can only change requires_grad flags of leaf variables."), tensor=self)
        self._set_requires_grad(value, "only Tensors of floating point and complex dtype can require gradients")

    @requires_grad.deleter
    def requires_grad(self) -> None:
        raise RuntimeError("requires_grad must be a bool")

    def requires_grad_(self, *args: Any, **kwargs: Any) -> Tensor:
        """Switch recording of operators on it on, or with ``requires_grad=False`` off; returns the tensor itself."""
        requires_grad = _REQUIRES_GRAD.parse(args, kwargs)[1].get("requires_grad", True) if args or kwargs else True
        if state.transforms and requires_grad:
            raise RuntimeError(messages.REQUIRES_GRAD_IN_TRANSFORM)
        refusal = "only Tensors of floating point dtype can require gradients"
        if requires_grad and self.node is not None and self.array.dtype.kind != "f":  # which the setter lets pass
            raise blame(RuntimeError(refusal), tensor=self)
        self._set_requires_grad(requires_grad, refusal)
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
    def _grad_fn(self) -> Node | None:
        """:attr:`grad_fn`; setting it to None is :meth:`detach_`."""
        return grad_fn_of(self)

    @_grad_fn.setter
    def _grad_fn(self, value: None) -> None:
        if value is not None:
            raise RuntimeError("_grad_fn can be only set to None")
        self.detach_()

    @_grad_fn.deleter
    def _grad_fn(self) -> None:
        raise RuntimeError("Deletion of _grad_fn not allowed. Detach tensor instead!")

    @property
    def retains_grad(self) -> bool:
        """True for a non-leaf whose gradient backward is going to keep."""
        return self.meta is not None and self.meta.retains

    @property
    def _version(self) -> int:
        """How often its memory was written by in-place operators."""
        if type(self.counter) is InferenceCounter:
            raise RuntimeError("Inference tensors do not track version counter.")
        return version_of(self)

    @property
    def _base(self) -> Tensor | None:
        """The tensor it is a view of."""
        view = None if self.meta is None else self.meta.view
        return None if view is None else view.base  # type: ignore[return-value]

    def _is_view(self) -> bool:
        """True for the result of a view operator."""
        return self._base is not None

    def is_inference(self) -> bool:
        """True when it was made in inference mode, or shows the memory of such a tensor."""
        return self.counter is not None and self.counter.inference

    @property
    def data(self) -> Tensor:
        """A tensor on the same memory without history and with a write counter of its own: autograd doesn't notice."""
        made = new_tensor(self.array)
        if self.is_inference():
            made.counter = InferenceCounter() if state.inference else DetachedInferenceCounter()
        else:
            made.counter = None
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
        if self.meta is not None and self.array.dtype != value.array.dtype:  # that of another shape stays, as it was
            self.meta.accumulator = None
        counter_of(self)  # while a node that saved it as its result still knows it by its memory
        self.array = value.array
        if state.observer is not None:
            state.observer.wrote(self)

    @data.deleter
    def data(self) -> None:
        raise RuntimeError("Deleting tensor data is not allowed. Delete tensor instead!")

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
        """Make it a leaf that requires no grad; what was recorded stays. Idle with what inference mode makes."""
        if state.inference or type(self.counter) is InferenceCounter:
            return self
        if self._is_view():
            raise blame(RuntimeError(messages.DETACH_VIEW), tensor=self)
        meta = meta_of(self)
        if self.node is not None:
            meta.detached_at = next_sequence_nr()
            counter_of(self).detached = True
        self.node = None
        meta.requires_grad, meta.output_nr = False, 0
        if state.observer is not None:
            state.observer.flags_changed(self)
        return self

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> Handle:
        """Call ``hook(gradient)`` whenever this tensor's gradient is computed; what it returns replaces it."""
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        meta = meta_of(self)
        if meta.hooks is None:
            meta.hooks = {}
            node = grad_fn_of(self)
            if node is not None:
                meta.hooks = rare_of(node).hooks.setdefault(self.output_nr, {})
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
        if self.node is not None:  # not is_leaf: an outdated view is taken as it is
            if not value:
                raise blame(RuntimeError(messages.FLAG_OF_NON_LEAF), tensor=self)
            return
        if value and self.array.dtype.kind != "f":
            raise blame(RuntimeError(refusal), tensor=self)
        if value and not state.inference and self.is_inference():
            raise RuntimeError("Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.")
        if value == (self.meta is not None and self.meta.requires_grad):
            return
        meta_of(self).requires_grad = bool(value)
        if state.observer is not None:
            state.observer.flags_changed(self)

    # Parts

    def __getitem__(self, index: Any) -> Tensor:
        """A view of a part."""
        found: Tensor = indexing.read(self, index)
        return found

    def __setitem__(self, index: Any, value: Any) -> None:
        """Overwrite a part."""
        indexing.write(self, index, value)

    # Python

    def __hash__(self) -> int:
        return id(self)

    def __delitem__(self, index: Any) -> None:
        """Refused: the elements of a tensor are as many as they are."""
        raise TypeError("Tensor does not support deleting items")

    def __pos__(self) -> Tensor:
        """Itself; bools are refused."""
        return self.positive()

    def __abs__(self) -> Tensor:
        """``abs``."""
        return self.abs()

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
            prefix="tensor" if type(self).__name__ in ("Tensor", "Parameter") else type(self).__name__,
        )

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        if id(self) in memo:
            return memo[id(self)]  # type: ignore[no-any-return]
        if not self.is_leaf:
            raise RuntimeError(messages.NOT_DEEPCOPIED)
        return keeping.deep_copy(self, memo)  # type: ignore[return-value]

    def __copy__(self) -> Tensor:
        return keeping.shallow_copy(self)  # type: ignore[return-value]

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return keeping.reduced(self)

    def as_subclass(self, cls: type[Any]) -> Any:
        """The same memory and history as a tensor of the class ``cls``."""
        if not isinstance(cls, type):
            raise TypeError(f"cls must be a type (got {type(cls).__name__})")
        if not issubclass(cls, Tensor):
            raise TypeError(
                "Creating a Tensor subclass from a class that does not inherit from Tensor is not possible. Make sure "
                "your class inherits from Tensor."
            )
        made = TENSORS.alias(self)
        made.__class__ = cls
        return made

    @property
    def volatile(self) -> bool:
        """Always False, with a warning; PyTorch's older way to keep a tensor out of the graph."""
        warnings.warn("volatile was removed (Variable.volatile is always False)", UserWarning, stacklevel=2)
        return False

    @volatile.setter
    def volatile(self, value: object) -> None:
        warnings.warn(messages.VOLATILE, UserWarning, stacklevel=2)

    def new(self, *args: Any, **kwargs: Any) -> Tensor:
        """A tensor of this one's dtype made as ``torch.Tensor(...)`` makes one; PyTorch's older form."""
        array, source = legacy_values(args, kwargs, dtype_of(self.array)), shown_by(args, kwargs)
        return new_tensor(array) if source is None else TENSORS.alias(source)  # type: ignore[return-value]


Tensor.__module__ = "torch"
Tensor.__qualname__ = "Tensor"
state.tensor = Tensor


def _unwritable(name: str) -> Callable[..., None]:
    def refuse(self: Tensor, value: object = None) -> None:
        raise AttributeError(f"attribute '{name}' of 'torch._C.TensorBase' objects is not writable")

    return refuse


for _name in dir(Tensor):
    _property = getattr(Tensor, _name)
    if isinstance(_property, property) and _property.fset is None:
        setattr(Tensor, _name, _property.setter(_unwritable(_name)).deleter(_unwritable(_name)))
