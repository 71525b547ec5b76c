"""The facts of a tensor as PyTorch prints them: what inspector and table show, in one place."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chalkgrad.engine.printing import values_text
from chalkgrad.program.building import is_gradient
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.session.state import Saved, State, Status, TensorState
from chalkgrad_app.document import Document

COVERED = "?"

Fact = Callable[[State, TensorState], str]


def grad(state: State, tensor: TensorState) -> str:
    """The gradient, ``None``, or a question mark while it is covered."""
    if is_covered(state, tensor):
        return COVERED
    return "None" if tensor.grad is None else tensor.grad.text


def is_covered(state: State, tensor: TensorState) -> bool:
    """True when there could be a gradient and it is to be guessed first."""
    return state.is_covered(tensor) and (tensor.grad is not None or tensor.requires_grad)


def grad_fn(_state: State, tensor: TensorState) -> str:
    """The grad_fn as PyTorch prints it, without the address."""
    return "None" if tensor.grad_fn is None else f"<{tensor.grad_fn}>"


def saved(_state: State, tensor: TensorState) -> str:
    """What the grad_fn saved for its backward, by PyTorch's names, and whether that is kept or freed."""
    if tensor.saved is Saved.NONE:
        return _tr("none")
    if tensor.saved is Saved.NOTHING:
        return _tr("nothing")
    parts = []
    for word, freed in (("kept", False), ("freed", True)):
        names = [value.name for value in tensor.saved_values if value.freed is freed]
        parts += [f"{', '.join(names)}: {_tr(word)}"] if names else []
    return "; ".join(parts)


FACTS: tuple[tuple[str, Fact], ...] = (
    ("value", lambda _state, tensor: tensor.text),
    ("shape", lambda _state, tensor: f"torch.Size({list(tensor.shape)})"),
    ("dtype", lambda _state, tensor: f"torch.{tensor.dtype}"),
    ("is_leaf", lambda _state, tensor: str(tensor.is_leaf)),
    ("requires_grad", lambda _state, tensor: str(tensor.requires_grad)),
    ("grad", grad),
    ("grad_fn", grad_fn),
    ("retains_grad", lambda _state, tensor: str(tensor.retains_grad)),
    ("_version", lambda _state, tensor: str(tensor.version)),
    ("saved", saved),
)
"""Name, as PyTorch calls it, and text of each fact, in the order shown."""


def text(name: str, statement: Statement, state: State, tensor: TensorState) -> str:
    """One fact of an output of ``statement``; the value of a gradient is covered as every gradient is."""
    if name == "value" and is_gradient(statement) and state.is_covered(tensor):
        return COVERED
    return dict(FACTS)[name](state, tensor)


def kind_words(tensor: TensorState) -> str:
    """Leaf or intermediate, in the language in use."""
    return _tr("leaf") if tensor.is_leaf else _tr("intermediate")


def sum_text(document: Document, tensor: TensorState) -> str:
    """How an accumulated gradient came about, by line: ``5. (line 6) + 5. (line 7) = 10.``; else empty."""
    if len(tensor.sum_of) < 2 or tensor.grad is None or tensor.grad.value is None:
        return ""
    lines = document.program.lines
    parts = [
        _tr("{value} (line {line})").format(value=_plain(part.value), line=lines.get(part.statement, 0))
        for part in tensor.sum_of
    ]
    total = _plain(tensor.grad.value)
    is_long = any("\n" in part for part in parts)
    return f"{(chr(10) if is_long else ' ') + '+ '}".join(parts) + ("\n= " if is_long else " = ") + total


