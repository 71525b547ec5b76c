"""The lines that buttons append: each function tells, for a document as it is, the statements its button adds.

A button shows the text of exactly these statements, so what it says is what it does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple, overload

from chalkgrad.program import building, hooks
from chalkgrad.program.cards import CARDS
from chalkgrad.program.names import free_names
from chalkgrad.program.problems import waits_for
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Operand, Ref, Statement
from chalkgrad.source import emit
from chalkgrad.text import Text
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import in_a_row


class BackwardOptions(NamedTuple):
    """The options of a backward, by PyTorch's names and with its defaults. ``root`` None: the document's root.

    ``gradient`` is a reference to a tensor, or the value of one that is written inline; ``inline`` are the statements
    that a reference into this very line is made by.
    """

    root: Ref | None = None
    gradient: Operand = None
    retain_graph: bool | None = None
    create_graph: bool = False
    inputs: tuple[Ref, ...] = ()
    inline: tuple[Statement, ...] = ()


DEFAULTS = BackwardOptions()
Lines = Sequence[Statement]
MOST = 8
"""Of more lines than this a button shows the first."""


class Each(Sequence[Statement]):
    """A line for each of some tensors, made when it is looked at: where thousands are selected a button shows eight."""

    def __init__(self, refs: Sequence[Ref], make: Callable[[Ref], Statement]) -> None:
        self._refs = refs
        self._make = make

    def __len__(self) -> int:
        return len(self._refs)

    @overload
    def __getitem__(self, index: int) -> Statement: ...
    @overload
    def __getitem__(self, index: slice) -> list[Statement]: ...
    def __getitem__(self, index: int | slice) -> Statement | list[Statement]:
        if isinstance(index, slice):
            return [self._make(ref) for ref in self._refs[index]]
        return self._make(self._refs[index])


def backward(document: Document, options: BackwardOptions = DEFAULTS) -> Lines:
    """``y.backward(...)``; nothing on an empty canvas."""
    root = options.root or document.root()
    if root is None:
        return []
    return _with_gradient(
        options,
        lambda gradient: building.backward(
            root,
            gradient=gradient,
            retain_graph=options.retain_graph,
            create_graph=options.create_graph,
            inputs=options.inputs or None,
        ),
    )


def grad(document: Document, options: BackwardOptions = DEFAULTS) -> Lines:
    """``gw, = torch.autograd.grad(y, w, ...)`` for the chosen inputs, else for every leaf that requires grad."""
    root = options.root or document.root()
    inputs = options.inputs or _green(document.program)
    if root is None or not inputs:
        return []
    return _with_gradient(
        options,
        lambda gradient: building.grad(
            document.program,
            (root,),
            inputs,
            grad_outputs=gradient,
            retain_graph=options.retain_graph,
            create_graph=options.create_graph,
        ),
    )


def retain_grad(document: Document) -> Lines:
    """``a.retain_grad()`` for what is selected."""
    return Each(targets(document), lambda ref: building.method(ref, "retain_grad"))


def requires_grad(document: Document) -> Lines:
    """``c.requires_grad_()`` for what is selected."""
    return Each(targets(document), lambda ref: building.method(ref, "requires_grad_"))


def detach_in_place(document: Document) -> Lines:
    """``y.detach_()`` for what is selected."""
    return Each(targets(document), lambda ref: building.method(ref, "detach_"))


def detach(document: Document) -> Lines:
    """``d = y.detach()`` for the last selected result."""
    return [building.detach(document.program, ref) for ref in targets(document)[-1:]]


def zero_to_none(document: Document) -> Lines:
    """``w.grad = None`` for the selected tensors, else for every leaf that requires grad."""
    return Each(_with_grads(document), building.grad_to_none)


def zero_to_zeros(document: Document) -> Lines:
    """``w.grad.zero_()`` for the selected tensors, else for every leaf that requires grad."""
    return Each(_with_grads(document), building.grad_to_zeros)


def print_grad(document: Document) -> Lines:
    """``print(w.grad)`` for what is selected."""
    refs = tuple(replace(ref, path=("grad",)) for ref in targets(document))
    return [Statement(0, Kind.PRINT, "print", (), refs)] if refs else []


def register_hook(document: Document) -> Lines:
    """``h = a.register_hook(print)`` for what is selected."""
    refs = targets(document)
    handles = free_names(document.program, [hooks.NAME] * len(refs))
    lines = (building.method(ref, hooks.CALL, hooks.PRINT) for ref in refs)
    return [replace(line, targets=(name,)) for line, name in zip(lines, handles, strict=True)]


def named_results(program: Program) -> list[tuple[int, int, str]]:
    """Everything that has a name and a card, what can be a root or an input: its statement, output and name."""
    return [
        (statement.id, output, name)
        for statement in program
        if statement.kind in CARDS
        for output, name in enumerate(statement.targets)
        if name
    ]


def targets(document: Document) -> tuple[Ref, ...]:
    """The tensors that are selected, else the document's root."""
    if document.selected_tensors:
        return document.selected_tensors
    root = document.root()
    return (root,) if root else ()


def text(document: Document, lines: Lines) -> str:
    """The lines as a button shows them; where there are very many, the first of them."""
    shown = "; ".join(_texts(document, lines[:MOST]))
    return f"{shown}; ..." if len(lines) > MOST else shown


def run(document: Document, make: Callable[[Document], Lines]) -> None:
    """Append what ``make`` tells, as one undo step, and say so where that waits for an open port."""
    append(document, make(document))


def append(document: Document, lines: Lines) -> None:
    """Append lines as one undo step, and say so where that waits for an open port."""
    if not lines:
        return
    waiting = open_port(document, document.append_all(list(lines), text(document, lines)))
    if waiting:
        document.told.emit(waiting)


def open_port(document: Document, ids: Iterable[int]) -> str:
    """That a line waits with an open port that these, or what they use, wait for; nothing where they need not wait."""
    waiting = waits_for(document.program, ids)
    if waiting is None:
        return ""
    return in_a_row([Text("problem.open_port", line=document.program.lines[waiting])])


def _texts(document: Document, lines: Lines) -> list[str]:
    """One text for each line; tensors written inline are part of the line that uses them."""
    inline = {line.id: line for line in lines if line.targets == ("",)}
    return [emit.statement_text(document.program, line, inline) for line in lines if line.targets != ("",)]


def _with_gradient(options: BackwardOptions, make: Callable[[Operand], Statement]) -> Lines:
    """The statement made with the gradient, after what is written inline for it."""
    gradient = options.gradient
    if gradient is None or isinstance(gradient, Ref):
        return [*options.inline, make(gradient)]
    tensor = Statement(-1, Kind.LEAF, "tensor", ("",), (gradient,))
    return [tensor, make(Ref(tensor.id))]


def _green(program: Program) -> tuple[Ref, ...]:
    """The leaves that require grad."""
    return tuple([Ref(s.id) for s in program if s.kind is Kind.LEAF and s.option("requires_grad") is True])


def _with_grads(document: Document) -> tuple[Ref, ...]:
    return document.selected_tensors or _green(document.program)
