"""Lines that cut a tensor off from the graph of the gradient that it was made of, and what can be done about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from chalkgrad.program.change import Change
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad.program.statement import Ref, Statement
from chalkgrad.session.mending.case import CONVERSIONS, MODES_OFF, Scene, is_real, spelled
from chalkgrad.session.mending.remedy import Remedy, giving
from chalkgrad.session.mending.repairs import Edit, reconnecting, unwrapping
from chalkgrad.text import Text


def told(case: Scene, root: Ref, lines: list[Statement]) -> Iterator[Text]:
    """What cuts ``root`` off in ``lines``, those after the gradient."""
    blocks, whole = _modes(case, lines), _whole(case, lines)
    for mode, inside in blocks.values():
        yield Text("story.under_mode", name=case.name(Ref(inside.id)), mode=mode)
    for line in lines:
        if line.call == "detach":
            yield Text("story.cut", name=case.name(root), line=case.line(line.id))
        if any("data" in ref.path for ref in line.refs()):
            yield Text("why.cut.data", line=case.line(line.id))
    if whole is not None:
        made = case.state.tensor(whole.id)
        dtype = "" if made is None else made.dtype
        yield Text("story.whole_numbers", line=case.line(whole.id), call=spelled(whole), dtype=dtype)


def mended(case: Scene, gradient: Statement, lines: list[Statement], helps: Callable[[Edit], bool]) -> Iterator[Remedy]:
    """The line or block that cuts it off goes, and the gradient is recorded where it isn't; where that ``helps``."""
    remedies = _without_cut(case, lines)
    if gradient.option("create_graph") is not True:
        recorded = giving(case, gradient.id, "create_graph", True)
        remedies = (_both(remedy, recorded) for remedy in remedies)
    yield from (remedy for remedy in remedies if helps(remedy.edit))


def _without_cut(case: Scene, lines: list[Statement]) -> Iterator[Remedy]:
    for block, (mode, _) in _modes(case, lines).items():
        yield Remedy(Text("remedy.unwrap", mode=mode), unwrapping(block))
    whole = _whole(case, lines)
    for line in lines:
        if line.call == "detach" or (line is whole and line.call in CONVERSIONS):
            text = Text("remedy.take_out_call", call=spelled(line), line=case.line(line.id))
            yield Remedy(text, reconnecting(line.id))


def _both(first: Remedy, second: Remedy) -> Remedy:
    """Two remedies that only help together, as one."""

    def edit(sheet: Sheet) -> Change:
        draft = Draft(sheet)
        for remedy in (second, first):  # the first may take a line out, and what numbers mean with it
            draft.apply(remedy.edit(draft.sheet))
        return draft.change

    return Remedy(Text("remedy.both", first=first.text, second=second.text), edit)


def _modes(case: Scene, lines: list[Statement]) -> dict[int, tuple[str, Statement]]:
    """Blocks around the lines under which nothing is recorded: the mode, and a line in it."""
    found: dict[int, tuple[str, Statement]] = {}
    for line in lines:
        for block in case.program.chain(line.block):
            mode = case.program.blocks[block].mode
            if mode in MODES_OFF:
                found.setdefault(block, (mode, line))
    return found


def _whole(case: Scene, lines: list[Statement]) -> Statement | None:
    """The first line that gave whole numbers."""
    made = ((line, case.state.tensor(line.id)) for line in reversed(lines))
    return next((line for line, tensor in made if tensor is not None and not is_real(tensor)), None)
