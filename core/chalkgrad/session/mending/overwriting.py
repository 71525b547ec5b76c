"""The ways to mend errors of writes in place: the program goes on to mean the same, or the button says what changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chalkgrad.engine.record import OPS
from chalkgrad.program import edits
from chalkgrad.program.change import Change
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.session.mending.case import MODES_OFF, Case, above, writers
from chalkgrad.session.mending.remedy import Remedy
from chalkgrad.session.mending.repairs import cloned_before, out_of_place, passing, through, unwrapping, whole_line
from chalkgrad.text import Text

ALONE = "_alone"
"""Ends the keys of what says that something stays as it is."""


def instead_of_saved(case: Case) -> Iterator[Remedy]:
    """Where a backward needs what was overwritten: a new tensor instead, a copy to save or to write into, or later."""
    new, others = list(anew(case)), [*_cloned(case), *_later(case)]
    keeps = not any(remedy.text.key.endswith(ALONE) for remedy in new)
    yield from (*new, *others) if keeps else (*others, *new)


def under_no_grad(case: Case) -> Iterator[Remedy]:
    """Where a leaf is written: unrecorded, or a new tensor instead."""
    yield _unrecorded(case)
    yield from anew(case)


def into_a_view(case: Case) -> Iterator[Remedy]:
    """Where a view was made unrecorded: written unrecorded, too, or made outside that block, or a new tensor."""
    yield _unrecorded(case)
    root = case.root()
    block = None if root is None else _only_block_off(case, case.program.maker(root).statement)
    if root is not None and block is not None and not _shows_leaf_outside(case, root, block):
        yield Remedy(Text("remedy.unwrap", mode=case.program.blocks[block].mode), unwrapping(block))
    yield from anew(case)


def _unrecorded(case: Case) -> Remedy:
    """The write is put under ``no_grad``."""
    id_ = case.statement.id
    return Remedy(
        Text("remedy.wrap_no_grad", line=case.line(id_)),
        lambda sheet: edits.wrap(sheet.program, [id_], block=Draft(sheet).new_id()),
    )


def _only_block_off(case: Case, line: int) -> int | None:
    """The one block around a line under which no graph is recorded; None where there are several, or none."""
    blocks = case.program.blocks
    found = [block for block in case.program.chain(case.program[line].block) if blocks[block].mode in MODES_OFF]
    return found[0] if len(found) == 1 else None


def _shows_leaf_outside(case: Case, root: Ref, block: int) -> bool:
    """True for what shows a leaf that requires grad: without ``block`` the write would be refused all the same."""
    memory = memory_of(case, root)
    for line in above(case, root):
        tensor = case.state.tensor(line.id)
        is_inside = line.kind is not Kind.LEAF and block in case.program.chain(line.block)
        is_shown = tensor is not None and memory_of(case, Ref(line.id)) == memory
        if is_shown and tensor is not None and not is_inside and tensor.is_leaf and tensor.requires_grad:
            return True
    return False


def into_a_copy(case: Case) -> Iterator[Remedy]:
    """Where a view can't be written: a new tensor instead, or a copy under the same name."""
    yield from anew(case)
    root, id_ = case.root(), case.statement.id
    if root is None:
        return
    made, others = case.program.maker(root), _others(case, [root])
    if _is_named(case, made) and _runs_with(case, id_, made):
        text = _kept("remedy.clone_before", others, name=case.name(made), line=case.line(id_))
        yield Remedy(text, lambda sheet: cloned_before(sheet, id_, made, case.statement.block))
    elif any(case.statement.targets):  # the result is what the line is for
        text = _kept("remedy.clone_first", others, name=case.owner(made), line=case.line(id_))
        yield Remedy(text, passing(id_, made, "clone"))


def anew(case: Case) -> Iterator[Remedy]:
    """A new tensor under the same name instead of the write; what shares the memory of the old one stays as it is."""
    program = case.program
    found = [id_ for id_ in writers(case) if program.writes(program[id_])] or [case.statement.id]
    calls = [program[id_].call.removesuffix("_") for id_ in found if program[id_].call.endswith("_")]
    if len(calls) == len(found) and all(call in OPS for call in calls) and all(_can_be_new(case, id_) for id_ in found):
        named = [ref for id_ in found if program[id_].name and (ref := _target(program[id_])) is not None]
        targets = [ref for id_ in found if (ref := _target(program[id_])) is not None]
        others = ", ".join(filter(None, (*map(case.name, named), _others(case, targets))))
        text = _kept("remedy.out_of_place", others, line=case.lines(found), call=", ".join(dict.fromkeys(calls)))
        yield Remedy(text, lambda sheet: out_of_place(sheet, found))


def _can_be_new(case: Case, writer: int) -> bool:
    """True where another tensor can stand for what a line writes into: it has a name, nothing is cut or repeated."""
    target = _target(case.program[writer])
    if target is None or target.path:
        return False
    made, tensor = case.program.maker(target), case.tensor(target)
    is_cut = tensor is not None and tensor.requires_grad and _is_unrecorded(case, writer)
    return _is_named(case, made) and not is_cut and _runs_with(case, writer, made)


def _cloned(case: Case) -> Iterator[Remedy]:
    """The operator saves a copy of what it was given; of what it made, all lines after it have a copy."""
    saver, found, program = case.at_fault(1), writers(case), case.program
    target = _target(program[found[-1]]) if found else None
    memory = None if target is None else memory_of(case, target)
    if saver is None or target is None or memory is None:
        return
    if _is_saved_often(case, memory) and not _others(case, [target]) and _can_be_new(case, found[0]):
        yield _copy_written(case, found[0], program.maker(target))
        return
    given, made = saved_there(case, saver, memory)
    if given:
        names = ".clone(), ".join(map(case.owner, given))
        text = Text("remedy.clone_first", line=case.line(saver), name=names)
        yield Remedy(text, lambda sheet: _through_all(sheet, saver, given))
        return
    if made is not None and _is_named(case, made):
        yield _copy_written(case, program.order[program.positions[saver] + 1], made)
    elif made is not None:
        reader = program.users[saver][0]
        text = Text("remedy.clone_first", line=case.line(reader), name=case.owner(made))
        yield Remedy(text, passing(reader, made, "clone"))


