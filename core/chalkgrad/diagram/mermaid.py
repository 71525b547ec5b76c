"""Mermaid's flowcharts, as Markdown pages show them."""

from __future__ import annotations

from chalkgrad.diagram.cards import Card, Wire, cards, wires
from chalkgrad.diagram.gradients import Graph, graphs
from chalkgrad.diagram.palette import FUNCTION, HUES
from chalkgrad.program.program import Program
from chalkgrad.session.state import State

ENTITIES = {character: f"#{ord(character)};" for character in '#"&<>`\\[](){}|'}
"""Characters that Mermaid or the HTML under it would read, and the entity codes that stand for them."""


def to_mermaid(program: Program, state: State | None = None) -> str:
    """The graph as a Mermaid flowchart from left to right."""
    found = cards(program, state)
    lines = ["flowchart LR"]
    lines += [_node(card) for card in found]
    lines += [_edge(wire) for wire in wires(program, state)]
    derived = graphs(program, state)
    for graph in derived:
        lines += _subgraph(graph)
    used = {card.style for card in found}
    for style, hue in HUES.items():
        if style in used:
            colours = f"fill:#{hue.fill},stroke:#{hue.edge},color:#{hue.text},stroke-width:{hue.width}px"
            lines.append(f"  classDef {style} {colours}")
    if derived:
        lines.append(f"  classDef gradient fill:#{FUNCTION.fill},stroke:#{FUNCTION.edge},color:#{FUNCTION.text}")
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """``text`` as Mermaid shows it, whatever it holds."""
    return "".join(ENTITIES.get(character, character) for character in text).replace("\n", "<br/>")


def _node(card: Card) -> str:
    label = "<br/>".join(escaped(row) for row in card.rows())
    opening, closing = ("(", ")") if HUES[card.style].round else ("[", "]")
    return f'  n{card.id}{opening}"{label}"{closing}:::{card.style}'


def _subgraph(graph: Graph) -> list[str]:
    """The graph of a gradient: its nodes in a box of their own, then its edges."""
    lines = [f'  subgraph s{graph.line}["{escaped(graph.title)}"]']
    lines += [f'    g{node.number}>"{"<br/>".join(map(escaped, node.rows))}"]:::gradient' for node in graph.nodes]
    lines.append("  end")
    for node in graph.nodes:
        lines += [f"  g{source} --> g{node.number}" for source in node.nodes]
        lines += [f"  n{card} -.-> g{node.number}" for card in node.cards]
    return [*lines, *(f"  g{number} ==> n{card}" for number, card in graph.ends)]


def _edge(wire: Wire) -> str:
    arrow = "==>" if wire.requires_grad else "-->"
    label = f'|"{escaped(wire.label)}"|' if wire.label else ""
    return f"  n{wire.source} {arrow}{label} n{wire.target}"
