"""Functions made into those of their gradients: ``grad``, ``grad_and_value`` and ``vjp``.

Each transform is a level of its own. What goes into the function are aliases of the arguments, so that gradients by
them are told from those of other levels; what comes out is cut off from the graph again, unless it also hangs on
tensors from outside.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from chalkgrad.engine import messages
from chalkgrad.engine.base import TensorBase, state
from chalkgrad.engine.functional import gradients_of
from chalkgrad.engine.modes import enable_grad, inference_mode, is_grad_enabled
from chalkgrad.engine.packing import disable_saved_tensors_hooks
from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch import zeros_like
from chalkgrad.torch.func.trees import Spec, flatten, mapped, unflatten

Function = Callable[..., Any]


@contextmanager
def level() -> Iterator[None]:
    """A function that is transformed runs inside."""
    state.transforms += 1
    try:
        yield
    finally:
        state.transforms -= 1


@contextmanager
def recording() -> Iterator[None]:
    """A function whose derivatives are asked for runs inside, in inference mode, too."""
    with level(), disable_saved_tensors_hooks(messages.HOOKS_IN_TRANSFORM), inference_mode(False), enable_grad():
        yield


# Arguments


def chosen(args: tuple[Any, ...], argnums: Any) -> tuple[Any, ...]:
    """The arguments that a derivative is taken by."""
    if not isinstance(argnums, int | tuple):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    numbers = (argnums,) if isinstance(argnums, int) else argnums
    if not numbers:
        raise RuntimeError("argnums must be non-empty")
    for number in numbers:
        if not -len(args) <= number < len(args):
            raise RuntimeError(f"Got argnum={number}, but only {len(args)} positional inputs")
    if len({number % len(args) for number in numbers}) < len(numbers):
        raise RuntimeError(f"argnums elements must be unique, got {argnums}")
    return tuple(args[number] for number in numbers)


def replaced(args: tuple[Any, ...], argnums: Any, values: Sequence[Any]) -> tuple[Any, ...]:
    """All arguments, those chosen replaced."""
    numbers = (argnums,) if isinstance(argnums, int) else argnums
    changed = list(args)
    for number, value in zip(numbers, values, strict=True):
        changed[number] = value
    return tuple(changed)


def inner(value: Any) -> Tensor:
    """An alias of a tensor, by which derivatives are taken."""
    if not isinstance(value, TensorBase):
        raise ValueError(f"Thing passed to transform API must be Tensor, got {type(value)}")
    tensor: Tensor = value  # type: ignore[assignment]
    if tensor.requires_grad and is_grad_enabled():
        return tensor.view_as(tensor)
    leaf = tensor.detach()
    leaf._set_requires_grad(True, "only Tensors of floating point dtype can require gradients")
    return leaf


# Results


def outer(value: Any, inside: Sequence[Tensor]) -> Any:
    """A result as it is outside of the level: without the graph that leads to nothing but its arguments."""
    if not isinstance(value, TensorBase):
        raise RuntimeError(f"Expected tensors, got unsupported type {type(value)}")
    tensor: Tensor = value  # type: ignore[assignment]
    hidden = {id(one) for one in inside}
    return tensor if is_grad_enabled() and _reaches_others(tensor, hidden) else tensor.detach()


def _reaches_others(tensor: Tensor, hidden: set[int]) -> bool:
    """True where the graph leads to leaves other than those hidden."""
    if tensor.grad_fn is None:
        return tensor.requires_grad and id(tensor) not in hidden
    ahead, seen = [tensor.grad_fn], {id(tensor.grad_fn)}
    while ahead:
        node: Any = ahead.pop()
        if id(getattr(node, "variable", None)) not in hidden and hasattr(node, "variable"):
            return True
        for following, _ in node.next_functions:
            if following is not None and id(following) not in seen:
                seen.add(id(following))
                ahead.append(following)
    return False


def parted(api: str, result: Any, has_aux: bool) -> tuple[Any, Any]:
    """The output of a function and what it gives besides."""
    if not has_aux:
        return result, None
    if not (isinstance(result, tuple) and len(result) == 2):
        raise RuntimeError(f"{api}: output of function f should be a tuple: (output, aux) if has_aux is True")
    return result[0], result[1]


def gradients(
    outputs: Sequence[Any], inputs: Sequence[Tensor], weights: Any = None, retain: bool = True, create: bool = True
) -> list[Tensor]:
    """The gradients by ``inputs``, zeros where there are none."""
    found = gradients_of(outputs, inputs, weights, create, retain)
    return [zeros_like(one) if by is None else by for one, by in zip(inputs, found, strict=True)]


# Transforms


def grad_and_value(func: Function, argnums: Any = 0, has_aux: bool = False) -> Function:
    """The function that gives the gradient of ``func`` by some of its arguments, and its value."""
    api = "grad_and_value(f)(*args)"

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with recording():
            by = mapped(inner, chosen(args, argnums))
            inside, spec = flatten(by)
            output, aux = parted(api, func(*replaced(args, argnums, by), **kwargs), has_aux)
            _check_scalar(api, output)
            found = gradients((output,), inside)
        slopes = unflatten([outer(one, inside) for one in found], spec)
        value = outer(output, inside)
        slopes = slopes[0] if isinstance(argnums, int) else slopes
        return (slopes, (value, mapped(lambda one: outer(one, inside), aux))) if has_aux else (slopes, value)

    return wrapper


def _check_scalar(api: str, output: Any) -> None:
    if not isinstance(output, TensorBase):
        raise RuntimeError(f"{api}: Expected f(*args) to return a Tensor, got {type(output)}")
    if output.array.ndim:
        raise RuntimeError(
            f"{api}: Expected f(*args) to return a scalar Tensor, got tensor with {output.array.ndim} dims. Maybe you "
            "wanted to use the vjp or jacrev APIs instead?"
        )


def grad(func: Function, argnums: Any = 0, has_aux: bool = False) -> Function:
    """The function that gives the gradient of ``func``, a number, by some of its arguments."""
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        slopes, value = both(*args, **kwargs)
        return (slopes, value[1]) if has_aux else slopes

    return wrapper


class Recorded:
    """One call of a function, with what its derivatives are taken of and by."""

    def __init__(self, api: str, func: Function, args: tuple[Any, ...], argnums: Any, has_aux: bool) -> None:
        with recording():
            by = mapped(inner, args if argnums is None else chosen(args, argnums))
            called = by if argnums is None else replaced(args, argnums, by)
            self.inside, self.spec = flatten(by)
            output, aux = parted(api, func(*called), has_aux)
            self.outputs, self.output_spec = flatten(output)
            check_output(api, self.outputs)
        self.output = self.outside(self.outputs, self.output_spec)
        self.aux = mapped(lambda one: outer(one, self.inside), aux) if has_aux else None

    def outside(self, values: Sequence[Any], spec: Spec) -> Any:
        """Results as they are outside of the call."""
        return unflatten([outer(one, self.inside) for one in values], spec)

    def check_floating(self) -> None:
        """RuntimeError for an output that has no derivative."""
        for output in self.outputs:
            if not output.is_floating_point():
                raise RuntimeError(
                    "vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor with dtype "
                    f"{output.dtype}"
                )

    def pulled(self, cotangents: Sequence[Any], retain: bool = True, create: bool | None = None) -> list[Tensor]:
        """The gradients of the outputs, so weighted."""
        create = is_grad_enabled() if create is None else create
        found = gradients(self.outputs, self.inside, list(cotangents), retain, create)
        return [outer(one, self.inside) for one in found]


def check_output(api: str, outputs: Sequence[Any]) -> None:
    """RuntimeError unless a function gave tensors, and at least one."""
    if not outputs:
        raise RuntimeError(f"{api}: Expected f to be a function that has non-empty output (got output = [])")
    for output in outputs:
        if not isinstance(output, TensorBase):
            raise RuntimeError(
                f"{api}: expected f(*primals) to return only tensors, got unsupported type {type(output)}"
            )


def vjp(func: Function, *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """What ``func`` gives, and the function that takes weights of that to gradients by the arguments."""
    call = Recorded("vjp(f, *primals)", func, primals, None, has_aux)
    call.check_floating()

    def wrapper(cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        weights, spec = flatten(cotangents)
        if spec != call.output_spec:
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the "
                f"function. cotangents: {spec.sketched()}, primal output: {call.output_spec.sketched()}"
            )
        return unflatten(call.pulled(weights, retain_graph, create_graph), call.spec)

    return (call.output, wrapper, call.aux) if has_aux else (call.output, wrapper)
