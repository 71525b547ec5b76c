"""Training loops: the lines that train what a loss is made from, around the lines that make the loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chalkgrad.program import building, edits
from chalkgrad.program.change import Change
from chalkgrad.program.names import free_among
from chalkgrad.program.optimizers import settings_of
from chalkgrad.program.program import Program, ProgramError
from chalkgrad.program.removing import remove
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.program.vocabulary import LOOP
from chalkgrad.text import Text

BY_HAND = ""
"""The update written out: ``w -= lr * w.grad``."""

NAME = "optimizer"


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """What a training loop shall be: its loss, an optimiser's name or BY_HAND, and whether gradients are zeroed."""

    loss: Ref
    update: str = "SGD"
    lr: float = 0.1
    rounds: int = 20
    zeroes: bool = True


def losses(program: Program) -> list[int]:
    """Ids of the results that may be a loss: those that depend on something trained, not in a loop yet, last first."""
    trained = program.dependents(*[statement.id for statement in program if _is_trained(statement)])
    found = [
        statement.id
        for statement in map(program.statements.__getitem__, filter(trained.__contains__, program.order))
        if statement.kind is Kind.OP and any(statement.targets) and not program.loops(statement.block)
    ]
    return found[::-1]


def trained_by(program: Program, loss: int) -> list[int]:
    """Ids of the leaves that require grad and that a loss depends on, in order."""
    needs = program.needs(loss)
    return [statement.id for statement in program if statement.id in needs and _is_trained(statement)]


def _is_trained(statement: Statement) -> bool:
    return statement.kind is Kind.LEAF and statement.option("requires_grad") is True


def training_loop(sheet: Sheet, plan: TrainingPlan) -> Change:
    """Put the lines that make the loss into a loop, with a backward and an update of what it depends on after them.

    Backwards from this loss that were there go. ProgramError where a line that must stay outside needs one inside.
    """
    draft = Draft(sheet)
    loss = sheet.program.maker(plan.loss)
    old = [s.id for s in sheet.program if s.kind is Kind.BACKWARD and s.operands == (loss,)]
    draft.apply(remove(draft.sheet, old).change)
    trained = [Ref(id_) for id_ in trained_by(draft.program, loss.statement)]
    if not trained:
        raise ProgramError(Text("edit.no_grad_needed"))
    forward = [id_ for id_ in draft.program.again(loss.statement) if not draft.program.loops(draft.program[id_].block)]
    forward.append(loss.statement)
    at = draft.program.positions[loss.statement] + 1
    if plan.update == BY_HAND:
        inside = _by_hand(draft, plan, loss, trained, at)
    else:
        inside = _with_optimizer(draft, plan, loss, trained, at)
    draft.apply(edits.wrap(draft.program, [*forward, *inside], LOOP, draft.new_id(), plan.rounds))
    return draft.change


def zero_lines(program: Program, loop: int, leaves: Sequence[int]) -> list[Statement]:
    """The lines that would keep the gradients of ``leaves`` from adding up over the rounds of a loop; ids are 0."""
    places = program.bodies[loop]
    inside = [program[id_] for id_ in program.order[places.start : places.stop]]
    steps = (s.operands[0] for s in inside if s.kind is Kind.UPDATE and s.call == "step")
    optimizer = next((ref for ref in steps if isinstance(ref, Ref)), None)
    if optimizer is not None:
        return [Statement(0, Kind.UPDATE, "zero_grad", (), (optimizer,), style="method")]
    return [building.grad_to_none(Ref(id_)) for id_ in leaves]


def insert_zeroing(sheet: Sheet, loop: int, leaves: Sequence[int]) -> Change:
    """Zero the gradients of ``leaves`` before the first backward of a loop."""
    program = sheet.program
    places = program.bodies[loop]
    backward = next(id_ for id_ in program.order[places.start : places.stop] if program[id_].kind is Kind.BACKWARD)
    draft = Draft(sheet)
    for line in zero_lines(program, loop, leaves):
        _insert(draft, line, draft.program.positions[backward], program[backward].block)
    return draft.change


def _with_optimizer(draft: Draft, plan: TrainingPlan, loss: Ref, trained: Sequence[Ref], at: int) -> list[int]:
    """The optimiser, before the loop, and the lines inside it; the ids of these."""
    if "lr" not in settings_of(plan.update):
        raise ProgramError(Text("edit.no_lr"))
    name = free_among(NAME, draft.program.names())
    made = Statement(0, Kind.OPTIMIZER, plan.update, (name,), (tuple(trained),), (("lr", plan.lr),))
    first = min(draft.program.positions[id_] for id_ in (*draft.program.again(loss.statement), loss.statement))
    needed = max(draft.program.positions[ref.statement] + 1 for ref in trained)
    optimizer = Ref(_insert(draft, made, max(first, needed)))
    lines = [building.backward(loss), Statement(0, Kind.UPDATE, "step", (), (optimizer,), style="method")]
    if plan.zeroes:
        lines.insert(0, Statement(0, Kind.UPDATE, "zero_grad", (), (optimizer,), style="method"))
    return [_insert(draft, line, at + 1 + number) for number, line in enumerate(lines)]


def _by_hand(draft: Draft, plan: TrainingPlan, loss: Ref, trained: Sequence[Ref], at: int) -> list[int]:
    """A backward, and ``w -= lr * w.grad`` under no_grad; the ids of the lines."""
    lines = [_insert(draft, building.backward(loss), at)]
    updates: list[int] = []
    for ref in trained:
        gradient = replace(ref, path=("grad",))
        scaled = Statement(0, Kind.OP, "mul", ("",), (plan.lr, gradient), style="operator")
        product = _insert(draft, scaled, at + 1 + len(updates))
        taken = Statement(0, Kind.OP, "sub_", (), (ref, Ref(product)), style="operator")
        updates += [product, _insert(draft, taken, at + 2 + len(updates))]
    draft.apply(edits.wrap(draft.program, updates, "no_grad", draft.new_id()))
    lines += updates
    zeroes = [building.grad_to_none(ref) for ref in trained] if plan.zeroes else []
    return lines + [_insert(draft, line, at + len(lines) + number) for number, line in enumerate(zeroes)]


def _insert(draft: Draft, statement: Statement, at: int, block: int | None = None) -> int:
    """Put a line at a place; its id."""
    made = replace(statement, id=draft.new_id(), block=block)
    draft.apply(edits.insert(draft.program, [made], at))
    return made.id
