"""Diagrams: the graph as text that other tools draw: Graphviz, Mermaid, TikZ, and plain JSON."""

from chalkgrad.diagram.cards import Card, Wire, cards, wires
from chalkgrad.diagram.data import to_json
from chalkgrad.diagram.dot import to_dot
from chalkgrad.diagram.mermaid import to_mermaid
from chalkgrad.diagram.tikz import to_tikz

__all__ = ["Card", "Wire", "cards", "to_dot", "to_json", "to_mermaid", "to_tikz", "wires"]
