"""What the quantities of a backward are called in the program, and the formulas of its operators with these names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from chalkgrad.engine.graph import gradient_edge_of
from chalkgrad.engine.record import OPS, Call, Record, filled
from chalkgrad.explain.account import ARRIVES, Counted, Law
from chalkgrad.explain.graph import Quantity, Step
from chalkgrad.explain.recorded import COUNTED, NAMELESS, RecordedNames
from chalkgrad.explain.trail import Stop, Trail
from chalkgrad.explain.writing import (
    NOTHING,
    Formula,
    atom,
    counted,
    factor,
    in_words,
    name,
    product,
    quotient,
    tidied,
)
from chalkgrad.explain.writing import number as written_number
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Operand, Ref, Statement
from chalkgrad.session import Session
from chalkgrad.session.derived import DerivedNode
from chalkgrad.session.scope import source
from chalkgrad.source.emit import expression
from chalkgrad.source.literals import value_text

# fmt: off
GEOMETRIC = frozenset((
    "dim", "keepdim", "dtype", "size", "memory_format", "dims", "dim0", "dim1", "dim2", "index", "shape",
    "repeats", "start", "length", "start_dim", "end_dim", "kernel_size", "output_size", "stride", "padding",
    "output_padding", "dilation", "groups", "ceil_mode", "split_size", "chunks", "indices", "sections", "k",
    "largest", "sorted", "descending", "nan", "posinf", "neginf", "value",
))
# fmt: on
"""Arguments that say what a formula is taken over, and don't change it."""
_BY_PLACE = re.compile(r"\b[gjk]\b|_[ijk]|\[\\cdot\]|\\hat|P\^")
"""Formulas that speak of the incoming gradient or of single places tell nothing with names put in."""
_SENT = re.compile(r"(?<![A-Za-z\\\\])g(?![A-Za-z])")
"""Formulas that say what becomes of the incoming gradient, where the derivative has four indices or more."""
_PLACED = re.compile(r"\bj\b")
"""Formulas of one element of a derivative, by the places i and j."""
_VAGUE = re.compile(r"\[\\cdot\]|\\hat|P\^")
_BOUNDS = {"min": r"-\infty", "max": r"\infty"}
"""What leaving out a bound means."""
_UNSET = {"correction": 1}
"""What None means where a formula needs a number."""
_IDLE = re.compile(r"(?<![\d.])1 \\, | - 0(?![\d.])")
"""A factor and a term that need not be said."""
MAKING = frozenset({Kind.LEAF, Kind.OP, Kind.ALIAS, Kind.GRAD})


