"""Operands and operators as Python expressions, with the parentheses they need and no others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from chalkgrad.engine.record import OPS, Record
from chalkgrad.program.arguments import arranged, caller
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Array, Counter, Dtype, Empty, Kind, Operand, Ref, Statement, refs_in
from chalkgrad.program.vocabulary import FACTORIES
from chalkgrad.source.bindings import Output, bound
from chalkgrad.source.calls import ATOM, BINARY, FUNCTIONAL, UNARY_STRENGTH, full_name
from chalkgrad.source.literals import OPEN, shape_text, value_text
from chalkgrad.source.subscripts import READS, WRITES, tensors_of, written_index

COMPARES = BINARY["=="]


class Expression(NamedTuple):
    """A text and how strongly its outermost operator binds."""

    text: str
    strength: int = ATOM

    def within(self, strength: int) -> str:
        """The text as part of something that binds with ``strength``: in parentheses where it binds less."""
        return self.text if self.strength >= strength else f"({self.text})"


class Writer:
    """Writes the expressions of one program.

    ``short`` leaves ``torch.`` out, as cards do, and writes a function as the operator that it is. ``in_brief`` is for
    who looks at a line: most of a large array is left out.
    """

    def __init__(
        self, program: Program, names: Mapping[Output, str], short: bool = False, functional: str = "F."
    ) -> None:
        self.program = program
        self.names = names
        self.short = short
        self.functional = functional
        self.in_brief = False

    # ------------------------------------------------------------ operands

    def operand(self, operand: Operand) -> Expression:
        """An operand: a name with its path, what stands inline, or a value."""
        if isinstance(operand, Ref):
            return self._reference(operand)
        if isinstance(operand, Counter):
            loop = self.program.blocks.get(operand.block)
            return Expression(OPEN if loop is None else loop.name)
        if isinstance(operand, tuple) and any(True for _ in refs_in(operand)):
            return Expression(self.few(operand))
        text = value_text(operand, self.in_brief)
        return Expression(text, UNARY_STRENGTH if text.startswith("-") else ATOM)

    def tensor(self, operand: Operand) -> str:
        """An operand where PyTorch wants a tensor: numbers stand in ``torch.tensor(...)``."""
        if operand is None or isinstance(operand, Ref) or _is_open(operand):
            return self.operand(operand).text
        return self._factory("tensor", [value_text(operand, self.in_brief), *_dtype_of(operand)])

    def few(self, operand: Operand) -> str:
        """One tensor as it is, several in a list."""
        if isinstance(operand, tuple):
            return f"[{', '.join(self.operand(member).text for member in operand)}]"
        return self.operand(operand).text

    def _reference(self, ref: Ref) -> Expression:
        made = bound(self.program, ref)
        if made.statement not in self.program:
            return Expression(OPEN)
        if self.program.is_inline(made.statement):
            expression = self.result(self.program[made.statement])
        else:
            expression = Expression(self.names.get((made.statement, made.output), OPEN))
        for step in made.path:
            expression = _step(expression, step)
        return expression

    # ------------------------------------------------------------ what a statement makes

    def result(self, statement: Statement) -> Expression:
        """The right-hand side of a leaf or an operator."""
        if statement.kind is Kind.LEAF:
            return Expression(self._leaf(statement))
        if statement.call in READS.values():
            return Expression(f"{self.operand(statement.operands[0]).within(ATOM)}[{self._index(statement)}]")
        record = OPS.get(statement.call)
        if record is None:
            return Expression(self._call(f"torch.{statement.call}", self._operands(statement), statement.options))
        return self.operator(statement, record)

    def operator(self, statement: Statement, record: Record) -> Expression:
        """An operator in its spelling, or the nearest one that it has."""
        ways: dict[str, Callable[[Statement, Record], Expression | None]] = {
            "operator": self._infix,
            "method": self._method,
            "function": self._function,
        }
        style = "operator" if self.short and statement.style == "function" and not record.writes else statement.style
        order = [style, *(way for way in ("function", "method", "operator") if way != style)]
        for way in order:
            if way in ways and (written := ways[way](statement, record)) is not None:
                return written
        return Expression(self._call(f"torch.{statement.call}", self._operands(statement), statement.options))

    def _infix(self, statement: Statement, record: Record) -> Expression | None:
        if transposes(statement) and _may_have_methods(statement.operands[0]):
            return Expression(f"{self.operand(statement.operands[0]).within(ATOM)}.T")
        if not record.symbol or statement.options or record.writes:
            return None
        operands = [self.operand(operand) for operand in statement.operands]
        if len(operands) == 1 and record.symbol in ("-", "~"):
            return Expression(f"{record.symbol}{operands[0].within(UNARY_STRENGTH)}", UNARY_STRENGTH)
        if len(operands) != 2 or record.symbol not in BINARY:
            return None
        strength = BINARY[record.symbol]
        left, right = _sides(record.symbol, strength)
        return Expression(f"{operands[0].within(left)} {record.symbol} {operands[1].within(right)}", strength)

    def augmented(self, statement: Statement, record: Record) -> str | None:
        """An in-place operator as an assignment (``w += 1``, ``w[0] = 1``), or None where it isn't spelled so."""
        if statement.call in WRITES.values():
            receiver, value = statement.operands[:2]
            return f"{self.operand(receiver).within(ATOM)}[{self._index(statement)}] = {self.operand(value).text}"
        if statement.style != "operator" or not record.symbol or statement.options or any(statement.targets):
            return None
        if not self.program.writes(statement):
            return None
        target, value = (*statement.operands, None)[:2]
        if len(statement.operands) != 2 or not isinstance(target, Ref) or not self._is_variable(target):
            return None
        return f"{self.operand(target).text} {record.symbol} {self.operand(value).text}"

    def _index(self, statement: Statement) -> str:
        return written_index(statement, [self.operand(tensor).text for tensor in tensors_of(statement)])

    def _is_variable(self, ref: Ref) -> bool:
        """True for what can stand left of ``+=``: a name, or an attribute of one."""
        made = bound(self.program, ref)
        return not self.program.is_inline(made.statement) and set(made.path) <= {"grad", "data"}

    def _method(self, statement: Statement, record: Record) -> Expression | None:
        name = caller(record.name).method
        if not name or not statement.operands:
            return None
        owner = _receiver(statement, record)
        receiver = self.operand(owner).within(ATOM)
        if not _may_have_methods(owner):
            if record.function:
                return None
            receiver = f"({receiver})"  # only a method is called so, and Python says that a number has none
        arguments = self._arguments(statement, record, "method")
        return Expression(f"{receiver}.{name}({', '.join(arguments)})")

    def _function(self, statement: Statement, record: Record) -> Expression | None:
        name = self._function_name(caller(record.name))
        if name is None:
            return None
        return Expression(f"{name}({', '.join(self._arguments(statement, record, 'function'))})")

    def _function_name(self, record: Record) -> str | None:
        if self.short:
            return (record.function or record.method or record.name).rpartition(".")[2]
        if record.function is None:
            return None
        full = full_name(record.function)
        return self.functional + full.removeprefix(FUNCTIONAL) if full.startswith(FUNCTIONAL) else full

    def _operands(self, statement: Statement) -> list[str]:
        return [self.operand(operand).text for operand in statement.operands]

    # ------------------------------------------------------------ calls

    def _call(self, name: str, arguments: list[str], options: tuple[tuple[str, Operand], ...]) -> str:
        return f"{name}({', '.join([*arguments, *(f'{key}={self.option(key, value)}' for key, value in options)])})"

    def _arguments(self, statement: Statement, record: Record, style: str) -> list[str]:
        """The arguments of a call, without the tensor of a method, which writes a size as separate numbers."""
        call = arranged(record, style, statement.operands, statement.options)
        texts: list[str] = []
        for attribute, value in call.positional[1 if style == "method" else 0 :]:
            if attribute is None:
                texts.append(self.operand(value).text)
            else:
                texts += _size(value, style == "method" and attribute.kind == "size")
        return texts + [f"{key}={self.option(key, value)}" for key, value in call.keywords]

    def option(self, key: str, value: Operand) -> str:
        """The value of one keyword argument."""
        if key in ("dim", "dims", "size", "shape") and isinstance(value, tuple):
            return shape_text(value)
        return self.operand(value).text

    def _leaf(self, statement: Statement) -> str:
        factory = FACTORIES.get(statement.call)
        operands = list(statement.operands)
        if statement.call == "tensor":
            arguments = [self.operand(operands[0]).text] if operands else []
        elif factory is not None and factory.arguments == ("*size",):
            arguments = [self.operand(size).text for size in operands] or ["()"]
        else:
            arguments = [self._plain(operand) for operand in operands]
        options = [self._leaf_option(key, value) for key, value in statement.options]
        if statement.call == "tensor" and operands and statement.option("dtype") is None:
            options = [*_dtype_of(operands[0]), *options]
        return self._factory(statement.call, arguments + options)

    def _plain(self, operand: Operand) -> str:
        return shape_text(operand) if isinstance(operand, tuple) else self.operand(operand).text

    def _leaf_option(self, key: str, value: Operand) -> str:
        if key == "seed":
            prefix = "" if self.short else "torch."
            return f"generator={prefix}Generator().manual_seed({value_text(value)})"
        return f"{key}={self.operand(value).text}"

    def _factory(self, name: str, arguments: list[str]) -> str:
        return f"{'' if self.short else 'torch.'}{name}({', '.join(arguments)})"


