"""One position of a trace, worked out where it is looked at."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from functools import cache
from operator import attrgetter

from chalkgrad.engine.storage import owner
from chalkgrad.session.results import Result
from chalkgrad.session.state import Contribution, Saved, SavedValue, StatementState, Status, TensorState
from chalkgrad.session.tables import Facts, Tables

TO_COME = StatementState(Status.TO_COME)
MOST_PRINTED = 512
"""Of results with more bytes no fingerprint is taken."""
_dtype_name = cache(attrgetter("name"))


class Snapshot:
    """Tensors at one position. Each is worked out once, when it is asked for."""

    def __init__(self, tables: Tables, position: int) -> None:
        self.tables = tables
        self.position = position
        self._tensors: dict[int, TensorState] = {}
        self._open: set[int] = set()

    def tensor(self, number: int) -> TensorState:
        """The object ``number``, which was born before the position."""
        found = self._tensors.get(number)
        if found is None and (plain := self.tables.facts.plain(number, self.position)) is not None:
            found = self._tensors[number] = self._plain(plain)
        elif found is None:
            facts = self.tables.facts[number].at(self.position) or self.tables.facts[number].values[0]
            self._open.add(number)
            found = self._made(number, facts)
            self._open.discard(number)
            if not self._open:
                self._tensors[number] = found
        return found

    def born(self, number: int) -> TensorState | None:
        """The object ``number``; None where it was born after the position."""
        return None if self.tables.facts[number].at(self.position) is None else self.tensor(number)

    def memory(self, number: int) -> int:
        """Tells objects that share their memory from all others."""
        facts = self.tables.facts[number].at(self.position) or self.tables.facts[number].values[0]
        return id(owner(facts.array))

    def outputs(self, numbers: tuple[int | None, ...]) -> tuple[TensorState | None, ...]:
        """The objects ``numbers``; None stays None."""
        return tuple([None if number is None else self.tensor(number) for number in numbers])

    def saved_by(self, node: int) -> tuple[SavedValue, ...]:
        """What the node with this number saved, and whether it still has it."""
        freed = self.tables.is_freed(node, self.position)
        return tuple([SavedValue(value.name, freed, value.number) for value in self.tables.saved[node]])

    def _plain(self, made: Result) -> TensorState:
        """What most tensors are: made by an operator, and nothing else came of it."""
        array = made.array
        saved, values = self._saved(made.node) if made.kept else (Saved.NOTHING, ())
        return TensorState(
            number=made.number,
            shape=array.shape,
            dtype=_dtype_name(array.dtype),
            value=self.tables.memory.value(array, self.position),
            is_leaf=False,
            requires_grad=True,
            retains_grad=False,
            version=made.version,
            grad_fn=made.node_class.__name__,
            grad=None,
            saved=saved,
            saved_values=values,
            node=made.node,
        )

    def _made(self, number: int, facts: Facts) -> TensorState:
        saved, values = (Saved.NONE, ()) if facts.grad_fn is None else self._saved(facts.node)
        # Two tensors may be each other's grad; the circle is cut where it closes, and what is cut is not kept.
        grad = None if facts.grad is None or facts.grad in self._open else self.tensor(facts.grad)
        return TensorState(
            number=number,
            shape=facts.array.shape,
            dtype=_dtype_name(facts.array.dtype),
            value=self.tables.memory.value(facts.array, self.position),
            is_leaf=facts.is_leaf,
            requires_grad=facts.requires_grad,
            retains_grad=facts.retains_grad,
            version=facts.version,
            grad_fn=facts.grad_fn,
            grad=grad,
            saved=saved,
            saved_values=values,
            sum_of=() if facts.grad is None else self._sum(number),
            node=facts.node,
        )

    def _saved(self, node: int | None) -> tuple[Saved, tuple[SavedValue, ...]]:
        values = () if node is None else self.saved_by(node)
        if not values:
            return Saved.NOTHING, ()
        return Saved.FREED if values[0].freed else Saved.KEPT, values

    def _sum(self, number: int) -> tuple[Contribution, ...]:
        sums = self.tables.sums.get(number)
        span = None if sums is None else sums.at(self.position)
        return () if span is None else tuple(self.tables.contributions[number][span.start : span.stop])


class Statements(Mapping[int, StatementState]):
    """The states of all statements of a program at one position."""

    def __init__(self, snapshot: Snapshot, order: Collection[int]) -> None:
        self._snapshot = snapshot
        self._order = order
        self._states: dict[int, StatementState] = {}

    def __getitem__(self, id_: int) -> StatementState:
        state = self._states.get(id_)
        if state is None:
            state = self._states[id_] = self._made(id_)
        return state

    def fingerprint(self, id_: int) -> Hashable | None:
        """Tells a plain result without much memory from all others; None for everything else.

        It is the same for a statement in two runs only where nothing of it differs but the numbers of objects and
        nodes.
        """
        tables, position = self._snapshot.tables, self._snapshot.position
        made = tables.bound.lines.get(id_)
        if not isinstance(made, Result) or made.bound_at > position or id_ in tables.verdicts:
            return None
        array = made.array
        if array.nbytes > MOST_PRINTED or not tables.facts.is_plain(made.number):
            return None
        value = tables.memory.held(array, position)
        if value is None:
            return None
        freed = bool(made.kept) and tables.is_freed(made.node, position)
        kept = [each is None for each in made.kept]
        return made.node_class, made.version, freed, tuple(kept), array.shape, array.dtype, value.tobytes()

    def __iter__(self) -> Iterator[int]:
        return iter(self._order)

    def __len__(self) -> int:
        return len(self._order)

    def _made(self, id_: int) -> StatementState:
        tables, position = self._snapshot.tables, self._snapshot.position
        begun = tables.has_begun(id_, position)
        if begun is None and id_ not in self._order:
            raise KeyError(id_)
        if not begun:
            return TO_COME
        numbers = tables.bound.at(id_, position)
        verdicts = tables.verdicts.get(id_)
        verdict = verdicts.at(position) if verdicts is not None else None
        return StatementState(
            status=Status.OK if verdict is None else verdict.status,
            outputs=() if numbers is None else self._snapshot.outputs(numbers),
            problem=None if verdict is None else verdict.problem,
            passes=tables.bound.count_until(id_, position),
            blocked_by=None if verdict is None else verdict.blocked_by,
        )


class Names(Mapping[str, TensorState]):
    """The tensor that each name means at one position, in the order in which the names were first bound."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def __getitem__(self, name: str) -> TensorState:
        number = self._number(name)
        if number is None:
            raise KeyError(name)
        return self._snapshot.tensor(number)

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._snapshot.tables.names if self._number(name) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def with_gradient(self) -> Iterator[str]:
        """The names of tensors that have a gradient; the others are not looked at."""
        table, position = self._snapshot.tables.facts, self._snapshot.position
        for name in self._snapshot.tables.names:
            number = self._snapshot.tables.names.at(name, position)
            if number is not None and not table.is_plain(number):
                facts = table[number].at(position)
                if facts is not None and facts.grad is not None:
                    yield name

    def _number(self, name: str) -> int | None:
        return self._snapshot.tables.names.at(name, self._snapshot.position)
