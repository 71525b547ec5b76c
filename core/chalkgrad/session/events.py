"""What a trace consists of: events, and the backward nodes that they speak of.

A *position* is a number of events that have happened: position 0 is before the first, ``len(events)`` is now. Objects
(tensors) and nodes are spoken of by number, in the order in which they were first seen.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import numpy as np


class EventKind(StrEnum):
    """What happened."""

    MADE = "made"  # a tensor was born
    NODE_MADE = "node_made"  # a backward node was recorded for an operator
    SAVED = "saved"  # a node kept values for its backward
    WRITE = "write"  # the memory of a tensor was written
    FLAGS = "flags"  # requires_grad, retains_grad, is_leaf, grad_fn or which tensor is grad changed
    RAN = "ran"  # a statement came to its result; an operator line run again has one for each pass
    BACKWARD_BEGAN = "backward_began"
    NODE_READY = "node_ready"  # all gradients for a node have come in
    HOOK_RAN = "hook_ran"  # a hook got gradients; what it made of them goes on
    NODE_RAN = "node_ran"  # a node turned the gradients that came in into those that go out
    SUMMED = "summed"  # a gradient was added to what had come to a node along another path
    CAPTURED = "captured"  # torch.autograd.grad took a gradient: it goes no further
    ACCUMULATED = "accumulated"  # a gradient went into the .grad of a leaf
    DROPPED = "dropped"  # a leaf added nothing: none came, or it no longer requires grad
    RETAINED = "retained"  # a non-leaf kept its gradient
    FREED = "freed"  # a node let go of what it had saved
    BACKWARD_ENDED = "backward_ended"
    PRINTED = "printed"
    WARNED = "warned"
    FAILED = "failed"
    ENDED = "ended"  # the last event of every statement

    __hash__ = str.__hash__  # that of an enumeration is worked out in Python, and kinds are looked up by the thousand


Gradients = tuple[np.ndarray | None, ...]


class Event(NamedTuple):
    """One event, the statement during which it happened, and which pass of that statement, counted from 0.

    ``tensors`` are objects: what was made, written, changed or printed; a result's outputs (None: no tensor); the
    roots of a backward; the owner and its gradient. ``inputs`` are a node's (None: a number). ``incoming`` and
    ``outgoing`` are gradients that came to a node and went out of it; None where there is none, or where memory ran
    short. ``text`` is what was printed or said. A run of events of one line belongs to that line also where
    ``statement`` names another: the operators that "run forward again" executes. ``names`` are those of saved values,
    ``("first",)`` where a grad was None before, a hook's name; ``SUMMED`` has what came as ``incoming`` and the sum as
    ``outgoing``.
    """

    kind: EventKind
    statement: int
    pass_: int = 0
    tensors: tuple[int | None, ...] = ()
    node: int | None = None
    inputs: tuple[int | None, ...] = ()
    names: tuple[str, ...] = ()
    incoming: Gradients = ()
    outgoing: Gradients = ()
    text: str = ""


class NodeRecord(NamedTuple):
    """A backward node: its PyTorch name, the statement and pass that made it, and what it was recorded for.

    An AccumulateGrad belongs to its leaf, its only input, and to the statement that made that. ``edges`` are the
    numbers of the nodes its gradients go to, None where nobody wants one; ``ports`` which of their outputs each belongs
    to, nothing where it is the first everywhere: together they are its ``next_functions``.
    """

    name: str
    statement: int
    pass_: int
    inputs: tuple[int | None, ...] = ()
    outputs: tuple[int | None, ...] = ()
    edges: tuple[int | None, ...] = ()
    ports: tuple[int, ...] = ()


class Plan(NamedTuple):
    """What a backward sets out to do: the nodes it comes by, how many gradients each waits for, and how old each is.

    ``roots`` are the nodes that the first gradients go to, one for each.
    """

    nodes: tuple[int, ...]
    waits: tuple[int, ...]
    sequence: tuple[int, ...]
    roots: tuple[int, ...]


class SavedName(NamedTuple):
    """A tensor that a node saved: its name, and the object that it is, where that is known.

    ``version`` is what that object's version was when it was saved; ``array`` is the memory that is kept, None where
    hooks took it in.
    """

    name: str
    number: int | None
    version: int = 0
    array: np.ndarray | None = None


class Run(NamedTuple):
    """Where a line's events begin."""

    statement: int
    start: int
