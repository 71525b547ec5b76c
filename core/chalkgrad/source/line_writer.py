"""Single statements as lines of PyTorch text, with the names that a program gives to what they read."""

from __future__ import annotations

from functools import cached_property

from chalkgrad.engine.record import OPS
from chalkgrad.program import hooks
from chalkgrad.program.names import free_among
from chalkgrad.program.problems import held_up
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Empty, Kind, Operand, Ref, Statement
from chalkgrad.source.bindings import BindingNames, binding_names
from chalkgrad.source.calls import FUNCTIONAL
from chalkgrad.source.expressions import Writer
from chalkgrad.source.literals import shape_text, value_text

INDENT = "    "


class LineWriter:
    """Writes single statements of one program."""

    def __init__(self, program: Program, names: BindingNames | None = None) -> None:
        self.program = program
        self.name_counts = program.name_counts  # the same for a program that an edit of numbers made of this one
        self.names = binding_names(program) if names is None else names
        self.functional = FUNCTIONAL if self._is_taken("F") else "F."
        self.writer = Writer(program, self.names, functional=self.functional)

    @cached_property
    def brief(self) -> LineWriter:
        """One that leaves most of large arrays out."""
        made = LineWriter(self.program, self.names)
        made.writer.in_brief = True
        return made

    @cached_property
    def error_name(self) -> str:
        """What an error is called where one is caught."""
        if not self._is_taken("e"):
            return "e"
        return free_among("error", self.program.names().union(self.names.renamed.values()))

    def _is_taken(self, name: str) -> bool:
        return self.program.has_name(name) or name in self.names.renamed.values()

    @cached_property
    def idle(self) -> frozenset[int]:
        """Ids of the statements that can't run."""
        return held_up(self.program)

    def lines(self, statement: Statement) -> list[str]:
        """The statement's lines; commented out where it can't run."""
        written = self._again(statement) if statement.kind is Kind.AGAIN else self._one(statement).split("\n")
        return [f"# {text}" for text in written] if statement.id in self.idle else written

    def right_hand_side(self, statement: Statement) -> str:
        """What stands right of the names that a statement binds, or all of it where it binds none."""
        writers = {
            Kind.LEAF: lambda s: self.writer.result(s).text,
            Kind.OP: lambda s: self.writer.result(s).text,
            Kind.ATTRIBUTE: self._action,
            Kind.ASSIGN: self._assignment,
            Kind.ALIAS: lambda s: self._first(s),
            Kind.DELETE: lambda s: f"del {self._first(s)}",
            Kind.BACKWARD: self._backward,
            Kind.GRAD: self._grad,
            Kind.AGAIN: lambda s: f"again({self._first(s)})",
            Kind.PRINT: self._print,
            Kind.OPTIMIZER: self._optimizer,
            Kind.UPDATE: self._update,
            Kind.SEED: lambda s: f"torch.manual_seed({', '.join(value_text(v) for v in s.operands)})",
            Kind.COMMENT: _comment,
        }
        return writers[statement.kind](statement)

    def _one(self, statement: Statement) -> str:
        text = self.right_hand_side(statement)
        if statement.kind is Kind.OP:
            record = OPS.get(statement.call)
            if record is not None and (written := self.writer.augmented(statement, record)):
                return written
        if statement.kind not in (Kind.LEAF, Kind.OP, Kind.GRAD, Kind.ALIAS, Kind.OPTIMIZER, Kind.ATTRIBUTE):
            return text
        names = [self.names.get((statement.id, n), "") for n in range(len(statement.targets))]
        if not any(names):
            return text
        comma = "," if len(names) == 1 and _makes_tuple(statement) else ""
        return f"{', '.join(name or '_' for name in names)}{comma} = {text}"

    def _again(self, statement: Statement) -> list[str]:
        """The lines that run again, in the blocks they stand in."""
        lines: list[str] = []
        around = self.program.chain(statement.block)
        open_: tuple[int, ...] = ()
        for id_ in self.program.again(statement.id):
            if self.program.is_inline(id_) or id_ in self.idle:
                continue
            chain = tuple(block for block in self.program.chain(self.program[id_].block) if block not in around)
            lines += [text for text, _ in opening(self.program, open_, chain)]
            lines += [INDENT * len(chain) + text for text in self.lines(self.program[id_])]
            open_ = chain
        return lines or [f"# again: {self._first(statement)}"]

    def _first(self, statement: Statement) -> str:
        return self.writer.operand(statement.operands[0]).text if statement.operands else "?"

    def _receiver(self, statement: Statement) -> str:
        return self.writer.operand(statement.operands[0]).within(20) if statement.operands else "?"

    def _action(self, statement: Statement) -> str:
        if statement.call == hooks.CALL:
            return f"{self._receiver(statement)}.{statement.call}({', '.join(map(str, statement.operands[1:]))})"
        arguments = ", ".join(self.writer.operand(operand).text for operand in statement.operands[1:])
        return f"{self._receiver(statement)}.{statement.call}({arguments})"

    def _assignment(self, statement: Statement) -> str:
        value = statement.operands[1] if len(statement.operands) > 1 else None
        plain = value is None or isinstance(value, Ref | bool)
        text = self.writer.operand(value).text if plain else self.writer.tensor(value)
        return f"{self._receiver(statement)}.{statement.call} = {text}"

    def _backward(self, statement: Statement) -> str:
        if statement.style == "method" and len(statement.operands) == 1:
            return f"{self._receiver(statement)}.backward({', '.join(self._options(statement, 'gradient'))})"
        roots = self.writer.few(statement.operands if len(statement.operands) != 1 else statement.operands[0])
        return f"torch.autograd.backward({', '.join([roots, *self._options(statement, 'grad_tensors')])})"

    def _grad(self, statement: Statement) -> str:
        outputs, inputs = (*statement.operands, (), ())[:2]
        arguments = [self._few(outputs), self._few(inputs), *self._options(statement, "grad_outputs")]
        return f"torch.autograd.grad({', '.join(arguments)})"

    def _few(self, operand: Operand) -> str:
        """One tensor as it is, none or several in a list."""
        return self.writer.few(operand[0] if isinstance(operand, tuple) and len(operand) == 1 else operand)

    def _options(self, statement: Statement, gradient: str) -> list[str]:
        """Keyword arguments of a backward; the weights of the roots are tensors."""
        written = []
        for key, value in statement.options:
            if key in ("gradient", "grad_tensors", "grad_outputs"):
                written.append(f"{gradient}={self._weights(value)}")
            elif key == "inputs":
                written.append(f"inputs={self._few(value)}")
            else:
                written.append(f"{key}={self.writer.operand(value).text}")
        return written

    def _optimizer(self, statement: Statement) -> str:
        parameters = [self.writer.few(operand) for operand in statement.operands]
        return f"torch.optim.{statement.call}({', '.join([*parameters, *self._plain_options(statement)])})"

    def _update(self, statement: Statement) -> str:
        return f"{self._receiver(statement)}.{statement.call}({', '.join(self._plain_options(statement))})"

    def _plain_options(self, statement: Statement) -> list[str]:
        """Keyword arguments of an optimiser; several numbers are a tuple, as in PyTorch's signature."""
        return [
            f"{key}={shape_text(value) if isinstance(value, tuple) else self.writer.option(key, value)}"
            for key, value in statement.options
        ]

    def _weights(self, value: Operand) -> str:
        """One tensor, or a list with a tensor or None for each root."""
        if isinstance(value, tuple) and any(member is None or isinstance(member, Ref | Empty) for member in value):
            return f"[{', '.join(self.writer.tensor(member) for member in value)}]"
        return self.writer.tensor(value)

    def _print(self, statement: Statement) -> str:
        arguments = [self._printed(operand) for operand in statement.operands]
        arguments += [f"{key}={value_text(value)}" for key, value in statement.options]
        return f"print({', '.join(arguments)})"

    def _printed(self, operand: Operand) -> str:
        if not isinstance(operand, tuple):
            return self.writer.operand(operand).text
        whole = self.program.printed_whole(operand)
        if whole is not None:
            return self.writer.result(whole).text
        members = [self._printed(member) for member in operand]
        return f"({members[0]},)" if len(members) == 1 else f"({', '.join(members)})"


def opening(program: Program, open_: tuple[int, ...], chain: tuple[int, ...]) -> list[tuple[str, int]]:
    """The ``with`` lines of the blocks in ``chain`` that are not open yet, each with its block."""
    shared = 0
    while shared < min(len(open_), len(chain)) and open_[shared] == chain[shared]:
        shared += 1
    new = enumerate(chain[shared:], start=shared)
    return [(f"{INDENT * depth}{program.blocks[block].heading}", block) for depth, block in new]


def _makes_tuple(statement: Statement) -> bool:
    """True for what Python gives as a tuple even when there is one tensor in it."""
    return statement.kind is Kind.GRAD or (statement.kind is Kind.OP and not OPS[statement.call].outputs)


def _comment(statement: Statement) -> str:
    texts = str(statement.operands[0]).splitlines() if statement.operands else []
    return "\n".join(f"# {text}".rstrip() for text in texts or [""])