class Names:
    """Names of quantities as the program stands at the end of ``session``."""

    def __init__(self, program: Program, session: Session) -> None:
        self.program = program
        self._session = session
        self._state = session.trace.state()
        self._taken: dict[str, Quantity] = {}
        self._known: dict[Quantity, Formula] = {}

    def of(self, quantity: Quantity) -> Formula:
        """The name; where two have the same, the later one asked for says its line: ``a@3``."""
        found = self._known.get(quantity)
        if found is None:
            found = self._known[quantity] = self._told_apart(quantity, self._plain(quantity))
        return found

    def statement(self, quantity: Quantity) -> int:
        """Id of the line that made a quantity what it is."""
        number = self.number(quantity)
        if quantity.node.accumulates and number is not None:
            return self._session.trace.made_by(number)
        return self._session.record_of(quantity.node).statement

    def number(self, quantity: Quantity) -> int | None:
        """The object that a quantity is; None where it has gone."""
        record = self._session.record_of(quantity.node)
        numbers = record.inputs if quantity.node.accumulates else record.outputs
        return numbers[quantity.port] if quantity.port < len(numbers) else None

    def stop(self, quantity: Quantity) -> Stop:
        """Where a quantity is to be seen."""
        node, number = self._session.number_of(quantity.node), self.number(quantity)
        derived = self._recorded_node(quantity)
        if derived is None:
            return Stop(self.statement(quantity), node)
        owner = self._owner(derived, number)
        shown = owner if owner is not None else number
        outlet = None if shown is None else self._state.outlet(shown)
        return Stop(None if outlet is None else outlet[0], node, owner is not None)

    def trail(self, quantities: Iterable[Quantity], steps: Iterable[Step]) -> Trail:
        """Where quantities are to be seen, with the steps between them."""
        stops = dict.fromkeys(map(self.stop, quantities))
        gone = [(self.stop(of), self.stop(by), turn) for of, by, turn in steps]
        return Trail(
            tuple(stops),
            frozenset((of, by) for of, by, _ in gone),
            frozenset((of, by, turn) for of, by, turn in gone if turn),
        )

    def by(self, step: Step) -> Formula:
        """What a step is a derivative by: of an input that an operator has several times, which of these."""
        _, by, turn = step
        found = self.of(by)
        return Formula(rf"{{{atom(found).latex}}}^{{({turn})}}", f"{atom(found).plain}({turn})") if turn else found

    def counted(self) -> Iterator[Counted]:
        """The nodes that were called by their count so far, and those that these speak of, in the order of counts."""
        called = (quantity for text, quantity in self._taken.items() if text.startswith(COUNTED))
        spoken = [node for quantity in called if (node := self._recorded_node(quantity)) is not None]
        nodes: dict[int, DerivedNode] = {}
        while spoken:
            node = spoken.pop()
            nodes[node.number] = node
            spoken += [read for read in self._recorded.read_by(node) if read.number not in nodes]
        for number in sorted(nodes):
            yield self._explained(nodes[number])

    def _explained(self, node: DerivedNode) -> Counted:
        made = self._state.nodes[node.number].outputs
        tensor = None if not made or made[0] is None else self._state.object(made[0])
        value = None if tensor is None else tensor.value
        title = name(self._recorded.title(node))
        return Counted(counted(self._recorded.count(node)), title, value, Trail((Stop(None, node.number),)))

    def derivative(self, step: Step) -> Formula:
        """The operator's own formula for a local derivative, with this program's names; empty where it has none."""
        texts, latex = self._written(step)
        is_plain = bool(texts) and not any(_BY_PLACE.search(text) for text in texts)
        return Formula(latex, in_words(latex)) if is_plain else NOTHING

    def law(self, step: Step) -> Law | None:
        """An equation in its place: what a gradient becomes, or one element of the derivative; None: there is none."""
        texts, latex = self._written(step)
        if not texts or any(_VAGUE.search(text) for text in texts):
            return None
        of, to = self.of(step[0]), self.by(step)
        if all(_SENT.search(text) for text in texts):
            return Law(product([self.incoming, quotient(of, to)]), Formula(latex, in_words(latex)), True)
        if all(_PLACED.search(text) for text in texts):
            return Law(quotient(_element(of, "i"), _element(to, "j")), Formula(latex, in_words(latex)), False)
        return None

    def _written(self, step: Step) -> tuple[list[str], str]:
        """The formulas of the operator's record for a step, and what they say with this program's names."""
        quantity, by, turn = step
        node = self._recorded_node(quantity)
        if node is not None:
            return self._written_of(node, by, turn)
        statement = self.program.statements.get(self.statement(quantity))
        record = None if statement is None or statement.kind is not Kind.OP else OPS.get(statement.call)
        if statement is None or record is None:
            return [], ""
        target = self.number(by)
        inputs = _inputs(record, statement)
        taken = [key for key, value in inputs.items() if target is not None and self._object(value) == target]
        slopes = self._slopes(record, statement, inputs, quantity)
        formulas = [slopes.get(key, "") for key in _at(taken, turn)]
        if not formulas or not all(formulas):
            return [], ""
        names = {key: atom(self._operand(value)).latex for key, value in inputs.items()}
        names |= {key: _BOUNDS[key] for key, value in inputs.items() if value is None and key in _BOUNDS}
        names |= dict.fromkeys(taken, atom(self.of(by)).latex)
        names |= {name: self._result(statement, place).latex for place, name in enumerate(record.outputs) if place}
        names |= _settings(record, statement)
        if len(record.outputs) == 1:
            names["result"] = atom(self.of(quantity)).latex
        told = (_SENT.sub(lambda _: self.incoming.latex, text) for text in formulas)
        return formulas, tidied(_IDLE.sub("", " + ".join(filled(text, names) for text in told)))

    def _written_of(self, node: DerivedNode, by: Quantity, turn: int) -> tuple[list[str], str]:
        """The same of an operator that a backward recorded."""
        if node.joins:
            return ["1"], "1"
        record, target = OPS.get(node.call), self.number(by)
        made = self._state.nodes[node.number]
        if record is None or record.varying is not None or len(record.outputs) != 1 or record.variadic:
            return [], ""
        given = dict(zip(record.inputs, made.inputs, strict=False))
        taken = [key for key, found in given.items() if found == target]
        formulas = [record.derivatives.get(key, "") for key in _at(taken, turn)]
        names = {found.name: factor(found.default).latex for found in record.attributes if found.default is not None}
        names |= {key: factor(constant).latex for key, constant in node.constants}
        called = {key: self._recorded.called(found) or name(NAMELESS) for key, found in given.items()}
        names |= {key: atom(text).latex for key, text in called.items()}
        names |= dict.fromkeys(taken, atom(self.of(by)).latex)
        text = " + ".join(filled(_SENT.sub(lambda _: self.incoming.latex, found), names) for found in formulas)
        is_told = bool(formulas) and all(formulas) and NAMELESS not in text
        return (formulas, tidied(_IDLE.sub("", text))) if is_told else ([], "")

    def _slopes(
        self, record: Record, statement: Statement, inputs: Mapping[str, Operand], quantity: Quantity
    ) -> Mapping[str, str]:
        """The derivatives that the record has for this call, by input; those that don't tell all of it are left out."""
        if record.varying is not None:
            shapes = self._shapes(inputs)
            is_known = all(key in shapes for key, operand in inputs.items() if isinstance(operand, Ref))
            return record.varying(Call(_arguments(record, statement), shapes, quantity.port)) if is_known else {}
        left_out = [key for key in record.optional if inputs.get(key) is not None and key not in record.derivatives]
        is_one = not record.outputs or len(record.outputs) - len(record.not_differentiable) == 1
        return record.derivatives if is_one and not left_out and _says_all(record, statement) else {}

    def _shapes(self, inputs: Mapping[str, Operand]) -> dict[str, tuple[int, ...]]:
        """Shapes of the inputs that are tensors; none of an input's ``.grad``."""
        found = {}
        for key, operand in inputs.items():
            made = source(self.program, operand) if isinstance(operand, Ref) else None
            tensor = None if made is None else self._state.tensor(made.statement, made.output)
            if tensor is not None:
                found[key] = tensor.shape
        return found

    @cached_property
    def incoming(self) -> Formula:
        """The gradient that arrives at an operator: g, unless the program has a name for that."""
        return Formula(r"g_{\text{in}}", "g_in") if "g" in self.program.names() else ARRIVES

    # ------------------------------------------------------------ inside

    def _owner(self, node: DerivedNode, number: int | None) -> int | None:
        """Whose ``.grad`` an object that a node made is, or was."""
        made_for = self._state.nodes[node.of]
        owner = next(iter(made_for.inputs if made_for.name == "AccumulateGrad" else made_for.outputs), None)
        history = () if owner is None else self._session.trace.history(owner, self._state.position)
        return owner if any(facts.grad == number for _, facts in history) else None

    @cached_property
    def _gradients(self) -> dict[int, Formula]:
        """What is called ``w.grad``, by object."""
        found = ((text, self._state.names[text].grad) for text in self._state.owners())
        return {grad.number: _attribute(name(text), "grad") for text, grad in found if grad is not None}

    def _plain(self, quantity: Quantity) -> Formula:
        number = self.number(quantity)
        statement = self.program.statements.get(self.statement(quantity))
        if number is not None and number in self._gradients:
            return self._gradients[number]
        node = self._recorded_node(quantity)
        if node is not None and not self._is_result(statement, number):
            return self._recorded.called(number)
        if number is None or statement is None or statement.kind not in MAKING:
            record = quantity.node.record
            return name(type(quantity.node).__name__ if record is None else record.part_of or record.name)
        if self.program.writes(statement) and isinstance(statement.operands[0], Ref):
            return self._operand(statement.operands[0])
        outputs = self._state.statement(statement.id).outputs
        for output, tensor in enumerate(outputs):
            if tensor is not None and tensor.number == number:
                return self._result(statement, output)
        return self._result(statement, quantity.port)

    @cached_property
    def _recorded(self) -> RecordedNames:
        """Names of what backwards recorded of themselves."""
        return RecordedNames(self.program, self._state, self.program.statements, self._constant)

    def _constant(self, number: int) -> str:
        tensor = self._session.live(number)
        is_one = tensor is not None and gradient_edge_of(tensor) is None and tensor.array.size == 1
        return written_number(tensor.array).plain if is_one and tensor is not None else ""

    def _recorded_node(self, quantity: Quantity) -> DerivedNode | None:
        """The node of a gradient's graph that a quantity is of."""
        number = self._session.number_of(quantity.node)
        graph = self._session.trace.graph_of(number)
        return None if graph is None else graph.node(number)

    def _is_result(self, statement: Statement | None, number: int | None) -> bool:
        """True where a line binds the object: its name says more."""
        outputs = () if statement is None else self._state.statement(statement.id).outputs
        return any(tensor is not None and tensor.number == number for tensor in outputs)

    def _result(self, statement: Statement, output: int) -> Formula:
        if output < len(statement.targets) and statement.targets[output]:
            return name(statement.targets[output])
        text = expression(self.program, statement.id)
        return name(text if len(statement.targets) < 2 else f"{text}[{output}]")

    def _operand(self, operand: Operand) -> Formula:
        if not isinstance(operand, Ref):
            return _value(operand)
        found = source(self.program, operand)
        base = self._result(self.program[found.statement], found.output)
        if not found.path:
            return base
        for step in found.path:
            base = _attribute(base, step)
        return base

    def _object(self, operand: Operand) -> int | None:
        """The object that an operand means."""
        if not isinstance(operand, Ref) or operand.path:
            return None
        found = source(self.program, operand)
        tensor = self._state.tensor(found.statement, found.output)
        return None if tensor is None else tensor.number

    def _told_apart(self, quantity: Quantity, found: Formula) -> Formula:
        wanted, turn = found, 1
        node = self._recorded_node(quantity)
        if node is not None and self._taken.get(found.plain, quantity) != quantity:
            wanted = counted(self._recorded.count(node))
        while self._taken.setdefault(wanted.plain, quantity) != quantity:
            line = self.program.lines.get(self.statement(quantity), 0)
            mark = f"{line}" if turn == 1 else f"{line}.{turn}"
            wanted = Formula(rf"{{{found.latex}}}_{{@{mark}}}", f"{found.plain}@{mark}")
            turn += 1
        return wanted


