"""What happens to a gradient on its way and at its end: made to fit, added to ``.grad``, kept by a non-leaf."""

from __future__ import annotations

from itertools import zip_longest
from sys import getrefcount
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase, counter_of, meta_of, new_tensor, state, version_of
from chalkgrad.engine.device import contiguous_format
from chalkgrad.engine.given_out import GivenOut
from chalkgrad.engine.graph import Node
from chalkgrad.engine.memory_format import copied
from chalkgrad.engine.messages import INFERENCE_WRITTEN
from chalkgrad.engine.ordering import like
from chalkgrad.engine.rules import ARRAYS, TENSORS
from chalkgrad.engine.shapes import broadcast, is_expandable, sum_to
from chalkgrad.engine.size import brackets
from chalkgrad.engine.storage import InferenceCounter, element_strides, is_dense, owner
from chalkgrad.engine.warning import warn
from chalkgrad.errors import blame

Gradient = Any


def fitted(g: np.ndarray, shape: tuple[int, ...], dtype: Any, source: Node | None, index: int) -> np.ndarray:
    """``g`` with broadcasting undone and in the dtype of the value it is the gradient of."""
    lead = g.ndim - len(shape)
    if shape and lead > 0 and g.shape[lead:] == shape:
        g = _without_first(g, lead)
    elif g.shape != shape:
        _check_expandable(g.shape, shape, source, index)
        g = sum_to(ARRAYS, g, shape)
    return g if dtype is None or g.dtype == dtype else copied(g, dtype)


def _without_first(g: np.ndarray, count: int) -> np.ndarray:
    """``g`` summed over its first dimensions, what :func:`sum_to` does for a bias: a view of the sum, as there."""
    total = np.add.reduce(g, axis=tuple(range(count)), keepdims=True, out=...)
    return np.asarray(total, order="C").reshape(g.shape[count:])


def fitted_tensor(g: TensorBase, shape: tuple[int, ...], dtype: Any, source: Node | None, index: int) -> TensorBase:
    """The same for a tensor, recorded."""
    if g.array.shape != shape:
        _check_expandable(g.array.shape, shape, source, index)
        g = sum_to(TENSORS, g, shape)
    return g if dtype is None or g.array.dtype == dtype else TENSORS.to_copy(g, dtype)


def all_fitted(node: Node, found: list[Gradient], *, record: bool) -> list[Gradient]:
    """The gradients that ``node`` found as they arrive where they go to: so hooks and observers see them."""
    fit = fitted_tensor if record else fitted
    made = found
    for index, (edge, gradient) in enumerate(zip(node.edges, found, strict=True)):
        if edge is None or gradient is None:
            continue
        values = gradient.array if record else gradient
        if values.shape != edge.shape or values.dtype is not edge.dtype:
            made = list(found) if made is found else made
            port = node.ports[index] if node.ports and edge.many else 0
            made[index] = fit(gradient, *edge.expects()[port], node, index)
    return made


def arrives_as_it_is(gradient: TensorBase | None, edge: Node | None) -> bool:
    """True where nothing arrives, or a gradient that needn't be made to fit."""
    if gradient is None or edge is None:
        return True
    return gradient.array.shape == edge.shape and gradient.array.dtype is edge.dtype


def not_fitted(made: list[Gradient], fit: list[Gradient], found: list[Gradient]) -> list[Gradient]:
    """What goes on, without what had to be made to fit: that is a gradient of its own."""
    return [None if f is not m and g is f else g for m, f, g in zip(made, fit, found, strict=True)]


def check_root(node: Node, port: int, gradient: Gradient, index: int) -> None:
    """RuntimeError unless what a backward starts from with root number ``index`` can be a gradient of that."""
    if gradient is None:
        return
    shape = node.expects()[port][0] if node.many else node.shape
    given = (gradient.array if isinstance(gradient, TensorBase) else gradient).shape
    if given != shape:
        _check_expandable(given, shape, None, index)


def _check_expandable(have: tuple[int, ...], shape: tuple[int, ...], source: Node | None, index: int) -> None:
    if not is_expandable(shape, have):
        whose = "" if source is None else f"Function {source.name()} returned an "  # that given to a root is nobody's
        text = (
            f"{whose}invalid gradient at index {index} - got {list(have)} "
            f"but expected shape compatible with {list(shape)}"
        )
        raise blame(RuntimeError(text), node=source)


def accumulate(variable: TensorBase, gradient: Gradient, *, record: bool, version: int, given_out: GivenOut) -> None:
    """Add ``gradient`` to ``variable.grad``: in place, unless the backward is recorded.

    ``version`` is how often the gradient was written on its way if nobody else holds it, so that it can become
    ``.grad`` as it is, and -1 if it must be copied. What is a view, as the parts that ``cat`` hands on are, stays in
    the memory it shares: PyTorch asks who else holds the gradient, not whose memory it is.
    """
    meta = meta_of(variable)
    old = meta.grad
    if record:
        meta.grad = _copied(variable.array, gradient) if old is None else TENSORS.add(old, gradient)
    elif old is None:
        meta.grad = _first(variable.array, gradient, version, given_out)
    else:
        _add_in_place(old, gradient)
    grown = meta.grad if old is not None else None
    if grown is not None and (grown.array.strides != variable.array.strides or 0 in grown.array.strides):
        _warn_of_layout(grown.array, variable.array, getattr(meta, "strides_before", (1,)))


