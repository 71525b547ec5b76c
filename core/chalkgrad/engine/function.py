"""``torch.autograd.Function``: operators that a learner writes, forward and backward."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from itertools import count
from typing import Any, ClassVar, NoReturn

from chalkgrad.engine import messages
from chalkgrad.engine.base import TensorBase, meta_of, new_tensor, state
from chalkgrad.engine.blocking import Error, handed_on
from chalkgrad.engine.custom import CustomNode
from chalkgrad.engine.custom_outputs import wrap_outputs
from chalkgrad.engine.lineage import requires_grad_of

_ids = count()


class FunctionCtx:
    """What ``forward`` tells ``backward``: tensors, by these methods, and anything else, as attributes."""

    saved_for_forward: Any = None

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors, or None, for ``backward``, which finds them in ``ctx.saved_tensors``."""
        self.to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Keep tensors for forward-mode derivatives."""
        for tensor in tensors:
            assert isinstance(tensor, TensorBase) or tensor is None, (
                "save_for_forward expects all arguments to be tensors; you should save non-tensors as attributes on "
                "ctx."
            )
        self.saved_for_forward = tensors

    def mark_dirty(self, *args: Any) -> None:
        """Say which inputs ``forward`` wrote; it must return them."""
        self.dirty_tensors = args

    def mark_shared_storage(self, *pairs: Any) -> None:
        """Nothing, with a warning: PyTorch finds it out by itself."""
        warnings.warn(
            "`mark_shared_storage` is deprecated. Tensors with shared storages are automatically tracked. Note that "
            "calls to `set_()` are not tracked",
            FutureWarning,
            stacklevel=2,
        )

    def mark_non_differentiable(self, *args: Any) -> None:
        """Say which outputs have no gradient."""
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Say whether ``backward`` gets zeros (the default) or None for outputs no gradient came for."""
        if not isinstance(value, bool):
            raise TypeError(
                "set_materialize_grads received an invalid combination of arguments - got (), but expected (bool)"
            )
        self._materialize = value


class BackwardCFunction(CustomNode, FunctionCtx):
    """The context of one call of a :class:`Function`, which is the node it leaves behind as well."""

    _forward_cls: ClassVar[type[_SingleLevelFunction]]
    _autograd_function_id: ClassVar[int]

    def apply(self, *args: Any) -> Any:
        """Call the learner's ``backward``, or ``vjp``."""
        if self._forward_cls.boxed_grads_call:
            return self._user_backward()(self, list(args))
        return self._user_backward()(self, *args)

    @property
    def _clears_saved(self) -> bool:  # type: ignore[override]
        """True where ``saved_tensors`` lets go of what it gives."""
        return self._forward_cls.clear_saved_tensors_on_access

    def _user_backward(self) -> Callable[..., Any]:
        cls = self._forward_cls
        backward, vjp = cls.backward, cls.vjp
        if vjp is not _SingleLevelFunction.vjp:
            if backward is not _SingleLevelFunction.backward:
                raise RuntimeError(
                    "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only "
                    "implement one of them."
                )
            return vjp
        return backward


class FunctionMeta(type):
    """Gives each subclass of :class:`Function` the class of its nodes, ``<name>Backward``."""

    _backward_cls: type[BackwardCFunction]

    def __init__(cls, name: str, bases: tuple[type, ...], attrs: dict[str, Any]) -> None:
        members = {"_forward_cls": cls, "_autograd_function_id": next(_ids), "__module__": "torch.autograd.function"}
        cls._backward_cls = type(f"{name}Backward", (BackwardCFunction,), members)
        super().__init__(name, bases, attrs)


class _SingleLevelFunction(FunctionCtx, metaclass=FunctionMeta):
    clear_saved_tensors_on_access: ClassVar[bool] = False
    boxed_grads_call: ClassVar[bool] = False

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """What the function computes: of ``(ctx, *args)``, or of ``(*args)`` where there is a ``setup_context``."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Fill ``ctx`` after ``forward`` without a ctx has run."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """A gradient for each argument of ``forward`` from one for each output."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
            "backward mode AD."
        )

    vjp = backward

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """Forward-mode derivative; there is no forward mode here."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        )


class Function(_SingleLevelFunction):
    """An operator with a backward of its own: subclass it, write both as static methods, and call ``apply``."""

    generate_vmap_rule = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warnings.warn(
            f"{self.__class__} should not be instantiated. Methods on autograd functions are all static, so you should "
            "invoke them on the class itself. Instantiating an autograd function will raise an error in a future "
            "version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refused: functions of the old style, called on an instance, are gone."""
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd "
            "function with static forward method. (Example: "
            "https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    @staticmethod
    def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
        """A rule for ``torch.vmap``, which here calls ``apply`` for each slice instead."""
        raise NotImplementedError("To use autograd.Function with vmap, you must either override the vmap staticmethod")

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run ``forward`` on ``args`` and record ``backward`` for what it returns."""
        two_parts = cls.setup_context is not _SingleLevelFunction.setup_context
        if state.transforms and not two_parts:
            raise RuntimeError(messages.FUNCTION_IN_TRANSFORM)
        if two_parts:
            args = _with_defaults(cls.forward, args, kwargs)
        elif kwargs:
            args = _with_defaults(cls.forward, (None, *args), kwargs)[1:]
        ctx = cls._backward_cls()
        ctx._begin(args)
        mode, state.grad = state.grad, False
        try:
            if two_parts:
                results = cls.forward(*args)
                cls.setup_context(ctx, args, results)
            else:
                results = cls.forward(ctx, *args)
        finally:
            state.grad = mode
        return wrap_outputs(ctx, args, results, two_parts)


def _with_defaults(forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    bound = inspect.signature(forward).bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.args


class InplaceFunction(Function):
    """Kept for old code: a :class:`Function` that remembers whether it was to write in place."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


def once_differentiable(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A ``backward`` that need not be differentiable itself; doing it all the same raises."""

    @functools.wraps(fn)
    def wrapper(ctx: Any, *args: Any) -> Any:
        mode, state.grad = state.grad, False
        try:
            outputs = fn(ctx, *args)
        finally:
            state.grad = mode
        if not mode or not any(isinstance(arg, TensorBase) and requires_grad_of(arg) for arg in args):
            return outputs
        if not isinstance(outputs, tuple):
            return _not_twice((outputs,))[0]
        return _not_twice(outputs)

    return wrapper


def _not_twice(outputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """``outputs`` with the tensors among them as results of one operator whose backward raises."""
    leaves = [_leaf(output.array) if isinstance(output, TensorBase) else output for output in outputs]
    return handed_on(leaves, Error, (messages.ONCE,))


def _leaf(array: Any) -> TensorBase:
    """A leaf that requires grad."""
    leaf = new_tensor(array)
    meta_of(leaf).requires_grad = True
    return leaf


for _class in (FunctionCtx, BackwardCFunction, FunctionMeta, _SingleLevelFunction, Function, InplaceFunction):
    _class.__module__ = "torch.autograd.function"
