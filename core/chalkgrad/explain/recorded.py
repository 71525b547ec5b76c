"""Names in the gradient's own graph: ``dy/dc`` for a gradient, a short operator with what it was given, or ``#5``."""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from functools import cached_property

from chalkgrad.engine.record import OPS
from chalkgrad.explain.writing import NOTHING, Formula, counted, differential, in_words, name, number
from chalkgrad.program.program import Program
from chalkgrad.session.derived import DerivedNode, GradientGraph
from chalkgrad.session.state import State
from chalkgrad.source.emit import expression

NAMELESS = "·"
"""Stands for numbers that no node of the graph made, and that nobody gave a name."""
SAYS_NOTHING = re.compile(r"\\\w+")
PRODUCTS = {"mm": "@", "bmm": "@", "mv": "@"}
"""Operators that are written with a sign under another name."""
COVERED = "?"
COUNTED = "#"
"""Leads a node's count."""
OPERANDS = ("other", "exponent")
"""Numbers that are operands."""
LONGEST = 14
SHORT = 12
"""So long an operator with what it was given may be to be called by that; a longer one is called by its count."""


def names_of(program: Program, state: State, cards: Container[int]) -> RecordedNames:
    """Names as somebody sees them who looks at ``state``: constants of covered gradients stay covered."""

    def constant(number: int) -> str:
        tensor = state.object(number)
        is_one = tensor is not None and tensor.node is None and tensor.value is not None and tensor.value.size == 1
        if tensor is None or not is_one:
            return ""
        return tensor.short.strip("[]") if state.covered is None else COVERED  # most are derivatives

    return RecordedNames(program, state, cards, constant)


