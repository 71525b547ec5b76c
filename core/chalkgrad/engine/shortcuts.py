"""The shortest way through the operators that are called most: on tensors of one floating-point dtype and numbers.

They are the pointwise ones, and views that need to know nothing but the tensor: every product transposes.

What these functions do is what :mod:`chalkgrad.engine.apply` does for all operators, in the same order. They differ in
that everything about the record is known before the call, and that nodes and results are made in place, slot by slot:
half of the time of a small operator would otherwise go into calls. Whatever is out of the ordinary (another dtype, a
shape that doesn't fit, keywords) is handed to ``general``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine.base import new_tensor, state
from chalkgrad.engine.graph import Node, edge_of, next_sequence_nr
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.ordering import ordered
from chalkgrad.engine.own_code import with_own_code
from chalkgrad.engine.record import Record
from chalkgrad.engine.recording import announce, make_view, recorded_anyway
from chalkgrad.engine.rules import NODE_CLASSES
from chalkgrad.engine.saved import Saved, keep
from chalkgrad.engine.storage import InferenceCounter

Operator = Callable[..., Any]
Picks = tuple[int, ...]

_F32, _F64 = np.dtype(np.float32), np.dtype(np.float64)
_EXACT = 1 << 53
_NUMBERS_32: dict[float, np.ndarray] = {}
_NUMBERS_64: dict[float, np.ndarray] = {}


def shortcut_of(record: Record) -> Callable[[Operator], Operator] | None:
    """What makes the short way out of the general one; None where the operator has none."""
    if record.view and _reads_nothing_else(record):
        return lambda general: with_own_code(_view(record, general))
    if not isinstance(record.forward, np.ufunc) or not record.vjps or record.compose or record.writes or record.fills:
        return None
    names = {attribute.name for attribute in record.attributes}
    if len(record.inputs) == 1 and not names:
        return lambda general: with_own_code(_unary(record, general))
    if "result" in record.saved(frozenset(record.inputs)):
        return None
    if len(record.inputs) == len(record.sources) == 2 and names <= {"alpha"} and record.promotes != "none":
        return lambda general: with_own_code(_binary(record, general))
    return None


def _reads_nothing_else(record: Record) -> bool:
    """True for an operator of one tensor, whose nodes keep nothing and whose one formula needs nothing."""
    if len(record.inputs) != 1 or record.attributes or len(record.outputs) != 1 or not record.vjps:
        return False
    node_cls = NODE_CLASSES[record.name]
    return not (node_cls.saved_names or node_cls.constant_names or record.check or record.fills or record.compose)


def _refused(general: Operator, *operands: Any) -> Any:
    """What ``general`` says of operands that NumPy refused; NumPy's own error is not shown above it."""
    try:
        return general(*operands)
    except Exception as error:
        raise error from None


