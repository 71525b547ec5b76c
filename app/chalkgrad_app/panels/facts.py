"""The facts of a tensor as PyTorch prints them: what inspector and table show, in one place."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from chalkgrad.engine.printing import values_text
from chalkgrad.program.building import is_gradient
from chalkgrad.program.statement import Statement
from chalkgrad.session.state import Saved, State, TensorState
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import translate

COVERED = "?"
FLAGS = frozenset({"is_leaf", "requires_grad", "grad", "grad_fn", "retains_grad", "saved"})
"""The facts that tell whether a tensor is a leaf and requires grad."""

Fact = Callable[[State, TensorState], str]


def grad(state: State, tensor: TensorState) -> str:
    """The gradient, ``None``, or a question mark while it is covered."""
    if is_covered(state, tensor):
        return COVERED
    return "None" if tensor.grad is None else tensor.grad.text


def is_covered(state: State, tensor: TensorState) -> bool:
    """True when there could be a gradient and it is to be guessed first."""
    return tensor.has_flags and state.is_covered(tensor) and (tensor.grad is not None or tensor.requires_grad)


def grad_fn(_state: State, tensor: TensorState) -> str:
    """The grad_fn as PyTorch prints it, without the address."""
    return "None" if tensor.grad_fn is None else f"<{tensor.grad_fn}>"


def saved(_state: State, tensor: TensorState) -> str:
    """What the grad_fn saved for its backward, by PyTorch's names, and whether that is kept or freed."""
    if tensor.saved is Saved.NONE:
        return translate("Facts", "none")
    if tensor.saved is Saved.NOTHING:
        return translate("Facts", "nothing")
    parts = []
    for word, freed in ((translate("Facts", "kept"), False), (translate("Facts", "freed"), True)):
        names = [value.name for value in tensor.saved_values if value.freed is freed]
        parts += [f"{', '.join(names)}: {word}"] if names else []
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
    if name in FLAGS and not tensor.has_flags:
        return COVERED
    return dict(FACTS)[name](state, tensor)


def kind_words(tensor: TensorState) -> str:
    """Leaf or intermediate, in the language in use."""
    if not tensor.has_flags:
        return COVERED
    return translate("Facts", "leaf") if tensor.is_leaf else translate("Facts", "intermediate")


def sum_text(document: Document, tensor: TensorState) -> str:
    """How an accumulated gradient came about, by line: ``5. (line 6) + 5. (line 7) = 10.``; else empty."""
    if len(tensor.sum_of) < 2 or tensor.grad is None or tensor.grad.value is None:
        return ""
    lines = document.program.lines
    parts = [
        translate("Facts", "{value} (line {line})").format(value=_plain(part.value), line=lines.get(part.statement, 0))
        for part in tensor.sum_of
    ]
    total = _plain(tensor.grad.value)
    is_long = any("\n" in part for part in parts)
    return f"{(chr(10) if is_long else ' ') + '+ '}".join(parts) + ("\n= " if is_long else " = ") + total


def _plain(value: np.ndarray) -> str:
    """The values alone; a single one without its brackets."""
    return values_text(value.reshape(())) if value.size == 1 else values_text(value)
