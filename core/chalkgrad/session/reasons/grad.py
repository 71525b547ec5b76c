"""Why the ``.grad`` of a tensor is None."""

from __future__ import annotations

from collections import defaultdict

from chalkgrad.program import edits
from chalkgrad.program.building import backward, method
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.session import mending
from chalkgrad.session.events import EventKind, NodeRecord
from chalkgrad.session.mending.case import spelled
from chalkgrad.session.mending.remedy import Remedy
from chalkgrad.session.mending.repairs import Edit, appending
from chalkgrad.session.reasons.cuts import cut, first_cut, not_required
from chalkgrad.session.reasons.flags import no_leaf
from chalkgrad.session.reasons.subject import Parts, Reason, Subject, acts_on, collect
from chalkgrad.session.state import Status
from chalkgrad.text import Text


def why_no_grad(subject: Subject) -> Reason:
    """Why there is no gradient; nothing to say where there is one."""
    return Reason() if subject.asked.grad is not None else collect(subject, _parts(subject))


def _parts(subject: Subject) -> Parts:
    tensor, name = subject.asked, subject.called
    if not tensor.requires_grad:
        yield Text("why.grad.not_required", name=name)
        yield from not_required(subject)
        return
    if not tensor.is_leaf and not tensor.retains_grad:
        yield from _intermediate(subject)
        return
    ran = subject.ran(Kind.BACKWARD)
    if not ran:
        yield from _no_backward(subject)
        return
    emptied = _emptied(subject)
    if emptied is not None:
        yield emptied
        yield Text("why.grad.emptied", name=name, line=subject.line(emptied))
        return
    reached = [statement for statement in ran if _reaches(subject, statement)]
    yield from _after(subject, reached[-1]) if reached else _not_reached(subject, ran[-1])


def _intermediate(subject: Subject) -> Parts:
    yield from no_leaf(subject, brief=True)
    yield Text("why.grad.only_leaves")
    program, name = subject.program, subject.called
    here = program.positions[subject.made_by.id]
    later = (program[id_] for id_ in program.order[here + 1 :])
    first = next((statement for statement in later if statement.kind is Kind.BACKWARD), None)
    if first is None:
        text, at = Text("remedy.append", text=f"{name}.retain_grad()"), len(program.order)
    else:
        text, at = Text("remedy.retain_grad", name=name, line=subject.line(first.id)), program.positions[first.id]
    yield Remedy(text, appending(method(subject.ref, "retain_grad"), at))


def _no_backward(subject: Subject) -> Parts:
    program, name = subject.program, subject.called
    to_come = next((line for line in program if line.kind is Kind.BACKWARD), None)
    if to_come is not None:
        yield to_come.id
        yield Text("why.grad.to_come", line=subject.line(to_come.id))
        return
    returned = subject.ran(Kind.GRAD)
    if returned:
        yield returned[-1].id
        yield Text("why.grad.returned", line=subject.line(returned[-1].id), name=name)
    else:
        yield Text("why.grad.no_backward", name=name)
    root = _result(subject)
    if root is not None:
        text = Text("remedy.append", text=f"{subject.name(root)}.backward()")
        yield Remedy(text, appending(backward(root), len(program.order)))


def _result(subject: Subject) -> Ref | None:
    """The last result that was computed from the tensor."""
    program = subject.program
    made = program.dependents(subject.ref.statement) | {subject.ref.statement}
    found = (program[id_] for id_ in reversed(program.order) if id_ in made and program[id_].kind is Kind.OP)
    roots = (program.maker(Ref(statement.id)) for statement in found if not program.is_inline(statement.id))
    return next((root for root in roots if (tensor := subject.tensor(root)) and tensor.requires_grad), None)


def _emptied(subject: Subject) -> int | None:
    """The line that took the gradient away that there was."""
    history = subject.history
    for (_, before), (line, after) in zip(history[-2::-1], history[:0:-1], strict=False):
        if before.grad is not None and after.grad is None:
            return line if subject.is_there(line) else None
    return None


