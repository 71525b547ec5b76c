"""Reading: straight-line PyTorch text, one line of it, or a value, as statements. Nothing is ever executed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from chalkgrad.program.names import BadNameError, check_name, free_among, free_result_name, narrow
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Array, Empty, Kind, Operand, Ref, Statement
from chalkgrad.program.vocabulary import FACTORIES
from chalkgrad.source.calls import FUNCTIONAL, by_function
from chalkgrad.source.lines import Lines
from chalkgrad.source.meaning import Made, Meaning, Path, Several, is_constant, is_tensor
from chalkgrad.source.operands import Operands
from chalkgrad.source.prepare import Prepared, prepare
from chalkgrad.source.problem import SourceError, Unreadable, refuse
from chalkgrad.source.values import BadValueError, as_typed, listed, packed
from chalkgrad.stepwise import Stepwise, finished, share
from chalkgrad.text import Text

MATH_NAMES = ("pi", "e", "inf", "nan", "log", "exp", "sqrt", "sin", "cos", "tan", "tanh")
"""What of :mod:`math` may be written without its module in a value or an expression that a person types."""

INLINE = (Kind.LEAF, Kind.OP)
"""Kinds of statements that a typed expression may be made by."""

FIRST_INLINE = -1_000_000
"""Where the ids of statements begin that are not in a program yet."""


def read_source(text: str, filename: str = "<text>", lenient: bool = False, next_id: int = 1) -> Program:
    """The program that a PyTorch script is; ids count from ``next_id``.

    Raises SourceError at the first construct outside what is read. ``lenient`` lets names pass that nothing binds
    (Python would raise its NameError when it comes to them); the program is then not the whole of the script.
    """
    return finished(reading_source(text, filename, lenient, next_id))


def reading_source(
    text: str, filename: str = "<text>", lenient: bool = False, next_id: int = 1, is_excerpt: bool = False
) -> Stepwise[Program]:
    """The same in steps. An excerpt, a few lines of a lesson, may do without its imports."""
    prepared = prepare(text)
    with _placed(prepared, filename):
        reader = Lines(_modules() if is_excerpt else {}, next_id, lenient)
        tree = yield from share(prepared.in_pieces(), 0.0, 0.2)
        comments = yield from share(prepared.comments(), 0.2, 0.4)
        yield from share(reader.read(tree, comments), 0.4, 1.0)
    return _program(reader)


def read_expression(text: str, program: Program, next_id: int) -> list[Statement]:
    """The new statements for a line typed into the expression field, in order; ids count from ``next_id``.

    Names mean what they mean at the end of ``program``; others become leaves (see :class:`_Field`), and every
    operator inside the line gets a name, so that it has a card. Raises SourceError.
    """
    made = read_beside(text, program, next_id)
    if made.blocks:
        raise SourceError(Text("source.with"), 1, 1)
    return list(made)


def read_beside(text: str, program: Program, next_id: int) -> Program:
    """The same for lines that may stand in blocks: these lines alone, though they refer to those of ``program``."""
    prepared = prepare(re.sub(r"[ \t]*;[ \t]*", "\n", narrow(text).strip()))
    with _placed(prepared, "<expression>"):
        field = _Field(program, next_id)
        finished(field.read(prepared.parse()))
        made = {statement.id: statement for statement in field.statements()}
        return Program(made, tuple(made), field.blocks, field.next_id)


def read_value(text: str, dtype: str | None = None) -> Operand:
    """The value that a person typed: ``2``, ``[1 2; 3 4]``, ``1,2,3``, nested lists, ``torch.tensor(2)``.

    ``dtype`` (PyTorch's name, as ``"float32"``) is what the numbers are kept as. Raises SourceError.
    """
    bare = narrow(text).strip()
    prepared = prepare(listed(bare))
    if not bare:
        raise SourceError(Text("source.no_value"), 1, 1)
    with _placed(prepared, "<value>"):
        tree = prepared.parse()
        if len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
            raise SourceError(Text("source.no_value"), 1, 1)
        node = tree.body[0].value
        try:
            return packed_as(_constant(node), dtype)
        except BadValueError as error:
            raise refuse(node, error.key, **error.fields) from None


def read_tensor(text: str, program: Program, dtype: str | None = None) -> tuple[Operand, list[Statement]]:
    """What a person typed where a tensor may stand: a value, see :func:`read_value`, or an expression of names.

    Names mean what they mean at the end of ``program``. With a reference come the statements that an expression is
    made by, unnamed and with negative ids, in order. Raises SourceError.
    """
    bare = narrow(text).strip()
    prepared = prepare(bare)
    try:
        tree = prepared.parse()
    except SourceError:  # numbers with space or semicolons between them, or nothing at all that can be read
        return read_value(text, dtype), []
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        raise SourceError(Text("source.no_value"), 1, 1)
    with _placed(prepared, "<value>"):
        node = tree.body[0].value
        reader = _Typed(program, FIRST_INLINE)
        operand = reader.operand(node)
        if is_constant(operand) and not isinstance(operand, str) and operand is not None:
            return read_value(text, dtype), []
        made = list(reader.made.values())
        if not is_tensor(operand) or any(s.kind not in INLINE or s.targets != ("",) for s in made):
            raise refuse(node, "not_a_tensor")
        return operand, made


def packed_as(value: Operand, dtype: str | None) -> Operand:
    """A value as a statement keeps it, its numbers those of ``dtype``; BadValueError where they aren't."""
    kept = packed(as_typed(value, dtype))
    return as_typed(kept, dtype) if isinstance(kept, Array) else kept


def _constant(node: ast.expr) -> Operand:
    """A constant; ``torch.tensor(...)`` around it is taken off."""
    reader = Operands(_math_names() | {"torch": Path("torch"), "math": Path("math")}, 1)
    value = reader.value(node)
    if isinstance(value, Ref) and value.statement in reader.made and not value.path:
        leaf = reader.made[value.statement]
        if leaf.kind is Kind.LEAF and leaf.call == "tensor":
            return leaf.operands[0]
    if isinstance(value, str | Path | Several | Empty | Made) or value is None or not is_constant(value):
        raise refuse(node, "no_value")
    return value


def _math_names() -> dict[str, Meaning]:
    return {name: Operands({}, 1).in_module(ast.Name(name), f"math.{name}") for name in MATH_NAMES}


def _modules() -> dict[str, Meaning]:
    """The modules that need no import where somebody writes a few lines."""
    paths = {"torch": "torch", "math": "math", "nn": "torch.nn", "F": "torch.nn.functional"}
    return {name: Path(path) for name, path in paths.items()}


class _Typed(Lines):
    """What a person types beside a program, whose names it may use."""

    def __init__(self, program: Program, next_id: int) -> None:
        super().__init__(_modules() | dict(program.bindings), next_id)
        self.program = program

    def earlier(self) -> dict[int, Statement]:
        """The program's statements."""
        return dict(self.program.statements)

    def unknown(self, node: ast.expr, name: str) -> Meaning:
        """A name of :mod:`math` that nothing binds is its number."""
        return self.in_module(node, f"math.{name}") if name in MATH_NAMES else super().unknown(node, name)

    def _builtin(self, node: ast.Call, name: str) -> Meaning:
        """A function may be called without its module: ``exp(w)``, ``sqrt(2)``."""
        numbers_only = not any(isinstance(inner, ast.Name) for part in node.args for inner in ast.walk(part))
        if numbers_only and name in MATH_NAMES:
            return self._function(node, f"math.{name}")
        for path in (f"torch.{name}", FUNCTIONAL + name):
            if path in by_function() or (name in FACTORIES and path == f"torch.{name}"):
                return self._function(node, path)
        raise refuse(node, "unknown_function", name=name)


class _Field(_Typed):
    """The expression field.

    A name that nothing binds becomes a leaf ``tensor([1.])``; it requires grad unless the name begins with x.
    """

    def __init__(self, program: Program, next_id: int) -> None:
        super().__init__(program, next_id)
        self.leaves: list[Statement] = []

    def earlier(self) -> dict[int, Statement]:
        """The program's statements, and the leaves of this line."""
        return {**super().earlier(), **{leaf.id: leaf for leaf in self.leaves}}

    def unknown(self, node: ast.expr, name: str) -> Meaning:
        """A new leaf for a name that nothing binds."""
        try:
            checked = check_name(name)
        except BadNameError as error:
            raise Unreadable(node, error.text) from None
        leaf = _leaf(self.new_id(), checked, (1.0,))
        self.leaves.append(leaf)
        self.names[name] = Ref(leaf.id)
        return Ref(leaf.id)

    def statements(self) -> list[Statement]:
        """The leaves, then the rest, with a name for everything that makes a card."""
        named: list[Statement] = []
        taken = {*self.taken, *(name for statement in self.made.values() for name in statement.targets)}
        for statement in self.made.values():
            if "" in statement.targets:
                targets = tuple(name or self._new_name(taken, statement) for name in statement.targets)
                named.append(replace(statement, targets=targets))
            else:
                named.append(statement)
        return [*self.leaves, *named]

    def _new_name(self, taken: set[str], statement: Statement) -> str:
        if statement.kind is Kind.LEAF:
            name = free_among("w" if statement.option("requires_grad") else "x", {*taken, *self.program.names()})
        else:
            name = free_result_name(self.program, taken)
        taken.add(name)
        return name

    def _bind_name(self, node: ast.expr, name: str, value: Meaning) -> None:
        """A number given a name is a leaf here."""
        if isinstance(value, Path):
            raise refuse(node, "not_a_value", name=value.name)
        if isinstance(value, bool | int | float | tuple) and is_constant(value):
            if _is_truth(value):
                leaf = Statement(self.new_id(), Kind.LEAF, "tensor", (name,), (value,))
            else:
                leaf = _leaf(self.new_id(), name, packed_as(value, "float32"))
            self.made[leaf.id] = leaf
            value = Ref(leaf.id)
            self.names[name] = value
        else:
            super()._bind_name(node, name, value)


def _is_truth(value: Operand) -> bool:
    """True for True, False, and lists of nothing else: no float that could require a gradient."""
    return all(map(_is_truth, value)) and bool(value) if isinstance(value, tuple) else isinstance(value, bool)


def _leaf(id_: int, name: str, value: Operand) -> Statement:
    options: tuple[tuple[str, Operand], ...] = () if name[:1] in ("x", "X") else (("requires_grad", True),)
    return Statement(id_, Kind.LEAF, "tensor", (name,), (value,), options)


def _program(reader: Lines) -> Program:
    used: set[int] = set()
    for statement in reader.made.values():
        block = statement.block
        while block is not None and block not in used:
            used.add(block)
            block = reader.blocks[block].parent
    blocks = {id_: block for id_, block in reader.blocks.items() if id_ in used}
    program = Program(dict(reader.made), tuple(reader.made), blocks, reader.next_id)
    program.check()
    return program


@contextmanager
def _placed(prepared: Prepared, filename: str) -> Iterator[None]:
    """Give what can't be read its place in the original text."""
    try:
        yield
    except Unreadable as error:
        row = getattr(error.node, "lineno", 1)
        raise prepared.error(error.text, row, prepared.column(error.node)) from None
    except RecursionError:
        raise SourceError(Text("source.too_deep"), 1, 1) from None
    except SourceError as error:
        error.filename = filename
        raise
