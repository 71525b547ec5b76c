"""The ways to mend an error, each an edit that a button makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from math import prod

from chalkgrad.program import building, edits
from chalkgrad.program.removing import ACTS_ON_ONE, remove
from chalkgrad.program.statement import DIFFERENTIATING, Kind, Ref, Statement
from chalkgrad.session.mending import cutting, fitting, overwriting, updating
from chalkgrad.session.mending.case import (
    CONVERSIONS,
    Case,
    above,
    cuts,
    dry_leaves,
    gradient_holders,
    gradient_of,
    modes_above,
    spelled,
    under_inference,
    whole_leaves,
    whole_numbers,
    without_grad,
)
from chalkgrad.session.mending.remedy import Remedy, asking_floats, dropping, giving
from chalkgrad.session.mending.repairs import (
    appending,
    detached,
    instead,
    passing,
    reconnecting,
    reducing,
    unwrapping,
    whole_line,
    with_ones,
)
from chalkgrad.session.mending.second_order import helps, in_vain, since
from chalkgrad.session.mending.switching import switched_off, taking_out
from chalkgrad.text import Text

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


def _make_a_graph(case: Case) -> Iterator[Remedy]:
    root = case.without_graph()
    lost = updating.lost_above(case, root)
    if lost is not None:
        yield from updating.in_place(case, lost)
        return
    if root is None:
        return
    gradient = gradient_of(case, root)
    if gradient is not None:
        cut = since(case, root, gradient, case.statement.id)
        if cut:
            yield from cutting.mended(case, gradient, cut, partial(helps, case))
        elif gradient.option("create_graph") is not True and in_vain(case, root, gradient) is None:
            yield giving(case, gradient.id, "create_graph", True)
        return
    off = list(switched_off(case, root))
    for _, line in off[:MOST_LEAVES]:
        yield from taking_out(case, line, case.statement.id)
    for block in modes_above(case, root):
        mode = case.program.blocks[block].mode
        yield Remedy(Text("remedy.unwrap", mode=mode), unwrapping(block))
    whole = whole_numbers(case, root)
    if whole is not None and whole.call in CONVERSIONS:
        text = Text("remedy.take_out_call", call=spelled(whole), line=case.line(whole.id))
        yield Remedy(text, reconnecting(whole.id))
    for id_ in cuts(case, root):
        yield Remedy(Text("remedy.take_out_call", call="detach", line=case.line(id_)), reconnecting(id_))
    known = {made.id for made, _ in off}
    for leaf in [leaf for leaf in dry_leaves(case, root) if leaf.id not in known][:MOST_LEAVES]:
        yield giving(case, leaf.id, "requires_grad", True)
    for leaf in list(whole_leaves(case, root))[:MOST_LEAVES]:
        yield asking_floats(case, leaf.id)


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
            lambda sheet: edits.move(
                sheet.program, whole_line(sheet.program, id_), sheet.program.positions[backward.id] + 1
            ),
        )


def _outside_inference(case: Case) -> Iterator[Remedy]:
    """Made where versions are counted, or used as a copy that was."""
    found = under_inference(case)
    if found is None:
        return
    ref, _, block = found
    yield Remedy(Text("remedy.unwrap", mode="inference_mode"), unwrapping(block))
    if case.program.writes(case.statement):
        yield from overwriting.into_a_copy(case)
    elif case.statement.kind is Kind.OP:
        made, id_ = case.program.maker(ref), case.statement.id
        text = Text("remedy.clone_first", line=case.line(id_), name=case.owner(made))
        yield Remedy(text, passing(id_, made, "clone"))


def _detached(case: Case) -> Iterator[Remedy]:
    root, id_ = case.root(), case.statement.id
    if case.at_fault(0) is not None and case.program[case.problem.at_fault[0]].call == "detach_":
        id_ = case.problem.at_fault[0]
        first = case.program[id_].operands[0]
        root = first if isinstance(first, Ref) else None
    made = None if root is None else case.program.maker(root)
    if root is not None and made is not None and case.program[made.statement].targets[made.output]:
        yield Remedy(
            Text("remedy.detach", name=case.owner(root), line=case.line(id_)), lambda sheet: detached(sheet, id_, made)
        )


def _keep_grad(case: Case) -> Iterator[Remedy]:
    for ref in case.statement.refs():
        if "grad" not in ref.path:
            continue
        kept, here = replace(ref, path=()), case.program.positions[case.statement.id]
        lost = updating.lost_leaf(case, case.program.maker(kept).statement)
        if lost is not None:  # what was computed was to be the leaf again
            yield from updating.in_place(case, lost)
            return
        before = [s.id for s in case.program if s.kind is Kind.BACKWARD and case.program.positions[s.id] < here]
        if before:
            at = case.program.positions[before[-1]]
            yield Remedy(
                Text("remedy.retain_grad", name=case.owner(kept), line=case.line(before[-1])),
                appending(building.method(kept, "retain_grad"), at),
            )
        return


def _have_a_grad(case: Case) -> Iterator[Remedy]:
    """Where a ``.grad`` that is None was calculated with."""
    without = without_grad(case)
    if without is not None and without.is_leaf:
        yield from _after_a_backward(case)
    elif without is not None:
        yield from _keep_grad(case)


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
    "inplace_saved": overwriting.instead_of_saved,
    "inplace_leaf": overwriting.under_no_grad,
    "view_of_leaf_inplace": overwriting.under_no_grad,
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
    "int_requires_grad": fitting.as_floats,
    "mean_int": fitting.as_floats,
    "pow_int_negative": fitting.as_floats,
    "nonleaf_requires_grad_false": _detached,
    "detach_inplace_saved": _detached,
    "detach_view": _detached,
    "nonleaf_grad": _keep_grad,
    "operand_none": _have_a_grad,
    "matmul_shape": fitting.matrices,
    "view_stride": fitting.as_reshape,
    "multi_view_inplace": overwriting.into_a_copy,
    "no_grad_view_inplace": overwriting.into_a_view,
    "overlap_inplace": overwriting.into_a_copy,
    "inplace_broadcast": overwriting.anew,
    "inplace_cast": overwriting.anew,
    "create_graph_cycle": _forget_grads,
    "dtype_mismatch": fitting.one_dtype,
    "float_needed": fitting.as_floats,
    "target_dtype": fitting.as_whole,
    "index_dtype": fitting.as_whole,
    "mask_dtype": fitting.as_mask,
    "probability_needed": fitting.as_probability,
    "target_size": fitting.target_in_shape,
    "kl_div_mean": fitting.by_rows,
}
