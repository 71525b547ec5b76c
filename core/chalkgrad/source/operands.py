"""Reading expressions: each operator and each call in one becomes a statement, and what it means is handed on."""

from __future__ import annotations

import ast
import builtins
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from chalkgrad.engine.record import Attribute, Record
from chalkgrad.program.arguments import Meant, meant
from chalkgrad.program.program import Program
from chalkgrad.program.shapes import Known, infer, output_count
from chalkgrad.program.statement import EMPTY, Array, Dtype, Empty, Kind, Operand, Ref, Statement
from chalkgrad.program.vocabulary import ACTIONS, DTYPE_NAMES, FACTORIES, FACTS, Factory
from chalkgrad.source.calls import by_function, by_method, by_symbol
from chalkgrad.source.meaning import (
    CONSTANTS,
    MATH,
    SYMBOLS,
    Meaning,
    Number,
    Path,
    Several,
    arithmetic,
    is_constant,
    is_number,
    is_tensor,
    math_call,
)
from chalkgrad.source.parameters import gathered, takes
from chalkgrad.source.problem import Unreadable, refuse, refuse_construct
from chalkgrad.source.subscripts import READS, read_index
from chalkgrad.source.values import BadValueError, packed

BACKWARD_ARGUMENTS = ("gradient", "retain_graph", "create_graph", "inputs")
BACKWARD_FUNCTION = ("tensors", "grad_tensors", "retain_graph", "create_graph")
GRAD_ARGUMENTS = ("outputs", "inputs", "grad_outputs", "retain_graph", "create_graph")
GRAD_KEYWORDS = (*GRAD_ARGUMENTS, "allow_unused")
LEAF_KEYWORDS = ("dtype", "requires_grad", "generator")


