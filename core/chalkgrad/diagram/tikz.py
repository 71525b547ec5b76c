"""TikZ, for slides and papers: the cards where they lie on the canvas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chalkgrad.diagram.cards import Card, cards, wires
from chalkgrad.diagram.palette import HUES
from chalkgrad.layout import Edge, Node, Path, Point, routes, tidy
from chalkgrad.layout.cards import card_nodes
from chalkgrad.program.board import CARDS, Board
from chalkgrad.program.program import Program
from chalkgrad.session.state import State

UNIT = "0.02cm"
"""Length on paper of one unit of the canvas: a card is 3.5 cm wide."""
LINE = 20.0
"""Height of a line of text on a card, in canvas units."""

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "-": "{-}",
    "[": "{[}",
    "]": "{]}",
    "\n": " ",
}


def to_tikz(program: Program, board: Board | None = None, state: State | None = None, document: bool = True) -> str:
    """The graph as a TikZ picture, by itself or as a whole LaTeX ``document``.

    Cards lie where ``board`` has them; where one has no place, all are laid out anew.
    """
    found = cards(program, state)
    nodes, edges = card_nodes(program)
    nodes = [
        replace(node, height=max(node.height, LINE * len(card.rows()) + 8))
        for node, card in zip(nodes, found, strict=True)
    ]
    places = _places(nodes, edges, board or Board())
    lines = [f"\\begin{{tikzpicture}}[x={UNIT}, y=-{UNIT}, font=\\ttfamily\\small, >=stealth]"]
    lines += [_definition(style) for style in HUES]
    lines += [_box(card, node, places[node.id]) for card, node in zip(found, nodes, strict=True)]
    for wire, path in zip(wires(program, state), routes(nodes, edges, places), strict=True):
        lines.append(_wire(path, wire.requires_grad, wire.label))
    picture = "\n".join([*lines, "\\end{tikzpicture}"]) + "\n"
    return _document(picture) if document else picture


def escaped(text: str) -> str:
    """``text`` as LaTeX sets it, whatever it holds."""
    return "".join(SPECIAL.get(character, character) for character in text)


def _places(nodes: Sequence[Node], edges: Sequence[Edge], board: Board) -> dict[int, Point]:
    cards = board.drawn_as(CARDS)
    known = {node.id: place for node in nodes if (place := cards.place(node.id)) is not None}
    if len(known) < len(nodes):
        return tidy(nodes, edges)
    return {id_: (place.x, place.y) for id_, place in known.items()}


def _definition(style: str) -> str:
    hue = HUES[style]
    names = [f"\\definecolor{{{style}{part}}}{{HTML}}{{{getattr(hue, part)}}}" for part in ("fill", "edge", "text")]
    corners = "rounded corners=5pt" if hue.round else "sharp corners"
    look = f"fill={style}fill, draw={style}edge, text={style}text, line width={hue.width}pt, {corners}"
    return "".join(names) + f"\\tikzset{{{style}/.style={{{look}}}}}"


def _box(card: Card, node: Node, place: Point) -> str:
    x, y = place
    text = r"\\".join(escaped(row) for row in card.rows())
    size = f"minimum width={node.width:g}*{UNIT}, minimum height={node.height:g}*{UNIT}"
    return f"\\node[{card.style}, anchor=north west, align=left, {size}] (n{card.id}) at ({x:g},{y:g}) {{{text}}};"


def _wire(path: Path, thick: bool, label: str) -> str:
    points = [f"({x:.4g},{y:.4g})" for x, y in path]
    pieces = [
        f" .. controls {points[at]} and {points[at + 1]} .. {points[at + 2]}" for at in range(1, len(points) - 2, 3)
    ]
    width = "line width=1.6pt" if thick else "thin"
    tag = f" node[midway, above, font=\\ttfamily\\scriptsize] {{{escaped(label)}}}" if label else ""
    return f"\\draw[->, {width}] {points[0]}{''.join(pieces)}{tag};"


def _document(picture: str) -> str:
    head = "\\documentclass[tikz, border=4pt]{standalone}\n\\usepackage[T1]{fontenc}\n"
    return f"{head}\\begin{{document}}\n{picture}\\end{{document}}\n"
