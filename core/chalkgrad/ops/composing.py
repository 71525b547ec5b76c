"""What operators made of others and in-place twins need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine import memory_format
from chalkgrad.engine.apply import register
from chalkgrad.engine.base import TensorBase, new_tensor
from chalkgrad.engine.device import MemoryFormat, contiguous_format
from chalkgrad.engine.places import check_alone
from chalkgrad.engine.record import OPS, Record
from chalkgrad.engine.rules import ARRAYS, TENSORS
from chalkgrad.engine.storage import overlaps_itself
from chalkgrad.engine.tensor import Tensor
from chalkgrad.engine.warning import warn


def as_dims(dim: Any) -> Any:
    """``dim`` as a tuple where it is a single one."""
    return dim if dim is None or isinstance(dim, tuple) else (dim,)


def array_in(value: Any) -> np.ndarray:
    """The array of a tensor, or the array itself."""
    found: np.ndarray = value.array if isinstance(value, TensorBase) else value
    return found


def as_method(function: Callable[..., Any], name: str) -> None:
    """Make ``function`` the method ``name`` of tensors, one that PyTorch wrote in Python."""
    function.__name__ = name
    function.__qualname__ = f"Tensor.{name}"
    setattr(Tensor, name, function)


def like(value: Any, array: np.ndarray) -> Any:
    """``array`` as what ``value`` is: an array or a tensor."""
    return new_tensor(array) if isinstance(value, TensorBase) else array


def written_zeros(o: Any, like: Any, shape: tuple[int, ...]) -> Any:
    """Zeros that PyTorch writes into a new tensor, which their ``_version`` shows."""
    zeros = o.zeros_of(like, shape)
    return zeros if isinstance(zeros, np.ndarray) else o.zero_(zeros)


def write_part(o: Any, part: Any, values: Any) -> None:
    """Write ``values`` into ``part``, a view of a new tensor, as PyTorch does; the graph shows it."""
    if isinstance(part, np.ndarray):
        part[...] = values
    else:
        o.copy_(part, values)


def warn_expanded(name: str, array: np.ndarray, also: str) -> None:
    """PyTorch's warning where ``name`` writes a tensor that has an element more than once."""
    if overlaps_itself(array):
        warn(
            f"Use of {name} on expanded tensors is deprecated. Please clone() the tensor before performing this "
            f"operation. This also applies to advanced indexing e.g. tensor{also}"
        )


def in_format(forward: Callable[..., Any], *places: int) -> Callable[..., Any]:
    """``forward``, with results in the memory format of its arguments at ``places``: channels last where one is so.

    Without ``places`` it is that of the first argument.
    """

    def call(*inputs: Any, **attributes: Any) -> Any:
        forms = [memory_format.suggested(inputs[place]) for place in places or (0,)]
        form = next((form for form in forms if form is not contiguous_format), contiguous_format)
        found = forward(*inputs, **attributes)
        if isinstance(found, tuple):
            return tuple(_formatted(array, form) for array in found)
        return _formatted(found, form)

    return call


def in_sequence(forward: Callable[..., Any]) -> Callable[..., Any]:
    """``forward``, with results whose elements lie one after the other."""

    def call(*inputs: Any, **attributes: Any) -> Any:
        found = forward(*inputs, **attributes)
        if isinstance(found, tuple):
            return tuple(_formatted(array, contiguous_format) for array in found)
        return _formatted(found, contiguous_format)

    return call


def _formatted(array: Any, form: MemoryFormat) -> Any:
    if array is None:
        return None
    in_place = array.flags.c_contiguous if form is contiguous_format else array.ndim not in (4, 5)
    return array if in_place else memory_format.copied(array, array.dtype, form)


def through(compose: Callable[..., Any]) -> Callable[..., Any]:
    """The forward of an operator that is only composed of others: the same on arrays."""
    return lambda *inputs, **attributes: compose(ARRAYS, *inputs, **attributes)


def made_of_others(
    name: str, inputs: tuple[str, ...], compose: Callable[..., Any], *signatures: str, **fields: Any
) -> None:
    """Register an operator that PyTorch writes in terms of others; ``fields`` are the rest of its record."""
    fields = {"forward": through(compose)} | fields
    register(Record(name=name, inputs=inputs, promotes="none", compose=compose, signatures=signatures, **fields))


def of_arrays(name: str) -> Callable[..., Any]:
    """The forward of an operator whose composition asks tensors for their shapes: it runs on tensors of the arrays."""

    def forward(*values: Any, **attributes: Any) -> Any:
        given = [new_tensor(value) if isinstance(value, np.ndarray) else value for value in values]
        found = getattr(TENSORS, name)(*given, **attributes)
        return tuple(tensor.array for tensor in found) if isinstance(found, tuple) else found.array

    return forward


def apart(forward: Callable[..., Any]) -> Callable[..., Any]:
    """``forward`` in place: that what is written is not read PyTorch asks once everything but indices is right."""

    def compute(*values: Any, **attributes: Any) -> Any:
        try:
            found = forward(*values, **attributes)
        except (RuntimeError, IndexError) as error:
            if hasattr(error, "index"):  # which is looked at while it writes
                check_alone(*values)
            raise
        check_alone(*values)
        return found

    return compute


def writing(name: str, *signatures: str, visible: bool = True, **changes: Any) -> None:
    """Register the in-place twin of operator ``name``, called as ``signatures`` say; a method only.

    ``changes`` are fields in which it differs otherwise.
    """
    record = OPS[name]
    register(
        record._replace(
            name=f"{name}_",
            writes=record.inputs[0],
            function=None,
            method=f"{name}_" if record.method else None,
            signatures=signatures,
            symbol=None,
            style="method",
            section="in-place",
            aliases=(),
            hidden=record.hidden or not visible,
            part_of=record.part_of or (None if visible else name),
            **changes,
        )
    )
