"""Reading expressions: each operator and each call in one becomes a statement, and what it means is handed on."""

from __future__ import annotations

import ast
import builtins
import math
from collections.abc import Sequence
from dataclasses import replace

from chalkgrad.program import hooks
from chalkgrad.program.arithmetic import Number, arithmetic
from chalkgrad.program.json_values import HALF_PAIR
from chalkgrad.program.known import Known
from chalkgrad.program.program import Program
from chalkgrad.program.shapes import infer
from chalkgrad.program.statement import EMPTY, Counter, Dtype, Empty, Kind, Operand, Ref, Statement
from chalkgrad.program.vocabulary import ACTIONS, DTYPE_NAMES, FACTORIES, FACTS
from chalkgrad.source.backwards import read_backward, read_backward_function, read_grad
from chalkgrad.source.calls import by_function, by_method, by_symbol
from chalkgrad.source.hooking import read_hook, read_removal
from chalkgrad.source.leaves import read_leaf, read_old_tensor
from chalkgrad.source.meaning import (
    CONSTANTS,
    MATH,
    SYMBOLS,
    Made,
    MadeHook,
    MadeOptimizer,
    Meaning,
    Path,
    Several,
    is_constant,
    is_number,
    is_tensor,
    is_unknown,
    math_call,
)
from chalkgrad.source.operators import read_operator
from chalkgrad.source.problem import only_argument, refuse, refuse_construct
from chalkgrad.source.subscripts import READS, read_index
from chalkgrad.source.training import PREFIX, read_optimizer, read_update


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
        self.calls: set[ast.Call] = set()
        """The calls that were read; of a script that is to run there may be no others."""
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
        if isinstance(value, Made):
            raise refuse(node, "not_a_tensor")
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
        if isinstance(value, Several | Made) or not (is_constant(value) or self._forgives(value)):
            raise refuse(node, "not_constant")
        return value

    def _forgives(self, value: Operand) -> bool:
        """True for an unknown name, or something with one in it, where those are let pass."""
        return self.lenient and is_unknown(value)

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
        if isinstance(value, str) and HALF_PAIR.search(value):  # half a character, which no file can hold
            raise refuse(node, "construct", construct=ascii(value))
        if value is None or isinstance(value, bool | int | float | str):
            return value
        raise refuse(node, "construct", construct=repr(value))

    def _name(self, node: ast.expr, name: str) -> Meaning:
        if name in self.names:
            return self.names[name]
        return self.unknown(node, name)

    def unknown(self, node: ast.expr, name: str) -> Meaning:
        """What a name means that nothing binds; raises unless such names are let pass, and for what Python knows."""
        if hasattr(builtins, name) or name.startswith("__"):
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
            return Ref(self.make(Kind.OP, "permute", ("",), (owner,), [("dims", dims)], "operator"))
        raise refuse(node, "unknown_attribute", name=node.attr)

    def earlier(self) -> dict[int, Statement]:
        """The statements that were there before this text."""
        return {}

    def _rank(self, ref: Ref) -> int:
        """How many dimensions a tensor has, as far as the lines tell; else 2, as a matrix."""
        program = self.so_far()
        made = program.maker(ref)
        fact = infer(program).get((made.statement, made.output))
        return len(fact.shape) if isinstance(fact, Known) else 2

    def so_far(self) -> Program:
        """The program up to the line being read."""
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
        if any(is_unknown(tensor) for tensor in tensors):
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
        if not all(is_number(operand) or isinstance(operand, Ref | Counter) for operand in operands):
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
        self.calls.add(node)
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
            return read_leaf(self, node, FACTORIES[short])
        if name in ("torch.Tensor", "torch.FloatTensor"):
            return read_old_tensor(self, node)
        if name == "torch.manual_seed":
            self.make(Kind.SEED, "manual_seed", (), (self.number(only_argument(node, name)),))
            return None
        if name == "torch.autograd.backward":
            return read_backward_function(self, node)
        if name == "torch.autograd.grad":
            return read_grad(self, node)
        if name.startswith(PREFIX):
            return read_optimizer(self, node, name)
        record = by_function().get(name)
        if record is None:
            is_module = name.startswith("torch.nn.") and name[len("torch.nn.")].isupper()
            raise refuse(node, "module" if is_module else "unknown_function", name=name)
        return read_operator(self, node, record, [], "function")

    def _math(self, node: ast.Call, name: str) -> Meaning:
        if name[5:] not in MATH or node.keywords:
            raise refuse(node, "unknown_function", name=name)
        try:
            return math_call(name[5:], [self.number(argument) for argument in node.args])
        except (ArithmeticError, ValueError, TypeError) as error:
            raise refuse(node, "arithmetic", message=str(error)) from None

    def _method(self, node: ast.Call, owner: Meaning, name: str) -> Meaning:
        if isinstance(owner, Empty):
            return self._visit_all(node)
        if isinstance(owner, MadeOptimizer):
            read_update(self, node, owner, name)
            return None
        if isinstance(owner, MadeHook):
            read_removal(self, node, owner, name)
            return None
        if not isinstance(owner, Ref) or not is_tensor(owner):
            raise refuse(node, "unknown_method", name=name)
        if name == "backward":
            return read_backward(self, node, owner)
        if name == hooks.CALL:
            return read_hook(self, node, owner)
        if name in ACTIONS:
            arguments = [self.constant(value) for value in [*node.args, *(k.value for k in node.keywords)]]
            self.make(Kind.ATTRIBUTE, name, (), (owner, *arguments[:1]), style="method")
            return owner
        if name == "item" and not node.args and not node.keywords:
            return replace(owner, path=(*owner.path, "item()"))
        if name == "size" and not node.args and not node.keywords:
            return replace(owner, path=(*owner.path, "shape"))
        record = by_method().get(name)
        if record is None:
            raise refuse(node, "unknown_method", name=name)
        return read_operator(self, node, record, [owner], "method")