def saved_there(case: Case, saver: int, memory: int) -> tuple[list[Ref], Ref | None]:
    """What an operator was given that lies in a memory, and what it made that does."""
    program, line = case.program, whole_line(case.program, saver)
    read = dict.fromkeys(program.maker(ref) for part in line for ref in program[part].refs())
    given = [made for made in read if made.statement not in line and memory_of(case, made) == memory]
    outputs = (Ref(saver, place) for place in range(len(case.state.statement(saver).outputs)))
    return given, next((ref for ref in outputs if memory_of(case, ref) == memory), None)


def _copy_written(case: Case, before: int, made: Ref) -> Remedy:
    """A copy under the same name, in the block of the tensor: what is written from ``before`` on is the copy."""
    block = case.program[made.statement].block
    return Remedy(
        Text("remedy.clone_before", line=case.line(before), name=case.name(made)),
        lambda sheet: cloned_before(sheet, before, made, block),
    )


def _later(case: Case) -> Iterator[Remedy]:
    """The writes come after the backward, where nothing that is worked out until then hangs on them."""
    found, failed, program = writers(case), case.statement.id, case.program
    if not found or any(_loops(case, id_) != _loops(case, failed) for id_ in found):
        return
    moving = [part for id_ in found for part in whole_line(program, id_)]
    between = program.order[program.positions[found[0]] : program.positions[failed] + 1]
    written = {memory_of(case, target) for id_ in between if (target := _target(program[id_])) is not None}
    read = [ref for id_ in between if id_ not in moving for ref in program[id_].refs()]
    given = [ref for id_ in found for part in whole_line(program, id_) for ref in program[part].refs()]
    targets = {_target(program[id_]) for id_ in found}
    given = [ref for ref in given if ref not in targets]
    hang = any("grad" in ref.path for ref in given) or any(memory_of(case, ref) in written for ref in (*read, *given))
    blocks = {program[id_].block for id_ in found} - {program[failed].block}
    left = any(line.block in blocks and line.id not in moving for line in program)
    if not hang and not left:
        yield Remedy(
            Text("remedy.move_after", line=case.lines(found), after=case.line(failed)),
            lambda sheet: edits.move(sheet.program, moving, sheet.program.positions[failed] + 1),
        )


def _is_saved_often(case: Case, memory: int) -> bool:
    """True where operators of several lines saved what shows a memory, whoever is its ``grad_fn`` by now."""
    state = case.state
    savers = {
        record.statement
        for node, record in enumerate(state.nodes)
        if record.statement in case.program and _touches(case, record.statement, memory)
        for value in state.saved_by(node)
        if value.number is not None and state.memory(value.number) == memory
    }
    return len(savers) > 1


def _touches(case: Case, line: int, memory: int) -> bool:
    """True for a line that read or made what shows a memory."""
    made = (Ref(line, place) for place in range(len(case.state.statement(line).outputs)))
    return any(memory_of(case, ref) == memory for ref in (*case.program[line].refs(), *made))


def _is_named(case: Case, made: Ref) -> bool:
    targets = case.program[made.statement].targets
    return made.output < len(targets) and bool(targets[made.output])


def _is_unrecorded(case: Case, line: int) -> bool:
    """True for a line in a block under which no graph is recorded."""
    chain = case.program.chain(case.program[line].block)
    return any(case.program.blocks[block].mode in MODES_OFF for block in chain)


def _runs_with(case: Case, line: int, made: Ref) -> bool:
    """True for a line that runs once for each time that a tensor is made."""
    return _loops(case, line) == _loops(case, made.statement)


def _loops(case: Case, line: int) -> list[int]:
    blocks = case.program.blocks
    return [block for block in case.program.chain(case.program[line].block) if blocks[block].is_loop]


def memory_of(case: Case, ref: Ref) -> int | None:
    """Tells tensors that share their memory from all others; None where there is no tensor."""
    tensor = case.tensor(ref)
    if tensor is not None and "grad" in ref.path:
        tensor = tensor.grad
    return None if tensor is None else case.state.memory(tensor.number)


def _others(case: Case, targets: Sequence[Ref]) -> str:
    """The names of what shares the memory of ``targets``, and is none of them."""
    program = case.program
    memories = {memory_of(case, target) for target in targets}
    known = {case.name(target) for target in targets}
    made = (Ref(line.id, place) for line in program for place, name in enumerate(line.targets) if name)
    names = dict.fromkeys(case.name(ref) for ref in made if memory_of(case, ref) in memories)
    return ", ".join(name for name in names if name not in known)


def _kept(key: str, others: str, **values: object) -> Text:
    """What a button says, with what stays as it is where the write would have changed it."""
    return Text(f"{key}{ALONE}", others=others, **values) if others else Text(key, **values)


def _target(writer: Statement) -> Ref | None:
    """What a line writes into."""
    first = writer.operands[0] if writer.call.endswith("_") and writer.operands else None
    return first if isinstance(first, Ref) else None


def _through_all(sheet: Sheet, saver: int, given: Sequence[Ref]) -> Change:
    draft = Draft(sheet)
    for made in given:
        draft.apply(through(draft.sheet, saver, made, "clone"))
    return draft.change
