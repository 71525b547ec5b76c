"""Where a result has no history, and why: what stands between a tensor and the gradients that it doesn't get."""

from __future__ import annotations

from chalkgrad.program import edits
from chalkgrad.program.statement import Dtype, Kind, Ref, Statement
from chalkgrad.session.mending import cutting
from chalkgrad.session.mending.case import spelled, whole_leaves
from chalkgrad.session.mending.remedies import MOST_LEAVES
from chalkgrad.session.mending.remedy import Remedy, asking_floats, giving
from chalkgrad.session.mending.repairs import Edit, reconnecting, unwrapping
from chalkgrad.session.mending.second_order import is_constant, outcome, since
from chalkgrad.session.mending.switching import taking_out
from chalkgrad.session.reasons.subject import Parts, Subject, can_require, named
from chalkgrad.session.state import TensorState
from chalkgrad.text import Text

CUTTING = frozenset({"data", "grad"})
"""Attributes that are tensors without the history of what they are read from."""


def is_cut(subject: Subject, statement: Statement) -> bool:
    """True for a line that read something that requires grad, or was asked for gradients when it was too late."""
    if statement.kind in (Kind.GRAD, Kind.ALIAS):
        return True
    required = any(tensor.requires_grad for _, tensor in subject.inputs(statement))
    return required or subject.asked_late(statement) is not None


def cut(subject: Subject, statement: Statement, result: TensorState) -> Parts:
    """Why what a line computed has no history though something that it read requires grad."""
    yield statement.id
    line = subject.line(statement.id)
    made = Subject.of(subject.sheet, subject.trace, subject.state, Ref(statement.id))
    since = None if made is None or result.requires_grad else _switched_off(made)
    if made is not None and since is not None:
        yield since
        yield Text("why.cut.off", line=subject.line(since), call=spelled(subject.program[since]), name=made.called)
        yield from taking_out(subject, since, _last_backward(subject))
        return
    block, gradient = subject.mode_off(statement), _gradient(subject, statement)
    late = None if gradient is not None else _late(subject, statement, result)
    if late is not None:
        yield from _asked_too_late(subject, statement, *late)
    elif block is not None:
        mode = subject.program.blocks[block].mode
        yield Text("why.cut.mode", line=line, mode=mode)
        yield Remedy(Text("remedy.unwrap", mode=mode), unwrapping(block))
    elif statement.call == "detach":
        yield Text("why.cut.detach", line=line)
        yield Remedy(Text("remedy.take_out_call", call="detach", line=line), reconnecting(statement.id))
    elif not can_require(result):
        yield Text("why.cut.integer", line=line, call=spelled(statement), dtype=result.dtype)
    elif any("data" in ref.path for ref in statement.refs()):
        yield Text("why.cut.data", line=line)
    elif gradient is not None and gradient.option("create_graph") is True:
        yield Text("why.cut.constant", line=line)
    elif gradient is not None and is_constant(subject, gradient, statement):
        yield Text("why.cut.constant_anyway", line=line)
    elif gradient is not None:
        yield Text("why.cut.gradient", line=line)
        yield from _recording(subject, gradient)
    else:
        yield Text("why.cut.other", line=line, call=spelled(statement))


def _recording(subject: Subject, gradient: Statement) -> Parts:
    """``create_graph=True`` for a gradient; what cuts off from its graph what is asked about has to go as well."""
    cut_off = since(subject, subject.ref, gradient, subject.made_by.id)
    if not cut_off:
        yield giving(subject, gradient.id, "create_graph", True)
        return

    def helps(edit: Edit) -> bool:
        if subject.made_by.call == "detach":
            return True  # it goes itself, and what read it reads the gradient
        found = outcome(subject, edit, subject.made_by.id)
        tensor = None if found is None else found.tensor(subject.ref)
        return tensor is not None and tensor.requires_grad

    yield from cutting.told(subject, subject.ref, cut_off)
    yield from cutting.mended(subject, gradient, cut_off, helps)


def _gradient(subject: Subject, statement: Statement) -> Statement | None:
    """The line whose backward worked out the gradient that a line takes; None for one that takes none."""
    if statement.kind is Kind.GRAD:
        return statement
    if not any("grad" in ref.path for ref in statement.refs()):
        return None
    here = subject.program.positions[statement.id]
    ran = subject.ran(Kind.BACKWARD)
    return next((line for line in reversed(ran) if subject.program.positions[line.id] < here), None)


def _late(subject: Subject, statement: Statement, result: TensorState) -> tuple[Subject, int] | None:
    """What was asked for gradients only after a line had read it, and the line that asked; None where none was."""
    in_time = any(tensor.requires_grad for _, tensor in subject.inputs(statement))
    if in_time and not result.requires_grad:  # something else has cut it
        return None
    late = subject.asked_late(statement)
    since = None if late is None else late.changed("requires_grad")
    return None if late is None or since is None else (late, since)


