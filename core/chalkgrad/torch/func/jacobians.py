"""All derivatives of a function: ``jacrev``, ``jacfwd`` and ``hessian``, and derivatives along a direction.

Derivatives forwards are gradients of gradients: those by the arguments, as a function of the outputs' weights, are
linear, and the gradient of that by the weights carries a direction to the outputs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.modes import enable_grad, is_grad_enabled
from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch import stack, zeros, zeros_like
from chalkgrad.torch.func.gradients import Function, Recorded, chosen, gradients, outer
from chalkgrad.torch.func.trees import flatten, unflatten

_JVP = "jvp(f, primals, tangents)"


def _basis(tensors: Sequence[Tensor]) -> Any:
    """For each element of the tensors, in order, zeros like them all with a 1 in its place."""
    for place, tensor in enumerate(tensors):
        for element in range(tensor.numel()):
            made = [zeros(one.shape, dtype=one.dtype) for one in tensors]
            made[place].view(-1)[element] = 1
            yield made


def _rows(found: Sequence[Sequence[Tensor]], place: int, counts: Sequence[int]) -> list[Tensor]:
    """What was found of one tensor, stacked, a piece for each tensor of the basis."""
    whole: Tensor = stack([one[place] for one in found])
    return list(whole.split(counts))


def _check_chunk(chunk_size: int | None) -> None:
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")


def jacrev(func: Function, argnums: Any = 0, *, has_aux: bool = False, chunk_size: int | None = None) -> Function:
    """The function that gives the derivatives of all elements of its output, worked out backwards, row by row."""
    _check_chunk(chunk_size)

    @functools.wraps(func)
    def wrapper(*args: Any) -> Any:
        call = Recorded("vjp(f, *primals)", func, args, argnums, has_aux)
        call.check_floating()
        found = [call.pulled(weights) for weights in _basis(call.outputs)]
        counts = [output.numel() for output in call.outputs]
        by_input = [_rows(found, place, counts) for place in range(len(call.inside))]
        jacobians = []
        for number, output in enumerate(call.outputs):
            pairs = zip(by_input, call.inside, strict=True)
            blocks = [rows[number].view(output.shape + one.shape) for rows, one in pairs]
            jacobians.append(_of_inputs(blocks, call, argnums))
        result = unflatten(jacobians, call.output_spec)
        return (result, call.aux) if has_aux else result

    return wrapper


def _of_inputs(blocks: Sequence[Tensor], call: Recorded, argnums: Any) -> Any:
    found = unflatten(blocks, call.spec)
    return found[0] if isinstance(argnums, int) else found


class _Forwards(Recorded):
    """A call whose arguments can be moved in a direction."""

    def __init__(self, func: Function, args: tuple[Any, ...], argnums: Any, has_aux: bool) -> None:
        super().__init__(_JVP, func, args, argnums, has_aux)
        with enable_grad():
            self.weights = [zeros_like(one).detach() for one in self.outputs]
            for weight in self.weights:
                if weight.is_floating_point():
                    weight._set_requires_grad(True, "")
            self.found = gradients(self.outputs, self.inside, self.weights)

    def pushed(self, tangents: Sequence[Any]) -> list[Tensor]:
        """By how much the outputs change in that direction."""
        floating = [weight for weight in self.weights if weight.requires_grad]
        moved = iter(gradients(self.found, floating, list(tangents), create=is_grad_enabled()))
        changes = [next(moved) if weight.requires_grad else zeros_like(weight) for weight in self.weights]
        return [outer(one, [*self.inside, *self.weights]) for one in changes]

    def depends(self) -> list[bool]:
        """Which outputs have to do with the arguments."""
        return [output.requires_grad for output in self.outputs]


def jvp(func: Function, primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False) -> tuple[Any, ...]:
    """What ``func`` gives, and by how much that changes where its arguments move along ``tangents``."""
    moves = _checked_moves(primals, tangents)
    call = _Forwards(func, primals, None, has_aux)
    if strict and not all(call.depends()):
        raise RuntimeError(
            "jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. This is not "
            "allowed with strict=True."
        )
    changes = unflatten(call.pushed(moves), call.output_spec)
    return (call.output, changes, call.aux) if has_aux else (call.output, changes)


def _checked_moves(primals: Any, tangents: Any) -> list[Any]:
    if not isinstance(primals, tuple):
        raise RuntimeError(f"{_JVP}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals).")
    (values, spec), (moves, other) = flatten(primals), flatten(tangents)
    if spec != other:
        raise RuntimeError(
            f"{_JVP}: Expected primals and tangents to have the same python structure. For example, if primals is a "
            f"tuple of 3 tensors, tangents also must be. Got primals with structure {spec} and tangents with "
            f"structure {other}"
        )
    for name, given in (("primals", values), ("tangents", moves)):
        if not given:
            raise RuntimeError(f"{_JVP}: Expected {name} to contain at least one Tensor.")
        for one in given:
            if not isinstance(one, TensorBase):
                raise RuntimeError(f"{_JVP}: Expected {name} to only contain Tensors, got {type(one)}")
    for value, move in zip(values, moves, strict=True):
        if value.shape != move.shape:
            raise RuntimeError(
                "Trying to set a forward gradient that has a different size than that of the original Tensor, this is "
                f"not supported. Tensor is of size {list(value.shape)} while the given forward gradient is of size "
                f"{list(move.shape)}."
            )
    return moves


def jacfwd(func: Function, argnums: Any = 0, has_aux: bool = False, *, randomness: str = "error") -> Function:
    """The function that gives the derivatives by all elements of its arguments, worked out forwards, one by one."""

    @functools.wraps(func)
    def wrapper(*args: Any) -> Any:
        chosen(args, argnums)
        call = _Forwards(func, args, argnums, has_aux)
        found = [call.pushed(moves) for moves in _basis(call.inside)]
        counts = [one.numel() for one in call.inside]
        jacobians = []
        for place, output in enumerate(call.outputs):
            columns = zip(_rows(found, place, counts), call.inside, strict=True)
            blocks = [part.movedim(0, -1).reshape(output.shape + one.shape) for part, one in columns]
            jacobians.append(_of_inputs(blocks, call, argnums))
        result = unflatten(jacobians, call.output_spec)
        return (result, call.aux) if has_aux else result

    return wrapper


def hessian(func: Function, argnums: Any = 0) -> Function:
    """The function that gives all second derivatives."""
    return jacfwd(jacrev(func, argnums), argnums)


def linearize(func: Function, *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """What ``func`` gives, and the linear function that it is like near there."""
    call = _Forwards(func, primals, None, has_aux=False)

    def moved(*tangents: Any) -> Any:
        moves, spec = flatten(tangents)
        if spec != call.spec:
            raise RuntimeError(f"Expected the tangents {spec} to have the same argspec as the primals {call.spec}")
        for place, (move, one) in enumerate(zip(moves, call.inside, strict=True)):
            for name in ("shape", "device", "dtype"):
                if getattr(move, name) != getattr(one, name):
                    raise RuntimeError(
                        f"tangent:{place} with {name} {getattr(move, name)} in flattened pytree doesn't match the "
                        f"{name} {getattr(one, name)} of the corresponding primal."
                    )
        return unflatten(call.pushed(moves), call.output_spec)

    return call.output, moved
