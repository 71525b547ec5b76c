"""Random programs, sheets and edits, for the tests of everything that works on them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from hypothesis import strategies as st

import chalkgrad.ops  # noqa: F401
from chalkgrad.engine.record import OPS
from chalkgrad.program.board import DRAWINGS, Board, Frame, Note, Place, Spot
from chalkgrad.program.program import Block, Program
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import EMPTY, Array, Counter, Dtype, Kind, Operand, Ref, Statement

NAMES = ("w", "x", "a", "b", "c", "y", "z", "loss", "x1", "w2", "输入")
BINARY = ("add", "sub", "mul", "div", "pow")
UNARY = ("neg", "exp", "sin", "tanh", "relu", "clone", "detach")
IN_PLACE = ("add_", "mul_", "sub_")
COUNTERS = ("i", "j", "k")
"""The variables of loops, by how many loops are around; there are no deeper ones."""

floats = st.floats(allow_nan=False, allow_infinity=False, width=32)
numbers = st.one_of(st.integers(-9, 9), st.sampled_from([0.5, -0.25, 2.0, 1e-7, 3e20]))


@dataclass
class Growing:
    """A program being made; ``bound`` is what each name means now, ``before`` what it meant before each loop."""

    statements: list[Statement] = field(default_factory=list)
    blocks: dict[int, Block] = field(default_factory=dict)
    bound: dict[str, Ref] = field(default_factory=dict)
    before: dict[int, dict[str, Ref]] = field(default_factory=dict)
    block: int | None = None
    next_id: int = 1

    def new_id(self) -> int:
        self.next_id += 1
        return self.next_id - 1

    def add(self, kind, call="", targets=(), operands=(), options=(), style="function") -> Ref:
        id_ = self.new_id()
        made = Statement(id_, kind, call, tuple(targets), tuple(operands), tuple(options), style, self.block)
        self.statements.append(made)
        if kind is not Kind.DELETE:
            named = tuple(f"r{id_}_{n}" if self.carries_over(name) else name for n, name in enumerate(targets))
            self.statements[-1] = replace(made, targets=named)
            self.bound.update((name, Ref(id_, output)) for output, name in enumerate(named) if name)
        return Ref(id_)

    @property
    def loops(self) -> list[int]:
        """The loops around the line that comes next, innermost first."""
        found, id_ = [], self.block
        while id_ is not None:
            found += [id_] * self.blocks[id_].is_loop
            id_ = self.blocks[id_].parent
        return found

    def carries_over(self, name: str) -> bool:
        """True when a loop has read what the name meant before it: bound again, each round would mean another line."""
        for loop in self.loops:
            old = self.before[loop].get(name)
            inside = (statement for statement in self.statements if statement.id > loop)
            if old is not None and any(
                (ref.statement, ref.output) == (old.statement, old.output)
                for statement in inside
                for ref in statement.refs()
            ):
                return True
        return False

    def may_delete(self, name: str) -> bool:
        """False for what was there before a loop: the second round would not find it."""
        return all(self.before[loop].get(name) != self.bound[name] for loop in self.loops)

    @property
    def program(self) -> Program:
        statements = {statement.id: statement for statement in self.statements}
        return Program(statements, tuple(statements), self.blocks, self.next_id)


@st.composite
def programs(draw: st.DrawFn, most: int = 14, waiting: bool = False) -> Program:
    """A program as reading makes one; with ``waiting`` also open ports, big arrays and lines that run again."""
    growing = Growing()
    _leaf(draw, growing, waiting)
    kinds = [_leaf, _operator, _operator, _operator, _nested, _action, _print, _writer, _gradient, _remark, _switch]
    for _ in range(draw(st.integers(0, most))):
        make = draw(st.sampled_from([*kinds, _open, _again] if waiting else kinds))
        make(draw, growing, waiting)
        if not growing.bound:
            _leaf(draw, growing, waiting)
    return growing.program


def _name(draw, growing: Growing) -> str:
    return draw(st.sampled_from(NAMES))


def _tensor(draw, growing: Growing) -> Ref:
    return growing.bound[draw(st.sampled_from(sorted(growing.bound)))]


def _leaf(draw, growing: Growing, waiting: bool) -> None:
    options: list[tuple[str, Operand]] = []
    call, operands = draw(
        st.sampled_from(
            [
                ("tensor", ((1.0,),)),
                ("tensor", (2.0,)),
                ("tensor", (((1.5, -2.0), (0.1, 3.0)),)),
                ("tensor", (3,)),
                ("tensor", ((),)),
                ("ones", (2, 3)),
                ("zeros", ()),
                ("full", ((2, 2), 0.5)),
                ("arange", (0, 6, 2)),
                ("eye", (3,)),
                ("randn", (3,)),
            ]
        )
    )
    if call == "randn" and draw(st.booleans()):
        options.append(("seed", draw(st.integers(0, 99))))
    if draw(st.booleans()):
        options.append(("dtype", Dtype(draw(st.sampled_from(["float32", "float64"])))))
    if draw(st.booleans()):
        options.append(("requires_grad", True))
    if waiting and draw(st.booleans()):
        call, operands = "tensor", (draw(arrays()),)
    growing.add(Kind.LEAF, call, (_name(draw, growing),), operands, options)


@st.composite
def arrays(draw: st.DrawFn) -> Array:
    """A big constant."""
    shape = tuple(draw(st.lists(st.integers(1, 9), min_size=1, max_size=3)))
    dtype = draw(st.sampled_from(["float32", "float64", "int64", "bool"]))
    start = draw(st.integers(-5, 5))
    return Array.of((np.arange(int(np.prod(shape))).reshape(shape) * 0.37 + start).astype(dtype))


def _operator(draw, growing: Growing, waiting: bool) -> None:
    call, operands, options, style = _drawn_operator(draw, growing, _tensor(draw, growing))
    growing.add(Kind.OP, call, (_name(draw, growing),), operands, options, style)


def _drawn_operator(draw, growing: Growing, first: Ref):
    """An operator on ``first``, as call, operands, options and style."""
    group = draw(
        st.sampled_from(["binary", "unary", "sum", "reshape", "transpose", "softmax", "matmul", "cat", "permute"])
    )
    if group == "binary":
        call = draw(st.sampled_from(BINARY))
        other = draw(st.one_of(numbers, st.just(None), *map(st.just, map(Counter, growing.loops))))
        other = _tensor(draw, growing) if other is None else other
        operands = (first, other) if draw(st.booleans()) else (other, first)
        styles = ["function", "operator"] + ["method"] * isinstance(operands[0], Ref)
        return call, operands, (), draw(st.sampled_from(styles))
    if group == "unary":
        call = draw(st.sampled_from(UNARY))
        return call, (first,), (), draw(st.sampled_from(["function", "method"] + ["operator"] * (call == "neg")))
    if group == "sum":
        options = draw(st.sampled_from([(), (("dim", 0),), (("dim", (0, 1)), ("keepdim", True))]))
        return draw(st.sampled_from(["sum", "mean"])), (first,), options, draw(st.sampled_from(["function", "method"]))
    if group == "reshape":
        size = draw(st.sampled_from([(2, -1), (4,), ()]))
        return "reshape", (first,), (("shape", size),), draw(st.sampled_from(["function", "method"]))
    if group == "transpose":
        return "transpose", (first,), (("dim0", 0), ("dim1", -1)), draw(st.sampled_from(["function", "method"]))
    if group == "softmax":
        return "softmax", (first,), (("dim", -1),), draw(st.sampled_from(["function", "method"]))
    if group == "matmul":
        return "matmul", (first, _tensor(draw, growing)), (), draw(st.sampled_from(["function", "method", "operator"]))
    if group == "cat":
        return "cat", ((first, _tensor(draw, growing)),), draw(st.sampled_from([(), (("dim", 1),)])), "function"
    return "permute", (first,), (("dims", (0, 2, 1)),), "method"


def _nested(draw, growing: Growing, waiting: bool) -> None:
    """Operators without names inside the line of one that has one."""
    inner = _tensor(draw, growing)
    for _ in range(draw(st.integers(1, 3))):
        call, operands, options, style = _drawn_operator(draw, growing, inner)
        inner = growing.add(Kind.OP, call, ("",), operands, options, style)
    other = growing.add(Kind.OP, "add", ("",), (_tensor(draw, growing), 1), style="operator")
    style = draw(st.sampled_from(["function", "operator", "method"]))
    call = draw(st.sampled_from(["add", "sub", "pow", "matmul", "eq", "lt"]))
    growing.add(Kind.OP, call, (_name(draw, growing),), (inner, other), (), style)


def _action(draw, growing: Growing, waiting: bool) -> None:
    tensor = _tensor(draw, growing)
    kind, call, operands = draw(
        st.sampled_from(
            [
                (Kind.ATTRIBUTE, "retain_grad", (tensor,)),
                (Kind.ATTRIBUTE, "requires_grad_", (tensor,)),
                (Kind.ATTRIBUTE, "requires_grad_", (tensor, False)),
                (Kind.ATTRIBUTE, "detach_", (tensor,)),
                (Kind.ASSIGN, "grad", (tensor, None)),
                (Kind.ASSIGN, "requires_grad", (tensor, True)),
                (Kind.ASSIGN, "data", (tensor, _tensor(draw, growing))),
                (Kind.SEED, "manual_seed", (7,)),
            ]
        )
    )
    growing.add(kind, call, (), operands, (), "method" if kind is Kind.ATTRIBUTE else "function")


def _writer(draw, growing: Growing, waiting: bool) -> None:
    tensor = _tensor(draw, growing)
    path = draw(st.sampled_from([(), ("grad",), ("data",)]))
    target = Ref(tensor.statement, tensor.output, path)
    if draw(st.booleans()):
        growing.add(Kind.OP, "zero_", (), (target,), (), "method")
        return
    value = draw(st.one_of(numbers, st.just(None)))
    value = _tensor(draw, growing) if value is None else value
    style = draw(st.sampled_from(["operator", "method"]))
    growing.add(Kind.OP, draw(st.sampled_from(IN_PLACE)), (), (target, value), (), style)


def _gradient(draw, growing: Growing, waiting: bool) -> None:
    root = _tensor(draw, growing)
    options: list[tuple[str, Operand]] = []
    if draw(st.booleans()):
        options.append(("gradient", draw(st.sampled_from([(1.0, 1.0), 1.0, root]))))
    if draw(st.booleans()):
        options.append(("retain_graph", True))
    if draw(st.booleans()):
        options.append(("create_graph", True))
    way = draw(st.sampled_from(["method", "function", "grad", "alias"]))
    if way == "method":
        growing.add(Kind.BACKWARD, "backward", (), (root,), options, "method")
    elif way == "function":
        growing.add(Kind.BACKWARD, "backward", (), (root, _tensor(draw, growing)), options[:0])
    elif way == "grad":
        options = [("grad_outputs" if key == "gradient" else key, value) for key, value in options]
        names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=2, unique=True))
        inputs = tuple(_tensor(draw, growing) for _ in names)
        growing.add(Kind.GRAD, "grad", names, ((root,), inputs), options)
    else:
        growing.add(Kind.ALIAS, "alias", (_name(draw, growing),), (Ref(root.statement, root.output, ("grad",)),))


def _print(draw, growing: Growing, waiting: bool) -> None:
    tensor = _tensor(draw, growing)
    paths = [(), ("grad",), ("is_leaf",), ("grad_fn",), ("grad", "is None"), ("item()",), ("requires_grad",)]
    refs = [Ref(tensor.statement, tensor.output, path) for path in draw(st.lists(st.sampled_from(paths), max_size=3))]
    texts = draw(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), max_size=2))
    growing.add(Kind.PRINT, "print", (), (*texts, *refs, *draw(st.lists(numbers, max_size=1))))


def _remark(draw, growing: Growing, waiting: bool) -> None:
    if draw(st.booleans()) or waiting:
        text = draw(st.text(st.sampled_from("abc #:é梯度'\""), max_size=8)).strip()
        growing.add(Kind.COMMENT, "", (), (text,))
        return
    name = draw(st.sampled_from(sorted(growing.bound)))
    if not growing.may_delete(name):
        return
    growing.add(Kind.DELETE, "del", (name,), (growing.bound.pop(name),))


def _switch(draw, growing: Growing, waiting: bool) -> None:
    """Begin a block, with a line in it, or end one."""
    if growing.block is not None and draw(st.booleans()):
        growing.block = growing.blocks[growing.block].parent
        return
    if growing.block is not None and growing.statements[-1].block != growing.block:
        return
    id_, around = growing.new_id(), len(growing.loops)
    mode = draw(st.sampled_from(["no_grad", "enable_grad", *["for"] * (around < len(COUNTERS))]))
    growing.blocks[id_] = Block(id_, mode, growing.block)
    if mode == "for":
        growing.blocks[id_] = Block(id_, mode, growing.block, draw(st.integers(1, 3)), COUNTERS[around])
        growing.before[id_] = dict(growing.bound)
    growing.block = id_
    _operator(draw, growing, waiting)


def _open(draw, growing: Growing, waiting: bool) -> None:
    operands = draw(st.permutations([EMPTY, _tensor(draw, growing)]))
    growing.add(Kind.OP, draw(st.sampled_from(BINARY)), (_name(draw, growing),), operands)


def _again(draw, growing: Growing, waiting: bool) -> None:
    growing.add(Kind.AGAIN, "again", (), (_tensor(draw, growing),))


coordinates = st.floats(-1e6, 1e6, allow_nan=False)
sizes = st.floats(8, 2000, allow_nan=False)


@st.composite
def sheets(draw: st.DrawFn, most: int = 14) -> Sheet:
    """A program of any kind with a board, and keys that no version knows."""
    program = draw(programs(most, waiting=True))
    places = {
        (draw(st.sampled_from(DRAWINGS)), id_): Place(draw(coordinates), draw(coordinates), draw(st.booleans()))
        for id_ in program.order
        if draw(st.booleans())
    }
    first = program.next_id
    notes = {
        first + n: Note(
            first + n, (("en", draw(st.text('abc\n"', max_size=9))), ("zh_CN", "便签")), draw(coordinates), 8.0
        )
        for n in range(draw(st.integers(0, 2)))
    }
    frames = {
        first + 9 + n: Frame(
            first + 9 + n, draw(st.text("F ", max_size=4)), 0.0, draw(coordinates), draw(sizes), 9.0, "teal"
        )
        for n in range(draw(st.integers(0, 2)))
    }
    values = st.one_of(st.none(), st.integers(-5, 5), st.text("ab", max_size=3), st.lists(st.booleans(), max_size=2))
    extra = draw(st.dictionaries(st.sampled_from(["future", "theme"]), values, max_size=2))
    foldable = [*frames, *program.blocks]
    members = st.lists(st.sampled_from([*program.order, *notes, *frames] or [1]), max_size=3)
    folds = {id_: tuple(draw(members)) if id_ in frames else () for id_ in foldable if draw(st.booleans())}
    labels = {id_: draw(st.text("ab 中", min_size=1, max_size=4)) for id_ in program.order[:3] if draw(st.booleans())}
    spots = {
        (drawing, id_): Spot(draw(coordinates), 0.0, draw(sizes), 9.0)
        for drawing in DRAWINGS[1:]
        for id_ in (*notes, *frames)
        if draw(st.booleans())
    }
    board = Board(places, notes, frames, folds, labels, spots).drawn_as(draw(st.sampled_from(DRAWINGS)))
    return Sheet(program, board, tuple(extra.items()))


SPELLED = tuple(name for name, record in OPS.items() if record.function or record.method)
