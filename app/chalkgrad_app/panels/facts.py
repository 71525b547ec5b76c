"""The facts of a tensor as PyTorch prints them: what inspector and table show, in one place."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chalkgrad.program.statement import Kind
from chalkgrad.session.state import Saved, State, TensorState
from chalkgrad_app.document import Document

COVERED = "?"

Fact = Callable[[State, TensorState], str]


def shape(_state: State, tensor: TensorState) -> str:
    """``torch.Size([2, 3])`` as a tuple is printed: ``(2, 3)``."""
    return str(tuple(tensor.shape))


def grad(state: State, tensor: TensorState) -> str:
    """The gradient, ``None``, or a question mark while it is covered."""
    if state.is_covered(tensor) and (tensor.grad is not None or tensor.requires_grad):
        return COVERED
    return "None" if tensor.grad is None else tensor.grad.text


def grad_fn(_state: State, tensor: TensorState) -> str:
    """The grad_fn as PyTorch prints it, without the address."""
    return "None" if tensor.grad_fn is None else f"<{tensor.grad_fn}>"


def saved(_state: State, tensor: TensorState) -> str:
    """What the grad_fn saved and whether it is kept or freed."""
    if tensor.saved in (Saved.NONE, Saved.NOTHING):
        return _tr("none")
    names: dict[bool, list[str]] = {False: [], True: []}
    for value in tensor.saved_values:
        names[value.freed].append(value.name)
    parts = [f"{', '.join(names[False])}: {_tr('kept')}"] if names[False] else []
    parts += [f"{', '.join(names[True])}: {_tr('freed')}"] if names[True] else []
    return "; ".join(parts)


FACTS: tuple[tuple[str, Fact], ...] = (
    ("value", lambda _state, tensor: tensor.text),
    ("shape", shape),
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


def kind_words(tensor: TensorState) -> str:
    """Leaf or intermediate, in the language in use."""
    return _tr("leaf") if tensor.is_leaf else _tr("intermediate")


def sum_text(document: Document, tensor: TensorState) -> str:
    """How an accumulated gradient came about, by line; empty where there is nothing to add up."""
    if len(tensor.sum_of) < 2:
        return ""
    from chalkgrad.engine.printing import values_text

    lines = document.program.lines
    parts = [
        _tr("{value} (line {line})").format(value=values_text(part.value), line=lines.get(part.statement, 0))
        for part in tensor.sum_of
    ]
    return " + ".join(parts)


def why_no_grad(document: Document, id_: int, tensor: TensorState) -> str:
    """One sentence that says why the grad of a tensor is None; empty where it isn't."""
    if tensor.grad is not None:
        return ""
    if not tensor.requires_grad:
        return _tr("It doesn't require grad, so no gradient is worked out for it.")
    backwards = [s for s in document.program if s.kind is Kind.BACKWARD and _has_run(document, s.id)]
    if not backwards:
        return _tr("No backward has run yet.")
    if not tensor.is_leaf and not tensor.retains_grad:
        return _tr("It is an intermediate: gradients flow through it but are kept in leaves only. retain_grad() keeps it.")
    if not any(id_ in document.program.needs(ref.statement) for s in backwards for ref in s.refs()):
        return _tr("The root of the backward doesn't depend on it.")
    return _tr("It was set to None, or no gradient reached it since.")


def _has_run(document: Document, id_: int) -> bool:
    return document.state.statement(id_).passes > 0


def _tr(text: str) -> str:
    return QCoreApplication.translate("Facts", text)


_WORDS = (
    QT_TRANSLATE_NOOP("Facts", "none"),
    QT_TRANSLATE_NOOP("Facts", "kept"),
    QT_TRANSLATE_NOOP("Facts", "freed"),
    QT_TRANSLATE_NOOP("Facts", "leaf"),
    QT_TRANSLATE_NOOP("Facts", "intermediate"),
    QT_TRANSLATE_NOOP("Facts", "{value} (line {line})"),
    QT_TRANSLATE_NOOP("Facts", "It doesn't require grad, so no gradient is worked out for it."),
    QT_TRANSLATE_NOOP("Facts", "No backward has run yet."),
    QT_TRANSLATE_NOOP(
        "Facts",
        "It is an intermediate: gradients flow through it but are kept in leaves only. retain_grad() keeps it.",
    ),
    QT_TRANSLATE_NOOP("Facts", "The root of the backward doesn't depend on it."),
    QT_TRANSLATE_NOOP("Facts", "It was set to None, or no gradient reached it since."),
)
"""The texts of this module, for the tool that collects them."""
