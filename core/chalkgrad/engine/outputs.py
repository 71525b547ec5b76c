"""Writing results into the tensors given as ``out=``: what is refused, the shape they get, and what is recorded."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from chalkgrad.engine import messages
from chalkgrad.engine.base import TensorBase, counter_of, new_tensor, state
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.graph import Node, edge_of, number_first
from chalkgrad.engine.inplace import any_requires_grad, check_writable, overwrite, set_history
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.modes import no_grad, set_grad_enabled
from chalkgrad.engine.out_dtypes import casts, check_cast, check_dtype, check_kernel
from chalkgrad.engine.places import (
    AS_ROW,
    BY_COLUMNS_AT_FIRST,
    CHECKED_FIRST,
    CHECKED_LATE,
    COMPUTED_IN_OUT,
    COPIED,
    COUNTED,
    DEPRECATED_WITH_OUT,
    DRAWN,
    IN_SEQUENCE,
    POWERS,
    REFUSED_AS,
    RESIZED_BEFORE_REFUSED,
    RESIZED_FIRST,
    SILENT,
    WARNS,
    WRITES,
    check_followed_shape,
    check_memory,
    last_step,
    unfollowed_as,
)
from chalkgrad.engine.record import OPS, Record
from chalkgrad.engine.recording import announce_node, computed_with
from chalkgrad.engine.results import ReturnType, return_type
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.size import brackets
from chalkgrad.engine.storage import as_strided, element_strides, is_dense, resized, storage_offset
from chalkgrad.engine.warning import warn

Bound = Mapping[str, Callable[[tuple[Any, ...], dict[str, Any]], Any]]
"""Operators by name, called with their inputs and attributes."""


class Into:
    """One call with ``out=``: ``target`` is the operator that computes what ``record``, called ``spelled``, means."""

    def __init__(
        self, record: Record, spelled: str, target: Record, inputs: tuple[Any, ...], attributes: dict[str, Any]
    ) -> None:
        self.inputs = inputs
        self.attributes = attributes
        self.read = [member for value in inputs for member in (value if isinstance(value, tuple) else (value,))]
        if record.name == "inner" and any(not tensor.array.ndim for tensor in self.read):  # then it is a product
            record, spelled, target = OPS["mul"], "mul", OPS["mul"]
        numbers = any(isinstance(attributes.get(name), int | float) for name in ("atol", "rtol", "rcond"))
        by_number = record.name == "linalg_pinv" and (numbers or target.name == "linalg_pinv_rcond")
        self.name = "linalg_pinv_rcond" if by_number else record.name
        self.spelled = spelled
        self.target = target

    def write(self, out: Any, bound: Bound) -> Any:
        """Compute into ``out`` and return it; for a number, the tensor that PyTorch makes of that."""
        if isinstance(out, bool | int | float):
            out = new_tensor(np.asarray(out))
        if self.spelled in DEPRECATED_WITH_OUT:
            warn(DEPRECATED_WITH_OUT[self.spelled])
        if self.name in DRAWN:
            return self._draw(out, bound)
        if self.name in COMPUTED_IN_OUT and self.attributes.get("dtype") is None:
            self.attributes["dtype"] = dtype_of(out.array)
        operator = unfollowed_as(self.spelled, self.read)
        if operator is not None:
            return unfollowed_out(lambda: self._computed(bound), out, self.name, operator, self.read)
        if self.name in POWERS:
            return self._write_power(out, bound)
        if self.name in COUNTED:
            self._prepare_count(out)
        elif (self.target.vjps or self.target.compose is not None) and self.name not in COPIED:
            self._check_not_followed(out)
        return computed_out(lambda: self._computed(bound), out, self.name, self.read)

    def _computed(self, bound: Bound) -> Any:
        return bound[self.target.name](self.inputs, self.attributes)

    def _draw(self, out: TensorBase, bound: Bound) -> Any:
        check_out(self.name, (*self.read, out))
        prepare(out, self.read[0].array.shape, silently=True)
        return bound[DRAWN[self.name]]((out, *self.inputs), self.attributes)

    def _write_power(self, out: TensorBase, bound: Bound) -> Any:
        """The power of a matrix: the shape comes first of all, the rest is up to the operator of its last step."""
        matrix, number = self.read[0], self.attributes["n"]
        check_cast("matrix_power", matrix, out)
        prepare(out, matrix.array.shape)
        self.name = self.spelled = last_step(number)
        if self.name != "copy_":
            self._check_not_followed(out)
        with set_grad_enabled(state.grad and number not in (0, 1)):
            result = self._computed(bound)
        return write_outputs(matrix if number == 1 else result, out, self.name, self.read)

    def _prepare_count(self, out: TensorBase) -> None:
        refused_as, counting = COUNTED[self.name]
        check_out(refused_as, (out,))
        computed_with(*self.read)
        self.target = OPS[counting]
        if self.read[0].array.ndim > 1:
            prepare(out, self.read[0].array.shape[:-2])

    def _check_not_followed(self, out: Any) -> None:
        places = out if isinstance(out, tuple) else (out,)
        try:
            check_out(REFUSED_AS.get(self.spelled, self.spelled), (*self.read, *places))
        except RuntimeError:
            if self.spelled in RESIZED_BEFORE_REFUSED and self.target.shape is not None:
                prepare(out, self.target.shape(*[tensor.array.shape for tensor in self.read]))
            raise


def check_out(name: str, tensors: tuple[Any, ...]) -> None:
    """Raise where ``out=`` would have to be recorded."""
    if state.grad and any(isinstance(x, TensorBase) and requires_grad_of(x) for x in tensors):
        raise RuntimeError(messages.NOT_DIFFERENTIATED.format(name))


def write_outputs(results: Any, out: Any, name: str, read: Sequence[Any]) -> Any:
    """Put the results of an operator, one or several, into the tensors given as ``out``, and return these."""
    if name in AS_ROW and [tensor.array.ndim for tensor in read] == [1, 2]:
        write_out(TENSORS.unsqueeze(results, 0), out, name, read)
        return out.squeeze_(0)
    if isinstance(results, TensorBase):
        return write_out(results, out, name, read)
    written = [
        write_out(result, place, name, read, number)
        for number, (result, place) in enumerate(zip(results, out, strict=True))
    ]
    kind: Any = type(results)
    return (return_type(f"{kind.__name__}_out", kind.names) if issubclass(kind, ReturnType) else kind)(written)


def computed_out(compute: Callable[[], Any], out: Any, name: str, read: Sequence[Any]) -> Any:
    """Put what ``compute`` gives for operator ``name`` into ``out``, and return that."""
    when = WARNS.get(name)
    if when is None:
        return write_outputs(compute(), out, name, read)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        results = compute()
    if when == "twice":
        _warn_again(heard * 2)
    written = write_outputs(results, out, name, read)
    if when == "last":
        _warn_again(heard)
    return written


def _warn_again(heard: list[warnings.WarningMessage]) -> None:
    for entry in heard:
        warnings.warn_explicit(entry.message, entry.category, entry.filename, entry.lineno)


class NotImplementedNode(Node):
    """The grad_fn of a tensor that an operator without a derivative has written: it refuses."""

    __slots__ = ("operator",)
    cxx_name = "torch::autograd::NotImplemented"
    accumulates = True  # it refuses as early as leaves get their gradients

    def __init__(self, operator: str, tensors: Sequence[TensorBase], out: TensorBase) -> None:
        edges = tuple([edge_of(tensor) if requires_grad_of(tensor) else None for tensor in tensors])
        super().__init__(edges, (), (), out.array.shape, out.array.dtype)
        if any(tensor.output_nr for tensor in tensors):
            self.ports = tuple([tensor.output_nr for tensor in tensors])
        self.operator = operator
        if state.renewed:
            number_first(self)

    def run(self, g: Any, edges: tuple[Node | None, ...]) -> NoReturn:
        """RuntimeError, always."""
        raise RuntimeError(f"derivative for {self.operator} is not implemented")

    run_recorded = run

    def follow(self, out: TensorBase, others: Sequence[Any]) -> None:
        """Become the grad_fn of ``out``, which was written by now, and of ``others``."""
        if out.array.dtype.kind != "f":
            return
        self.shape = out.array.shape
        set_history(out, self, tuple(others))
        announce_node(self, (out, *others), (out,))
        if state.observer is not None:
            state.observer.flags_changed(out)


NotImplementedNode.__name__ = NotImplementedNode.__qualname__ = "NotImplemented"
NotImplementedNode.__module__ = "builtins"


def unfollowed_out(compute: Callable[[], Any], out: TensorBase, name: str, operator: str, read: Sequence[Any]) -> Any:
    """The same for an operator that PyTorch records with ``out=`` though it has no derivative for that."""
    if not state.grad or not any_requires_grad((*read, out)):
        return computed_out(compute, out, name, read)
    try:
        check_writable(out)
    except RuntimeError:
        raise RuntimeError(messages.NOT_DIFFERENTIATED.format(f"aten::{operator}")) from None
    followed = [tensor for tensor in (*read, out) if isinstance(tensor, TensorBase) and requires_grad_of(tensor)]
    node = NotImplementedNode(f"aten::{operator}", followed, out)
    with no_grad():
        computed_out(compute, out, name, read)
    node.follow(out, read)
    return out


def write_out(
    result: TensorBase, out: TensorBase, name: str, read: Sequence[Any] = (), number: int | None = None
) -> TensorBase:
    """Put ``result`` of operator ``name`` on the tensors ``read``, its output ``number``, into ``out``.

    That is given its shape. RuntimeError for a dtype or a piece of memory that the operator may not write.
    """
    if requires_grad_of(out):
        check_followed_shape(name, result.array, out.array)
    if name in COPIED:
        read = ()  # it has been read by then
    elementwise = OPS[name].follows_layout
    at_once = (elementwise and name not in CHECKED_LATE) or name in CHECKED_FIRST
    alone = at_once or result.array.shape == out.array.shape
    check_memory(name, out, read, alone=alone)
    if result.array.shape != out.array.shape and elementwise and any(value is out for value in read):
        have, needed = brackets(out.array.shape), brackets(result.array.shape)
        raise RuntimeError(f"output with shape {have} doesn't match the broadcast shape {needed}")
    check_cast(name, result, out)
    if name not in RESIZED_FIRST:
        check_dtype(name, result, out, read, number)
    if result.array.shape != out.array.shape:
        if out.array.size and name not in SILENT:
            for _ in range(2 if casts(name, result, out, read) else 1):  # what is cast is first computed apart
                warn_resized(out.array.shape, result.array.shape)
        in_sequence = name in IN_SEQUENCE and (out.array.size or name not in BY_COLUMNS_AT_FIRST)
        _resize(out, np.empty(result.array.shape) if in_sequence else result.array)
        check_memory(name, out, read)  # a tensor without elements shared nothing before
    if name in RESIZED_FIRST:
        check_dtype(name, result, out, read, number)
    check_kernel(name, result, out)
    if name in COPIED and (requires_grad_of(result) or requires_grad_of(out)):
        TENSORS.copy_(out, result)
        return out
    overwrite(out, result.array)
    counter_of(out).version += WRITES.get((name, number), 1) - 1
    return out


def warn_resized(had: tuple[int, ...], needed: tuple[int, ...]) -> None:
    """PyTorch's warning for a result with elements that is given another shape."""
    text = (
        f"An output with one or more elements was resized since it had shape {brackets(had)}, which does not match the "
        f"required output shape {brackets(needed)}. This behavior is deprecated, and in a future PyTorch release "
        "outputs will not be resized unless they have zero elements. You can explicitly reuse an out tensor t by "
        "resizing it, inplace, to zero elements with t.resize_(0)."
    )
    warn(text)


def prepare(out: TensorBase, shape: tuple[int, ...], *, silently: bool = False) -> None:
    """Give ``out`` the shape of a result before that is computed."""
    if out.array.shape != shape:
        if out.array.size and not silently:
            warn_resized(out.array.shape, shape)
        _resize(out, np.empty(shape, out.array.dtype))


def _resize(out: TensorBase, result: np.ndarray) -> None:
    """Give ``out`` the shape of ``result`` and its order in memory."""
    counter_of(out)  # while a node that saved it as its result still knows it by its memory
    if state.observer is not None:
        state.observer.about_to_write(out)
    if not result.ndim and out.meta is not None:
        out.meta.strides_before = element_strides(out.array)
    made = resized(out.array, result.shape)
    steps = element_strides(result)
    if made.size and element_strides(made) != steps and is_dense(result):
        made = as_strided(made, result.shape, steps, storage_offset(made))
    out.array = made
