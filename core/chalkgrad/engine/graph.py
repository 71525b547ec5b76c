"""The graph that operators leave behind: nodes and edges.

A node never refers to its own outputs, and a leaf refers to its AccumulateGrad only weakly, so a graph has no reference
cycles and is gone as soon as nobody holds its end.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar

from chalkgrad.engine import messages
from chalkgrad.engine.base import Rare, Stamped, TensorBase, new_tensor, rare_of, state, version_of
from chalkgrad.engine.lineage import grad_fn_of, requires_grad_of
from chalkgrad.engine.saved import Saved, saved_value

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


class Handle:
    """What ``register_hook`` returns: :meth:`remove` takes the hook away again."""

    __slots__ = ("_hooks", "id")
    _ids: ClassVar[Iterator[int]] = count()

    def __init__(self, hooks: dict[int, Callable[..., Any]], hook: Callable[..., Any]) -> None:
        self._hooks = hooks
        self.id = next(Handle._ids)
        hooks[self.id] = hook

    def remove(self) -> None:
        """Take the hook away; nothing happens the second time."""
        self._hooks.pop(self.id, None)


_PUBLIC = (
    "_sequence_nr",
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
    ``writes`` is how often PyTorch writes into what it makes for its first edge.
    """

    __slots__ = ("constants", "dtype", "edges", "ports", "rare", "saved", "seq", "shape")

    record: ClassVar[Record | None] = None
    saved_names: ClassVar[tuple[str, ...]] = ()
    constant_names: ClassVar[tuple[str, ...]] = ()
    cxx_name: ClassVar[str] = ""
    many: ClassVar[bool] = False
    accumulates: ClassVar[bool] = False
    writes: ClassVar[int] = 0

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

    def short_name(self) -> str:
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

    def _sequence_nr(self) -> int:
        """Its number in order of birth; of several ready nodes the youngest runs first."""
        return self.seq

    def register_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call ``hook(grad_inputs, grad_outputs)`` after the node has run; what it returns replaces the former."""
        return Handle(rare_of(self).after, hook)

    def register_prehook(self, hook: Callable[..., Any]) -> Handle:
        """Call ``hook(grad_outputs)`` before the node runs; what it returns replaces them."""
        return Handle(rare_of(self).before, hook)

    def __getattr__(self, name: str) -> Any:
        """``_saved_self`` and its kin."""
        if name.startswith("_saved_"):
            return saved_value(self, name[len("_saved_") :])
        if name.startswith("_raw_saved_"):
            return RawSaved(self, name[len("_raw_saved_") :])
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __dir__(self) -> list[str]:
        shown = [f"_saved_{name}" for name in shown_names(self)]
        raw = [f"_raw_saved_{name}" for name in self.saved_names]
        special = [name for name in object.__dir__(self) if name.startswith("__")]
        return sorted([*shown, *raw, *_PUBLIC, *special])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"

    def __call__(self, *gradients: Any) -> Any:
        """Run its formulas on tensors by hand; a tuple where there are several inputs."""
        found = tuple(self.run_recorded(gradients if self.many else gradients[0], self.edges))
        return found[0] if len(found) == 1 else found

    # What the engine asks of a node

    def run(self, g: Any, edges: tuple[Node | None, ...]) -> list[Any]:
        """Gradients for ``edges`` from the gradient ``g`` of the output, all arrays."""
        raise NotImplementedError

    def run_recorded(self, g: Any, edges: tuple[Node | None, ...]) -> list[Any]:
        """The same with tensors, so that what is computed is recorded."""
        raise NotImplementedError

    def release(self) -> bool:
        """Let go of what was saved; True when there was something."""
        if any(value is not None for value in self.saved or ()):
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
        self.dtype = variable.array.dtype
        self.seq = LAST
        self.ports = None
        self.rare = None
        self.variable = variable


Node.__module__ = "torch.autograd.graph"
AccumulateGrad.__module__ = "builtins"


class RawSaved:
    """A handle on one saved value, as ``_raw_saved_self`` gives it."""

    __slots__ = ("_name", "_node")

    def __init__(self, node: Node, name: str) -> None:
        if name not in node.saved_names:
            raise AttributeError(f"'{type(node).__name__}' object has no attribute '_raw_saved_{name}'")
        self._node, self._name = node, name

    def register_hooks(self, pack: Callable[..., Any], unpack: Callable[..., Any]) -> None:
        """Refused: hooks on saved tensors are not offered, and after freeing PyTorch refuses them too."""
        if self._node.saved is None:
            raise messages.freed_before_hooks(self._node)
        raise NotImplementedError("hooks on saved tensors are not supported")


RawSaved.__name__ = "SavedTensor"


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
    """The node that takes gradients of ``tensor``: its grad_fn, a leaf's AccumulateGrad, or None."""
    node = grad_fn_of(tensor)
    if node is not None:
        return node
    meta = tensor.meta
    if meta is None or not meta.requires_grad:
        return None
    known = None if meta.accumulator is None else meta.accumulator()
    if known is None:
        known = AccumulateGrad(tensor)
        meta.accumulator = weakref.ref(known)
    return known
