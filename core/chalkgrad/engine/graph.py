"""The graph that operators leave behind: nodes and edges.

A node never refers to its own outputs, and a leaf refers to its AccumulateGrad only weakly, so a graph has no reference
cycles and is gone as soon as nobody holds its end.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from chalkgrad.engine import collector
from chalkgrad.engine.base import Rare, Stamped, TensorBase, new_tensor, rare_of, state, version_of
from chalkgrad.engine.dtype import from_numpy_dtype
from chalkgrad.engine.handle import Handle
from chalkgrad.engine.lineage import grad_fn_of, requires_grad_of
from chalkgrad.engine.saved import Saved, tensor_of

if TYPE_CHECKING:
    from chalkgrad.engine.record import Record

__all__ = [
    "AccumulateGrad",
    "Node",
    "Stamped",
    "TensorBase",
    "edge_of",
    "new_tensor",
    "requires_grad_of",
    "state",
    "version_of",
]

LAST = (1 << 64) - 1
"""Sequence number of every AccumulateGrad: they run before all others."""

next_sequence_nr = count().__next__


class InputMetadata:
    """What a node knows of one of its outputs, whose gradient is one of its own inputs."""

    __slots__ = ("dtype", "shape")
    is_nested_tensor = is_cpp_nested_tensor = False

    def __init__(self, shape: tuple[int, ...], dtype: Any) -> None:
        self.shape = list(shape)
        self.dtype = from_numpy_dtype(dtype)

    @property
    def device(self) -> Any:
        """Always the CPU."""
        from chalkgrad.engine.device import CPU

        return CPU


InputMetadata.__name__ = InputMetadata.__qualname__ = "_InputMetadata"
InputMetadata.__module__ = "torch._C._autograd"

_PUBLIC = (
    "_input_metadata",
    "_register_hook_dict",
    "_sequence_nr",
    "_set_sequence_nr",
    "metadata",
    "name",
    "next_functions",
    "register_hook",
    "register_prehook",
    "requires_grad",
)


class Node:
    """One step of the backward: turns the gradient of an operator's output into those of its inputs.

    ``edges`` are the nodes the gradients go to, None where nobody wants one, and ``ports`` which of a node's outputs
    each belongs to (None: all 0). ``saved`` are the saved tensors in the order of ``saved_names``, None once freed;
    ``constants`` the other saved values in the order of ``constant_names``. ``shape`` and ``dtype`` are those of the
    output, tuples of them when ``many``. A node with ``rare`` state is run with more care than others;
    ``_writes`` is how often PyTorch writes into what it makes for each edge; with ``_runs_without`` it runs also
    when no gradient at all came. ``_kept_outside`` are those gradients of its last run that a learner's code has, too.
    ``mark`` is what it is of a tensor.
    """

    __slots__ = ("constants", "dtype", "edges", "mark", "ports", "rare", "saved", "seq", "shape")

    mark: int

    record: ClassVar[Record | None] = None
    saved_names: ClassVar[tuple[str, ...]] = ()
    constant_names: ClassVar[tuple[str, ...]] = ()
    cxx_name: ClassVar[str] = ""
    many: ClassVar[bool] = False
    accumulates: ClassVar[bool] = False
    _runs_without: ClassVar[bool] = False
    _writes: tuple[int, ...] = ()
    _kept_outside: tuple[np.ndarray, ...] = ()

    def __init__(
        self,
        edges: tuple[Node | None, ...],
        saved: tuple[Saved, ...] | None,
        constants: tuple[Any, ...],
        shape: Any,
        dtype: Any,
    ) -> None:
        self.edges = edges
        self.saved = saved
        self.constants = constants
        self.shape = shape
        self.dtype = dtype
        self.seq = next_sequence_nr()
        self.ports: tuple[int, ...] | None = None
        self.rare: Rare | None = None

    # What PyTorch shows of a node

    def name(self) -> str:
        """Its name as the C++ side has it: ``MulBackward0``, ``torch::autograd::AccumulateGrad``."""
        return self.cxx_name or type(self).__name__

    def _short_name(self) -> str:
        """Its name as the version errors write it: ``Mul``."""
        return short_name(self.name())

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """For each input, the node its gradient goes to and which of that node's outputs it belongs to."""
        ports = self.ports or (0,) * len(self.edges)
        return tuple(zip(self.edges, ports, strict=True))

    @property
    def metadata(self) -> dict[object, object]:
        """A dictionary for whatever one wants to note on the node."""
        return rare_of(self).metadata

    @property
    def requires_grad(self) -> bool:
        """True: only what requires grad has a node."""
        return True

    @property
    def _input_metadata(self) -> tuple[InputMetadata, ...]:
        """Shape, dtype and device of each of its outputs."""
        return tuple(InputMetadata(shape, dtype) for shape, dtype in self.expects() if dtype is not None)

    def _register_hook_dict(self, tensor: Any) -> None:
        """Kept for old code: hooks of ``tensor`` are the node's already."""
        if not isinstance(tensor, TensorBase):
            raise TypeError("_register_hook_dict expected a variable")

    def _sequence_nr(self) -> int:
        """Its number in order of birth; of several ready nodes the youngest runs first."""
        return LAST if self.accumulates else self.seq

    def _set_sequence_nr(self, number: int) -> None:
        self.seq = number

    def register_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call ``hook(grad_inputs, grad_outputs)`` after the node has run; what it returns replaces the former."""
        return Handle(rare_of(self).after, hook)

    def register_prehook(self, hook: Callable[..., Any]) -> Handle:
        """Call ``hook(grad_outputs)`` before the node runs; what it returns replaces them."""
        return Handle(rare_of(self).before, hook)

    def __dir__(self) -> list[str]:
        shown = [f"_saved_{name}" for name in shown_names(self)]
        raw = [f"_raw_saved_{name}" for name in self.saved_names]
        special = [name for name in object.__dir__(self) if name.startswith("__")]
        return sorted([*shown, *raw, *_PUBLIC, *special])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"

    def __call__(self, *gradients: Any) -> Any:
        """Run its formulas on tensors by hand; a tuple where there are several inputs."""
        expected = len(self.expects())
        if len(gradients) != expected:
            raise TypeError(f"expected {expected} arguments, got {len(gradients)} instead")
        for place, gradient in enumerate(gradients):
            if gradient is not None and not isinstance(gradient, TensorBase):
                raise TypeError(f"argument {place} is not a Variable")
        found = tuple(self.run_recorded(gradients if self.many else gradients[0], self.edges))
        return found[0] if len(found) == 1 else found

    # What the engine asks of a node

    def run(self, g: Any, edges: tuple[Node | None, ...]) -> list[Any]:
        """Gradients for ``edges`` from the gradient ``g`` of the output, all arrays."""
        raise NotImplementedError

    def run_recorded(self, g: Any, edges: tuple[Node | None, ...]) -> list[Any]:
        """The same with tensors, so that what is computed is recorded."""
        raise NotImplementedError

    def expects(self) -> tuple[tuple[Any, Any], ...]:
        """Shape and dtype of each output."""
        return tuple(zip(self.shape, self.dtype, strict=True)) if self.many else ((self.shape, self.dtype),)

    def _values_kept(self) -> tuple[Saved, ...] | None:
        """What is saved, None once freed."""
        return self.saved

    def _unpacked(self, value: Saved) -> Any:
        """One of the saved values as a tensor."""
        found = tensor_of(self, value)
        return found if isinstance(found, TensorBase) else new_tensor(np.asarray(found))

    def _keep(self, values: tuple[Saved, ...]) -> None:
        """Replace what is saved."""
        self.saved = values

    def release(self) -> bool:
        """Let go of what was saved; True when there was something."""
        for value in self.saved or ():
            if value is not None:
                self.saved = None
                return True
        return False


class AccumulateGrad(Node):
    """Where gradients end: adds what comes in to the ``.grad`` of a leaf, :attr:`variable`."""

    __slots__ = ("__weakref__", "variable")
    accumulates = True
    cxx_name = "torch::autograd::AccumulateGrad"

    def __init__(self, variable: TensorBase) -> None:
        self.edges = ()
        self.saved = ()
        self.constants = ()
        self.shape = variable.array.shape
        wanted: Any = "own" if variable.meta is None else variable.meta.grad_dtype
        self.dtype = variable.array.dtype if wanted == "own" else None if wanted is None else wanted.numpy
        self.seq = LAST
        self.ports = None
        self.rare = None
        self.variable = variable


Node.__module__ = "torch.autograd.graph"
AccumulateGrad.__module__ = "builtins"


def short_name(name: str) -> str:
    """A node's name without ``Backward``, and without the number after it if that is 0."""
    head, found, tail = name.rpartition("Backward")
    if not found or not (tail.isdigit() or not tail):
        return name
    return head + ("" if tail == "0" else tail)