def _asked_too_late(subject: Subject, statement: Statement, late: Subject, since: int) -> Parts:
    line, asking = subject.line(statement.id), subject.line(since)
    yield since
    call = spelled(subject.program[since])
    yield Text("why.cut.late", line=line, input=late.called, since=asking, call=call)
    at = subject.program.positions[statement.id]
    text = Text("remedy.move_before", line=asking, before=line)
    yield Remedy(text, lambda sheet: edits.move(sheet.program, [since], at))


def first_cut(subject: Subject, root: int) -> tuple[Statement, TensorState] | None:
    """The first line on the way from the tensor asked about to line ``root`` that its history does not pass."""
    program = subject.program
    reached = {subject.ref.statement}
    between = program.dependents(subject.ref.statement) & (program.needs(root) | {root})
    for statement in program:
        result = next((tensor for tensor in subject.state.statement(statement.id).outputs if tensor), None)
        if statement.id not in between or statement.kind not in (Kind.OP, Kind.ALIAS, Kind.GRAD) or result is None:
            continue
        read = [ref for ref in statement.refs() if program.maker(ref).statement in reached]
        if read and (not result.requires_grad or all(_is_passed_by(subject, statement, ref) for ref in read)):
            return statement, result
        reached.add(statement.id)
    return None


def _is_passed_by(subject: Subject, statement: Statement, ref: Ref) -> bool:
    """True where a line that has a history recorded nothing of one of the tensors that it read."""
    then = [tensor for read, tensor in subject.inputs(statement) if read == ref]
    return bool(CUTTING.intersection(ref.path)) or not any(tensor.requires_grad for tensor in then)


def not_required(subject: Subject) -> Parts:
    """Why a tensor doesn't require grad, and how it can be made to."""
    made, name = subject.made_by, subject.called
    line = subject.line(made.id)
    yield made.id
    if not can_require(subject.asked):
        yield Text("why.requires.integer", name=name, dtype=subject.asked.dtype)
        if made.kind is Kind.LEAF:
            yield giving(subject, made.id, "dtype", Dtype("float32"))
        return
    since = _switched_off(subject)
    if since is not None:
        yield since
        call = spelled(subject.program[since])
        yield Text("why.requires.off", line=subject.line(since), call=call)
        yield from taking_out(subject, since, _last_backward(subject))
        return
    if made.kind is Kind.LEAF:
        yield Text("why.requires.not_asked", name=name, line=line)
        yield giving(subject, made.id, "requires_grad", True)
        return
    if is_cut(subject, made):
        yield from cut(subject, made, subject.asked)
        return
    read = named(subject.name(ref) for ref, _ in subject.inputs(made))
    yield Text("why.requires.inputs", name=name, line=line, inputs=read or spelled(made))
    yield from _dry(subject, made)


def _dry(subject: Subject, made: Statement) -> Parts:
    """The leaves above that could require grad; where one does, what cuts the way to it."""
    program = subject.program
    above = [program[id_] for id_ in program.order if id_ in program.needs(made.id)]
    for leaf in (statement for statement in above if statement.kind is Kind.LEAF):
        found = Subject.of(subject.sheet, subject.trace, subject.state, Ref(leaf.id))
        if found is not None and found.asked.requires_grad:
            block = first_cut(found, made.id)
            if block is not None:
                yield from cut(subject, *block)
                return
    offered = 0
    for leaf in reversed(above):
        tensor = subject.state.tensor(leaf.id)
        if leaf.kind is Kind.LEAF and leaf.name and tensor is not None and can_require(tensor):
            yield leaf.id
            yield giving(subject, leaf.id, "requires_grad", True)
            offered += 1
            if offered == MOST_LEAVES:
                return
    if not offered:
        for leaf in list(whole_leaves(subject, subject.ref))[:MOST_LEAVES]:
            yield leaf.id
            yield asking_floats(subject, leaf.id)


def _last_backward(subject: Subject) -> int | None:
    """The backward that ran last."""
    ran = subject.ran(Kind.BACKWARD, Kind.GRAD)
    return ran[-1].id if ran else None


def _switched_off(subject: Subject) -> int | None:
    """The line that took requires_grad away again: ``detach_()``, ``requires_grad_(False)``."""
    history = subject.history
    for (_, before), (line, after) in zip(history[-2::-1], history[:0:-1], strict=False):
        if before.requires_grad and not after.requires_grad:
            return line if line is not None and line != subject.made_by.id and subject.is_there(line) else None
    return None
