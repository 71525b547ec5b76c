"""What the inspector says of an optimiser's lines: what it remembers of each parameter, and what an update changed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from chalkgrad.engine.printing import values_text
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.session.trace import Trace
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import translate
from chalkgrad_app.widgets.plot_axes import number_text

LARGEST = 6
"""Of a tensor with more elements only the shape is said."""


def training_words(document: Document, id_: int) -> str:
    """What there is to say of the line at the cursor, a row each; nothing for other lines."""
    statement = document.program[id_]
    if statement.kind is Kind.OPTIMIZER:
        return "\n".join(_remembered(document, statement))
    if statement.kind is Kind.UPDATE and statement.call == "step":
        return "\n".join(_changed(document, statement))
    return ""


def _remembered(document: Document, statement: Statement) -> Iterator[str]:
    """The state that an optimiser has of each parameter."""
    trace, position = document.session.trace, document.position
    names = _names(document, statement)
    for kept in trace.optimizer(statement.id, position):
        facts = [f"{name} {number_text(value)}" for name, value in kept.numbers]
        facts += [f"{name} {_text(trace.value(number, position))}" for name, number in kept.objects]
        yield translate("TrainingFacts", "remembers of {name}: {facts}").format(
            name=names.get(kept.parameter, "?"), facts=", ".join(facts) or "-"
        )


def _changed(document: Document, statement: Statement) -> Iterator[str]:
    """By how much each parameter changed in the pass looked at."""
    trace, position = document.session.trace, document.position
    ran = trace.events_of(statement.id, position)
    first = statement.operands[0]
    if not len(ran) or ran.start >= position or not isinstance(first, Ref):
        return
    made = document.program[document.program.maker(first).statement]
    end = min(ran.stop, position)
    for number, name in _names(document, made).items():
        before, after = trace.value(number, ran.start), trace.value(number, end)
        if before is None or after is None:
            continue
        versions = _version(trace, number, end) - _version(trace, number, ran.start)
        if not versions:
            yield translate("TrainingFacts", "{name} stays as it is: its grad is None").format(name=name)
            continue
        words = translate("TrainingFacts", "{name}: {before} changed by {change} to {after}")
        yield words.format(name=name, before=_text(before), change=_text(after - before), after=_text(after))


def _names(document: Document, statement: Statement) -> dict[int, str]:
    """The parameters of an optimiser by their numbers in the trace, each with its name."""
    found = {}
    parameters = statement.operands[0] if statement.operands else ()
    for ref in parameters if isinstance(parameters, tuple) else ():
        tensor = document.state.tensor(ref.statement, ref.output) if isinstance(ref, Ref) else None
        if isinstance(ref, Ref) and tensor is not None and ref.statement in document.program:
            found[tensor.number] = document.program[ref.statement].name
    return found


def _version(trace: Trace, number: int, position: int) -> int:
    history = trace.history(number, position)
    return history[-1][1].version if history else 0


def _text(value: np.ndarray | None) -> str:
    if value is None:
        return "?"
    return " ".join(values_text(value).split()) if value.size <= LARGEST else " x ".join(map(str, value.shape))
