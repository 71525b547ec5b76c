"""Names in the gradient's own graph: ``dy/dc`` for a gradient, else the operator with what it was given."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping

from chalkgrad.engine.record import OPS
from chalkgrad.explain.writing import in_words, number
from chalkgrad.program.program import Program
from chalkgrad.session.derived import DerivedNode, GradientGraph
from chalkgrad.session.state import State
from chalkgrad.source.emit import expression

NAMELESS = "·"
"""Stands for what another node of the graph made: its edge shows which."""
SAYS_NOTHING = re.compile(r"\\\w+")
GRADIENT = re.compile(r"d(\w+|\(.*\))/d(\w+|\(.*\))")
PRODUCTS = {"mm": "@", "bmm": "@", "mv": "@"}
"""Operators that are written with a sign under another name."""
OPERANDS = ("other", "exponent")
"""Numbers that are operands."""
LONGEST = 14


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

    def title(self, node: DerivedNode, within: Mapping[int, str] | None = None) -> str:
        """The operator with what it was given: ``c ** 2``, ``dy/dc * x``, ``sum(dy/dc)``.

        ``within`` has names of objects that have none otherwise.
        """
        made = self._state.nodes[node.number]
        record = OPS.get(node.call)
        if record is None:
            return made.name.split("Backward")[0]
        given = [self._given(found, within or {}) for found in made.inputs]
        constants = {name: number(value).plain for name, value in node.constants}
        symbol = PRODUCTS.get(record.name) or record.symbol or OPS[record.part_of or record.name].symbol
        operands = [*given, *(constants[name] for name in OPERANDS if name in constants)]
        if symbol and len(operands) == 2 and constants.get("alpha", "1") == "1":
            return f"{_operand(operands[0])} {symbol} {_operand(operands[1])}"
        if not record.latex or SAYS_NOTHING.fullmatch(record.latex) or record.variadic:
            called = (record.part_of or record.name).removesuffix("_")
            return f"{called}({', '.join(given[-1:] if node.call == 'copy_' else given)})"
        names = {name: f"{{{_operand(text)}}}" for name, text in zip(record.inputs, given, strict=False)}
        return in_words(record.formula(names | constants))

    def written_out(self, node: DerivedNode, longest: int) -> str:
        """The same with what other nodes made written out, as far as it does not become longer than that."""
        within: dict[int, str] = {}
        for given in self._state.nodes[node.number].inputs:
            maker = None if given is None or self.name(given) else self._maker(given)
            if given is not None and maker is not None:
                within[given] = self.written_out(maker, longest)
        found = self.title(node, within)
        return found if len(found) <= longest else self.title(node)

    def name(self, found: int | None) -> str:
        """What an object is called: a name of the program, ``dy/dc`` for a gradient, its number for a constant."""
        if found is None:
            return ""
        return self.kept_as(found) or self._as_gradient(found) or self._constant(found)

    def written(self, found: int | None, longest: int) -> str:
        """The name, or what a node made of others; :data:`NAMELESS` where there is neither."""
        maker = None if found is None else self._maker(found)
        return self.name(found) or (NAMELESS if maker is None else self.written_out(maker, longest))

    def gradient(self, graph: GradientGraph, found: int | None) -> str:
        """``dy/dc`` for all of the gradient that came to ``c``; empty for what is on its way, or has no name."""
        if found is None or found not in graph.gradients or len(graph.roots) != 1 or graph.roots[0] is None:
            return ""
        target = self.target(graph, found)
        root, by = self._card(graph.roots[0]), None if target is None else self._card(target)
        return f"d{_atom(root)}/d{_atom(by)}" if root and by else ""

    def kept_as(self, found: int | None) -> str:
        """What the program calls an object: a name, ``x.grad``; empty for what it has no name for."""
        if found is None:
            return ""
        name, _ = self._state.calling(found)
        return name or self._card(found)

    def target(self, graph: GradientGraph, found: int | None) -> int | None:
        """The object whose gradient an object is."""
        gradient = None if found is None else graph.gradients.get(found)
        if gradient is None:
            return None
        record = self._state.nodes[gradient[0]]
        numbers = record.inputs if record.name == "AccumulateGrad" else record.outputs
        return numbers[gradient[1]] if gradient[1] < len(numbers) else None

    # ------------------------------------------------------------ inside

    def _given(self, found: int | None, within: Mapping[int, str]) -> str:
        return self.name(found) or (within.get(found, NAMELESS) if found is not None else NAMELESS)

    def _as_gradient(self, found: int) -> str:
        graphs = (graph for graph in self._state.graphs if found in graph.gradients)
        return next((name for graph in graphs if (name := self.gradient(graph, found))), "")

    def _maker(self, found: int) -> DerivedNode | None:
        """The node of a gradient's graph that made an object."""
        nodes = (node for graph in self._state.graphs for node in graph.nodes)
        return next((node for node in nodes if found in self._state.nodes[node.number].outputs), None)

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


def _atom(text: str) -> str:
    return text if text.isidentifier() else f"({text})"


def _operand(text: str) -> str:
    """A name within a formula: an expression in parentheses."""
    return f"({text})" if " " in text and not GRADIENT.fullmatch(text) else text
