"""The ways to mend an error, each an edit that a button makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from math import prod

from chalkgrad.engine.record import OPS
from chalkgrad.program import building, edits, rewiring
from chalkgrad.program.removing import ACTS_ON_ONE, remove
from chalkgrad.program.sheet import Draft
from chalkgrad.program.statement import DIFFERENTIATING, Dtype, Kind, Ref, Statement
from chalkgrad.session.mending.case import (
    Case,
    above,
    cuts,
    dry_leaves,
    gradient_holders,
    gradient_of,
    gradient_without_graph,
    modes_above,
    spelled,
    under_inference,
    whole_numbers,
    writers,
)
from chalkgrad.session.mending.remedy import Remedy, dropping, giving
from chalkgrad.session.mending.repairs import (
    appending,
    cloned_before,
    instead,
    out_of_place,
    passing,
    reconnecting,
    reducing,
    through,
    unwrapping,
    whole_line,
    with_ones,
)
from chalkgrad.text import Text

CONVERSIONS = frozenset(name for name in OPS if name.startswith("to_"))
"""Operators that give the same numbers in another dtype."""
MOST_LEAVES = 3
"""So many leaves are offered to require grad; more would be a list to search."""


def last_resort(case: Case, is_helped: bool) -> Iterator[Remedy]:
    """Lines that only act can simply go; where nothing else helps, so can a gradient or a write that nobody reads."""
    acts, program = case.statement.kind in ACTS_ON_ONE, case.program
    unread = not program.users.get(case.statement.id) and (
        case.statement.kind is Kind.GRAD or program.writes(case.statement)
    )
    if (acts or (unread and not is_helped)) and not case.problem.warning:
        id_ = case.statement.id
        yield Remedy(Text("remedy.take_out", line=case.line(id_)), lambda sheet: remove(sheet, [id_]).change)


def _keep_buffers(case: Case) -> Iterator[Remedy]:
    freer = case.at_fault(0)
    if freer is not None and case.program[freer].kind in DIFFERENTIATING:
        yield giving(case, freer, "retain_graph", True)
    root = case.root()
    if root is not None:
        at = case.program.positions[case.statement.id]
        yield Remedy(
            Text("remedy.run_again", line=case.line(case.statement.id)),
            lambda sheet: building.append(sheet, building.again(root), at).change,
        )


def _out_of_place(case: Case) -> Iterator[Remedy]:
    found = [id_ for id_ in writers(case) if case.program.writes(case.program[id_])] or [case.statement.id]
    calls = [case.program[id_].call.removesuffix("_") for id_ in found if case.program[id_].call.endswith("_")]
    if len(calls) == len(found) and all(call in OPS for call in calls):
        yield Remedy(
            Text("remedy.out_of_place", line=case.lines(found), call=", ".join(dict.fromkeys(calls))),
            lambda sheet: out_of_place(sheet, found),
        )


def _save_a_clone(case: Case) -> Iterator[Remedy]:
    yield from _out_of_place(case)
    found, saver, program = writers(case), case.at_fault(1), case.program
    target = program[found[-1]].operands[0] if found and program[found[-1]].operands else None
    if saver is None or not isinstance(target, Ref):
        return
    made = program.maker(target)
    if made in {program.maker(ref) for part in whole_line(program, saver) for ref in program[part].refs()}:
        yield Remedy(
            Text("remedy.clone_first", line=case.line(saver), name=case.owner(made)),
            lambda sheet: through(sheet, saver, made, "clone"),
        )
    elif program.is_inline(made.statement):
        yield Remedy(
            Text("remedy.clone_first", line=case.line(found[-1]), name=case.owner(made)),
            lambda sheet: through(sheet, found[-1], made, "clone"),
        )
    else:
        yield Remedy(
            Text("remedy.clone_before", line=case.line(found[0]), name=case.name(made)),
            lambda sheet: cloned_before(sheet, found[0], made),
        )
    failed = case.statement.id
    yield Remedy(
        Text("remedy.move_after", line=case.lines(found), after=case.line(failed)),
        lambda sheet: edits.move(sheet.program, found, sheet.program.positions[failed] + 1),
    )


def _under_no_grad(case: Case) -> Iterator[Remedy]:
    id_ = case.statement.id
    yield Remedy(
        Text("remedy.wrap_no_grad", line=case.line(id_)),
        lambda sheet: edits.wrap(sheet.program, [id_], block=Draft(sheet).new_id()),
    )
    yield from _out_of_place(case)


def _make_a_graph(case: Case) -> Iterator[Remedy]:
    root = case.without_graph()
    if root is None or ((made := gradient_of(case, root)) is not None and made.option("create_graph") is True):
        return
    graphless = gradient_without_graph(case, root)
    if graphless is not None:
        yield giving(case, graphless, "create_graph", True)
        return
    for block in modes_above(case, root):
        mode = case.program.blocks[block].mode
        yield Remedy(Text("remedy.unwrap", mode=mode), unwrapping(block))
    whole = whole_numbers(case, root)
    if whole is not None and whole.call in CONVERSIONS:
        text = Text("remedy.take_out_call", call=spelled(whole), line=case.line(whole.id))
        yield Remedy(text, reconnecting(whole.id))
    for id_ in cuts(case, root):
        yield Remedy(Text("remedy.take_out_call", call="detach", line=case.line(id_)), reconnecting(id_))
    for leaf in list(dry_leaves(case, root))[:MOST_LEAVES]:
        yield giving(case, leaf.id, "requires_grad", True)


def _weights(case: Case) -> Iterator[Remedy]:
    root = case.root()
    shape = None if root is None else case.shape(root)
    if root is None or shape is None:
        return
    id_ = case.statement.id
    option = "grad_outputs" if case.statement.kind is Kind.GRAD else "gradient"
    text = f"torch.ones({', '.join(str(size) for size in shape) or '()'})"
    yield Remedy(
        Text("remedy.pass_weights", option=option, text=text, line=case.line(id_)),
        lambda sheet: with_ones(sheet, id_, option, shape),
    )


def _one_number(case: Case) -> Iterator[Remedy]:
    root = case.not_scalar()
    if root is not None:
        id_ = case.statement.id
        for call in ("sum", "mean"):
            yield Remedy(Text("remedy.reduce_first", call=call, name=case.owner(root)), reducing(id_, root, call))
    if len(case.roots()) == 1:
        yield from _weights(case)


def _allow_unused(case: Case) -> Iterator[Remedy]:
    yield giving(case, case.statement.id, "allow_unused", True)


def _ask_for_leaves(case: Case) -> Iterator[Remedy]:
    """Where no inputs are given: all of them, or the leaves above the root."""
    id_ = case.statement.id
    if case.statement.kind is Kind.BACKWARD:
        yield dropping(case, id_, "inputs")
        return
    above_root = {leaf.id: leaf for root in case.roots() for leaf in reversed(above(case, root))}
    leaves = [leaf for leaf in above_root.values() if leaf.kind is Kind.LEAF and leaf.name and _requires(case, leaf)]
    if leaves:
        yield Remedy(
            Text("remedy.ask_for", names=", ".join(leaf.name for leaf in leaves), line=case.line(id_)),
            lambda sheet: edits.put(
                sheet.program,
                replace(
                    sheet.program[id_],
                    operands=(sheet.program[id_].operands[0], tuple(Ref(leaf.id) for leaf in leaves)),
                ),
            ),
        )


def _requires(case: Case, leaf: Statement) -> bool:
    tensor = case.state.tensor(leaf.id)
    return tensor is not None and tensor.requires_grad


def _drop_weights(case: Case) -> Iterator[Remedy]:
    option = "grad_outputs" if case.statement.kind is Kind.GRAD else "gradient"
    if all(case.shape(root) is not None and prod(case.shape(root) or ()) == 1 for root in case.roots()):
        yield dropping(case, case.statement.id, option, "grad_tensors" if option == "gradient" else option)


def _optimize_leaves(case: Case) -> Iterator[Remedy]:
    """The leaves that an intermediate was computed from, in its place."""
    root, id_ = case.root(lambda tensor: not tensor.is_leaf), case.statement.id
    if root is None:
        return
    for leaf in above(case, root):
        if leaf.kind is Kind.LEAF and leaf.name and _requires(case, leaf):
            yield Remedy(Text("remedy.optimize", name=leaf.name, line=case.line(id_)), instead(id_, root, Ref(leaf.id)))


def _after_a_backward(case: Case) -> Iterator[Remedy]:
    here, id_ = case.program.positions[case.statement.id], case.statement.id
    later = (case.program[other] for other in case.program.order[here:])
    backward = next((statement for statement in later if statement.kind is Kind.BACKWARD), None)
    if backward is not None:
        yield Remedy(
            Text("remedy.move_after", line=case.line(id_), after=case.line(backward.id)),
            lambda sheet: edits.move(sheet.program, [id_], sheet.program.positions[backward.id] + 1),
        )


def _outside_inference(case: Case) -> Iterator[Remedy]:
    """Made where versions are counted, or used as a copy that was."""
    found = under_inference(case)
    if found is None:
        return
    ref, _, block = found
    yield Remedy(Text("remedy.unwrap", mode="inference_mode"), unwrapping(block))
    if case.statement.kind is Kind.OP:
        made, id_ = case.program.maker(ref), case.statement.id
        text = Text("remedy.clone_first", line=case.line(id_), name=case.owner(made))
        yield Remedy(text, passing(id_, made, "clone"))


def _floats(case: Case) -> Iterator[Remedy]:
    id_ = case.statement.id
    if case.statement.kind is Kind.LEAF:
        yield giving(case, id_, "dtype", Dtype("float32"))
        yield dropping(case, id_, "requires_grad")
        return
    root = case.root()
    if root is not None:
        yield Remedy(Text("remedy.convert", call="float", name=case.owner(root)), passing(id_, root, "to_float"))


def _detached(case: Case) -> Iterator[Remedy]:
    root, id_ = case.root(), case.statement.id
    if case.at_fault(0) is not None and case.program[case.problem.at_fault[0]].call == "detach_":
        id_ = case.problem.at_fault[0]
        first = case.program[id_].operands[0]
        root = first if isinstance(first, Ref) else None
    if root is not None:
        wanted = root
        yield Remedy(
            Text("remedy.detach", name=case.owner(root), line=case.line(id_)),
            lambda sheet: edits.put(
                sheet.program,
                replace(building.detach(sheet.program, wanted), id=id_, block=sheet.program[id_].block),
            ),
        )


def _keep_grad(case: Case) -> Iterator[Remedy]:
    for ref in case.statement.refs():
        if "grad" not in ref.path:
            continue
        kept, here = replace(ref, path=()), case.program.positions[case.statement.id]
        before = [s.id for s in case.program if s.kind is Kind.BACKWARD and case.program.positions[s.id] < here]
        if before:
            at = case.program.positions[before[-1]]
            yield Remedy(
                Text("remedy.retain_grad", name=case.owner(kept), line=case.line(before[-1])),
                appending(building.method(kept, "retain_grad"), at),
            )
        return


def _fit_matrices(case: Case) -> Iterator[Remedy]:
    id_ = case.statement.id
    refs = [operand for operand in case.statement.ports() if isinstance(operand, Ref)]
    shapes = [case.shape(ref) for ref in refs]
    if len(refs) != 2 or any(shape is None or len(shape) != 2 for shape in shapes):
        return
    (left, right), (rows, inner), (outer, columns) = refs, shapes[0] or (), shapes[1] or ()
    if columns == rows:
        yield Remedy(Text("remedy.swap", line=case.line(id_)), lambda sheet: rewiring.swap_inputs(sheet.program, id_))
    if inner == columns:
        yield Remedy(Text("remedy.transpose", name=case.name(right)), passing(id_, right, "t"))
    if rows == outer:
        yield Remedy(Text("remedy.transpose", name=case.name(left)), passing(id_, left, "t"))


def _reshape(case: Case) -> Iterator[Remedy]:
    old = case.statement
    if old.call == "view":
        options = tuple(("shape" if name == "size" else name, value) for name, value in old.options)
        new = replace(old, call="reshape", options=options)
        yield Remedy(Text("remedy.reshape", line=case.line(old.id)), lambda sheet: edits.put(sheet.program, new))


def _clone_target(case: Case) -> Iterator[Remedy]:
    yield from _out_of_place(case)
    root, id_ = case.root(), case.statement.id
    if root is not None:
        made = case.program.maker(root)
        yield Remedy(
            Text("remedy.clone_first", line=case.line(id_), name=case.owner(made)),
            passing(id_, made, "clone"),
        )


def _drop_unused(case: Case) -> Iterator[Remedy]:
    yield dropping(case, case.statement.id, "allow_unused")


def _forget_grads(case: Case) -> Iterator[Remedy]:
    """After ``create_graph=True``: the gradients that hold the graph set to None in the next line."""
    at = case.program.positions[case.statement.id] + 1
    holders = gradient_holders(case)
    if holders:
        names = ", ".join(f"{statement.name}.grad" for statement in holders)
        lines = [replace(building.grad_to_none(Ref(statement.id)), id=-n) for n, statement in enumerate(holders, 1)]
        yield Remedy(
            Text("remedy.grads_to_none", names=names),
            lambda sheet: building.append_all(sheet, lines, at).change,
        )


REMEDIES: Mapping[str, Callable[[Case], Iterator[Remedy]]] = {
    "second_backward": _keep_buffers,
    "inplace_saved": _save_a_clone,
    "inplace_leaf": _under_no_grad,
    "view_of_leaf_inplace": _under_no_grad,
    "no_requires_grad": _make_a_graph,
    "retain_grad_no_grad": _make_a_graph,
    "not_scalar": _one_number,
    "gradient_shape": _weights,
    "gradient_type": _weights,
    "not_iterable": _weights,
    "unused_input": _allow_unused,
    "unused_materialize": _drop_unused,
    "input_no_requires_grad": _make_a_graph,
    "hook_no_grad": _make_a_graph,
    "no_inputs": _ask_for_leaves,
    "gradient_count": _drop_weights,
    "optimizer_nonleaf": _optimize_leaves,
    "grad_none_zero": _after_a_backward,
    "inference_saved": _outside_inference,
    "inference_inplace": _outside_inference,
    "inference_requires_grad": _outside_inference,
    "int_requires_grad": _floats,
    "mean_int": _floats,
    "pow_int_negative": _floats,
    "nonleaf_requires_grad_false": _detached,
    "detach_inplace_saved": _detached,
    "detach_view": _detached,
    "nonleaf_grad": _keep_grad,
    "matmul_shape": _fit_matrices,
    "view_stride": _reshape,
    "multi_view_inplace": _clone_target,
    "no_grad_view_inplace": _out_of_place,
    "overlap_inplace": _clone_target,
    "inplace_broadcast": _out_of_place,
    "inplace_cast": _out_of_place,
    "create_graph_cycle": _forget_grads,
}