def shown_names(node: Node) -> tuple[str, ...]:
    """Names of the saved values PyTorch shows, in its order."""
    constants = (name for name in node.constant_names if "_args_" not in name)
    return tuple(sorted((*node.saved_names, *constants)))


def edge_of(tensor: TensorBase) -> Node | None:
    """The node that takes gradients of ``tensor``: its grad_fn, a leaf's AccumulateGrad, or None.

    It is asked for a node that is about to be made, which :func:`number_first` then has to see.
    """
    meta = tensor.meta
    node = tensor.node
    if meta is None:
        return node
    if meta.view is not None:
        counter = tensor.counter
        if counter is None or counter.version != meta.view.version:
            node = _renewed(tensor)
    if node is not None or not meta.requires_grad:
        return node
    known = None if meta.accumulator is None else meta.accumulator()
    if known is None:
        known = AccumulateGrad(tensor)
        meta.accumulator = weakref.ref(known)
    return known


def gradient_edge_of(tensor: TensorBase) -> Node | None:
    """The same where no node is to be made."""
    grad_fn_of(tensor)
    return edge_of(tensor)


def _renewed(view: TensorBase) -> Node | None:
    """The grad_fn of a view that may have been overwritten; one that it gets only now is noted."""
    old, node = view.node, grad_fn_of(view)
    if node is not None and node is not old:
        state.renewed.append(node)
        state.watched, state.tell = True, None
    return node


def number_first(node: Node | None) -> None:
    """Give ``node`` a lower number than the grad_fns that views got while its edges were collected.

    PyTorch makes a node before it collects its edges, and of nodes that are ready the younger runs first.
    """
    renewed = state.renewed
    if node is not None:
        while renewed and renewed[-1].seq == node.seq - 1:
            renewed.pop().seq = node.seq
            node.seq -= 1
    renewed.clear()
    state.look_again()


collector.be_patient()