def transposes(statement: Statement) -> bool:
    """True for what ``.T`` is: a ``permute`` that turns the order of the dimensions round, written as a sign."""
    dims = statement.option("dims")
    if statement.call != "permute" or statement.style != "operator" or not isinstance(dims, tuple):
        return False
    return dims == tuple(reversed(range(len(dims))))


def _step(expression: Expression, step: str) -> Expression:
    if step.startswith("is "):
        return Expression(f"{expression.within(COMPARES + 1)} {step}", COMPARES)
    return Expression(f"{expression.within(ATOM)}.{step}")


def _sides(symbol: str, strength: int) -> tuple[int, int]:
    """How strongly what stands left and right must bind to need no parentheses."""
    if symbol == "**":
        return ATOM, UNARY_STRENGTH
    if strength == COMPARES:
        return strength + 1, strength + 1
    return strength, strength + 1


def _receiver(statement: Statement, record: Record) -> Operand:
    """The tensor whose method an operator is called as."""
    return arranged(record, "method", statement.operands, statement.options).positional[0][1]


def _may_have_methods(operand: Operand) -> bool:
    return isinstance(operand, Ref) or _is_open(operand)


def _is_open(operand: Operand) -> bool:
    """True for what is no value."""
    return isinstance(operand, Ref | Empty | Counter)


def _size(value: Operand, spread: bool) -> list[str]:
    if isinstance(value, tuple):
        return [value_text(size) for size in value] if spread and value else [shape_text(value)]
    return [value_text(value)]


def _dtype_of(operand: Operand) -> list[str]:
    """The dtype argument that a big array needs to come out as it is."""
    if not isinstance(operand, Array) or operand.dtype in ("float32", "int64", "bool"):
        return []
    return [f"dtype={value_text(Dtype(operand.dtype))}"]
