"""What a tensor is to the engine: an array, its write counter, and its place in the graph."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.storage import Counter, InferenceCounter

if TYPE_CHECKING:
    from chalkgrad.engine.graph import AccumulateGrad, Node
    from chalkgrad.engine.observer import Observer


class State:
    """What holds for the whole process.

    Grad mode, who observes, the class that new tensors get, how the grad_fn of an overwritten view is made anew
    (``regenerated``), and the warnings that PyTorch gives only once (``warned``) unless ``warn_always``; inference
    mode, anomaly mode with whether it looks for NaN, the innermost hooks on saved tensors (``packing``), the node for
    which a backward calls code of others (``running``), the nodes that overwritten views got while the edges of a node
    to be made were collected (``renewed``), and how many transforms of functions are at work (``transforms``).
    ``watched`` is True when one of these wants to see every call: operators ask for nothing else. Where all that wants
    to is an observer, ``tell`` is how it is told of one result and its node.
    """

    __slots__ = (
        "anomaly",
        "check_nan",
        "grad",
        "inference",
        "observer",
        "packing",
        "regenerated",
        "renewed",
        "running",
        "tell",
        "tensor",
        "transforms",
        "warn_always",
        "warned",
        "watched",
    )

    regenerated: Callable[[TensorBase, TensorBase], Node]

    def __init__(self) -> None:
        self.grad = True
        self.observer: Observer | None = None
        self.tensor: type[TensorBase] = TensorBase
        self.warned: set[str] = set()
        self.warn_always = False
        self.inference = False
        self.anomaly = False
        self.check_nan = True
        self.packing: list[Any] = []
        self.renewed: list[Node] = []
        self.running: Node | None = None
        self.transforms = 0
        self.watched = False
        self.tell: Callable[[Node, tuple[Any, ...], Any], None] | None = None

    def is_news(self, warning: str) -> bool:
        """True where a warning that is given only once is due."""
        if warning in self.warned and not self.warn_always:
            return False
        self.warned.add(warning)
        return True

    def look_again(self) -> None:
        """Bring :attr:`watched` and :attr:`tell` up to date after one of the things they depend on changed."""
        is_rare = bool(self.anomaly or self.packing or self.inference)
        self.watched = is_rare or self.observer is not None
        self.tell = None if is_rare or self.observer is None else self.observer.result_made


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
    ``grad_dtype`` is the dtype set for its gradient, or None for any, and ``"own"`` while that is the tensor's;
    ``detached_at`` is the sequence number as of which ``detach_()`` cut the tensor off, or -1. ``strides_before`` is
    there only when ``out=`` took all dimensions: the strides of these.
    """

    __slots__ = (
        "accumulator",
        "after",
        "detached_at",
        "grad",
        "grad_dtype",
        "hooks",
        "output_nr",
        "requires_grad",
        "retains",
        "strides_before",
        "view",
    )

    strides_before: tuple[int, ...]

    def __init__(self) -> None:
        self.requires_grad = False
        self.grad: TensorBase | None = None
        self.grad_dtype: Any = "own"
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
    ``counter`` the shared write counter or None while nobody needs one, ``meta`` what else there is or None. ``mark``
    is by what an observer knows the tensor, and not there before one has seen it.
    """

    __slots__ = ("__weakref__", "array", "counter", "mark", "meta", "node")

    array: np.ndarray
    node: Node | None
    counter: Counter | None
    meta: Meta | None
    mark: int

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
    tensor = _new(state.tensor)
    tensor.array = array
    tensor.node = tensor.meta = None
    tensor.counter = InferenceCounter() if state.inference else None
    return tensor


_new = object.__new__


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


class Rare:
    """What few nodes have: hooks, tensors that asked for their gradient, metadata.

    ``of_view`` is the grad_fn of the view that the node's operator wrote, as long as somebody else holds it.
    """

    __slots__ = ("after", "before", "hooks", "metadata", "of_view", "retained")

    def __init__(self) -> None:
        self.hooks: dict[int, dict[int, Callable[..., Any]]] = {}
        self.retained: dict[int, weakref.ref[TensorBase]] = {}
        self.before: dict[int, Callable[..., Any]] = {}
        self.after: dict[int, Callable[..., Any]] = {}
        self.metadata: dict[object, object] = {}
        self.of_view: weakref.ref[Node] | None = None


def rare_of(node: Node) -> Rare:
    """The node's hooks and the like, made if it had none."""
    rare = node.rare
    if rare is None:
        rare = node.rare = Rare()
    return rare


def maker_of_result(node: Node) -> Node:
    """The grad_fn of the result that ``node`` saved: its own, or that of the view written, if somebody holds that."""
    view = None if node.rare is None or node.rare.of_view is None else node.rare.of_view()
    return view or node


def all_born_unheard(*tensors: TensorBase) -> bool:
    """True where inference mode made all of them, so that autograd doesn't hear of what is done to them."""
    return all(type(tensor.counter) is InferenceCounter for tensor in tensors)
