"""From a record to the operator that is called: computes, remembers what its backward needs, tells the observer."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

import numpy as np

from chalkgrad.engine import record as records
from chalkgrad.engine.arguments import bind
from chalkgrad.engine.base import TensorBase, View, counter_of, meta_of, new_tensor, state
from chalkgrad.engine.graph import Node, edge_of
from chalkgrad.engine.inplace import write
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.record import Record
from chalkgrad.engine.recording import announce, compute, differentiable, make_node, members, promoted
from chalkgrad.engine.results import return_type
from chalkgrad.engine.rules import ARRAYS, NODE_CLASSES, TENSORS, array_operator, node_class
from chalkgrad.engine.saved import Saved, keep

Operator = Callable[..., Any]
Bound = Callable[[tuple[Any, ...], dict[str, Any]], Any]

BOUND: dict[str, Bound] = {}
"""The operators on tensors by name, called with all inputs and all attributes, already checked."""

_F32, _F64 = np.dtype(np.float32), np.dtype(np.float64)


def register(record: Record) -> Record:
    """Put ``record`` into the table and make its operators on arrays and on tensors; see :func:`record.register`."""
    records.register(record)
    setattr(ARRAYS, record.name, array_operator(record))
    if record.vjps:
        NODE_CLASSES[record.name] = node_class(record)
    setattr(TENSORS, record.name, make_operator(record))
    return record


def make_operator(record: Record) -> Operator:
    """The operator on tensors that ``record`` describes."""
    bound = BOUND[record.name] = _bound(record)
    general = _called(record, bound)
    if isinstance(record.forward, np.ufunc) and record.vjps and record.compose is None and record.writes is None:
        names = {attribute.name for attribute in record.attributes}
        if len(record.inputs) == 1 and not names:
            return _unary(record, record.forward, general)
        if len(record.inputs) == 2 and names <= {"alpha"} and record.promotes == "together":
            return _binary(record, record.forward, general)
    return general


def _bound(record: Record) -> Bound:
    if record.compose is not None:
        return _composed(record.compose)
    return _writing(record) if record.writes is not None else _computing(record)


# The three ways an operator can be called, fastest first


def _unary(record: Record, ufunc: np.ufunc, general: Operator) -> Operator:
    """A pointwise operator of one tensor."""
    cls, new, node_cls = state.tensor, object.__new__, NODE_CLASSES[record.name]
    saves_self, saves_result = node_cls.saved_names == ("self",), node_cls.saved_names == ("result",)

    def call(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        if type(self) is not cls or args or kwargs:
            return general(self, *args, **kwargs)
        x = self.array
        if x.dtype is not _F32 and x.dtype is not _F64:
            return general(self)
        z = ufunc(x, out=...)
        out = new(cls)
        out.array = z
        out.counter = out.meta = out.node = None
        if state.grad:
            edge = self.node if self.meta is None else edge_of(self)
            if edge is not None or (self.meta is not None and requires_grad_of(self)):
                saved: tuple[Saved, ...] = ()
                if saves_result:
                    saved = (z,)
                elif saves_self:
                    saved = (self if self.counter is None else keep(self),)
                out.node = node = node_cls((edge,), saved, (), z.shape, z.dtype)
                if edge is not None and edge.many:
                    node.ports = (self.output_nr,)
        if state.observer is not None:
            announce((self,), (out,), out.node)
        return out

    return call


def _binary(record: Record, ufunc: np.ufunc, general: Operator) -> Operator:
    """A pointwise operator of two tensors of one dtype, or of a tensor and a number."""
    cls, new, node_cls = state.tensor, object.__new__, NODE_CLASSES[record.name]
    constants = tuple(attribute.default for attribute in record.attributes)
    layout = [_chooser(record, node_cls, mask) for mask in range(4)]
    both, left, right = layout[3], layout[1], layout[2]
    by_number = _by_number(record, ufunc, general, left, constants)

    def call(self: Any, other: Any, /, *args: Any, **kwargs: Any) -> Any:
        if type(self) is not cls or args or kwargs:
            return general(self, other, *args, **kwargs)
        if type(other) is not cls:
            if type(other) is float or type(other) is int:
                return by_number(self, other)
            return general(self, other)
        x, y = self.array, other.array
        if x.dtype is not y.dtype or (x.dtype is not _F32 and x.dtype is not _F64):
            return general(self, other)
        try:
            z = ufunc(x, y, out=...)
        except ValueError:
            return general(self, other)
        out = new(cls)
        out.array = z
        out.counter = out.meta = out.node = None
        if state.grad:
            a = self.node if self.meta is None else edge_of(self)
            b = other.node if other.meta is None else edge_of(other)
            if a is not None or b is not None or recorded_anyway(self, other):
                choose = both if b is not None and a is not None else left if a is not None else right
                if choose is None:
                    saved: tuple[Saved, ...] = ()
                else:
                    p = self if self.counter is None else keep(self)
                    q = other if other.counter is None else keep(other)
                    saved = choose((p, q, None))
                out.node = node = node_cls((a, b), saved, constants, z.shape, z.dtype)
                if (a is not None and a.many) or (b is not None and b.many):
                    node.ports = (self.output_nr, other.output_nr)
        if state.observer is not None:
            announce((self, other), (out,), out.node)
        return out

    return call


def recorded_anyway(*inputs: Any) -> bool:
    """True for views made under no_grad of what requires grad: they require grad too, but take no gradient."""
    return any(isinstance(x, TensorBase) and x.meta is not None and requires_grad_of(x) for x in inputs)


def _by_number(
    record: Record,
    ufunc: np.ufunc,
    general: Operator,
    choose: Callable[[Any], tuple[Saved, ...]] | None,
    constants: tuple[Any, ...],
) -> Operator:
    """A pointwise operator of a tensor and a Python number."""
    cls, new, node_cls = state.tensor, object.__new__, NODE_CLASSES[record.name]

    def call(self: Any, number: float) -> Any:
        x = self.array
        y = _NUMBERS.get((number, x.dtype))
        if y is None:
            if (x.dtype is not _F32 and x.dtype is not _F64) or not -_EXACT < number < _EXACT:
                return general(self, number)
            y = _remembered(number, x.dtype)
        z = ufunc(x, y, out=...)
        out = new(cls)
        out.array = z
        out.counter = out.meta = out.node = None
        if state.grad:
            edge = self.node if self.meta is None else edge_of(self)
            if edge is not None or (self.meta is not None and requires_grad_of(self)):
                kept = self if self.counter is None else keep(self)
                saved = () if choose is None else choose((kept, number, None))
                out.node = node = node_cls((edge, None), saved, constants, z.shape, z.dtype)
                if edge is not None and edge.many:
                    node.ports = (self.output_nr, 0)
        if state.observer is not None:
            announce((self, number), (out,), out.node)
        return out

    return call


_EXACT = 1 << 53
_NUMBERS: dict[tuple[float, np.dtype[Any]], np.ndarray] = {}


def _remembered(number: float, dtype: np.dtype[Any]) -> np.ndarray:
    """``number`` as an array without dimensions, kept for the next time; 0 and -0 would share a place."""
    made = np.array(number, dtype)
    if number:
        if len(_NUMBERS) >= 1000:
            _NUMBERS.clear()
        _NUMBERS[number, dtype] = made
    return made


def _chooser(record: Record, node_cls: type[Node], mask: int) -> Callable[[Any], tuple[Saved, ...]] | None:
    """Picks what to save from ``(self, other, None)`` when the inputs in ``mask`` require grad; None for nothing."""
    needed = record.saved(frozenset(name for bit, name in enumerate(record.inputs) if mask & 1 << bit))
    picks = [record.inputs.index(name) if name in needed else 2 for name in node_cls.saved_names]
    if not picks:
        return None
    if len(picks) == 1:
        only = picks[0]
        return lambda pool: (pool[only],)
    return itemgetter(*picks)


def _called(record: Record, bound: Bound) -> Operator:
    """``bound`` as formulas call it: inputs and attributes by position and name."""
    method = record.writes is not None

    def call(*args: Any, **kwargs: Any) -> Any:
        return bound(*bind(record, args, kwargs, method=method))

    return call


def _computing(record: Record) -> Bound:
    """Any operator that makes new tensors (or views of old ones)."""
    single = len(record.outputs) == 1
    several = None if record.returns is None else return_type(record.returns, record.outputs)

    def run(inputs: tuple[Any, ...], attributes: dict[str, Any]) -> Any:
        flat = members(record, inputs)
        edges = None
        if record.vjps and state.grad:
            edges = tuple([edge_of(x) if isinstance(x, TensorBase) else None for x in flat])
            if not any(edges) and not recorded_anyway(*flat):
                edges = None
        results = compute(record, promoted(record, flat), attributes)
        outputs = tuple([new_tensor(result) for result in results])
        if record.view:
            for output in outputs:
                _make_view(record, inputs[0], output)
        node = None
        if edges is not None and any(results[number].dtype.kind == "f" for number in differentiable(record, outputs)):
            node = make_node(record, edges, flat, attributes, outputs)
        if state.observer is not None:
            announce(flat, outputs, node)
        return outputs[0] if single else outputs if several is None else several(outputs)

    return run


def _composed(compose: Operator) -> Bound:
    """An operator that PyTorch writes in terms of others."""
    return lambda inputs, attributes: compose(TENSORS, *inputs, **attributes)


def _writing(record: Record) -> Bound:
    """An operator that writes its result into its first input."""
    return lambda inputs, attributes: write(record, inputs, attributes)


def _make_view(record: Record, source: TensorBase, out: TensorBase) -> None:
    """Let a view share its source's write counter, and know its base."""
    counter = out.counter = counter_of(source)
    if not record.vjps:
        return
    known = None if source.meta is None else source.meta.view
    base = source if known is None else known.base
    made = ("grad" if record.outputs else "many") if state.grad else "no_grad"
    if known is not None and known.made != "grad":
        made = known.made
    meta_of(out).view = View(base, made, counter.version)