def _view(record: Record, general: Operator) -> Operator:
    """An operator that shows the memory of one tensor in another way."""
    cls, node_cls, forward = state.tensor, NODE_CLASSES[record.name], record.forward

    def call(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        if type(self) is not cls or args or kwargs or type(self.counter) is InferenceCounter:
            return general(self, *args, **kwargs)
        x = self.array
        dtype = x.dtype
        if dtype is not _F32 and dtype is not _F64:
            return general(self)
        try:
            z = forward(x)
        except RuntimeError:
            return _refused(general, self)
        out = new_tensor(z)
        make_view(record, self, out)
        if state.grad:
            edge = self.node if self.meta is None else edge_of(self)
            if edge is not None or (self.meta is not None and requires_grad_of(self)):
                out.node = node = node_cls((edge,), (), (), z.shape, dtype)
                if edge is not None and edge.many:
                    node.ports = (self.output_nr,)
        if state.tell is not None and out.node is not None:
            state.tell(out.node, (self,), out)
        elif state.watched:
            announce((self,), (out,), out.node)
        return out

    return call


def _unary(record: Record, general: Operator) -> Operator:
    """An operator of one tensor."""
    cls, new, node_cls, ufunc = state.tensor, object.__new__, NODE_CLASSES[record.name], record.forward
    saves_self, saves_result = node_cls.saved_names == ("self",), node_cls.saved_names == ("result",)

    def call(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        if type(self) is not cls or args or kwargs:
            return general(self, *args, **kwargs)
        x = self.array
        dtype = x.dtype
        if dtype is not _F32 and dtype is not _F64:
            return general(self)
        depth = x.ndim
        z = ufunc(x) if depth else ufunc(x, out=...)  # what keeps a scalar an array costs a sixth more
        if depth > 1 and (1 in x.shape or not x.flags.c_contiguous):
            z = ordered(z, (x,))
        out = new(cls)
        out.array = z
        out.counter = out.meta = out.node = None
        if state.grad:
            edge = self.node if self.meta is None else edge_of(self)
            if edge is not None or (self.meta is not None and requires_grad_of(self)):
                if self.counter is not None and self.counter.inference:
                    return general(self)
                out.node = node = new(node_cls)
                node.edges = (edge,)
                if saves_result:
                    node.saved = (z,)
                elif saves_self:
                    node.saved = (self if self.counter is None else keep(self),)
                else:
                    node.saved = ()
                node.constants = ()
                node.shape = z.shape
                node.dtype = dtype
                node.seq = next_sequence_nr()
                node.ports = (self.output_nr,) if edge is not None and edge.many else None
                node.rare = None
        if state.tell is not None and out.node is not None:
            state.tell(out.node, (self,), out)
        elif state.watched:
            announce((self,), (out,), out.node)
        return out

    return call


def _binary(record: Record, general: Operator) -> Operator:
    """An operator of two tensors, or of a tensor and a number."""
    cls, new, node_cls, ufunc = state.tensor, object.__new__, NODE_CLASSES[record.name], record.forward
    constants = tuple(attribute.default for attribute in record.attributes)
    if_left, if_right, if_both = (_picks(record, node_cls, mask) for mask in (1, 2, 3))
    saves_two, saves_any = len(if_both) == 2, bool(if_both)
    by_number = with_own_code(_by_number(record, general, if_left, constants))

    def call(self: Any, other: Any, /, *, alpha: Any = None) -> Any:  # any keywords would cost a dict for each call
        if type(self) is not cls or alpha is not None:
            return general(self, other) if alpha is None else general(self, other, alpha=alpha)
        if type(other) is not cls:
            if type(other) is float or type(other) is int:
                return by_number(self, other)
            return general(self, other)
        x, y = self.array, other.array
        dtype = x.dtype
        if dtype is not y.dtype or (dtype is not _F32 and dtype is not _F64):
            return general(self, other)
        try:
            z = ufunc(x, y, out=...)
        except ValueError:
            return _refused(general, self, other)
        if z.ndim > 1 and (1 in z.shape or not (x.flags.c_contiguous and y.flags.c_contiguous)):
            z = ordered(z, (x, y))
        out = new(cls)
        out.array = z
        out.counter = out.meta = out.node = None
        if state.grad:
            a = self.node if self.meta is None else edge_of(self)
            b = other.node if other.meta is None else edge_of(other)
            if a is not None or b is not None:
                if self.counter is not None and self.counter.inference:
                    return general(self, other)
                out.node = node = new(node_cls)
                node.edges = (a, b)
                saved: tuple[Saved, ...] = ()
                if saves_any:
                    picks = if_right if a is None else if_left if b is None else if_both
                    pool = (
                        self if self.counter is None or 0 not in picks else keep(self),
                        other if other.counter is None or 1 not in picks else keep(other),
                        None,
                    )
                    saved = (pool[picks[0]], pool[picks[1]]) if saves_two else (pool[picks[0]],)
                node.saved = saved
                node.constants = constants
                node.shape = z.shape
                node.dtype = dtype
                node.seq = next_sequence_nr()
                node.ports = None
                node.rare = None
                if (a is not None and a.many) or (b is not None and b.many):
                    node.ports = (self.output_nr, other.output_nr)
            elif recorded_anyway(self, other):  # what takes no gradient keeps nothing
                return general(self, other)
        if state.tell is not None and out.node is not None:
            state.tell(out.node, (self, other), out)
        elif state.watched:
            announce((self, other), (out,), out.node)
        return out

    return call


def _by_number(record: Record, general: Operator, picks: Picks, constants: tuple[Any, ...]) -> Operator:
    """An operator of a tensor and a Python number."""
    cls, new, node_cls, ufunc = state.tensor, object.__new__, NODE_CLASSES[record.name], record.forward

    def call(self: Any, number: float) -> Any:
        x = self.array
        dtype = x.dtype
        known = _NUMBERS_64 if dtype is _F64 else _NUMBERS_32 if dtype is _F32 else None
        if known is None:
            return general(self, number)
        y = known.get(number)
        if y is None:
            if not -_EXACT < number < _EXACT:
                return general(self, number)
            y = _remembered(number, dtype, known)
        z = ufunc(x, y, out=...)
        if z.ndim > 1 and (1 in x.shape or not x.flags.c_contiguous):
            z = ordered(z, (x, y))
        out = new(cls)
        out.array = z
        out.counter = out.meta = out.node = None
        if state.grad:
            edge = self.node if self.meta is None else edge_of(self)
            if edge is not None:
                pool = (self if self.counter is None or 0 not in picks else keep(self), number, None)
                out.node = node = node_cls(
                    (edge, None), tuple([pool[pick] for pick in picks]), constants, z.shape, dtype
                )
                if edge.many:
                    node.ports = (self.output_nr, 0)
            elif self.meta is not None and requires_grad_of(self):
                return general(self, number)
        if state.tell is not None and out.node is not None:
            state.tell(out.node, (self, number), out)
        elif state.watched:
            announce((self, number), (out,), out.node)
        return out

    return call


def _remembered(number: float, dtype: np.dtype[Any], known: dict[float, np.ndarray]) -> np.ndarray:
    """``number`` as an array without dimensions, kept in ``known`` for the next time; 0 and -0 would share a place."""
    made = np.array(number, dtype)
    if number:
        if len(known) >= 1000:
            known.clear()
        known[number] = made
    return made


def _picks(record: Record, node_cls: type[Node], mask: int) -> Picks:
    """Which of ``(self, other, None)`` is kept under each name, when the inputs in ``mask`` require grad."""
    needed = record.saved(frozenset(name for bit, name in enumerate(record.inputs) if mask & 1 << bit))
    return tuple(record.inputs.index(name) if name in needed else 2 for name in node_cls.saved_names)
