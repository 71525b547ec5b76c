"""Building: the new statements that a gesture or a button makes, named and placed.

Each function returns a :class:`Built`: the change to make, and the ids that are new.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from chalkgrad.engine.record import Record
from chalkgrad.program import edits, hooks, names
from chalkgrad.program.change import Change, together
from chalkgrad.program.inlining import with_inline
from chalkgrad.program.program import Program
from chalkgrad.program.removing import Removal, remove
from chalkgrad.program.shapes import output_count
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad.program.statement import EMPTY, Counter, Kind, Operand, Ref, Statement, map_refs
from chalkgrad.program.vocabulary import FACTORIES
from chalkgrad.stepwise import Stepwise, finished

STEPS = frozenset(
    {Kind.BACKWARD, Kind.ATTRIBUTE, Kind.ASSIGN, Kind.AGAIN, Kind.GRAD, Kind.PRINT, Kind.DELETE}
    | {Kind.OPTIMIZER, Kind.UPDATE}
)
"""Kinds that "Start over (keep the graph)" takes away."""


START = {"k": 1, "split_size": 1, "chunks": 2, "sections": 2, "dim": 0}
"""Arguments without a default that say how something is taken apart, and what they begin with."""

PIECES = 2
"""Names for an operator that makes an unknown number of tensors."""


@dataclass(frozen=True, slots=True)
class Built:
    """A change that adds statements, and their ids in order; copies also by the ids of their originals."""

    change: Change
    ids: tuple[int, ...]
    copied: Mapping[int, int] = field(default_factory=dict)


Point = tuple[float, float]


def tensor(sheet: Sheet, requires_grad: bool, at: int, place: Point | None = None, value: Operand = (1.0,)) -> Built:
    """A new leaf ``torch.tensor(value)`` at place ``at`` of the program, its card at ``place``."""
    name = names.free_tensor_name(sheet.program, requires_grad)
    options: tuple[tuple[str, Operand], ...] = (("requires_grad", True),) if requires_grad else ()
    block = _block_at(sheet.program, at)
    made = Statement(sheet.program.next_id, Kind.LEAF, "tensor", (name,), (value,), options, block=block)
    return _built(sheet, [made], at, {made.id: place} if place else {})


def like(sheet: Sheet, call: str, source: Operand, at: int, place: Point | None = None) -> Built:
    """A new leaf ``torch.zeros_like(source)``, or of its kin, at place ``at`` or right after what it reads."""
    program, factory = sheet.program, FACTORIES[call]
    name = names.free_tensor_name(program, requires_grad=False)
    rest = (1.0,) * (factory.required - 1)
    made = Statement(program.next_id, Kind.LEAF, call, (name,), (source, *rest))
    if factory.random:
        made = made.with_option("seed", made.id)
    return append(sheet, made, at, place)


def operator(sheet: Sheet, record: Record, inputs: Sequence[Operand], at: int, place: Point | None = None) -> Built:
    """A new operator with ``inputs`` wired from the first port on; ports without one stay open.

    An input made by a line after ``at`` moves the new line after that one.
    """
    program = sheet.program
    operands = inputs_of(record, inputs)
    made = Statement(program.next_id, Kind.OP, record.name, (), operands, first_options(record), record.style)
    made = replace(made, targets=free_targets(program, record, made))
    later = [program.positions[ref.statement] + 1 for ref in made.refs() if ref.statement in program]
    where = max([at, *later])
    block = _block_at(program, where)
    return _built(sheet, [replace(made, block=block)], where, {made.id: place} if place else {})


def append(sheet: Sheet, statement: Statement, at: int, place: Point | None = None) -> Built:
    """Put ``statement`` (its id and block are set here) at place ``at``, or after the lines that it needs."""
    program = sheet.program
    needed = [program.positions[ref.statement] + 1 for ref in statement.refs() if ref.statement in program]
    where = max([at, *needed])
    made = replace(statement, id=program.next_id, block=_block_at(program, where))
    return _built(sheet, [made], where, {made.id: place} if place else {})


def inline(sheet: Sheet, statement: Statement, reader: int) -> Built:
    """Put ``statement`` (its id and block are set here) unnamed before line ``reader``, which it is written in."""
    program = sheet.program
    made = replace(statement, id=program.next_id, targets=("",), block=program[reader].block)
    return _built(sheet, [made], program.positions[reader], {})


def append_all(sheet: Sheet, statements: Iterable[Statement], at: int) -> Built:
    """:func:`append` for several statements. Their ids among themselves may be any negative numbers."""
    draft = Draft(sheet)
    new_ids: dict[int, int] = {}
    made: list[int] = []
    where = at
    for statement in statements:
        built = append(draft.sheet, _renumbered(statement, new_ids), where)
        draft.apply(built.change)
        made += built.ids
        new_ids[statement.id] = built.ids[0]
        where = draft.program.positions[built.ids[0]] + 1
    return Built(draft.change, tuple(made))


def remove_hook(sheet: Sheet, hook: int, at: int) -> Built:
    """``h.remove()`` at place ``at``; a hook without a name gets one."""
    draft = Draft(sheet)
    line = draft.program[hook]
    if not line.targets:
        name = names.free_names(draft.program, [hooks.NAME])[0]
        draft.apply(edits.put(draft.program, replace(line, targets=(name,))))
    built = append(draft.sheet, method(Ref(hook), hooks.REMOVE), at)
    draft.apply(built.change)
    return Built(draft.change, built.ids)


def copies(sheet: Sheet, originals: Iterable[Statement], at: int, places: dict[int, Point], inside: bool) -> Built:
    """Copies of statements under new names; wires among them are kept among the copies.

    Wires from outside are kept, with their tags, when ``inside`` (duplicate in the same document), else left open
    (paste elsewhere). The ids are those of the copies of ``originals``.
    """
    return finished(copying(sheet, originals, at, places, inside))


def copying(
    sheet: Sheet, originals: Iterable[Statement], at: int, places: dict[int, Point], inside: bool
) -> Stepwise[Built]:
    """The same in steps, a copy at each."""
    asked, program = list(originals), sheet.program
    free, next_id, where = names.FreeNames(program), Draft(sheet).new_id(), at
    new_ids: dict[int, int] = {}
    made: dict[int, list[Statement]] = {}
    for original in _with_tags(program, asked) if inside else asked:

        def rewired(ref: Ref) -> Operand:
            if ref.statement in new_ids:
                return replace(ref, statement=new_ids[ref.statement])
            return ref if inside and ref.statement in program else EMPTY

        operands = tuple(map_refs(operand, rewired) for operand in original.operands)
        options = tuple((key, map_refs(value, rewired)) for key, value in original.options)
        targets = tuple(free.like(name) if name else "" for name in original.targets)
        copy = replace(original, id=next_id, targets=targets, operands=operands, options=options)
        needed = [program.positions[ref.statement] + 1 for ref in copy.refs() if ref.statement in program]
        where = max([where, *needed])
        made.setdefault(where, []).append(replace(copy, block=_block_at(program, where)))
        new_ids[original.id] = next_id
        next_id += 1
        yield min(len(new_ids) / len(asked), 1.0)
    moved = {new_ids[id_]: point for id_, point in places.items() if id_ in new_ids}
    change = edits.insert_at(program, made).then(edits.place(sheet.board, moved))
    return Built(change, tuple(new_ids[original.id] for original in asked), new_ids)


def copy_blocks(draft: Draft, source: Program, copied: Mapping[int, int]) -> None:
    """Put copies of lines of ``source`` into blocks like those that all of their originals stand in."""
    made: dict[int, int] = {}
    for block in sorted(source.blocks.values(), key=lambda block: len(source.chain(block.id))):
        members = [copied[s.id] for s in source if s.id in copied and block.id in source.chain(s.block)]
        if members:
            made[block.id] = draft.new_id()
            draft.apply(edits.wrap(draft.program, members, block.mode, made[block.id], block.rounds))
    lines = [draft.program[id_] for id_ in copied.values()]
    counted = [line.map_counters(lambda old: Counter(made.get(old.block, old.block))) for line in lines]
    draft.apply(together(edits.put(draft.program, line) for line in counted))


def start_over(sheet: Sheet) -> Removal:
    """Start over, keep the graph: take away backwards and every line that only changes flags, gradients or prints."""
    gone = [s.id for s in sheet.program if s.kind in STEPS or _changes_gradient(s)]
    return remove(sheet, gone)


# ---------------------------------------------------------------- what is a gradient


def is_gradient(statement: Statement) -> bool:
    """True for a line whose results are gradients themselves: ``torch.autograd.grad(...)``, ``g = w.grad``."""
    if statement.kind is Kind.ALIAS:
        return any("grad" in ref.path for ref in statement.refs())
    return statement.kind is Kind.GRAD


# ---------------------------------------------------------------- statements of the autograd panel


def backward(root: Ref, **options: Operand) -> Statement:
    """``root.backward(...)`` with the options that differ from PyTorch's defaults."""
    return Statement(0, Kind.BACKWARD, "backward", (), (root,), _given(options), "method")


