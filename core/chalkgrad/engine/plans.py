"""What is known of an operator before it is called, worked out once: how its calls are computed and what nodes keep."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.graph import Node
from chalkgrad.engine.record import Record
from chalkgrad.engine.rules import ARRAYS, NODE_CLASSES
from chalkgrad.engine.shapes import same, size_at
from chalkgrad.engine.storage import element_strides, geometry_of

Edges = tuple[Node | None, ...]
Constant = Callable[[tuple[Any, ...], dict[str, Any], tuple[TensorBase, ...]], Any]


class Layout:
    """What a node keeps when gradients go along certain edges: where each saved value and each constant comes from.

    ``saved`` has for each saved name the position of an input, that of an output counted from -1 downwards, or None.
    ``constants`` reads all the constants off a call, None where there are none.
    """

    __slots__ = ("constants", "saved")

    def __init__(self, record: Record, cls: type[Node], needed: frozenset[str]) -> None:
        self.saved = tuple([_place(record, name) if name in needed else None for name in cls.saved_names])
        self.constants = _constants(record, {name: name in needed for name in cls.constant_names})


def _place(record: Record, name: str) -> int:
    return record.inputs.index(name) if name in record.inputs else -1 - record.outputs.index(name)


class Plan:
    """What is known of a record before it is called, worked out once.

    ``sources`` are the positions of the inputs that gradients can go to, None for all; ``constant`` the names of what
    may not require grad, with their places among inputs and attributes; ``differentiable`` the numbers of the outputs
    that get the node, None for all, ``first`` the first of them. ``shape`` is the shape rule where it has to be asked,
    ``follows`` whether results are laid out as the operands are, ``full`` the layout for edges to all sources.
    """

    __slots__ = (
        "check",
        "cls",
        "constant",
        "defaults",
        "differentiable",
        "first",
        "follows",
        "forward",
        "full",
        "keeps",
        "layouts",
        "many",
        "not_implemented",
        "promotes",
        "record",
        "shape",
        "sources",
        "variadic",
        "view",
        "writes",
    )

    def __init__(self, record: Record) -> None:
        self.record = record
        self.forward = _forward_of(record)
        self.check = record.check
        self.promotes = record.promotes != "none"
        self.follows = record.follows_layout and not record.view
        named = (*record.inputs, *[attribute.name for attribute in record.attributes])
        self.constant = tuple([(name, place) for place, name in enumerate(named) if name in record.no_gradient])
        self.defaults = {attribute.name: attribute.default for attribute in record.attributes}
        self.cls: type[Node] | None = NODE_CLASSES[record.name] if record.vjps else None
        given = record.inputs
        whole = record.variadic or len(record.vjps) == len(given)
        self.sources = None if whole else tuple([n for n, name in enumerate(given) if name in record.vjps])
        self.differentiable = record.differentiable
        self.first = (record.differentiable or (0,))[0]
        self.many = record.many
        self.shape = None if record.checks_shapes or record.shape is same else record.shape
        self.variadic = record.variadic
        self.view = record.view
        self.not_implemented = record.grad_fn == "NotImplemented"
        self.keeps = self.cls is not None and bool(self.cls.saved_names or self.cls.constant_names)
        self.writes = bool(record.fills)
        self.full: Layout | None = None
        self.layouts: dict[tuple[bool, ...], Layout] = {}

    def layout(self, edges: Edges) -> Layout:
        """What is kept for these edges."""
        if self.keeps and None in edges:
            return self._layout(tuple([edge is not None for edge in edges]))
        if self.full is None:
            self.full = self._layout((True,) * len(edges))
        return self.full

    def _layout(self, mask: tuple[bool, ...]) -> Layout:
        mask = () if self.record.variadic else mask
        known = self.layouts.get(mask)
        if known is None:
            assert self.cls is not None
            there = [name for name, wanted in zip(self.record.sources, mask or (True,), strict=True) if wanted]
            known = self.layouts[mask] = Layout(self.record, self.cls, frozenset(self.record.saved(frozenset(there))))
        return known


def _forward_of(record: Record) -> Callable[..., Any]:
    """What computes the results; that they become arrays :func:`compute` sees to."""
    as_it_is = not isinstance(record.forward, np.ufunc) and record.section != "reduce"
    forward: Callable[..., Any] = record.forward if as_it_is else getattr(ARRAYS, record.name)
    return forward


_plans: dict[str, Plan] = {}


def plan_of(record: Record) -> Plan:
    """The plan of ``record``."""
    known = _plans.get(record.name)
    if known is None or known.record is not record:
        known = _plans[record.name] = Plan(record)
    return known


def _constants(record: Record, names: dict[str, bool]) -> Constant | None:
    """Reads off a call all that its node keeps under ``names``, each with whether it is needed."""
    if not names:
        return None
    attributes = {attribute.name for attribute in record.attributes}
    if all(name in attributes or _is_of_tensor(record, name) for name in names):
        return _read_off(record, names)
    reads = [_constant(record, name, needed) for name, needed in names.items()]
    return lambda inputs, attributes, outputs: tuple([read(inputs, attributes, outputs) for read in reads])


def _is_of_tensor(record: Record, name: str) -> bool:
    """True for the geometry of an input that can be nothing but a tensor."""
    source = name.partition("_sym_")[0]
    return source in set(record.inputs) - record.numbers - record.optional and not record.variadic and source != name


def _read_off(record: Record, names: dict[str, bool]) -> Constant:
    """The same where all are attributes, or geometry of inputs: most are, and that is read with few calls.

    Strides that no formula reads are left out, as PyTorch does.
    """
    reads: list[tuple[Any, Callable[[np.ndarray], Any] | None]] = []
    for name, needed in names.items():
        source, _, fact = name.partition("_sym_")
        if source in record.inputs:
            read = _FACTS[fact] if needed or fact != "strides" else _left_out
            reads.append((record.inputs.index(source), read))
        else:
            reads.append((name, None))
    (first, how), *others = reads
    if not others:
        if how is None:
            return lambda inputs, attributes, outputs: (attributes[first],)
        if how is _sizes:
            return lambda inputs, attributes, outputs: (inputs[first].array.shape,)
    return lambda inputs, attributes, outputs: tuple(
        [attributes[place] if read is None else read(inputs[place].array) for place, read in reads]
    )


_sizes = attrgetter("shape")


def _left_out(array: np.ndarray) -> tuple[int, ...]:
    return ()


def _constant(record: Record, name: str, needed: bool) -> Constant:
    """Reads off a call what its node keeps as ``name``: an attribute, or ``self_sym_sizes`` and its kin."""
    if any(attribute.name == name for attribute in record.attributes):
        return lambda inputs, attributes, outputs: attributes[name]
    mark = next((found for found in ("_sym_", "_args_") if found in name), "_")
    source, _, fact = name.rpartition(mark)
    if record.variadic:
        return lambda inputs, attributes, outputs: tuple([tensor.array.shape for tensor in inputs])
    if source in record.outputs:
        return _constant_of_output(record.outputs.index(source), _FACTS[fact])
    place = record.inputs.index(source)
    read: Callable[[np.ndarray], Any] = _FACTS.get(fact, geometry_of)
    if fact == "strides" and not needed:
        read = _left_out

    def constant(inputs: tuple[Any, ...], attributes: dict[str, Any], outputs: tuple[TensorBase, ...]) -> Any:
        value = inputs[place]
        return read(value.array if isinstance(value, TensorBase) else np.asarray(value))

    return constant


def _constant_of_output(place: int, read: Callable[[np.ndarray], Any]) -> Constant:
    """Reads the same off a result; None where there is none yet."""
    return lambda inputs, attributes, outputs: read(outputs[place].array) if outputs else None


_FACTS: dict[str, Callable[[np.ndarray], Any]] = {
    "dim": lambda array: array.ndim,
    "sizes": _sizes,
    "info": lambda array: (array.shape, array.dtype),
    "strides": element_strides,
    "numel": lambda array: array.size,
    "argsize_0": lambda array: size_at(array.shape, 0),
    "argsize_1": lambda array: size_at(array.shape, 1),
    "argsize_2": lambda array: size_at(array.shape, 2),
    "sizes_opt": lambda array: array.shape if array.dtype != object else (0,),  # of an input that isn't there
    "argsize_minus_1": lambda array: size_at(array.shape, -1),
    "argsize_minus_2": lambda array: size_at(array.shape, -2),
    "argsize_minus_3": lambda array: size_at(array.shape, -3),
}