def _reaches(subject: Subject, line: Statement) -> bool:
    """True where recorded nodes lead from the roots of a backward to the tensor."""
    trace = subject.trace
    began = (event for event in trace.events if event.statement == line.id)
    roots = {number for event in began if event.kind is EventKind.BACKWARD_BEGAN for number in event.tensors}
    made = defaultdict(list)
    for record in trace.nodes:
        for output in record.outputs:
            made[output].append(record)
    seen, pending = set(roots), list(roots)
    while pending:
        for record in made.get(pending.pop(), ()):
            new = _passed_on(record) - seen
            seen |= new
            pending += new
    return subject.asked.number in seen


def _passed_on(record: NodeRecord) -> set[int | None]:
    """The inputs of a node to which its gradients go: not those that required none when it was recorded."""
    if len(record.inputs) != len(record.edges):
        return set(record.inputs)
    return {number for number, edge in zip(record.inputs, record.edges, strict=True) if edge is not None}


def _not_reached(subject: Subject, line: Statement) -> Parts:
    """The last backward did not come by: the way is cut, there is none, or it failed at once."""
    name, number = subject.called, subject.line(line.id)
    yield line.id
    roots = [ref for ref in _members(line.operands[:1]) if isinstance(ref, Ref)]
    for root in roots:
        block = first_cut(subject, subject.program.maker(root).statement)
        if block is not None:
            yield Text("why.grad.cut", line=number, name=name, root=subject.name(root))
            yield from cut(subject, *block)
            return
    if subject.state.statement(line.id).status is Status.FAILED:
        yield from _failed(subject, line)
        return
    yield Text("why.grad.no_path", line=number, name=name, root=", ".join(subject.name(root) for root in roots))


def _after(subject: Subject, line: Statement) -> Parts:
    """A backward came by, and yet there is nothing."""
    name, number = subject.called, subject.line(line.id)
    yield line.id
    if subject.state.statement(line.id).status is Status.FAILED:
        yield from _failed(subject, line)
        return
    if subject.state.inside and subject.state.line == line.id:
        yield Text("why.grad.under_way", line=number, name=name)
        return
    members = [ref for ref in _members((line.option("inputs"),)) if isinstance(ref, Ref)]
    made = [subject.program.maker(ref) for ref in members]
    if made and subject.ref not in made:
        yield Text("why.grad.not_among", line=number, name=name, inputs=", ".join(map(subject.name, members)))
        everything = subject.program[line.id].without_option("inputs")
        yield Remedy(
            Text("remedy.drop_option", option="inputs", line=number),
            lambda sheet: edits.put(sheet.program, everything),
        )
        return
    for kept in subject.ran(Kind.ATTRIBUTE):
        later = subject.program.positions[kept.id] > subject.program.positions[line.id]
        if later and kept.call in ("retain_grad", "requires_grad_") and acts_on(subject.program, kept, subject.ref):
            yield kept.id
            yield Text("why.grad.too_late", line=subject.line(kept.id), backward=number, call=spelled(kept))
            text = Text("remedy.move_before", line=subject.line(kept.id), before=number)
            yield Remedy(text, _moving(kept.id, subject.program.positions[line.id]))
            return
    yield Text("why.grad.none_came", line=number, name=name)


def _failed(subject: Subject, line: Statement) -> Parts:
    problem = subject.state.statement(line.id).problem
    yield Text("why.grad.failed", line=subject.line(line.id), name=subject.called)
    if problem is not None:
        yield from mending.story(problem, subject.sheet, subject.state)
        yield from mending.remedies(problem, subject.sheet, subject.state)


def _moving(id_: int, at: int) -> Edit:
    """Move a line to place ``at``."""
    return lambda sheet: edits.move(sheet.program, [id_], at)


def _members(operands: tuple[object, ...]) -> list[object]:
    return [member for operand in operands for member in (operand if isinstance(operand, tuple) else (operand,))]
