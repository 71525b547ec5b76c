"""Grad mode: whether operators are recorded, as a context manager, a decorator, and a plain call."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Generator
from types import TracebackType
from typing import Any, TypeVar

from chalkgrad.engine.base import TensorBase, state

F = TypeVar("F", bound=Callable[..., Any])

_ON_CLASS = (
    "Decorating classes is deprecated and will be disabled in future versions. You should only decorate functions or "
    "methods. To preserve the current behavior of class decoration, you can directly decorate the `__init__` method "
    "and nothing else."
)


def is_grad_enabled() -> bool:
    """True while operators are recorded."""
    return state.grad


class _GradMode:
    """A grad mode that holds inside a ``with`` block or a decorated function."""

    _mode = True

    def __init__(self) -> None:
        self._before = True

    def __enter__(self) -> None:
        self._before = state.grad
        state.grad = self._mode and not state.inference

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        state.grad = self._before

    def __call__(self, function: F) -> F:
        """``function`` run in this mode."""
        if inspect.isclass(function):
            warnings.warn(_ON_CLASS, FutureWarning, stacklevel=2)
            setattr(function, "__init__", self._wrapped(function.__init__))  # noqa: B010  mypy refuses the plain form
            return function
        return self._wrapped(function)

    def clone(self) -> _GradMode:
        """A fresh context of the same mode."""
        return type(self)()

    def _wrapped(self, function: F) -> F:
        if inspect.isgeneratorfunction(function):
            return self._wrapped_generator(function)

        @functools.wraps(function)
        def run(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return function(*args, **kwargs)

        return run  # type: ignore[return-value]

    def _wrapped_generator(self, function: F) -> F:
        @functools.wraps(function)
        def run(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
            running = function(*args, **kwargs)
            step = functools.partial(running.send, None)
            while True:
                with self.clone():
                    try:
                        value = step()
                    except StopIteration as stop:
                        return stop.value
                try:
                    step = functools.partial(running.send, (yield value))
                except GeneratorExit:
                    with self.clone():
                        running.close()
                    raise
                except BaseException as error:  # whatever was thrown in is the function's to deal with
                    step = functools.partial(running.throw, error)

        return run  # type: ignore[return-value]


class no_grad(_GradMode):  # noqa: N801  PyTorch's name
    """Operators are not recorded."""

    _mode = False

    def __new__(cls, function: Callable[..., Any] | None = None) -> Any:
        """A context, or, used as ``@no_grad`` without parentheses, the decorated function."""
        made = super().__new__(cls)
        if function is None:
            return made
        _GradMode.__init__(made)
        return made(function)

    def __init__(self, function: Callable[..., Any] | None = None) -> None:
        super().__init__()


class enable_grad(no_grad):  # noqa: N801  PyTorch's name
    """Operators are recorded, also inside a ``no_grad`` block."""

    _mode = True


def _checked(name: str, mode: Any) -> bool:
    if not isinstance(mode, bool):
        kind = type(mode).__name__
        raise TypeError(f"{name}(): argument 'enabled' (position 1) must be bool, not {kind}")
    return mode


class set_grad_enabled(_GradMode):  # noqa: N801  PyTorch's name
    """Switches recording on or off at once; as a context also back again at its end."""

    def __init__(self, mode: bool) -> None:
        super().__init__()
        self.prev = state.grad
        self.mode = self._mode = _checked("set_grad_enabled", mode)
        state.grad = self._mode and not state.inference

    def __enter__(self) -> None:
        state.grad = self._mode and not state.inference

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        state.grad = self.prev

    def __call__(self, function: F) -> F:
        """``function`` run in this mode; the mode outside stays what it was."""
        state.grad = self.prev
        return super().__call__(function)

    def clone(self) -> _GradMode:
        """A fresh context of the same mode."""
        return type(self)(self.mode)

    def __str__(self) -> str:
        return f"set_grad_enabled(mode={self.mode})"


class inference_mode(_GradMode):  # noqa: N801  PyTorch's name
    """Operators are not recorded, and what is made can't take part in recorded computation afterwards either."""

    def __new__(cls, mode: Any = True) -> Any:
        """A context, or, used as ``@inference_mode`` without parentheses, the decorated function."""
        if isinstance(mode, bool):
            return super().__new__(cls)
        return cls()(mode)

    def __init__(self, mode: bool = True) -> None:
        super().__init__()
        self.mode = mode
        self._outside = False

    def __enter__(self) -> None:
        self._before, self._outside = state.grad, state.inference
        state.inference = self.mode
        state.grad = not self.mode
        state.look_again()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        state.grad, state.inference = self._before, self._outside
        state.look_again()

    def clone(self) -> _GradMode:
        """A fresh context of the same mode."""
        return type(self)(self.mode)


def is_inference_mode_enabled() -> bool:
    """True inside ``inference_mode``."""
    return state.inference


def is_inference(input: TensorBase) -> bool:
    """True for a tensor that was made in inference mode, or shows the memory of one."""
    return input.counter is not None and input.counter.inference


_threads = {"several": True}


def is_multithreading_enabled() -> bool:
    """True unless a backward in one thread was asked for."""
    return _threads["several"]


class set_multithreading_enabled(_GradMode):  # noqa: N801  PyTorch's name
    """Asks at once for a backward in several threads or in one, and as a context for the former again at its end.

    A backward here goes through its nodes one after the other in any case.
    """

    def __init__(self, mode: bool) -> None:
        super().__init__()
        self.prev = _threads["several"]
        self.mode = _threads["several"] = _checked("set_multithreading_enabled", mode)

    def __enter__(self) -> None:
        """Nothing: the mode holds since the object was made."""

    def __exit__(self, *args: object) -> None:
        _threads["several"] = self.prev

    def clone(self) -> _GradMode:
        """A fresh context of the same mode."""
        return type(self)(self.mode)


for _mode in (no_grad, enable_grad, set_grad_enabled, inference_mode, set_multithreading_enabled):
    _mode.__module__ = "torch.autograd.grad_mode"
