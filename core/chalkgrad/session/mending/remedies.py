"""The ways to mend an error, each an edit that a button makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from chalkgrad.engine.record import OPS
from chalkgrad.program import building, edits, rewiring
from chalkgrad.program.program import ProgramError
from chalkgrad.program.removing import ACTS_ON_ONE, remove
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad.program.statement import DIFFERENTIATING, Dtype, Kind, Operand, Ref
from chalkgrad.session.mending.case import Case, Scene, cuts, dry_leaves, gradient_without_graph, modes_above
from chalkgrad.session.mending.repairs import (
    Edit,
    appending,
    out_of_place,
    passing,
    reconnecting,
    reducing,
    through,
    unwrapping,
    with_ones,
)
from chalkgrad.text import Text

MOST_LEAVES = 3
"""So many leaves are offered to require grad; more would be a list to search."""


class Remedy(NamedTuple):
    """One way to mend an error: what a button says, and the edit that it makes."""

    text: Text
    edit: Edit


def works(remedy: Remedy, sheet: Sheet) -> bool:
    """False for an edit that this program does not allow, such as a line moved before one that it needs."""
    try:
        change = remedy.edit(sheet)
        sheet.apply(change)
    except (ProgramError, LookupError):
        return False
    return bool(change)


def last_resort(case: Case) -> Iterator[Remedy]:
    """Lines that only act can simply go."""
    if case.statement.kind in ACTS_ON_ONE and not case.problem.warning:
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
    id_ = case.at_fault(0)
    id_ = case.statement.id if id_ is None or not case.program.writes(case.program[id_]) else id_
    writer = case.program[id_]
    if writer.call.endswith("_") and writer.call.removesuffix("_") in OPS:
        yield Remedy(
            Text("remedy.out_of_place", line=case.line(id_), call=writer.call.removesuffix("_")),
            lambda sheet: out_of_place(sheet, id_),
        )


def _save_a_clone(case: Case) -> Iterator[Remedy]:
    yield from _out_of_place(case)
    writer, saver = case.at_fault(0), case.at_fault(1)
    if writer is None or saver is None:
        return
    target = case.program[writer].operands[0] if case.program[writer].operands else None
    if isinstance(target, Ref):
        made = case.program.maker(target)
        yield Remedy(
            Text("remedy.clone_first", line=case.line(saver), name=case.name(made)),
            lambda sheet: through(sheet, saver, made, "clone"),
        )
    failed = case.statement.id
    yield Remedy(
        Text("remedy.move_after", line=case.line(writer), after=case.line(failed)),
        lambda sheet: edits.move(sheet.program, [writer], sheet.program.positions[failed] + 1),
    )


def _under_no_grad(case: Case) -> Iterator[Remedy]:
    id_ = case.statement.id
    yield Remedy(
        Text("remedy.wrap_no_grad", line=case.line(id_)),
        lambda sheet: edits.wrap(sheet.program, [id_], block=Draft(sheet).new_id()),
    )
    yield from _out_of_place(case)


def _make_a_graph(case: Case) -> Iterator[Remedy]:
    root = case.root()
    if root is None:
        return
    graphless = gradient_without_graph(case, root)
    if graphless is not None:
        yield giving(case, graphless, "create_graph", True)
        return
    for block in modes_above(case, root):
        mode = case.program.blocks[block].mode
        yield Remedy(Text("remedy.unwrap", mode=mode), unwrapping(block))
    for id_ in cuts(case, root):
        yield Remedy(Text("remedy.take_out_cut", line=case.line(id_)), reconnecting(id_))
    for leaf in list(dry_leaves(case, root))[:MOST_LEAVES]:
        yield giving(case, leaf.id, "requires_grad", True)


def _weights(case: Case) -> Iterator[Remedy]:
    root = case.root()
    shape = None if root is None else case.shape(root)
    if root is None or shape is None:
        return
    id_ = case.statement.id
    option = "grad_outputs" if case.statement.kind is Kind.GRAD else "gradient"
    text = f"torch.ones({', '.join(str(size) for size in shape)})"
    yield Remedy(
        Text("remedy.pass_weights", option=option, text=text, line=case.line(id_)),
        lambda sheet: with_ones(sheet, id_, option, shape),
    )


def _one_number(case: Case) -> Iterator[Remedy]:
    root = case.root()
    if root is not None:
        id_ = case.statement.id
        for call in ("sum", "mean"):
            yield Remedy(Text("remedy.reduce_first", call=call, name=case.name(root)), reducing(id_, root, call))
    yield from _weights(case)


def _allow_unused(case: Case) -> Iterator[Remedy]:
    yield giving(case, case.statement.id, "allow_unused", True)


def _let_inputs_require(case: Case) -> Iterator[Remedy]:
    given = case.statement.operands[1] if len(case.statement.operands) > 1 else case.statement.option("inputs")
    for ref in given if isinstance(given, tuple) else (given,):
        made = case.program[case.program.maker(ref).statement] if isinstance(ref, Ref) else None
        if made is not None and made.kind is Kind.LEAF and made.option("requires_grad") is not True:
            yield giving(case, made.id, "requires_grad", True)


def _floats(case: Case) -> Iterator[Remedy]:
    id_ = case.statement.id
    if case.statement.kind is Kind.LEAF:
        yield giving(case, id_, "dtype", Dtype("float32"))
        yield Remedy(
            Text("remedy.drop_option", option="requires_grad", line=case.line(id_)),
            lambda sheet: edits.put(sheet.program, sheet.program[id_].without_option("requires_grad")),
        )
        return
    root = case.root()
    if root is not None:
        yield Remedy(Text("remedy.convert", call="float", name=case.name(root)), passing(id_, root, "to_float"))


def _detached(case: Case) -> Iterator[Remedy]:
    root, id_ = case.root(), case.statement.id
    if case.at_fault(0) is not None and case.program[case.problem.at_fault[0]].call == "detach_":
        id_ = case.problem.at_fault[0]
        first = case.program[id_].operands[0]
        root = first if isinstance(first, Ref) else None
    if root is not None:
        wanted = root
        yield Remedy(
            Text("remedy.detach", name=case.name(root), line=case.line(id_)),
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
                Text("remedy.retain_grad", name=case.name(kept), line=case.line(before[-1])),
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
            Text("remedy.clone_first", line=case.line(id_), name=case.name(made)),
            lambda sheet: through(sheet, id_, made, "clone"),
        )


def _drop_unused(case: Case) -> Iterator[Remedy]:
    id_ = case.statement.id
    yield Remedy(
        Text("remedy.drop_option", option="allow_unused", line=case.line(id_)),
        lambda sheet: edits.put(sheet.program, sheet.program[id_].without_option("allow_unused")),
    )


def _forget_grads(case: Case) -> Iterator[Remedy]:
    """After ``create_graph=True``: the gradients that hold the graph set to None in the next line."""
    at = case.program.positions[case.statement.id] + 1
    holders = [
        statement
        for statement in case.program
        if statement.kind is Kind.LEAF and (tensor := case.state.tensor(statement.id)) and tensor.grad is not None
    ]
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
    "input_no_requires_grad": _let_inputs_require,
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


def giving(case: Scene, id_: int, name: str, value: Operand) -> Remedy:
    """The remedy that gives a line a keyword argument."""
    shown = f"torch.{value.name}" if isinstance(value, Dtype) else str(value)
    return Remedy(
        Text("remedy.set_option", option=f"{name}={shown}", line=case.line(id_)),
        lambda sheet: edits.put(sheet.program, sheet.program[id_].with_option(name, value)),
    )
