"""What is hidden until it is clicked, or until somebody has said what it is: predict first."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from chalkgrad.program.building import is_gradient
from chalkgrad.program.program import Program
from chalkgrad.program.statement import DIFFERENTIATING, Ref
from chalkgrad.session.masking import without_flags
from chalkgrad.session.state import OutputLine, State, Status, TensorState, no_fingerprint


class Cover(StrEnum):
    """What can be hidden."""

    GRADIENTS = "gradients"
    FLAGS = "flags"  # is_leaf and requires_grad, and all that gives them away
    OUTCOMES = "outcomes"  # whether a backward fails: one looks at the moment before it until that is answered


class Question(NamedTuple):
    """What is asked of one tensor, or of the line that ``ref`` names."""

    about: Cover
    ref: Ref


class Score(NamedTuple):
    """How many questions were answered since asking began, and how many of them right at the first try."""

    right: int = 0
    answered: int = 0


class Covers(QObject):
    """What is hidden of one document. It lasts as long as the document is open and is in no file."""

    changed = Signal()
    asking = Signal(object)
    """A :class:`Question`: somebody is to say what is hidden."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.hidden: frozenset[Cover] = frozenset()
        self.asked: frozenset[Cover] = frozenset()
        self.score = Score()
        self._shown: set[tuple[Cover, Hashable]] = set()

    def hide(self, what: Cover, on: bool, ask: bool = False) -> None:
        """Hide everything of one kind, or show it again; with ``ask`` it is to be said what it is, not just clicked."""
        self.hidden = self.hidden | {what} if on else self.hidden - {what}
        self.asked = self.asked | {what} if on and ask else self.asked - {what}
        self._shown = {found for found in self._shown if found[0] is not what}
        if not self.asked:
            self.score = Score()
        self.changed.emit()

    def toggle_asking(self, what: Cover) -> None:
        """Ask for everything of one kind before it is shown, or ask no longer."""
        self.hide(what, what not in self.asked, ask=True)

    def show(self, what: Cover, key: Hashable) -> None:
        """Show one thing; ``key`` is what :meth:`key` says of it, or the id of a line."""
        self._shown.add((what, key))
        self.changed.emit()

    def count(self, right: bool) -> None:
        """A question was answered."""
        self.score = Score(self.score.right + right, self.score.answered + 1)
        self.changed.emit()

    def begin_afresh(self) -> None:
        """Objects are numbered anew: what was shown of them is hidden again."""
        self._shown = {found for found in self._shown if found[0] is Cover.OUTCOMES}

    def asks_outcome(self, program: Program, id_: int) -> bool:
        """True where it is to be said first whether a line fails."""
        is_asked = Cover.OUTCOMES in self.asked and program[id_].kind in DIFFERENTIATING
        return is_asked and (Cover.OUTCOMES, id_) not in self._shown

    def asks_first(self, program: Program, id_: int | None) -> bool:
        """True for a line of which it is to be said first whether it fails; that is asked."""
        if id_ is None or not self.asks_outcome(program, id_):
            return False
        self.asking.emit(Question(Cover.OUTCOMES, Ref(id_)))
        return True

    def held_back(self, before: Program, program: Program) -> int | None:
        """The first new line of which it is to be said first whether it fails: the moment before it is looked at."""
        if Cover.OUTCOMES not in self.asked:
            return None
        return next((id_ for id_ in program.order if id_ not in before and self.asks_outcome(program, id_)), None)

    def awaits_backward(self, state: State, program: Program) -> bool:
        """True where it is to be said first what gradients are, and no backward has run that could have left any."""
        return Cover.GRADIENTS in self.asked and not any(
            state.statement(statement.id).status in (Status.OK, Status.FAILED)
            for statement in program
            if statement.kind in DIFFERENTIATING
        )

    def masked(self, state: State, program: Program) -> State:
        """The state that views see."""
        covered = self._covering(state, program)
        shown = self._hiding_flags(state) if Cover.FLAGS in self.hidden else state
        if covered is None:
            return shown
        output = tuple(_unprinted(line, state, program, covered) for line in state.output)
        return replace(shown, covered=covered, output=output, fingerprint=no_fingerprint)

    # ------------------------------------------------------------ inside

    def _hiding_flags(self, state: State) -> State:
        return without_flags(state, lambda tensor: (Cover.FLAGS, tensor.number) not in self._shown)

    def _covering(self, state: State, program: Program) -> Callable[[int], bool] | None:
        if Cover.GRADIENTS not in self.hidden:
            return None

        @cache
        def awaits() -> bool:
            return self.awaits_backward(state, program)

        def covered(number: int) -> bool:
            return (Cover.GRADIENTS, gradient_key(state, number)) not in self._shown and not awaits()

        return covered


def _unprinted(line: OutputLine, state: State, program: Program, covered: Callable[[int], bool]) -> OutputLine:
    """What was printed; a question mark where that is a gradient that is covered."""
    statement = program.statements.get(line.statement)
    for ref in () if statement is None else statement.refs():
        made = program.maker(ref)
        tensor = state.tensor(made.statement, made.output)
        tells = "grad" in ref.path or is_gradient(program[made.statement])
        if tells and tensor is not None and covered(tensor.number):
            return line._replace(text="?")
    return line


def gradient_key(state: State, number: int) -> Hashable:
    """What tells a gradient from the one that a tensor has after another backward."""
    tensor = state.object(number)
    return number, () if tensor is None else tuple((part.statement, part.pass_) for part in tensor.sum_of)


def flags_of(tensor: TensorState) -> dict[str, bool]:
    """The flags that are asked for."""
    return {"is_leaf": tensor.is_leaf, "requires_grad": tensor.requires_grad}
