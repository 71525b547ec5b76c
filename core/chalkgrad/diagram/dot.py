"""Graphviz's DOT language."""

from __future__ import annotations

from chalkgrad.diagram.cards import Card, Wire, cards, wires
from chalkgrad.diagram.gradients import Graph, graphs
from chalkgrad.diagram.palette import FUNCTION, HUES
from chalkgrad.program.program import Program
from chalkgrad.session.state import State

HEAD = """digraph chalkgrad {
  rankdir=LR; ordering=in; bgcolor=transparent;
  node [shape=box, style=filled, fontname="monospace", fontsize=12];
  edge [fontname="monospace", fontsize=10];"""


def to_dot(program: Program, state: State | None = None) -> str:
    """The graph as DOT text; ``dot`` draws it from left to right with operands in the order of their ports."""
    lines = [HEAD]
    lines += [_node(card) for card in cards(program, state)]
    lines += [_edge(wire) for wire in wires(program, state)]
    for graph in graphs(program, state):
        lines += _cluster(graph)
    return "\n".join([*lines, "}"]) + "\n"


def quoted(text: str) -> str:
    """A DOT string: only backslash, quote and line end mean something in one."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _node(card: Card) -> str:
    hue = HUES[card.style]
    style = '"filled,rounded"' if hue.round else "filled"
    label = quoted("\n".join(card.rows()))
    return (
        f'  n{card.id} [label={label}, style={style}, fillcolor="#{hue.fill}", color="#{hue.edge}", '
        f'fontcolor="#{hue.text}", penwidth={hue.width}];'
    )


def _cluster(graph: Graph) -> list[str]:
    """The graph of a gradient: its nodes in a box of their own, its edges against the direction of the others."""
    lines = [f"  subgraph cluster{graph.line} {{", f"    label={quoted(graph.title)}; style=rounded;"]
    look = f'shape=cds, orientation=180, fillcolor="#{FUNCTION.fill}", color="#{FUNCTION.edge}"'
    for node in graph.nodes:
        label = quoted("\n".join(node.rows))
        lines.append(f'    g{node.number} [label={label}, {look}, fontcolor="#{FUNCTION.text}"];')
    lines.append("  }")
    for node in graph.nodes:
        lines += [f"  g{node.number} -> g{source} [dir=back, penwidth=1.5];" for source in node.nodes]
        lines += [f"  n{card} -> g{node.number} [style=dotted];" for card in node.cards]
    lines += [f"  g{number} -> n{card} [penwidth=1.5, constraint=false];" for number, card in graph.ends]
    return lines


def _edge(wire: Wire) -> str:
    label = f", label={quoted(wire.label)}" if wire.label else ""
    return f"  n{wire.source} -> n{wire.target} [penwidth={2.5 if wire.requires_grad else 1.0}{label}];"
