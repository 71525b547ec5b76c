"""The node of an operator that a learner wrote, and what becomes of the results of its forward."""

from __future__ import annotations

import warnings
from typing import Any, NoReturn

import numpy as np

from chalkgrad.engine import messages
from chalkgrad.engine.base import TensorBase, View, counter_of, meta_of, new_tensor, state, version_of
from chalkgrad.engine.graph import Node, RawSaved, edge_of, next_sequence_nr
from chalkgrad.engine.inplace import set_history
from chalkgrad.engine.lineage import grad_fn_of, requires_grad_of
from chalkgrad.engine.recording import announce_node
from chalkgrad.engine.saved import Packed, keep, packed, tensor_of
from chalkgrad.errors import blame

Edges = tuple[Node | None, ...]


class SavedResult:
    """A result that its own node saved: its memory and version, not the tensor, which would keep the node alive."""

    __slots__ = ("array", "counter", "output_nr", "version")

    def __init__(self, tensor: TensorBase) -> None:
        self.array = tensor.array
        self.counter = counter_of(tensor)
        self.version = self.counter.version
        self.output_nr = tensor.output_nr

    def tensor(self, owner: Node) -> TensorBase:
        """The result again; raises when it was written since."""
        made = new_tensor(self.array)
        made.counter, made.node = self.counter, owner
        meta_of(made).output_nr = self.output_nr
        if self.counter.version != self.version:
            raise messages.overwritten(owner, made, "result", self.counter.version, self.version)
        return made


