"""The program: an ordered list of statements, as an immutable value."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TypeVar, cast

from chalkgrad.errors import ChalkgradError
from chalkgrad.program.cards import cards_after, cards_of
from chalkgrad.program.change import Change
from chalkgrad.program.descent import Descent, differing
from chalkgrad.program.inlining import all_of, inline_of
from chalkgrad.program.name_counts import NameCounts, name_counts_after, name_counts_of, repeated_after, repeated_among
from chalkgrad.program.statement import Array, Kind, Operand, Ref, Statement
from chalkgrad.program.unready import unready_after, unready_of
from chalkgrad.program.users import Users, users_after, users_of
from chalkgrad.program.vocabulary import LOOP
from chalkgrad.text import Text

V = TypeVar("V")

STRUCTURE = (
    *("positions", "lines", "users", "inline", "cards", "name_counts", "repeated_names", "bindings", "bodies"),
    *("optimizers", "unready"),
)
"""What is known of a program once it was asked, and stays as it is where a number is another one."""


@dataclass(frozen=True, slots=True)
class Block:
    """A ``with`` or ``for`` block over a contiguous range of statements.

    It has a mode (``"no_grad"``, ``"enable_grad"``, ``"inference_mode"``; ``"for"`` for a loop) and, unless outermost,
    the block around. A loop has a number of ``rounds`` and a variable, ``name``.
    """

    id: int
    mode: str = "no_grad"
    parent: int | None = None
    rounds: int = 0
    name: str = ""

    @property
    def is_loop(self) -> bool:
        """True for a loop."""
        return self.mode == LOOP

    @property
    def heading(self) -> str:
        """The line that opens the block."""
        return f"for {self.name} in range({self.rounds}):" if self.is_loop else f"with torch.{self.mode}():"


class ProgramError(ChalkgradError):
    """An edit that would leave the program in a state that no text can express."""


class GoneError(ProgramError, LookupError):
    """A statement that is not in the program: what was offered for it is asked for after it was deleted."""


class CycleError(ProgramError):
    """A wire that would make a tensor need itself; ``path`` are the statements of the circle."""

    def __init__(self, path: tuple[int, ...]) -> None:
        super().__init__(Text("edit.circle"))
        self.path = path


@dataclass(frozen=True)
class Program:
    """Statements by id, their order, and the blocks they stand in.

    Ids are never reused: ``next_id`` only grows, also when a change is taken back, so it is no part of equality.
    """

    statements: Mapping[int, Statement] = field(default_factory=dict)
    order: tuple[int, ...] = ()
    blocks: Mapping[int, Block] = field(default_factory=dict)
    next_id: int = field(default=1, compare=False)
    stops: bool = False
    """True for a script: nothing after the first line that fails is reached, as in Python."""
    _descent: Descent[int] = field(default_factory=Descent, init=False, compare=False, repr=False)

    def __iter__(self) -> Iterator[Statement]:
        """The statements in order."""
        return map(self.statements.__getitem__, self.order)

    def __len__(self) -> int:
        return len(self.order)

    def __contains__(self, id_: object) -> bool:
        return id_ in self.statements

    def __getitem__(self, id_: int) -> Statement:
        """The statement with this id; GoneError where there is none."""
        try:
            return self.statements[id_]
        except KeyError:
            raise GoneError(Text("edit.gone")) from None

    @cached_property
    def positions(self) -> Mapping[int, int]:
        """Place in the order, from 0, by id."""
        return MappingProxyType({id_: index for index, id_ in enumerate(self.order)})

    @cached_property
    def lines(self) -> Mapping[int, int]:
        """Line number, from 1, by id. A statement written inline has the number of the line that uses it."""
        inline = self.inline
        if not inline:
            return MappingProxyType({id_: index for index, id_ in enumerate(self.order, 1)})
        numbers: dict[int, int] = {}
        line = 0
        for id_ in self.order:
            if id_ not in inline:
                line += 1
                numbers[id_] = line
        for id_ in reversed(self.order):
            if id_ not in numbers:
                users = self.users.get(id_, ())
                numbers[id_] = numbers.get(users[0], line + 1) if users else line + 1
        return MappingProxyType(numbers)

    @cached_property
    def users(self) -> Users:
        """Ids of the statements that refer to a statement, in order, by its id."""
        return users_of(self)

    @cached_property
    def inline(self) -> frozenset[int]:
        """Ids of the unnamed operators and leaves that are written inside the one line that uses them.

        Each is used once, by a line of the same block, and nothing between them minds that it is worked out later.
        """
        return inline_of(self)

    def is_inline(self, id_: int) -> bool:
        """True for what is written inside the one line that uses it (``w.detach() * 2``)."""
        return id_ in self.inline

    def printed_whole(self, operand: Operand) -> Statement | None:
        """The operator with several named outputs that a print has in it (``print(x.max(dim=1))``)."""
        id_ = all_of(self, operand)
        return self.statements[id_] if id_ is not None and self.is_inline(id_) else None

    def writes(self, statement: Statement) -> bool:
        """True for an in-place operator (PyTorch marks them with a trailing underscore)."""
        return statement.call.endswith("_") and statement.kind is Kind.OP

    def maker(self, ref: Ref) -> Ref:
        """The reference to the statement that made the object ``ref`` means: in-place statements make none."""
        named = self.statements.get(ref.statement)
        if named is None or not named.call.endswith("_"):  # nearly always: asked of every wire, no more than needed
            return ref
        seen: set[int] = set()
        while ref.statement not in seen:
            seen.add(ref.statement)
            statement = self.statements.get(ref.statement)
            if statement is None or not self.writes(statement):
                break
            first = statement.operands[0] if statement.operands else None
            if not isinstance(first, Ref):
                break
            ref = Ref(first.statement, first.output, first.path + ref.path)
        return ref

    def dependents(self, *ids: int) -> set[int]:
        """Ids of all statements that need one of some, directly or through others; none is its own dependent."""
        found: set[int] = set()
        stack = list(ids)
        while stack:
            for user in self.users.get(stack.pop(), ()):
                if user not in found:
                    found.add(user)
                    stack.append(user)
        return found

    def needs(self, id_: int) -> set[int]:
        """Ids of all statements that statement ``id_`` needs, directly or through others, itself not among them."""
        found: set[int] = set()
        stack = [id_]
        while stack:
            for ref in self.statements[stack.pop()].refs():
                if ref.statement in self.statements and ref.statement not in found:
                    found.add(ref.statement)
                    stack.append(ref.statement)
        return found

    def again(self, id_: int) -> tuple[int, ...]:
        """Ids of the operator lines that "run forward again" statement ``id_`` executes once more, in order.

        They are those its root needs, and the in-place lines before it that write what one of them makes.
        """
        before = self.order[: self.positions[id_]]
        wanted = {other for other in self.needs(id_) if self.statements[other].kind is Kind.OP}
        grown = True
        while grown:
            written = {other for other in before if other not in wanted and self._writes_one_of(wanted, other)}
            needs = {need for other in written for need in self.needs(other)}
            wanted |= written | {need for need in needs if self.statements[need].kind is Kind.OP}
            grown = bool(written)
        return tuple(other for other in before if other in wanted)

    def _writes_one_of(self, ids: set[int], id_: int) -> bool:
        statement = self.statements[id_]
        first = statement.operands[0] if statement.operands else None
        return self.writes(statement) and isinstance(first, Ref) and self.maker(first).statement in ids

    def named(self, name: str, before: int | None = None) -> Ref | None:
        """What ``name`` means before place ``before`` (the end if None): its last binding, or None."""
        for id_ in reversed(self.order[:before]):
            statement = self.statements[id_]
            if statement.kind is Kind.DELETE and name in statement.targets:
                return None
            if statement.kind is not Kind.DELETE and name in statement.targets:
                return Ref(id_, statement.targets.index(name))
        return None

    @cached_property
    def bindings(self) -> Mapping[str, Ref]:
        """What each name means at the end, see :meth:`named`."""
        found: dict[str, Ref] = {}
        for statement in self:
            for output, name in reversed(list(enumerate(statement.targets))):
                if statement.kind is Kind.DELETE:
                    found.pop(name, None)
                elif name:
                    found[name] = Ref(statement.id, output)
        return MappingProxyType(found)

    @cached_property
    def cards(self) -> frozenset[int]:
        """Ids of the statements that are drawn as cards."""
        known = self._made_of("cards")
        return cards_of(self) if known is None else cards_after(known[0], self, known[1])

    @cached_property
    def unready(self) -> frozenset[int]:
        """Ids of the statements that have an open port, or write into a number."""
        known = self._made_of("unready")
        return unready_of(self) if known is None else unready_after(known[0], self, known[1])

    def _made_of(self, fact: str) -> tuple[Program, Collection[int]] | None:
        """The newest of those it was made of that knows a fact, and the statements that may differ from it."""
        for before, touched in self._descent.ancestors():
            if isinstance(before, Program) and fact in before.__dict__:
                return before, touched
        return None

    def differing(self, before: Program) -> Collection[int]:
        """Ids of the statements that may be others than in another program, or are in one of the two alone."""
        known = self._descent.since(before)
        return differing(before.statements, self.statements) if known is None else known

    @cached_property
    def name_counts(self) -> NameCounts:
        """How often each name is bound; under ``""``, how many results have none."""
        return name_counts_of(self)

    @cached_property
    def repeated_names(self) -> frozenset[str]:
        """The names that are bound more than once."""
        known = self._made_of("repeated_names")
        if known is None:
            return repeated_among(self.name_counts, self.name_counts)
        return repeated_after(known[0], self, known[1])

    def names(self) -> set[str]:
        """All names bound anywhere."""
        return (self.name_counts.keys() | self._variables()) - {""}

    def has_name(self, name: str) -> bool:
        """True for a name that is bound anywhere."""
        return name in self.name_counts or name in self._variables()

    def _variables(self) -> set[str]:
        return {block.name for block in self.blocks.values() if block.is_loop}

    def apply(self, change: Change) -> Program:
        """The program after ``change``; ProgramError when the result would not be one."""
        statements = dict(self.statements)
        blocks = dict(self.blocks)
        next_id, stops = self.next_id, self.stops
        for (table, key), (_, after) in change.entries.items():
            if table == "program":
                stops = bool(after)
            if table not in ("statements", "blocks"):
                continue
            id_ = cast("int", key)
            next_id = max(next_id, id_ + 1)
            if table == "statements":
                _put(statements, id_, cast("Statement | None", after))
            else:
                _put(blocks, id_, cast("Block | None", after))
        order = self.order if change.order is None else change.order[1]
        program = Program(statements, order, blocks, next_id, stops)
        touched = [cast("int", key) for table, key in change.entries if table == "statements"]
        program.__dict__["_descent"] = self._descent.of(self, touched)
        if (same := program._had_before()) is not None:
            known = same.__dict__
            program.__dict__.update({name: known[name] for name in STRUCTURE if name in known})
            return program
        program.check()
        if change.order is None and all(
            _differ_in_numbers(table, *pair) for (table, _), pair in change.entries.items()
        ):
            known = self.__dict__
            program.__dict__.update({name: known[name] for name in STRUCTURE if name in known})
            return program
        if "users" in self.__dict__ and (users := users_after(self, program, change)) is not None:
            program.__dict__["users"] = users
        if "name_counts" in self.__dict__:
            program.__dict__["name_counts"] = name_counts_after(self, program, change)
        return program

    def _had_before(self) -> Program | None:
        """The same program as it was some edits before: they were taken back, or done again."""
        for before, touched in self._descent.ancestors():
            if isinstance(before, Program) and before.order is self.order and before.blocks == self.blocks:
                statements = before.statements
                if all(statements.get(id_) is self.statements.get(id_) for id_ in touched):
                    return before
        return None

    def check(self) -> None:
        """Raise ProgramError unless order, blocks and references fit together."""
        if len(self.order) != len(self.statements) or set(self.order) != self.statements.keys():
            raise ProgramError(Text("edit.order"))
        if self.blocks:
            self._check_blocks()

    def chain(self, block: int | None) -> tuple[int, ...]:
        """The blocks around, outermost first; ProgramError where one is missing or contains itself."""
        found: list[int] = []
        while block is not None:
            if block not in self.blocks or len(found) == len(self.blocks):
                raise ProgramError(Text("edit.block", block=block))
            found.append(block)
            block = self.blocks[block].parent
        return tuple(reversed(found))

    def modes(self, block: int | None) -> tuple[str, ...]:
        """The grad modes that the blocks around set, outermost first."""
        return tuple(self.blocks[id_].mode for id_ in self.chain(block) if not self.blocks[id_].is_loop)

    def loops(self, block: int | None) -> tuple[int, ...]:
        """Ids of the loops around, outermost first."""
        return tuple(id_ for id_ in self.chain(block) if self.blocks[id_].is_loop)

    @cached_property
    def bodies(self) -> Mapping[int, range]:
        """The places in the order that each loop goes over, inner loops included, by the loop's id."""
        found: dict[int, range] = {}
        if any(block.is_loop for block in self.blocks.values()):
            for place, statement in enumerate(self):
                for loop in self.loops(statement.block):
                    first = found[loop].start if loop in found else place
                    found[loop] = range(first, place + 1)
        return MappingProxyType(found)

    @cached_property
    def optimizers(self) -> Mapping[int, tuple[int, ...]]:
        """Ids of the optimisers that a leaf is handed to, by the leaf's id."""
        found: dict[int, tuple[int, ...]] = {}
        for statement in self._optimizer_lines():
            for leaf in dict.fromkeys(self.maker(ref).statement for ref in statement.refs()):
                found[leaf] = (*found.get(leaf, ()), statement.id)
        return MappingProxyType(found)

    def _optimizer_lines(self) -> list[Statement]:
        """The lines that make optimisers, in order; where there were none before, only what differs is looked at."""
        before, touched = self._made_of("optimizers") or (None, ())
        if before is not None and not before.optimizers:
            touched = [id_ for id_ in touched if id_ in self and self[id_].kind is Kind.OPTIMIZER]
            if not touched:
                return []
        return [statement for statement in self if statement.kind is Kind.OPTIMIZER]

    def _check_blocks(self) -> None:
        closed: set[int] = set()
        open_: tuple[int, ...] = ()
        for statement in self:
            chain = self.chain(statement.block)
            closed.update(set(open_) - set(chain))
            if closed & set(chain):
                raise ProgramError(Text("edit.scattered"))
            open_ = chain


def _differ_in_numbers(table: str, before: object, after: object) -> bool:
    """True for a statement that has other numbers for operands than before, and is the same in all else."""
    if table != "statements" or not isinstance(before, Statement) or not isinstance(after, Statement):
        return table not in ("statements", "blocks", "program")
    return replace(after, operands=before.operands) == before and _are_alike(before.operands, after.operands)


def _are_alike(one: Operand, other: Operand) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_are_alike, one, other))
    numbers = (int, float, Array)
    return one is other or one == other or (isinstance(one, numbers) and isinstance(other, numbers))


def _put(table: dict[int, V], key: int, value: V | None) -> None:
    if value is None:
        table.pop(key, None)
    else:
        table[key] = value
