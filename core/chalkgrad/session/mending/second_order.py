"""Whether ``create_graph=True`` or another edit would help: the lines run once more with it, in their own session."""

from __future__ import annotations

from math import inf

from chalkgrad.program import edits
from chalkgrad.program.program import Program, ProgramError
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.session.mending.case import Case, Scene, above, key_of
from chalkgrad.session.mending.repairs import Edit
from chalkgrad.session.session import Session
from chalkgrad.session.state import State, TensorState
from chalkgrad.text import Text

MOST_EVENTS = 2000
"""A longer run is not gone through once more."""


def is_constant(scene: Scene, gradient: Statement, read: Statement) -> bool:
    """True where nothing that requires grad went into the gradient that line ``read`` takes of line ``gradient``."""
    state = _with_graph(scene, gradient, max(gradient.id, read.id, key=scene.program.positions.__getitem__))
    return state is not None and _has_no_history(scene, gradient, [read], state)


def in_vain(case: Case, root: Ref, gradient: Statement) -> Text | None:
    """Why ``root``, which comes of a gradient, could not be differentiated here in any case; None where it could."""
    state = _with_graph(case, gradient, case.statement.id)
    if state is None:
        return None
    if _has_no_history(case, gradient, above(case, root), state):
        return Text("story.constant_anyway", name=case.name(root))
    here = (problem for problem in state.problems if problem.statement == case.statement.id and not problem.warning)
    problem = next(here, None)
    if problem is None or problem.plain is None or key_of(problem) != "unused_input":
        return None
    other = case.inputs()[int(str(problem.plain.values["index"]))]
    return Text("story.independent", name=case.name(root), other=case.name(other))


def since(scene: Scene, root: Ref, gradient: Statement, last: int) -> list[Statement]:
    """The lines that made ``root`` of a gradient, newest first, where they cut it off from the graph of that.

    None where they don't, or where the gradient has no graph in any case. It is looked at behind line ``last``.
    """
    is_recorded = gradient.option("create_graph") is True
    state = scene.state if is_recorded else _with_graph(scene, gradient, last)
    found = None if state is None else Scene(scene.sheet, state).tensor(root)
    lines = above(scene, root)
    if state is None or found is None or found.requires_grad or _has_no_history(scene, gradient, lines, state):
        return []
    begun = scene.program.positions[gradient.id]
    return [line for line in lines if scene.program.positions[line.id] > begun]


def _with_graph(scene: Scene, gradient: Statement, last: int) -> State | None:
    """What would be so behind line ``last``, in the first round of a loop; None where it isn't looked for."""
    if scene.state.position > MOST_EVENTS:
        return None
    recording = edits.put(scene.program, gradient.with_option("create_graph", True))
    return _behind(scene.program.apply(recording), last)


def outcome(scene: Scene, edit: Edit, last: int) -> Scene | None:
    """What would be so behind line ``last`` after an edit, in the first round of a loop; None where nobody can tell."""
    if scene.state.position > MOST_EVENTS:
        return None
    try:
        sheet = scene.sheet.apply(edit(scene.sheet))
        return Scene(sheet, _behind(sheet.program, last))
    except (ProgramError, LookupError):
        return None


def helps(case: Case, edit: Edit) -> bool:
    """True where the line that failed does not after an edit."""
    found = outcome(case, edit, case.statement.id)
    return found is not None and not any(
        problem.statement == case.statement.id and not problem.warning for problem in found.state.problems
    )


def _behind(program: Program, last: int) -> State:
    """What is so behind line ``last`` when the program has run up to it."""
    order = program.order[: program.positions[last] + 1]
    lines = {id_: program[id_] for id_ in order}
    session = Session(Program(lines, order, program.blocks, program.next_id, program.stops))
    session.let_go(1)
    while not session.advance(inf) and not session.is_held:
        pass
    return session.trace.state()


def _has_no_history(scene: Scene, gradient: Statement, lines: list[Statement], state: State) -> bool:
    """True where the gradients of line ``gradient`` that ``lines`` take do not require grad in ``state``."""
    found: list[TensorState | None] = []
    if gradient.kind is Kind.GRAD:
        found.extend(state.statement(gradient.id).outputs)
    else:
        read = (scene.program.maker(ref) for line in lines for ref in line.refs() if "grad" in ref.path)
        tensors = (state.tensor(made.statement, made.output) for made in read)
        found.extend(None if tensor is None else tensor.grad for tensor in tensors)
    gradients = [tensor for tensor in found if tensor is not None]
    return bool(gradients) and not any(tensor.requires_grad for tensor in gradients)
