"""A state in which some facts are hidden, to be guessed: every view shows it as it shows any other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from chalkgrad.session.state import Saved, State, StatementState, TensorState, no_fingerprint

K = TypeVar("K")
V = TypeVar("V")
Hides = Callable[[TensorState], bool]


def without_flags(state: State, hides: Hides) -> State:
    """The same with nothing that tells whether a tensor is a leaf or requires grad, for those that ``hides`` names."""
    tensors: dict[int, TensorState] = {}

    def tensor(found: TensorState) -> TensorState:
        """One object is one value, as without a mask."""
        if found.number not in tensors:
            tensors[found.number] = _without_flags(found) if hides(found) else found
        return tensors[found.number]

    def statement(found: StatementState) -> StatementState:
        outputs = tuple(None if output is None else tensor(output) for output in found.outputs)
        return found if outputs == found.outputs else found._replace(outputs=outputs)

    def born(number: int) -> TensorState | None:
        found = state.object(number)
        return None if found is None else tensor(found)

    statements, names = _Seen(state.statements, statement), _Seen(state.names, tensor)
    return replace(state, statements=statements, names=names, objects=born, fingerprint=no_fingerprint)


class _Seen(Mapping[K, V]):
    """A mapping whose values are seen through a function, each worked out once."""

    def __init__(self, found: Mapping[K, V], through: Callable[[V], V]) -> None:
        self._found = found
        self._through = through
        self._known: dict[K, V] = {}

    def __getitem__(self, key: K) -> V:
        if key not in self._known:
            self._known[key] = self._through(self._found[key])
        return self._known[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def _without_flags(tensor: TensorState) -> TensorState:
    return tensor._replace(
        is_leaf=True,
        requires_grad=False,
        retains_grad=False,
        grad_fn=None,
        grad=None,
        saved=Saved.NONE,
        saved_values=(),
        sum_of=(),
        node=None,
        has_flags=False,
    )
