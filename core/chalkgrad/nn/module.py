"""The module: named parameters and submodules, and a ``forward``."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

from chalkgrad.engine.device import MemoryFormat
from chalkgrad.engine.dtype import DType
from chalkgrad.engine.modes import no_grad
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.attributes import HOOK_TABLES
from chalkgrad.nn.calls import Calls
from chalkgrad.nn.states import States
from chalkgrad.ops.create import empty_like

M = TypeVar("M", bound="Module")


class Module(Calls, States):
    """Holds parameters and other modules under the names they are assigned to; calling it runs ``forward``."""

    # Modes

    def train(self: M, mode: bool = True) -> M:
        """Put this module and all inside into training mode."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self: M) -> M:
        """Put this module and all inside into evaluation mode."""
        return self.train(False)

    def requires_grad_(self: M, requires_grad: bool = True) -> M:
        """Switch recording on or off for all parameters."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget (or zero) the gradients of all parameters."""
        for parameter in self.parameters():
            forget_gradient(parameter, set_to_none)

    def apply(self: M, fn: Callable[[Module], Any]) -> M:
        """Call ``fn`` with every module inside, this one last."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    # Conversions

    def _apply(self: M, fn: Callable[[Any], Any], recurse: bool = True) -> M:
        """Replace the memory of all parameters, their gradients and the buffers by what ``fn`` makes of it."""
        for child in self.children() if recurse else ():
            child._apply(fn)
        for parameter in self._parameters.values():
            if parameter is None:
                continue
            gradient = parameter.peek_grad()
            with no_grad():
                parameter.data = fn(parameter)
                if gradient is not None:
                    gradient.data = fn(gradient)
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def to(self: M, *args: Any, **kwargs: Any) -> M:
        """Convert floating-point parameters and buffers to a dtype: ``to(dtype)``, ``to(device)``, ``to(tensor)``."""
        wanted = _wanted_dtype(args, kwargs)
        if wanted is not None and not (wanted.is_floating_point or wanted.is_complex):
            raise TypeError(
                f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={wanted}"
            )
        form = kwargs.pop("memory_format", None)
        Tensor().to(*args, **kwargs)  # refuses what a tensor would refuse
        if "copy" in kwargs or args[2 if args and isinstance(args[0], DType | Tensor) else 3 :]:
            raise RuntimeError(".to() does not accept copy argument")
        if wanted is None and form is None:
            return self
        return self._apply(lambda tensor: _converted(tensor, wanted, form))

    def to_empty(self: M, *, device: Any, recurse: bool = True) -> M:
        """Give all parameters and buffers new memory, in which nothing has been written yet."""
        return self._apply(lambda tensor: empty_like(tensor, device=device), recurse)

    def float(self: M) -> M:
        """Convert floating-point parameters and buffers to float32."""
        return self._apply(lambda tensor: tensor.float() if tensor.is_floating_point() else tensor)

    def double(self: M) -> M:
        """Convert floating-point parameters and buffers to float64."""
        return self._apply(lambda tensor: tensor.double() if tensor.is_floating_point() else tensor)

    def half(self: M) -> M:
        """Half precision, which tensors refuse."""
        return self._apply(lambda tensor: tensor.half() if tensor.is_floating_point() else tensor)

    def bfloat16(self: M) -> M:
        """Half precision of the other kind, which tensors refuse."""
        return self._apply(lambda tensor: tensor.bfloat16() if tensor.is_floating_point() else tensor)

    def type(self: M, dst_type: Any) -> M:
        """Convert all parameters and buffers to a dtype."""
        return self._apply(lambda tensor: tensor.type(dst_type))

    def cpu(self: M) -> M:
        """Itself: everything is in main memory."""
        return self._apply(lambda tensor: tensor.cpu())

    def cuda(self: M, device: Any = None) -> M:
        """To a graphics card, which tensors refuse."""
        return self._apply(lambda tensor: tensor.cuda(device))

    # Python

    def extra_repr(self) -> str:
        """What stands between the brackets before the modules inside."""
        return ""

    def __repr__(self) -> str:
        own = self.extra_repr()
        extra = own.split("\n") if own else []
        inside = [f"({name}): {_indented(repr(module))}" for name, module in self._modules.items()]
        if not inside and len(extra) <= 1:
            return f"{self._get_name()}({own})"
        return f"{self._get_name()}(\n  " + "\n  ".join(extra + inside) + "\n)"

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for table in HOOK_TABLES:
            self.__dict__.setdefault(table, None if table == "_is_full_backward_hook" else OrderedDict())
        self.__dict__.setdefault("_non_persistent_buffers_set", set())

    def __reduce_ex__(self, protocol: Any) -> Any:
        # The classes say that they are PyTorch's, where pickle would look for them.
        if type(self).__module__.startswith("torch.nn."):
            return _empty, (type(self).__name__,), self.__dict__
        return super().__reduce_ex__(protocol)


Module.__module__ = "torch.nn.modules.module"


def _empty(name: str) -> Module:
    """A module of the class of that name, of which nothing is set up yet."""
    from chalkgrad import nn

    cls: type[Module] = getattr(nn, name)
    return cls.__new__(cls)


def _converted(tensor: Tensor, dtype: DType | None, form: MemoryFormat | None) -> Tensor:
    """One tensor of a module in another dtype and memory format, as far as these concern it."""
    dtype = dtype if dtype is not None and tensor.is_floating_point() else tensor.dtype
    if form is not None and tensor.ndim in (4, 5):
        return tensor.to(dtype, memory_format=form)
    return tensor.to(dtype)


def _wanted_dtype(args: tuple[Any, ...], kwargs: dict[str, Any]) -> DType | None:
    """The dtype that the arguments of ``to`` name, directly or by a tensor."""
    for value in (*args, kwargs.get("dtype"), kwargs.get("tensor"), kwargs.get("other")):
        if isinstance(value, DType):
            return value
        if isinstance(value, Tensor):
            return value.dtype
    return None


def forget_gradient(parameter: Tensor, set_to_none: bool) -> None:
    """Set a parameter's gradient to None, or to zeros cut off from any graph."""
    gradient = parameter.peek_grad()
    if gradient is None:
        return
    if set_to_none:
        parameter.grad = None
        return
    if gradient.grad_fn is not None:
        gradient.detach_()
    else:
        gradient.requires_grad_(False)
    gradient.zero_()


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ")
