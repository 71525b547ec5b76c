"""The graph that operators leave behind: tensors' autograd state, nodes, edges, saved values.

A node never refers to its own outputs, and a leaf refers to its AccumulateGrad only weakly, so a graph has no reference
cycles and is gone as soon as nobody holds its end.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from chalkgrad.engine import messages
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.storage import Counter

if TYPE_CHECKING:
    from chalkgrad.engine.observer import Observer
    from chalkgrad.engine.record import Record

LAST = (1 << 64) - 1
"""Sequence number of every AccumulateGrad: they run before all others."""

next_sequence_nr = count().__next__


class State:
    """What holds for the whole process.

    Grad mode, who observes, the class that new tensors get, how the grad_fn of an overwritten view is made anew
    (``regenerated``), and the warnings that PyTorch gives only once (``warned``).
    """

    __slots__ = ("grad", "observer", "regenerated", "tensor", "warned")

    regenerated: Callable[[TensorBase, TensorBase], Node]

    def __init__(self) -> None:
        self.grad = True
        self.observer: Observer | None = None
        self.tensor: type[TensorBase] = TensorBase
        self.warned: set[str] = set()


class View:
    """That a tensor is a view: of which base, made how, and as of which version its ``grad_fn`` is right.

    ``made`` is ``"grad"``, ``"no_grad"`` or ``"many"`` (one of several outputs of one operator).
    """

    __slots__ = ("base", "made", "version")

    def __init__(self, base: TensorBase, made: str, version: int) -> None:
        self.base = base
        self.made = made
        self.version = version


class Meta:
    """The part of a tensor's autograd state that most tensors don't have.

    ``accumulator`` refers weakly to the leaf's AccumulateGrad; ``retains`` is True after ``retain_grad()``;
    ``detached_at`` is the sequence number as of which ``detach_()`` cut the tensor off, or -1.
    """

    __slots__ = (
        "accumulator",
        "after",
        "detached_at",
        "grad",
        "hooks",
        "output_nr",
        "requires_grad",
        "retains",
        "view",
    )

    def __init__(self) -> None:
        self.requires_grad = False
        self.grad: TensorBase | None = None
        self.accumulator: weakref.ref[AccumulateGrad] | None = None
        self.view: View | None = None
        self.retains = False
        self.output_nr = 0
        self.detached_at = -1
        self.hooks: dict[int, Callable[..., Any]] | None = None
        self.after: dict[int, Callable[..., Any]] | None = None


class TensorBase:
    """An array with autograd state.

    ``array`` holds the values, ``node`` is the grad_fn (of a view possibly an outdated one: ask :func:`grad_fn_of`),
    ``counter`` the shared write counter or None while nobody needs one, ``meta`` what else there is or None.
    """

    __slots__ = ("__weakref__", "array", "counter", "meta", "node")

    array: np.ndarray
    node: Node | None
    counter: Counter | None
    meta: Meta | None

    @property
    def output_nr(self) -> int:
        """Which output of its grad_fn it is."""
        return 0 if self.meta is None else self.meta.output_nr

    def item(self) -> bool | int | float:
        """Its one element as a Python number; RuntimeError unless there is exactly one."""
        if self.array.size != 1:
            raise RuntimeError(f"a Tensor with {self.array.size} elements cannot be converted to Scalar")
        return self.array.item()  # type: ignore[no-any-return]

    @property
    def dtype_title(self) -> str:
        """Its dtype as PyTorch's type names write it: ``Float``, ``Double``, ``Long``."""
        return dtype_of(self.array).scalar_type


state = State()


def new_tensor(array: np.ndarray) -> TensorBase:
    """A tensor on ``array``, without history; nobody is told."""
    tensor = object.__new__(state.tensor)
    tensor.array = array
    tensor.node = None
    tensor.counter = None
    tensor.meta = None
    return tensor


def meta_of(tensor: TensorBase) -> Meta:
    """The tensor's further autograd state, made if it had none."""
    meta = tensor.meta
    if meta is None:
        meta = tensor.meta = Meta()
    return meta


def counter_of(tensor: TensorBase) -> Counter:
    """The tensor's write counter, made if it had none; a node that saved the tensor as its result then shares it."""
    counter = tensor.counter
    if counter is None:
        node = tensor.node
        counter = tensor.counter = Counter() if node is None else counter_in(node, tensor.array)
    return counter