def why_no_grad(document: Document, id_: int, tensor: TensorState) -> str:
    """One sentence that says why the grad of a tensor is None; empty where it isn't."""
    if tensor.grad is not None:
        return ""
    if not tensor.requires_grad:
        return _tr("It doesn't require grad, so no gradient is worked out for it.")
    if not tensor.is_leaf and not tensor.retains_grad:
        return _tr(
            "It is an intermediate: gradients flow through it, but only leaves keep theirs. retain_grad() keeps it."
        )
    program = document.program
    ran = [s for s in program if s.kind is Kind.BACKWARD and _has_run(document, s)]
    if not ran:
        return _tr("No backward has run yet.")
    reached = [s for s in ran if any(id_ == root or id_ in program.needs(root) for root in _roots(s))]
    if not reached:
        return _tr("The root of the backward doesn't depend on it.")
    lines, last = program.lines, program.positions[reached[-1].id]
    for statement in _after(document, last):
        if statement.kind is Kind.ASSIGN and statement.call == "grad" and _acts_on(document, statement, id_):
            return _tr("It was set to None in line {line}.").format(line=lines[statement.id])
    if not any(_accumulates_into(document, s, id_) for s in reached):
        return _tr("The backward was told to accumulate into its inputs= only, and this is none of them.")
    for statement in _after(document, last):
        if statement.call == "retain_grad" and _acts_on(document, statement, id_):
            line = lines[statement.id]
            return _tr("retain_grad() in line {line} came after the backward: it keeps the next one.").format(line=line)
    return _tr("No gradient came through to it: the way from the root is cut, or the backward failed before.")


def _has_run(document: Document, statement: Statement) -> bool:
    return document.state.statement(statement.id).status in (Status.OK, Status.FAILED)


def _after(document: Document, position: int) -> Iterable[Statement]:
    """The statements after a place of the order that have run."""
    program = document.program
    return (program[id_] for id_ in program.order[position + 1 :] if _has_run(document, program[id_]))


def _acts_on(document: Document, statement: Statement, id_: int) -> bool:
    first = statement.operands[0] if statement.operands else None
    return isinstance(first, Ref) and document.program.maker(first).statement == id_


def _roots(statement: Statement) -> list[int]:
    operands = [m for o in statement.operands for m in (o if isinstance(o, tuple) else (o,))]
    return [ref.statement for ref in operands if isinstance(ref, Ref)]


def _accumulates_into(document: Document, statement: Statement, id_: int) -> bool:
    inputs = statement.option("inputs")
    members = inputs if isinstance(inputs, tuple) else (inputs,) if inputs is not None else ()
    made = [document.program.maker(ref).statement for ref in members if isinstance(ref, Ref)]
    return not members or id_ in made


def _plain(value: np.ndarray) -> str:
    """The values alone; a single one without its brackets."""
    return values_text(value.reshape(())) if value.size == 1 else values_text(value)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Facts", text)


_WORDS = (
    QT_TRANSLATE_NOOP("Facts", "none"),
    QT_TRANSLATE_NOOP("Facts", "nothing"),
    QT_TRANSLATE_NOOP("Facts", "kept"),
    QT_TRANSLATE_NOOP("Facts", "freed"),
    QT_TRANSLATE_NOOP("Facts", "leaf"),
    QT_TRANSLATE_NOOP("Facts", "intermediate"),
    QT_TRANSLATE_NOOP("Facts", "{value} (line {line})"),
    QT_TRANSLATE_NOOP("Facts", "It doesn't require grad, so no gradient is worked out for it."),
    QT_TRANSLATE_NOOP(
        "Facts",
        "It is an intermediate: gradients flow through it, but only leaves keep theirs. retain_grad() keeps it.",
    ),
    QT_TRANSLATE_NOOP("Facts", "No backward has run yet."),
    QT_TRANSLATE_NOOP("Facts", "The root of the backward doesn't depend on it."),
    QT_TRANSLATE_NOOP("Facts", "It was set to None in line {line}."),
    QT_TRANSLATE_NOOP("Facts", "The backward was told to accumulate into its inputs= only, and this is none of them."),
    QT_TRANSLATE_NOOP("Facts", "retain_grad() in line {line} came after the backward: it keeps the next one."),
    QT_TRANSLATE_NOOP(
        "Facts", "No gradient came through to it: the way from the root is cut, or the backward failed before."
    ),
)
"""The texts of this module, for the tool that collects them."""
