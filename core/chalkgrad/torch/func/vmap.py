"""``vmap``: a function called for each slice of its arguments, and what it gives, stacked.

The slices go through one after the other. So a function may look at values, which PyTorch, where all go through at
once, refuses; and random numbers that differ from slice to slice are drawn for one slice after the other.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from chalkgrad.engine.autograd import observe
from chalkgrad.engine.base import TensorBase, state
from chalkgrad.engine.generator import default_generator
from chalkgrad.engine.observer import Observer
from chalkgrad.torch import empty, stack
from chalkgrad.torch.func.gradients import Function, level
from chalkgrad.torch.func.trees import Spec, broadcast, flatten, unflatten

RANDOM = (
    "vmap: called random operation while in randomness error mode. Please either use the 'same' or 'different' "
    "randomness flags on vmap or perform the randomness operation out of vmap"
)

SHARED = (
    "vmap: inplace arithmetic(self, *extra_args) is not possible because there exists a Tensor `other` in extra_args "
    "that has more elements than `self`. This happened due to `other` being vmapped over but `self` not being vmapped "
    "over in a vmap. Please try to use out-of-place operators instead of inplace arithmetic. If said operator is being "
    "called inside the PyTorch framework, please file a bug report instead."
)


def vmap(
    func: Function, in_dims: Any = 0, out_dims: Any = 0, randomness: str = "error", *, chunk_size: int | None = None
) -> Function:
    """The function that calls ``func`` for each slice along ``in_dims`` and stacks the results along ``out_dims``."""
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @functools.wraps(func)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        _check_out_dims(func, out_dims)
        leaves, dims, spec, size = _inputs(func, in_dims, args)
        results = _results(func, leaves, dims, spec, size, randomness, kwargs)
        return _stacked(func, results, out_dims, size)

    return wrapped


def _name(func: Any) -> str:
    if hasattr(func, "__name__"):
        return str(func.__name__)
    if isinstance(func, functools.partial):
        return f"functools.partial({_name(func.func)}, ...)"
    return repr(func)


# Inputs


def _check_out_dims(func: Function, out_dims: Any) -> None:
    for dim in flatten(out_dims)[0]:
        if dim is not None and not isinstance(dim, int):
            raise ValueError(
                f"vmap({_name(func)}, ..., out_dims={out_dims}): `out_dims` must be an int, None or a python "
                "collection of ints representing where in the outputs the vmapped dimension should appear."
            )


def _inputs(func: Function, in_dims: Any, args: tuple[Any, ...]) -> tuple[list[Any], list[Any], Spec, int]:
    """The arguments' leaves, the dimension along which each is sliced, how they are nested, and how many slices."""
    call = f"vmap({_name(func)}, in_dims={in_dims}, ...)(<inputs>)"
    if not isinstance(in_dims, int | tuple):
        raise ValueError(
            f"{call}: expected `in_dims` to be int or a (potentially nested) tuple matching the structure of inputs, "
            f"got: {type(in_dims)}."
        )
    if not args:
        raise ValueError(
            f"vmap({_name(func)})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap "
            "over a function with no inputs. The latter is unsupported."
        )
    leaves, spec = flatten(args)
    dims = broadcast(in_dims, spec)
    if dims is None:
        raise ValueError(
            f"{call}: in_dims is not compatible with the structure of `inputs`. in_dims has structure "
            f"{flatten(in_dims)[1]} but inputs has structure {spec}."
        )
    sizes = [_size(call, leaf, dim) for leaf, dim in zip(leaves, dims, strict=True) if dim is not None]
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if any(size != sizes[0] for size in sizes):
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    return leaves, dims, spec, sizes[0]


def _size(call: str, leaf: Any, dim: Any) -> int:
    """How many slices an argument has."""
    if not isinstance(dim, int):
        raise ValueError(
            f"{call}: Got in_dim={dim} for an input but in_dim must be either an integer dimension or None."
        )
    if not isinstance(leaf, TensorBase):
        raise ValueError(
            f"{call}: Got in_dim={dim} for an input but the input is of type {type(leaf)}. We cannot vmap over "
            "non-Tensor arguments, please use None as the respective in_dim"
        )
    count = leaf.array.ndim
    if not -count <= dim < count:
        raise ValueError(
            f"{call}: Got in_dim={dim} for some input, but that input is a Tensor of dimensionality {count} so "
            f"expected in_dim to satisfy -{count} <= in_dim < {count}."
        )
    size: int = leaf.array.shape[dim]
    return size


