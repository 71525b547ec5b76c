"""Why a tensor is a leaf or none, and why it requires grad or doesn't."""

from __future__ import annotations

from dataclasses import replace

from chalkgrad.program import building
from chalkgrad.program.change import Change
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad.program.statement import Kind, Ref
from chalkgrad.session.mending.case import spelled
from chalkgrad.session.mending.remedy import Remedy
from chalkgrad.session.reasons.cuts import cut, is_cut, not_required
from chalkgrad.session.reasons.subject import Parts, Reason, Subject, collect, named
from chalkgrad.text import Text


def why_leaf(subject: Subject) -> Reason:
    """Why a tensor is a leaf, or why it is none."""
    return collect(subject, _leaf(subject) if subject.asked.is_leaf else _not_a_leaf(subject))


def why_requires_grad(subject: Subject) -> Reason:
    """Why a tensor requires grad, or why it doesn't."""
    return collect(subject, _required(subject) if subject.asked.requires_grad else not_required(subject))


def _leaf(subject: Subject) -> Parts:
    made, name = subject.made_by, subject.called
    line = subject.line(made.id)
    yield made.id
    if made.kind is Kind.LEAF:
        yield Text("why.leaf.made", name=name, line=line)
        return
    since = subject.changed("grad_fn")
    if since is not None:
        yield since
        yield Text("why.leaf.cut_off", name=name, line=subject.line(since), call=spelled(subject.program[since]))
    elif is_cut(subject, made):
        yield from cut(subject, made, subject.asked)
        yield Text("why.leaf.without_history", name=name)
    else:
        read = named(subject.name(ref) for ref, _ in subject.inputs(made))
        yield Text("why.leaf.nothing_to_record", name=name, line=line, inputs=read or spelled(made))
    switched = subject.changed("requires_grad")
    if subject.asked.requires_grad and switched is not None:
        yield switched
        yield Text("why.leaf.asked_since", name=name, line=subject.line(switched))


def no_leaf(subject: Subject, brief: bool = False) -> Parts:
    """Why a tensor is no leaf; in ``brief`` only who made it so."""
    made, name, grad_fn = subject.made_by, subject.called, subject.asked.grad_fn or ""
    line = subject.line(made.id)
    yield made.id
    since = subject.changed("is_leaf")
    if since is not None:
        call = spelled(subject.program[since])
        yield since
        yield Text("why.nonleaf.written", name=name, line=subject.line(since), made=line, call=call)
        return
    if brief:
        yield Text("why.nonleaf.intermediate", name=name, line=line, call=spelled(made))
    else:
        read = subject.requiring(made) or spelled(made)
        yield Text("why.nonleaf.computed", name=name, line=line, call=spelled(made), inputs=read, grad_fn=grad_fn)
    before = subject.program.named(made.name, subject.program.positions[made.id]) if made.name else None
    if before is not None and subject.program[before.statement].kind is Kind.LEAF:
        yield before.statement
        yield Text("why.nonleaf.rebound", name=name, line=subject.line(before.statement), own=line)


def _not_a_leaf(subject: Subject) -> Parts:
    yield from no_leaf(subject)
    yield Remedy(Text("remedy.new_leaf", name=subject.called), lambda sheet: _new_leaf(sheet, subject.ref))


def _required(subject: Subject) -> Parts:
    made, name = subject.made_by, subject.called
    line = subject.line(made.id)
    yield made.id
    since = subject.changed("requires_grad")
    if since is not None:
        yield since
        yield Text("why.requires.since", line=subject.line(since), call=spelled(subject.program[since]), name=name)
    elif made.kind is Kind.LEAF:
        key = "why.requires.asked" if made.option("requires_grad") is True else "why.requires.parameter"
        yield Text(key, name=name, line=line, call=spelled(made))
    else:
        inputs = subject.inputs(made)
        yield from (subject.program.maker(ref).statement for ref, tensor in inputs if tensor.requires_grad)
        read = subject.requiring(made) or spelled(made)
        yield Text("why.requires.computed", name=name, line=line, inputs=read)


def _new_leaf(sheet: Sheet, ref: Ref) -> Change:
    """A leaf with the same values that requires grad, at the end of the program."""
    draft = Draft(sheet)
    built = building.append(sheet, building.detach(sheet.program, ref), len(sheet.program.order))
    draft.apply(built.change)
    asking = replace(building.method(Ref(built.ids[0]), "requires_grad_"), id=0)
    draft.apply(building.append(draft.sheet, asking, len(draft.program.order)).change)
    return draft.change