class CustomNode(Node):
    """A node whose gradients a learner's ``backward`` computes; ``expected`` are shape and dtype of the outputs.

    The learner puts attributes of their own on it, so names of :class:`Node` that are likely among them, and that the
    engine can do without here, are free for them.
    """

    many = True
    runs_without = True
    shape = dtype = constants = None  # type: ignore[assignment]
    saved = ()

    def __init__(self) -> None:
        super().__init__((), (), (), None, None)
        for name in ("shape", "dtype", "constants", "saved"):
            self.__dict__.pop(name)
        self._expected: tuple[tuple[Any, Any], ...] = ()
        self._kept: tuple[Any, ...] | None = ()
        self._is_tensor: tuple[bool, ...] = ()
        self._materialize = True
        self._materialize_non_diff_grads = True
        self._constant: frozenset[int] = frozenset()
        self.to_save: Any = None
        self.dirty_tensors: Any = None
        self.non_differentiable: Any = None
        self._needs: tuple[bool, ...] = ()

    def begin(self, args: tuple[Any, ...]) -> None:
        """Take note of the arguments before ``forward`` runs."""
        self._is_tensor = tuple(isinstance(arg, TensorBase) for arg in args)
        self._needs = tuple(isinstance(arg, TensorBase) and requires_grad_of(arg) for arg in args)
        if state.grad and any(self._needs):
            self.edges = tuple(edge_of(arg) for arg in args if isinstance(arg, TensorBase))
            if state.renewed:  # unlike other nodes that of a Function is made when its edges are known
                self.seq = next_sequence_nr()
            if any(arg.output_nr for arg in args if isinstance(arg, TensorBase)):
                self.ports = tuple(arg.output_nr for arg in args if isinstance(arg, TensorBase))

    @property
    def recorded(self) -> bool:
        """True where the call leaves a node behind."""
        return any(edge is not None for edge in self.edges)

    @property
    def needs_input_grad(self) -> tuple[bool, ...]:
        """For each argument, whether it requires grad."""
        if not self.edges or not self._expected:
            return self._needs
        edges = iter(self.edges)
        return tuple(is_tensor and next(edges) is not None for is_tensor in self._is_tensor)

    @property
    def saved_tensors(self) -> tuple[TensorBase | None, ...]:
        """What ``save_for_backward`` kept; RuntimeError once freed."""
        if self._kept is None:
            raise messages.freed(self)
        if not self._kept and getattr(self, "saved_for_forward", None) is not None:
            return self.saved_for_forward  # type: ignore[no-any-return]
        return tuple(self.unpacked(value) for value in self._kept)

    @saved_tensors.setter
    def saved_tensors(self, value: object) -> NoReturn:
        """Refused."""
        raise AttributeError("attribute 'saved_tensors' of 'torch._C._FunctionBase' objects is not writable")

    @property
    def _raw_saved_tensors(self) -> tuple[RawSaved, ...]:
        if self._kept is None:
            raise messages.freed(self)
        return tuple(RawSaved.of(self, index) for index in range(len(self._kept)))

    @property
    def saved_variables(self) -> tuple[TensorBase | None, ...]:
        """:attr:`saved_tensors` by its old name, with a warning."""
        warnings.warn("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning, stacklevel=2)
        return self.saved_tensors

    def _set_materialize_grads(self, value: bool) -> None:
        self._materialize = value

    materialize_grads = property(None, _set_materialize_grads)
    """Write-only, as in PyTorch."""

    def __getattr__(self, name: str) -> Any:
        if name == "materialize_grads":
            raise AttributeError("attribute 'materialize_grads' of 'torch._C._FunctionBase' objects is not readable")
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __dir__(self) -> list[str]:
        return sorted({name for name in object.__dir__(self) if name not in _ENGINE})

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__name__} object at {id(self):#x}>"

    def __call__(self, *gradients: Any) -> NoReturn:
        """Refused, as in PyTorch."""
        raise TypeError(f"'{type(self).__name__}' object is not callable")

    def maybe_clear_saved_tensors(self) -> None:
        """Let go of what was saved."""
        self.release()

    # What the engine asks of a node

    def expects(self) -> tuple[tuple[Any, Any], ...]:
        """Shape and dtype of each output."""
        return self._expected

    def keeps(self, values: tuple[Any, ...]) -> None:
        """Replace what is kept, one by one."""
        self._kept = values

    def kept(self) -> tuple[Any, ...] | None:
        """What is kept, None once freed."""
        return self._kept

    def release(self) -> bool:
        """Let go of what was saved; True when there was something."""
        had = bool(self._kept)
        if had:
            self._kept = None
        return had

    def run(self, g: Any, edges: Edges) -> list[Any]:
        """Gradients for ``edges`` as arrays, copies, since the learner may keep theirs."""
        given = g if isinstance(g, tuple) else (g,)
        found = self._called(tuple(None if one is None else new_tensor(one.copy(order="K")) for one in given))
        return [None if one is None else one.array.copy(order="K") for one in found]

    def run_recorded(self, g: Any, edges: Edges) -> list[Any]:
        """The same with tensors, recorded."""
        return self._called(g if isinstance(g, tuple) else (g,))

    def _called(self, gradients: tuple[TensorBase | None, ...]) -> list[Any]:
        """What the learner's backward gives for the arguments that are tensors, checked."""
        if self._materialize:
            gradients = tuple(self._materialized(place, one) for place, one in enumerate(gradients))
        found = self.apply(*gradients)
        values = list(found) if isinstance(found, tuple) else [found]
        count = len(self._is_tensor)
        if len(values) > count and all(value is None for value in values[count:]):
            del values[count:]
        if len(values) != count:
            raise self._blamed(f"returned an incorrect number of gradients (expected {count}, got {len(values)})")
        kept = []
        for place, (value, is_tensor) in enumerate(zip(values, self._is_tensor, strict=True)):
            if not is_tensor:
                if value is not None:
                    text = "but the corresponding forward input was not a Variable"
                    raise self._blamed(f"returned a gradient different than None at position {place + 1}, {text}")
                continue
            if value is not None and not isinstance(value, TensorBase):
                raise blame(RuntimeError(f"expected Variable or None (got {type(value).__name__})"), node=self)
            kept.append(value)
        return [None if edge is None else value for edge, value in zip(self.edges, kept, strict=True)]

    def _materialized(self, place: int, gradient: TensorBase | None) -> TensorBase | None:
        """``gradient`` of output ``place``, or zeros where none came."""
        shape, dtype = self._expected[place]
        if gradient is not None or dtype is None:
            return gradient
        if place in self._constant and not self._materialize_non_diff_grads:
            return None
        return new_tensor(np.zeros(shape, dtype))

    def apply(self, *gradients: Any) -> Any:
        """The learner's backward."""
        raise NotImplementedError

    def _blamed(self, text: str) -> RuntimeError:
        return blame(RuntimeError(f"function {self.name()} {text}"), node=self)

    def unpacked(self, value: Any) -> TensorBase | None:
        """One of the saved values as a tensor, or None."""
        if value is None:
            return None
        if isinstance(value, SavedResult | Packed):
            return value.tensor(self)
        return tensor_of(self, value)  # type: ignore[no-any-return]

    def save(self) -> None:
        """Keep what ``save_for_backward`` was given."""
        if self.to_save is None:
            return
        if not isinstance(self.to_save, tuple):
            kind = type(self.to_save).__name__
            raise TypeError(f"saved_tensors has to be a tuple, but got {kind}")
        for place, tensor in enumerate(self.to_save):
            if tensor is not None and not isinstance(tensor, TensorBase):
                kind = type(tensor).__name__
                raise TypeError(f"save_for_backward can only save variables, but argument {place} is of type {kind}")
        if self.recorded:
            self._kept = tuple(None if tensor is None else entry(self, tensor) for tensor in self.to_save)
        self.to_save = None


_ENGINE = frozenset(name for name in (*Node.__slots__, *vars(Node), *vars(CustomNode)) if not name.startswith("__")) - {
    "_raw_saved_tensors", "_register_hook_dict", "_sequence_nr", "_input_metadata", "apply", "dirty_tensors",
    "materialize_grads", "maybe_clear_saved_tensors", "metadata", "name", "needs_input_grad", "next_functions",
    "non_differentiable", "register_hook", "register_prehook", "requires_grad", "saved_tensors", "saved_variables",
    "to_save",
}  # fmt: skip
"""Names that are the engine's own and that PyTorch's nodes don't show."""


def entry(node: Node, tensor: TensorBase) -> Any:
    """What ``node`` keeps of ``tensor``: by hooks, where there are some."""
    if state.packing:
        return packed(node, tensor)
    return SavedResult(tensor) if tensor.node is node else keep(tensor)


def wrap_outputs(ctx: CustomNode, args: tuple[Any, ...], results: Any, two_parts: bool = False) -> Any:
    """The results of ``forward``, one or a tuple, with ``ctx`` as their grad_fn, and what was to be saved, saved.

    ``two_parts`` says that it was ``setup_context`` that said what to save.
    """
    found = results if isinstance(results, tuple) else (results,)
    dirty, constant = _ids_of(ctx, "dirty_tensors"), _ids_of(ctx, "non_differentiable")
    if not dirty <= {id(result) for result in found}:
        raise RuntimeError(messages.DIRTY_NOT_RETURNED)
    for tensor in ctx.dirty_tensors or ():
        counter_of(tensor).version += 1
    inputs = {id(arg) for arg in args if isinstance(arg, TensorBase)}
    saved = _ids_to_save(ctx) if two_parts else frozenset()
    ctx._expected = tuple(
        (one.array.shape, one.array.dtype) if isinstance(one, TensorBase) else ((), None) for one in found
    )
    ctx._constant = frozenset(number for number, one in enumerate(found) if id(one) in constant)
    wrapped: list[Any] = []
    for number, one in enumerate(found):
        if isinstance(one, TensorBase):
            differentiable = ctx.recorded and id(one) not in constant and one.array.dtype.kind == "f"
            is_dirty = id(one) in dirty
            if is_dirty and differentiable:
                _check_dirty(one, id(one) in inputs, alone=len(found) == 1)
            elif id(one) in saved & inputs and (differentiable or not requires_grad_of(one)) and not is_dirty:
                raise blame(RuntimeError(messages.PASSED_AND_SAVED), tensor=one)
            one = _wrapped(ctx, number, one, id(one) in inputs, is_dirty, differentiable)
        wrapped.append(one)
    _guard_views(wrapped)
    ctx.save()
    if state.watched:
        _announce(ctx, args, tuple(one for one in wrapped if isinstance(one, TensorBase)))
    ctx.dirty_tensors = ctx.non_differentiable = None
    return tuple(wrapped) if isinstance(results, tuple) else wrapped[0]


def _ids_of(ctx: CustomNode, mark: str) -> set[int]:
    """The tensors that ``forward`` marked, by id."""
    marked = getattr(ctx, mark) or ()
    for tensor in marked:
        if not isinstance(tensor, TensorBase):
            raise RuntimeError(_NOT_MARKABLE[mark])
    return {id(tensor) for tensor in marked}


def _ids_to_save(ctx: CustomNode) -> frozenset[int]:
    """The tensors that are to be saved, by id: what of them is an input and an output can't be told apart later."""
    lists = (ctx.to_save, getattr(ctx, "saved_for_forward", None))
    return frozenset(id(one) for saved in lists if isinstance(saved, tuple) for one in saved)


_NOT_MARKABLE = {
    "dirty_tensors": "mark_dirty can only accept variables, but argument ",
    "non_differentiable": "mark_non_differentiable only accepts variable arguments, but got ",
}


def _wrapped(
    ctx: CustomNode, number: int, one: TensorBase, is_input: bool, is_dirty: bool, differentiable: bool
) -> TensorBase:
    """Output ``number`` of the forward with its place in the graph."""
    if is_input and not is_dirty:
        one = passed_through(one)
    if not differentiable:
        if requires_grad_of(one) and (is_input or (ctx.recorded and not is_dirty)):
            return _cut_off(one)
        if not is_dirty:
            _mark_view(one)
        return one
    if is_dirty:
        if grad_fn_of(one) is None and requires_grad_of(one):
            text = "a leaf Variable that requires grad has been used in an in-place operation."
            raise blame(RuntimeError(text), tensor=one)
        set_history(one, ctx, ())
        if one.node is ctx and number:
            meta_of(one).output_nr = number
        return one
    one.node = ctx
    if number or one.meta is not None:
        meta_of(one).output_nr = number
    _mark_view(one)
    return one


def _check_dirty(tensor: TensorBase, is_input: bool, *, alone: bool) -> None:
    """Warn of a marked output that was no input; raise for a view that is not the only output."""
    if not is_input and state.is_news(messages.DIRTY_NO_INPUT):
        warnings.warn(messages.DIRTY_NO_INPUT, UserWarning, stacklevel=4)
    if not alone and tensor.meta is not None and tensor.meta.view is not None:
        raise blame(RuntimeError(messages.DIRTY_VIEW_AMONG_OTHERS), tensor=tensor)


def _mark_view(tensor: TensorBase) -> None:
    """A view that comes out of a learner's function may not be written."""
    if tensor.meta is not None and tensor.meta.view is not None:
        tensor.meta.view.made = "custom"
        tensor.meta.view.version = version_of(tensor)


def passed_through(tensor: TensorBase) -> TensorBase:
    """Another tensor on the same memory, for an input that was returned as it came."""
    made = new_tensor(tensor.array.view())
    made.counter = counter_of(tensor)
    known = None if tensor.meta is None else tensor.meta.view
    meta_of(made).view = View(tensor if known is None else known.base, "grad", version_of(tensor))
    return made


def _cut_off(tensor: TensorBase) -> TensorBase:
    """``tensor`` without history, where it was said to have no gradient."""
    made = new_tensor(tensor.array)
    made.counter = counter_of(tensor)
    return made


def _guard_views(outputs: list[Any]) -> None:
    """Of several outputs with gradients, none that is a view may be written."""
    recorded = [one for one in outputs if isinstance(one, TensorBase) and one.node is not None]
    if len(recorded) > 1:
        for one in recorded:
            if one.meta is not None and one.meta.view is not None and one.meta.view.made == "custom":
                one.meta.view.made = "many"


def _announce(ctx: CustomNode, args: tuple[Any, ...], outputs: tuple[TensorBase, ...]) -> None:
    """Tell those who watch about the results, which ``forward``'s own operators have told of already, and the node."""
    if not ctx.recorded:
        return
    announce_node(ctx, tuple(arg for arg in args if isinstance(arg, TensorBase)), outputs)
    if state.observer is not None:
        for output in outputs:
            state.observer.flags_changed(output)
