"""What is true of every statement and every tensor at one position of a trace: what all views show."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from chalkgrad.engine.printing import tensor_text, values_text
from chalkgrad.program.known import Known
from chalkgrad.session.derived import GradientGraph
from chalkgrad.session.events import NodeRecord
from chalkgrad.text import Text


class Status(StrEnum):
    """How far a statement came at a position."""

    OK = "ok"
    FAILED = "failed"
    WAITING = "waiting"  # it has an open port, or needs a result that is waiting
    NOT_REACHED = "not reached"  # it needs a result that a failed statement did not produce
    TO_COME = "to come"  # it stands after the position looked at


class Saved(StrEnum):
    """What became of the values that a grad_fn saved."""

    NONE = "none"  # there is no grad_fn
    NOTHING = "nothing"  # the grad_fn saved no tensor
    KEPT = "kept"
    FREED = "freed"


class SavedValue(NamedTuple):
    """One value that a grad_fn saved, by PyTorch's name without ``_saved_``, and the object it is, where it is one."""

    name: str
    freed: bool
    number: int | None = None


class Contribution(NamedTuple):
    """One addend of an accumulated gradient: the backward statement it came from, which pass of it, and its value."""

    statement: int
    pass_: int
    value: np.ndarray


class TensorState(NamedTuple):
    """One tensor at a position. ``number`` is its place in the order of birth; it identifies the object in the trace.

    ``value`` must not be written. It is None where only shape and flags are known. ``sum_of`` are the addends of
    ``grad``, in the order in which they came, since it was last None or zero; one that a statement other than a
    backward put there (``w.grad = t``, ``w.grad.mul_(2)``) is an addend too. ``node`` is the number of its grad_fn.
    Where ``has_flags`` is False leaf, requires_grad, grad_fn and grad are hidden: what stands there says nothing.
    """

    number: int
    shape: tuple[int, ...]
    dtype: str
    value: np.ndarray | None
    is_leaf: bool
    requires_grad: bool
    retains_grad: bool
    version: int
    grad_fn: str | None
    grad: TensorState | None
    saved: Saved
    saved_values: tuple[SavedValue, ...] = ()
    sum_of: tuple[Contribution, ...] = ()
    node: int | None = None
    has_flags: bool = True

    @property
    def text(self) -> str:
        """The tensor as PyTorch prints it."""
        if self.value is None:
            return "?"
        needs = self.requires_grad and self.grad_fn is None
        return tensor_text(self.value, requires_grad=needs, grad_fn=self.grad_fn)

    @property
    def short(self) -> str:
        """The values alone, without ``tensor( )``, as a card shows them."""
        return "?" if self.value is None else values_text(self.value)


class Problem(NamedTuple):
    """Something that went wrong, or a warning, at a statement.

    ``type`` and ``message`` are PyTorch's own and never translated; ``plain`` says it in the reader's words.
    ``at_fault`` are the statements to light up beside the failing one: who freed it, who overwrote it, then the
    operator that had saved it; for a line that runs others again, first the one of them that failed, in its pass
    ``pass_``. ``position`` is the first position at which the problem is there, ``node`` the backward node that failed.
    """

    statement: int
    type: str
    message: str
    plain: Text | None = None
    at_fault: tuple[int, ...] = ()
    warning: bool = False
    pass_: int = 0
    position: int = 0
    node: int | None = None

    @property
    def printed(self) -> str:
        """What Python prints of it: ``RuntimeError: ...``."""
        return f"{self.type}: {self.message}"


class OutputLine(NamedTuple):
    """One printed text, which may hold several lines, and the statement that printed it."""

    statement: int
    text: str
    position: int = 0


class StatementState(NamedTuple):
    """One statement at a position: how far it came, its outputs (None: not a tensor, or not there), its error."""

    status: Status
    outputs: tuple[TensorState | None, ...] = ()
    problem: Problem | None = None
    passes: int = 0
    blocked_by: int | None = None


