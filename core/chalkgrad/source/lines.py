"""Reading lines: what each line of straight-line PyTorch does to the names, and the statements it becomes."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from chalkgrad.program.names import RESERVED, free_among
from chalkgrad.program.program import Block
from chalkgrad.program.statement import Empty, Kind, Operand, Ref
from chalkgrad.program.vocabulary import FLAGS, MODES
from chalkgrad.source.calls import by_symbol
from chalkgrad.source.guarding import refuse_in_doubt, refuse_unread
from chalkgrad.source.loops import read_loop
from chalkgrad.source.meaning import (
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
)
from chalkgrad.source.operands import Operands
from chalkgrad.source.prepare import Comment
from chalkgrad.source.problem import refuse, refuse_construct
from chalkgrad.source.subscripts import WRITES, read_index
from chalkgrad.stepwise import Stepwise

MODULES = frozenset(
    {"torch", "torch.nn", "torch.nn.functional", "torch.autograd", "torch.optim", "math", "numpy", "warnings"}
)
"""Modules that may be imported."""

CAUGHT = frozenset({"Exception", "RuntimeError", "TypeError", "ValueError", "IndexError", "NotImplementedError"})
"""What ``except`` may catch around one line."""

GRAD_MODES = {f"torch.{mode}": mode for mode in MODES}


class Lines(Operands):
    """Reads lines. ``made`` and ``blocks`` are the program they became; ``constants`` makes a leaf of a number."""

    def __init__(self, names: dict[str, Meaning], next_id: int, lenient: bool = False) -> None:
        super().__init__(names, next_id, lenient)
        self.blocks: dict[int, Block] = {}
        self.comments: list[Comment] = []

    def read(self, tree: ast.Module, comments: Sequence[Comment] = ()) -> Stepwise[None]:
        """Read a whole text, a line or a block of it at each step."""
        self.comments = list(comments)
        for number, line in enumerate(tree.body):
            self.taken.update(node.id for node in ast.walk(line) if isinstance(node, ast.Name))
            yield 0.4 * number / len(tree.body)
        for number, _ in enumerate(self._each(tree.body, 0, 2**62)):
            yield 0.4 + 0.6 * number / len(tree.body)
        if self.lenient:
            refuse_unread(tree, self.calls)

    # ------------------------------------------------------------ bodies and comments

    def body(self, body: Sequence[ast.stmt], end: int) -> None:
        """The lines of a block, after which the next line begins at row ``end``."""
        self._body(body, body[0].col_offset, end)

    def _body(self, body: Sequence[ast.stmt], column: int, end: int) -> None:
        """Lines that stand at ``column``, and the comments among them up to row ``end``."""
        for _ in self._each(body, column, end):
            pass

    def _each(self, body: Sequence[ast.stmt], column: int, end: int) -> Iterator[None]:
        """The same, stopping after each line."""
        rows = [*(statement.lineno for statement in body), end]
        for statement, following in zip(body, rows[1:], strict=True):
            self._remarks(column, statement.lineno)
            self._line(statement, following)
            self._remarks(column, (statement.end_lineno or statement.lineno) + 1)
            yield
        self._remarks(column, end)

    def _remarks(self, column: int, before: int) -> None:
        while self.comments and self.comments[0].row < before and self.comments[0].column >= column:
            comment = self.comments.pop(0)
            self.make(Kind.COMMENT, "", (), (comment.text,))

    def _line(self, node: ast.stmt, end: int) -> None:
        """One line, or one block, after which the next begins at row ``end``."""
        self.fresh.clear()
        match node:
            case ast.Expr(value=value):
                self._expression(value)
            case ast.Assign(targets=targets, value=value):
                self._assign(targets, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value, annotation=ast.Name() | ast.Attribute()):
                self._assign([target], value)
            case ast.AugAssign():
                self._augmented(node)
            case ast.Delete(targets=targets):
                for gone in targets:
                    self._delete(gone)
            case ast.With():
                self._with(node, node.items, end)
            case ast.For():
                read_loop(self, node, end)
            case ast.Import(names=names):
                self._import(node, names)
            case ast.ImportFrom():
                self._import_from(node)
            case ast.Try():
                self._try(node)
            case ast.If() if _is_main(node):
                self._body(node.body, node.body[0].col_offset, end)
            case ast.Pass():
                pass
            case _:
                raise refuse_construct(node)

    # ------------------------------------------------------------ lines

    def _expression(self, node: ast.expr) -> None:
        if isinstance(node, ast.Constant):
            return
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id == "print" and "print" not in self.names:
                self.calls.add(node)
                self._print(node)
                return
            if self._is_warnings(node):
                return
        self.value(node)

    def _is_warnings(self, node: ast.Call) -> bool:
        """True for a filter of warnings, which changes nothing that a program shows."""
        if not isinstance(node.func, ast.Attribute) or not isinstance(node.func.value, ast.Name):
            return False
        if self.names.get(node.func.value.id) != Path("warnings"):
            return False
        if node.func.attr not in ("filterwarnings", "simplefilter", "resetwarnings"):
            raise refuse(node, "unknown_function", name=f"warnings.{node.func.attr}")
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            if not isinstance(argument, ast.Constant) and not _is_exception(argument):
                raise refuse(argument, "not_constant")
        self.calls.add(node)
        return True

    def _print(self, node: ast.Call) -> None:
        operands = [self._printed(argument) for argument in node.args]
        options = []
        for keyword in node.keywords:
            if keyword.arg not in ("sep", "end"):
                raise refuse(keyword.value, "unknown_argument", name="print", argument=str(keyword.arg))
            options.append((keyword.arg, self.constant(keyword.value)))
        self.make(Kind.PRINT, "print", (), operands, options)

    def _printed(self, node: ast.expr) -> Operand:
        if isinstance(node, ast.List):
            raise refuse(node, "printed_list")
        return self.operand(node)

    def _delete(self, target: ast.expr) -> None:
        if not isinstance(target, ast.Name):
            raise refuse(target, "delete")
        meaning = self.names.get(target.id)
        if meaning is None and target.id not in self.names:
            self.unknown(target, target.id)
        if isinstance(meaning, Ref):
            self.make(Kind.DELETE, "del", (target.id,), (meaning,))
        self.names.pop(target.id, None)

    def _augmented(self, node: ast.AugAssign) -> None:
        symbol = SYMBOLS.get(type(node.op), type(node.op).__name__)
        target = self.operand(node.target)
        value = self.operand(node.value)
        if is_number(target) and is_number(value) and isinstance(node.target, ast.Name):
            self.names[node.target.id] = self._folded(node.target, symbol, [target, value])
            return
        if isinstance(target, Empty) or isinstance(value, Empty):
            return
        record = by_symbol().get((f"{symbol}=", 2))
        power = by_symbol().get((f"{symbol}=", 1))
        if record is None and power is None:
            raise refuse(node, "unknown_operator", symbol=f"{symbol}=")
        if not isinstance(target, Ref) or not is_tensor(target) or not isinstance(value, Ref | bool | int | float):
            raise refuse(node, "not_a_tensor")
        if record is not None:
            self.make(Kind.OP, record.name, (), (target, value), style="operator")
            if isinstance(node.target, ast.Subscript):
                self._put(node.target, target)
        elif power is not None:
            self.make(
                Kind.OP, power.name, (), (target,), [(power.attributes[0].name, self.number(node.value))], "method"
            )

    # ------------------------------------------------------------ assignments

    def _assign(self, targets: Sequence[ast.expr], node: ast.expr) -> None:
        if len(targets) == 1 and isinstance(targets[0], ast.Tuple | ast.List) and isinstance(node, ast.Tuple):
            value: Meaning = Several(tuple(self.operand(member) for member in node.elts))
        else:
            first = targets[0]
            self.unpacked = len(first.elts) if isinstance(first, ast.Tuple | ast.List) else None
            value = self.value(node)
            self.unpacked = None
        for target in targets:
            self._bind_target(target, value)

    def _bind_target(self, target: ast.expr, value: Meaning) -> None:
        match target:
            case ast.Name(id=name):
                self._bind_name(target, name, value)
            case ast.Tuple(elts=members) | ast.List(elts=members):
                values = value.members if isinstance(value, Several) else value
                if not isinstance(values, tuple) or len(values) != len(members):
                    raise refuse(target, "unpack", count=len(members))
                for member, part in zip(members, values, strict=True):
                    self._bind_target(member, part)
            case ast.Attribute(value=owner, attr=attribute):
                self._flag(target, owner, attribute, value)
            case ast.Subscript():
                self._put(target, value)
            case _:
                raise refuse_construct(target)

    def _bind_name(self, node: ast.expr, name: str, value: Meaning) -> None:
        if name in RESERVED - {"_", "F", "warnings"} or (hasattr(builtins, name) and name in RESERVED):
            raise refuse(node, "reserved", name=name)
        if isinstance(value, Several):
            members = tuple(self._named_member(name, number, value) for number in range(len(value.members)))
            value = Several(members, value.names)
        elif isinstance(value, Ref):
            value = self._named(name, value)
        elif isinstance(value, MadeOptimizer):
            value = MadeOptimizer(self._named(name, value.ref))
        elif isinstance(value, MadeHook) and not self.made[value.ref.statement].targets:
            self.change(value.ref.statement, targets=(name,))
        elif isinstance(value, tuple) and not is_constant(value):
            raise refuse(node, "tensor_list")
        self.names[name] = value

    def _named(self, name: str, ref: Ref) -> Ref:
        """``name`` for what ``ref`` means: the statement's own if it was just made, else another name for it."""
        made = self.made.get(ref.statement)
        if (
            made is not None
            and not ref.path
            and ref.statement in self.fresh
            and made.targets[ref.output : ref.output + 1] == ("",)
        ):
            targets = (*made.targets[: ref.output], name, *made.targets[ref.output + 1 :])
            self.change(ref.statement, targets=targets)
            return ref
        writer = self._last_made_writer(ref)
        if writer is not None:
            if self.names.get(name) != ref:
                self.change(writer, targets=(name,))
            return ref
        if self.names.get(name) == ref:
            return ref
        return Ref(self.make(Kind.ALIAS, "alias", (name,), (ref,)))

    def _last_made_writer(self, ref: Ref) -> int | None:
        """The in-place statement just made, where what it returns is ``ref``."""
        last = next(reversed(self.made), None)
        if last is None or last not in self.fresh:
            return None
        statement = self.made[last]
        is_writer = statement.kind is Kind.OP and statement.targets == ()
        return last if is_writer and statement.operands[0] == ref and statement.style != "operator" else None

    def _named_member(self, name: str, number: int, value: Several) -> Operand:
        """Members of a tuple of tensors are bound under names of their own: ``g0``, ``g1``, or ``g`` if it is alone."""
        member = value.members[number]
        if not isinstance(member, Ref):
            return member
        ending = f"_{value.names[number]}" if value.names else str(number)
        wanted = name if len(value.members) == 1 else free_among(name + ending, self.taken)
        self.taken.add(wanted)
        return self._named(wanted, member)

    def _flag(self, node: ast.expr, owner: ast.expr, attribute: str, value: Meaning) -> None:
        target = self.tensor(owner)
        if isinstance(target, Empty) or isinstance(value, Empty):
            return
        if attribute not in FLAGS:
            raise refuse(node, "assign_attribute", name=attribute)
        if attribute == "requires_grad" and not isinstance(value, bool):
            raise refuse(node, "not_constant")
        if attribute != "requires_grad" and value is not None and not (isinstance(value, Ref) and is_tensor(value)):
            raise refuse(node, "not_a_tensor")
        assert not isinstance(value, Path | Several | Made)
        self.make(Kind.ASSIGN, attribute, (), (target, value))

    def _put(self, node: ast.Subscript, value: Meaning) -> None:
        """``x[index] = value``."""
        target = self.tensor(node.value)
        index, tensors = read_index(node.slice, self.operand)
        if any(isinstance(operand, Empty) for operand in (target, value, *tensors)):
            return
        if not isinstance(value, Ref | bool | int | float):
            raise refuse(node, "not_a_tensor")
        inputs = (target, value, tensors) if tensors else (target, value)
        self.make(Kind.OP, WRITES[bool(tensors)], (), inputs, [("index", index)], "operator")

    # ------------------------------------------------------------ blocks

    def _with(self, node: ast.With, items: Sequence[ast.withitem], end: int) -> None:
        if not items:
            self._body(node.body, node.body[0].col_offset, end)
            return
        with self._block(self._mode(items[0])):
            self._with(node, items[1:], end)

    @contextmanager
    def _block(self, mode: str) -> Iterator[None]:
        outer = self.block
        self.block = self.new_id()
        self.blocks[self.block] = Block(self.block, mode, outer)
        yield
        self.block = outer

    def _mode(self, item: ast.withitem) -> str:
        call = item.context_expr
        if item.optional_vars is None and isinstance(call, ast.Call) and not call.keywords:
            self.calls.add(call)
            path = self.value(call.func)
            if isinstance(path, Path) and path.name in GRAD_MODES and not call.args:
                return GRAD_MODES[path.name]
            if path == Path("torch.set_grad_enabled") and len(call.args) == 1:
                return "enable_grad" if self.constant(call.args[0]) else "no_grad"
        raise refuse(call, "with")

    def _try(self, node: ast.Try) -> None:
        """One line whose error is printed: the line itself, for it goes on after an error anyway."""
        plain = len(node.body) == len(node.handlers) == 1 and not node.orelse and not node.finalbody
        if not plain or not _prints_error(node.handlers[0]):
            raise refuse_construct(node)
        before = dict(self.names)
        self._body(node.body, node.body[0].col_offset, (node.body[0].end_lineno or node.body[0].lineno) + 1)
        if self.lenient:
            refuse_in_doubt(node, before, self.names)
        handler = node.handlers[0].body[0]
        self.calls.update(inner for inner in ast.walk(handler) if isinstance(inner, ast.Call))
        self.comments = [comment for comment in self.comments if comment.row > (handler.end_lineno or handler.lineno)]

    # ------------------------------------------------------------ imports

    def _import(self, node: ast.stmt, names: Iterable[ast.alias]) -> None:
        for alias in names:
            if alias.name not in MODULES:
                raise refuse(node, "import", name=alias.name)
            if alias.asname is None:
                self.names[alias.name.partition(".")[0]] = Path(alias.name.partition(".")[0])
            else:
                self.names[alias.asname] = Path(alias.name)

    def _import_from(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        for alias in node.names:
            full = f"{module}.{alias.name}"
            if module == "__future__":
                self.names[alias.asname or alias.name] = Path(full)
                continue
            if module not in MODULES or node.level or alias.name == "*" or module in ("numpy", "warnings"):
                raise refuse(node, "import", name=full)
            self.names[alias.asname or alias.name] = self.in_module(
                ast.Name(alias.name, lineno=node.lineno, col_offset=node.col_offset), full
            )


def _is_exception(node: ast.expr) -> bool:
    kind = getattr(builtins, node.id, None) if isinstance(node, ast.Name) else None
    return isinstance(kind, type) and issubclass(kind, BaseException)


def _is_main(node: ast.If) -> bool:
    return not node.orelse and ast.unparse(node.test) in ("__name__ == '__main__'", "'__main__' == __name__")


def _prints_error(handler: ast.ExceptHandler) -> bool:
    """True for ``except RuntimeError as e: print(e)``."""
    if not isinstance(handler.type, ast.Name) or handler.type.id not in CAUGHT or len(handler.body) != 1:
        return False
    match handler.body[0]:
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=[ast.Name(id=name)], keywords=[])):
            return name == handler.name
    return False
