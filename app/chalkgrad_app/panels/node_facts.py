"""What the inspector says of a backward node: what it is, what it is recorded for, what it made and what it saved."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QLabel, QVBoxLayout, QWidget

from chalkgrad.session.derived import DerivedNode, GradientGraph
from chalkgrad.session.state import Saved, State, TensorState
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import translate
from chalkgrad_app.panels import facts
from chalkgrad_app.panels.fact_labels import fact_label, name_label
from chalkgrad_app.panels.object_names import line_text, object_name
from chalkgrad_app.picture.look import card_words
from chalkgrad_app.style.tint import tint
from chalkgrad_app.widgets.code_font import code_font, scaled

VALUE = ("value", "shape", "dtype", "is_leaf", "requires_grad", "grad_fn", "_version")


class DescribedNode(NamedTuple):
    """A node: its name, where it comes from, and facts by name, as PyTorch prints them where it does."""

    name: str
    origin: str
    facts: tuple[tuple[str, str], ...]

    def text(self) -> str:
        """Everything, a line each."""
        return "\n".join([self.name, self.origin, *(f"{name}  {text}" for name, text in self.facts)])


def describe_node(document: Document) -> DescribedNode | None:
    """The node that is selected, as it is at the cursor; None where none is."""
    number = document.node
    if number is None:
        return None
    record = document.state.nodes[number]
    graph = document.session.trace.graph_of(number)
    derived = None if graph is None else graph.node(number)
    return DescribedNode(record.name, _origin(document, graph, derived), tuple(_facts(document, number, graph)))


def next_functions(state: State, number: int) -> str:
    """The nodes that its gradients go to, as PyTorch prints the tuple, without addresses."""
    record = state.nodes[number]
    ports = record.ports or (0,) * len(record.edges)
    names = ("None" if edge is None else f"<{state.nodes[edge].name}>" for edge in record.edges)
    parts = [f"({name}, {port})" for name, port in zip(names, ports, strict=True)]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def _origin(document: Document, graph: GradientGraph | None, derived: DerivedNode | None) -> str:
    """Which line left it behind, and within a backward for which node's sake."""
    number = document.node or 0
    record = document.state.nodes[number]
    line = line_text(document, record.statement, record.pass_)
    if graph is None or derived is None:
        return translate("NodeFacts", "left behind by {line}").format(line=line)
    of = document.state.nodes[derived.of]
    words = {
        "order": card_words().derivative(graph.order),
        "line": line,
        "node": of.name,
        "origin": line_text(document, of.statement, of.pass_),
    }
    if derived.joins:
        return translate("NodeFacts", "{order}, {line}: adds up what comes to {node} of {origin}").format(**words)
    return translate("NodeFacts", "{order}, {line}: made when {node} of {origin} ran").format(**words)


def _facts(document: Document, number: int, graph: GradientGraph | None) -> list[tuple[str, str]]:
    state = document.state
    record = state.nodes[number]
    made = record.outputs[0] if record.outputs else None
    tensor = None if made is None else state.object(made)
    found = [] if graph is None else [_formula(document, graph.node(number))]
    found += [(translate("NodeFacts", "reads"), _reads(document, number))] if record.name != "AccumulateGrad" else []
    if tensor is None and made is not None:
        found.append(("value", card_words().to_come))
    elif tensor is not None:
        covered = graph is not None and state.covered is not None
        found += [
            (name, facts.COVERED if covered and name == "value" else _fact(state, tensor, name)) for name in VALUE
        ]
    found.append(("next_functions", next_functions(state, number)))
    if tensor is not None and tensor.saved is not Saved.NONE:
        found.append((translate("NodeFacts", "saved"), facts.saved(state, tensor)))
    return found


def _formula(document: Document, node: DerivedNode) -> tuple[str, str]:
    """What formulas and the canvas call a node of a gradient's graph, and the operator with what it was given."""
    from chalkgrad.explain.recorded import names_of  # imported when used: it costs start-up time

    names = names_of(document.program, document.state, document.program.statements)
    return names.count(node), names.title(node)


def _fact(state: State, tensor: TensorState, name: str) -> str:
    return dict(facts.FACTS)[name](state, tensor)


def _reads(document: Document, number: int) -> str:
    """What it was recorded for: names of the program, the operator that made what has none."""
    state = document.state
    makers = {made: record.name for record in state.nodes for made in record.outputs if made is not None}
    parts = []
    for given in state.nodes[number].inputs:
        name = "" if given is None else state.calling(given)[0]
        if name or given is None:
            parts.append(name or translate("NodeFacts", "a number"))
        elif given in makers:
            parts.append(f"<{makers[given]}>")
        else:
            tensor = state.object(given)
            single = tensor is not None and tensor.value is not None and tensor.value.size == 1
            parts.append(tensor.short if tensor and single else object_name(document, given, state.position))
    return ", ".join(parts) or translate("NodeFacts", "numbers alone")


class NodePage(QWidget):
    """The facts of one node, a row each; all of them can be copied."""

    def __init__(self, node: DescribedNode, parent: QWidget) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(scaled(6))
        title = QLabel(f"ƒ {node.name}", self)
        title.setObjectName("inspector.name")
        title.setTextFormat(Qt.TextFormat.PlainText)
        title.setFont(code_font(bold=True))
        origin = QLabel(node.origin, self)
        origin.setObjectName("inspector.origin")
        origin.setTextFormat(Qt.TextFormat.PlainText)
        origin.setWordWrap(True)
        tint(origin, "muted")
        rows = QFormLayout()
        rows.setHorizontalSpacing(scaled(12))
        rows.setVerticalSpacing(scaled(4))
        rows.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        rows.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        rows.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for name, text in node.facts:
            rows.addRow(name_label(self, name), fact_label(self, text, f"inspector.{name}"))
        for part in (title, origin):
            column.addWidget(part)
        column.addLayout(rows)
