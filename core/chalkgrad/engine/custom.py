"""The node of an operator that a learner wrote."""

from __future__ import annotations

import warnings
from sys import getrefcount
from typing import Any, NoReturn

import numpy as np

from chalkgrad.engine import messages
from chalkgrad.engine.base import TensorBase, counter_of, meta_of, new_tensor, state, version_of
from chalkgrad.engine.graph import Node, edge_of, next_sequence_nr
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.memory_format import for_others
from chalkgrad.engine.raw_saved import RawSaved
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


def _is_kept(found: list[TensorBase | None], arrays: list[np.ndarray | None], place: int) -> bool:
    """True where somebody has the tensor or the array in that place beside those two lists; always for None."""
    times = sum(other is found[place] for other in found)
    alone = getrefcount(found[place]) == times + 1
    return not alone or getrefcount(arrays[place]) != times + 2


class CustomNode(Node):
    """A node whose gradients a learner's ``backward`` computes; ``expected`` are shape and dtype of the outputs.

    The learner puts attributes of their own on it, so names of :class:`Node` that are likely among them, and that the
    engine can do without here, are free for them.
    """

    many = True
    _runs_without = True
    _clears_saved = False
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
        self._taken = False
        self._writes: tuple[int, ...] = ()
        self._kept_outside: tuple[np.ndarray, ...] = ()

    def _begin(self, args: tuple[Any, ...]) -> None:
        """Take note of the arguments before ``forward`` runs."""
        self._is_tensor = tuple(isinstance(arg, TensorBase) for arg in args)
        self._needs = tuple(isinstance(arg, TensorBase) and requires_grad_of(arg) for arg in args)
        if state.grad and any(self._needs):
            self.edges = tuple(edge_of(arg) for arg in args if isinstance(arg, TensorBase))
            if state.renewed:  # unlike other nodes that of a Function is made when its edges are known
                self.seq = next_sequence_nr()
            if any(arg.output_nr for arg in args if isinstance(arg, TensorBase)):
                self.ports = tuple(arg.output_nr for arg in args if isinstance(arg, TensorBase))

    def _note_results(self, found: tuple[Any, ...], constant: set[int]) -> None:
        """Take note of what ``forward`` returned; ``constant`` are the ids of those without a gradient."""
        self._expected = tuple(
            (one.array.shape, one.array.dtype) if isinstance(one, TensorBase) else ((), None) for one in found
        )
        self._constant = frozenset(number for number, one in enumerate(found) if id(one) in constant)

    @property
    def _leaves_a_node(self) -> bool:
        """True where the call leaves a node behind: some arguments require grad, if they lead to a leaf or not."""
        return bool(self.edges)

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
        if self._taken:
            raise RuntimeError(messages.TAKEN_TWICE)
        if self._kept is None:
            raise messages.freed(self)
        if self._clears_saved:
            kept, self._kept, self._taken = self._kept, (), True
            return tuple(self._unpacked(value) for value in kept)
        if not self._kept and getattr(self, "saved_for_forward", None) is not None:
            return self.saved_for_forward  # type: ignore[no-any-return]
        return tuple(self._unpacked(value) for value in self._kept)

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

    def _keep(self, values: tuple[Any, ...]) -> None:
        """Replace what is kept, one by one."""
        self._kept = values

    def _values_kept(self) -> tuple[Any, ...] | None:
        """What is kept, None once freed."""
        return self._kept

    def release(self) -> bool:
        """Let go of what was saved; True when there was something."""
        had = bool(self._kept)
        if had:
            self._kept = None
        return had

    def run(self, g: Any, edges: Edges) -> list[Any]:
        """Gradients for ``edges`` as arrays; the learner gets copies, and may keep what they return."""
        given = g if isinstance(g, tuple) else (g,)
        found = self._called(tuple([None if one is None else new_tensor(for_others(one)) for one in given]))
        self._writes = tuple([0 if tensor is None else version_of(tensor) for tensor in found])
        arrays = [None if tensor is None else tensor.array for tensor in found]
        kept = [place for place in range(len(found)) if _is_kept(found, arrays, place)]
        self._kept_outside = tuple([gradient for gradient in map(arrays.__getitem__, kept) if gradient is not None])
        return arrays

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

    def _unpacked(self, value: Any) -> TensorBase | None:
        """One of the saved values as a tensor, or None."""
        if value is None:
            return None
        if isinstance(value, SavedResult | Packed):
            return value.tensor(self)
        return tensor_of(self, value)  # type: ignore[no-any-return]

    def _keep_saved(self) -> None:
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
        if self._leaves_a_node:
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
