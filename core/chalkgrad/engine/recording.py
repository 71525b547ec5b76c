"""The steps of one call of an operator: dtypes, values, and the node with what it saves."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase, meta_of, rare_of, state
from chalkgrad.engine.dtype import FLOATING, DType, cast, get_default_dtype, result_type
from chalkgrad.engine.graph import Node
from chalkgrad.engine.record import Record
from chalkgrad.engine.rules import ARRAYS, NODE_CLASSES
from chalkgrad.engine.saved import Saved, keep
from chalkgrad.engine.storage import element_strides, owner, storage_offset

Edges = tuple[Node | None, ...]


def members(record: Record, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """The inputs one by one, also when they came as a list."""
    return tuple(inputs[0]) if record.variadic else inputs


def promoted(record: Record, inputs: tuple[Any, ...]) -> list[Any]:
    """The inputs' arrays (numbers stay numbers), in the dtype they are computed in."""
    values = [value.array if isinstance(value, TensorBase) else value for value in inputs]
    if record.check is not None:
        record.check(*values)
    if record.promotes == "none" or _all_alike(values):
        return values
    target = compute_dtype(record, values)
    return [None if value is None else cast(value, target) for value in values]


def _all_alike(values: list[Any]) -> bool:
    """True for arrays of one floating-point dtype, which need no promotion."""
    first = values[0]
    if type(first) is not np.ndarray or first.dtype.kind != "f":
        return False
    return all(type(value) is np.ndarray and value.dtype is first.dtype for value in values)


def compute_dtype(record: Record, values: list[Any]) -> DType:
    """The dtype in which ``record`` computes on ``values``."""
    target = result_type(value for value in values if value is not None)
    if record.promotes == "float" and target.kind != FLOATING:
        return get_default_dtype()
    return target


def compute(record: Record, values: list[Any], attributes: dict[str, Any]) -> tuple[np.ndarray, ...]:
    """Results of ``record``'s forward on arrays; its shape rule raises what PyTorch would where NumPy refuses."""
    forward = getattr(ARRAYS, record.name)
    if record.shape is not None:
        shapes = [shape_of(value) for value in values]
        record.shape(*([shapes] if record.variadic else shapes), **attributes)
    found = forward(values, **attributes) if record.variadic else forward(*values, **attributes)
    results = found if isinstance(found, tuple) else (found,)
    return tuple(result if isinstance(result, np.ndarray) else np.asarray(result) for result in results)


def shape_of(value: Any) -> Any:
    """The sizes of an array, none for a number; None for an input that isn't there."""
    return value.shape if isinstance(value, np.ndarray) else None if value is None else ()


def make_node(
    record: Record, edges: Edges, inputs: tuple[Any, ...], attributes: dict[str, Any], outputs: tuple[TensorBase, ...]
) -> Node:
    """The node of one call, made the grad_fn of ``outputs``."""
    node = unattached_node(record, edges, inputs, attributes, outputs)
    for number in differentiable(record, outputs):
        outputs[number].node = node
        if number and record.many:
            meta_of(outputs[number]).output_nr = number
    return node


def differentiable(record: Record, outputs: tuple[TensorBase, ...]) -> tuple[int, ...]:
    """Numbers of the outputs that get the node."""
    known = record.differentiable
    return tuple(range(len(outputs))) if known is None else known


def unattached_node(
    record: Record, edges: Edges, inputs: tuple[Any, ...], attributes: dict[str, Any], outputs: tuple[TensorBase, ...]
) -> Node:
    """The node of one call with all it saves, not yet anybody's grad_fn."""
    cls = NODE_CLASSES[record.name]
    saved: tuple[Saved, ...] = ()
    constants: tuple[Any, ...] = ()
    if cls.saved_names or cls.constant_names:
        needed = needed_names(record, edges)
        saved = tuple(
            [saved_entry(record, name, inputs, outputs) if name in needed else None for name in cls.saved_names]
        )
        constants = tuple(
            [
                attributes[name] if name in attributes else geometry(record, name, inputs, needed)
                for name in cls.constant_names
            ]
        )
    first = outputs[(record.differentiable or (0,))[0]]
    shape: Any = first.array.shape
    dtype: Any = first.array.dtype
    if cls.many:
        shape, dtype = tuple(out.array.shape for out in outputs), tuple(out.array.dtype for out in outputs)
    node = cls(edges, saved, constants, shape, dtype)
    if saved and saved[0] is None and not any(value is not None for value in saved):
        rare_of(node)  # a node that saved nothing is never freed, whatever others of its kind do
    if _has_ports(inputs):
        node.ports = tuple(x.output_nr if isinstance(x, TensorBase) else 0 for x in inputs)
    return node


def _has_ports(inputs: tuple[Any, ...]) -> bool:
    """True when one of the inputs is not the first output of the operator that made it."""
    return any(isinstance(x, TensorBase) and x.meta is not None and x.meta.output_nr for x in inputs)


def needed_names(record: Record, edges: Edges) -> frozenset[str]:
    """What the formulas read whose inputs require grad."""
    mask = (record.name, *(edge is not None for edge in edges)) if not record.variadic else (record.name,)
    known = _needed.get(mask)
    if known is None:
        pairs = zip(record.inputs, mask[1:] or (True,), strict=True)
        known = _needed[mask] = frozenset(record.saved(frozenset(name for name, there in pairs if there)))
    return known


_needed: dict[tuple[object, ...], frozenset[str]] = {}


def saved_entry(record: Record, name: str, inputs: tuple[Any, ...], outputs: tuple[TensorBase, ...]) -> Saved:
    """What a node keeps under ``name``: an input, or a result, with its write counter if it has one."""
    if name in record.inputs:
        value = inputs[record.inputs.index(name)]
        return keep(value) if isinstance(value, TensorBase) else value
    output = outputs[record.outputs.index(name)]
    counter = output.counter
    return output.array if counter is None else (output.array, counter, counter.version)


def geometry(record: Record, name: str, inputs: tuple[Any, ...], needed: frozenset[str]) -> Any:
    """The value of ``self_sym_sizes`` and its kin; strides that no formula reads are left out, as PyTorch does."""
    source, _, fact = name.partition("_sym_") if "_sym_" in name else name.partition("_args_")
    if record.variadic:
        return tuple(tensor.array.shape for tensor in inputs)
    value = inputs[record.inputs.index(source)]
    array = value.array if isinstance(value, TensorBase) else np.asarray(value)
    if fact == "sizes":
        return array.shape
    if fact == "strides":
        return element_strides(array) if name in needed else ()
    if fact == "numel":
        return array.size
    return array.shape, element_strides(array), storage_offset(array), owner(array).size


def announce(inputs: tuple[Any, ...], outputs: tuple[TensorBase, ...], node: Node | None) -> None:
    """Tell the observer about results and their node."""
    observer = state.observer
    if observer is None:
        return
    for output in outputs:
        observer.tensor_made(output)
    if node is not None:
        announce_node(node, inputs, outputs)


def announce_node(node: Node, inputs: tuple[Any, ...], outputs: tuple[TensorBase, ...]) -> None:
    """Tell the observer about a node and what it saved."""
    observer = state.observer
    if observer is None:
        return
    observer.node_made(node, inputs, outputs)
    names = zip(node.saved_names, node.saved or (), strict=False)
    kept = tuple(name for name, value in names if value is not None)
    if kept:
        observer.saved(node, kept)