def counter_in(node: Node, array: np.ndarray) -> Counter:
    """The write counter of ``array`` as ``node`` knows it, or a new one, which it knows from now on if it saved it."""
    saved = node.saved or ()
    for index, value in enumerate(saved):
        if value is array:
            counter = Counter()
            node.saved = (*saved[:index], (array, counter, 0), *saved[index + 1 :])
            return counter
        if type(value) is tuple and value[0] is array:
            return value[1]  # type: ignore[no-any-return]
    return Counter()


def version_of(tensor: TensorBase) -> int:
    """``_version``: how often the tensor's memory was written in ways that count."""
    return 0 if tensor.counter is None else tensor.counter.version


class Stamped:
    """A saved input together with the version it had, for inputs that had been written before."""

    __slots__ = ("tensor", "version")

    def __init__(self, tensor: TensorBase, version: int) -> None:
        self.tensor = tensor
        self.version = version


Saved = Any
"""What a node keeps of one value: None, a tensor at version 0, a Stamped one, a Python number (which is shown as a 0-d
tensor), or its own result: the array alone while nobody counts writes to it, then ``(array, counter, version)``."""


class Rare:
    """What few nodes have: hooks, tensors that asked for their gradient, metadata."""

    __slots__ = ("after", "before", "hooks", "metadata", "retained")

    def __init__(self) -> None:
        self.hooks: dict[int, dict[int, Callable[..., Any]]] = {}
        self.retained: dict[int, weakref.ref[TensorBase]] = {}
        self.before: dict[int, Callable[..., Any]] = {}
        self.after: dict[int, Callable[..., Any]] = {}
        self.metadata: dict[object, object] = {}


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


def rare_of(node: Node) -> Rare:
    """The node's hooks and the like, made if it had none."""
    rare = node.rare
    if rare is None:
        rare = node.rare = Rare()
    return rare


def shown_names(node: Node) -> tuple[str, ...]:
    """Names of the saved values PyTorch shows, in its order."""
    constants = (name for name in node.constant_names if "_args_" not in name)
    return tuple(sorted((*node.saved_names, *constants)))


# Which node a tensor's gradient goes to


def grad_fn_of(tensor: TensorBase) -> Node | None:
    """The tensor's grad_fn, brought up to date first if it is a view whose memory was written."""
    meta = tensor.meta
    if meta is not None and meta.view is not None:
        refresh_view(tensor, meta.view)
    return tensor.node


def refresh_view(tensor: TensorBase, view: View) -> None:
    """Give a view whose base or sibling was written in place the grad_fn it has now: a strided piece of its base."""
    base = view.base
    if tensor.node is None and not requires_grad_of(base):
        return
    version = version_of(tensor)
    if version == view.version:
        return
    if view.made == "no_grad":
        raise messages.no_grad_view_written(tensor, tensor.node, indirectly=True)
    if view.made == "many" and tensor.node is not None:
        raise messages.one_of_many_views_written(tensor, tensor.node, indirectly=True)
    old = tensor.node
    tensor.node = state.regenerated(tensor, base)
    view.version = version
    move_retained(tensor, old)


def move_retained(tensor: TensorBase, old: Node | None) -> None:
    """After ``tensor`` got another grad_fn: gradients it asked to keep are those of its newest value."""
    meta = tensor.meta
    if meta is None or not meta.retains or tensor.node is None:
        return
    if old is not None and old.rare is not None:
        old.rare.retained.pop(meta.output_nr, None)
    meta.output_nr = 0
    rare_of(tensor.node).retained[0] = weakref.ref(tensor)


def requires_grad_of(tensor: TensorBase) -> bool:
    """``requires_grad``: it has a history, was asked to, or shows memory of a tensor that does."""
    if tensor.node is not None:
        return True
    meta = tensor.meta
    if meta is None:
        return False
    return meta.requires_grad or (meta.view is not None and requires_grad_of(meta.view.base))


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


# Saved values


def keep(tensor: TensorBase) -> Saved:
    """What a node keeps of an input so that a later write is noticed."""
    counter = tensor.counter
    return tensor if counter is None or not counter.version else Stamped(tensor, counter.version)