# Calls


def _results(
    func: Function,
    leaves: Sequence[Any],
    dims: Sequence[Any],
    spec: Spec,
    size: int,
    randomness: str,
    kwargs: dict[str, Any],
) -> list[Any]:
    """What ``func`` gives for each slice; for none, what it gives for zeros, of which the shape is taken."""
    before = None if randomness == "different" else default_generator.state_bytes()
    results = []
    for place in range(max(size, 1)):
        pairs = zip(leaves, dims, strict=True)
        slices = [_slice(leaf, dim, place, size) for leaf, dim in pairs]
        if before is not None and randomness == "same":
            default_generator.restore(before)
        with level(), _watched([one for one, dim in zip(slices, dims, strict=True) if dim is not None]):
            results.append(func(*unflatten(slices, spec), **kwargs))
        if before is not None and randomness == "error" and default_generator.state_bytes() != before:
            default_generator.restore(before)
            raise RuntimeError(RANDOM)
    return results


class _Watch(Observer):
    """Refuses to write into what was there before the slice, which all slices share."""

    __slots__ = ("made",)

    def __init__(self, slices: Sequence[Any]) -> None:
        self.made = {id(_root(one)): one for one in slices}

    def tensor_made(self, tensor: TensorBase) -> None:
        self.made[id(tensor)] = tensor

    def about_to_write(self, tensor: TensorBase) -> None:
        if id(_root(tensor)) not in self.made:
            raise RuntimeError(SHARED)


def _root(tensor: TensorBase) -> TensorBase:
    """The tensor whose memory a view shows."""
    view = None if tensor.meta is None else tensor.meta.view
    return tensor if view is None else view.base


@contextmanager
def _watched(slices: Sequence[Any]) -> Iterator[None]:
    """One slice goes through inside; nobody watches where somebody does already."""
    if state.observer is not None:
        yield
        return
    observe(_Watch(slices))
    try:
        yield
    finally:
        observe(None)


def _slice(leaf: Any, dim: int | None, place: int, size: int) -> Any:
    if dim is None:
        return leaf
    if size:
        return leaf.select(dim, place)
    shape = list(leaf.shape)
    del shape[dim]
    return leaf.new_zeros(shape)


# Outputs


def _stacked(func: Function, results: Sequence[Any], out_dims: Any, size: int) -> Any:
    columns, spec = [], flatten(results[0])[1]
    dims = broadcast(out_dims, spec)
    if spec.kind is None and isinstance(out_dims, tuple) and len(out_dims) == 1:
        dims = list(out_dims)
    if dims is None or (spec.kind is None and isinstance(out_dims, tuple) and len(out_dims) != 1):
        raise ValueError(
            f"vmap({_name(func)}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the structure "
            f"of `outputs`. out_dims has structure {flatten(out_dims)[1]} but outputs has structure {spec}."
        )
    rows = [flatten(result)[0] for result in results]
    for column, dim in zip(zip(*rows, strict=True), dims, strict=True):
        columns.append(_joined(func, column, dim, size))
    return unflatten(columns, spec)


def _joined(func: Function, values: Sequence[Any], dim: int | None, size: int) -> Any:
    """One output of all calls as one tensor."""
    first = values[0]
    if dim is None:
        if isinstance(first, TensorBase) and any(value is not first for value in values):
            raise ValueError(
                f"vmap({_name(func)}, ...): `{_name(func)}` can not return a BatchedTensor when out_dim is None"
            )
        return first
    if not isinstance(first, TensorBase):
        raise ValueError(
            f"vmap({_name(func)}, ...): `{_name(func)}` must only return Tensors, got type {type(first)}. Did you mean "
            "to set out_dims= to None for output?"
        )
    if size:
        return stack(values, dim)
    shape = list(first.array.shape)
    shape.insert(dim % (len(shape) + 1), 0)
    return empty(shape, dtype=first.dtype)  # type: ignore[attr-defined]
