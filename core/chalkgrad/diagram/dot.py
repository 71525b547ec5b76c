"""Graphviz's DOT language."""

from __future__ import annotations

from chalkgrad.diagram.cards import Card, Wire, cards, wires
from chalkgrad.diagram.palette import HUES
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


def _edge(wire: Wire) -> str:
    label = f", label={quoted(wire.label)}" if wire.label else ""
    return f"  n{wire.source} -> n{wire.target} [penwidth={2.5 if wire.requires_grad else 1.0}{label}];"