def check_saved(node: Node, tensor: TensorBase, version: int) -> None:
    """Raise PyTorch's error when a saved input has been detached or written since it was saved."""
    meta = tensor.meta
    if meta is not None and meta.detached_at > node.seq and tensor.node is None:
        raise messages.detached(node, tensor, saved_name_of(node, tensor))
    now = version_of(tensor)
    if now != version:
        grad_fn_of(tensor)
        raise messages.overwritten(node, tensor, saved_name_of(node, tensor), now, version)


def saved_name_of(node: Node, tensor: TensorBase) -> str:
    """Under which name ``node`` keeps ``tensor``."""
    for name, value in zip(node.saved_names, node.saved or (), strict=False):
        if value is tensor or (isinstance(value, Stamped) and value.tensor is tensor):
            return name
    return ""


def result_tensor(node: Node, array: np.ndarray, counter: Counter) -> TensorBase:
    """A saved result as a tensor again: the same memory and grad_fn, another object."""
    tensor = new_tensor(array)
    tensor.node = node
    tensor.counter = counter
    return tensor


def array_of(node: Node, value: Saved) -> Any:
    """One saved value as an array (or a number, or None); raises when it is not what it was any more."""
    if value is None or isinstance(value, bool | int | float | np.ndarray):
        return value
    if isinstance(value, TensorBase):
        check_saved(node, value, 0)
        return value.array
    if isinstance(value, Stamped):
        check_saved(node, value.tensor, value.version)
        return value.tensor.array
    array, counter, version = value
    if counter.version != version:
        raise messages.overwritten(node, result_tensor(node, array, counter), "result", counter.version, version)
    return array


def tensor_of(node: Node, value: Saved) -> Any:
    """One saved value as a tensor (or a number, or None); raises when it is not what it was any more."""
    array_of(node, value)
    if isinstance(value, Stamped):
        return value.tensor
    if isinstance(value, np.ndarray):
        return result_tensor(node, value, counter_in(node, value))
    if isinstance(value, tuple):
        return result_tensor(node, value[0], value[1])
    return value


def arrays_saved(node: Node) -> list[Any]:
    """All that ``node`` saved, tensors as arrays, then the constants; raises once freed or overwritten."""
    saved = node.saved
    if saved is None:
        raise messages.freed(node)
    cls = state.tensor
    values: list[Any] = []
    for value in saved:
        if type(value) is cls:
            counter = value.counter
            if counter is not None and (counter.version or counter.detached):
                check_saved(node, value, 0)
            values.append(value.array)
        elif type(value) is np.ndarray:
            values.append(value)
        else:
            values.append(array_of(node, value))
    if node.constants:
        values += node.constants
    return values


def array_saved(node: Node) -> Any:
    """The one value that ``node`` saved, as an array; raises once freed or overwritten."""
    saved = node.saved
    if saved is None:
        raise messages.freed(node)
    value = saved[0]
    if type(value) is np.ndarray:
        return value
    if type(value) is state.tensor and value.counter is None:
        return value.array
    return array_of(node, value)


def tensors_saved(node: Node) -> list[Any]:
    """The same with tensors as tensors."""
    if node.saved is None:
        raise messages.freed(node)
    return [*(tensor_of(node, value) for value in node.saved), *node.constants]


def saved_value(node: Node, name: str) -> Any:
    """``_saved_<name>``: what ``node`` saved, as PyTorch shows it; RuntimeError once freed or overwritten."""
    if name in node.constant_names:
        return node.constants[node.constant_names.index(name)]
    if name not in node.saved_names:
        raise AttributeError(f"'{type(node).__name__}' object has no attribute '_saved_{name}'")
    if node.saved is None:
        if name in needed_names(node):
            raise messages.freed(node, name)
        return None
    value = node.saved[node.saved_names.index(name)]
    if isinstance(value, TensorBase) and version_of(value) == 0:
        return value
    if isinstance(value, Stamped) and version_of(value.tensor) == value.version:
        return value.tensor
    found = tensor_of(node, value)
    if isinstance(found, bool | int | float):
        return new_tensor(np.asarray(found))
    return found


def needed_names(node: Node) -> tuple[str, ...]:
    """Names of what the formulas for the edges that exist read, freed or not."""
    if node.record is None:
        return ()
    names = node.record.inputs
    needs = frozenset(name for name, edge in zip(names, node.edges, strict=False) if edge is not None)
    return node.record.saved(needs)
