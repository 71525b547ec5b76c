"""A statement: one line of a PyTorch program, as a frozen record with an id.

Names identify nothing here: two statements may bind the same name. An operand refers to a statement by its id; what
a name in the text means is decided when text is read, once.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np


class Kind(StrEnum):
    """What a statement does."""

    LEAF = "leaf"  # x = torch.tensor([1.], requires_grad=True)
    OP = "op"  # y = torch.mul(a, b);  a.add_(1)
    ATTRIBUTE = "attribute"  # a.retain_grad(), c.requires_grad_(), y.detach_()
    ASSIGN = "assign"  # w.grad = None, c.requires_grad = True, w.data = t
    ALIAS = "alias"  # g = w.grad
    DELETE = "delete"  # del y
    BACKWARD = "backward"  # y.backward()
    GRAD = "grad"  # gx, = torch.autograd.grad(y, x)
    AGAIN = "again"  # the op lines that a root needs, once more
    PRINT = "print"  # print("grad", w.grad)
    OPTIMIZER = "optimizer"  # optimizer = torch.optim.SGD([w], lr=0.1)
    UPDATE = "update"  # optimizer.step(), optimizer.zero_grad()
    SEED = "seed"  # torch.manual_seed(0)
    COMMENT = "comment"  # # a remark


DIFFERENTIATING = frozenset({Kind.BACKWARD, Kind.GRAD})
"""What runs a backward."""


@dataclass(frozen=True, slots=True)
class Ref:
    """What a statement made: output number ``output`` of statement ``statement``, then ``path``.

    A step of the path is an attribute (``"grad"``, ``"data"``; in a print also ``"is_leaf"``, ``"grad_fn"``,
    ``"requires_grad"``, ``"shape"``, ``"dtype"``, ``"_version"``, ``"retains_grad"``) or one of ``"item()"``,
    ``"is None"``, ``"is not None"``. A reference means what a Python variable means: the latest object bound.
    """

    statement: int
    output: int = 0
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Empty:
    """An operand that nothing is connected to yet; a statement that has one is waiting."""


EMPTY = Empty()


@dataclass(frozen=True, slots=True)
class Dtype:
    """A dtype by PyTorch's name without ``torch.``: ``Dtype("float64")``."""

    name: str


@dataclass(frozen=True, slots=True)
class Counter:
    """The variable of a loop as a number: which round of block ``block`` it is, counted from 0."""

    block: int


@dataclass(frozen=True, slots=True)
class Array:
    """A large constant: little-endian bytes in C order with dtype and shape (a nested tuple would be slow)."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes

    @classmethod
    def of(cls, array: np.ndarray) -> Array:
        """The constant that holds a copy of ``array``."""
        little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
        return cls(array.dtype.name, tuple(int(size) for size in array.shape), little.tobytes())

    def numpy(self) -> np.ndarray:
        """A fresh, writable array of the constant's shape and dtype."""
        return self.view().astype(self.dtype)

    def view(self) -> np.ndarray:
        """The constant itself, to be read only: nothing is copied, however large it is."""
        return np.frombuffer(self.data, np.dtype(self.dtype).newbyteorder("<")).reshape(self.shape)

    @property
    def size(self) -> int:
        """How many numbers it holds."""
        return len(self.data) // np.dtype(self.dtype).itemsize

    def base64(self) -> str:
        """The bytes as base64 text, as files hold them."""
        return base64.b64encode(self.data).decode("ascii")


