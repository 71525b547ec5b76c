"""Writing into a tensor's memory: what PyTorch checks first, and what becomes of the graph."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chalkgrad.engine import messages
from chalkgrad.engine.array_operators import compute_dtype
from chalkgrad.engine.base import TensorBase, counter_of, new_tensor, rare_of, state
from chalkgrad.engine.dtype import can_cast, dtype_of
from chalkgrad.engine.graph import Node, number_first
from chalkgrad.engine.lineage import grad_fn_of, requires_grad_of, settle_hooks
from chalkgrad.engine.places import (
    LOOKED_AT_LAST,
    MAY_OVERLAP,
    OVERLAP,
    PARTIAL,
    READS_FIRST,
    READS_ITSELF,
)
from chalkgrad.engine.plans import plan_of
from chalkgrad.engine.record import Record
from chalkgrad.engine.recording import (
    TAKE_NUMBERS,
    announce_node,
    check_kept,
    compute,
    edges_of,
    givers,
    kept_output,
    ports_of,
    promoted,
    unattached_node,
    unnoticed,
)
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.saved import pack_all
from chalkgrad.engine.size import brackets
from chalkgrad.engine.storage import (
    InferenceCounter,
    data_ptr,
    overlap_partly,
    overlaps_itself,
)
from chalkgrad.engine.views import CopySlices
from chalkgrad.errors import blame

guards: list[Callable[[TensorBase], None]] = []
"""Called with each tensor just before its memory is written."""


def any_requires_grad(values: Sequence[Any]) -> bool:
    """True where one of ``values`` is a tensor that requires grad."""
    return any(isinstance(x, TensorBase) and requires_grad_of(x) for x in values)


def write(record: Record, inputs: tuple[Any, ...], attributes: dict[str, Any]) -> TensorBase:
    """Run the in-place operator ``record`` and return the tensor it wrote, its first input."""
    target: TensorBase = inputs[0]
    recorded = state.grad and any_requires_grad(inputs)
    if recorded and type(target.counter) is InferenceCounter and unnoticed(plan_of(record), inputs):
        recorded = False
    edges: tuple[Node | None, ...] = ()
    if recorded and record.differentiable:
        followed = record.name != "copy_" or target.array.dtype.kind == "f"
        if followed and any_requires_grad(givers(plan_of(record), inputs) if record.vjps else inputs):
            check_writable(target)
            if record.vjps:
                edges = edges_of(plan_of(record), inputs)
    try:
        result = _result(record, target, inputs, attributes)
    except Exception:
        if edges:  # of what is written a copy would be kept
            check_kept(plan_of(record), edges, (new_tensor(target.array), *inputs[1:]), attributes)
        raise
    if not edges:
        overwrite(target, result)
        return target
    plan = plan_of(record)
    ports = ports_of(plan, inputs)
    old_needed = _needs_old_value(record, edges)
    given = (new_tensor(target.array), *inputs[1:]) if old_needed else inputs
    # what was born in inference mode is refused when it is written, not when it is saved as the result
    kept = new_tensor(target.array) if type(target.counter) is InferenceCounter else target
    node = unattached_node(plan, edges, given, attributes, (kept,))
    if len(node.edges) == len(edges):  # a node that only refuses keeps those edges that are there
        node.ports = ports
    if state.renewed:
        number_first(node)
    if old_needed:
        _keep_old_value(record, node, target)
    if state.packing and not set(record.outputs).intersection(node.saved_names):
        pack_all(node)  # hooks get inputs as they were
    overwrite(target, result)
    _save_result(record, node, target)
    set_history(target, node, inputs[1:])
    if target.node is not None and target.node is not node and set(record.outputs).intersection(node.saved_names):
        rare_of(node).of_view = weakref.ref(target.node)
    announce_node(node, inputs, (target,))
    if state.observer is not None:
        state.observer.flags_changed(target)
    return target


def check_writable(target: TensorBase) -> None:
    """Raise PyTorch's errors for a leaf that requires grad, a view of one, and a view that may not be written."""
    meta = target.meta
    if meta is not None and meta.view is not None:
        check_view_writable(target)
        if requires_grad_of(target) and grad_fn_of(meta.view.base) is None:
            raise messages.leaf_written(target, view=True)
    if target.node is None and requires_grad_of(target):  # as it is: a view written through another has a grad_fn
        raise messages.leaf_written(target, view=False)  # only when somebody asks for it


def check_followed(target: TensorBase, name: str) -> None:
    """The same, unless the write by operator ``name`` isn't recorded anyway."""
    heard = type(target.counter) is not InferenceCounter or name not in TAKE_NUMBERS
    if heard and state.grad and requires_grad_of(target):
        check_writable(target)


def check_inference(target: TensorBase) -> None:
    """Raise for a tensor born in inference mode that is written outside of it."""
    if type(target.counter) is InferenceCounter and not state.inference:
        raise blame(RuntimeError(messages.INFERENCE_WRITTEN), tensor=target)


def check_view_writable(target: TensorBase) -> None:
    """Raise where autograd could not follow a write through the view ``target``."""
    view = None if target.meta is None else target.meta.view
    if view is None:
        return
    if view.made in messages.BLOCKED_VIEWS:
        raise messages.blocked_view_written(target, target.node, view.made, indirectly=False)
    if view.made == "many":
        raise messages.one_of_many_views_written(target, target.node, indirectly=False)


