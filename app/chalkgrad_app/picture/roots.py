"""Where the arrows to Functions begin: the backward nodes that the tensors of a card have."""

from __future__ import annotations

from typing import NamedTuple

from chalkgrad.session.state import StatementState


class Roots(NamedTuple):
    """The backward nodes that a statement's tensors have: number of the output, number of its grad_fn.

    ``is_there`` is False before it has a tensor; ``is_covered`` is True while its flags are to be guessed.
    """

    nodes: tuple[tuple[int, int], ...] = ()
    is_there: bool = False
    is_covered: bool = False


NO_ROOTS = Roots()


def roots_of(state: StatementState) -> Roots:
    """The backward nodes of a statement's tensors."""
    there = [(output, tensor) for output, tensor in enumerate(state.outputs) if tensor is not None]
    nodes = tuple([(output, tensor.node) for output, tensor in there if tensor.node is not None])
    return Roots(nodes, bool(there), not all(tensor.has_flags for _, tensor in there))
