"""What the quantities of a backward are called in the program, and the formulas of its operators with these names."""

from __future__ import annotations

import re
from functools import cached_property

from chalkgrad.engine.record import OPS, Record, filled
from chalkgrad.explain.account import Law
from chalkgrad.explain.graph import Quantity
from chalkgrad.explain.writing import NOTHING, Formula, atom, factor, in_words, name, product, quotient
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Operand, Ref, Statement
from chalkgrad.session import Session
from chalkgrad.session.scope import source
from chalkgrad.source.emit import expression
from chalkgrad.source.literals import value_text

GEOMETRIC = frozenset({"dim", "keepdim", "dtype", "size", "memory_format", "dims", "dim0", "dim1", "index"})
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

    def derivative(self, quantity: Quantity, by: Quantity) -> Formula:
        """The operator's own formula for a local derivative, with this program's names; empty where it has none."""
        texts, latex = self._written(quantity, by)
        is_plain = bool(texts) and not any(_BY_PLACE.search(text) for text in texts)
        return Formula(latex, in_words(latex)) if is_plain else NOTHING

    def law(self, quantity: Quantity, by: Quantity) -> Law | None:
        """An equation in its place: what a gradient becomes, or one element of the derivative; None: there is none."""
        texts, latex = self._written(quantity, by)
        if not texts or any(_VAGUE.search(text) for text in texts):
            return None
        of, to = self.of(quantity), self.of(by)
        if all(_SENT.search(text) for text in texts):
            return Law(product([self.incoming, quotient(of, to)]), Formula(latex, in_words(latex)), True)
        if all(_PLACED.search(text) for text in texts):
            return Law(quotient(_element(of, "i"), _element(to, "j")), Formula(latex, in_words(latex)), False)
        return None

    def _written(self, quantity: Quantity, by: Quantity) -> tuple[list[str], str]:
        """The formulas of the operator's record for ``by``, and what they say with this program's names."""
        statement = self.program.statements.get(self.statement(quantity))
        record = None if statement is None or statement.kind is not Kind.OP else OPS.get(statement.call)
        if statement is None or record is None or len(record.outputs) != 1 or not _says_all(record, statement):
            return [], ""
        target = self.number(by)
        inputs = dict(zip(record.inputs, statement.operands, strict=False))
        taken = [key for key, value in inputs.items() if target is not None and self._object(value) == target]
        formulas = [record.derivatives.get(key, "") for key in taken]
        left_out = [key for key in record.optional if inputs.get(key) is not None and key not in record.derivatives]
        if not formulas or not all(formulas) or record.variadic or left_out:
            return [], ""
        names = {key: atom(self._operand(value)).latex for key, value in inputs.items()}
        names |= {key: _BOUNDS[key] for key, value in inputs.items() if value is None and key in _BOUNDS}
        names |= dict.fromkeys(taken, atom(self.of(by)).latex)
        names["result"] = atom(self.of(quantity)).latex
        names |= _settings(record, statement)
        told = (_SENT.sub(lambda _: self.incoming.latex, text) for text in formulas)
        return formulas, " + ".join(filled(text, names) for text in told)

    @cached_property
    def incoming(self) -> Formula:
        """The gradient that arrives at an operator: g, unless the program has a name for that."""
        return Formula(r"g_{\text{in}}", "g_in") if "g" in self.program.names() else Formula("g", "g")

    # ------------------------------------------------------------ inside

    @cached_property
    def _gradients(self) -> dict[int, Formula]:
        """What is called ``w.grad``, by object."""
        names = self._state.names
        return {tensor.grad.number: _attribute(name(text), "grad") for text, tensor in names.items() if tensor.grad}

    def _plain(self, quantity: Quantity) -> Formula:
        number = self.number(quantity)
        statement = self.program.statements.get(self.statement(quantity))
        if number is not None and number in self._gradients:
            return self._gradients[number]
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
        while self._taken.setdefault(wanted.plain, quantity) != quantity:
            line = self.program.lines.get(self.statement(quantity), 0)
            mark = f"{line}" if turn == 1 else f"{line}.{turn}"
            wanted = Formula(rf"{{{found.latex}}}_{{@{mark}}}", f"{found.plain}@{mark}")
            turn += 1
        return wanted


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


def _settings(record: Record, statement: Statement) -> dict[str, str]:
    """The numbers among the arguments, given or not."""
    found = {attribute.name: statement.option(attribute.name, attribute.default) for attribute in record.attributes}
    return {key: factor(value).latex for key, value in found.items() if isinstance(value, int | float)}