def _result(record: Record, target: TensorBase, inputs: tuple[Any, ...], attributes: dict[str, Any]) -> np.ndarray:
    """What is to be written, checked to fit ``target`` in shape and dtype."""
    values = [x.array if isinstance(x, TensorBase) else x for x in inputs]
    looks = record.name not in MAY_OVERLAP and (
        record.promotes != "none" or (len(inputs) > 1 and (inputs[1] is not target or record.name in READS_ITSELF))
    )
    if record.name == "copy_" and _in_place_already(target.array, values[1]):
        looks = False
    read = [] if record.name in READS_FIRST else values
    missing = None
    try:
        if record.check is not None:
            record.check(*values)
    except NotImplementedError as error:  # that there is no kernel for a dtype is found out last
        missing = error
    if looks:
        check_memory_of(target, read)
    if record.shape is not None:
        shapes = [value.shape if isinstance(value, np.ndarray) else () for value in values]
        shape = tuple(record.shape(*shapes, **attributes))
        if shape != target.array.shape:
            text = (
                f"output with shape {brackets(target.array.shape)} doesn't match the broadcast shape {brackets(shape)}"
            )
            raise blame(RuntimeError(text), tensor=target)
    if missing is not None:
        raise missing
    if record.promotes != "none":
        computed, wanted = compute_dtype(record, values), dtype_of(target.array)
        if not can_cast(computed, wanted):
            text = f"result type {computed.scalar_type} can't be cast to the desired output type {wanted.scalar_type}"
            raise blame(RuntimeError(text), tensor=target)
    result = compute(plan_of(record), promoted(record, values), attributes)[0]
    if record.name in LOOKED_AT_LAST:
        check_no_overlap(target)
    return result


def _in_place_already(target: np.ndarray, value: Any) -> bool:
    """True for elements that are copied to where they are, for which PyTorch does nothing."""
    return isinstance(value, np.ndarray) and (
        (target.dtype, target.shape, target.strides) == (value.dtype, value.shape, value.strides)
        and data_ptr(target) == data_ptr(value)
    )


def _save_result(record: Record, node: Node, target: TensorBase) -> None:
    """Let ``node`` keep its result as it is after the write; inputs were saved as they were before."""
    saved = node.saved or ()
    node.saved = tuple(
        kept_output(target) if name in record.outputs and value is not None else value
        for name, value in zip(node.saved_names, saved, strict=True)
    )


def check_no_overlap(target: TensorBase) -> None:
    """Raise for a tensor that has an element more than once."""
    if overlaps_itself(target.array):
        raise blame(RuntimeError(OVERLAP), tensor=target)


def check_memory_of(target: TensorBase, values: list[Any]) -> None:
    """Raise where writing element by element would change elements that are still to be read or written."""
    check_no_overlap(target)
    for value in values:
        if value is not target.array and isinstance(value, np.ndarray) and overlap_partly(target.array, value):
            raise blame(RuntimeError(PARTIAL), tensor=target)


def _needs_old_value(record: Record, edges: tuple[Node | None, ...]) -> bool:
    """True where the backward needs the value that is about to go."""
    needs = frozenset(name for name, edge in zip(record.sources, edges, strict=True) if edge is not None)
    return record.inputs[0] in record.saved(needs)


def _keep_old_value(record: Record, node: Node, target: TensorBase) -> None:
    """Let ``node`` keep a copy of ``target``, which is made after the node itself."""
    copy, name = TENSORS.clone(target), record.inputs[0]
    node.saved = tuple(
        copy if name == kept else value for kept, value in zip(node.saved_names, node.saved or (), strict=True)
    )


def overwrite(target: TensorBase, values: np.ndarray | bool | int | float) -> None:
    """Put ``values`` into the memory of ``target`` and count the write, which may not be countable."""
    _write_counted(target, lambda array: np.copyto(array, values, casting="unsafe"))


def add_to(target: TensorBase, values: np.ndarray | float) -> None:
    """The same with ``values`` added to what is there."""
    _write_counted(target, lambda array: np.add(array, values, out=array, casting="unsafe"))


def multiply_by(target: TensorBase, values: np.ndarray | float) -> None:
    """The same with what is there multiplied by ``values``."""
    _write_counted(target, lambda array: np.multiply(array, values, out=array, casting="unsafe"))


def _write_counted(target: TensorBase, write: Callable[[np.ndarray], object]) -> None:
    for guard in guards:
        guard(target)
    observer = state.observer
    if observer is not None:
        observer.about_to_write(target)
    write(target.array)
    try:
        check_inference(target)
        counter_of(target).version += 1
    finally:
        if observer is not None:
            observer.wrote(target)


def set_history(target: TensorBase, node: Node, others: tuple[Any, ...]) -> None:
    """Make ``node`` the grad_fn of ``target`` after an in-place operator; of a view's base, a CopySlices around it.

    ``others`` are the operator's further inputs. Who watches hears of the CopySlices, and of the view's new grad_fn.
    """
    meta = target.meta
    if meta is None or meta.view is None:
        set_grad_fn(target, node)
        return
    base = meta.view.base
    copy = CopySlices(base, target.array, node)
    set_grad_fn(base, copy)
    announce_node(copy, (base, *others), (base,))
    if state.observer is not None:
        state.observer.flags_changed(base)
    meta.view.version = -1  # somebody may have asked for its grad_fn since the write
    grad_fn_of(target)


def set_grad_fn(tensor: TensorBase, node: Node) -> None:
    """Make ``node`` the grad_fn of ``tensor`` itself; what was registered on the old value stays with that."""
    old, tensor.node = tensor.node, node
    settle_hooks(tensor, old)
