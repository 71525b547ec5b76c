"""Programs for the tests of sessions, written line by line."""

from __future__ import annotations

from hypothesis import strategies as st

from chalkgrad.program.program import Block, Program
from chalkgrad.program.statement import EMPTY, Kind, Operand, Ref, Statement


class Writer:
    """Collects statements; each method returns a reference to what the new line makes."""

    def __init__(self) -> None:
        self.statements: list[Statement] = []
        self.blocks: dict[int, Block] = {}
        self.block: int | None = None

    def add(self, kind: Kind, call: str, targets=(), operands=(), style="function", **options: Operand) -> Ref:
        id_ = len(self.statements) + 1
        self.statements.append(
            Statement(id_, kind, call, tuple(targets), tuple(operands), tuple(options.items()), style, self.block)
        )
        return Ref(id_)

    def leaf(self, name: str, value: Operand, grad: bool = False, **options: Operand) -> Ref:
        if grad:
            options["requires_grad"] = True
        return self.add(Kind.LEAF, "tensor", (name,), (value,), **options)

    def op(self, name: str, call: str, *operands: Operand, style="function", **options: Operand) -> Ref:
        targets = () if call.endswith("_") else (name,)
        return self.add(Kind.OP, call, targets, operands, style, **options)

    def call(self, target: Ref, method: str, *arguments: Operand) -> Ref:
        return self.add(Kind.ATTRIBUTE, method, (), (target, *arguments), "method")

    def assign(self, target: Ref, attribute: str, value: Operand) -> Ref:
        return self.add(Kind.ASSIGN, attribute, (), (target, value))

    def backward(self, root: Ref, **options: Operand) -> Ref:
        return self.add(Kind.BACKWARD, "backward", (), (root,), "method", **options)

    def grad(self, names: tuple[str, ...], outputs, inputs, **options: Operand) -> Ref:
        return self.add(Kind.GRAD, "grad", names, (tuple(outputs), tuple(inputs)), **options)

    def again(self, root: Ref) -> Ref:
        return self.add(Kind.AGAIN, "again", (), (root,))

    def print(self, *operands: Operand) -> Ref:
        return self.add(Kind.PRINT, "print", (), operands)

    def inside(self, mode: str = "no_grad", rounds: int = 0) -> None:
        id_ = 1000 + len(self.blocks)
        name = f"i{id_}" if rounds else ""
        self.blocks[id_] = Block(id_, mode, self.block, rounds, name)
        self.block = id_

    def outside(self) -> None:
        assert self.block is not None
        self.block = self.blocks[self.block].parent

    @property
    def program(self) -> Program:
        statements = {statement.id: statement for statement in self.statements}
        return Program(statements, tuple(statements), dict(self.blocks), len(statements) + 1)


class Course(Writer):
    """The course example: a = w + x, b = w + 1, y = a * b with w = [1.], x = [2.]."""

    def __init__(self) -> None:
        super().__init__()
        self.w = self.leaf("w", (1.0,), grad=True)
        self.x = self.leaf("x", (2.0,), grad=True)
        self.a = self.op("a", "add", self.w, self.x)
        self.b = self.op("b", "add", self.w, 1)
        self.y = self.op("y", "mul", self.a, self.b)


UNARY = ("exp", "sin", "tanh", "relu", "neg", "sigmoid", "clone", "detach")
BINARY = ("add", "sub", "mul")
IN_PLACE = ("exp_", "zero_", "relu_")
STEPS = ("leaf", "leaf", "unary", "unary", "binary", "binary", "number", "view", "in place", "in place data")
STEPS += ("backward", "backward", "backward", "grad", "retain", "detach_", "zero", "none", "assign", "flag", "alias")
STEPS += ("print", "again", "again", "open", "repeat", "close", "delete", "waiting", "double")


@st.composite
def programs(draw: st.DrawFn, most: int = 14) -> Program:
    """Any program over a few vectors of two elements: right ones, and such as PyTorch refuses here and there."""
    writer = Course()
    made = [writer.w, writer.x, writer.a, writer.b, writer.y]
    for number in range(draw(st.integers(0, most))):
        step = draw(st.sampled_from(STEPS))
        one, other = draw(st.sampled_from(made)), draw(st.sampled_from(made))
        _write(draw, writer, made, step, f"t{number}", one, other)
    return writer.program


def _write(draw: st.DrawFn, writer: Writer, made: list[Ref], step: str, name: str, one: Ref, other: Ref) -> None:
    numbers = st.sampled_from((0.5, -1.0, 2.0, 3.0))
    grad = Ref(one.statement, one.output, ("grad",))
    flags = {key: True for key in ("retain_graph", "create_graph") if draw(st.integers(0, 3)) == 0}
    match step:
        case "leaf":
            made.append(writer.leaf(name, (draw(numbers),), draw(st.booleans())))
        case "unary":
            made.append(writer.op(name, draw(st.sampled_from(UNARY)), one))
        case "binary":
            made.append(writer.op(name, draw(st.sampled_from(BINARY)), one, other))
        case "number":
            made.append(writer.op(name, draw(st.sampled_from(BINARY)), one, draw(numbers)))
        case "view":
            made.append(writer.op(name, "view", one, style="method", size=(1,)))
        case "in place":
            writer.op("", draw(st.sampled_from(IN_PLACE)), one, style="method")
        case "in place data":
            writer.op("", "mul_", Ref(one.statement, one.output, ("data",)), draw(numbers), style="method")
        case "backward":
            writer.backward(one, **flags)
        case "grad":
            made.append(writer.grad((name,), (one,), (other,), **flags))
        case "retain":
            writer.call(one, "retain_grad")
        case "detach_":
            writer.call(one, "detach_")
        case "zero":
            writer.op("", "zero_", grad, style="method")
        case "none":
            writer.assign(one, "grad", None)
        case "assign":
            writer.assign(one, "grad", other)
        case "flag":
            writer.assign(one, "requires_grad", draw(st.booleans()))
        case "alias":
            made.append(writer.add(Kind.ALIAS, "", (name,), (grad,)))
        case "print":
            writer.print("grad", grad, one, Ref(one.statement, 0, ("is_leaf",)))
        case "again":
            writer.again(one)
        case "open":
            writer.inside(draw(st.sampled_from(("no_grad", "enable_grad"))))
        case "repeat":
            writer.inside("for", draw(st.integers(1, 3)))
        case "close" if writer.block is not None:
            writer.outside()
        case "delete":
            writer.add(Kind.DELETE, "", writer.statements[one.statement - 1].targets, (one,))
        case "waiting":
            made.append(writer.op(name, "mul", one, EMPTY))
        case "double":
            made.append(writer.op(name, "add", one, one))
