"""What an error came of in this very program, sentence by sentence and with its names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from math import prod

from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.session.mending import cutting
from chalkgrad.session.mending.case import (
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
from chalkgrad.session.mending.overwriting import memory_of, saved_there
from chalkgrad.session.mending.second_order import in_vain, since
from chalkgrad.session.mending.switching import switched_off
from chalkgrad.session.mending.updating import Lost, lost_above, lost_leaf
from chalkgrad.session.state import TensorState
from chalkgrad.text import Text


def _freed(case: Case) -> Iterator[Text]:
    freer, saver = case.at_fault(0), case.at_fault(1)
    if freer is None or saver is None:
        return
    yield Text("story.saved", line=case.line(saver), name=case.name(Ref(saver)), call=case.program[saver].call)
    yield Text("story.freed", line=case.line(freer))
    yield Text("story.needs_again", line=case.line(case.statement.id))


def _overwritten(case: Case) -> Iterator[Text]:
    writer, saver = case.at_fault(0), case.at_fault(1)
    if writer is None or saver is None:
        return
    values = {} if case.problem.plain is None else case.problem.plain.values
    yield Text("story.saved", line=case.line(saver), name=case.name(Ref(saver)), call=case.program[saver].call)
    yield from _by_another_name(case, saver, writer)
    yield Text(
        "story.overwritten",
        line=case.line(writer),
        call=case.program[writer].call,
        version=values.get("version", ""),
        expected=values.get("expected", ""),
    )
    yield Text("story.reads", line=case.line(case.statement.id))


def _of_gradient(case: Case, root: Ref, gradient: Statement) -> Iterator[Text]:
    """Why what came of a gradient has no graph."""
    name, cut = case.name(root), since(case, root, gradient, case.statement.id)
    if gradient.option("create_graph") is not True:
        yield in_vain(case, root, gradient) or Text("story.gradient_without_graph", name=name)
    elif not cut:
        yield Text("story.constant_gradient", name=name)
    yield from cutting.told(case, root, cut)


def _by_another_name(case: Case, saver: int, writer: int) -> Iterator[Text]:
    """That what was written shows the memory of what was saved, where they are called differently."""
    target = case.program[writer].operands[0] if case.program[writer].operands else None
    memory = memory_of(case, target) if isinstance(target, Ref) else None
    if memory is None or not isinstance(target, Ref):
        return
    given, made = saved_there(case, saver, memory)
    saved = given[0] if given else made
    if saved is not None and case.name(saved) != case.name(target):
        yield Text("story.same_memory", name=case.name(target), other=case.name(saved))


def _no_graph(case: Case) -> Iterator[Text]:
    root = case.without_graph()
    if root is None:
        return
    lost = lost_above(case, root)
    if lost is not None:
        yield _lost(case, lost)
        return
    name, gradient, whole = case.name(root), gradient_of(case, root), whole_numbers(case, root)
    if gradient is not None:
        yield from _of_gradient(case, root, gradient)
        return
    if whole is not None:
        dtype = made.dtype if (made := case.state.tensor(whole.id)) is not None else ""
        yield Text("story.whole_numbers", line=case.line(whole.id), call=spelled(whole), dtype=dtype)
        return
    off = list(switched_off(case, root))
    if off:
        yield from (_switched_off(case, root, *found) for found in off)
        return
    whole_numbered = ", ".join(case.name(Ref(leaf.id)) for leaf in whole_leaves(case, root))
    leaves, blocks, cut = list(dry_leaves(case, root)), list(modes_above(case, root)), list(cuts(case, root))
    if blocks:
        inside = next(made for made in above(case, root) if blocks[0] in case.program.chain(made.block))
        yield Text("story.under_mode", name=case.name(Ref(inside.id)), mode=case.program.blocks[blocks[0]].mode)
    elif cut:
        yield Text("story.cut", name=name, line=case.line(cut[0]))
    elif [leaf.id for leaf in leaves] == [case.program.maker(root).statement]:
        yield Text("story.dry_leaf", name=name, line=case.line(leaves[0].id))
    elif whole_numbered:
        yield Text("story.whole_leaves", name=name, leaves=whole_numbered)
    elif leaves:
        names = ", ".join(case.name(Ref(leaf.id)) for leaf in leaves)
        yield Text("story.no_leaf_requires", name=name, leaves=names)


def _switched_off(case: Case, root: Ref, made: Statement, line: int) -> Text:
    """Which line took requires_grad away from the root, or from what it was computed from."""
    values = {"name": case.name(Ref(made.id)), "line": case.line(line), "call": spelled(case.program[line])}
    if made.id == case.program.maker(root).statement:
        return Text("story.switched_off", **values)
    return Text("story.switched_off_above", root=case.name(root), **values)


def _many_elements(case: Case) -> Iterator[Text]:
    root = case.not_scalar()
    shape = None if root is None else case.shape(root)
    if root is not None and shape is not None:
        key = "story.many_elements" if prod(shape) else "story.no_elements"
        yield Text(key, name=case.name(root), count=prod(shape), shape=str(shape))


def _leaf_written(case: Case) -> Iterator[Text]:
    root = case.root()
    if root is not None:
        yield Text("story.leaf_written", name=case.name(root), line=case.line(case.program.maker(root).statement))


def _view_of_leaf_written(case: Case) -> Iterator[Text]:
    root = case.root()
    if root is None:
        return
    for statement in above(case, root):
        tensor = case.state.tensor(statement.id)
        if tensor is not None and tensor.is_leaf and tensor.requires_grad:
            is_itself = statement.id == case.program.maker(root).statement
            view = f"{case.name(root)}[...]" if is_itself else case.name(root)
            yield Text("story.leaf_view_written", view=view, name=case.name(Ref(statement.id)))
            return


def _weights(case: Case) -> Iterator[Text]:
    root = case.root()
    shape = None if root is None else case.shape(root)
    if root is not None and shape is not None:
        yield Text("story.weights", name=case.name(root), shape=str(shape))


def _unused(case: Case) -> Iterator[Text]:
    place = case.problem.plain.values.get("index", "") if case.problem.plain is not None else ""
    asked, roots = case.inputs(), ", ".join(case.name(root) for root in case.roots())
    if str(place).isdigit() and int(str(place)) < len(asked):
        yield Text("story.unused", name=case.name(asked[int(str(place))]), roots=roots)


def _made(key: str, at_fault: Callable[[TensorState], bool] | None = None) -> Callable[[Case], Iterator[Text]]:
    """A story of one sentence: which line made the tensor that the failing one acts on, and what follows from that."""

    def told(case: Case) -> Iterator[Text]:
        root = case.root(at_fault)
        made = None if root is None else case.program[case.program.maker(root).statement]
        if root is not None and made is not None and made.kind is not Kind.LEAF:
            yield Text(key, name=case.name(replace(root, path=())), line=case.line(made.id), call=spelled(made))

    return told


def _under_inference(case: Case) -> Iterator[Text]:
    found = under_inference(case)
    if found is not None:
        _, made, _ = found
        yield Text("story.under_inference", name=case.name(Ref(made.id)), line=case.line(made.id))


def _detached_in_place(case: Case) -> Iterator[Text]:
    writer = case.at_fault(0)
    target = case.program[writer].operands[0] if writer is not None and case.program[writer].operands else None
    if writer is not None and isinstance(target, Ref):
        yield Text("story.detached_in_place", line=case.line(writer), name=case.name(target))
        yield Text("story.needs_history", line=case.line(case.statement.id), name=case.name(target))


def _no_gradient_yet(case: Case) -> Iterator[Text]:
    root = case.root()
    if root is not None:
        yield Text("story.no_gradient_yet", name=case.name(replace(root, path=())), line=case.line(case.statement.id))


def _lost(case: Case, lost: Lost) -> Text:
    """What became of the name of a leaf."""
    own = case.line(lost.updates[0])
    return Text("story.lost_leaf", name=lost.leaf.name, line=case.line(lost.leaf.id), own=own)


def _without_grad(case: Case) -> Iterator[Text]:
    without = without_grad(case)
    if without is not None and without.is_leaf:
        ref = next(ref for ref in case.statement.refs() if "grad" in ref.path)
        yield Text("story.no_gradient_yet", name=case.name(replace(ref, path=())), line=case.line(case.statement.id))
    elif without is not None:
        yield from _grad_of_intermediate(case)


def _grad_of_intermediate(case: Case) -> Iterator[Text]:
    for ref in case.statement.refs():
        if "grad" in ref.path:
            made = case.program.maker(replace(ref, path=()))
            line, call = case.line(made.statement), spelled(case.program[made.statement])
            yield Text("story.intermediate", name=case.name(made), line=line, call=call)
            lost = lost_leaf(case, made.statement)
            if lost is not None:
                yield _lost(case, lost)
            return


def _kept_by_gradients(case: Case) -> Iterator[Text]:
    names = ", ".join(f"{leaf.name}.grad" for leaf in gradient_holders(case))
    if names:
        yield Text("story.kept_by_gradients", names=names)


STORIES: Mapping[str, Callable[[Case], Iterator[Text]]] = {
    "second_backward": _freed,
    "inplace_saved": _overwritten,
    "no_requires_grad": _no_graph,
    "retain_grad_no_grad": _no_graph,
    "input_no_requires_grad": _no_graph,
    "hook_no_grad": _no_graph,
    "not_scalar": _many_elements,
    "gradient_shape": _weights,
    "unused_input": _unused,
    "nonleaf_requires_grad_false": _made("story.intermediate"),
    "nonleaf_grad": _grad_of_intermediate,
    "operand_none": _without_grad,
    "optimizer_nonleaf": _made("story.intermediate", lambda tensor: not tensor.is_leaf),
    "no_grad_view_inplace": _made("story.view_without_graph"),
    "multi_view_inplace": _made("story.several_views"),
    "overlap_inplace": _made("story.shared_elements"),
    "detach_view": _made("story.view"),
    "detach_inplace_saved": _detached_in_place,
    "inference_saved": _under_inference,
    "inference_inplace": _under_inference,
    "inference_requires_grad": _under_inference,
    "grad_none_zero": _no_gradient_yet,
    "create_graph_cycle": _kept_by_gradients,
    "inplace_leaf": _leaf_written,
    "view_of_leaf_inplace": _view_of_leaf_written,
}