class RecordedNames:
    """Names of what backwards recorded, as a state has it.

    ``cards`` are the lines that are shown by their name; ``constant`` writes a tensor of one number that nothing led
    to, and is empty for others.
    """

    def __init__(self, program: Program, state: State, cards: Container[int], constant: Callable[[int], str]) -> None:
        self._program = program
        self._state = state
        self._cards = cards
        self._constant = constant
        self._titles: dict[int, str] = {}
        self._names: dict[int, Formula] = {}
        self._given: dict[int, dict[int, DerivedNode | None]] = {}

    def title(self, node: DerivedNode) -> str:
        """The operator with what it was given: ``c ** 2``, ``(c ** 2) * 3``, ``dy/dc * #5``."""
        pending = [node]
        while pending:  # no recursion: a chain may be long
            top = pending[-1]
            read = () if top.number in self._titles else self._read(top).values()
            unwritten = [maker for maker in read if maker and maker.number not in self._titles]
            pending += unwritten
            if not unwritten:
                self._titles[top.number] = self._titles.get(top.number) or self._written(top)
                pending.pop()
        return self._titles[node.number]

    def count(self, node: DerivedNode) -> str:
        """What tells a node from all others: ``#5``."""
        return f"{COUNTED}{self._graph_of[node.number].count_of(node.number)}"

    def called(self, found: int | None) -> Formula:
        """The name of an object; what has none is called by what made it: the operator, or in the end its count."""
        node = None if found is None else self._makers.get(found)
        known = self.name(found)
        if known or node is None:
            return known
        self.title(node)
        return self._short(node)

    def name(self, found: int | None) -> Formula:
        """What an object is called: a name of the program, ``dy/dc`` for a gradient, its number for a constant."""
        if found is None:
            return NOTHING
        if found not in self._names:
            kept = self.kept_as(found)
            self._names[found] = name(kept) if kept else self._as_gradient(found) or name(self._constant(found))
        return self._names[found]

    def read_by(self, node: DerivedNode) -> list[DerivedNode]:
        """The nodes that a node's title speaks of by their count."""
        read = self._read(node).items()
        return [maker for found, maker in read if maker and self.called(found).plain.startswith(COUNTED)]

    def gradient(self, graph: GradientGraph, found: int | None) -> Formula:
        """``dy/dc`` for all of the gradient that came to ``c``; empty for what is on its way, or has no name."""
        if found is None or found not in graph.gradients or len(graph.roots) != 1 or graph.roots[0] is None:
            return NOTHING
        target = self.target(graph, found)
        root, by = self._card(graph.roots[0]), None if target is None else self._card(target)
        return differential(name(root), name(by)) if root and by else NOTHING

    def kept_as(self, found: int | None) -> str:
        """What the program calls an object: a name, ``x.grad``; empty for what it has no name for."""
        if found is None:
            return ""
        called, _ = self._state.calling(found)
        return called or self._card(found)

    def target(self, graph: GradientGraph, found: int | None) -> int | None:
        """The object whose gradient an object is."""
        gradient = None if found is None else graph.gradients.get(found)
        if gradient is None:
            return None
        record = self._state.nodes[gradient[0]]
        numbers = record.inputs if record.name == "AccumulateGrad" else record.outputs
        return numbers[gradient[1]] if gradient[1] < len(numbers) else None

    # ------------------------------------------------------------ inside

    def _read(self, node: DerivedNode) -> dict[int, DerivedNode | None]:
        """What a node was given, each with the earlier node that made it where it has no name of its own."""
        known = self._given.get(node.number)
        if known is None:
            known = self._given[node.number] = {}
            for found in self._state.nodes[node.number].inputs:
                maker = None if found is None or self.name(found) else self._makers.get(found)
                if found is not None:
                    known[found] = maker if maker is not None and maker.number < node.number else None
        return known

    def _written(self, node: DerivedNode) -> str:
        """The operator of a node with its operands."""
        record = OPS.get(node.call)
        if record is None:
            return self._state.nodes[node.number].name.split("Backward")[0]
        inputs, read = self._state.nodes[node.number].inputs, self._read(node)
        given = [self._operand(found, None if found is None else read[found]) for found in inputs]
        constants = {key: number(value).plain for key, value in node.constants}
        symbol = PRODUCTS.get(record.name) or record.symbol or OPS[record.part_of or record.name].symbol
        operands = [*given, *(constants[key] for key in OPERANDS if key in constants)]
        if symbol and len(operands) == 2 and constants.get("alpha", "1") == "1":
            return f"{operands[0]} {symbol} {operands[1]}"
        if not record.latex or SAYS_NOTHING.fullmatch(record.latex) or record.variadic:
            called = (record.part_of or record.name).removesuffix("_")
            return f"{called}({', '.join(given[-1:] if node.call == 'copy_' else given)})"
        names = {key: f"{{{text}}}" for key, text in zip(record.inputs, given, strict=False)}
        return in_words(record.formula(names | constants))

    def _operand(self, found: int | None, maker: DerivedNode | None) -> str:
        """An object within a formula: an expression in parentheses."""
        called = self.name(found).plain if maker is None else self._short(maker).plain
        is_expression = maker is not None or bool(self.kept_as(found))
        return f"({called})" if " " in called and is_expression else called or NAMELESS

    def _short(self, node: DerivedNode) -> Formula:
        """What is made by a node with a title, and has no name."""
        title = self._titles[node.number]
        return name(title) if len(title) <= SHORT and COUNTED not in title else counted(self.count(node))

    def _as_gradient(self, found: int) -> Formula:
        graphs = (graph for graph in self._state.graphs if found in graph.gradients)
        return next((text for graph in graphs if (text := self.gradient(graph, found))), NOTHING)

    @cached_property
    def _makers(self) -> dict[int, DerivedNode]:
        """The node of a gradient's graph that made an object, by object; of several the first."""
        nodes = self._state.nodes
        all_nodes = (node for graph in reversed(self._state.graphs) for node in reversed(graph.nodes))
        return {found: node for node in all_nodes for found in nodes[node.number].outputs if found is not None}

    @cached_property
    def _graph_of(self) -> dict[int, GradientGraph]:
        return {node.number: graph for graph in self._state.graphs for node in graph.nodes}

    def _card(self, found: int) -> str:
        """The name, or the expression, of the card that shows an object; empty where none does."""
        outlet = self._state.outlet(found)
        if outlet is None or outlet[0] not in self._cards:
            return ""
        statement = self._program[outlet[0]]
        if outlet[1] < len(statement.targets) and statement.targets[outlet[1]]:
            return statement.targets[outlet[1]]
        text = expression(self._program, statement.id)
        return text if len(text) <= LONGEST else statement.call
