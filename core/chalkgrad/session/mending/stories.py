"""What an error came of in this very program, sentence by sentence and with its names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from chalkgrad.program.statement import Ref
from chalkgrad.session.mending.case import Case, above, cuts, dry_leaves, gradient_without_graph, modes_above
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
    yield Text(
        "story.overwritten",
        line=case.line(writer),
        call=case.program[writer].call,
        version=values.get("version", ""),
        expected=values.get("expected", ""),
    )
    yield Text("story.reads", line=case.line(case.statement.id))


def _no_graph(case: Case) -> Iterator[Text]:
    root = case.root()
    if root is None:
        return
    name = case.name(root)
    if gradient_without_graph(case, root) is not None:
        yield Text("story.gradient_without_graph", name=name)
        return
    leaves, blocks, cut = list(dry_leaves(case, root)), list(modes_above(case, root)), list(cuts(case, root))
    if blocks:
        yield Text("story.under_mode", name=name, mode=case.program.blocks[blocks[0]].mode)
    elif cut:
        yield Text("story.cut", name=name, line=case.line(cut[0]))
    elif [leaf.id for leaf in leaves] == [case.program.maker(root).statement]:
        yield Text("story.dry_leaf", name=name, line=case.line(leaves[0].id))
    elif leaves:
        names = ", ".join(leaf.name for leaf in leaves)
        yield Text("story.no_leaf_requires", name=name, leaves=names)


def _many_elements(case: Case) -> Iterator[Text]:
    root = case.root()
    shape = None if root is None else case.shape(root)
    if root is not None and shape is not None:
        yield Text("story.many_elements", name=case.name(root), count=int(np.prod(shape)), shape=str(shape))


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
            yield Text("story.leaf_view_written", view=case.name(root), name=case.name(Ref(statement.id)))
            return


STORIES: Mapping[str, Callable[[Case], Iterator[Text]]] = {
    "second_backward": _freed,
    "inplace_saved": _overwritten,
    "no_requires_grad": _no_graph,
    "retain_grad_no_grad": _no_graph,
    "not_scalar": _many_elements,
    "inplace_leaf": _leaf_written,
    "view_of_leaf_inplace": _view_of_leaf_written,
}