def _none(_number: int) -> TensorState | None:
    return None


def _nowhere(_number: int) -> tuple[int, int] | None:
    return None


def _its_own(number: int) -> int:
    return number


def _nameless(_number: int) -> tuple[str, bool]:
    return "", False


def _nothing(_number: int) -> tuple[SavedValue, ...]:
    return ()


def no_fingerprint(_id: int) -> Hashable | None:
    """Where something is hidden, statements are not told apart by what was made of them alone."""
    return None


def _nobody() -> Iterator[str]:
    return iter(())


@dataclass(frozen=True)
class State:
    """Everything at one position of a trace. Tensors are worked out when asked for, and kept."""

    position: int
    statements: Mapping[int, StatementState]
    output: tuple[OutputLine, ...] = ()
    problems: tuple[Problem, ...] = ()
    line: int | None = None
    """Id of the statement the position stands in, or None before the first."""
    inside: bool = False
    """True when the position is inside that statement and not at its end."""
    names: Mapping[str, TensorState] = field(default_factory=dict)
    """The tensor that each name means here, in the order in which the names were first bound."""
    owners: Callable[[], Iterator[str]] = _nobody
    """Tells those of the names whose tensor has a gradient, without looking closely at the others."""
    covered: Callable[[int], bool] | None = None
    """Says of an object's number whether its gradient is covered: a mask that views obey."""
    objects: Callable[[int], TensorState | None] = _none
    saved_by: Callable[[int], tuple[SavedValue, ...]] = _nothing
    """What the backward node with a number saved, and whether it still has it."""
    nodes: Sequence[NodeRecord] = ()
    """The backward nodes of the whole trace, by number."""
    graphs: Sequence[GradientGraph] = ()
    """What backwards of the whole trace recorded of themselves, in order."""
    outlet: Callable[[int], tuple[int, int] | None] = _nowhere
    """The statement that made an object, and which of its outputs it is, at any position; None for no statement's."""
    fingerprint: Callable[[int], Hashable | None] = no_fingerprint
    """The same for a statement in two runs only where nothing of it differs but the numbers of objects and nodes."""
    memory: Callable[[int], int] = _its_own
    """Tells which memory an object shows: tensors that share theirs, such as views, have the same."""
    calling: Callable[[int], tuple[str, bool]] = _nameless
    """What an object is called, empty where it never had a name, and whether the name means it here."""

    @property
    def failures(self) -> dict[int, str]:
        """The types of the errors of lines that failed, in whichever pass; of several types, what they all are."""
        found: dict[int, str] = {}
        for problem in self.problems:
            if not problem.warning:
                known = found.get(problem.statement, problem.type)
                found[problem.statement] = problem.type if known == problem.type else "Exception"
        return found

    @property
    def failed_nodes(self) -> frozenset[int]:
        """The backward nodes at which backwards came to an error."""
        return frozenset([problem.node for problem in self.problems if problem.node is not None])

    def object(self, number: int) -> TensorState | None:
        """The tensor with this number, whoever made it; None where it is not born yet."""
        return self.objects(number)

    def statement(self, id_: int) -> StatementState:
        """The state of one statement; "to come" for one the trace doesn't know."""
        return self.statements.get(id_, StatementState(Status.TO_COME))

    def tensor(self, id_: int, output: int = 0) -> TensorState | None:
        """The tensor that a statement's output is at this position, or None."""
        outputs = self.statement(id_).outputs
        return outputs[output] if output < len(outputs) else None

    def known(self, id_: int, output: int) -> Known | None:
        """Shape and dtype of a statement's output, as the shapes that lines tell without running; None for none."""
        tensor = self.tensor(id_, output)
        return None if tensor is None else Known(tensor.shape, tensor.dtype)

    def is_covered(self, tensor: TensorState) -> bool:
        """True when the gradient of ``tensor`` is to stay hidden."""
        return self.covered is not None and self.covered(tensor.number)
