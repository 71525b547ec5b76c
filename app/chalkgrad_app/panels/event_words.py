"""What the engine's events say in words: one line each, with the names that the program gives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

import numpy as np

from chalkgrad.engine.printing import values_text
from chalkgrad.session.derived import GradientGraph
from chalkgrad.session.events import Event, EventKind
from chalkgrad.session.schedule import ACCUMULATES
from chalkgrad.source import emit
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import QT_TRANSLATE_NOOP, translate
from chalkgrad_app.naming import cut_short
from chalkgrad_app.panels.object_names import line_number
from chalkgrad_app.picture.values import shape_text

PLAIN = {
    EventKind.MADE: QT_TRANSLATE_NOOP("Events", "{tensors} is made"),
    EventKind.NODE_MADE: QT_TRANSLATE_NOOP("Events", "{node} is recorded"),
    EventKind.SAVED: QT_TRANSLATE_NOOP("Events", "{node} saves {names}"),
    EventKind.WRITE: QT_TRANSLATE_NOOP("Events", "{tensors} is written in place"),
    EventKind.FLAGS: QT_TRANSLATE_NOOP("Events", "attributes of {tensors} change"),
    EventKind.BACKWARD_BEGAN: QT_TRANSLATE_NOOP("Events", "backward begins at {tensors} with {incoming}"),
    EventKind.NODE_READY: QT_TRANSLATE_NOOP("Events", "{node} is ready"),
    EventKind.HOOK_RAN: QT_TRANSLATE_NOOP("Events", "hook {names} at {node}: {incoming} → {outgoing}"),
    EventKind.NODE_RAN: QT_TRANSLATE_NOOP("Events", "{node}: {incoming} → {outgoing}"),
    EventKind.SUMMED: QT_TRANSLATE_NOOP("Events", "paths join at {node}: + {incoming} = {outgoing}"),
    EventKind.CAPTURED: QT_TRANSLATE_NOOP("Events", "autograd.grad takes {incoming} for {tensors}"),
    EventKind.ACCUMULATED: "{owner}.grad += {incoming}",
    EventKind.DROPPED: QT_TRANSLATE_NOOP("Events", "{node} gets {incoming} and adds nothing"),
    EventKind.RETAINED: QT_TRANSLATE_NOOP("Events", "{owner}.grad += {incoming}, kept by retain_grad"),
    EventKind.FREED: QT_TRANSLATE_NOOP("Events", "{node} frees {saved}"),
    EventKind.BACKWARD_ENDED: QT_TRANSLATE_NOOP("Events", "backward ends"),
    EventKind.RAN: QT_TRANSLATE_NOOP("Events", "the line has its result"),
    EventKind.ENDED: QT_TRANSLATE_NOOP("Events", "the line is over"),
}
FIRST = {
    EventKind.ACCUMULATED: QT_TRANSLATE_NOOP("Events", "{owner}.grad = {incoming}, the first"),
    EventKind.RETAINED: QT_TRANSLATE_NOOP("Events", "{owner}.grad = {incoming}, kept by retain_grad"),
}
PRINTS = QT_TRANSLATE_NOOP("Events", "prints {text}")
UNNAMED = QT_TRANSLATE_NOOP("Events", "a tensor")
NODE = QT_TRANSLATE_NOOP("Events", "{node} of line {line}")
NODE_OF_TERM = QT_TRANSLATE_NOOP("Events", "{node} of {term}, line {line}")
COUNTED = "#"
"""Leads what is called by its count."""
MOST = 6
"""A gradient with more numbers is told by its shape."""
LONGEST = 28
"""Of the expression that a node belongs to, so much is written."""


class EventWords:
    """The words for the events of one document's trace."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def text(self, event: Event, in_brief: bool = False) -> str:
        """One event as one line; a gradient that is covered stays so. ``in_brief`` shapes stand for long values."""
        if event.text:
            said = event.text.split("\n", 1)[0]
            return translate("Events", PRINTS).format(text=said) if event.kind is EventKind.PRINTED else said
        first = FIRST.get(event.kind) if "first" in event.names else None
        covered = self._is_covered(event)
        return translate("Events", first or PLAIN[event.kind]).format(
            tensors=self._names(event.tensors),
            owner=self._names(event.tensors[:1]),
            node=self.node(event.node),
            names=", ".join(event.names),
            saved=self._saved(event.node),
            incoming=values(event.incoming, covered, in_brief),
            outgoing=values(event.outgoing, covered, in_brief),
        )

    def node(self, number: int | None) -> str:
        """A backward node as the canvas tells it from others: whose it is, or its number in a gradient's graph."""
        if number is None:
            return ""
        document, trace = self._document, self._document.session.trace
        record, graph = trace.nodes[number], trace.graph_of(number)
        if record.name == ACCUMULATES:
            return f"{record.name} ({self._names(record.inputs)})"
        if graph is not None:
            made = self._recorded(graph, number)
            return f"{record.name} {made}" if made.startswith(COUNTED) else f"{record.name} ({made})"
        if record.statement not in document.program.lines:
            return record.name
        term = self._term(record.statement)
        name = f"{record.name} ({place})" if (place := self._place(number)) else record.name
        line = line_number(document, record.statement)
        if trace.passes_of(record.statement, document.position) != record.pass_ + 1:  # not that of the round looked at
            line = f"{line} ({record.pass_ + 1})"
        return translate("Events", NODE_OF_TERM if term else NODE).format(node=name, term=term, line=line)

    def name(self, number: int) -> str:
        """What the program calls a tensor, else what made it: an expression, a backward; "a tensor" in the end."""
        own = self._own_name(number) or self._made_by(number) or self._made_inside(number)
        if own:
            return own
        owner = self._document.session.trace.owner_of(number)
        of = "" if owner is None else self._own_name(owner)
        return f"{of}.grad" if of else translate("Events", UNNAMED)

    # ------------------------------------------------------------ inside

    def _term(self, statement: int) -> str:
        """The expression of a card that is a part of its line; empty for one that has a line of its own."""
        program = self._document.program
        if not program.is_inline(statement):
            return ""
        return cut_short(emit.expression(program, statement), LONGEST)

    def _made_inside(self, number: int) -> str:
        """What the canvas calls a tensor that a backward made and recorded on its way."""
        trace = self._document.session.trace
        tensor = trace.state(None).object(number)
        node = None if tensor is None else tensor.node
        graph = None if node is None else trace.graph_of(node)
        return "" if node is None or graph is None else self._recorded(graph, node)

    def _recorded(self, graph: GradientGraph, node: int) -> str:
        """What a node in a gradient's own graph shows on the canvas: the gradient that it made, else its count."""
        from chalkgrad.explain.recorded import RecordedNames  # imported when used: the first window needn't wait for it

        document = self._document
        names = RecordedNames(document.program, document.state, document.program.statements, _nothing)
        made = next(iter(document.session.trace.nodes[node].outputs), None)
        return names.gradient(graph, made).plain or names.kept_as(made) or names.count(graph.node(node))

    def _place(self, number: int) -> int:
        """Which of the equally named nodes of one card a node is, from the second on; 0 for the first."""
        nodes = self._document.session.trace.nodes
        name, *card = nodes[number][:3]
        earlier = (nodes[at] for at in range(number - 1, -1, -1))
        before = takewhile(lambda node: node.name == ACCUMULATES or [*node[1:3]] == card, earlier)
        same = sum(node.name == name for node in before)
        return same + 1 if same else 0

    def _made_by(self, number: int) -> str:
        """The expression within a line that a tensor is the value of."""
        made_by = self._document.session.trace.made_by(number)
        return self._term(made_by) if made_by in self._document.program.lines else ""

    def _own_name(self, number: int) -> str:
        """What the line calls a tensor that it came to; what it made on the way there has no name."""
        document = self._document
        outlet = document.session.trace.outlet(number)
        if outlet is None or outlet[0] not in document.program:
            return ""
        targets = document.program[outlet[0]].targets
        return targets[outlet[1]] if outlet[1] < len(targets) else ""

    def _names(self, numbers: Iterable[int | None]) -> str:
        return ", ".join(self.name(number) for number in numbers if number is not None)

    def _saved(self, node: int | None) -> str:
        return "" if node is None else ", ".join(kept.name for kept in self._document.session.trace.saved_by(node))

    def _is_covered(self, event: Event) -> bool:
        """Whether gradients are covered here: one that is nobody's own is as long as any are."""
        if not self._document.is_covering:
            return False
        covered, owner = self._document.state.covered, event.tensors[0] if event.tensors else None
        return event.kind not in FIRST or owner is None or covered is None or covered(owner)


def _nothing(_number: int) -> str:
    return ""


def values(gradients: Sequence[np.ndarray | None], covered: bool, in_brief: bool = False) -> str:
    """Gradients as words: ``[2.], None``; those that are covered as ``?``; ``in_brief`` what is long by its shape."""
    said = _brief if in_brief else _value
    return ", ".join("None" if gradient is None else "?" if covered else said(gradient) for gradient in gradients)


def _value(gradient: np.ndarray) -> str:
    return shape_text(gradient.shape) if gradient.size > MOST else " ".join(values_text(gradient).split())


def _brief(gradient: np.ndarray) -> str:
    return min(_value(gradient), shape_text(gradient.shape), key=len) if gradient.size > 1 else _value(gradient)