def _warn_of_layout(gradient: np.ndarray, values: np.ndarray, before: tuple[int, ...]) -> None:
    """Warn once of a ``.grad`` that lies otherwise in memory than it should."""
    if not _laid_out_alike(gradient, values, before) and state.is_news("gradient layout contract"):
        grad, param = (
            f".sizes() = {brackets(array.shape)}, strides() = {brackets(element_strides(array))}"
            for array in (gradient, values)
        )
        warn(
            "grad and param do not obey the gradient layout contract. This is not an error, but may impair "
            f"performance.\ngrad{grad}\nparam{param}"
        )


def _first(values: np.ndarray, gradient: np.ndarray, version: int, given_out: GivenOut) -> TensorBase:
    """The first ``.grad`` of a leaf: the gradient itself, or a copy laid out in memory as the leaf is."""
    shares = False
    if version < 0 or not _laid_out_alike(gradient, values):
        dense = is_dense(values)
        version = int(dense)  # written into an empty tensor, or cloned
        kept = like(values, gradient.dtype) if dense else np.empty(gradient.shape, gradient.dtype)
        if kept.shape != gradient.shape:
            _check_broadcast(kept.shape, gradient.shape)
        np.copyto(kept, gradient)
    else:
        kept = gradient if gradient.flags.writeable else gradient.copy()
        shares = kept is gradient and not _is_alone(gradient)
    made = new_tensor(kept)
    if shares and not state.inference:
        made.counter = given_out.counter(gradient)
    if version > 0 and version > version_of(made):
        counter_of(made).version = version
    if state.observer is not None:
        state.observer.tensor_made(made)
    return made


def _laid_out_alike(gradient: np.ndarray, values: np.ndarray, before: tuple[int, ...] = (1,)) -> bool:
    """True when ``gradient`` lies in memory as a ``.grad`` of ``values`` has to; sizes of 1 have any stride but 0."""
    if not gradient.size:  # NumPy gives often no strides to what has no elements
        if gradient.ndim != values.ndim:  # the leaf was laid anew, and has strides of nothing where that has others
            return False
        if gradient.shape != values.shape and not any(values.strides):  # the leaf was turned
            return element_strides(gradient) == element_strides(values.T)[::-1]
        if any(gradient.strides):
            return element_strides(gradient) == element_strides(values)
        return owner(gradient).size == 0
    if gradient.strides == values.strides and gradient.itemsize == values.itemsize and 0 not in gradient.strides:
        return gradient.flags.c_contiguous or is_dense(values)
    if not is_dense(values):
        return gradient.flags.c_contiguous
    have, wanted = element_strides(gradient), element_strides(values)[: gradient.ndim]  # new data may have fewer
    if gradient.ndim and not values.ndim:
        wanted = before[: gradient.ndim]  # which PyTorch finds where that has no stride
    strides = zip_longest(have, wanted, gradient.shape)  # of what has fewer dimensions now PyTorch finds those it had
    return all(one if size == 1 else other is None or one == other for one, other, size in strides)


def _is_alone(gradient: np.ndarray) -> bool:
    """True for an array on memory of its own: its owner, or the only view of all of it, as a transposed product is."""
    base = gradient.base
    if base is None:
        return True
    if type(base) is not np.ndarray or base.base is not None or base.size != gradient.size:
        return False
    return getrefcount(base) == _ONLY_ITS_VIEW


_ONLY_ITS_VIEW = 3
"""References to an array that only one view of it refers to: the view's, a variable's and an argument's."""


def _copied(values: np.ndarray, gradient: TensorBase) -> TensorBase:
    """A copy of a recorded gradient as PyTorch makes it for ``.grad``: laid out as the leaf if that has no gaps."""
    if not is_dense(values):
        cloned: TensorBase = TENSORS.contiguous(gradient, memory_format=contiguous_format)
        return cloned
    empty = new_tensor(like(values, gradient.array.dtype))
    if state.observer is not None:
        state.observer.tensor_made(empty)
    result: TensorBase = TENSORS.copy_(empty, gradient)
    return result


def _add_in_place(old: TensorBase, gradient: np.ndarray) -> None:
    observer = state.observer
    if observer is not None:
        observer.about_to_write(old)
    if old.array.shape != gradient.shape:
        _check_broadcast(old.array.shape, gradient.shape)
    np.add(old.array, gradient, out=old.array)
    if type(old.counter) is InferenceCounter and not state.inference:
        raise blame(RuntimeError(INFERENCE_WRITTEN), tensor=old)
    counter_of(old).version += 1
    if observer is not None:
        observer.wrote(old)


def _check_broadcast(shape: tuple[int, ...], other: tuple[int, ...]) -> None:
    """RuntimeError unless what has shape ``other`` can be added in place to what has ``shape``."""
    whole = broadcast(shape, other)
    if whole != shape:
        raise RuntimeError(f"output with shape {brackets(shape)} doesn't match the broadcast shape {brackets(whole)}")


def retain(tensor: TensorBase, gradient: Gradient, *, record: bool) -> None:
    """Keep ``gradient`` as the ``.grad`` of a tensor that is no leaf."""
    meta = meta_of(tensor)
    old = meta.grad
    if record:
        copy = TENSORS.contiguous  # a clone laid out like this, whatever the gradient is laid out like
        meta.grad = copy(gradient, memory_format=contiguous_format) if old is None else TENSORS.add(old, gradient)
    else:
        if old is not None:
            broadcast(old.array.shape, gradient.shape)  # the tensor may have got another shape since
        total = gradient.copy() if old is None else np.add(old.array, gradient, out=...)
        meta.grad = new_tensor(total)
        if state.observer is not None:
            state.observer.tensor_made(meta.grad)
    if state.observer is not None:
        state.observer.retained(tensor, meta.grad)