def _at(taken: list[str], turn: int) -> list[str]:
    """Of the inputs that are the same tensor all, or the one whose turn it is."""
    return taken[turn - 1 : turn] if turn else taken


def _element(of: Formula, index: str) -> Formula:
    """One element of a tensor."""
    base = atom(of)
    return Formula(rf"{{{base.latex}}}_{{{index}}}", f"{base.plain}_{index}")


def _attribute(base: Formula, step: str) -> Formula:
    return Formula(rf"{base.latex}.\mathrm{{{step}}}", f"{base.plain}.{step}")


def _value(operand: Operand) -> Formula:
    return factor(operand) if isinstance(operand, int | float) else name(value_text(operand))


def _says_all(record: Record, statement: Statement) -> bool:
    """False where the operator was given arguments that its formulas don't mention."""
    texts = "".join(record.derivatives.values())
    for key, value in statement.options:
        attribute = next((found for found in record.attributes if found.name == key), None)
        if attribute is None or key in GEOMETRIC or value == attribute.default:
            continue
        if f"\\{key}" not in texts:
            return False
    return True


def _inputs(record: Record, statement: Statement) -> dict[str, Operand]:
    """The operands by the names of the inputs; the members of a list are numbered."""
    found: dict[str, Operand] = {}
    for key, operand in zip(record.inputs, statement.operands, strict=False):
        if record.variadic and isinstance(operand, tuple):
            found |= {f"{key}_{place}": member for place, member in enumerate(operand)}
        else:
            found[key] = operand
    return found


def _arguments(record: Record, statement: Statement) -> dict[str, Operand]:
    """All attributes, given or not."""
    return {found.name: statement.option(found.name, found.default) for found in record.attributes}


def _settings(record: Record, statement: Statement) -> dict[str, str]:
    """The numbers among the arguments, given or not."""
    found = {key: _UNSET.get(key) if value is None else value for key, value in _arguments(record, statement).items()}
    numbers = {key: factor(value).latex for key, value in found.items() if isinstance(value, int | float)}
    lists = {key: value for key, value in found.items() if isinstance(value, tuple)}
    return numbers | {key: value_text(value[0] if len(value) == 1 else value) for key, value in lists.items()}
