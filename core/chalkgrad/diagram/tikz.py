"""TikZ, for slides and papers: the cards where they lie on the canvas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chalkgrad.diagram.cards import Card, cards, wires
from chalkgrad.diagram.gradients import Graph, graphs
from chalkgrad.diagram.gradients import Node as GradientNode
from chalkgrad.diagram.palette import FUNCTION, HUES, Hue
from chalkgrad.layout import Edge, Node, Path, Point, routes, tidy
from chalkgrad.layout.cards import card_nodes
from chalkgrad.program.board import CARDS, Board
from chalkgrad.program.program import Program
from chalkgrad.session.state import State

UNIT = "0.02cm"
"""Length on paper of one unit of the canvas: a card is 3.5 cm wide."""
LINE = 20.0
"""Height of a line of text on a card, in canvas units."""
WIDTH, ACROSS, BELOW = 176.0, 48.0, 60.0
"""Width of a node of a gradient's graph, the room between two of them, and above them."""

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
    derived = graphs(program, state)
    lines += [_definition(style, hue) for style, hue in HUES.items()]
    lines += [_definition("gradient", FUNCTION)] if derived else []
    lines += [_box(card, node, places[node.id]) for card, node in zip(found, nodes, strict=True)]
    for wire, path in zip(wires(program, state), routes(nodes, edges, places), strict=True):
        lines.append(_wire(path, wire.requires_grad, wire.label))
    bottom = max((places[node.id][1] + node.height for node in nodes), default=0.0)
    left = min((places[node.id][0] for node in nodes), default=0.0)
    for graph in derived:
        drawn, bottom = _gradient(graph, left, bottom + BELOW)
        lines += drawn
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


def _gradient(graph: Graph, left: float, top: float) -> tuple[list[str], float]:
    """The graph of a gradient below the cards, from right to left as the gradient goes; and where it ends."""
    depth: dict[int, int] = {}
    stood: dict[int, int] = {}
    placed: list[tuple[GradientNode, int, int]] = []
    for node in graph.nodes:
        depth[node.number] = column = 1 + max((depth[source] for source in node.nodes if source in depth), default=-1)
        placed.append((node, column, stood.get(column, 0)))
        stood[column] = stood.get(column, 0) + 1
    last, height = max(depth.values(), default=0), LINE * max((len(node.rows) for node in graph.nodes), default=1) + 8
    lines = [f"\\node[anchor=north west] at ({left:g},{top:g}) {{{escaped(graph.title)}}};"]
    size = f"minimum width={WIDTH:g}*{UNIT}, minimum height={height:g}*{UNIT}"
    for node, column, row in placed:
        x, y = left + (last - column) * (WIDTH + ACROSS), top + 2 * LINE + row * (height + LINE)
        text = r"\\".join(escaped(found) for found in node.rows)
        look = f"gradient, anchor=north west, align=left, {size}"
        lines.append(f"\\node[{look}] (g{node.number}) at ({x:g},{y:g}) {{{text}}};")
    for node in graph.nodes:
        lines += [f"\\draw[->, line width=1.2pt] (g{source}.west) -- (g{node.number}.east);" for source in node.nodes]
        lines += [f"\\draw[->, dotted] (n{card}.south) -- (g{node.number}.north east);" for card in node.cards]
    lines += [f"\\draw[->, line width=1.2pt] (g{number}.north) -- (n{card}.south);" for number, card in graph.ends]
    return lines, top + 2 * LINE + max(stood.values(), default=0) * (height + LINE)


def _definition(style: str, hue: Hue) -> str:
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