Operand = Ref | Empty | Dtype | Counter | Array | bool | int | float | str | tuple["Operand", ...] | None
"""What may stand where a value is expected; a tuple is written as a list."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One line of the program.

    ``call`` is what is called: an operator's name in the table OPS, a factory (``"tensor"``), a method
    (``"retain_grad"``), the attribute that is assigned (``"grad"``). ``targets`` are the names bound, one for each
    output; an empty name is an operator written inline in the line that uses it. ``options`` are keyword arguments
    in the order given. ``style`` is the spelling: ``"function"``, ``"method"`` or ``"operator"``. ``block`` is the id
    of the innermost block it stands in.
    """

    id: int
    kind: Kind
    call: str = ""
    targets: tuple[str, ...] = ()
    operands: tuple[Operand, ...] = ()
    options: tuple[tuple[str, Operand], ...] = ()
    style: str = "function"
    block: int | None = None

    @property
    def name(self) -> str:
        """The first name bound, or the empty string."""
        return self.targets[0] if self.targets else ""

    def option(self, name: str, default: Operand = None) -> Operand:
        """The keyword argument ``name``, or ``default`` where it isn't given."""
        for key, value in self.options:
            if key == name:
                return value
        return default

    def with_option(self, name: str, value: Operand) -> Statement:
        """The same with keyword argument ``name`` set, at its old place or at the end."""
        if any(key == name for key, _ in self.options):
            options = tuple((key, value if key == name else old) for key, old in self.options)
        else:
            options = (*self.options, (name, value))
        return replace(self, options=options)

    def without_option(self, name: str) -> Statement:
        """The same without keyword argument ``name``."""
        return replace(self, options=tuple(pair for pair in self.options if pair[0] != name))

    def refs(self) -> Iterator[Ref]:
        """Every reference in operands and options, in order."""
        found: list[Ref] = []
        for operand in self.operands:
            if isinstance(operand, Ref):
                found.append(operand)
            elif isinstance(operand, tuple):
                found.extend(refs_in(operand))
        for _, operand in self.options:
            found.extend(refs_in(operand))
        return iter(found)

    def ports(self) -> tuple[Operand, ...]:
        """The operands one by one, a list's members in its place: what the ports on a card stand for."""
        for operand in self.operands:  # asked of every card several times: no generators
            if isinstance(operand, tuple):
                break
        else:
            return self.operands
        return tuple(member for operand in self.operands for member in _members(operand))

    def with_port(self, port: int, value: Operand) -> Statement:
        """The same with port number ``port`` (as counted by :meth:`ports`) set; IndexError where there is none."""
        operands = list(self.operands)
        at = 0
        for index, operand in enumerate(operands):
            members = _members(operand)
            if at <= port < at + len(members):
                if isinstance(operand, tuple):
                    operands[index] = (*operand[: port - at], value, *operand[port - at + 1 :])
                else:
                    operands[index] = value
                return replace(self, operands=tuple(operands))
            at += len(members)
        raise IndexError(f"statement {self.id} has {at} ports, not {port + 1}")

    def map_refs(self, change: Callable[[Ref], Operand]) -> Statement:
        """The same with every reference replaced by what ``change`` makes of it."""
        return replace(
            self,
            operands=tuple(map_refs(operand, change) for operand in self.operands),
            options=tuple((key, map_refs(operand, change)) for key, operand in self.options),
        )

    def map_counters(self, change: Callable[[Counter], Operand]) -> Statement:
        """The same with every loop's variable replaced by what ``change`` makes of it."""
        if not any(isinstance(operand, Counter) for operand in self.operands):
            return self
        operands = (change(operand) if isinstance(operand, Counter) else operand for operand in self.operands)
        return replace(self, operands=tuple(operands))

    @property
    def is_waiting(self) -> bool:
        """True when an operand is not connected yet."""
        for operand in self.operands:  # asked of every statement that runs: no generators
            if isinstance(operand, Empty | tuple) and _has_empty(operand):
                return True
        return bool(self.options) and any(_has_empty(operand) for _, operand in self.options)


def refs_in(operand: Operand) -> Iterator[Ref]:
    """Every reference in one operand."""
    if isinstance(operand, Ref):
        yield operand
    elif isinstance(operand, tuple):
        for member in operand:
            yield from refs_in(member)


def map_refs(operand: Operand, change: Callable[[Ref], Operand]) -> Operand:
    """``operand`` with every reference replaced by what ``change`` makes of it."""
    if isinstance(operand, Ref):
        return change(operand)
    if isinstance(operand, tuple):
        return tuple(map_refs(member, change) for member in operand)
    return operand


def _members(operand: Operand) -> tuple[Operand, ...]:
    """A list of tensors has a port for each; a list of numbers is one value."""
    if isinstance(operand, tuple) and any(isinstance(member, Ref | Empty) for member in operand):
        return operand
    return (operand,)


def _has_empty(operand: Operand) -> bool:
    if isinstance(operand, tuple):
        return any(_has_empty(member) for member in operand)
    return isinstance(operand, Empty)