class Operands:
    """Reads expressions. ``made`` are the statements they became, by id, in order of execution."""

    def __init__(self, names: dict[str, Meaning], next_id: int, lenient: bool = False) -> None:
        self.names = names
        self.next_id = next_id
        self.lenient = lenient
        self.made: dict[int, Statement] = {}
        self.block: int | None = None
        self.fresh: set[int] = set()
        self.taken: set[str] = set()
        self.unpacked: int | None = None
        """How many names the line being read takes apart what it makes into, where it does."""

    # ------------------------------------------------------------ statements

    def make(
        self,
        kind: Kind,
        call: str,
        targets: tuple[str, ...],
        operands: Sequence[Operand],
        options: Sequence[tuple[str, Operand]] = (),
        style: str = "function",
    ) -> int:
        """Add a statement; its id."""
        id_ = self.new_id()
        self.made[id_] = Statement(id_, kind, call, targets, tuple(operands), tuple(options), style, self.block)
        self.fresh.add(id_)
        return id_

    def new_id(self) -> int:
        """The next id."""
        self.next_id += 1
        return self.next_id - 1

    def change(self, id_: int, **fields: object) -> None:
        """Replace fields of a statement made here."""
        self.made[id_] = replace(self.made[id_], **fields)  # type: ignore[arg-type]

    # ------------------------------------------------------------ values

    def value(self, node: ast.expr) -> Meaning:
        """What an expression means."""
        match node:
            case ast.Constant(value=value):
                return self._constant(node, value)
            case ast.Name(id=name):
                return self._name(node, name)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Call():
                return self._call(node)
            case ast.BinOp():
                return self._binary(node)
            case ast.UnaryOp():
                return self._unary(node)
            case ast.Compare():
                return self._compare(node)
            case ast.List(elts=members) | ast.Tuple(elts=members):
                return tuple(self.operand(member) for member in members)
            case ast.Subscript():
                return self._subscript(node)
        raise refuse_construct(node)

    def operand(self, node: ast.expr) -> Operand:
        """An expression as an operand; modules and tuples of tensors are none."""
        value = self.value(node)
        if isinstance(value, Several):
            return value.members
        if isinstance(value, Path):
            raise refuse(node, "not_a_value", name=value.name)
        return value

    def tensor(self, node: ast.expr) -> Operand:
        """An expression that must mean a tensor."""
        value = self.operand(node)
        if not is_tensor(value):
            raise refuse(node, "not_a_tensor")
        return value

    def constant(self, node: ast.expr) -> Operand:
        """An expression that must be known without running anything."""
        value = self.value(node)
        if isinstance(value, Path):
            dtype = DTYPE_NAMES.get(value.name.removeprefix("torch."))
            if dtype is None:
                raise refuse(node, "not_constant")
            return Dtype(dtype)
        if isinstance(value, Several) or not (is_constant(value) or self._forgives(value)):
            raise refuse(node, "not_constant")
        return value

    def _forgives(self, value: Operand) -> bool:
        """True for an unknown name, or something with one in it, where those are let pass."""
        return self.lenient and _unknown(value)

    def number(self, node: ast.expr) -> Number:
        """An expression that must be a number known without running anything."""
        value = self.constant(node)
        if isinstance(value, bool | int | float):
            return value
        if isinstance(value, Empty):
            return 1
        raise refuse(node, "not_a_number")

    def _constant(self, node: ast.expr, value: object) -> Meaning:
        if isinstance(value, int) and abs(value) >= 2**64:
            raise refuse(node, "arithmetic", message="the number is too large")
        if value is None or isinstance(value, bool | int | float | str):
            return value
        raise refuse(node, "construct", construct=repr(value))

    def _name(self, node: ast.expr, name: str) -> Meaning:
        if name in self.names:
            return self.names[name]
        return self.unknown(node, name)

    def unknown(self, node: ast.expr, name: str) -> Meaning:
        """What a name means that nothing binds; raises unless such names are let pass."""
        if hasattr(builtins, name):
            raise refuse(node, "unknown_function", name=name)
        if self.lenient:
            return EMPTY
        raise refuse(node, "unknown_name", name=name)

    # ------------------------------------------------------------ attributes and subscripts

    def _attribute(self, node: ast.Attribute) -> Meaning:
        owner = self.value(node.value)
        if isinstance(owner, Path):
            return self.in_module(node, f"{owner.name}.{node.attr}")
        if isinstance(owner, Empty):
            return EMPTY
        if isinstance(owner, Several) and node.attr in owner.names:
            return owner.members[owner.names.index(node.attr)]
        if not isinstance(owner, Ref) or not is_tensor(owner):
            raise refuse(node, "unknown_attribute", name=node.attr)
        if node.attr in ("grad", "data", *FACTS):
            return replace(owner, path=(*owner.path, node.attr))
        if node.attr == "T":
            dims = tuple(reversed(range(self._rank(owner))))
            return Ref(self.make(Kind.OP, "permute", ("",), (owner,), [("dims", dims)], "method"))
        raise refuse(node, "unknown_attribute", name=node.attr)

    def earlier(self) -> dict[int, Statement]:
        """The statements that were there before this text."""
        return {}

    def _rank(self, ref: Ref) -> int:
        """How many dimensions a tensor has, as far as the lines tell; else 2, as a matrix."""
        program = self._so_far()
        made = program.maker(ref)
        fact = infer(program).get((made.statement, made.output))
        return len(fact.shape) if isinstance(fact, Known) else 2

    def _so_far(self) -> Program:
        statements = {**self.earlier(), **self.made}
        return Program(statements, tuple(statements))

    def in_module(self, node: ast.expr, name: str) -> Meaning:
        """What a name in a module means: a number, or its path."""
        if name in CONSTANTS:
            return CONSTANTS[name]
        if name.startswith("math."):
            value = getattr(math, name[5:], None) if name[5:] in MATH else None
            if value is None:
                raise refuse(node, "unknown_function", name=name)
            return value if isinstance(value, float) else Path(name)
        return Path(name)

    def _subscript(self, node: ast.Subscript) -> Meaning:
        owner = self.value(node.value)
        if isinstance(owner, Several | tuple):
            members = owner.members if isinstance(owner, Several) else owner
            index = self.number(node.slice)
            if isinstance(index, int) and -len(members) <= index < len(members):
                return members[index]
            raise refuse(node, "index", count=len(members))
        if isinstance(owner, Empty):
            return EMPTY
        if not isinstance(owner, Ref) or not is_tensor(owner):
            raise refuse_construct(node)
        text, tensors = read_index(node.slice, self.operand)
        if any(_unknown(tensor) for tensor in tensors):
            return EMPTY
        inputs = (owner, tensors) if tensors else (owner,)
        return Ref(self.make(Kind.OP, READS[bool(tensors)], ("",), inputs, [("index", text)], "operator"))

    # ------------------------------------------------------------ operators

    def _binary(self, node: ast.BinOp) -> Meaning:
        left, right = self.operand(node.left), self.operand(node.right)
        return self._operator(node, SYMBOLS.get(type(node.op)), [left, right])

    def _unary(self, node: ast.UnaryOp) -> Meaning:
        value = self.operand(node.operand)
        if isinstance(node.op, ast.Not):
            raise refuse(node, "logic")
        if isinstance(value, bool | int | float):
            if isinstance(node.op, ast.USub):
                return -value
            return ~value if isinstance(node.op, ast.Invert) and isinstance(value, int) else value
        return self._operator(node, SYMBOLS.get(type(node.op)), [value])

    def _compare(self, node: ast.Compare) -> Meaning:
        if len(node.ops) != 1:
            raise refuse(node, "chain")
        left, right = self.operand(node.left), node.comparators[0]
        if isinstance(node.ops[0], ast.Is | ast.IsNot):
            return self._is_none(node, left, self.operand(right), isinstance(node.ops[0], ast.Is))
        return self._operator(node, SYMBOLS.get(type(node.ops[0])), [left, self.operand(right)])

    def _is_none(self, node: ast.expr, left: Operand, right: Operand, positive: bool) -> Meaning:
        if right is not None:
            raise refuse(node, "logic")
        if isinstance(left, Ref):
            return replace(left, path=(*left.path, "is None" if positive else "is not None"))
        return (left is None) is positive

    def _operator(self, node: ast.expr, symbol: str | None, operands: list[Operand]) -> Meaning:
        if symbol is not None and len(operands) == 2 and all(is_number(operand) for operand in operands):
            return self._folded(node, symbol, operands)
        if any(isinstance(operand, Empty) for operand in operands):
            return EMPTY
        record = by_symbol().get((symbol, len(operands))) if symbol else None
        if record is None:
            raise refuse(node, "unknown_operator", symbol=symbol or type(getattr(node, "op", node)).__name__)
        if not any(is_tensor(operand) for operand in operands):
            raise refuse(node, "not_a_tensor")
        if not all(is_number(operand) or isinstance(operand, Ref) for operand in operands):
            raise refuse(node, "not_a_tensor")
        return Ref(self.make(Kind.OP, record.name, ("",), operands, style="operator"))

    def _folded(self, node: ast.expr, symbol: str, operands: list[Operand]) -> Meaning:
        left, right = (operand for operand in operands if isinstance(operand, bool | int | float))
        try:
            return arithmetic(symbol, left, right)
        except (ArithmeticError, KeyError, ValueError) as error:
            raise refuse(node, "arithmetic", message=str(error)) from None

    # ------------------------------------------------------------ calls

    def _call(self, node: ast.Call) -> Meaning:
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            raise refuse(node, "star")
        if any(keyword.arg is None for keyword in node.keywords):
            raise refuse(node, "star")
        if isinstance(node.func, ast.Name) and node.func.id not in self.names:
            return self._builtin(node, node.func.id)
        if isinstance(node.func, ast.Attribute):
            owner = self.value(node.func.value)
            if isinstance(owner, Path):
                return self._function(node, f"{owner.name}.{node.func.attr}")
            return self._method(node, owner, node.func.attr)
        called = self.value(node.func)
        if isinstance(called, Path):
            return self._function(node, called.name)
        if isinstance(called, Empty):
            return self._visit_all(node)
        raise refuse(node, "not_callable")

    def _visit_all(self, node: ast.Call) -> Meaning:
        """Read the arguments of a call to something unknown, so that nothing in them goes unseen."""
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            self.value(argument)
        return EMPTY

    def _builtin(self, node: ast.Call, name: str) -> Meaning:
        if name in ("float", "int", "abs", "round", "bool") and len(node.args) == 1 and not node.keywords:
            value = self.constant(node.args[0])
            try:
                if isinstance(value, bool | int | float | str):
                    result: Number = getattr(builtins, name)(value)
                    return result
            except (ValueError, OverflowError, TypeError) as error:
                raise refuse(node, "arithmetic", message=str(error)) from None
        meaning = self.unknown(node, name)
        return self._visit_all(node) if isinstance(meaning, Empty) else meaning

    def _function(self, node: ast.Call, name: str) -> Meaning:
        if name.startswith("math."):
            return self._math(node, name)
        short = name.removeprefix("torch.")
        if short in FACTORIES and short != name:
            return self._leaf(node, FACTORIES[short])
        if name in ("torch.Tensor", "torch.FloatTensor"):
            return self._old_tensor(node)
        if name == "torch.manual_seed":
            self.make(Kind.SEED, "manual_seed", (), (self.number(self._only(node, name)),))
            return None
        if name == "torch.autograd.backward":
            return self._backward_function(node)
        if name == "torch.autograd.grad":
            return self._grad(node)
        record = by_function().get(name)
        if record is None:
            raise refuse(node, "unknown_function", name=name)
        return self._record(node, record, [], "function")

    def _math(self, node: ast.Call, name: str) -> Meaning:
        if name[5:] not in MATH or node.keywords:
            raise refuse(node, "unknown_function", name=name)
        try:
            return math_call(name[5:], [self.number(argument) for argument in node.args])
        except (ArithmeticError, ValueError, TypeError) as error:
            raise refuse(node, "arithmetic", message=str(error)) from None

    def _only(self, node: ast.Call, name: str) -> ast.expr:
        values = [*node.args, *(keyword.value for keyword in node.keywords)]
        if len(values) != 1:
            raise refuse(node, "argument_count", name=name)
        return values[0]

    def _method(self, node: ast.Call, owner: Meaning, name: str) -> Meaning:
        if isinstance(owner, Empty):
            return self._visit_all(node)
        if not isinstance(owner, Ref) or not is_tensor(owner):
            raise refuse(node, "unknown_method", name=name)
        if name == "backward":
            return self._backward(node, owner)
        if name in ACTIONS:
            arguments = [self.constant(value) for value in [*node.args, *(k.value for k in node.keywords)]]
            self.make(Kind.ATTRIBUTE, name, (), (owner, *arguments[:1]), style="method")
            return owner
        if name == "item" and not node.args:
            return replace(owner, path=(*owner.path, "item()"))
        if name == "size" and not node.args:
            return replace(owner, path=(*owner.path, "shape"))
        record = by_method().get(name)
        if record is None:
            raise refuse(node, "unknown_method", name=name)
        return self._record(node, record, [owner], "method")

    def _record(self, node: ast.Call, record: Record, given: list[Operand], style: str) -> Meaning:
        call = self._meant(node, record, given, style) if record.signatures else None
        if call is None:
            operands, options = self._bind(node, record, given)
        else:
            record, operands, options = call.record, list(call.inputs), list(call.options)
        if any(_unknown(operand) for operand in operands):
            return EMPTY
        if record.writes:
            self.make(Kind.OP, record.name, (), operands, options, style)
            return operands[0]
        count = len(record.outputs) or self._count(node, record, operands, options)
        id_ = self.make(Kind.OP, record.name, ("",) * count, operands, options, style)
        if len(record.outputs) == 1:
            return Ref(id_)
        names = record.outputs if record.returns else ()
        return Several(tuple(Ref(id_, output) for output in range(count)), names)

    def _meant(self, node: ast.Call, record: Record, given: list[Operand], style: str) -> Meant[Operand] | None:
        """What a call means by the operator's signatures; None where none fits."""
        made = dict(self.made)
        try:
            args = gathered(record.name, [*given, *(self._argument(argument) for argument in node.args)])
            keywords = {str(keyword.arg): self._argument(keyword.value) for keyword in node.keywords}
        except Unreadable:
            self.made = made  # read once more, argument by argument, which says what is wrong with which
            return None
        call = meant(record, style, args, keywords, takes)
        if call is None:
            self.made = made
        return call

    def _argument(self, node: ast.expr) -> Operand:
        value = self.value(node)
        if isinstance(value, Path):
            return self.constant(node)
        return value.members if isinstance(value, Several) else value

    def _count(
        self, node: ast.Call, record: Record, operands: list[Operand], options: list[tuple[str, Operand]]
    ) -> int:
        """How many tensors an operator makes whose number depends on the call."""
        call = Statement(self.next_id, Kind.OP, record.name, ("",), tuple(operands), tuple(options))
        count = output_count(self._so_far(), call) or self.unpacked
        if count is None:
            raise refuse(node, "unpack_unknown", name=record.name)
        return count

    def _bind(
        self, node: ast.Call, record: Record, given: list[Operand]
    ) -> tuple[list[Operand], list[tuple[str, Operand]]]:
        """Arguments as operands and options of an operator's record."""
        waiting = list(node.args)
        inputs = dict(zip(record.inputs, given, strict=False))
        for name in record.inputs[len(given) :]:
            if waiting:
                inputs[name] = self._input(waiting.pop(0), record)
        options = dict(self._positional(node, record, waiting))
        for keyword in node.keywords:
            name = str(keyword.arg)
            if name == "input" and record.inputs[0] not in inputs:
                name = record.inputs[0]
            if name in record.inputs and name not in inputs:
                inputs[name] = self._input(keyword.value, record)
            elif name not in options and any(a.name == name for a in record.attributes):
                options[name] = self._option(keyword.value, record.attribute(name))
            else:
                raise refuse(keyword.value, "unknown_argument", name=record.name, argument=name)
        for name in record.inputs:
            if name not in inputs:
                raise refuse(node, "missing_argument", name=record.name, argument=name)
        return [inputs[name] for name in record.inputs], list(options.items())

    def _positional(self, node: ast.Call, record: Record, waiting: list[ast.expr]) -> Iterator[tuple[str, Operand]]:
        """What is left of the arguments without names, as options in the record's order."""
        for attribute in record.attributes:
            if not waiting or not attribute.positional:
                break
            value = self._option(waiting.pop(0), attribute)
            if attribute.kind == "size" and waiting and isinstance(value, tuple) and len(value) == 1:
                sizes = [*value, *(self.number(argument) for argument in waiting)]
                waiting.clear()
                value = tuple(sizes)
            yield attribute.name, value
        if waiting:
            raise refuse(node, "argument_count", name=record.name)

    def _option(self, node: ast.expr, attribute: Attribute) -> Operand:
        value = self.constant(node)
        return (value,) if attribute.kind == "size" and isinstance(value, int) else value

    def _input(self, node: ast.expr, record: Record) -> Operand:
        value = self.operand(node)
        if isinstance(value, tuple):
            if record.variadic and all(is_tensor(member) for member in value):
                return value
        elif isinstance(value, Ref | Empty) or is_number(value):
            return value
        raise refuse(node, "not_a_tensor")

    # ------------------------------------------------------------ leaves

    def _leaf(self, node: ast.Call, factory: Factory) -> Meaning:
        operands = self._leaf_operands(node, factory)
        options: list[tuple[str, Operand]] = []
        for keyword in node.keywords:
            if keyword.arg in factory.arguments:
                continue
            if keyword.arg not in LEAF_KEYWORDS:
                raise refuse(keyword.value, "unknown_argument", name=factory.name, argument=str(keyword.arg))
            if keyword.arg == "generator":
                options.append(("seed", self._generator(keyword.value)))
            else:
                options.append((str(keyword.arg), self.constant(keyword.value)))
        if any(_unknown(operand) for operand in operands):
            return EMPTY
        return Ref(self.make(Kind.LEAF, factory.name, ("",), operands, options))

    def _leaf_operands(self, node: ast.Call, factory: Factory) -> tuple[Operand, ...]:
        given = list(node.args)
        given += [keyword.value for keyword in node.keywords if keyword.arg in factory.arguments]
        if len(given) < factory.required or (len(given) > len(factory.arguments) and factory.arguments != ("*size",)):
            raise refuse(node, "argument_count", name=f"torch.{factory.name}")
        if factory.arguments[0] == "input":
            return (self.tensor(given[0]), *(self.number(value) for value in given[1:]))
        values = tuple(self.constant(value) for value in given)
        if any(_unknown(value) for value in values):
            return (EMPTY,)
        if factory.name == "tensor":
            return (self._data(node, values[0]),)
        if factory.arguments == ("*size",) and len(values) == 1 and isinstance(values[0], tuple):
            values = values[0]
        return values

    def _data(self, node: ast.expr, value: Operand) -> Operand:
        try:
            return packed(value)
        except BadValueError as error:
            raise refuse(node, error.key, **error.fields) from None

    def _old_tensor(self, node: ast.Call) -> Meaning:
        value = self.constant(self._only(node, "torch.Tensor"))
        if _unknown(value):
            return EMPTY
        value = self._data(node, value)
        if not isinstance(value, tuple):
            raise refuse(node, "unknown_function", name="torch.Tensor")
        return Ref(self.make(Kind.LEAF, "tensor", ("",), (_floats(value),)))

    def _generator(self, node: ast.expr) -> Operand:
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Call(func=made, args=[], keywords=[]), attr="manual_seed"),
                args=[seed],
                keywords=[],
            ) if self.value(made) == Path("torch.Generator"):
                return self.number(seed)
        raise refuse(node, "generator")

    # ------------------------------------------------------------ backward

    def _backward(self, node: ast.Call, root: Ref) -> Meaning:
        options = self._backward_options(node, node.args, BACKWARD_ARGUMENTS, BACKWARD_ARGUMENTS)
        self.make(Kind.BACKWARD, "backward", (), (root,), options, "method")
        return None

    def _backward_function(self, node: ast.Call) -> Meaning:
        named = {str(keyword.arg): keyword.value for keyword in node.keywords}
        first = node.args[0] if node.args else named.get("tensors")
        if first is None:
            raise refuse(node, "missing_argument", name="torch.autograd.backward", argument="tensors")
        roots = self._tensors(first)
        options = self._backward_options(
            node, node.args[1:], BACKWARD_FUNCTION[1:], (*BACKWARD_FUNCTION, "inputs"), skip=("tensors",)
        )
        renamed = [("gradient" if key == "grad_tensors" else key, value) for key, value in options]
        self.make(Kind.BACKWARD, "backward", (), roots, renamed)
        return None

    def _grad(self, node: ast.Call) -> Meaning:
        named = {str(keyword.arg): keyword.value for keyword in node.keywords}
        both = [*node.args[:2], *(named[key] for key in ("outputs", "inputs")[len(node.args[:2]) :] if key in named)]
        if len(both) != 2:
            raise refuse(node, "missing_argument", name="torch.autograd.grad", argument="inputs")
        outputs, inputs = self._tensors(both[0]), self._tensors(both[1])
        skip = ("outputs", "inputs")
        options = self._backward_options(node, node.args[2:], GRAD_ARGUMENTS[2:], GRAD_KEYWORDS, skip)
        id_ = self.make(Kind.GRAD, "grad", ("",) * len(inputs), (outputs, inputs), options)
        return Several(tuple(Ref(id_, output) for output in range(len(inputs))))

    def _backward_options(
        self,
        node: ast.Call,
        positional: Sequence[ast.expr],
        order: Sequence[str],
        known: Sequence[str],
        skip: Sequence[str] = (),
    ) -> list[tuple[str, Operand]]:
        if len(positional) > len(order):
            raise refuse(node, "argument_count", name="backward")
        given = [*zip(order, positional, strict=False)]
        given += [(str(keyword.arg), keyword.value) for keyword in node.keywords if keyword.arg not in skip]
        options: list[tuple[str, Operand]] = []
        for key, value in given:
            if key not in known or key in dict(options):
                raise refuse(value, "unknown_argument", name="backward", argument=key)
            options.append((key, self._backward_option(key, value)))
        return options

    def _backward_option(self, key: str, node: ast.expr) -> Operand:
        if key == "inputs":
            return self._tensors(node)
        if key in ("gradient", "grad_tensors", "grad_outputs"):
            value = self.operand(node)
            members = value if isinstance(value, tuple) else (value,)
            if not all(member is None or is_tensor(member) for member in members):
                raise refuse(node, "not_a_tensor")
            return value if isinstance(value, tuple) else self._literal(value)
        return self.constant(node)

    def _literal(self, value: Operand) -> Operand:
        """The plain value where a tensor was just written out; the reference to it otherwise."""
        if not isinstance(value, Ref) or value.path or value.statement not in self.fresh:
            return value
        leaf = self.made[value.statement]
        if leaf.call != "tensor" or leaf.options or leaf.targets != ("",):
            return value
        del self.made[leaf.id]
        return leaf.operands[0]

    def _tensors(self, node: ast.expr) -> tuple[Operand, ...]:
        value = self.operand(node)
        members = value if isinstance(value, tuple) else (value,)
        if not all(is_tensor(member) for member in members):
            raise refuse(node, "not_a_tensor")
        return members


def _unknown(operand: Operand) -> bool:
    if isinstance(operand, tuple):
        return any(_unknown(member) for member in operand)
    return isinstance(operand, Empty)


def _floats(value: Operand) -> Operand:
    if isinstance(value, tuple):
        return tuple(_floats(member) for member in value)
    if isinstance(value, Array):
        return Array.of(value.numpy().astype("float32"))
    return float(value) if isinstance(value, int) else value
