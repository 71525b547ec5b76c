"""What the inspector says of a statement, as plain data: it can be compared, copied as text, and shown."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from chalkgrad.program.cards import CARDS
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.session.state import StatementState, Status, TensorState
from chalkgrad.source import emit
from chalkgrad.text import render
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import QT_TRANSLATE_NOOP, in_a_row, language, translate
from chalkgrad_app.panels import facts, questions
from chalkgrad_app.panels.advice import offered, story, texts
from chalkgrad_app.panels.training_facts import training_words

DIFFERENCES = "differences"
"""What is asked for beside the facts."""
BRIEF = frozenset({"value", "grad", "grad_fn"})
"""The facts shown of each when several tensors are selected."""
STATUSES = {
    Status.WAITING: QT_TRANSLATE_NOOP("Inspector", "Waiting: a port is open."),
    Status.NOT_REACHED: QT_TRANSLATE_NOOP("Inspector", "Not reached: a line before it failed."),
    Status.TO_COME: QT_TRANSLATE_NOOP("Inspector", "To come: it stands after the line looked at."),
}


class DescribedTensor(NamedTuple):
    """One tensor: its name, leaf or intermediate, its facts by name, and what there is to say about its grad.

    ``ref`` is what means it. ``questions`` are the facts of which one can ask why, ``answers`` those that were asked,
    ``offers`` what can be done about them.
    ``differences`` is not empty where finite differences are to stand beside the gradient, and differs where they may.
    """

    name: str
    kind: str
    facts: tuple[tuple[str, str], ...]
    number: int
    is_covered: bool
    has_flags: bool
    ref: Ref
    sum: str = ""
    has_grad: bool = False
    questions: tuple[str, ...] = ()
    answers: tuple[tuple[str, str], ...] = ()
    offers: tuple[str, ...] = ()
    differences: tuple[object, ...] = ()

    def told(self) -> Iterator[str]:
        """The texts of its facts, and of the sum that its grad is; a covered grad has none."""
        for name, text in self.facts:
            if not (name == "grad" and self.is_covered) and not (name == "is_leaf" and not self.has_flags):
                yield text
            if name == "grad" and self.sum:
                yield self.sum

    def frame(self) -> DescribedTensor:
        """The same without these texts, but for which of them have several lines."""
        number = self.number if self.is_covered else 0
        facts = tuple((name, "" if is_one_line(text) else "\n") for name, text in self.facts)
        return self._replace(facts=facts, number=number, sum=self.sum and "...")


class Described(NamedTuple):
    """One statement: its line number and code, how far it came, its problem and what led to it, its tensors.

    ``training`` is what an optimiser remembers, or an update changed; ``offers`` is what mends the problem.
    """

    id: int
    line: int
    code: str
    status: str
    problem: str
    plain: str
    story: str
    tensors: tuple[DescribedTensor, ...]
    training: str = ""
    offers: tuple[str, ...] = ()

    def told(self) -> Iterator[str]:
        """The texts that change with the values: the code, then what there is to say of each tensor."""
        yield self.code
        if self.training:
            yield self.training
        for tensor in self.tensors:
            yield from tensor.told()

    def frame(self) -> Described:
        """The same without the texts of :meth:`told`: as long as it is equal a page needs new texts alone."""
        tensors = tuple(tensor.frame() for tensor in self.tensors)
        return self._replace(code="", tensors=tensors, training=self.training and "...")

    def text(self) -> str:
        """Everything, a line each."""
        rows = [self.code, self.training, self.status, self.problem, self.plain, self.story]
        for tensor in self.tensors:
            rows.append(f"{tensor.name}  {tensor.kind}")
            for name, text in tensor.facts:
                rows.append(f"{name}  {text}")
                rows += [tensor.sum] if name == "grad" else []
                rows += [words for fact, words in tensor.answers if fact == name]
        return "\n".join(row for row in rows if row)


def is_one_line(text: str) -> bool:
    """True for a fact that may be broken where there is no room; a matrix keeps its lines."""
    return "\n" not in text


def describe(document: Document, id_: int, brief: bool = False, asked: Collection[str] = ()) -> Described:
    """A statement as it is at the cursor; with ``brief`` only what fits a summary of several.

    ``asked`` are the facts of which somebody wants to know why they are so.
    """
    program = document.program
    statement, state = program[id_], document.state.statement(id_)
    tensors = []
    if statement.kind in CARDS:
        names = statement.targets or (statement.call,)
        for output, tensor in enumerate(state.outputs):
            if tensor is not None:
                name = names[output] if output < len(names) else names[0]
                found = _tensor(document, Ref(id_, output), name or statement.call, tensor, brief)
                differences = _differences(document, statement, found, asked)
                tensors.append(_answered(document, found, asked)._replace(differences=differences))
    problem, plain = _problem(state)
    told = "" if brief or state.problem is None else story(document, state.problem)
    offers = texts(offered(document, id_))
    line = program.lines.get(id_, 0)
    training = training_words(document, id_)
    code, status = emit.shown_line(program, id_), _status(state)
    return Described(id_, line, code, status, problem, plain, told, tuple(tensors), training, offers)


def _tensor(document: Document, ref: Ref, name: str, tensor: TensorState, brief: bool) -> DescribedTensor:
    state = document.state
    statement = document.program[ref.statement]
    keys = [key for key, _ in facts.FACTS if not brief or key in BRIEF]
    shown = tuple((key, facts.text(key, statement, state, tensor)) for key in keys)
    is_covered = facts.is_covered(state, tensor)
    told = brief or is_covered
    return DescribedTensor(
        name,
        facts.kind_words(tensor),
        shown,
        tensor.number,
        is_covered,
        tensor.has_flags,
        document.program.maker(ref),
        "" if told else facts.sum_text(document, tensor),
        not told and tensor.grad is not None,
        () if brief or not tensor.has_flags else _questions(tensor, is_covered),
    )


def _questions(tensor: TensorState, is_covered: bool) -> tuple[str, ...]:
    """The facts of which one can ask why they are so; of a gradient, why there is none."""
    return tuple(key for key in questions.ASKED if key != "grad" or not (is_covered or tensor.grad))


def _answered(document: Document, tensor: DescribedTensor, asked: Collection[str]) -> DescribedTensor:
    wanted = [fact for fact in tensor.questions if fact in asked]
    found = [questions.answer(document, tensor.ref, fact) for fact in wanted]
    answers = tuple((fact, in_a_row(answer.sentences)) for fact, answer in zip(wanted, found, strict=True))
    return tensor._replace(answers=answers, offers=texts([remedy for answer in found for remedy in answer.remedies]))


def _differences(
    document: Document, statement: Statement, tensor: DescribedTensor, asked: Collection[str]
) -> tuple[object, ...]:
    """What finite differences depend on, where somebody asked for them."""
    is_shown = DIFFERENCES in asked and (tensor.has_grad or statement.kind is Kind.GRAD) and not tensor.is_covered
    return (id(document.program), document.cursor_line, document.state.inside) if is_shown else ()


def _status(state: StatementState) -> str:
    return translate("Inspector", STATUSES[state.status]) if state.status in STATUSES else ""


def _problem(state: StatementState) -> tuple[str, str]:
    problem = state.problem
    if problem is None:
        return "", ""
    plain = "" if problem.plain is None else render(problem.plain, language())
    return problem.printed, plain