def grad(program: Program, outputs: Sequence[Ref], inputs: Sequence[Ref], **options: Operand) -> Statement:
    """``g... = torch.autograd.grad(outputs, inputs, ...)`` under free names."""
    wanted = [f"g{program[ref.statement].name}" for ref in inputs if ref.statement in program]
    targets = names.free_names(program, wanted)
    return Statement(0, Kind.GRAD, "grad", tuple(targets), (tuple(outputs), tuple(inputs)), _given(options))


def method(target: Ref, name: str, *arguments: Operand) -> Statement:
    """``a.retain_grad()``, ``y.detach_()``, ``c.requires_grad_(False)``."""
    return Statement(0, Kind.ATTRIBUTE, name, (), (target, *arguments), style="method")


def grad_to_none(target: Ref) -> Statement:
    """``w.grad = None``."""
    return Statement(0, Kind.ASSIGN, "grad", (), (target, None))


def grad_to_zeros(target: Ref) -> Statement:
    """``w.grad.zero_()``."""
    return Statement(0, Kind.OP, "zero_", (), (replace(target, path=("grad",)),), style="method")


def detach(program: Program, target: Ref) -> Statement:
    """``d = y.detach()`` under a free name."""
    return Statement(0, Kind.OP, "detach", (names.free_result_name(program),), (target,), style="method")


def again(root: Ref) -> Statement:
    """The op lines that ``root`` needs, executed once more."""
    return Statement(0, Kind.AGAIN, "again", (), (root,))


def default_root(program: Program) -> Ref | None:
    """The last result that no operator uses: what Backward starts from when nothing is selected.

    A tensor that only ``autograd.grad`` was asked about stays one: the next backward starts there as well.
    """
    for id_ in reversed(program.order):
        statement = program[id_]
        if statement.kind is not Kind.OP or program.is_inline(id_) or program.writes(statement):
            continue
        if not any(_computes_on(program, user) for user in program.users.get(id_, ())):
            return program.maker(Ref(id_))
    leaves = [s.id for s in program if s.kind is Kind.LEAF]
    return Ref(leaves[-1]) if leaves else None


# ---------------------------------------------------------------- inside


def _computes_on(program: Program, id_: int) -> bool:
    """True for a line that makes another result; not for the sum in ``y.sum().backward()``."""
    statement = program[id_]
    if statement.kind not in (Kind.OP, Kind.ALIAS) or program.writes(statement):
        return False
    return not program.is_inline(id_) or any(_computes_on(program, user) for user in program.users.get(id_, ()))


def _renumbered(statement: Statement, ids: dict[int, int]) -> Statement:
    """The statement with references to the keys of ``ids`` turned into references to their values."""
    return statement.map_refs(lambda ref: replace(ref, statement=ids.get(ref.statement, ref.statement)))


def free_targets(program: Program, record: Record, statement: Statement) -> tuple[str, ...]:
    """Free names for what an operator makes; as many as can be known where their number depends on the call."""
    if record.writes:
        return ()
    if len(record.outputs) == 1:
        return (names.free_result_name(program),)
    if record.returns:
        return tuple(names.free_names(program, record.outputs))
    taken: set[str] = set()
    for _ in range(len(record.outputs) or output_count(program, statement) or PIECES):
        taken.add(names.free_result_name(program, taken))
    return tuple(sorted(taken, key=lambda name: (len(name), name)))


def inputs_of(record: Record, inputs: Sequence[Operand]) -> tuple[Operand, ...]:
    """Operands for the record's inputs; a record with one list of tensors takes all of ``inputs`` in it."""
    if record.inputs == ("tensors",):
        return (tuple(inputs) if inputs else (EMPTY, EMPTY),)
    left_out = record.optional - record.numbers
    given = list(inputs[: len(record.inputs)])
    return (*given, *(None if name in left_out else EMPTY for name in record.inputs[len(given) :]))


def first_options(record: Record) -> tuple[tuple[str, Operand], ...]:
    """What an operator that makes several tensors begins with, so that their number is known."""
    if len(record.outputs) == 1:
        return ()
    known = {attribute.name for attribute in record.attributes if attribute.default is None}
    return tuple((name, value) for name, value in START.items() if name in known)


def _with_tags(program: Program, originals: Iterable[Statement]) -> list[Statement]:
    """Statements and the unnamed ones written inside them, in program order."""
    return [program[id_] for id_ in with_inline(program, (original.id for original in originals))]


def _built(sheet: Sheet, statements: list[Statement], at: int, places: dict[int, Point]) -> Built:
    change = edits.insert(sheet.program, statements, at)
    return Built(change.then(edits.place(sheet.board, places)), tuple(s.id for s in statements))


def _block_at(program: Program, at: int) -> int | None:
    """The block a new line at ``at`` falls into: the one that goes on from the line before to the line after."""
    if not 0 < at < len(program.order):
        return None
    before = program.chain(program[program.order[at - 1]].block)
    after = program.chain(program[program.order[at]].block)
    shared = [a for a, b in zip(before, after, strict=False) if a == b]
    return shared[-1] if shared else None


def _given(options: dict[str, Operand]) -> tuple[tuple[str, Operand], ...]:
    """Options that differ from PyTorch's defaults (None, and False for create_graph and allow_unused)."""
    defaults = {"create_graph": False, "allow_unused": False}
    return tuple((key, value) for key, value in options.items() if value is not defaults.get(key))


def _changes_gradient(statement: Statement) -> bool:
    first = statement.operands[0] if statement.operands else None
    return statement.kind is Kind.OP and isinstance(first, Ref) and first.path == ("grad",) and statement.targets == ()
